'''Exchequer takes a tabletop prototype from rulebook to evidence.

A game's rules are written once, in plain Python. With this package you play a game move by
move, have bots play it, and have it played a hundred thousand times.

    import exchequer

    exchequer.games()                           # what there is
    game = exchequer.game("kingdom")
    position = game.start(seed=7, variant={"start_gold": 12})
    position                                    # prints the board
    position.legal()                            # [end, overwork, expand, ..., build:mill, ...]
    position.play("build:mill")                 # refused with a reason when it is not legal
    position.told()                             # what happened, in sentences

    bot = exchequer.bot("hard")                 # random, greedy, easy, medium, hard, expert, master
    position.play(bot.choose(position))

    exchequer.simulate("kingdom", games=100_000).wins
    exchequer.arena("kingdom", ["hard", "easy"], games=200)

Rules run as plain Python or, many thousand times faster, as machine code; what happens is the same,
byte for byte. Whatever plays many games compiles first, once per version of the rules, which takes
from twenty seconds to a minute and a half. EXCHEQUER_PYTHON=1 in the environment leaves the rules
plain Python, to step through them in a debugger.

Whatever you give that cannot be used is answered by an `InputError` whose sentence says what would
be right; a move that is not legal now by `Refused`, which is one.

Read on with `help(exchequer.Game)`, `help(exchequer.Position)`, and the same for `Opponent`,
`Simulation`, `ArenaResult`, `Standing`, `Content` and `Move`.
'''

import importlib
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exchequer.bots.arena import ArenaResult, Standing
    from exchequer.bots.opponent import Opponent
    from exchequer.bots.own import Entrant
    from exchequer.core.content import Content
    from exchequer.core.errors import InputError
    from exchequer.core.game import Game, Variant
    from exchequer.core.position import Position, Refused
    from exchequer.core.simulation import Simulation
    from exchequer.core.words import Move

__version__ = "0.1.0"

__all__ = ["ArenaResult", "Content", "Game", "InputError", "Move", "Opponent", "Position",
           "Refused", "Simulation", "Standing", "__version__", "arena", "bot", "game", "games",
           "load", "simulate"]

# Imported when first asked for: `import exchequer` stays light.
_CLASSES = {"ArenaResult": "bots.arena", "Content": "core.content", "Game": "core.game",
            "InputError": "core.errors", "Move": "core.words", "Opponent": "bots.opponent",
            "Position": "core.position", "Refused": "core.position",
            "Simulation": "core.simulation", "Standing": "bots.arena"}


def games() -> "list[Game]":
    """All games, by name."""
    from exchequer.core.find import all_games

    return all_games()


def game(name: "str | pathlib.Path | Game") -> "Game":
    """A game by its name, such as `kingdom` or `treasury/v17`, or by its folder anywhere."""
    from exchequer.core.find import find_game

    return find_game(name)


def bot(name: "Entrant", seed: int = 0) -> "Opponent":
    """A bot that chooses moves in any game.

    Its name is `random`, `greedy`, `easy`, `medium`, `hard`, `expert`, `master`, `mcts:N` for N
    iterations of search, `learned:FILE` for weights of your own, `FILE.py:CLASS` for a bot of your
    own, or `agent:COMMAND` for any program that answers (see `exchequer.bots.agent`); a class
    itself will do, too.
    """
    from exchequer.bots.opponent import Opponent

    return Opponent(name, seed)


def load(path: "str | pathlib.Path") -> "Position":
    """A game that was saved, by `Position.save` or in the terminal, as it was left."""
    from exchequer.core.find import find_game
    from exchequer.core.replay import read_replay, resumed

    replay = read_replay(pathlib.Path(path))
    return resumed(replay, find_game(replay.game).ready_mode)


def simulate(game: "str | Game", games: int = 10_000, *, seats: int | None = None, seed: int = 0,
             variant: "Variant | None" = None) -> "Simulation":
    """Have random players play many games: wins, lengths, endings, scores, what was reached.

    Game `i` is dealt from `seed + i`, and all cores take part; the result depends on neither. With
    `seats` left out the fewest play. `variant` is as for `Game.start`.
    """
    from exchequer.core.progress import bar, prepare
    from exchequer.core.simulation import simulate

    found, content, seats = _chosen(game, variant, seats)
    _check_counts(games, seed)
    prepare(found)
    with bar(f"playing {found.name}", games) as advance:
        return simulate(found, content, seats, games, seed, advance)


def arena(game: "str | Game", bots: "Sequence[Entrant]", games: int = 200, *,
          seats: int | None = None, seed: int = 0, variant: "Variant | None" = None,
          stop: bool = False, seconds: float = 10.0) -> "ArenaResult":
    """Have bots play each other, every deal once in every rotation of the seats.

    `bots` are names as for `bot`, or classes: one for each seat. With `seats`, the last one takes
    all that are left. With `stop`, end as soon as it is decided whether the first bot is better
    than the rest. An agent has `seconds` for an answer.
    """
    from exchequer.bots.arena import Arena, seated
    from exchequer.bots.own import name_of
    from exchequer.core.progress import bar

    found, content, wanted = _chosen(game, variant, seats)
    bots = bots if seats is None else seated(bots, wanted)
    _check_counts(games, seed)
    match = Arena(found, content, bots, seconds=seconds)
    with bar(f"{' against '.join(map(name_of, bots))} in {found.name}", games) as advance:
        match.play(games, seed, stop, advance)
    return match.result()


def _chosen(name: "str | Game", variant: "Variant | None", seats: int | None
            ) -> "tuple[Game, Content, int]":
    found = game(name)
    return found, found.content_of(variant), found.seats_for(seats)


def _check_counts(games: int, seed: int) -> None:
    from exchequer.core.errors import InputError

    if games < 1:
        raise InputError(f"{games} games cannot be played; ask for 1 or more.")
    if not 0 <= seed < 2**63 - games:
        raise InputError(f"A seed is a number from 0 to 2^63 - 1, not {seed}.")


def __getattr__(name: str) -> object:
    if name not in _CLASSES:
        raise AttributeError(f"module 'exchequer' has no attribute {name!r}")
    return getattr(importlib.import_module(f"exchequer.{_CLASSES[name]}"), name)
