"""Agents: programs that speak JSON lines hold a seat, and what they get wrong is counted."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

from exchequer.bots.agent import Agent, question_of, understood
from exchequer.bots.arena import Arena
from exchequer.bots.ladder import Ladder
from exchequer.bots.own import check_bot
from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.position import Position

ROOT = pathlib.Path(__file__).parents[2]
KINGDOM = find_game("kingdom")
PYTHON = f"agent:{sys.executable} {ROOT / 'examples' / 'agent.py'}"
SHELL = f"agent:sh {ROOT / 'examples' / 'agent.sh'}"


def program(tmp_path, text):
    """An agent that runs this Python."""
    path = tmp_path / "agent.py"
    path.write_text(text)
    return f"agent:{sys.executable} {path}"


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    built = tmp_path_factory.mktemp("c") / "agent"
    subprocess.run(["cc", "-O1", "-o", built, ROOT / "tests" / "bots" / "agent.c"], check=True)
    return f"agent:{built}"


def faultless(name, games):
    agent, other = Arena(KINGDOM, KINGDOM.content(), [name, "greedy"]).play(games)
    assert agent.games == other.games == games
    assert agent.agent.answers > games
    assert (agent.agent.refused, agent.agent.late, agent.agent.fallbacks) == (0, 0, 0)
    assert agent.agent.seconds > 0 and other.agent is None


@pytest.mark.parametrize("name", [PYTHON, SHELL], ids=["python", "shell"])
def test_the_examples_play_beside_greedy_without_a_fault(name):
    faultless(name, 10)


def test_a_program_in_c_plays_beside_greedy_without_a_fault(in_c):
    faultless(in_c, 20)


def test_an_agent_is_rated_on_the_ladder(in_c):
    ladder = Ladder(KINGDOM, KINGDOM.content(), ["random", in_c, "greedy"])
    ratings = ladder.play(8)
    assert {rating.name for rating in ratings} == {"random", in_c, "greedy"}
    record = ladder.report()["agents"][in_c]
    assert record["answers"] > 16 and record["refused"] == 0
    assert all(json.dumps(rating) for rating in ladder.report()["bots"])


def answered(tmp_path, text, **more):
    """A program's answer to the first question of a game, and its record."""
    position = Position(KINGDOM, seed=1, mode=Mode.PYTHON)
    agent = Agent(KINGDOM, program(tmp_path, text), 1, **more)
    move = agent.answer(position)
    assert move in position.legal()
    agent.end(position)
    return move, agent.record


def test_illegal_answers_are_counted_and_told_why(tmp_path):
    """Refused with the game's sentence, it tries again."""
    move, record = answered(tmp_path, (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    print('end' if 'K-32' in asked.get('refused', '') else 'attack', flush=True)\n"))
    assert KINGDOM.words.TEXTS.text(move) == "end"
    assert (record.answers, record.refused, record.fallbacks) == (2, 1, 0)


@pytest.mark.parametrize("line", ["999", "0", "nonsense", "[]", "{}", "true", "1.5", "", "null"])
def test_after_three_useless_answers_a_bot_moves(tmp_path, line):
    _, record = answered(tmp_path, f"import sys\nfor _ in sys.stdin: print({line!r}, flush=True)\n")
    assert (record.answers, record.refused, record.fallbacks) == (3, 3, 1)


def test_a_late_answer_is_no_answer_to_the_next_question(tmp_path):
    """The program answers the first question only when the second has come."""
    position = Position(KINGDOM, seed=1, mode=Mode.PYTHON)
    agent = Agent(KINGDOM, program(tmp_path, (
        "import sys\n"
        "first = sys.stdin.readline()\n"
        "second = sys.stdin.readline()\n"
        "print('nonsense', flush=True)\n"
        "print('end', flush=True)\n"
        "sys.stdin.readline()\n")), 1, seconds=0.3)
    agent.answer(position)
    assert (agent.record.late, agent.record.fallbacks) == (1, 1)
    agent.seconds = 60
    assert KINGDOM.words.TEXTS.text(agent.answer(position)) == "end"
    assert (agent.record.late, agent.record.refused) == (1, 0)


def test_a_program_that_never_answers_is_not_waited_for_again_and_again(tmp_path):
    position = Position(KINGDOM, seed=1, mode=Mode.PYTHON)
    agent = Agent(KINGDOM, program(tmp_path, "import sys\nfor _ in sys.stdin: pass\n"), 1, 0.05)
    for _ in range(8):
        agent.answer(position)
    assert (agent.record.late, agent.record.fallbacks) == (3, 8)


def test_a_dead_program_is_a_sentence(tmp_path):
    position = Position(KINGDOM, seed=1, mode=Mode.PYTHON)
    agent = Agent(KINGDOM, program(tmp_path, "raise SystemExit('I have no key.')"), 1)
    with pytest.raises(InputError, match="ended in the middle of a game .exit status 1.: I have"):
        agent.answer(position)


@pytest.mark.parametrize(("name", "sentence"), [
    ("agent:", "named by its command"), ("agent:no-such-program x", "There is no program"),
    ("agent:'", "cannot be read")])
def test_what_cannot_be_started_is_refused_at_once(name, sentence):
    with pytest.raises(InputError, match=sentence):
        check_bot(name)


def test_a_question_holds_what_the_seat_may_know():
    position = Position(KINGDOM, seed=1, mode=Mode.PYTHON)
    asked = json.loads(json.dumps(question_of(position)))
    assert next(iter(asked)) == "count" and asked["count"] == len(asked["moves"])
    assert asked["text"].count("\n") > 5 and asked["seat"] == position.actor
    assert understood('{"move": "end", "why": "Nothing else."}', position)[1] == ""
    assert understood('"end"', position) == understood("end", position)
