"""Treasury 0.3 in words: what has to be computed. The sentences are in `words.toml`."""

import functools
from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import asked, top_item
from exchequer.core.content import Content
from exchequer.core.piles import card_at, pile_size
from exchequer.core.sentences import Said, person
from exchequer.core.words import ActionTexts, Text, counted, filled
from exchequer.games.treasury.faces import card_text, provisions
from exchequer.games.treasury.titles import told_apart
from exchequer.games.treasury.v03.businesses import gold_cost
from exchequer.games.treasury.v03.cards import N_AGES, N_CARDS, Ability, Card, Icon, Tier, last_age
from exchequer.games.treasury.v03.holdings import business_card, development_pile
from exchequer.games.treasury.v03.state import (
    FACE_UP,
    FREE,
    N_ACTIONS,
    N_DECKS,
    NO_CARD,
    SEATS,
    SLOTS,
    TO_ROW,
    Act,
    Ask,
    Do,
    Ending,
    Pile,
)

CARDS = [card.name.lower() for card in Card]
AGES = ["", "I", "II", "III", "IV", "reserve"]
PLACES = [str(slot + 1) for slot in range(SLOTS)]
SOURCES = [f"deck-{AGES[deck + 2].lower()}" for deck in range(N_DECKS)] \
    + [f"discard-{AGES[age].lower()}" for age in range(1, 5)]

TEXTS = ActionTexts(N_ACTIONS, [
    ("end", Do.END, []), ("yes", Do.YES, []), ("no", Do.NO, []), ("back", Do.BACK, []),
    ("seed", Do.SEED, ["action", "free", "row", "row-free"]),
    ("start", Do.START, ["down", "down-free", "up", "up-free"]),
    ("develop", Do.DEVELOP, []),
    ("close", Do.CLOSE, ["action", "free"]),
    ("open", Do.OPEN, PLACES),
    ("buy", Do.BUY, PLACES),
    ("use", Do.USE, PLACES),
    ("business", Do.SLOT, PLACES),
    ("startup", Do.PLACE, [f"{seat + 1}-{slot}" for seat in range(SEATS) for slot in PLACES]),
    ("player", Do.SEAT, [str(seat + 1) for seat in range(SEATS)]),
    ("draw", Do.SOURCE, SOURCES),
    ("card", Do.PICK, CARDS),
])


# Cards -------------------------------------------------------------------------------------------

def card_words(content: Content, card: int) -> dict[str, Any]:
    return content.words["card"][CARDS[card]]


def name_of(content: Content, card: int) -> str:
    """`Hut`, or what can be said of a card that is not known."""
    return card_words(content, card)["name"] if 0 <= card < N_CARDS else "a card"


def is_ours(content: Content, card: int) -> bool:
    """Whether the card was made by this project, not by the designer."""
    return card_words(content, card)["source"] == "ours"


def with_numbers(text: str, numbers: dict[str, Any], content: Content) -> str:
    """A sentence of the content with a card's own numbers in it."""
    age = AGES[content.record.tier_age[Tier[numbers["tier"].upper()]]] if "tier" in numbers else ""
    return filled(content, {**numbers, "age": age,
                            "number": numbers.get("count") or "any number"}, text)


def ability_text(content: Content, card: int) -> str:
    return " ".join(with_numbers(content.words["ability"][ability["id"]]["text"], ability, content)
                    for ability in card_words(content, card)["ability"])


def event_text(content: Content, card: int) -> str:
    """What the event does; a harmful one says so, for those it passes by."""
    event = card_words(content, card)["event"]
    effect = content.words["effect"][event["id"]]
    return with_numbers(effect["text"], event, content) + " It is harmful." * effect["harmful"]


def event_line(content: Content, card: int) -> str:
    """An event as the card reminds of it."""
    event = card_words(content, card)["event"]
    effect = content.words["effect"][event["id"]]
    return with_numbers(effect["line"], event, content) + " Harmful." * effect["harmful"]


def demand_text(content: Content, card: int) -> str:
    words = card_words(content, card)
    return words["demand"] + (" with barbarians" if words["barbarian"] else "")


def event_name(content: Content, card: int) -> str:
    """A card by its event half: `Wonder (stone with barbarians)`."""
    if not 0 <= card < N_CARDS:
        return "a card"
    return f"{card_words(content, card)['event_name']} ({demand_text(content, card)})"


def card_line(content: Content, card: int) -> str:
    """A card by both titles: `Quarry / Wonder (stone with barbarians)`."""
    return card_lines(content)[card]


@functools.lru_cache(maxsize=8)
def card_lines(content: Content) -> list[str]:
    return told_apart(
        [f"{name_of(content, card)} / {event_name(content, card)}" for card in Card],
        [ability_text(content, card) for card in Card])


def business_line(content: Content, card: int) -> str:
    """`Quarry / Wonder (stone): provides stone; 2 cards or 6 gold, contract 2`."""
    words = card_words(content, card)
    return (f"{card_line(content, card)}: provides {provisions(words['provides'])}; "
            f"{counted(words['develop_cost'], 'card')} or {words['gold_cost']} gold, "
            f"contract {words['contract']}")


def thing(content: Content, table: str, key: str) -> Text | None:
    """A card with both halves; an icon with how long it is in demand."""
    if table == "icon":
        return icon_thing(content, key)
    if table != "card":
        return None
    card = CARDS.index(key)
    words = card_words(content, card)
    return Text(words["name"], ability_text(content, card), card_text({
        **words, "develop": words["develop_cost"], "gold": words["gold_cost"],
        "age": AGES[int(content.record.back[card])], "ability": ability_text(content, card),
        "event": words["event_name"], "effect": event_text(content, card)}))


def icon_thing(content: Content, key: str) -> Text:
    """T3-31 Until when businesses that show the icon get contracts."""
    row, age = last_row(content, key), last_age_text(content, key)
    line = f"It brings contracts up to age {age} (row {row} of the cards)." if row \
        else "It never goes out of date."
    return Text(content.words["icon"][key]["name"], line, line)


def last_row(content: Content, key: str) -> str:
    """R3-23 The last row of cards that an icon lasts; empty for good."""
    last = content.words["icon"][key][
        "strict_last" if content.value("strict_windows") else "last"]
    return "" if last == "never" else last.upper()


def last_age_text(content: Content, key: str) -> str:
    """T3-31 R3-23 The last age in which an icon brings contracts; empty for good."""
    age = last_age(content.record, Icon[key.upper()])
    return AGES[age] if age <= N_AGES else ""


# Placeholders ------------------------------------------------------------------------------------

def place_text(said: Said) -> str:
    """A business as its owner calls it."""
    card = int(business_card(said.s, said.seat, said.thing))
    name = "nothing" if card == NO_CARD else name_of(said.content, card)
    return f"{name} in place {said.thing + 1}"


def developments(said: Said) -> str:
    return counted(int(pile_size(said.s, development_pile(said.seat, said.thing))), "card")


def price(said: Said) -> str:
    card = business_card(said.s, said.seat, said.thing)
    if card == NO_CARD:
        return "no"
    return str(gold_cost(said.s, said.content.record, said.seat, card))


def ability_there(said: Said) -> str:
    card = int(business_card(said.s, said.seat, said.thing))
    text = "" if card == NO_CARD else ability_text(said.content, card)
    return text or "no ability"


def startup(said: Said) -> str:
    owner, slot = divmod(said.thing, SLOTS)
    whose = "your" if owner == said.seat else f"{person(said.names, owner)}'s"
    return f"{whose} startup in place {slot + 1}"


def provision(said: Said) -> str:
    """What is to be served: number `n` of the icons of a business."""
    icons = said.content.record.icons[business_card(said.s, said.seat, said.thing)]
    return Icon(int(icons[said.n])).name.lower()


def drawn(said: Said) -> str:
    hand = Pile.HAND + said.seat
    return event_name(said.content, int(card_at(said.s, hand, pile_size(said.s, hand) - 1)))


def source_text(said: Said) -> str:
    if said.thing < N_DECKS:
        return f"the deck of age {AGES[said.thing + 2]}"
    pile = Pile.DISCARD + said.thing - N_DECKS
    top = pile_size(said.s, pile) - 1
    name = name_of(said.content, int(card_at(said.s, pile, top))) if top >= 0 else "none there"
    return f"the discards of age {AGES[said.thing - N_DECKS + 1]}: {name}"


def window(said: Said) -> str:
    if said.s.acted == Act.NONE:
        return "Your turn: open what you can, then take one action."
    return "Your action is done; something more is free."


def closing(said: Said) -> str:
    return " No more seeding this round." if said.s.closing and said.s.acted == Act.NONE else ""


def last_because(said: Said) -> str:
    return f"{said.names[said.seat]}'s hand is empty" if said.thing == Ending.EMPTY_HAND \
        else "The game is long enough"


PLACEHOLDERS = {
    "event": lambda said: event_name(said.content, said.thing),
    "event_title": lambda said: card_words(said.content, said.thing)["event_name"],
    "event_text": lambda said: event_text(said.content, said.thing),
    "demand": lambda said: card_words(said.content, said.thing)["demand"],
    "ability": ability_there,
    "deed": lambda said: said.content.words["ability"][Ability(said.thing).name.lower()]["deed"],
    "age": lambda said: AGES[said.thing],
    "from_discards": lambda said: " from the discards" if said.n >= N_DECKS else "",
    "pile": lambda said: "into the row" if said.thing & TO_ROW else "into the future pile",
    "facing": lambda said: "face-up for its gold" if said.thing & FACE_UP else "face-down",
    "free": lambda said: ", free of an action" if said.thing & FREE else "",
    "progress": lambda said: f", which has {developments(said)}"
    if asked(said.s) == Ask.DEVELOP_WHICH else "",
    "place": place_text, "developments": developments, "price": price, "startup": startup,
    "provision": provision, "drawn": drawn, "source": source_text, "window": window,
    "closing": closing, "last_because": last_because,
}


# The menu ----------------------------------------------------------------------------------------

def is_at_table(action: int, names: Sequence[str]) -> bool:
    """Whether an action about a person is about one of these."""
    who = (action - Do.PLACE) // SLOTS if action < Do.SEAT else action - Do.SEAT
    return action >= Do.SOURCE or who < len(names)


def describe(s: Any, content: Content, action: int, names: Sequence[str]) -> str | None:
    """A card by what matters about it here; the rest is in words.toml."""
    if action == Do.END:
        return "End the turn" if s.acted != Act.NONE else "Pass"
    if action < Do.PICK:
        return None if is_at_table(action, names) else ""
    card = action - Do.PICK
    what, seat, a, _ = top_item(s)
    if what != Ask.START_CARD:
        return card_line(content, card)
    price = f" for {gold_cost(s, content.record, seat, card)} gold" if a & FACE_UP else ""
    return business_line(content, card) + price
