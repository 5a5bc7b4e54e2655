"""What The Jagged Time prints: three families of cards, a mat, an aid, trackers, named clocks.

Supplies are unlimited (J-R6); what is printed is as much as most games need, by the rule below.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from exchequer.core.content import Content
from exchequer.core.pieces import Deck, Face, Piece, Shape
from exchequer.core.words import counted
from exchequer.games.jagged_time.acts import (
    acts,
    has_later_acts,
    later_points_said,
    turns_of,
    turns_said,
)
from exchequer.games.jagged_time.phrases import has_trade, in_play, joined, number
from exchequer.games.jagged_time.programs import act_of
from exchequer.games.jagged_time.tables import MOST_SLOTS, N_START, TOP_MAXIMUM, Act, Resource
from exchequer.games.jagged_time.texts import (
    act_name,
    card_name,
    costs,
    family_of,
    goal,
    line,
    lines,
    named_clocks,
    printed,
    progress,
    ways_on,
)

CARD: tuple[int, int, Shape] = (63, 88, "card")
BY_TIER = {1: 5, 2: 2, 3: 1}  # copies of a crisis: the first tier multiplies
EXPENDABLE, ACTION, OBJECTIVE = 4, 2, 1  # copies of other cards that only come into the game
NEEDED = ["a six-sided die for the timer of each slot and of the milestone: four in the first act",
          "small cubes for banks, maxima, clocks and the tracks on the cards"]
PICTURES = {"J-1": ["C1", "M1"], "J-5": ["O14", "O18"], "J-8": ["O36", "O37"],
            "J-28": ["C9", "C13"]}
EXAMPLE = {"seats": 1, "seed": 5, "moves": [
    "play:c2", "play:c3", "play:c3", "play:c1", "stop", "resolve:slot-2-a", "play:c4"]}

Words = Mapping[str, Any]


def pieces(content: Content) -> list[Deck]:
    words = content.words
    return [
        Deck("actions", "Action cards", *CARD,
             [action(content, key, card) for key, card in there(content, "action")]),
        Deck("objectives", "Objectives", *CARD,
             [objective(content, key, card) for key, card in there(content, "objective")]),
        Deck("milestones", "Milestones", *CARD,
             [milestone(content, key) for key in words["rules"]["milestones"]]),
        Deck("mat", "Mat", 264, 196, "board", mats(content)),
        Deck("aids", "Player aids", 95, 130, "card", [Piece(
            "aid", "Player aid", 1, aid("A turn", turn(content)),
            aid("Words", keywords(content))), Piece(
            "aid_score", "Player aid: points", 1, aid("Points", points(content)),
            first_steps(content))]),
        Deck("trackers", "Trackers", 190, 40, "square", trackers(content)),
        Deck("clocks", "Clocks", 58, 58, "round", clocks(content)),
    ]


# Cards -------------------------------------------------------------------------------------------

def there(content: Content, family: str) -> list[tuple[str, Words]]:
    """The cards of a family that can come up in this content."""
    return [(key, words) for key, words in content.words[family].items()
            if key in in_play(content)]


def action(content: Content, key: str, words: Words) -> Piece:
    return card(content, key, words, action_copies(content, words))


def action_copies(content: Content, words: Words) -> int:
    """The burden of food belongs only to misfortune = "action" (J-R31)."""
    if words.get("misfortune") == "food" and content.value("misfortune") != "action":
        return 0
    supply = EXPENDABLE if "expendable" in words.get("subtypes", []) else ACTION
    return words.get("start") or supply


def objective(content: Content, key: str, words: Words) -> Piece:
    return card(content, key, words,
                words.get("start") or BY_TIER.get(words.get("crisis", 0), OBJECTIVE))


def milestone(content: Content, key: str) -> Piece:
    return card(content, key, content.words["milestone"][key], 1)


def card(content: Content, key: str, words: Words, copies: int) -> Piece:
    """A card's lines; what its timer does stands at its foot, the track is drawn."""
    family = family_of(content, key)
    timer, track = words.get("timer"), words.get("track")
    every = lines(content, key)
    shown = {
        "name": words["name"], "card": key, "start": bool(words.get("start")), "family": family,
        "subtypes": words.get("subtypes", []), "tier": words.get("crisis", 0),
        "icons": resources(content), "act": act_name(content, key),
        "cost": costs(content, key), "text": printed(content, key),
        "lines": [asdict(line) for line in every if line.field != "timer"],
        "timer": str(number(content, timer["size"])) if timer else "",
        "failure": joined(*(line.text for line in every if line.field == "timer")),
        "track": {name: number(content, track[name]) for name in ("size", "start")}
        if track else None}
    return Piece(key, words["name"], copies, Face("card", shown), Face("back", {"family": family}))


# Mat and aid -------------------------------------------------------------------------------------

PHASES = [
    ("Start of turn", "cards with a gift give it"),
    ("Action Phase", "play cards; Retained; discard"),
    ("Resolution Phase", "pay for options and steps"),
    ("Advance Clocks", "timers lose 1, then markers fall"),
    ("Reset Phase", "next milestone, refill, draw"),
]
PLACES_ON_MAT = 8  # two rows of four cards


def mats(content: Content) -> list[Piece]:
    """A place for every card on the table and every pile; a wide agenda takes a second mat."""
    slots = [(f"Slot {n + 1}", "objective", "Filled from the left.")
             for n in range(most_slots(content))]
    places = [
        *slots, ("Milestone", "milestone", "The next one comes when this is resolved."
                 if not has_branches(content) else "The card names the one that follows."),
        ("Action deck", "deck", "When it is empty the discard is shuffled."),
        ("Action discard", "discard", "Played, unplayed and gained action cards."),
        ("Objective deck", "deck", "When it is empty the discard is shuffled."),
        ("Objective discard", "discard", "Returned and gained objectives; Misfortunes."),
    ]
    pages = [places[i:i + PLACES_ON_MAT] for i in range(0, len(places), PLACES_ON_MAT)]
    if has_branches(content) and len(pages[-1]) > PLACES_ON_MAT // 2:
        pages.append([])
    return [Piece(f"mat_{number}", "Mat", 1, Face("mat", {
        "title": content.words["title"], "phases": PHASES,
        "way": way(content) if number == len(pages) and has_branches(content) else [],
        "places": [{"title": name, "icon": icon, "text": text} for name, icon, text in page]}))
        for number, page in enumerate(pages, 1)]


def has_branches(content: Content) -> bool:
    return any(len(ways_on(content, key)) > 1 for key in content.value("milestones"))


def way(content: Content) -> list[tuple[str, str]]:
    """JL-2 Which milestones can follow each of them; the last one wins."""
    return [(f"{card_name(content, key)}:",
             " or ".join(card_name(content, other) for other in ways_on(content, key))
             or "the last one.") for key in content.value("milestones")]


def most_slots(content: Content) -> int:
    """JL-4 The slots of the last act."""
    added = {words.get("act", 1): number(content, token.split("+")[1])
             for key, words in content.words["milestone"].items()
             if key in content.value("milestones")
             for token in words.get("on_reveal", []) if token.startswith("agenda +")}
    return min(content.value("slots") + sum(added.values()), MOST_SLOTS)


def resources(content: Content) -> list[str]:
    """JL-3 The four, and trade goods where they come into play."""
    names = [resource.name.lower() for resource in Resource]
    return names if has_trade(content) else names[:N_START]


def aid(title: str, said: Sequence[tuple[str, str]]) -> Face:
    return Face("aid", {"title": title, "lines": [list(line) for line in said]})


def turn(content: Content) -> list[tuple[str, str]]:
    """The phases with this content's numbers."""
    value = content.value
    hand = "is discarded" if value("unplayed_hand") == "discard" else "is kept"
    return [
        ("Goal:", goal(content)),
        ("Start of turn:", "from left to right, cards with a gift count one up and give it."),
        ("Action Phase:", "play cards one by one for one of their costs; a mandatory card that you "
         "can pay for must be played. At the end Retained effects happen, then the hand "
         f"{hand}."),
        ("Resolution Phase:", "pay for options of the agenda and the milestone and for steps on "
         "tracks, as many as you like. What one gives can pay for the next."),
        ("Advance Clocks:", "from left to right every timer loses 1; at 0 the card fails. Then "
         "every marker falls; at 0 the card is lost."),
        ("Reset Phase:", "the next milestone replaces a resolved one; fill the slots from the "
         f"left; draw {value('draw')} cards, or as many as the tracker says."),
        ("The end:", f"{turns_said(content)}. Crisis cards count in agenda, objective deck and "
         "objective discard."),
    ]


LATER_KEYWORDS = [
    ("Specialise:", "a card becomes its + version where it lies, and counts as the plain card."),
    ("Active cataclysms:", "those that have been rolled, each as likely as the others."),
    ("Inevitable:", "its timer cannot be delayed."),
]


def keywords(content: Content) -> list[tuple[str, str]]:
    burden = content.value("misfortune") == "action"
    return [
        ("Gain a card:", "a new copy goes to the discard of its kind, not into the deck."),
        ("Lose:", "every unit that you do not have is a Misfortune: "
         + ("the burden of that resource goes to the action discard." if burden else
            "the first-tier crisis of that resource goes to the objective discard.")),
        ("It returns:", "to the objective discard; it will come again."),
        ("It leaves the game:", "for good."),
        ("Two in the agenda:", "a crisis that enters beside its twin takes it along, and the next "
         "one enters the left of the two slots."),
        ("Expendable:", "leaves the game when it is played."),
        ("Mandatory:", "must be played if you can pay for it."),
        ("Province:", "compares two banks with its threshold, after the payment."),
        ("Delay:", "a timer gets something back, up to its printed size."
         if content.value("delay_cap") == "printed" else "a timer gets something back, up to 6."),
        ("Every n plays:", "a clock with the card's name counts; full, it is empty again."),
        ("Control:", "all action cards in deck, hand and discard are yours."),
        *(LATER_KEYWORDS if has_later_acts(content) else []),
        ("\u25c6", "in the decks at the start."),
    ]


def points(content: Content) -> list[tuple[str, str]]:
    """J-69 JL-50 What a run is worth."""
    value = content.value
    agenda, piles = (" / ".join(map(str, value(f"score_crisis_{where}")))
                     for where in ("agenda", "piles"))
    return [
        *way_points(content),
        ("Lost:", f"{value('score_loss')} less."),
        ("Provinces:", f"{value('score_province')} for each of up to {value('score_provinces')}."),
        ("Crisis cards:", f"-{agenda} by tier in the agenda, -{piles} in objective deck or "
         f"discard, at most -{value('score_crisis_most')}."),
    ]


def way_points(content: Content) -> list[tuple[str, str]]:
    """J-69 JL-50 What is given for winning, and for how far one has come in the first act."""
    value, first, later = content.value, acts(content)[0], later_points_said(content)
    won = ("From the second act on:", f"{later}.") if later else \
        ("A win:", f"{value('score_win')}, and {value('score_early')} for each turn left of "
         f"{turns_of(content, first)}.")
    unresolved = [(f"{card_name(content, key)}, unresolved:", worth)
                  for key in value("milestones") if (worth := progress(content, key))
                  and act_of(content.words["milestone"][key]) == first]
    return [won, (f"Not won{' in the first act' if later else ''}:", f"{value('score_milestone')} "
                  "for each resolved milestone and 1 for each turn."), *unresolved]


def first_steps(content: Content) -> Face:
    """J-20 JL-54 An agenda to learn with; where a later act is played alone, its start."""
    if acts(content)[0] == Act.FIRST:
        return aid("A first game", first_game(content))
    return aid("The start", start(content))


def start(content: Content) -> list[tuple[str, str]]:
    """JL-54 The realm with which a later act begins."""
    value = content.value
    maxima = ", ".join(f"{name} {start_maximum(content, name)}" for name in resources(content))
    return [
        ("Decks:", "all cards with \u25c6, each as often as it is printed."),
        ("Banks:", f"{value('start_bank')} of everything but trade goods."),
        ("Maxima:", f"{maxima}."),
        ("Hand:", f"{counted(value('draw'), 'card')}."),
        ("Agenda:", f"{counted(most_slots(content), 'slot')}, filled when the first milestone has "
         "been revealed."),
    ]


def first_game(content: Content) -> list[tuple[str, str]]:
    """J-20 An agenda to learn with."""
    slots = sorted((number(content, words["tutorial"]), key)
                   for key, words in content.words["objective"].items() if words.get("tutorial"))
    return [("Lay out", "these objectives instead of the first of the deck, then shuffle the "
             "others:"),
            *((f"Slot {slot}:", f"{card_name(content, key)}. {line(content, key)}")
              for slot, key in slots)]


# Trackers and clocks -----------------------------------------------------------------------------

def trackers(content: Content) -> list[Piece]:
    """A bank and its maximum for each resource, and what is drawn."""
    value, marks = content.value, list(range(TOP_MAXIMUM + 1))
    banks = [tracker(name, name.capitalize(), [
        ["bank", marks, value("start_bank") if name != "trade" else 0],
        ["maximum", marks, start_maximum(content, name)]])
        for name in resources(content)]
    return [*banks, tracker("draw", "Cards drawn", [
        ["limit", marks, value("draw")], ["next", list(range(-4, 9)), 0]])]


def start_maximum(content: Content, name: str) -> int:
    """J-10 JL-3 JL-54 What a bank can hold at the start, or from the second act on."""
    extra = content.value("extra_max")[Resource[name.upper()]]
    if name == "trade" and "M5" in content.value("milestones"):
        extra += content.value("trade_max")
    return min(extra + (content.value("start_max") if name != "trade" else 0), TOP_MAXIMUM)


def tracker(icon: str, title: str, rows: list[list[Any]]) -> Piece:
    return Piece(f"tracker_{icon}", f"Tracker: {title}", 1,
                 Face("tracker", {"icon": icon, "title": title, "rows": rows}))


def clocks(content: Content) -> list[Piece]:
    """J-6 Clocks that belong to a name and outlive every copy."""
    return [Piece(f"clock_{key.lower()}", f"Clock: {name}", 1,
                  Face("clock", {"name": name, "size": size}))
            for name, (key, size) in named_clocks(content).items()]
