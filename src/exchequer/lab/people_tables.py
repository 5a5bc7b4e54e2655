"""Games of people as the lab's tables: the lab's own loop follows what was played.

The loop is the one that records bots; only the decision is not asked for but read, and chance
falls as it fell at the table. So every column means the same for people and bots; what only people
have is in columns of its own, and in the tables `decisions`, `happened` and `said`.
"""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from exchequer.core.build import Mode
from exchequer.core.contract import observe
from exchequer.core.game import Game
from exchequer.core.measures import measures_of, rules_of
from exchequer.core.position import Position
from exchequer.core.records import rule
from exchequer.core.search import think
from exchequer.core.secret_chance import KEYED, SOURCE
from exchequer.lab.arms import Arm, Chunk, joined, work_of
from exchequer.lab.loops import decide, record_games, weigh_options
from exchequer.lab.playtest import (
    PERSON,
    Follower,
    Played,
    PlaytestData,
    previews_not_made,
)
from exchequer.lab.tables import Tables, tables_of

SAT_THERE = "person"  # what stands where the lab has a bot's name


class Script(threading.local):
    """The moves that this thread's loop follows."""

    position: Position | None = None

    def begin(self, position: Position) -> None:
        self.position = position
        SOURCE.key, SOURCE.count = bytes.fromhex(position.key), 0

    def action(self, moves: int) -> int:
        """The next move, which rolls from the key it rolled from."""
        assert self.position is not None
        SOURCE.key, SOURCE.count = bytes.fromhex(self.position.keys[moves]), 0
        return int(self.position.actions[moves])


SCRIPT = Script()


@rule
def follow(buffers, c, seats, seat, design, job, space, moves, weighs, forced, row, legal_count):
    """In the place of `loops.decide`: what was played; some options are weighed as ever."""
    if weighs:
        space.seen[0] = buffers.states[0]
        observe(space.seen[0], c, seat)
        think(space.seen, c, seats, seat, design.policies[len(design.policies) - 1], space, moves)
        weigh_options(space.nodes, row)
    return SCRIPT.action(moves)


def people_arm(data: PlaytestData, arm: int) -> str:
    name = data.arms[arm]["name"]
    return f"people: {name}" if len(data.arms) > 1 else "people"


def people_tables(data: PlaytestData) -> Tables | None:
    """All whole games, an arm for each variant; None when there is none."""
    parts = []
    for arm in range(len(data.arms)):
        games = [one for one in data.games if one.arm == arm and one.is_whole
                 and len(one.seats) == data.seats]
        if games:
            parts.append(arm_tables(data, arm, games))
    return Tables.join(parts) if parts else None


def arm_tables(data: PlaytestData, number: int, games: Sequence[Played]) -> Tables:
    game = data.the_game
    arm = Arm(people_arm(data, number), game.name, ("greedy",) * data.seats, len(games),
              overlay=data.arms[number]["overlay"], told=len(games))
    chunks = [followed(game, arm, place, one) for place, one in enumerate(games)]
    found = tables_of(arm, joined(chunks), game, measures_of(game))
    found.games = with_endings(found.games, games)
    found.seats = with_people(found.seats, games)
    return found


def followed(game: Game, arm: Arm, place: int, played: Played) -> Chunk:
    """One game through the lab's loop, as plain Python: machine code knows no keys."""
    follower = Follower(game, game.content(arm.overlay, "overlay"), played)
    follower.follow()
    position = follower.position
    work = work_of(arm, place, 1)._replace(limit=len(position.actions))
    work.jobs["seed"] = position.seed
    instead = {**rules_of(game), decide: follow, **(KEYED if position.key else {})}
    SCRIPT.begin(position)
    try:
        game.engine(Mode.PYTHON).bind(record_games, instead)(work)
    finally:
        SOURCE.key = b""
    return Chunk(place, work.rows, work.sums)


def with_endings(frame: pl.DataFrame, games: Sequence[Played]) -> pl.DataFrame:
    """A game that somebody gave up ended by that; and how long each took."""
    endings = ["resigned" if one.ending == "resigned" else ending
               for one, ending in zip(games, frame["ending"].to_list(), strict=True)]
    return frame.with_columns(ending=pl.Series(endings, dtype=pl.String),
                              seconds=pl.Series([one.seconds for one in games], dtype=pl.Float64),
                              played=pl.Series([one.id for one in games], dtype=pl.String))


def with_people(frame: pl.DataFrame, games: Sequence[Played]) -> pl.DataFrame:
    rows = [seat_row(one, seat) for one in games for seat in range(len(one.seats))]
    mine = pl.DataFrame(rows, schema_overrides={"thinking": pl.Float64, "left": pl.Float64})
    return frame.drop("bot", "share").hstack(mine).select(
        *frame.columns, *[name for name in mine.columns if name not in frame.columns])


def seat_row(played: Played, seat: int) -> dict[str, Any]:
    """Who sat there and what they did beside their moves."""
    sitter = played.seats[seat]
    won = len(played.winners) or 1
    own = [one for one in played.decisions if one.seat == seat]
    did = [one for one in played.happened if one.who == sitter.who and sitter.kind == PERSON]
    return {
        "bot": SAT_THERE if sitter.kind == PERSON else sitter.who,
        "share": 1 / won if seat in played.winners else 0.0, "who": sitter.who,
        "thinking": float(np.median([one.seconds for one in own])) if own else None,
        "left": sitter.left, "undone": sum(one.undone for one in own),
        "hints": sum(one.kind == "hint" for one in did),
        "whys": sum(one.kind == "why" for one in did),
        "looked_up": sum(one.kind == "rules" for one in did),
        "previews_not_made": sum(previews_not_made(played, sitter.who).values()) if did else 0,
        "away": float(sum(one.seconds for one in did if one.kind == "idle")),
        "great": sum(one.kind == "flag" and one.what == "great" for one in did),
        "unclear": sum(one.kind == "flag" and one.what == "unclear" for one in did)}


def detail_tables(data: PlaytestData) -> dict[str, pl.DataFrame]:
    """What only people have, a row each."""
    decisions = [{"played": game.id, "arm": people_arm(data, game.arm), **vars(one)}
                 for game in data.games for one in game.decisions]
    happened = [{"played": game.id, "arm": people_arm(data, game.arm),
                 **vars(one), "cites": " ".join(one.cites)}
                for game in data.games for one in game.happened]
    said = [{"played": game.id, "arm": people_arm(data, game.arm), "who": one.who,
             "when": one.when, "question": question, "answer": answer}
            for game in data.games for one in game.said
            for question, answer in one.answers.items()]
    return {"decisions": pl.DataFrame(decisions), "happened": pl.DataFrame(happened),
            "said": pl.DataFrame(said)}
