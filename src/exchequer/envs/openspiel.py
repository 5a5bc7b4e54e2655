"""OpenSpiel: each game as a Python game, so that its algorithms run on them.

    import pyspiel, exchequer.envs.openspiel
    game = pyspiel.load_game("python_exchequer_kingdom")

A game of your own is `load_game("./whispers")` of this module.

Chance in Exchequer is a seed, so here nature moves once, at the start: it picks one of
`CHANCE_OUTCOMES` seeds. What follows from it stays hidden as the rules say. A game that holds
neither secrets nor chance has no such move.
"""

import functools
from typing import Any

import numpy as np
import pyspiel

from exchequer.core.build import Mode
from exchequer.core.find import Wanted, address_of, all_games, find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.envs.play import Play, chosen

CHANCE_OUTCOMES = 1000


def short_name(game: Game) -> str:
    return f"python_exchequer_{game.name.replace('/', '_')}"


class Shared:
    """What all states of a game share; a copy of a state does not copy it."""

    def __init__(self, game: Game, seats: int) -> None:
        self.play = Play(*chosen(game, None, None, seats))
        self.is_chancy = has_chance(self.play.game, seats)

    def __deepcopy__(self, memo: Any) -> "Shared":
        return self

    def __reduce__(self) -> Any:
        return found_again, (address_of(self.play.game), self.play.seats)


@functools.cache
def shared(game: Game, seats: int) -> Shared:
    return Shared(game, seats)


def found_again(address: str, seats: int) -> Shared:
    return shared(find_game(address), seats)


def has_chance(game: Game, seats: int) -> bool:
    """Whether two seeds give two games, or a seat has secrets."""
    first, second = (Position(game, seats=seats, seed=seed, mode=Mode.PYTHON) for seed in (1, 2))
    first.state["rng"] = second.state["rng"] = 0
    return first.state.tobytes() != second.state.tobytes() or first.has_secrets(0)


def game_type(game: Game) -> pyspiel.GameType:
    chancy = has_chance(game, game.seats[0])
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(game), long_name=f"Exchequer: {game.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chancy
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if chancy
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if game.seats == (1, 1) else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL, max_num_players=game.seats[1],
        min_num_players=game.seats[0], provides_information_state_string=True,
        provides_information_state_tensor=False, provides_observation_string=True,
        provides_observation_tensor=True, parameter_specification={"players": game.seats[0]})


class ExchequerGame(pyspiel.Game):
    """One of our games."""

    found: Game
    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = dict(params or {})
        self.seats = int(params.get("players", self.found.seats[0]))
        self.shared = shared(self.found, self.seats)
        solo = self.seats == 1
        super().__init__(self.kind, pyspiel.GameInfo(
            num_distinct_actions=self.found.n_actions,
            max_chance_outcomes=CHANCE_OUTCOMES if self.shared.is_chancy else 0,
            num_players=self.seats, min_utility=0.0 if solo else -1.0,
            max_utility=10.0 if solo else 1.0, utility_sum=None if solo else 0.0,
            max_game_length=self.found.step_limit), params)

    def new_initial_state(self, *_: Any) -> "ExchequerState":
        return ExchequerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        return Observer(self.shared)


class ExchequerState(pyspiel.State):
    """A game in progress: its bytes, and the moves it has seen."""

    def __init__(self, game: ExchequerGame) -> None:
        super().__init__(game)
        self.shared = game.shared
        self.data = b""
        self.moves: list[int] = []
        if not self.shared.is_chancy:
            self._begin(0)

    def _begin(self, seed: int) -> None:
        self.shared.play.start(seed)
        self.data = self.shared.play.states.tobytes()

    @property
    def play(self) -> Play:
        """The shared table, with this state laid out on it."""
        play = self.shared.play
        play.lay_out(self.data, self.moves)
        return play

    def current_player(self) -> int:
        if not self.data:
            return pyspiel.PlayerId.CHANCE
        play = self.play
        if play.is_over or play.is_cut_off:
            return pyspiel.PlayerId.TERMINAL
        return play.actor

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.play.mask(player)).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1 / CHANCE_OUTCOMES) for seed in range(CHANCE_OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        if not self.data:
            self._begin(action)
            return
        play = self.play
        play.engine.apply(play.states[0], play.c, action, play.log)
        self.moves = [*self.moves, action]
        self.data = play.states.tobytes()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        return self.shared.play.game.words.TEXTS.text(action)

    def is_terminal(self) -> bool:
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.shared.play.seats
        return self.play.rewards()

    def information_state_string(self, player: int | None = None) -> str:
        """What the seat sees now and how many moves led here."""
        seat = self.current_player() if player is None else player
        if not self.data:
            return "before the deal"
        return f"{len(self.moves)} moves; {self.play.information(seat)}"

    def __str__(self) -> str:
        if not self.data:
            return "before the deal"
        play = self.play
        return play.screen(max(play.actor, 0))


class Observer:
    """Observations for OpenSpiel: the tensor with its named fields, and the view in words."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        layout = shared.play.encoder.layout
        self.tensor = np.zeros(layout.width, np.float32)
        self.dict = {name: self.tensor[first : first + int(np.prod(shape))].reshape(shape)
                     for name, (first, shape) in layout.fields.items()}

    def set_from(self, state: ExchequerState, player: int) -> None:
        self.tensor[:] = state.play.observation(player) if state.data else 0.0

    def string_from(self, state: ExchequerState, player: int) -> str:
        return state.information_state_string(player)


def register(game: Game) -> str:
    """Make a game known to `pyspiel.load_game`; returns its name there."""
    name = short_name(game)
    if name not in pyspiel.registered_names():
        kind = game_type(game)
        pyspiel.register_game(kind, type(f"Exchequer{game.title.replace(' ', '')}",
                                         (ExchequerGame,), {"found": game, "kind": kind}))
    return name


def load_game(game: Wanted, **parameters: Any) -> pyspiel.Game:
    """A game of one's own, by its path or as a `Game`, as `pyspiel.load_game` gives ours."""
    return pyspiel.load_game(register(find_game(game)), parameters)


for each in all_games():
    register(each)
