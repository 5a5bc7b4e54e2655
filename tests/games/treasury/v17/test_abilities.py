"""Every ability, one test or more each; the name ends with the business that has it."""

from exchequer.games.treasury.v17.cards import Ability, Card
from exchequer.games.treasury.v17.drawing import draw_limit
from exchequer.games.treasury.v17.money import contract_value
from exchequer.games.treasury.v17.state import Event, Pile
from games.treasury.v17.table import Table

QUEUE = "merchant skinner"  # Winter, then Discovery


# When opened -------------------------------------------------------------------------------------

def test_open_event_baker():
    table = Table(startups=["baker_1"], hands=["seer cook tanner"], queue=QUEUE)
    table.do("open:baker_1", "free-play", "card:seer")
    assert table.queue == "skinner seer" and table.s.actions == 1
    assert table.refuses("free-play") == "NO_ABILITY"
    assert table.do("start", "card:cook").fired("open_event") == 1


def test_open_swap_r17_36_trader():
    table = Table(startups=["trader"], hands=["quarry seer"], gold=3)
    table.do("open:trader", "card:quarry")
    assert table.gold[0] == 1 and table.is_open(0, "quarry")
    assert table.discards == "trader" and table.slot(0, "trader") is None
    # without development cost nothing is paid
    table = Table(startups=["trader"], hands=["gatherer seer"], gold=0)
    table.do("open:trader", "card:gatherer")
    assert table.is_open(0, "gatherer")
    table = Table(startups=["trader"], hands=["quarry"], gold=1).do("open:trader")
    assert table.choices == ["no"]  # not affordable, which is nobody else's business (T17-73)
    table = Table(startups=["trader"], hands=[""], gold=1).do("open:trader")
    assert table.asked == "MAIN"
    table = Table(startups=["trader"], hands=["quarry"], gold=1, trader_free=True)
    assert table.do("open:trader", "card:quarry").gold[0] == 1


def test_open_contract_r17_45_lodge():
    table = Table(startups=["lodge"], opened=["university", "skinner"], demand="-seer", gold=3)
    table.do("open:lodge")
    assert table.choices == ["no", "slot:1-1", "slot:1-2"]
    table.do("slot:university")
    assert table.contract(0, "university") == "seer" and table.demand == ""
    table = Table(startups=["lodge"], opened=["university", "skinner"], demand="-seer", gold=3,
                  contract_any_players_business=True).do("open:lodge", "slot:skinner")
    assert table.contract(1, "skinner") == "seer"


def test_open_store_and_act_take_theater():
    table = Table(startups=["theater"], gold=2, hands=["seer cook tanner"])
    table.do("open:theater")
    assert table.stored(0, "theater") == 10 and table.gold[0] == 0
    table.do("perform")
    assert table.stored(0, "theater") == 8 and table.gold[0] == 2
    table = Table(opened=["theater=1"], hands=["seer cook"]).do("perform")
    assert table.gold[0] == 4
    assert Table(opened=["theater"], hands=["seer"]).refuses("perform") == "NOTHING_STORED"


def test_open_draw_and_limit_storeroom():
    table = Table(startups=["storeroom"], gold=2, draw="tanner").do("open:storeroom")
    assert table.hand(0) == {"tanner"}
    assert draw_limit(table.s, table.c, 0) == 10


def test_limit_seamster_and_storeroom_add_up():
    table = Table(opened=["seamster storeroom"])
    assert draw_limit(table.s, table.c, 0) == 11


def test_open_types_road():
    # food, food, clubs + Road's happiness, happiness, iron: 4 kinds
    table = Table(opened=["wheat_farm warrior_1"], startups=["road"], gold=4).do("open:road")
    assert table.gold[0] == 4


def test_open_import_importer():
    table = Table(startups=["importer"], gold=4, discard="seer cook tanner mentor bard")
    table.do("open:importer")
    assert table.knows(0, Pile.DISCARD, 0) and not table.knows(1, Pile.DISCARD, 0)
    table.do("card:tanner", "card:seer")
    assert table.demand == "tanner seer" and table.discards == "cook mentor bard"


def test_open_actions_r17_52_villa():
    # own food 5 with Villa: 2 more actions; a pass does nothing
    table = Table(opened=["wheat_farm gatherer"], startups=["villa"], gold=4, queue=QUEUE,
                  hands=["seer cook tanner"])
    table.do("open:villa")
    assert table.s.actions == 3
    table.do("pass")
    assert table.queue == QUEUE and table.s.actions == 2
    table.do("start", "card:seer", "start", "card:cook")
    assert table.refuses("start") == "NO_ACTION_LEFT"


def test_open_dig_r17_59_gravedigger():
    table = Table(startups=["gravedigger"], gold=4, discard="seer quarry mentor")
    table.do("open:gravedigger")
    assert table.choices == ["position:0", "position:1", "position:2"]
    table.do("position:1", "position:0")
    assert table.hand(0) == {"quarry", "seer"} and table.discards == "mentor"
    table = Table(startups=["gravedigger"], gold=4, discard="seer").do("open:gravedigger")
    assert table.hand(0) == {"seer"}


def test_open_recover_university():
    table = Table(startups=["university+seer+cook+bard"], gold=0).do("open:university")
    assert table.hand(0) == {"seer", "cook", "bard"} and table.discards == ""


def test_open_turn_cafe():
    table = Table(3, startups=["cafe"], gold=4, hands=["seer cook tanner"])
    table.do("open:cafe", "start", "card:seer", "end")
    assert table.actor == 0  # A, A, B
    table.do("start", "card:cook", "end")
    assert table.actor == 1


# When closed -------------------------------------------------------------------------------------

def test_close_return_gatherer():
    table = Table(opened=["gatherer:theater!1"], hands=["seer cook"], demand="tanner")
    table.do("close:gatherer", "yes")
    assert table.demand == "tanner theater" and table.discards == "gatherer"
    assert table.gold[0] == 4
    table = Table(opened=["gatherer:theater"], hands=["seer cook"]).do("close:gatherer", "no")
    assert table.asked == "ORDER_CARD"


def test_close_age_r17_60_fruit_monger():
    for age, gold in ((0, 3), (2, 5), (3, 6)):
        table = Table(opened=["fruit_monger"], age=age, hands=["seer"]).do("close:fruit_monger")
        assert table.gold[0] == gold


def test_close_draw_astrologer():
    table = Table(opened=["astrologer_1"], draw="tanner", hands=[""]).do("close:astrologer_1")
    assert table.hand(0) == {"tanner"}


def test_close_pay_councilor():
    # treasury 2, own unpaid contracts 3 and 2: only the 2 can be chosen
    table = Table(opened=["councilor quarry:seer skinner:cook"], treasury=2, hands=["bard"])
    table.do("close:councilor")
    assert table.paid(0, "skinner") and not table.paid(0, "quarry") and table.treasury == 0
    table = Table(opened=["councilor quarry:seer skinner:cook"], treasury=9, hands=["bard"])
    table.do("close:councilor")
    assert table.choices == ["slot:1-2", "slot:1-3"]


def test_close_start_fisher():
    table = Table(opened=["fisher"], hands=["seer cook tanner"])
    table.do("close:fisher", "free-start", "card:seer")
    assert table.s.actions == 1 and table.refuses("free-start") == "NO_ABILITY"
    assert table.refuses("open:seer") == "THIS_TURN"


def test_any_close_start_bridge():
    table = Table(opened=["bridge skinner"], hands=["seer cook tanner"])
    table.do("close:skinner", "free-start", "card:seer")
    assert table.s.actions == 1
    table.do("close:bridge")  # it was open when closed
    assert table.refuses("free-start") == ""


# When contracted ---------------------------------------------------------------------------------

def test_contract_pay_spear_maker():
    for treasury, left, paid in ((3, 1, True), (1, 1, False), (2, 0, True)):
        table = Table(opened=["spear_maker", "bank"], demand="merchant tanner", treasury=treasury)
        table.do("claim:spear_maker")
        assert table.treasury == left and table.paid(0, "spear_maker") == paid
        assert table.gold[1] == (5 if left == 0 else 3)


def test_contract_gain_circus():
    # 4 other open businesses; the startup does not count
    table = Table(opened=["circus skinner tanner cook bard"], startups=["quarry"],
                  demand="trader theater").do("claim:circus")
    assert table.gold[0] == 3 + 8


# Actions -----------------------------------------------------------------------------------------

def test_act_discard_sculptor():
    table = Table(opened=["sculptor"], hands=["seer cook"]).do("sculpt", "card:seer")
    assert table.gold[0] == 4 and "seer" in table.discards
    assert Table(opened=["sculptor"]).refuses("sculpt") == "NO_CARD"


def test_act_discard_sculptor_asks_for_a_second_card_by_itself():
    # with another event's discard optional, Sculptor's is not: two cards for the gold, or none
    skill = [{"id": "act_discard", "amount": 5, "count": 2}]
    table = Table(opened=["sculptor"], hands=["seer cook bard"], card={"sculptor": {
        "ability": skill}}, event={"discovery": {"optional": True}}).do("sculpt", "card:seer")
    assert table.asked == "SCULPT_MORE" and table.choices == ["card:cook", "card:bard"]
    assert table.refuses("no") == "COMPULSORY" and table.refuses("cancel") == "COMMITTED"
    table.do("card:cook")
    assert table.gold[0] == 8 and table.s.actions == 0 and table.discards == "seer cook"
    assert table.fired("act_discard") == 1


def test_act_replace_r17_40_whaler():
    table = Table(opened=["whaler"], hands=["bard cook"], demand="-seer tanner")
    table.do("whale", "card:bard")
    assert table.demand == "bard tanner" and table.discards == "seer"
    table = Table(opened=["whaler"], hands=["bard cook"], demand="-seer tanner",
                  whaler_to_hand=True).do("whale", "card:bard")
    assert "seer" in table.hand(0) and table.discards == ""
    assert Table(opened=["whaler"], hands=["bard"]).refuses("whale") == "NO_DEMAND"


def test_act_swap_r17_41_school():
    table = Table(opened=["school"], hands=["cook"], queue="tanner -bard", demand="seer mentor")
    table.do("teach", "position:1")
    assert table.queue == "tanner mentor" and table.demand == "seer bard"
    assert len(table.events(Event.RESOLVED)) == 0


# Free actions ------------------------------------------------------------------------------------

def test_free_pay_warrior_three():
    table = Table(opened=["warrior_3:seer"], treasury=4).do("pay:warrior_3")
    assert table.treasury == 3 and table.s.actions == 1


def test_free_peek_r17_43_mentor():
    table = Table(opened=["mentor"], startups=["", "quarry tower"]).do("peek", "slot:quarry")
    assert table.knows(0, Pile.BUSINESS + 12, 0)
    assert table.refuses("peek") == "USED"


def test_free_discard_r17_44_craftsman():
    table = Table(opened=["craftsman"], hands=["seer cook tanner"])
    table.do("discard", "card:seer", "discard", "card:cook")
    assert table.discards == "seer cook"
    table = Table(opened=["craftsman"], hands=["seer cook tanner"], craftsman_once=True)
    table.do("discard", "card:seer")
    assert table.refuses("discard") == "USED"


def test_free_prophecy_prophet():
    table = Table(opened=["prophet"], hands=["cook tanner"], draw="seer", queue=QUEUE)
    table.do("foresee")
    assert table.knows(0, Pile.DRAW, 4) and not table.knows(1, Pile.DRAW, 4)
    assert table.refuses("foresee") == "USED"
    table.do("pass")
    assert table.queue == "skinner seer"


def test_free_develop_inn():
    table = Table(opened=["inn"], startups=["quarry"], hands=["seer cook tanner"])
    table.do("free-develop", "card:seer", "start", "card:cook")
    assert table.developments(0, "quarry") == "seer"
    assert table.refuses("open:quarry") == "THIS_TURN"
    assert table.refuses("free-develop") == "USED"


def test_free_event_wheat_farm():
    table = Table(opened=["wheat_farm"], hands=["seer cook tanner"], queue=QUEUE)
    table.do("free-play", "card:seer", "play", "card:cook")
    assert table.queue == "seer cook"
    assert table.refuses("free-play") == "NO_ABILITY"


def test_free_start_dairy_farm():
    table = Table(opened=["dairy_farm"], hands=["seer cook tanner bard"], queue=QUEUE)
    table.do("free-start", "card:seer", "free-start", "card:cook", "free-start", "card:tanner")
    table.do("pass")
    assert all(table.slot(0, name) is not None for name in ("seer", "cook", "tanner"))


def test_free_observe_r17_42_observatory():
    table = Table(opened=["observatory", "skinner:mentor!2"], hands=["seer cook", "bard"],
                  startups=["", "quarry+tanner+healer"], demand="-juggler", queue="-fisher trader",
                  discard="scribe")
    assert [choice for choice in table.choices if choice.startswith("observe")] == [
        "observe:startup", "observe:development", "observe:contract", "observe:demand",
        "observe:queue", "observe:draw-pile", "observe:discard"]
    table.do("observe:contract", "slot:skinner", "card:cook")
    assert table.contract(1, "skinner") == "cook" and "mentor" in table.hand(0)
    assert table.on_contract(1, "skinner") == 2 and table.paid(1, "skinner")
    assert table.knows(1, Pile.CONTRACT + 12, 0)  # the owner may look at it
    assert table.refuses("observe:demand") == "USED"


def test_free_observe_r17_42_every_target():
    def look(*texts):
        return Table(opened=["observatory", "skinner:mentor"], hands=["seer cook"],
                     startups=["", "quarry+tanner+healer"], demand="-juggler bard",
                     queue="trader -fisher", discard="scribe").do(*texts)
    # Ben's Skinner is in place 1, his startup in place 2
    assert look("observe:startup", "slot:quarry").knows(0, Pile.BUSINESS + 13, 0)
    assert look("observe:development", "slot:quarry", "position:1").knows(
        0, Pile.DEVELOPMENT + 13, 1)
    assert look("observe:demand", "position:0").knows(0, Pile.DEMAND, 0)
    assert look("observe:queue", "position:1").knows(0, Pile.QUEUE, 1)
    assert look("observe:draw-pile", "age:2").knows(0, Pile.DRAW + 2, 4)
    assert look("observe:discard").knows(0, Pile.DISCARD, 0)


def test_free_flip_r17_38_scriptorium():
    # the bottom happiness turned down: population tax 1 more
    table = Table(opened=["scriptorium"], demand="trader", hands=["seer cook"]).do("flip")
    assert table.demand == "-trader" and table.refuses("flip") == "USED"
    assert table.knows(1, Pile.DEMAND, 0)  # it was public
    table.end_age(0)
    assert table.treasury == 2 + 1
    table = Table(opened=["scriptorium"], demand="-trader")
    assert table.refuses("flip") == "FACE_DOWN"


def test_free_market_market():
    table = Table(opened=["market"], hands=["merchant seer tanner"])
    table.do("market", "card:seer", "card:merchant")  # two hides demands
    assert table.gold[0] == 8 and table.discards == "seer merchant"
    assert table.knows(1, Pile.DISCARD, 0)  # shown
    assert table.refuses("market") == "USED"
    assert Table(opened=["market"], hands=["seer tanner"]).refuses("market") == "NO_PAIR"


# Playing events ----------------------------------------------------------------------------------

def test_second_event_hunter():
    table = Table(opened=["hunter"], hands=["seer cook tanner bard"], queue=QUEUE)
    assert table.refuses("free-play") == "NO_ABILITY"
    table.do("play", "card:seer", "free-play", "card:cook")
    assert table.refuses("free-play") == "NO_ABILITY"
    assert table.queue == "seer cook"


def test_face_down_r17_39_smuggler():
    table = Table(opened=["smuggler"], hands=["seer cook"], queue=QUEUE)
    table.do("play", "card:seer", "no")
    assert table.queue == "skinner -seer"
    assert table.knows(0, Pile.QUEUE, 1) and not table.knows(1, Pile.QUEUE, 1)


def test_resolve_gain_trapper_and_counselor():
    # Conquest (food) that fails its condition is resolved all the same
    table = Table(opened=["trapper counselor"], queue="tavern").trigger()
    assert table.gold[0] == 4
    table = Table(opened=["trapper counselor"], queue="trader").trigger()
    assert table.gold[0] == 4  # happiness: Counselor
    table = Table(opened=["trapper counselor"], queue="trader").trigger(1)
    assert table.gold == [3, 3]  # Ben acts


def test_draw_after_apothecary():
    table = Table(opened=["apothecary"], hands=["seer cook"], queue=QUEUE, draw="bard")
    table.do("play", "card:seer")
    assert "bard" in table.hand(0)
    table = Table(opened=["apothecary"], hands=["healer cook"], queue=QUEUE, draw="bard tanner")
    table.do("play", "card:healer", "yes")  # also after a direct Fertility as the action
    assert "bard" in table.hand(0)


def test_skip_r17_49_shaman():
    table = Table(opened=["shaman counselor"], queue="trader", demand="tanner", treasury=5)
    table.trigger()
    assert table.asked == "SKIP"
    table.do("yes")
    assert table.treasury == 5 and table.demand == "tanner trader"
    assert table.gold[0] == 3  # nothing was resolved: Counselor does not pay


def test_play_gain_shrine():
    table = Table(opened=["shrine"], hands=["seer cook"], queue=QUEUE).do("play", "card:seer")
    assert table.gold[0] == 4
    table = Table(opened=["shrine"], hands=["healer cook"], queue=QUEUE)
    assert table.do("play", "card:healer", "yes").gold[0] == 4


def test_draw_before_laboratory():
    # top cards: Tanner (science), then Healer: both go to hand, the first is shown
    table = Table(opened=["laboratory"], hands=["seer cook"], queue=QUEUE, draw="healer tanner")
    table.do("play")
    assert table.hand(0) == {"seer", "cook", "tanner", "healer"}
    assert [int(e.thing) for e in table.events(Event.REVEALED)] == [Card.TANNER]
    assert table.refuses("cancel") == "COMMITTED"
    table.do("card:tanner")
    assert table.queue == "skinner tanner"
    # with an empty hand the play may be announced
    assert Table(opened=["laboratory"], queue=QUEUE).refuses("play") == ""


def test_place_anywhere_smelter():
    table = Table(3, opened=["smelter"], hands=["seer cook"], queue="merchant skinner mentor")
    table.do("play", "card:seer")
    assert table.choices == ["position:1", "position:2", "position:3"]
    table.do("position:1")
    assert table.queue == "seer skinner mentor"


# Drawing -----------------------------------------------------------------------------------------

def test_draw_discard_r17_58_archivist():
    table = Table(opened=["archivist"], hands=["seer cook"], discard="bard tanner")
    table.do("start", "card:cook", "end")
    assert table.choices == ["from-pile", "from-discard"]
    table.do("from-discard")
    assert "tanner" in table.hand(0)


def test_end_draw_discard_museum():
    table = Table(opened=["museum"], hands=["seer cook"], discard="bard tanner", age=3, draws=0,
                  queue=QUEUE)
    table.s.next_end = 4
    table.do("start", "card:cook", "end")
    assert "tanner" in table.hand(0)


def test_draw_age_alchemist():
    table = Table(opened=["alchemist"], hands=["seer cook"], draw="tanner quarry")
    before = table.draw_pile(0)
    table.do("start", "card:cook", "end", "from-age")
    assert "quarry" in table.hand(0) and table.draw_pile(0) == before


def test_end_draw_extra_academy():
    table = Table(opened=["academy"], hands=["seer cook"], draw="tanner bard",
                  draws=(2, 5, 5, 5))
    table.do("start", "card:cook", "end", "card:bard")
    assert "tanner" in table.hand(0) and table.draw_pile(0) == "bard"


def test_end_draw_count_workshop():
    # count 7 below 8: draw 2, count 9
    hand = "seer cook tanner bard mentor"
    table = Table(opened=["workshop"], startups=["quarry"], hands=[hand], queue=QUEUE)
    table.do("pass", "end")
    assert len(table.hand(0)) == 7


def test_start_draw_r17_63_library():
    table = Table(opened=["library dairy_farm"], hands=["seer cook"], draw="tanner bard")
    table.do("free-start", "card:seer", "card:bard")
    assert table.hand(0) == {"cook", "tanner"} and table.draw_pile(0).endswith("bard")
    table.do("free-start", "card:cook")
    assert table.asked == "RETURN_CARD"
    table = Table(opened=["library dairy_farm"], hands=["seer cook"], library_per_turn=1)
    table.do("free-start", "card:seer")
    table.do(table.choices[0], "free-start", "card:cook")
    assert table.asked == "MAIN"
    # only one card left: draw it, return nothing
    table = Table(opened=["library"], hands=["seer cook"], draw="museum", draws=0, age=3)
    table.do("start", "card:seer")
    assert "museum" in table.hand(0)


# Gold --------------------------------------------------------------------------------------------

def test_fixed_tax_wiseman():
    table = Table(opened=["wiseman"], gold=9).end_age(2)
    assert table.gold == [8, 6]


def test_discount_scribe():
    table = Table(opened=["scribe"], startups=["road tanner"], gold=9, age=3).do("open:road")
    assert table.gold[0] == 9 - 3 + 3  # Road 4 - 1; then science, happiness, iron: + 3
    table.do("open:tanner")  # a cost of 1 becomes free
    assert table.gold[0] == 9


def test_variable_price_shoemaker():
    table = Table(opened=["shoemaker:seer"], demand="cook tanner bard", treasury=9)
    assert contract_value(table.s, table.c, 0, 0) == 1  # 3 < 2 x 2
    table = Table(opened=["shoemaker:seer"], demand="cook tanner bard -mentor", treasury=9)
    table.end_age(0)
    assert [int(e.amount) for e in table.events(Event.PAID_CONTRACT)] == [2]


def test_empty_gain_bank():
    table = Table(opened=["bank"], queue="trader", demand="tanner", treasury=2).trigger()
    assert table.gold[0] == 5


def test_open_store_empty_pay_r17_62_insurance():
    table = Table(opened=["insurance=10 iron_mine:seer quarry:cook"], queue="trader", treasury=1)
    table.trigger()
    assert table.choices == ["slot:1-2", "slot:1-3"]
    table.do("slot:iron_mine")  # 8 of the 10
    assert table.on_contract(0, "iron_mine") == 8 and table.stored(0, "insurance") == 2
    # stored 2: the 3 is not affordable; a variant pays in part
    table = Table(opened=["insurance=2 quarry:cook"], queue="trader", treasury=1).trigger()
    assert not table.paid(0, "quarry")
    table = Table(opened=["insurance=2 quarry:cook"], queue="trader", treasury=1,
                  insurance_partial=True).trigger()
    assert table.on_contract(0, "quarry") == 2 and table.paid(0, "quarry")


def test_open_store_store_opens_dock():
    table = Table(opened=["dock=2"], startups=["inn"], gold=1).do("open:inn")
    assert table.gold[0] == 0 and table.stored(0, "dock") == 0  # cost 3: Dock 2 and 1
    table = Table(opened=["dock=5"], startups=["inn"], gold=9).do("open:inn")
    assert table.choices == ["amount:0", "amount:1", "amount:2", "amount:3"]
    table.do("amount:2")
    assert table.gold[0] == 8 and table.stored(0, "dock") == 3


def test_turn_gain_arena():
    table = Table(opened=["", "arena"], hands=["seer cook"]).do("start", "card:cook")
    assert table.gold[1] == 4
    table = Table(startups=["arena"], gold=4, hands=["seer cook"]).do("open:arena")
    assert table.gold[0] == 0  # not in the turn it is opened


def test_demand_gain_pawn_shop():
    # Winter triggered: + 2 before Winter pays
    table = Table(opened=["pawn_shop skinner"], queue="merchant").trigger()
    assert [Event(e.what).name for e in table.told if e.what in (Event.EARNED, Event.WON)] == \
        ["EARNED", "WON"]
    assert table.gold[0] == 3 + 2 + 1
    table = Table(opened=["pawn_shop"], queue="tanner").trigger()
    assert table.gold[0] == 3  # science


# Claims ------------------------------------------------------------------------------------------

def test_wild_provision_r17_37_trade_post():
    table = Table(opened=["trade_post wheat_farm"], demand="healer theater")
    table.do("claim:wheat_farm")  # food and, for the other food, stone
    assert table.contract(0, "wheat_farm") == "healer"
    table = Table(opened=["trade_post wheat_farm"], demand="healer theater",
                  trade_post_self_only=True)
    assert table.refuses("claim:wheat_farm") == "NO_MATCH"


def test_wild_demand_r17_38_scriptorium():
    # Iron Mine: iron, iron, stone; visible iron, iron, happiness
    demand = "legion arena trader"
    table = Table(opened=["scriptorium iron_mine"], demand=demand, age=3)
    assert table.refuses("claim:iron_mine") == ""
    table = Table(opened=["iron_mine"], demand=demand, age=3)
    assert table.refuses("claim:iron_mine") == "NO_MATCH"
    # only one card: iron and two happiness is not enough
    table = Table(opened=["scriptorium iron_mine"], demand="legion trader smuggler", age=3)
    assert table.refuses("claim:iron_mine") == "NO_MATCH"


def test_redirect_r17_35_cook():
    table = Table(opened=["cook skinner quarry"], demand="healer")
    table.do("claim:cook")
    assert table.choices == ["slot:1-1", "slot:1-2"]
    table.do("slot:skinner")
    assert table.contract(0, "skinner") == "healer" and table.contract(0, "cook") == ""
    table = Table(opened=["cook skinner quarry"], demand="healer", cook_size_rule="at_least")
    assert table.do("claim:cook").choices == ["slot:1-1", "slot:1-2", "slot:1-3"]
    table = Table(opened=["cook quarry skinner"], demand="theater bank", cook_size_rule="at_most")
    assert table.do("claim:quarry").choices == ["slot:1-1", "slot:1-2", "slot:1-3"]


def test_require_closing_fort():
    table = Table(opened=["quarry"], startups=["fort"], gold=3).do("open:fort")
    assert table.is_open(0, "fort") and table.discards == "quarry"
    assert Table(startups=["fort"], gold=3).refuses("open:fort") == "NEEDS_CLOSING"
    table = Table(opened=["quarry tower"], startups=["fort"], gold=3).do("open:fort")
    assert table.choices == ["slot:1-1", "slot:1-2"]


def test_broker_broker():
    table = Table(opened=["broker"], startups=["lodge+seer+cook"], gold=2)
    table.do("open:lodge")  # too little gold: by its cards
    table.do("card:cook")
    assert table.demand == "cook" and table.discards == "seer" and table.gold[0] == 1
    table = Table(opened=["broker"], startups=["lodge+seer+cook"], gold=0).do("open:lodge")
    assert table.asked == "ORDER_CARD"  # it needs the gold


# End of age --------------------------------------------------------------------------------------

def test_eoa_dig_tanner():
    table = Table(opened=["tanner"], discard="bard cook mentor seer").end_age(0)
    assert table.choices == ["no", "card:cook", "card:mentor", "card:seer"]
    table.do("card:mentor", "card:seer")  # Seer goes under first, then Cook below it
    assert table.demand == "mentor" and table.discards == "cook seer bard"
    table = Table(opened=["tanner"], discard="bard cook").end_age(0)
    assert table.choices == ["no", "card:bard", "card:cook"]


def test_eoa_take_unhappy_r17_61_healer():
    table = Table(3, opened=["healer", "", "bank"], gold=5).end_age(0, 0)
    assert table.gold == [5 + 1 - 1, 5 - 1 - 1, 5 - 1]  # only Ben provides no happiness


def test_eoa_take_less_happy_r17_61_temple():
    table = Table(opened=["temple", "bank"])
    table.s.gold[:2] = [0, 1]
    table.end_age(0, 0)
    assert table.gold == [0, 0]  # took 1 of the 2, then tax 1 from Ann
    table = Table(3, opened=["temple"], gold=5).end_age(0, 0)
    assert table.choices == ["seat:2", "seat:3"]


def test_eoa_play_diviner():
    table = Table(opened=["diviner"], draw="trapper", queue=QUEUE, gold=5).end_age(0)
    assert table.queue == "skinner trapper"  # Trapper's event demands happiness: played
    table = Table(opened=["diviner"], draw="tanner", queue=QUEUE).end_age(0)
    assert table.queue == QUEUE and table.knows(0, Pile.DRAW, 4)


def test_eoa_draw_seer():
    table = Table(opened=["seer"], draw="tanner").end_age(0)
    assert table.hand(0) == {"tanner"}
    table = Table(opened=["seer"], draw="merchant").end_age(0)
    assert table.hand(0) == set()


def test_eoa_other_icons_bard():
    table = Table(opened=["bard theater"], gold=0).end_age(0)
    assert table.gold[0] == 2 - 1


def test_eoa_demand_icons_juggler():
    table = Table(opened=["juggler"], demand="trader smuggler mentor -craftsman", gold=0)
    assert table.end_age(0).gold[0] == 3 - 1


def test_eoa_gain_merchant_over_five_procedures():
    table = Table(opened=["merchant wiseman"], gold=9)
    for _ in range(4):
        table.end_age()
    table.end_age(3, 0, final=1)
    assert table.gold[0] == 9 + 5 - 4  # five times 1; Wiseman's tax of 1 four times


def test_eoa_pay_tower():
    # treasury 4: Tower's 2 before the payout, so Quarry's 3 finds 2
    table = Table(opened=["tower:seer", "quarry:cook"], treasury=4).end_age(0, 0)
    paid = [(int(e.thing), int(e.amount)) for e in table.events(Event.PAID_CONTRACT)]
    assert paid == [(Card.TOWER, 2), (Card.QUARRY, 3)]
    assert [int(e.amount) for e in table.events(Event.TOPPED_UP)] == [1]  # 3 of the 2 left


def test_eoa_leader_tavern():
    table = Table(opened=["tavern theater", "bank"], gold=3).end_age(0)
    assert table.gold[0] == 3 + 2 - 1
    table = Table(opened=["tavern", "bank"], gold=3).end_age(0)  # 1 against 1: nothing
    assert table.gold[0] == 2


def test_eoa_open_orchard():
    table = Table(opened=["orchard"], startups=["gatherer"], demand="healer").end_age(0)
    assert table.asked == "ORCHARD"
    table.do("open:gatherer")
    table.do("claim:gatherer")
    assert table.asked == "NOTHING"


def test_eoa_all_icons_jeweler():
    # own Smelter 2 bronze, Ben's Workshop 1; only if contracted
    table = Table(opened=["jeweler:seer smelter", "workshop"], gold=3).end_age(0)
    assert table.gold[0] == 3 + 3 - 1
    table = Table(opened=["jeweler smelter", "workshop"], gold=3).end_age(0)
    assert table.gold[0] == 2


def test_eoa_hand_barber():
    table = Table(opened=["barber"], hands=["seer cook tanner bard mentor"], gold=0).end_age(0)
    assert table.gold[0] == 5 - 1


def test_none_skinner_has_no_ability():
    table = Table(opened=["skinner"], demand="merchant").do("claim:skinner")
    assert not table.events(Event.ABILITY)


def test_every_ability_is_on_a_card():
    c = Table().c
    assert {int(skill) for row in c.skill for skill in row} == {int(a) for a in Ability}


# Events ------------------------------------------------------------------------------------------

def test_event_discovery_the_drawn_card_may_be_discarded():
    table = Table(opened=["prophet"], hands=["cook"], queue="tanner", draw="bard").trigger()
    table.do("card:bard")
    assert table.hand(0) == {"cook"} and table.discards == "bard"


def test_event_invention_the_discard_is_optional():
    table = Table(opened=["prophet"], hands=["cook"], queue="shrine", draw="bard").trigger()
    table.do("no")
    assert table.hand(0) == {"cook", "bard"}


def test_event_barbarians_three_takes_two_each():
    table = Table(queue="villa", demand="seer", treasury=9, age=3).trigger()
    assert table.treasury == 5  # 2 cards x 2


def test_event_barbarians_with_weapons_enough():
    table = Table(opened=["armory:seer"], queue="trader", treasury=3).trigger()
    assert table.treasury == 3


def test_event_fertility_only_without_other_food():
    table = Table(queue="healer", demand="merchant -councilor", draw="seer").trigger()
    assert table.demand == "merchant -councilor healer seer" and table.treasury == 1
    table = Table(queue="healer", demand="councilor", draw="seer").trigger()
    assert table.demand == "councilor healer"


def test_event_early_trade_pays_one_contract_of_each_provider():
    table = Table(opened=["skinner:seer quarry:cook", "tower"], queue="alchemist", treasury=9)
    table.trigger()
    assert table.asked == "PAY_SLOT"
    table.do("slot:quarry")
    assert table.treasury == 6 and not table.paid(0, "skinner")


def test_event_winter_pays_once():
    table = Table(opened=["skinner tanner mentor"], queue="merchant").trigger()
    assert table.gold == [4, 3]


def test_event_conquest():
    # weapons 5, demand 4 with this card: grow (+ 1, not happy) and + 4
    table = Table(opened=["armory:bard spear_maker:cook"], queue="tavern", draw="seer",
                  demand="-tanner merchant mentor").trigger()
    assert table.treasury == 5
    table = Table(opened=["armory:bard"], queue="tavern", demand="tanner merchant").trigger()
    assert table.treasury == 0  # 3 against 3


def test_event_wonders_awards_festival():
    assert Table(opened=["quarry tower"], queue="theater").trigger().gold[0] == 6
    assert Table(opened=["smelter"], queue="dairy_farm").trigger().gold[0] == 5
    assert Table(opened=["road"], queue="legion", age=3).trigger().gold[0] == 5
    assert Table(opened=["laboratory"], queue="market", age=3).trigger().gold[0] == 7
    assert Table(opened=["wheat_farm"], queue="iron_mine", age=3).trigger().gold[0] == 7


def test_event_war_the_owner_chooses_among_equals():
    table = Table(opened=["warrior_1:seer warrior_2:cook"], queue="academy", treasury=1).trigger()
    assert table.asked == "PICK_SLOT"
    table.do("slot:warrior_1")
    assert table.paid(0, "warrior_1") and not table.paid(0, "warrior_2")


def test_event_breakthrough_keeps_one_and_returns_the_rest_in_order():
    table = Table(opened=["laboratory prophet"], queue="jeweler", draw="bard cook seer").trigger()
    assert table.asked == "KEEP_CARD"
    table.do("card:cook")
    assert table.hand(0) == {"cook"} and table.asked == "RETURN_CARD"
    table.do("card:seer")
    assert table.draw_pile(0).startswith("bard seer")


def test_event_innovation_ties_use_the_two_top_discards():
    table = Table(opened=["laboratory", "university"], queue="road", discard="bard cook seer",
                  age=3).trigger(0)
    assert table.actor == 1
    table.do("slot:university")
    assert table.contract(1, "university") == "seer"
    table.do("slot:laboratory")
    assert table.contract(0, "laboratory") == "cook"
    table = Table(opened=["laboratory", ""], queue="road", discard="bard", age=3).trigger(0)
    assert table.do("no").discards == "bard"


def test_event_unearth_takes_the_top_discards():
    table = Table(opened=["laboratory", "university"], queue="blacksmith", age=3,
                  discard="bard cook seer").trigger(0)
    assert table.hand(1) == {"seer", "cook"} and table.hand(0) == {"bard"}


def test_event_boom_counts_open_businesses_without_contract():
    table = Table(opened=["skinner tanner cook:seer"], queue="university", age=3).trigger()
    assert table.gold == [7, 3]


def test_event_uprising_lays_two_discards_into_demand():
    table = Table(queue="scriptorium", discard="bard cook seer", age=3).trigger()
    assert table.demand == "scriptorium seer cook" and table.discards == "bard"


def test_event_quell_and_golden_age():
    table = Table(queue="cafe", demand="trader smuggler mentor -craftsman", age=3).trigger()
    assert table.treasury == 6
    assert Table(queue="arena", age=3).trigger().treasury == 5
