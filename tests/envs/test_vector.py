"""Many games at once: the same as single games, by rows of floats or of bytes."""

import pickle

import gymnasium
import numpy as np
import pytest

from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.envs.play import Play, chosen
from exchequer.envs.vector import VectorEnv

GAMES = [game.name for game in all_games()]


def random_actions(masks, random):
    return (random.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_vector_environment_plays_the_same_games(name, threads):
    """Row by row what single games show, through several ends."""
    game = find_game(name)
    envs = VectorEnv(name, 3, threads=threads)
    random = np.random.default_rng(0)
    observations, infos = envs.reset(seed=5)
    singles = [Play(*chosen(name, None, None, None)) for _ in range(3)]
    for i, single in enumerate(singles):
        single.start(5 + i)
    for _ in range(400):
        for i, single in enumerate(singles):
            assert infos["actor"][i] == single.actor
            assert (infos["action_mask"][i] == single.mask(single.actor)).all()
            assert (observations[i] == single.observation(single.actor)).all()
        actions, movers = random_actions(infos["action_mask"], random), infos["actor"]
        observations, rewards, ended, cut, infos = envs.step(actions)
        for i, single in enumerate(singles):
            single.play(int(actions[i]))
            assert [ended[i], cut[i]] == [single.is_over, single.is_cut_off]
            assert infos["rewards"][i].tolist() == pytest.approx(single.rewards())
            assert rewards[i] == pytest.approx(single.rewards()[movers[i]])
            if single.is_over:
                assert infos["_final_obs"][i]
                assert (infos["final_obs"][i] == single.observation(movers[i])).all()
                single.start(single.seed + 3)
    assert game.seats[0] > 1 or any(single.seed > 7 for single in singles)


@pytest.mark.parametrize("name", GAMES)
def test_rows_of_bytes_say_what_rows_of_floats_do(name):
    """No less, and no more: not what is left of answers long given."""
    envs, as_bytes = VectorEnv(name, 2), VectorEnv(name, 2, threads=2, observations="bytes")
    random = np.random.default_rng(0)
    (rows, infos), (octets, _) = envs.reset(seed=5), as_bytes.reset(seed=5)
    ends = 0
    while ends < 2:
        assert (as_bytes.floats(octets, infos["actor"]) == rows).all()
        for row, octet in zip(rows, octets, strict=True):
            assert envs.layout.observation(row).tobytes() == octet.tobytes()
        actions, movers = random_actions(infos["action_mask"], random), infos["actor"]
        rows, *_, infos = envs.step(actions)
        octets, *_, seen = as_bytes.step(actions)
        if "final_obs" in infos:
            ended, ends = infos["_final_obs"], ends + 1
            finals = as_bytes.floats(seen["final_obs"], movers)
            assert (finals[ended] == infos["final_obs"][ended]).all()
    assert (as_bytes.records(octets)["todo"] > 0).all()
    assert octets.shape == as_bytes.observation_space.shape


def test_rows_of_bytes_are_asked_for_and_read_in_one_way(tmp_path):
    with pytest.raises(InputError, match="Observations are floats or bytes"):
        VectorEnv("kingdom", 2, observations="words")
    envs = VectorEnv("kingdom", 2, observations="bytes")
    octets, infos = envs.reset(seed=1)
    np.save(tmp_path / "buffer.npy", octets)
    kept = np.load(tmp_path / "buffer.npy", mmap_mode="r")
    assert (envs.floats(kept, infos["actor"]) == envs.floats(octets, infos["actor"])).all()
    assert (pickle.loads(pickle.dumps(envs)).floats(kept, [1, 1])
            == envs.floats(octets[::1], [1, 1])).all()
    with pytest.raises(InputError, match="384 bytes"):
        envs.records(octets[:, :-1])
    for seats in ([0], [0, 2], [0.0, 1.0], [0, -1]):
        with pytest.raises(InputError, match="seat from 0 to 1"):
            envs.floats(octets, seats)


def test_vector_actions_are_checked_before_any_game_moves():
    envs = VectorEnv("kingdom", 4)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(4, int))
    _, infos = envs.reset()
    before = envs.rows.states.tobytes()
    for wrong in (np.zeros(3, int), np.full(4, 0.9), np.full(4, -1), np.full(4, 60)):
        with pytest.raises(InputError, match="4 whole numbers from 0 to 59"):
            envs.step(wrong)
    some = infos["action_mask"].argmax(axis=1)
    some[2] = 25  # an attack without a commander
    with pytest.raises(InputError, match="1 of the actions are illegal, the first in game 2"):
        envs.step(some)
    assert envs.rows.states.tobytes() == before
    with pytest.raises(InputError, match="seeds from 0"):
        envs.reset(seed=-1)


def test_a_vector_environment_cuts_long_games_off(monkeypatch):
    game = find_game("kingdom")
    monkeypatch.setitem(vars(game), "step_limit", 5)
    envs = VectorEnv("kingdom", 2)
    _, infos = envs.reset(seed=1)
    for move in range(1, 6):
        actions = infos["action_mask"].argmax(axis=1)
        _, rewards, ended, cut, infos = envs.step(actions)
        assert cut.tolist() == [move == 5] * 2
    assert not ended.any() and not rewards.any() and infos["_final_obs"].all()


def test_one_seed_a_game_can_be_given():
    envs = VectorEnv("treasury/v17", 2)
    first, _ = envs.reset(seed=[7, 9])
    again, _ = VectorEnv("treasury/v17", 2).reset(seed=9)
    assert (first[1] == again[0]).all()
    later, _ = envs.reset(seed=[7, None])
    assert (later[0] == first[0]).all() and (later[1] != first[1]).any()


def test_seeds_are_whole_numbers():
    envs = VectorEnv("kingdom", 2)
    assert (envs.reset(seed=np.int64(5))[0] == envs.reset(seed=[5, 6])[0]).all()
    for wrong in (1.5, [1.5, 2], "seed"):
        with pytest.raises(InputError, match="Seeds are whole numbers"):
            envs.reset(seed=wrong)


def played(envs, infos, moves):
    """What is seen after some random moves."""
    random = np.random.default_rng(3)
    for _ in range(moves):
        seen, _, _, _, infos = envs.step(random_actions(infos["action_mask"], random))
    return seen, infos


def test_some_games_can_start_anew():
    """As in Gymnasium's own vectors; the others stay as they are."""
    envs = VectorEnv("treasury/v17", 3, threads=2)
    mask = np.array([False, True, False])
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.reset(options={"reset_mask": mask})
    before, _ = played(envs, envs.reset(seed=1)[1], 20)
    after, infos = envs.reset(options={"reset_mask": mask})
    assert (before == after).all(axis=1).tolist() == [True, False, True]
    assert envs.rows.steps.tolist() == [20, 0, 20] and envs.rows.seeds.tolist() == [1, 5, 3]
    again, _ = VectorEnv("treasury/v17", 1).reset(seed=5)
    assert (after[1] == again[0]).all() and "final_obs" not in infos
    for wrong in ({"reset_mask": np.zeros(3, bool)}, {"reset_mask": [1, 0, 0]}, {"seats": 3}):
        with pytest.raises(InputError, match="reset_mask"):
            envs.reset(options=wrong)


def test_a_vector_environment_comes_back_to_a_moment():
    envs = VectorEnv("treasury/v03", 3)
    seen, infos = played(envs, envs.reset(seed=1)[1], 10)
    moment = envs.clone()
    later, _ = played(envs, infos, 10)
    restored, again = envs.restore(moment)
    assert (restored == seen).all() and (again["action_mask"] == infos["action_mask"]).all()
    assert (played(envs, again, 10)[0] == later).all()
    everywhere, _ = envs.restore(envs.clone([2]))
    assert (everywhere == later[2]).all()
    some, _ = envs.restore(tuple(part[:1] for part in moment), [1])
    assert (some[1] == seen[0]).all() and (some[0] == later[2]).all()
