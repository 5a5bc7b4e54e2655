"""Setup, zones, turns and actions (T17-1 to T17-36, T17-48 to T17-53)."""

import numpy as np
import pytest

from exchequer.core.agenda import AgendaFault, drop_all, then
from exchequer.core.build import Mode
from exchequer.core.piles import pile_size
from exchequer.core.position import Position
from exchequer.games.treasury.v17 import GAME, answers, rules
from exchequer.games.treasury.v17.cards import Card, Icon, Printed
from exchequer.games.treasury.v17.money import population
from exchequer.games.treasury.v17.state import Ask, Do, Ending, Event, Pile, Step
from games.treasury.v17.table import ENGINE, Table


def new_game(seats=2, seed=1, **options):
    return Position(GAME, GAME.content(options), seats, seed, Mode.PYTHON)


def sizes(position):
    s = position.state
    return {name: int(pile_size(s, pile)) for name, pile in Pile._asdict().items()}


# Vocabulary --------------------------------------------------------------------------------------

def test_t17_1_seats_pass_clockwise():
    game = new_game(3)
    first = game.actor
    for seat in (first, (first + 1) % 3, (first + 2) % 3, first):
        assert game.actor == seat
        game.play(game.legal()[0])


def test_t17_2_every_card_pairs_a_business_with_an_event():
    c = GAME.content().record
    assert len(Card) == 91
    assert [int(sum(c.back == age)) for age in range(4)] == [43, 16, 16, 16]
    words = GAME.content().words["card"]
    # the pairings of the designer's table, a few of each age
    for card, event, demand in (
            ("tanner", "discovery", "science"), ("merchant", "winter", "hides"),
            ("tavern", "conquest_i", "food"), ("lodge", "stone_wonder", "stone"),
            ("dock", "war", "bronze"), ("cafe", "quell", "iron"),
            ("market", "awards", "science")):
        assert (words[card]["event"], words[card]["demand"]) == (event, demand)


def test_t17_3_demands_are_goods_never_weapons():
    c = GAME.content().record
    assert all(c.demand[card] < Icon.CLUBS for card in Card)
    with pytest.raises(ValueError, match="weapon"):
        GAME.content({"card": {"tanner": {"demand": "clubs"}}})


def test_t17_4_the_age_rises_with_each_end_of_age_and_stops_at_three():
    table = Table()
    for age in (1, 2, 3, 3):
        table.end_age()
        assert table.s.age == age


def test_t17_5_startups_open_and_contracted_businesses():
    table = Table(opened=["skinner:seer!2 tanner:cook"], startups=["quarry"])
    assert table.paid(0, "skinner") and not table.paid(0, "tanner")
    assert not table.is_open(0, "quarry")


def test_t17_6_r17_7_only_open_businesses_provide_contracted_or_not():
    table = Table(opened=["skinner:seer tower"], startups=["tanner"])
    # Skinner hides (contracted) + Tower stone, hides = 2 hides, 1 stone; the startup gives none
    assert table.s.provided[0, Icon.HIDES] == 2
    assert table.s.provided[0, Icon.STONE] == 1
    table = Table(startups=["sculptor"], hands=["seer"])
    assert table.refuses("sculpt") == "NO_ABILITY"


def test_t17_7_the_acting_player_is_who_caused_the_event():
    # Ben's Diviner hits at Ann's end of age: Ben's Counselor pays, not Ann's
    table = Table(opened=["", "diviner counselor"], queue="trader", draw="trapper", draws=1)
    table.end_age(0, 0)
    assert table.fired("eoa_play") == 1
    assert table.fired("resolve_gain") == 1  # Trader's Barbarians demand happiness


def test_t17_8_play_trigger_resolve_are_three_things():
    table = Table(hands=["seer tanner"], queue="merchant skinner").do("play", "card:tanner")
    names = [Event(e.what).name for e in table.told]
    assert names.index("PLAYED") < names.index("TRIGGERED") < names.index("RESOLVED")


def test_t17_9_a_prohibition_beats_a_permission():
    # Lodge permits a contract without a match, but not on an obsolete weapon
    table = Table(opened=["warrior_1"], startups=["lodge+seer+cook"], demand="tanner",
                  obsolete=[Icon.CLUBS])
    table.do("open:lodge", "by-cards")
    assert table.choices == ["no", "slot:1-2"]


# Zones -------------------------------------------------------------------------------------------

def test_t17_10_gold_never_falls_below_zero():
    table = Table(gold=1, treasury=0).end_age(2)  # tax 3, each pays the 1 there is
    assert table.gold == [0, 0]
    table = Table(queue="trader", demand="tanner seer skinner", treasury=2).trigger()
    assert table.treasury == 0  # 4 cards, no weapons: 2 of 4


def test_t17_11_bottom_is_index_zero():
    table = Table(hands=["seer"], queue="merchant skinner", demand="tanner").do("play")
    assert table.queue == "skinner seer"
    assert table.demand == "tanner merchant"


def test_t17_12_everyone_reads_what_lies_face_up():
    table = Table(queue="merchant", demand="tanner -seer")
    for seat in range(2):
        copy = np.array([table.s])
        rules.observe(copy[0], table.c, seat)
        start = copy[0].start[Pile.DEMAND]
        assert copy[0].card[start] == Card.TANNER
        assert copy[0].card[start + 1] == -1  # only the back, age 0


def test_t17_14_start_money_and_a_random_first_player():
    game = new_game(3)
    assert game.state.treasury == 9  # 3 x 3
    assert game.state.gold.tolist()[:3] == [3, 3, 3]


def test_r17_8_every_seat_may_start():
    assert {new_game(4, seed).actor for seed in range(30)} == {0, 1, 2, 3}


@pytest.mark.parametrize("seats, demand, first, later, box",
                         [(2, 1, 12, 10, 38), (3, 2, 18, 15, 11), (4, 3, 20, 16, 0)])
def test_t17_15_t17_16_t17_17_setup_counts(seats, demand, first, later, box):
    # the table of T17-17; in the box 20 + 18, 8 + 3 and 0 cards
    pile = sizes(new_game(seats))
    assert pile["DEMAND"] == demand and pile["DRAW"] == first and pile["BOX"] == box
    s = new_game(seats).state
    assert [int(pile_size(s, Pile.DRAW + age)) for age in (1, 2, 3)] == [later] * 3
    assert [int(pile_size(s, Pile.HAND + seat)) for seat in range(seats)] == [5] * seats


def test_t17_15_the_first_demand_is_face_down_and_unseen():
    s = new_game(4).state
    for place in range(s.start[Pile.DEMAND], s.start[Pile.DEMAND + 1]):
        assert not s.face_up[place] and s.known[place] == 0


def test_t17_17_too_few_cards_are_refused_in_words():
    with pytest.raises(ValueError, match="44 age-0 cards are needed"):
        GAME.content({"age0_of_four": 5, "hand": 5, "demand_below_seats": 0})
    with pytest.raises(ValueError, match="an age has 16"):
        GAME.content({"later_of_four": 5})


def test_t17_18_nothing_else_is_on_the_table():
    game = new_game(2)
    pile = sizes(game)
    assert pile["QUEUE"] == pile["DISCARD"] == pile["BUSINESS"] == 0
    assert game.state.obsolete == 0


# Turns -------------------------------------------------------------------------------------------

def test_t17_19_a_turn_ends_with_draw_and_the_next_player():
    table = Table(hands=["seer tanner"], opened=["", "arena"]).do("start", "card:seer")
    assert table.hand(0) != {"tanner"}  # the end draw came when nothing else could be done
    assert table.actor == 1
    assert table.gold == [3, 4]  # Ben's Arena at the start of his turn


def test_t17_20_first_turns_build_the_queue_and_trigger_nothing():
    game = new_game(3)
    first = game.actor
    placed = []
    for _ in range(3):
        assert game.engine.question(game.state) == Ask.FIRST_CARD
        card = game.legal()[0]
        placed.append(card - Do.CARD)
        game.play(card)
    s = game.state
    assert s.card[s.start[Pile.QUEUE]: s.start[Pile.QUEUE + 1]].tolist() == placed
    assert [int(pile_size(s, Pile.HAND + seat)) for seat in range(3)] == [5, 5, 5]
    assert pile_size(s, Pile.DRAW) == 15  # 18 - 3
    assert game.actor == first


def test_t17_20_the_first_placement_is_not_playing_an_event():
    table = Table(hands=["healer seer"], opened=["shrine smuggler"], turn=False)
    table.s.turns[0] = 0
    table.step(Step.TURN, 0).do("card:healer")
    assert table.queue == "healer" and table.gold[0] == 3


def test_t17_21_the_turn_cannot_end_without_an_action():
    table = Table(opened=["skinner"], hands=["seer"])
    assert table.refuses("end") == "ACTION_DUE"
    table.do("start")
    assert table.refuses("end") == ""


def test_t17_22_reactions_start_with_the_current_player():
    # Skinner (hides) takes Bank's part in this variant: two Banks at the table
    skill = [{"id": "empty_gain", "amount": 2}]
    table = Table(3, seat=1, opened=["bank", "", "skinner"], queue="trader", treasury=1,
                  demand="tanner", card={"skinner": {"ability": skill}}).trigger(1)
    earned = [int(e.seat) for e in table.events(Event.EARNED)]
    assert earned == [2, 0]  # from Ben on: Cleo, then Ann


def test_t17_23_free_actions_before_and_after_the_action():
    table = Table(opened=["craftsman"], hands=["seer tanner cook"])
    table.do("discard", "card:seer", "start", "card:tanner")
    table.do("discard")  # Cook, the last card: nothing to choose
    assert table.discards == "seer cook"


def test_t17_24_actions_are_playing_starting_developing_passing_and_abilities():
    table = Table(opened=["sculptor whaler school theater=10"], startups=["quarry"],
                  hands=["seer tanner"], demand="cook", queue="merchant skinner")
    for action in ("play", "start", "develop", "pass", "sculpt", "whale", "teach", "perform"):
        assert table.refuses(action) == ""
    table.do("perform")
    for action in ("play", "start", "develop", "pass", "sculpt", "whale", "teach", "perform"):
        assert table.refuses(action) == "NO_ACTION_LEFT"


# Playing -----------------------------------------------------------------------------------------

def test_t17_25_play_adds_one_on_top_and_triggers_the_bottom():
    table = Table(hands=["seer tanner"], queue="merchant skinner", demand="cook")
    table.do("play", "card:tanner")
    assert table.queue == "skinner tanner"
    assert table.demand == "cook merchant"  # Merchant's Winter, resolved in demand


def test_t17_26_r17_1_the_card_lies_in_demand_while_it_is_resolved():
    # Barbarians count themselves: 1 card, no weapons, treasury 5 - 1
    table = Table(queue="trader skinner", treasury=5).trigger()
    assert table.treasury == 4 and table.demand == "trader"


def test_t17_27_r17_48_players_left_of_the_acting_player_come_first():
    # Early Trade with 2 gold: Ben's Skinner (2) is paid first, Ann's comes last and gets nothing
    table = Table(opened=["skinner:seer", "tower:cook"], queue=["alchemist", "skinner"][0],
                  treasury=2).trigger(0)
    assert table.paid(1, "tower") and not table.paid(0, "skinner")
    assert table.treasury == 0


def test_t17_27_counselor_pays_after_the_effect():
    # Boom pays Counselor's owner 2 for the uncontracted business; then nothing: iron, not happiness
    table = Table(opened=["counselor"], queue="university", age=3).trigger()
    assert table.gold == [5, 3]


def test_t17_28_fertility_goes_straight_to_demand_and_leaves_the_queue_alone():
    table = Table(hands=["healer seer"], queue="merchant skinner", draw="tanner", treasury=0)
    table.do("play", "card:healer", "yes")
    assert table.queue == "merchant skinner"
    assert table.demand == "healer tanner"  # no other food: grown by Tanner, science
    assert table.treasury == 1


def test_t17_28_fertility_may_also_go_into_the_queue():
    table = Table(hands=["healer seer"], queue="merchant skinner").do("play", "card:healer", "no")
    assert table.queue == "skinner healer"


def test_t17_29_a_start_is_face_down_and_free():
    table = Table(hands=["quarry seer"]).do("start", "card:quarry")
    assert not table.is_open(0, "quarry") and table.gold[0] == 3
    assert not table.knows(1, Pile.BUSINESS, 0)


def test_t17_30_any_number_of_cards_on_one_startup():
    table = Table(hands=["seer tanner cook"], startups=["iron_mine quarry"])
    table.do("develop", "slot:iron_mine", "card:seer", "card:tanner", "no")
    assert table.developments(0, "iron_mine") == "seer tanner"
    assert table.hand(0) >= {"cook"}


def test_t17_31_r17_15_a_pass_plays_the_top_card():
    table = Table(opened=["shrine apothecary hunter"], hands=["skinner tanner"],
                  draw="gatherer seer", queue="merchant trader").do("pass")
    assert table.queue == "trader seer"
    assert table.gold[0] == 4  # Shrine; Winter pays nobody without hides
    assert "gatherer" in table.hand(0)  # Apothecary
    assert table.refuses("free-play") == ""  # Hunter


def test_t17_32_a_late_pass_triggers_and_adds_nothing():
    table = Table(opened=["shrine hunter"], hands=["seer tanner"], queue="merchant trader", age=3,
                  draws=0)
    table.s.next_end = 4
    table.do("pass")
    assert table.queue == "trader" and table.gold[0] == 3
    assert table.refuses("free-play") == "NO_ABILITY"


def test_t17_33_free_actions_repeat():
    table = Table(opened=["skinner tanner"], startups=["gatherer shoemaker"],
                  demand="merchant seer")
    table.do("open:gatherer", "open:shoemaker", "claim:skinner", "close:gatherer")
    assert table.s.actions == 1 and table.contract(0, "skinner") == "merchant"


# Opening and closing -----------------------------------------------------------------------------

def test_t17_34_open_by_development_cards_or_by_gold():
    table = Table(startups=["quarry+seer tower"], gold=2)
    assert table.refuses("open:tower") == ""
    table.do("open:quarry", "by-cards")
    assert table.is_open(0, "quarry") and table.gold[0] == 2 and table.discards == "seer"
    table.do("open:tower")
    assert table.gold[0] == 0


def test_t17_34_not_in_the_turn_of_its_start_or_development():
    table = Table(startups=["quarry"], hands=["seer gatherer"], gold=9, opened=["inn dairy_farm"])
    table.do("free-start", "card:gatherer")
    assert table.refuses("open:gatherer") == "THIS_TURN"
    table.do("free-develop", "slot:quarry")
    assert table.refuses("open:quarry") == "THIS_TURN"


def test_t17_34_the_owner_orders_the_discarded_development_cards():
    table = Table(startups=["lodge+seer+cook"]).do("open:lodge", "by-cards")
    assert table.asked == "ORDER_CARD"
    table.do("card:cook")
    assert table.discards == "cook seer"


def test_t17_35_a_business_without_development_cost_opens_for_nothing():
    table = Table(startups=["gatherer"], gold=0).do("open:gatherer")
    assert table.is_open(0, "gatherer")


def test_t17_36_closing_gives_the_gold_of_the_contract():
    table = Table(opened=["skinner:seer!2"], hands=["cook tanner"]).do("close:skinner")
    assert table.gold[0] == 5
    table.do("card:seer")  # the order: the contract first
    assert table.discards == "seer skinner"


def test_t17_36_r17_14_stored_gold_is_lost():
    table = Table(opened=["theater=10"], hands=["cook"]).do("close:theater")
    assert table.gold[0] == 3 and len(table.events(Event.STORE_LOST)) == 1


def test_r17_13_startups_close_too_but_not_the_same_turn():
    table = Table(startups=["fruit_monger+seer"], hands=["cook tanner"], age=2)
    table.do("start", "card:cook")
    assert table.refuses("close:cook") == "THIS_TURN"
    table.do("close:fruit_monger", "card:seer")
    assert table.gold[0] == 3  # it was not active: no gold for the age
    assert table.discards == "seer fruit_monger"


def test_r17_13_a_business_opened_this_turn_may_be_closed():
    table = Table(startups=["fruit_monger"], hands=["cook"], age=2)
    table.do("open:fruit_monger", "close:fruit_monger")
    assert table.gold[0] == 5


def test_r17_9_the_first_placement_is_the_whole_action():
    game = new_game(2)
    first = game.actor
    game.play(game.legal()[0])
    assert game.actor != first
    game = new_game(2, first_turn_extra_action=True)
    first = game.actor
    game.play(game.legal()[0])
    assert game.actor == first and game.engine.question(game.state) == Ask.MAIN


def test_r17_10_enough_cards_or_exactly_enough():
    table = Table(startups=["quarry+seer+cook"], gold=0)
    assert table.refuses("open:quarry") == ""
    table = Table(startups=["quarry+seer+cook"], gold=0, exact_development=True)
    assert table.refuses("open:quarry") == "TOO_DEAR"


def test_r17_11_cards_and_gold_are_not_mixed():
    table = Table(startups=["lodge+seer"], gold=2)  # 1 of 2 cards, 2 of 3 gold
    assert table.refuses("open:lodge") == "TOO_DEAR"
    table = Table(startups=["lodge+seer"], gold=3).do("open:lodge")
    assert table.gold[0] == 0 and table.discards == "seer"


def test_r17_12_developing_takes_a_card():
    table = Table(startups=["quarry tower"], hands=["seer cook"])
    table.do("develop", "slot:quarry")
    assert table.refuses("no") == "COMPULSORY"
    table = Table(startups=["quarry"])
    assert table.refuses("develop") == "NO_CARD"


# The agenda --------------------------------------------------------------------------------------

def test_a_step_that_nobody_carries_out_is_a_fault():
    table, unknown = Table(hands=["seer cook"]), max(Step) + 1
    drop_all(table.s)
    then(table.s, unknown, 0, 0, 0)
    then(table.s, Ask.MAIN, 0, 0, 0)
    ENGINE.apply(table.s, table.c, Do.END, table.log)
    assert table.s.agenda_fault == AgendaFault.NO_HANDLER
    assert table.s.agenda_fault_item == unknown


@pytest.mark.parametrize(("ask", "action"), [
    (Ask.MAIN, Do.NO), (Ask.START_CARD, Do.SLOT), (Ask.PEEK_SLOT, Do.CARD), (Ask.DIRECT, Do.AGE),
    (Ask.TEACH_POSITION, Do.YES), (Ask.VICTIM, Do.AMOUNT), (Ask.PAYMENT, Do.FROM_PILE)])
def test_an_answer_that_nobody_carries_out_is_a_fault(ask, action):
    table = Table(hands=["seer cook"])
    ENGINE.bind(answers.answer)(table.s, table.c, ask, 0, 0, 0, action, table.log)
    assert table.s.agenda_fault == AgendaFault.NO_HANDLER
    assert table.s.agenda_fault_item == ask


# Drawing -----------------------------------------------------------------------------------------

def test_t17_48_the_earliest_age_with_cards_is_drawn_from():
    table = Table(draw="tanner", draws=1, hands=[""], opened=["", "", ""])
    table.s.todo = 0
    table.step(Step.DRAW, 0, 0, 2)  # the last age-0 card, then one of age I
    assert "tanner" in table.hand(0) and len(table.hand(0)) == 2
    assert table.draw_pile(0) == "" and table.draw_pile(1) == ""


def test_t17_49_r17_56_without_cards_the_draw_is_skipped():
    table = Table(draws=0, age=3, turn=False).step(Step.DRAW, 0, 0, 2)
    assert table.hand(0) == set()


def test_t17_50_r17_17_hand_and_businesses_count_not_what_lies_on_them():
    # 5 in hand + 3 businesses = 8, one of them with 2 development cards: no draw
    hand = "seer cook tanner mentor trader"
    table = Table(hands=[hand], startups=["quarry+bard+healer tower inn"], opened=["theater=2"])
    table.do("close:theater", "develop", "slot:quarry", "card:seer", "no", "end")
    assert len(table.hand(0)) == 5  # 4 + 3 = 7, below 8
    table = Table(hands=[hand], startups=["quarry+bard+healer tower"], opened=["sculptor"])
    table.do("pass", "end")
    assert len(table.hand(0)) == 5
    table = Table(hands=[hand], startups=["quarry+bard+healer tower"], opened=["seamster"])
    table.do("pass", "end")  # limit 9
    assert len(table.hand(0)) == 6


def test_t17_51_r17_18_the_end_draw_is_compulsory():
    table = Table(hands=["seer cook"]).do("start", "card:cook")
    assert len(table.hand(0)) == 2
    table = Table(hands=["seer cook"], optional_end_draw=True).do("start", "card:cook")
    assert table.asked == "END_DRAW"
    table.do("no")
    assert table.hand(0) == {"seer"}


def test_t17_52_exhausted_means_empty_after_the_effect():
    # Library takes the last 2 of age 0 and puts one back; at the limit of 1 there is no end draw
    table = Table(opened=["library dairy_farm"], hands=["seer cook"], draw="tanner mentor",
                  draws=(2, 5, 5, 5), draw_limit=1)
    table.do("start", "card:cook", "card:tanner", "end")
    assert table.draw_pile(0) == "tanner" and table.s.age == 0


def test_t17_53_discards_from_hand_are_not_shown():
    table = Table(opened=["craftsman"], hands=["seer cook"]).do("discard", "card:seer")
    assert table.knows(0, Pile.DISCARD, 0) and not table.knows(1, Pile.DISCARD, 0)


def test_r17_16_a_pass_may_send_fertility_straight_to_demand():
    table = Table(hands=["seer cook"], draw="healer", queue="merchant skinner").do("pass", "yes")
    assert table.demand.startswith("healer") and table.queue == "merchant skinner"
    table = Table(hands=["seer cook"], draw="healer", queue="merchant skinner", opened=["smuggler"])
    table.do("pass")
    assert table.queue == "skinner -healer"  # unseen, so no question


def test_r17_19_r17_22_the_last_card_in_the_middle_of_a_turn():
    # Ann triggers Discovery, Ben draws the last age-0 card; Ann's end draw is of age I and she
    # ended the age: tax 1 each, population 1 + 0 contracts
    table = Table(opened=["", "prophet"], hands=["seer cook", "bard"], queue="tanner skinner",
                  draw="mentor", draws=(1, 5, 5, 5), gold=3, treasury=0)
    table.do("play", "card:cook", "card:bard")
    assert table.s.age == 1 and table.gold == [2, 2]
    assert [int(e.seat) for e in table.events(Event.AGE_ENDS)] == [0]
    assert table.treasury == 3  # 1 + 1 + Tanner's science card


def test_r17_21_a_last_card_put_back_does_not_end_the_age():
    table = Table(opened=["academy"], hands=["seer cook"], draw="mentor", draws=1)
    table.s.todo -= 1
    table.s.in_main = 0
    table.run()
    assert table.asked == "RETURN_CARD"
    table.do("card:mentor")
    assert table.draw_pile(0) == "mentor" and table.s.age == 0


def test_t17_45_t17_46_population_grows_by_the_top_card():
    table = Table(queue="healer", draw="seer", treasury=0).trigger()
    assert table.demand == "healer seer" and table.treasury == 1  # hides, not happiness
    table = Table(queue="healer", draw="trader", treasury=0).trigger()
    assert table.treasury == 0  # Barbarians demand happiness
    from exchequer.games.treasury.v17.money import population
    table = Table(opened=["skinner:seer"], demand="-cook tanner")
    assert population(table.s) == 3


@pytest.mark.parametrize("printed", Printed, ids=lambda printed: printed.name.lower())
def test_t17_47_no_event_of_this_set_lowers_the_population(printed):
    events = [entry.event for entry in GAME.content().record.card]
    card = Card(events.index(printed)).name.lower()
    table = Table(opened=["laboratory:inn"], demand="-orchard dock", queue=card, treasury=3,
                  discard="lodge villa", hands=["temple museum"])
    before = population(table.s)
    assert population(table.trigger().s) > before


def test_r17_30_no_growth_without_a_draw_pile():
    table = Table(queue="healer", draws=0, age=3).trigger()
    assert table.demand == "healer" and table.treasury == 0
    # Conquest still adds its gold: 3 weapons against 1 card
    table = Table(queue="armory", draws=0, age=3, opened=["knighthood:seer"]).trigger()
    assert table.treasury == 6


def test_r17_54_the_queue_keeps_its_size():
    table = Table(hands=["seer cook healer"], queue="merchant skinner", opened=["school"],
                  demand="tanner")
    table.do("teach", "position:0")
    assert table.queue == "tanner skinner"


def test_t17_70_no_thirteenth_business():
    twelve = ("skinner tanner gatherer wiseman shoemaker fruit_monger baker_1 warrior_1 hunter "
              "warrior_2 trader smuggler")
    table = Table(opened=[twelve], hands=["seer cook"])
    assert table.refuses("start") == "NO_ROOM"
    table.do("close:skinner")
    assert table.refuses("start") == ""


def test_t17_71_the_long_game_ends():
    table = Table(hands=["seer cook"], queue="merchant trader", turn_cap=20)
    table.s.turns[:2] = 20
    table.do("start", "card:seer")
    assert table.s.last_seat == 0 and table.queue == "" and table.actor == 1
    assert table.s.turns_left == 0


def test_t17_72_choices_are_taken_back_four_times_a_turn():
    table = Table(hands=["seer cook"])
    for _ in range(4):
        table.do("start", "cancel")
    table.do("start")
    assert table.refuses("cancel") == "COMMITTED"
    assert table.hand(0) == {"seer", "cook"}


def test_t17_59_t17_60_t17_61_the_end_of_the_game_step_by_step():
    table = Table(hands=["seer cook", "tanner bard"], queue="merchant", age=3, draws=0, gold=3)
    table.s.next_end = 4
    table.do("pass")  # Ann's late pass takes the last event
    assert table.queue == "" and table.s.last_seat == 0
    assert table.actor == 1  # Ben's one more turn
    table.do("play", "card:tanner")  # into an empty queue: resolved at once (T17-61)
    assert table.demand == "merchant tanner" and table.queue == ""
    assert table.asked == "NOTHING" and table.s.ending == Ending.LAST_EVENT
    assert table.gold == [3, 3] and table.s.winners == 3


def test_t17_59_end_of_age_three_is_taxed_and_ends_archivists_draws():
    table = Table(opened=["archivist"], hands=["seer cook"], discard="bard tanner", age=3, draws=1,
                  gold=9, queue="merchant skinner")
    table.do("pass", "end")  # the pass took the last card; Archivist still draws
    assert table.gold == [5, 5]  # tax 4
    assert table.s.next_end == 4 and table.discards == "bard"


def test_r17_53_r17_55_passing_on_an_empty_queue_does_nothing():
    table = Table(hands=["seer cook"], age=3, draws=0, opened=["school"], demand="tanner")
    table.s.next_end, table.s.last_seat = 4, 1
    assert table.refuses("teach") == "NO_QUEUE"
    table.do("pass")
    assert table.demand == "tanner"


def test_t17_64_r17_64_the_stalemate_guard():
    table = Table(hands=["seer cook", "tanner bard"], queue="merchant trader", age=3, draws=0,
                  endgame_turn_cap=2)
    table.s.next_end = 4
    table.s.late_turns[:2] = [2, 2]
    table.do("start", "card:seer")
    assert table.queue == "" and table.s.last_seat == 0
    table.do("start", "card:bard")
    assert table.s.ending == Ending.STALEMATE


def test_t17_65_the_draft_passes_packs_to_the_left():
    game = new_game(3, advanced_draft=True)
    first = game.actor
    packs = [game.state.card[game.state.start[Pile.HAND + seat]:
                             game.state.start[Pile.HAND + seat + 1]].tolist() for seat in range(3)]
    for _ in range(3):
        assert game.engine.question(game.state) == Ask.DRAFT
        game.play(game.legal()[0])
    kept = packs[first][0]
    left = (first + 1) % 3
    s = game.state
    now = s.card[s.start[Pile.HAND + left]: s.start[Pile.HAND + left + 1]].tolist()
    assert now == packs[first][1:]
    for _ in range(9):
        game.play(game.legal()[0])
    s = game.state
    assert [int(pile_size(s, Pile.HAND + seat)) for seat in range(3)] == [5, 5, 5]
    assert kept in s.card[s.start[Pile.HAND + first]: s.start[Pile.HAND + first + 1]]
    assert game.engine.question(s) == Ask.FIRST_CARD
