"""OpenSpiel: each game as a Python game, so that its algorithms run on them.

    import pyspiel, exchequer.envs.openspiel
    game = pyspiel.load_game("python_exchequer_kingdom")
    tiny = pyspiel.load_game("python_exchequer_treasury_v03(variant=tiny,chance_outcomes=12)")

A game of your own is `load_game("./whispers")` of this module.

Chance in Exchequer is a generator. Here nature moves wherever that would be asked, at the deal and
after actions that roll or shuffle, and picks one of `chance_outcomes` generators, all equally
likely: a sample of what chance can do, and a game of its own that can be solved exactly. What was
dealt face down stays hidden: an algorithm that ignores information states, such as plain MCTS,
looks under the cards; IS-MCTS does not, since `resample_from_infostate` determinizes.

Information states have perfect recall: all that the seat has seen, and what it did, in order.
"""

import functools
import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from exchequer.core.chance import GAME_STREAM, seed_chance
from exchequer.core.errors import InputError
from exchequer.core.find import Wanted, address_of, all_games, find_game
from exchequer.core.game import Game
from exchequer.core.records import NOBODY
from exchequer.envs.loops import MOST
from exchequer.envs.play import Play, chosen

CHANCE_OUTCOMES = 1000
PARAMETERS: dict[str, Any] = {
    "players": 0, "variant": "", "settings": "", "chance_outcomes": CHANCE_OUTCOMES,
    "recall": 0}
PROBES = 3  # random games that tell whether chance falls and secrets are kept
NOT_DEALT = "before the deal"


def short_name(game: Game) -> str:
    return f"python_exchequer_{game.name.replace('/', '_')}"


# What all states of a game share ------------------------------------------------------------------

class Shared:
    """The table on which states are laid out; a copy of a state does not copy it."""

    def __init__(self, game: Game, seats: int, variant: str, settings: str) -> None:
        self.told = address_of(game), seats, variant, settings
        self.play = Play(*chosen(game, variant or None, settings_from(settings), seats or None))
        self.is_chancy, self.has_secrets = traits(self.play)

    def __deepcopy__(self, memo: Any) -> "Shared":
        return self

    def __reduce__(self) -> Any:
        return shared, self.told


@functools.cache
def shared(wanted: Wanted, seats: int, variant: str, settings: str) -> Shared:
    return Shared(find_game(wanted), seats, variant, settings)


def settings_from(text: str) -> dict[str, Any] | None:
    """`{"start_gold": 12}`: what a variant changes, as JSON, plain or as `in_a_name` has it."""
    try:
        found = json.loads(unquote(text)) if text else None
    except ValueError:
        found = text
    if not isinstance(found, dict | None):
        raise InputError("Settings are written as JSON, such as {\"start_gold\": 12}, not "
                         f"{text!r}.")
    return found


def in_a_name(settings: str) -> str:
    """Settings without the signs that have a meaning in OpenSpiel's names of games."""
    return quote(unquote(settings), safe='{}[]":. ')


def traits(play: Play) -> tuple[bool, bool]:
    """Whether chance ever falls, and whether a seat has secrets: in the deal and a few games."""
    random = np.random.default_rng(0)
    deals, rolled, hidden = set(), False, False
    for seed in range(PROBES):
        play.start(seed)
        deals.add(without_chance(play.states).tobytes())
        while not play.is_done:
            hidden = hidden or keeps_secrets(play)
            before = play.states["rng"][0]
            play.play(int(random.choice(np.flatnonzero(play.mask(play.actor)))))
            rolled = rolled or play.states["rng"][0] != before
    return len(deals) > 1 or rolled, hidden


def without_chance(states: np.ndarray) -> np.ndarray:
    copy = states.copy()
    copy["rng"] = 0
    return copy


def keeps_secrets(play: Play) -> bool:
    true = without_chance(play.states).tobytes()
    return any(play.observed(seat).tobytes() != true for seat in range(play.seats))


# A line of play -----------------------------------------------------------------------------------

class Moment:
    """A state with the moves that led to it and what each seat remembers; it never changes."""

    def __init__(self, data: bytes, before: "Moment | None" = None, actor: int = NOBODY,
                 action: int = 0) -> None:
        self.data, self.before, self.actor, self.action = data, before, actor, action
        self.moves: int = before.moves + 1 if before else 0
        self.memories: dict[int, tuple[bytes, bytes]] = {}  # and what the seat saw last
        self.earlier: dict[int, list[int]] = {}  # own actions before the first moment of a line

    def __deepcopy__(self, memo: Any) -> "Moment":
        return self

    def __reduce__(self) -> Any:
        """One after another: a long line of play, each in the next, is too deep for pickle."""
        line = self.line()
        return restored, (line[0].moves, line[0].earlier,
                          [(one.data, one.actor, one.action, one.memories) for one in line])

    def row(self, play: Play, seat: int) -> np.ndarray:
        play.lay_out(self.data, [])
        return play.observation(seat)

    def memory(self, play: Play, seat: int) -> bytes:
        """A digest of all that the seat has seen and done, in order."""
        if seat in self.memories:
            return self.memories[seat][0]
        line = self.line(until=seat)
        before = line[0].before
        memory, last = before.memories[seat] if before else (b"", b"")
        for moment in line:
            own = b"%d" % moment.action if moment.actor == seat else b""
            row = hashlib.sha256(moment.row(play, seat).tobytes()).digest()
            if own or row != last:  # what others do unseen is nothing to remember
                memory, last = hashlib.sha256(memory + own + row).digest(), row
            moment.memories[seat] = memory, last
        return memory

    def line(self, until: int | None = None) -> "list[Moment]":
        """The moments from the deal up to this one, or from the first of which a seat has no memory
        yet; this one always.
        """
        found = [self]
        while (before := found[-1].before) and (until is None or until not in before.memories):
            found.append(before)
        return found[::-1]

    def own_actions(self, seat: int) -> list[int]:
        line = self.line()
        return line[0].earlier.get(seat, []) + [moment.action for moment in line
                                                if moment.actor == seat]


def restored(moves: int, earlier: dict[int, list[int]],
             line: Sequence[tuple[bytes, int, int, dict[int, tuple[bytes, bytes]]]]) -> Moment:
    """The last of the moments, the first of which came after so many moves."""
    moment = None
    for data, actor, action, memories in line:
        moment = Moment(data, moment, actor, action)
        moment.memories = memories
        if moment.before is None:
            moment.moves, moment.earlier = moves, earlier
    assert moment
    return moment


def determinized(moment: Moment, play: Play, seat: int, seed: int) -> Moment:
    """A moment that the seat cannot tell from this one.

    The seat remembers what it remembers; the others, of whom it knows no more, see the world anew.
    """
    play.lay_out(moment.data, [])
    world = play.observed(seat)
    play.engine.determinize(world[0], play.c, seat, seed)
    again = Moment(world.tobytes())
    again.moves, again.earlier = moment.moves, {seat: moment.own_actions(seat)}
    moment.memory(play, seat)
    again.memories[seat] = moment.memories[seat]
    return again


# The game -----------------------------------------------------------------------------------------

def game_type(game: Game, chancy: bool = True, secrets: bool = True, recall: int = 0
              ) -> pyspiel.GameType:
    """Registered as what a variant may be; a loaded game says what it is."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(game), long_name=f"Exchequer: {game.title}, version {game.version}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if chancy
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if secrets
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.GENERAL_SUM if game.seats == (1, 1) else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL, max_num_players=game.seats[1],
        min_num_players=game.seats[0], provides_information_state_string=True,
        provides_information_state_tensor=recall > 0, provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS | {"players": game.seats[0]})


class ExchequerGame(pyspiel.Game):
    """One of our games. Parameters beside `players`:

    variant           one that comes with the game, or a TOML file
    settings          what differs from it, as JSON
    chance_outcomes   between how many generators nature chooses
    recall            moments that an information state tensor holds; 0: there is none
    """

    found: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = PARAMETERS | dict(params or {})
        self.shared = shared(self.found, int(given["players"]), given["variant"],
                             given["settings"])
        self.outcomes, self.recall = int(given["chance_outcomes"]), int(given["recall"])
        if self.outcomes < 1 or self.recall < 0:
            raise InputError("chance_outcomes must be at least 1, and recall at least 0.")
        seats, chancy = self.shared.play.seats, self.shared.is_chancy
        most = MOST if seats == 1 else 1.0
        super().__init__(
            game_type(self.found, chancy, self.shared.has_secrets, self.recall),
            pyspiel.GameInfo(
                num_distinct_actions=self.found.n_actions,
                max_chance_outcomes=self.outcomes if chancy else 0, num_players=seats,
                min_utility=-most, max_utility=most, utility_sum=None if seats == 1 else 0.0,
                max_game_length=self.found.step_limit),
            given | {"players": seats, "settings": in_a_name(given["settings"])})

    def __reduce__(self) -> Any:
        return loaded, (address_of(self.found), self.get_parameters())

    def new_initial_state(self, *_: Any) -> "ExchequerState":
        return ExchequerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise ValueError(f"Observations have no parameters, not {params}.")
        if iig_obs_type is None:
            return Observer(self)
        if not iig_obs_type.public_info or \
                iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("Observations hold what one seat knows, public and private together; "
                             "parts of it are not provided.")
        return Memory(self) if iig_obs_type.perfect_recall else Observer(self)


class ExchequerState(pyspiel.State):
    """A game in progress: a moment, and an action that waits for nature to roll."""

    def __init__(self, game: ExchequerGame) -> None:
        super().__init__(game)
        self.shared, self.outcomes = game.shared, game.outcomes
        self.moment: Moment | None = None
        self.waiting: int | None = None
        if not self.shared.is_chancy:
            self._begin(0)

    def __reduce__(self) -> Any:
        return laid_out, (self.get_game(), self.serialize())

    def _begin(self, seed: int) -> None:
        self.shared.play.start(seed)
        self.moment = Moment(self.shared.play.states.tobytes())

    @property
    def play(self) -> Play:
        """The shared table, with this state laid out on it."""
        assert self.moment
        self.shared.play.lay_out(self.moment.data, [])
        return self.shared.play

    def current_player(self) -> int:
        if self.moment is None or self.waiting is not None:
            return pyspiel.PlayerId.CHANCE
        play = self.play
        if play.is_over or self.moment.moves >= play.game.step_limit:
            return pyspiel.PlayerId.TERMINAL
        return play.actor

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.play.mask(player)).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1 / self.outcomes) for seed in range(self.outcomes)]

    def _apply_action(self, action: int) -> None:
        if self.moment is None:
            self._begin(action)
        elif self.waiting is not None:
            waiting, self.waiting = self.waiting, None
            self._take(waiting, action)
        else:
            self._take(action, None)

    def _take(self, action: int, outcome: int | None) -> None:
        """Carry an action out, with the generator that nature has chosen; or wait for nature."""
        assert self.moment
        play = self.play
        actor = play.actor
        if outcome is not None:
            seed_chance(play.states[0], outcome + self.outcomes * self.moment.moves, GAME_STREAM)
        before = play.states["rng"][0]
        play.play(action)
        if outcome is None and play.states["rng"][0] != before:
            self.waiting = action
        else:
            self.moment = Moment(play.states.tobytes(), self.moment, actor, action)

    def resample_from_infostate(self, player: int, sampler: Any) -> "ExchequerState":
        """A state that the player cannot tell from this one."""
        again = self.clone()
        if self.moment:  # before the deal nobody knows anything
            again.moment = determinized(self.moment, self.shared.play, player,
                                        int(sampler() * 2**31))
        return again

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return self.shared.play.game.words.TEXTS.text(action)

    def is_terminal(self) -> bool:
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def returns(self) -> list[float]:
        if self.moment is None:
            return [0.0] * self.shared.play.seats
        return self.play.rewards()

    def information_state_string(self, player: int | None = None) -> str:
        """What the seat has done, and a digest of all that it has seen, in order."""
        seat = self.current_player() if player is None else player
        if self.moment is None:
            return f"seat {seat}: {NOT_DEALT}"
        text = self.shared.play.game.words.TEXTS.text
        done = " ".join(text(action) for action in self.moment.own_actions(seat))
        return f"seat {seat}: {done} / {self.moment.memory(self.shared.play, seat).hex()[:24]}"

    def observation_string(self, player: int | None = None) -> str:
        """What the seat sees now."""
        seat = self.current_player() if player is None else player
        return self.play.information(seat) if self.moment else NOT_DEALT

    def __str__(self) -> str:
        if self.moment is None:
            return NOT_DEALT
        play = self.play
        return play.screen(max(play.actor, 0))


# Observers ----------------------------------------------------------------------------------------

class Observer:
    """What a seat sees now: the row with its named fields, and the view in words."""

    def __init__(self, game: ExchequerGame) -> None:
        layout = game.shared.play.encoder.layout
        self.tensor: np.ndarray | None = np.zeros(layout.width, np.float32)
        self.dict = {name: self.tensor[layout.slice(name)].reshape(shape)
                     for name, (_, shape) in layout.fields.items()}

    def set_from(self, state: ExchequerState, player: int) -> None:
        assert self.tensor is not None
        self.tensor[:] = state.play.observation(player) if state.moment else 0.0

    def string_from(self, state: ExchequerState, player: int) -> str:
        return state.observation_string(player)


class Memory(Observer):
    """All that a seat has seen and done: rows in order, each with its own action that led there.

    Without the parameter `recall` there is only the string: whole games do not fit a tensor.
    """

    def __init__(self, game: ExchequerGame) -> None:
        self.tensor, self.dict = None, {}
        if game.recall:
            width = game.shared.play.encoder.layout.width
            self.tensor = np.zeros(game.recall * (width + game.found.n_actions), np.float32)
            moments = self.tensor.reshape(game.recall, -1)
            self.dict = {"rows": moments[:, :width], "actions": moments[:, width:]}

    def set_from(self, state: ExchequerState, player: int) -> None:
        if self.tensor is None:
            raise ValueError("Load the game with recall=N for information state tensors of games "
                             "of up to N moments.")
        self.tensor[:] = 0.0
        number, last = 0, np.zeros(0)
        for moment in state.moment.line() if state.moment else []:
            row = moment.row(state.shared.play, player)
            if moment.actor != player and np.array_equal(row, last):
                continue
            if number == len(self.dict["rows"]):
                raise ValueError(f"The game has more moments than recall={number} holds.")
            self.dict["rows"][number] = last = row
            if moment.actor == player:
                self.dict["actions"][number, moment.action] = 1.0
            number += 1

    def string_from(self, state: ExchequerState, player: int) -> str:
        return state.information_state_string(player)


# Registration -------------------------------------------------------------------------------------

def register(game: Game) -> str:
    """Make a game known to `pyspiel.load_game`; returns its name there."""
    name = short_name(game)
    if name not in pyspiel.registered_names():
        kind = type(f"Exchequer{game.title.replace(' ', '')}", (ExchequerGame,), {"found": game})
        pyspiel.register_game(game_type(game), kind)
    return name


def load_game(game: Wanted, **parameters: Any) -> pyspiel.Game:
    """A game of one's own, by its path or as a `Game`, as `pyspiel.load_game` gives ours."""
    return loaded(game, parameters)


def loaded(game: Wanted, parameters: dict[str, Any]) -> pyspiel.Game:
    """What a pickled game becomes again."""
    return pyspiel.load_game(register(find_game(game)), parameters)


def laid_out(game: pyspiel.Game, text: str) -> pyspiel.State:
    """What a pickled state becomes again."""
    return game.deserialize_state(text)


for each in all_games():
    register(each)
