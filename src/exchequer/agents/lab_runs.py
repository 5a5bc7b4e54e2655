"""Runs of the lab that agents start: each is a process of its own, so that nothing else waits.

A run is known by the name of its folder; there its plan, findings, report and replays lie.
"""

import json
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from exchequer.agents.reading import a_game, varied
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.find import address_of
from exchequer.core.game import Game
from exchequer.core.plain_text import board_lines, written
from exchequer.core.replay import read_replay, resumed
from exchequer.core.words import seat_names
from exchequer.lab.folder import Folder
from exchequer.lab.plan import Plan, lineup_of, plan_text
from exchequer.lab.studies import games_to_play

MOST_RUNNING = 2
MOST_GAMES = 1_000_000


class LabRuns:
    """All runs below one folder, and the processes that play those started here."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    # Variants ------------------------------------------------------------------------------------

    def variant_path(self, game: Game, name: str) -> pathlib.Path:
        """Where a variant that was made here lies."""
        return self.folder / "variants" / f"{game.name.replace('/', '-')}-{name}.toml"

    def content(self, game: Game, variant: str = "", settings: dict[str, Any] | None = None
                ) -> Content:
        """The content of a variant, made here or shipped with the game, with settings on top."""
        if variant.isidentifier() and (path := self.variant_path(game, variant)).exists():
            return game.variant(str(path), settings or {})
        return varied(game, variant, settings)

    # Starting ------------------------------------------------------------------------------------

    def start(self, plan: Plan) -> str:
        """Begin to play a plan; returns the name of its run."""
        if sum(process.poll() is None for process in self._processes.values()) >= MOST_RUNNING:
            raise InputError(f"{MOST_RUNNING} runs are being played already; wait for one of them.")
        if games_to_play(plan) > MOST_GAMES:
            raise InputError(f"An agent's run may have {MOST_GAMES:,} games, not "
                             f"{games_to_play(plan):,}.")
        name = self._free_name(f"{plan.the_game.name.replace('/', '-')}-{plan.kind}")
        plans = self.folder / "plans"
        plans.mkdir(parents=True, exist_ok=True)
        path = plans / f"{name}.toml"
        write_whole(path, plan_text(plan).encode())
        with self._said(name).open("wb") as said:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", "exchequer", "lab", "run", str(path), "--out",
                 str(self.folder / name), "--json"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        return name

    def _said(self, name: str) -> pathlib.Path:
        """What a run's process had to say, such as why it failed."""
        return self.folder / "plans" / f"{name}.log"

    def _free_name(self, stem: str) -> str:
        number = 1
        while (self.folder / f"{stem}-{number}").exists() or f"{stem}-{number}" in self._processes:
            number += 1
        return f"{stem}-{number}"

    def stop(self) -> None:
        """End what is still being played; its folder can be resumed by hand."""
        for process in self._processes.values():
            if process.poll() is None:
                process.terminate()
                process.wait()

    # Reading -------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """All runs, the latest first."""
        played = [path.parent for path in self.folder.glob("*/plan.toml")]
        played.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        waiting = [name for name in self._processes if not (self.folder / name).exists()]
        return [*waiting, *(path.name for path in played)]

    def state(self, name: str) -> dict[str, Any]:
        """Whether a run is done, how far it is, and what it found."""
        folder = self._folder(name)
        if folder.report.exists():
            return {"run": name, "status": "finished", **self.found(name)}
        process = self._processes.get(name)
        if process is None:
            return {"run": name, "status": "interrupted"}
        if process.poll() is not None and process.returncode:
            said = self._said(name).read_text(encoding="utf-8").strip().splitlines()
            raise InputError(said[-1].removeprefix("exchequer: ") if said
                             else f"The run {name} has failed.")
        return {"run": name, "status": "running", "games_played": games_in(folder)}

    def found(self, name: str) -> dict[str, Any]:
        """What a finished run found, as its summary says it."""
        path = self._folder(name).path / "summary.json"
        if not path.exists():
            raise InputError(f"The run {name} is not finished yet; wait for it.")
        return json.loads(path.read_text(encoding="utf-8"))

    def replays(self, name: str) -> list[str]:
        """Games of a run that are worth watching."""
        return sorted(path.stem for path in self._folder(name).replays.glob("*.toml"))

    def moments(self, name: str, replay: str, moment: int | None = None) -> str:
        """A game of a run in sentences, or one moment of it with the whole board."""
        if replay not in self.replays(name):
            raise InputError(f'The run {name} has no replay "{replay[:60]}"; it has '
                             f"{', '.join(self.replays(name)) or 'none'}.")
        read = read_replay(self._folder(name).replays / f"{replay}.toml")
        position = resumed(read, a_game(read.game).ready_mode)
        position.names = seat_names(position.seats, read.names)
        last = len(position.actions)
        if moment is None:
            told = [" ".join(position.told(since=at, until=at + 1)) for at in range(last + 1)]
            return "\n".join(f"{at} {said}" for at, said in enumerate(told) if said)
        if not 0 <= moment <= last:
            raise InputError(f"This game has moments 0 to {last}, not {moment}.")
        past = position.at(moment)
        seat = past.actor if not past.is_over else 0
        board = board_lines(past.game, past.whole()[0], past.content, seat, past.names)
        return written(board, position.told(since=moment, until=moment + 1),
                       past.outcome() if past.is_over else
                       f"{past.names[seat]}: {past.question}", [] if past.is_over else past.menu())

    def _folder(self, name: str) -> Folder:
        """A name from outside is only ever looked up, so none leaves the folder of runs."""
        if name not in self.names():
            raise InputError(f'There is no run "{name[:60]}"; there are '
                             f"{', '.join(self.names()[:8]) or 'none yet'}.")
        return Folder(self.folder / name)


def games_in(folder: Folder) -> int:
    """How many games the chunks of an unfinished run hold."""
    return sum(int(found[1]) for path in folder.chunks.glob("*.npz")
               if (found := re.search(r"-(\d+)$", path.stem)))


# Plans -------------------------------------------------------------------------------------------

def plan_of(kind: str, game: Game, content: Content, bots: Sequence[str], games: int,
            seats: int | None, seed: int, **more: Any) -> Plan:
    """A plan as an agent asks for it; each of `bots` is a line-up, such as greedy or hard,easy."""
    named = max([1, *(len(one.split(",")) for one in bots)])
    count = max(game.seats[0], named) if seats is None else game.seats_for(seats)
    lineups = tuple(lineup_of(one, count, games) for one in bots)
    return Plan(kind, address_of(game), count, lineups, seed, content.overlay, **more)


def wait(runs: LabRuns, name: str, seconds: float) -> dict[str, Any]:
    """Wait until a run is finished, or so many seconds."""
    end = time.monotonic() + seconds
    while (state := runs.state(name))["status"] == "running" and time.monotonic() < end:
        time.sleep(0.2)
    return state
