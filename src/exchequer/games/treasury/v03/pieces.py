"""What Treasury 0.3 prints: the cards of the ages in play, player aids and gold."""

from exchequer.core.content import Content
from exchequer.core.pieces import Deck, Face, Piece
from exchequer.core.sentences import listed
from exchequer.games.treasury.pieces import (
    CARD,
    ICONS,
    Lines,
    Zone,
    aids,
    event_aids,
    gold,
    mat,
    symbol,
)
from exchequer.games.treasury.v03.cards import N_AGES, Card
from exchequer.games.treasury.v03.state import SEATS
from exchequer.games.treasury.v03.words import (
    AGES,
    ability_text,
    card_words,
    event_line,
    event_text,
    last_age_text,
)

PICTURES = {"T3-2": ["a01", "i13"], "T3-26": ["i15", "ii02"]}
EXAMPLE = {"seats": 2, "seed": 4, "moves": [
    "card:a24", "card:a16", "start:down", "card:a20", "seed:action", "card:a11", "develop",
    "card:a27", "seed:action", "card:a10"]}


def pieces(content: Content) -> list[Deck]:
    cards = [card(content, number) for number in Card]
    return [Deck("cards", "Cards", *CARD, cards),
            aids(SEATS, ("Your turn", turn()), ("End of round", end_of_round(content))),
            event_aids(SEATS, events(content)), gold(), mat("Treasury 0.3", table(content))]


def card(content: Content, number: Card) -> Piece:
    """A card of a row that no age uses (R3-1) is not printed."""
    words, age = card_words(content, number), int(content.record.age[number])
    back = int(content.record.back[number])
    face = {"age": back - 1, "name": words["name"], "provides": words["provides"],
            "develop": words["develop_cost"], "gold": words["gold_cost"],
            "contract": words["contract"], "text": ability_text(content, number),
            "event": words["event_name"], "event_text": event_line(content, number),
            "symbol": symbol(words["event"]["id"]),
            "demand": words["demand"], "barbarian": words["barbarian"], "icons": ICONS}
    return Piece(number.name.lower(), words["name"], 1 if age else 0, Face("card", face),
                 Face("back", {"age": back - 1, "label": AGES[back]}))


def events(content: Content) -> Lines:
    """Each event of the cards in play once, by its name, with its symbol."""
    return list(dict.fromkeys(
        (f"{words['event_name']}:", event_text(content, number), symbol(words["event"]["id"]))
        for number in Card if content.record.age[number]
        for words in [card_words(content, number)]))


def table(content: Content) -> list[list[Zone]]:
    return [
        [("Treasury", "treasury", 1, f"{content.value('treasury_per_player')} gold for each player "
          "at the start. Pays contracts, takes the tax."),
         ("Deck", "deck", 1, "The lowest age that has cards left; a discard pile for each age lies "
          "beside it."),
         ("Current pile", "population", 1, "Revealed from the top. With the future pile it is the "
          "population."),
         ("Future pile", "startup", 1, "Seeded cards, face-down, the newest on top.")],
        [("Events of this round", "event", 2, "Revealed cards from left to right; carried out at "
          "the end of the round."),
         ("Demand", "demand", 2, "An event that has happened goes on top. Contracts take the cards "
          "they match.")],
    ]


def turn() -> list[tuple[str, str]]:
    return [
        ("First:", "open startups that have their development cards, or pay their gold."),
        ("One action:", "seed, start, develop or close."),
        ("Seed:", "a card onto the future pile; draw one; turn up the next card of the current "
         "pile. Its last card closes the round: no more seeding."),
        ("Start:", "a card face-down in front of you, or face-up for its gold."),
        ("Develop:", "a card face-down on a startup; draw one."),
        ("Close:", "discard a business, its contract returns to demand; draw one."),
        ("Contracts:", "as soon as demand shows all that a business provides, its owner takes "
         "those cards and lays one on it. Barbarians serve for weapons; weapons break ties."),
    ]


def out_of_date(content: Content) -> str:
    """T3-31 The icons by the last age in which they bring contracts."""
    ages: dict[str, list[str]] = {}
    for key, icon in content.words["icon"].items():
        if (age := last_age_text(content, key)) not in ("", AGES[N_AGES]):
            ages.setdefault(age, []).append(icon["name"])
    ends = [f"{listed(names)} after age {age}" for age, names in sorted(ages.items())]
    return f"{'; '.join([*ends, 'nothing else'])}."


def end_of_round(content: Content) -> list[tuple[str, str]]:
    return [
        ("1.", "The future pile is dealt onto the current pile."),
        ("2.", "End-of-round abilities."),
        ("3.", "Tax: the supply pays the age for each of the population, each player the age."),
        ("4.", "More food than people: the population grows by 1."),
        ("5.", "The events from left to right; each then goes on top of demand."),
        ("6.", "Payout: each player's dearest contract, then the next, while the treasury holds "
         "gold. What is missing comes from the supply; then demand loses a card for each player."),
        ("7.", "The age is set. The one player with the least gold starts the next round."),
        ("The end:", "an empty hand; the round is played to its end."),
        ("Out of date:", out_of_date(content)),
    ]
