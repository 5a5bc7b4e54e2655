"""Contracts, matching, weapons, the End of Age and the end of the game (T17-37 to T17-69)."""

import pytest

from exchequer.games.treasury.v17.cards import Card, Icon
from exchequer.games.treasury.v17.matching import is_matched
from exchequer.games.treasury.v17.money import contract_value
from exchequer.games.treasury.v17.state import Event
from games.treasury.v17.table import Table


def matched(card, demand, opened="", **options):
    table = Table(opened=[opened], demand=demand, **options)
    return bool(is_matched(table.s, table.c, 0, Card[card.upper()]))


# Claims and matching -----------------------------------------------------------------------------

def test_t17_37_the_bottom_card_becomes_the_contract():
    table = Table(opened=["skinner tanner"], demand="-trapper merchant seer")
    table.do("claim:skinner")
    assert table.contract(0, "skinner") == "trapper"
    assert table.demand == "merchant seer"  # the matching cards stay
    table.do("claim:tanner")
    assert table.contract(0, "tanner") == "merchant" and table.demand == "seer"


def test_t17_37_what_cannot_be_claimed():
    table = Table(opened=["skinner:cook warrior_1 quarry"], startups=["tower"],
                  demand="merchant seer", obsolete=[Icon.CLUBS])
    assert table.refuses("claim:skinner") == "HAS_CONTRACT"
    assert table.refuses("claim:warrior_1") == "OBSOLETE"
    assert table.refuses("claim:quarry") == "NO_MATCH"
    assert table.refuses("claim:tower") == "NO_BUSINESS"
    assert Table(opened=["skinner"]).refuses("claim:skinner") == "NO_DEMAND"


def test_r17_6_a_startup_is_never_contracted():
    assert Table(startups=["skinner"], demand="merchant").refuses("claim:skinner") == "NO_BUSINESS"


def test_t17_38_r17_5_weapons_take_any_face_up_card():
    assert matched("spear_maker", "merchant tanner")
    assert not matched("spear_maker", "merchant")
    assert not matched("spear_maker", "merchant -tanner")
    # one card serves one icon: Lodge (hides, spears) needs hides and another card
    assert not matched("lodge", "merchant")
    assert matched("lodge", "merchant tanner")
    assert not matched("lodge", "tanner trapper")


def test_t17_38_r17_2_each_icon_needs_its_own_card():
    assert not matched("wheat_farm", "healer merchant")
    assert matched("wheat_farm", "healer councilor")
    assert matched("wheat_farm", "healer merchant", match_multiplicity=False)


def test_t17_38_the_count_agrees_with_every_assignment():
    """The obvious oracle: try all assignments of cards to icons."""
    import itertools
    table = Table()
    words = table.content.words["card"]
    pool = {"food": "healer", "science": "tanner", "happiness": "trader", "hides": "merchant",
            "stone": "theater", "bronze": "dairy_farm", "iron": "legion"}
    weapons = {"clubs", "spears", "axes", "swords"}

    def assignable(needs, shown):
        return any(all(need in weapons or need == card
                       for need, card in zip(needs, order, strict=True))
                   for order in itertools.permutations(shown, len(needs)))

    for size in (1, 2, 3):
        for shown in itertools.combinations(pool, size):
            demand = " ".join(pool[icon] for icon in shown)
            for card in ("lodge", "lumberyard", "fort", "iron_mine", "whaler", "arena", "inn"):
                assert matched(card, demand) == assignable(words[card]["provides"], shown)


def test_t17_66_claiming():
    # Demand: face-down X, food, happiness, science
    demand = "-seer healer trader tanner"
    table = Table(opened=["wheat_farm lumberyard warrior_1"], demand=demand)
    assert table.refuses("claim:wheat_farm") == "NO_MATCH"
    table.do("claim:lumberyard")
    assert table.contract(0, "lumberyard") == "seer"
    assert table.demand == "healer trader tanner"
    table.do("claim:warrior_1")
    assert table.contract(0, "warrior_1") == "healer"


def test_r17_3_the_oldest_matching_card_in_a_variant():
    demand = "-seer trader merchant tanner"
    table = Table(opened=["skinner"], demand=demand, contract_takes="oldest_matching")
    table.do("claim:skinner")
    assert table.contract(0, "skinner") == "merchant"
    # a weapon takes any card, so the oldest face-up one
    table = Table(opened=["warrior_1"], demand=demand, contract_takes="oldest_matching")
    assert table.do("claim:warrior_1").contract(0, "warrior_1") == "trader"
    # Lodge: hides must be left for hides, so the only hides card may serve hides
    table = Table(opened=["lodge"], demand="-seer merchant tanner",
                  contract_takes="oldest_matching")
    assert table.do("claim:lodge").contract(0, "lodge") == "merchant"


def test_r17_4_face_down_cards_are_blanks():
    assert not matched("skinner", "-merchant")
    # they count for Barbarians: 2 cards - 0 weapons
    table = Table(queue="trader", demand="-merchant", treasury=9).trigger()
    assert table.treasury == 7


def test_t17_39_a_contracted_business_keeps_its_ability():
    table = Table(opened=["sculptor:seer"], hands=["cook tanner"]).do("sculpt", "card:cook")
    assert table.gold[0] == 4


def test_t17_40_r17_34_shoemaker_goes_by_the_size_of_demand():
    five, six = "-seer cook tanner mentor bard", "-seer cook tanner mentor bard juggler"
    for demand, value in ((five, 1), (six, 2)):  # N = 3: 2 x 3 = 6
        table = Table(3, opened=["shoemaker:healer"], demand=demand)
        assert contract_value(table.s, table.c, 0, 0) == value


def test_t17_41_r17_23_a_single_payment_is_all_or_nothing():
    table = Table(opened=["spear_maker"], demand="merchant tanner", treasury=1)
    table.do("claim:spear_maker")
    assert table.treasury == 1 and not table.paid(0, "spear_maker")
    table = Table(opened=["spear_maker"], demand="merchant tanner", treasury=1,
                  ability_payment="top_up").do("claim:spear_maker")
    # 1 from the treasury, 1 from the supply
    assert table.treasury == 0 and table.on_contract(0, "spear_maker") == 2


def test_t17_42_gold_on_a_contract_waits_for_the_end_of_age():
    table = Table(opened=["warrior_1"], demand="merchant", treasury=5).do("claim:warrior_1")
    assert table.gold[0] == 3 and table.on_contract(0, "warrior_1") == 1
    table.end_age(0)
    assert table.on_contract(0, "warrior_1") == 0
    assert table.gold[0] == 3  # + 1 - tax 1


# Weapons -----------------------------------------------------------------------------------------

def test_t17_43_t17_44_axes_make_clubs_obsolete():
    table = Table(opened=["warrior_1:seer!1", "warrior_2:cook!1 spear_maker:bard"],
                  startups=["armory"], demand="merchant", gold=2)
    table.do("open:armory")
    # both lose the contract, the gold goes to the owners: 2 - 2 + 1 and 2 + 1
    assert table.contract(0, "warrior_1") == "" and table.contract(1, "warrior_2") == ""
    assert table.gold == [1, 3]
    assert table.contract(1, "spear_maker") == "bard"
    assert table.refuses("claim:warrior_1") == "OBSOLETE"
    assert table.s.provided[0, Icon.CLUBS] == 1


def test_t17_43_swords_make_clubs_and_spears_obsolete():
    table = Table(opened=["spear_maker:seer"], startups=["legion"], demand="merchant tanner",
                  gold=3, age=3).do("open:legion")
    assert table.contract(0, "spear_maker") == ""
    assert table.s.obsolete == 1 << Icon.CLUBS | 1 << Icon.SPEARS


def test_r17_31_obsolescence_is_permanent_unless_the_variant_says_otherwise():
    for permanent, why in ((True, "OBSOLETE"), (False, "")):
        table = Table(opened=["warrior_1 armory"], demand="merchant", hands=["seer tanner"],
                      obsolete=[Icon.CLUBS], obsolescence_permanent=permanent)
        table.do("close:armory")
        assert table.refuses("claim:warrior_1") == why


def test_r17_32_mixed_businesses_lose_their_contract_too():
    table = Table(opened=["whaler:seer lodge:cook"], startups=["legion"], gold=3,
                  hands=["bard tanner"], demand="merchant healer")
    table.do("open:legion", "card:seer")  # Ann orders her two lost contracts
    assert table.contract(0, "whaler") == "" and table.contract(0, "lodge") == ""
    assert table.discards == "seer cook"
    assert table.refuses("claim:whaler") == "OBSOLETE"
    assert table.refuses("whale") == ""  # the ability still works


# End of Age --------------------------------------------------------------------------------------

def test_t17_54_r17_20_an_age_waits_for_those_before_it():
    # Alchemist has emptied age I while age 0 runs; the last age-0 card ends both
    table = Table(draw="tanner", draws=(1, 0, 5, 5), hands=["seer cook"], gold=9)
    table.do("start", "card:cook")
    assert table.s.age == 2
    assert [int(e.thing) for e in table.events(Event.AGE_ENDS)] == [0, 1]
    assert table.gold == [6, 6]  # taxes 1 and 2


def test_t17_55_the_five_steps_in_order():
    table = Table(opened=["merchant skinner:seer"], treasury=2, gold=0).end_age(1)
    names = [Event(e.what).name for e in table.told]
    order = ["EARNED", "PAID_CONTRACT", "COLLECTED", "TAXED", "POPULATION_TAX"]
    assert [name for name in names if name in order and name != "TAXED"] == \
        ["EARNED", "PAID_CONTRACT", "COLLECTED", "POPULATION_TAX"]
    # 1 (Merchant) + 2 (Skinner) - 2 (tax of age I) = 1
    assert table.gold[0] == 1
    assert not table.paid(0, "skinner") and table.contract(0, "skinner") == "seer"


def test_t17_56_r17_24_the_whole_batch_is_paid():
    # treasury 1: both players still collect their best contract; the supply adds 2 + 3 - 1 = 4
    table = Table(opened=["skinner:seer shoemaker:bard", "quarry:cook"], treasury=1, gold=9)
    table.end_age(0)
    assert [int(e.amount) for e in table.events(Event.TOPPED_UP)] == [4]
    assert table.gold == [9 + 2 - 1, 9 + 3 - 1]


def test_t17_56_equal_values_are_not_asked_about_where_it_changes_nothing():
    table = Table(opened=["skinner:seer tower:cook"], treasury=9, queue="academy",
                  ).end_age(0)
    assert table.asked == "NOTHING"  # Tower is paid by its ability before the payout
    table = Table(opened=["warrior_1:seer warrior_2:bard"], treasury=1).end_age(0)
    assert table.asked == "NOTHING"
    assert [int(e.thing) for e in table.events(Event.PAID_CONTRACT)] == [Card.WARRIOR_1]


def test_t17_56_equal_values_the_owner_chooses_in_a_war():
    # Academy's event: the gold stays on the contract, and so does that it is paid
    table = Table(opened=["warrior_1:seer warrior_2:bard"], treasury=1, queue="academy").trigger()
    assert table.asked == "PICK_SLOT"
    table.do("slot:warrior_2")
    assert [int(e.thing) for e in table.events(Event.PAID_CONTRACT)] == [Card.WARRIOR_2]


def test_r17_25_contracts_worth_nothing_are_paid_last_and_cost_nothing():
    table = Table(opened=["wiseman:seer skinner:bard"], treasury=3).end_age(0)
    paid = [int(e.thing) for e in table.events(Event.PAID_CONTRACT)]
    assert paid == [Card.SKINNER, Card.WISEMAN]


def test_t17_57_r17_28_tax_of_players_and_population():
    # age II: 3 each, Wiseman's owner 1, who has 0 pays nothing
    table = Table(3, opened=["skinner:seer wiseman", "", ""], demand="-cook trader tanner",
                  treasury=0, age=2)
    table.s.gold[:3] = [5, 2, 0]
    table.end_age(2)
    # population: 1 contract + the face-down card + Tanner; Trader is visible happiness
    assert table.gold == [4, 0, 0]
    assert table.treasury == 1 + 2 + 3


def test_t17_58_r17_27_running_out_is_a_change_from_some_to_none():
    table = Table(opened=["bank"], queue="trader", demand="tanner", treasury=2).trigger()
    assert table.gold[0] == 5  # Barbarians take 2 of 2
    table = Table(opened=["bank"], queue="trader", demand="tanner", treasury=0).trigger()
    assert table.gold[0] == 3


def test_t17_67_end_of_age_one_three_players():
    table = Table(3, treasury=9, gold=0, age=1, opened=[
        "quarry:seer warrior_1:cook!1 shoemaker:bard",
        "inn:alchemist tower:fisher",
        "skinner:scribe wiseman"],
        demand="-merchant trader smuggler tanner gatherer healer")
    table.s.gold[:3] = [5, 5, 5]
    table.end_age(1, 0)
    # payout 3 + 3 + 2 = 8 > 7 left after Tower; collection 3 + 1, 3 + 2, 2; tax 2, 2, 1
    assert table.gold == [5 + 4 - 2, 5 + 5 - 2, 5 + 2 - 1]
    assert [int(e.amount) for e in table.events(Event.TOPPED_UP)] == [1]
    assert len(table.events(Event.RAN_OUT)) == 1
    assert Card.SHOEMAKER not in [int(e.thing) for e in table.events(Event.PAID_CONTRACT)]
    assert table.treasury == 15  # 5 + 6 contracts + 4 of demand
    assert table.s.age == 2


@pytest.mark.parametrize("treasury, paid", [(8, 4), (9, 5)])
def test_t17_68_exact_payment(treasury, paid):
    # A: Quarry 3, Skinner 2, Tanner 1; B: Tower... without its ability: Whaler 2, Cook 1
    table = Table(opened=["quarry:seer skinner:bard tanner:juggler", "whaler:fisher cook:scribe"],
                  treasury=treasury, discard="").end_age(0, 1)
    assert len(table.events(Event.PAID_CONTRACT)) == paid
    assert len(table.events(Event.TOPPED_UP)) == 0
    assert len(table.events(Event.RAN_OUT)) == 1


def test_t17_69_barbarians():
    # 7 cards, 4 contracted weapons, treasury 2: loses min(2, 3) and runs out
    opened = ["spear_maker:seer arsenal:bard"]
    demand = "-cook tanner juggler fisher scribe alchemist"
    table = Table(opened=opened, demand=demand, queue="trader", treasury=2).trigger()
    assert table.treasury == 0 and len(table.events(Event.RAN_OUT)) == 1
    # Barbarians II with a queue of 3: 7 + 3 - 4 = 6
    table = Table(3, opened=opened, demand=demand, queue="fort merchant skinner mentor",
                  treasury=9).trigger()
    assert table.treasury == 3


# The end of the game -----------------------------------------------------------------------------

def test_t17_62_the_final_end_of_age_has_no_tax():
    table = Table(opened=["merchant skinner:seer"], treasury=2, gold=3, age=3, draws=0)
    table.end_age(3, 0, final=1)
    assert table.gold == [3 + 1 + 2, 3]
    assert table.s.winners == 1


def test_t17_63_stored_gold_does_not_count_and_ties_are_shared():
    table = Table(opened=["theater=10"], age=3, draws=0).end_age(3, 0, final=1)
    assert table.gold == [3, 3] and table.s.winners == 3


def test_t17_63_r17_57_ties_are_broken_by_the_values_held():
    def winners(**options):
        # Ann holds a contract worth 2 but the treasury is empty; Ben has collected more before
        table = Table(opened=["skinner:seer", "warrior_1:cook"], age=3, draws=0, **options)
        table.s.income[:2] = [1, 4]
        return table.end_age(3, 0, final=1).s.winners
    assert winners() == 1
    assert winners(tiebreak="whole_game") == 2
    assert winners(tiebreak="final_payout") == 3


def test_r17_51_cafe_works_in_the_last_round():
    table = Table(startups=["cafe+seer+cook"], hands=["tanner bard"], queue="", age=3, draws=0)
    table.s.next_end, table.s.last_seat, table.s.turns_left = 4, 1, 0
    table.do("open:cafe", "card:seer", "start", "card:tanner", "end")
    assert table.actor == 0 and table.s.ending == 0  # another turn before the final End of Age


def test_r17_26_war_pays_weapons_only_and_tops_up():
    # treasury 1, A Legion 3, B Fort 5: both paid, the supply adds 7
    table = Table(opened=["legion:seer skinner:bard", "fort:cook"], queue="museum", treasury=1,
                  age=3).trigger()
    assert table.on_contract(0, "legion") == 3 and table.on_contract(1, "fort") == 5
    assert [int(e.amount) for e in table.events(Event.TOPPED_UP)] == [7]
    assert not table.paid(0, "skinner") and table.treasury == 0
    table = Table(opened=["legion:seer"], queue="museum", treasury=0, age=3).trigger()
    assert not table.paid(0, "legion")


def test_r17_29_only_growth_adds_treasury_gold():
    table = Table(queue="scriptorium", discard="tanner cook", treasury=0, age=3).trigger()
    assert table.demand == "scriptorium cook tanner" and table.treasury == 0


def test_r17_33_the_odd_warrior():
    table = Table(opened=["warrior_3"], demand="merchant", treasury=4, hands=["seer tanner"])
    table.do("claim:warrior_3")
    assert not table.paid(0, "warrior_3")
    table.do("pay:warrior_3")
    assert table.treasury == 3 and table.on_contract(0, "warrior_3") == 1
    assert table.refuses("pay:warrior_3") == "PAID_ALREADY"
    table = Table(opened=["warrior_3:seer"], treasury=0)
    assert table.refuses("pay:warrior_3") == "TREASURY_SHORT"
    table = Table(opened=["warrior_3"], demand="merchant", treasury=4, warrior_harmonised=True)
    assert table.do("claim:warrior_3").paid(0, "warrior_3")
    assert table.refuses("pay:warrior_3") == "NO_ABILITY"


def test_r17_47_who_cannot_draw_does_not_discard():
    table = Table(opened=["", "prophet"], hands=["", "bard cook"], queue="tanner", draws=0, age=3)
    table.trigger()
    assert table.asked == "NOTHING" and table.hand(1) == {"bard", "cook"}


def test_r17_46_ties_lead_together_and_zero_does_not():
    table = Table(3, opened=["prophet archivist", "laboratory", "seer"], queue="tanner",
                  hands=["bard", "cook", "mentor"]).trigger(0)
    # A 2, B 2, C 1; acting A: B, then A
    assert table.actor == 1
    table.do("card:cook")
    assert table.actor == 0
    table = Table(queue="tanner", hands=["bard", "cook"]).trigger()
    assert table.asked == "NOTHING"
    table = Table(queue="shrine", hands=["bard", "cook"], invention_zero_ok=True).trigger()
    assert table.asked == "LEADER_CARD" and table.actor == 1


def test_r17_50_orchard_opens_and_claims_before_the_payout():
    table = Table(opened=["orchard"], startups=["skinner+seer"], demand="merchant", treasury=5,
                  gold=0)
    table.end_age(0)
    table.do("open:skinner", "claim:skinner")
    assert table.gold[0] == 1  # Skinner 2 - tax 1
    assert table.asked == "NOTHING"


def test_r17_50_an_opened_business_may_use_its_end_of_age_ability():
    table = Table(opened=["orchard"], startups=["merchant"], gold=0).end_age(0)
    table.do("open:merchant")
    assert table.fired("eoa_gain") == 1


def test_r17_50_baker_opened_by_orchard_plays_now_or_never():
    table = Table(opened=["orchard"], startups=["baker_1"], hands=["seer cook"],
                  queue="merchant skinner").end_age(0)
    table.do("open:baker_1")
    assert table.asked == "EVENT_NOW"
    table.do("yes", "card:seer")
    assert table.queue == "skinner seer"

