"""Cards that meet: what two or three abilities, events and rules do together."""

from exchequer.games.treasury.v17.cards import Icon
from exchequer.games.treasury.v17.state import Event, Pile
from games.treasury.v17.table import Table

QUEUE = "merchant skinner"  # Winter, then Discovery


def test_smuggler_with_smelter_a_pass_is_seen_and_placed_face_down():
    table = Table(3, opened=["smuggler smelter"], hands=["cook bard"], draw="seer",
                  queue="merchant skinner mentor").do("pass")
    assert table.asked == "DIRECT"  # as for a Fertility (T17-73)
    assert table.knows(0, Pile.TRANSIT, 0) and not table.knows(1, Pile.TRANSIT, 0)
    table.do("no", "position:1")
    assert table.queue == "-seer skinner mentor"


def test_smuggler_alone_passes_unseen():
    table = Table(opened=["smuggler"], hands=["cook bard"], draw="seer", queue=QUEUE).do("pass")
    assert table.queue == "skinner -seer" and not table.knows(0, Pile.QUEUE, 1)


def test_smuggler_with_smelter_sees_fertility_and_may_play_it_direct():
    table = Table(opened=["smuggler smelter"], hands=["cook bard"], draw="healer", queue=QUEUE)
    table.do("pass")
    assert table.asked == "DIRECT"
    table.do("yes")
    assert table.demand.startswith("healer")  # face-up, not smuggled


def test_prophet_sees_what_the_smuggler_passes_unseen():
    table = Table(opened=["prophet smuggler"], hands=["cook bard"], draw="seer", queue=QUEUE)
    table.do("foresee", "pass", "no")
    assert table.queue == "skinner -seer" and table.knows(0, Pile.QUEUE, 1)


def test_prophet_who_foresees_fertility_may_play_it_direct():
    table = Table(opened=["prophet smuggler"], hands=["cook bard"], draw="healer", queue=QUEUE)
    table.do("foresee", "pass")
    assert table.asked == "DIRECT"


def test_cook_with_lodge_lodge_needs_no_cook():
    # Lodge's contract is laid, not claimed: Cook is not asked
    table = Table(opened=["cook skinner"], startups=["lodge"], demand="-seer", gold=3)
    table.do("open:lodge", "slot:lodge")
    assert table.contract(0, "lodge") == "seer" and table.fired("redirect") == 0


def test_cook_sends_a_contract_to_lodge_of_two_icons():
    table = Table(opened=["cook lodge quarry"], demand="theater bank")
    table.do("claim:quarry", "slot:lodge")
    assert table.contract(0, "lodge") == "theater"


def test_cook_onto_a_weapon_is_paid_at_once():
    table = Table(opened=["cook warrior_1"], demand="healer", treasury=4)
    table.do("claim:cook", "slot:warrior_1")
    assert table.paid(0, "warrior_1") and table.treasury == 3


def test_cook_never_reaches_an_obsolete_weapon():
    table = Table(opened=["cook warrior_1 skinner"], demand="healer", obsolete=[Icon.CLUBS])
    table.do("claim:cook")
    assert table.choices == ["slot:1-1", "slot:1-3"]


def test_trader_into_fort_closes_a_stone_business():
    # 3 gold for Fort; Quarry is closed and gives the gold on its contract
    table = Table(opened=["quarry:seer!3"], startups=["trader"], hands=["fort cook"], gold=3)
    table.do("open:trader", "card:fort", "card:quarry")
    assert table.is_open(0, "fort") and table.slot(0, "quarry") is None
    assert table.gold[0] == 3  # 3 - 3 + 3
    assert table.discards == "trader quarry seer"


def test_trader_into_fort_needs_the_stone_business():
    table = Table(startups=["trader"], hands=["fort"], gold=9).do("open:trader")
    assert table.choices == ["no"]
    assert table.do("no").asked == "MAIN" and table.is_open(0, "trader")


def test_trader_into_university_does_not_recover_traders_cards():
    table = Table(startups=["trader+bard"], hands=["university cook"], gold=5)
    table.do("open:trader", "card:university")
    assert table.is_open(0, "university") and table.discards == "trader bard"


def test_trader_with_broker_pays_for_the_new_business_first():
    # 2 gold: Quarry costs both, so Broker has no customer left for Trader's development card
    table = Table(opened=["broker"], startups=["trader+bard"], hands=["quarry cook"], gold=2)
    table.do("open:trader", "card:quarry")
    assert table.gold[0] == 0 and table.discards == "trader bard"
    table = Table(opened=["broker"], startups=["trader+bard"], hands=["quarry cook"], gold=3)
    table.do("open:trader", "card:quarry", "card:bard")
    assert table.gold[0] == 0 and table.demand == "bard"


def test_trader_with_scribe_and_dock():
    # Quarry 2 - 1 = 1, all of it from Dock
    table = Table(opened=["scribe dock=5"], startups=["trader"], hands=["quarry cook"], gold=0)
    table.do("open:trader", "card:quarry")
    assert table.stored(0, "dock") == 4 and table.gold[0] == 0


def test_trader_is_discarded_not_closed_so_bridge_grants_nothing():
    table = Table(opened=["bridge"], startups=["trader"], hands=["gatherer cook"])
    table.do("open:trader", "card:gatherer")
    assert table.refuses("free-start") == "NO_ABILITY"


def test_trader_into_axes_makes_clubs_obsolete():
    table = Table(opened=["", "warrior_1:seer!1"], startups=["trader"], hands=["armory cook"],
                  gold=2).do("open:trader", "card:armory")
    assert table.contract(1, "warrior_1") == "" and table.gold == [0, 3]


def test_broker_with_university_has_nothing_to_act_on():
    table = Table(opened=["broker"], startups=["university+seer+cook+bard"], gold=4)
    table.do("open:university")
    assert table.asked == "MAIN" and table.hand(0) == {"seer", "cook", "bard"}


def test_broker_on_closing_a_startup():
    table = Table(opened=["broker"], startups=["quarry+seer"], hands=["cook bard"], gold=1)
    table.do("close:quarry", "card:seer")
    assert table.demand == "seer" and table.discards == "quarry" and table.gold[0] == 0


def test_broker_feeds_pawn_shop():
    table = Table(opened=["broker", "pawn_shop"], startups=["quarry+seer"], gold=1)
    table.do("open:quarry", "card:seer")  # Seer demands hides
    assert table.gold == [0, 3]


def test_gatherer_feeds_pawn_shop():
    table = Table(opened=["gatherer:theater", "pawn_shop"], hands=["seer cook"])
    table.do("close:gatherer", "yes")
    assert table.gold == [3, 5]


def test_school_and_whaler_feed_pawn_shop():
    table = Table(opened=["school", "pawn_shop"], hands=["cook"], queue="merchant tanner",
                  demand="bard").do("teach", "position:0")
    assert table.gold == [3, 5]
    table = Table(opened=["whaler", "pawn_shop"], hands=["seer cook"], demand="bard")
    assert table.do("whale", "card:seer").gold == [3, 5]


def test_cafe_at_an_end_of_age_the_extra_turn_comes_after_it():
    table = Table(startups=["cafe"], gold=4, hands=["seer cook bard"], draw="tanner",
                  draws=(1, 5, 5, 5))
    table.do("open:cafe", "start", "card:seer", "end")
    assert table.s.age == 1 and table.actor == 0  # the end draw emptied age 0


def test_cafe_opened_by_orchard_gives_no_turn():
    table = Table(opened=["orchard"], startups=["cafe"], gold=4).end_age(0)
    table.do("open:cafe")
    assert table.s.extra_turns == 0


def test_villa_opened_by_orchard_gives_no_actions():
    table = Table(opened=["orchard"], startups=["villa"], gold=4).end_age(0)
    table.do("open:villa")
    assert table.fired("open_actions") == 0 and table.s.actions == 1


def test_bank_and_insurance_at_a_payout():
    # payout: Quarry 3 of treasury 2; it runs out: Bank + 2, Insurance pays Skinner before the
    # collection
    table = Table(opened=["bank insurance=5 quarry:seer skinner:cook"], treasury=2, gold=0)
    table.end_age(0)
    # 2 (Bank) + 3 (Quarry) + 2 (Skinner, insured) - 1 (tax); Insurance itself is not contracted
    assert table.gold[0] == 6 and table.stored(0, "insurance") == 3


def test_bank_pays_at_an_exact_payment():
    table = Table(opened=["bank skinner:seer"], treasury=2, gold=0).end_age(0)
    assert table.gold[0] == 2 + 2 - 1


def test_two_run_outs_in_one_end_of_age():
    # Tower's 2 empty the treasury before the payout: Bank pays; then nothing is left to run out
    table = Table(opened=["bank tower:seer"], treasury=2, gold=0).end_age(0)
    assert len(table.events(Event.RAN_OUT)) == 1
    assert table.gold[0] == 2 + 2 - 1


def test_observatory_swaps_an_own_contract_too():
    table = Table(opened=["observatory skinner:seer!2"], hands=["cook bard"])
    table.do("observe:contract", "slot:skinner", "card:cook")
    assert table.contract(0, "skinner") == "cook" and table.hand(0) == {"seer", "bard"}


def test_observatory_swap_repeats_no_when_contracted():
    table = Table(opened=["observatory warrior_1:seer"], hands=["cook bard"], treasury=5)
    table.do("observe:contract", "slot:warrior_1", "card:cook")
    assert not table.paid(0, "warrior_1") and table.treasury == 5


def test_observatory_swap_is_known_to_both_and_nobody_else():
    table = Table(3, opened=["observatory", "skinner:seer"], hands=["cook bard", "", ""])
    table.do("observe:contract", "slot:skinner", "card:cook")
    contract = Pile.CONTRACT + 12
    assert [table.knows(seat, contract, 0) for seat in range(3)] == [True, True, False]
    # Ben knows that his old contract card is in Ann's hand
    place = table.pile(Pile.HAND).split().index("seer")
    assert table.knows(1, Pile.HAND, place) and not table.knows(2, Pile.HAND, place)


def test_villa_actions_with_hunter_two_event_actions_one_permission():
    table = Table(opened=["hunter wheat_farm"], startups=["villa"], gold=4, queue=QUEUE,
                  hands=["seer cook bard alchemist tanner"])
    table.do("open:villa")  # food 1 + 2 + 2 = 5: 2 more actions
    table.do("play", "card:seer", "play", "card:cook")
    table.do("free-play", "card:bard", "free-play", "card:alchemist")  # Wheat Farm, Hunter
    assert table.refuses("free-play") == "NO_ABILITY"


def test_villa_with_apothecary_draws_after_each_event_action():
    table = Table(opened=["apothecary wheat_farm"], startups=["villa"], gold=4,
                  hands=["seer cook"], draw="gatherer wiseman", queue="merchant baker_2")
    table.do("open:villa", "play", "card:seer", "play", "card:cook")
    assert table.fired("draw_after") == 2


def test_museum_after_the_piles_are_gone_and_archivist_not():
    table = Table(opened=["archivist museum"], hands=["seer cook"], discard="bard tanner", age=3,
                  draws=0, queue=QUEUE)
    table.s.next_end = 4
    table.do("close:archivist", "start", "card:cook", "end")
    assert "archivist" in table.hand(0)  # the top discard


def test_museum_and_archivist_before_the_end_ask_once_per_card():
    table = Table(opened=["museum workshop"], hands=["seer cook"], discard="bard tanner",
                  queue=QUEUE)
    table.do("start", "card:cook", "end", "from-discard", "from-discard")
    assert table.hand(0) == {"seer", "tanner", "bard"}


def test_diviners_event_inside_an_end_of_age_pays_before_the_payout():
    # Diviner plays Trapper; Winter (Merchant) is triggered inside step 1: Skinner gives 1
    table = Table(opened=["diviner skinner:seer"], draw="trapper", queue="merchant tanner",
                  treasury=2, gold=0).end_age(0)
    assert table.gold[0] == 1 + 2 - 1
    names = [Event(e.what).name for e in table.told]
    assert names.index("TRIGGERED") < names.index("PAID_CONTRACT")


def test_diviner_with_laboratory_sets_the_seen_card_aside_first():
    table = Table(opened=["diviner laboratory"], draw="bard trapper", queue=QUEUE).end_age(0)
    assert "bard" in table.hand(0)
    assert table.queue == "skinner trapper"


def test_diviner_with_smuggler_and_shrine():
    table = Table(opened=["diviner smuggler shrine"], draw="trapper", queue=QUEUE, gold=3)
    table.end_age(0).do("no")
    assert table.queue == "skinner -trapper"
    assert table.gold[0] == 3 + 1 + 1 - 1  # Shrine, Winter (Smuggler's hides), tax


def test_diviner_exhausts_a_pile_and_the_next_age_ends_too():
    table = Table(opened=["diviner"], draw="tanner whaler", draws=(1, 1, 5, 5), hands=["cook seer"],
                  queue=QUEUE, gold=9)
    table.do("start", "card:cook", "end")
    assert table.s.age == 2  # Tanner ends age 0; Whaler, played by Diviner, was the last of age I


def test_seer_before_barber_pays_one_more():
    table = Table(opened=["seer barber"], draw="tanner", hands=["cook bard"], gold=0).end_age(0)
    assert table.asked == "EOA_SLOT"
    table.do("slot:seer")
    assert table.gold[0] == 3 - 1
    table = Table(opened=["seer barber"], draw="tanner", hands=["cook bard"], gold=0).end_age(0)
    assert table.do("slot:barber").gold[0] == 2 - 1


def test_tanner_before_juggler_pays_one_more():
    table = Table(opened=["tanner juggler"], discard="trader", gold=0).end_age(0)
    table.do("slot:tanner", "card:trader")
    assert table.gold[0] == 1 - 1 and table.fired("eoa_demand_icons") == 1


def test_laboratory_turns_a_pass_into_a_late_pass():
    # the last card of all piles goes to Laboratory: trigger only, nothing is added
    table = Table(opened=["laboratory hunter shrine"], hands=["cook bard"], draw="university",
                  age=3, draws=1, queue=QUEUE).do("pass")
    assert table.queue == "skinner" and "university" in table.hand(0)
    assert table.gold[0] == 3 and table.refuses("free-play") == "NO_ABILITY"


def test_laboratory_with_archivist_draws_from_the_discard_pile():
    table = Table(opened=["laboratory archivist"], hands=["cook bard"], discard="tanner",
                  queue=QUEUE).do("play")
    table.do("from-discard")  # Tanner demands science: one more
    assert "tanner" in table.hand(0) and len(table.hand(0)) == 4


def test_library_with_archivist_returns_to_the_discard_pile():
    table = Table(opened=["library archivist"], hands=["cook bard"], discard="tanner", draw="seer")
    table.do("start", "card:cook", "from-discard", "card:tanner")
    assert table.discards == "tanner" and "seer" in table.hand(0)


def test_academy_with_workshop_draws_three_and_returns_one():
    table = Table(opened=["academy workshop"], hands=["cook bard"], draw="seer tanner mentor")
    table.do("start", "card:cook", "end", "card:mentor")
    assert table.hand(0) == {"bard", "seer", "tanner"}
    assert table.draw_pile(0).endswith("mentor")


def test_breakthrough_with_archivist_returns_under_the_discard_pile():
    table = Table(opened=["laboratory archivist"], queue="jeweler", discard="cook bard",
                  draw="seer tanner").trigger()
    table.do("from-discard", "from-discard", "card:tanner")  # then only the pile is left
    table.do("card:bard")
    assert table.hand(0) == {"tanner"} and table.discards == "cook bard"


def test_scriptorium_with_trade_post_relaxes_two_icons():
    # Lumberyard: axes, axes, food; Villa: food, food, bronze with stone, happiness, bronze visible
    table = Table(opened=["scriptorium trade_post villa"], demand="theater trader dock", age=3)
    assert table.refuses("claim:villa") == ""
    table = Table(opened=["trade_post villa"], demand="theater trader dock", age=3)
    assert table.refuses("claim:villa") == "NO_MATCH"


def test_scriptoriums_flip_can_spoil_a_match():
    table = Table(opened=["scriptorium skinner"], demand="merchant")
    assert table.refuses("claim:skinner") == ""
    assert table.do("flip").refuses("claim:skinner") == "NO_MATCH"


def test_circus_through_lodge_and_innovation():
    table = Table(opened=["circus skinner"], startups=["lodge"], demand="-seer", gold=3)
    table.do("open:lodge", "slot:circus")
    assert table.gold[0] == 0 + 4  # two other open businesses, Lodge included
    table = Table(opened=["circus laboratory"], queue="road", discard="bard", age=3).trigger()
    assert table.do("slot:circus").gold[0] == 3 + 2


def test_councilor_closed_for_fort_is_no_stone():
    table = Table(opened=["councilor tower:seer"], startups=["fort"], gold=3, treasury=9)
    table.do("open:fort", "card:seer")
    assert table.slot(0, "tower") is None and table.is_open(0, "councilor")


def test_fort_closes_with_bridge_and_grants_a_start():
    table = Table(opened=["bridge quarry"], startups=["fort"], gold=3, hands=["cook bard"])
    table.do("open:fort")
    assert table.refuses("free-start") == ""


def test_fort_by_orchard_with_bridge_starts_at_once_or_never():
    table = Table(opened=["orchard bridge quarry"], startups=["fort"], gold=3, hands=["cook bard"])
    table.end_age(0)
    table.do("open:fort")
    assert table.asked == "START_NOW"
    table.do("card:cook")
    assert table.slot(0, "cook") is not None


def test_dairy_farm_with_bridge_keeps_bridges_permission():
    table = Table(opened=["dairy_farm bridge skinner"], hands=["cook bard seer"])
    table.do("close:skinner", "free-start", "card:cook")
    assert table.s.free_starts == 1  # Dairy Farm's own right is used first


def test_shaman_of_the_acting_player_cancels_a_direct_fertility():
    table = Table(opened=["shaman"], hands=["healer cook"], queue=QUEUE).do("play", "card:healer",
                                                                            "yes", "yes")
    assert table.demand == "healer"


def test_shaman_may_cancel_the_last_event():
    table = Table(opened=["shaman"], hands=["cook bard"], queue="trader", age=3, draws=0,
                  treasury=5)
    table.s.next_end = 4
    table.do("pass", "yes")
    assert table.treasury == 5 and table.s.last_seat == 0


def test_wheat_farm_is_no_event_action_for_hunter_and_apothecary():
    table = Table(opened=["wheat_farm hunter apothecary"], hands=["cook bard seer"], queue=QUEUE)
    table.do("free-play", "card:cook")
    assert table.fired("draw_after") == 0 and table.refuses("free-play") == "NO_ABILITY"


def test_a_pass_denies_hunter_and_apothecary_in_a_variant():
    table = Table(opened=["hunter apothecary"], hands=["cook bard"], queue=QUEUE,
                  pass_counts_as_event_action=False).do("pass")
    assert table.fired("draw_after") == 0 and table.refuses("free-play") == "NO_ABILITY"


def test_opening_hunter_after_the_event_action_still_permits():
    table = Table(startups=["hunter"], hands=["cook bard seer"], queue=QUEUE, gold=1)
    table.do("play", "card:cook")
    assert table.refuses("free-play") == "NO_ABILITY"
    assert table.do("open:hunter").refuses("free-play") == ""


def test_astrologer_ends_the_age_after_the_turn():
    table = Table(opened=["astrologer_1"], hands=["cook bard"], draw="tanner", draws=(1, 5, 5, 5))
    table.do("close:astrologer_1")
    assert table.s.age == 0
    assert table.do("start", "card:cook").s.age == 1


def test_jeweler_counts_what_obsolete_and_contracted_businesses_provide():
    table = Table(opened=["jeweler:seer smelter:cook"], gold=0).end_age(0)
    # 2 bronze; the treasury is empty, so no contract pays
    assert table.gold[0] == 2 - 1


def test_copies_add_up_and_each_has_its_own_use():
    """R17-66: two Mentors at one table, by a variant."""
    skill = [{"id": "free_peek", "amount": 1}]
    table = Table(opened=["mentor skinner"], startups=["", "quarry tower inn"],
                  card={"skinner": {"ability": skill}})
    table.do("peek", "slot:quarry", "peek", "slot:tower")
    assert table.refuses("peek") == "USED"


def test_r17_66_duplicates_of_static_abilities_add_up():
    skill = [{"id": "discount", "amount": 1}]
    table = Table(opened=["scribe skinner"], startups=["road"], gold=2,
                  card={"skinner": {"ability": skill}})
    assert table.refuses("open:road") == ""  # 4 - 2


def test_r17_67_abilities_without_may_are_compulsory():
    table = Table(opened=["councilor skinner:seer quarry:bard"], treasury=9, hands=["cook tanner"])
    table.do("close:councilor")
    assert table.refuses("no") == "COMPULSORY"
