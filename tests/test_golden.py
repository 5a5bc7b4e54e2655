"""Golden games in words and signatures; `make golden` rewrites both, and a person reads them.

A refactoring must change neither. A change of the rules must change them and raise
`rules_version`. The rows of observations have a version of their own.
"""

import hashlib
import pathlib

import numpy as np
import pytest

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.find import all_games
from exchequer.core.position import Position
from exchequer.core.rows import layout_of

GOLDEN = pathlib.Path(__file__).parent / "golden"
GAMES = all_games()
NAMES = ["Ann", "Ben", "Cleo", "Dov", "Eve", "Finn"]


def signature(game) -> str:
    """A hash of 1,000 seeded random games at each number of seats."""
    lines = [f"rules_version {game.rules_version}"]
    for seats in range(game.seats[0], game.seats[1] + 1):
        results, tally, steps = game.engine(Mode.COMPILED).run_batch(
            game.content().record, seats, np.arange(1000, dtype=np.uint64), game.step_limit)
        digest = hashlib.sha256(results.tobytes() + tally.actions.tobytes()
                                + tally.events.tobytes()).hexdigest()[:16]
        lines.append(f"seats {seats}: {steps} steps, {digest}")
    return "\n".join(lines) + "\n"


def game_report(game) -> str:
    """A game as its log tells it to somebody who sees everything.

    Greedy and random moves alternate: greedy alone plays one tune, random alone none.
    """
    seats = game.seats[0]
    position = Position(game, seats=seats, seed=2, mode=Mode.COMPILED)
    bots = [Bot(game, "greedy", 1, Mode.COMPILED), Bot(game, "random", 1, Mode.COMPILED)]
    lines = [f"{game.title}, seed 2, {seats} seats", ""]
    while not position.is_over and len(position.actions) < game.step_limit:
        seat = position.actor
        bot = bots[len(position.actions) % 2]
        action = bot.choose(position.observe(seat), position.content, seat)
        position.play(action)
    for move, _ in enumerate(position.logs):
        if move:
            lines.append(f"[{move}] {game.words.TEXTS.text(position.actions[move - 1])}")
        for entry in position.logs[move]:
            if sentence := game.words.tell(entry, position.content, NAMES):
                lines.append(f"    {sentence}")
    winners = " and ".join(NAMES[seat] for seat in position.winners()) or "nobody"
    lines += ["", f"Ending: {position.ending}; winner: {winners}; scores {position.scores()}."]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
@pytest.mark.parametrize("kind", [signature, game_report], ids=lambda k: k.__name__)
def test_golden(game, kind, golden):
    path = GOLDEN / f"{game.name.replace('/', '-')}.{kind.__name__}.txt"
    text = kind(game)
    if golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.exists(), f"run `make golden` to write {path.name}"
    assert path.read_text() == text, (
        f"{path.name} differs. A refactoring must not change it; a rule change raises "
        "rules_version, runs `make golden` and says so.")


def rows(game) -> str:
    """The fields of a game's rows with their columns, and a hash of all they depend on."""
    layout = layout_of(game)
    columns = (layout.slice(name) for name in layout.fields)
    return "\n".join([f"rows_version {game.rows_version}", f"hash {layout.hash}",
                      f"width {layout.width}",
                      *(f"{name} {where.start} to {where.stop - 1}"
                        for name, where in zip(layout.fields, columns, strict=True))]) + "\n"


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)
def test_rows_change_only_with_their_version(game, golden):
    path = GOLDEN / f"{game.name.replace('/', '-')}.rows.txt"
    text, written = rows(game), path.read_text() if path.exists() else ""
    if text != written:
        assert text.splitlines()[0] not in written.splitlines(), (
            f"the rows of {game.name} have changed: raise rows_version in its __init__.py")
        if golden:
            path.write_text(text)
    assert path.exists() and path.read_text() == text, f"run `make golden` to write {path.name}"
