"""Learned values: the same everywhere, from what may be known, and better than what taught them."""

import json
from dataclasses import replace

import numpy as np
import pytest

from exchequer.bots.arena import Arena
from exchequer.bots.bot import Bot
from exchequer.bots.learning import SelfPlay, fit
from exchequer.bots.policies import PERSONAS, Policy, equipped, policy_for, policy_named
from exchequer.bots.training import Settings, Training
from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.core.learned import (
    BUCKETS,
    FORMAT,
    HIDDEN,
    N_ROWS,
    START,
    UNIT,
    VALUATION,
    Network,
    bucket,
    inputs_of,
    list_inputs,
    networks_of,
    read_network,
)
from exchequer.core.loops import MAX_SEATS
from exchequer.core.position import Position
from exchequer.core.search import ROOT, PolicyKind, think, write_values
from exchequer.lab.arms import Arm, work_of
from exchequer.table.table_setup import LEVEL_NAMES
from toys.bazaar import GAME as BAZAAR

KINGDOM = find_game("kingdom")
MOST_BYTES = 3_000_000  # of all weights in the wheel


def after_moves(game, moves):
    """A position some moves into a game, none of them special."""
    position = Position(game, seed=2, mode=Mode.PYTHON)
    while not position.is_over and len(position.actions) < moves:
        options = position.legal()
        position.play(int(options[7 * len(position.actions) % len(options)]))
    return position


def some_network(game, seed=0, **made):
    """Random weights: nothing about them is special."""
    random = np.random.default_rng(seed)
    first = random.integers(-UNIT, UNIT, (inputs_of(game).count, HIDDEN)).astype(np.int16)
    second = random.integers(-UNIT // 4, UNIT // 4, (N_ROWS, MAX_SEATS)).astype(np.int32)
    return Network(first, second, {"game": game.name, "format": FORMAT, "seats": [2],
                                   "content": game.content().hash, "master": {"playout": 0}}
                   | made)


def inputs_on(game, position, mode=Mode.PYTHON):
    found = inputs_of(game)
    out = np.zeros(found.most, np.int32)
    worlds = np.zeros(1, game.state)
    worlds[0] = position.state
    seats = game.seats_in(position.state)
    count = game.engine(mode).bind(list_inputs)(worlds, position.content.record,
                                                seats, found.words, found.groups, found.places,
                                                np.zeros(MAX_SEATS), out)
    return out[:count]


def test_amounts_fall_into_all_buckets_in_order():
    assert {bucket(n) for n in range(-5, 9999) if n} == set(range(1, BUCKETS + 1))
    assert all(bucket(n) <= bucket(n + 1) for n in range(1, 9999))


@pytest.mark.parametrize("game", [*all_games(), BAZAAR], ids=lambda game: game.name)
def test_inputs_are_there_and_differ(game):
    """Each is on once, none is beyond the weights, and another position has others."""
    before, after = after_moves(game, 3), after_moves(game, 15)
    first, second = inputs_on(game, before), inputs_on(game, after)
    assert len(set(first.tolist())) == len(first)
    assert max(*first, *second) < inputs_of(game).count
    assert set(first.tolist()) != set(second.tolist())


def test_a_network_says_what_its_weights_say():
    """The compiled sum against the same sum written with NumPy."""
    network, position = some_network(KINGDOM), after_moves(KINGDOM, 12)
    on = inputs_on(KINGDOM, position)
    hidden = np.clip(network.first[on].astype(np.int64).sum(0), 0, 64 * UNIT)
    valued = [KINGDOM.engine(Mode.PYTHON).value(position.state, position.content.record, 2, seat)
              for seat in range(2)]
    totals = (hidden @ network.second[:HIDDEN] + network.second[START] * UNIT) / UNIT**2
    totals[:2] += network.second[VALUATION, :2] / UNIT * valued
    wanted = np.exp(totals[:2]) / np.exp(totals[:2]).sum()
    found = []
    for mode in (Mode.PYTHON, Mode.COMPILED):
        _, workspace = equipped(KINGDOM, [(policy_named("hard"), network)])
        workspace.worlds[0] = position.state
        KINGDOM.engine(mode).bind(write_values)(workspace, position.content.record, 2, 1)
        found.append(workspace.values[:2].tolist())
    assert found[0] == found[1]  # to the last bit
    assert found[0] == pytest.approx(wanted)


def test_weights_come_back_as_they_were(tmp_path):
    network = some_network(BAZAAR, command="x")
    network.save(tmp_path / "w.npz")
    again = read_network(BAZAAR, tmp_path / "w.npz")
    assert (again.first == network.first).all()
    assert again.made == network.made
    with pytest.raises(InputError, match="were made for"):
        read_network(KINGDOM, tmp_path / "w.npz")
    with pytest.raises(InputError, match="names no file"):
        policy_named("learned:nowhere.npz")


def test_damaged_weights_are_refused(tmp_path):
    path, network = tmp_path / "w.npz", some_network(BAZAAR)
    network.save(path)
    whole = path.read_bytes()
    flipped = bytes(byte ^ 255 if 900 <= n < 910 else byte for n, byte in enumerate(whole))
    for data in (b"", b"PK", whole[:2000], flipped):
        path.write_bytes(data)
        with pytest.raises(InputError, match="no weights that can be read"):
            read_network(BAZAAR, path)
    np.save(path.with_suffix(""), network.first)
    with pytest.raises(InputError, match="no weights that can be read"):
        read_network(BAZAAR, tmp_path / "w.npy")
    for made in ([1], {"format": FORMAT}):
        with path.open("wb") as file:
            np.savez(file, first=network.first, second=network.second, made=json.dumps(made))
        with pytest.raises(InputError, match="no weights that can be read"):
            read_network(BAZAAR, path)


def test_weights_of_another_shape_are_refused(tmp_path):
    """Machine code would read beyond them."""
    network = some_network(BAZAAR)
    for changed in ({"second": network.second[:3]}, {"first": network.first.astype(np.float64)},
                    {"second": network.second.astype(np.float64)}):
        replace(network, **changed).save(tmp_path / "w.npz")
        with pytest.raises(InputError, match="were made for"):
            read_network(BAZAAR, tmp_path / "w.npz")


@pytest.mark.parametrize("seats", [2, 4])
def test_a_learned_bot_does_not_know_what_it_may_not(seats, tmp_path):
    """Worlds that differ only in hidden cards get the same answer, and so does a second asking."""
    some_network(BAZAAR).save(tmp_path / "w.npz")
    position = Position(BAZAAR, seats=seats, seed=2)
    random = np.random.default_rng(0)
    for _ in range(12):
        position.play(int(random.choice(position.legal())))
    seat, answers = position.actor, set()
    for world in range(6):
        imagined = position.determinize(seat, world)
        position.engine.observe(imagined[0], position.content.record, seat)
        bot = Bot(BAZAAR, f"learned:{tmp_path / 'w.npz'}:300", 7)
        answers.add(bot.choose(imagined, position.content, seat))
    assert len(answers) == 1


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_master_sees_no_more_than_it_may(game):
    """The same with the weights that ship, and with the search for a sure win; cut short, since
    plain Python is slow."""
    position = after_moves(game, 20)
    seat, answers = position.actor, set()
    for world in range(3):
        imagined = position.determinize(seat, world)
        position.engine.observe(imagined[0], position.content.record, seat)
        bot = Bot(game, "master", 7, Mode.PYTHON)
        bot._most, bot._record.finish = 8, 20
        answers.add(bot.choose(imagined, position.content, seat))
    assert len(answers) == 1
    assert answers < set(position.legal())


def test_master_takes_a_win_that_is_sure():
    position = Position(KINGDOM, seed=1)
    position.state.army[0], position.state.people[0, 1] = 50, 1
    bot = Bot(KINGDOM, "master")
    for in_parts in (None, lambda: False):
        answer = bot.choose(position.observe(0), position.content, 0, in_parts)
        assert KINGDOM.words.TEXTS.text(answer) == "attack"
        assert [idea.text for idea in bot.thought().ideas] == ["attack"]
    position.state.army[0] = 0
    assert KINGDOM.words.TEXTS.text(
        bot.choose(position.observe(0), position.content, 0)) != "attack"
    assert len(bot.thought().ideas) > 1  # the tree is its own again


def test_a_search_that_ends_once_it_is_settled_answers_the_same():
    """At once and in parts; and it does end sooner."""
    looked = KINGDOM.engine().bind(think)
    made = []
    for moves in range(0, 40, 4):
        position, answers = after_moves(KINGDOM, moves), set()
        for settles, part in ((False, 200), (True, 200), (True, 7)):
            records, workspace = equipped(KINGDOM, [(
                Policy(PolicyKind.SEARCH, 200, settles=settles), None)])
            for first in range(0, 200, part):
                records[0].first, records[0].iterations = first, min(first + part, 200)
                answer = looked(position.observe(position.actor), position.content.record, 2,
                                position.actor, records[0], workspace, moves)
            answers.add(int(answer))
            made.append(int(workspace.nodes[ROOT].visits))
        assert len(answers) == 1
    assert min(made) < max(made) == 200


def test_fitting_finds_who_won():
    """Fitted to games, a network guesses games that it has not seen far better than a coin, and
    the same seed gives the same weights with any number of workers."""
    player = SelfPlay(BAZAAR, BAZAAR.content(), policy_named("random"))
    played = [player.play(2, 50, 400, workers) for workers in (1, 2)]
    assert (played[0].inputs == played[1].inputs).all()
    found = [fit(BAZAAR, positions, {}, seed=3, epochs=2) for positions in played]
    assert (found[0].network.first == found[1].network.first).all()
    assert found[0].held_back_loss < 0.9 * np.log(2)


def test_a_run_is_gone_on_with(tmp_path):
    settings = Settings((2,), games=60, teacher="random", iterations=10, rating_games=2, epochs=1)
    training = Training(BAZAAR, BAZAAR.content(), tmp_path, settings, 1)
    assert [line["round"] for line in training.run(0)] == [0]
    again = Training(BAZAAR, BAZAAR.content(), tmp_path, settings, 1)
    assert [line["round"] for line in again.run(0)] == [1]
    curve = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text().splitlines()]
    assert [line["round"] for line in curve] == [0, 1]
    assert curve[1]["seconds"] >= curve[0]["seconds"]  # in tenths
    best = max(curve, key=lambda line: sum(line["shares"].values()))["round"]
    assert read_network(BAZAAR, tmp_path / "weights.npz").made["round"] == best
    with pytest.raises(InputError, match="other settings"):
        Training(BAZAAR, BAZAAR.content(), tmp_path, Settings((2,)), 1)


# What ships --------------------------------------------------------------------------------------

def shipped():
    return [(game, network) for game in all_games() for network in networks_of(game)]


def test_weights_in_the_wheel_are_small_and_say_what_made_them():
    files = [path for game in all_games() for path in (game.folder / "learned").glob("*.npz")]
    assert len(files) == len(shipped()) > 0
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    for game, network in shipped():
        assert network.made["command"].startswith(f"exchequer train {game.name}")
        assert network.made["seconds"] > 0
        assert "seed" in network.made
        assert network.made["rules_version"] == game.rules_version, "train it again"
        content = game.content(network.made["changes"])
        assert content.hash == network.made["content"], "its content has changed: train it again"
        policy, chosen = policy_for(game, content.hash, network.made["seats"][0], "master")
        assert chosen is network
        assert policy.iterations == network.made["master"]["iterations"]


def test_master_plays_by_the_valuation_where_nothing_was_learned():
    changed = KINGDOM.content({"rules": {"turn_limit": 9}})
    assert policy_for(KINGDOM, changed.hash, 2, "master") == (policy_named("master"), None)
    assert policy_for(KINGDOM, KINGDOM.content().hash, 2, "hard") == (policy_named("hard"), None)


def test_a_bot_looks_again_when_the_content_changes():
    bot, truce = Bot(KINGDOM, "master"), KINGDOM.content_of("truce")
    changed = KINGDOM.content({"rules": {"turn_limit": 9}})
    for content, network in ((changed, 0), (truce, 1), (changed, 0), (KINGDOM.content(), 1)):
        bot.choose(Position(KINGDOM, content, seed=1).observe(0), content, 0, lambda: True)
        assert bot._record.network == network


def test_what_was_learned_beats_hard():
    """At as many iterations as `hard` has, without playouts: 98 % of 60 games when it was made."""
    weights, truce = KINGDOM.folder / "learned" / "truce.npz", KINGDOM.content_of("truce")
    arena = Arena(KINGDOM, truce, [f"learned:{weights}:80", "hard"])
    assert arena.play(40)[0].share > 0.7


def test_every_level_has_a_persona():
    assert list(PERSONAS) == list(LEVEL_NAMES)
    assert all(said.endswith(".") for said in PERSONAS.values())


def test_a_master_sits_in_the_lab():
    """With its network, beside bots that have none."""
    arm = Arm("some", "kingdom", ("master", "random"), 2, overlay={"rules": {"hr_truce_rounds": 8}})
    work = work_of(arm, 0, 2)
    assert work.design.policies["network"].tolist() == [1, 0, 0]
    assert work.workspace.first.shape == (1, inputs_of(KINGDOM).count, HIDDEN)


