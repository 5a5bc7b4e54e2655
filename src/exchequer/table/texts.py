"""A table as text: for agents, and for whoever reads."""

from exchequer.core.plain_text import board_lines, written
from exchequer.table.journaled import NOT_BEGUN
from exchequer.table.match import Match


def table_text(match: Match, viewer: int) -> str:
    """What the viewer sees, what has happened since their last move, what they are asked."""
    with match.lock:
        if not match.is_dealt:
            return NOT_BEGUN
        position = match.position
        board = board_lines(match.game, match.seen(viewer, position)[0], match.content, viewer,
                            match.names)
        return written(board, news(match, viewer), asked(match, viewer), match.menu(viewer))


def news(match: Match, viewer: int) -> list[str]:
    """What the viewer may know of their own last move and of all after it."""
    movers = match.history.movers
    last = len(movers) - movers[::-1].index(viewer) if viewer in movers else 0
    return [line.text for frame in match.frames(viewer) if frame.moves >= last
            for line in frame.lines]


def asked(match: Match, viewer: int) -> str:
    """The question, who else is asked, or how it ended."""
    if match.asked is not None:
        verb = "is" if len(match.asked_seats) == 1 else "are"
        return match.question(viewer) or f"{match.asked_names} {verb} to move."
    if match.status == "closed":
        return match.history.closed
    if match.result.ending != "resigned":
        return match.position.outcome()
    winners = " and ".join(match.names[seat] for seat in match.result.winners)
    return f"The game is over: {winners or 'nobody'} wins, as the others have resigned."
