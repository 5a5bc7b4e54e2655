"""Who knows what (T17-13): every row of the table, and what secret moves make others forget."""

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.log import seen_by
from exchequer.core.position import Position
from exchequer.games.treasury.v17 import GAME, rules
from exchequer.games.treasury.v17.state import N_CARDS, Card, Event, Pile
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
        world = game.imagine(seat, 9)[0]
        assert sorted(world.card.tolist()) == list(range(N_CARDS))
        observed = game.observe(seat)[0]
        for place, card in enumerate(observed.card.tolist()):
            if card < 0:
                assert backs[world.card[place]] == -1 - card
            else:
                assert world.card[place] == card
