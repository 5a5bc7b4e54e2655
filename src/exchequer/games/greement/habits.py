"""How bots deal in Greement (G-28): what a square is worth to whom, offers, answers, kept words.

What makes a deal worth something to both. A debt doubles, so coins now are worth far more to
somebody in debt than to somebody with a full purse. A square brings its profit in its owner's
turn, so it is worth more to whoever has their turn next than to whoever has just had it. And
distance tax falls only on a square that lies apart. Land is otherwise worth the same to all.

A bot knows its own books and guesses those of the others from what all can see. It opens with a
price that it would take itself, answers an offer with yes, no or one counter-offer, and never
counters a counter-offer: so no bargain among bots has more than three moves.
"""

import numpy as np

from exchequer.core.agenda import asked
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.greement.amounts import next_digit
from exchequer.games.greement.board import (
    bank_price,
    can_be_owned,
    entry,
    multiplier,
    profit_of,
    square_profit,
    square_tax,
    square_value,
    worth_of,
)
from exchequer.games.greement.credit import borrow_first, spend_freely
from exchequer.games.greement.deals import (
    deal_cost,
    other_side,
    partner_refusal,
    tax_refusal,
)
from exchequer.games.greement.money import interest
from exchequer.games.greement.state import (
    DRAFT,
    MOST_COINS,
    N_SQUARES,
    NO_SQUARE,
    OFFER,
    UNKNOWN,
    Ask,
    Bearer,
    Do,
    Draft,
    EndMode,
    Happening,
    Land,
    Promise,
    Refusal,
    Stage,
    Use,
    Value,
)
from exchequer.games.greement.value import ENOUGH, PATIENCE, USUAL_ROUNDS

PERSONAS = {
    "easy": "Here it overlooks most of what would pay to build.",
    "medium": "Here it overlooks half of what would pay to build.",
    "master": "Where the bank lends without limit and a Jubilee forgives all debt, it borrows "
              "millions in its first turn and waits for one.",
}

GROWTH = 0.25  # what a coin in hand earns in a round, by land and seed
FORGIVEN = 0.5  # part of a debt's growth that is believed where there are Jubilees
LEAST_GAIN = 0.75  # coins at the end for which a bot accepts
OPENING_GAIN = 1.5  # and for which it opens its mouth
NO_PRICE = -1
SPOTS = 97  # a prime above the squares
N_NEAR = 8  # squares that may be connected to one
NEVER = 1e15  # what a square costs that the bank does not have
USUAL_TURNS, USUAL_PURSE = 2, 6  # turns whose profit somebody may have kept, coins beyond it
IN_NEED = 0.6  # part of a square's worth at which somebody in debt may let it go


# What a purse and some land come to --------------------------------------------------------------

@rule
def rounds_left(s, c):
    """Rounds after this one, as far as all can know."""
    if c.end_mode == EndMode.CLOCK:
        return max(USUAL_ROUNDS - s.round_number, 1.0)
    if c.public_end:
        return min(s.last_round - s.round_number, PATIENCE) * 1.0
    return min((max(c.rmin, s.round_number) + c.rmax) / 2.0 - s.round_number, PATIENCE * 1.0)


@rule
def debt_growth(s, c):
    """By how much of itself a debt grows in a turn, less what a Jubilee may forgive (G-51)."""
    return interest(s, c, 100) / 100.0 * (FORGIVEN if c.event[Happening.JUBILEE].cards > 0 else 1.0)


@rule
def ahead(s, c, seat, cash, debt, profit, worth):
    """Wealth at the end if profit comes in, debts are repaid first, and what is left earns."""
    grows, rounds = debt_growth(s, c), rounds_left(s, c)
    wait = (seat - s.active) % s.seats / s.seats
    if seat == s.active:
        paid = min(cash, debt)
        cash, debt = cash - paid, (debt - paid) * (1.0 + grows)
        wait = 1.0
    elif s.turns[seat] < s.round_number:
        rounds += 1.0
    cash *= 1.0 + GROWTH * wait
    while rounds > 0.0:
        part = min(rounds, 1.0)
        cash += profit * part
        paid = min(cash, debt)
        cash, debt = cash - paid, min((debt - paid) * (1.0 + grows * part), ENOUGH * 1.0)
        cash *= 1.0 + GROWTH * part
        rounds -= 1.0
    return worth + cash - debt


@rule
def yields(s, c, square):
    """The profit of a square; brown land counts half of what a crop would bring."""
    if s.use[square] == Use.BROWN and square_profit(s, c, square) == 0:
        return entry(s, Value.CROP) / 2.0
    return min(square_profit(s, c, square), ENOUGH) * 1.0


@rule
def known_cash(s, c, seat):
    """What is in a purse; in another's, what one would expect there, and less after each offer of
    this turn: if it was accepted there is less, if not there may have been."""
    if s.cash[seat] >= 0:
        return min(s.cash[seat], ENOUGH) * 1.0
    most = USUAL_TURNS * min(profit_of(s, c, seat), ENOUGH) + USUAL_PURSE
    return most / (1.0 + s.offers_made[seat])


@rule
def known_debt(s, seat):
    return min(max(s.debt[seat], 0), ENOUGH) * 1.0


@rule
def gain(s, c, seat, coins, profit, worth):
    """What so many more coins, profit and land are worth to a seat at the end."""
    cash, debt = known_cash(s, c, seat), known_debt(s, seat)
    has, land = min(profit_of(s, c, seat), ENOUGH) * 1.0, min(worth_of(s, c, seat), ENOUGH) * 1.0
    return (ahead(s, c, seat, cash + coins, debt, has + profit, land + worth)
            - ahead(s, c, seat, cash, debt, has, land))


@apart
def stand_in(s, c, seat, square):
    """What the bank would take for as good a square, with all that grows on it, and what is lost
    until it brings as much; NO_PRICE where no such square is free."""
    best, times = NO_PRICE, multiplier(s, c, square)
    for free in range(N_SQUARES):
        if s.owner[free] == UNKNOWN and s.kind[free] == s.kind[square] \
                and multiplier(s, c, free) >= times:
            cost = bank_price(s, c, free) + square_tax(s, c, seat, free)
            if best == NO_PRICE or cost < best:
                best = cost
    if best == NO_PRICE:
        return NO_PRICE
    if s.use[square] != Use.BROWN:
        best += entry(s, Value.SEED)
    if s.use[square] == Use.CATTLE:
        best += entry(s, Value.CATTLE)
    is_due = seat != s.active and s.turns[seat] < s.round_number
    return best + (min(square_profit(s, c, square), ENOUGH) if is_due else 0)


@rule
def seller_gain(s, c, seat, coins, profit, worth, again):
    """What giving land away for coins is worth; it costs no more than to get as good land again."""
    lost = gain(s, c, seat, coins, -profit, -worth)
    if again == NO_PRICE:
        return lost
    return max(lost, gain(s, c, seat, coins - again, 0.0, 0.0))


@rule
def buyer_gain(s, c, seat, coins, profit, worth, again):
    """What getting land for coins is worth; it saves no more than what as good land costs."""
    got = gain(s, c, seat, -coins, profit, worth)
    if again == NO_PRICE:
        return got
    return min(got, gain(s, c, seat, again - coins, 0.0, 0.0))


@apart
def foothold(s, c, seat, square):
    """What a square that lies apart opens up: the tax of what lies beside it is saved afterwards.
    Half the profit of the two best such squares of the same owner, no more than the tax itself."""
    owner, best, second = s.owner[square], 0, 0
    for i in range(N_NEAR):
        near = np.int64(c.near[square, i])
        if near != NO_SQUARE and s.owner[near] == owner and s.reach[seat, near] > 1:
            found = min(square_profit(s, c, near), ENOUGH)
            best, second = max(best, found), max(second, min(best, found))
    return min((best + second) / 2.0, 1.0 * square_tax(s, c, seat, square))


# Prices ------------------------------------------------------------------------------------------

@rule
def highest_price(s, c, square):
    """A price that nobody could ever mean, or the house rule's (G-76)."""
    if c.hr_price_cap > 0:
        return c.hr_price_cap * square_value(s, c, square)
    most = square_value(s, c, square) + np.int64(12.0 * yields(s, c, square)) + 2
    return min(most, MOST_COINS // 2)


@apart
def least_price(s, c, seller, square, wanted):
    """The lowest price at which giving the square away gains so much; NO_PRICE: none does."""
    profit, worth = yields(s, c, square), min(square_value(s, c, square), ENOUGH) * 1.0
    again = stand_in(s, c, seller, square)
    low, high = 0, highest_price(s, c, square)
    if seller_gain(s, c, seller, high * 1.0, profit, worth, again) < wanted:
        return NO_PRICE
    while low < high:
        middle = (low + high) // 2
        if seller_gain(s, c, seller, middle * 1.0, profit, worth, again) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


@apart
def most_price(s, c, buyer, square, wanted):
    """The highest price at which getting the square gains so much, tax included; NO_PRICE."""
    profit, worth = yields(s, c, square), min(square_value(s, c, square), ENOUGH) * 1.0
    tax, again = square_tax(s, c, buyer, square), stand_in(s, c, buyer, square)
    low, high = 0, min(highest_price(s, c, square), np.int64(known_cash(s, c, buyer)) - tax)
    lasting = tax - foothold(s, c, buyer, square)
    if high < 0 or buyer_gain(s, c, buyer, lasting, profit, worth, again) < wanted:
        return NO_PRICE
    while low < high:
        middle = (low + high + 1) // 2
        if buyer_gain(s, c, buyer, middle + lasting, profit, worth, again) >= wanted:
            low = middle
        else:
            high = middle - 1
    return low


@rule
def asked_price(s, c, seat, other, square):
    """The price with which a seat opens or counters: half way between what it could just take and
    what the other could, as far as it can guess. NO_PRICE: there is none between them."""
    if s.owner[square] == seat:
        least = least_price(s, c, seat, square, OPENING_GAIN)
        most = most_price(s, c, other, square, LEAST_GAIN)
        return least + (most - least) // 3 if 0 <= least <= most else NO_PRICE
    most = most_price(s, c, seat, square, OPENING_GAIN)
    least = np.int64(least_price(s, c, other, square, LEAST_GAIN) * IN_NEED)
    return (least + most) // 2 if 0 <= least <= most else NO_PRICE


# Opening (G-28) ----------------------------------------------------------------------------------

@rule
def may_bargain(s, c, seat, other):
    """Whether the rules allow it; `best_with` sees to it that nobody is asked twice."""
    if other == seat:
        return False
    return partner_refusal(s, c, seat, Draft.OFFER, other) == Refusal.NONE


@rule
def opening_gain(s, c, seat, square, price):
    """What the seat gains if the square changes hands at that price, the tax borne by the buyer."""
    profit, worth = yields(s, c, square), min(square_value(s, c, square), ENOUGH) * 1.0
    again = stand_in(s, c, seat, square)
    if s.owner[square] == seat:
        return seller_gain(s, c, seat, price * 1.0, profit, worth, again)
    paid = price + square_tax(s, c, seat, square) - foothold(s, c, seat, square)
    return buyer_gain(s, c, seat, paid, profit, worth, again)


@rule
def best_of(s, c, seat, other, owner):
    """The square of one of the two over which a bargain promises most."""
    best, found = NO_SQUARE, 0.0
    for square in range(N_SQUARES):
        if s.owner[square] == owner:
            price = asked_price(s, c, seat, other, square)
            if price > 0:
                gained = opening_gain(s, c, seat, square, price)
                if gained >= OPENING_GAIN and gained > found:
                    best, found = square, gained
    return best, found


@apart
def best_with(s, c, seat, other):
    """The square to begin with and the gain. Selling comes first: who has the turn has had its
    profit; and nobody is asked to sell twice in a turn."""
    best, found = best_of(s, c, seat, other, seat)
    if best == NO_SQUARE and (seat != s.active or s.offers_made[other] == 0):
        best, found = best_of(s, c, seat, other, other)
    return best, found


@apart
def best_partner(s, c, seat):
    """Whom to make an offer, NOBODY when no bargain promises anything."""
    best, found = NOBODY, 0.0
    for other in range(s.seats):
        if may_bargain(s, c, seat, other):
            square, gained = best_with(s, c, seat, other)
            if square != NO_SQUARE and gained > found:
                best, found = other, gained
    return best


# Composing an offer (G-65, G-66) -----------------------------------------------------------------

@rule
def draft_price(s, c, seat, other):
    """The price of the square in the draft."""
    square = np.int64(s.deal_square[DRAFT, 0])
    if asked(s) == Ask.ANSWER:
        return counter_price(s, c, seat)
    return asked_price(s, c, seat, other, square)


@apart
def compose(s, c, seat):
    """G-66 The next part of the offer that the seat means; what it does not mean is dropped."""
    other, stage = np.int64(s.deal_to[DRAFT]), s.draft_stage
    if stage == Stage.PARTNER:
        partner = best_partner(s, c, seat)
        return Do.SEAT + partner if partner != NOBODY else Do.CANCEL
    if stage == Stage.SQUARE:
        square = np.int64(s.deal_square[OFFER, 0])
        if asked(s) != Ask.ANSWER:
            square, _ = best_with(s, c, seat, other)
        return Do.SQUARE + square if square != NO_SQUARE else Do.CANCEL
    if stage == Stage.MORE:
        return Do.DONE
    if stage == Stage.TAX:
        is_paid = tax_refusal(s, c, seat, Bearer.BUYER) == Refusal.NONE
        return Do.TAX + Bearer.BUYER if is_paid else Do.CANCEL
    price = draft_price(s, c, seat, other)
    if price == NO_PRICE:
        return Do.CANCEL
    if stage == Stage.AMOUNT:
        return Do.TYPE
    return next_digit(s, price) if stage == Stage.TYPING else Do.CANCEL


# Answering ---------------------------------------------------------------------------------------

@apart
def offer_gain(s, c, seat):
    """What the offer on the table is worth to one of its sides, if it can be paid."""
    coins, total = -1.0 * deal_cost(s, c, OFFER, seat), 0.0
    profit, worth, given, got = 0.0, 0.0, 0, 0
    for i in range(s.deal_count[OFFER]):
        square = np.int64(s.deal_square[OFFER, i])
        sign = -1.0 if s.owner[square] == seat else 1.0
        profit += sign * yields(s, c, square)
        worth += sign * min(square_value(s, c, square), ENOUGH)
        given += s.owner[square] == seat
        got += s.owner[square] != seat
        if s.owner[square] != seat:
            coins += foothold(s, c, seat, square)
        again = stand_in(s, c, seat, square)
        total = NEVER if again == NO_PRICE else total + again
    total = min(total, NEVER)
    if total == NEVER or (given > 0 and got > 0):
        return gain(s, c, seat, coins, profit, worth)
    if given > 0:
        return seller_gain(s, c, seat, coins, -profit, -worth, total)
    return buyer_gain(s, c, seat, -coins, profit, worth, total)


@rule
def is_fair(s, c, seat, own):
    """What the other gains is lost by all the rest, and by the seat as one of them; somebody who
    breaks their word has to offer more."""
    other = other_side(s, OFFER, seat)
    theirs = max(offer_gain(s, c, other), 0.0)
    if s.broken[other] > s.kept[other]:
        theirs *= 2.0
    return own * (s.seats - 1) >= theirs


@rule
def counter_price(s, c, seat):
    """G-28 What the seat would rather have for the square; NO_PRICE where there is no such price,
    or it is no better than what was offered."""
    square, offered = np.int64(s.deal_square[OFFER, 0]), s.deal_price[OFFER]
    if s.owner[square] == seat:
        least = least_price(s, c, seat, square, OPENING_GAIN)
        return least if offered < least else NO_PRICE
    most = most_price(s, c, seat, square, OPENING_GAIN)
    return most if 0 < most < offered else NO_PRICE


@rule
def agrees(s, c, seat):
    """Whether the seat can pay its side of the offer, gains by it, and enough of it."""
    if deal_cost(s, c, OFFER, seat) > s.cash[seat]:
        return False
    own = offer_gain(s, c, seat)
    return own >= LEAST_GAIN and is_fair(s, c, seat, own)


@apart
def answer_offer(s, c, seat):
    """G-28 Yes, no, or once in a bargain another price."""
    if agrees(s, c, seat):
        return Do.ACCEPT
    opponent = np.int64(s.deal_from[OFFER]) if seat == s.active else seat
    if s.countered or s.deal_count[OFFER] != 1 or s.offers_made[opponent] >= c.max_offers_per_turn \
            or s.answers[seat] >= c.max_actions_per_turn:
        return Do.DECLINE
    return Do.COUNTER if counter_price(s, c, seat) != NO_PRICE else Do.DECLINE


@rule
def kept_vote(s, seat):
    """G-30 The vote that a seat has promised; NOBODY: none, or both."""
    given = 0
    for other in range(s.seats):
        given |= np.int64(s.promised[seat, other])
    against, let = given >> Promise.AGAINST & 1, given >> Promise.LET & 1
    return Do.VOTE + against if against != let else NOBODY


# Building (G-25 to G-27) -------------------------------------------------------------------

@rule
def work_gain(s, c, seat, square):
    """What seed, or cattle on a crop, would bring on a square of one's own."""
    if s.kind[square] != Land.LAND or s.use[square] == Use.CATTLE:
        return 0.0
    price, after = entry(s, Value.SEED), entry(s, Value.CROP)
    if s.use[square] == Use.CROP:
        price, after = entry(s, Value.CATTLE), entry(s, Value.CATTLE_PROFIT) - after
    if price > s.cash[seat]:
        return 0.0
    return gain(s, c, seat, -1.0 * price, min(after * multiplier(s, c, square), ENOUGH), 0.0)


@rule
def bank_gain(s, c, seat, square):
    """What a square of the bank would bring, land with seed on it."""
    if s.owner[square] != UNKNOWN or not can_be_owned(s, square):
        return 0.0
    price, each = bank_price(s, c, square) + square_tax(s, c, seat, square), 0
    if s.kind[square] == Land.MINE:
        each = entry(s, Value.MINE_PROFIT)
    elif price + entry(s, Value.SEED) <= s.cash[seat]:
        price, each = price + entry(s, Value.SEED), entry(s, Value.CROP)
    if price > s.cash[seat]:
        return 0.0
    return gain(s, c, seat, -1.0 * price, min(each * multiplier(s, c, square), ENOUGH),
                min(square_value(s, c, square), ENOUGH))


@rule
def overlooks(s, seat, square, attention):
    """Whether the seat does not see, in this round, what could be built on a square."""
    return (square * 37 + seat * 11 + s.round_number * 53) % SPOTS >= SPOTS * attention


@apart
def best_to_build(s, c, seat, kind, attention):
    """The square that is best bought, seeded or stocked; NO_SQUARE: none pays."""
    best, found = NO_SQUARE, LEAST_GAIN
    for square in range(N_SQUARES):
        gained = 0.0
        if overlooks(s, seat, square, attention):
            continue
        if kind == Draft.BUY:
            gained = bank_gain(s, c, seat, square)
        elif s.owner[square] == seat and (s.use[square] == Use.CROP) == (kind == Draft.CATTLE):
            gained = work_gain(s, c, seat, square)
        if gained > found:
            best, found = square, gained
    return best


@apart
def build(s, c, seat, attention):
    """Buys, seeds and stocks what pays by the same books as deals do: so what a bot has sold for
    more than the bank takes for as good a one, it gets again. NOBODY: nothing pays."""
    for kind in range(Draft.CATTLE, Draft.BUY - 1, -1):
        is_begun = s.draft_kind == kind
        if is_begun or (s.draft_kind == Draft.NONE and (kind != Draft.BUY or c.hr_buy_limit == 0
                                                        or s.bought < c.hr_buy_limit)):
            square = best_to_build(s, c, seat, kind, attention)
            if square != NO_SQUARE:
                return Do.SQUARE + square if is_begun else Do.BUY + kind - Draft.BUY
    return NOBODY


# Habits ------------------------------------------------------------------------------------------

@rule
def habit(s, c, seats, seat, attention):
    """What a bot does without searching: it builds, deals, and votes as it has promised; a master
    borrows before all else, and spends freely what it has borrowed."""
    is_master, found = attention > 1.0, NOBODY
    if is_master:
        found = borrow_first(s, c, seat, rounds_left(s, c))
    if found == NOBODY:
        found = usual_habit(s, c, seat, attention)
    if found == NOBODY and is_master:
        found = spend_freely(s, c, seat)
    return found


@rule
def usual_habit(s, c, seat, attention):
    """What all levels do, each with the attention that it pays."""
    ask = asked(s)
    if s.draft_kind == Draft.OFFER:
        return compose(s, c, seat)
    if s.draft_kind != Draft.NONE:
        return build(s, c, seat, attention) if ask == Ask.TURN else NOBODY
    if ask == Ask.ANSWER:
        return answer_offer(s, c, seat)
    if ask == Ask.RECEIVE:
        return Do.ACCEPT
    if ask == Ask.VOTE:
        return kept_vote(s, seat)
    if ask == Ask.CALLED:
        square, _ = best_with(s, c, seat, np.int64(s.active))
        return Do.OFFER if square != NO_SQUARE and s.answers[seat] < c.max_actions_per_turn \
            else Do.PASS
    if ask == Ask.TURN and s.answers[seat] < c.max_actions_per_turn // 2:
        built = build(s, c, seat, attention)
        if built != NOBODY:
            return built
        return Do.OFFER if best_partner(s, c, seat) != NOBODY else NOBODY
    return NOBODY


@rule
def only_by_habit(s, action):
    """Offers are never an experiment, and neither are presents and promises in one's turn."""
    ask = asked(s)
    if ask == Ask.TURN and s.draft_kind == Draft.NONE:
        return action == Do.OFFER or Do.GIFT <= action <= Do.PROMISE
    return ask == Ask.ANSWER and s.draft_kind == Draft.NONE and action != Do.DECLINE
