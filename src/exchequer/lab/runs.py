"""Runs as a service: each is a process of the ordinary lab, known by the name of its folder.

Whoever wants an experiment starts one here, watches its folder and reads what it found: the desk,
and agents. There is no second way to run one.
"""

import json
import pathlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.find import address_of
from exchequer.core.game import Game
from exchequer.lab.folder import Folder
from exchequer.lab.plan import Plan, lineup_of, plan_text
from exchequer.lab.studies import games_to_play
from exchequer.lab.variants import Variants

MOST_RUNNING = 2
MOST_GAMES = 1_000_000
FINISHED, RUNNING, STOPPED, FAILED = "finished", "running", "interrupted", "failed"


class Runs:
    """All runs below one folder, and the processes that play those started here."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def variants(self, game: Game) -> Variants:
        return Variants(self.folder / "variants", game)

    # Starting and stopping -----------------------------------------------------------------------

    def start(self, plan: Plan, beside: Mapping[str, bytes] | None = None) -> str:
        """Begin to play a plan; returns the name of its run. `beside` are files in its folder."""
        if games_to_play(plan) > MOST_GAMES:
            raise InputError(f"A run may have {MOST_GAMES:,} games, not {games_to_play(plan):,}.")
        name = self._free_name(f"{plan.the_game.name.replace('/', '-')}-{plan.kind}")
        plans = self.folder / "plans"
        plans.mkdir(parents=True, exist_ok=True)
        write_whole(plans / f"{name}.toml", plan_text(plan).encode())
        for file, content in (beside or {}).items():
            (self.folder / name).mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / name / file, content)
        self._play(name)
        return name

    def resume(self, name: str) -> None:
        """Go on with a run that was stopped."""
        if self.status(name) == STOPPED:
            self._play(name, "--resume")

    def _play(self, name: str, *options: str) -> None:
        if sum(process.poll() is None for process in self._processes.values()) >= MOST_RUNNING:
            raise InputError(f"{MOST_RUNNING} runs are being played already; wait for one of them.")
        plan, kept = self.folder / "plans" / f"{name}.toml", Folder(self.folder / name).plan_path
        with self._said(name).open("wb") as said:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", "exchequer", "lab", "run",
                 str(plan if plan.exists() else kept), "--out", str(self.folder / name), "--json",
                 *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)

    def _said(self, name: str) -> pathlib.Path:
        """What a run's process had to say, such as why it failed."""
        (self.folder / "plans").mkdir(parents=True, exist_ok=True)
        return self.folder / "plans" / f"{name}.log"

    def _free_name(self, stem: str) -> str:
        number = 1
        while (self.folder / f"{stem}-{number}").exists() or f"{stem}-{number}" in self._processes:
            number += 1
        return f"{stem}-{number}"

    def interrupt(self, name: str) -> None:
        """Stop a run as Ctrl-C would: what was played is kept, and it can go on later."""
        process = self._processes.get(name)
        if process and process.poll() is None:
            process.send_signal(signal.SIGINT)

    def stop(self) -> None:
        """End what is still being played; its folder can be resumed."""
        for process in self._processes.values():
            if process.poll() is None:
                process.terminate()
                process.wait()

    # Reading -------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """All runs, the latest first."""
        waiting = [name for name in self._processes  # first: one may get its plan meanwhile
                   if not Folder(self.folder / name).plan_path.exists()]
        played = [path.parent for path in self.folder.glob("*/plan.toml")
                  if path.parent.name not in waiting]
        played.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        return [*waiting, *(path.name for path in played)]

    def folder_of(self, name: str) -> Folder:
        """A name from outside is only ever looked up, so none leaves the folder of runs."""
        if name not in self.names():
            raise InputError(f'There is no run "{name[:60]}"; there are '
                             f"{', '.join(self.names()[:8]) or 'none yet'}.")
        return Folder(self.folder / name)

    def status(self, name: str) -> str:
        if self.folder_of(name).report.exists():
            return FINISHED
        process = self._processes.get(name)
        if process is None:
            return STOPPED
        if process.poll() is None:
            return RUNNING
        return STOPPED if self.folder_of(name).chunks.exists() else FAILED

    def complaint(self, name: str) -> str:
        """Why a run failed, in a sentence."""
        said = self._said(name).read_text(encoding="utf-8").strip().splitlines()
        return said[-1].removeprefix("exchequer: ") if said else f"The run {name} has failed."

    def live(self, name: str) -> dict[str, Any]:
        """What an unfinished run has found so far; nothing before its first games are played."""
        path = self.folder_of(name).live
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def found(self, name: str) -> dict[str, Any]:
        """What a finished run found, as its summary says it."""
        path = self.folder_of(name).path / "summary.json"
        if not path.exists():
            raise InputError(f"The run {name} is not finished yet; wait for it.")
        return json.loads(path.read_text(encoding="utf-8"))

    def state(self, name: str) -> dict[str, Any]:
        """Whether a run is done, how far it is, and what it found; one that failed says why."""
        status = self.status(name)
        if status == FAILED:
            raise InputError(self.complaint(name))
        if status == FINISHED:
            return {"run": name, "status": status, **self.found(name)}
        if status == STOPPED:
            return {"run": name, "status": status}
        return {"run": name, "status": status, "games_played": games_in(self.folder_of(name))}

    def replays(self, name: str) -> list[str]:
        """Games of a run that are worth watching."""
        return sorted(path.stem for path in self.folder_of(name).replays.glob("*.toml"))

    def replay(self, name: str, replay: str) -> pathlib.Path:
        if replay not in self.replays(name):
            raise InputError(f'The run {name} has no replay "{replay[:60]}"; it has '
                             f"{', '.join(self.replays(name)) or 'none'}.")
        return self.folder_of(name).replays / f"{replay}.toml"


def games_in(folder: Folder) -> int:
    """How many games the chunks of an unfinished run hold."""
    return sum(int(found[1]) for path in folder.chunks.glob("*.npz")
               if (found := re.search(r"-(\d+)$", path.stem)))


# Plans -------------------------------------------------------------------------------------------

def plan_of(kind: str, game: Game, content: Content, bots: Sequence[str], games: int,
            seats: int | None, seed: int, **more: Any) -> Plan:
    """A plan as somebody asks for it; each of `bots` is a line-up, such as greedy or hard,easy."""
    named = max([1, *(len(one.split(",")) for one in bots)])
    count = max(game.seats[0], named) if seats is None else game.seats_for(seats)
    lineups = tuple(lineup_of(one, count, games) for one in bots)
    return Plan(kind, address_of(game), count, lineups, seed, content.overlay, **more)


def wait(runs: Runs, name: str, seconds: float) -> dict[str, Any]:
    """Wait until a run is finished, or so many seconds."""
    end = time.monotonic() + seconds
    while (state := runs.state(name))["status"] == RUNNING and time.monotonic() < end:
        time.sleep(0.2)
    return state
