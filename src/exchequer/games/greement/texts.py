"""What the cards of the event deck say, worked out from what they do."""

from typing import Any

from exchequer.core.content import Content
from exchequer.core.words import Text, filled
from exchequer.games.greement.state import Happening, deck_counts

CHANGES = {  # by how much more or less; the tax rises and falls
    "land": "land costs", "seed": "seeding costs", "crop": "crops bring",
    "mine": "a gold mine costs", "mine_profit": "gold mines bring",
    "lake": "lakes multiply by", "mountain": "mountains multiply by", "loan": "loans multiply by",
    "cattle": "cattle cost", "cattle_profit": "cattle bring",
}
WIPED = {"full": "every debt is wiped out", "half": "half of every debt is wiped out",
         "max20": "up to 20c of every debt is wiped out", "off": "every debt is wiped out"}
SEIZURES = ("lake_seizure", "mountain_seizure")


def thing(content: Content, table: str, key: str) -> Text:
    """A card with all that is on it; a value with where it begins."""
    words = content.words[table][key]
    if table == "value":
        text = filled(content, words, words["text"])
        return Text(words["name"], text, f"{text} It starts at {words['start']} and never falls "
                                         "below 1 (G-6).")
    parts = (event_text(content, key), needs(words), f"{avoiding(content, key)}.",
             f"{copies(content, key) or 'None'} in the deck.")
    return Text(words["name"], parts[0], " ".join(part for part in parts if part))


def event_text(content: Content, key: str) -> str:
    """G-36 to G-60 The parts of a card from left to right."""
    words = content.words["event"][key]
    if words["avoid"] == "own_payment":
        return ("Each owner pays for their cattle square by square; those unpaid turn into crops.")
    text = "; ".join(part_text(content, words, part.strip())
                     for part in words["effect"].split(";"))
    return f"{text[:1].upper()}{text[1:]}."


def part_text(content: Content, event: dict[str, Any], part: str) -> str:
    value, _, change = part.partition(" ")
    if value == "tax":
        return f"the distance tax {'rises' if int(change) > 0 else 'falls'} by {change[1:]}"
    if change:
        return f"{CHANGES[value]} {change[1:]} {'more' if int(change) > 0 else 'less'}"
    return whole_text(content, event, part)


def whole_text(content: Content, event: dict[str, Any], part: str) -> str:
    """A part that is no change of the table of values, as the switches have it."""
    value = content.value
    coins = f"{event['compensation']} coin{'' if event['compensation'] == 1 else 's'}"
    taken = "squares" if value("appropriation_mines") else "squares other than mines"
    beside = "lake" if part == "seize_lakes" or value("mountain_card_literal") else "mountain"
    return {
        "mines_lost": "all gold mines belong to nobody again",
        "debts_paid": "every debt is paid as far as the cash goes"
        if value("debts_paid") == "forced" else WIPED[value("hr_wipe")],
        "crops_lost": "all crops turn brown and belong to nobody again"
        if value("crops_lost_ownership") else "all crops turn brown, still owned",
        "cattle_lost": "all cattle turn into crops",
        "lands_to_cattle": "all owned lands turn into cattle",
    }.get(part, f"owned {taken} beside a {beside} are taken for {coins} each")


def needs(event: dict[str, Any]) -> str:
    """G-33 What somebody must own for the card to count."""
    what = {"brown": "brown land", "mine": "gold mine"}.get(event["needs"], event["needs"])
    if what == "nothing":
        return ""
    return f"Only if somebody owns {'cattle' if what == 'cattle' else f'a {what}'}."


def avoiding(content: Content, key: str) -> str:
    """G-34 G-35 G-58 How the event does not happen."""
    event = content.words["event"][key]
    if event["avoid"] == "vote":
        return "Put to the vote"
    if event["avoid"] == "pay":
        alone = content.value("single_payer") and key in SEIZURES
        return f"Averted for {event['price']}c {'by one player alone' if alone else 'together'}"
    common = content.value("disease_common_price")
    return f"{f'Averted for {common}c together, or each' if common else 'Each'} pays " \
           f"{content.value('disease_price')}c a square for their own"


def copies(content: Content, key: str) -> int:
    """G-13 G-58 How many of this card are in the deck."""
    return deck_counts(content.record)[Happening[key.upper()]]
