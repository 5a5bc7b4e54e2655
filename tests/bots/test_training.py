"""Training runs: what is kept, what goes on, and what is refused in a sentence."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from exchequer.bots import training
from exchequer.bots.learning import SelfPlay, fit
from exchequer.bots.policies import policy_for, policy_named
from exchequer.bots.training import Settings, Training, has_begun, read_curve
from exchequer.cli.train import seat_counts
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.learned import read_network
from toys.bazaar import GAME as BAZAAR

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "exchequer", "train"]
SHORT = Settings((2,), games=60, teacher="random", iterations=10, rating_games=2, epochs=1)


def run_in(folder, settings=SHORT):
    return Training(BAZAAR, BAZAAR.content(), folder, settings, 1)


def one_round(folder, settings=SHORT):
    return next(run_in(folder, settings).run(0))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of one round; tests copy it."""
    folder = tmp_path_factory.mktemp("run")
    one_round(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def folder(played, tmp_path):
    for name, data in played.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


# What a kill leaves ------------------------------------------------------------------------------

def test_a_line_that_was_half_written_does_not_count(folder):
    with (folder / "curve.jsonl").open("a") as file:
        file.write('{"round": 1, "sec')
    assert one_round(folder)["round"] == 1
    assert [line["round"] for line in read_curve(folder / "curve.jsonl")] == [0, 1]


def test_a_kill_before_the_curve_is_written_loses_nothing(tmp_path, monkeypatch):
    """The best network is there before the curve names it, and the round comes out the same."""
    def full_disk(path, data):
        if path.name == "curve.jsonl":
            raise OSError(28, "No space left on device", str(path))
        write_whole(path, data)

    monkeypatch.setattr(training, "write_whole", full_disk)
    with pytest.raises(InputError, match="disk is full .* give the same command again"):
        one_round(tmp_path)
    first = read_network(BAZAAR, tmp_path / "weights.npz")
    monkeypatch.undo()
    kept = (tmp_path / "positions-0.npz").stat().st_mtime_ns
    assert one_round(tmp_path)["round"] == 0
    assert (tmp_path / "positions-0.npz").stat().st_mtime_ns == kept
    assert (read_network(BAZAAR, tmp_path / "weights.npz").first == first.first).all()


def test_weights_that_are_missing_come_back_with_the_next_round(folder):
    (folder / "weights.npz").unlink()
    one_round(folder)
    best = run_in(folder).best["round"]
    assert read_network(BAZAAR, folder / "weights.npz").made["round"] == best


def test_settings_bind_nobody_before_a_round_was_played(tmp_path):
    run_in(tmp_path)
    assert not has_begun(tmp_path)
    run_in(tmp_path, Settings((2,), games=70, teacher="random"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another Ctrl-C")
def test_a_run_that_is_interrupted_says_how_to_go_on(tmp_path):
    process = subprocess.Popen([*PROGRAM, "kingdom", "--games", "100000", "--out", "run"],
                               cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "run" / "training.json").exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    time.sleep(0.5)  # so that it plays or compiles
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "Interrupted. The rounds that were played are kept in run" in said


# What is refused ---------------------------------------------------------------------------------

def test_other_settings_are_named(folder):
    with pytest.raises(InputError, match=r"other settings \(games 60, not 70; seed 0, not 3\)"):
        run_in(folder, Settings((2,), games=70, teacher="random", iterations=10, rating_games=2,
                                epochs=1, seed=3))


def test_positions_of_an_older_state_are_not_fitted(folder):
    settings = json.loads((folder / "training.json").read_text())
    (folder / "training.json").write_text(json.dumps(settings | {"inputs": 7}))
    with pytest.raises(InputError, match="inputs 7, not"):
        run_in(folder)


@pytest.mark.parametrize("name", ["training.json", "curve.jsonl", "positions-0.npz"])
@pytest.mark.parametrize("data", [b'{"rou\n', b"[1]\n", b"PK\3\4 and no more\n"])
def test_damaged_files_are_refused(folder, name, data):
    (folder / name).write_bytes(data)
    with pytest.raises(InputError, match=f"{name} is damaged .* another folder"):
        one_round(folder)


def test_what_is_no_run_is_not_written_over(tmp_path):
    (tmp_path / "weights.npz").write_bytes(b"mine")
    with pytest.raises(InputError, match="holds weights.npz, but no run"):
        run_in(tmp_path)
    assert (tmp_path / "weights.npz").read_bytes() == b"mine"
    with pytest.raises(InputError, match="is a file; a run needs a folder"):
        run_in(tmp_path / "weights.npz")
    with pytest.raises(InputError, match="weights.npz.run: Not a directory"):
        run_in(tmp_path / "weights.npz" / "run")


@pytest.mark.parametrize(("teacher", "sentence"), [
    ("nobody", 'no bot "nobody"'), ("learned:weights.npz", "A teacher is a level")])
def test_a_teacher_is_known_before_anything_is_written(tmp_path, teacher, sentence):
    with pytest.raises(InputError, match=sentence):
        run_in(tmp_path / "run", Settings((2,), teacher=teacher))
    assert not (tmp_path / "run").exists()


def test_too_few_positions_are_refused_and_not_kept(tmp_path):
    with pytest.raises(InputError, match="too short to learn from"):
        one_round(tmp_path, Settings((2,), games=60, teacher="random", every=1000))
    assert not has_begun(tmp_path)


def test_weights_that_grow_without_end_are_refused():
    positions = SelfPlay(BAZAAR, BAZAAR.content(), policy_named("random")).play(2, 1, 100)
    with np.errstate(all="ignore"), pytest.raises(InputError, match="beyond all bounds"):
        fit(BAZAAR, positions, {}, epochs=1, rate=float("inf"))


def test_a_number_of_seats_is_learned_once():
    assert seat_counts("3,2,3", BAZAAR) == (3, 2)


@pytest.mark.parametrize("options", [("--workers", "-1"), ("--seed", "9" * 20),
                                     ("--master", "9" * 11), ("--playout", "9" * 11)])
def test_numbers_out_of_range_are_refused(options, tmp_path):
    done = subprocess.run([*PROGRAM, "kingdom", "--teacher", "random", "--games", "100",
                           "--minutes", "0", *options], cwd=tmp_path, capture_output=True,
                          text=True)
    assert done.returncode == 2
    assert f"Invalid value for '{options[0]}'" in done.stderr
    assert os.listdir(tmp_path) == []


# What is said of it ------------------------------------------------------------------------------

def test_weights_that_are_made_anew_are_played_anew(folder):
    """In a notebook the same file is written again and again."""
    name = f"learned:{folder / 'weights.npz'}:20"
    first = policy_for(BAZAAR, "", 2, name)[1]
    assert policy_for(BAZAAR, "", 2, name)[1] is first
    network = read_network(BAZAAR, folder / "weights.npz")
    network.first[:] = 0
    network.save(folder / "weights.npz")
    assert not policy_for(BAZAAR, "", 2, name)[1].first.any()


def test_the_program_in_the_documentation_runs(tmp_path, monkeypatch):
    """With few games; its weights are played without a word about `master`."""
    page = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    code = re.search(r"## Training a bot.*?```\n(import pathlib.*?)```", page, re.S)[1]
    short = code.replace("games=2000", "games=50").replace("games=100)", "games=4)")
    short = short.replace('policy_named("hard")', 'policy_named("easy")')
    monkeypatch.chdir(tmp_path)
    exec(compile(short, "docs/research.md", "exec"), {})
    assert (tmp_path / "mine.npz").exists()
