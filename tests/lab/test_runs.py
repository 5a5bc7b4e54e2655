"""Runs: the same bytes by any road, nothing lost when interrupted, a sentence for bad input."""

import errno
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.measures import measures_of
from exchequer.core.replay import check_replay, read_replay
from exchequer.core.simulation import simulate
from exchequer.lab.arms import Arm, Constraint, play
from exchequer.lab.executors import Ray, Threads, executor_by, tasks_of
from exchequer.lab.extremes import Extreme
from exchequer.lab.folder import Folder
from exchequer.lab.plan import plan_from, plan_text, read_plan
from exchequer.lab.studies import arms_of, report_again, run_study
from exchequer.lab.tables import Tables
from toys.bazaar import GAME as BAZAAR

pytestmark = pytest.mark.xdist_group("lab")  # the loop is compiled once
PLAN = {"game": "kingdom", "lineups": [{"bots": "random", "games": 300},
                                       {"bots": "greedy", "games": 40},
                                       {"bots": ["greedy", "random"], "games": 20}]}


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.glob("*.parquet"))}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One run by two threads, to compare with."""
    folder = Folder(tmp_path_factory.mktemp("lab") / "run")
    found = run_study(plan_from(PLAN), folder, Threads(2))
    return found, folder


# The same bytes ----------------------------------------------------------------------------------

def cut(engine, chunk):
    """The engine with chunks of so many games."""
    engine.chunk_size = lambda arm: chunk
    return engine


def tables_by(engine, folder):
    plan = plan_from(PLAN)
    folder.open(plan, False)
    folder.play(arms_of(plan), engine, lambda _: None)
    return digests(folder.path)


@pytest.mark.parametrize(("workers", "chunk"), [(1, 7), (3, 100)])
def test_chunks_and_workers_change_nothing(played, tmp_path, workers, chunk):
    assert tables_by(cut(Threads(workers), chunk), Folder(tmp_path / "again")) == digests(
        played[1].path)


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_ray_cluster_of_two_workers_gives_the_same_tables(played, tmp_path):
    pytest.importorskip("ray")
    assert tables_by(Ray(workers=2), Folder(tmp_path / "ray")) == digests(played[1].path)


def test_lab_games_are_the_games_of_the_batch():
    """Random bots of the lab play what `simulate` plays, seed by seed."""
    game = find_game("kingdom")
    results, tally, _ = game.engine().run_batch(game.content().record, 2,
                                                np.arange(50, dtype=np.uint64), game.step_limit)
    lab = play(Arm("r", "kingdom", ("random", "random"), 50))
    assert (lab.rows.games["steps"] == results["steps"]).all()
    assert (lab.rows.seats["score"] == results["score"][:, :2]).all()
    assert (lab.sums.taken.sum(0) == tally.actions).all()


@pytest.mark.parametrize("seats", [2, 3])
def test_without_a_clock_the_lab_counts_the_moves_of_simulate(as_game, study, seats):
    name = as_game(BAZAAR)
    assert measures_of(BAZAAR).turns == "moves"           # it keeps no clock
    report = simulate(BAZAAR, BAZAAR.content(), seats, 20, 0)
    found, folder = study(game=name, seats=seats, lineups=[{"bots": "random", "games": 20}])
    games = Tables.read(folder.path).games.filter(pl.col("arm") == "random")
    assert (games["turns"] == games["steps"]).all()
    assert games["turns"].mean() == report.length.mean
    assert (games["settled"] <= games["turns"]).all()
    assert found["length"]["unit"] == "moves"
    assert found["length"]["mean"] == report.length.mean


def test_plain_python_gives_the_same():
    code = ("from exchequer.lab.arms import Arm, play\n"
            "p = play(Arm('x', 'kingdom', ('greedy', 'random'), 2, rotates=True))\n"
            "import hashlib\n"
            "print(hashlib.sha256(b''.join(x.tobytes() for x in (*p.rows[:-1], *p.sums)))"
            ".hexdigest())")
    said = {mode: subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                 env={**os.environ, "EXCHEQUER_PYTHON": mode}, check=True).stdout
            for mode in ("", "1")}
    assert said[""] == said["1"]


def test_an_interrupted_run_goes_on(played, tmp_path):
    class Interrupted(Threads):
        def played(self, arms, tasks):
            for number, outcome in enumerate(super().played(arms, tasks)):
                if number == 3:
                    raise KeyboardInterrupt
                yield outcome

    plan, folder = plan_from(PLAN), Folder(tmp_path / "cut")
    folder.open(plan, False)
    with pytest.raises(KeyboardInterrupt):
        folder.play(arms_of(plan), cut(Interrupted(1), 50), lambda _: None)
    kept = sorted(path.name for path in folder.chunks.iterdir())
    assert len(kept) == 3
    with pytest.raises(InputError, match="continue it with --resume"):
        folder.open(plan, False)
    folder.open(plan, True)
    folder.play(arms_of(plan), cut(Threads(2), 50), lambda _: None)
    assert digests(folder.path) == digests(played[1].path)


def test_a_full_disk_is_a_sentence_and_keeps_what_was_played(tmp_path, monkeypatch):
    plan, folder = plan_from(PLAN), Folder(tmp_path / "full")
    folder.open(plan, False)
    keep, kept = Folder.keep, []

    def fills_up(self, task, played):
        if len(kept) == 2:
            raise OSError(errno.ENOSPC, "No space left on device", str(self.chunk_path(task)))
        kept.append(task)
        keep(self, task, played)

    monkeypatch.setattr(Folder, "keep", fills_up)
    with pytest.raises(InputError, match="The disk is full .* continue with --resume"):
        folder.play(arms_of(plan), cut(Threads(1), 50), lambda _: None)
    assert len(list(folder.chunks.glob("*.npz"))) == 2


# What a folder holds -----------------------------------------------------------------------------

def test_the_summary_is_as_promised(played):
    found, folder = played
    assert list(found) == ["game", "seats", "games", "verdict", "findings", "seats_share", "length",
                           "report"]
    assert [found["game"], found["seats"], found["games"]] == ["kingdom", 2, 360]
    for finding in found["findings"]:
        assert list(finding)[:6] == ["id", "text", "effect", "low", "high", "n"]
        assert set(finding) <= {"id", "text", "effect", "low", "high", "n", "replay", "next"}
    assert list(found["seats_share"][0]) == ["seat", "share", "low", "high"]
    assert found["length"]["unit"] == "rounds"
    assert pathlib.Path(found["report"]).exists()
    assert json.loads((folder.path / "summary.json").read_text()) == found


def test_the_tables_agree_with_each_other(played):
    tables = Tables.read(played[1].path)
    assert len(tables.seats) == 2 * len(tables.games)
    shares = tables.seats.group_by("arm", "game").agg(pl.col("share").sum())
    assert shares["share"].to_list() == pytest.approx([1.0] * len(shares))
    built = tables.cards.filter((pl.col("group") == "buildings") & (pl.col("arm") == "greedy"))
    events = tables.events.filter((pl.col("event") == "built") & (pl.col("arm") == "greedy"))
    assert built["uses"].sum() == events["entries"].sum() > 0
    steps = tables.games.filter(pl.col("arm") == "random")["steps"].sum()
    assert tables.actions.filter(pl.col("arm") == "random")["taken"].sum() == steps


def test_extreme_games_can_be_watched(played):
    replays = sorted(played[1].replays.glob("*.toml"))
    extreme = [path for path in replays if path.name.startswith(("random-", "greedy-"))]
    assert len(extreme) == 18  # six for each line-up
    assert all(check_replay(read_replay(path)) == "" for path in extreme[:4])


def test_weights_are_named_by_a_path_and_their_replays_by_a_name():
    assert Extreme("learned:mine/w.npz:20", 0, "longest game").file == (
        "learnedmine-w.npz20-longest-game.toml")


def test_words_are_explained_on_hover_and_at_the_end(played):
    html = played[1].report.read_text()
    assert '<abbr title="Where the true figure lies' in html
    assert "<dt>random</dt><dd>A bot that plays any legal move.</dd>" in html


def test_a_report_needs_nothing_but_itself(played):
    html = played[1].report.read_text()
    assert "<script" not in html and "http" not in html and "<svg" in html
    assert len(html) < 300_000


def test_a_report_can_be_made_again(played):
    found, folder = played
    before = folder.report.read_bytes()
    assert report_again(folder.path) == found
    assert folder.report.read_bytes() == before


def test_a_plan_is_read_as_it_was_written(played):
    plan = plan_from(PLAN)
    assert read_plan(played[1].plan_path) == plan
    assert "kingdom" in plan_text(plan)


# Constraints -------------------------------------------------------------------------------------

@pytest.mark.parametrize("bot", ["random", "greedy", "mcts:20"])
def test_what_is_denied_is_not_done_and_what_is_forced_is(bot):
    levers = measures_of(find_game("kingdom")).levers
    constraint = Constraint(deny=(levers["actions"]["develop"],),
                            force=(levers["buildings"]["mill"],), times=1)
    arm = Arm("held", "kingdom", (bot, bot), 8, constraints=(constraint, Constraint()),
              rotates=True)
    tables = play(arm)
    develop = list(levers["actions"]["develop"].actions)
    for row in range(8):
        one = play(arm, row, 1)
        held = list(arm.bot_table[row % 2]).index(0)
        assert one.sums.taken[held, develop].sum() == 0
        assert one.rows.seats["forced"][0, held] == one.sums.taken[held, 29].clip(0, 1)
    assert tables.sums.taken[:, develop].sum() > 0


# Other verbs -------------------------------------------------------------------------------------

def test_a_longer_game_is_told_from_a_shorter(study):
    found, _ = study(kind="compare", game="kingdom", lineups=[{"bots": "random", "games": 300}],
                     other={"game": "kingdom", "overlay": {"rules": {"turn_limit": 12}}},
                     names=["the game as it ships", "twelve rounds"])
    texts = [finding["text"] for finding in found["findings"]]
    assert any(text.startswith("The length is lower in twelve rounds: ") for text in texts)
    assert found["verdict"].startswith("Twelve rounds plays differently")


def test_two_equal_sides_do_not_differ(study):
    found, _ = study(kind="compare", game="kingdom", lineups=[{"bots": "random", "games": 300}],
                     other={"game": "kingdom", "overlay": {}})
    assert found["findings"] == []
    assert found["verdict"] == "A and B are the same game with the same numbers."


def test_what_a_comparison_says_adds_up(study):
    """Two figures of a sentence differ by its difference; what may be missed is said, too."""
    found, _ = study(kind="compare", game="kingdom", lineups=[{"bots": "random", "games": 300}],
                     other={"game": "kingdom", "overlay": {"rules": {"turn_limit": 12}}})
    for one in found["findings"]:
        now, was, change = (float(number.replace(" ", "")) for number in re.search(
            r": (-?[\d .]+?)(?: %)? instead of (-?[\d .]+?)(?: %)? \(([-+][\d.]+)",
            one["text"]).groups())
        is_coarse = "%" in one["text"] or max(abs(now), abs(was)) >= 10
        digit = 0.11 if is_coarse else 0.011
        assert now - was == pytest.approx(change, abs=digit), one["text"]
    assert re.search(r"noticed four times in five if it were \d+\.\d percentage points or more; to "
                     r"notice two points as surely, play about [\d ]+ games", found["verdict"])


def test_bots_are_ordered_by_what_they_win(study):
    """In Kingdom one look ahead beats a short search, whatever their kinds are called."""
    found, _ = study(game="kingdom", lineups=[{"bots": "easy", "games": 60},
                                              {"bots": "greedy", "games": 60}])
    assert "A seat of greedy, the strongest bot here, wins " in found["verdict"]
    assert "between greedy bots" in found["verdict"]
    assert not [one for one in found["findings"] if one["text"].startswith("Better play")
                and "between easy bots, " in one["text"]]


def test_tuning_finds_the_key_that_matters(study):
    """Length follows the turn limit alone, so that is all that needs to change."""
    found, _ = study(kind="tune", game="kingdom", lineups=[{"bots": "random", "games": 60}],
                     target="length=8..12 rounds", over="turn_limit=8..24; tax_gold=3..5",
                     trials=14)
    best = found["chosen"]
    assert list(best["set"]) == ["turn_limit"]
    assert [one["verdict"] for one in best["measures"]] == ["met"]
    assert [one["n"] for one in best["measures"]] == [5 * 60]  # judged on more games than tuned
    assert found["pareto"][0]["set"] == {}  # the game as it ships, for comparison
    assert "On fresh seeds: Met: the length at " in found["verdict"]


def test_tuning_goes_on_where_it_stopped(study, tmp_path):
    """What was tried is remembered: the same tuning again plays nothing."""
    class Closed(Threads):
        def played(self, arms, tasks):
            raise AssertionError("played again")

    plan = {"kind": "tune", "game": "kingdom", "lineups": [{"bots": "random", "games": 20}],
            "target": "length=8..12", "over": "turn_limit=10..12", "trials": 4}
    found, folder = study(**plan)
    again = run_study(plan_from(plan), folder, Closed(1), resume=True)
    assert again == found


def test_a_single_game_is_enough(study):
    """Nothing can be said, and that is what is said."""
    found, _ = study(game="kingdom", lineups=[{"bots": "random", "games": 1}])
    assert found["games"] == 1
    assert json.loads(json.dumps(found, allow_nan=False)) == found


# Bad input ---------------------------------------------------------------------------------------

@pytest.mark.parametrize(("changes", "sentence"), [
    ({"game": "kingdon"}, 'There is no game "kingdon"'),
    ({"lineups": [{"bots": "random", "games": 0}]}, "0 games cannot be played"),
    ({"lineups": [{"bots": "randum", "games": 5}]}, 'There is no bot "randum"'),
    ({"lineups": [{"bots": ["greedy"] * 3, "games": 5}]}, "do not fill 2 seats"),
    ({"lineups": []}, "The plan names no bots"),
    ({"measures": ["silver"]}, 'has no measure "silver"'),
    ({"kind": "cards", "cards": ["mil"]}, 'Did you mean "mill"'),
    ({"seats": 3}, "Kingdom is for 2 players, not 3"),
    ({"overlay": {"rules": {"turn_limit": 0}}}, "turn_limit: 0 is out of range"),
    ({"gmes": 3}, "gmes is not a key of a plan"),
    ({"kind": "tune", "target": "lenght=3", "over": "turn_limit=1..3"}, 'no measure "lenght"'),
    ({"kind": "tune", "target": "length=3", "over": "turn_limits=1..3"}, 'no key "turn_limits"'),
    ({"kind": "tune", "target": "length=9..3", "over": "turn_limit=1..3"}, "begins after its end"),
], ids=lambda value: next(iter(value)) if isinstance(value, dict) else "")
def test_bad_plans_get_a_sentence(tmp_path, changes, sentence):
    with pytest.raises(InputError, match=sentence):
        run_study(plan_from({**PLAN, **changes}), Folder(tmp_path / "bad"), Threads(1))
    assert not (tmp_path / "bad" / "games.parquet").exists()


def test_a_run_is_not_overwritten(played):
    before = digests(played[1].path)
    with pytest.raises(InputError, match="already holds a run"):
        run_study(plan_from(PLAN), played[1], Threads(1))
    with pytest.raises(InputError, match="of another plan"):
        run_study(plan_from({**PLAN, "seed": 5}), played[1], Threads(1), resume=True)
    assert digests(played[1].path) == before


def test_without_ray_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"pip install 'exchequer\[ray\]'"):
        executor_by("ray")
    with pytest.raises(InputError, match='no engine "abacus"'):
        executor_by("abacus")


def test_tasks_cover_every_game_once():
    arms = arms_of(plan_from(PLAN))
    tasks = tasks_of(arms, lambda arm: 17)
    for number, arm in enumerate(arms):
        mine = [task for task in tasks if task.arm == number]
        assert [task.first for task in mine] == list(range(0, arm.games, 17))
        assert sum(task.games for task in mine) == arm.games
