"""Whole games: what bots and people see, oracles for the contract check, limits of the state."""

import io
import itertools

import numpy as np
import pytest
from rich.console import Console

from exchequer.core.agenda import asked
from exchequer.core.build import Mode
from exchequer.core.check import check_one_game, walk
from exchequer.games.treasury.v03 import GAME, rules
from exchequer.games.treasury.v03.cards import (
    ANY_NEED,
    FIRST_WEAPON,
    N_GOODS,
    NEED_BITS,
    PROVISION_NEED,
    Icon,
)
from exchequer.games.treasury.v03.holdings import business_card
from exchequer.games.treasury.v03.matching import fits
from exchequer.games.treasury.v03.state import SLOTS, Ask, Event, Pile
from exchequer.games.treasury.v03.terminal import screen

ANYTHING = -1  # a provision that any card serves


def test_the_state_is_small():
    assert GAME.state.itemsize < 2048


# The slow and obvious way to say what the packed arithmetic of `fits` says ------------------------

def serves(card, provision):
    good, barbarian = card
    if provision == ANYTHING:
        return True
    return barbarian if provision >= FIRST_WEAPON else good == provision


def can_match(cards, provisions):
    """Whether different cards serve all provisions, by trying every order."""
    return any(all(serves(cards[i], provision) for i, provision in zip(order, provisions,
                                                                       strict=True))
               for order in itertools.permutations(range(len(cards)), len(provisions)))


def packed(cards, provisions):
    plain = sum(1 << NEED_BITS * good for good, barbarian in cards if not barbarian)
    armed = sum(1 << NEED_BITS * good for good, barbarian in cards if barbarian)
    need = sum(1 << NEED_BITS * ANY_NEED if p == ANYTHING else int(PROVISION_NEED[p])
               for p in provisions)
    return np.int64(plain), np.int64(armed), np.int64(need)


def test_r3_20_fits_agrees_with_trying_every_order():
    random = np.random.default_rng(3)
    kinds = [Icon.FOOD, Icon.HIDES, Icon.STONE, Icon.CLUBS, Icon.SWORDS, ANYTHING]
    outcomes = set()
    for _ in range(2000):
        cards = [(int(random.choice([0, 3, 4])), bool(random.integers(2)))
                 for _ in range(random.integers(0, 6))]
        provisions = [int(random.choice(kinds)) for _ in range(random.integers(1, 5))]
        expected = can_match(cards, provisions)
        assert bool(fits(*packed(cards, provisions))) == expected, (cards, provisions)
        outcomes.add(expected)
    assert outcomes == {True, False}


# What the award search says, against trying every combination ------------------------------------

def open_needs(s, c, seat):
    """The provisions of each business of a seat that could get a contract."""
    found = []
    for slot in range(SLOTS):
        if (int(s.opened[seat]) & ~int(s.contracted[seat])) >> slot & 1:
            card = int(business_card(s, seat, slot))
            if c.last_age[card] >= s.age:
                found.append([int(i) for i in c.icons[card] if i >= 0])
    return found


def demand_of(s, c):
    return [(int(c.card[card].demand), bool(c.card[card].barbarian))
            for card in s.card[s.start[Pile.DEMAND]: s.start[Pile.DEMAND + 1]]]


@pytest.mark.parametrize("seed", range(3))
def test_t3_27_after_a_check_nobody_is_left_unserved_without_a_rival(seed):
    """At the start of every turn: who could be served alone has a rival for the same cards."""
    content, turns = GAME.content(), 0
    for position in walk(GAME, content, 3, seed, Mode.PYTHON, 2000):
        s, c = position.state, content.record
        if position.is_over or asked(s) != Ask.TURN or s.turns.sum() == turns:
            continue
        turns = int(s.turns.sum())
        cards = demand_of(s, c)
        servable = {seat: [needs for needs in open_needs(s, c, seat) if can_match(cards, needs)]
                    for seat in range(3)}
        owners = [seat for seat in servable if servable[seat]]
        assert len(owners) != 1, f"seat {owners[0]} could be served and has no rival"


# Whole games -------------------------------------------------------------------------------------

def test_the_moves_can_be_found_from_what_the_actor_knows():
    out = np.zeros(GAME.max_legal, np.int32)
    for position in walk(GAME, GAME.content(), 3, 5, Mode.PYTHON, 400):
        if not position.is_over:
            seen = position.observe(position.actor)[0]
            count = rules.legal(seen, position.content.record, out)
            assert out[:count].tolist() == position.legal()


def test_every_position_can_be_drawn():
    console = Console(width=150, file=io.StringIO())
    for position in walk(GAME, GAME.content(), 4, 2, Mode.PYTHON, 400):
        if len(position.actions) % 20 == 0:
            for seat in range(4):
                console.print(screen(position.view(seat), position.content, ["A", "B", "C", "D"]))


@pytest.mark.parametrize("settings", [
    {"age_tiers": "merged"}, {"end_needs_empty_decks": True},
    {"contract_blocks_ability": True, "open_any_time": True, "allow_pass": True,
     "others_only": True, "strict_windows": True, "age_clock": "deck", "farm_needs_deck": True,
     "farm_cap": 5, "cards_per_player_per_age": 0},
], ids=["merged", "long", "all switches"])
def test_games_with_other_settings_keep_the_promises(settings):
    check_one_game(GAME, GAME.content(settings), 3, 7, Mode.PYTHON, 10_000)


@pytest.mark.parametrize("settings", [{}, {"end_needs_empty_decks": True}, {"age_tiers": "merged"}],
                         ids=["default", "long", "merged"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_end_and_reach_everything(settings, seats):
    """20,000 games; two players reach everything in 100,000 (`exchequer simulate`)."""
    content = GAME.content(settings)
    results, tally, _ = GAME.engine(Mode.COMPILED).run_batch(
        content.record, seats, np.arange(20_000, dtype=np.uint64), GAME.step_limit)
    assert (results["ending"] > 0).all() and not results["fault"].any()
    for event, names in GAME.coverage.values():
        seen = tally.events[event, : len(names)] > 0
        if seats > 2:
            assert seen.all(), [names[i] for i in np.flatnonzero(~seen)]
    in_play = content.record.age > 0
    opened = tally.events[Event.OPENED, : len(in_play)] > 0
    assert (opened <= in_play).all() and (seats == 2 or opened[in_play].all())


def test_goods_come_before_weapons():
    assert [icon for icon in Icon if icon >= FIRST_WEAPON] == list(Icon)[N_GOODS:]
