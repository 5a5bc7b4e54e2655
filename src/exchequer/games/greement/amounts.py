"""Amounts (G-65): a menu of sensible ones, or any number typed digit by digit.

Both go through `amount_bounds`. A single amount is bounded only by the purse, the bank's bound
(G-64) and the rule that asks for it.
"""

import numpy as np

from exchequer.core.agenda import asked
from exchequer.core.records import rule
from exchequer.games.greement.board import bank_price
from exchequer.games.greement.deals import deal_value, most_gift, most_price
from exchequer.games.greement.money import credit, repayable
from exchequer.games.greement.pledges import amount_missing, card_price, most_pledge, must_pay_whole
from exchequer.games.greement.state import (
    DRAFT,
    N_AMOUNTS,
    N_MENU,
    NO_AMOUNT,
    Ask,
    Do,
    Draft,
    Refusal,
    Stage,
)


@rule
def asks_amount(s):
    """Whether an amount is to be named or chosen now."""
    if s.draft_stage == Stage.MAIN:
        return asked(s) == Ask.FIRST_LOAN or asked(s) == Ask.PLEDGE
    return s.draft_stage == Stage.AMOUNT


@rule
def amount_bounds(s, c, seat):
    """The lowest and the highest amount that may be named now."""
    ask, kind = asked(s), s.draft_kind
    low = 1
    if ask == Ask.FIRST_LOAN:  # G-16
        return bank_price(s, c, np.int64(s.home[seat])), c.first_loan_max
    if ask == Ask.PLEDGE:  # G-35
        if must_pay_whole(s, c):
            low = card_price(s, c)
        return low, most_pledge(s, c, seat)
    if kind == Draft.BORROW:  # G-23
        return low, min(credit(s, c, seat), c.loan_most)
    if kind == Draft.REPAY:  # G-24
        return low, repayable(s, c, seat)
    if kind == Draft.GIFT:  # G-29
        return low, most_gift(s, c, seat, np.int64(s.deal_to[DRAFT]))
    return 0, most_price(s, c, seat)  # G-28


@rule
def menu_amount(s, c, seat, place, low, high):
    """G-65 The amount at a place of the menu, or NO_AMOUNT. No amount stands there twice."""
    ask, kind = asked(s), s.draft_kind
    if ask == Ask.FIRST_LOAN:
        coins = low + place
        return coins if coins <= high else NO_AMOUNT
    if kind == Draft.OFFER:
        coins = c.price_menu[place] * deal_value(s, c, DRAFT) if place < N_AMOUNTS else NO_AMOUNT
        return coins if 0 < coins <= high else NO_AMOUNT
    whole, half = high, high // 2
    if kind == Draft.BORROW:
        whole, half = high + 1, NO_AMOUNT
    if place == 0:
        coins = whole
    elif place == 1:
        coins = half
    elif place < N_AMOUNTS + 2:
        coins = c.amount_menu[place - 2]
        if coins == half or coins >= whole:
            coins = NO_AMOUNT
    else:
        coins = NO_AMOUNT
    return coins if low <= coins <= high else NO_AMOUNT


@rule
def amount_refusal(s, c, seat, action):
    """G-65 An entry of the menu, or the wish to type a number."""
    low, high = amount_bounds(s, c, seat)
    if Do.MENU <= action < Do.MENU + N_MENU:
        fits = menu_amount(s, c, seat, action - Do.MENU, low, high) != NO_AMOUNT
        return Refusal.NONE if fits else Refusal.TOO_MUCH
    if action != Do.TYPE:
        return Refusal.NOT_ASKED
    if s.answers[seat] >= c.max_actions_per_turn:
        return Refusal.ACTIONS_USED
    return Refusal.NONE if low <= high else Refusal.TOO_MUCH


@rule
def typing_refusal(s, c, seat, action):
    """G-65 Digits while the number stays within bounds; it counts when it is confirmed."""
    low, high = amount_bounds(s, c, seat)
    if action == Do.CONFIRM:
        if s.draft_amount < low:
            return Refusal.TOO_LITTLE
        return Refusal.NONE if s.draft_amount <= high else Refusal.TOO_MUCH
    if action != Do.ERASE and not Do.DIGIT <= action < Do.ERASE:
        return Refusal.NOT_ASKED
    if s.answers[seat] >= c.max_actions_per_turn:
        return Refusal.ACTIONS_USED
    if action == Do.ERASE:
        return Refusal.NONE if s.draft_amount > 0 else Refusal.TOO_LITTLE
    number = s.draft_amount * 10 + (action - Do.DIGIT)
    if number == 0:
        return Refusal.TOO_LITTLE
    if asked(s) == Ask.PLEDGE and number > amount_missing(s, c):
        return Refusal.OVERPAID
    return Refusal.NONE if number <= high else Refusal.TOO_MUCH


@rule
def type_number(s, action):
    """G-65 Add a digit or take one back."""
    if action == Do.ERASE:
        s.draft_amount //= 10
    else:
        s.draft_amount = s.draft_amount * 10 + (action - Do.DIGIT)


@rule
def next_digit(s, coins):
    """G-65 What is typed next of a number; a bot types like anybody else."""
    if s.draft_amount == coins:
        return Do.CONFIRM
    rest = coins
    while rest >= 10 and rest // 10 != s.draft_amount:
        rest //= 10
    if rest // 10 != s.draft_amount:
        return Do.ERASE
    return Do.DIGIT + rest % 10
