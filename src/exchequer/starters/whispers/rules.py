"""Whispers at Court: one function for each rule, with the number of its paragraph."""

from .state import *


@rule
def setup(s, c, seats, seed, log):
    """W-1"""
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    start_round(s, c, roll(s, seats), log)
    run_steps(s, c, log)


@handles(Ask.NEXT_ROUND, Do.NEXT_ROUND)
def start_round(s, c, seat, log):
    """W-3 Shuffle, lay one card aside unseen, deal one to each."""
    lay_all(s, Pile.DECK)
    for _ in range(CARDS - c.deck):
        reveal(s, move(s, Pile.DECK, c.deck, Pile.BOX, TOP))
    shuffle(s, Pile.DECK)
    move(s, Pile.DECK, 0, Pile.ASIDE, TOP)
    note(log, Event.ROUND, seat, 0, 1)
    for other in range(s.seats):
        s.out[other], s.safe[other] = 0, 0
        draw(s, c, other, Pile.DECK, log)
    s.playing = s.seats
    then(s, Step.TURN, seat, 0, 0)


@rule
def draw(s, c, seat, pile, log):
    """W-4 Only who draws sees the card."""
    place = draw_card(s, pile, Pile.HAND + seat, seat)
    note_for(log, Event.DREW, seat, NOBODY, c.kind_of[s.card[place]], 1, 1 << seat)


@rule
def held(s, c, seat):
    return c.kind_of[card_at(s, Pile.HAND + seat, 0)]


@rule
def find(s, c, seat, kind):
    return find_kind(s, c.kind_of, Pile.HAND + seat, kind)


@handles(Step.TURN)
def start_turn(s, c, seat, log):
    """W-4 W-13 To the left, until one is left or the deck is empty."""
    if s.playing == 1 or pile_size(s, Pile.DECK) == 0:
        end_round(s, c, log)
    elif s.out[seat]:
        then(s, Step.TURN, (seat + 1) % s.seats, 0, 0)
    else:
        s.safe[seat] = 0
        draw(s, c, seat, Pile.DECK, log)
        then(s, Ask.PLAY, seat, 0, 0)


@refuses(Ask.PLAY, kind=Do.PLAY)
def play_refusal(s, c, seat, kind):
    """W-4 W-11 The Regent goes before Herald and Envoy."""
    if find(s, c, seat, kind) == NOBODY:
        return Refusal.NOT_HELD
    late = kind == Courtier.HERALD or kind == Courtier.ENVOY
    has_regent = find(s, c, seat, Courtier.REGENT) != NOBODY
    return Refusal.REGENT_FIRST if late and has_regent else Refusal.NONE


@handles(Ask.PLAY, kind=Do.PLAY)
def play(s, c, seat, kind, log):
    """W-4 Face up; then the card does what it says, if it can."""
    then(s, Step.TURN, (seat + 1) % s.seats, 0, 0)
    lay_down(s, c, seat, find(s, c, seat, kind), log)
    if kind == Courtier.RECLUSE:  # W-8
        s.safe[seat] = 1
    elif kind < Courtier.REGENT:
        for other in range(s.seats):
            if target_refusal(s, seat, kind, other) == Refusal.NONE:
                then(s, Ask.TARGET, seat, kind, 0)
                return


@rule
def lay_down(s, c, seat, index, log):
    """W-12 Face up, and whoever lays down the Heir is out."""
    if turn_up(s, c, seat, index, log) == Courtier.HEIR:
        knock_out(s, c, seat, log)


@rule
def turn_up(s, c, seat, index, log):
    """W-4"""
    place = move(s, Pile.HAND + seat, index, Pile.PLAYED + seat, TOP)
    reveal(s, place)
    note(log, Event.PLAYED, seat, c.kind_of[s.card[place]], 1)
    return c.kind_of[s.card[place]]


@rule
def knock_out(s, c, seat, log):
    """W-2 Out of the round, hand and all."""
    s.out[seat] = 1
    s.playing -= 1
    note(log, Event.OUT, seat, 0, 1)
    if pile_size(s, Pile.HAND + seat) > 0:
        turn_up(s, c, seat, 0, log)


@refuses(Ask.TARGET, other=Do.TARGET)
def target_refusal(s, seat, kind, other):
    """W-5 W-9 Somebody else who is in and not safe; a Herald may serve oneself."""
    if other >= s.seats or s.out[other]:
        return Refusal.NOT_IN
    if other == seat and kind != Courtier.HERALD:
        return Refusal.YOURSELF
    return Refusal.SAFE if s.safe[other] else Refusal.NONE


@handles(Ask.TARGET, other=Do.TARGET)
def meet(s, c, seat, kind, other, log):
    """W-5 W-6 W-7 W-9 W-10"""
    mine, theirs = Pile.HAND + seat, Pile.HAND + other
    note_for(log, Event.MET, seat, other, kind, 1, ALL)
    if kind == Courtier.SENTRY:
        then(s, Ask.GUESS, seat, other, 0)
    elif kind == Courtier.SPY:
        look(s, c, seat, other, log)
    elif kind == Courtier.DUELLIST:
        look(s, c, seat, other, log)
        look(s, c, other, seat, log)
        if held(s, c, seat) != held(s, c, other):
            knock_out(s, c, seat if held(s, c, seat) < held(s, c, other) else other, log)
    elif kind == Courtier.HERALD:
        lay_down(s, c, other, 0, log)
        if not s.out[other]:
            empty = pile_size(s, Pile.DECK) == 0
            draw(s, c, other, Pile.ASIDE if empty else Pile.DECK, log)
    else:
        move(s, mine, 0, theirs, TOP)
        move(s, theirs, 0, mine, TOP)
        look(s, c, seat, seat, log)
        look(s, c, other, other, log)


@rule
def look(s, c, seat, owner, log):
    """W-6 Whatever is seen is in the log, for those alone who see it."""
    show(s, place_of(s, Pile.HAND + owner, 0), seat)
    note_for(log, Event.SAW, seat, owner, held(s, c, owner), 1, 1 << seat | 1 << owner)


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
def end_round(s, c, log):
    """W-13 W-14 W-15 W-16 Hands are shown, and lie open until somebody deals again."""
    best, most, first = 0, 0, NOBODY
    for seat in range(s.seats):
        if not s.out[seat]:
            reveal(s, place_of(s, Pile.HAND + seat, 0))
            note(log, Event.HELD, seat, held(s, c, seat), 1)
            best = max(best, held(s, c, seat))
    for seat in range(s.seats):
        if not s.out[seat] and held(s, c, seat) == best:
            first = seat
            s.points[seat] += 1
            most = max(most, s.points[seat])
            note(log, Event.TOKEN, seat, 0, s.points[seat])
    if most < c.tokens[s.seats - 2]:
        then(s, Ask.NEXT_ROUND, first, 0, 0)
