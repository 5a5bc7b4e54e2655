"""Piles against a slow and obvious oracle: lists of cards with what is known of each."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exchequer.core.chance import GAME_STREAM, Chance, roll, seed_chance
from exchequer.core.log import ALL
from exchequer.core.piles import (
    TOP,
    card_at,
    deal_hidden,
    forget,
    hide_cards,
    lay_all,
    move,
    pile_fields,
    pile_size,
    reveal,
    show,
    shuffle,
    top_card,
)
from exchequer.core.records import blank, record

CARDS, PILES = 12, 4
State = record(rng="u8", **pile_fields(CARDS, PILES))
BACKS = np.array([card % 2 for card in range(CARDS)], np.int8)


def new_state(seed=1):
    s = blank(State)
    seed_chance(s, seed, GAME_STREAM)
    lay_all(s, 1)
    return s


def as_lists(s):
    return [[(int(s.card[p]), int(s.known[p]), int(s.face_up[p]))
             for p in range(s.start[pile], s.start[pile + 1])] for pile in range(PILES)]


MOVES = st.lists(st.tuples(st.integers(0, PILES - 1), st.integers(0, 99), st.integers(0, PILES - 1),
                           st.integers(-1, 99), st.sampled_from("rsn")), max_size=40)


@given(MOVES)
def test_moves_agree_with_lists(moves):
    s = new_state()
    oracle = [[], [(card, 0, 0) for card in range(CARDS)], [], []]
    for source, index, target, position, then in moves:
        if not oracle[source]:
            continue
        index %= len(oracle[source])
        card = oracle[source].pop(index)
        position = TOP if position < 0 else position % (len(oracle[target]) + 1)
        at = len(oracle[target]) if position == TOP else position
        place = move(s, source, index, target, position)
        if then == "r":
            reveal(s, place)
            card = (card[0], ALL, 1)
        elif then == "s":
            show(s, place, 2)
            card = (card[0], card[1] | 4, card[2])
        oracle[target].insert(at, card)
        assert as_lists(s) == oracle
        assert sorted(s.card.tolist()) == list(range(CARDS))


def test_pile_ends():
    s = new_state()
    move(s, 1, 11, 3, TOP)
    move(s, 1, 0, 3, TOP)
    assert [pile_size(s, 1), pile_size(s, 3)] == [10, 2]
    assert [card_at(s, 3, 0), top_card(s, 3)] == [11, 0]


def test_shuffling_forgets_and_turns_down():
    s = new_state()
    for place in range(CARDS):
        reveal(s, place)
    shuffle(s, 1)
    assert not s.known.any()
    assert not s.face_up.any()
    assert sorted(s.card.tolist()) == list(range(CARDS))
    assert s.card.tolist() != list(range(CARDS))


def test_forgetting_leaves_the_others():
    s = new_state()
    show(s, 0, 0)
    show(s, 0, 1)
    forget(s, 1, ALL - 1)
    assert s.known[0] == 1


@given(st.integers(0, 2**31), st.integers(0, 3), st.lists(st.integers(0, CARDS - 1)))
def test_imagining_keeps_what_is_known_and_the_backs(seed, seat, shown):
    s = new_state(seed)
    shuffle(s, 1)
    for place in shown:
        show(s, place, seat)
    truth = s.card.copy()
    hide_cards(s, BACKS, seat)
    hidden = s.card < 0
    assert (-1 - s.card[hidden] == BACKS[truth[hidden]]).all()
    assert not hidden[shown].any()
    deal_hidden(s, BACKS)
    assert sorted(s.card.tolist()) == list(range(CARDS))
    assert (s.card[~hidden] == truth[~hidden]).all()
    assert (BACKS[s.card] == BACKS[truth]).all()


def test_imagining_is_fair():
    """Each hidden card of a back is as likely in each of its places."""
    counts = np.zeros((CARDS, CARDS), int)
    for seed in range(3000):
        s = new_state(seed)
        hide_cards(s, BACKS, 0)
        deal_hidden(s, BACKS)
        counts[np.arange(CARDS), s.card] += 1
    likely = counts[BACKS[:, None] == BACKS[None, :]]
    assert likely.sum() == 3000 * CARDS
    assert abs(likely - 500).max() < 100                  # 500 each, sigma 20


def test_chance_is_even_and_seeds_are_unlike():
    chance = blank(Chance)
    firsts = []
    for seed in range(6000):
        seed_chance(chance, seed, GAME_STREAM)
        firsts.append(int(roll(chance, 6)))
    counts = np.bincount(firsts)
    assert abs(counts - 1000).max() < 130                 # sigma 29
    seed_chance(chance, 1, 0)
    game = [int(roll(chance, 1000)) for _ in range(50)]
    seed_chance(chance, 1, 1)
    assert [int(roll(chance, 1000)) for _ in range(50)] != game
