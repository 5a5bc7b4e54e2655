"""The command line as a person uses it: real processes, their output and their exit codes."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from exchequer.bots.arena import seated
from exchequer.cli import peers
from exchequer.cli.main import app
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.loops import Result
from exchequer.core.simulation import summary

PROGRAM = [sys.executable, "-m", "exchequer"]


def run(*arguments, typed="", code=0, **environment):
    done = subprocess.run([*PROGRAM, *arguments], input=typed, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "120", **environment})
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_help_is_light():
    probe = ("import sys; sys.argv = ['exchequer', '--help']\n"
             "from exchequer.cli.main import main\n"
             "try: main()\nexcept SystemExit: pass\n"
             "print('heavy' if {'numba', 'numpy'} & set(sys.modules) else 'light')")
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "light"
    assert "simulate" in done.stdout


def test_games_lists_those_that_cannot_be_imported(tmp_path):
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "rulebook.md").write_text("**H-1 So far.**\n")
    listed = run("games", EXCHEQUER_GAMES=str(tmp_path))
    assert "kingdom" in listed.stdout and "half cannot be imported" in listed.stderr
    rows = json.loads(run("games", "--json", EXCHEQUER_GAMES=str(tmp_path)).stdout)
    assert "half cannot be imported" in next(row for row in rows if row["name"] == "half")["error"]


def verbs(command, words=()):
    """Every verb of the program with the words that call it."""
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from verbs(inner, (*words, name))


VERBS = dict(verbs(typer.main.get_command(app)))


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_help_shows_what_stands_in_brackets(words):
    """Rich takes an open bracket for markup: `exchequer[ray]` lost its extra."""
    shown = CliRunner().invoke(app, [*words, "--help"], env={"TERMINAL_WIDTH": "1000"}).output
    texts = [VERBS[words].help or "", *(getattr(one, "help", None) or ""
                                        for one in VERBS[words].params)]
    for name in re.findall(r"\w+\\?\[\w+\]", " ".join(texts)):
        assert name.replace("\\", "") in shown
    assert words != ("lab", "run") or "'exchequer[ray]'" in shown


def test_games_does_not_import_numba():
    probe = ("import sys; sys.argv = ['exchequer', 'games', '--json']\n"
             "from exchequer.cli.main import main\n"
             "try: main()\nexcept SystemExit: pass\n"
             "print('numba' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_games_as_json():
    rows = json.loads(run("games", "--json").stdout)
    kingdom = next(row for row in rows if row["name"] == "kingdom")
    assert list(kingdom) == ["name", "title", "seats", "rules_version", "rows_version", "actions",
                             "state_bytes", "paragraphs"]
    assert [kingdom["seats"], kingdom["actions"]] == [[2, 2], 60]
    assert kingdom["state_bytes"] < 512


def test_simulate_as_json():
    report = json.loads(run("simulate", "kingdom", "--seats", "2", "--games", "500", "--seed", "3",
                            "--json").stdout)
    assert list(report) == ["game", "seats", "games", "steps", "unfinished", "length", "endings",
                            "wins", "shared", "coverage", "version"]
    assert sum(report["wins"]) == 500
    assert [report["games"], report["unfinished"]] == [500, 0]
    assert sum(report["endings"].values()) == 500
    assert set(report["length"]) == {"mean", "min", "max"}


def test_simulate_in_plain_python_gives_the_same():
    arguments = ("simulate", "kingdom", "--games", "5", "--json")
    assert run(*arguments, EXCHEQUER_PYTHON="1").stdout == run(*arguments).stdout


def test_simulate_in_words():
    told = run("simulate", "kingdom", "--games", "300").stdout
    assert "ended by conquest" in told
    assert "actions taken: " in told


def results_of(*winners):
    results = np.zeros(len(winners), Result)
    results["winners"], results["ending"] = winners, 1
    return results


def test_a_shared_win_counts_as_a_share_and_is_told():
    game = find_game("kingdom")
    events = np.zeros((len(game.module("state").Event), 200), np.int64)
    report = summary(game, 2, results_of(0b11, 0b11, 0b01, 0b11), events)
    assert report.wins == [2.5, 1.5] and report.shared == 3
    told = repr(report)
    assert "62.5 %" in told and "37.5 %" in told and "shared: 3 (75.0 %)" in told


def test_three_who_share_a_win_have_a_third_each():
    game = find_game("kingdom")
    events = np.zeros((len(game.module("state").Event), 200), np.int64)
    assert summary(game, 3, results_of(0b111, 0b100), events).wins == [0.333333, 0.333333,
                                                                       1.333333]


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("simulate", "kingdon"), 'There is no game "kingdon". Did you mean "kingdom"?'),
    (("simulate", "kingdom", "--seats", "5"), "Kingdom is for 2 players, not 5."),
    (("simulate", "kingdom", "--set", "turn_limt=3"), 'did you mean "turn_limit"?'),
    (("simulate", "kingdom", "--set", "turn_limit=abc"), "is not a whole number from 1 to 99"),
    (("simulate", "kingdom", "--variant", "none.toml"), "there is no such file"),
    (("play", "kingdom", "--bots", "clever"), 'There is no bot "clever"'),
    (("play", "kingdom", "--resume", "none.toml"), "there is no such file"),
    (("replay", "none.toml"), "there is no such file"),
])
def test_wrong_input_gets_a_sentence(arguments, sentence):
    done = run(*arguments, code=2)
    assert sentence in done.stderr
    assert done.stdout == ""


def test_zero_games_are_refused():
    assert "games" in run("simulate", "kingdom", "--games", "0", code=2).stderr


# The terminal game -------------------------------------------------------------------------------

def test_a_whole_game_hot_seat():
    """From start to end with numbers alone; three rounds make it short."""
    done = run("play", "kingdom", "--bots", "me", "--seed", "1", "--set", "turn_limit=3",
               typed="3\n" * 20)
    assert "Round 3 of 3" in done.stdout
    assert "The game is over: " in done.stdout
    assert "Points: Ann" in done.stdout


def test_a_game_against_a_bot():
    done = run("play", "kingdom", "--bots", "greedy", "--seed", "1", "--set", "turn_limit=2",
               typed="expand\ntax\n")
    assert "Ann expands for 2 gold." in done.stdout
    assert "The game is over: " in done.stdout


def test_plain_mode_is_sentences_and_lists_alone():
    """As a screen reader wants it: no frames, no colours; refusals and help as ever."""
    done = run("play", "kingdom", "--plain", "--seed", "1", "--set", "turn_limit=2",
               typed="?\nattack\n" + "1\n" * 20)
    for text in ("Round 1 of 2.\nAnn (you, to move): ", "What has happened:\n",
                 "\n1 End the turn\n", "(K-32)", "The game is over: ", "make that move"):
        assert text in done.stdout, text
    assert not re.search("[\u2500-\u257f\x1b]", done.stdout)


def test_refusals_help_paragraphs_and_undo():
    done = run("play", "kingdom", "--seed", "1",
               typed="99\nattack\nfoo\n?\nr K-32\nr K-999\nu\nexpand\nu\nl\nq\n")
    for text in ("Choose a move from 1 to 14", "Each commander leads one attack a turn (K-32)",
                 '"foo" is no action', "save", "As often in a turn as you have commanders",
                 'no paragraph "K-999"', "no move of yours", "Goodbye."):
        assert text in done.stdout, text


def test_cards_are_looked_up_during_a_game():
    done = run("play", "kingdom", "--seed", "1", typed="c barracks\nc baracks\nr festival\nq\n")
    assert "Each commander is worth 1 army more" in done.stdout
    assert 'Did you mean "Barracks"?' in done.stdout
    assert "K-33 Hold Festival" in done.stdout


@pytest.mark.parametrize("arguments, texts", [
    (["K-31"], ["K-31 Royal Decree (12 gold).", "3 happiness"]),
    (["K-31", "--keys"], ["3 (decree_unhappiness) happiness"]),
    (["K-31", "--set", "decree_unhappiness=5"], ["5 happiness", "3 is now 5"]),
    (["barracks"], ["Barracks (building)", "K-46f"]),
    (["c", "barracks"], ["Barracks (building)"]), (["r", "K-31"], ["K-31 Royal Decree"]),
    (["--learn"], ["Kingdom", "Five mistakes beginners make", "Castle Gardens"]),
    ([], ["--learn", "K-1 Players.", "K-R39"])])
def test_rules(arguments, texts):
    told = " ".join(run("rules", "kingdom", *arguments).stdout.split())
    for text in texts:
        assert text in told, text


def test_rules_that_are_not_there():
    assert 'no paragraph "moat"' in run("rules", "kingdom", "moat", code=2).stderr
    assert 'no paragraph "upkeep"' in run("rules", "kingdom", "c", "upkeep", code=2).stderr


def test_a_half_paid_play_is_taken_back(tmp_path):
    """The Jagged Time has no move for it (J-24): undo goes back answer by answer."""
    dear = tmp_path / "dear.toml"
    dear.write_text("action.C4.cost = [{ any = 2 }]\n")
    done = run("play", "jagged_time", "--seed", "1", "--variant", str(dear),
               typed="play:c4\nunit:might\nu\nu\nq\n")
    asked = re.findall(r"(\d) units? of your choice|(which card do you play)", done.stdout)
    assert [units or "play" for units, _ in asked] == ["play", "2", "1", "2", "play"]


@pytest.mark.parametrize(("game", "paragraph", "move"), [
    ("kingdom", "r K-1 ", "build:market"), ("greement", "r G-1 ", "square:j10")])
def test_the_help_names_a_paragraph_and_a_move_of_the_game(game, paragraph, move):
    told = run("play", game, "--seed", "1", typed="?\nq\n").stdout
    assert paragraph in told and f"such as {move};" in told


def test_end_of_input_leaves_the_game():
    assert "Goodbye." in run("play", "kingdom", "--seed", "1", typed="").stdout


def test_save_resume_replay_and_check(tmp_path):
    file = tmp_path / "mine.toml"
    run("play", "kingdom", "--bots", "me", "--seed", "1", "--set", "turn_limit=3",
        typed=f"expand\ntax\noverwork\ns {file}\nq\n")
    resumed = run("play", "kingdom", "--bots", "me", "--resume", str(file), typed="3\n" * 20)
    assert "The game is over" in resumed.stdout
    shown = run("replay", str(file)).stdout
    assert "expand" in shown
    assert "Ann expands for " in shown
    assert "The game is not finished." in shown
    assert "all 3 moves run as recorded" in run("replay", str(file), "--check").stdout
    file.write_text(file.read_text().replace("tax", "end"))
    assert "first differs at move 2" in run("replay", str(file), "--check", code=1).stdout


def test_saving_where_one_cannot(tmp_path):
    done = run("play", "kingdom", "--seed", "1", typed=f"s {tmp_path}/no/such/file\ns\nq\n")
    assert "cannot be written" in done.stdout
    assert "Name a file" in done.stdout


def test_check_reports_a_sound_game():
    done = run("check", "kingdom", "--games", "1")
    assert "keeps its promises" in done.stdout
    for stage in ("names, rules and words", "whole games", "the same bytes"):
        assert stage in done.stderr


def test_a_broken_promise_is_kept_as_a_replay(tmp_path):
    """The replay can be stepped through, and ends where the promise is broken."""
    from exchequer.cli.checking import kept
    from exchequer.core.build import Mode
    from exchequer.core.check import Broken, walk
    from exchequer.core.find import find_game

    game, file = find_game("kingdom"), tmp_path / "broken.toml"
    *_, position = walk(game, game.content(), 2, 7, Mode.PYTHON, 5)
    assert f"exchequer replay {file}" in kept(Broken("legality", position, "so"), file)
    assert "all 5 moves run as recorded" in run("replay", str(file), "--check").stdout


def test_bench_as_json():
    report = json.loads(run("bench", "kingdom", "--json", "--no-peers").stdout)
    assert set(report) == {"machine", "compile_s", "games", "peers"}
    assert {"steps_per_s", "games_per_s", "ns_per_step", "state_bytes", "copy_ns",
            "load_s"} <= set(report["games"]["kingdom"])


def test_peers_are_the_games_most_like_ours(monkeypatch):
    monkeypatch.setattr(peers, "SECONDS", 0.01)
    monkeypatch.setattr(peers, "RUNS", 1)
    found = {name: peer for name, peer in peers.bench_peers(["jagged_time", "greement"]).items()
             if name.startswith("openspiel")}
    assert list(found) == [f"openspiel_{game}_{kind}" for game in ("negotiation", "bargaining")
                           for kind in ("python", "cpp")]
    assert all(peer["like"] == ["greement"] and peer["steps_per_s"] > 0 for peer in found.values())


def test_arena_as_json():
    report = json.loads(run("arena", "kingdom", "--bots", "greedy,random", "--games", "100",
                            "--json").stdout)
    assert list(report) == ["game", "version", "games", "bots"]
    assert list(report["bots"][0]) == ["name", "wins", "share", "low", "high", "mean_score"]
    assert report["games"] == 100
    assert "bots are named" in run("arena", "kingdom", "--bots", "greedy", code=2).stderr


def test_arena_takes_a_number_of_seats():
    assert seated(["hard", "medium"], 4) == ["hard", "medium", "medium", "medium"]
    assert seated(["greedy"], 2) == ["greedy", "greedy"]
    with pytest.raises(InputError, match="3 bots are named for 2 seats"):
        seated(["a", "b", "c"], 2)
    report = json.loads(run("arena", "kingdom", "--bots", "greedy", "--seats", "2", "--games",
                            "20", "--json").stdout)
    assert [bot["name"] for bot in report["bots"]] == ["greedy", "greedy"]
    refused = run("arena", "kingdom", "--bots", "greedy", "--seats", "3", code=2).stderr
    assert "Kingdom is for 2 players, not 3." in refused


# Bots of one's own -------------------------------------------------------------------------------

OWN = f"{pathlib.Path(__file__).parents[1] / 'examples' / 'own_bot.py'}:Builder"


def test_a_bot_of_ones_own_sits_down_in_the_terminal():
    done = run("play", "kingdom", "--bots", OWN, "--seed", "1", "--set", "turn_limit=2",
               typed="expand\ntax\n", EXCHEQUER_PYTHON="1")
    assert "The game is over: " in done.stdout
    assert "There is no file nobody.py" in run("play", "kingdom", "--bots", "nobody.py:Bot",
                                               code=2).stderr


def test_a_bot_of_ones_own_plays_in_the_arena():
    report = json.loads(run("arena", "kingdom", "--bots", f"{OWN},random", "--games", "2", "--json",
                            "--set", "turn_limit=2").stdout)
    assert report["bots"][0]["name"] == OWN


@pytest.mark.parametrize(("verb", "bots"), [
    ("arena", "clever,random"), ("play", "clever"), ("ladder", "clever,random")])
def test_where_a_bot_of_ones_own_may_play_it_is_recommended(verb, bots):
    assert "FILE.py:CLASS" in run(verb, "kingdom", "--bots", bots, code=2).stderr


@pytest.mark.parametrize("verb", ["run", "cards", "probe"])
def test_the_lab_says_that_it_plays_named_bots_only(verb, tmp_path):
    said = run("lab", verb, "kingdom", "--bots", OWN, "--out", str(tmp_path / "x"), code=2).stderr
    assert "plays named bots only" in said and "exchequer arena" in said
    unknown = run("lab", verb, "kingdom", "--bots", "clever", "--out", str(tmp_path / "x"), code=2)
    assert "FILE.py" not in unknown.stderr
