"""What every card says: all of its entry in the content, in every medium, and nothing of the
notation; and what is said at the table, over whole games."""

import copy
import functools
import io
import re

import pytest
from rich.console import Console

from exchequer.core import learn
from exchequer.core.build import Mode
from exchequer.core.check import walk
from exchequer.core.content import Content, ContentError, settings
from exchequer.core.log import entries
from exchequer.core.lookup import things_named
from exchequer.games.jagged_time import GAME, browser, pieces, terminal
from exchequer.games.jagged_time.notation import FORMS, NEEDS, PROGRESS, RESOURCES
from exchequer.games.jagged_time.phrases import (
    SAID,
    card_words,
    has_trade,
    in_play,
    phrase,
    together,
)
from exchequer.games.jagged_time.state import (
    CONTENT,
    Ask,
    Do,
    Ending,
    Event,
    Fault,
    Phase,
    Refusal,
    Step,
)
from exchequer.games.jagged_time.tables import MILESTONE, MOST_CARD_OPTIONS
from exchequer.games.jagged_time.texts import (
    card_name,
    family_of,
    goal,
    lines,
    named,
    thing,
    wins,
)
from exchequer.games.jagged_time.view import view
from exchequer.table import boards, standing
from games.jagged_time.realm import Realm

PLAIN = GAME.content()
CARDS = PLAIN.words["index"]["cards"]
SHAPES = [shape for shape, _ in FORMS + NEEDS + PROGRESS]
STAND_INS = {"NUMBER": "2", "SCOUTED": "2", "CHANGE": "+2", "RESOURCES": "food|might",
             "RESOURCE": "food", "CARD": "C3", "ACTION->ACTION": "C2->C11", "ACTION": "C3",
             "OBJECTIVE": "O2", "SUB": "sub:troop", "TIMES": "x2", "FAMILY": "actions",
             "MILESTONE": "M3", "LIST": "A", "LETTER": "B", "TRACKER": "young_king",
             "ACTION:": "C3:", "SUB->ACTION": "sub:troop->C11"}
NOTATION = re.compile(r"_|sub:|->|\bx\d|\||\b[COMX]\d+\b|\[\[|\{|\}")
NAMES = ["Ann"]
EVERY_CARD = {"misfortune": "action", "milestones": list(GAME.text["milestone"]),
              "milestone": {"M25": {"next": "M26"}}}  # a game in which each can come up
EVERY = GAME.content(EVERY_CARD)
FIXED = ("win", "unlock trade", "become random active sub:cataclysm")  # no word can be another
each_card = pytest.mark.parametrize("card", CARDS)


def home(card):
    """A content in which the card can come up; what it says may depend on the others."""
    return PLAIN if card in in_play(PLAIN) else EVERY


def full(card, content=None):
    return thing(content or home(card), family_of(EVERY, card), card).full


def described(realm, action):
    return GAME.words.describe(realm.s, realm.content, action, NAMES)


def said(token, content=PLAIN):
    return named(content, phrase(content, token))


# The notation ------------------------------------------------------------------------------------

def test_every_shape_of_the_notation_has_a_phrase():
    assert set(SAID) == {*SHAPES, "spend RESOURCE NUMBER"}


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_of_the_notation_is_left(shape):
    token = " ".join(STAND_INS.get(part, part) for part in shape.split())
    assert not NOTATION.search(said(token))


@pytest.mark.parametrize(("token", "text"), [
    ("hand C3 x2", "gain 2 Levy Infantry to hand"),
    ("transform C4->C17 x2", "2 Public Rituals become Moon God Sacrifices"),
    ("transform C2->C11", "one Conscription becomes Hill Country Conscription"),
    ("choose: gain food 1 | draw 1", "either gain 1 food or draw 1 card"),
    ("choose: draw 2 | recur 1 | gain food 1",
     "one of these: draw 2 cards, take 1 card from the discard to hand, gain 1 food"),
    ("choose: gain food 1 & draw 1 | draw 2", "either gain 1 food and draw 1 card or draw 2 cards"),
    ("choose: lose food 3 | lose trade 1", "lose 3 food"),  # J-R16
    ("may: spend food 1 => gain stability 1", "you may spend 1 food: gain 1 stability"),
    ("menu influence: draw 1 | delay 1",
     "for 1 influence each, any of these once: draw 1 card, delay a timer by 1"),
    ("max stability +m3b_max_stability", "stability maximum +2"),
    ("next_draw -1", "draw 1 fewer for the next turn"),
    ("destroy O2 x2 anywhere", "destroy up to 2 Peasant Unrest anywhere"),
])
def test_tokens_in_words(token, text):
    assert said(token) == text


@pytest.mark.parametrize(("clauses", "text"), [
    (["you have gained 2 food this turn", "you have gained 1 might this turn"],
     "you have gained 2 food and 1 might this turn"),
    (["you have gained 2 food this turn", "you have gained 2 might this turn"],
     "you have gained 2 food and 2 might this turn"),
    (["you control 3 cards", "there is no war objective"],
     "you control 3 cards and there is no war objective"),
    (["you control 3 cards"], "you control 3 cards"),
])
def test_conditions_are_said_together(clauses, text):
    assert together(clauses) == text


def test_trade_goods_are_named_where_a_card_makes_room_for_them():
    rich = GAME.content({"action": {"C3": {"effect": ["max trade +1"]}}})
    assert said("choose: lose food 3 | lose trade 1", rich) == "either lose 3 food or lose 1 trade"


@pytest.mark.parametrize(("pair", "card", "text"), [
    ("volunteers_both=true", "C19", "Play one troop card from hand for 1 less and draw 1 card."),
    ("scout_must=true", "O5", "one must go to the bottom"),
    ("self_gain=return_only", "O36", "runs out: It returns to the discard."),
    ("revolt_scope=everywhere", "C21", "Destroy all your cataracts cards and objectives."),
    ("replace_protects_tier3=true", "C21",
     "replaces any card of the agenda but a third-tier crisis."),
    ("replace_to=any_slot", "C21", "or fills an empty slot."),
    ("transform_short=illegal", "O6", "(you need that many)"),
    ("tier3_price=as_many", "O38", "; one is enough"),
    ("m4_pay=2", "M4", "A step (2 might)"),
    ("tax_clock=1", "C1", "Every play: Gain Peasant Unrest."),
    ("misfortune=action", "C8", "Misfortune: comes for each stability"),
])
def test_a_rule_changes_what_a_card_says(pair, card, text):
    assert text not in full(card)
    assert text in full(card, GAME.variant(None, settings([pair])))


# Every card says all of its entry ----------------------------------------------------------------

def leaves(tree, path=()):
    """Every single value of an entry with the way to it."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from leaves(value, (*path, index))
    else:
        yield path, tree


def other_resource(name):
    return "might" if name == "food" else "food"


def changes(path, value):
    """The same leaf with something else in it: each word of a token by itself."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 7]
    if value in FIXED:
        return ["draw 7"]
    if path[-1] in ("then", "defeat_then") and isinstance(value, str):
        return ["destroy" if value != "destroy" else "return"]
    words = value.split()
    if len(words) == 1 or path[0] == "name" or path[-1] == "name" or path[0] == "aliases":
        return [other_word(value) or f"{value} renamed"]
    return [" ".join([*words[:i], other, *words[i + 1:]]) for i, word in enumerate(words)
            if (other := other_word(word))]


def other_word(word):
    if word in RESOURCES:
        return other_resource(word)
    if "_" in word and word.lstrip("+-") in PLAIN.words["rules"]:
        return f"{word[:1] if word[0] in '+-' else ''}11"
    if re.fullmatch(r"[+-]?x?\d+", word):
        return re.sub(r"\d+", lambda found: str(int(found[0]) + 7), word)
    if word in CARDS:
        return {"C": "C27", "O": "O47", "M": "M3"}[word[0]] \
            if word not in ("C27", "O47", "M3") else f"{word[0]}4"
    if "->" in word:
        return "sub:moon->C7" if word.startswith("sub:") else "C5->C7"
    if word.startswith("sub:"):
        return "sub:moon" if word != "sub:moon" else "sub:sun"
    if re.fullmatch(r"\w+(\|\w+)+", word):
        return "influence|food"
    return {"turn": "phase", "phase": "turn"}.get(word)


def put(tree, path, value):
    tree = copy.copy(tree)
    tree[path[0]] = put(tree[path[0]], path[1:], value) if path[1:] else value
    return tree


def never_happens(content, card, path, value):
    """What the rules never carry out, so that no card may promise it."""
    where, value, entry = path[:2], str(value), card_words(content, card)
    if "trade" in value and not has_trade(content):  # J-R16
        return True
    if path == ("next",) or where == ("track", "victory"):  # J-65: the game is over
        return wins(content, card)
    if where == ("timer", "effect"):  # J-66
        return entry["timer"]["then"] == "lose"
    if where == ("track", "defeat"):  # J-40: the marker is set back last
        return entry["track"]["defeat_then"] == "stay" and value.startswith("front")
    return False


@each_card
def test_the_full_text_names_every_effect_cost_and_condition(card):
    family = family_of(PLAIN, card)
    base = EVERY if family == "action" else home(card)
    entry, before = base.words[family][card], thing(base, family, card)
    for path, value in leaves(entry):
        for other in changes(path, value):
            if never_happens(base, card, path, value):
                continue
            changed = Content(base.record, put(base.words, (family, card, *path), other), {})
            assert thing(changed, family, card) != before, f"{path}: {value!r} is not said"


@each_card
def test_the_full_text_names_the_words_of_the_entry(card):
    """The numbers, resources, cards and subtypes of every token, as they are."""
    text = full(card).lower()
    entry = home(card).words[family_of(PLAIN, card)][card]
    for path, value in leaves(entry):
        assert not (path[-1] in RESOURCES and path[-1] not in text)  # a price
        if isinstance(value, str) and path[-1] not in ("then", "defeat_then") \
                and not never_happens(home(card), card, path, value):
            for word in re.split(r"[\s:|>&-]+", value):
                if word in CARDS:
                    assert card_name(PLAIN, word).lower() in text, word
                elif word in RESOURCES or word in PLAIN.words["index"]["subtypes"]:
                    assert word in text, word


@each_card
def test_no_text_shows_notation_or_says_nothing(card):
    text = thing(home(card), family_of(PLAIN, card), card)
    for length in text:
        assert length.strip() and not NOTATION.search(length) and "nothing" not in length


def test_what_becomes_of_a_card_is_said():
    unrest = full("O2")
    assert "Grant them relief (if you have played no Tax Collection this turn): " \
        "It leaves the game for good." in unrest
    assert "Make an example of them (2 might): Gain 2 food. It returns to the discard." in unrest
    assert "Two in the agenda: Both leave the game and Peasant Uprising enters." in unrest
    assert "Lose 1 stability. Gain another copy of Peasant Unrest. It returns" in unrest
    assert "Its clock at 2: It becomes War Beyond the Cataracts." in full("O11")
    assert "Lost: Lose 6 stability. Its marker starts again at 1." in full("O4")
    assert "Its progress is lost. It returns to the discard." in full("O19")
    assert "After 3 times: It leaves the game for good." in full("O17")
    assert "Surrender (price: destroy 3 random statecraft cards; you must have them): " \
        "It leaves the game for good." in full("O38")
    assert "runs out: You lose the game." in full("O38")
    assert "Every 3 plays: Gain Peasant Unrest." in full("C1")
    assert full("C8").startswith("Costs 2 stability. It leaves the game for good. Retained")


@pytest.mark.parametrize("last", range(1, 5))
def test_jr4_the_last_milestone_says_that_it_wins(last):
    milestones = PLAIN.value("milestones")[:last]
    content = GAME.content({"milestones": milestones})
    for card in milestones:
        assert ("You win the game." in full(card, content)) == (card == milestones[-1])
        assert ("The next milestone follows." in full(card, content)) == (card != milestones[-1])
    assert "Dynasty Triumphant" not in full(milestones[-1], content)
    assert card_name(content, milestones[-1]) in goal(content)


# In every medium ---------------------------------------------------------------------------------

def squeezed(text):
    return "".join(text.split())


def realm_with(card):
    overlay = EVERY_CARD if home(card) is EVERY else {}
    if card[0] == "M":
        return Realm(overlay, milestone=card, phase="resolution")
    return Realm(overlay, slots=card, phase="resolution") if card[0] == "O" \
        else Realm(overlay, hand=card)


@each_card
def test_a_tooltip_is_the_full_text(card):
    content = home(card)
    assert tips(content)[f"card.{card}"] == (card_name(content, card), full(card))


@functools.cache
def tips(content):
    return browser.tips(content)


@each_card
def test_the_terminal_shows_every_line(card):
    realm = realm_with(card)
    console = Console(width=1000, record=True, file=io.StringIO())
    seen = view(realm.s, realm.content, 0)
    if family_of(PLAIN, card) == "action":
        console.print(terminal.hand(seen, realm.content))
    else:
        shown = seen["milestone"] if card[0] == "M" else seen["agenda"][0]
        panel = terminal.agenda_panel(shown, realm.content, "")
        panel.width = 900
        console.print(panel)
    text = squeezed(console.export_text().replace("│", ""))
    for line in lines(home(card), card):
        assert squeezed(str(line)) in text, line


@each_card
def test_the_board_shows_every_line(card):
    realm = realm_with(card)
    html = boards.render(GAME, realm.content, view(realm.s, realm.content, 0), NAMES, {})
    text = squeezed(re.sub(r"<[^>]*>", "", html).replace("&#39;", "'"))
    for line in lines(home(card), card):
        assert squeezed(line.head) in text and squeezed(line.text) in text, line
        assert squeezed(line.terms) in text, line
        for amount, _ in line.cost:
            assert str(amount) in text


@functools.cache
def faces():
    """What is printed on every card."""
    return {piece.id: piece.front.data for deck in pieces.pieces(EVERY) for piece in deck.pieces}


@each_card
def test_the_printed_face_shows_every_line(card):
    data = faces()[card]
    shown = [(line["head"], line["text"], line["terms"], line["cost"]) for line in data["lines"]]
    for line in lines(EVERY, card):
        if line.field == "timer":
            assert data["failure"] == line.text and data["timer"] in line.head
        else:
            assert (line.head, line.text, line.terms, line.cost) in shown


@each_card
def test_the_menu_says_what_follows_from_a_choice(card):
    realm = realm_with(card)
    every = lines(home(card), card)
    if family_of(PLAIN, card) == "action":
        menu = described(realm, Do.PLAY + CARDS.index(card))
        for line in every:
            assert str(line) in menu or line.field == "retained"
        return
    place = MILESTONE if card[0] == "M" else 0
    for line in every:
        if line.field == "options":
            menu = described(realm, Do.OPTION + MOST_CARD_OPTIONS * place + line.index)
            assert line.head in menu and line.price in menu and line.text in menu
        if line.head == "A step":
            menu = described(realm, Do.TRACK + place)
            assert line.price in menu and next(
                it.text for it in every if it.head == "Won") in menu


@pytest.mark.parametrize("war", ["O14", "O15", "O16"])
def test_the_spoils_of_a_war_read_differently(war):
    realm = Realm(slots=f"{war} m5", banks="6/0/0/0", phase="resolution").play("advance:slot-1")
    first, second = (described(realm, Do.CHOICE + i) for i in range(2))
    assert first != second and first.startswith("Gain ") and " at least 5: Gain 2" in first
    assert GAME.words.ask(realm.s, realm.content, NAMES).startswith(card_name(PLAIN, war))
    names = [card_name(PLAIN, card) for card in CARDS]
    assert len(set(names)) == len(names)


def test_names_are_told_apart_by_whatever_differs():
    content = GAME.content({"action": {
        "C7": {"name": "Guard"}, "C27": {"name": "Guard"}, "C3": {"name": "Twin"},
        "C90": {"name": "Twin", "subtypes": ["troop"], "effect": ["gain might 1"]},
        "C91": {"name": "Twin", "subtypes": ["troop"], "effect": ["gain might 1"]}}})
    assert card_name(content, "C7") == "Guard (Gain 2 might. Gain 1 stability.)"
    names = [card_name(content, card) for card in ("C7", "C27", "C3", "C90", "C91")]
    assert len(set(names)) == 5


@pytest.mark.parametrize(("wanted", "found"), [
    ("The Upper Cataracts", ["M1"]), ("diplomatic overtures", ["C5"]), ("Overtures", ["C5"]),
    ("Cataracts Vassal", ["C21", "C22"]), ("Tax Collection", ["C1"]), ("O45", ["O45"])])
def test_cards_are_found_by_any_of_their_names(wanted, found):
    assert [one.key for one in things_named(GAME, PLAIN, wanted)] == found


def test_the_rulebook_calls_cards_by_their_names():
    text = re.sub(r"\]\([^)]*\)|`[^`]*`", "", (GAME.folder / "rulebook.md").read_text())
    assert re.findall(r"\b[COMX]\d+\b", text) == []


# At the table ------------------------------------------------------------------------------------

ENUMS = {member.name for enum in (Ask, Do, Ending, Event, Fault, Phase, Refusal, Step)
         for member in enum if "_" in member.name}
SEAT = re.compile(r"\b(seat|player) \d", re.IGNORECASE)
PLAIN_KEYS = re.compile("|".join(rf"\b{key}\b" for key in PLAIN.words["rules"] if "_" in key))


def readable(text):
    return not (NOTATION.search(text) or SEAT.search(text) or PLAIN_KEYS.search(text)
                or any(name in text for name in ENUMS))


@pytest.mark.parametrize("overlay", [
    {}, {"menu_mode": "announce", "start_bank": 6, "start_max": 12, "misfortune": "action"},
    {"start_bank": 12, "start_max": 12, "draw": 12, "slots": 5, "resignation": True}], ids=str)
def test_choices_offered_together_read_differently_and_as_sentences(overlay):
    content = GAME.content(overlay)
    for seed in range(4):
        for position in walk(GAME, content, 1, seed, Mode.COMPILED, 700):
            if position.is_over:
                continue
            menu = [line for _, line in position.menu()]
            assert len(set(menu)) == len(menu), menu
            assert readable(position.question), position.question
            for line in menu:
                assert readable(line) and "nothing" not in line.replace("for nothing:", "") \
                    .replace("nothing more", ""), line
        for line in position.told(0, NAMES):
            assert readable(line), line


def test_every_refusal_is_a_sentence():
    for why in Refusal:
        if why != Refusal.NONE:
            text = GAME.words.refuse(why, PLAIN, NAMES)
            assert readable(text.partition(" (J-")[0]) and text.endswith(").")


def test_a_gained_card_goes_to_its_discard_in_the_log_too():
    realm = Realm(slots="O5", phase="resolution").play("resolve:slot-1-a")
    realm.play("choose:1")
    told = [GAME.words.tell(entry, realm.content, NAMES) for entry in entries(realm.log)]
    assert "Border Fort goes to the action discard." in told
    assert "In Twilight returns to the objective discard." in told


def test_table_and_terminal_say_what_the_game_is_about():
    assert goal(PLAIN) == (
        "Resolve 4 milestones one by one; the last, The Siege of Esh-Edu, wins the game. "
        "A third-tier crisis whose timer runs out loses it, and so do 60 crisis cards.")
    alone = GAME.content({"milestones": ["M1"], "collapse_limit": 0})
    assert goal(alone) == ("Resolve The Long Exile to win the game. A third-tier crisis whose "
                           "timer runs out loses it.")
    realm = Realm()
    seen = view(realm.s, realm.content, 0)
    console = Console(width=300, record=True, file=io.StringIO())
    console.print(terminal.screen(seen, realm.content, NAMES))
    assert goal(PLAIN) in console.export_text()
    assert standing.goal_of(GAME, "{}") == goal(PLAIN)
    campaign = GAME.variant("campaign")
    assert learn.goal(GAME, campaign) == goal(campaign) != goal(PLAIN)


# On paper ----------------------------------------------------------------------------------------

def deck_of(name, content=PLAIN):
    return next(deck for deck in pieces.pieces(content) if deck.id == name)


@pytest.mark.parametrize("slots", [1, 3, 7])
def test_the_mat_has_a_place_for_every_slot_and_pile(slots):
    mats = deck_of("mat", GAME.content({"slots": slots})).pieces
    places = [place["title"] for mat in mats for place in mat.front.data["places"]]
    assert places == [*(f"Slot {n + 1}" for n in range(slots)), "Milestone", "Action deck",
                      "Action discard", "Objective deck", "Objective discard"]
    assert len(mats) == (1 if slots <= 3 else 2)


def test_the_aid_has_the_phases_and_this_contents_numbers():
    aid, _ = deck_of("aids", GAME.variant("brutal")).pieces
    text = str(aid.front.data)
    for words_of_it in ("Start of turn", "Action Phase", "Resolution Phase", "Advance Clocks",
                        "Reset Phase", "draw 4 cards", "turn 40", goal(PLAIN)):
        assert words_of_it in text


# What a designer may leave out -------------------------------------------------------------------

def branches(tree, path=()):
    """The way to every key of an entry."""
    items = tree.items() if isinstance(tree, dict) else \
        enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from branches(value, (*path, key))


def without(tree, path):
    tree = copy.copy(tree)
    if path[1:]:
        tree[path[0]] = without(tree[path[0]], path[1:])
    else:
        del tree[path[0]]
    return tree


def one_of_each_shape():
    """A card for every set of fields that there is."""
    shapes = {}
    for card in CARDS:
        entry = GAME.text[family_of(PLAIN, card)][card]
        shapes.setdefault(frozenset(path for path in branches(entry)
                                    if not isinstance(path[-1], int)), card)
    return list(shapes.values())


@pytest.mark.parametrize("card", one_of_each_shape())
def test_whatever_the_rules_do_without_the_texts_do_without(card):
    family = family_of(PLAIN, card)
    for path in branches(GAME.text[family][card]):
        text = without(GAME.text, (family, card, *path))
        try:
            content = CONTENT.read(text, "content.toml")
        except ContentError:
            continue
        for length in thing(content, family, card):
            assert not NOTATION.search(length), path
