"""Kingdom in words: what has to be computed. The sentences are in `words.toml`."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.agenda import top_seat
from exchequer.core.content import Content
from exchequer.core.words import ActionTexts, Text, filled, first_sentence
from exchequer.games.kingdom.actions import gold_cost, is_free, moved_from, moved_to
from exchequer.games.kingdom.assets import bill
from exchequer.games.kingdom.state import (
    ACT_OF,
    FIRST_OF,
    LAST_MAIN,
    N_ACTIONS,
    N_MOVES,
    Act,
    Building,
    Development,
    Do,
    Role,
)

ROLES = [role.name.lower() for role in Role]
DEVELOPMENTS = [kind.name.lower() for kind in Development]
BUILDINGS = [building.name.lower() for building in Building]
MOVES = [f"{ROLES[moved_from(move)]}-{ROLES[moved_to(move)]}" for move in range(N_MOVES)]

TEXTS = ActionTexts(N_ACTIONS, [
    ("end", Do.END, []),
    ("overwork", Do.OVERWORK, []),
    ("expand", Do.EXPAND, []),
    ("develop", Do.DEVELOP, DEVELOPMENTS[:4]),
    ("tax", Do.TAX, []),
    ("reallocate", Do.REALLOCATE, MOVES),
    ("raise", Do.RAISE, ROLES),
    ("decree", Do.DECREE, DEVELOPMENTS[:4]),
    ("attack", Do.ATTACK, []),
    ("festival", Do.FESTIVAL, []),
    ("plow", Do.PLOW, []),
    ("build", Do.BUILD, BUILDINGS),
    ("sell", Do.SELL_DEVELOPMENT, DEVELOPMENTS),
    ("sell", Do.SELL_BUILDING, BUILDINGS),
    ("stop-selling", Do.STOP_SELLING, []),
    ("palace", Do.USE_PALACE, ["use", "leave"]),
])

PLACEHOLDERS = {
    "bill": lambda said: str(bill(said.s, said.content.record, said.seat)),
    "deed": lambda said: action_name(said.content, said.thing),
    "does": lambda said: done(said.content, said.thing),
    "doubled": lambda said: ", doubled by the festival" if said.thing else "",
    "sale": lambda said: str(said.content.record.development[said.thing].sale),
    "half_price": lambda said: str(said.content.record.building[said.thing].price // 2),
}


def name_of(content: Content, table: str, key: str) -> str:
    return content.words[table][key]["name"]


def choice_name(content: Content, kind: int, choice: int) -> str:
    """What is chosen in an Action, or nothing."""
    if kind in (Act.DEVELOP, Act.DECREE):
        return name_of(content, "development", DEVELOPMENTS[choice])
    if kind == Act.REALLOCATE:
        return " to ".join(name_of(content, "role", ROLES[role])
                           for role in (moved_from(choice), moved_to(choice)))
    if kind == Act.RAISE:
        return name_of(content, "role", ROLES[choice])
    if kind == Act.BUILD:
        return name_of(content, "building", BUILDINGS[choice])
    return ""


def action_name(content: Content, action: int) -> str:
    """An action of the Main Phase: `Develop: Farm`, `End the turn`."""
    if action == Do.END:
        return "End the turn"
    kind = ACT_OF[action]
    name = name_of(content, "action", Act(kind).name.lower())
    choice = choice_name(content, kind, action - FIRST_OF[kind])
    return f"{name}: {choice}" if choice else name


DONE = {  # an Action as the log tells it
    Act.OVERWORK: "overworks the Farms", Act.EXPAND: "expands", Act.DEVELOP: "develops a {}",
    Act.TAX: "taxes the people", Act.REALLOCATE: "moves a person from {}",
    Act.RAISE: "raises a new person ({})", Act.DECREE: "issues a Royal Decree for a {}",
    Act.ATTACK: "orders an attack", Act.FESTIVAL: "holds a festival", Act.PLOW: "plows",
    Act.BUILD: "builds the {}"}


def done(content: Content, action: int) -> str:
    kind = Act(ACT_OF[action])
    return DONE[kind].format(choice_name(content, kind, action - FIRST_OF[kind]))


def describe(s: Any, content: Content, action: int, names: Sequence[str]) -> str | None:
    """An Action and its price in gold; a point is understood."""
    if action > LAST_MAIN:
        return None
    c, kind, name = content.record, ACT_OF[action], action_name(content, action)
    if action == Do.END:
        return name
    gold = int(gold_cost(s, c, int(top_seat(s)), kind, action - FIRST_OF[kind]))
    if is_free(c, kind):
        return f"{name} (no action point)"
    return f"{name} ({gold} gold)" if gold else name


# Things ------------------------------------------------------------------------------------------

def thing(content: Content, table: str, key: str) -> Text:
    """A card with its price; a band of happiness with where it begins."""
    card = content.words[table][key]
    if table == "tier":
        line = f"{sentence(band_effects(content, card))} {band(card)}"
        return Text(card["name"], line, line)
    text = card_text(content, table, key)
    return Text(card["name"], first_sentence(text), text + price(table, card))


def card_text(content: Content, table: str, key: str) -> str:
    """What a card says besides its price."""
    card = content.words[table][key]
    return filled(content, card, card["text"])


def price(table: str, card: Mapping[str, Any]) -> str:
    if table == "role":
        return f" Costs {card['upkeep']} gold of upkeep each turn."
    if table == "development":
        return f" Sells for {card['sale']} gold."
    return f" Costs {card['price']} gold." if card["price"] else ""


@functools.lru_cache(maxsize=1024)
def mood(content: Content, key: str) -> str:
    """A band on one line: `Glad: income +25 %, buildings -20 %.`"""
    tier = content.words["tier"][key]
    return f"{tier['name']}: {band_effects(content, tier)}."


def band_effects(content: Content, tier: Mapping[str, Any]) -> str:
    """K-50 What the people's mood does."""
    grows, least = (filled(content, tier, switch)
                    for switch in ("{growth_bonus_mode}", "{min_ap_at_minus10}"))
    effects = {f"income {tier['income']:+d} %": tier["income"],
               f"buildings -{tier['discount']} %": tier["discount"],
               f"growth +{tier['growth']} %{grows}": tier["growth"], "no growth": not tier["grows"],
               f"half the action points{least}": tier["half_ap"]}
    return ", ".join(effect for effect, is_there in effects.items() if is_there) \
        or "nothing special"


def band(tier: Mapping[str, Any]) -> str:
    if tier["happiness"] == 0:
        return "Happiness around 0."
    return f"Happiness {tier['happiness']:+d} or {'more' if tier['happiness'] > 0 else 'less'}."


def sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
