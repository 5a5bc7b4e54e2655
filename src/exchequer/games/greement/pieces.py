"""What Greement prints: its squares, the table of values, the event deck, a ledger and an aid for
each player, and markers for what is owned."""

from typing import Any

from exchequer.core.content import Content
from exchequer.core.pieces import Deck, Face, Piece, alike
from exchequer.games.greement.state import SEATS
from exchequer.games.greement.texts import avoiding, copies, event_text, needs, thing

SQUARE = 20  # millimetres, so that ten rows fit on any table
MARKERS = 20  # discs for each player
CROPS = 60  # the designer's number; a crop's other side is cattle
ROWS = 14  # changes that fit on the table of values
KINDS = {"lands": ("land", "Land"), "mines": ("mine", "Gold mine"), "lakes": ("lake", "Lake"),
         "mountains": ("mountain", "Mountain")}
TIMES = "\N{MULTIPLICATION SIGN}"
SHARES = {"lake": TIMES, "mountain": TIMES, "loan": TIMES}  # they multiply; others are coins
TAXES = {"zero_then_d": "nothing for a square next to yours, else the tax for every step.",
         "d_minus_1": "the tax for every step after the first.",
         "always_d": "the tax for every step, also to a square next to yours."}
NEEDED = ["a pen for each player; paper when a ledger is full",
          "an alarm clock, if the end shall come by the bell"]
PICTURES = {"G-2": ["land", "mine", "lake", "mountain"], "G-6": ["values"],
            "G-34": ["lakes_rise", "jubilee"], "G-35": ["tight_credit", "lake_seizure"]}
EXAMPLE = {"seats": 3, "seed": 7, "moves": [
    "square:d5", "square:g1", "square:d2", "amount:13", "amount:8", "amount:5", "seed",
    "square:d5", "buy", "square:d4", "end", "repay", "amount:5", "end"]}


def pieces(content: Content) -> list[Deck]:
    return [
        Deck("squares", "Squares", SQUARE, SQUARE, "square", squares(content)),
        Deck("events", "Events", 63, 88, "card", events(content)),
        Deck("table", "Table of values", 264, 196, "board",
             [Piece("values", "Table of values", 1, Face("values", values(content)))]),
        Deck("aids", "Player aids", 95, 130, "card", [Piece(
            "aid", "Player aid", SEATS, Face("aid", {"title": "Your turn",
                                                     "lines": turn(content)}),
            Face("ledger", {"title": "Money and debt"}))]),
        Deck("markers", "Owners", 10, 10, "round",
             [alike(f"owner_{seat + 1}", f"Marker of player {seat + 1}", MARKERS,
                    Face("owner", {"seat": seat})) for seat in range(SEATS)]),
    ]


def squares(content: Content) -> list[Piece]:
    """G-2 The board lies face down at first, so all its squares have one back."""
    board = [Piece(icon, name, content.value(rule), square(icon, name), Face("hidden", {}))
             for rule, (icon, name) in KINDS.items()]
    return [*board, Piece("crop", "Crop", CROPS, square("crop", "Crop"),
                          square("cattle", "Cattle"))]


def square(icon: str, name: str) -> Face:
    return Face("square", {"icon": icon, "name": name})


def events(content: Content) -> list[Piece]:
    return [Piece(key, words["name"], copies(content, key), Face("event", {
        "name": words["name"], "text": event_text(content, key),
        "avoid": avoiding(content, key), "by": words["avoid"],
        "changes": changes(content, words["effect"]), "needs": needs(words)}),
        Face("event_back", {}))
        for key, words in content.words["event"].items()]


def changes(content: Content, effect: str) -> list[list[str]]:
    """The steps on the table of values, as icon and sign: lake +1."""
    steps = [part.strip().rpartition(" ") for part in effect.split(";")]
    return [[key, sign] if key in content.words["value"] else [sign, ""]
            for key, _, sign in steps]


def values(content: Content) -> dict[str, Any]:
    return {"rows": ROWS, "columns": [
        {"icon": key, "name": words["name"], "text": thing(content, "value", key).line,
         "start": f"{SHARES.get(key, '')}{words['start']}{'' if key in SHARES else 'c'}"}
        for key, words in content.words["value"].items()]}


def turn(content: Content) -> list[list[str]]:
    value = content.value
    lines = [
        ["Profit", "of all your squares first, but not in your first turn." if not
         value("first_turn_profit") else "of all your squares first."],
        ["Then, as often as you like:", "borrow or repay; buy, sell or trade squares; seed a brown "
         "land; turn a crop into cattle; give money away."],
        ["Distance tax:", TAXES[value("tax_formula")] + " Gifts pay it too."],
        ["Lakes and mountains", "multiply profit and value of every square they touch."],
        ["At the end of your turn", "your debt is multiplied by the loan multiplier."],
        ["Events:", f"before each round but the first, {value('events_per_round')} cards, one "
         "after the other. A vote avoids an event with more than half of all players against it; "
         "a price avoids it when it is pledged in full."],
        ["No entry", "of the table falls below 1."],
        ["The end", "is hidden. Wealth is cash and the value of your squares less your debt."],
    ]
    if value("hr_no_loans"):
        lines = [line for line in lines if "debt" not in line[1] or line[0] == "The end"]
    return lines
