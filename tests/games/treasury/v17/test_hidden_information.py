"""Who knows what (T17-13): every row of the table, and what secret moves make others forget."""

import numpy as np
import pytest

from exchequer.core.agenda import then
from exchequer.core.build import Mode
from exchequer.core.log import seen_by
from exchequer.core.position import Position
from exchequer.games.treasury.v17 import GAME, rules
from exchequer.games.treasury.v17.cards import N_CARDS, Card
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Event, Pile
from games.treasury.v17.table import Table


def seen(table, seat, pile):
    """The pile as the seat sees it: card names, or `?0` for a back of age 0."""
    copy = np.array([table.s])
    rules.observe(copy[0], table.c, seat)
    s = copy[0]
    return [Card(card).name.lower() if card >= 0 else f"?{-1 - card}"
            for card in s.card[s.start[pile]: s.start[pile + 1]].tolist()]


def test_t17_13_hands_are_their_owners():
    table = Table(hands=["seer quarry", "cook"])
    assert sorted(seen(table, 0, Pile.HAND)) == ["quarry", "seer"]
    assert sorted(seen(table, 1, Pile.HAND)) == ["?0", "?1"]  # the backs show the ages


def test_t17_13_startups_developments_and_contracts_are_their_owners():
    table = Table(opened=["skinner:seer"], startups=["quarry+bard"])
    for pile, name, back in ((Pile.BUSINESS + 1, "quarry", "?1"), (Pile.CONTRACT, "seer", "?0"),
                             (Pile.DEVELOPMENT + 1, "bard", "?0")):
        assert seen(table, 0, pile) == [name]
        assert seen(table, 1, pile) == [back]


def test_t17_13_a_claimed_blank_is_known_to_the_claimer_alone():
    table = Table(opened=["skinner"], demand="-seer merchant")
    assert seen(table, 0, Pile.DEMAND) == ["?0", "merchant"]
    table.do("claim:skinner")
    assert seen(table, 0, Pile.CONTRACT) == ["seer"] and seen(table, 1, Pile.CONTRACT) == ["?0"]


def test_t17_13_a_claimed_face_up_card_stays_known_to_all():
    table = Table(opened=["skinner"], demand="seer merchant").do("claim:skinner")
    assert seen(table, 1, Pile.CONTRACT) == ["seer"]


def test_t17_13_a_flipped_demand_card_is_remembered():
    table = Table(opened=["scriptorium"], demand="trader").do("flip")
    assert seen(table, 1, Pile.DEMAND) == ["trader"] and table.demand == "-trader"


def test_t17_13_discards_are_remembered_by_their_discarder():
    table = Table(opened=["craftsman"], hands=["seer cook"]).do("discard", "card:seer")
    assert seen(table, 0, Pile.DISCARD) == ["seer"] and seen(table, 1, Pile.DISCARD) == ["?0"]


def test_t17_13_an_open_business_that_is_closed_is_remembered_by_all():
    table = Table(opened=["skinner"], hands=["seer cook"]).do("close:skinner")
    assert seen(table, 1, Pile.DISCARD) == ["skinner"]


def test_t17_13_a_secret_order_of_like_backs_is_forgotten():
    table = Table(opened=["skinner:seer"], hands=["cook bard"]).do("close:skinner", "card:skinner")
    assert seen(table, 1, Pile.DISCARD) == ["?0", "?0"]
    assert seen(table, 0, Pile.DISCARD) == ["skinner", "seer"]


def test_t17_13_an_order_of_different_backs_is_not():
    table = Table(opened=["quarry:seer"], hands=["cook bard"]).do("close:quarry", "card:quarry")
    assert seen(table, 1, Pile.DISCARD) == ["quarry", "?0"]


def test_t17_13_a_shown_card_is_lost_among_like_backs_when_one_is_played_face_down():
    # Ann shows Tanner to all (Seer), then starts a card of the same age: Ben cannot tell which
    table = Table(opened=["seer"], draw="tanner", hands=["cook quarry"]).end_age(0)
    assert "tanner" in seen(table, 1, Pile.HAND)
    other = Table(opened=["seer"], hands=["tanner cook quarry"])
    for place in range(other.s.start[Pile.HAND], other.s.start[Pile.HAND + 1]):
        if other.s.card[place] == Card.TANNER:
            other.s.known[place] = 255
    other.do("start", "card:cook")
    assert "tanner" not in seen(other, 1, Pile.HAND)
    third = Table(opened=["seer"], hands=["tanner cook quarry"])
    for place in range(third.s.start[Pile.HAND], third.s.start[Pile.HAND + 1]):
        if third.s.card[place] == Card.TANNER:
            third.s.known[place] = 255
    third.do("start", "card:quarry")  # another back: Tanner is still there
    assert "tanner" in seen(third, 1, Pile.HAND)


def test_t17_13_the_place_in_anothers_hand_tells_nothing():
    one = Table(hands=["seer cook", ""])
    two = Table(hands=["cook seer", ""])
    assert seen(one, 1, Pile.HAND) == seen(two, 1, Pile.HAND)
    one.do("start", "card:seer")
    two.do("start", "card:seer")
    copies = []
    for table in (one, two):
        copy = np.array([table.s])
        rules.observe(copy[0], table.c, 1)
        copies.append(copy.tobytes())
    assert copies[0] == copies[1]


def test_t17_13_the_log_tells_no_more():
    table = Table(hands=["seer cook", ""]).do("start", "card:seer")
    started = np.array(table.events(Event.STARTED))
    assert seen_by(started, 0)[0]["thing"] == Card.SEER
    assert seen_by(started, 1)[0]["thing"] < 0


def test_t17_13_importer_opens_the_discard_pile_to_its_owner():
    table = Table(startups=["importer"], gold=4, discard="seer cook bard").do("open:importer")
    assert seen(table, 0, Pile.DISCARD) == ["seer", "cook", "bard"]
    assert seen(table, 1, Pile.DISCARD) == ["?0"] * 3


# What the others cannot tell (T17-73 to T17-75) --------------------------------------------------

def told(table, seat):
    """All that a seat has of a table: the observation and the log as it reads it."""
    copy = np.array([table.s])
    rules.observe(copy[0], table.c, seat)
    return copy.tobytes(), [seen_by(np.array([entry]), seat).tobytes() for entry in table.told]


def assert_alike(tables, seat=1):
    first, *others = tables
    assert all(told(table, seat) == told(first, seat) for table in others)
    assert len({table.asked for table in tables}) == 1


def smuggled(card, hand="healer seer", **more):
    """Ann has a Smuggler and plays a card; with one card in hand she is not asked which."""
    table = Table(opened=["smuggler"], hands=[hand], queue="merchant skinner", **more).do("play")
    return table.do(f"card:{card}") if table.asked == "EVENT_CARD" else table


def test_t17_73_a_smuggled_fertility_asks_what_every_card_asks():
    tables = smuggled("healer"), smuggled("seer")
    assert_alike(tables)
    fertility, other = tables
    assert fertility.choices == ["no", "yes"] and other.choices == ["no"]
    assert other.refuses("yes") == "NOT_DIRECT"
    for table in tables:
        table.do("no")
    assert seen(fertility, 1, Pile.QUEUE) == seen(other, 1, Pile.QUEUE) == ["skinner", "?0"]
    assert_alike(tables)


def test_t17_73_the_last_card_of_a_hand_asks_the_same():
    assert_alike([smuggled("healer", "healer"), smuggled("seer", "seer")])


def test_t17_73_a_back_without_fertility_asks_nothing():
    assert smuggled("legion", "healer legion").queue == "skinner -legion"  # age III
    direct = {"fertility": {"direct": False}}
    assert smuggled("seer", event=direct).queue == "skinner -seer"  # nor does any card


def test_t17_73_a_fertility_from_the_draw_pile_asks_what_every_card_asks():
    tables = [Table(opened=["smuggler smelter"], draw=card, queue="merchant skinner",
                    hands=["cook bard"]).do("pass") for card in ("healer", "seer")]
    assert_alike(tables)
    assert tables[0].asked == "DIRECT" and seen(tables[0], 1, Pile.TRANSIT) == ["?0"]


def test_t17_73_trader_does_not_tell_what_its_owner_can_open():
    # Fort would need a business to close, Dock costs more than there is, Jeweler can be opened
    tables = [Table(startups=["trader"], hands=[hand], gold=4, card={"dock": {"gold_cost": 5}},
                    ).do("open:trader") for hand in ("fort", "dock", "jeweler")]
    assert_alike(tables)
    assert [len(table.choices) for table in tables] == [1, 1, 2]


def test_t17_73_orchard_does_not_tell_what_its_owner_can_open():
    tables = [Table(opened=["orchard"], startups=[startup], gold=2).end_age(0)
              for startup in ("quarry", "laboratory")]
    assert_alike(tables)
    assert [table.choices for table in tables] == [["no", "open:2"], ["no"]]


def test_t17_73_a_turn_does_not_tell_what_its_owner_can_open():
    tables = [Table(startups=[startup], hands=["cook bard"], gold=2).do("start", "card:cook")
              for startup in ("quarry", "laboratory")]
    assert_alike(tables)
    assert [("open:1" in table.choices) for table in tables] == [True, False]


def test_t17_73_market_does_not_tell_whether_its_owner_has_a_pair():
    # Seer and Tanner both want science, Cook does not
    tables = [Table(opened=["market"], hands=[hand]).do("start", "card:bard")
              for hand in ("bard seer tanner", "bard seer cook")]
    assert_alike(tables)


def test_t17_74_a_business_is_shown_before_it_is_paid():
    table = Table(startups=["quarry+seer+cook"], gold=9).do("open:quarry")
    assert table.asked == "PAYMENT" and not table.is_open(0, "quarry")
    assert seen(table, 1, Pile.BUSINESS) == ["quarry"]
    assert [int(e.thing) for e in table.events(Event.OPENED)] == [Card.QUARRY]
    assert table.refuses("cancel") == "COMMITTED"


def test_t17_74_what_trader_is_exchanged_for_is_shown_before_it_is_paid():
    table = Table(opened=["dock=4"], startups=["trader"], hands=["quarry seer"], gold=9)
    table.do("open:trader", "card:quarry")
    assert table.asked == "DOCK_AMOUNT" and seen(table, 1, Pile.BUSINESS + 1) == ["quarry"]
    assert len(table.do("amount:0").events(Event.OPENED)) == 2  # Trader and Quarry, once each


def test_t17_74_an_event_is_shown_before_it_is_said_where_it_goes():
    table = Table(3, opened=["smelter"], hands=["cook healer"],
                  queue="merchant skinner mentor").do("play", "card:healer")
    assert table.asked == "DIRECT" and seen(table, 1, Pile.TRANSIT) == ["healer"]
    table.do("no")
    assert table.asked == "QUEUE_POSITION" and len(table.events(Event.PLAYED)) == 1


def test_t17_75_looks_are_seen_by_all():
    table = Table(3, opened=["mentor"], startups=["", "quarry inn"]).do("peek", "slot:inn")
    copy = np.array([table.s])
    rules.observe(copy[0], table.c, 2)
    first = copy[0].start[Pile.BUSINESS + N_SLOTS]
    assert copy[0].known[first: first + 2].tolist() == [0b10, 0b11]


def test_t17_75_who_knows_a_card_of_a_hand_is_not():
    # Ann has seen which of Ben's two cards Cleo cannot tell apart
    tables = [Table(3, hands=["", "seer cook"]), Table(3, hands=["", "seer cook"])]
    for index, table in enumerate(tables):
        table.s.known[table.s.start[Pile.HAND + 1] + index] |= 1
    assert told(tables[0], 2) == told(tables[1], 2)
    assert told(tables[0], 0) != told(tables[1], 0)


def test_t17_75_a_card_shown_from_a_hand_does_not_tell_who_knew_it():
    # Ann has seen one of Ben's cards; he sells Seer and Tanner, and Cleo still cannot tell which
    tables = [Table(3, seat=1, opened=["", "market"], hands=["", "seer tanner cook"])
              for _ in range(2)]
    for index, table in enumerate(tables):
        table.s.known[table.s.start[Pile.HAND + 1] + 2 * index] |= 1
        table.do("market", "card:seer")
    assert_alike(tables, 2)


def test_t17_75_the_order_of_what_is_discarded_does_not_tell_where_it_lay():
    # the age 0 card that goes first is the contract or a development card
    tables = [Table(opened=["quarry:seer"], hands=["cook bard"]),
              Table(opened=["quarry:seer"], hands=["cook bard"])]
    for table, order in zip(tables, ("trader tower smuggler", "smuggler tower trader"),
                            strict=True):
        for card in order.split():
            table.lay(card, Pile.TRAY, 1)
        then(table.s, Ask.ORDER_CARD, 0, 0, 0)
        table.do("card:trader")
    assert_alike(tables)


def test_t17_75_all_see_which_discard_is_imported():
    table = Table(startups=["importer"], gold=4, discard="seer cook bard")
    table.do("open:importer", "card:cook")
    assert [(int(e.thing), int(e.amount)) for e in table.events(Event.TAKEN_FROM)] == [
        (Card.COOK, 2)]


def test_t17_75_all_see_which_development_card_is_sold():
    table = Table(opened=["broker"], startups=["quarry+seer+cook"], gold=9)
    table.s.known[table.s.start[Pile.DEVELOPMENT + 1]] |= 2  # Ben has seen Seer
    table.do("open:quarry", "by-cards", "card:cook")
    assert [(int(e.thing), int(e.amount)) for e in table.events(Event.TAKEN_FROM)] == [
        (Card.COOK, 2)]
    assert seen(table, 1, Pile.DISCARD) == ["seer"]


def test_t17_75_an_imagined_owner_knows_the_hand():
    game = Position(GAME, GAME.content(), 3, 1, Mode.PYTHON)
    world = game.determinize(0, 4)[0]
    for owner in range(3):
        places = range(world.start[Pile.HAND + owner], world.start[Pile.HAND + owner + 1])
        assert all(world.known[place] >> owner & 1 for place in places)


def test_t17_13_the_log_tells_whoever_looks():
    table = Table(startups=["importer"], gold=4, discard="seer cook bard").do("open:importer")
    looked = np.array(table.events(Event.PEEKED))
    assert sorted(seen_by(looked, 0)["thing"].tolist()) == sorted(
        [Card.SEER, Card.COOK, Card.BARD])
    assert (seen_by(looked, 1)["thing"] < 0).all()


def test_t17_13_draft_picks_are_secret():
    game = Position(GAME, GAME.content({"advanced_draft": True}), 2, 1, Mode.PYTHON)
    picker = game.actor
    game.play(game.legal()[0])
    s = game.observe(1 - picker)[0]
    assert s.card[s.start[Pile.KEPT + picker]] == -1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_t17_2_imagination_never_deals_against_a_back(seats):
    game = Position(GAME, GAME.content(), seats, 5, Mode.PYTHON)
    rng = np.random.default_rng(5)
    backs = game.content.record.back
    for _ in range(60):
        if game.is_over:
            break
        game.play(int(rng.choice(game.legal())))
    for seat in range(seats):
        world = game.determinize(seat, 9)[0]
        assert sorted(world.card.tolist()) == list(range(N_CARDS))
        observed = game.observe(seat)[0]
        for place, card in enumerate(observed.card.tolist()):
            if card < 0:
                assert backs[world.card[place]] == -1 - card
            else:
                assert world.card[place] == card
