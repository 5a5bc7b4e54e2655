"""OpenSpiel's own tests and algorithms, and what it is told of our games."""

import pickle
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import (
    exploitability,
    external_sampling_mccfr,
    get_all_states,
    ismcts,
    mcts,
    minimax,
    outcome_sampling_mccfr,
)

from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.envs.exploitability import nash_conv
from exchequer.envs.openspiel import load_game, short_name

GAMES = [game.name for game in all_games()]
TINY = {"kingdom": {"variant": "tiny"}, "treasury/v03": {"variant": "tiny", "chance_outcomes": 6}}
pytestmark = pytest.mark.filterwarnings("ignore")  # OpenSpiel's own warnings are not ours


def random_lines(game, games, seed=0):
    """The states of random games."""
    random = np.random.default_rng(seed)
    for _ in range(games):
        state = game.new_initial_state()
        yield state
        while not state.is_terminal():
            state.apply_action(int(random.choice(state.legal_actions())))
            yield state


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_random_sim_test(name):
    """OpenSpiel's own test of a game, with its serialisation checks."""
    game = pyspiel.load_game(short_name(find_game(name)))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_importing_sets_up_no_game():
    """It took 75 s."""
    code = ("import sys, exchequer.envs.openspiel as o, pyspiel; "
            "assert 'python_exchequer_kingdom' in pyspiel.registered_names(); "
            "print(o.shared.cache_info().currsize, 'numba' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False"]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_declared_holds_in_play(name):
    game = load_game(name)
    kind = game.get_type()
    chances = 0
    for state in random_lines(game, 2):
        chances += state.is_chance_node()
        if state.is_terminal():
            returns = state.returns()
            assert all(game.min_utility() <= each <= game.max_utility() for each in returns)
            assert state.move_number() <= game.max_game_length()
            if kind.utility == pyspiel.GameType.Utility.ZERO_SUM:
                assert sum(returns) == pytest.approx(game.utility_sum())
    assert (chances > 0) == (kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC)


# Information states ------------------------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_an_information_state_remembers_and_has_one_set_of_moves(name):
    """The same string only after the same own actions, and with the same legal actions."""
    game = load_game(name, chance_outcomes=1)
    known = {}
    random = np.random.default_rng(0)
    for _ in range(60):
        state, done = game.new_initial_state(), {}
        for _ in range(10):
            if state.is_terminal():
                break
            if not state.is_chance_node():
                seat, moves = state.current_player(), state.legal_actions()
                told = tuple(done.get(seat, ())), moves
                assert known.setdefault(state.information_state_string(), told) == told
            action = int(random.choice(state.legal_actions()))
            done.setdefault(state.current_player(), []).append(action)
            state.apply_action(action)


def test_what_others_do_unseen_is_not_remembered():
    """The first loans of Greement are sealed: a seat learns nothing of what another writes."""
    state = load_game("greement", chance_outcomes=1, players=3).new_initial_state()
    loan = find_game("greement").module("state").Ask.FIRST_LOAN
    while state.is_chance_node() or state.play.engine.question(state.play.states[0]) != loan:
        state.apply_action(state.legal_actions()[0])
    writer = state.current_player()
    _, second, third, *_ = state.legal_actions()  # amounts
    for seat in range(3):
        told = [each.information_state_string(seat) for each in map(state.child, (second, third))]
        assert (told[0] == told[1]) == (seat != writer)


def test_observers_honour_what_they_are_asked_for_or_refuse():
    game = load_game("treasury/v17")
    private = pyspiel.PrivateInfoType
    state = next(state for state in random_lines(game, 1) if not state.is_chance_node())
    for public, kind in ((True, private.NONE), (False, private.SINGLE_PLAYER),
                         (True, private.ALL_PLAYERS)):
        with pytest.raises(ValueError, match="not provided"):
            game.make_py_observer(pyspiel.IIGObservationType(
                perfect_recall=False, public_info=public, private_info=kind))
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"x": 1})
    seen = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False))
    seen.set_from(state, 0)
    assert seen.tensor.any() and seen.string_from(state, 0) == state.observation_string(0)
    recalled = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert recalled.string_from(state, 0) == state.information_state_string(0)
    with pytest.raises(ValueError, match="recall=N"):
        recalled.set_from(state, 0)
    assert not game.get_type().provides_information_state_tensor


def test_a_tensor_with_perfect_recall():
    game = load_game("kingdom", recall=3)
    assert game.get_type().provides_information_state_tensor
    state = game.new_initial_state()
    first = state.legal_actions()[0]
    state.apply_action(first)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 0)
    assert observer.dict["actions"].sum(axis=1).tolist() == [0, 1, 0]
    assert observer.dict["actions"][1, first] == 1 and not observer.dict["rows"][2].any()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="more moments than recall=3"):
        observer.set_from(state, 0)


# Chance, clones, parameters ----------------------------------------------------------------------

def test_chance_falls_when_it_falls():
    """Jagged Time shuffles again and again; each time nature has a choice."""
    game = load_game("jagged_time", chance_outcomes=3)
    assert sum(state.is_chance_node() for state in random_lines(game, 1)) > 1


@pytest.mark.parametrize("name", ["kingdom", "treasury/v17"])
def test_states_can_be_cloned_and_pickled(name):
    game = load_game(name)
    for number, state in enumerate(random_lines(game, 1)):
        if number == 30:
            clone, again = state.clone(), pickle.loads(pickle.dumps(state))
            seat = max(state.current_player(), 0)
            for other in (clone, again):
                assert other.information_state_string(seat) == \
                    state.information_state_string(seat)
                assert other.legal_actions() == state.legal_actions()
            before = state.history()
            clone.apply_action(clone.legal_actions()[0])
            assert state.history() == before


def test_variants_and_settings_are_parameters():
    game = load_game("kingdom", variant="truce")
    assert game.shared.play.content.record.hr_truce_rounds == 8
    game = load_game("kingdom", settings='{"start_gold": 3}')
    assert game.shared.play.content.record.start_gold == 3


def test_games_and_states_survive_their_names_and_pickle():
    """OpenSpiel writes a game as its name with parameters, in which a comma ends one."""
    game = load_game("kingdom", settings='{"start_gold": 3, "turn_limit": 9}')
    state = next(state for number, state in enumerate(random_lines(game, 1)) if number == 5)
    for again in (pyspiel.load_game(str(game)), pickle.loads(pickle.dumps(game)),
                  pickle.loads(pickle.dumps(state)).get_game()):
        record = again.shared.play.content.record
        assert (record.start_gold, record.turn_limit) == (3, 9)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert again.moment.data == state.moment.data
    for wrong in ("[1]", "start_gold", '{"start_gold": 3'):
        with pytest.raises(InputError, match="Settings are written as JSON"):
            load_game("kingdom", settings=wrong)


@pytest.mark.parametrize("name", GAMES)
def test_a_resampled_state_looks_the_same_to_its_player(name):
    """And stays the world it is when it is cloned or pickled; before the deal nobody knows any."""
    game, random = load_game(name), np.random.RandomState(0)
    start = game.new_initial_state()
    again = start.resample_from_infostate(0, random.random_sample)
    assert again.is_chance_node() == start.is_chance_node()
    for number, state in enumerate(random_lines(game, 1)):
        if number % 15 or state.is_chance_node() or state.is_terminal():
            continue
        seat = state.current_player()
        other = state.resample_from_infostate(seat, random.random_sample)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert other.legal_actions() == state.legal_actions()
        for copy in (other.clone(), pickle.loads(pickle.dumps(other))):
            assert copy.moment.data == other.moment.data


def test_an_illegal_action_is_refused():
    state = load_game("kingdom").new_initial_state()
    before = state.moment.data
    with pytest.raises(Exception, match="illegal"):
        state.apply_action(25)
    assert state.moment.data == before


# Algorithms --------------------------------------------------------------------------------------

@pytest.fixture
def deep_calls():
    """OpenSpiel's solvers call themselves once for each decision of a game."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("name", GAMES)
def test_mccfr_runs_on_every_game(name, deep_calls):
    np.random.seed(0)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(load_game(name))
    for _ in range(2):
        solver.iteration()


@pytest.mark.parametrize("name", ["treasury/v17", "treasury/v03", "greement", "jagged_time"])
def test_is_mcts_plays(name):
    """And it is told nothing: worlds it imagines look alike to it."""
    game = load_game(name)
    random = np.random.RandomState(0)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, random), 2.0, 3,
                           random_state=random)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(1)
    for _ in range(2):
        state.apply_action(int(bot.step(state)))
        while state.is_chance_node():
            state.apply_action(1)


@pytest.mark.parametrize("name", TINY)
def test_tiny_games_can_be_solved(name):
    """External sampling comes closer to equilibrium; exploitability is computed exactly."""
    game = load_game(name, **TINY[name])
    states = get_all_states.get_all_states(game, include_terminals=True, include_chance_states=True)
    assert len(states) < 20_000
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    uniform = exploitability.nash_conv(game, policies.UniformRandomPolicy(game))
    for _ in range(30):
        solver.iteration()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.9 * uniform


def test_the_tiny_kingdom_is_won_by_the_second_seat():
    """The value that MCCFR comes near, by looking at every line of play."""
    assert minimax.alpha_beta_search(load_game("kingdom", variant="tiny"))[0] == -1


# How far from equilibrium ------------------------------------------------------------------------

class First:
    """Takes the first legal move, which is an equilibrium nowhere."""

    def __init__(self, game, seed):
        self.game = game

    def choose(self, observation, content, seat):
        return self.game.legal(observation, content)[0]


def test_the_exploitability_of_a_bot_is_that_of_its_policy():
    """A bot that always takes the first move, and the same as a table of OpenSpiel."""
    game = load_game("kingdom", variant="tiny")
    table = policies.TabularPolicy(game)
    table.action_probability_array[:] = 0
    for row, mask in zip(table.action_probability_array, table.legal_actions_mask, strict=True):
        row[mask.argmax()] = 1
    wanted = exploitability.nash_conv(game, table)
    assert wanted > 0
    assert nash_conv("kingdom", First, "tiny", samples=1) == pytest.approx(wanted)


def test_what_is_too_large_for_exploitability_is_refused(monkeypatch):
    monkeypatch.setattr("exchequer.envs.exploitability.MOST", 100)
    with pytest.raises(InputError, match="too many positions"):
        nash_conv("kingdom", "random")
    with pytest.raises(InputError, match="An agent is asked"):
        nash_conv("kingdom", "agent:cat", "tiny")
