"""Greement's rules: the contract, the order of things and the state's promises.

Source: the designer's prototype rulebook of February 2017 with our rulings G-R1 to G-R38;
`rulebook.md` is the authority here. `board` and `money` are what the game is made of, `start`,
`turn`, `deals`, `pledges` and `events` its rules, `drafts` and `amounts` how large choices are
asked for, `secrets` who may know what. Deviations: coins and entries are bounded (G-64), others
propose when they are called (G-70).
"""

import numpy as np

from exchequer.core.agenda import asked, take_question, then, top_seat
from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.contract import handle_answer, list_legal, run_steps
from exchequer.core.handlers import handles
from exchequer.core.log import ALL, note, note_for
from exchequer.core.piles import pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.greement import secrets
from exchequer.games.greement.amounts import amount_refusal, asks_amount
from exchequer.games.greement.board import can_be_owned, deal_board, holding, squares_of
from exchequer.games.greement.deals import (
    any_partner_refusal,
    clear_deal,
    clear_draft,
    deal_cost,
)
from exchequer.games.greement.drafts import begin, choose_amount, draft_refusal, go_on
from exchequer.games.greement.ending import (
    finish,
    hide_end,
    is_last_turn,
    lead,
    ring_bell,
    round_ending,
    wealth,
)
from exchequer.games.greement.events import (
    lay_deck,
)
from exchequer.games.greement.pledges import save_cattle, save_refusal
from exchequer.games.greement.start import (
    goes_before,
    move_refusal,
    pick_refusal,
)
from exchequer.games.greement.state import (
    FAR,
    MOST_COINS,
    MOST_ENTRY,
    N_ACTIONS,
    N_SQUARES,
    N_VALUES,
    NO_SQUARE,
    OFFER,
    SEATS,
    UNKNOWN,
    Ask,
    Do,
    Draft,
    Ending,
    EndMode,
    Event,
    Fault,
    Holding,
    Land,
    Pile,
    Refusal,
    Stage,
    Step,
)
from exchequer.games.greement.turn import (
    borrow_refusal,
    end_turn,
    is_spent,
    turn_refusal,
)

observe = secrets.observe
determinize = secrets.determinize


__all__ = ["lead"]

# The contract ------------------------------------------------------------------------------------

@rule
def setup(s, c, seats, seed, log):
    """G-1 G-2 G-6 G-13 Shuffle squares and cards, draw the ages and the hidden end."""
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    s.first = UNKNOWN
    s.active = UNKNOWN
    for square in range(N_SQUARES):
        s.owner[square] = UNKNOWN
    for seat in range(SEATS):
        s.home[seat] = NO_SQUARE
        s.word_to[seat] = NOBODY
        s.age[seat] = seat
        for square in range(N_SQUARES):
            s.reach[seat, square] = FAR
    for seat in range(seats - 1, 0, -1):
        other = roll(s, seat + 1)
        age = s.age[seat]
        s.age[seat] = s.age[other]
        s.age[other] = age
    for value in range(N_VALUES):
        s.table[value] = c.value[value].start
    clear_draft(s)
    clear_deal(s, OFFER)
    deal_board(s, c)
    lay_deck(s, c)
    hide_end(s, c)
    then(s, Step.PICK, 0, 0, 0)
    run_steps(s, c, log)


@rule
def window(s):
    """The range of actions that the present question can have, CANCEL, PASS and BELL apart."""
    stage, ask = s.draft_stage, asked(s)
    first, last = Do.SQUARE, N_ACTIONS
    if stage == Stage.TYPING:
        first, last = Do.DIGIT, Do.DONE
    elif asks_amount(s):
        first, last = Do.MENU, Do.DIGIT
    elif stage == Stage.PARTNER:
        first, last = Do.SEAT, Do.PROMISED
    elif stage == Stage.PAYER:
        first, last = Do.PAYER, Do.TAX
    elif stage == Stage.TAX:
        first, last = Do.TAX, Do.SEAT
    elif stage == Stage.PROMISE:
        first, last = Do.PROMISED, Do.MENU
    elif stage == Stage.MORE:
        first = Do.DONE
    elif stage == Stage.MAIN:
        if ask == Ask.VOTE:
            first, last = Do.END, Do.PAYER
        elif ask != Ask.START and ask != Ask.MOVE_START and ask != Ask.SAVE:
            first, last = Do.END, Do.VOTE
    return first, last


@rule
def legal(s, c, out):
    """Every action that is not refused; only those the present question can have are tried."""
    if asked(s) == NOBODY:
        return 0
    count = list_legal(s, c, 0, Do.BELL + 1, out, 0)
    first, last = window(s)
    return list_legal(s, c, first, last, out, count)


@apart
def answer_refusal(s, c, ask, seat, action):
    """Built from the asked seat's own books and what is public, nothing else (G-67)."""
    if action == Do.BELL:
        open_to_clock = c.end_mode == EndMode.CLOCK and c.bell and not s.rung
        return Refusal.NONE if open_to_clock else Refusal.NOT_ASKED
    if s.draft_stage != Stage.MAIN:
        return draft_refusal(s, c, seat, action)
    return question_refusal(s, c, ask, seat, action)


@rule
def question_refusal(s, c, ask, seat, action):
    """Answers to a question of which no part has been answered yet."""
    if ask == Ask.TURN:
        return turn_refusal(s, c, seat, action)
    if ask == Ask.ANSWER:
        return reply_refusal(s, c, seat, action)
    if ask == Ask.RECEIVE:
        fits = action == Do.ACCEPT or action == Do.DECLINE
        return Refusal.NONE if fits else Refusal.NOT_ASKED
    if ask == Ask.VOTE:
        return vote_refusal(s, c, seat, action)
    if ask == Ask.FIRST_LOAN:
        return amount_refusal(s, c, seat, action)
    if action == Do.PASS:
        passes = ask == Ask.CALLED or ask == Ask.PLEDGE or ask == Ask.SAVE
        return Refusal.NONE if passes else Refusal.NOT_ASKED
    if ask == Ask.PLEDGE:
        return amount_refusal(s, c, seat, action)
    if ask == Ask.CALLED:
        return called_refusal(s, c, seat, action)
    if action < Do.SQUARE:
        return Refusal.NOT_ASKED
    if ask == Ask.START:
        return pick_refusal(s, c, seat, action - Do.SQUARE)
    if ask == Ask.MOVE_START:
        return move_refusal(s, c, seat, action - Do.SQUARE)
    if ask == Ask.SAVE:
        return save_refusal(s, c, seat, action - Do.SQUARE)
    return Refusal.NOT_ASKED


@rule
def reply_refusal(s, c, seat, action):
    """G-28 Accept what one can pay, decline, or make a counter-offer; only the active player may
    borrow for it."""
    if action == Do.DECLINE:
        return Refusal.NONE
    if action == Do.ACCEPT:
        able = deal_cost(s, c, OFFER, seat) <= s.cash[seat]
        return Refusal.NONE if able else Refusal.TOO_POOR
    if action == Do.BORROW and seat == s.active:
        return borrow_refusal(s, c, seat)
    if action != Do.COUNTER:
        return Refusal.NOT_ASKED
    if is_spent(s, c, seat):
        return Refusal.ACTIONS_USED
    other = np.int64(s.deal_from[OFFER])
    opponent = other if seat == s.active else seat
    used = s.offers_made[opponent] >= c.max_offers_per_turn
    return Refusal.OFFERS_USED if used else Refusal.NONE


@rule
def called_refusal(s, c, seat, action):
    """G-70 An offer to the active player, about a square of one of the two."""
    if action != Do.OFFER:
        return Refusal.NOT_ASKED
    if is_spent(s, c, seat):
        return Refusal.ACTIONS_USED
    owned = squares_of(s, seat) + squares_of(s, np.int64(s.active))
    return Refusal.NONE if owned > 0 else Refusal.NOTHING_OWNED


@rule
def vote_refusal(s, c, seat, action):
    """G-34 G-R30 A vote; or before it, while there are laps, a gift or a promise; no borrowing."""
    if Do.VOTE <= action < Do.PAYER:
        return Refusal.NONE
    if action != Do.GIFT and action != Do.PROMISE:
        return Refusal.NOT_ASKED
    if s.lap >= c.bribe_laps:
        return Refusal.TALKED_OUT
    if is_spent(s, c, seat):
        return Refusal.ACTIONS_USED
    return any_partner_refusal(s, c, seat, action - Do.BORROW + Draft.BORROW)


@rule
def apply(s, c, action, log):
    """A question stays on the agenda while its answer is being composed."""
    ask, seat = asked(s), top_seat(s)
    if action == Do.BELL:
        ring_bell(s, c, log)
    else:
        s.answers[seat] += 1
        if s.draft_stage != Stage.MAIN:
            go_on(s, c, seat, action, log)
        elif Do.MENU <= action <= Do.TYPE:
            choose_amount(s, c, seat, action, log)
        else:
            reply(s, c, ask, seat, action, log)
    run_steps(s, c, log)


@rule
def reply(s, c, ask, seat, action, log):
    """A question without a draft is answered, or a draft is begun."""
    if action == Do.COUNTER:
        begin(s, c, seat, Draft.OFFER, log)
    elif Do.BORROW <= action <= Do.PROMISE:
        begin(s, c, seat, action - Do.BORROW + Draft.BORROW, log)
    elif ask == Ask.SAVE and action >= Do.SQUARE:
        if not save_cattle(s, c, seat, action - Do.SQUARE, log):
            take_question(s)
    else:
        take_question(s)
        handle_answer(s, c, ask, seat, 0, 0, action, log)


@handles(Ask.TURN)
def finish_turn(s, c, seat, log):
    """G-18 After the bell it may have been the last."""
    end_turn(s, c, seat, log)
    if is_last_turn(s, c):
        finish(s, c, Ending.BELL, log)


@handles(Ask.CALLED)
def pass_call(s, seat, log):
    """G-70"""
    note_for(log, Event.CALL_PASSED, seat, s.active, 0, 1, ALL)


@handles(Ask.PLEDGE, Ask.SAVE)
def pass_over(s):
    """G-35 G-58 Passing over a pledge or one's cattle has no consequence of its own."""


# The order of things (G-18) ----------------------------------------------------------------------

@handles(Step.START_ROUND)
def start_round(s, log):
    """G-18 G-32 G-R31 Events, except before the very first turn, then a turn of each seat."""
    s.round_number += 1
    note(log, Event.ROUND, 0, 0, s.round_number)
    then(s, Step.END_ROUND, 0, 0, 0)
    for k in range(s.seats - 1, -1, -1):
        then(s, Step.START_TURN, (np.int64(s.first) + k) % s.seats, 0, 0)
    if s.round_number > 1:
        then(s, Step.EVENTS, 0, 0, 0)


@handles(Step.END_ROUND)
def end_round(s, c, log):
    """G-61 The game ends after the hidden round, or goes on."""
    why = round_ending(s, c)
    if why != Ending.NONE:
        finish(s, c, why, log)
    else:
        then(s, Step.START_ROUND, 0, 0, 0)


# Results and promises ----------------------------------------------------------------------------

@rule
def score(s, c, seat):
    """G-62"""
    return wealth(s, c, seat)


@rule
def fault(s, c):
    """G-2 G-3 G-6 G-64 What must always hold: squares, coins, table, deck and first loans."""
    why = books_fault(s, c)
    if why == Fault.NONE:
        why = board_fault(s, c)
    return why


@rule
def books_fault(s, c):
    balance = s.bank
    for seat in range(s.seats):
        if not 0 <= s.cash[seat] <= MOST_COINS or not 0 <= s.debt[seat] <= MOST_COINS:
            return Fault.MONEY_RANGE
        balance += s.cash[seat] - s.debt[seat]
        if s.loans_open and not c.hr_free_start and seat != s.first \
                and goes_before(s, seat, np.int64(s.first)):
            return Fault.FIRST_LOANS
    if balance != 0:
        return Fault.LEDGER
    for value in range(N_VALUES):
        if not 1 <= s.table[value] <= MOST_ENTRY:
            return Fault.TABLE_RANGE
    if pile_size(s, Pile.DECK) + pile_size(s, Pile.ROW) + pile_size(s, Pile.USED) != c.deck_size:
        return Fault.DECK
    return Fault.NONE


@apart
def board_fault(s, c):
    lands = mines = lakes = 0
    for square in range(N_SQUARES):
        lands += s.kind[square] == Land.LAND
        mines += s.kind[square] == Land.MINE
        lakes += s.kind[square] == Land.LAKE
        if s.owner[square] != UNKNOWN and not can_be_owned(s, square):
            return Fault.OWNED_WATER
        if s.use[square] != 0 and (s.owner[square] == UNKNOWN or s.kind[square] != Land.LAND):
            return Fault.HOLDINGS
    if lands != c.lands or mines != c.mines or lakes != c.lakes:
        return Fault.SQUARES_LOST
    for seat in range(s.seats):
        brown = crops = cattle = owned_mines = 0
        for square in range(N_SQUARES):
            if s.owner[square] == seat:
                what = holding(s, square)
                brown += what == Holding.BROWN
                crops += what == Holding.CROP
                cattle += what == Holding.CATTLE
                owned_mines += what == Holding.MINE
                if s.reach[seat, square] != 0:
                    return Fault.REACH
        if brown != s.held[seat, Holding.BROWN] or crops != s.held[seat, Holding.CROP] \
                or cattle != s.held[seat, Holding.CATTLE] \
                or owned_mines != s.held[seat, Holding.MINE]:
            return Fault.HOLDINGS
    return Fault.NONE
