"""Every environment passes the conformance tests of the project it is for, as released."""

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.core.position import Position
from exchequer.envs import pettingzoo
from exchequer.envs.gymnasium import SeatEnv, env_id
from exchequer.envs.openspiel import short_name
from exchequer.envs.tensors import Encoder, layout_of
from exchequer.envs.vector import VectorEnv

GAMES = [game.name for game in all_games()]
SEATED = [name for name in GAMES if find_game(name).seats[1] > 1]
pytestmark = pytest.mark.filterwarnings("ignore")  # the peers' own warnings are not ours


def random_actions(masks, random):
    return (random.random(masks.shape) * masks).argmax(axis=1)


# PettingZoo --------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", SEATED)
def test_pettingzoo_api(name):
    api_test(pettingzoo.env(name), num_cycles=200)


@pytest.mark.parametrize("name", SEATED)
def test_pettingzoo_seed(name):
    seed_test(lambda: pettingzoo.env(name), num_cycles=50)


@pytest.mark.parametrize("name", SEATED)
def test_pettingzoo_render(name):
    render_test(lambda **options: pettingzoo.env(name, **options))


def play_through(env, seed):
    """A random game; returns the agents' total rewards."""
    env.reset(seed=seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, cut, _ = env.last()
        totals[agent] += reward
        done = ended or cut
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    return totals


@pytest.mark.parametrize("name", SEATED)
def test_pettingzoo_rewards_sum_to_nothing(name):
    game = find_game(name)
    for seats in range(game.seats[0], game.seats[1] + 1):
        totals = play_through(pettingzoo.env(name, seats=seats), seats)
        assert abs(sum(totals.values())) < 1e-6
        assert len(totals) == seats


def test_pettingzoo_clone_and_restore():
    env = pettingzoo.raw_env("kingdom")
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    moment, agent = env.clone(), env.agent_selection
    seen = env.observe(agent)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1]))
    env.restore(moment)
    assert env.agent_selection == agent
    assert (env.observe(agent)["observation"] == seen["observation"]).all()


def test_illegal_actions_end_the_game_for_pettingzoo():
    env = pettingzoo.env("kingdom")
    env.reset(seed=1)
    env.step(25)  # an attack without a commander
    assert env.last()[2]


# Gymnasium ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_checker(name):
    check_env(gymnasium.make(env_id(name)).unwrapped)


@pytest.mark.parametrize("name", SEATED)
@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_every_seat_can_be_played(name, opponents):
    game = find_game(name)
    for seat in (0, game.seats[0] - 1):
        env = SeatEnv(name, seat=seat, opponents=opponents)
        _, info = env.reset(seed=3)
        random = np.random.default_rng(0)
        for _ in range(60):
            action = random.choice(np.flatnonzero(info["action_mask"]))
            _, _, ended, cut, info = env.step(action)
            if ended or cut:
                break


def test_an_illegal_action_is_answered_with_a_sentence():
    env = SeatEnv("kingdom")
    before, _ = env.reset(seed=1)
    after, reward, ended, _, info = env.step(25)
    assert (before == after).all()
    assert [reward, ended] == [-1.0, False]
    assert "Each commander" in info["refused"]


@pytest.mark.parametrize(("options", "match"), [
    ({"game": "kingdon"}, "Did you mean"),
    ({"game": "kingdom", "seats": 3}, "is for 2 players, not 3"),
    ({"game": "kingdom", "opponents": "clever"}, "no bot"),
    ({"game": "kingdom", "seat": 2}, "Seat 2"),
    ({"game": "kingdom", "settings": {"turn_limit": 0}}, "out of range")])
def test_wrong_options_get_a_sentence(options, match):
    with pytest.raises(InputError, match=match):
        SeatEnv(**options)


# The vector environment --------------------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_the_vector_environment_plays_the_same_games(name):
    """Row by row what single games show, through several ends."""
    game = find_game(name)
    envs = VectorEnv(name, 3)
    random = np.random.default_rng(0)
    observations, masks, actors = envs.reset(seed=5)
    singles = [Position(game, seed=5 + i) for i in range(3)]
    seeds = [5, 6, 7]
    encoder = Encoder(game)
    for _ in range(400):
        for i, single in enumerate(singles):
            assert actors[i] == single.actor
            assert np.flatnonzero(masks[i]).tolist() == sorted(single.legal())
            row = encoder.row(single._states, single.content.record, single.actor)
            assert (observations[i] == row).all()
        actions = random_actions(masks, random)
        observations, masks, rewards, finished, actors = envs.step(actions)
        for i, single in enumerate(singles):
            single.play(int(actions[i]))
            assert finished[i] == single.is_over
            if single.is_over:
                if single.seats > 1:
                    assert abs(rewards[i].sum()) < 1e-6
                seeds[i] += 3
                singles[i] = Position(game, seed=seeds[i])
            else:
                assert not rewards[i].any()


def test_vector_actions_are_checked():
    envs = VectorEnv("kingdom", 4)
    envs.reset()
    with pytest.raises(InputError, match="4 actions from 0 to 59"):
        envs.step(np.zeros(3))
    with pytest.raises(InputError, match="4 of the actions are illegal"):
        envs.step(np.full(4, 25))


# OpenSpiel ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_openspiel_random_sim_test(name):
    """OpenSpiel's own test of a game, with its serialisation checks."""
    game = pyspiel.load_game(short_name(find_game(name)))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


# Tensors -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_tensors_do_not_depend_on_what_the_seat_may_not_know(name):
    game = find_game(name)
    encoder = Encoder(game)
    random = np.random.default_rng(2)
    for seats in {game.seats[0], game.seats[1]}:
        position = Position(game, seats=seats, seed=4)
        for move in range(120):
            if position.is_over:
                break
            if move % 6 == 0:
                for seat in range(seats):
                    row = encoder.row(position._states, position.content.record, seat)
                    other = position.determinize(seat, move)
                    assert (encoder.row(other, position.content.record, seat) == row).all()
            position.play(int(random.choice(position.legal())))


def test_a_row_can_be_printed():
    envs = VectorEnv("kingdom", 1)
    observations, _, _ = envs.reset()
    told = envs.layout.describe(observations[0])
    assert "happiness            [0. 0.]" in told
    layout = layout_of(find_game("kingdom"))
    assert observations.shape == (1, layout.width)
    assert sum(int(np.prod(shape)) for _, shape in layout.fields.values()) == layout.width


def test_names_carry_the_rules_version():
    assert env_id("kingdom") == f"exchequer/kingdom-v{find_game('kingdom').rules_version}"
