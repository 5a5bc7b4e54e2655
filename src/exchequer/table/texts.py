"""A table as text, and what a move would lead to: for agents, and for whoever reads."""

from typing import Any

from exchequer.core.log import clear, entries, new_log, seen_by
from exchequer.core.loops import LOG_ROOM
from exchequer.core.plain_text import board_lines, written
from exchequer.core.records import NOBODY
from exchequer.table.clocks import hidden_action
from exchequer.table.journaled import NOT_BEGUN
from exchequer.table.match import Match
from exchequer.table.refusals import IllegalMove, NotNow

WORLDS = 4  # in which a move is tried: what happens in all of them is certain enough to be said


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
        return match.question(viewer) or f"{match.names[match.asked]} is to move."
    if match.status == "closed":
        return match.history.closed
    if match.result.ending != "resigned":
        return match.position.outcome()
    winners = " and ".join(match.names[seat] for seat in match.result.winners)
    return f"The game is over: {winners or 'nobody'} wins, as the others have resigned."


def preview(match: Match, seat: int, action: int, seed: int) -> dict[str, Any]:
    """What a move would do, tried in worlds that the seat cannot tell from the true one."""
    with match.lock:
        position = match.position
        if match.asked != seat:
            raise NotNow("You can look ahead when it is your move.")
        if action not in match.legal():
            known = 0 <= action < match.game.n_actions and action != hidden_action(match.game)
            raise IllegalMove((position.refusal(action) or "That is not among the moves.")
                              if known else "There is no such move in this game.")
        outcomes = [tried(match, seat, action, seed + world) for world in range(WORLDS)]
    certain = [sentence for sentence in outcomes[0][0]
               if all(sentence in told for told, _ in outcomes)]
    possible = [sentence for told, _ in outcomes for sentence in told if sentence not in certain]
    after = {then for _, then in outcomes}
    return {"certain": certain, "possible": list(dict.fromkeys(possible)),
            "then": after.pop() if len(after) == 1 else "What is asked next depends on chance or "
                                                        "on what you do not know."}


def tried(match: Match, seat: int, action: int, seed: int) -> tuple[list[str], str]:
    """What the seat would read of the move in one world, and who would be asked then."""
    position, log = match.position, new_log(LOG_ROOM)
    world = position.determinize(seat, seed)
    clear(log)
    position.engine.apply(world[0], match.content.record, action, log)
    told = [match.game.words.tell(entry, match.content, match.names)
            for entry in seen_by(entries(log), seat)]
    actor = int(position.engine.actor(world[0]))
    if actor == NOBODY:
        then = "The game would be over."
    elif actor != seat:
        then = f"{match.names[actor]} would be asked."
    else:
        position.engine.observe(world[0], match.content.record, seat)
        then = f"You would be asked: {match.game.words.ask(world[0], match.content, match.names)}"
    return [sentence for sentence in told if sentence], then
