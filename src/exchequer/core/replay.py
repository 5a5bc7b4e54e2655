"""Replays: one readable file from which a game runs again, bit for bit.

Each move is written as seat, action in words and a digest of the state after it, so that a
re-run can say where it first differs.
"""

import hashlib
import pathlib
import re
from dataclasses import dataclass, field
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.files import read_toml, write_whole
from exchequer.core.find import find_game
from exchequer.core.position import Position, Refused
from exchequer.core.words import NoSuchAction

FORMAT = 1


class ReplayError(InputError):
    """A replay that cannot be read or does not run as it is written."""


@dataclass
class Replay:
    """What the file says."""

    game: str
    rules_version: int
    content: str  # the content's hash
    seats: int
    seed: int
    start: str  # digest of the state after setup
    moves: list[str]  # "0 develop:farm 3f9c": seat, action, digest; the key it rolled from
    overlay: dict[str, Any] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    key: str = ""  # from which it was dealt, where that was not the seed
    rows_version: int = 0  # of the observations that were made of it then; 0: not written


def is_key(text: str) -> bool:
    """Whether this is a key of `secret_chance`, or none."""
    return not text or re.fullmatch("[0-9a-f]{64}", text) is not None


def digest(position: Position) -> str:
    return hashlib.sha256(position.state.tobytes()).hexdigest()[:6]


def replay_of(position: Position, names: list[str] | None = None) -> Replay:
    """The replay of a game that was played; it is run once more for the digests."""
    again = Position(position.game, position.content, position.seats, position.seed,
                     position.engine.mode, position.key)
    replay = Replay(position.game.name, position.game.rules_version, position.content.hash,
                    position.seats, position.seed, digest(again), [],
                    position.content.overlay, names or [], position.key,
                    position.game.rows_version)
    for action, key in zip(position.actions, position.keys, strict=True):
        seat = again.actor
        again.play(action, key)
        text = position.game.words.TEXTS.text(action)
        replay.moves.append(f"{seat} {text} {digest(again)} {key}".rstrip())
    return replay


def write_replay(replay: Replay, path: pathlib.Path) -> None:
    import tomli_w

    text = tomli_w.dumps({"exchequer_replay": FORMAT, **{
        key: value for key, value in vars(replay).items() if value or key in ("moves", "seed")}})
    write_whole(path, text.encode())


def read_replay(path: pathlib.Path) -> Replay:
    data = read_toml(path, lambda sentence: ReplayError(f"{path}: {sentence}"))
    if data.pop("exchequer_replay", None) != FORMAT:
        raise ReplayError(f"{path}: is not an Exchequer replay of format {FORMAT}; "
                          f"it must begin with exchequer_replay = {FORMAT}.")
    kinds = {"game": str, "rules_version": int, "content": str, "seats": int, "seed": int,
             "start": str, "moves": list, "overlay": dict, "names": list, "key": str,
             "rows_version": int}
    for key, kind in kinds.items():
        if key in data and not isinstance(data[key], kind):
            raise ReplayError(f"{path}: {key} must be a {kind.__name__}, not {data[key]!r}.")
        if key not in data and key not in ("overlay", "names", "key", "rows_version"):
            raise ReplayError(f"{path}: {key} is missing.")
    if not is_key(data.get("key", "")):
        raise ReplayError(f"{path}: key must be 64 hexadecimal digits.")
    if unknown := set(data) - set(kinds):
        raise ReplayError(f"{path}: {min(unknown)} is no key of a replay.")
    return Replay(**data)


def start_replay(replay: Replay, mode: Mode | None = None) -> Position:
    """The position before the first move."""
    try:
        game = find_game(replay.game)
        position = Position(game, game.content(replay.overlay, "overlay"), replay.seats,
                            replay.seed, mode, replay.key)
    except InputError as error:
        raise ReplayError(f"The replay cannot be set up: {error}") from None
    return position


def step_replay(position: Position, number: int, move: str) -> str:
    """Play one written move; returns how it differs from what was written, or nothing."""
    seat, _, rest = str(move).partition(" ")
    text, _, rest = rest.partition(" ")
    written, _, key = rest.partition(" ")
    where = f"move {number} ({move})"
    try:
        action = position.game.words.TEXTS.action(text)
    except NoSuchAction as error:
        raise ReplayError(f"{where}: {error}") from None
    if position.is_over:
        raise ReplayError(f"{where}: the game is over already.")
    if seat != str(position.actor):
        return f"{where}: it is seat {position.actor}'s move now."
    try:
        position.play(action, key if is_key(key) else "")
    except Refused as error:
        return f"{where}: is refused now: {error}"
    if written and written != digest(position):
        return f"{where}: leads to another state now ({digest(position)})."
    return ""


def resumed(replay: Replay, mode: Mode | None = None) -> Position:
    """A saved game, run up to where it was left."""
    position = start_replay(replay, mode)
    if difference := run_again(position, replay):
        raise ReplayError(f"The game was saved under other rules. {difference}")
    return position


def check_replay(replay: Replay, mode: Mode | None = None) -> str:
    """Run the game again; returns where it first differs, or nothing."""
    return run_again(start_replay(replay, mode), replay)


def run_again(position: Position, replay: Replay) -> str:
    """Make the written moves; returns where the game first differs, or nothing."""
    if position.content.hash != replay.content:
        return (f"The content has changed: it was {replay.content}, "
                f"now it is {position.content.hash}.")
    if digest(position) != replay.start:
        return "The start of the game differs already."
    for number, move in enumerate(replay.moves, 1):
        if difference := step_replay(position, number, move):
            return f"It first differs at {difference}"
    return ""
