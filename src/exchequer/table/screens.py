"""What one viewer has on the screen, in regions; made once for all who see the same."""

import functools
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.table.course import Frame
from exchequer.table.drawing import Easel, drawing_of
from exchequer.table.html import render
from exchequer.table.match import WATCHER, Match
from exchequer.table.regions import Board, take_apart
from exchequer.table.robots import LEVEL_NAMES
from exchequer.table.warming import Warming

SEAT = re.compile(r"\b[Ss]eat (\d)\b")
SINCE = 12  # sentences of "since your last move"


@dataclass(frozen=True)
class Screen:
    """All that changes in a table's page, for one viewer at one moment."""

    viewer: int
    version: str
    board: Board
    regions: dict[str, str]
    frames: list[Frame]
    asked: int | None


def version_token(match: Match) -> str:
    """The version as it is told: nobody can count the parts of others' answers by it."""
    key = match.row["seed"].to_bytes(8, "big") + match.id.encode()
    return hashlib.blake2b(str(match.version).encode(), key=key, digest_size=9).hexdigest()


def make_screen(match: Match, viewer: int, warming: Warming, easel: Easel) -> Screen:
    """Everything a viewer is shown; taken under the match's lock, so it is one moment."""
    with match.lock:
        frames = match.frames(viewer)
        menu = [(action, named(words, match.names)) for action, words in match.menu(viewer)]
        notice = warming.notice(match.game) if any(
            seat.bot and seat.bot not in ("random", "greedy") for seat in match.seats) else ""
        common = {"match": match, "viewer": viewer, "watcher": WATCHER}
        regions = {
            "status": render("status.html", question=named(match.question(viewer), match.names),
                             notice=notice, due=match.move_due(),
                             clock=match.clock.sentence(match.game, match.content), **common),
            "moves": render("moves.html", menu=menu, undoable=match.undoable(viewer), **common),
            "since": render("since.html", sentences=since_last_move(match, viewer, frames),
                            **common),
            "seats": render("seats.html", levels=LEVEL_NAMES, **common),
        }
        drawing = drawing_of(match, viewer, match.position, tuple(action for action, _ in menu))
        version, asked = version_token(match), match.asked
    return Screen(viewer, version, take_apart(easel.draw(drawing)),
                  {name: str(html) for name, html in regions.items()}, frames, asked)


def named(text: str, names: Sequence[str]) -> str:
    """Games know seats by number; at the table they have names."""
    def name(found: re.Match[str]) -> str:
        seat = int(found[1]) - 1
        return names[seat] if 0 <= seat < len(names) else found[0]

    return SEAT.sub(name, text)


def since_last_move(match: Match, viewer: int, frames: list[Frame]) -> list[str]:
    """What others did since the viewer's own last move."""
    movers = match.course.movers
    if viewer == WATCHER or viewer not in movers or match.status == "waiting":
        return []
    last = len(movers) - movers[::-1].index(viewer)
    sentences = [sentence for frame in frames if frame.moves > last
                 for sentence in frame.sentences]
    return sentences[-SINCE:]


class Screens:
    """Screens as they were last made, so that viewers of the same share the work."""

    def __init__(self, warming: Warming, easel: Easel) -> None:
        self.warming, self.easel = warming, easel
        self._made: dict[tuple[str, int], tuple[Any, Screen]] = {}

    def of(self, match: Match, viewer: int) -> Screen:
        with match.lock:
            stamp = (match.course.number, match.mode, match.game.name in self.warming.ready)
            kept = self._made.get((match.id, viewer))
            if kept is not None and kept[0] == stamp:
                return kept[1]
        screen = make_screen(match, viewer, self.warming, self.easel)
        if len(self._made) > 1500:
            self._made.clear()
        self._made[match.id, viewer] = (stamp, screen)
        return screen


@functools.cache
def game_card(name: str) -> dict[str, Any]:
    """What the lobby says of a game."""
    game = find_game(name)
    fewest, most = game.seats
    players = f"{fewest}" if fewest == most else f"{fewest}-{most}"
    return {"name": game.name, "title": game.title, "summary": game.text["summary"],
            "players": players + (" player" if most == 1 else " players"),
            "length": game.text.get("length", ""), "seats": game.seats,
            "variants": [variant_card(game, variant) for variant in game.variants]}


def variant_card(game: Game, name: str) -> dict[str, str]:
    from exchequer.core.content import read_toml

    text = read_toml(game.folder / "variants" / f"{name}.toml")
    return {"name": name, "title": text.get("title", name), "summary": text.get("summary", "")}
