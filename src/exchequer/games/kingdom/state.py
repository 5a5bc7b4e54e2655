"""Kingdom's records and enums. The paragraphs K-n are those of `rulebook.md`."""

from enum import IntEnum

import numpy as np

from exchequer.core.agenda import FIRST_STEP, agenda_fields
from exchequer.core.content import Cards, Choice, Number, Schema, Switch, Text
from exchequer.core.records import record

SEATS = 2
FIRST, SECOND = 0, 1  # the rulebook's players A and B
MOST_HAPPY = 10
POOL_LIMIT = 1_000_000_000  # K-58: army and fort stop growing here
PLAN_LENGTH = 16  # K-59: actions one can commit to in a simultaneous Main Phase


class Role(IntEnum):
    COUNCIL, COMMANDER, FORTIFIER, CITIZEN = range(4)


class Development(IntEnum):
    HOUSE, FARM, OUTPOST, WATCHTOWER, GARDEN = range(5)


class Building(IntEnum):
    (TOWN_CHARTER, MILL, RAIDERS_GUILD, PLOW_WORKSHOP, MARKET, BARRACKS, CITADEL, CASTLE_WALLS,
     CASTLE_GARDENS, TEMPLE, PALACE, GREAT_HALL) = range(12)


class Tier(IntEnum):
    """K-50 The bands of happiness, from the middle outward on either side."""

    (CALM, CONTENT, GLAD, DELIGHTED, REJOICING, UNEASY, BITTER, FURIOUS, REVOLTING) = range(9)


class Act(IntEnum):
    """The kinds of Action in the Main Phase."""

    (OVERWORK, EXPAND, DEVELOP, TAX, REALLOCATE, RAISE, DECREE, ATTACK, FESTIVAL, PLOW,
     BUILD) = range(11)


N_ROLES, N_DEVELOPMENTS, N_BUILDINGS, N_ACTS = 4, 5, 12, 11
N_MOVES = 9  # reallocations: six between the roles, three for a citizen


class Do(IntEnum):
    """The first action id of each kind; what is added is named in the comment."""

    END = 0
    OVERWORK = 1
    EXPAND = 2
    DEVELOP = 3  # + Development
    TAX = 7
    REALLOCATE = 8  # + move, see `moved_from` and `moved_to`
    RAISE = 17  # + Role
    DECREE = 21  # + Development
    ATTACK = 25
    FESTIVAL = 26
    PLOW = 27
    BUILD = 28  # + Building
    SELL_DEVELOPMENT = 40  # + Development
    SELL_BUILDING = 45  # + Building
    STOP_SELLING = 57
    USE_PALACE = 58
    LEAVE_PALACE = 59


N_ACTIONS = 60
MAX_LEGAL = 60
FIRST_MAIN, LAST_MAIN = Do.OVERWORK, Do.SELL_DEVELOPMENT - 1


FIRST_OF = np.array([Do[act.name] for act in Act] + [LAST_MAIN + 1])  # Act -> its first action
ACT_OF = np.array([sum(Do[act.name] <= action for act in Act) - 1 for action in range(N_ACTIONS)])


class Ask(IntEnum):
    """Questions for a seat. `a` and `b` of all items, questions and steps, are 0.

    None comes up without an answer: MAIN only while an Action is open, SELL only while there is
    something to sell.
    """

    MAIN = 0
    SELL = 1
    PALACE = 2
    PLAN = 3


SEALED = (Ask.PLAN,)


class Step(IntEnum):
    """What the game does by itself, for the seat whose phase it is; END_ROUND is for both."""

    DEVELOPMENT = FIRST_STEP
    UPKEEP = FIRST_STEP + 1
    SETTLE = FIRST_STEP + 2
    DESERT = FIRST_STEP + 3
    PAY_BILL = FIRST_STEP + 4
    START_MAIN = FIRST_STEP + 5
    MAIN = FIRST_STEP + 6
    FOLLOW_PLAN = FIRST_STEP + 7
    END_ROUND = FIRST_STEP + 8


class Ending(IntEnum):
    NONE, CONQUEST, BANKRUPTCY, POINTS = range(4)


class Fault(IntEnum):
    """Promises of the state; the conformance suite asks for them after every move."""

    (NONE, NEGATIVE, HAPPINESS_RANGE, NO_COUNCIL, TOO_MANY_DEVELOPMENTS,
     TOO_MUCH_TILLED) = range(6)


class Refusal(IntEnum):
    """Why an action may not be taken."""

    (NONE, OVER, NOT_ASKED, NO_ACTION_POINT, TOO_POOR, NO_FARM, NO_FREE_SLOT, NOBODY_THERE,
     LAST_COUNCILLOR, NO_ROOM, NO_CITIZENS, NO_COMMANDER_LEFT, HELD_FESTIVAL, ATTACKED_ALREADY,
     NO_WORKSHOP, BUILT_ALREADY, FREE_LIMIT, TRUCE, MUST_SPEND, NOTHING_TO_SELL
     ) = range(20)


class Event(IntEnum):
    """What the log tells."""

    (ROUND, INCOME, ACTION_POINTS, ARMY_GREW, FORT_GREW, FORT_RESTORED, UPKEEP,
     SOLD_DEVELOPMENT, SOLD_BUILDING, STOPPED_SELLING, DESERTED, BANKRUPT, PALACE_READY,
     PALACE_LEFT, HAPPINESS, PAID, OVERWORKED, EXPANDED, TILLED, DEVELOPED, TAXED, LEFT_ROLE,
     JOINED_ROLE, RAISED, DECREED, ATTACKED, FORT_LOST, CASTLE_HIT, LOOTED, ROBBED, TOWERS_FELL,
     ARMY_HALVED, CONQUERED, FESTIVAL, PLOWED, BUILT, TURN_ENDED, COMMITTED, SKIPPED,
     GAME_ENDED) = range(40)


N_THINGS = 64


# Content -----------------------------------------------------------------------------------------

class TurnOrder(IntEnum):
    ALTERNATING, PHASED, SIMULTANEOUS = range(3)


class IncomeScope(IntEnum):
    INCOME_STEP, ALL_GOLD_GAINS = range(2)


class IncomeRounding(IntEnum):
    CHANGE_UP, DOWN, NEAREST = range(3)


class UnitRounding(IntEnum):
    AGGREGATE, PER_UNIT = range(2)


class DiscountRounding(IntEnum):
    DISCOUNT_UP, FINAL_COST_UP = range(2)


class CostOrder(IntEnum):
    FLAT_THEN_PERCENT, PERCENT_THEN_FLAT = range(2)


class GrowthBonus(IntEnum):
    TOTAL, PER_LEADER, MULTIPLICATIVE = range(3)


class DesertionResult(IntEnum):
    LEAVE, CITIZEN = range(2)


class Liquidation(IntEnum):
    FORCED, OPTIONAL, NONE = range(3)


class UnspentAp(IntEnum):
    LOST, CARRY, MUST_SPEND = range(3)


class Tiebreak(IntEnum):
    CASTLE_GOLD_POP, DRAW = range(2)


class Uniqueness(IntEnum):
    PER_PLAYER, SHARED = range(2)


class GardensHappiness(IntEnum):
    BUILDING, PER_GARDEN = range(2)


class GreatHall(IntEnum):
    ONCE, ONGOING = range(2)


class PalaceTiming(IntEnum):
    UPKEEP, ON_USE = range(2)


class TempleGranularity(IntEnum):
    PER_EVENT, PER_SOURCE = range(2)


class PlowScope(IntEnum):
    NEXT_ACTION, REST_OF_TURN = range(2)


class Compensation(IntEnum):
    AP1, NONE, GOLD3 = range(3)


def check_content(c: np.record) -> None:
    """What single bounds cannot say."""
    if not c.free_actions_cost_ap and c.free_action_limit == 0:
        raise ValueError("free_actions_cost_ap = false needs a free_action_limit of 1 or more, "
                         "or Tax could be repeated for ever (K-R1).")
    if c.random_end and c.random_end_first > c.random_end_last:
        raise ValueError(f"random_end_first = {c.random_end_first} comes after "
                         f"random_end_last = {c.random_end_last}.")
    if c.start_farms > c.start_lands:
        raise ValueError(f"start_farms = {c.start_farms} do not fit on "
                         f"start_lands = {c.start_lands}.")
    for tier in Tier:
        if c.tier[tier].growth and not c.tier[tier].grows:
            raise ValueError(f"tier.{tier.name.lower()}.growth = {c.tier[tier].growth} says "
                             "nothing where grows = false (K-50).")
        if (c.tier[tier].happiness == 0) != (tier == Tier.CALM):
            raise ValueError(f"tier.{tier.name.lower()}.happiness: only the calm band lies "
                             "around 0 (K-50).")


def fill_bands(c: np.record) -> None:
    """K-50 A band holds from its happiness outward, so the outermost one reached counts."""
    for happiness in range(-MOST_HAPPY, MOST_HAPPY + 1):
        for tier in Tier:
            threshold = c.tier[tier].happiness
            if 0 < threshold <= happiness or happiness <= threshold < 0:
                c.band[happiness + MOST_HAPPY] = tier


CONTENT = Schema(
    rules={
        "start_gold": Number(0, 1000), "start_lands": Number(1, 20),
        "start_farms": Number(0, 20), "start_council": Number(1, 10),
        "start_happiness": Number(-10, 10), "castle_cap": Number(0, 20),
        "farm_income": Number(0, 50), "garden_income": Number(0, 50),
        "temple_income": Number(0, 50), "mill_bonus": Number(0, 50),
        "overwork_gold": Number(0, 50), "tax_gold": Number(0, 50),
        "market_bonus": Number(0, 50), "commander_growth": Number(0, 200),
        "fortifier_growth": Number(0, 200), "barracks_growth": Number(0, 200),
        "citadel_growth": Number(0, 200), "citadel_fort": Number(0, 100),
        "walls_fort": Number(0, 100), "walls_absorption": Number(0, 100),
        "watchtower_fort": Number(0, 100), "watchtower_absorption": Number(0, 100),
        "outpost_army": Number(0, 100), "outpost_fort": Number(0, 100),
        "loot_percent": Number(0, 100), "guild_loot_percent": Number(0, 100),
        "charter_surcharge": Number(0, 50), "charter_happiness": Number(0, 10),
        "plow_surcharge": Number(0, 50), "festival_happiness": Number(0, 20),
        "festival_damage": Number(1, 10), "decree_unhappiness": Number(0, 20),
        "reallocate_unhappiness": Number(0, 20), "palace_happiness": Number(-10, 10),
        "castle_points": Number(0, 100), "gold_per_point": Number(1, 100),
        "gold_points": Number(0, 100), "developments_per_point": Number(1, 100),
        "development_points": Number(0, 100), "buildings_per_point": Number(1, 100),
        "unhappy_points": Number(0, 10),
        "commander_army": Number(0, 100), "barracks_army": Number(0, 100),
        "fortifier_fort": Number(0, 100), "house_cap": Number(0, 20),
        "citadel_cap": Number(0, 20), "temple_cap": Number(0, 20),
        "temple_happiness": Number(0, 20), "expand_happiness": Number(0, 20),
        "raise_happiness": Number(0, 20), "hit_happiness": Number(0, 20),
        "gardens_happiness_gain": Number(0, 20), "palace_unhappiness": Number(0, 20),
        "gardens_lands": Number(0, 5),
        "turn_order": Choice(TurnOrder), "turn_limit": Number(1, 99), "random_end": Switch(),
        "random_end_first": Number(1, 99), "random_end_last": Number(1, 99),
        "free_actions_cost_ap": Switch(), "free_action_limit": Number(0, 20),
        "income_scope": Choice(IncomeScope), "income_rounding": Choice(IncomeRounding),
        "happiness_unit_rounding": Choice(UnitRounding),
        "discount_rounding": Choice(DiscountRounding), "cost_order": Choice(CostOrder),
        "growth_bonus_mode": Choice(GrowthBonus), "min_ap_at_minus10": Number(0, 1),
        "watchtower_keep_fort": Switch(), "festival_after_attack": Switch(),
        "raise_pop_citizen": Switch(), "desertion_result": Choice(DesertionResult),
        "liquidation": Choice(Liquidation), "unspent_ap": Choice(UnspentAp),
        "tiebreak": Choice(Tiebreak), "building_uniqueness": Choice(Uniqueness),
        "gardens_happiness": Choice(GardensHappiness), "great_hall": Choice(GreatHall),
        "palace_timing": Choice(PalaceTiming), "palace_optional": Switch(),
        "temple_granularity": Choice(TempleGranularity), "plow_scope": Choice(PlowScope),
        "compensation": Choice(Compensation), "hr_truce_rounds": Number(0, 99),
        "hr_fort_restore": Switch(), "hr_attack_halves_army": Switch(),
        "hr_castle_hp": Number(1, 1000),
    },
    check=check_content,
    derived={"band": ("i1", 2 * MOST_HAPPY + 1)},  # happiness + MOST_HAPPY -> Tier
    derive=fill_bands,
    action=Cards(Act, name=Text(), price=Number(0, 99), text=Text()),
    development=Cards(Development, name=Text(), sale=Number(0, 99), text=Text()),
    building=Cards(Building, name=Text(), price=Number(0, 99), text=Text()),
    role=Cards(Role, name=Text(), upkeep=Number(0, 99), text=Text()),
    tier=Cards(Tier, name=Text(), happiness=Number(-10, 10), income=Number(-100, 200),
               discount=Number(0, 100), growth=Number(0, 200), grows=Switch(), half_ap=Switch()),
)

State = record(
    rng="u8",
    army=("i8", SEATS),
    fort=("i8", SEATS),
    gold=("i4", SEATS),
    ap=("i4", SEATS),
    happiness=("i4", SEATS),
    castle=("i4", SEATS),
    lands=("i4", SEATS),
    tilled=("i4", SEATS),  # how many of the lands hold two developments instead of one
    people=("i4", (SEATS, N_ROLES)),
    developments=("i4", (SEATS, N_DEVELOPMENTS)),
    attacks=("i2", SEATS),  # made in the present Main Phase
    free_taken=("i2", (SEATS, 2)),  # Overwork and Tax taken this turn, for free_action_limit
    built=("u1", (SEATS, N_BUILDINGS)),
    festival_open=("u1", SEATS),  # attacks on this seat double
    held_festival=("u1", SEATS),  # in the present Main Phase
    plow_token=("u1", SEATS),
    palace_free=("u1", SEATS),  # the first Action of the coming Main Phase costs no gold
    acted=("u1", SEATS),  # took an Action in the present Main Phase
    plan=("i1", (SEATS, PLAN_LENGTH)),  # a secret list of actions (turn_order = simultaneous)
    planned=("u1", SEATS),
    followed=("i1", (SEATS, PLAN_LENGTH)),  # the list last carried out, for all to see
    round_number="i2",
    ending="i1",
    winners="u1",
    **agenda_fields(12),
)
