"""Whispers at Court: one function for each rule, with the number of its paragraph."""

from exchequer.kit import *

from .state import *


@rule
def setup(s, c, seats, seed, log):
    """W-1 W-3"""
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    start_round(s, c, roll(s, seats), log)
    run_steps(s, c, log)


@rule
def start_round(s, c, seat, log):
    """W-3 Shuffle, lay one card aside unseen, deal one to each."""
    lay_all(s, Pile.DECK)
    for _ in range(CARDS - c.deck):
        reveal(s, move(s, Pile.DECK, c.deck, Pile.BOX, TOP))
    shuffle(s, Pile.DECK)
    move(s, Pile.DECK, 0, Pile.ASIDE, TOP)
    note(log, Event.ROUND, seat, 0, 1)
    for other in range(s.seats):
        s.out[other] = 0
        s.safe[other] = 0
        draw(s, c, other, Pile.DECK, log)
    then(s, Step.TURN, seat, 0, 0)


@rule
def draw(s, c, seat, pile, log):
    """W-4 Only who draws sees the card."""
    place = draw_card(s, pile, Pile.HAND + seat, seat)
    note_for(log, Event.DREW, seat, NOBODY, c.kind_of[s.card[place]], 1, 1 << seat)


@rule
def playing(s, seat):
    return seat < s.seats and not s.out[seat]


@rule
def left_in(s):
    count = 0
    for seat in range(s.seats):
        count += not s.out[seat]
    return count


@rule
def held(s, c, seat):
    """The courtier in a hand of one card."""
    return c.kind_of[card_at(s, Pile.HAND + seat, 0)]


@rule
def find(s, c, seat, kind):
    """Where in the hand a courtier is, or NOBODY."""
    for index in range(pile_size(s, Pile.HAND + seat)):
        if c.kind_of[card_at(s, Pile.HAND + seat, index)] == kind:
            return index
    return NOBODY


# A turn ------------------------------------------------------------------------------------------

@handles(Step.TURN)
def start_turn(s, c, seat, log):
    """W-4 W-13 Draw and play, to the left, until one is left or the deck is empty."""
    if left_in(s) == 1 or pile_size(s, Pile.DECK) == 0:
        end_round(s, c, log)
    elif s.out[seat]:
        then(s, Step.TURN, (seat + 1) % s.seats, 0, 0)
    else:
        s.safe[seat] = 0
        draw(s, c, seat, Pile.DECK, log)
        then(s, Ask.PLAY, seat, 0, 0)


@refuses(Ask.PLAY, kind=Do.PLAY)
def play_refusal(s, c, seat, kind):
    """W-11 The Regent goes before Herald and Envoy."""
    if find(s, c, seat, kind) == NOBODY:
        return Refusal.NOT_HELD
    if (kind == Courtier.HERALD or kind == Courtier.ENVOY) \
            and find(s, c, seat, Courtier.REGENT) != NOBODY:
        return Refusal.REGENT_FIRST
    return Refusal.NONE


@handles(Ask.PLAY, kind=Do.PLAY)
def play(s, c, seat, kind, log):
    """W-4 Face up; then the card does what it says, if it can."""
    then(s, Step.TURN, (seat + 1) % s.seats, 0, 0)
    lay_down(s, c, seat, find(s, c, seat, kind))
    note(log, Event.PLAYED, seat, kind, 1)
    if kind == Courtier.HEIR:
        knock_out(s, c, seat, log)
    elif kind == Courtier.RECLUSE:  # W-8
        s.safe[seat] = 1
        note(log, Event.SAFE, seat, 0, 1)
    elif kind != Courtier.REGENT:
        for other in range(s.seats):
            if target_refusal(s, seat, kind, other) == Refusal.NONE:
                then(s, Ask.TARGET, seat, kind, 0)
                return


@rule
def lay_down(s, c, seat, index):
    reveal(s, move(s, Pile.HAND + seat, index, Pile.PLAYED + seat, TOP))


@rule
def knock_out(s, c, seat, log):
    """W-2 W-12 Out of the round; what is held is laid down, face up."""
    s.out[seat] = 1
    note(log, Event.OUT, seat, 0, 1)
    if pile_size(s, Pile.HAND + seat) > 0:
        lay_down(s, c, seat, 0)


# What the courtiers do ---------------------------------------------------------------------------

@refuses(Ask.TARGET, other=Do.TARGET)
def target_refusal(s, seat, kind, other):
    """W-5 Somebody else who is in and not safe; a Herald may serve oneself (W-9)."""
    if not playing(s, other):
        return Refusal.NOT_PLAYING
    if other == seat and kind != Courtier.HERALD:
        return Refusal.YOURSELF
    return Refusal.PROTECTED if s.safe[other] else Refusal.NONE


@handles(Ask.TARGET, other=Do.TARGET)
def meet(s, c, seat, kind, other, log):
    """W-5 to W-10"""
    if kind == Courtier.SENTRY:
        then(s, Ask.GUESS, seat, other, 0)
    elif kind == Courtier.SPY:  # W-6
        show(s, place_of(s, Pile.HAND + other, 0), seat)
        note_for(log, Event.SAW, seat, other, held(s, c, other), 1, 1 << seat | 1 << other)
    elif kind == Courtier.DUELLIST:
        duel(s, c, seat, other, log)
    elif kind == Courtier.HERALD:
        replace(s, c, other, log)
    else:  # W-10
        move(s, Pile.HAND + seat, 0, Pile.HAND + other, TOP)
        move(s, Pile.HAND + other, 0, Pile.HAND + seat, TOP)
        show(s, place_of(s, Pile.HAND + seat, 0), seat)
        show(s, place_of(s, Pile.HAND + other, 0), other)
        note_for(log, Event.SWAPPED, seat, other, 0, 1, ALL)


@refuses(Ask.GUESS, kind=Do.GUESS)
def guess_refusal(s, kind):
    """W-5"""
    return Refusal.NO_SENTRY if kind == Courtier.SENTRY else Refusal.NONE


@handles(Ask.GUESS, kind=Do.GUESS)
def guess(s, c, seat, other, kind, log):
    """W-5 Named rightly, they are out."""
    note_for(log, Event.GUESSED, seat, other, kind, 1, ALL)
    if held(s, c, other) == kind:
        knock_out(s, c, other, log)


@rule
def duel(s, c, seat, other, log):
    """W-7 Both look; the lower rank is out, equal ranks part in peace."""
    show(s, place_of(s, Pile.HAND + seat, 0), other)
    show(s, place_of(s, Pile.HAND + other, 0), seat)
    mine, theirs = held(s, c, seat), held(s, c, other)
    note_for(log, Event.DUEL, seat, other, 0, 1, ALL)
    if mine != theirs:
        knock_out(s, c, seat if mine < theirs else other, log)


@rule
def replace(s, c, seat, log):
    """W-9 W-12 A new card for the old one; the Heir may not be given away."""
    kind = held(s, c, seat)
    note(log, Event.DISCARDED, seat, kind, 1)
    lay_down(s, c, seat, 0)
    if kind == Courtier.HEIR:
        knock_out(s, c, seat, log)
    else:
        draw(s, c, seat, Pile.DECK if pile_size(s, Pile.DECK) > 0 else Pile.ASIDE, log)


# The end of a round ------------------------------------------------------------------------------

@rule
def end_round(s, c, log):
    """W-13 W-14 Hands are shown; the highest rank gains a token. They stay so until somebody goes
    on, so that everybody has seen them before they are shuffled."""
    best = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            reveal(s, place_of(s, Pile.HAND + seat, 0))
            note(log, Event.HELD, seat, held(s, c, seat), 1)
            best = max(best, held(s, c, seat))
    first = NOBODY
    for seat in range(s.seats):
        if not s.out[seat] and held(s, c, seat) == best:
            s.tokens[seat] += 1
            note(log, Event.TOKEN, seat, 0, s.tokens[seat])
            first = seat
    finish(s, c, log)
    if s.ending == Ending.NONE:
        then(s, Ask.NEXT_ROUND, first, 0, 0)


@handles(Ask.NEXT_ROUND, Do.NEXT_ROUND)
def next_round(s, c, seat, log):
    """W-14 Who won begins."""
    start_round(s, c, seat, log)


@rule
def needed(s, c):
    """W-15"""
    if s.seats == 2:
        return c.tokens_of_two
    return c.tokens_of_three if s.seats == 3 else c.tokens_of_four


@rule
def finish(s, c, log):
    """W-15 W-16 Enough tokens win; several may share it."""
    for seat in range(s.seats):
        if s.tokens[seat] >= needed(s, c):
            s.winners |= 1 << seat
            s.ending = Ending.TOKENS
            note(log, Event.WON, seat, 0, s.tokens[seat])


@rule
def score(s, c, seat):
    """W-15"""
    return s.tokens[seat]
