"""The specification's worked examples, J-X1 to J-X48, in its own notation.

Banks are might/stability/influence/food, `t` a timer, `m` a marker, odisc the objective discard.
"""

from exchequer.games.jagged_time.state import Ending, Phase, Step
from exchequer.games.jagged_time.tables import MILESTONE
from games.jagged_time.realm import Realm


def test_jx1_the_rulebooks_own_misfortune():
    realm = Realm(banks="1/1/0/0", hand="C9").stop()
    assert realm.bank == "0/2/0/0"                        # might 1-1, food missing, stability +1
    assert (realm.odisc, realm.disc) == ("O42", "C9")
    action = Realm({"misfortune": "action"}, banks="1/1/0/0", hand="C9").stop()
    assert (action.odisc, action.disc) == ("", "C9 X1")


def test_jx2_several_misfortunes_at_once():
    realm = Realm(banks="3/2/3/3").do(["lose stability 2"])
    assert (realm.bank, realm.odisc) == ("3/0/3/3", "")   # exactly 0 is no deficit
    assert realm.do(["lose stability 3"]).odisc == "O39 O39 O39"


def test_jx3_three_tax_collections():
    realm = Realm(hand="C1 C1 C1", slots="O7 t2")
    seen = []
    for _ in range(3):
        realm.play("play:c1")
        seen.append((realm.bank, int(realm.s.gained_turn[3]), realm.clock("Tax Collection")))
    assert seen == [("3/2/3/5", 2, 1), ("3/1/3/6", 4, 2), ("3/0/3/6", 6, 0)]
    assert realm.odisc == "O2"


def test_jx4_conscription_and_levies():
    realm = Realm(hand="C2", disc="C1 " * 9, slots="O7").play("play:c2")
    assert (realm.bank, realm.hand, realm.controlled) == ("3/3/3/1", "C3 C3", 12)
    realm.play("play:c3", "play:c3")
    assert (realm.bank, realm.removed, realm.controlled) == ("5/3/3/1", "C3 C3", 10)
    assert realm.disc.endswith("C2")


def test_jx5_the_menu():
    realm = Realm(banks="3/0/3/1", hand="C5", deck="C4", slots="O7 t1")
    realm.play("play:c5", "choose:1", "choose:2", "choose:3", "stop")
    assert (realm.bank, realm.hand) == ("4/0/2/1", "C4")  # influence 3+2-3, food 1-1+1
    full = Realm(banks="3/3/5/1", hand="C5", deck="C4").play("play:c5", "stop")
    assert full.bank == "3/3/6/0"                         # 5+2 is one too many


def test_jx6_the_deed_of_ritualized_taxation():
    realm = Realm(hand="C1", slots="O1").play("play:c1").stop()
    assert "not met" in realm.why_not("resolve:slot-1-a")
    realm = Realm(hand="C1 C4", slots="O1").play("play:c1", "play:c4").stop()
    assert realm.bank == "3/3/3/4"                        # food 3+2-1, stability 3-1+1
    assert "resolve:slot-1-a" in realm.moves()


def test_jx7_jx8_the_second_raid_is_a_war():
    realm = Realm(slots="O11", phase="resolution").play("resolve:slot-1-a")
    assert (realm.bank, realm.slots) == ("0/3/3/6", "-, -, -")
    assert (realm.clock("Raid Beyond the Cataracts"), realm.odisc) == (1, "O11")

    def second(settings=None):
        again = Realm(settings, banks="4/3/3/0", slots="O11", phase="resolution")
        again.s.clock[1] = 1
        return again.play("resolve:slot-1-a")

    realm = second()
    assert (realm.bank, realm.slots, realm.odisc) == ("1/3/3/4", "O14 t4 m1, -, -", "")
    assert realm.clock("Raid Beyond the Cataracts") == 0
    assert realm.s.supplied == 1                          # O11 is in the supply
    lost = second().clocks()                              # a war lost the turn it began
    assert (lost.slots, lost.removed, lost.bank) == ("-, -, -", "O14", "1/3/0/4")
    assert lost.odisc == "O11"
    paid = second().play("advance:slot-1").clocks()
    assert paid.slots == "O14 t3 m1, -, -"
    fresh = second({"fresh_cards_tick": False}).clocks()
    assert fresh.slots == "O14 t4 m1, -, -"


def test_jx9_a_war_won():
    realm = Realm(banks="6/3/3/3", slots="O14 m1", phase="resolution")
    realm.play(*["advance:slot-1"] * 5, "choose:2")
    assert (realm.bank, realm.disc, realm.slots) == ("1/3/3/6", "C22", "-, -, -")
    assert realm.removed == "O14"


def test_jx10_the_counter_attack():
    assert Realm(slots="O14 m5 t1").clocks().slots == "O14 t4 m1, -, -"  # 5-3, then -1
    realm = Realm(slots="O14 m3 t1").clocks()
    assert (realm.slots, realm.bank, realm.odisc) == ("-, -, -", "3/3/0/3", "O11")


def test_jx11_the_siege_is_not_beaten_twice():
    for start, after in (("M4 m3 t1", "M4 t6 m1"), ("M4 m1 t6", "M4 t5 m1")):
        realm = Realm(milestone=start).clocks()
        assert (realm.odisc, realm.milestone) == ("O40", after)


def test_jx12_the_siege():
    realm = Realm(banks="5/3/3/3", milestone="M4", phase="resolution")
    assert realm.play(*["advance:milestone"] * 5).ending == Ending.WON
    realm = Realm(banks="3/3/3/3", milestone="M4", phase="resolution")
    realm.play(*["advance:milestone"] * 3)
    assert realm.s.marker[MILESTONE] == 4
    assert realm.clocks().s.marker[MILESTONE] == 3


def test_jx13_jx14_succession_and_civil_war():
    realm = Realm(slots="O3").clocks()
    assert realm.slots == "O4 m1, -, -"                   # entered in the step: not ticked
    realm.reset()
    lost = Realm(slots="O4").clocks()
    assert (lost.bank, lost.odisc, lost.slots) == ("3/0/3/3", "O39 O39 O39", "O4 m1, -, -")
    won = Realm(slots="O3", phase="resolution").play(*["advance:slot-1"] * 3)
    assert (won.slots, won.bank) == ("O17, -, -", "3/0/3/3")


def test_jx15_escalation_in_the_refill():
    realm = Realm(slots="O36, O18, -", odeck="O36 O7").reset()
    assert realm.slots == "O37 m2, O18 t3, O7 t2"
    assert realm.removed == "O36 O36"


def test_jx16_escalation_that_chains():
    realm = Realm(slots="O2, O23, -", odeck="O2 O7 O18").reset()
    assert realm.slots == "O38 t3, O7 t2, O18 t3"         # O2+O2 -> O23, O23+O23 -> O38
    assert realm.removed == "O2 O2 O23 O23"


def test_jx17_the_census():
    for cards, cost in ((10, 2), (14, 2), (15, 3), (4, 0)):
        realm = Realm(disc="C1 " * cards, slots="O18", phase="resolution")
        realm.play("resolve:slot-1-a")
        assert realm.s.bank[1] == 3 - cost
        assert (realm.s.next_draw, realm.maxima, realm.odisc) == (2, "6/6/6/7", "O18")


def test_jx18_draws_of_the_next_turn_add_up():
    realm = Realm(banks="3/3/2/3", hand="C8", disc="C1 " * 9, slots="O18").stop()
    assert (realm.bank, realm.s.next_draw) == ("3/3/1/3", -1)
    realm.play("resolve:slot-1-b")
    assert realm.s.next_draw == 0
    assert "C9" in realm.disc
    assert len(realm.reset().hand.split()) == 5


def test_jx19_a_border_fort():
    held = Realm(banks="2/3/3/1", hand="C15").play("play:c15")
    assert (held.bank, held.odisc) == ("2/3/4/1", "")     # food 1 + might 2 = 3
    failed = Realm(banks="1/3/3/1", hand="C15").play("play:c15")
    assert (failed.bank, failed.odisc) == ("1/3/3/1", "O36")


def test_jx20_the_order_of_retained_effects():
    first = Realm(banks="1/0/3/1", hand="C13 C9").retain("take:c9")
    assert (first.s.bank[1], first.odisc) == (0, "")
    last = Realm(banks="1/0/3/1", hand="C13 C9").retain("take:c13")
    assert (last.s.bank[1], last.odisc) == (1, "O39")


def test_jx21_a_vassal_revolts():
    realm = Realm(banks="3/2/3/2", hand="C21", deck="C22", slots="O7, O38 t1, O5")
    realm.play("play:c21", "place:slot-2")
    assert realm.removed == "C21 C22"
    assert (realm.slots, realm.odisc) == ("O7 t2, O14 t4 m1, O5 t3", "O38")


def test_jx22_corvee_and_volunteers():
    realm = Realm(banks="3/3/3/1", hand="C18 C2").play("play:c18")
    assert (realm.bank, realm.hand, realm.disc) == ("3/3/3/0", "C3 C3", "C2 C18")
    realm = Realm(banks="0/3/3/1", hand="C19 C27").play("play:c19")
    assert (realm.bank, realm.disc) == ("3/3/3/0", "C19 C27")
    realm = Realm(hand="C18 C13").play("play:c18")         # neither can be done
    assert realm.moves() == ["choose:1", "choose:2"]
    assert realm.play("choose:1").disc == "C18"


def test_jx23_the_exiles_soldiers():
    realm = Realm(banks="3/3/4/3", deck="C2", disc="C2", phase="resolution")
    realm.play("resolve:milestone-a", "zone:discard")
    assert (realm.bank, realm.disc, realm.deck) == ("3/3/0/3", "C11", "C2")
    assert realm.clocks().s.timer[MILESTONE] == 3          # resolved: it did not tick
    assert realm.reset().milestone == "M2 t4"


def test_jx24_the_second_and_third_milestone():
    realm = Realm(banks="3/4/3/3", milestone="M2", phase="resolution").play("resolve:milestone-a")
    assert (realm.bank, realm.maxima, realm.disc) == ("3/0/3/3", "8/6/6/6", "C27")
    realm = Realm(deck="C15 C16", disc="C15", milestone="M3", phase="resolution")
    realm.play("resolve:milestone-b")
    assert (realm.s.draw_limit, realm.maxima) == (6, "6/8/6/6")


def test_jx25_gains_beyond_the_maximum_count():
    def host(settings=None):
        realm = Realm(settings, banks="3/3/3/5", hand="C2 C27 C5", deck="C1", milestone="M3")
        realm.play("play:c2", "play:c3", "play:c3")
        counted = [int(realm.s.gained_turn[0])]
        realm.play("play:c27")
        counted.append(int(realm.s.gained_turn[0]))
        assert realm.bank == "6/3/3/1"
        realm.play("play:c5", "choose:2", "stop")
        return realm, [*counted, int(realm.s.gained_turn[0])]

    realm, counted = host()
    assert counted == [2, 5, 6]
    assert "resolve:milestone-a" in realm.stop().moves()
    realm, counted = host({"count_overflow": False})
    assert counted == [2, 3, 3]
    assert "not met" in realm.stop().why_not("resolve:milestone-a")


def test_jx26_vassalization():
    realm = Realm(banks="5/4/6/2", slots="O47", phase="resolution").play("resolve:slot-1-b")
    assert (realm.maxima, realm.bank) == ("3/3/3/3", "3/3/3/2")
    assert (realm.removed, realm.odisc) == ("O47", "")
    realm = Realm(slots="O47", phase="resolution", max_might=2, might=2)
    assert "resolve:slot-1-b" not in realm.start("resolution").moves()


def test_jx27_the_besieged_capital():
    realm = Realm(disc="C1 C2 C4 C13", slots="O38", phase="resolution")
    assert "resolve:slot-1-b" not in realm.moves()         # C1 and C2 are statecraft
    realm = Realm(disc="C1 C2 C4 C13 C12", slots="O38", phase="resolution")
    assert realm.play("resolve:slot-1-b").disc == "C4 C13"
    realm = Realm(banks="6/3/3/3", slots="O38", phase="resolution")
    realm.play("resolve:slot-1-a", "resolve:slot-1-a")
    assert (realm.s.progress[0, 0], realm.s.bank[0]) == (2, 0)
    assert realm.clocks().slots.startswith("O38 t2")


def test_jx28_a_failed_calamity_doubles():
    realm = Realm(slots="O36 t1").clocks()
    assert (realm.odisc, realm.slots, realm.milestone) == ("O36 O36", "-, -, -", "M1 t2")
    assert Realm({"self_gain": "return_only"}, slots="O36 t1").clocks().odisc == "O36"


def test_jx29_the_uprising():
    realm = Realm(banks="3/2/3/3", slots="O23").clocks()
    assert (realm.s.bank[1], realm.odisc) == (0, "O23 O23 O23 O39 O39")
    realm = Realm(slots="O23, O2, -", odisc="O2", odeck="O2 O7", phase="resolution")
    realm.play(*["advance:slot-1"] * 3, "zone:objective-discard", "zone:objective-deck")
    assert (realm.slots, realm.odisc, realm.odeck) == ("-, O2 t3, -", "", "O7")


def test_jx30_famine_overcome():
    realm = Realm(banks="3/3/3/4", deck="C1 " * 12, slots="O43", phase="resolution")
    realm.play(*["advance:slot-1"] * 4)
    assert (realm.slots, realm.s.next_draw) == ("-, -, -", 4)
    realm.reset()
    assert (len(realm.hand.split()), realm.s.next_draw) == (9, 0)


def test_jx31_the_stele():
    realm = Realm(banks="3/0/0/4", slots="O19", phase="resolution").play("resolve:slot-1-a")
    assert realm.clocks().slot(0) == "O19 t3"              # paused
    realm.next_turn()
    assert realm.clocks().slot(0) == "O19 t2"
    realm.next_turn().stop()
    realm.play(*["resolve:slot-1-a"] * 3)
    assert realm.slot(0) == "O20"
    realm.clocks().next_turn()
    assert realm.bank == "3/1/1/0"
    realm.clocks().next_turn()
    assert (realm.bank, realm.slot(0), realm.s.progress[0, 0]) == ("3/2/2/0", "O19 t3", 0)


def test_jx32_a_dynasty_triumphant():
    realm = Realm(slots="O17", deck="C1 C1", disc="C5 C4", phase="turn")
    realm.play("choose:3")                                 # influence 3+2
    assert realm.bank == "3/3/5/3"
    realm.start("turn").play("choose:1")
    assert realm.hand == "C1 C1"
    realm.start("turn").play("choose:2", "take:c5")
    assert (realm.hand, realm.slots, realm.removed) == ("C1 C1 C5", "-, -, -", "O17")


def test_jx33_drawing_across_a_reshuffle():
    realm = Realm(deck="C4 C5", disc="C1 " * 8).do(["draw 5"])
    assert realm.hand == "C1 C1 C1 C4 C5"
    assert (realm.deck, realm.disc) == ("C1 C1 C1 C1 C1", "")
    assert Realm(disc="C1 C1 C1").do(["draw 5"]).hand == "C1 C1 C1"


def test_jx34_disrupt_and_delay():
    realm = Realm(deck="C1", disc="C4").do(["disrupt 2"])
    assert (realm.deck, realm.disc) == ("", "C1 C4")       # a disrupt that empties the deck
    realm = Realm(slots="O5 t3", milestone="M1 t2").do(["delay 1"])
    assert realm.milestone == "M1 t3"                      # the only target, so not asked
    assert realm.do(["delay 1"]).milestone == "M1 t3"


def test_jx35_burdens_in_hand():
    realm = Realm(banks="3/3/6/1", hand="C14").stop()
    assert (realm.bank, realm.odisc) == ("3/3/6/0", "O42 O42")
    realm = Realm(banks="3/3/1/3", hand="C8 C8").stop()
    assert (realm.bank, realm.odisc, realm.s.next_draw) == ("3/3/0/3", "O45", -2)


def test_jx36_three_steps_of_the_clocks():
    realm = Realm(slots="O7 t2").clocks()
    assert realm.slot(0) == "O7 t1"
    realm.clocks()
    assert (realm.bank, realm.odisc) == ("3/1/3/3", "O7 O42")
    realm.clocks()
    assert (realm.odisc, realm.milestone) == ("O7 O36 O42", "M1 t3")


def test_jx37_unrest_and_taxes():
    assert "resolve:slot-1-a" in Realm(hand="C4", slots="O2").play("play:c4").stop().moves()
    realm = Realm(hand="C1", slots="O2").play("play:c1").stop()
    assert "not met" in realm.why_not("resolve:slot-1-a")


def test_jx38_a_claimant_defeated():
    realm = Realm(banks="3/3/4/3", slots="O46, O7, O42", phase="resolution")
    realm.play(*["advance:slot-1"] * 4, "place:slot-3")
    assert (realm.slots, realm.odisc) == ("-, O7 t2, O17", "O42")


def test_jx39_a_claimant_wins():
    realm = Realm(slots="O46 m1, O5 t3", milestone_resolved=1).clocks()
    assert realm.slots == "-, -, -"
    assert (realm.s.bank[0], realm.odisc) == (0, "O5 O36 O46 O46")


def test_jx40_an_invasion():
    realm = Realm(banks="3/5/3/3", disc="C15", slots="O37 m1").clocks()
    assert (realm.bank, realm.removed, realm.odisc) == ("3/1/3/3", "C15", "O37 O37")


def test_jx41_the_moon_gods_blessings():
    realm = Realm(banks="3/3/3/2", deck="C4", disc="C4", slots="O6", phase="resolution")
    realm.play("resolve:slot-1-a", "zone:deck")
    assert (realm.deck, realm.disc, realm.maxima) == ("C17", "C17", "6/7/6/6")


def test_jx42_a_daisy_chain():
    realm = Realm(banks="3/3/3/0", slots="O7, O11", phase="resolution")
    assert "in full" in realm.why_not("resolve:slot-1-a")
    realm.play("resolve:slot-2-a", "resolve:slot-1-a")
    assert (realm.bank, realm.odisc) == ("0/4/3/2", "O7 O11")


def test_jx43_scouts():
    realm = Realm(banks="2/3/3/3", slots="O5", odeck="O36 O18 O7", phase="resolution")
    realm.play("resolve:slot-1-b", "bottom:1")
    assert (realm.odeck, realm.odisc) == ("O18 O7 O36", "O5")


def test_jx44_units_of_choice():
    def ways(*answers):
        realm = Realm(banks="1/1/0/2", hand="C20").play("play:c20", *answers)
        if realm.moves()[0].startswith("unit"):
            return [way for move in realm.moves() for way in ways(*answers, move)]
        return [realm.bank]

    assert sorted(ways()) == ["0/0/0/2", "0/1/0/1", "1/0/0/1", "1/1/0/0"]   # MS, MF, SF, FF


def test_jx45_jx46_jx47_scores():
    won = Realm(disc="C15 C15 C16", slots="O36", odeck="O2", odisc="O39", milestone="M4", turn=17,
                ending=Ending.WON)
    assert won.score == 852                                # 750 + 4*23 + 15 - (3 + 1 + 1)
    cap = Realm(disc="C15", slots="O40, O42", odisc="O2 " * 12, milestone="M3", turn=40,
                ending=Ending.CAP)
    cap.s.best_gained[0] = 5
    assert cap.score == 372                                # 300 + 40 + 50 + 5 - (8 + 3 + 12)
    lost = Realm(banks="3/2/3/3", slots="O38, O39", odisc="O36 " * 4, milestone="M2", turn=9,
                 ending=Ending.LOST)
    assert lost.score == 112                               # 150 + 9 + 30 - (20 + 3 + 4) - 50


def test_jx48_two_complete_turns():
    realm = Realm(hand="C1 C1 C2 C4 C5", deck="C4 C1 C2 C1 C4", slots="O11, O5, O18",
                  odeck="O1 O7 O3 O12 O13 O19", phase="action")
    realm.play("play:c1", "play:c5", "choose:2", "stop", "play:c2", "play:c3", "play:c3",
               "play:c4", "play:c1")
    realm.stop()
    realm.play("resolve:slot-1-a", "resolve:milestone-a", "zone:discard", "resolve:slot-2-b",
               "stop")
    realm.stop(until=Step.START_TURN)
    assert realm.bank == "1/2/0/6"
    assert (realm.hand, realm.deck) == ("C1 C1 C2 C4 C4", "")
    assert realm.disc == "C1 C1 C4 C5 C11"
    assert realm.slots == "O1 t3, O7 t2, O18 t2"
    assert (realm.milestone, realm.odeck, realm.odisc) == ("M2 t4", "O3 O12 O13 O19", "O5 O11")
    assert realm.clock("Tax Collection") == 2
    assert (realm.clock("Raid Beyond the Cataracts"), realm.controlled) == (1, 10)

    realm.go_on().play("play:c1", "play:c4", "play:c4", "play:c2", "play:c3", "play:c3").stop()
    assert realm.s.phase == Phase.RESOLUTION
    realm.play("resolve:slot-1-a", "choose:2").stop(until=Step.START_TURN)
    assert realm.bank == "3/3/0/2"
    assert (realm.clock("Tax Collection"), realm.controlled) == (0, 11)
    assert len(realm.hand.split()) == 5
    assert realm.slots == "O3 m1, O7 t1, O18 t1"
    assert (realm.milestone, realm.odeck, realm.odisc) == ("M2 t3", "O12 O13 O19", "O2 O5 O6 O11")
