"""What The Jagged Time prints: three families of cards, trackers for the banks, named clocks.

Supplies are unlimited (J-R6); what is printed is as much as most games need, by the rule below.
"""

from typing import Any

from exchequer.core.content import Content
from exchequer.core.pieces import Deck, Face, Piece, Shape
from exchequer.games.jagged_time.sentences import (
    Words,
    capital,
    joined,
    number,
    said,
    sentence,
    units,
)
from exchequer.games.jagged_time.tables import N_START, TOP_MAXIMUM, Resource

RESOURCES = [resource.name.lower() for resource in Resource]
INLINE = RESOURCES[:N_START]
CARD: tuple[int, int, Shape] = (63, 88, "card")
BY_TIER = {1: 5, 2: 2, 3: 1}  # copies of a crisis: the first tier multiplies
EXPENDABLE, ACTION, OBJECTIVE = 4, 2, 1  # copies of other cards that only come into the game
NEEDED = ["four six-sided dice for the timers of agenda and milestone",
          "small cubes for banks, maxima, clocks and the tracks on the cards"]
THEN = {"return": "Return it.", "destroy": "Destroy it.", "next": "Next milestone.",
        "reset": "The timer starts again.", "stay": "", "become": "", "lose": ""}
DEFEAT_THEN = THEN | {"reset": "The marker starts again."}
PICTURES = {"J-1": ["C1", "M1"], "J-5": ["O14", "O18"], "J-8": ["O36", "O37"],
            "J-28": ["C9", "C13"]}
EXAMPLE = {"seats": 1, "seed": 5, "moves": [
    "play:c2", "play:c3", "play:c3", "play:c1", "stop", "resolve:slot-2-a", "play:c4"]}

Line = dict[str, Any]  # head, text, icon, and what it costs


def pieces(content: Content) -> list[Deck]:
    words = content.words
    return [
        Deck("actions", "Action cards", *CARD,
             [action(content, key, card) for key, card in words["action"].items()]),
        Deck("objectives", "Objectives", *CARD,
             [objective(content, key, card) for key, card in words["objective"].items()]),
        Deck("milestones", "Milestones", *CARD,
             [milestone(content, key) for key in words["rules"]["milestones"]]),
        Deck("trackers", "Trackers", 190, 40, "square", trackers(content)),
        Deck("clocks", "Clocks", 58, 58, "round", clocks(content)),
    ]


def card(key: str, words: Words, copies: int, family: str, face: Words) -> Piece:
    shown = {"name": words["name"], "card": key, "start": bool(words.get("start")),
             "subtypes": words.get("subtypes", []), "icons": INLINE, "cost": [], "timer": "",
             "track": None, "tier": words.get("crisis", 0), "family": family, **face}
    return Piece(key, words["name"], copies, Face("card", shown), Face("back", {"family": family}))


def line(head: str, text: str, icon: str = "", cost: Any = None, boxes: int = 0) -> Line:
    """`boxes` are places for cubes that count steps."""
    return {"head": head, "text": text, "icon": icon, "cost": cost or [], "boxes": boxes}


# Actions -----------------------------------------------------------------------------------------

def action(content: Content, key: str, words: Words) -> Piece:
    cost = [units(content, one) for one in words.get("cost", [])]
    return card(key, words, action_copies(content, words), "action",
                {"cost": cost, "lines": action_lines(content, words)})


def action_copies(content: Content, words: Words) -> int:
    """The burden of food belongs only to misfortune = "action" (J-R31)."""
    if words.get("misfortune") == "food" and content.value("misfortune") != "action":
        return 0
    supply = EXPENDABLE if "expendable" in words.get("subtypes", []) else ACTION
    return words.get("start") or supply


def action_lines(content: Content, words: Words) -> list[Line]:
    lines = []
    if effect := words.get("effect"):
        lines.append(line("", sentence(content, effect)))
    if province := words.get("province"):
        test = f"{capital(' + '.join(province['sum']))} at least {province['at_least']}:"
        lines.append(line(test, sentence(content, province["then"]), "victory"))
        lines.append(line("Otherwise:", sentence(content, province["else"]), "defeat"))
    if clock := words.get("clock"):
        size = number(content, clock["size"])
        lines.append(line(f"Every {size} plays:", sentence(content, clock["full"]), "clock"))
    if retained := words.get("retained"):
        lines.append(line("Retained:", sentence(content, retained), "retained"))
    return lines


# Objectives and milestones -----------------------------------------------------------------------

def objective(content: Content, key: str, words: Words) -> Piece:
    copies = words.get("start") or BY_TIER.get(words.get("crisis", 0), OBJECTIVE)
    return card(key, words, copies, "objective", agenda_face(content, words))


def milestone(content: Content, key: str) -> Piece:
    words = content.words["milestone"][key]
    return card(key, words, 1, "milestone", agenda_face(content, words))


def agenda_face(content: Content, words: Words) -> Words:
    timer, track = words.get("timer"), words.get("track")
    return {"lines": agenda_lines(content, words),
            "track": {key: number(content, track[key]) for key in ("size", "start")}
            if track else None,
            "timer": str(number(content, timer["size"])) if timer else "",
            "failure": joined(sentence(content, timer["effect"]), THEN[timer["then"]])
            if timer else ""}


def agenda_lines(content: Content, words: Words) -> list[Line]:
    lines = [option_line(content, option) for option in words.get("options", [])]
    if track := words.get("track"):
        lines.append(line("A step", f"Each turn the marker falls by {track['decay']}.", "",
                          units(content, track["pay"])))
        lines.append(line("Won:", sentence(content, track["victory"]), "victory"))
        lines.append(line("Lost:", joined(sentence(content, track["defeat"]),
                                          DEFEAT_THEN[track["defeat_then"]]), "defeat"))
    if upkeep := words.get("upkeep"):
        lines.append(line("Each turn:", sentence(content, upkeep["effect"]), "upkeep"))
        lines.append(line(f"After {upkeep['clock']} turns:", sentence(content, upkeep["full"]),
                          "clock", boxes=upkeep["clock"]))
    if clock := words.get("clock"):
        lines.append(line(f"Clock at {number(content, clock['size'])}:",
                          sentence(content, clock["full"]), "clock"))
    if escalation := words.get("escalation"):
        become = sentence(content, escalation).replace("Becomes", "become")
        lines.append(line("Two copies", become, "crisis"))
    return lines


def option_line(content: Content, option: Words) -> Line:
    """An option: its name, its price in icons where it is one of resources, what it brings."""
    gives = sentence(content, option.get("effect") or option.get("full") or [])
    then = THEN[option["then"]]
    if spend := option.get("spend"):
        return line(option["name"], joined(gives, then), "", units(content, spend))
    if advance := option.get("advance"):
        steps = number(content, option["clock"])
        return line(option["name"], f"One step. After {steps} steps: {gives[:1].lower()}"
                    f"{gives[1:]}", "", units(content, advance), steps)
    if per := option.get("spend_per"):
        name, cards = next(key for key in per if key in RESOURCES), per["per_controlled_cards"]
        return line(option["name"], joined(f"This price for every {cards} cards controlled.", gives,
                                           then),
                    "", [[per[name], name]])
    if need := option.get("need"):
        terms = " and ".join(said(content, token) for token in need)
        return line(option["name"], joined(f"Needs {terms}.", gives, then))
    return line(option["name"], joined(sentence(content, option["pay_effect"]), gives, then))


# Trackers and clocks -----------------------------------------------------------------------------

def trackers(content: Content) -> list[Piece]:
    """A bank and its maximum for each resource, and what is drawn."""
    value, marks = content.value, list(range(TOP_MAXIMUM + 1))
    banks = [tracker(name, name.capitalize(), [
        ["bank", marks, value("start_bank")], ["maximum", marks, value("start_max")]])
        for name in INLINE]
    return [*banks, tracker("draw", "Cards drawn", [
        ["limit", marks, value("draw")], ["next", list(range(-4, 9)), 0]])]


def tracker(icon: str, title: str, rows: list[list[Any]]) -> Piece:
    return Piece(f"tracker_{icon}", f"Tracker: {title}", 1,
                 Face("tracker", {"icon": icon, "title": title, "rows": rows}))


def clocks(content: Content) -> list[Piece]:
    """J-6 Clocks that belong to a name and outlive every copy."""
    found = {words["clock"]["name"]: (key, number(content, words["clock"]["size"]))
             for family in ("action", "objective")
             for key, words in content.words[family].items() if "clock" in words}
    return [Piece(f"clock_{key.lower()}", f"Clock: {name}", 1,
                  Face("clock", {"name": name, "size": size}))
            for name, (key, size) in found.items()]
