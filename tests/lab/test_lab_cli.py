"""The lab on the command line, in real processes."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.xdist_group("lab")  # the loop is compiled once
PROGRAM = [sys.executable, "-m", "exchequer", "lab"]


def run(*arguments, code=0, **options):
    done = subprocess.run([*PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          **options)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_a_run_prints_one_object(tmp_path):
    out = tmp_path / "run"
    found = json.loads(run("run", "kingdom", "--seats", 2, "--bots", "random,random", "--games",
                           200, "--seed", 3, "--set", "turn_limit=12", "--out", out,
                           "--json").stdout)
    assert list(found) == ["game", "seats", "games", "verdict", "findings", "seats_share",
                           "length", "report"]
    assert found["games"] == 200
    assert found["length"]["max"] <= 12
    assert pathlib.Path(found["report"]) == out / "report.html"
    again = run("run", "kingdom", "--bots", "random", "--games", 5, "--out", out, code=2)
    assert "already holds a run" in again.stderr


def test_a_run_that_is_interrupted_goes_on(tmp_path):
    """Ctrl-C in the middle: a sentence says how to go on, and what was played is still there."""
    command = [*PROGRAM, "run", "kingdom", "--bots", "greedy", "--games", "60000", "--out",
               str(tmp_path / "run"), "--workers", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    chunks = tmp_path / "run" / "chunks"
    while not (chunks.exists() and len(list(chunks.glob("*.npz"))) > 1):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "continue with the same command and --resume" in said
    kept = {path.name: path.stat().st_mtime_ns for path in chunks.glob("*.npz")}
    assert len(kept) > 1
    assert "is not finished" in run("report", tmp_path / "run", code=2).stderr
    refused = run("run", "kingdom", "--bots", "greedy", "--games", "60000", "--out",
                  tmp_path / "run", code=2)
    assert "--resume" in refused.stderr
    assert {path.name: path.stat().st_mtime_ns for path in chunks.glob("*.npz")} == kept


def test_bad_input_is_a_sentence(tmp_path):
    for arguments, sentence in (
            (("run", "kingdom", "--games", "0"), "0 games cannot be played"),
            (("run", "kingdom", "--bots", "clever"), 'no bot "clever"'),
            (("cards", "kingdom", "--card", "mil"), 'Did you mean "mill"'),
            (("compare", "kingdom", "base", "turn_limt=3"), "turn_limt"),
            (("run", "kingdom", "--set", "turn_limit=0"), "out of range"),
            (("run", tmp_path / "none.toml"), "there is no such file")):
        assert sentence in run(*arguments, code=2, cwd=tmp_path).stderr
    assert os.listdir(tmp_path) == []
