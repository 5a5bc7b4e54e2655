"""What a card of Treasury 0.3 says (T3-2): icons, ages, abilities, events, and their notation.

A card names its abilities and its event by code with up to three numbers (`{ id = "action_gain",
gold = 2 }`); the rules look only at codes and numbers, so a designer can move them between cards.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from exchequer.core.content import Choice, Kind
from exchequer.games.treasury.icons import icon_mask, icon_number, icon_numbers

N_CARDS = 96
N_ABILITIES, N_EFFECTS = 50, 22
N_PARAMETERS = 3
MOST_ABILITIES = 2  # on one card
MOST_PROVISIONS = 3
N_AGES = 4


class Icon(IntEnum):
    """T3-3 Goods first, then the weapons from the worst to the best."""

    (FOOD, HAPPINESS, SCIENCE, HIDES, STONE, BRONZE, TEXTILES, COAL,
     CLUBS, SPEARS, SWORDS, RIFLES, TANKS) = range(13)


N_ICONS, N_GOODS = 13, 8
FIRST_WEAPON = Icon.CLUBS


class Tier(IntEnum):
    """R3-1 The rows of the designer's table; V was never made."""

    A, I, II, III, IV, V = range(6)  # noqa: E741


class Card(IntEnum):
    """T3-50 Each physical card: row and number; rows III and IV are ours."""

    (A01, A02, A03, A04, A05, A06, A07, A08, A09, A10, A11, A12, A13, A14, A15, A16, A17, A18,
     A19, A20, A21, A22, A23, A24, A25, A26, A27, A28, A29, A30, A31, A32, A33, A34, A35, A36,
     I01, I02, I03, I04, I05, I06, I07, I08, I09, I10, I11, I12, I13, I14, I15, I16,
     II01, II02, II03, II04, II05, II06, II07, II08, II09, II10, II11, II12, II13, II14, II15,
     II16, III01, III02, III03, III04, III05, III06, III07, III08, III09, III10, III11, III12,
     III13, III14, III15, III16, IV01, IV02, IV03, IV04, IV05, IV06, IV07, IV08, IV09, IV10,
     IV11, IV12) = range(N_CARDS)


FIRST_RESERVE = Card.IV01  # from here on cards play only with age_tiers = "merged"


class Ability(IntEnum):
    """What an open business can do; `ABILITY_PARAMETERS` names the numbers."""

    (ACTION_DISCARD_DRAW, ACTION_GAIN, ACTION_SWAP_BARBARIAN_DEMAND, AFTER_START_DRAW_DISCARD,
     BEFORE_PAYOUT_TAKE_TREASURY, CONTRACT_PAYOUT_BONUS, DECIDE_CONTRACT_TIES,
     DEVELOP_COST_DISCOUNT, DEVELOP_TWICE, DEVELOPMENT_DISCARD_TO_DEMAND,
     EOR_DRAW_PICK_TO_DEMAND, EOR_STEAL, EOR_SWAP_REVEALED_WITH_TOP_DEMAND, FIRST_SEED_FREE,
     FREE_CLOSE, FREE_START_ONCE, GAIN_GOLD_TAKEN_BY_BARBARIANS, GAIN_ON_DRAWING_DEMAND,
     GAIN_WHEN_ANY_START, GAIN_WHEN_OTHER_OPENS, GAIN_WHEN_TREASURY_EMPTIES, GOLD_COST_DISCOUNT,
     IMMUNE_TO_HARMFUL_EVENTS, LEFT_NEIGHBOUR_PAYS_TO_START, MAY_DEVELOP_ON_START_TURN,
     MAY_DRAW_FROM_DECK, MAY_DRAW_FROM_DISCARD_TOPS, ON_LOSS_DISCARD,
     ON_OPEN_ADD_HAND_TO_DEMAND_DRAW, ON_OPEN_CONTRACT_FROM_DEMAND, ON_OPEN_DISCARD_DEMAND,
     ON_OPEN_DRAW, ON_OPEN_GAIN_PER_BUSINESS, ON_OPEN_POPULATION, ON_OPEN_STORE_GOLD,
     OPEN_REQUIRES_CLOSING, PAID_AFTER_EXHAUSTION, PEEK_CURRENT_BOTTOM, PEEK_FUTURE_TOP,
     PEEK_STARTUP, PRE_EVENTS_MOVE_TO_DEMAND, REDIRECT_CONTRACT, SECOND_SEED, SEED_TO_ROW,
     SELF_WILD_PROVISION, START_OPEN_BY_CLOSING_SELF, TAKE_STORED_WHEN_BUSINESS_OPENS,
     TAX_EXEMPT, TURN_GAIN, WILD_DEMAND) = range(N_ABILITIES)


NO_ABILITY = -1

ABILITY_PARAMETERS: Mapping[int, tuple[str, ...]] = {
    Ability.ACTION_GAIN: ("gold",),
    Ability.BEFORE_PAYOUT_TAKE_TREASURY: ("gold",),
    Ability.CONTRACT_PAYOUT_BONUS: ("gold",),
    Ability.DEVELOP_COST_DISCOUNT: ("amount", "minimum"),
    Ability.EOR_DRAW_PICK_TO_DEMAND: ("draw",),
    Ability.EOR_STEAL: ("gold", "icon"),  # from somebody who does not provide the icon
    Ability.GAIN_ON_DRAWING_DEMAND: ("icon",),  # how much is the rule lab_gold
    Ability.GAIN_WHEN_ANY_START: ("gold_at_2", "gold_at_3", "gold_at_4"),
    Ability.GAIN_WHEN_OTHER_OPENS: ("gold",),
    Ability.GAIN_WHEN_TREASURY_EMPTIES: ("gold",),
    Ability.GOLD_COST_DISCOUNT: ("gold",),
    Ability.LEFT_NEIGHBOUR_PAYS_TO_START: ("gold",),
    Ability.MAY_DRAW_FROM_DECK: ("tier",),
    Ability.ON_LOSS_DISCARD: ("count",),
    Ability.ON_OPEN_DRAW: ("count",),
    Ability.ON_OPEN_GAIN_PER_BUSINESS: ("gold",),
    Ability.ON_OPEN_POPULATION: ("amount",),
    Ability.ON_OPEN_STORE_GOLD: ("gold",),
    Ability.OPEN_REQUIRES_CLOSING: ("icons",),
    Ability.PEEK_STARTUP: ("count",),
    Ability.SECOND_SEED: ("count",),
    Ability.SEED_TO_ROW: ("max_row",),
    Ability.SELF_WILD_PROVISION: ("icons",),
    Ability.TAKE_STORED_WHEN_BUSINESS_OPENS: ("gold",),
    Ability.TURN_GAIN: ("gold",),
    Ability.WILD_DEMAND: ("icon", "count"),  # count 0: any number
}


class Effect(IntEnum):
    """What an event does; `EFFECT_PARAMETERS` names the numbers."""

    (BARBARIANS, DISCARD_DEVELOPMENTS, DISCARD_OLDEST_DEMAND, DRAW_PER_SCIENCE_THEN_DISCARD,
     DRAW_TO_DEMAND, GAIN_PER_ICON, GENERATION, NEW_TERRITORY, POOR_GAIN_FROM_TREASURY,
     POPULATION, PROVIDERS_DISCARD_CONTRACT, PROVIDERS_GAIN_FLAT, PROVIDERS_MAY_CLOSE, REBELLION,
     SCIENCE_DRAW_THEN_DEMAND, TREASURY_GAIN, TREASURY_LOSS_FRACTION, TRIM_DEMAND_TO_PROVIDED,
     UNARMED_LOSE_TURN, UNARMED_RETURN_CONTRACTS, UNCONTRACTED_BUSINESSES_GAIN, WAR
     ) = range(N_EFFECTS)


EFFECT_PARAMETERS: Mapping[int, tuple[str, ...]] = {
    Effect.BARBARIANS: ("gold_per_icon",),
    Effect.DISCARD_DEVELOPMENTS: ("count",),
    Effect.DISCARD_OLDEST_DEMAND: ("icon", "count"),
    Effect.DRAW_TO_DEMAND: ("count",),
    Effect.GAIN_PER_ICON: ("icon", "gold"),
    Effect.NEW_TERRITORY: ("population", "treasury"),
    Effect.POOR_GAIN_FROM_TREASURY: ("below", "gold"),
    Effect.POPULATION: ("amount",),
    Effect.PROVIDERS_DISCARD_CONTRACT: ("icon", "count"),
    Effect.PROVIDERS_GAIN_FLAT: ("icon", "gold"),
    Effect.PROVIDERS_MAY_CLOSE: ("icon",),
    Effect.REBELLION: ("base", "per_happiness"),
    Effect.SCIENCE_DRAW_THEN_DEMAND: ("who",),
    Effect.TREASURY_GAIN: ("gold",),
    Effect.TREASURY_LOSS_FRACTION: ("divisor",),
    Effect.TRIM_DEMAND_TO_PROVIDED: ("icon",),
    Effect.UNARMED_LOSE_TURN: ("min_weapon",),
    Effect.UNARMED_RETURN_CONTRACTS: ("count",),
    Effect.UNCONTRACTED_BUSINESSES_GAIN: ("gold",),
}

WHO = ("providers", "leaders")  # of science, for Discovery
LEADERS = WHO.index("leaders")
LARGEST = 99  # of any number on a card


# How cards are written ---------------------------------------------------------------------------

def parameter(name: str, value: Any) -> int:
    """One number of an ability or event; icons, rows and groups are written by name."""
    if name in ("icon", "min_weapon"):
        number = icon_number(Icon, value)
        if name == "min_weapon" and number < FIRST_WEAPON:
            raise ValueError(f"{value!r} is no weapon")
        return number
    if name == "icons":
        return icon_mask(Icon, value)
    if name == "tier":
        return Choice(Tier).parse(value)
    if name == "who":
        if value not in WHO:
            raise ValueError(f"who = {value!r} is not one of {', '.join(WHO)}")
        return WHO.index(value)
    low = 1 if name == "divisor" else 0
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= LARGEST:
        raise ValueError(f"{name} = {value!r} is not a whole number from {low} to {LARGEST}")
    return value


def coded(value: Any, codes: type[IntEnum], names: Mapping[int, tuple[str, ...]]) -> list[int]:
    """`{ id = "action_gain", gold = 2 }` as its code and three numbers."""
    if not isinstance(value, dict) or "id" not in value:
        raise ValueError(f'{value!r} must be written {{ id = "...", ... }}')
    known = {code.name.lower(): code for code in codes}
    if value["id"] not in known:
        raise ValueError(f"{value['id']!r} is none of {', '.join(known)}")
    wanted = names.get(known[value["id"]], ())
    if set(value) != {"id", *wanted}:
        raise ValueError(f"{value['id']} needs exactly {', '.join(wanted) or 'no numbers'}, "
                         f"not {', '.join(sorted(set(value) - {'id'})) or 'none'}")
    numbers = [parameter(name, value[name]) for name in wanted]
    return [known[value["id"]], *numbers, *[0] * (N_PARAMETERS - len(numbers))]


class Provisions(Kind):
    """One to three icons."""

    dtype = ("i1", MOST_PROVISIONS)
    allowed = 'a list of one to three icons, such as ["stone", "spears"]'

    def parse(self, value: Any) -> list[int]:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_PROVISIONS:
            raise ValueError(f"{value!r} is not {self.allowed}")
        return [*icon_numbers(Icon, value), *[-1] * (MOST_PROVISIONS - len(value))]


class Abilities(Kind):
    """One or two abilities with their numbers."""

    dtype = ("i2", (MOST_ABILITIES, 1 + N_PARAMETERS))
    allowed = 'a list of one or two abilities, such as [{ id = "action_gain", gold = 2 }]'

    def parse(self, value: Any) -> list[list[int]]:
        if not isinstance(value, list) or not 1 <= len(value) <= MOST_ABILITIES:
            raise ValueError(f"{value!r} is not {self.allowed}")
        rows = [coded(entry, Ability, ABILITY_PARAMETERS) for entry in value]
        return rows + [[NO_ABILITY, 0, 0, 0]] * (MOST_ABILITIES - len(rows))


class EventEffect(Kind):
    """What the event half does."""

    dtype = ("i2", 1 + N_PARAMETERS)
    allowed = 'an effect, such as { id = "treasury_gain", gold = 6 }'

    def parse(self, value: Any) -> list[int]:
        return coded(value, Effect, EFFECT_PARAMETERS)


class Demand(Kind):
    """One icon of a good."""

    dtype = "i1"
    allowed = "one of " + ", ".join(Icon(i).name.lower() for i in range(N_GOODS))

    def parse(self, value: Any) -> int:
        number = icon_number(Icon, value)
        if number >= N_GOODS:
            raise ValueError(f"{value!r} is a weapon; a card demands {self.allowed}")
        return number


class LastTier(Kind):
    """The row in which a business with the icon can last get a contract, or "never"."""

    dtype = "i1"
    allowed = 'one of "a" to "v", or "never" (never out of date)'
    NEVER = 99

    def parse(self, value: Any) -> int:
        if value == "never":
            return self.NEVER
        try:
            return Choice(Tier).parse(value)
        except ValueError:
            raise ValueError(f"{value!r} is not {self.allowed}") from None


# Tables the rules look up ------------------------------------------------------------------------

NEED_BITS = 6  # a need packs how many cards of each good, of weapons, and of any kind it takes
NEED_MASK = (1 << NEED_BITS) - 1
WEAPON_NEED = N_GOODS  # the place after the goods
ANY_NEED = N_GOODS + 1

DERIVED: dict[str, Any] = {
    "age": ("i1", N_CARDS),  # the age a card belongs to in this game, 0: not in the game
    "back": ("i1", N_CARDS),  # what its back shows: the age, 5 for the reserve
    "need": ("i8", N_CARDS),  # its provisions, packed
    "uses": ("i4", N_CARDS),  # a bit for each class of demand cards it can use, see `card_class`
    "last_age": ("i4", N_CARDS),  # it can still get a contract in this age (T3-31)
    "tier_age": ("i4", len(Tier)),  # the age that uses a row, 0: none
    "provisions": ("i4", N_CARDS),  # how many
    "mask": ("i8", N_CARDS),  # a bit for each ability
    "wild_icon": "i4",  # the icon of `wild_demand`, the same on all cards
    "icons": ("i4", (N_CARDS, MOST_PROVISIONS)),  # the provisions, -1 where there are fewer
    "codes": ("i4", (N_CARDS, MOST_ABILITIES)),  # the abilities, NO_ABILITY where there are fewer
    "numbers": ("i4", (N_CARDS, MOST_ABILITIES, N_PARAMETERS)),  # and their parameters
    "effects": ("i4", N_CARDS),
    "effect_numbers": ("i4", (N_CARDS, N_PARAMETERS)),
}

# T3-51: with 16, 16 and 16 cards, or 32, 16 and 12, each later age has enough for four players
TIER_AGES = ((1, 2, 3, 4, 0, 0), (1, 2, 2, 3, 4, 0))  # R3-1 for each setting of age_tiers


def card_class(demand: int, barbarian: int) -> int:
    """Demand cards of one class serve the same provisions."""
    return demand * 2 + barbarian


BARBARIAN_CLASSES = sum(1 << card_class(good, 1) for good in range(N_GOODS))


def need_of(provision: int) -> int:
    """The need of one provision, packed."""
    return 1 << NEED_BITS * min(provision, WEAPON_NEED)


def uses_of(provision: int) -> int:
    """The classes of demand cards that serve one provision."""
    return BARBARIAN_CLASSES if provision >= FIRST_WEAPON else 3 << 2 * provision


PROVISION_NEED = np.array([need_of(i) for i in range(N_ICONS)])


def fill_tables(c: Any) -> None:
    """R3-1 T3-31 Ages, backs and last ages follow from the rows; needs from the provisions."""
    c.tier_age[:] = TIER_AGES[c.age_tiers]
    c.wild_icon = next((int(row[1]) for card in c.card for row in card.ability
                        if row[0] == Ability.WILD_DEMAND), 0)
    last = [last_age(c, number) for number in range(N_ICONS)]
    for number in range(N_CARDS):
        card = c.card[number]
        c.age[number] = c.tier_age[card.tier]
        c.back[number] = c.age[number] or N_AGES + 1
        icons = [int(i) for i in card.provides if i >= 0]
        c.provisions[number] = len(icons)
        c.need[number] = sum(need_of(i) for i in icons)
        uses = 0
        for provision in icons:
            uses |= uses_of(provision)
        c.uses[number] = uses
        c.last_age[number] = min(last[i] for i in icons)
        c.icons[number, :] = card.provides
        c.codes[number, :] = card.ability[:, 0]
        c.numbers[number, :, :] = card.ability[:, 1:]
        c.effects[number] = card.event[0]
        c.effect_numbers[number, :] = card.event[1:]
        c.mask[number] = sum(1 << int(code) for code in card.ability[:, 0] if code >= 0)


def check_cards(c: Any) -> None:
    """What single fields cannot say.

    Which demand cards are wild must not depend on the owner, and a deck must exist to be named.
    """
    icons = {int(row[1]) for card in c.card for row in card.ability
             if row[0] == Ability.WILD_DEMAND}
    if len(icons) > 1:
        names = " and ".join(Icon(i).name.lower() for i in sorted(icons))
        raise ValueError(f"all abilities wild_demand must name the same icon, not {names} (R3-37).")
    for card in c.card:
        for row in card.ability:
            if row[0] == Ability.MAY_DRAW_FROM_DECK and TIER_AGES[c.age_tiers][row[1]] < 2:
                raise ValueError(f"may_draw_from_deck: there is no deck for row "
                                 f"{Tier(int(row[1])).name} of the table (R3-4).")


def last_age(c: Any, number: int) -> int:
    """T3-31 R3-23 The age that uses the icon's last row; the last age if none does."""
    row = int(c.icon[number].strict_last if c.strict_windows else c.icon[number].last)
    return int(c.tier_age[row] or N_AGES) if row < len(Tier) else N_AGES + 1
