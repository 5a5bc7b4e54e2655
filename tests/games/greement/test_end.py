"""G-61 to G-63, G-68: the hidden end, the bell, wealth and ties."""

import pytest

from exchequer.core.agenda import asked
from exchequer.core.build import Mode
from exchequer.core.content import ContentError
from exchequer.core.contract import leaders
from exchequer.core.log import entries
from exchequer.core.position import Position, Refused
from exchequer.games.greement import GAME, rules
from exchequer.games.greement.ending import finish
from exchequer.games.greement.state import Ask, Ending, Event, Happening
from games.greement.estate import ANN, BEN, CLEO, Estate, new_game, play, started


def play_rounds(position, rounds):
    """End every turn and let every event happen, until so many rounds are over."""
    while not position.is_over and position.state.round_number <= rounds:
        texts = [GAME.words.TEXTS.text(action) for action in position.legal()]
        play(position, next(t for t in ("end", "vote:let", "pass", texts[0]) if t in texts))
    return position


def test_g61_the_last_round_is_hidden_and_within_its_range():
    drawn = {int(new_game(seed=seed).state.last_round) for seed in range(60)}
    assert drawn == {8, 9, 10, 11, 12}
    position = new_game(seed=3)
    assert position.observe(ANN)[0].last_round == 0
    assert position.view(BEN)["last_round"] is None
    assert new_game(seed=3).state.last_round == position.state.last_round    # from the seed
    with pytest.raises(ContentError, match="comes after rmax"):
        GAME.content({"rmin": 13})


def test_g61_rounds_mode_ends_after_the_last_turn_of_the_round():
    position = play_rounds(started(3, rmin=2, rmax=2), 2)
    assert position.is_over and position.ending == "rounds"
    s = position.state
    assert s.turns[:3].tolist() == [2, 2, 2] and s.round_number == 2
    assert all(s.debt[seat] >= 8 for seat in range(3))    # 2 or more, doubled twice each


def test_g61_g68_the_bell_stops_everything_at_once():
    estate = Estate(seats=3, end_mode="clock").own(ANN, "a1").purse(ANN, 5, 5)
    estate.do("offer", "seat:2", "square:a1", "amount:1")
    assert estate.actor == BEN and "bell" in estate.moves()
    estate.do("bell")                                     # the table rings, whoever is asked
    assert estate.position.is_over and estate.position.ending == "bell"
    assert estate.debt() == 5                             # no multiplication any more
    assert estate.owner("a1") == ANN and estate.s.deal_from[1] == -1   # the offer is void
    assert "The bell rings!" in estate.told(CLEO)
    voting = Estate(end_mode="clock").events(Happening.GOLD_RUSH).vote("let").do("bell")
    assert voting.value("crop") == 3 and not voting.s.sealed.any()
    pledging = Estate(end_mode="clock").purse(ANN, 9).events(Happening.TIGHT_CREDIT)
    pledging.do("9c", "bell")
    assert pledging.cash() == 9 and not (pledging.s.pledged.any() or pledging.s.written.any())


def test_g61_the_clock_deadline_is_drawn_and_hidden():
    for seed in range(20):
        position = new_game(seed=seed, end_mode="clock", minutes=60)
        assert 0.85 * 3600 <= position.state.deadline <= 1.15 * 3600
        assert position.observe(ANN)[0].deadline == 0
    assert len({int(new_game(seed=s, end_mode="clock").state.deadline) for s in range(20)}) > 10


def test_g68_the_bell_is_the_tables_alone():
    assert "bell" not in Estate().moves()                 # rounds mode
    with pytest.raises(Refused):
        Estate().do("bell")
    assert "bell" not in Estate(end_mode="clock", bell=False).moves()    # a bot's content
    position = new_game(end_mode="clock")
    texts = ["bell"]                                      # even before the first square
    assert play(position, *texts).ending == "bell"
    again = Position(GAME, position.content, 2, 1, Mode.PYTHON)
    for action in position.actions:                       # an action, so a replay rings too
        again.play(action)
    assert again.state.tobytes() == position.state.tobytes()


def test_g68_a_clock_that_never_rings():
    position = play_rounds(started(2, end_mode="clock", bell=False, clock_rounds=3), 9)
    assert position.is_over and position.state.round_number == 3


@pytest.mark.parametrize("granularity, turns", [("turn", [1, 0]), ("round", [1, 1])])
def test_gr35_the_bell_may_wait(granularity, turns):
    position = started(2, end_mode="clock", end_granularity=granularity, seed=2)
    first = int(position.state.first)
    play(position, "bell")
    assert not position.is_over
    while not position.is_over:
        play(position, "end")
    assert position.state.turns[[first, 1 - first]].tolist() == turns
    assert position.ending == "bell"


def test_gr35_a_public_end():
    position = new_game(public_end=True, rmin=20, rmax=20)
    assert position.view(ANN)["last_round"] == 20


def test_g62_wealth_and_open_books():
    estate = Estate(seats=3, mines="a1").own(ANN, "a1").own(BEN, "b1", "cattle")
    estate.purse(ANN, 3, 10).purse(BEN, 1, 0).purse(CLEO, 0, 4)
    assert [rules.score(estate.s, estate.c, q) for q in (ANN, BEN, CLEO)] == [-2, 3, -4]
    hidden = estate.position.view(CLEO)["players"][ANN]
    assert (hidden["cash"], hidden["debt"]) == (None, None)
    estate.position.engine.bind(finish)(estate.s, estate.c, Ending.ROUNDS, estate.log)
    shown = estate.position.view(CLEO)["players"][ANN]
    assert (shown["cash"], shown["debt"]) == (3, 10)
    assert estate.s.winners == 1 << BEN
    told = {(int(e.seat), int(e.amount)) for e in entries(estate.log) if e.what == Event.WEALTH}
    assert {(ANN, -2), (BEN, 3), (CLEO, -4)} <= told


def richest(estate):
    """A bit for each who would win now."""
    return estate.position.engine.bind(leaders)(estate.s, estate.c, estate.position.seats)


def test_g63_ties():
    estate = Estate(seats=3).purse(ANN, 10, 5).purse(BEN, 6, 1)
    assert richest(estate) == 1 << BEN        # both 5: the smaller debt
    estate = Estate(seats=3).purse(ANN, 10, 5).own(BEN, "a1").purse(BEN, 8, 5)
    assert richest(estate) == 1 << BEN        # equal debts: more squares
    estate = Estate(seats=3).purse(ANN, 5).purse(BEN, 5)
    assert richest(estate) == 1 << ANN | 1 << BEN
    assert estate.s.winners == 0         # nobody has won yet


def test_an_ended_game_asks_nothing():
    position = play_rounds(started(2, rmin=1, rmax=1), 1)
    assert position.is_over and position.legal() == []
    assert "over" in position.refusal(3)
    assert asked(position.state) == -1 != Ask.TURN


def test_value_for_bots_prefers_profit_and_fears_debt():
    value = GAME.engine(Mode.PYTHON).value
    estate = Estate(seats=3).own(ANN, "a1", "cattle").own(BEN, "b1").purse(BEN, 0, 9)
    values = [float(value(estate.s, estate.c, 3, seat)) for seat in (ANN, BEN, CLEO)]
    assert values[ANN] > values[CLEO] > values[BEN]
    estate.purse(BEN, 0, 10**15).purse(CLEO, 10**15, 0)   # no overflow at the bounds
    assert all(0 <= float(value(estate.s, estate.c, 3, seat)) <= 1 for seat in (ANN, BEN, CLEO))
    estate.position.engine.bind(finish)(estate.s, estate.c, Ending.ROUNDS, estate.log)
    assert [float(value(estate.s, estate.c, 3, seat)) for seat in (ANN, BEN, CLEO)] == [0, 0, 1]
