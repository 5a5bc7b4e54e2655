"""One function for each rule; its docstring opens with the number of its paragraph."""

from exchequer.kit import *

from .state import *


@rule
def setup(s, c, seats, seed, log):
    """X-1 X-2"""
    seed_chance(s, seed, GAME_STREAM)
    s.seats = seats
    lay_all(s, Pile.DECK)
    for _ in range(CARDS - c.deck):  # known to all, so that nobody takes them for hidden cards
        reveal(s, move(s, Pile.DECK, c.deck, Pile.BOX, TOP))
    shuffle(s, Pile.DECK)
    for seat in range(seats):
        for _ in range(c.hand):
            draw(s, c, seat, log)
    then(s, Step.TURN, roll(s, seats), 0, 0)
    run_steps(s, c, log)


@rule
def draw(s, c, seat, log):
    """X-3 Only the player who draws sees the card."""
    if pile_size(s, Pile.DECK) > 0:
        place = draw_card(s, Pile.DECK, Pile.HAND + seat, seat)
        note_for(log, Event.DREW, seat, NOBODY, c.kind_of[s.card[place]], 1, 1 << seat)


@rule
def find(s, c, seat, crop):
    """Where in the hand a crop is, or NOBODY."""
    return find_kind(s, c.kind_of, Pile.HAND + seat, crop)


@handles(Step.TURN)
def start_turn(s, seat):
    """X-3 X-5 Until the hands are empty; when nothing is left to do, most points win."""
    if pile_size(s, Pile.HAND + seat) > 0:
        then(s, Ask.PLAY, seat, 0, 0)


@refuses(Ask.PLAY, crop=Do.PLAY)
def play_refusal(s, c, seat, crop):
    """X-3"""
    return Refusal.NOT_HELD if find(s, c, seat, crop) == NOBODY else Refusal.NONE


@handles(Ask.PLAY, crop=Do.PLAY)
def play(s, c, seat, crop, log):
    """X-3 Then it is the next player's turn: what is put on the agenda last comes first."""
    then(s, Step.TURN, (seat + 1) % s.seats, 0, 0)
    reveal(s, move(s, Pile.HAND + seat, find(s, c, seat, crop), Pile.PLAYED, TOP))
    s.points[seat] += c.crop[crop].points
    note(log, Event.PLAYED, seat, crop, c.crop[crop].points)
    if crop == Crop.STORM:
        storm(s, c, seat, log)
    draw(s, c, seat, log)


@rule
def storm(s, c, seat, log):
    """X-4"""
    for other in range(s.seats):
        lost = min(c.storm, s.points[other])
        if other != seat and lost > 0:
            s.points[other] -= lost
            note(log, Event.LOST, other, 0, lost)
