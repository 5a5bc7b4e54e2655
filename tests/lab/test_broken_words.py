"""What a broken word costs: the report tells those who broke one from those who broke none."""

import re
import types
from html import unescape

import pytest

from exchequer.core.chance import roll
from exchequer.core.log import note
from exchequer.core.measures import Count, Measures
from exchequer.core.records import rule
from lab.planted import Planted
from toys.bazaar.rules import answer as answer_as_written
from toys.bazaar.state import Ask, Event

pytestmark = pytest.mark.xdist_group("lab")
WORD, BROKEN = 1, 2  # what tribute, which is 0, is not
PROMISES = Measures(turns="turns",
                    counts={"promises made": Count(Event.PAID, WORD),
                            "promises broken": Count(Event.PAID, BROKEN)},
                    ratios={"promises broken": ("promises broken", "promises made")})


class Oaths(Planted):
    """Bazaar in which everybody gives their word in each turn."""

    def has_module(self, name):
        return name == "measures" or super().has_module(name)

    def module(self, name):
        return types.SimpleNamespace(MEASURES=PROMISES) if name == "measures" \
            else super().module(name)

    __hash__ = object.__hash__


@rule
def gives_word(s, seat, log):
    """Returns whether it is broken, which happens now and then."""
    note(log, Event.PAID, seat, WORD, 0)
    is_broken = roll(s, 12) == 0
    if is_broken:
        note(log, Event.PAID, seat, BROKEN, 0)
    return is_broken


@rule
def answer_without_cost(s, c, ask, seat, a, b, action, log):
    answer_as_written(s, c, ask, seat, a, b, action, log)
    if ask == Ask.TURN:
        gives_word(s, seat, log)


@rule
def answer_at_a_cost(s, c, ask, seat, a, b, action, log):
    answer_as_written(s, c, ask, seat, a, b, action, log)
    if ask == Ask.TURN and gives_word(s, seat, log):
        s.gold[seat] = 0


def costs(study, as_game, answer) -> tuple[float, float, float]:
    """The difference that a broken word makes, and its interval, in percentage points."""
    _, folder = study(game=as_game(Oaths({"answer": answer})), seats=4,
                      lineups=[{"bots": "random", "games": 200}])
    html = unescape(folder.report.read_text())
    row = re.search(r"<tr>(?:(?!</tr>).)*Promises broken: random.*?</tr>", html, re.S)
    assert row and "What goes with it" in html
    last = re.findall(r"<td.*?</td>", row[0], re.S)[-1]
    found = [float(one) for one in re.findall(r"-?\d+\.?\d*", re.sub(r"<.*?>", " ", last))]
    return found[0], found[1], found[2]


def test_a_broken_word_that_costs_the_game_shows(study, as_game):
    gap, _, high = costs(study, as_game, answer_at_a_cost)
    assert gap < -10 and high < 0


def test_a_broken_word_that_costs_nothing_does_not(study, as_game):
    _, low, high = costs(study, as_game, answer_without_cost)
    assert low < 0 < high
