"""What the table's clock does in Greement: turns of three minutes, and the bell."""

from typing import Any

from exchequer.core.agenda import asked
from exchequer.core.content import Content
from exchequer.games.greement.state import Ask, Do, EndMode

DEFAULTS = ("cancel", "decline", "pass", "end", "vote:let", "done")
SENTENCE = "what is being composed is cancelled, offers are declined and the turn ends (G-22)"
BELL = Do.BELL  # G-68 rung by the table, offered to nobody
LIMITS = {"max_offers_per_turn": 3, "max_actions_per_turn": 200, "bribe_laps": 1}  # of bots
FOR_BOTS = {"bell": False, **LIMITS}
FOR_PEOPLE = {"max_offers_per_turn": 100, "max_actions_per_turn": 10_000,  # the clock is the limit
              "bribe_laps": 100}
AMONG_PEOPLE = {"end_mode": "clock"}  # G-61 an alarm clock, unseen
LENGTH = "minutes"
ENDS = ("end_mode", "rmin", "rmax", "public_end")  # G-61 another end was chosen


def turn_seconds(content: Content) -> int:
    """G-22 How long a turn may take."""
    return int(content.value("turn_seconds"))


def turn(s: Any) -> tuple[int, ...]:
    """G-22 G-34 What the seconds are counted for: a turn, a vote with all words before it, or
    another question about an open card."""
    if int(s.active) >= 0:
        return int(s.round_number), int(s.active)
    is_vote = asked(s) in (Ask.VOTE, Ask.RECEIVE)
    return (int(s.round_number), -1, int(s.row_place),
            *((int(Ask.VOTE),) if is_vote else (int(asked(s)), int(s.lap))))


def bell_after(s: Any, content: Content) -> int | None:
    """G-61 Seconds from the start until the bell, None when the end comes by rounds."""
    is_by_clock = content.record.end_mode == EndMode.CLOCK and content.record.bell
    return int(s.deadline) if is_by_clock and not s.rung else None
