"""The later acts: every paragraph JL-n, and a worked campaign of each branch."""

import pytest

from exchequer.core.build import Mode
from exchequer.core.check import walk
from exchequer.core.content import ContentError
from exchequer.core.piles import pile_size
from exchequer.core.position import Position
from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.phrases import in_play
from exchequer.games.jagged_time.state import Ask, Ending, Event, Pile
from exchequer.games.jagged_time.tables import MILESTONE, Resource
from exchequer.games.jagged_time.texts import full, goal
from exchequer.table import boards
from games.jagged_time.realm import Realm

CAMPAIGN = dict(GAME.variant("campaign").overlay["rules"])
TRADE = Resource.TRADE


def later(settings=None, trade=6, **fields):
    """A realm of the second act or later, where everybody has trade goods."""
    maxima = {f"max_{resource.name.lower()}": 12 for resource in Resource}
    given = {"banks": "6/6/6/6", "milestone": "M6", "trade": trade, **maxima, **fields}
    return Realm(CAMPAIGN | (settings or {}), **given)


def trade(realm):
    return int(realm.s.bank[TRADE])


def way(realm):
    """The milestone that follows, after the Reset Phase."""
    return realm.reset().milestone.split()[0]


# The way (JL-1, JL-2) ----------------------------------------------------------------------------

def test_jl1_jl4_winning_the_siege_goes_on():
    realm = Realm(CAMPAIGN, banks="1/3/3/3", milestone="M4 m5", slots="O7, O5, O18",
                  odeck="O19", phase="resolution")
    realm.play("advance:milestone", "place:slot-2")       # O17 replaces O5
    assert (realm.ending, realm.slots) == (Ending.NONE, "O7 t2, O17, O18 t3")
    realm.reset()
    assert realm.milestone == "M6 t6"                     # M5 has come and gone
    assert realm.s.slots == 5 and "-" not in realm.slots  # filled in the same Reset Phase
    assert realm.s.maximum[TRADE] == 6
    alone = Realm(banks="1/3/3/3", milestone="M4 m5", slots="O7", phase="resolution")
    assert alone.play("advance:milestone").ending == Ending.WON


WAYS = [  # milestone, option, what it leads to
    ("M6", "a", "M11"), ("M6", "b", "M7"), ("M7", "a", "M8"), ("M7", "b", "M9"),
    ("M8", "a", "M10"), ("M8", "b", "M10"), ("M9", "a", "M10"), ("M9", "b", "M10"),
    ("M10", "a", "M16"), ("M10", "b", "M16"), ("M11", "a", "M12"), ("M11", "b", "M13"),
    ("M14", "a", "M16"), ("M14", "b", "M16"), ("M16", "a", "M17"), ("M16", "b", "M18"),
    ("M17", "a", "M19"), ("M17", "b", "M20"), ("M18", "a", "M20"), ("M18", "b", "M19"),
    ("M19", "a", "M24"), ("M19", "b", "M24"), ("M20", "a", "M24"), ("M20", "b", "M24"),
    ("M24", "a", "M25"), ("M24", "b", "M25"), ("M25", "a", "M27"), ("M25", "b", "M27"),
]


def resolved(milestone, option, **fields):
    """A milestone resolved by one of its options, its clock brought to its last step."""
    realm = later(milestone=milestone, slots="O7, O5, O18", disc="C1 " * 24 + "C40 C40 C7+ C7+",
                  **fields)
    index = "ab".index(option)
    number = realm.c.card[realm.s.milestone].first_option + index
    size = int(realm.c.option[number].clock)
    realm.s.progress[MILESTONE, index] = max(size - 1, 0)
    realm.start("resolution")
    if f"resolve:milestone-{option}" in realm.moves():
        realm.play(f"resolve:milestone-{option}")
    else:
        assert "Nobody can pay" in realm.why_not(f"resolve:milestone-{option}")
        tracker = {"M6": ("young_king", "regent"), "M16": ("sun_king", "priesthood")}
        realm.do([f"tracker {tracker[milestone][index]} +1"] if milestone in tracker
                 else ["advance option B 1"], MILESTONE)
    return answered(realm)


def answered(realm):
    """Questions on the way answered by their first answer."""
    while realm.top not in (Ask.RESOLVE, Ask.PLAY) and realm.ending == Ending.NONE:
        realm.play(realm.moves()[0])
    return realm


@pytest.mark.parametrize(("milestone", "option", "follows"), WAYS)
def test_jl2_every_option_leads_on(milestone, option, follows):
    realm = resolved(milestone, option)
    assert realm.s.milestone_resolved
    assert way(realm) == follows


@pytest.mark.parametrize(("milestone", "follows"), [("M12", "M14"), ("M13", "M14")])
def test_jl2_jl28_jl29_campaigns_lead_to_the_legacy(milestone, follows):
    realm = later(milestone=f"{milestone} m5", phase="resolution").play("advance:milestone")
    assert way(answered(realm)) == follows


def test_jl2_no_way_leads_back():
    for wrong in (["M1", "M2", "M7"], ["M6", "M16"]):
        with pytest.raises(ContentError, match="no way leads"):
            GAME.content({"milestones": wrong})
    assert [GAME.variant(name).record.n_milestones
            for name in ("campaign", "act-two", "eclipse", "act-three")] == [14, 4, 3, 3]


# Trade, specialised cards, trackers --------------------------------------------------------------

def test_jl3_trade_goods():
    realm = later(trade=1, disc="C1").do(["lose trade 3"])
    assert (trade(realm), realm.odisc) == (0, "")         # two missing, no consequence
    gift = later(trade=0, hand="C14", banks="3/3/3/3").stop()
    assert gift.bank == "3/3/4/0"                         # food only: there is no trade good
    gift = later(trade=1, hand="C14", banks="3/3/3/3").retain("choose:2")
    assert (gift.bank, trade(gift)) == ("3/3/4/3", 0)
    lady = later(trade=4, banks="0/0/0/0", hand="C28", deck="C1 C1").play("play:c28")
    assert trade(lady) == 0                               # `any` may be trade goods
    assert "unit:trade" in lady.moves()
    vassal = later(slots="O47", phase="resolution").play("resolve:slot-1-b")
    assert int(vassal.s.maximum[TRADE]) == 9              # all maxima -3
    assert "in full" in later(slots="O47", phase="resolution", max_trade=2, trade=0).why_not(
        "resolve:slot-1-b")


def test_jl3_without_trade_goods_nobody_gains_them():
    realm = Realm(banks="3/3/3/3", slots="O61", phase="resolution", max_food=9)
    realm.set(food=4).start("resolution").play("resolve:slot-1-a")
    assert trade(realm) == 0


def test_jl5_specialising_and_what_a_plus_card_counts_as():
    realm = later(disc="C2 C4", deck="C2 C3", hand="C7").do(["specialize sub:troop 1"])
    assert set(realm.moves()) == {"take:c2", "take:c7"}
    realm.play("take:c2", "zone:discard")                 # C3 has no + version, C4 is no troop
    assert (realm.disc, realm.deck.split().count("C2")) == ("C2+ C4", 1)
    tax = later(hand="C1+", slots="O2").play("play:c1+")
    assert (tax.bank, trade(tax), tax.clock("Tax Collection")) == ("6/5/6/10", 5, 1)
    assert "resolve:slot-1-a" not in tax.stop().moves()   # a Tax Collection was played
    copy = later(disc="C7+").do(["copy C7"])
    assert copy.disc == "C7+ C7+"


def test_jl5_all_twenty_have_a_version():
    content = GAME.content()
    plus = {key for key, card in content.words["action"].items() if "specialises" in card}
    assert plus == {f"C{n}+" for n in (1, 2, 4, 5, 6, 7, 11, 12, 13, 17, 18, 19, 27, 30, 31, 39, 40,
                                       41, 44, 45)}
    assert content.words["action"]["C27+"]["name"] == "Noble Charioteers +"


def test_jl6_trackers_count_only_for_their_milestone():
    realm = later(milestone="M7").do(["tracker regent +1"])
    assert not realm.s.progress[MILESTONE].any()
    realm = later(slots="O70", odisc="O71", phase="resolution", milestone="M6")
    realm.s.progress[MILESTONE, 1] = 2
    realm.play("resolve:slot-1-a")                        # 4 food, 2 trade: the third step
    answered(realm)
    assert (realm.s.milestone_resolved, realm.removed) == (1, "O70 O71")   # the council is over
    assert way(realm) == "M7"


def test_jl7_destroying_all_means_everywhere():
    realm = later(hand="C46", deck="C47 C1", slots="O61, O7", odeck="O27 O5", odisc="O58")
    realm.do(["destroy all sub:storms"])
    assert realm.removed == "C46 C47 O27 O58 O61"
    assert (realm.slots, realm.odeck, realm.s.timer[0]) == ("-, O7 t2, -", "O5", 0)


def test_jl8_standing_changes():
    realm = later(hand="C28", banks="2/0/0/0", trade=0, deck="C1 C1")
    assert "play:c28" not in realm.moves()                # 4 of any
    realm.do(["modify C28: cost any -1"] * 2).start("action")
    realm.play("play:c28")
    assert realm.s.bank.sum() == 0                        # 2 left to pay, then 2 to gain
    realm = later(hand="C28", banks="1/0/0/0", trade=0).do(["modify C28: cost any -1"] * 5)
    assert "play:c28" in realm.start("action").moves()    # never below 1
    guard = later(hand="C7 C7+").do(["modify C7: gains no stability"]).start("action")
    assert guard.play("play:c7").bank == "8/6/6/4"
    assert guard.play("play:c7+").bank == "11/6/6/2"
    horse = later(hand="C27 C27+").do(["modify C27: gains might -1"]).start("action")
    assert horse.play("play:c27").bank == "8/6/6/4"       # 3 - 1
    assert horse.play("play:c27+").bank == "12/6/6/2"     # 5 - 1


def test_jl9_prices_and_gains_are_split_freely():
    realm = later(slots="O70", phase="resolution", banks="6/4/3/6").play("resolve:slot-1-b")
    assert realm.bank == "6/1/3/6"                        # 6 units of 4 + 3: 3 must be stability
    assert realm.moves() == ["unit:stability", "unit:influence"]
    assert realm.play("unit:influence").bank == "6/1/0/6"         # the rest is influence too
    poor = later(slots="O70", phase="resolution", banks="6/2/3/6", trade=0)
    assert "in full" in poor.why_not("resolve:slot-1-b")
    ship = later(hand="C40").play("play:c40", *["unit:might"] * 3, "unit:influence")
    assert ship.bank == "9/6/7/3"
    most = later(slots="O70", phase="resolution").do(["max stability|influence +1"])
    assert most.moves() == ["unit:stability", "unit:influence"]


def test_jl10_diplomats_resolve_in_the_action_phase():
    realm = later(hand="C39 C1", slots="O7, O36", milestone="M6 t6").play("play:c39")
    assert realm.top == Ask.RESOLVE_NOW
    realm.play("resolve:slot-2-b")                        # 3 might for 1 stability
    assert (realm.bank, realm.removed, realm.top) == ("3/7/3/6", "O36", Ask.PLAY)
    two = later(hand="C39+ C1", slots="O7, O36", milestone="M6 t6").play("play:c39+")
    two.play("resolve:slot-2-b", "stop")
    assert two.top == Ask.PLAY


def test_jl11_a_quarantine_forbids_the_next_turn():
    realm = later(slots="O10, O36", phase="resolution", turn=4).play("resolve:slot-1-a")
    assert "resolve:slot-2-b" in realm.moves()            # not in this turn
    realm.set(turn=5).start("resolution")
    assert realm.moves() == ["stop"]
    assert "Nothing can be resolved" in realm.why_not("resolve:slot-2-b")
    early = later(hand="C39", slots="O36", no_resolve=1).play("play:c39")
    assert early.top == Ask.PLAY                          # C39 cannot either
    assert "resolve:slot-2-b" in realm.set(turn=6).start("resolution").moves()


def test_jl12_each_step_has_its_price():
    realm = later(milestone="M17", phase="resolution").play("resolve:milestone-a", "unit:might")
    assert (realm.bank, int(realm.s.maximum[0]), realm.s.progress[MILESTONE, 0]) == \
        ("4/5/6/6", 11, 1)
    realm.s.progress[MILESTONE, 0] = 2
    realm.play("resolve:milestone-a", "unit:stability")
    assert (int(realm.s.maximum[1]), realm.s.draw_limit, realm.s.milestone_resolved) == (11, 6, 1)


@pytest.mark.parametrize("milestone", ["M8", "M9", "M17", "M18"])
def test_jl13_time_advances_the_second_option(milestone):
    realm = later(milestone=f"{milestone} t1", slots="O17, -, -").clocks()
    assert realm.s.progress[MILESTONE, 1] == 1
    assert realm.s.timer[MILESTONE] == 2


def test_jl14_the_ire_comes_with_the_resolution_phase():
    realm = later(slots="O82", hand="").start("turn")
    assert realm.top == Ask.PLAY                          # not at the start of the turn
    realm.play("stop")
    assert realm.top == Ask.CHOOSE
    realm.play("choose:2")
    assert realm.bank == "6/3/3/6"
    last = later(slots="O82 u2", hand="").play("stop", "choose:1")
    assert (last.s.next_draw, last.removed) == (-2, "O82")     # JL-37: after its last time it goes


def test_jl37_the_ire_leaves_after_three_times():
    assert GAME.content().words["objective"]["O82"]["upkeep"]["full"] == ["destroy self"]


WARS = [("O58", "C46", "C47", 6, 2), ("O59", "C48", "C49", 6, 2), ("O60", "C50", "C51", 6, 2),
        ("O67", "C52", "C53", 9, 3), ("O68", "C54", "C55", 9, 3), ("O69", "C56", "C57", 9, 3)]


@pytest.mark.parametrize(("war", "first", "second", "goods", "pay"), WARS)
def test_jl15_jl42_a_great_war(war, first, second, goods, pay):
    for choice, vassal in ((1, first), (2, second), (3, "")):
        realm = later(slots=f"{war} m5", phase="resolution", banks="3/0/0/0", trade=0)
        realm.play("advance:slot-1", f"choose:{choice}")
        spoils = goods if vassal else 2 * goods if goods == 6 else 15
        realm.play(*["unit:trade"] * (spoils - 1))
        answered(realm)
        assert (realm.disc, realm.removed) == (vassal, war)
        assert trade(realm) == min(spoils - 1, 12)
        assert realm.s.bank[0] == 3 - pay
    lost = later(slots=f"{war} m1", milestone_resolved=1).clocks()
    assert (lost.bank, lost.disc, lost.removed) == ("6/6/1/6", "C14 C14", war)
    assert later(slots=war).slot(0) == f"{war} t4 m1"


def test_jl16_the_conqueror_wins_a_war_in_the_action_phase():
    realm = later(hand="C29 C1", slots="O14 m5, O7", banks="0/3/3/3").play("play:c29", "choose:2")
    realm.play("choose:1")                                # the vassal
    assert (realm.disc, realm.removed) == ("C21", "O14")
    siege = later(milestone="M12 m2").do(["advance war 1"])
    assert siege.s.marker[MILESTONE] == 3                 # a milestone that is a war


def test_jl17_inevitable_timers_cannot_be_delayed():
    for milestone in ("M24", "M25", "M27"):
        realm = later(milestone=f"{milestone} t1", slots="O7 t1")
        assert realm.do(["delay 1"]).slot(0) == "O7 t2"   # the only target
        assert realm.s.timer[MILESTONE] == 1


# Cataclysms --------------------------------------------------------------------------------------

def test_jl18_the_die():
    seen = set()
    for seed in range(12):
        realm = later(seed=seed).do(["roll cataclysm 2"])
        drawn = realm.odisc.split()
        assert len(set(drawn)) == 2 == bin(realm.s.active).count("1")
        seen |= set(drawn)
        realm.do(["gain_active_cataclysm 1"])
        assert len(realm.odisc.split()) == 3 and len(set(realm.odisc.split())) == 2
    assert seen == set(GAME.text["rules"]["cataclysms"])
    every = later().do(["activate cataclysm 6", "activate cataclysm 1"])
    assert len(every.odisc.split()) == 6                  # all are active: nothing more


def test_jl19_what_you_choose():
    realm = later(slots="O7, O5, O18").do(["replace sub:trade"])
    assert realm.moves() == [f"take:o{n}" for n in range(61, 67)]
    realm.play("take:o63", "place:slot-2")
    assert realm.slots == "O7 t2, O63 t3, O18 t3"
    realm = later(disc="C2 C13 C13 C44").do(["transform sub:troop->C44 x2"])
    assert realm.play("take:c13", "take:c13").disc == "C2 C44 C44 C44"
    realm = later(slots="O39, O45, O36", disc="C1").do(
        ["destroy_objectives upto 2 sub:stability|influence"])
    assert realm.moves() == ["place:slot-1", "place:slot-2", "stop"]
    assert realm.play("place:slot-1", "place:slot-2").removed == "O39 O45"
    assert later(slots="O39").do(["destroy_objectives upto 2 sub:stability"]).play(
        "stop").removed == ""


def test_jl20_the_gods_answer():
    seen = {later(seed=seed).do(["card random objective sub:food|stability"]).odisc
            for seed in range(12)}
    assert seen == {"O39", "O42"}


def test_jl21_discards_are_shuffled_in_before_the_refill():
    realm = Realm(CAMPAIGN, milestone="M10", milestone_resolved=1, slots="O7", odisc="O5 O18",
                  odeck="", disc="C1 C4", next_milestone=GAME.content().words["index"][
                      "cards"].index("M15"))
    realm.reset()
    assert realm.milestone == "M16 t4"
    assert realm.odisc == "" and "-" not in realm.slots


def test_jl22_states():
    rich = later(milestone="M24", banks="4/4/4/4", trade=3, phase="resolution")
    assert "resolve:milestone-a" not in rich.moves()      # 19
    assert "resolve:milestone-a" in rich.set(trade=4).start("resolution").moves()
    many = later(milestone="M24", banks="0/0/0/0", disc="C1 " * 24, phase="resolution")
    assert "resolve:milestone-b" not in many.moves()
    assert "resolve:milestone-b" in many.lay_piles(hand="C1").start("resolution").moves()
    troops = later(milestone="M11", disc="C7+ C27", phase="resolution")
    assert "resolve:milestone-b" not in troops.moves()
    assert "resolve:milestone-b" in troops.lay_piles(deck="C13+").start("resolution").moves()
    for place in ({"slots": "O86"}, {"odeck": "O85"}, {"odisc": "O91"}):
        assert "resolve:milestone-a" not in later(milestone="M27", phase="resolution",
                                                  **place).moves()


def test_jl23_the_campaign_is_won_with_its_last_milestone():
    realm = later(milestone="M27", slots="O7", phase="resolution").play("resolve:milestone-a")
    assert (realm.ending, realm.s.milestone_resolved) == (Ending.WON, 1)
    assert later(slots="O38 t1").clocks().ending == Ending.LOST


# Lists and rulings -------------------------------------------------------------------------------

def test_jl24_jl26_the_lists():
    realm = later().do(["card_list A"])
    assert len(realm.odisc.split()) == 17 and realm.disc == "C28"
    assert later().do(["card_list B"]).odisc == "O77 O78 O79 O80 O81"
    content = GAME.variant("campaign")
    assert set(content.words["index"]["cards"]) - set(in_play(content)) == {"M26"}
    assert "O52" not in GAME.text["rules"]["list_a"] + GAME.text["rules"]["list_b"]


def test_jl25_exiles_come_back():
    realm = later(slots="O48", phase="resolution").play("resolve:slot-1-b")
    realm.do(["card O52 if taken O48 B"])
    assert realm.odisc == "O52"
    spared = later(slots="O48", phase="resolution").play("resolve:slot-1-a")
    assert spared.do(["card O52 if taken O48 B"]).odisc == "O51"


def test_jl27_the_high_priest_mirrors_the_decree():
    realm = later(hand="C43", slots="O36, O42, O39", disc="C1").play(
        "play:c43", "place:slot-1", "place:slot-2")
    assert (realm.bank, realm.removed, realm.hand) == ("6/3/6/6", "O36 O42", "C1")
    sun = later(hand="C42", slots="O36, O45, O39", disc="C1").play("play:c42", "place:slot-2",
                                                                   "stop")
    assert (sun.bank, sun.removed, sun.hand) == ("6/6/3/6", "O45", "C1")


@pytest.mark.parametrize(("milestone", "pays", "maximum", "brings"), [
    ("M12", "5/6/5/6", 2, "O46"), ("M13", "4/6/6/6", 0, "O37")])
def test_jl28_jl29_the_two_campaigns(milestone, pays, maximum, brings):
    realm = later(milestone=f"{milestone} m2", phase="resolution").play("advance:milestone")
    assert (realm.bank, realm.milestone) == (pays, f"{milestone} t4 m3")
    beaten = later(milestone=f"{milestone} m1").clocks()
    assert (beaten.odisc, beaten.s.marker[MILESTONE]) == (brings, 1)
    thrown = later(milestone=f"{milestone} m5 t1").clocks()
    assert thrown.milestone == f"{milestone} t4 m2"       # 5 - 2 by the timer, then - 1
    won = later(milestone=f"{milestone} m5", phase="resolution", trade=0)
    won.set(**{f"max_{name}": 8 for name in ("might", "influence")})
    won.play("advance:milestone", *["unit:food"] * 8, "unit:trade")
    assert (int(won.s.maximum[maximum]), trade(won)) == (10, 1)


def test_jl30_by_land_and_sea_can_be_listed():
    listed = {"milestones": [*CAMPAIGN["milestones"], "M26"], "milestone": {"M25": {"next": "M26"}}}
    realm = later(listed, milestone="M25", phase="resolution", slots="O7")
    realm.s.progress[MILESTONE, 0] = 3
    assert way(realm.play("resolve:milestone-a")) == "M26"
    assert realm.s.marker[MILESTONE] == 2
    realm = later(listed, milestone="M26 m1").clocks()
    assert (realm.odisc, realm.s.marker[MILESTONE]) == ("O85 O85", 2)
    assert way(later(listed, milestone="M26 m5", phase="resolution").play(
        "advance:milestone")) == "M27"


@pytest.mark.parametrize(("milestone", "leader"), [("M10", "C28"), ("M14", "C29")])
def test_jl31_legacies_start_over(milestone, leader):
    realm = later(milestone=f"{milestone} t1", disc=leader).clocks()
    assert (realm.removed, realm.s.timer[MILESTONE]) == (leader, 6)
    assert not realm.s.milestone_resolved


def test_jl32_a_conspiracy_leads_to_the_sun_kings_legacy():
    assert way(resolved("M18", "b")) == "M19"


@pytest.mark.parametrize("milestone", ["M19", "M20"])
def test_jl33_jl57_the_leader_goes_and_time_leads_on(milestone):
    for leader in ("C42", "C43"):
        realm = later(milestone=f"{milestone} t1", deck=leader, slots="O17").clocks()
        assert (realm.removed, realm.s.draw_limit, realm.s.milestone_resolved) == (leader, 4, 1)
        assert way(realm) == "M24"                        # M21 only reveals
        for option in "ab":
            assert leader in resolved(milestone, option, deck=leader).removed


def test_jl34_sacrifices_bring_the_third_tier():
    assert resolved("M25", "b").odisc.split().count("O44") == 2
    options = GAME.content().words["milestone"]["M25"]["options"]
    milder = [options[0], options[1] | {"full": ["card O43 x2", "activate cataclysm 1"]}]
    realm = later({"milestone": {"M25": {"options": milder}}}, milestone="M25", phase="resolution")
    realm.s.progress[MILESTONE, 1] = 3
    assert realm.play("resolve:milestone-b").odisc.split().count("O43") == 2


def test_jl35_the_architect_helps_the_young_king():
    realm = later(slots="O72, O7, O5", phase="resolution", milestone="M6")
    realm.play("resolve:slot-1-b", "take:o21", "place:slot-2")
    assert realm.s.progress[1, 0] == 2                    # the project enters and is advanced
    assert (realm.s.progress[MILESTONE, 0], trade(realm), realm.removed) == (1, 3, "O72")


def test_jl36_the_old_order_gains_whispers():
    assert later(slots="O77 t1", milestone_resolved=1).clocks().odisc == "O39 O77"


@pytest.mark.parametrize("card", [f"O{n}" for n in range(85, 92)])
def test_jl38_cataclysms_leave_when_they_are_met(card):
    for option in "ab":
        realm = later(slots=f"{card}", phase="resolution")
        realm.s.progress[0, "ab".index(option)] = 2
        answered(realm.play(f"resolve:slot-1-{option}"))
        assert (realm.removed, realm.slots) == (card, "-, -, -")


def test_jl39_the_bull_is_of_the_bulls():
    assert GAME.content().words["objective"]["O91"]["subtypes"] == ["cataclysm", "bulls"]
    realm = later(slots="O7, O91, -", odeck="O91 O5 O18", disc="C54").reset()
    assert realm.removed == "C54 O91 O91"                 # its escalation destroys all bulls


def test_jl40_an_unlocked_province():
    realm = later(slots="O35", disc="C15 C16 C46", phase="resolution").play("resolve:slot-1-a")
    realm.play("take:c15", "take:c16")                    # two are given up
    assert realm.moves() == ["take:c15", "take:c16", "take:c46"]   # lost ones and the one left
    assert realm.play("take:c46").disc == "C46 C46"


@pytest.mark.parametrize(("trades", "envoy"), [(f"O{61 + n}", f"O{e}") for n, e in enumerate(
    (27, 26, 28, 29, 30, 31))])
def test_jl41_trade_that_ends(trades, envoy):
    realm = later(slots=f"{trades} t1", milestone_resolved=1).clocks()
    assert (realm.slots, realm.odisc, realm.removed) == ("-, -, -", envoy, "")


def test_jl42_start_markers():
    assert later(slots="O51, O52").slots == "O51 m1, O52 m1, -"


def test_jl43_vassals_of_one_name_differ():
    content = GAME.content()
    for first in range(46, 58, 2):
        one, two = (content.words["action"][f"C{first + n}"] for n in range(2))
        assert one["name"] == two["name"] and one["province"] != two["province"]


def test_jl45_supplies_are_unlimited():
    assert len(later().do(["card O85 x9", "card C28 x9"]).odisc.split()) == 9
    assert not {"O55", "O56", "O57"} & set(GAME.content().words["objective"])


def test_jl46_escalation_without_a_successor():
    plague = later(slots="O7, O10, -", odeck="O10 O5 O18", disc="C1 C4").reset()
    assert (plague.removed, plague.slots) == ("C1 O10 O10", "O7 t2, O5 t3, O18 t3")
    wave = later(slots="O7, O85, -", odeck="O85 O5", active=1).reset()
    assert (wave.removed, wave.slots) == ("O85 O85", "O7 t2, O88 t2, O5 t3")


@pytest.mark.parametrize(("card", "place"), [("O86", "sisters"), ("O87", "storms"),
                                             ("O88", "murals"), ("O89", "terraces"),
                                             ("O90", "rivers")])
def test_jl46_a_cataclysm_that_escalates_takes_its_place_along(card, place):
    vassal = next(key for key, entry in GAME.content().words["action"].items()
                  if place in entry.get("subtypes", []))
    realm = later(slots=f"O7, {card}, -", odeck=f"{card} O5 O18", disc=vassal,
                  active=0b111111).reset()
    assert realm.removed == f"{vassal} {card} {card}"
    assert realm.odisc == "O85 O85"


def test_jl47_a_human_wave_that_fails():
    realm = later(slots="O85 t1", active=0b100, milestone_resolved=1).clocks()
    assert (realm.slots, realm.odisc, realm.removed) == ("-, -, -", "O85 O86", "")


def test_jl48_maxima_stop_at_0():
    realm = later(max_stability=1).do(["max stability -2"])
    assert int(realm.s.maximum[1]) == 0


# Our own frame -----------------------------------------------------------------------------------

def test_jl49_every_act_has_its_turns_and_its_flood():
    realm = later(turn=70, act_start=20, slots="O7", deck="C1 " * 9, milestone="M7")
    realm.reset().go_on()
    assert realm.ending == Ending.NONE                    # turn 50 of 80
    realm = later(turn=100, act_start=20, slots="O7", deck="C1 " * 9, milestone="M7")
    realm.reset().go_on()
    assert realm.ending == Ending.CAP
    for act, milestone in ((40, "M16"), (40, "M24")):
        realm = later(turn=act, act_start=0, slots="O7", deck="C1 " * 9, milestone=milestone)
        realm.reset().go_on()
        assert realm.ending == Ending.CAP
    flood = later(slots="O7", odisc="O4 " * 89, deck="C1 " * 9, milestone="M7").reset().go_on()
    assert flood.ending == Ending.NONE
    flood = later(slots="O7", odisc="O4 " * 90, deck="C1 " * 9, milestone="M7").reset().go_on()
    assert flood.ending == Ending.COLLAPSE


def test_jl50_score_of_a_campaign():
    realm = later(milestone="M16", turn=30, act_start=25, first_done=4, milestones_done=8,
                  unused=40, disc="C15 C46", slots="O36")
    assert realm.score == 750 + 4 * 60 + 40 * 4 + 2 * 5 - 3
    won = later(milestone="M27", turn=60, act_start=50, first_done=4, milestones_done=13, unused=90,
                slots="O7", phase="resolution").play("resolve:milestone-a")
    assert won.score == 750 + 10 * 60 + 90 * 4 + 30 * 4 + 300     # 40 - 10 turns of the act left
    first = Realm(CAMPAIGN, banks="3/2/6/3", turn=8)
    assert first.score == 8 + 40                          # J-69 while it is the first act
    crossing = Realm(CAMPAIGN, banks="1/3/3/3", milestone="M4 m5", slots="O7", turn=12,
                     phase="resolution", milestones_done=3).play("advance:milestone").reset()
    assert (crossing.s.first_done, crossing.s.unused, crossing.s.act_start) == (4, 28, 12)


@pytest.mark.parametrize("milestone", ["M10", "M14", "M19", "M20"])
def test_jl51_project_milestones_can_be_advanced(milestone):
    realm = later(hand="C18 C1", slots="O7", milestone=milestone).play("play:c18", "choose:2")
    assert realm.moves() == ["resolve:milestone-a", "resolve:milestone-b"]
    realm.play("resolve:milestone-b")
    assert list(realm.s.progress[MILESTONE]) == [0, 1]
    before = int(realm.s.timer[MILESTONE])
    assert realm.clocks().s.timer[MILESTONE] == before - 1        # not paused
    alone = later({"project_milestones": False}, milestone=milestone).do(["advance project 1"])
    assert not alone.s.progress.any()


def test_jl52_a_maximum_as_a_price():
    realm = later(slots="O77", phase="resolution", max_might=1).play("resolve:slot-1-b")
    assert (int(realm.s.maximum[0]), int(realm.s.maximum[2])) == (1, 10)  # might is too low
    low = {"max_might": 1, "max_influence": 1}
    assert "in full" in later(slots="O77", phase="resolution", **low).why_not("resolve:slot-1-b")
    floor = later({"vassalization_price": "floor"}, slots="O77", phase="resolution", **low)
    floor.play("resolve:slot-1-b", "unit:might")
    assert int(floor.s.maximum[0]) == 0
    tithes = later(slots="O78", phase="resolution", max_food=2)
    assert "in full" in tithes.why_not("resolve:slot-1-a")
    both = later(slots="O78", phase="resolution").play("resolve:slot-1-b", "unit:might")
    assert (both.bank, int(both.s.maximum[0])) == ("6/6/6/2", 9)  # 4 food and the maximum


def test_jl53_the_deck_as_a_price():
    realm = later(slots="O10", deck="C1 C4", phase="resolution").play("resolve:slot-1-b")
    assert (realm.disc, realm.removed, realm.odisc in ("O39", "O42")) == ("C1 C4", "O10", True)
    assert "in full" in later(slots="O10", deck="C1", phase="resolution").why_not(
        "resolve:slot-1-b")
    short = later({"tier3_price": "as_many"}, slots="O10", deck="C1", phase="resolution")
    assert short.play("resolve:slot-1-b").disc == "C1"


@pytest.mark.parametrize(("name", "milestone", "slots"), [
    ("act-two", "M6", 5), ("eclipse", "M16", 5), ("act-three", "M24", 5)])
def test_jl54_an_act_alone(name, milestone, slots):
    position = Position(GAME, GAME.variant(name), seed=3, mode=Mode.PYTHON)
    view = position.view(0)
    assert (view["milestone"]["id"], len(view["agenda"]), view["milestone"]["number"]) == \
        (milestone, slots, 1)
    assert view["banks"]["trade"]["maximum"] >= 6
    assert all("id" in card for card in view["agenda"])
    last = later(GAME.variant("act-two").overlay["rules"], milestone="M10", slots="O7, O5, O18",
                 phase="resolution")
    last.s.progress[MILESTONE, 1] = 3
    assert answered(last.play("resolve:milestone-b")).ending == Ending.WON


def test_jl55_sun_moon_and_both_bring_the_same():
    cards = GAME.content().words["milestone"]
    assert [cards[f"M{n}"]["branch"] for n in (21, 22, 23)] == ["sun", "both", "moon"]
    assert cards["M21"]["on_reveal"] == cards["M22"]["on_reveal"] == cards["M23"]["on_reveal"]
    assert "Act 3 (moon) follows" in full(GAME.variant("campaign"), "M19")


def test_jl56_list_a_is_no_flood():
    realm = later().do(["card_list A"])
    assert realm.events(Event.CARD_GAINED) and sum(
        bool(realm.c.card[realm.cards.index(card)].crisis) for card in realm.odisc.split()) == 0


def test_jl58_specialised_cards_stay_specialised():
    realm = later(disc="C4+ C4", slots="O6", phase="resolution").play("resolve:slot-1-a")
    assert realm.disc == "C17 C17+"                       # two C4: one of them a + card
    plain = later(disc="C2+ C2").do(["transform C2->C11 x1"])
    assert plain.disc == "C2+ C11"                        # the plain one is taken
    drums = later(disc="C13+").do(["transform sub:troop->C30 x2"])
    assert drums.disc == "C30+"


def test_jl59_new_crises():
    c, cards = GAME.content().record, GAME.content().words["index"]["cards"]
    new = {card for i, card in enumerate(cards) if c.card[i].crisis and c.card[i].act > 1}
    assert new == {"O10", *(f"O{n}" for n in range(85, 92))}
    assert {int(c.card[cards.index(card)].crisis) for card in new} == {1}


def test_jl60_cards_taken_back_late_stay_in_hand():
    realm = later(slots="O35", disc="C15 C16 C1", deck="C1 " * 9, phase="resolution")
    realm.play("resolve:slot-1-b", "take:c15")
    assert realm.hand == "C15 C16"
    assert pile_size(realm.reset().s, Pile.HAND) == 2 + 5


# Worked campaigns: each branch by hand -----------------------------------------------------------

def council(realm, *steps):
    """Councils and eclipses resolved in one Resolution Phase, each with banks refilled."""
    for slot, option in steps:
        realm.s.bank[:] = 6
        answered(realm.start("resolution").play(f"resolve:slot-{slot}-{option}"))
    return realm


def test_the_regents_way_with_a_grand_expedition():
    realm = later(slots="O70, O75, O76", disc="C28 C5", milestone="M6", odeck="O5 " * 9)
    council(realm, (1, "a"), (2, "a"))                    # 4 food, 2 trade each: regent at 2
    assert list(realm.s.progress[MILESTONE]) == [0, 2]
    assert realm.s.modified[0] == 1                       # C28 costs 4 - 1 = 3
    council(realm, (3, "a"))                              # 6 of stability and influence: the third
    # M6 B: stability or influence maximum 12 - 3 = 9; the draw limit of O76 A is 5 + 1
    assert (int(realm.s.maximum[1]), realm.s.draw_limit) == (9, 6)
    assert way(realm) == "M7"
    realm.s.bank[:] = 6
    realm.start("resolution").play(*["resolve:milestone-a"] * 3)   # 2 food, 1 influence, 3 times
    assert realm.bank == "6/6/3/0"
    assert way(realm) == "M8"
    realm.clocks().clocks()                               # its timer of 2: the failure has 1 of 3
    assert realm.s.progress[MILESTONE, 1] == 1
    for _ in range(4):                                    # 2 might, 1 influence, 4 times = 8 and 4
        realm.s.bank[:] = 6
        realm.start("resolution").play("resolve:milestone-a")
    realm.play("place:slot-1")                            # the Grand Expedition enters
    assert realm.slot(0) == "O53"
    assert way(realm) == "M10"
    for _ in range(4):                                    # the tomb: 2 food, 1 trade, 4 times
        realm.s.bank[:] = 6
        realm.start("resolution").play("resolve:milestone-a")
    realm.play("place:slot-2")
    assert (realm.slot(1), "C28" in realm.removed) == ("O22", True)
    assert way(realm) == "M16"                            # over M15: list B is in the deck
    assert {"O77", "O78", "O79", "O80", "O81"} <= set(
        (realm.odeck + " " + realm.odisc + " " + realm.slots).replace(",", "").split())
    assert realm.s.milestones_done == 5 + 4               # the realm began at M6


def test_the_young_kings_way_by_sea():
    realm = later(slots="O70, O73, O74", disc="C28 C7", milestone="M6", odeck="O5 " * 9)
    council(realm, (1, "b"), (2, "b"))                    # 6 mixed; 3 trade: copy C7
    assert (list(realm.s.progress[MILESTONE]), realm.disc) == ([2, 0], "C7 C7 C28")
    council(realm, (3, "b"))                              # 8 mixed: C27 gains 1 might less
    assert (realm.removed, realm.disc) == ("C28 O70 O73 O74", "C7 C7 C29")
    assert way(realm) == "M11"
    realm.lay_piles(disc="C40 C41").start("resolution").play("resolve:milestone-a")   # two fleets
    assert way(realm) == "M12"
    realm.set(might=5, influence=5, food=0, trade=0).start("resolution")
    realm.play(*["advance:milestone"] * 5)                # from 1 to 6: 5 might and 5 influence
    realm.play(*["unit:food"] * 8, "unit:trade")          # 9 of the spoils
    assert (realm.bank, trade(realm)) == ("0/0/0/8", 1)   # the last council took all stability
    assert way(realm) == "M14"
    realm.set(food=4).start("resolution").play(*["resolve:milestone-b"] * 4, "place:slot-1")
    assert (realm.slot(0), realm.s.bank[3]) == ("O20", 0)         # a modest marker: 4 food
    assert "C29" in realm.removed
    assert way(realm) == "M16"


def test_the_young_kings_way_by_land():
    realm = later(milestone="M11", disc="C7+ C13+ C46", slots="O58, O7", odeck="O5 " * 9,
                  phase="resolution").play("resolve:milestone-b")
    assert realm.removed == "C46 O58"                     # storms and sisters are no more
    assert way(realm) == "M13"
    realm.set(might=10).start("resolution").play(*["advance:milestone"] * 5)   # 5 steps of 2
    realm.play(*["unit:trade"] * 6, *["unit:influence"] * 3)
    assert (int(realm.s.maximum[0]), int(realm.s.bank[0])) == (12, 0)
    assert way(realm) == "M14"


def test_the_sun_kings_way_to_the_last_act():
    realm = later(slots="O77, O79, O80", disc="C2 C13", milestone="M16", odeck="O5 " * 9)
    council(realm, (1, "a"), (2, "a"))                    # heralds; three seditious priests
    assert realm.disc == "C20 C20 C20 C44 C44"
    council(realm, (3, "a"))                              # 4 stability for 5 food, 4 trade, unrest
    assert realm.s.milestone_resolved and realm.disc.endswith("C42 C44 C44")
    assert way(realm) == "M17"
    for _ in range(3):                                    # 2 might, 1 stability and a maximum - 1
        realm.s.bank[:] = 6
        realm.start("resolution").play("resolve:milestone-a", "unit:might")
    assert (int(realm.s.maximum[0]), realm.s.draw_limit) == (9, 6)        # 12 - 3; 5 + 1
    assert way(realm) == "M19"
    realm.set(influence=4).start("resolution").play(*["resolve:milestone-b"] * 4, "place:slot-1")
    # erase him from memory: 4 influence, its maximum 12 - 2, the decree is gone
    assert (int(realm.s.maximum[2]), "C42" in realm.removed) == (10, True)
    assert way(realm) == "M24"                            # over M23: two cataclysms, two waves
    assert realm.events(Event.MILESTONE)[realm.cards.index("M23")] == 1
    assert (bin(realm.s.active).count("1"), realm.s.slots) == (2, 5)


def test_the_moons_way_and_the_end_of_the_world():
    realm = later(slots="O77, O79, O81", disc="C2 C13", milestone="M16", odeck="O5 " * 9)
    council(realm, (1, "b"))                              # might or influence maximum - 2
    council(realm, (2, "b"), (3, "b"))                    # draw limit 5 - 1; the Ire enters
    assert (realm.s.draw_limit, int(realm.s.maximum[0])) == (4, 10)
    assert way(realm) == "M18"
    for _ in range(3):                                    # 2 stability, 1 influence, a maximum - 1
        realm.s.bank[:] = 6
        realm.start("resolution").play("resolve:milestone-a", "unit:influence")
    assert (int(realm.s.maximum[2]), realm.s.draw_limit) == (9, 5)
    assert way(realm) == "M20"
    realm.set(stability=4).start("resolution").play(*["resolve:milestone-b"] * 4, "place:slot-1")
    assert way(realm) == "M24"
    assert realm.events(Event.MILESTONE)[realm.cards.index("M22")] == 1   # it has come and gone
    realm.set(might=9, stability=9, food=9, influence=9).start("resolution")
    answered(realm.play("resolve:milestone-a"))           # 20 units: 4 more, 3 O42, 2 O85
    assert way(realm) == "M25"
    for _ in range(4):                                    # 2 might, 1 stability, 4 times
        realm.set(might=2, stability=1).start("resolution").play("resolve:milestone-a")
    assert bin(realm.s.active).count("1") == 3            # one more cataclysm
    assert way(realm) == "M27"
    realm.do(["destroy all sub:cataclysm"]).start("resolution").play("resolve:milestone-a")
    assert realm.ending == Ending.WON


def test_what_the_goal_says():
    assert "Resolve 14 milestones" in goal(GAME.variant("campaign"))
    assert "Legacy of the Lady of Gold or Legacy of the Conqueror" in goal(GAME.variant("act-two"))


@pytest.mark.parametrize("name", ["act-two", "eclipse", "act-three"])
def test_every_question_and_move_of_the_later_acts_can_be_said_and_shown(name):
    content = GAME.variant(name)
    for position in walk(GAME, content, 1, 1, Mode.PYTHON, 300):
        assert not position.engine.fault(position.state, content.record)
        if not position.is_over:
            lines = [line for _, line in position.menu()]
            assert position.question and len(set(lines)) == len(lines)
    moves = boards.spots(GAME, position.observe(0), content, [])
    shown = boards.render(GAME, content, position.view(0), ["Ann"],
                          moves[0] if isinstance(moves, tuple) else moves)
    assert "Trade" in shown
