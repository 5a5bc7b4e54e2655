"""Businesses: started, developed, opened, closed and contracted (T17-29 to T17-44)."""


from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import TOP, is_known, move, pile_size, place_of, reveal, show
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.cards import (
    FIRST_WEAPON,
    LAST_EOA,
    N_ICONS,
    N_SKILLS,
    Ability,
    Icon,
)
from exchequer.games.treasury.v17.matching import (
    can_hold,
    contract_index,
    contract_pile,
    cook_reaches,
    wild_card,
    wild_food,
)
from exchequer.games.treasury.v17.money import (
    collect,
    contract_laid,
    dock_gold,
    is_obsolete,
    opening_price,
    pay_opening,
)
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Do, Drawing, Event, Pile, Refusal, Step
from exchequer.games.treasury.v17.zones import (
    ability_amount,
    ability_count,
    at_slot,
    business_at,
    count_business,
    developments,
    discard,
    earn,
    fire,
    free_slot,
    has,
    has_contract,
    index_of,
    is_startup,
    left_of,
    move_secretly,
    peek,
    shows_skill,
    skill_index,
    visible,
)

# Starting and developing (T17-29, T17-30) --------------------------------------------------------

@apart
def start_business(s, c, seat, card, log):
    """T17-29 A hand card is laid face-down as a startup; Library answers each start."""
    slot = free_slot(s, seat)
    hand = Pile.HAND + seat
    place = move_secretly(s, c, hand, index_of(s, hand, card),
                          at_slot(Pile.BUSINESS, seat, slot), TOP, seat)
    s.started[seat, slot] = 1
    s.starts += 1
    note_for(log, Event.STARTED, seat, NOBODY, card, 1, s.known[place])
    if has(s, seat, Ability.START_DRAW) and (
            c.library_per_turn == 0 or s.starts <= c.library_per_turn):  # R17-63
        for home in range(N_SLOTS):
            if s.opened[seat, home] and shows_skill(c, business_at(s, seat, home),
                                                    Ability.START_DRAW):
                library = business_at(s, seat, home)
                draws = ability_amount(c, library, Ability.START_DRAW)
                back = ability_count(c, library, Ability.START_DRAW)
                fire(log, seat, Ability.START_DRAW)
                draw_and_return(s, seat, Drawing.ANY, draws, back, draws - back)


@rule
def draw_and_return(s, seat, kind, draws, back, keep):
    """R17-21 Draw some, put `back` of them on their piles if more than `keep` were drawn."""
    then(s, Step.TAKE_ASIDE, seat, 0, 0)
    then(s, Step.RETURN_CARDS, seat, back, keep)
    then(s, Step.DRAW, seat, kind * 2 + 1, draws)


@rule
def develop(s, c, seat, slot, card, log):
    """T17-30 A hand card goes face-down onto an own startup."""
    hand = Pile.HAND + seat
    place = move_secretly(s, c, hand, index_of(s, hand, card),
                          at_slot(Pile.DEVELOPMENT, seat, slot), TOP, seat)
    s.developed[seat, slot] = 1
    note_for(log, Event.DEVELOPED, seat, NOBODY, card, 1, s.known[place])


# Opening (T17-34) --------------------------------------------------------------------------------

@rule
def is_developed(s, c, seat, slot):
    """T17-34 R17-10 Development cards enough; a variant wants the exact number."""
    cards, cost = developments(s, seat, slot), c.card[business_at(s, seat, slot)].develop_cost
    return cards == cost if c.exact_development else cards >= cost


@rule
def can_afford(s, c, seat, card):
    """T17-34 R17-11 The full gold cost, partly or wholly from Dock."""
    return opening_price(s, c, seat, card) <= s.gold[seat] + dock_gold(s, c, seat)


@rule
def can_close_for(s, c, seat, card, target):
    """Fort: an own open business that provides the icon."""
    if s.opened[seat, target] == 0:
        return False
    i = skill_index(c, card, Ability.REQUIRE_CLOSING)
    for icon in range(N_ICONS):
        if c.icons[card, i] >> icon & 1 and c.needs[business_at(s, seat, target), icon] > 0:
            return True
    return False


@rule
def closable_for(s, c, seat, card, without):
    """How many businesses could be closed for Fort, and the last of them."""
    count, found = 0, NOBODY
    for target in range(N_SLOTS):
        if target != without and can_close_for(s, c, seat, card, target):
            count += 1
            found = target
    return count, found


@rule
def is_ripe(s, seat, slot):
    """T17-34 A startup that was neither started nor developed this turn."""
    return is_startup(s, seat, slot) and not s.started[seat, slot] and not s.developed[seat, slot]


@apart
def open_refusal(s, c, seat, slot):
    """T17-34 T17-35 Not started or developed this turn, and its cost can be met."""
    if not is_startup(s, seat, slot):
        return Refusal.NO_STARTUP
    if not is_ripe(s, seat, slot):
        return Refusal.THIS_TURN
    card = business_at(s, seat, slot)
    if not is_developed(s, c, seat, slot) and not can_afford(s, c, seat, card):
        return Refusal.TOO_DEAR
    if shows_skill(c, card, Ability.REQUIRE_CLOSING):
        count, _ = closable_for(s, c, seat, card, slot)
        if count == 0:
            return Refusal.NEEDS_CLOSING
    return Refusal.NONE


@rule
def announce_opening(s, seat, slot, log):
    """T17-74 The card is shown before its cost is met."""
    s.known[place_of(s, at_slot(Pile.BUSINESS, seat, slot), 0)] = ALL
    note(log, Event.OPENED, seat, business_at(s, seat, slot), 1)


@handles(Step.OPEN)
def start_opening(s, c, seat, slot, log):
    """T17-34 By development cards or by gold; the owner chooses where both will do."""
    announce_opening(s, seat, slot, log)
    developed = is_developed(s, c, seat, slot)
    card = business_at(s, seat, slot)
    if developed and opening_price(s, c, seat, card) > 0 and can_afford(s, c, seat, card):
        then(s, Ask.PAYMENT, seat, slot, 0)
    elif developed:
        then(s, Step.FORT, seat, slot, 0)
    else:
        then(s, Step.PAY_OPENING, seat, slot, 0)


@rule
def dock_range(s, c, seat, slot):
    """T17-34 The least and the most of the price that can come from Dock."""
    price = opening_price(s, c, seat, business_at(s, seat, slot))
    return max(price - s.gold[seat], 0), min(price, dock_gold(s, c, seat))


@handles(Step.PAY_OPENING)
def start_payment(s, c, seat, slot, traded, log):
    """T17-34 R17-11 Gold, as much from Dock as its owner likes."""
    least, most = dock_range(s, c, seat, slot)
    if least < most:
        then(s, Ask.DOCK_AMOUNT, seat, slot, traded)
    else:
        pay_for(s, c, seat, slot, traded, most, log)


@handles(Ask.DOCK_AMOUNT, from_dock=Do.AMOUNT)
def pay_for(s, c, seat, slot, traded, from_dock, log):
    card = business_at(s, seat, slot)
    pay_opening(s, c, seat, card, opening_price(s, c, seat, card), from_dock, log)
    then(s, Step.FORT, seat, slot, traded)


@handles(Step.FORT)
def meet_requirement(s, c, seat, slot, traded, log):
    """T17-34 Fort closes a business first; anything else is turned up at once."""
    then(s, Step.TURN_UP, seat, slot, traded)
    card = business_at(s, seat, slot)
    if shows_skill(c, card, Ability.REQUIRE_CLOSING):
        count, target = closable_for(s, c, seat, card, slot)
        fire(log, seat, Ability.REQUIRE_CLOSING)
        if count == 1:
            then(s, Step.CLOSE, seat, target, 0)
        else:
            then(s, Ask.FORT_SLOT, seat, slot, 0)


@handles(Step.TURN_UP)
def turn_up(s, c, seat, slot, traded, log):
    """T17-34 Face-up; then obsolescence, what happens when opened, and the development cards.

    Those that lie under a business `traded` for a Trader are Trader's and leave with its opening.
    """
    reveal(s, place_of(s, at_slot(Pile.BUSINESS, seat, slot), 0))
    card = business_at(s, seat, slot)
    s.opened[seat, slot] = 1
    s.used[seat, slot] = 0
    s.started[seat, slot] = 0
    s.due[seat, slot] = not s.in_main and c.skill[card, 0] <= LAST_EOA  # R17-50
    count_business(s, c, seat, card, 1)
    if not traded:
        then(s, Step.DEVELOPMENT_LEAVES, seat, slot, card)
    then(s, Step.ON_OPEN, seat, slot, 0)
    outdate(s, c, seat, card, log)


@rule
def outdated_by(c, card):
    """T17-43 A weapon makes those two ages older obsolete: axes clubs, swords clubs and spears."""
    mask = 0
    for icon in range(FIRST_WEAPON, N_ICONS):
        if c.needs[card, icon] > 0:
            for older in range(FIRST_WEAPON, icon - 1):
                mask |= 1 << older
    return mask


@rule
def outdate(s, c, seat, card, log):
    """T17-43 T17-44 For every player and for good."""
    mask = outdated_by(c, card)
    if mask & ~s.obsolete:
        for icon in range(FIRST_WEAPON, N_ICONS):
            if (mask & ~s.obsolete) >> icon & 1:
                note(log, Event.OBSOLETE, seat, icon, 1)
        s.obsolete |= mask
        for k in range(s.seats - 1, -1, -1):
            then(s, Step.LOSE_CONTRACTS, left_of(s, seat, k), 0, 0)


@handles(Step.LOSE_CONTRACTS)
def lose_contracts(s, c, seat, log):
    """T17-44 Contracts on obsolete weapons are discarded; their gold goes to the owner."""
    for slot in range(N_SLOTS):
        if has_contract(s, seat, slot) and is_obsolete(s, c, business_at(s, seat, slot)):
            note(log, Event.LOST_CONTRACT, seat, business_at(s, seat, slot), 1)
            collect(s, seat, slot, log)
            s.paid[seat, slot] = 0
            move(s, contract_pile(seat, slot), 0, Pile.TRAY, TOP)
    then(s, Step.ORDER, seat, 0, 0)


@rule
def forget_weapons(s, c):
    """R17-31 In a variant weapons are obsolete only while a newer one is open."""
    if not c.obsolescence_permanent:
        s.obsolete = 0
        for seat in range(s.seats):
            for slot in range(N_SLOTS):
                if s.opened[seat, slot]:
                    s.obsolete |= outdated_by(c, business_at(s, seat, slot))


# When opened -------------------------------------------------------------------------------------

@rule
def on_own_turn(s, seat):
    """R17-50 Whether benefits that need the owner's turn can be had."""
    return s.in_main == 1 and s.current == seat


@handles(Step.ON_OPEN)
@apart
def when_opened(s, c, seat, slot, log):
    """T17-34 The card's own abilities that happen on opening."""
    card = business_at(s, seat, slot)
    for i in range(N_SKILLS):
        skill, amount = c.skill[card, i], c.amount[card, i]
        if skill == Ability.OPEN_EVENT:
            fire(log, seat, skill)
            if on_own_turn(s, seat):
                s.free_events += amount
            else:
                then(s, Step.EVENT_NOW, seat, amount, 0)
        elif skill == Ability.OPEN_SWAP:
            if pile_size(s, Pile.HAND + seat) > 0:  # T17-73
                then(s, Ask.TRADER_CARD, seat, slot, 0)
        elif skill == Ability.OPEN_CONTRACT:
            if pile_size(s, Pile.DEMAND) > 0 and can_lay(s, c, seat):
                then(s, Ask.LODGE_SLOT, seat, 0, 0)
        elif skill == Ability.OPEN_STORE:
            fire(log, seat, skill)
            s.stored[seat, slot] += amount
            note(log, Event.STORED, seat, card, amount)
        elif skill == Ability.OPEN_DRAW:
            fire(log, seat, skill)
            then(s, Step.DRAW, seat, Drawing.ANY * 2, amount)
        elif skill == Ability.OPEN_TYPES:
            fire(log, seat, skill)
            earn(s, seat, card, amount * provided_kinds(s, seat), log)
        elif skill == Ability.OPEN_IMPORT:
            fire(log, seat, skill)
            look_through_discards(s, seat, log)
            then(s, Step.IMPORT, seat, amount, 0)
        elif skill == Ability.OPEN_DIG:
            fire(log, seat, skill)
            then(s, Step.DIG, seat, amount, 0)
        elif skill == Ability.OPEN_ACTIONS and on_own_turn(s, seat):
            extra = s.provided[seat, Icon.FOOD] // max(amount, 1)  # R17-52
            fire(log, seat, skill)
            s.actions += extra
            s.idle_pass = 1
            note(log, Event.EXTRA_ACTIONS, seat, card, extra)
        elif skill == Ability.OPEN_TURN and on_own_turn(s, seat):
            fire(log, seat, skill)
            s.extra_turns += amount
            note(log, Event.EXTRA_TURN, seat, card, amount)


@rule
def look_through_discards(s, seat, log):
    """T17-13 Importer's owner sees them all."""
    for place in range(s.start[Pile.DISCARD], s.start[Pile.DISCARD + 1]):
        if not is_known(s, place, seat):
            peek(s, seat, NOBODY, place, log)


@rule
def provided_kinds(s, seat):
    """Road: each weapon kind is its own type, obsolete or not."""
    kinds = 0
    for icon in range(N_ICONS):
        if s.provided[seat, icon] > 0:
            kinds += 1
    return kinds


@rule
def trades_for(s, c, seat, slot, card):
    """R17-36 A hand card that may replace Trader: its gold cost unless it needs no development."""
    if c.card[card].develop_cost > 0 and not c.trader_free and not can_afford(s, c, seat, card):
        return False
    if shows_skill(c, card, Ability.REQUIRE_CLOSING):
        count, _ = closable_for(s, c, seat, card, slot)
        return count > 0
    return True


@handles(Ask.TRADER_CARD, card=Do.CARD)
def trade(s, c, seat, slot, card, log):
    """R17-36 Trader is discarded, which is not closing; the new business is opened in its place."""
    hand, place = Pile.HAND + seat, at_slot(Pile.BUSINESS, seat, slot)
    fire(log, seat, Ability.OPEN_SWAP)
    count_business(s, c, seat, business_at(s, seat, slot), -1)
    s.opened[seat, slot] = 0
    discard(s, place, 0, seat, log)
    move_secretly(s, c, hand, index_of(s, hand, card), place, TOP, seat)
    announce_opening(s, seat, slot, log)
    if c.card[card].develop_cost == 0 or c.trader_free:
        then(s, Step.FORT, seat, slot, 1)
    else:
        then(s, Step.PAY_OPENING, seat, slot, 1)


@rule
def can_lay_on(s, c, seat, owner, slot):
    """R17-45 One's own businesses; in a variant those of any player."""
    return (owner == seat or c.contract_any_players_business == 1) and can_hold(s, c, owner, slot)


@rule
def can_lay(s, c, seat):
    for owner in range(s.seats):
        for slot in range(N_SLOTS):
            if can_lay_on(s, c, seat, owner, slot):
                return True
    return False


# Contracts (T17-37) ------------------------------------------------------------------------------

@rule
def start_claim(s, c, seat, slot, log):
    """T17-37 Cook's owner may lay the contract elsewhere."""
    if has(s, seat, Ability.REDIRECT):
        for target in range(N_SLOTS):
            if cook_reaches(s, c, seat, slot, target):
                then(s, Ask.COOK_SLOT, seat, slot, 0)
                return
    claim(s, c, seat, slot, slot, log)


@apart
def claim(s, c, seat, slot, target, log):
    """T17-37 A demand card, seen or unseen, becomes the contract; the matching cards stay."""
    card = business_at(s, seat, slot)
    food, demand = wild_food(s, c, seat, card), wild_card(s, c, seat)
    if food != NOBODY and c.needs[card, food] > 0:
        fire(log, seat, Ability.WILD_PROVISION)
    if demand != NOBODY and visible(s, c, demand) > 0:
        fire(log, seat, Ability.WILD_DEMAND)
    if target != slot:
        fire(log, seat, Ability.REDIRECT)
    lay_contract(s, c, seat, seat, target, Pile.DEMAND, contract_index(s, c, seat, slot), log)


@apart
def lay_contract(s, c, seat, owner, slot, pile, index, log):
    """T17-37 Face-down onto the business; its owner may look at it (T17-13)."""
    place = move(s, pile, index, contract_pile(owner, slot), TOP)
    s.face_up[place] = 0
    show(s, place, owner)
    note(log, Event.CLAIMED, owner, business_at(s, owner, slot), 1)
    note_for(log, Event.LEFT_DEMAND, seat, owner, s.card[place], 1, s.known[place])
    contract_laid(s, c, owner, slot, log)

