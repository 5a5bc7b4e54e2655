"""Words: templates and their mistakes, what a game says without any, three lengths of a thing."""

import types
from enum import IntEnum

import numpy as np
import pytest

from exchequer.core.content import ContentError
from exchequer.core.log import HIDDEN, Entry
from exchequer.core.sentences import UNKNOWN, Said, Sentences, listed
from exchequer.core.words import ActionTexts, Text, Words, action_texts, reflected_thing
from toys.bazaar import GAME
from toys.bazaar import state as enums
from toys.bazaar.state import Ask, Do, Event, Good, Refusal
from toys.faulty import Faulty

NAMES = ["Uma", "Vic", "Wen", "Xi"]
CONTENT = GAME.content()


def entry(what, thing=0, amount=0, seat=0, other=-1):
    made = np.zeros(1, Entry)[0]
    made.what, made.thing, made.amount, made.seat, made.other = what, thing, amount, seat, other
    return made


def tell(*fields, **more):
    return GAME.words.tell(entry(*fields, **more), CONTENT, NAMES)


def written(tmp_path, text, given=()):
    """The sentences of a words.toml for Bazaar."""
    path = tmp_path / "words.toml"
    path.write_text(text)
    return Sentences(path, enums, GAME.words.sentences.vocabulary, given)


def refused(tmp_path, text, given=()):
    with pytest.raises(ContentError) as caught:
        written(tmp_path, text, given)
    return str(caught.value)


# Templates ---------------------------------------------------------------------------------------

def test_an_event_names_people_things_and_numbers():
    assert tell(Event.SOLD, Good.WINE, 4, seat=1) == "Vic sells Wine for 4 gold."


def test_what_the_reader_may_not_know_has_a_sentence_of_its_own():
    assert tell(Event.DREW, Good.SALT, 1) == "Uma draws Salt."
    assert tell(Event.DREW, UNKNOWN, HIDDEN) == "Uma draws a card."


def test_a_question_reads_the_asked_seats_state_and_the_rules():
    position = GAME.start(seats=3, variant={"tribute": 2})
    position.names = NAMES
    assert position.question == "Your turn, Uma: you have 3 gold."
    position.state.agenda[0].what = Ask.TRIBUTE
    assert position.question == "Tribute! Pay 2 gold or discard a card."
    assert dict(position.menu())[Do.DISCARD + 1] == "Discard card 2"


def test_a_refusal_and_an_ending():
    assert GAME.words.refuse(Refusal.NO_GOLD, CONTENT, NAMES) == "You cannot pay 1 gold (B-3)."
    assert GAME.words.ending(1, 0b101, CONTENT, NAMES) == \
        "Uma and Wen win, the bazaar is sold out."


@pytest.mark.parametrize(("n", "said"), [
    (1, "1 Ally"), (3, "3 Allies"), (HIDDEN, "Some Allies"), (0, "none"), (-2, "2 lost")])
def test_a_number_is_counted_and_its_sign_chooses_the_sentence(tmp_path, n, said):
    sentences = written(tmp_path, '[event]\npaid = { text = "{n:Ally/Allies}", zero = "none", '
                                  'less = "{n} lost" }', ["tell"])
    assert sentences.said("event", "PAID", said_about(n)) == said


def said_about(n):
    return Said(CONTENT, NAMES, 0, 1, 0, n)


def test_things_are_capitals_at_the_beginning_and_people_are_left_alone(tmp_path):
    sentences = written(tmp_path, '[event]\nsold = "{good[n]} for {other}."\n'
                                  'paid = "{who} pays."', ["tell"])
    assert sentences.said("event", "sold", said_about(3)) == "Silk for Vic."
    assert sentences.said("event", "sold", said_about(9)) == "A good for Vic."
    assert sentences.said("event", "paid", Said(CONTENT, ["bo"], 0)) == "bo pays."


def test_an_ending_inside_an_event(tmp_path):
    sentences = written(tmp_path, '[ending]\nsold_out = "{winners}!"\n'
                                  '[event]\npaid = "{ending}"', ["tell"])
    assert sentences.said("event", "paid", Said(CONTENT, NAMES, 0, 0, 1, 2)) == "Vic wins!"


def test_lists_of_people():
    assert [listed(NAMES[:count]) for count in range(4)] == \
        ["", "Uma", "Uma and Vic", "Uma, Vic and Wen"]


# Mistakes ----------------------------------------------------------------------------------------

@pytest.mark.parametrize(("text", "says"), [
    ('[evnt]\nsold = "x"', 'evnt: is no section of this game; did you mean "event"?'),
    ('[event]\nsolt = "x"', 'event.solt: is no event of this game; did you mean "sold"?'),
    ('[event]\nsold = "{goood}"',
     "event.sold: {goood} is no placeholder here; did you mean {good}?"),
    ('[event]\nsold = "{gold}"', "event.sold: {gold} is no placeholder here; did you mean {good}?"),
    ('[event]\nsold = "{who.__class__}"',
     "event.sold: has a brace that is no placeholder; one is written {who}, {n:card} or "
     "{building[n]}."),
    ('[event]\nsold = "{good[s]}"', "event.sold: {good[s]} must count by [thing] or [n]."),
    ('[event]\nsold = { txt = "x" }', 'event.sold.txt: is no case of this game; did you mean '
                                      '"text"?'),
    ('[event]\nsold = { zero = "x" }', "event.sold: needs a `text`."),
    ('[event]\nsold = 3', "event.sold: 3 is not a sentence in quotes."),
    ('event = 3', "event: must be a table, not 3."),
    ('[tip]\ngold = { title = "Gold" }', "tip.gold: must have a `title` and a `text`."),
    ('[tip]\ngold = { title = "Gold", text = "{who}" }',
     "tip.gold: {who} is no placeholder here; known are good, hand, start_gold, tribute."),
])
def test_a_mistake_is_a_sentence_with_file_section_and_key(tmp_path, text, says):
    line = text.count("\n") + 1 if "evnt" not in text else 1  # of the key that is wrong
    assert refused(tmp_path, text, ["tell"]) == f"{tmp_path / 'words.toml'}:{line}: {says}"


def test_a_section_is_complete_unless_the_game_has_a_function(tmp_path):
    text = '[refusal]\nover = "Over."'
    assert refused(tmp_path, text).endswith("refusal.no_card: is missing; write its sentence.")
    assert written(tmp_path, text, ["refuse"]).cases["refusal"].keys() == {"over"}


# Without words -----------------------------------------------------------------------------------

def wordless(tmp_path, **functions):
    """Bazaar without a words.toml."""
    game = Faulty(fault_words=functions, folder=tmp_path)
    return Words(game)


def test_names_in_the_code_speak_for_themselves(tmp_path):
    words, position = wordless(tmp_path), GAME.start()
    assert words.ask(position.state, CONTENT, NAMES) == "Turn?"
    assert words.describe(position.state, CONTENT, Do.SELL + 2, NAMES) == "Sell: 3"
    assert words.describe(position.state, CONTENT, Do.DRAW, NAMES) == "Draw"
    assert words.tell(entry(Event.SOLD, 0, 5), CONTENT, NAMES) == "Uma: sold (5)."
    assert words.refuse(Refusal.NO_GOLD, CONTENT, NAMES) == "No gold."
    assert words.ending(1, 2, CONTENT, NAMES) == "Vic wins (sold out)."


def test_a_function_of_the_game_goes_first_and_may_leave_it_to_us(tmp_path):
    words = wordless(tmp_path, refuse=lambda why, content, names:
                     f"No, {names[0]}." if why == Refusal.OVER else None)
    assert words.refuse(Refusal.OVER, CONTENT, NAMES) == "No, Uma."
    assert words.refuse(Refusal.NO_CARD, CONTENT, NAMES) == "No card."


class Deed(IntEnum):
    WAIT = 0
    PLAY_GOOD = 1
    ROB = 5
    BID = 7


def deeds(**more):
    return types.SimpleNamespace(Do=Deed, N_ACTIONS=9, **more)


def test_texts_follow_from_the_kinds_of_action():
    texts = action_texts(deeds(CHOICES={Deed.PLAY_GOOD: "good", Deed.ROB: "seat",
                                        Deed.BID: ["low", "high"]}), GAME.schema).texts
    assert texts == ["wait", "play-good:grain", "play-good:salt", "play-good:wine",
                     "play-good:silk", "rob:1", "rob:2", "bid:low", "bid:high"]
    assert action_texts(deeds(), GAME.schema).texts[1:3] == ["play-good:1", "play-good:2"]


def test_choices_are_said_by_their_names(tmp_path, monkeypatch):
    words = wordless(tmp_path)
    words.enums = deeds(CHOICES={Deed.PLAY_GOOD: "good", Deed.ROB: "seat"})
    assert isinstance(words.TEXTS, ActionTexts)
    said = [words.describe(GAME.start().state, CONTENT, action, NAMES) for action in (0, 3, 6, 8)]
    assert said == ["Wait", "Play good: Wine", "Rob: Vic", "Bid: 2"]


# Things ------------------------------------------------------------------------------------------

def test_a_thing_has_three_lengths():
    content = types.SimpleNamespace(words={"tool": {"axe": {
        "name": "Axe", "price": 3, "sharp": True, "blunt": False, "uses": ["wood", "war"],
        "text": "Fells a tree. Then rest."}}})
    assert reflected_thing(content, "tool", "axe") == Text(
        "Axe", "Fells a tree.", "Fells a tree. Then rest. Price: 3. Sharp. Uses: wood, war.")


def test_tips_are_those_of_the_file_and_every_named_thing():
    assert GAME.words.tips(GAME.content({"start_gold": 9})) == {
        "gold": ("Gold", "The most wins; you begin with 9 (B-1, B-5)."),
        "good.grain": ("Grain", "Price: 2."), "good.salt": ("Salt", "Price: 3."),
        "good.wine": ("Wine", "Price: 4."), "good.silk": ("Silk", "Price: 5.")}
