"""Drafts: a large choice made of small ones, secret and cancellable until it commits (G-66).

`legal` and `refusal` of a draft look at the stage; `go_on` takes the answer and either asks for
the next part or commits.
"""

import numpy as np

from exchequer.core.agenda import asked, no_handler, take_question
from exchequer.core.records import rule
from exchequer.games.greement.amounts import (
    amount_bounds,
    amount_refusal,
    menu_amount,
    type_number,
    typing_refusal,
)
from exchequer.games.greement.deals import (
    add_square,
    call_for_offer,
    clear_draft,
    commit_gift,
    commit_offer,
    make_promise,
    offered_square_refusal,
    partner_refusal,
    promise_refusal,
    set_price,
    settle_payer,
    tax_refusal,
)
from exchequer.games.greement.pledges import pledge
from exchequer.games.greement.start import seal_loan
from exchequer.games.greement.state import (
    DRAFT,
    N_SQUARES,
    OFFER,
    SEATS,
    Ask,
    Book,
    Do,
    Draft,
    Refusal,
    Stage,
)
from exchequer.games.greement.turn import square_refusal, work_square, write_books


@rule
def begin(s, c, seat, kind, log):
    """G-66 Start composing; a single possible partner is not asked for."""
    s.draft_kind = kind
    s.deal_from[DRAFT] = seat
    if kind == Draft.BORROW or kind == Draft.REPAY:
        s.draft_stage = Stage.AMOUNT
    elif kind < Draft.OFFER:
        s.draft_stage = Stage.SQUARE
    elif asked(s) == Ask.ANSWER:
        choose_partner(s, seat, np.int64(s.deal_from[OFFER]), log)
    elif asked(s) == Ask.CALLED:
        choose_partner(s, seat, np.int64(s.active), log)
    elif s.seats == 2:
        choose_partner(s, seat, 1 - seat, log)
    else:
        s.draft_stage = Stage.PARTNER


@rule
def choose_partner(s, seat, other, log):
    s.deal_to[DRAFT] = other
    if s.draft_kind == Draft.OFFER:
        s.draft_stage = Stage.SQUARE
    elif s.draft_kind == Draft.GIFT:
        s.draft_stage = Stage.AMOUNT
    elif s.draft_kind == Draft.PROMISE:
        s.draft_stage = Stage.PROMISE
    elif s.draft_kind == Draft.CALL:
        call_for_offer(s, seat, other, log)
    else:
        no_handler(s, asked(s))


@rule
def draft_refusal(s, c, seat, action):
    """G-66 Whether an action answers the part of a draft that is asked for."""
    stage = s.draft_stage
    if action == Do.CANCEL:
        return Refusal.NONE
    if stage == Stage.TYPING:
        return typing_refusal(s, c, seat, action)
    if stage == Stage.AMOUNT:
        return amount_refusal(s, c, seat, action)
    if stage == Stage.PARTNER:
        if Do.SEAT <= action < Do.SEAT + SEATS:
            return partner_refusal(s, c, seat, s.draft_kind, action - Do.SEAT)
    elif stage == Stage.SQUARE or stage == Stage.MORE:
        if Do.SQUARE <= action < Do.SQUARE + N_SQUARES:
            if s.draft_kind == Draft.OFFER:
                return offered_square_refusal(s, seat, action - Do.SQUARE)
            return square_refusal(s, c, seat, s.draft_kind, action - Do.SQUARE)
        if stage == Stage.MORE and action == Do.DONE:
            return Refusal.NONE
    elif stage == Stage.PAYER:
        if action == Do.PAYER or action == Do.PAYER + 1:
            return Refusal.NONE
    elif stage == Stage.TAX:
        if Do.TAX <= action < Do.SEAT:
            return tax_refusal(s, c, seat, action - Do.TAX)
    elif stage == Stage.PROMISE and Do.PROMISED <= action < Do.MENU:
        return promise_refusal(s, seat, action - Do.PROMISED)
    return Refusal.NOT_ASKED


@rule
def go_on(s, c, seat, action, log):
    """G-66 The next part of a draft is answered."""
    stage = s.draft_stage
    if action == Do.CANCEL:
        step_back(s)
    elif stage == Stage.TYPING:
        if action == Do.CONFIRM:
            take_amount(s, c, seat, s.draft_amount, log)
        else:
            type_number(s, action)
    elif stage == Stage.AMOUNT:
        choose_amount(s, c, seat, action, log)
    elif stage == Stage.PARTNER:
        choose_partner(s, seat, action - Do.SEAT, log)
    elif action == Do.DONE:
        settle_payer(s, seat)
    elif stage == Stage.SQUARE or stage == Stage.MORE:
        square = action - Do.SQUARE
        if s.draft_kind == Draft.OFFER:
            add_square(s, c, seat, square)
        else:
            work_square(s, c, seat, np.int64(s.draft_kind), square, log)
    elif stage == Stage.PAYER:
        s.deal_payer[DRAFT] = seat if action == Do.PAYER else s.deal_to[DRAFT]
        s.draft_stage = Stage.AMOUNT
    elif stage == Stage.TAX:
        s.deal_tax[DRAFT] = action - Do.TAX
        commit_offer(s, c, seat, log)
    elif stage == Stage.PROMISE:
        make_promise(s, seat, action - Do.PROMISED, log)
    else:
        no_handler(s, asked(s))


@rule
def step_back(s):
    """G-66 From typing to the menu; from all else the draft is dropped."""
    if s.draft_stage == Stage.TYPING and s.draft_kind != Draft.NONE:
        s.draft_stage = Stage.AMOUNT
        s.draft_amount = 0
    else:
        clear_draft(s)


@rule
def choose_amount(s, c, seat, action, log):
    """G-65 From the menu, or to be typed."""
    if action == Do.TYPE:
        s.draft_stage = Stage.TYPING
        s.draft_amount = 0
    else:
        low, high = amount_bounds(s, c, seat)
        take_amount(s, c, seat, menu_amount(s, c, seat, action - Do.MENU, low, high), log)


@rule
def take_amount(s, c, seat, coins, log):
    """G-65 The amount is final: book, lend, give, price or pledge it."""
    ask = asked(s)
    if ask == Ask.FIRST_LOAN:
        take_question(s)
        clear_draft(s)
        seal_loan(s, seat, coins, log)
    elif ask == Ask.PLEDGE:
        take_question(s)
        clear_draft(s)
        pledge(s, seat, coins)
    elif s.draft_kind == Draft.BORROW:
        write_books(s, seat, Book.LOAN, coins, log)
    elif s.draft_kind == Draft.REPAY:
        write_books(s, seat, Book.REPAYMENT, coins, log)
    elif s.draft_kind == Draft.GIFT:
        commit_gift(s, c, seat, coins, log)
    elif s.draft_kind == Draft.OFFER:
        s.draft_amount = 0
        set_price(s, c, seat, coins, log)
    else:
        no_handler(s, ask)


