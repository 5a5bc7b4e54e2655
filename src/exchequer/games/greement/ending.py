"""The end of the game: hidden round, bell, wealth and winners (G-61 to G-63)."""

from exchequer.core.agenda import drop_all
from exchequer.core.chance import roll
from exchequer.core.contract import leaders
from exchequer.core.log import note
from exchequer.core.records import apart, rule
from exchequer.games.greement.board import squares_of, worth_of
from exchequer.games.greement.deals import clear_deal, clear_draft
from exchequer.games.greement.state import OFFER, Ending, EndMode, Event, Granularity


@rule
def hide_end(s, c):
    """G-61 Draw the last round, or in clock mode the seconds until the bell.

    Redrawn in a determinized world: no earlier than the round that is being played.
    """
    if c.end_mode == EndMode.CLOCK:
        s.last_round = 0
        lowest = c.minutes * 51  # 0.85 of 60 seconds
        s.deadline = lowest + roll(s, c.minutes * 18 + 1)
    else:
        lowest = max(c.rmin, s.round_number)
        s.last_round = lowest + roll(s, max(c.rmax - lowest, 0) + 1)
        s.deadline = 0


@rule
def wealth(s, c, seat):
    """G-62 The value of all squares, plus cash, less debt."""
    return worth_of(s, c, seat) + s.cash[seat] - s.debt[seat]


@rule
def lead(s, c, seat, other):
    """G-62 G-63 Wealth, then less debt, then more squares."""
    ahead = wealth(s, c, seat) - wealth(s, c, other)
    if ahead == 0:
        ahead = s.debt[other] - s.debt[seat]
    if ahead == 0:
        ahead = squares_of(s, seat) - squares_of(s, other)
    return ahead


@apart
def finish(s, c, why, log):
    """G-61 G-62 What is pending is void, the books are opened, the richest wins."""
    drop_all(s)
    clear_draft(s)
    clear_deal(s, OFFER)
    s.countered = 0
    s.ending = why
    s.winners = leaders(s, c, s.seats)
    for seat in range(s.seats):
        s.pledged[seat] = 0
        s.written[seat] = 0
        s.sealed[seat] = 0
        note(log, Event.WEALTH, seat, 0, wealth(s, c, seat))
    note(log, Event.GAME_ENDED, 0, why, s.winners)


@rule
def ring_bell(s, c, log):
    """G-61 G-68 G-R35 The bell stops the game at once, or after the turn or the round."""
    s.rung = 1
    note(log, Event.BELL, 0, 0, 1)
    if c.end_granularity == Granularity.IMMEDIATE:
        finish(s, c, Ending.BELL, log)


@rule
def is_last_turn(s, c):
    """G-R35 With `end_granularity` the turn that is played when the bell rings is the last."""
    return s.rung == 1 and c.end_granularity == Granularity.TURN


@rule
def round_ending(s, c):
    """G-61 G-R35 Why the game ends with this round, NONE when it goes on."""
    if s.rung:
        return Ending.BELL
    if c.end_mode == EndMode.CLOCK:
        return Ending.ROUNDS if s.round_number >= c.clock_rounds else Ending.NONE
    return Ending.ROUNDS if s.round_number >= s.last_round else Ending.NONE
