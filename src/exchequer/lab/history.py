"""What has been run: one line a run, kept in an index so that a thousand of them open at once.

`index.json` beside the runs holds what their plans and summaries say. A run is read when its
summary is newer than its line; nobody ever reads a table for this.
"""

import json
import pathlib
from dataclasses import asdict, dataclass, field
from typing import Any

from exchequer.core.errors import InputError
from exchequer.core.files import read_toml, write_whole

INDEX = "index.json"


@dataclass(frozen=True)
class Line:
    """One run."""

    name: str
    at: float  # when its summary was written, or its plan where there is none yet
    kind: str = ""
    game: str = ""
    overlay: dict[str, Any] = field(default_factory=dict)
    bots: str = ""
    games: int = 0
    verdict: str = ""  # empty while it is not finished
    is_done: bool = False


def history(folder: pathlib.Path) -> list[Line]:
    """All runs below a folder, the latest first."""
    known = read_index(folder)
    lines = []
    for plan in folder.glob("*/plan.toml"):
        summary = plan.with_name("summary.json")
        is_done = summary.exists()
        at = (summary if is_done else plan).stat().st_mtime
        line = known.get(plan.parent.name)
        if line is None or line.at != at or line.is_done != is_done:
            line = line_of(plan, at, is_done)
        lines.append(line)
    lines.sort(key=lambda line: (line.at, line.name), reverse=True)
    if {line.name: line for line in lines} != known:
        write_whole(folder / INDEX, json.dumps([asdict(line) for line in lines]).encode())
    return lines


def read_index(folder: pathlib.Path) -> dict[str, Line]:
    try:
        rows = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        return {row["name"]: Line(**row) for row in rows}
    except (OSError, ValueError, TypeError, KeyError):  # not there, or of another version
        return {}


def line_of(path: pathlib.Path, at: float, is_done: bool) -> Line:
    name = path.parent.name
    try:
        plan = read_toml(path, InputError)
    except InputError as error:
        return Line(name, at, verdict=str(error), is_done=is_done)
    found = json.loads(path.with_name("summary.json").read_text("utf-8")) if is_done else {}
    lineups = plan.get("lineups", [])
    bots = [one["bots"] if isinstance(one["bots"], str) else " v ".join(dict.fromkeys(one["bots"]))
            for one in lineups]
    return Line(name, at, plan.get("kind", "run"), plan.get("game", ""), plan.get("overlay", {}),
                ", ".join(bots), sum(one["games"] for one in lineups), verdict_of(found), is_done)


def verdict_of(found: dict[str, Any]) -> str:
    """The verdict, or the first finding of a run without one."""
    told = found.get("verdict") or next((one["text"] for one in found.get("findings", [])), "")
    return told or ("Nothing stood out from chance." if found else "")
