"""Two seats that favour each other are found; seats that favour nobody are not."""

import types
from html import unescape

import pytest

from exchequer.core.chance import roll
from exchequer.core.log import ALL, note, note_for
from exchequer.core.measures import Measures
from exchequer.core.records import rule
from lab.planted import Planted
from toys.bazaar.rules import answer as answer_as_written
from toys.bazaar.state import Ask, Event

pytestmark = pytest.mark.xdist_group("lab")
FRIENDS = (0, 2)
BARGAINING = Measures(turns="turns", deals=(Event.PAID,), votes=(Event.DISCARDED,))


class Marketplace(Planted):
    """Bazaar in which everybody closes a deal and votes in each turn."""

    def has_module(self, name):
        return name == "measures" or super().has_module(name)

    def module(self, name):
        return types.SimpleNamespace(MEASURES=BARGAINING) if name == "measures" \
            else super().module(name)

    __hash__ = object.__hash__


@rule
def bargain_with(s, seat, other, log):
    note_for(log, Event.PAID, seat, other, 0, 0, ALL)


@rule
def anybody(s, seat):
    return (seat + 1 + roll(s, s.seats - 1)) % s.seats


@rule
def vote_each(s, followed, log):
    """Everybody as the dice say; the third seat as the first, where it follows."""
    first = roll(s, 2)
    for seat in range(s.seats):
        vote = first if seat == 0 or (seat == 2 and followed) else roll(s, 2)
        note(log, Event.DISCARDED, seat, vote, 1)


@rule
def answer_evenly(s, c, ask, seat, a, b, action, log):
    answer_as_written(s, c, ask, seat, a, b, action, log)
    if ask == Ask.TURN:
        bargain_with(s, seat, anybody(s, seat), log)
        vote_each(s, False, log)


@rule
def answer_as_friends(s, c, ask, seat, a, b, action, log):
    """Every other deal of the first and the third seat is with each other."""
    answer_as_written(s, c, ask, seat, a, b, action, log)
    if ask == Ask.TURN:
        favours = seat in FRIENDS and roll(s, 2) == 0
        bargain_with(s, seat, 2 - seat if favours else anybody(s, seat), log)
        vote_each(s, roll(s, 2) == 0, log)


def played(study, as_game, answer):
    return study(game=as_game(Marketplace({"answer": answer})), seats=4,
                 lineups=[{"bots": "random", "games": 150}])


def coalitions(found):
    return {one["id"]: one["text"] for one in found["findings"]
            if one["id"].startswith("coalition")}


def test_two_seats_that_favour_each_other_are_found(study, as_game):
    found, folder = played(study, as_game, answer_as_friends)
    said = coalitions(found)
    assert set(said) == {"coalition-deal-0-2", "coalition-vote-0-2"}
    assert said["coalition-deal-0-2"].startswith("The first seat and the third seat keep together:")
    html = unescape(folder.report.read_text())
    assert "Who deals and votes with whom" in html and "First and third" in html


@pytest.mark.parametrize("seed", [0, 1000])
def test_where_partners_change_by_chance_nobody_is_accused(study, as_game, seed):
    found, _ = study(game=as_game(Marketplace({"answer": answer_evenly})), seats=4, seed=seed,
                     lineups=[{"bots": "random", "games": 150}])
    assert coalitions(found) == {}


def test_a_run_of_an_earlier_edition_is_still_read(study, as_game):
    """It has no table of pairs."""
    _, folder = played(study, as_game, answer_evenly)
    (folder.path / "pairs.parquet").unlink()
    from exchequer.lab.tables import Tables
    assert len(Tables.read(folder.path).of("random").pairs) == 0
