"""Kingdom's rules: the turn, its phases and the end. `actions.py` holds the Actions of the Main
Phase, `assets.py` what a kingdom is made of.

Source: the designer's prototype rulebook (a duel of two kingdoms) with our rulings (K-R1 and on);
`rulebook.md` is the authority here. Deviations: army and fort are bounded (K-58), a committed
list holds at most 16 actions (K-59).
"""

from exchequer.core.agenda import asked, then, top_seat
from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.contract import leaders, list_legal, run_steps
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.records import NOBODY, rule
from exchequer.games.kingdom.actions import act, act_refusal, can_act, end_game, legal_acts
from exchequer.games.kingdom.assets import (
    add_army,
    add_fort,
    add_person,
    bill,
    change_happiness,
    cheer,
    developments_placed,
    lose_development,
    population,
    remove_building,
    remove_person,
    scaled_income,
    slots,
    tier_of,
    up,
)
from exchequer.games.kingdom.state import (
    FIRST,
    FIRST_MAIN,
    LAST_MAIN,
    MOST_HAPPY,
    N_ACTIONS,
    N_BUILDINGS,
    N_DEVELOPMENTS,
    PLAN_LENGTH,
    SEATS,
    SECOND,
    Ask,
    Building,
    Compensation,
    DesertionResult,
    Development,
    Do,
    Ending,
    Event,
    Fault,
    GardensHappiness,
    GrowthBonus,
    Liquidation,
    PalaceTiming,
    Refusal,
    Role,
    Step,
    Tiebreak,
    TurnOrder,
    UnspentAp,
)

# The contract ------------------------------------------------------------------------------------


@rule
def setup(s, c, seats, seed, log):
    """K-1 K-2 K-5 Two equal kingdoms; who is A is decided by the seating."""
    seed_chance(s, seed, GAME_STREAM)
    for seat in range(SEATS):
        s.gold[seat] = c.start_gold
        s.lands[seat] = c.start_lands
        s.castle[seat] = c.hr_castle_hp
        s.happiness[seat] = c.start_happiness
        s.people[seat, Role.COUNCIL] = c.start_council
        s.developments[seat, Development.FARM] = c.start_farms
    if c.compensation == Compensation.GOLD3:  # K-R22
        s.gold[SECOND] += 3
    start_round(s, c, 1, log)
    run_steps(s, c, log)


@rule
def legal(s, c, out):
    """Every action that is not refused; only those the present question can have are tried."""
    if asked(s) == Ask.MAIN:
        count = 0
        if end_refusal(s, c, top_seat(s)) == Refusal.NONE:
            out[count] = Do.END
            count += 1
        return legal_acts(s, c, top_seat(s), out, count)
    first = 0 if asked(s) == Ask.PLAN else LAST_MAIN + 1
    return list_legal(s, c, first, N_ACTIONS, out, 0)


@rule
def answer_refusal(s, c, ask, seat, action):
    if ask == Ask.MAIN and action <= LAST_MAIN:
        return end_refusal(s, c, seat) if action == Do.END else act_refusal(s, c, seat, action)
    if ask == Ask.SELL and Do.SELL_DEVELOPMENT <= action <= Do.STOP_SELLING:
        return sale_refusal(s, c, seat, action)
    if ask == Ask.PLAN and action <= LAST_MAIN:
        return plan_refusal(s, c, seat, action)
    if ask == Ask.PALACE and action >= Do.USE_PALACE:
        return Refusal.NONE
    return Refusal.NOT_ASKED


@handles(Ask.MAIN)
def take_action(s, c, seat, action, log):
    """K-20 One Action after the other."""
    then(s, Step.MAIN, seat, 0, 0)
    act(s, c, seat, action, log)


@handles(Ask.SELL)
def sell_one(s, c, seat, action, log):
    """K-14 And on until the bill can be paid."""
    then(s, Step.SETTLE, seat, 0, 0)
    sell(s, c, seat, action, log)


@handles(Ask.SELL, Do.STOP_SELLING)
def stop_selling(seat, log):
    """K-R19"""
    note(log, Event.STOPPED_SELLING, seat, 0, 1)


@handles(Ask.PALACE, Do.LEAVE_PALACE)
def leave_palace(seat, log):
    """K-18"""
    note(log, Event.PALACE_LEFT, seat, 0, 1)


@rule
def score(s, c, seat):
    """K-56 Points for castle, gold, developments, people, happiness and buildings."""
    return (castle_score(s, c, seat) + gold_score(s, c, seat) + development_score(s, c, seat)
            + population(s, seat) + happiness_score(s, c, seat) + building_score(s, c, seat))


@rule
def castle_score(s, c, seat):
    """K-56"""
    return min(s.castle[seat], c.castle_points)


@rule
def gold_score(s, c, seat):
    """K-56"""
    return min(s.gold[seat] // c.gold_per_point, c.gold_points)


@rule
def development_score(s, c, seat):
    """K-56"""
    return min(developments_placed(s, seat) // c.developments_per_point, c.development_points)


@rule
def happiness_score(s, c, seat):
    """K-56"""
    return max(s.happiness[seat], -c.unhappy_points)


@rule
def building_score(s, c, seat):
    """K-56"""
    built = 0
    for building in range(N_BUILDINGS):
        built += s.built[seat, building]
    return built // c.buildings_per_point


@rule
def fault(s, c):
    """K-2 K-3 The ranges that the state must keep."""
    for seat in range(SEATS):
        if min(s.gold[seat], s.ap[seat], s.army[seat], s.fort[seat], s.castle[seat]) < 0:
            return Fault.NEGATIVE
        if abs(s.happiness[seat]) > MOST_HAPPY:
            return Fault.HAPPINESS_RANGE
        if s.people[seat, Role.COUNCIL] < 1:
            return Fault.NO_COUNCIL
        if developments_placed(s, seat) > slots(s, seat):
            return Fault.TOO_MANY_DEVELOPMENTS
        if s.tilled[seat] > s.lands[seat]:
            return Fault.TOO_MUCH_TILLED
    return Fault.NONE


@rule
def observe(s, c, seat):
    """K-59 All is open but coming chance and the list the other seat has committed to."""
    s.rng = 0
    s.plan[1 - seat, :] = 0
    s.planned[1 - seat] = 0


@rule
def determinize(s, c, seat, seed):
    """K-59 The other seat's list may hold anything."""
    seed_chance(s, seed, GAME_STREAM)
    other = 1 - seat
    if asked(s) == Ask.PLAN and other <= top_seat(s):
        s.planned[other] = roll(s, PLAN_LENGTH)
        for i in range(s.planned[other]):
            s.plan[other, i] = FIRST_MAIN + roll(s, LAST_MAIN - FIRST_MAIN + 1)


# Rounds and turns (K-6 to K-8) -------------------------------------------------------------------

@rule
def start_round(s, c, number, log):
    """K-6 K-7 K-R21 Each player's three phases, in the order the switch asks for."""
    s.round_number = number
    note(log, Event.ROUND, FIRST, 0, number)
    then(s, Step.END_ROUND, FIRST, 0, 0)
    if c.turn_order == TurnOrder.ALTERNATING:
        for seat in range(SECOND, FIRST - 1, -1):
            then(s, Step.START_MAIN, seat, 0, 0)
            then(s, Step.UPKEEP, seat, 0, 0)
            then(s, Step.DEVELOPMENT, seat, 0, 0)
        return
    if c.turn_order == TurnOrder.SIMULTANEOUS:
        for seat in range(SECOND, FIRST - 1, -1):
            then(s, Step.FOLLOW_PLAN, seat, 0, 0)
        for seat in range(SECOND, FIRST - 1, -1):
            then(s, Ask.PLAN, seat, 0, 0)
    for step in (Step.START_MAIN, Step.UPKEEP, Step.DEVELOPMENT):
        for seat in range(SECOND, FIRST - 1, -1):
            then(s, step, seat, 0, 0)


# Development Phase (K-9 to K-12) -----------------------------------------------------------------

@handles(Step.DEVELOPMENT)
def develop_kingdom(s, c, seat, log):
    """K-9 to K-12 in this order."""
    collect_income(s, c, seat, log)
    gain_action_points(s, c, seat, log)
    if c.tier[tier_of(s, c, seat)].grows:
        grow(s, c, seat, log)


@rule
def income(s, c, seat):
    """K-10 K-42 K-45 K-46b K-46j All sources first, then the happiness percentage once."""
    farm = c.farm_income + c.mill_bonus * s.built[seat, Building.MILL]
    total = (farm * s.developments[seat, Development.FARM]
             + c.garden_income * s.developments[seat, Development.GARDEN]
             + c.temple_income * s.built[seat, Building.TEMPLE])
    return scaled_income(c, total, c.tier[tier_of(s, c, seat)].income)


@rule
def collect_income(s, c, seat, log):
    """K-10"""
    gold = income(s, c, seat)
    s.gold[seat] += gold
    note(log, Event.INCOME, seat, 0, gold)


@rule
def gain_action_points(s, c, seat, log):
    """K-9 K-11 K-R9 One for each councillor, half when revolting; one more in B's first turn."""
    council = s.people[seat, Role.COUNCIL]
    if c.tier[tier_of(s, c, seat)].half_ap:
        council = max(council // 2, c.min_ap_at_minus10)
    if seat == SECOND and s.round_number == 1 and c.compensation == Compensation.AP1:
        council += 1
    if c.unspent_ap == UnspentAp.CARRY:
        council += s.ap[seat]
    s.ap[seat] = council
    note(log, Event.ACTION_POINTS, seat, 0, council)


@rule
def growth_rate(c, leaders, each, bonus):
    """K-12 K-R10 K-R11 Growth in hundredths of a percent; the leaders' percentages add."""
    if leaders == 0:
        return 0
    if c.growth_bonus_mode == GrowthBonus.PER_LEADER:
        return leaders * (each + bonus) * 100
    if c.growth_bonus_mode == GrowthBonus.MULTIPLICATIVE:
        return leaders * each * (100 + bonus)
    return (leaders * each + bonus) * 100


@rule
def grow(s, c, seat, log):
    """K-12 K-R12 Both pools grow from what they are, each rounded up once."""
    bonus = c.tier[tier_of(s, c, seat)].growth
    fortifiers = s.people[seat, Role.FORTIFIER]
    if c.hr_fort_restore and s.fort[seat] < fortifiers:
        note(log, Event.FORT_RESTORED, seat, 0, fortifiers - s.fort[seat])
        s.fort[seat] = fortifiers
    army_rate = growth_rate(
        c, s.people[seat, Role.COMMANDER],
        c.commander_growth + c.barracks_growth * s.built[seat, Building.BARRACKS], bonus)
    fort_rate = growth_rate(
        c, fortifiers,
        c.fortifier_growth + c.citadel_growth * s.built[seat, Building.CITADEL], bonus)
    army = up(s.army[seat] * army_rate, 10_000)
    fort = up(s.fort[seat] * fort_rate, 10_000)
    if army > 0:
        add_army(s, seat, army)
        note(log, Event.ARMY_GREW, seat, 0, army)
    if fort > 0:
        add_fort(s, seat, fort)
        note(log, Event.FORT_GREW, seat, 0, fort)


# Upkeep Phase (K-13 to K-18) ---------------------------------------------------------------------

@handles(Step.UPKEEP)
def start_upkeep(s, c, seat, log):
    """K-13 Pay the bill; whoever is short sells, then loses people, then is bankrupt."""
    if s.gold[seat] >= bill(s, c, seat):
        pay_bill(s, c, seat, log)
        return
    then(s, Step.PAY_BILL, seat, 0, 0)
    then(s, Step.DESERT, seat, 0, 0)
    then(s, Step.SETTLE, seat, 0, 0)


@handles(Step.SETTLE)
def settle(s, c, seat, log):
    """K-14 While the bill cannot be met and something can be sold, the owner sells."""
    while s.gold[seat] < bill(s, c, seat) and c.liquidation != Liquidation.NONE:
        count, only = sellable(s, seat)
        if count == 0:
            return
        if count > 1 or c.liquidation == Liquidation.OPTIONAL:
            then(s, Ask.SELL, seat, 0, 0)
            return
        sell(s, c, seat, only, log)  # a question with a single answer is not asked


@rule
def sellable(s, seat):
    """How many kinds of things could be sold, and the last of them."""
    count, found = 0, NOBODY
    for kind in range(N_DEVELOPMENTS):
        if s.developments[seat, kind] > 0:
            count += 1
            found = Do.SELL_DEVELOPMENT + kind
    for building in range(N_BUILDINGS):
        if s.built[seat, building]:
            count += 1
            found = Do.SELL_BUILDING + building
    return count, found


@rule
def sale_refusal(s, c, seat, action):
    """K-14 Only what one has; stopping early is a switch (K-R19)."""
    if action == Do.STOP_SELLING:
        optional = c.liquidation == Liquidation.OPTIONAL
        return Refusal.NONE if optional else Refusal.NOT_ASKED
    if action >= Do.SELL_BUILDING:
        owned = s.built[seat, action - Do.SELL_BUILDING] > 0
    else:
        owned = s.developments[seat, action - Do.SELL_DEVELOPMENT] > 0
    return Refusal.NONE if owned else Refusal.NOTHING_TO_SELL


@rule
def sell(s, c, seat, action, log):
    """K-14 K-15 To the bank, a building for half its price; what it gave goes with it."""
    if action >= Do.SELL_BUILDING:
        building = action - Do.SELL_BUILDING
        gold = c.building[building].price // 2
        remove_building(s, c, seat, building)
        note(log, Event.SOLD_BUILDING, seat, building, gold)
    else:
        kind = action - Do.SELL_DEVELOPMENT
        gold = c.development[kind].sale
        lose_development(s, c, seat, kind)
        note(log, Event.SOLD_DEVELOPMENT, seat, kind, gold)
    s.gold[seat] += gold


@rule
def next_deserter(s, seat):
    """K-16 Commanders first, then fortifiers, then councillors down to one."""
    if s.people[seat, Role.COMMANDER] > 0:
        return Role.COMMANDER
    if s.people[seat, Role.FORTIFIER] > 0:
        return Role.FORTIFIER
    if s.people[seat, Role.COUNCIL] > 1:
        return Role.COUNCIL
    return NOBODY


@handles(Step.DESERT)
def desert(s, c, seat, log):
    """K-16 K-R20 People leave one at a time until the bill can be met."""
    while s.gold[seat] < bill(s, c, seat):
        role = next_deserter(s, seat)
        if role == NOBODY:
            return
        remove_person(s, c, seat, role)
        note(log, Event.DESERTED, seat, role, 1)
        if c.desertion_result == DesertionResult.CITIZEN:
            add_person(s, c, seat, Role.CITIZEN)


@handles(Step.PAY_BILL)
def pay_bill(s, c, seat, log):
    """K-13 K-17 K-55 Pay, or be bankrupt."""
    due = bill(s, c, seat)
    if s.gold[seat] < due:
        note(log, Event.BANKRUPT, seat, 0, due)
        end_game(s, Ending.BANKRUPTCY, 1 << (1 - seat), log)
        return
    s.gold[seat] -= due
    note(log, Event.UPKEEP, seat, 0, due)
    end_upkeep(s, c, seat, log)


@rule
def end_upkeep(s, c, seat, log):
    """K-18 K-46k Castle Gardens, then Palace; their conditions exclude each other."""
    gardens = s.built[seat, Building.CASTLE_GARDENS]
    if c.gardens_happiness == GardensHappiness.PER_GARDEN:  # K-R28
        gardens = s.developments[seat, Development.GARDEN]
    for _ in range(gardens):
        if s.happiness[seat] < 0:
            cheer(s, c, seat, c.gardens_happiness_gain, log)
    if s.built[seat, Building.PALACE] and s.happiness[seat] >= c.palace_happiness:
        if c.palace_optional:
            then(s, Ask.PALACE, seat, 0, 0)
        else:
            ready_palace(s, c, seat, log)


@handles(Ask.PALACE, Do.USE_PALACE)
def ready_palace(s, c, seat, log):
    """K-18 K-R29 The first Action will cost no gold; the people notice."""
    s.palace_free[seat] = 1
    note(log, Event.PALACE_READY, seat, 0, 1)
    if c.palace_timing == PalaceTiming.UPKEEP:
        change_happiness(s, seat, -c.palace_unhappiness, log)


# Main Phase (K-19, K-20, K-36) -------------------------------------------------------------------

@handles(Step.START_MAIN)
def start_main(s, c, seat):
    """K-19 What the last turn left open is over."""
    s.festival_open[seat] = 0
    s.held_festival[seat] = 0
    s.attacks[seat] = 0
    s.plow_token[seat] = 0
    s.acted[seat] = 0
    s.free_taken[seat, :] = 0
    if c.turn_order != TurnOrder.SIMULTANEOUS:
        then(s, Step.MAIN, seat, 0, 0)


@handles(Step.MAIN)
def go_on(s, c, seat, log):
    """K-20 The turn goes on while an Action is open; a lone "end turn" is not asked."""
    if can_act(s, c, seat):
        then(s, Ask.MAIN, seat, 0, 0)
    else:
        end_turn(s, c, seat, log)


@rule
def end_refusal(s, c, seat):
    """K-36 Always allowed, unless action points must be spent (K-R23)."""
    if c.unspent_ap == UnspentAp.MUST_SPEND and s.ap[seat] > 0:
        return Refusal.MUST_SPEND
    return Refusal.NONE


@handles(Ask.MAIN, Do.END)
def end_turn(s, c, seat, log):
    """K-20 K-22 K-36 Unspent action points, the token and the free Action lapse."""
    note(log, Event.TURN_ENDED, seat, 0, s.ap[seat])
    if c.unspent_ap != UnspentAp.CARRY:
        s.ap[seat] = 0
    s.palace_free[seat] = 0
    s.plow_token[seat] = 0


@rule
def plan_refusal(s, c, seat, action):
    """K-59 Any Action may be listed; what is illegal when its time comes is skipped."""
    if action == Do.RAISE + Role.CITIZEN and not c.raise_pop_citizen:
        return Refusal.NO_CITIZENS
    return Refusal.NONE


@handles(Ask.PLAN)
def plan(s, seat, action, log):
    """K-59 K-R21 Add to the secret list; END, or a full list, commits to it."""
    if action != Do.END:
        s.plan[seat, s.planned[seat]] = action
        s.planned[seat] += 1
        if s.planned[seat] < PLAN_LENGTH:
            then(s, Ask.PLAN, seat, 0, 0)
            return
    note(log, Event.COMMITTED, seat, 0, 1)


@handles(Step.FOLLOW_PLAN)
def follow_plan(s, c, seat, log):
    """K-59 K-R21 The list is carried out in order; an illegal action costs nothing."""
    count = s.planned[seat]
    s.planned[seat] = 0
    for i in range(PLAN_LENGTH):
        s.followed[seat, i] = s.plan[seat, i]
        s.plan[seat, i] = 0
    for i in range(count):
        action = s.followed[seat, i]
        if act_refusal(s, c, seat, action) == Refusal.NONE:
            act(s, c, seat, action, log)
            if s.ending != Ending.NONE:
                return
        else:
            note(log, Event.SKIPPED, seat, action, 1)
    end_turn(s, c, seat, log)


# The end (K-54 to K-57) --------------------------------------------------------------------------

@rule
def is_last_round(s, c):
    """K-56 K-R24 After `turn_limit` rounds, or by lot with equal chance for each of the range."""
    if not c.random_end:
        return s.round_number >= c.turn_limit
    if s.round_number < c.random_end_first:
        return False
    rounds_left = c.random_end_last - s.round_number
    return rounds_left <= 0 or roll(s, rounds_left + 1) == 0


@handles(Step.END_ROUND)
def end_round(s, c, log):
    """K-6 K-56 Another round, or the points are counted."""
    if is_last_round(s, c):
        end_game(s, Ending.POINTS, leaders(s, c, SEATS), log)
    else:
        start_round(s, c, s.round_number + 1, log)


@rule
def lead(s, c, seat, other):
    """K-56 K-57 K-R25 Points, then castle, gold and people; a draw is shared."""
    ahead = score(s, c, seat) - score(s, c, other)
    if c.tiebreak == Tiebreak.CASTLE_GOLD_POP:
        if ahead == 0:
            ahead = s.castle[seat] - s.castle[other]
        if ahead == 0:
            ahead = s.gold[seat] - s.gold[other]
        if ahead == 0:
            ahead = population(s, seat) - population(s, other)
    return ahead
