"""Deals between players: offers and counter-offers, gifts, calls and promises (G-28 to G-30).

A deal has two slots in the state: DRAFT is what the asked seat composes and nobody else sees,
OFFER what lies on the table between two seats. A gift uses the same slots without a square.
Whoever proposes must be able to pay their own side; the other's purse is looked at only when the
other accepts, and by them (G-67).
"""

import numpy as np

from exchequer.core.agenda import asked, take_question, then
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note_for
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.greement.board import (
    entry,
    gift_tax,
    give_square,
    square_tax,
    square_value,
    squares_of,
)
from exchequer.games.greement.money import hand_coins, pay
from exchequer.games.greement.state import (
    DRAFT,
    MOST_COINS,
    MOST_SQUARES,
    N_PROMISES,
    NO_PROMISE,
    NO_SQUARE,
    OFFER,
    Ask,
    Bearer,
    Deal,
    Do,
    Draft,
    Event,
    Promise,
    Refusal,
    Stage,
    Value,
    Vote,
)

LONGEST = 18  # squares from corner to corner
HAS_WORD = 2  # told to oneself: no vote, but something before it
NOT_VOTES = 255 - (1 << Promise.AGAINST | 1 << Promise.LET)  # bits of promises that stay


@rule
def clear_deal(s, which):
    s.deal_price[which] = 0
    s.deal_from[which] = NOBODY
    s.deal_to[which] = NOBODY
    s.deal_payer[which] = 0
    s.deal_tax[which] = 0
    s.deal_count[which] = 0
    for i in range(MOST_SQUARES):
        s.deal_square[which, i] = NO_SQUARE


@rule
def clear_draft(s):
    """G-66 Nothing is being composed."""
    s.draft_kind = Draft.NONE
    s.draft_stage = Stage.MAIN
    s.draft_amount = 0
    clear_deal(s, DRAFT)


@rule
def two(seat, other):
    """The log's mask for what only two seats may see."""
    return 1 << seat | 1 << other


# What a deal costs (G-11, G-28, G-69) ------------------------------------------------------------

@rule
def other_side(s, which, seat):
    """The partner of a seat in a deal."""
    giver, taker = np.int64(s.deal_from[which]), np.int64(s.deal_to[which])
    return taker if seat == giver else giver


@rule
def tax_total(s, c, which):
    """G-11 G-R38 The tax on all squares of a deal, each for its new owner, on present holdings."""
    total = 0
    for i in range(s.deal_count[which]):
        square = np.int64(s.deal_square[which, i])
        total += square_tax(s, c, other_side(s, which, np.int64(s.owner[square])), square)
    return total


@rule
def tax_borne(s, c, which, seat, bearer):
    """G-28 G-R12 What one side pays to the bank: the tax on what they get, on what they give, or
    half of both, of which the larger half is that of whoever gets."""
    total = 0
    for i in range(s.deal_count[which]):
        square = np.int64(s.deal_square[which, i])
        owner = np.int64(s.owner[square])
        tax = square_tax(s, c, other_side(s, which, owner), square)
        sellers = tax if bearer == Bearer.SELLER else tax // 2 if bearer == Bearer.BOTH else 0
        total += sellers if owner == seat else tax - sellers
    return total


@rule
def tax_share(s, c, which, seat):
    """G-28 The same for a deal whose terms are complete."""
    return tax_borne(s, c, which, seat, np.int64(s.deal_tax[which]))


@rule
def deal_cost(s, c, which, seat):
    """G-69 What a deal takes out of a purse: the tax may be paid from the price received."""
    price = s.deal_price[which]
    return tax_share(s, c, which, seat) + (price if s.deal_payer[which] == seat else -price)


@rule
def deal_value(s, c, which):
    """G-10 The value of all squares of a deal, for menus of prices and the price cap."""
    total = 0
    for i in range(s.deal_count[which]):
        total += square_value(s, c, np.int64(s.deal_square[which, i]))
    return total


@rule
def most_price(s, c, seat):
    """G-28 G-64 G-76 The highest price that the seat may name in its draft."""
    most = s.cash[seat] if s.deal_payer[DRAFT] == seat else MOST_COINS
    if c.hr_price_cap > 0:
        most = min(most, c.hr_price_cap * deal_value(s, c, DRAFT))
    return most


@rule
def most_gift(s, c, seat, other):
    """G-29 What is left for a gift after its tax."""
    return s.cash[seat] - gift_tax(s, c, seat, other)


# Who can be dealt with ---------------------------------------------------------------------------

@rule
def partner_refusal(s, c, seat, kind, other):
    """Whether a draft of this kind may be addressed to this seat."""
    if other < 0 or other >= s.seats or other == seat:
        return Refusal.YOURSELF
    if kind == Draft.GIFT:
        if s.cash[seat] > LONGEST * entry(s, Value.TAX):  # enough at any distance
            return Refusal.NONE
        return Refusal.NONE if most_gift(s, c, seat, other) >= 1 else Refusal.TOO_POOR
    if kind == Draft.PROMISE:
        full = s.promised[seat, other] == (1 << N_PROMISES) - 1
        return Refusal.PROMISED_ALREADY if full else Refusal.NONE
    if s.offers_made[other] >= c.max_offers_per_turn:  # G-22
        return Refusal.OFFERS_USED
    if squares_of(s, seat) + squares_of(s, other) == 0:
        return Refusal.NOTHING_OWNED
    return Refusal.NONE


@rule
def any_partner_refusal(s, c, seat, kind):
    """Refused only when it is refused for everybody."""
    if kind == Draft.GIFT:
        if c.hr_no_gifts_in_debt and s.debt[seat] > 0:  # G-76
            return Refusal.IN_DEBT
        if s.cash[seat] < 1:
            return Refusal.TOO_POOR
    why = Refusal.YOURSELF
    for other in range(s.seats):
        if other != seat:
            why = partner_refusal(s, c, seat, kind, other)
            if why == Refusal.NONE:
                return why
    return why


# Offers (G-28) -----------------------------------------------------------------------------------

@rule
def offered_square_refusal(s, seat, square):
    """G-28 G-R32 A square of either side that is not in the bundle yet."""
    owner = s.owner[square]
    if owner != seat and owner != s.deal_to[DRAFT]:
        return Refusal.NOT_THEIRS
    for i in range(s.deal_count[DRAFT]):
        if s.deal_square[DRAFT, i] == square:
            return Refusal.NOT_THEIRS
    return Refusal.BUNDLE_FULL if s.deal_count[DRAFT] == MOST_SQUARES else Refusal.NONE


@rule
def add_square(s, c, seat, square):
    """G-28 G-R38 One square, or several where bundles are allowed."""
    s.deal_square[DRAFT, s.deal_count[DRAFT]] = square
    s.deal_count[DRAFT] += 1
    if c.bundle_trades:
        s.draft_stage = Stage.MORE
    else:
        settle_payer(s, seat)


@rule
def settle_payer(s, seat):
    """G-28 Who gets the square pays; in a swap the proposer says who pays."""
    given = 0
    for i in range(s.deal_count[DRAFT]):
        given += s.owner[s.deal_square[DRAFT, i]] == seat
    if given == 0:
        s.deal_payer[DRAFT] = seat
        s.draft_stage = Stage.AMOUNT
    elif given == s.deal_count[DRAFT]:
        s.deal_payer[DRAFT] = s.deal_to[DRAFT]
        s.draft_stage = Stage.AMOUNT
    else:
        s.draft_stage = Stage.PAYER


@rule
def set_price(s, c, seat, coins, log):
    """G-28 The price is named; where a tax is due the proposer says who bears it."""
    s.deal_price[DRAFT] = coins
    if tax_total(s, c, DRAFT) > 0:
        s.draft_stage = Stage.TAX
    else:
        commit_offer(s, c, seat, log)


@rule
def tax_refusal(s, c, seat, bearer):
    """G-28 G-67 Whoever proposes must be able to pay their own side."""
    cost = tax_borne(s, c, DRAFT, seat, bearer)
    cost += s.deal_price[DRAFT] if s.deal_payer[DRAFT] == seat else -s.deal_price[DRAFT]
    return Refusal.NONE if cost <= s.cash[seat] else Refusal.TOO_POOR


@rule
def commit_offer(s, c, seat, log):
    """G-28 The offer lies on the table and the other side is asked. A counter-offer replaces the
    one it answers."""
    other = np.int64(s.deal_to[DRAFT])
    what = asked(s)
    if what != Ask.TURN:
        take_question(s)
    s.countered = what == Ask.ANSWER
    if what != Ask.CALLED:  # a called offer was counted with the call (G-70)
        s.offers_made[other if seat == s.active else seat] += 1
    copy_draft(s)
    clear_draft(s)
    s.offer_number += 1
    if what != Ask.ANSWER:
        s.offer_chain = s.offer_number
    event = Event.COUNTERED if what == Ask.ANSWER else Event.OFFERED
    note_for(log, event, seat, other, s.deal_square[OFFER, 0], s.deal_price[OFFER],
             two(seat, other))
    then(s, Ask.ANSWER, other, 0, 0)


@rule
def copy_draft(s):
    s.deal_price[OFFER] = s.deal_price[DRAFT]
    s.deal_from[OFFER] = s.deal_from[DRAFT]
    s.deal_to[OFFER] = s.deal_to[DRAFT]
    s.deal_payer[OFFER] = s.deal_payer[DRAFT]
    s.deal_tax[OFFER] = s.deal_tax[DRAFT]
    s.deal_count[OFFER] = s.deal_count[DRAFT]
    for i in range(MOST_SQUARES):
        s.deal_square[OFFER, i] = s.deal_square[DRAFT, i]


@rule
def deal_kind(s, c, seat):
    """What kind of deal the offer is, for the log."""
    given = 0
    for i in range(s.deal_count[OFFER]):
        given += s.owner[s.deal_square[OFFER, i]] == seat
    if 0 < given < s.deal_count[OFFER]:
        return Deal.SWAP
    kind = Deal.SALE if given > 0 else Deal.PURCHASE
    if tax_total(s, c, OFFER) == 0:
        return kind
    return kind + 1 + np.int64(s.deal_tax[OFFER])


@handles(Ask.ANSWER, Do.ACCEPT)
@apart
def close_deal(s, c, log):
    """G-28 G-R33 All at once: price, taxes, squares."""
    giver, taker = np.int64(s.deal_from[OFFER]), np.int64(s.deal_to[OFFER])
    known = two(giver, taker)
    payer = np.int64(s.deal_payer[OFFER])
    payee = other_side(s, OFFER, payer)
    price = s.deal_price[OFFER]
    note_for(log, Event.DEAL, giver, taker, deal_kind(s, c, giver), price, known)
    giver_tax = tax_share(s, c, OFFER, giver)
    taker_tax = tax_share(s, c, OFFER, taker)
    got = hand_coins(s, payer, payee, price)
    note_for(log, Event.PRICE_PAID, payer, payee, 0, price, known)
    note_for(log, Event.PRICE_GOT, payee, payer, 0, got, 1 << payee)
    pay(s, giver, giver_tax)
    note_for(log, Event.DEAL_TAX, giver, taker, 0, giver_tax, known)
    pay(s, taker, taker_tax)
    note_for(log, Event.DEAL_TAX, taker, giver, 0, taker_tax, known)
    for i in range(s.deal_count[OFFER]):
        square = np.int64(s.deal_square[OFFER, i])
        owner = np.int64(s.owner[square])
        new = other_side(s, OFFER, owner)
        give_square(s, c, square, new)
        note_for(log, Event.HANDED_OVER, new, owner, square, 1, ALL)
    clear_deal(s, OFFER)
    s.countered = 0


@handles(Ask.ANSWER)
def decline_deal(s, seat, log):
    """G-28 The offer is off the table."""
    note_for(log, Event.DECLINED, seat, s.deal_from[OFFER], 0, 1, ALL)
    clear_deal(s, OFFER)
    s.countered = 0


# Gifts (G-29) ------------------------------------------------------------------------------------

@rule
def gift_mask(s, c, seat, other):
    return ALL if c.gift_amounts_public else two(seat, other)


@rule
def commit_gift(s, c, seat, coins, log):
    """G-29 G-34 The gift is held out, before a vote once all have answered."""
    other = np.int64(s.deal_to[DRAFT])
    if asked(s) == Ask.VOTE:
        write_word(s, seat, NO_PROMISE, coins, log)
    else:
        clear_draft(s)
        hold_out(s, c, seat, other, coins, log)


@rule
def hold_out(s, c, seat, other, coins, log):
    """G-29 The other takes or refuses a gift."""
    clear_deal(s, OFFER)
    s.deal_from[OFFER] = seat
    s.deal_to[OFFER] = other
    s.deal_price[OFFER] = coins
    note_for(log, Event.GIFT_OFFERED, seat, other, 0, coins, gift_mask(s, c, seat, other))
    then(s, Ask.RECEIVE, other, 0, 0)


@handles(Ask.RECEIVE, Do.ACCEPT)
@apart
def take_gift(s, c, seat, log):
    """G-29 G-12 The taker gets the gift, the bank its tax; nothing else is owed for it."""
    giver = np.int64(s.deal_from[OFFER])
    coins, tax = s.deal_price[OFFER], gift_tax(s, c, giver, seat)
    got = hand_coins(s, giver, seat, coins)
    note_for(log, Event.GIFT_GIVEN, giver, seat, 0, coins, gift_mask(s, c, giver, seat))
    note_for(log, Event.GIFT_GOT, seat, giver, 0, got, 1 << seat)
    pay(s, giver, tax)
    note_for(log, Event.GIFT_TAX, giver, seat, 0, tax, ALL)
    clear_deal(s, OFFER)


@handles(Ask.RECEIVE)
def refuse_gift(s, seat, log):
    note_for(log, Event.GIFT_REFUSED, seat, s.deal_from[OFFER], 0, 1, ALL)
    clear_deal(s, OFFER)


# Calls and promises (G-30, G-70) -----------------------------------------------------------------

@rule
def call_for_offer(s, seat, other, log):
    """G-70 The active player asks another for an offer."""
    s.offers_made[other] += 1
    clear_draft(s)
    note_for(log, Event.CALLED, seat, other, 0, 1, ALL)
    then(s, Ask.CALLED, other, 0, 0)


@rule
def promise_refusal(s, seat, promise):
    done = s.promised[seat, s.deal_to[DRAFT]] >> promise & 1
    return Refusal.PROMISED_ALREADY if done else Refusal.NONE


@rule
def make_promise(s, seat, promise, log):
    """G-30 G-R33 Written down for all to see, and not binding."""
    other = np.int64(s.deal_to[DRAFT])
    if asked(s) == Ask.VOTE:
        write_word(s, seat, promise, 0, log)
    else:
        clear_draft(s)
        give_word(s, seat, other, promise, log)


@rule
def give_word(s, seat, other, promise, log):
    s.promised[seat, other] = s.promised[seat, other] | (1 << promise)
    note_for(log, Event.PROMISED, seat, other, promise, 1, ALL)


@rule
def write_word(s, seat, promise, coins, log):
    """G-34 A gift or a promise instead of a vote, for oneself until all have answered."""
    s.sealed[seat] = Vote.WORD
    s.word_to[seat] = s.deal_to[DRAFT]
    s.word[seat] = promise
    s.written[seat] = coins
    take_question(s)
    clear_draft(s)
    note_for(log, Event.VOTED_SEALED, seat, NOBODY, HAS_WORD, 1, 1 << seat)


@rule
def say_word(s, c, seat, log):
    """G-34 What somebody wrote before the vote is said."""
    other, coins = np.int64(s.word_to[seat]), s.written[seat]
    s.word_to[seat] = NOBODY
    s.written[seat] = 0
    if s.word[seat] == NO_PROMISE:
        hold_out(s, c, seat, other, coins, log)
    else:
        give_word(s, seat, other, np.int64(s.word[seat]), log)


@rule
def forget_promises(s, seat):
    """G-30 A promise stands until the next turn of the one who gave it."""
    for other in range(s.seats):
        s.promised[seat, other] = 0


@rule
def judge_promises(s, log):
    """G-30 Promised votes are held against the votes and are then used up. Nothing follows."""
    for seat in range(s.seats):
        for other in range(s.seats):
            for promise in range(Promise.LET + 1):
                if s.promised[seat, other] >> promise & 1:
                    said = Vote.AGAINST if promise == Promise.AGAINST else Vote.LET
                    is_kept = s.opened[seat] == said
                    s.kept[seat] += is_kept
                    s.broken[seat] += not is_kept
                    event = Event.PROMISE_KEPT if is_kept else Event.PROMISE_BROKEN
                    note_for(log, event, seat, other, promise, 1, ALL)
            s.promised[seat, other] = s.promised[seat, other] & NOT_VOTES


