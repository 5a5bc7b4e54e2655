"""What rules may not say is told in a sentence with its line, before anything is compiled."""

import ast
import textwrap

import numpy as np
import pytest

from exchequer.core import lint
from exchequer.core.find import all_games
from exchequer.core.records import rule
from toys.bazaar import GAME
from toys.bazaar.state import Good
from toys.faulty import Faulty


@rule
def a_rule(s):
    return 1


def no_rule(s):
    return 1


SCOPE = {"a_rule": a_rule, "no_rule": no_rule, "Good": Good, "np": np}


def said(body):
    source = textwrap.dedent("@rule\ndef planted(s, c, seat):\n") + textwrap.indent(body, "    ")
    (function,) = ast.parse(source).body
    return [f"{line}: {sentence}" for line, sentence in
            lint.faults_in(function, SCOPE, lint.records_of(GAME))]


@pytest.mark.parametrize("game", [GAME, *all_games()], ids=lambda g: g.name)
def test_games_say_nothing_that_rules_cannot(game):
    assert list(lint.faults_of(game)) == []


@pytest.mark.parametrize(("body", "sentence"), [
    ("return [g for g in s.gold]", "3: uses a list comprehension, which rules cannot"),
    ("return s.gold[-1]", "3: counts from the end in `s.gold[-1]`, which rules cannot: the last of "
     "a row is at len(row) - 1"),
    ("found = [1, 2]", "3: uses a list, which rules cannot: keep what has to be remembered"),
    ("found = {1: 2}", "3: uses a dictionary"),
    ("if seat in {1, 2}:\n    return 1", "3: uses a set"),
    ("return sum(x for x in s.gold)", "3: calls `sum`, a function that rules cannot call"),
    ("raise ValueError(f'{seat}')", "3: uses an exception, which rules cannot: refuse the action"),
    ("try:\n    return 1\nexcept ValueError:\n    return 2", "3: uses an exception"),
    ("return Good(seat).name", "3: makes a member of `Good` out of a number"),
    ("name = 'HEIR'", "3: uses a string, which rules cannot"),
    ("return no_rule(s)", "3: calls `no_rule`, which is not a rule: mark it with @rule in "
                          "test_lint.py"),
    ("return a_rul(s)", "3: calls `a_rul`, nothing that this module knows; did you mean `a_rule`"),
    ("print(seat)", "3: calls `print`, a function that rules cannot call: note an Event"),
    ("return a_rule(s, seat)", "3: gives `a_rule` 2 arguments, and it takes 1: a_rule(s)"),
    ("return seat + mots", "3: uses `mots`, which nothing defines"),
    ("return Good.SILQ", "3: reads `Good.SILQ`, and `Good` has no member `SILQ`; did you mean "
                         "`SILK`?"),
    ("return c.good[seat].prize", "3: reads `c.good[seat].prize`, and the table has no column "
                                  "`prize`; did you mean `price`?"),
    ("return np.random.randint(3)", "3: calls `np.random.randint`, whose chance is not the "
                                    "game's: use roll(s, n)"),
    ("return np.zeros(3)[0]", "3: calls `np.zeros`, which makes an array"),
    ("s.gold[seat] = seat / 2", "3: writes a fraction into `s.gold[seat]`, which holds whole "
                                "numbers: divide with `//`"),
    ("s.gold[seat] /= 2", "3: writes a fraction into `s.gold[seat]`"),
    ("s.gould[seat] += 1", "3: reads `s.gould`, and State in state.py has no field `gould`; did "
                           "you mean `gold`"),
    ("return c.tribut", "3: reads `c.tribut`, and the content has no field `tribut`; did you "
                        "mean `tribute`"),
    ("s.seats = 1000", "3: writes 1000 into `seats`, whose type int8 holds -128 to 127"),
    ("def inner():\n    return 1", "3: defines `inner` inside"),
    ("return (lambda x: x)(seat)", "3: uses a lambda"),
])
def test_a_mistake_is_a_sentence(body, sentence):
    (found, *_) = said(body)
    assert found.startswith(sentence)


@pytest.mark.parametrize(("value", "said"), [
    ("s.gold[seat] < 3", "returns `s.gold[seat] < 3`"), ("1 if seat else Refusal.NONE",
                                                         "returns `1`")])
def test_a_refusal_is_a_member_of_its_enum(value, said):
    (function,) = ast.parse(f"@refuses(Ask.TURN)\ndef planted(s, seat):\n    return {value}\n").body
    ((line, found),) = [fault for fault in lint.faults_in(function, SCOPE, lint.records_of(GAME))
                        if "Refusal`, which" not in fault[1]]
    assert line == 3 and found.startswith(said)


@pytest.mark.parametrize("body", [
    "'''K-1 A docstring.'''\nreturn a_rule(s)",
    "first, last = 0, max(1, seat)\nfor kind in (Good.SALT, Good.WINE):\n    first += kind",
    "s.gold[seat] = np.int64(70000)\nreturn min(s.gold[seat], len(s.card))",
])
def test_what_rules_may_say(body):
    assert said(body) == []


def test_the_line_is_that_of_the_file(tmp_path):
    """Read from a copy of the toy's rules with a list in the rule `good`."""
    text = (GAME.folder / "rules.py").read_text()
    line = text.splitlines().index("def good(card):") + 2
    (tmp_path / "rules.py").write_text(text.replace("return card % N_GOODS", "return [card]"))
    (found,) = lint.faults_of(Faulty(folder=tmp_path))
    assert found.startswith(f"rules.py:{line}: `good` uses a list, which rules cannot")

