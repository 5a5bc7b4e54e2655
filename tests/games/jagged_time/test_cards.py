"""Every card of the act: cost, effect, each option, timer, defeat and victory.

The tables below repeat the card facts; a row is played and the change compared.
"""

import pytest

from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.phrases import in_play
from exchequer.games.jagged_time.state import Ending
from exchequer.games.jagged_time.tables import MILESTONE
from games.jagged_time.realm import Realm

ACT_1 = [f"C{n}" for n in range(1, 28)] + [f"M{n}" for n in range(1, 5)] + [
    f"O{n}" for n in (*range(1, 8), *range(11, 21), 23, *range(36, 48))]


def changes(before, after):
    """`might +1, food -2` for two banks written as m/s/i/f."""
    names = ("might", "stability", "influence", "food")
    pairs = zip(names, map(int, before.split("/")), map(int, after.split("/")), strict=True)
    return ", ".join(f"{name} {new - old:+}" for name, old, new in pairs if new != old)


def test_all_61_cards_are_there():
    content = GAME.content()
    assert len(ACT_1) == 61
    assert sorted(in_play(content)) == sorted([*ACT_1, "X1"])
    assert set(content.words["index"]["cards"][:62]) == {*ACT_1, "X1"}    # numbered as ever


# Actions -----------------------------------------------------------------------------------------

PLAYS = [  # card, answers behind the play, banks, hand, action discard (its own copy included)
    ("C1", "", "stability -1, food +2", "", "C1"),
    ("C2", "", "food -2", "C3 C3", "C2"),
    ("C3", "", "might +1", "", ""),
    ("C4", "", "stability +1, food -1", "", "C4"),
    ("C5", "stop", "influence +2, food -1", "", "C5"),
    ("C5", "choose:1 stop", "influence +1", "", "C5"),
    ("C5", "choose:2 stop", "might +1, influence +1, food -1", "", "C5"),
    ("C5", "choose:3 stop", "influence +1, food -1", "C4", "C5"),
    ("C6", "stop", "stability +1, influence +1, food -1", "", "C6"),
    ("C6", "choose:1", "stability +2, influence +1, food -2", "", "C6"),
    ("C7", "", "might +2, stability +1, food -2", "", "C7"),
    ("C8", "", "stability -2", "", ""),
    ("C9", "", "stability -2", "", ""),
    ("C10", "", "might -2", "", ""),
    ("C11", "cost:1", "food -1", "C13", "C11"),
    ("C11", "cost:2", "stability -1", "C13", "C11"),
    ("C12", "cost:1 choose:1", "stability +1, food -1", "C4", "C12"),
    ("C12", "cost:2 choose:2", "might -1, influence +1", "C4", "C12"),
    ("C13", "", "might +2, food -1", "", "C13"),
    ("C14", "", "influence -2", "", ""),
    ("C15", "", "influence +1", "", "C15"),
    ("C16", "", "food +1", "", "C16"),
    ("C17", "", "stability +2, food -1", "", "C17"),
    ("C18", "choose:1", "", "", "C18"),
    ("C19", "", "", "C4", "C19"),
    ("C20", "unit:might unit:food", "might -1, food -1", "", ""),
    ("C21", "", "might +2", "", "C21"),
    ("C22", "", "food +2", "", "C22"),
    ("C23", "", "influence +2", "", "C23"),
    ("C24", "", "food +2", "", "C24"),
    ("C25", "", "might +2", "", "C25"),
    ("C26", "", "influence +2", "", "C26"),
    ("C27", "", "might +3, food -2", "", "C27"),
    ("X1", "", "food -2", "", ""),
]


@pytest.mark.parametrize(("card", "answers", "banks", "hand", "disc"), PLAYS)
def test_playing(card, answers, banks, hand, disc):
    realm = Realm(hand=card, deck="C4", slots="O7")
    realm.play(f"play:{card.lower()}", *answers.split())
    assert (changes("3/3/3/3", realm.bank), realm.hand, realm.disc) == (banks, hand, disc)
    expendable = card in ("C3", "C8", "C9", "C10", "C14", "C20", "X1")
    assert realm.removed == (card if expendable else "")


def test_playing_c5_delays_a_timer():
    realm = Realm(hand="C5", deck="C4", slots="O7 t1").play("play:c5", "choose:4", "stop")
    assert realm.slot(0) == "O7 t2"


def test_playing_c18_advances_a_project():
    realm = Realm(hand="C18 C1", slots="O19 p3").play("play:c18", "choose:2")
    assert realm.slot(0) == "O20"


RETAINED = [  # card, banks, action discard, objective discard, next draw
    ("C6", "", "C6 C8", "", 0), ("C7", "", "C7", "O39", 0),
    ("C8", "influence -1", "C8", "", -1),
    ("C9", "might -1, stability +1, food -1", "C9", "", 0),
    ("C10", "influence -1, food -2", "C10", "", 0), ("C13", "stability -1", "C13", "", 0),
    ("C14", "influence +1, food -3", "C14", "", 0), ("C17", "", "C17 C20", "", 0),
    ("C20", "", "C4 C4 C20", "", 0), ("C27", "stability -2", "C27", "", 0),
    ("X1", "", "X1", "O2", 0), ("C1", "", "C1", "", 0), ("C3", "", "C3", "", 0),
]


@pytest.mark.parametrize(("card", "banks", "disc", "odisc", "draw"), RETAINED)
def test_retaining(card, banks, disc, odisc, draw):
    realm = Realm(hand=card, deck="C4 C4 C4", slots="O7").stop()
    assert (changes("3/3/3/3", realm.bank), realm.disc, realm.odisc, realm.s.next_draw) == \
        (banks, disc, odisc, draw)


PROVINCES = [  # card, banks just enough, banks just short, what failing brings
    ("C15", "1/0/0/2", "1/6/6/1", "O36"), ("C16", "1/0/2/0", "1/6/1/6", "O45"),
    ("C21", "0/3/0/2", "6/2/6/2", "O14"), ("C22", "2/3/0/0", "2/2/6/6", "O14"),
    ("C23", "0/3/0/2", "6/2/6/2", "O15"), ("C24", "2/3/0/0", "2/2/6/6", "O15"),
    ("C25", "0/3/0/2", "6/2/6/2", "O16"), ("C26", "2/3/0/0", "2/2/6/6", "O16"),
]


@pytest.mark.parametrize(("card", "enough", "short", "brings"), PROVINCES)
def test_provinces(card, enough, short, brings):
    held = Realm(hand=card, banks=enough).play(f"play:{card.lower()}")
    assert (held.disc, held.removed, held.odisc) == (card, "", "")
    failed = Realm(hand=card, banks=short, slots="O7").play(f"play:{card.lower()}")
    if brings in ("O36", "O45"):
        assert (failed.disc, failed.odisc) == (card, brings)
    else:
        assert (failed.removed, failed.odisc) == (card, "O7")
        assert failed.slots == f"{brings} t4 m1, -, -"


# Objectives and milestones -----------------------------------------------------------------------

OPTIONS = [  # card, option, answers, banks, action discard, objective discard, removed
    ("O1", "a", "choose:1", "", "C18", "O6", "O1"),
    ("O1", "a", "choose:2", "", "C19", "O6", "O1"),
    ("O2", "a", "", "", "", "", "O2"),
    ("O2", "b", "", "might -2, food +2", "", "O2", ""),
    ("O5", "a", "choose:1", "influence -2", "C15", "O5", ""),
    ("O5", "a", "choose:2", "influence -2", "C16", "O5", ""),
    ("O5", "b", "", "might -2", "", "O5", ""),
    ("O6", "a", "", "food -2", "", "", "O6"),
    ("O6", "b", "", "influence -2", "", "", "O6"),
    ("O7", "a", "", "stability +1, food -2", "", "O7", ""),
    ("O7", "b", "", "food +2", "", "O2 O2 O7", ""),
    ("O11", "a", "", "might -3, food +4", "", "O11", ""),
    ("O12", "a", "", "might -3, food +4", "", "O12", ""),
    ("O13", "a", "", "might -3, food +4", "", "O13", ""),
    ("O18", "a", "", "", "", "O18", ""),
    ("O18", "b", "", "stability -2", "C9", "O18", ""),
    ("O19", "a", "", "food -1", "", "", ""),
    ("O36", "a", "", "influence -1", "C10", "", "O36"),
    ("O36", "b", "", "might -3, stability +1", "", "", "O36"),
    ("O38", "a", "", "might -3", "", "", ""),
    ("O39", "a", "", "might -1", "C8", "", "O39"),
    ("O39", "b", "", "stability -3, influence +1", "", "", "O39"),
    ("O41", "a", "", "stability -3", "", "", ""),
    ("O42", "a", "", "stability -1", "", "O2 O2", "O42"),
    ("O42", "b", "", "stability +1, food -3", "", "", "O42"),
    ("O44", "a", "", "food -3", "", "", ""),
    ("O45", "a", "", "food -1", "C14", "", "O45"),
    ("O45", "b", "", "might +1, influence -3", "", "", "O45"),
    ("O47", "a", "", "influence -3", "", "", ""),
    ("O47", "b", "", "might -1, stability -1, influence -1, food -1", "", "", "O47"),
]


@pytest.mark.parametrize(("card", "option", "answers", "banks", "disc", "odisc", "removed"),
                         OPTIONS)
def test_options(card, option, answers, banks, disc, odisc, removed):
    realm = Realm(banks="4/4/4/4", slots=card, phase="resolution", max_food=8)
    realm.s.maximum[:4] = 6 if card == "O47" and option == "b" else 9
    if card == "O47" and option == "b":
        realm.s.maximum[:4] = 6
    realm.s.gained_phase[[1, 3]] = 2
    realm.start("resolution").play(f"resolve:slot-1-{option}", *answers.split())
    assert (changes("4/4/4/4", realm.bank), realm.disc, realm.odisc, realm.removed) == \
        (banks, disc, odisc, removed)


@pytest.mark.parametrize(("card", "subtype_cards"), [
    ("O38", "C1 C2 C12"), ("O41", "C15 C16 C21"), ("O44", "C2 C3 C27")])
def test_ways_out_take_three_cards(card, subtype_cards):
    realm = Realm(slots=card, disc=f"{subtype_cards} C4", phase="resolution")
    realm.play("resolve:slot-1-b")
    assert (realm.disc, realm.removed) == ("C4", f"{subtype_cards} {card}")


@pytest.mark.parametrize(("card", "resource"), [("O38", 0), ("O41", 1), ("O44", 3), ("O47", 2)])
def test_six_parts_end_a_third_tier_calamity(card, resource):
    realm = Realm(slots=f"{card} p5", phase="resolution").play("resolve:slot-1-a")
    assert (realm.s.bank[resource], realm.removed, realm.slots) == (0, card, "-, -, -")


def test_o6_turns_two_rituals():
    moon = Realm(slots="O6", disc="C4 C4 C4", phase="resolution").play("resolve:slot-1-a")
    assert (moon.disc, moon.maxima) == ("C4 C17 C17", "6/7/6/6")
    state = Realm(slots="O6", disc="C4 C4 C4", phase="resolution").play("resolve:slot-1-b")
    assert (state.disc, state.maxima) == ("C4 C6 C6", "6/6/7/6")


def test_o18_promises_a_draw():
    assert Realm(slots="O18", phase="resolution").play("resolve:slot-1-a").s.next_draw == 2
    assert Realm(slots="O18", phase="resolution").play("resolve:slot-1-b").s.next_draw == 1


@pytest.mark.parametrize(("raid", "war", "clock"), [("O11", "O14", 1), ("O12", "O15", 2),
                                                    ("O13", "O16", 3)])
def test_a_second_raid_begins_the_war(raid, war, clock):
    realm = Realm(slots=raid, phase="resolution")
    realm.s.clock[clock] = 1
    realm.play("resolve:slot-1-a")
    assert (realm.slot(0), realm.s.clock[clock]) == (f"{war} t4 m1", 0)


MILESTONES = [  # card, option, banks, action discard, maxima, draw limit
    ("M1", "a", "influence -4", "C11", "6/6/6/6", 5),
    ("M1", "b", "stability -4", "C2 C12", "6/6/6/6", 5),
    ("M2", "a", "stability -4", "C2 C27", "8/6/6/6", 5),
    ("M2", "b", "influence -4", "C2 C7", "6/8/6/6", 5),
    ("M3", "a", "", "C2 C2", "8/6/6/6", 5),
    ("M3", "b", "", "C2", "6/8/6/6", 6),
]


@pytest.mark.parametrize(("card", "option", "banks", "disc", "maxima", "draw"), MILESTONES)
def test_milestones(card, option, banks, disc, maxima, draw):
    realm = Realm(banks="4/4/4/4", milestone=card, disc="C2", phase="resolution")
    realm.s.gained_turn[0] = 6
    realm.lay_piles(deck="C15 C15 C15").start("resolution")
    realm.play(f"resolve:milestone-{option}")
    assert changes("4/4/4/4", realm.bank) == banks
    assert (realm.disc, realm.maxima, realm.s.draw_limit) == (disc, maxima, draw)
    assert realm.s.milestone_resolved


TIMERS = [  # card, size, banks, action discard, objective discard
    ("O1", 3, "", "C9", "O1"), ("O2", 3, "stability -1", "", "O2 O2"), ("O5", 3, "", "", "O5 O36"),
    ("O6", 3, "", "", "O6 O39"), ("O7", 2, "stability -2", "", "O7 O42"),
    ("O11", 3, "influence -2", "", "O11 O36"), ("O12", 3, "influence -2", "", "O12 O39"),
    ("O13", 3, "influence -2", "", "O13 O45"), ("O18", 3, "food -3", "", "O18 O42"),
    ("O19", 3, "", "", "O19"), ("O36", 2, "", "", "O36 O36"), ("O39", 2, "", "", "O39 O39"),
    ("O42", 2, "", "", "O42 O42"), ("O45", 2, "", "", "O45 O45"),
]


@pytest.mark.parametrize(("card", "size", "banks", "disc", "odisc"), TIMERS)
def test_timers(card, size, banks, disc, odisc):
    realm = Realm(slots=card, milestone_resolved=1)
    assert realm.s.timer[0] == size
    for _ in range(size - 1):
        realm.clocks()
        assert realm.slot(0).startswith(card)
    realm.clocks()
    assert (changes("3/3/3/3", realm.bank), realm.disc, realm.odisc) == (banks, disc, odisc)
    assert realm.slots == "-, -, -"


@pytest.mark.parametrize("card", ["O38", "O41", "O44", "O47"])
def test_third_tier_timers(card):
    realm = Realm(slots=card)
    assert realm.clocks().clocks().ending == Ending.NONE
    assert realm.clocks().ending == Ending.LOST           # timer 3


@pytest.mark.parametrize(("card", "size", "odisc"), [
    ("M1", 3, "O36"), ("M2", 4, "O36 O39"), ("M3", 4, "O45")])
def test_milestone_timers(card, size, odisc):
    realm = Realm(milestone=card)
    for _ in range(size):
        assert realm.odisc == ""
        realm.clocks()
    assert (realm.odisc, realm.s.timer[MILESTONE]) == (odisc, size)


@pytest.mark.parametrize("card", ["O14", "O15", "O16"])
def test_wars_are_thrown_back_every_fourth_turn(card):
    realm = Realm(slots=f"{card} t1 m6").clocks()
    assert realm.slot(0) == f"{card} t4 m2"


VICTORIES = [  # card, size, answers, banks but for the payment, action discard, next draw
    ("O14", 6, "choose:1", "food +4", "C21", 0), ("O14", 6, "choose:2", "food +4", "C22", 0),
    ("O15", 6, "choose:1", "food +4", "C23", 0), ("O15", 6, "choose:2", "food +4", "C24", 0),
    ("O16", 6, "choose:1", "food +4", "C25", 0), ("O16", 6, "choose:2", "food +4", "C26", 0),
    ("O23", 4, "", "", "", 0), ("O37", 6, "", "stability +2", "", 0),
    ("O40", 6, "", "influence +2", "", 2), ("O43", 6, "", "", "", 4),
]
PAID_IN = {"O40": "stability", "O43": "food", "O46": "influence", "O3": "stability"}


@pytest.mark.parametrize(("card", "size", "answers", "banks", "disc", "draw"), VICTORIES)
def test_victories(card, size, answers, banks, disc, draw):
    realm = Realm(banks="4/4/4/4", slots=f"{card} m{size - 1}", phase="resolution")
    realm.s.maximum[:4] = 9
    realm.start("resolution").play("advance:slot-1", *answers.split())
    paid = {"might": 0, "stability": 1, "influence": 2, "food": 3}[PAID_IN.get(card, "might")]
    realm.s.bank[paid] += 1
    assert (changes("4/4/4/4", realm.bank), realm.disc, realm.s.next_draw) == (banks, disc, draw)
    assert (realm.removed, realm.slots) == (card, "-, -, -")


def test_victory_over_an_invasion_reshuffles_two():
    realm = Realm(slots="O37 m5", disc="C1 C4 C5", phase="resolution").play("advance:slot-1")
    realm.play("take:c1", "take:c5")
    assert (realm.disc, sorted(realm.deck.split())) == ("C4", ["C1", "C5"])


@pytest.mark.parametrize(("card", "size"), [("O3", 4), ("O4", 6)])
def test_victories_that_found_a_dynasty(card, size):
    realm = Realm(slots=f"O7, {card} m{size - 1}", phase="resolution").play("advance:slot-2")
    assert realm.slots == "O7 t2, O17, -"


DEFEATS = [  # card, banks, objective discard, removed
    ("O14", "influence -3", "O11", "O14"), ("O15", "influence -3", "O12", "O15"),
    ("O16", "influence -3", "O13", "O16"), ("O23", "stability -4", "O23 O23 O23", ""),
    ("O37", "stability -4", "O37 O37", "C15"), ("O40", "influence -4", "O40 O40", ""),
    ("O43", "stability -3", "O2 O2 O2 O2 O43", ""), ("O46", "might -3", "O46 O46", ""),
]


@pytest.mark.parametrize(("card", "banks", "odisc", "removed"), DEFEATS)
def test_defeats(card, banks, odisc, removed):
    realm = Realm(banks="4/4/4/4", slots=f"{card} m1", disc="C15", milestone_resolved=1).clocks()
    assert (changes("4/4/4/4", realm.bank), realm.odisc, realm.removed) == (banks, odisc, removed)
    assert realm.slots == "-, -, -"


def test_defeat_of_o40_disrupts_three():
    realm = Realm(slots="O40 m1", deck="C1 C4 C5 C2").clocks()
    assert (realm.deck, realm.disc) == ("C2", "C1 C4 C5")


ESCALATIONS = [("O2", "O23"), ("O23", "O38"), ("O36", "O37"), ("O37", "O38"), ("O39", "O40"),
               ("O40", "O41"), ("O42", "O43"), ("O43", "O44"), ("O45", "O46"), ("O46", "O47")]


@pytest.mark.parametrize(("low", "high"), ESCALATIONS)
def test_escalations(low, high):
    realm = Realm(slots=f"O7, {low}, -", odeck=f"{low} O5").reset()
    assert realm.slots.split(", ")[1].startswith(high)
    assert realm.removed == f"{low} {low}"


def test_two_calamities_that_fail_together_both_double():
    realm = Realm(banks="3/3/3/0", slots="O36 t1, O39 t1, O18 t1").clocks()
    assert realm.odisc == "O18 O36 O36 O39 O39 O42 O42 O42 O42"    # 3 missing food, 1 printed


def test_upkeep_of_the_dynasty_and_the_stele():
    for choice, banks in (("choose:3", "influence +2"), ("choose:4", "stability +2")):
        realm = Realm(slots="O17", deck="C1 C1", disc="C4", phase="turn").play(choice)
        assert changes("3/3/3/3", realm.bank) == banks
    realm = Realm(slots="O20 u1", phase="turn")
    assert (realm.slot(0), realm.bank) == ("O19 t3", "3/4/4/3")
