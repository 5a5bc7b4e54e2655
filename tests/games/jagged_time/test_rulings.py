"""The rulings J-Rn, each with its switch; the names begin with the rulings."""

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.content import ContentError
from exchequer.core.piles import pile_size
from exchequer.core.position import Position
from exchequer.games.jagged_time import GAME, rules
from exchequer.games.jagged_time.phrases import card_words, in_play
from exchequer.games.jagged_time.state import Ending, Event, Pile
from exchequer.games.jagged_time.tables import MILESTONE, Then
from exchequer.games.jagged_time.texts import thing
from games.jagged_time.realm import Realm


def test_jr1_jr3_names_decide_nothing():
    plain = GAME.content()
    early = GAME.content({"milestone": {"M1": {"name": "The Upper Cataracts"}},
                          "action": {"C5": {"name": "Diplomatic Overtures"}}})
    assert early.record.tobytes() == plain.record.tobytes()
    assert thing(plain, "milestone", "M1").name == "The Long Exile"
    assert "Also called The Upper Cataracts." in thing(plain, "milestone", "M1").full
    assert "Also called Diplomatic Overtures." in thing(plain, "action", "C5").full
    assert plain.words["milestone"]["M1"]["timer"]["size"] == 3


def test_jr2_the_starting_objectives():
    content = GAME.content()
    starting = [card for card, words in content.words["objective"].items() if words.get("start")]
    assert starting == ["O1", "O3", "O5", "O7", "O11", "O12", "O13", "O18", "O19"]


def test_jr4_a_shorter_game():
    realm = Realm({"milestones": ["M1"]}, banks="3/4/3/3", phase="resolution")
    assert realm.play("resolve:milestone-b").ending == Ending.WON
    assert realm.disc == "C12"                            # the effect was carried out
    assert Realm({"milestones": ["M2", "M3"]}, milestone="M2").c.n_milestones == 2
    for wrong in (["M1", "M3"], [], ["M99"], ["O1"], ["M1", "M9"], ["M5"]):
        with pytest.raises(ContentError, match="milestones"):
            GAME.content({"milestones": wrong})


def test_jr5_maxima():
    assert Realm().maxima == "6/6/6/6"
    position = Position(GAME, GAME.content({"start_max": 2}), mode=Mode.PYTHON)
    assert list(position.state.bank[:4]) == [2, 2, 2, 2]


def test_jr6_jr7_the_supply_is_endless_and_gains_go_to_the_discard():
    realm = Realm(odeck="O7").do(["card O36 x20", "card C21 x5"])
    assert realm.odisc.split() == ["O36"] * 20
    assert realm.disc.split() == ["C21"] * 5
    assert realm.odeck == "O7"


def test_jr8_gain_to_deck():
    places = set()
    for seed in range(20):
        realm = Realm(deck="C1 C1 C1", odeck="O7", seed=seed).do(["deck C5", "deck O36"])
        places.add(realm.deck.split().index("C5"))
        assert sorted(realm.odeck.split()) == ["O36", "O7"]
    assert places == {0, 1, 2, 3}


def test_jr9_a_resolved_milestone_does_not_come_back():
    realm = Realm(milestone="M3", milestone_resolved=1).reset()
    assert realm.milestone == "M4 t6 m1"


def test_jr10_the_hand_is_drawn_before_the_turn():
    realm = Realm(slots="O20", deck="C1 " * 5)
    realm.reset()
    assert len(realm.hand.split()) == 5
    assert realm.s.upkeep[0] == 0                         # the start of turn comes after the draw


def test_jr11_when_a_played_card_reaches_the_discard():
    assert Realm(hand="C1 C4").play("play:c1").disc == "C1"
    late = Realm({"played_cards": "end_of_phase"}, hand="C1 C4").play("play:c1")
    assert (late.disc, late.controlled) == ("", 2)
    assert late.stop().disc == "C1 C4"


def test_jr12_a_kept_hand():
    realm = Realm({"unplayed_hand": "keep"}, hand="C9 C1 C4", deck="C2 " * 9)
    realm.stop()
    assert (realm.hand, realm.bank) == ("C1 C4 C9", "2/4/3/2")
    realm.reset()
    assert realm.hand == "C1 C2 C2 C4 C9"                 # filled up to 5
    realm.go_on().stop()
    assert realm.bank == "1/5/3/1"                        # retained again


def test_jr13_a_card_played_and_drawn_again_is_retained():
    realm = Realm(hand="C13 C19", banks="3/3/3/1").play("play:c13", "play:c19")
    assert realm.hand == "C13"                            # the discard came back
    assert realm.stop().bank == "5/2/3/0"


def test_jr14_the_order_of_retained_effects():
    player = Realm(hand="C8 C9").stop()
    assert player.moves() == ["take:c8", "take:c9"]
    by_hand = Realm({"retained_order": "hand"}, hand="C13 C9", banks="1/0/3/1").stop()
    assert by_hand.odisc == "O39"                         # C13 came first: no stability to lose


def test_jr15_both_lines_are_retained():
    realm = Realm(hand="C8").stop()
    assert (realm.bank, realm.s.next_draw) == ("3/3/2/3", -1)
    assert Realm(hand="C14").stop().bank == "3/3/4/0"
    assert Realm(hand="C8").play("play:c8").bank == "3/1/3/3"


def test_jr16_there_is_no_trade_good_to_give():
    assert Realm(hand="C14", banks="3/3/3/3").stop().bank == "3/3/4/0"
    poor = Realm(hand="C14", banks="3/3/3/1").stop()      # food alone, even where it is short
    assert (poor.bank, poor.odisc) == ("3/3/4/0", "O42 O42")


def test_jr17_one_of_the_costs_in_full():
    realm = Realm(hand="C11", banks="3/1/3/1").play("play:c11")
    assert realm.moves() == ["cost:1", "cost:2"]
    assert realm.play("cost:2").bank == "3/0/3/1"
    assert Realm(hand="C11", banks="3/0/3/1").play("play:c11").bank == "3/0/3/0"


def test_jr18_one_less_of_any_resource_and_not_below_nothing():
    free = Realm(hand="C18 C12", banks="0/0/0/0", deck="C1").play("play:c18")
    assert free.moves() == ["choose:1", "choose:2"]       # C12 costs nothing now
    two = {"action": {"C90": {"name": "Two", "subtypes": ["statecraft"],
                              "cost": [{"food": 1, "might": 1, "any": 1}]}}}
    realm = Realm(two, hand="C18 C90", banks="1/0/0/1").play("play:c18")
    assert realm.moves() == ["unit:might", "unit:food", "unit:any"]
    assert realm.play("unit:any").bank == "0/0/0/0"
    # without the might the unit of choice is paid with it
    assert Realm(two, hand="C18 C90", banks="1/0/0/1").play(
        "play:c18", "unit:might").bank == "0/0/0/0"
    assert "in full" in Realm(two, hand="C90 C4", banks="1/0/0/1").why_not("play:card-181")


def test_jr19_cards_played_by_cards():
    realm = Realm(hand="C18 C19 C27", banks="0/0/0/1").play("play:c18")
    assert (realm.bank, realm.disc) == ("3/0/0/0", "C18 C19 C27")   # 2 food, 1 less, not 2
    extra = Realm(hand="C18 C6", banks="0/0/0/1").play("play:c18", "choose:1")
    assert extra.bank == "0/2/1/0"                        # the optional food is not reduced


def test_jr20_nothing_possible_is_still_a_play():
    realm = Realm(hand="C18").play("play:c18", "choose:2")
    assert (realm.disc, realm.s.plays) == ("C18", 1)


def test_jr21_an_announced_set_is_paid_at_once_and_carried_out_in_any_order():
    realm = Realm({"menu_mode": "announce"}, hand="C5", banks="3/3/1/1", deck="C1", slots="O7 t1")
    realm.play("play:c5", "choose:1", "choose:2")
    assert realm.s.bank[2] == 3                           # nothing paid yet
    assert "taken already" in realm.why_not("choose:1")
    realm.play("stop")
    assert (realm.s.bank[2], realm.moves()) == (1, ["choose:1", "choose:2"])
    assert realm.play("choose:2").bank == "4/3/1/1"       # the last one is not asked


def test_jr22_volunteers():
    both = Realm({"volunteers_both": True}, hand="C19 C27", deck="C1", banks="0/0/0/1")
    both.play("play:c19")
    assert (both.bank, both.hand) == ("3/0/0/0", "C1")
    assert Realm(hand="C19 C27", deck="C1", banks="0/0/0/1").play("play:c19").moves() == \
        ["choose:1", "choose:2"]


def test_jr23_a_mandatory_card_that_cannot_be_paid_may_stay():
    dear = {"action": {"C15": {"cost": [{"food": 4}]}}}
    assert "stop" in Realm(dear, hand="C15 C4").moves()
    assert "stop" not in Realm(dear, hand="C15 C4", banks="3/3/3/4").moves()


def test_jr24_the_moment_of_a_province_matters():
    early = Realm(hand="C15 C3", banks="2/3/3/0").play("play:c15")
    late = Realm(hand="C15 C3", banks="2/3/3/0").play("play:c3", "play:c15")
    assert (early.odisc, late.odisc) == ("O36", "")


def test_jr25_the_tax_clock_counts_every_play():
    realm = Realm({"tax_clock": 2}, hand="C1 C18 C1").play("play:c1", "play:c18")
    assert (realm.clock("Tax Collection"), realm.odisc) == (0, "O2")


def test_jr26_priests_are_of_a_subtype_that_no_card_of_the_act_asks_for():
    content = GAME.content()
    bit = 1 << content.words["index"]["subtypes"].index("maat")
    assert content.record.card[content.words["index"]["cards"].index("C20")].subtypes & bit
    assert not any("sub:maat" in str(card_words(content, card)) for card in in_play(content))


def test_jr27_a_loop_ends_at_the_guard():
    realm = Realm({"play_guard": 7}, hand="C19 C1", banks="3/3/3/3", deck="C19")
    while "play:c19" in realm.moves():
        realm.play("play:c19")
        assert realm.bank == "3/3/3/3"                    # it redraws the other, for nothing
    assert realm.s.plays == 7
    assert "only mandatory" in realm.why_not("play:c19")


def test_jr28_zero_is_no_deficit():
    assert Realm(banks="1/3/3/3").do(["lose might 1"]).odisc == ""


def test_jr29_overflow_counts_unless_switched_off():
    assert Realm(banks="6/3/3/3").do(["gain might 2"]).s.gained_turn[0] == 2
    assert Realm({"count_overflow": False}, banks="5/3/3/3").do(
        ["gain might 2"]).s.gained_turn[0] == 1


def test_jr30_windows():
    realm = Realm(hand="C9", slots="O1, O45", banks="3/3/3/3", milestone="M3")
    realm.s.gained_phase[3] = 2
    realm.stop()
    assert "resolve:slot-1-a" in realm.moves()            # the stability of C9 counts for O1
    realm.s.gained_turn[0] = 5
    realm.play("resolve:slot-2-b")                        # might +1 in the Resolution Phase
    assert "resolve:milestone-a" in realm.moves()
    late = Realm(slots="O7, O1", banks="3/3/3/3", phase="resolution").play("resolve:slot-1-b")
    assert "not met" in late.why_not("resolve:slot-2-a")


def test_jr31_misfortunes_of_either_family():
    tokens = ["lose might 1", "lose stability 1", "lose influence 1", "lose food 1"]
    assert Realm(banks="0/0/0/0").do(tokens).odisc == "O36 O39 O42 O45"
    action = Realm({"misfortune": "action"}, banks="0/0/0/0").do(tokens)
    assert (action.disc, action.odisc) == ("C8 C10 C14 X1", "")


def test_jr32_jr33_a_cut_bank_is_no_loss_and_maxima_reach_zero():
    realm = Realm(banks="6/3/3/3").do(["max might -9"])
    assert (realm.bank, realm.maxima, realm.odisc) == ("0/3/3/3", "0/6/6/6", "")
    assert sum(realm.events(Event.CUT).values()) == 1
    assert Realm().do(["max might +9"]).maxima == "12/6/6/6"
    fallen = Realm(banks="0/3/3/3", max_might=0).do(["max might|food +1"])
    assert fallen.moves() == ["unit:might", "unit:food"]  # it can be raised again
    assert fallen.play("unit:might").maxima == "1/6/6/6"


def test_jr34_no_part_payments():
    realm = Realm(banks="2/3/3/3", slots="O11, O14", phase="resolution")
    assert "in full" in realm.why_not("resolve:slot-1-a")
    assert "advance:slot-2" in realm.moves()              # a track counts steps


def test_jr35_conditions_are_never_automatic():
    realm = Realm(slots="O2", phase="resolution").stop()
    assert realm.slot(0).startswith("O2")
    played = Realm(hand="C18 C2", slots="O2").play("play:c18").stop()
    assert "resolve:slot-1-a" in played.moves()           # other statecraft does not matter
    taxed = Realm(hand="C18 C1", slots="O2").play("play:c18").stop()
    assert "not met" in taxed.why_not("resolve:slot-1-a")


def test_jr36_the_cost_of_forgiving_debts():
    assert Realm(slots="O7", phase="resolution").play("resolve:slot-1-a").bank == "3/4/3/1"
    dear = Realm({"o7_forgive_cost": 3}, slots="O7", phase="resolution").play("resolve:slot-1-a")
    assert dear.bank == "3/4/3/0"


def test_jr37_payment_in_full_is_always_there():
    realm = Realm(banks="0/0/0/0", slots="O7", phase="resolution").play("resolve:slot-1-b")
    assert (realm.bank, realm.odisc) == ("0/0/0/2", "O2 O2 O7")


def test_jr38_the_census_rounds_down():
    realm = Realm(disc="C1 " * 9, slots="O18", banks="3/1/3/3", phase="resolution")
    assert realm.play("resolve:slot-1-a").bank == "3/0/3/3"


def test_jr39_too_few_cards_to_transform():
    realm = Realm(banks="3/3/4/3", phase="resolution").play("resolve:milestone-a")
    assert (realm.bank, realm.disc) == ("3/3/0/3", "")
    illegal = Realm({"transform_short": "illegal"}, banks="3/3/4/3", phase="resolution")
    assert "cannot be carried out" in illegal.why_not("resolve:milestone-a")
    illegal.lay_piles(disc="C2")
    assert "resolve:milestone-a" in illegal.start("resolution").moves()


def test_jr40_where_a_card_is_transformed():
    realm = Realm(banks="3/3/4/3", deck="C1 C2", disc="C2", phase="resolution")
    realm.play("resolve:milestone-a", "zone:deck")
    assert sorted(realm.deck.split()) == ["C1", "C11"]
    assert not realm.s.known[realm.s.start[Pile.DECK]]    # shuffled


def test_jr41_any_troop_may_be_copied():
    realm = Realm(hand="", disc="C2 C3 C7 C11 C13 C27 C1").do(["copy sub:troop"])
    assert realm.moves() == ["take:c2", "take:c3", "take:c7", "take:c11", "take:c13", "take:c27"]
    assert Realm(disc="C1").do(["copy sub:troop"]).disc == "C1"


def test_jr42_ways_out_of_the_third_tier():
    for slot, cards in (("O38", "C1 C2"), ("O41", "C15 C16"), ("O44", "C2 C3")):
        strict = Realm(slots=slot, disc=cards, phase="resolution")
        assert "in full" in strict.why_not("resolve:slot-1-b")
        lax = Realm({"tier3_price": "as_many"}, slots=slot, disc=cards, phase="resolution")
        assert lax.play("resolve:slot-1-b").removed == f"{cards} {slot}"
        none = Realm({"tier3_price": "as_many"}, slots=slot, disc="C4", phase="resolution")
        assert "resolve:slot-1-b" not in none.moves()


def test_jr43_vassalization():
    strict = Realm(slots="O47", phase="resolution", max_food=2, food=0).start("resolution")
    assert "resolve:slot-1-b" not in strict.moves()
    floor = Realm({"vassalization_price": "floor"}, slots="O47", phase="resolution", max_food=2,
                  food=0)
    assert floor.play("resolve:slot-1-b").maxima == "3/3/3/0"


def test_jr44_without_a_return_mark_it_is_removed():
    realm = Realm(slots="O39, O43 m5", phase="resolution")
    realm.play("resolve:slot-1-a", "advance:slot-2")
    assert (realm.removed, realm.odisc) == ("O39 O43", "")


def test_jr45_rewards_are_the_players_choice():
    for choice, card in (("choose:1", "C15"), ("choose:2", "C16")):
        realm = Realm(slots="O5", phase="resolution").play("resolve:slot-1-a", choice)
        assert realm.disc == card


def test_jr46_what_can_be_replaced():
    realm = Realm(slots="O38, O14, -").do(["replace O17"])
    assert realm.moves() == ["place:slot-1", "place:slot-2"]
    anywhere = Realm({"replace_to": "any_slot"}, slots="O38, O14, -").do(["replace O17"])
    assert anywhere.moves() == ["place:slot-1", "place:slot-2", "place:slot-3"]
    assert anywhere.play("place:slot-3").slots == "O38 t3, O14 t4 m1, O17"
    spared = Realm({"replace_protects_tier3": True}, slots="O38, O14, O7").do(["replace O17"])
    assert spared.moves() == ["place:slot-2", "place:slot-3"]
    assert "third-tier" in spared.why_not("place:slot-1")
    full = Realm({"replace_protects_tier3": True}, slots="O38, O41, O44").do(["replace O17"])
    assert full.slots == "O38 t3, O41 t3, O44 t3"         # nothing to choose, no empty slot


def test_jr47_a_claimant_alone_in_the_agenda():
    realm = Realm(banks="3/3/4/3", slots="-, O46", phase="resolution")
    realm.play(*["advance:slot-2"] * 4)
    assert realm.slots == "O17, -, -"                     # the leftmost empty slot


def test_jr48_the_scope_of_a_revolt():
    realm = Realm(disc="C21", slots="O11", odeck="O14 O7", odisc="O11")
    assert realm.do(["destroy all sub:cataracts"]).removed == "C21"
    wide = Realm({"revolt_scope": "everywhere"}, disc="C21", slots="O7, O11", odeck="O14 O7",
                 odisc="O11")
    wide.do(["destroy all sub:cataracts"])
    assert wide.removed == "C21 O11 O11 O14"
    assert (wide.slots, wide.odeck, wide.odisc) == ("O7 t2, -, -", "O7", "")


def test_jr49_up_to_two_o2_are_destroyed():
    assert Realm(odisc="O2").do(["destroy O2 x2 anywhere"]).removed == "O2"
    assert Realm(odisc="O7").do(["destroy O2 x2 anywhere"]).removed == ""


def test_jr50_scouting():
    must = Realm({"scout_must": True}, odeck="O36 O18").do(["scout 2"])
    assert must.moves() == ["bottom:1", "bottom:2"]
    realm = Realm(odeck="O36 O18 O7").do(["scout 2"]).play("bottom:1")
    known = realm.s.known[realm.s.start[Pile.OBJECTIVE_DECK] :][:3]
    assert [int(k) & 1 for k in known] == [1, 0, 1]       # O36 at the bottom, O18 on top
    realm.do(["deck O2"])
    assert not (realm.s.known[realm.s.start[Pile.OBJECTIVE_DECK] :][:4] & 1).any()


def test_jr51_the_limit_of_a_delay():
    realm = Realm(slots="O38 t2", milestone="M1").do(["delay 3"])
    assert realm.slot(0) == "O38 t3"                      # tier-3 timers can be delayed
    none = Realm({"delay_cap": "none"}, slots="O7 t2", milestone_resolved=1)
    assert none.do(["delay 9"]).slot(0) == "O7 t6"


def test_jr52_jr54_cards_of_ones_choice():
    realm = Realm(disc="C1 C4").do(["recur 5"]).play("take:c4")
    assert (realm.hand, realm.disc) == ("C1 C4", "")      # fewer if fewer
    realm = Realm(disc="C1 C4 C5").do(["reshuffle 1"])
    assert realm.moves() == ["take:c1", "take:c4", "take:c5"]


def test_jr53_disrupt_stops_at_an_empty_deck():
    realm = Realm(deck="C1", disc="C4").do(["disrupt 3"])
    assert (realm.deck, realm.disc) == ("", "C1 C4")


def test_jr55_fresh_cards():
    def replaced(settings):
        return Realm(settings, slots="O7, -, -", phase="resolution").do(["replace O18"]).clocks()

    assert replaced({}).slot(0) == "O18 t2"
    assert replaced({"fresh_cards_tick": False}).slot(0) == "O18 t3"


def test_jr56_a_card_that_enters_while_the_clocks_advance():
    realm = Realm(slots="O3 m1").clocks()
    assert realm.slot(0) == "O4 m1"                       # its own track waits for the next turn


def test_jr57_jr60_two_passes_and_no_excess():
    realm = Realm(slots="O14 m5 t2, O14 m6 t1").clocks()
    order = [Event(e.what) for e in realm.log[1 : realm.log[0].amount + 1]
             if e.what in (Event.TIMER_OUT, Event.FRONT)]
    assert order == [Event.TIMER_OUT, Event.FRONT, Event.FRONT, Event.FRONT]
    assert realm.slots == "O14 t1 m4, O14 t4 m2, -"       # 5-1; 6-3-1
    assert Realm(milestone="M4 m2 t1").clocks().s.marker[MILESTONE] == 1


def test_jr58_a_timer_of_three_fails_in_the_third_step():
    realm = Realm(slots="O5")
    assert [realm.clocks().slot(0) for _ in range(3)] == ["O5 t2", "O5 t1", "-"]


def test_jr59_beaten_once_in_a_step():
    realm = Realm(slots="O46 m1", milestone="M4 m1 t6").clocks()
    assert realm.odisc.count("O40") == 1
    assert realm.s.marker[MILESTONE] == 1


def test_jr61_start_markers():
    def markers(settings):
        content = GAME.content(settings)
        return {card: int(content.record.track[i].start)
                for i, card in enumerate(content.words["index"]["tracks"])}

    second_tier = {"O37", "O40", "O43", "O46"}
    assert {card for card, start in markers({}).items() if start == 2} == second_tier | {"M26"}
    assert {card for card, start in markers({"tier2_start": 1}).items() if start > 1} == {"M26"}


def test_jr62_civil_war_stays():
    realm = Realm(slots="O4", banks="0/6/0/0").clocks()
    assert (realm.slot(0), realm.bank) == ("O4 m1", "0/0/0/0")
    assert realm.reset().clocks().odisc == "O39 O39 O39 O39 O39 O39"


def test_jr63_the_siege():
    content = GAME.content({"m4_timer": 4, "m4_pay": 2})
    realm = Realm({"m4_timer": 4, "m4_pay": 2}, milestone="M4", phase="resolution")
    assert realm.milestone == "M4 t4 m1"
    assert realm.play("advance:milestone").bank == "1/3/3/3"
    assert content.words["milestone"]["M4"]["track"]["size"] == 6
    assert Realm(milestone="M4 m5 t1").clocks().milestone == "M4 t6 m1"    # 5-3, then -1


def test_jr64_self_gain():
    for card, count in (("O36", 2), ("O39", 2), ("O42", 2), ("O45", 2), ("O2", 2)):
        assert Realm(slots=f"{card} t1").clocks().odisc.split().count(card) == count
        once = Realm({"self_gain": "return_only"}, slots=f"{card} t1").clocks()
        assert once.odisc.split().count(card) == 1
    for card, count in (("O23", 3), ("O37", 2), ("O40", 2), ("O46", 2), ("O43", 1)):
        banks = "6/6/6/6"
        assert Realm(slots=f"{card} m1", banks=banks).clocks().odisc.split().count(card) == count
        once = Realm({"self_gain": "return_only"}, slots=f"{card} m1", banks=banks).clocks()
        assert once.odisc.split().count(card) == 1


def test_jr65_a_random_timer_may_end_the_game():
    realm = Realm(slots="O41 t1", milestone_resolved=1).do(["timers_random 1"])
    assert (realm.ending, realm.s.todo) == (Ending.LOST, 0)
    spared = Realm({"random_timer_may_end_game": False}, slots="O41 t1", milestone_resolved=1)
    assert spared.do(["timers_random 4"]).slot(0) == "O41 t1"


def test_jr66_pause_and_progress_of_a_project():
    def corvee(settings):
        realm = Realm(settings, hand="C18", slots="O19 t1").play("play:c18")
        return realm.clocks()

    assert corvee({}).slot(0) == "O19 t1"
    paid_only = corvee({"project_pause": "paid"})
    assert (paid_only.slot(0), paid_only.odisc) == ("-", "O19")

    def back(settings):
        realm = Realm(settings, slots="O19 t1 p3").clocks()
        return realm.reset()

    assert back({}).s.progress[0, 0] == 0
    assert back({"project_progress": "kept"}).s.progress[0, 0] == 3


def test_jr67_counters_start_afresh():
    realm = Realm(slots="O17 u2").do(["replace O7"])
    assert realm.odisc == "O17"
    assert realm.s.upkeep[0] == 0
    raid = Realm(slots="O11", odeck="")
    raid.s.clock[1] = 1
    raid.do(["replace O7"])
    assert raid.clock("Raid Beyond the Cataracts") == 1   # the raid keeps its first mark


def test_jr68_escalation_over_a_reshuffle():
    realm = Realm(slots="-, O36, O18", odeck="O36", odisc="O7").reset()
    assert realm.slots == "O37 m2, O7 t2, O18 t3"         # slot 2 came from the reshuffled discard


def test_jr69_a_third_copy_stays_alone():
    realm = Realm(slots="O36, -, -", odeck="O36 O36 O7").reset()
    assert realm.slots == "O37 m2, O36 t2, O7 t2"


def test_jr70_no_objective_left():
    assert Realm(slots="O7").reset().slots == "O7 t2, -, -"


def test_jr71_draws_add_up_and_stop_at_nothing():
    realm = Realm(deck="C1 " * 9).do(["next_draw -4", "next_draw -4"])
    assert realm.s.next_draw == -8
    assert realm.reset().hand == ""


def test_jr72_gifts_begin_in_the_turn_after():
    realm = Realm(banks="3/3/3/4", slots="O19 p3", phase="resolution").play("resolve:slot-1-a")
    assert (realm.slot(0), realm.bank) == ("O20", "3/3/3/3")
    realm.clocks().next_turn()
    assert (realm.bank, realm.s.upkeep[0]) == ("3/4/4/3", 1)


def test_jr73_a_short_deck_is_drawn_out_first():
    realm = Realm(deck="C4 C5", disc="C1 " * 6).reset()
    assert realm.hand == "C1 C1 C1 C4 C5"


def test_jr74_the_coalition():
    settings = {"m3b_max_stability": 1}
    realm = Realm(settings, disc="C15 C16 C21", milestone="M3", phase="resolution")
    assert realm.play("resolve:milestone-b").maxima == "6/7/6/6"


def test_jr75_milestone_timers_start_over():
    for milestone, size in (("M1", 3), ("M2", 4), ("M3", 4), ("M4", 6)):
        realm = Realm(milestone=f"{milestone} t1").clocks()
        assert realm.s.timer[MILESTONE] == size


def test_jr76_the_last_milestone_wins():
    realm = Realm(milestone="M4 m5", slots="O7", phase="resolution").play("advance:milestone")
    assert realm.ending == Ending.WON
    assert realm.slots == "O7 t2, -, -"                   # its printed victory is not carried out


def test_jr77_only_third_tier_timers_lose():
    content = GAME.content()
    losing = {content.words["index"]["timers"][i] for i, timer in enumerate(content.record.timer)
              if timer.then == Then.LOSE}
    assert losing == {"O38", "O41", "O44", "O47"}
    assert Realm(banks="0/0/0/0", slots="O4 m1, O14 t1, O40 m1", milestone="M1 t1").clocks() \
        .ending == Ending.NONE


def test_jr78_every_game_ends():
    content = GAME.content({"turn_cap": 3, "collapse_limit": 0})
    position = Position(GAME, content, seed=5, mode=Mode.PYTHON)
    while not position.is_over:
        position.play(position.legal()[-1])
    assert position.ending == "cap"
    assert position.state.turn == 3


def test_jr79_deck_orders_are_hidden_and_contents_are_not():
    first = Realm(deck="C1 C4 C5", odeck="O7 O18 O5")
    second = Realm(deck="C1 C4 C5", odeck="O7 O18 O5")
    start = second.s.start[Pile.DECK]
    second.s.card[start : start + 3] = second.s.card[start : start + 3][::-1].copy()
    assert first.deck != second.deck
    for realm in (first, second):
        rules.observe(realm.s, realm.c, 0)
    assert first.s.tobytes() == second.s.tobytes()
    view = GAME.module("view").view(first.s, first.content, 0)
    assert view["deck"] == {"C1": 1, "C4": 1, "C5": 1}
    assert (view["objective_deck"], view["objective_counts"]) == (3, {})
    shown = Realm({"show_objective_counts": True}, odeck="O7 O18")
    assert GAME.module("view").view(shown.s, shown.content, 0)["objective_counts"] == {
        "O7": 1, "O18": 1}


def test_jr79_imagined_decks_keep_what_a_scout_has_seen():
    orders = set()
    for seed in range(30):
        realm = Realm(deck="C1 C2 C4 C5", odeck="O36 O18 O7 O5").do(["scout 1"]).play("stop")
        rules.observe(realm.s, realm.c, 0)
        rules.determinize(realm.s, realm.c, 0, seed)
        assert realm.odeck.startswith("O36")
        assert sorted(realm.deck.split()) == ["C1", "C2", "C4", "C5"]
        orders.add(realm.deck)
    assert len(orders) > 10


@pytest.mark.parametrize("tokens", [["draw 1"], ["disrupt 1"], ["scout 1"]], ids=str)
def test_jr79_equal_copies_are_alike_when_they_come_to_light(tokens):
    """Two worlds that differ only in which of two equal copies lies on top."""
    seen = []
    for swapped in (False, True):
        realm = Realm(deck="C1 C4 C1", odeck="O2 O7 O2")
        for pile in (Pile.DECK, Pile.OBJECTIVE_DECK):
            first, third = realm.s.start[pile], realm.s.start[pile] + 2
            if swapped:
                realm.s.card[[first, third]] = realm.s.card[[third, first]]
        realm.do(tokens)
        rules.observe(realm.s, realm.c, 0)
        seen.append(realm.s.tobytes())
    assert seen[0] == seen[1]


def test_jr79_what_is_drawn_together_has_no_order():
    assert Realm(deck="C4 C1").do(["draw 2"]).pile(Pile.HAND) == ["C1", "C4"]
    assert Realm(deck="C1 C4").do(["disrupt 2"]).pile(Pile.DISCARD) == ["C1", "C4"]
    assert Realm(deck="C1 C4 C1").do(["draw 1"]).do(["draw 2"]).pile(Pile.HAND) == \
        ["C1", "C1", "C4"]


def test_jr80_random_destruction_is_even_over_all_zones():
    hit = np.zeros(3, int)
    for seed in range(90):
        realm = Realm(hand="C15", deck="C15", disc="C15", seed=seed)
        realm.do(["destroy random sub:province 1"])
        hit += [1 - pile_size(realm.s, pile) for pile in (Pile.HAND, Pile.DECK, Pile.DISCARD)]
    assert hit.sum() == 90
    assert hit.min() > 15


def test_jr81_immediate_effects():
    extra = {"action": {"C90": {"name": "Omen", "immediate": ["lose food 1", "card O2"]}},
             "objective": {"O90": {"name": "Comet", "immediate": ["gain might 1"],
                                   "escalation": ["become O91"]},
                           "O91": {"name": "Star"}}}
    realm = Realm(extra, deck="C90 C1").do(["draw 2"])
    assert (realm.hand, realm.bank, realm.odisc) == ("C1 C90", "3/3/3/2", "O2")
    realm = Realm(extra, slots="O90, -, O7", odeck="O90 O5").reset()
    assert realm.slots.startswith("O91")
    assert realm.bank == "4/3/3/3"                        # carried out before it escalated
