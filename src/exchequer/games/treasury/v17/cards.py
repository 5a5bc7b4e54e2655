"""What a card of Treasury 0.17 says (T17-2): icons, abilities, events, and their notation.

A card names its abilities and its event by code; the rules look only at codes and numbers, so a
designer can move them between cards.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from exchequer.core.content import Kind, Number
from exchequer.games.treasury.icons import icon_mask, icon_numbers

N_CARDS = 91
N_AGES = 4
N_SKILLS = 2  # abilities on one card at most
MOST_GOLD_COST = 20


class Icon(IntEnum):
    """T17-3 Goods first, then weapons."""

    (FOOD, SCIENCE, HAPPINESS, HIDES, STONE, BRONZE, IRON, CLUBS, SPEARS, AXES,
     SWORDS) = range(11)


N_ICONS, FIRST_WEAPON = 11, Icon.CLUBS


class Card(IntEnum):
    """The 91 physical cards by the name of their business; copies are numbered."""

    (TANNER, GATHERER, WISEMAN, SHOEMAKER, FRUIT_MONGER, BAKER_1, SKINNER, WARRIOR_1, HUNTER,
     WARRIOR_2, TRADER, SMUGGLER, MENTOR, CRAFTSMAN, WARRIOR_3, TRAPPER, SEAMSTER, PROPHET,
     ASTROLOGER_1, WARRIOR_4, HEALER, COUNCILOR, WARRIOR_5, BROKER, ARCHIVIST, WARRIOR_6,
     APOTHECARY, SHAMAN, SCULPTOR, DIVINER, ALCHEMIST, BARD, COOK, WARRIOR_7, JUGGLER, FISHER,
     COUNSELOR, MERCHANT, ASTROLOGER_2, BAKER_2, WARRIOR_8, SCRIBE, SEER,
     SHRINE, SPEAR_MAKER, INN, WHALER, QUARRY, SCHOOL, TOWER, ARSENAL, TAVERN, WHEAT_FARM, BANK,
     LABORATORY, ACADEMY, LODGE, THEATER, ORCHARD,
     JEWELER, LUMBERYARD, TRADE_POST, LIBRARY, SMELTER, FORT, ARMORY, WORKSHOP, BARBER,
     DAIRY_FARM, INSURANCE, STOREROOM, BRIDGE, OBSERVATORY, CIRCUS, DOCK,
     ROAD, MARKET, BLACKSMITH, IMPORTER, VILLA, GRAVEDIGGER, IRON_MINE, KNIGHTHOOD, TEMPLE,
     LEGION, PAWN_SHOP, UNIVERSITY, SCRIPTORIUM, CAFE, ARENA, MUSEUM) = range(N_CARDS)


class Ability(IntEnum):
    """What a business can do. The first word says when: at the end of an age, when opened, ..."""

    (EOA_DIG, EOA_TAKE_UNHAPPY, EOA_TAKE_LESS_HAPPY, EOA_PLAY, EOA_DRAW, EOA_OTHER_ICONS,
     EOA_DEMAND_ICONS, EOA_GAIN, EOA_PAY, EOA_LEADER, EOA_OPEN, EOA_ALL_ICONS, EOA_HAND,
     OPEN_EVENT, OPEN_SWAP, OPEN_CONTRACT, OPEN_STORE, OPEN_DRAW, OPEN_TYPES, OPEN_IMPORT,
     OPEN_ACTIONS, OPEN_DIG, OPEN_RECOVER, OPEN_TURN,
     CLOSE_RETURN, CLOSE_AGE, CLOSE_DRAW, CLOSE_PAY, CLOSE_START, ANY_CLOSE_START,
     CONTRACT_PAY, CONTRACT_GAIN,
     ACT_DISCARD, ACT_REPLACE, ACT_SWAP, ACT_TAKE,
     FREE_PAY, FREE_PEEK, FREE_DISCARD, FREE_PROPHECY, FREE_DEVELOP, FREE_EVENT, FREE_START,
     FREE_OBSERVE, FREE_FLIP, FREE_MARKET,
     SECOND_EVENT, FACE_DOWN, RESOLVE_GAIN, DRAW_AFTER, SKIP, PLAY_GAIN, DRAW_BEFORE,
     PLACE_ANYWHERE,
     LIMIT, DRAW_DISCARD, END_DRAW_DISCARD, DRAW_AGE, END_DRAW_EXTRA, END_DRAW_COUNT, START_DRAW,
     FIXED_TAX, DISCOUNT, VARIABLE_PRICE, EMPTY_GAIN, EMPTY_PAY, STORE_OPENS, TURN_GAIN,
     DEMAND_GAIN,
     WILD_PROVISION, WILD_DEMAND, REDIRECT, REQUIRE_CLOSING, BROKER, NONE) = range(75)


N_ABILITIES = 75
LAST_EOA = Ability.EOA_HAND
REPEATED = (Ability.FREE_PEEK, Ability.FREE_PROPHECY, Ability.FREE_EVENT, Ability.FREE_OBSERVE,
            Ability.FREE_FLIP, Ability.SECOND_EVENT)  # their amount says how often in a turn


class Effect(IntEnum):
    """The fifteen kinds of event."""

    (DRAW_DISCARD, BARBARIANS, FERTILITY, PAY_CONTRACT, GAIN_FLAT, CONQUEST, GAIN_PER_ICON, WAR,
     DRAW_KEEP, CONTRACT_FROM_DISCARD, DRAW_DISCARDS, GAIN_UNCONTRACTED, DISCARDS_TO_DEMAND,
     TREASURY_PER_DEMAND, TREASURY_GAIN) = range(15)


class Printed(IntEnum):
    """The events as they are printed on the lower halves."""

    (DISCOVERY, BARBARIANS, FERTILITY, EARLY_TRADE, WINTER, INVENTION, CONQUEST_I, STONE_WONDER,
     WAR, BREAKTHROUGH, BARBARIANS_II, CONQUEST_II, BRONZE_WONDER, INNOVATION, AWARDS, UNEARTH,
     BARBARIANS_III, FESTIVAL, CONQUEST_III, IRON_WONDER, BOOM, UPRISING, QUELL,
     GOLDEN_AGE) = range(24)


ABILITY_NAMES = {ability.name.lower(): ability for ability in Ability if ability != Ability.NONE}


class IconCounts(Kind):
    """A list of icons, as the number of each."""

    dtype = ("i1", N_ICONS)
    allowed = 'a list of one to three icons such as ["food", "stone"]'

    def parse(self, value: Any) -> list[int]:
        icons = icon_numbers(Icon, value)
        if not 1 <= len(icons) <= 3:
            raise ValueError(f"{value!r} is not {self.allowed}")
        return [icons.count(icon) for icon in range(N_ICONS)]


class IconMask(Kind):
    """A list of icons, as a bit for each."""

    dtype = "i2"
    allowed = 'a list of icons such as ["food"]'

    def parse(self, value: Any) -> int:
        return icon_mask(Icon, value)


class Abilities(Kind):
    """At most two abilities: `{ id = "eoa_leader", amount = 2, icons = ["happiness"] }`."""

    dtype = ("i2", (N_SKILLS, 4))  # Ability, amount, count, icons
    allowed = (f"a list of at most {N_SKILLS} abilities such as "
               '[{ id = "eoa_gain", amount = 1 }]')

    def parse(self, value: Any) -> list[list[int]]:
        if not isinstance(value, list) or len(value) > N_SKILLS:
            raise ValueError(f"{value!r} is not {self.allowed}")
        row = [self.parse_one(entry) for entry in value]
        return row + [[Ability.NONE, 0, 0, 0]] * (N_SKILLS - len(row))

    def parse_one(self, entry: Any) -> list[int]:
        if not isinstance(entry, dict) or entry.get("id") not in ABILITY_NAMES:
            raise ValueError(f"{entry!r} names no ability; known ids are "
                             f"{', '.join(ABILITY_NAMES)}")
        for key in entry:
            if key not in ("id", "amount", "count", "icons"):
                raise ValueError(f"{key!r} in {entry!r} is not one of id, amount, count, icons")
        numbers = [Number(0, 99).parse(entry.get(key, 0)) for key in ("amount", "count")]
        return [ABILITY_NAMES[entry["id"]], *numbers, icon_mask(Icon, entry.get("icons", []))]


READS = {  # what an event's effect asks of its entry; the rest must stay as it is
    Effect.DRAW_DISCARD: "icons count optional not_zero", Effect.BARBARIANS: "gold counts_queue",
    Effect.FERTILITY: "icons count", Effect.PAY_CONTRACT: "icons count",
    Effect.GAIN_FLAT: "icons gold", Effect.CONQUEST: "gold count",
    Effect.GAIN_PER_ICON: "icons gold", Effect.WAR: "", Effect.DRAW_KEEP: "icons count not_zero",
    Effect.CONTRACT_FROM_DISCARD: "icons not_zero", Effect.DRAW_DISCARDS: "icons count",
    Effect.GAIN_UNCONTRACTED: "gold", Effect.DISCARDS_TO_DEMAND: "count",
    Effect.TREASURY_PER_DEMAND: "icons gold", Effect.TREASURY_GAIN: "gold",
}
UNREAD = {"icons": 0, "gold": 0, "count": 0, "optional": 0, "not_zero": 1, "counts_queue": 0}


def check_events(c: np.record) -> None:
    """An event has no number that does nothing."""
    for printed in Printed:
        effect = Effect(c.event[printed].effect)
        unread = UNREAD | ({"count": 1} if effect == Effect.CONTRACT_FROM_DISCARD else {})
        for field, value in unread.items():
            if field not in READS[effect].split() and c.event[printed][field] != value:
                raise ValueError(f"event.{printed.name.lower()}.{field} says nothing to the effect "
                                 f"{effect.name.lower()}; leave it as it is.")


DERIVED = {
    "back": ("i1", N_CARDS),
    "hides_direct": ("u1", N_AGES),  # whether a card with this back may go straight to demand
    "demand": ("i1", N_CARDS), "weapons": ("i1", N_CARDS),
    "icon_count": ("i1", N_CARDS), "needs": ("i1", (N_CARDS, N_ICONS)),
    "skill": ("i1", (N_CARDS, N_SKILLS)), "amount": ("i2", (N_CARDS, N_SKILLS)),
    "count": ("i2", (N_CARDS, N_SKILLS)), "icons": ("i2", (N_CARDS, N_SKILLS)),
    "uses": ("i2", (N_CARDS, N_SKILLS)),
}


def fill_tables(c: np.record) -> None:
    """What the rules look up by card; R17-33 the odd Warrior may be made like the others."""
    for card in Card:
        entry = c.card[card]
        c.back[card] = entry.age
        c.demand[card] = entry.demand
        c.hides_direct[entry.age] |= c.event[entry.event].direct
        c.needs[card] = entry.provides
        c.weapons[card] = sum(entry.provides[FIRST_WEAPON:])
        c.icon_count[card] = sum(entry.provides)
        c.skill[card] = entry.ability[:, 0]
        c.amount[card] = entry.ability[:, 1]
        c.count[card] = entry.ability[:, 2]
        c.icons[card] = entry.ability[:, 3]
        c.uses[card] = [max(amount, 1) if skill in REPEATED else 1
                        for skill, amount in entry.ability[:, :2].tolist()]
        if c.warrior_harmonised:
            c.skill[card][c.skill[card] == Ability.FREE_PAY] = Ability.CONTRACT_PAY
