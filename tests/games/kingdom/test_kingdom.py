"""One test or more per paragraph of Kingdom's rulebook; the names begin with the paragraphs.

K-Xn in a comment names a worked example of the specification.
"""

import tomllib

import numpy as np
import pytest

from exchequer.core.agenda import AgendaFault, then
from exchequer.core.build import Mode
from exchequer.core.content import ContentError
from exchequer.core.contract import leaders
from exchequer.core.position import Position
from exchequer.games.kingdom import GAME, rules
from exchequer.games.kingdom.assets import absorption, free_slots, population_cap
from exchequer.games.kingdom.state import POOL_LIMIT, Ending, Event, Role
from games.kingdom.duel import A, B, Duel


def new_game(**settings):
    return Position(GAME, GAME.content(settings), seed=1, mode=Mode.PYTHON)


def play(position, *texts):
    for text in texts:
        position.play(text)
    return position


def events(position, move=-1):
    return [Event(entry.what).name for entry in position.logs[move]]


# The kingdoms ------------------------------------------------------------------------------------

def test_k1_two_players_and_a_moves_first():
    assert GAME.seats == (2, 2)
    assert new_game().actor == A


def test_k2_gold_is_never_negative():
    duel = Duel(gold=[1, 0])
    assert "in full" in duel.why_not("expand")            # 2 gold, 1 there
    assert "expand" not in duel.moves()


def test_k3_room_slots_and_absorption():
    duel = Duel(house=[2, 0], citadel=[1, 0], temple=[1, 0], lands=[3, 2], tilled=[1, 0],
                watchtower=[1, 0], castle_walls=[1, 0])
    assert population_cap(duel.s, duel.c, A) == 5         # 1 castle + 2 + 1 + 1
    assert free_slots(duel.s, A) == 0                     # 3 + 1 slots; 2 houses, farm, tower
    assert absorption(duel.s, duel.c, A) == 70            # 50 + 20
    assert absorption(duel.set(watchtower=[2, 0]).s, duel.c, A) == 100   # 120, at most 100


def test_k4_develop_needs_no_land():
    assert {"develop:house", "develop:farm", "develop:outpost",
            "develop:watchtower"} <= set(Duel().moves())


def test_k5_start_of_the_game():
    s = new_game().state
    assert s.lands.tolist() == [2, 2]
    assert s.tilled.tolist() == [0, 0]
    assert s.people[A].tolist() == [1, 0, 0, 0]
    assert s.developments[B].tolist() == [0, 1, 0, 0, 0]
    assert s.castle.tolist() == [10, 10]
    assert not s.built.any()


# Rounds ------------------------------------------------------------------------------------------

def test_k6_a_then_b_makes_a_round():
    position = new_game()
    assert [position.actor, position.state.round_number] == [A, 1]
    play(position, "end")
    assert [position.actor, position.state.round_number] == [B, 1]
    play(position, "end")
    assert [position.actor, position.state.round_number] == [A, 2]


def test_k7_k9_first_turn_of_a_runs_all_phases():
    position = new_game()                                 # K-X1: 10 + 2 income - 2 upkeep
    assert position.state.gold[A] == 10
    assert position.state.ap[A] == 1
    assert events(position, 0) == ["ROUND", "INCOME", "ACTION_POINTS", "UPKEEP"]


def test_k8_nothing_happens_after_the_end():
    duel = Duel(army=[50, 0], commander=[1, 0], castle=[10, 1])
    duel.act("attack")
    assert duel.position.is_over
    assert duel.position.legal() == []
    assert "over" in duel.why_not("end")


# Development Phase -------------------------------------------------------------------------------

@pytest.mark.parametrize(("happiness", "gold"), [(3, 3), (0, 2), (-3, 1), (-8, 1)])
def test_k10_k42_income_of_one_farm(happiness, gold):     # K-X10: 2 with +25, 0, -25, -50 %
    duel = Duel(happiness=[happiness, 0])
    assert rules.income(duel.s, duel.c, A) == gold


@pytest.mark.parametrize(("happiness", "gold"), [(4, 13), (8, 15), (-4, 7), (-9, 5)])
def test_k10_k46b_income_with_mill_and_temple(happiness, gold):
    duel = Duel(happiness=[happiness, 0], farm=[3, 1], mill=[1, 0], temple=[1, 0])
    assert rules.income(duel.s, duel.c, A) == gold        # K-X11: 3 * 3 + 1 = 10


def test_k11_action_points_of_b_in_the_first_round():
    position = play(new_game(), "end")                    # K-X2
    assert position.state.ap[B] == 2
    play(position, "end", "end")
    assert position.state.ap[B] == 1


@pytest.mark.parametrize(("council", "happiness", "ap"), [(3, -10, 1), (3, -9, 3), (1, -10, 0)])
def test_k11_half_the_points_when_revolting(council, happiness, ap):   # K-X12
    duel = Duel(council=[council, 1], happiness=[happiness, 0], round_number=2)
    duel.phase(rules.gain_action_points)
    assert duel.get("ap") == ap


def grown(name, value, settings=None, **fields):
    duel = Duel(settings, **{name: [value, 0]}, **fields)
    duel.phase(rules.develop_kingdom)
    return duel.get(name)


def test_k12_kr11_leaders_add_and_round_up_once():        # K-X3
    assert grown("army", 10, commander=[2, 0]) == 15      # 50 % of 10
    assert grown("fort", 5, fortifier=[3, 0]) == 9        # 5 + up(3.75)


def test_k12_growth_over_the_rounds():                    # K-X4
    duel = Duel(army=[1, 2], commander=[1, 2])
    one, two = [1], [2]
    for _ in range(11):
        duel.phase(rules.grow, A)
        one.append(duel.get("army", A))
    for _ in range(8):
        duel.phase(rules.grow, B)
        two.append(duel.get("army", B))
    assert one == [1, 2, 3, 4, 5, 7, 9, 12, 15, 19, 24, 30]
    assert two == [2, 3, 5, 8, 12, 18, 27, 41, 62]


@pytest.mark.parametrize(("army", "happiness", "result"), [(20, 0, 27), (100, 10, 155)])
def test_k12_barracks_growth_is_exact(army, happiness, result):        # K-X5: +35 %, +55 %
    assert grown("army", army, commander=[1, 0], barracks=[1, 0],
                 happiness=[happiness, 0]) == result


def test_k12_k46f_k46g_growth_of_barracks_and_citadel():
    assert grown("army", 7, commander=[2, 0], barracks=[1, 0]) == 12   # K-X6: 70 % of 7 = 4.9
    assert grown("fort", 13, fortifier=[1, 0], citadel=[1, 0]) == 19   # K-X7: 40 % = 5.2


def test_k12_no_growth_when_bitter_or_empty():            # K-X9
    assert grown("army", 10, commander=[2, 0], happiness=[-5, 0]) == 10
    assert grown("army", 10, commander=[2, 0], happiness=[-4, 0]) == 15
    assert grown("army", 0, commander=[2, 0]) == 0
    assert grown("army", 10, happiness=[10, 0]) == 10     # no leader, no bonus


# Upkeep Phase ------------------------------------------------------------------------------------

def test_k13_bill_by_roles():
    duel = Duel(council=[3, 1], commander=[2, 0], fortifier=[1, 0], citizen=[4, 0], gold=[20, 0])
    duel.upkeep()
    assert duel.get("gold") == 11                         # 3 * 2 + 2 + 1 + 0 = 9


def test_k14_the_owner_chooses_what_to_sell():
    duel = Duel(council=[2, 1], gold=[0, 0], mill=[1, 0], palace=[1, 0]).upkeep()
    assert duel.moves() == ["sell:farm", "sell:mill", "sell:palace"]
    assert "none of that" in duel.why_not("sell:market")
    duel.act("sell:mill")                                 # 7 // 2 = 3, still short of 4
    assert duel.get("gold") == 3
    duel.act("sell:farm")                                 # 4 pays the bill, selling stops
    assert duel.get("gold") == 0
    assert duel.get("palace") == 1


def test_k14_a_single_thing_is_sold_without_asking():     # K-X34, with 1 Farm
    duel = Duel(gold=[1, 0]).upkeep()
    assert duel.position.ending == "none"
    assert [duel.get("farm"), duel.get("gold")] == [0, 0]  # 1 + 1 - 2


@pytest.mark.parametrize(("building", "gold"), [
    ("town_charter", 2), ("mill", 3), ("raiders_guild", 4), ("plow_workshop", 5), ("market", 5),
    ("barracks", 6), ("citadel", 6), ("castle_walls", 7), ("castle_gardens", 7), ("temple", 8),
    ("palace", 10), ("great_hall", 11)])
def test_k14_half_price_rounded_down(building, gold):
    duel = Duel(gold=[0, 0], council=[10, 1], **{building: [1, 0]}).upkeep()
    duel.act(f"sell:{building}")
    sold = next(e for e in duel.position.logs[-1] if e.what == Event.SOLD_BUILDING)
    assert sold.amount == gold


def test_k15_what_a_sale_undoes():
    duel = Duel(gold=[0, 0], council=[30, 1], commander=[2, 0], army=[9, 0], fort=[9, 0],
                outpost=[1, 0], watchtower=[1, 0], barracks=[1, 0], citadel=[1, 0]).upkeep()
    duel.act("sell:outpost")
    assert [duel.get("army"), duel.get("fort")] == [8, 8]
    duel.act("sell:watchtower")
    assert duel.get("fort") == 6
    duel.act("sell:barracks")
    assert duel.get("army") == 6                          # 1 for each of 2 commanders
    duel.act("sell:citadel")
    assert duel.get("fort") == 1
    assert population_cap(duel.s, duel.c, A) == 1


def test_k15_castle_walls_take_their_fort_as_far_as_it_is_there():
    duel = Duel(gold=[0, 0], council=[30, 1], fort=[3, 0], castle_walls=[1, 0],
                temple=[1, 0]).upkeep()
    duel.act("sell:castle_walls")
    assert duel.get("fort") == 0
    assert absorption(duel.s, duel.c, A) == 0


def test_k16_desertion_by_rank():                         # K-X33
    duel = Duel(gold=[1, 0], council=[2, 1], commander=[2, 0], fortifier=[1, 0], army=[6, 0],
                mill=[1, 0]).upkeep()
    duel.act("sell:mill")                                 # 1 + 3, then the Farm by itself: 5
    assert [duel.get("commander"), duel.get("army")] == [0, 4]   # bill 7, 6, 5
    assert [duel.get("fortifier"), duel.get("council"), duel.get("gold")] == [1, 2, 0]


def test_k16_a_councillor_takes_an_action_point():
    duel = Duel(gold=[2, 0], council=[2, 1], farm=[0, 1], ap=[2, 0]).upkeep()
    assert [duel.get("council"), duel.get("ap"), duel.get("gold")] == [1, 1, 0]


def test_k17_k55_bankrupt():                              # K-X34
    duel = Duel(gold=[1, 0], farm=[0, 1]).upkeep()
    assert duel.position.ending == "bankruptcy"
    assert duel.position.winners() == [B]


def test_k18_k46k_palace_at_three_and_at_two():           # K-X27
    duel = Duel(gold=[30, 0], happiness=[3, 0], palace=[1, 0]).upkeep()
    assert [duel.get("happiness"), duel.get("palace_free")] == [2, 1]
    duel = Duel(gold=[30, 0], happiness=[2, 0], palace=[1, 0]).upkeep()
    assert [duel.get("happiness"), duel.get("palace_free")] == [2, 0]


def test_k18_gardens_cheer_an_unhappy_people():           # K-X28
    duel = Duel(gold=[30, 0], happiness=[-1, 0], castle_gardens=[1, 0], temple=[1, 0]).upkeep()
    assert duel.get("happiness") == 1                     # -1 -> 0, and the Temple: 1
    duel = Duel(gold=[30, 0], happiness=[0, 0], castle_gardens=[1, 0]).upkeep()
    assert duel.get("happiness") == 0


# Main Phase --------------------------------------------------------------------------------------

def test_k19_what_held_for_the_last_turn_is_over():
    duel = Duel(festival_open=[1, 1], held_festival=[1, 0], attacks=[2, 0], plow_token=[1, 0])
    rules.start_main(duel.s, duel.c, A)
    assert duel.both("festival_open") == [0, 1]
    assert [duel.get("held_festival"), duel.get("attacks"), duel.get("plow_token")] == [0, 0, 0]


def test_k20_points_are_spent_and_the_turn_ends_by_itself():
    position = play(new_game(), "tax")
    assert position.actor == B                            # A's only point is gone
    duel = Duel(ap=[2, 0], gold=[50, 0])
    duel.act("expand")
    assert duel.get("ap") == 1
    assert "no action point" in Duel(ap=[0, 0]).why_not("tax")


def test_k20_k36_unspent_points_are_lost():
    duel = Duel(ap=[3, 0]).act("end")
    assert duel.get("ap") == 0


def test_k21_pay_first_then_the_effects():
    duel = Duel(gold=[10, 0]).act("expand")
    assert [Event(e.what).name for e in duel.position.logs[-1]][:3] == [
        "PAID", "EXPANDED", "HAPPINESS"]


@pytest.mark.parametrize(("building", "cost"), [("mill", 5), ("barracks", 9), ("great_hall", 17)])
def test_k22_discount_at_five(building, cost):            # K-X21
    assert Duel(happiness=[5, 0]).cost(f"build:{building}") == cost


def test_k22_plow_token_and_discount():                   # K-X22
    assert Duel(plow_token=[1, 0]).cost("build:market") == 12
    assert Duel(plow_token=[1, 0], happiness=[5, 0]).cost("build:market") == 9   # 12 - up(2.4)


def test_k22_k46k_the_palace_pays_the_first_action_only():
    duel = Duel(gold=[0, 0], palace_free=[1, 0], plow_token=[1, 0])
    assert duel.cost("build:great_hall") == 0
    duel.act("decree:farm")
    assert [duel.get("palace_free"), duel.get("plow_token")] == [0, 0]   # the token is used up
    assert duel.cost("expand") == 2


def test_k23_effects_inside_effects_cost_nothing():       # K-X24
    duel = Duel(gold=[12, 0], town_charter=[1, 0]).act("decree:farm")
    assert [duel.get("gold"), duel.get("lands"), duel.get("tilled")] == [0, 3, 1]
    assert [duel.get("farm"), free_slots(duel.s, A)] == [2, 2]
    assert duel.get("happiness") == -1                    # +2 - 3


def test_k24_what_cannot_have_an_effect():
    duel = Duel(farm=[0, 1], happiness=[10, 0])
    assert "needs a Farm" in duel.why_not("overwork")
    assert "festival" in duel.moves()                     # though its happiness would be lost


def test_k25_overwork():                                  # K-X20
    duel = Duel(gold=[0, 0]).act("overwork")
    assert [duel.get("gold"), duel.get("happiness")] == [2, -1]
    duel = Duel(gold=[0, 0], farm=[3, 1], mill=[1, 0]).act("overwork")
    assert [duel.get("gold"), duel.get("happiness")] == [9, -2]


def test_k26_expand():
    duel = Duel(gold=[5, 0]).act("expand")
    assert [duel.get("gold"), duel.get("lands"), duel.get("happiness")] == [3, 3, 1]


def test_k27_develop_needs_a_free_slot():
    duel = Duel(gold=[9, 0]).act("develop:farm")
    assert [duel.get("farm"), duel.get("gold")] == [2, 6]
    assert "slots are taken" in duel.why_not("develop:farm")


def test_k28_k46e_tax():                                  # K-X19
    duel = Duel(gold=[0, 0], council=[2, 1], commander=[1, 0], market=[1, 0], ap=[3, 0])
    duel.act("tax")
    assert [duel.get("gold"), duel.get("happiness"), duel.get("ap")] == [15, -2, 2]


def test_k29_reallocate_from_the_council():               # K-X29
    duel = Duel(gold=[5, 0], council=[2, 1], ap=[2, 0])
    duel.act("reallocate:council-commander")
    assert [duel.get("ap"), duel.get("army"), duel.get("happiness"), duel.get("gold")] == [
        0, 1, -1, 0]


def test_k29_reallocate_to_the_council():                 # K-X30
    duel = Duel(gold=[9, 0], commander=[1, 0], army=[9, 0], ap=[1, 0])
    duel.act("reallocate:commander-council")
    assert [duel.get("ap"), duel.get("army")] == [1, 8]
    assert "last councillor" in Duel(gold=[9, 0]).why_not("reallocate:council-fortifier")
    assert "Nobody" in Duel(gold=[9, 0]).why_not("reallocate:commander-fortifier")


def test_k30_raise_population():                          # K-X31
    duel = Duel(gold=[10, 0], house=[1, 0], ap=[1, 0]).act("raise:council")
    assert [duel.get("ap"), duel.get("happiness"), duel.get("council")] == [1, 1, 2]
    assert "no room" in duel.why_not("raise:council")


def test_k31_royal_decree():
    duel = Duel(gold=[12, 0]).act("decree:watchtower")
    assert [duel.get("lands"), duel.get("tilled"), duel.get("watchtower")] == [3, 1, 1]
    assert duel.get("happiness") == -2                    # +1 - 3


def test_k32_one_attack_for_each_commander():
    duel = Duel(commander=[2, 0], army=[1, 0], fort=[0, 9], gold=[9, 9])
    duel.act("attack", "attack")
    assert "Each commander" in duel.why_not("attack")
    assert "festival" in Duel(commander=[1, 0], gold=[9, 0]).act("festival").why_not("attack")


def test_k33_festival():
    duel = Duel(gold=[9, 0], commander=[1, 0]).act("festival")
    assert [duel.get("happiness"), duel.get("festival_open"), duel.get("gold")] == [2, 1, 6]
    duel = Duel(gold=[9, 0], commander=[1, 0]).act("attack")
    assert "attack" in duel.why_not("festival")


def test_k34_k46d_plow_plow_tax():                        # K-X25
    duel = Duel(gold=[20, 0], plow_workshop=[1, 0], ap=[4, 0])
    assert duel.act("plow").get("gold") == 14
    assert duel.act("plow").get("gold") == 6              # 6 + 2
    assert duel.act("tax").get("gold") == 8               # - 2 + 4
    assert [duel.get("happiness"), duel.get("lands"), duel.get("tilled")] == [1, 4, 2]
    assert "Plow Workshop" in Duel(gold=[20, 0]).why_not("plow")


def test_k35_each_building_once():
    duel = Duel(gold=[20, 0]).act("build:mill")
    assert duel.get("gold") == 13
    assert "stands already" in duel.why_not("build:mill")


def test_k35_a_variant_may_make_building_itself_dearer():
    duel = Duel({"action": {"build": {"price": 3}}}, gold=[20, 0]).act("build:mill")
    assert duel.get("gold") == 20 - 7 - 3


def test_k36_ending_the_turn_needs_no_point():
    duel = Duel(ap=[1, 0])
    assert duel.moves()[0] == "end"
    duel.act("end")
    assert duel.position.actor in (A, B)


def test_k37_one_event_of_expand_and_charter():           # K-X23
    duel = Duel(gold=[9, 0], town_charter=[1, 0], temple=[1, 0])
    assert duel.cost("expand") == 4
    assert duel.act("expand").get("happiness") == 3       # 2 in one event, and the Temple
    duel = Duel(gold=[9, 0], town_charter=[1, 0], temple=[1, 0], happiness=[9, 0])
    assert duel.act("expand").get("happiness") == 10


# Army Attack -------------------------------------------------------------------------------------

def attack(**fields):
    return Duel(commander=[1, 0], **fields).act("attack")


def test_k38_overflow_hits_the_castle():                  # K-X13
    duel = attack(army=[5, 0], fort=[0, 1], gold=[0, 100])
    assert [duel.get("fort", B), duel.get("castle", B)] == [0, 6]
    assert duel.both("gold") == [25, 75]
    assert duel.both("happiness") == [1, -1]


def test_k38_absorption_and_tower():                      # K-X14
    duel = attack(army=[13, 0], fort=[0, 9], castle_walls=[0, 1], watchtower=[0, 1],
                  gold=[0, 40])
    assert [duel.get("fort", B), duel.get("castle", B)] == [4, 10]   # 13*30//100 = 3; 6 - 2
    assert duel.both("gold") == [0, 40]


def test_k38_festival_doubles_before_absorption():        # K-X15
    duel = attack(army=[7, 0], fort=[0, 4], castle_walls=[0, 1], festival_open=[0, 1],
                  gold=[0, 13])
    assert [duel.get("fort", B), duel.get("castle", B)] == [0, 3]    # 14*80//100 = 11
    assert duel.both("gold") == [3, 10]


def test_k38_rounds_down_under_a_tower():                 # K-X17
    duel = attack(army=[3, 0], fort=[0, 6], watchtower=[0, 1])
    assert duel.get("fort", B) == 3                       # 1 damage: 5, then - 2


def test_k38_k46c_raiders_guild():                        # K-X18
    duel = attack(army=[4, 0], raiders_guild=[1, 0], happiness=[9, -10], gold=[0, 13])
    assert [duel.get("castle", B), duel.get("gold", A)] == [6, 6]    # 13*50//100
    assert duel.both("happiness") == [10, -10]


def test_k39_the_army_stays_and_a_new_commander_attacks_at_once():
    duel = Duel(gold=[9, 0], house=[1, 0], army=[3, 0], fort=[0, 99])
    duel.act("raise:commander", "attack")
    assert duel.get("army") == 4


def test_k40_towers_fall_without_damage():                # K-X16
    duel = attack(army=[30, 0], fort=[0, 4], watchtower=[0, 2])
    assert [duel.get("watchtower", B), duel.get("fort", B), duel.get("castle", B)] == [0, 0, 10]


# Developments and buildings ----------------------------------------------------------------------

def test_k41_a_house_makes_room():
    duel = Duel(gold=[9, 0])
    assert "no room" in duel.why_not("raise:council")
    assert duel.act("develop:house").why_not("raise:council") == ""


def test_k43_k44_outpost_and_watchtower():
    duel = Duel(gold=[9, 0], lands=[4, 2]).act("develop:outpost", "develop:watchtower")
    assert [duel.get("army"), duel.get("fort")] == [1, 3]
    assert absorption(duel.s, duel.c, A) == 50


def test_k45_k46i_castle_gardens():                       # K-X26
    duel = Duel(gold=[15, 0]).act("build:castle_gardens")
    assert [duel.get("lands"), duel.get("tilled"), duel.get("garden")] == [4, 2, 2]
    assert [free_slots(duel.s, A), duel.get("happiness")] == [3, 2]
    duel = Duel(gold=[15, 0], temple=[1, 0]).act("build:castle_gardens")
    assert duel.get("happiness") == 4
    assert all("garden" not in move for move in duel.moves())


def test_k46_a_building_works_at_once():
    duel = Duel(gold=[30, 0], farm=[2, 1]).act("build:mill", "overwork")
    assert duel.get("gold") == 29                         # 30 - 7 + 2 * 3


@pytest.mark.parametrize(("building", "price"), [
    ("town_charter", 5), ("mill", 7), ("raiders_guild", 8), ("plow_workshop", 10), ("market", 10),
    ("barracks", 12), ("citadel", 12), ("castle_walls", 14), ("castle_gardens", 15),
    ("temple", 16), ("palace", 20), ("great_hall", 22)])
def test_k46_prices(building, price):
    assert Duel().cost(f"build:{building}") == price


def test_k46a_town_charter():
    duel = Duel(gold=[20, 0]).act("build:town_charter", "expand")
    assert [duel.get("gold"), duel.get("happiness")] == [11, 2]      # 20 - 5 - 4


def test_k46f_kr35_barracks_count_for_present_commanders():          # K-X32
    duel = Duel(gold=[30, 0], commander=[2, 0], army=[4, 0], house=[3, 0])
    assert duel.act("build:barracks").get("army") == 6
    assert duel.act("raise:commander").get("army") == 8


def test_k46g_k46h_citadel_and_walls():
    duel = Duel(gold=[50, 0]).act("build:citadel", "build:castle_walls")
    assert [duel.get("fort"), absorption(duel.s, duel.c, A)] == [10, 20]
    assert population_cap(duel.s, duel.c, A) == 2


def test_k46j_temple():
    duel = Duel(gold=[50, 0]).act("build:temple")
    assert population_cap(duel.s, duel.c, A) == 2
    assert rules.income(duel.s, duel.c, A) == 3           # a Farm and the Temple


def test_k46l_great_hall():
    duel = Duel(gold=[50, 0], lands=[5, 2], tilled=[2, 0]).act("build:great_hall", "expand")
    assert [duel.get("lands"), duel.get("tilled")] == [6, 5]


def test_k47_k48_k49_roles():
    duel = Duel(gold=[50, 0], house=[5, 0], ap=[5, 0])
    duel.act("raise:council", "raise:commander", "raise:fortifier")
    assert [duel.get("ap"), duel.get("army"), duel.get("fort")] == [3, 1, 1]   # 5 - 3 + 1


# Happiness ---------------------------------------------------------------------------------------

def test_k50_bands():
    duel = Duel()
    bands = {}
    for happiness in range(-10, 11):
        duel.set(happiness=[happiness, 0])
        tier = duel.c.tier[duel.c.band[happiness + 10]]
        bands[happiness] = (int(tier.income), int(tier.discount), int(tier.growth),
                            bool(tier.grows), bool(tier.half_ap))
    assert bands[10] == (50, 20, 20, True, False)
    assert bands[8] == bands[9] == (50, 20, 0, True, False)
    assert bands[5] == bands[7] == (25, 20, 0, True, False)
    assert bands[3] == bands[4] == (25, 0, 0, True, False)
    assert all(bands[h] == (0, 0, 0, True, False) for h in range(-2, 3))
    assert bands[-3] == bands[-4] == (-25, 0, 0, True, False)
    assert bands[-5] == bands[-7] == (-25, 0, 0, False, False)
    assert bands[-8] == bands[-9] == (-50, 0, 0, False, False)
    assert bands[-10] == (-50, 0, 0, False, True)


def test_k51_surplus_is_lost():
    duel = Duel(gold=[9, 0], happiness=[9, 0]).act("festival")
    assert duel.get("happiness") == 10
    assert Duel(happiness=[-10, 0]).act("tax").get("happiness") == -10


def test_k52_halves_are_added_before_rounding():
    assert Duel(farm=[4, 1], lands=[4, 2]).act("overwork").get("happiness") == -2
    assert Duel(citizen=[4, 0]).act("tax").get("happiness") == -3    # 5 people


def test_k53_temple_needs_a_real_rise():
    duel = Duel(gold=[9, 0], temple=[1, 0], happiness=[10, 0]).act("expand")
    assert duel.get("happiness") == 10
    duel = Duel(gold=[9, 0], temple=[1, 0], happiness=[-10, 0]).act("expand")
    assert duel.get("happiness") == -8                    # + 1, and the Temple once


# The end -----------------------------------------------------------------------------------------

def test_k54_conquest():
    duel = Duel(army=[10, 0], commander=[1, 0]).act("attack")
    assert [duel.position.ending, duel.position.winners()] == ["conquest", [A]]


def test_k56_points():
    duel = Duel(castle=[8, 10], gold=[47, 17], house=[15, 0], council=[7, 1],
                happiness=[-7, 6], mill=[1, 0], market=[1, 0], temple=[1, 0], palace=[1, 0],
                barracks=[1, 0])
    assert rules.score(duel.s, duel.c, A) == 24           # K-X35: 8 + 5 + 7 + 7 - 5 + 2
    assert rules.score(duel.s, duel.c, B) == 19           # K-X36: 10 + 2 + 0 + 1 + 6 + 0


def test_k56_after_the_last_round():
    position = new_game(turn_limit=2)
    play(position, "end", "end", "expand", "end")
    assert [position.ending, position.winners()] == ["points", [A]]


def winners(duel):
    """A bit for each who would win on points now."""
    return duel.position.engine.bind(leaders)(duel.s, duel.c, 2)


def test_k57_ties():
    duel = Duel(gold=[11, 10])
    assert winners(duel) == 1         # 12 points each, A has more gold
    assert winners(duel.set(gold=[10, 10])) == 3
    duel.set(castle=[9, 10], gold=[12, 10])               # 9 + 2 and 10 + 1: castle decides
    assert winners(duel) == 2


def test_k58_pools_are_bounded():
    duel = Duel(army=[POOL_LIMIT - 1, 0], commander=[9, 0])
    duel.phase(rules.grow)
    assert duel.get("army") == POOL_LIMIT
    duel.set(fort=[0, POOL_LIMIT]).turn_of(A).act("attack")
    assert duel.get("fort", B) == 0


def test_k59_kr21_committed_lists():
    position = new_game(turn_order="simultaneous")
    play(position, "tax", "build:mill", "end")            # A lists two, has one point
    assert position.actor == B
    assert position.state.gold[A] == 10                   # nothing has happened yet
    assert not position.observe(B)[0].plan[A].any()       # and B cannot see the list
    play(position, "expand", "end")
    told = events(position)
    assert told[:5] == ["COMMITTED", "PAID", "TAXED", "HAPPINESS", "SKIPPED"]
    assert position.state.followed[A][:2].tolist() == [7, 29]
    assert position.state.lands.tolist() == [2, 3]


def test_k59_a_full_list_is_committed():
    position = new_game(turn_order="simultaneous")
    play(position, *["tax"] * 16)
    assert position.actor == B


# Rulings -----------------------------------------------------------------------------------------

def test_kr1_literally_free_actions_need_a_limit():
    with pytest.raises(ContentError, match="free_action_limit"):
        GAME.content({"free_actions_cost_ap": False})
    duel = Duel({"free_actions_cost_ap": False, "free_action_limit": 1}, gold=[0, 0], ap=[0, 0])
    duel.act("tax")
    assert [duel.get("ap"), duel.get("gold")] == [0, 4]
    assert "as often" in duel.why_not("tax")
    assert duel.why_not("overwork") == ""


def test_kr2_absorption_after_doubling():
    duel = attack(army=[5, 0], festival_open=[0, 1], watchtower=[0, 1], fort=[0, 99])
    assert duel.get("fort", B) == 92                      # 10*50//100 = 5, tower - 2


def test_kr3_all_gains_can_be_scaled():
    settings = {"income_scope": "all_gold_gains"}
    assert Duel(settings, gold=[0, 0], happiness=[3, 0]).act("tax").get("gold") == 5   # 4 + 25 %
    duel = Duel(settings, gold=[0, 40], happiness=[8, 0], army=[1, 0], commander=[1, 0])
    assert duel.act("attack").both("gold") == [15, 30]    # loot 10, with + 50 % at + 9


@pytest.mark.parametrize(("rounding", "gold"), [("change_up", 3), ("down", 2), ("nearest", 3)])
def test_kr4_rounding_of_income(rounding, gold):
    duel = Duel({"income_rounding": rounding}, happiness=[3, 0])
    assert rules.income(duel.s, duel.c, A) == gold        # 2.5


def test_kr5_anger_per_unit():
    duel = Duel({"happiness_unit_rounding": "per_unit"}, farm=[3, 1], lands=[3, 2])
    assert duel.act("overwork").get("happiness") == -3


@pytest.mark.parametrize(("building", "cost"), [
    ("mill", 6), ("raiders_guild", 7), ("barracks", 10), ("castle_walls", 12), ("temple", 13),
    ("great_hall", 18), ("town_charter", 4), ("market", 8), ("castle_gardens", 12),
    ("palace", 16)])
def test_kr6_final_cost_up(building, cost):
    duel = Duel({"discount_rounding": "final_cost_up"}, happiness=[5, 0])
    assert duel.cost(f"build:{building}") == cost


def test_kr7_percent_then_flat():
    duel = Duel({"cost_order": "percent_then_flat"}, happiness=[5, 0], plow_token=[1, 0])
    assert duel.cost("build:market") == 10                # 10 - 2, + 2


def test_kr9_a_point_is_left():
    duel = Duel({"min_ap_at_minus10": 1}, happiness=[-10, 0], round_number=2)
    duel.phase(rules.gain_action_points)
    assert duel.get("ap") == 1


@pytest.mark.parametrize(("mode", "army"), [
    ("total", 17), ("per_leader", 19), ("multiplicative", 16)])
def test_kr10_growth_of_the_happiest(mode, army):         # K-X8
    assert grown("army", 10, {"growth_bonus_mode": mode}, commander=[2, 0],
                 happiness=[10, 0]) == army


def test_kr12_fort_is_lost_and_may_be_restored():
    assert grown("fort", 0, fortifier=[3, 0]) == 0
    assert grown("fort", 0, {"hr_fort_restore": True}, fortifier=[3, 0]) == 6   # 3 + up(75 %)


def test_kr13_a_fallen_tower_may_leave_its_fort():
    duel = Duel({"watchtower_keep_fort": True}, commander=[1, 0], army=[3, 0], fort=[0, 6],
                watchtower=[0, 1]).act("attack")
    assert duel.get("fort", B) == 5


def test_kr14_two_towers_absorb_everything_once():
    duel = attack(army=[100, 0], watchtower=[0, 2])
    assert [duel.get("castle", B), duel.get("watchtower", B)] == [10, 0]


def test_kr16_festival_after_attack_and_no_stacking():
    duel = Duel({"festival_after_attack": True}, gold=[9, 9], commander=[1, 0], fort=[0, 9])
    duel.act("attack", "festival", "festival")
    assert [duel.get("festival_open"), duel.get("happiness")] == [1, 4]


def test_kr17_loot_is_taken_at_that_moment():
    duel = Duel(commander=[2, 0], army=[1, 0], gold=[0, 5], happiness=[0, 0])
    duel.act("attack")
    assert duel.both("gold") == [1, 4]                    # 5*25//100
    duel.act("attack")
    assert duel.both("gold") == [2, 3]


def test_kr18_citizens():
    assert "role at once" in Duel(gold=[9, 0], house=[1, 0]).why_not("raise:citizen")
    duel = Duel({"raise_pop_citizen": True}, gold=[30, 0], house=[1, 0])
    duel.act("raise:citizen", "reallocate:citizen-commander")
    assert [duel.get("citizen"), duel.get("commander"), duel.get("army")] == [0, 1, 1]


def test_kr19_optional_and_no_liquidation():
    duel = Duel({"liquidation": "optional"}, gold=[2, 0], council=[2, 1], mill=[1, 0]).upkeep()
    assert duel.moves() == ["sell:farm", "sell:mill", "stop-selling"]
    duel.act("stop-selling")
    assert [duel.get("council"), duel.get("mill"), duel.get("gold")] == [1, 1, 0]
    duel = Duel({"liquidation": "none"}, gold=[1, 0], mill=[1, 0]).upkeep()
    assert duel.position.ending == "bankruptcy"


def test_kr20_deserters_may_stay_as_citizens():
    duel = Duel({"desertion_result": "citizen"}, gold=[2, 0], farm=[0, 1], commander=[2, 0],
                army=[5, 0]).upkeep()
    assert [duel.get("commander"), duel.get("citizen"), duel.get("army")] == [0, 2, 3]


def test_kr21_phase_by_phase():
    position = new_game(turn_order="phased")
    assert events(position, 0) == ["ROUND", "INCOME", "ACTION_POINTS", "INCOME", "ACTION_POINTS",
                                   "UPKEEP", "UPKEEP"]
    assert position.actor == A
    assert play(position, "end").actor == B


@pytest.mark.parametrize(("compensation", "ap", "gold"), [("ap1", 2, 10), ("none", 1, 10),
                                                          ("gold3", 1, 13)])
def test_kr22_compensation(compensation, ap, gold):
    s = play(new_game(compensation=compensation), "end").state
    assert [s.ap[B], s.gold[B]] == [ap, gold]


def test_kr23_unspent_points():
    position = play(new_game(unspent_ap="carry"), "end", "end")
    assert position.state.ap[A] == 2
    assert "must be spent" in Duel({"unspent_ap": "must_spend"}, ap=[1, 0]).why_not("end")


def test_kr24_random_end_is_uniform():
    lengths = []
    for seed in range(300):
        position = Position(GAME, GAME.content({"random_end": True, "random_end_first": 1,
                                                "random_end_last": 3}), seed=seed,
                            mode=Mode.PYTHON)
        while not position.is_over:
            position.play("end")
        lengths.append(int(position.state.round_number))
    counts = np.bincount(lengths, minlength=4)[1:]
    assert counts.sum() == 300
    assert counts.min() > 70                              # 100 each, sigma 8.2


def test_kr25_a_tie_may_stay_a_draw():
    duel = Duel({"tiebreak": "draw"}, gold=[11, 10])
    assert winners(duel) == 3


def test_kr27_shared_buildings():
    duel = Duel({"building_uniqueness": "shared"}, gold=[20, 0], mill=[0, 1])
    assert "stands already" in duel.why_not("build:mill")


def test_kr28_each_garden_may_cheer():
    duel = Duel({"gardens_happiness": "per_garden"}, gold=[30, 0], happiness=[-3, 0],
                garden=[2, 0], lands=[4, 2]).upkeep()
    assert duel.get("happiness") == -1
    duel = Duel({"gardens_happiness": "per_garden"}, gold=[30, 0], happiness=[-1, 0],
                garden=[2, 0], lands=[4, 2]).upkeep()
    assert duel.get("happiness") == 0                     # the second finds nobody unhappy


def test_kr29_palace_on_use_and_by_choice():
    duel = Duel({"palace_timing": "on_use"}, gold=[30, 0], happiness=[4, 0],
                palace=[1, 0]).upkeep()
    assert [duel.get("happiness"), duel.get("palace_free")] == [4, 1]
    duel.turn_of(A).act("expand")
    assert [duel.get("happiness"), duel.get("gold")] == [4, 28]      # + 1 - 1, free
    duel = Duel({"palace_optional": True}, gold=[30, 0], happiness=[4, 0], palace=[1, 0]).upkeep()
    assert duel.moves() == ["palace:use", "palace:leave"]
    duel.act("palace:leave")
    assert [duel.get("happiness"), duel.get("palace_free")] == [4, 0]


def test_kr30_great_hall_may_go_on():
    duel = Duel({"great_hall": "ongoing"}, gold=[50, 0]).act("build:great_hall", "expand")
    assert [duel.get("lands"), duel.get("tilled")] == [3, 3]
    assert duel.act("decree:farm").get("tilled") == 4     # already tilled, not twice


def test_kr31_temple_per_source():
    duel = Duel({"temple_granularity": "per_source"}, gold=[9, 0], town_charter=[1, 0],
                temple=[1, 0])
    assert duel.act("expand").get("happiness") == 4


def test_kr34_plow_for_the_rest_of_the_turn():
    duel = Duel({"plow_scope": "rest_of_turn"}, gold=[20, 0], plow_workshop=[1, 0])
    duel.act("plow", "tax", "tax")
    assert duel.get("gold") == 18                         # 20 - 6, twice - 2 + 4
    assert "in full" in Duel(gold=[1, 0], plow_token=[1, 0]).why_not("tax")


def test_kr36_nobody_leaves_when_room_shrinks():
    duel = Duel(gold=[3, 0], council=[2, 1], house=[1, 0], farm=[0, 1]).upkeep()
    assert [duel.get("house"), duel.get("council")] == [0, 2]
    assert "no room" in duel.set(gold=[9, 0], ap=[9, 0]).turn_of(A).why_not("raise:council")


def test_kr39_conquest_takes_no_loot():
    duel = attack(army=[99, 0], gold=[0, 40], watchtower=[0, 1])
    assert duel.both("gold") == [0, 40]
    assert duel.get("watchtower", B) == 1
    assert duel.s.ending == Ending.CONQUEST


# House rules -------------------------------------------------------------------------------------

def test_house_rules():
    duel = Duel({"hr_truce_rounds": 3}, commander=[1, 0], round_number=3)
    assert "truce" in duel.why_not("attack")
    assert duel.set(round_number=4).why_not("attack") == ""
    duel = Duel({"hr_attack_halves_army": True}, commander=[1, 0], army=[5, 0], fort=[0, 9])
    assert duel.act("attack").get("army") == 2            # loses up(2.5)
    duel = Duel({"hr_castle_hp": 30})
    assert duel.both("castle") == [30, 30]
    assert rules.score(duel.s, duel.c, A) == 12           # the castle still counts 10


def of_variant(name):
    return Position(GAME, GAME.variant(name), seed=1, mode=Mode.PYTHON)


def test_the_variants_have_a_title_and_a_summary():
    assert GAME.variants == ["tiny", "truce"]
    for name in GAME.variants:
        text = tomllib.loads((GAME.folder / "variants" / f"{name}.toml").read_text())
        assert text["title"] and text["summary"].endswith(".")


def test_the_variant_truce_allows_no_attack_before_the_ninth_round():
    position = of_variant("truce")
    state = position.state
    state.people[A, Role.COMMANDER] = 1
    for number in range(1, 9):
        state.round_number = number
        assert "truce" in position.refusal(GAME.words.TEXTS.action("attack"))
    state.round_number = 9
    assert position.refusal(GAME.words.TEXTS.action("attack")) == ""


def test_the_variant_tiny_ends_after_one_round():
    position = of_variant("tiny")
    while not position.is_over:
        play(position, "end")
    assert len(position.actions) == 2


@pytest.mark.parametrize("name", GAME.variants)
def test_random_games_end_under_every_variant(name):
    results, _, _ = GAME.engine(Mode.COMPILED).run_batch(
        GAME.variant(name).record, 2, np.arange(200, dtype=np.uint64), GAME.step_limit)
    assert (results["ending"] > 0).all()
    assert (results["fault"] == 0).all()


# Items nobody handles ----------------------------------------------------------------------------

def test_a_step_or_a_question_nobody_handles_is_a_fault():
    duel = Duel()
    then(duel.s, 199, A, 0, 0)
    duel.go_on()
    assert [duel.s.agenda_fault, duel.s.agenda_fault_item] == [AgendaFault.NO_HANDLER, 199]
    duel = Duel()
    then(duel.s, 99, A, 0, 0)
    assert duel.position.legal() == []
    duel.position.engine.apply(duel.s, duel.c, 0, duel.log)
    assert [duel.s.agenda_fault, duel.s.agenda_fault_item] == [AgendaFault.NO_HANDLER, 99]


# Every switch ------------------------------------------------------------------------------------

SWITCHES = [(key, name) for key, kind in GAME.schema.rules.items() if hasattr(kind, "names")
            for name in kind.names] + [
    (key, True) for key, kind in GAME.schema.rules.items() if kind.allowed == "true or false"]


@pytest.mark.parametrize(("key", "value"), SWITCHES, ids=lambda v: str(v))
def test_random_games_end_under_every_switch(key, value):
    settings = {key: value}
    results, _, _ = GAME.engine(Mode.COMPILED).run_batch(
        GAME.content(settings).record, 2, np.arange(200, dtype=np.uint64), GAME.step_limit)
    assert (results["ending"] > 0).all()
    assert (results["fault"] == 0).all()
