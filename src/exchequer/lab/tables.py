"""Tables: what was played, as Polars frames that are written as Parquet.

    games     a row for each game           events    for each kind of log entry and seat
    seats     a row for each game and seat  cards     for each use (card, building, action, ...)
    curves    for each turn and resource    actions   for each action id and seat
    leads     for each tenth of a game      chances   for each band of the value of a position
    deals     for each arm                  pairs     for each game and two of its seats
    courses   for each turn and seat of the first games of a line-up: its stocks
    firsts    for each of their seats and each thing it used: the turn of the first use

Every statement of the lab is derived from these, so a report can be recreated from its folder.
"""

import pathlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import polars as pl

from exchequer.core.files import replacing
from exchequer.core.game import Game
from exchequer.core.loops import WHOLE
from exchequer.core.measures import Measures
from exchequer.lab.arms import Arm, Chunk, content_of, use_names
from exchequer.lab.recording import MILLION, TEN_THOUSAND, TOGETHER, GameRow

NOBODY_SEAT = -1
PER_GAME = [name for name in GameRow.names or () if not name.startswith("gap")]


@dataclass
class Tables:
    """All tables of a run; the column `arm` says which arm a row belongs to."""

    games: pl.DataFrame
    seats: pl.DataFrame
    events: pl.DataFrame
    cards: pl.DataFrame
    curves: pl.DataFrame
    actions: pl.DataFrame
    leads: pl.DataFrame
    chances: pl.DataFrame
    deals: pl.DataFrame
    courses: pl.DataFrame
    firsts: pl.DataFrame
    pairs: pl.DataFrame

    def of(self, arm: str) -> "Tables":
        """What belongs to one arm."""
        return Tables(*(getattr(self, f.name).filter(pl.col("arm") == arm) for f in fields(self)))

    def write(self, folder: pathlib.Path) -> None:
        for f in fields(self):
            with replacing(folder / f"{f.name}.parquet") as part:
                getattr(self, f.name).write_parquet(part, compression="zstd", statistics=False)

    @classmethod
    def read(cls, folder: pathlib.Path) -> "Tables":
        """A run of an edition that did not record a table yet has none of it."""
        files = [folder / f"{f.name}.parquet" for f in fields(cls)]
        return cls(*(pl.read_parquet(file) if file.exists() else pl.DataFrame({"arm": []})
                     for file in files))

    @classmethod
    def join(cls, parts: Sequence["Tables"]) -> "Tables":
        """Two editions count different things: what one side lacks stays null."""
        return cls(*(pl.concat([getattr(part, f.name) for part in parts], how="diagonal")
                     for f in fields(cls)))


def tables_of(arm: Arm, chunk: Chunk, game: Game, measures: Measures) -> Tables:
    frames = (games_table(arm, chunk, game), seats_table(arm, chunk, measures),
              events_table(arm, chunk, game), cards_table(arm, chunk, game, measures),
              curves_table(arm, chunk, game, measures), actions_table(arm, chunk, game),
              leads_table(chunk), chances_table(chunk), deals_table(chunk),
              courses_table(arm, chunk, measures), firsts_table(arm, chunk, measures),
              pairs_table(arm, chunk))
    return Tables(*(frame.select(pl.lit(arm.name).alias("arm"), pl.all()) for frame in frames))


def games_table(arm: Arm, chunk: Chunk, game: Game) -> pl.DataFrame:
    rows, count = chunk.rows.games, chunk.games
    number = np.arange(chunk.first, chunk.first + count)
    endings = np.array([ending.name.lower() for ending in game.endings])
    frame = pl.DataFrame({"game": number, "deal": number // arm.rotations,
                          **{name: np.ascontiguousarray(rows[name]) for name in PER_GAME}})
    return frame.with_columns(
        ending=pl.Series(endings[rows["ending"]]).replace("none", "unfinished"),
        draw=pl.Series((rows["winners"] & (rows["winners"] - 1)) != 0))


def seats_table(arm: Arm, chunk: Chunk, measures: Measures) -> pl.DataFrame:
    rows, seats, count = chunk.rows, arm.seats, chunk.games
    number = np.repeat(np.arange(chunk.first, chunk.first + count), seats)
    seat = np.tile(np.arange(seats), count)
    bots = np.array(arm.bots)
    sitting = arm.bot_table[number % arm.rotations, seat]
    columns: dict[str, Any] = {
        "game": number, "deal": number // arm.rotations, "seat": seat, "entrant": sitting,
        "bot": bots[sitting], "score": rows.seats["score"].ravel(),
        "share": rows.seats["share"].ravel() / WHOLE,
        **{name: rows.seats[name].ravel() for name in ("decisions", "forced", "waited")}}
    for k, name in enumerate(measures.counts):
        columns[name] = rows.counts[:, :, k].ravel()
    for k, name in enumerate(measures.resources):
        columns[f"final {name}"] = rows.stock[:, :, k].ravel()
    return pl.DataFrame({name: np.ascontiguousarray(column) if column.dtype.kind != "U" else
                         column.tolist() for name, column in columns.items()})


def events_table(arm: Arm, chunk: Chunk, game: Game) -> pl.DataFrame:
    names = [event.name.lower() for event in game.module("state").Event]
    rows = [(name, seat if seat < arm.seats else NOBODY_SEAT, *map(int, counted))
            for name, by_seat in zip(names, chunk.sums.events, strict=True)
            for seat, counted in enumerate(by_seat)]
    return frame_of(rows, ("event", "seat", "entries", "games"))


def cards_table(arm: Arm, chunk: Chunk, game: Game, measures: Measures) -> pl.DataFrame:
    """How often each seat used each thing, and its wins in those games: the naive view."""
    content, is_there = content_of(arm, game), measures.is_there
    wins = chunk.rows.seats["share"].sum(0, dtype=np.int64) / WHOLE
    rows = [(group, name, seat, int(uses), int(games), int(won) / WHOLE, int(turns),
             chunk.games, float(wins[seat]))
            for (group, name), by_seat in zip(use_names(measures), chunk.sums.uses, strict=True)
            if is_there is None or is_there(content, name)
            for seat, (uses, games, won, turns) in enumerate(by_seat)]
    return frame_of(rows, ("group", "thing", "seat", "uses", "games", "wins", "turns",
                           "all_games", "all_wins"),
                    {"wins": pl.Float64, "all_wins": pl.Float64, "group": pl.String,
                     "thing": pl.String})


def curves_table(arm: Arm, chunk: Chunk, game: Game, measures: Measures) -> pl.DataFrame:
    """By turn; in a game that counts none a turn is `seats` moves, and moves are shown."""
    stride = arm.seats if measures.turn is None else 1
    rows: list[tuple[Any, ...]] = []
    for place, (games, gini) in enumerate(chunk.sums.turns):
        turn = place * stride
        if not games:
            continue
        rows.append((turn, NOBODY_SEAT, "inequality", int(games),
                     int(gini) / int(games) / TEN_THOUSAND, 0.0))
        for seat in range(arm.seats):
            for k, name in enumerate(measures.resources):
                total, squares = map(int, chunk.sums.stock[place, seat, k])
                rows.append((turn, seat, name, int(games), total / int(games),
                             deviation(int(games), total, squares)))
    return frame_of(rows, ("turn", "seat", "resource", "games", "mean", "deviation"),
                    {"mean": pl.Float64, "deviation": pl.Float64, "resource": pl.String})


def deviation(n: int, total: int, squares: int) -> float:
    """From exact whole numbers, so that the order of summing does not matter."""
    return (max(0, n * squares - total * total) / (n * (n - 1))) ** 0.5 if n > 1 else 0.0


def actions_table(arm: Arm, chunk: Chunk, game: Game) -> pl.DataFrame:
    rows = [(game.words.TEXTS.text(action), seat, int(chunk.sums.legal[seat, action]),
             int(chunk.sums.taken[seat, action]))
            for action in range(game.n_actions) for seat in range(arm.seats)]
    return frame_of(rows, ("action", "seat", "legal", "taken"))


def leads_table(chunk: Chunk) -> pl.DataFrame:
    rows = [(tenth, int(games), int(won) / WHOLE)
            for tenth, (games, won) in enumerate(chunk.sums.led)]
    return frame_of(rows, ("tenth", "games", "wins"), {"wins": pl.Float64})


def chances_table(chunk: Chunk) -> pl.DataFrame:
    rows = [(band, int(seats), int(won) / WHOLE)
            for band, (seats, won) in enumerate(chunk.sums.chances)]
    return frame_of(rows, ("band", "seats", "wins"), {"wins": pl.Float64})


def deals_table(chunk: Chunk) -> pl.DataFrame:
    deals, giver, taker = map(int, chunk.sums.deals)
    return frame_of([(deals, giver / MILLION, taker / MILLION)],
                    ("deals", "giver", "taker"),
                    {"giver": pl.Float64, "taker": pl.Float64})


def pairs_table(arm: Arm, chunk: Chunk) -> pl.DataFrame:
    """What two seats did together; nothing in a game that declares neither deals nor votes."""
    pairs = chunk.rows.pairs
    seat, other = np.triu_indices(arm.seats, 1)
    number = np.repeat(np.arange(chunk.first, chunk.first + len(pairs)), len(seat))
    counts = pairs[:, seat, other].reshape(-1, len(TOGETHER))
    return pl.DataFrame({"game": number, "seat": np.tile(seat, len(pairs)),
                         "other": np.tile(other, len(pairs)),
                         **{name: np.ascontiguousarray(counts[:, k])
                            for k, name in enumerate(TOGETHER)}})


def courses_table(arm: Arm, chunk: Chunk, measures: Measures) -> pl.DataFrame:
    """Only turns that a game reached."""
    course = chunk.rows.course
    rows = chunk.rows.games[: len(course)]
    turns = np.arange(course.shape[1])
    reached = (turns >= rows["first_turn"][:, None]) & (turns <= rows["last_turn"][:, None])
    game, turn = np.nonzero(reached)
    columns = {"game": np.repeat(game, arm.seats), "turn": np.repeat(turn, arm.seats),
               "seat": np.tile(np.arange(arm.seats), len(game))}
    stocks = course[game, turn].reshape(-1, course.shape[3])
    return pl.DataFrame(columns | {name: np.ascontiguousarray(stocks[:, k])
                                   for k, name in enumerate(measures.resources)})


def firsts_table(arm: Arm, chunk: Chunk, measures: Measures) -> pl.DataFrame:
    game, seat, use = np.nonzero(chunk.rows.first_use)
    turn = chunk.rows.first_use[game, seat, use].astype(np.int64) - 1
    groups, things = (np.array([name[k] for name in use_names(measures)] or [""], object)
                      for k in (0, 1))
    return pl.DataFrame({"game": game, "seat": seat, "group": groups[use].tolist(),
                         "thing": things[use].tolist(), "turn": turn},
                        schema_overrides={"group": pl.String, "thing": pl.String})


def frame_of(rows: list[tuple[Any, ...]], names: Sequence[str], kinds: Any = None) -> pl.DataFrame:
    """A frame whose columns keep their types even without rows."""
    kinds = kinds or {}
    known = {"event": pl.String, "action": pl.String}
    return pl.DataFrame(rows, schema={name: kinds.get(name, known.get(name, pl.Int64))
                                      for name in names}, orient="row")
