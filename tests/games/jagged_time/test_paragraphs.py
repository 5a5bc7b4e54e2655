"""One test or more per paragraph J-n of the rulebook; the names begin with the paragraphs.

The card tables are tested in test_cards.py, the rulings J-Rn in test_rulings.py, the worked
examples of the specification in test_examples.py.
"""

import numpy as np
import pytest

from exchequer.core.agenda import AgendaFault, then
from exchequer.core.build import Mode
from exchequer.core.content import read_toml
from exchequer.core.contract import LAPSED, go_on
from exchequer.core.piles import pile_size
from exchequer.core.position import Position
from exchequer.games.jagged_time import GAME, rules
from exchequer.games.jagged_time.cards import make
from exchequer.games.jagged_time.objectives import crisis_cards
from exchequer.games.jagged_time.state import Ask, Ending, Event, Phase, Pile, Step
from exchequer.games.jagged_time.tables import FIRST_OBJECTIVE, MILESTONE, N_CARDS, N_OBJECTIVES
from games.jagged_time.realm import Realm


def new_game(settings=None, seed=1):
    return Position(GAME, GAME.content(settings or {}), seed=seed, mode=Mode.PYTHON)


def ids(position, pile):
    cards = position.content.words["index"]["cards"]
    first, last = position.state.start[pile], position.state.start[pile + 1]
    return sorted(cards[position.state.kind[t]] for t in position.state.card[first:last])


# Cards and zones ---------------------------------------------------------------------------------

def test_j1_copies_are_interchangeable_and_ids_differ():
    realm = Realm(hand="C1 C1 C21 C22", banks="6/6/6/6")
    assert realm.moves().count("play:c1") == 1            # equal copies are one move
    assert {"play:c21", "play:c22"} <= set(realm.moves())  # one name, two cards


def test_j2_every_card_is_in_one_zone():
    realm = Realm(hand="C1", deck="C4", disc="C5", slots="O7", odeck="O18", odisc="O5")
    assert (realm.hand, realm.deck, realm.disc) == ("C1", "C4", "C5")
    assert (realm.slots, realm.odeck, realm.odisc) == ("O7 t2, -, -", "O18", "O5")
    assert sorted(realm.s.card) == list(range(N_CARDS))


def test_j3_left_to_right_and_slots_do_not_slide():
    realm = Realm(slots="O36 t1, O7, O39 t1", milestone="M1 t1").clocks()
    failed = [int(e.thing) for e in realm.log[1:] if e.what == Event.TIMER_OUT]
    timers = realm.content.words["index"]["timers"]
    assert [timers[t] for t in failed] == ["O36", "O39", "M1"]
    assert realm.slots == "-, O7 t1, -"


def test_j4_control_is_every_action_card_of_yours():
    realm = Realm(hand="C1", deck="C4 C4", disc="C5", slots="O7", odisc="O36")
    assert realm.controlled == 4


def test_j5_counters_go_with_the_card():
    realm = Realm(banks="6/3/3/3", slots="O38", phase="resolution").play("resolve:slot-1-a")
    assert realm.s.progress[0, 0] == 1
    realm.do(["replace O17"])
    assert (realm.s.progress[0, 0], realm.s.timer[0]) == (0, 0)


def test_j6_named_clocks_outlive_their_cards():
    realm = Realm(slots="O11 t1", phase="resolution").play("resolve:slot-1-a")
    assert realm.clock("Raid Beyond the Cataracts") == 1
    realm = Realm(slots="O11 t1")
    realm.s.clock[1] = 1
    assert realm.clocks().clock("Raid Beyond the Cataracts") == 1   # failed, clock unchanged
    assert GAME.content().words["index"]["clocks"][:4] == [
        "Tax Collection", "Raid Beyond the Cataracts", "Raid the Sable Coast Princes",
        "Raid the Kingdom of the Cedars"]


def test_j7_subtypes_are_what_other_cards_refer_to():
    realm = Realm(hand="C18 C2 C5 C13", banks="3/3/3/3").play("play:c18")
    assert realm.s.bank[3] == 2                           # C2 alone is statecraft: 2 food less 1
    assert realm.hand == "C3 C3 C5 C13"


def test_j8_crisis_cards_and_tiers():
    c = GAME.content().record
    cards = GAME.content().words["index"]["cards"]
    tiers = {card: int(c.card[i].crisis) for i, card in enumerate(cards)
             if c.card[i].crisis and c.card[i].act == 1}
    assert tiers == {"O2": 1, "O36": 1, "O39": 1, "O42": 1, "O45": 1, "O4": 2, "O23": 2, "O37": 2,
                     "O40": 2, "O43": 2, "O46": 2, "O38": 3, "O41": 3, "O44": 3, "O47": 3}


def test_j9_a_card_enters_with_its_printed_counters():
    realm = Realm(slots="-", odeck="O14 O19 O37").reset()
    assert realm.slots == "O14 t4 m1, O19 t3, O37 m2"


# Resources ---------------------------------------------------------------------------------------

def test_j10_banks_maxima_and_draw_limit():
    realm = Realm()
    assert (realm.maxima, realm.s.draw_limit) == ("6/6/6/6", 5)
    realm.do(["max food +9", "draw_limit +9"])
    assert (realm.s.maximum[3], realm.s.draw_limit) == (12, 12)
    realm.do(["draw_limit -15"])
    assert realm.s.draw_limit == 0


def test_j11_gains_stop_at_the_maximum():
    realm = Realm(banks="5/0/0/0").do(["gain might 3"])
    assert realm.bank == "6/0/0/0"
    assert (realm.s.gained_turn[0], realm.s.gained_phase[0]) == (3, 3)
    realm.set(phase=Phase.RESOLUTION).do(["gain might 1"])
    assert (realm.s.gained_turn[0], realm.s.gained_phase[0]) == (4, 3)


def test_j12_spending_must_be_covered():
    realm = Realm(banks="3/3/3/1", hand="C2 C4")
    assert "in full" in realm.why_not("play:c2")
    assert realm.play("play:c4").odisc == ""


def test_j13_j14_each_missing_unit_is_a_misfortune():
    realm = Realm(banks="1/1/1/1").do(["lose might 3", "lose stability 2", "lose influence 2",
                                       "lose food 2", "gain food 1"])
    assert realm.bank == "0/0/0/1"                        # the text goes on after the misfortunes
    assert realm.odisc == "O36 O36 O39 O42 O45"


def test_j15_a_falling_maximum_cuts_the_bank_without_misfortune():
    realm = Realm(banks="6/3/3/3").do(["max might -2"])
    assert (realm.bank, realm.maxima, realm.odisc) == ("4/3/3/3", "4/6/6/6", "")


# Setup -------------------------------------------------------------------------------------------

def test_j16_j17_start_of_the_game():
    s = new_game().state
    assert list(s.bank[:4]) == [3, 3, 3, 3]
    assert (s.turn, s.draw_limit, s.next_draw) == (1, 5, 0)
    assert not s.clock.any()
    assert GAME.content().words["index"]["cards"][s.milestone] == "M1"
    assert s.timer[MILESTONE] == 3


def test_j18_nine_objectives_three_in_the_agenda():
    position = new_game()
    agenda = [card for slot in range(3) for card in ids(position, Pile.SLOT + slot)]
    deck = ids(position, Pile.OBJECTIVE_DECK)
    assert (len(agenda), len(deck)) == (3, 6)
    starting = {"O1", "O3", "O5", "O7", "O11", "O12", "O13", "O18", "O19"}
    assert set(agenda + deck) == starting


def test_j19_ten_actions_five_in_hand():
    position = new_game()
    hand, deck = ids(position, Pile.HAND), ids(position, Pile.DECK)
    assert (len(hand), len(deck)) == (5, 5)
    assert sorted(hand + deck) == ["C1"] * 4 + ["C2"] * 2 + ["C4"] * 3 + ["C5"]


def test_j20_the_first_games_agenda():
    position = new_game({"tutorial_agenda": True})
    assert [ids(position, Pile.SLOT + n) for n in range(3)] == [["O1"], ["O11"], ["O18"]]
    assert len(ids(position, Pile.OBJECTIVE_DECK)) == 6


# The turn ----------------------------------------------------------------------------------------

def test_j21_the_phases_in_order():
    realm = Realm(slots="O20, O7, O18", hand="C4", deck="C1 " * 6, phase="turn")
    realm.play("play:c4").stop().stop()
    order = [Event(e.what) for e in realm.log[1 : realm.log[0].amount + 1]]
    marks = [Event.TURN, Event.UPKEEP, Event.PLAYED, Event.PHASE, Event.DREW]
    assert [order.index(mark) for mark in marks] == sorted(order.index(mark) for mark in marks)
    assert realm.s.turn == 2


def test_j22_cards_that_act_at_the_start_of_a_turn():
    realm = Realm(banks="0/0/0/0", slots="O20, -, O20", phase="turn")
    assert realm.bank == "0/2/2/0"
    assert realm.s.gained_phase[1] == 2                   # counts for this Action Phase
    assert list(realm.s.upkeep[:3]) == [1, 0, 1]


def test_j23_stop_at_any_time_but_for_a_mandatory_card():
    realm = Realm(hand="C1 C15")
    assert "stop" not in realm.moves()
    assert "mandatory" in realm.why_not("stop")
    assert "stop" in realm.play("play:c15").moves()
    assert "not in your hand" in realm.why_not("play:c2")


def test_j24_a_play_from_payment_to_discard():
    realm = Realm(hand="C1 C3", banks="3/3/3/3").play("play:c1", "play:c3")
    assert (realm.bank, realm.disc, realm.removed) == ("4/2/3/5", "C1", "C3")
    assert realm.clock("Tax Collection") == 1
    assert (realm.s.plays, realm.s.played[0]) == (2, 1)
    dear = {"action": {"C15": {"cost": [{"food": 1}]}}}
    held = Realm(dear, hand="C15", banks="2/3/3/2").play("play:c15")
    assert held.events(Event.PROVINCE_HELD)               # needs 3 of might and food: 2 + 1
    failed = Realm(dear, hand="C15", banks="2/3/3/1").play("play:c15")
    assert failed.events(Event.PROVINCE_FAILED)           # 3 before the payment, 2 after it


def test_j25_a_card_that_comes_to_hand_can_be_played():
    realm = Realm(hand="C2", banks="3/3/3/2").play("play:c2")
    assert "play:c3" in realm.moves()
    assert realm.play("play:c3", "play:c3").bank == "5/3/3/0"


def test_j26_the_resolving_card_is_not_reshuffled():
    realm = Realm(hand="C19", disc="C1").play("play:c19")
    assert (realm.hand, realm.disc, realm.deck) == ("C1", "C19", "")


def test_j27_after_the_guard_only_mandatory_cards():
    realm = Realm({"play_guard": 1}, hand="C3 C3 C15").play("play:c3")
    assert realm.moves() == ["play:c15"]
    assert "only mandatory" in realm.why_not("play:c3")
    assert realm.play("play:c15").moves() == ["stop"]


def test_j28_retained_then_seasonal_then_discard():
    seasonal = {"action": {"C90": {"name": "Flood", "subtypes": ["seasonal"],
                                   "retained": ["gain food 1"]}}}
    realm = Realm(seasonal, hand="C90 C1").stop()
    assert (realm.bank, realm.removed, realm.disc, realm.hand) == ("3/3/3/4", "C90", "C1", "")


def test_j29_steps_as_long_as_they_can_be_paid():
    realm = Realm(banks="6/3/3/0", slots="O11, O7", phase="resolution")
    realm.play("resolve:slot-1-a", "resolve:slot-2-a")    # 4 food from the raid pay for O7
    assert realm.bank == "3/4/3/2"
    assert realm.stop(until=Step.TIMERS).s.phase == Phase.CLOCKS


def test_j30_the_kinds_of_steps():
    realm = Realm(banks="3/4/4/3", slots="O7, O18, O19", disc="C1 " * 10, phase="resolution")
    assert set(realm.moves()) == {
        "resolve:slot-1-a", "resolve:slot-1-b", "resolve:slot-2-a", "resolve:slot-2-b",
        "resolve:slot-3-a", "resolve:milestone-a", "resolve:milestone-b", "stop"}
    assert "no such" in realm.why_not("resolve:slot-3-b")
    assert "no card in that slot" in Realm(phase="resolution").why_not("resolve:slot-1-a")


def test_j31_return_or_removal():
    realm = Realm(banks="3/3/3/6", slots="O7, O42", phase="resolution")
    realm.play("resolve:slot-1-a", "resolve:slot-2-b")
    assert (realm.odisc, realm.removed) == ("O7", "O42")


def test_j32_a_resolved_milestone_waits():
    realm = Realm(banks="3/4/4/3", phase="resolution").play("resolve:milestone-b")
    assert realm.disc == "C12"
    assert "resolved" in realm.why_not("resolve:milestone-a")
    assert realm.clocks().s.timer[MILESTONE] == 3
    assert realm.reset().milestone == "M2 t4"


def test_j33_victory_on_a_track():
    realm = Realm(banks="3/6/3/3", slots="O40 m5", phase="resolution").play("advance:slot-1")
    assert (realm.slots, realm.removed, realm.s.next_draw) == ("-, -, -", "O40", 2)
    realm = Realm(slots="O4 m5", phase="resolution").play("advance:slot-1")
    assert (realm.slots, realm.removed) == ("O17, -, -", "")


def test_j34_conditions():
    realm = Realm(slots="O1, O2", milestone="M3", phase="resolution")
    assert "resolve:slot-2-a" in realm.moves()
    realm.s.gained_phase[3], realm.s.gained_phase[1] = 2, 1
    realm.s.gained_turn[0] = 6
    assert {"resolve:slot-1-a", "resolve:milestone-a"} <= set(realm.start("resolution").moves())
    realm.lay_piles(disc="C15 C16 C21")
    assert "resolve:milestone-b" in realm.start("resolution").moves()


# Advance Clocks ----------------------------------------------------------------------------------

def test_j35_timers_tick_once_a_turn():
    assert Realm(slots="O7, O5, O18", milestone="M1 t2").clocks().slots == "O7 t1, O5 t2, O18 t2"


def test_j36_what_becomes_of_a_failed_card():
    realm = Realm(slots="O1 t1, O14 t1 m6", milestone="M2 t1").clocks()
    assert realm.slots == "-, O14 t4 m2, -"               # returned; reset
    assert (realm.disc, realm.odisc, realm.milestone) == ("C9", "O1 O36 O39", "M2 t4")
    gone = {"objective": {"O1": {"timer": {"size": 3, "effect": [], "then": "destroy"}}}}
    assert Realm(gone, slots="O1 t1").clocks().removed == "O1"


def test_j37_an_advanced_project_pauses():
    realm = Realm(slots="O19 t1", phase="resolution").play("resolve:slot-1-a")
    assert realm.clocks().slot(0) == "O19 t1"
    assert Realm(slots="O19 t1").clocks().slot(0) == "-"


def test_j38_markers_fall_once_a_turn():
    assert Realm(slots="O14 m4, O37 m3", milestone="M4 m5").clocks().slots == \
        "O14 t3 m3, O37 m2, -"


def test_j39_markers_stay_on_their_track():
    realm = Realm(slots="O14 m2 t1").clocks()             # -3 from 2: beaten in the first pass
    assert (realm.slots, realm.odisc) == ("-, -, -", "O11")
    realm = Realm(slots="O14 m5", banks="6/3/3/3", phase="resolution")
    assert realm.play("advance:slot-1", "choose:1").removed == "O14"


def test_j40_defeat_by_what_follows():
    returned = Realm(banks="3/3/3/3", slots="O40 m1", deck="C1 C1 C1 C1").clocks()
    assert (returned.odisc, returned.deck, returned.disc) == ("O40 O40 O45", "C1", "C1 C1 C1")
    assert Realm(slots="O14 m1").clocks().removed == "O14"
    assert Realm(slots="O4 m1").clocks().slot(0) == "O4 m1"


# Reset Phase -------------------------------------------------------------------------------------

def test_j41_the_reset_phase():
    realm = Realm(slots="-, O7, -", odeck="O5", odisc="O18", deck="C1 " * 9, milestone_resolved=1)
    realm.s.gained_turn[0], realm.s.played[0], realm.s.advanced[1] = 3, 1, 1
    realm.reset()
    assert realm.slots == "O5 t3, O7 t2, O18 t3"          # the discard became the deck
    assert realm.milestone == "M2 t4"
    assert len(realm.hand.split()) == 5
    assert not (realm.s.gained_turn.any() or realm.s.played.any() or realm.s.advanced.any())
    assert realm.s.turn == 2


# What cards do -----------------------------------------------------------------------------------

def test_j42_amounts():
    realm = Realm(banks="3/3/3/3").do(["gain food 2", "lose might 1", "max influence +2",
                                       "max_all -1"])
    assert (realm.bank, realm.maxima) == ("2/3/3/5", "5/5/7/5")


def test_j43_gained_cards_go_to_their_discard():
    realm = Realm().do(["card C8", "card O2 x3"])
    assert (realm.disc, realm.odisc) == ("C8", "O2 O2 O2")


def test_j44_to_hand():
    assert Realm().do(["hand C13 x2"]).hand == "C13 C13"


def test_j45_draw():
    assert Realm(deck="C5 C4 C1").do(["draw 2"]).hand == "C4 C5"


def test_j46_next_draw_changes_one_draw_only():
    realm = Realm(deck="C1 " * 20).do(["next_draw +2"]).reset()
    assert len(realm.hand.split()) == 7
    assert realm.s.next_draw == 0


def test_j47_the_draw_limit_changes_for_good():
    realm = Realm(deck="C1 " * 20).do(["draw_limit -1"]).reset()
    assert len(realm.hand.split()) == 4
    assert realm.s.draw_limit == 4


def test_j48_disrupt():
    realm = Realm(deck="C5 C4 C1").do(["disrupt 2"])
    assert (realm.deck, realm.disc) == ("C1", "C4 C5")


def test_j49_recur():
    realm = Realm(disc="C1 C4 C5").do(["recur 2"])
    assert realm.moves() == ["take:c1", "take:c4", "take:c5"]
    assert realm.play("take:c5", "take:c1").hand == "C1 C5"


def test_j50_reshuffle():
    realm = Realm(disc="C1 C4 C5", deck="C2").do(["reshuffle 2"]).play("take:c4", "take:c5")
    assert (realm.disc, sorted(realm.deck.split())) == ("C1", ["C2", "C4", "C5"])


def test_j51_scout():
    realm = Realm(odeck="O36 O18 O7").do(["scout 2"])
    assert realm.moves() == ["bottom:1", "bottom:2", "stop"]
    assert realm.play("bottom:2").odeck == "O36 O7 O18"
    assert Realm().do(["scout 2"]).moves() == ["stop"]    # nothing to see: the Action Phase goes on


def test_j52_delay():
    realm = Realm(slots="O7 t1, O5 t3, O18 t1", milestone="M1 t1").do(["delay 1"])
    assert realm.moves() == ["place:slot-1", "place:slot-3", "place:milestone"]
    assert realm.play("place:slot-3").slots == "O7 t1, O5 t3, O18 t2"


def test_j53_transform():
    realm = Realm(hand="C4", deck="C4 C4", disc="C4").do(["transform C4->C17 x2"])
    assert realm.moves() == ["zone:hand", "zone:discard", "zone:deck"]
    realm.play("zone:hand", "zone:deck")
    assert (realm.hand, realm.disc) == ("C17", "C4")
    assert sorted(realm.deck.split()) == ["C17", "C4"]


def test_j54_become():
    realm = Realm(slots="O7, O5").do(["become O14"], place=1)
    assert (realm.slots, realm.odisc, realm.removed) == ("O7 t2, O14 t4 m1, -", "", "")


def test_j55_replace():
    realm = Realm(slots="O7, -, O5").do(["replace O17"])
    assert realm.moves() == ["place:slot-1", "place:slot-3"]
    assert "no card in that slot" in realm.why_not("place:slot-2")
    assert realm.play("place:slot-3").slots == "O7 t2, -, O17"
    assert realm.odisc == "O5"
    assert Realm().do(["replace O17"]).slots == "O17, -, -"


def test_j56_copy():
    realm = Realm(hand="C2", deck="C27", disc="C4").do(["copy sub:troop"])
    assert realm.moves() == ["take:c2", "take:c27"]
    assert realm.play("take:c27").disc == "C4 C27"


def test_j57_destroy():
    assert Realm(slots="O7").do(["destroy self"], place=0).removed == "O7"
    realm = Realm(hand="C21", deck="C22", disc="C23").do(["destroy all sub:cataracts"])
    assert (realm.removed, realm.disc) == ("C21 C22", "C23")
    assert Realm(disc="C15 C1").do(["destroy random sub:province 2"]).removed == "C15"
    realm = Realm(slots="O2", odisc="O2", odeck="O2").do(["destroy O2 x2 anywhere"])
    assert realm.moves() == ["place:slot-1", "zone:objective-discard", "zone:objective-deck"]
    assert realm.play("place:slot-1", "zone:objective-deck").odisc == "O2"


def test_j58_advance():
    realm = Realm(slots="O19, O19, O7").do(["advance project 1"])
    assert realm.moves() == ["place:slot-1", "place:slot-2"]
    realm.play("place:slot-2")
    assert (realm.s.progress[1, 0], realm.s.advanced[1]) == (1, 1)
    realm = Realm(slots="O14 m3").do(["front_set 5", "front -1"], place=0)
    assert realm.slot(0) == "O14 t4 m4"
    realm = Realm(slots="O11").do(["advance own clock 1"], place=0)
    assert realm.clock("Raid Beyond the Cataracts") == 1


def test_j59_escalation():
    realm = Realm(slots="-, O7, O39", odeck="O39 O5").reset()
    assert realm.slots == "O40 m2, O7 t2, O5 t3"          # the left one of the two slots
    assert realm.removed == "O39 O39"


def test_j60_choose_what_can_be_done():
    realm = Realm(hand="C19").play("play:c19")            # no troop, nothing to draw
    assert realm.moves() == ["choose:1", "choose:2"]
    realm = Realm(hand="C18", slots="O19").play("play:c18")
    assert realm.s.progress[0, 0] == 1                    # only the project was possible
    assert "have to choose" in Realm(hand="C12", deck="C1").play(
        "play:c12", "cost:1").why_not("stop")


LAPSES = {  # tokens that find nothing to be done with
    Ask.RECUR: "recur 2", Ask.RESHUFFLE: "reshuffle 2", Ask.DELAY: "delay 1 x2",
    Ask.TRANSFORM: "transform C2->C11 x1", Ask.COPY: "copy sub:troop",
    Ask.ANYWHERE: "destroy O2 x2 anywhere", Ask.PROJECT: "advance project 1",
    Ask.WAR: "advance war 1", Ask.DESTROY: "destroy sub:troop 2",
    Ask.CONVERT: "specialize sub:troop 1", Ask.UNLOCKED: "card unlocked sub:province",
}


@pytest.mark.parametrize("ask", Ask, ids=lambda ask: ask.name)
def test_j60_j62_a_question_lapses_only_by_rule(ask):
    assert bool(rules.may_lapse(ask)) == (ask in LAPSES or ask in (Ask.PLAY_LESS, Ask.ENTER))
    if ask in LAPSES:
        realm = Realm(phase="resolution", milestone="M1 t3")
        before = realm.s.tobytes()
        realm.do([LAPSES[ask]])                           # comes back to where it was
        assert (realm.top, realm.moves()) == (Ask.RESOLVE, ["stop"])
        realm.s.agenda[realm.s.todo :] = 0
        assert realm.s.tobytes() == before
    if ask == Ask.PLAY_LESS:
        realm = Realm(hand="C19 C1").play("play:c19", "choose:1")       # no troop to play
        assert (realm.disc, realm.moves()) == ("C19", ["play:c1", "stop"])


@pytest.mark.parametrize(("item", "fault"), [
    (Ask.SCOUT, AgendaFault.NO_ANSWER),                   # nothing to look at, and no way to stop
    (max(Ask) + 1, AgendaFault.NO_HANDLER),
    (max(Step) + 1, AgendaFault.NO_HANDLER),
])
def test_any_other_question_without_an_answer_is_a_fault(item, fault):
    realm = Realm({"scout_must": True})
    then(realm.s, item, 0, 0, 0)
    GAME.engine(Mode.PYTHON).bind(go_on)(realm.s, realm.c, LAPSED, realm.log)
    assert (realm.s.agenda_fault, realm.s.agenda_fault_item) == (fault, item)


def test_j61_offers_and_menus():
    realm = Realm(hand="C6", banks="3/3/3/2").play("play:c6")
    assert realm.moves() == ["choose:1", "stop"]
    assert realm.play("stop").bank == "3/4/4/1"
    realm = Realm(hand="C5", deck="C1", banks="3/3/0/1").play("play:c5", "choose:1")
    assert "taken already" in realm.why_not("choose:1")
    assert realm.moves() == ["choose:2", "choose:3", "stop"]   # no timer can be delayed
    assert "cannot be carried out" in realm.why_not("choose:4")
    again = Realm(hand="C5 C5", deck="C1 C1", banks="3/3/2/1").play("play:c5", "choose:1", "stop")
    assert "choose:1" in again.play("play:c5").moves()    # each item once for each play


def test_j62_a_card_played_for_less():
    realm = Realm(hand="C18 C1 C12", banks="3/3/3/3", deck="C4").play("play:c18")
    assert realm.moves() == ["play:c1", "play:c12"]
    assert "subtype" in Realm(hand="C18 C1 C12 C5", banks="3/3/3/3").play(
        "play:c18").why_not("play:c5")
    realm.play("play:c1")
    assert (realm.bank, realm.clock("Tax Collection")) == ("3/3/3/5", 1)
    assert realm.pile(Pile.DISCARD) == ["C1", "C18"]      # finished before C18


def test_j63_drawing_ends_when_both_piles_are_empty():
    realm = Realm(deck="C1", disc="C4").do(["draw 9"])
    assert (realm.hand, realm.deck, realm.disc) == ("C1 C4", "", "")


def test_j64_random_timers():
    hits = np.zeros(3, int)
    for seed in range(60):
        realm = Realm(slots="O7 t2, O5 t3, O19 t3", milestone_resolved=1, seed=seed)
        realm.s.advanced[2] = 1                           # paused: never hit
        realm.do(["timers_random 1"])
        hits += [2 - realm.s.timer[0], 3 - realm.s.timer[1], 3 - realm.s.timer[2]]
    assert hits.sum() == 60
    assert hits[2] == 0
    assert min(hits[:2]) > 15


# The end -----------------------------------------------------------------------------------------

def test_j65_winning_stops_everything():
    realm = Realm(banks="1/3/3/3", slots="O38 t1", milestone="M4 m5", phase="resolution", turn=7)
    realm.play("advance:milestone")
    assert (realm.ending, realm.s.todo) == (Ending.WON, 0)
    assert rules.winners(realm.s, realm.c) == 1
    assert realm.score == 750 + 4 * 33 - 20               # turn 7 of 40, O38 in the agenda
    assert "over" in realm.why_not("stop")


@pytest.mark.parametrize("card", ["O38", "O41", "O44", "O47"])
def test_j66_losing(card):
    realm = Realm(slots=f"{card} t1, O36 t1").clocks()
    assert realm.ending == Ending.LOST
    assert realm.odisc == ""                              # no further step happens
    assert Realm(slots=f"{card} t2").clocks().ending == Ending.NONE


def test_j67_turn_cap_and_flood_cap():
    cap = Realm(slots="O7", deck="C1 " * 9, turn=40, milestone="M2")
    cap.reset().go_on()
    assert (cap.ending, cap.s.turn) == (Ending.CAP, 40)
    assert cap.score == 150 + 40 + 30                     # no deduction
    flood = Realm({"collapse_limit": 3}, slots="O36", odeck="O2 O7 O7", odisc="O4", turn=40)
    assert crisis_cards(flood.s, flood.c) == 3
    flood.reset().go_on()
    assert flood.ending == Ending.COLLAPSE
    assert flood.score == 11                              # 40 + 30 - 3 - 3 (O36, O2) - 3 (O4) - 50
    assert Realm({"collapse_limit": 0}, slots="O36", odisc="O4 " * 90).reset().ending == Ending.NONE


def test_j68_resigning_is_scored_like_the_cap():
    assert "resign" not in Realm().moves()
    realm = Realm({"resignation": True}, turn=5, phase="resolution").play("resign")
    assert (realm.ending, realm.score) == (Ending.RESIGNED, 5 + 30)
    assert Realm({"resignation": True}).play("resign").ending == Ending.RESIGNED


def test_j69_score_of_a_running_game():
    realm = Realm(banks="3/2/6/3", turn=8)
    assert realm.score == 8 + 40                          # M1: at most 4 of influence count
    assert Realm(disc="C15 C16", milestone="M3", turn=3).score == 300 + 3 + 40 + 10
    assert Realm(milestone="M4 m5", turn=3).score == 450 + 3 + 48
    assert Realm(slots="O38, O41", odisc="O44 " * 9, turn=3).score == 0    # crises cost at most 60
    resolved = Realm(banks="3/4/3/3", phase="resolution", turn=2).play("resolve:milestone-b")
    assert resolved.score == 150 + 2                      # no progress in the turn of resolving


PRESETS = ("easy", "normal", "hard", "brutal")


def test_j70_presets_demand_more_and_more():
    assert set(GAME.variants) == {*PRESETS, "campaign", "act-two", "eclipse", "act-three"}
    records = [GAME.variant(name).record for name in PRESETS]
    cards = GAME.content().words["index"]["cards"]

    def numbers(key):
        return [int(record[key]) for record in records]

    assert numbers("m4_pay") == [2, 2, 2, 2]
    assert numbers("m4_timer") == [6, 6, 5, 5]
    assert numbers("start_bank") == [4, 3, 2, 2]
    assert numbers("start_max") == [8, 7, 6, 6]
    assert numbers("draw") == [5, 5, 5, 4]
    assert numbers("tax_clock") == [3, 2, 2, 2]
    assert numbers("tier2_start") == [2, 2, 1, 1]
    assert numbers("replace_protects_tier3") == [0, 0, 1, 1]
    assert numbers("fresh_cards_tick") == [0, 1, 1, 1]
    assert numbers("hr_relief") == numbers("tutorial_agenda") == [1, 0, 0, 0]
    assert [sum(int(record.card[cards.index(card)].start) for card in ("O36", "O39", "O42", "O45"))
            for record in records] == [0, 0, 4, 4]


def test_j70_presets_change_numbers_only():
    """Whatever a preset changes stands in the rulebook's table."""
    told = next(part for part in GAME.rulebook.split("\n\n") if part.startswith("| | sheets"))
    for name in PRESETS:
        overlay = read_toml(GAME.folder / "variants" / f"{name}.toml")
        keys = set(overlay) - {"title", "summary", "objective", "milestone"}
        assert all(f"`{key}`" in told for key in keys), name
        for family in ("objective", "milestone"):
            for card, changes in overlay.get(family, {}).items():
                assert GAME.content().words[family][card]["name"] in told
                assert set(changes) <= {"start", "timer"}
    plain, slow = (GAME.variant(name).words for name in ("normal", "easy"))
    changed = {card: slow[family][card]["timer"]["size"] for family in ("objective", "milestone")
               for card in plain[family] if plain[family][card].get("timer", {}).get("size")
               != slow[family][card].get("timer", {}).get("size")}
    assert changed == {"O36": 3, "O39": 3, "O42": 3, "O45": 3, "M1": 4, "M2": 5, "M3": 5}


def test_j70_relief():
    realm = Realm({"hr_relief": True}, banks="3/0/3/0", phase="turn")
    assert realm.bank == "3/1/3/0"
    assert Realm({"hr_relief": True}, banks="3/0/3/1", phase="turn").bank == "3/0/3/1"
    assert Realm(banks="3/0/3/0", phase="turn").bank == "3/0/3/0"


def test_j72_copies_run_out_without_a_crash():
    realm = Realm()
    for _ in range(N_OBJECTIVES):
        make(realm.s, realm.c, realm.cards.index("O7"), Pile.OBJECTIVE_DISCARD, realm.log)
    for _ in range(FIRST_OBJECTIVE):
        make(realm.s, realm.c, realm.cards.index("C4"), Pile.DISCARD, realm.log)
    realm.do(["card O2", "card C1", "hand C3", "replace O17", "lose food 9"])
    assert (pile_size(realm.s, Pile.OBJECTIVE_DISCARD), realm.hand) == (N_OBJECTIVES, "")
    assert realm.slots == "-, -, -"
    assert sum(realm.events(Event.NO_ROOM).values()) == 4 + 6     # 6 misfortunes of 9 - 3
    assert rules.card_fault(realm.s, realm.c) == 0


def test_j74_no_turn_passes_unseen():
    position = new_game({"draw": 0, "start_bank": 0, "collapse_limit": 0})
    turns = []
    while not position.is_over:
        turns.append(int(position.state.turn))
        if len(position.legal()) == 1:
            assert position.state.phase == Phase.RESOLUTION
        position.play(position.legal()[-1])
    assert sorted(set(turns)) == list(range(1, turns[-1] + 1))
    seen = Realm(hand="C1", banks="0/1/0/0").play("play:c1")
    assert rules.legal(seen.s, seen.c, np.zeros(130, np.int32)) == 1      # only stop is left
    seen.s.was_asked = 1
    GAME.engine(Mode.PYTHON).apply(seen.s, seen.c, 0, seen.log)
    assert seen.s.turn == 2                               # asked before: the phase ended by itself
