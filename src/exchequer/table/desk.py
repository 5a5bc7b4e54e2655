"""The designer's desk: variants and runs of the lab beside a table.

The desk only starts, watches and shows run folders; what plays is the ordinary lab, as processes of
its own. Whoever has the key that the server printed is the designer; nobody else sees any of it.
"""

import json
import pathlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exchequer.core.content import flat
from exchequer.core.errors import InputError
from exchequer.core.find import address_of, find_game, game_names
from exchequer.core.game import Game
from exchequer.core.measures import measures_of
from exchequer.core.replay import read_replay, resumed
from exchequer.core.words import seat_names
from exchequer.lab.history import Line, history
from exchequer.lab.metrics import metrics_of
from exchequer.lab.plan import Plan, read_plan
from exchequer.lab.plots import Dot, dots
from exchequer.lab.runs import Runs, plan_of
from exchequer.lab.words import between_numbers, percent, seat_name
from exchequer.table.clocks import Clock
from exchequer.table.history import Seat
from exchequer.table.match import Match
from exchequer.table.service import Service
from exchequer.table.table_setup import TableSetup

MOST_LINES = 40  # runs on a page
SHOWN_CHANGES = 3


@dataclass(frozen=True)
class Shown:
    """A line of the history with the words for its content."""

    line: Line
    variant: str


class Desk:
    """All methods may be called from any thread."""

    def __init__(self, service: Service, folder: pathlib.Path) -> None:
        self.service, self.runs = service, Runs(folder)
        self.key = secrets.token_urlsafe(12)

    # Games and history ---------------------------------------------------------------------------

    def lines(self, game: Game | None = None, first: int = 0) -> tuple[list[Shown], int]:
        """A page of the history, and how many runs there are."""
        found = [line for line in history(self.runs.folder)
                 if game is None or line.game in (game.name, address_of(game))]
        names: dict[str, dict[str, str]] = {}
        shown = []
        for line in found[first: first + MOST_LINES]:
            if line.game not in names:
                names[line.game] = self.names_of(line.game)
            shown.append(Shown(line, said_overlay(line.overlay, names[line.game])))
        return shown, len(found)

    def names_of(self, game: str) -> dict[str, str]:
        """Variants by what they change."""
        if game not in game_names():
            return {}
        variants = self.runs.variants(find_game(game))
        return {as_key(variants.content(name).overlay): name for name in variants.names}

    # Runs ----------------------------------------------------------------------------------------

    def start(self, kind: str, game: Game, variant: str, bots: str, games: int,
              seats: int | None = None, **more: Any) -> str:
        """Each line of `bots` is a line-up."""
        content = self.runs.variants(game).content(variant)
        lineups = [one.strip() for one in bots.splitlines() if one.strip()] or ["greedy"]
        return self.runs.start(plan_of(kind, game, content, lineups, games, seats, 0, **more))

    def compare(self, game: Game, sides: tuple[Mapping[str, Any], Mapping[str, Any]],
                names: tuple[str, str], bots: str, games: int) -> str:
        a, b = (game.content(dict(side), "variant") for side in sides)
        return self.runs.start(plan_of("compare", game, a, [bots], games, None, 0, names=names,
                                       other={"game": game.name, "overlay": b.overlay}))

    def plan(self, name: str) -> Plan | None:
        """None before the run's process has written it."""
        path = self.runs.folder_of(name).plan_path
        waiting = self.runs.folder / "plans" / f"{name}.toml"
        found = path if path.exists() else waiting
        return read_plan(found) if found.exists() else None

    def watch(self, name: str, replay: str, viewer: str) -> Match:
        """A game of a run as a finished table, which opens on the board."""
        read = read_replay(self.runs.replay(name, replay))
        position = resumed(read, find_game(read.game).ready_mode)
        movers = [int(move.split(" ", 1)[0]) for move in read.moves]
        names = seat_names(position.seats, read.names)
        setup = TableSetup(position.game, position.content,
                           [Seat(viewer, None, one) for one in names], Clock(), position.seed,
                           False)
        return self.service.registry.open(
            setup, viewer, moves=list(zip(movers, position.actions, strict=True)))


def as_key(overlay: Mapping[str, Any]) -> str:
    return json.dumps(overlay, sort_keys=True)


def said_overlay(overlay: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The variant's name, or what it changes."""
    if not overlay:
        return "as it ships"
    if name := names.get(as_key(overlay)):
        return name
    pairs = [f"{key} {value}" for key, value in flat(overlay)]
    more = f" and {len(pairs) - SHOWN_CHANGES} more" if len(pairs) > SHOWN_CHANGES else ""
    return ", ".join(pairs[:SHOWN_CHANGES]) + more


def measure_names(game: Game) -> list[str]:
    """What a target may name."""
    endings = [ending.name.lower() for ending in list(game.endings)[1:]]
    seats = game.seats[0]
    return [*(["seat_share"] if seats > 1 else []),
            *metrics_of(measures_of(game), seats, endings)]


# Figures -----------------------------------------------------------------------------------------

def live_view(live: Mapping[str, Any]) -> dict[str, Any]:
    """What a run has found so far: a picture of the wins, and a row of figures a line-up."""
    rows, shown = [], []
    for arm in live.get("arms", ()):
        seats = arm["seats"]
        shown.append((arm["name"], [seat_dot(k, one, len(seats)) for k, one in enumerate(seats)]))
        rows.append({"name": arm["name"], "games": arm["games"], "of": arm["of"],
                     "length": figure(arm["length"], as_share=False),
                     "seats": [figure(one) for one in seats]})
    even = 1 / len(live["arms"][0]["seats"]) if rows else 0.5
    return {"rows": rows, "picture": dots(shown, "Share of wins by seat", even,
                                          limits=(0.0, 1.0)) if shown else "",
            "played": live.get("played", 0), "total": live.get("total", 0),
            "left": minutes(live.get("seconds_left"))}


def seat_dot(seat: int, one: list[float | None], seats: int) -> Dot:
    share, low, high = (0.0 if one[0] is None else one[0], 0.0 if one[1] is None else one[1],
                        1.0 if one[2] is None else one[2])
    return Dot(share, low, high, seat, f"{seat_name(seat, seats)}: {percent(share)}")


def figure(one: list[float | None], as_share: bool = True) -> str:
    value, low, high = one
    if value is None or low is None or high is None:
        return "too early to say"
    return between_numbers(value, low, high, as_share)


def minutes(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 90:
        return f"about {max(1, round(seconds))} seconds left"
    return f"about {round(seconds / 60)} minutes left"


def found_view(summary: Mapping[str, Any]) -> dict[str, Any]:
    """What a finished run found, as its result page and two runs side by side show it."""
    seats = [[one["share"], one["low"], one["high"]] for one in summary.get("seats_share", [])]
    rows = [("", [seat_dot(k, one, len(seats)) for k, one in enumerate(seats)])]
    length = summary.get("length")
    return {
        "verdict": summary.get("verdict", ""), "findings": summary.get("findings", []),
        "picture": dots(rows, "Share of wins by seat", 1 / len(seats)) if len(seats) > 1 else "",
        "seats": [figure(one) for one in seats], "games": summary.get("games", 0),
        "length": f"{figure([length['mean'], length['low'], length['high']], False)} "
                  f"{length['unit']}" if length else "",
        "chosen": summary.get("chosen"), "pareto": summary.get("pareto", []),
        "effects": summary.get("effects", []),
    }


def refuse_unknown(kind: str, known: tuple[str, ...]) -> str:
    if kind not in known:
        raise InputError(f'There is no run of kind "{kind[:20]}"; there are {", ".join(known)}.')
    return kind
