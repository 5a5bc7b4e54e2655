"""What one viewer has on the screen, in regions."""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exchequer.core.game import Game
from exchequer.core.story import Line, Tone, important_first
from exchequer.table import lessons
from exchequer.table.drawing import board_of, drawing_of
from exchequer.table.endings import next_level, result_of
from exchequer.table.history import Frame
from exchequer.table.html import personas, render
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.regions import Board, hashes_of, short_hash, take_apart
from exchequer.table.standing import pinned
from exchequer.table.table_setup import LEVEL_NAMES

SINCE = 12  # lines of "since your last move", and as many important ones


@dataclass(frozen=True)
class Screen:
    """All that changes in a table's page, for one viewer at one moment."""

    viewer: int
    version: str | None  # for the seat that is asked
    board: Board
    regions: dict[str, str]
    frames: list[Frame]
    asked: int | None  # the viewer's own seat, if it is
    status: str
    answer: int = field(default=0, compare=False)  # of the process that made it

    @functools.cached_property
    def hashes(self) -> dict[str, str]:
        return self.board.hashes | hashes_of(self.regions)

    @functools.cached_property
    def digest(self) -> str:
        """By which a page says that it has all of it."""
        return short_hash(json.dumps(self.hashes, sort_keys=True) + str(self.viewer))


def make_screen(match: Match, viewer: int, notice: str = "", base: str = "") -> Screen:
    """Everything a viewer is shown; taken under the match's lock, so it is one moment."""
    with match.lock:
        frames = match.frames(viewer)
        menu = match.menu(viewer)
        common = {"match": match, "viewer": viewer, "watcher": WATCHER, "base": base}
        regions = {
            "status": render("status.html", question=match.question(viewer),
                             notice=notice, due=match.move_due(),
                             since=last_of_others(match, viewer, frames),
                             event=last_event(frames, match.names),
                             timed_out=viewer != WATCHER and match.is_late(viewer),
                             clock=match.clock.sentence(match.game, match.content), **common),
            "moves": render("moves.html", choices=match.choices(viewer, menu),
                            undoable=match.undoable(viewer), **common),
            "deal": deal_region(match, viewer, common),
            "since": render("since.html", lines=since_last_move(match, viewer, frames), **common),
            "seats": render("seats.html", levels=LEVEL_NAMES, **common),
            "lesson": lesson_region(match, common),
            "goal": render("goal.html", **pinned(match, viewer), **common),
            "end": end_region(match, common),
        }
        legal = tuple(action for action, _ in menu)
        drawing = drawing_of(match, viewer, match.position_of(viewer), legal) \
            if match.is_dealt else None
        version = match.token(viewer)
        asked = viewer if viewer in match.asked_seats else match.asked
        status = match.status
    board = board_of(drawing) if drawing else take_apart(render("no_board.html", **common))
    shown = {name: str(html) for name, html in regions.items()}
    return Screen(viewer, version, board, shown, frames, asked, status)


# These three have nothing in them most of the time, and then look the same to everybody.

def deal_region(match: Match, viewer: int, common: Mapping[str, Any]) -> str:
    form, deals, proposals = (match.deal_form(viewer), match.deals(viewer),
                              match.proposals(viewer))
    if not form and not deals and not proposals:
        return empty_region("deal.html")
    return render("deal.html", form=form, deals=deals, proposals=proposals, **common)


def lesson_region(match: Match, common: Mapping[str, Any]) -> str:
    lesson = lessons.shown(match)
    return render("lesson.html", lesson=lesson, **common) if lesson \
        else empty_region("lesson.html")


def end_region(match: Match, common: Mapping[str, Any]) -> str:
    if not match.is_over:
        return empty_region("end.html")
    return render("end.html", **result_of(match), level=next_level(match, common["viewer"]),
                  strongest=LEVEL_NAMES[-1], **common)


@functools.cache
def empty_region(template: str) -> str:
    return render(template, match={"status": ""}, form=None, deals=[], proposals=[], lesson=None)


def since_last_move(match: Match, viewer: int, frames: list[Frame]) -> list[Line]:
    """What others did since the viewer's own last move, the important first."""
    last = match.last_own_move(viewer)
    if viewer == WATCHER or not last or match.status == "waiting":
        return []
    told = [line for frame in frames if frame.moves > last for line in frame.lines]
    begun = turn_begun([frame for frame in frames if frame.moves <= last], viewer)
    return important_first([*begun, *told], SINCE)


def turn_begun(frames: list[Frame], viewer: int) -> list[Line]:
    """The heading under which the next line stands; the end of one's own turn tells more of it."""
    for frame in reversed(frames):
        for place, line in reversed([*enumerate(frame.lines)]):
            if line.tone is Tone.HEADING:
                is_next = frame is frames[-1] and line.seat != viewer
                return frame.lines[place:] if is_next else [line]
    return []


def last_of_others(match: Match, viewer: int, frames: list[Frame]) -> int:
    """The last moment that somebody else made. By it a page tells a new turn from the next question
    of the same turn, even if it was not shown what came between.
    """
    movers = match.history.movers
    return next((place for place in range(len(frames) - 1, 0, -1)
                 if movers[frames[place].moves - 1] != viewer), 0)


def last_event(frames: list[Frame], names: Sequence[str]) -> str:
    """What happened last, in a sentence: a routine leaves its name to the heading above it."""
    last = next((line for frame in reversed(frames) for line in reversed(frame.lines)
                 if line.tone is not Tone.HEADING), None)
    if last is None or last.tone is not Tone.ROUTINE or last.seat < 0:
        return last.text if last else ""
    name = names[last.seat]
    return last.text if name in last.text else f"{name}: {last.text[:1].lower()}{last.text[1:]}"


@functools.cache
def game_card(game: Game) -> dict[str, Any]:
    """What the lobby says of a game."""
    fewest, most = game.seats
    players = f"{fewest}" if fewest == most else f"{fewest}-{most}"
    return {"name": game.name, "title": game.title, "summary": game.text["summary"],
            "players": players + (" player" if most == 1 else " players"),
            "length": game.text.get("length", ""), "seats": game.seats,
            "has_lesson": (game.folder / "lesson.toml").exists(),
            "variants": [variant_card(game, variant) for variant in game.variants],
            "personas": personas(game)}


def variant_card(game: Game, name: str) -> dict[str, str]:
    from exchequer.core.content import read_toml

    text = read_toml(game.folder / "variants" / f"{name}.toml")
    return {"name": name, "title": text.get("title", name), "summary": text.get("summary", "")}
