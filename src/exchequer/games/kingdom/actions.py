"""The Actions of the Main Phase: what they need, what they cost, what they do (K-20 to K-46)."""

from exchequer.core.agenda import drop_all
from exchequer.core.log import ALL, note, note_for
from exchequer.core.records import rule
from exchequer.games.kingdom.assets import (
    absorption,
    add_army,
    add_fort,
    add_land,
    add_person,
    change_happiness,
    cheer,
    free_slots,
    place_development,
    population,
    population_cap,
    remove_person,
    scaled_income,
    tier_of,
    till,
    up,
)
from exchequer.games.kingdom.state import (
    ACT_OF,
    FIRST_MAIN,
    FIRST_OF,
    LAST_MAIN,
    N_ACTS,
    Act,
    Building,
    CostOrder,
    Development,
    DiscountRounding,
    Do,
    Ending,
    Event,
    IncomeScope,
    PalaceTiming,
    PlowScope,
    Refusal,
    Role,
    TempleGranularity,
    Uniqueness,
    UnitRounding,
)

# What an Action is -------------------------------------------------------------------------------


@rule
def moved_from(move):
    """K-29 Who is moved by REALLOCATE + move; the last three move a citizen."""
    return move // 2 if move < 6 else Role.CITIZEN


@rule
def moved_to(move):
    """K-29 Where to: one of the other two roles."""
    return (move // 2 + 1 + move % 2) % 3 if move < 6 else move - 6


@rule
def is_free(c, kind):
    """K-20 K-R1 Free means no gold; only the literal reading lets it cost no action point."""
    return not c.free_actions_cost_ap and (
        kind == Act.OVERWORK or kind == Act.TAX or kind == Act.ATTACK)


# Cost (K-22) -------------------------------------------------------------------------------------

@rule
def surcharge(s, c, seat, kind):
    """K-22 What is added to a price: Town Charter on Expand, a waiting Plow token on anything."""
    extra = c.plow_surcharge * s.plow_token[seat]
    if kind == Act.EXPAND:
        extra += c.charter_surcharge * s.built[seat, Building.TOWN_CHARTER]
    return extra


@rule
def discounted(c, cost, percent):
    """K-22 K-R6 The discount is rounded up, or, by the switch, the final cost."""
    if c.discount_rounding == DiscountRounding.FINAL_COST_UP:
        return up(cost * (100 - percent), 100)
    return cost - up(cost * percent, 100)


@rule
def gold_cost(s, c, seat, kind, choice):
    """K-22 K-35 K-R7 Base price, surcharges, the builders' discount, the Palace's free Action."""
    if s.palace_free[seat] and not s.acted[seat]:
        return 0
    extra = surcharge(s, c, seat, kind)
    if kind != Act.BUILD:
        return c.action[kind].price + extra
    price = c.building[choice].price + c.action[kind].price
    percent = c.tier[tier_of(s, c, seat)].discount
    if percent == 0:
        return price + extra
    if c.cost_order == CostOrder.PERCENT_THEN_FLAT:
        return discounted(c, price, percent) + extra
    return discounted(c, price + extra, percent)


# Legality ----------------------------------------------------------------------------------------

@rule
def act_refusal(s, c, seat, action):
    """K-20 K-21 K-24 Why a seat may not take this Action now."""
    kind = ACT_OF[action]
    why = kind_refusal(s, c, seat, kind)
    if why == Refusal.NONE:
        why = choice_refusal(s, c, seat, kind, action - FIRST_OF[kind])
    return why


@rule
def legal_acts(s, c, seat, out, count):
    """Write the Actions that are not refused; a kind that is refused is not looked into."""
    for kind in range(N_ACTS):
        if kind_refusal(s, c, seat, kind) == Refusal.NONE:
            for action in range(FIRST_OF[kind], FIRST_OF[kind + 1]):
                if choice_refusal(s, c, seat, kind, action - FIRST_OF[kind]) == Refusal.NONE:
                    out[count] = action
                    count += 1
    return count


@rule
def can_act(s, c, seat):
    """K-20 Whether any Action is open to the seat."""
    if s.ap[seat] < 1 and c.free_actions_cost_ap:
        return False
    for action in range(FIRST_MAIN, LAST_MAIN + 1):
        if act_refusal(s, c, seat, action) == Refusal.NONE:
            return True
    return False


@rule
def kind_refusal(s, c, seat, kind):
    """K-20 to K-35 K-46d K-R16 What an Action needs whatever is chosen in it."""
    if s.ap[seat] < 1 and not is_free(c, kind):
        return Refusal.NO_ACTION_POINT
    if kind == Act.OVERWORK or kind == Act.TAX:
        why = earning_refusal(s, c, seat, kind)
    elif kind == Act.DEVELOP and free_slots(s, seat) < 1:
        why = Refusal.NO_FREE_SLOT
    elif kind == Act.RAISE and population(s, seat) >= population_cap(s, c, seat):
        why = Refusal.NO_ROOM
    elif kind == Act.ATTACK:
        why = attack_refusal(s, c, seat)
    elif kind == Act.FESTIVAL and s.attacks[seat] > 0 and not c.festival_after_attack:
        why = Refusal.ATTACKED_ALREADY
    elif kind == Act.PLOW and not s.built[seat, Building.PLOW_WORKSHOP]:
        why = Refusal.NO_WORKSHOP
    else:
        why = Refusal.NONE
    if why == Refusal.NONE and kind != Act.BUILD and s.gold[seat] < gold_cost(s, c, seat, kind, 0):
        why = Refusal.TOO_POOR
    return why


@rule
def choice_refusal(s, c, seat, kind, choice):
    """K-29 K-30 K-35 K-R18 What the choice made in an Action needs."""
    if kind == Act.BUILD:
        return build_refusal(s, c, seat, choice)
    if kind == Act.REALLOCATE:
        return reallocate_refusal(s, seat, moved_from(choice))
    if kind == Act.RAISE and choice == Role.CITIZEN and not c.raise_pop_citizen:
        return Refusal.NO_CITIZENS
    return Refusal.NONE


@rule
def earning_refusal(s, c, seat, kind):
    """K-24 K-25 Overwork needs a Farm; K-R1 a limit may hold for Overwork and Tax."""
    if kind == Act.OVERWORK and s.developments[seat, Development.FARM] < 1:
        return Refusal.NO_FARM
    if c.free_action_limit > 0:
        if s.free_taken[seat, 0 if kind == Act.OVERWORK else 1] >= c.free_action_limit:
            return Refusal.FREE_LIMIT
    return Refusal.NONE


@rule
def attack_refusal(s, c, seat):
    """K-32 K-39 One attack for each commander, none in a turn with a festival."""
    if s.round_number <= c.hr_truce_rounds:
        return Refusal.TRUCE
    if s.held_festival[seat]:
        return Refusal.HELD_FESTIVAL
    if s.attacks[seat] >= s.people[seat, Role.COMMANDER]:
        return Refusal.NO_COMMANDER_LEFT
    return Refusal.NONE


@rule
def build_refusal(s, c, seat, building):
    """K-35 K-R27 Each building once per kingdom, or once in all."""
    if s.built[seat, building]:
        return Refusal.BUILT_ALREADY
    if c.building_uniqueness == Uniqueness.SHARED and s.built[1 - seat, building]:
        return Refusal.BUILT_ALREADY
    if s.gold[seat] < gold_cost(s, c, seat, Act.BUILD, building):
        return Refusal.TOO_POOR
    return Refusal.NONE


@rule
def reallocate_refusal(s, seat, role):
    """K-29 Somebody must be there, and one councillor always stays."""
    if s.people[seat, role] < 1:
        return Refusal.NOBODY_THERE
    if role == Role.COUNCIL and s.people[seat, role] == 1:
        return Refusal.LAST_COUNCILLOR
    return Refusal.NONE


# Taking an Action --------------------------------------------------------------------------------

@rule
def act(s, c, seat, action, log):
    """K-21 Pay, then resolve. The caller has checked that the Action is legal."""
    kind = ACT_OF[action]
    pay(s, c, seat, kind, action, log)
    was_palace = s.palace_free[seat]
    s.palace_free[seat] = 0
    s.acted[seat] = 1
    if c.plow_scope == PlowScope.NEXT_ACTION:  # K-22 K-34 used up, even by a free Action
        s.plow_token[seat] = 0
    resolve(s, c, seat, kind, action, log)
    if was_palace and c.palace_timing == PalaceTiming.ON_USE:
        change_happiness(s, seat, -c.palace_unhappiness, log)


@rule
def pay(s, c, seat, kind, action, log):
    """K-20 K-21 One action point and the gold."""
    cost = gold_cost(s, c, seat, kind, action - FIRST_OF[kind])
    if not is_free(c, kind):
        s.ap[seat] -= 1
    s.gold[seat] -= cost
    note(log, Event.PAID, seat, action, cost)


@rule
def resolve(s, c, seat, kind, action, log):
    """K-21 The effects, in written order."""
    if kind == Act.OVERWORK:
        overwork(s, c, seat, log)
    elif kind == Act.EXPAND:
        expand(s, c, seat, log)
    elif kind == Act.DEVELOP:
        place_development(s, c, seat, action - Do.DEVELOP, log)
    elif kind == Act.TAX:
        tax(s, c, seat, log)
    elif kind == Act.REALLOCATE:
        reallocate(s, c, seat, action - Do.REALLOCATE, log)
    elif kind == Act.RAISE:
        raise_population(s, c, seat, action - Do.RAISE, log)
    elif kind == Act.DECREE:
        decree(s, c, seat, action - Do.DECREE, log)
    elif kind == Act.ATTACK:
        attack(s, c, seat, log)
    elif kind == Act.FESTIVAL:
        hold_festival(s, c, seat, log)
    elif kind == Act.PLOW:
        plow(s, c, seat, log)
    else:
        build(s, c, seat, action - Do.BUILD, log)


@rule
def earned(s, c, seat, amount):
    """K-R3 Gold outside the Income step is scaled only by the switch."""
    if c.income_scope == IncomeScope.ALL_GOLD_GAINS:
        return scaled_income(c, amount, c.tier[tier_of(s, c, seat)].income)
    return amount


@rule
def discontent(c, units):
    """K-52 Half a point for each, rounded up on the sum (or on each, K-R5)."""
    return units if c.happiness_unit_rounding == UnitRounding.PER_UNIT else up(units, 2)


@rule
def overwork(s, c, seat, log):
    """K-25 Gold from every Farm, and tired people."""
    farms = s.developments[seat, Development.FARM]
    each = c.overwork_gold + c.mill_bonus * s.built[seat, Building.MILL]
    gold = earned(s, c, seat, farms * each)
    s.gold[seat] += gold
    s.free_taken[seat, 0] += 1
    note(log, Event.OVERWORKED, seat, 0, gold)
    change_happiness(s, seat, -discontent(c, farms), log)


@rule
def tax(s, c, seat, log):
    """K-28 K-46e Gold from everybody, and angry people."""
    people = population(s, seat)
    each = c.tax_gold + c.market_bonus * s.built[seat, Building.MARKET]
    gold = earned(s, c, seat, people * each)
    s.gold[seat] += gold
    s.free_taken[seat, 1] += 1
    note(log, Event.TAXED, seat, 0, gold)
    change_happiness(s, seat, -discontent(c, people), log)


@rule
def expand(s, c, seat, log):
    """K-26 K-23 K-46a A new Land and happiness; also as part of another effect."""
    add_land(s, c, seat, log)
    extra = c.charter_happiness if s.built[seat, Building.TOWN_CHARTER] else 0
    if c.temple_granularity == TempleGranularity.PER_SOURCE:  # K-R31
        cheer(s, c, seat, c.expand_happiness, log)
        cheer(s, c, seat, extra, log)
    else:
        cheer(s, c, seat, c.expand_happiness + extra, log)


@rule
def reallocate(s, c, seat, move, log):
    """K-29 One person changes the role; its bonus is lost, the new one gained."""
    note(log, Event.LEFT_ROLE, seat, moved_from(move), 1)
    remove_person(s, c, seat, moved_from(move))
    note(log, Event.JOINED_ROLE, seat, moved_to(move), 1)
    add_person(s, c, seat, moved_to(move))
    change_happiness(s, seat, -c.reallocate_unhappiness, log)


@rule
def raise_population(s, c, seat, role, log):
    """K-30 One more person, in a role at once."""
    note(log, Event.RAISED, seat, role, 1)
    add_person(s, c, seat, role)
    cheer(s, c, seat, c.raise_happiness, log)


@rule
def decree(s, c, seat, kind, log):
    """K-31 K-23 Expand, till the new Land, develop it; the people resent the decree."""
    note(log, Event.DECREED, seat, kind, 1)
    expand(s, c, seat, log)
    till(s, seat, log)
    place_development(s, c, seat, kind, log)
    change_happiness(s, seat, -c.decree_unhappiness, log)


@rule
def hold_festival(s, c, seat, log):
    """K-33 Happiness now; no attack this turn, and open to double damage until the next."""
    s.held_festival[seat] = 1
    s.festival_open[seat] = 1
    note(log, Event.FESTIVAL, seat, 0, 1)
    cheer(s, c, seat, c.festival_happiness, log)


@rule
def plow(s, c, seat, log):
    """K-34 K-23 K-R34 Expand, till the new Land; the next Action costs more."""
    note(log, Event.PLOWED, seat, 0, 1)
    expand(s, c, seat, log)
    till(s, seat, log)
    s.plow_token[seat] = 1


# Building (K-35, K-46) ---------------------------------------------------------------------------

@rule
def build(s, c, seat, building, log):
    """K-46 What a building does as it is built; what lasts is asked where it matters."""
    s.built[seat, building] = 1
    note(log, Event.BUILT, seat, building, 1)
    if building == Building.BARRACKS:
        add_army(s, seat, c.barracks_army * s.people[seat, Role.COMMANDER])  # K-46f K-R35
    elif building == Building.CITADEL:
        add_fort(s, seat, c.citadel_fort)  # K-46g
    elif building == Building.CASTLE_WALLS:
        add_fort(s, seat, c.walls_fort)  # K-46h
    elif building == Building.CASTLE_GARDENS:
        lay_gardens(s, c, seat, log)
    elif building == Building.GREAT_HALL:
        for _ in range(s.lands[seat] - s.tilled[seat]):  # K-46l
            till(s, seat, log)


@rule
def lay_gardens(s, c, seat, log):
    """K-46i K-45 New Lands, tilled, each with a Garden."""
    for _ in range(c.gardens_lands):
        expand(s, c, seat, log)
    for _ in range(c.gardens_lands):
        till(s, seat, log)
    for _ in range(c.gardens_lands):
        place_development(s, c, seat, Development.GARDEN, log)


# Attack (K-38 to K-40) ---------------------------------------------------------------------------

@rule
def attack(s, c, seat, log):
    """K-38 Raw damage, absorption, fortification, castle; then what a hit brings; then towers."""
    foe = 1 - seat
    damage = attack_damage(s, c, seat, foe)
    to_fort = min(s.fort[foe], damage)
    to_castle = min(s.castle[foe], damage - to_fort)
    s.attacks[seat] += 1
    s.fort[foe] -= to_fort
    s.castle[foe] -= to_castle
    note_for(log, Event.ATTACKED, seat, foe, s.festival_open[foe], damage, ALL)
    if to_fort > 0:
        note(log, Event.FORT_LOST, foe, 0, to_fort)
    if to_castle > 0:
        note(log, Event.CASTLE_HIT, foe, s.castle[foe], to_castle)
    if s.castle[foe] == 0:
        conquer(s, seat, log)
        return
    if to_castle > 0:
        plunder(s, c, seat, foe, log)
    topple_towers(s, c, foe, log)
    if c.hr_attack_halves_army:
        note(log, Event.ARMY_HALVED, seat, 0, up(s.army[seat], 2))
        add_army(s, seat, -up(s.army[seat], 2))


@rule
def attack_damage(s, c, seat, foe):
    """K-38 K-R2 A festival multiplies before absorption; the result is rounded down."""
    raw = s.army[seat]
    if s.festival_open[foe]:
        raw *= c.festival_damage
    return raw * (100 - absorption(s, c, foe)) // 100


@rule
def plunder(s, c, seat, foe, log):
    """K-38 K-46c K-R17 A hit castle: moods change and gold is carried off."""
    change_happiness(s, foe, -c.hit_happiness, log)
    cheer(s, c, seat, c.hit_happiness, log)
    percent = c.guild_loot_percent if s.built[seat, Building.RAIDERS_GUILD] else c.loot_percent
    loot = s.gold[foe] * percent // 100
    gained = earned(s, c, seat, loot)
    s.gold[foe] -= loot
    s.gold[seat] += gained
    if loot > 0:
        note(log, Event.ROBBED, foe, 0, loot)
        note(log, Event.LOOTED, seat, 0, gained)


@rule
def topple_towers(s, c, foe, log):
    """K-40 K-44 K-R13 K-R14 Any attack takes all Watchtowers with their fortification."""
    towers = s.developments[foe, Development.WATCHTOWER]
    if towers > 0:
        s.developments[foe, Development.WATCHTOWER] = 0
        if not c.watchtower_keep_fort:
            add_fort(s, foe, -c.watchtower_fort * towers)
        note(log, Event.TOWERS_FELL, foe, 0, towers)


@rule
def conquer(s, seat, log):
    """K-54 K-8 K-R39 The castle has fallen: nothing further is resolved."""
    note(log, Event.CONQUERED, seat, 0, 1)
    end_game(s, Ending.CONQUEST, 1 << seat, log)


@rule
def end_game(s, why, winners, log):
    """K-8 The game is over."""
    s.ending = why
    s.winners = winners
    drop_all(s)
    note(log, Event.GAME_ENDED, 0, why, winners)
