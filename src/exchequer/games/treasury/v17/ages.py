"""The End of Age: abilities, payout, collection and tax (T17-54 to T17-57), and the final one."""


from exchequer.core.agenda import drop_all, then
from exchequer.core.contract import leaders
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note
from exchequer.core.piles import TOP, move, pile_size, place_of
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.businesses import is_ripe
from exchequer.games.treasury.v17.cards import LAST_EOA, N_AGES, N_ICONS, Ability, Icon
from exchequer.games.treasury.v17.drawing import cards_aside
from exchequer.games.treasury.v17.matching import claim_refusal
from exchequer.games.treasury.v17.money import (
    collect,
    contract_value,
    contracts_total,
    is_unpaid,
    pay_contract,
    take_gold,
)
from exchequer.games.treasury.v17.playing import announce_event, play
from exchequer.games.treasury.v17.state import (
    N_SLOTS,
    Ask,
    Do,
    Ending,
    Event,
    Paying,
    Pile,
    Refusal,
    Source,
    Step,
    Tiebreak,
)
from exchequer.games.treasury.v17.zones import (
    business_at,
    current_pile,
    earn,
    enter_demand,
    fire,
    hand_size,
    has,
    has_contract,
    index_of,
    is_happy,
    left_of,
    lose_track,
    peek,
    power_sum,
    provided_of,
    visible,
)

# The procedure (T17-55) --------------------------------------------------------------------------

@handles(Step.CHECK_AGE)
def check_age(s, seat, log):
    """T17-52 T17-54 R17-19 R17-20 R17-22 Every exhausted pile in order ends its age."""
    if s.next_end < N_AGES and pile_size(s, Pile.DRAW + s.next_end) == 0:
        then(s, Step.CHECK_AGE, seat, 0, 0)
        end_age(s, seat, s.next_end, 0, log)


@rule
def end_age(s, seat, age, final, log):
    """T17-55 T17-62 Going left from whoever ended it; the final one has no tax."""
    note(log, Event.AGE_ENDS, seat, age, final)
    then(s, Step.FINISH_AGE, seat, age, final)
    if not final:
        then(s, Step.TAX, seat, age, 0)
    then(s, Step.COLLECT, seat, final, 0)
    then(s, Step.PAYOUT, seat, Paying.ALL, 0)
    for k in range(s.seats - 1, -1, -1):
        then(s, Step.EOA_SEAT, left_of(s, seat, k), 0, 0)


@handles(Step.COLLECT)
def collect_all(s, c, final, log):
    """T17-55 Gold on contracts goes to the owners; every contract is unpaid again."""
    for seat in range(s.seats):
        if final and c.tiebreak == Tiebreak.FINAL_PAYOUT:  # R17-57
            s.income[seat] = 0
        for slot in range(N_SLOTS):
            collect(s, seat, slot, log)
            s.paid[seat, slot] = 0


@handles(Step.TAX)
def tax(s, c, age, log):
    """T17-57 R17-28 Players pay the age plus one, Wiseman's owner 1; then the population."""
    for k in range(s.seats):
        seat = left_of(s, s.current, k)
        due = age + c.tax_above_age
        if has(s, seat, Ability.FIXED_TAX):
            fire(log, seat, Ability.FIXED_TAX)
            due = power_sum(s, c, seat, Ability.FIXED_TAX)
        paid = min(due, s.gold[seat])
        s.gold[seat] -= paid
        s.treasury += paid
        note(log, Event.TAXED, seat, age, paid)
    people = contracts_total(s)
    for place in range(s.start[Pile.DEMAND], s.start[Pile.DEMAND + 1]):
        if not is_happy(s, c, place):
            people += 1
    s.treasury += people * c.population_tax
    note(log, Event.POPULATION_TAX, s.current, age, people * c.population_tax)


@handles(Step.FINISH_AGE)
def finish_age(s, c, age, final, log):
    """T17-4 T17-55 The age number rises; after the final procedure the gold is compared."""
    if final:
        finish_game(s, c, log)
        return
    s.next_end += 1
    s.age = min(s.next_end, N_AGES - 1)


# Step 1: abilities -------------------------------------------------------------------------------

@handles(Step.EOA_SEAT)
def start_abilities(s, c, seat):
    """T17-55 All End of Age abilities of a player, each once."""
    for slot in range(N_SLOTS):
        s.due[seat, slot] = s.opened[seat, slot] == 1 and \
            c.skill[business_at(s, seat, slot), 0] <= LAST_EOA
    then(s, Step.EOA_NEXT, seat, 0, 0)


@rule
def changes_others(skill):
    """Abilities that can change what another one brings, so that their order matters."""
    return skill == Ability.EOA_DIG or skill == Ability.EOA_PLAY or skill == Ability.EOA_DRAW \
        or skill == Ability.EOA_OPEN or skill == Ability.EOA_PAY


@handles(Step.EOA_NEXT)
def next_ability(s, c, seat):
    """T17-22 T17-55 In an order of the owner's choice, asked only where it matters."""
    count, movers, found = 0, 0, NOBODY
    for slot in range(N_SLOTS):
        if s.due[seat, slot]:
            count += 1
            found = slot
            if changes_others(c.skill[business_at(s, seat, slot), 0]):
                movers += 1
    if count == 0:
        return
    if count > 1 and movers > 0:
        then(s, Ask.EOA_SLOT, seat, 0, 0)
    else:
        use_next(s, seat, found)


@rule
def use_next(s, seat, slot):
    s.due[seat, slot] = 0
    then(s, Step.EOA_NEXT, seat, 0, 0)
    then(s, Step.EOA_USE, seat, slot, 0)


@handles(Step.EOA_USE)
@apart
def use_ability(s, c, seat, slot, log):
    """T17-55 One End of Age ability."""
    card = business_at(s, seat, slot)
    skill, amount = c.skill[card, 0], c.amount[card, 0]
    mask = c.icons[card, 0]
    fire(log, seat, skill)
    if skill == Ability.EOA_GAIN:
        earn(s, seat, card, amount, log)
    elif skill == Ability.EOA_OTHER_ICONS:
        own = provided_of(s, seat, mask) - icons_on(c, card, mask)
        earn(s, seat, card, amount * own, log)
    elif skill == Ability.EOA_DEMAND_ICONS:
        seen = 0
        for icon in range(Icon.CLUBS):
            if mask >> icon & 1:
                seen += visible(s, c, icon)
        earn(s, seat, card, amount * seen, log)
    elif skill == Ability.EOA_LEADER:
        if leads_strictly(s, seat, mask):
            earn(s, seat, card, amount, log)
    elif skill == Ability.EOA_ALL_ICONS:
        if has_contract(s, seat, slot):
            total = 0
            for other in range(s.seats):
                total += provided_of(s, other, mask)
            earn(s, seat, card, amount * total, log)
    elif skill == Ability.EOA_HAND:
        earn(s, seat, card, amount * hand_size(s, seat), log)
    elif skill == Ability.EOA_PAY:
        if is_unpaid(s, seat, slot):
            pay_contract(s, c, seat, slot, log)
    elif skill == Ability.EOA_TAKE_UNHAPPY or skill == Ability.EOA_TAKE_LESS_HAPPY:
        start_taking(s, c, seat, slot, log)
    elif skill == Ability.EOA_DRAW:
        see(s, c, seat, mask, log)
    elif skill == Ability.EOA_PLAY:
        divine(s, c, seat, mask, log)
    elif skill == Ability.EOA_DIG:
        start_tanning(s, c, seat, slot, amount, log)
    elif skill == Ability.EOA_OPEN:
        then(s, Step.ORCHARD, seat, 0, 0)


@rule
def icons_on(c, card, mask):
    total = 0
    for icon in range(N_ICONS):
        if mask >> icon & 1:
            total += c.needs[card, icon]
    return total


@rule
def leads_strictly(s, seat, mask):
    """Tavern: more than every other player; a tie gives nothing."""
    for other in range(s.seats):
        if other != seat and provided_of(s, other, mask) >= provided_of(s, seat, mask):
            return False
    return True


# Healer and Temple -------------------------------------------------------------------------------

@rule
def can_take_from(s, c, seat, slot, victim):
    """R17-61 An opponent without happiness, or with less of it than the owner."""
    if victim == seat:
        return False
    card = business_at(s, seat, slot)
    mask = c.icons[card, 0]
    theirs = provided_of(s, victim, mask)
    if c.skill[card, 0] == Ability.EOA_TAKE_UNHAPPY:
        return theirs == 0
    return theirs < provided_of(s, seat, mask)


@rule
def start_taking(s, c, seat, slot, log):
    count, found = 0, NOBODY
    for victim in range(s.seats):
        if can_take_from(s, c, seat, slot, victim):
            count += 1
            found = victim
    if count == 1:
        card = business_at(s, seat, slot)
        take_gold(s, seat, found, card, c.amount[card, 0], log)
    elif count > 1:
        then(s, Ask.VICTIM, seat, slot, 0)


# Seer and Diviner --------------------------------------------------------------------------------

@rule
def look_at_top(s, seat, log):
    """Look at the top card of the current draw pile; returns the pile, or NOBODY."""
    pile = current_pile(s)
    if pile != NOBODY:
        peek(s, seat, NOBODY, place_of(s, pile, pile_size(s, pile) - 1), log)
    return pile


@rule
def see(s, c, seat, mask, log):
    """Seer: a card with that demand is shown and taken into hand."""
    pile = look_at_top(s, seat, log)
    if pile == NOBODY:
        return
    place = place_of(s, pile, pile_size(s, pile) - 1)
    if mask >> c.demand[s.card[place]] & 1:
        place = move(s, pile, pile_size(s, pile) - 1, Pile.HAND + seat, TOP)
        s.known[place] = ALL
        note(log, Event.REVEALED, seat, s.card[place], 1)


@rule
def divine(s, c, seat, mask, log):
    """T17-7 Diviner: a card with that demand is set aside and played by the owner."""
    pile = look_at_top(s, seat, log)
    if pile == NOBODY:
        return
    card = s.card[place_of(s, pile, pile_size(s, pile) - 1)]
    if mask >> c.demand[card] & 1:
        place = move(s, pile, pile_size(s, pile) - 1, Pile.TRANSIT, TOP)
        announce_event(s, place, seat, log)
        play(s, c, seat, Source.ASIDE, 0)


# Tanner ------------------------------------------------------------------------------------------

@rule
def start_tanning(s, c, seat, slot, look, log):
    """Tanner: look at the top discards; up to so many may enter demand, the rest goes under."""
    for _ in range(look):
        if pile_size(s, Pile.DISCARD) > 0:
            place = move(s, Pile.DISCARD, pile_size(s, Pile.DISCARD) - 1,
                          Pile.ASIDE_DISCARD, 0)
            peek(s, seat, NOBODY, place, log)
    if cards_aside(s) > 0:
        then(s, Ask.TANNER_CARD, seat, slot, c.count[business_at(s, seat, slot), 0])


@handles(Ask.TANNER_CARD, card=Do.CARD)
def tan(s, c, seat, slot, card, left, log):
    """Tanner: one of the cards enters demand face-up."""
    index = index_of(s, Pile.ASIDE_DISCARD, card)
    lose_track(s, c, Pile.ASIDE_DISCARD, place_of(s, Pile.ASIDE_DISCARD, index), seat)
    enter_demand(s, c, Pile.ASIDE_DISCARD, index, TOP, log)
    if left > 1 and cards_aside(s) > 0:
        then(s, Ask.TANNER_CARD, seat, slot, left - 1)
    else:
        then(s, Step.KEPT, seat, 0, 0)


# Orchard -----------------------------------------------------------------------------------------

@handles(Step.ORCHARD)
def offer_orchard(s, c, seat):
    """R17-50 T17-73 Openings and claims; what a startup is and costs, only its owner knows."""
    for slot in range(N_SLOTS):
        if is_ripe(s, seat, slot) or claim_refusal(s, c, seat, slot) == Refusal.NONE:
            then(s, Ask.ORCHARD, seat, 0, 0)
            return


# The end of the game (T17-62, T17-63) ------------------------------------------------------------

@rule
def held_values(s, c, seat):
    """T17-63 R17-57 The values of the contracts a player holds."""
    total = 0
    for slot in range(N_SLOTS):
        if has_contract(s, seat, slot):
            total += contract_value(s, c, seat, slot)
    return total


@rule
def tie_score(s, c, seat):
    """R17-57"""
    if c.tiebreak == Tiebreak.HELD_VALUES:
        return held_values(s, c, seat)
    return s.income[seat]


@rule
def lead(s, c, seat, other):
    """T17-63 Most gold wins; ties by contract income; still tied, the win is shared."""
    ahead = s.gold[seat] - s.gold[other]
    return ahead if ahead != 0 else tie_score(s, c, seat) - tie_score(s, c, other)


@rule
def finish_game(s, c, log):
    """T17-63"""
    s.winners = leaders(s, c, s.seats)
    s.ending = Ending.STALEMATE if s.stalemate else Ending.LAST_EVENT
    drop_all(s)
    first = 0
    while (s.winners >> first) & 1 == 0:
        first += 1
    note(log, Event.GAME_ENDED, first, s.ending, s.winners)
