"""Every environment passes the conformance tests of the project it is for, as released."""

import pickle
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.core.position import Position
from exchequer.core.replay import check_replay, read_replay
from exchequer.core.rows import Encoder, layout_of
from exchequer.envs import parallel, pettingzoo, pictures
from exchequer.envs.gymnasium import SeatEnv, env_id
from exchequer.envs.play import Play, chosen
from exchequer.envs.vector import VectorEnv

GAMES = [game.name for game in all_games()]
SEATED = [name for name in GAMES if find_game(name).seats[1] > 1]
pytestmark = pytest.mark.filterwarnings("ignore")  # the peers' own warnings are not ours


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


@pytest.mark.parametrize("name", ["kingdom", "greement"])
def test_pettingzoo_state(name):
    """Their own test; and the state is what the seats know together."""
    env = pettingzoo.env(name)
    state_test(env, parallel.parallel_env(name))
    env.reset(seed=1)
    seen = [env.observe(agent)["observation"] for agent in env.agents]
    assert env.state().tolist() == np.concatenate(seen).tolist()


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
    before = env.unwrapped.play.clone()
    env.step(25)  # an attack without a commander
    assert env.last()[2]
    assert env.unwrapped.play.clone() == before
    raw = pettingzoo.raw_env("kingdom")
    raw.reset(seed=1)
    before = raw.play.clone()
    with pytest.raises(InputError, match="Each commander"):
        raw.step(25)
    assert raw.play.clone() == before


def test_the_guards_are_pettingzoos_own():
    """A legal action goes past them; all others are answered as by PettingZoo's own games."""
    env = pettingzoo.env("kingdom")
    with pytest.raises(AttributeError, match="before reset"):
        env.agent_selection  # noqa: B018
    for early in (lambda: env.step(0), lambda: env.observe("seat_0")):
        with pytest.raises(AssertionError, match="reset"):
            early()
    env.reset(seed=1)
    for wrong in (0.9, -1, 10**30, env.unwrapped.n_actions, None):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(wrong)
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in env.agent_iter():
            env.last()
    assert env.unwrapped.play.actions == []


def test_a_view_is_not_written_again():
    """What a learner keeps of a step stays as it was."""
    env = pettingzoo.env("kingdom")
    env.reset(seed=1)
    seen = env.last()[0]
    kept = {name: values.copy() for name, values in seen.items()}
    for _ in range(3):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert all((seen[name] == kept[name]).all() for name in kept)


@pytest.mark.parametrize("name", SEATED)
def test_a_view_is_row_and_mask(name):
    """Of every seat, at every step of a game."""
    game, content, seats = chosen(name, None, None, None)
    play, random = Play(game, content, seats), np.random.default_rng(0)
    play.start(1)
    while not play.is_done:
        for seat in range(seats):
            row, mask = play.seen(seat)
            assert (row == play.observation(seat)).all() and (mask == play.mask(seat)).all()
        play.play(random.choice(np.flatnonzero(play.mask(play.actor))))


@pytest.mark.parametrize("wrong", [0.9, 3.0, "0", [0]])
def test_only_whole_numbers_are_actions(wrong):
    """Of the interfaces that have no wrapper around them to say so."""
    raw, env = pettingzoo.raw_env("kingdom"), parallel.parallel_env("kingdom")
    for each in (raw, env):
        each.reset(seed=1)
    with pytest.raises(InputError, match="whole numbers"):
        raw.step(wrong)
    with pytest.raises(InputError, match="whole numbers"):
        env.step({"seat_0": wrong, "seat_1": env.wait})
    assert raw.play.actions == env.play.actions == []


def test_before_the_first_step_comes_a_reset():
    envs = pettingzoo.raw_env("kingdom"), parallel.parallel_env("kingdom")
    for env, nothing in zip(envs, (0, {}), strict=True):
        with pytest.raises(InputError, match="Call reset"):
            env.step(nothing)


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
            _, reward, ended, cut, info = env.step(action)
            assert reward == env.play.rewards()[seat]
            if ended or cut:
                break


def test_an_illegal_action_is_answered_with_a_sentence():
    env = SeatEnv("kingdom")
    before, _ = env.reset(seed=1)
    after, reward, ended, _, info = env.step(25)
    assert (before == after).all()
    assert [reward, ended] == [-1.0, False]
    assert "Each commander" in info["refused"]
    for wrong in (-1, 60, 0.5):
        with pytest.raises(InputError, match="is no action"):
            env.step(wrong)


def test_after_the_end_a_reset_is_needed():
    env = SeatEnv("kingdom")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        _, reward, ended, _, info = env.step(int(info["action_mask"].argmax()))
    assert reward in (-1, 0, 1) and not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_only_render_modes_that_there_are():
    for make in (SeatEnv, pettingzoo.raw_env):
        with pytest.raises(InputError, match="no render mode"):
            make("kingdom", render_mode="opengl")


def test_a_picture_is_the_browsers_board():
    env = SeatEnv("kingdom", render_mode="rgb_array")
    _, info = env.reset(seed=1)
    before = env.render()
    assert before.dtype == np.uint8 and before.shape[1:] == (1000, 3) and before.shape[0] > 500
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 50  # colours, where text has two
    env.step(int(info["action_mask"].argmax()))
    assert not np.array_equal(before, env.render())


def test_a_picture_without_a_browser_is_a_sentence(monkeypatch):
    env = SeatEnv("kingdom", render_mode="rgb_array")
    env.reset(seed=1)
    monkeypatch.setattr(pictures, "painter", lambda _: pictures.Painter())
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(InputError, match=r"exchequer\[pictures\]"):
        env.render()


def test_people_are_shown_every_position(capsys):
    env = gymnasium.make(env_id("kingdom"), render_mode="human")
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    assert capsys.readouterr().out.count("of 22") == 2


@pytest.mark.parametrize(("options", "match"), [
    ({"game": "kingdon"}, "Did you mean"),
    ({"game": "kingdom", "seats": 3}, "is for 2 players, not 3"),
    ({"game": "kingdom", "opponents": "clever"}, "no bot"),
    ({"game": "kingdom", "seat": 2}, "Seat 2"),
    ({"game": "kingdom", "seat": 0.5}, "Seat 0.5"),
    ({"game": "kingdom", "settings": {"turn_limit": 0}}, "out of range")])
def test_wrong_options_get_a_sentence(options, match):
    with pytest.raises(InputError, match=match):
        SeatEnv(**options)


# Rewards -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_all_interfaces_give_the_same_reward(name):
    """One game by its seed and actions, through each of them."""
    play, random = Play(*chosen(name, None, None, None)), np.random.default_rng(0)
    for seed in range(50):  # until one is won
        play.start(seed)
        answers = [[] for _ in range(play.seats)]
        while not play.is_over:
            assert not any(play.rewards())
            actor, action = play.actor, int(random.choice(np.flatnonzero(play.mask(play.actor))))
            answers[actor].append(action)
            play.play(action)
        if any(wanted := play.rewards()):
            break
    assert any(wanted)
    assert sum(wanted) == pytest.approx(0) or play.seats == 1

    envs = VectorEnv(name, 1)
    envs.reset(seed=play.seed)
    total = sum(envs.step(np.array([action]))[-1]["rewards"][0] for action in play.actions)
    assert total == pytest.approx(wanted)

    zoo = pettingzoo.raw_env(name)
    zoo.reset(seed=1)
    zoo.play.start(play.seed)
    zoo.agent_selection = zoo.possible_agents[zoo.play.actor]
    for action in play.actions:
        zoo.step(action)
    assert list(zoo.rewards.values()) == pytest.approx(wanted)

    env = parallel.parallel_env(name)
    env.reset(seed=1)
    env.play.start(play.seed)
    while env.agents:
        asked = env.asked()
        _, rewards, *_ = env.step({agent: answers[seat].pop(0) if seat in asked else env.wait
                                   for agent, seat in env.seat_of.items()})
    assert list(rewards.values()) == pytest.approx(wanted)

    if play.seats == 1:
        env = SeatEnv(name)
        env.reset(seed=1)
        env.play.start(play.seed)
        assert sum(env.step(action)[1] for action in play.actions) == pytest.approx(wanted[0])


def test_solo_rewards_are_thousands_of_points():
    play = Play(*chosen("jagged_time", None, None, None))
    play.start(1)
    while not play.is_over:
        play.play(int(np.flatnonzero(play.mask(0))[-1]))
    assert play.rewards() == [pytest.approx(play.scores()[0] / 1000)]


# Elsewhere ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("make", [
    lambda: SeatEnv("kingdom", opponents="greedy"), lambda: pettingzoo.env("kingdom"),
    lambda: VectorEnv("kingdom", 2), lambda: parallel.parallel_env("greement", seats=4)],
    ids=["gymnasium", "pettingzoo", "vector", "parallel"])
def test_environments_can_be_pickled(make):
    env = make()
    env.reset(seed=4)
    again = pickle.loads(pickle.dumps(env))
    one, other = (step_somehow(each) for each in (env, again))
    assert (one == other).all()


def step_somehow(env):
    """The row after the first legal move."""
    if isinstance(env, VectorEnv):
        return env.step(env.rows.masks.argmax(axis=1).astype(int))[0]
    if isinstance(env, SeatEnv):
        return env.step(int(env.action_masks().argmax()))[0]
    if isinstance(env, parallel.parallel_env):
        env.step({agent: int(env._seen([agent])[agent]["action_mask"].argmax())
                  for agent in env.agents})
        return env.state()
    env.step(int(env.last()[0]["action_mask"].argmax()))
    return env.last()[0]["observation"]


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasium_makes_vectors_of_them(mode):
    envs = gymnasium.make_vec(env_id("kingdom"), num_envs=2, vectorization_mode=mode)
    _, infos = envs.reset(seed=1)
    observations, *_ = envs.step(infos["action_mask"].argmax(axis=1))
    assert observations.shape == (2, layout_of(find_game("kingdom")).width)
    envs.close()


@pytest.mark.parametrize("make", [SeatEnv, pettingzoo.raw_env])
def test_an_episode_becomes_a_replay(make, tmp_path):
    env = make("treasury/v03")
    env.reset(seed=3)
    for _ in range(5):
        play = env.play
        env.step(int(play.mask(play.actor).argmax()))
    env.save(tmp_path / "episode.toml")
    replay = read_replay(tmp_path / "episode.toml")
    assert check_replay(replay) == "" and len(replay.moves) == len(env.play.actions)


# Rows --------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_rows_do_not_depend_on_what_the_seat_may_not_know(name):
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
    observations, _ = envs.reset()
    told = envs.layout.describe(observations[0])
    assert "happiness            [0. 0.]" in told
    layout = layout_of(find_game("kingdom"))
    assert observations.shape == (1, layout.width)
    assert sum(int(np.prod(shape)) for _, shape in layout.fields.values()) == layout.width


def test_names_carry_the_versions_of_rules_and_rows():
    game = find_game("treasury/v17")
    assert env_id(game) == f"exchequer/treasury_v17-v{game.rules_version}.{game.rows_version}"
    assert pettingzoo.raw_env(game).metadata["name"].endswith(f"_v{game.version}")


# PettingZoo's parallel interface -----------------------------------------------------------------

@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_parallel_api(name):
    parallel_api_test(parallel.parallel_env(name), num_cycles=60)


def sampled(env, seen):
    return {agent: env.action_space(agent).sample(seen[agent]["action_mask"])
            for agent in env.agents}


def test_a_sealed_question_is_answered_by_all_in_one_step():
    env = parallel.parallel_env("greement", seats=4)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    seen, _ = env.reset(seed=1)
    together = 0
    while env.agents:
        asked = env.asked()
        assert [seen[agent]["action_mask"][-1] for agent in env.agents] == [
            seat not in asked for seat in range(4)]
        together = max(together, len(asked))
        before = len(env.play.actions)
        seen, rewards, *_ = env.step(sampled(env, seen))
        assert len(env.play.actions) > before
    assert together == 4
    assert sum(rewards.values()) == pytest.approx(0) and any(rewards.values())


def test_answers_given_at_once_are_those_given_one_by_one():
    """What each is asked and sees does not depend on the others' answers, nor does the outcome."""
    env = parallel.parallel_env("greement", seats=3)
    for agent in env.possible_agents:
        env.action_space(agent).seed(3)
    seen, _ = env.reset(seed=3)
    for _ in range(60):
        seen, *_ = env.step(sampled(env, seen))
    again = Play(env.play.game, env.play.content, 3)
    again.start(env.play.seed)
    for action in env.play.actions:
        again.play(action)  # which refuses what is illegal
    assert again.states.tobytes() == env.play.states.tobytes()


def test_who_is_not_asked_waits_and_who_is_asked_cannot(tmp_path):
    env = parallel.parallel_env("kingdom")
    seen, _ = env.reset(seed=1)
    first = int(seen["seat_0"]["action_mask"].argmax())
    for wrong in ({"seat_0": env.wait, "seat_1": env.wait}, {"seat_0": first, "seat_1": first}):
        with pytest.raises(InputError, match="illegal"):
            env.step(wrong)
    with pytest.raises(InputError, match="seat_1 has none"):
        env.step({"seat_0": first})
    assert env.play.actions == []
    env.step({"seat_0": first, "seat_1": env.wait})
    assert env.play.actions == [first]
    env.save(tmp_path / "episode.toml")
    assert check_replay(read_replay(tmp_path / "episode.toml")) == ""
