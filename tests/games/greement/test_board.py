"""G-1 to G-12: board, table, multipliers, profit, value, distance tax. G-Xn in a comment names a
worked example of the specification."""

import numpy as np
import pytest

from exchequer.core.content import ContentError
from exchequer.games.greement import GAME, rules
from exchequer.games.greement.board import (
    gift_tax,
    multiplier,
    profit_of,
    square_profit,
    square_tax,
    square_value,
    worth_of,
)
from exchequer.games.greement.state import MOST_MULTIPLIER, State
from exchequer.games.greement.words import square_name
from games.greement.estate import ANN, BEN, Estate, new_game, square_number


def tax(estate, seat, name):
    return int(square_tax(estate.s, estate.c, seat, square_number(name)))


def profit(estate, name):
    return int(square_profit(estate.s, estate.c, square_number(name)))


def value(estate, name):
    return int(square_value(estate.s, estate.c, square_number(name)))


def test_g1_two_to_six_players():
    assert GAME.seats == (2, 6)
    for seats in range(2, 7):
        assert new_game(seats).state.seats == seats
    with pytest.raises(ValueError, match="2 to 6"):
        new_game(7)


def test_g2_a_hundred_squares():
    kinds = np.bincount(new_game().state.kind, minlength=4)
    assert kinds.tolist() == [60, 30, 5, 5]               # land, mine, lake, mountain
    assert new_game(seed=2).state.kind.tolist() != new_game(seed=1).state.kind.tolist()
    with pytest.raises(ContentError, match="make 101 squares"):
        GAME.content({"lands": 61})


def test_g3_lakes_and_mountains_belong_to_nobody():
    estate = Estate(lakes="a1", mountains="a2").own(ANN, "a3").purse(ANN, 100).do("buy")
    assert not {"a1", "a2", "a3"} & estate.squares()
    assert {"a4", "b3", "j10"} <= estate.squares()
    assert "can be owned" in estate.why_not("square:a1")


def test_g4_connected_over_edges_only():
    estate = Estate().own(ANN, "c3")
    assert [tax(estate, ANN, name) for name in ("b3", "d3", "c2", "c4")] == [0, 0, 0, 0]
    assert tax(estate, ANN, "d4") == 8                    # a diagonal: distance 2
    assert tax(Estate().own(ANN, "a10"), ANN, "b1") > 0   # no wrap-around


def test_g5_manhattan_distance_and_gx1():
    # G-X1: own (2,2); (2,3) (2,4) (3,3) (5,6) -> d 1, 2, 2, 7
    estate = Estate().own(ANN, "c3").purse(ANN, 100).do("buy")
    lines = [line for _, line in estate.position.menu()]
    assert [tax(estate, ANN, name) for name in ("c4", "c5", "d4", "f7")] == [0, 8, 8, 28]
    assert "C4, brown land, for 2c" in lines
    assert "C5, brown land, for 2c and 8c tax" in lines
    assert "F7, brown land, for 2c and 28c tax" in lines


def test_g6_the_table_starts_as_printed():
    table = new_game().state.table.tolist()
    assert table == [2, 2, 3, 5, 4, 1, 1, 4, 2, 5, 6]


def test_g7_players_start_with_nothing():
    s = new_game(3).state
    assert s.cash[:3].tolist() == s.debt[:3].tolist() == s.turns[:3].tolist() == [0, 0, 0]
    assert State.itemsize <= 2048


def test_g8_g9_g10_multipliers_and_gx5():
    # G-X5: lake x2, mountain x3; c3 touches lakes b3 and d3 and the mountain c2: 2 * 2 * 3 = 12
    estate = Estate(lakes="b3 d3 h1", mountains="c2 f4 f6", mines="g1").table(lake=2, mountain=3)
    estate.own(ANN, "c3", use="crop").own(ANN, "f5", use="cattle").own(ANN, "g1")
    c = estate.c
    assert multiplier(estate.s, c, square_number("c3")) == 12
    assert profit(estate, "c3") == 36                     # 12 * 3
    assert profit(estate, "f5") == 54                     # two mountains: 9 * 6
    assert (profit(estate, "g1"), value(estate, "g1")) == (8, 10)   # mine at a lake: 2*4, 2*5
    assert profit_of(estate.s, c, ANN) == 36 + 54 + 8
    brown = Estate(lakes="b3 d3", mountains="c2").table(lake=2, mountain=3).own(ANN, "c3")
    assert (profit(brown, "c3"), value(brown, "c3")) == (0, 24)     # 12 * 2


def test_g9_profit_by_use():
    estate = Estate(mines="a4").own(ANN, "a1").own(ANN, "a2", "crop").own(ANN, "a3", "cattle")
    assert [profit(estate, name) for name in ("a1", "a2", "a3", "a4")] == [0, 3, 6, 4]


def test_g10_value_ignores_the_use():
    estate = Estate(mines="a4").own(ANN, "a1").own(ANN, "a2", "crop").own(ANN, "a3", "cattle")
    estate.own(ANN, "a4")
    assert [value(estate, name) for name in ("a1", "a2", "a3", "a4")] == [2, 2, 2, 5]
    assert worth_of(estate.s, estate.c, ANN) == 11


def test_g11_tax_for_a_purchase():
    estate = Estate(mines="c6").own(ANN, "c3")
    assert tax(estate, ANN, "c6") == 12                   # G-X3: distance 3, 5 + 12 = 17
    assert tax(estate.table(tax=1), ANN, "c6") == 3       # 5 + 3 = 8
    assert tax(estate, BEN, "j10") == 0                   # who owns nothing pays none
    estate.own(ANN, "c5")
    assert tax(estate, ANN, "c6") == 0                    # the nearest square counts


def test_g12_tax_for_a_gift_and_gx4():
    # G-X4: P (0,0) (0,1), Q (0,4) (9,9): distance 3
    estate = Estate().own(ANN, "a1 a2").own(BEN, "a5 j10")
    assert gift_tax(estate.s, estate.c, ANN, BEN) == gift_tax(estate.s, estate.c, BEN, ANN) == 12
    estate.own(BEN, "a3")
    assert gift_tax(estate.s, estate.c, ANN, BEN) == 0
    alone = Estate().own(ANN, "a1")
    assert gift_tax(alone.s, alone.c, ANN, BEN) == gift_tax(alone.s, alone.c, BEN, ANN) == 0


def test_gr2_diagonals_connect_with_the_switch():
    estate = Estate(adjacency=8, lakes="a1").table(lake=3).own(ANN, "b2", "crop")
    assert tax(estate, ANN, "c3") == 0
    assert tax(estate, ANN, "c4") == 12                   # still |1| + |2| = 3
    assert profit(estate, "b2") == 9                      # the lake at the corner counts
    with pytest.raises(ContentError, match="4 or 8"):
        GAME.content({"adjacency": 6})


@pytest.mark.parametrize("formula, taxes", [
    ("zero_then_d", [0, 8, 12]), ("d_minus_1", [0, 4, 8]), ("always_d", [4, 8, 12])])
def test_gr10_tax_formulas(formula, taxes):
    estate = Estate(tax_formula=formula).own(ANN, "c3")
    assert [tax(estate, ANN, name) for name in ("c4", "c5", "c6")] == taxes


def test_gr14_bank_price_beside_a_lake():
    plain = Estate(lakes="a1").table(lake=3).own(ANN, "c1").purse(ANN, 100)
    assert plain.do("buy", "square:b1").cash() == 98
    switched = Estate(lakes="a1", bank_price_multiplied=True).table(lake=3)
    switched.own(ANN, "c1").purse(ANN, 100).do("buy", "square:b1")
    assert switched.cash() == 94                          # 3 * 2


def test_gr15_mines_are_multiplied_unless_switched_off():
    estate = Estate(lakes="a1", mines="a2").table(lake=3)
    assert profit(estate, "a2") == 12
    estate = Estate(lakes="a1", mines="a2", mines_multiplied=False).table(lake=3)
    assert (profit(estate, "a2"), value(estate, "a2")) == (4, 5)


def test_gr16_improvements_count_with_the_switch_and_gx18():
    # G-X18: brown land; crop at a lake (x2); cattle; mine at a lake and a mountain (x1)
    def farm(**settings):
        estate = Estate(lakes="d1 g1", mountains="g3", mines="g2", **settings)
        return estate.table(lake=2).own(ANN, "a1").own(ANN, "d2", "crop").own(
            ANN, "j9", "cattle").own(ANN, "g2").purse(ANN, 7, 12)
    estate = farm()
    assert rules.score(estate.s, estate.c, ANN) == 13     # 2 + 4 + 2 + 10 + 7 - 12
    estate = farm(improvements_count=True)
    assert rules.score(estate.s, estate.c, ANN) == 24     # 2 + 8 + 9 + 10 + 7 - 12


def test_g64_multipliers_are_bounded():
    estate = Estate(lakes="a2 b1 b3 c2", adjacency=8, mountains="a1 a3 c1 c3")
    estate.table(lake=999, mountain=999).own(ANN, "b2", "cattle")
    assert multiplier(estate.s, estate.c, square_number("b2")) == MOST_MULTIPLIER


def test_names_of_squares():
    assert [square_name(n) for n in (0, 22, 99)] == ["a1", "c3", "j10"]
    assert [square_number(square_name(n)) for n in range(100)] == list(range(100))


def test_the_view_shows_what_the_rules_say():
    estate = Estate(lakes="b3 d3", mountains="c2", mines="c4 a1").table(lake=2, mountain=3)
    estate.own(ANN, "c3", use="crop").own(BEN, "c4").own(BEN, "a2", use="cattle").purse(ANN, 9)
    view = estate.position.view(ANN)
    for square in view["squares"]:
        number = square_number(square["name"])
        if square["kind"] in ("land", "mine"):
            assert square["profit"] == square_profit(estate.s, estate.c, number)
            assert square["value"] == square_value(estate.s, estate.c, number)
            assert square["multiplier"] == multiplier(estate.s, estate.c, number)
    assert [player["profit"] for player in view["players"]] == [
        profit_of(estate.s, estate.c, seat) for seat in (ANN, BEN)]
    assert (view["players"][ANN]["cash"], view["players"][BEN]["cash"]) == (9, None)
