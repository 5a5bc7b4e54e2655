"""What a kingdom is made of: people, land, developments, buildings, happiness.

A noun, `has_` or `is_` only reads; a verb changes the state and tells the log.
"""

from exchequer.core.log import note
from exchequer.core.records import rule
from exchequer.games.kingdom.state import (
    MOST_HAPPY,
    N_DEVELOPMENTS,
    N_ROLES,
    POOL_LIMIT,
    Building,
    Development,
    Event,
    GreatHall,
    IncomeRounding,
    Role,
)


@rule
def up(a, b):
    """a / b rounded up, for a >= 0."""
    return -((-a) // b)


# Derived values (K-3) ----------------------------------------------------------------------------

@rule
def population(s, seat):
    """K-3 Everybody counts, whatever the role."""
    total = 0
    for role in range(N_ROLES):
        total += s.people[seat, role]
    return total


@rule
def population_cap(s, c, seat):
    """K-3 K-41 The castle's own dwelling, Houses, Citadel, Temple."""
    return (c.castle_cap + c.house_cap * s.developments[seat, Development.HOUSE]
            + c.citadel_cap * s.built[seat, Building.CITADEL]
            + c.temple_cap * s.built[seat, Building.TEMPLE])


@rule
def slots(s, seat):
    """K-3 K-4 A Land holds one development, a tilled one two."""
    return s.lands[seat] + s.tilled[seat]


@rule
def developments_placed(s, seat):
    total = 0
    for kind in range(N_DEVELOPMENTS):
        total += s.developments[seat, kind]
    return total


@rule
def free_slots(s, seat):
    return slots(s, seat) - developments_placed(s, seat)


@rule
def absorption(s, c, seat):
    """K-3 Sources add up to at most 100 percent."""
    return min(100, c.watchtower_absorption * s.developments[seat, Development.WATCHTOWER]
               + c.walls_absorption * s.built[seat, Building.CASTLE_WALLS])


@rule
def bill(s, c, seat):
    """K-13 What the people cost each turn."""
    total = 0
    for role in range(N_ROLES):
        total += c.role[role].upkeep * s.people[seat, role]
    return total


# Happiness (K-50 to K-53) ------------------------------------------------------------------------

@rule
def tier_of(s, c, seat):
    """K-50 The band the happiness lies in."""
    return c.band[s.happiness[seat] + MOST_HAPPY]


@rule
def change_happiness(s, seat, amount, log):
    """K-51 Clamped after every single change. Returns what really changed."""
    before = s.happiness[seat]
    s.happiness[seat] = max(-MOST_HAPPY, min(MOST_HAPPY, before + amount))
    changed = s.happiness[seat] - before
    if changed != 0:
        note(log, Event.HAPPINESS, seat, s.happiness[seat], changed)
    return changed


@rule
def cheer(s, c, seat, amount, log):
    """K-37 K-53 One event of happiness; a Temple adds to it if it really raised anything."""
    raised = change_happiness(s, seat, amount, log)
    if raised > 0 and s.built[seat, Building.TEMPLE]:
        change_happiness(s, seat, c.temple_happiness, log)


@rule
def scaled_income(c, amount, percent):
    """K-10 K-R4 The percentage on a sum of gold, the change rounded away from zero."""
    if c.income_rounding == IncomeRounding.DOWN:
        return amount * (100 + percent) // 100
    if c.income_rounding == IncomeRounding.NEAREST:
        return (amount * (100 + percent) + 50) // 100
    if percent >= 0:
        return amount + up(amount * percent, 100)
    return max(0, amount - up(amount * -percent, 100))


# Strength ----------------------------------------------------------------------------------------

@rule
def add_army(s, seat, amount):
    """K-58 The pool stays between nothing and its bound."""
    s.army[seat] = max(0, min(POOL_LIMIT, s.army[seat] + amount))


@rule
def add_fort(s, seat, amount):
    """K-58 The pool stays between nothing and its bound."""
    s.fort[seat] = max(0, min(POOL_LIMIT, s.fort[seat] + amount))


# People (K-47 to K-49) ---------------------------------------------------------------------------

@rule
def commander_strength(s, c, seat):
    """K-48 K-46f What one commander adds to the army."""
    return c.commander_army + c.barracks_army * s.built[seat, Building.BARRACKS]


@rule
def add_person(s, c, seat, role):
    """K-47 K-48 K-49 Somebody takes a role and brings its bonus at once."""
    s.people[seat, role] += 1
    if role == Role.COUNCIL:
        s.ap[seat] += 1
    elif role == Role.COMMANDER:
        add_army(s, seat, commander_strength(s, c, seat))
    elif role == Role.FORTIFIER:
        add_fort(s, seat, c.fortifier_fort)


@rule
def remove_person(s, c, seat, role):
    """K-16 K-29 Somebody leaves a role, and its bonus goes as far as it is still there."""
    s.people[seat, role] -= 1
    if role == Role.COUNCIL:
        s.ap[seat] = max(0, s.ap[seat] - 1)
    elif role == Role.COMMANDER:
        add_army(s, seat, -commander_strength(s, c, seat))
    elif role == Role.FORTIFIER:
        add_fort(s, seat, -c.fortifier_fort)


# Land and developments (K-41 to K-45) ------------------------------------------------------------

@rule
def till(s, seat, log):
    """K-3 One untilled Land gets its second slot, if there is one."""
    if s.tilled[seat] < s.lands[seat]:
        s.tilled[seat] += 1
        note(log, Event.TILLED, seat, 0, 1)


@rule
def add_land(s, c, seat, log):
    """K-26 K-R30 A new Land comes untilled, unless the Great Hall goes on tilling."""
    s.lands[seat] += 1
    note(log, Event.EXPANDED, seat, 0, 1)
    if s.built[seat, Building.GREAT_HALL] and c.great_hall == GreatHall.ONGOING:
        till(s, seat, log)


@rule
def place_development(s, c, seat, kind, log):
    """K-27 K-43 K-44 Strength that comes with a development enters the pool as it is placed."""
    s.developments[seat, kind] += 1
    note(log, Event.DEVELOPED, seat, kind, 1)
    if kind == Development.OUTPOST:
        add_army(s, seat, c.outpost_army)
        add_fort(s, seat, c.outpost_fort)
    elif kind == Development.WATCHTOWER:
        add_fort(s, seat, c.watchtower_fort)


@rule
def lose_development(s, c, seat, kind):
    """K-15 Its strength goes with it, as far as it is still there."""
    s.developments[seat, kind] -= 1
    if kind == Development.OUTPOST:
        add_army(s, seat, -c.outpost_army)
        add_fort(s, seat, -c.outpost_fort)
    elif kind == Development.WATCHTOWER:
        add_fort(s, seat, -c.watchtower_fort)


@rule
def remove_building(s, c, seat, building):
    """K-15 K-R36 What a sale undoes; people, growth, tilled Lands and Gardens stay."""
    s.built[seat, building] = 0
    if building == Building.BARRACKS:
        add_army(s, seat, -c.barracks_army * s.people[seat, Role.COMMANDER])
    elif building == Building.CITADEL:
        add_fort(s, seat, -c.citadel_fort)
    elif building == Building.CASTLE_WALLS:
        add_fort(s, seat, -c.walls_fort)
