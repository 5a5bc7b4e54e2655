"""The notation: a new card is content alone, and what cannot work is refused with its place."""

import pytest

from exchequer.core.content import ContentError
from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.tables import RULES
from games.jagged_time.realm import Realm


def action(**fields):
    return {"action": {"C90": {"name": "New", **fields}}}


def test_a_new_card_needs_no_code():
    new = action(subtypes=["statecraft", "harvest"], cost=[{"food": 1, "might": 1}],
                 effect=["choose: gain stability 1 & draw 1 | card O36 x2", "next_draw +1"],
                 retained=["lose influence 1"], start=2)
    new["objective"] = {"O90": {"name": "Feast", "start": 1, "timer": {
        "size": 2, "effect": ["lose food 1"], "then": "return"}, "options": [
            {"name": "Serve", "spend": {"food": 2, "influence": 1}, "effect": ["gain stability 3"],
             "then": "destroy"}]}}
    realm = Realm(new, hand="C90", deck="C1").play("play:card-181", "choose:1")
    assert (realm.bank, realm.hand, realm.s.next_draw) == ("2/4/3/2", "C1", 1)
    realm = Realm(new, slots="O90", phase="resolution").play("resolve:slot-1-a")
    assert (realm.bank, realm.removed) == ("3/6/2/1", "O90")


def test_a_variant_does_not_move_the_numbers_of_the_cards():
    plain = GAME.content().words["index"]["cards"]
    assert GAME.content(action()).words["index"]["cards"] == [*plain, "C90"]


REFUSED = [
    (action(effect=["gian food 2"]), r'action\.C90\.effect: "gian food 2".*did you mean "gain"'),
    (action(effect=["gain fod 2"]), r'action\.C90\.effect: "fod" is no resource'),
    (action(effect=["gain food"]), r'"gain food" cannot be read; it must read'),
    (action(effect=["gain food many"]), r"'many' is not a whole number"),
    (action(effect=["card O99"]), 'there is no card "O99"'),
    (action(effect=["card M1"]), '"M1" is no action or objective'),
    (action(effect=["hand O2"]), '"O2" is no action'),
    (action(effect=["become O14"]), "can only stand on an objective"),
    (action(effect=["destroy self"]), "can only stand on an objective"),
    (action(effect=["front -1"]), "has no track"),
    (action(effect=["advance own clock 1"]), "this card has none"),
    (action(retained=["play sub:troop 1 less 1"]), "a hand to play from"),
    (action(effect=["max food 1"]), "needs a sign"),
    (action(effect=["copy sub:nonsense"]), "is no subtype"),
    (action(effect=["transform C4->C4"]), "into itself"),
    (action(effect=["choose: gain food 1"]), "2 to 6 alternatives"),
    (action(effect=["choose unless nothing: gain food 1 | gain food 2"]), "is no switch"),
    (action(effect=["may: food => gain food 1"]), "must read"),
    (action(effect=["menu gold: gain food 1 | draw 1"]), '"gold" is no resource'),
    (action(effect="gain food 2"), "is not a list of texts"),
    (action(cost=[{"gold": 1}]), r"action\.C90\.cost\[0\]\.gold"),
    (action(efect=[]), r'action\.C90\.efect: is no field.*did you mean "effect"'),
    (action(province={"sum": ["food"], "at_least": 3}), "two resources"),
    ({"action": {"C90": {}}}, r"action\.C90\.name: must be a text"),
    ({"action": {"C90": 3}}, "must be a table"),
    ({"objective": {"C1": {"name": "Twin"}}}, "id of another card"),
    ({"objective": {"O7": {"timer": {"size": 0}}}}, r"objective\.O7\.timer\.size"),
    ({"objective": {"O7": {"timer": {"then": "explode"}}}}, r"objective\.O7\.timer\.then"),
    ({"objective": {"O14": {"track": {"pay": {"might": 0}}}}}, "must cost something"),
    ({"objective": {"O90": {"name": "Free", "options": [
        {"name": "x", "spend": {}, "then": "stay"}]}}}, "could be taken for ever"),
    ({"objective": {"O90": {"name": "Both", "options": [
        {"name": "x", "spend": {}, "need": [], "then": "return"}]}}}, "must have one of"),
    ({"objective": {"O90": {"name": "Any", "options": [
        {"name": "x", "spend": {"any": 2}, "then": "return"}]}}}, "must name its resources"),
    ({"objective": {"O90": {"name": "Twice", "misfortune": "food"}}}, "already a misfortune"),
    ({"milestone": {"M1": {"timer": {"then": "return"}}}}, "a milestone stays"),
    ({"score_crisis_agenda": [1, 2]}, "a list of 3 whole numbers"),
]


@pytest.mark.parametrize(("overlay", "sentence"), REFUSED)
def test_what_cannot_work_is_refused_with_its_place(overlay, sentence):
    with pytest.raises(ContentError, match=sentence):
        GAME.content(overlay)


def test_tokens_of_the_later_acts_that_are_carried_already():
    realm = Realm().do(["gain_mix 2 might|influence"])
    assert realm.moves() == ["unit:might", "unit:influence"]
    assert realm.play("unit:might", "unit:influence").bank == "4/3/4/3"
    assert Realm().do(["gain_any 1"]).play("unit:food").bank == "3/3/3/4"
    assert Realm().do(["max stability|might -1"]).play("unit:stability").maxima == "6/5/6/6"
    assert Realm(disc="C15 C1").do(["recur 2 sub:province"]).hand == "C15"
    assert Realm(disc="C7").do(["copy C7"]).disc == "C7 C7"
    realm = Realm(slots="O14 m5, O7").do(["advance war 1"]).play("choose:1")
    assert (realm.removed, realm.disc) == ("O14", "C21")
    realm = Realm(disc="C1 C4", odisc="O7").do(["reshuffle actions", "reshuffle objectives"])
    assert (sorted(realm.deck.split()), realm.odeck) == (["C1", "C4"], "O7")
    assert Realm(slots="O7 t1, O5 t2", milestone="M1 t1").do(["delay 1 x2"]).play(
        "place:slot-1", "place:milestone").slots == "O7 t2, O5 t2, -"


def test_later_ways_to_destroy():
    realm = Realm(hand="C15", deck="C16", disc="C1").do(["destroy sub:province 2"])
    assert (realm.moves(), realm.play("take:c16").removed) == (["take:c15", "take:c16"], "C15 C16")
    realm = Realm(disc="C1 C4").do(["destroy_cards 1"]).play("take:c4")
    assert realm.disc == "C1"
    assert Realm(disc="C7 C7 C1").do(["destroy C7"]).removed == "C7 C7"


def test_later_conditions_and_a_larger_agenda():
    def deed(*needs, **realm):
        card = {"objective": {"O90": {"name": "Deed", "options": [
            {"name": "Claim", "need": list(needs), "effect": ["agenda +2"], "then": "destroy"}]}}}
        return Realm(card, slots="O90", phase="resolution", **realm)

    assert "resolve:slot-1-a" not in deed("total resources 13").moves()
    assert "resolve:slot-1-a" in deed("total resources 12").moves()
    assert "resolve:slot-1-a" not in deed("control cards 3", disc="C1 C1").moves()
    assert "resolve:slot-1-a" in deed("control cards 2", disc="C1 C1").moves()
    assert "resolve:slot-1-a" not in deed("no sub:war exists", odeck="O14").moves()
    realm = deed("no sub:war exists", odeck="O7 O5 O18 O19 O3").play("resolve:slot-1-a")
    assert len(realm.reset().slots.split(", ")) == 5
    assert "-" not in realm.slots


def test_every_key_of_the_rules_has_its_default():
    text = GAME.text["rules"]
    assert set(text) == set(RULES) == set(GAME.text["about"])
    assert (text["turn_cap"], text["collapse_limit"], text["play_guard"]) == (40, 60, 100)
    switches = {"misfortune": "objective", "self_gain": "extra", "fresh_cards_tick": True,
                "tier2_start": 2, "count_overflow": True, "unplayed_hand": "discard",
                "played_cards": "discard_now", "retained_order": "player",
                "menu_mode": "stepwise", "volunteers_both": False, "tier3_price": "strict",
                "vassalization_price": "strict", "replace_to": "occupied",
                "replace_protects_tier3": False, "revolt_scope": "actions",
                "transform_short": "as_many", "scout_must": False, "delay_cap": "printed",
                "random_timer_may_end_game": True, "project_pause": "any",
                "project_progress": "lost", "m4_timer": 6, "m4_pay": 1, "m3b_max_stability": 2,
                "o7_forgive_cost": 2, "tax_clock": 3, "start_bank": 3, "start_max": 6, "draw": 5,
                "slots": 3, "tutorial_agenda": False, "hr_relief": False,
                "show_objective_counts": False}
    assert {key: text[key] for key in switches} == switches


JUNK = [3, -1, 10**9, True, 1.5, "x", "gain", "", [], [3], ["x"], [["x"]], [{}], {}, {"x": 1},
        {"size": []}, [{"name": 3}], ["become"], ["choose:"], ["menu"], ["may:"], ["x"] * 9]
FIELDS = [("action", "C1"), ("action", "C15"), ("objective", "O7"), ("objective", "O14"),
          ("objective", "O17"), ("objective", "O36"), ("objective", "O11"), ("milestone", "M4")]


@pytest.mark.parametrize(("family", "card"), FIELDS)
def test_junk_is_refused_and_never_crashes(family, card):
    """Whatever stands in a field, at whatever depth: it works or is refused with a sentence."""
    for field, value in GAME.text[family][card].items():
        paths = [(field,)] + [(field, key) for key in (value if isinstance(value, dict) else ())]
        for path in paths:
            for junk in JUNK:
                overlay = junk
                for key in reversed((family, card, *path)):
                    overlay = {key: overlay}
                try:
                    GAME.content(overlay)
                except ContentError as error:
                    assert card in str(error) or "rules" in str(error)
    for junk in JUNK:
        option = {"objective": {"O7": {"options": [{"name": "x", "spend": junk, "then": junk}]}}}
        with pytest.raises(ContentError):
            GAME.content(option)
