"""The search for a win that needs nothing but one's own moves."""

from dataclasses import replace

import numpy as np
import pytest

from exchequer.bots.policies import Policy, equipped, policy_for
from exchequer.core.contract import determinize
from exchequer.core.find import all_games, find_game
from exchequer.core.habits import habits_of
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.search import PolicyKind, choose
from exchequer.core.sure_win import LONGEST_WIN, LOOKS, is_met, sure_win, win_within

JAGGED_TIME = find_game("jagged_time")
SEEDS = (1, 2, 5)  # where a win comes early; that of the last takes seven moves
SEED, WORLDS = 5, 4
FAR = Policy(PolicyKind.SEARCH, 1, finish=200_000, win_worlds=WORLDS)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_positions_are_told_apart_by_every_byte(game):
    """Also where two bytes have changed places, as when two cards have."""
    _, workspace = equipped(game, [(FAR, None)])
    met, random = game.engine().bind(is_met), np.random.default_rng(1)
    content = workspace.line_words[1].view(np.uint8)
    content[:] = random.integers(0, 4, len(content))
    assert not met(workspace, 8, 1) and met(workspace, 8, 1)
    assert not met(workspace, 6, 1), "in another look"
    for place in range(len(content)):
        content[place] ^= 1
        assert not met(workspace, 8, 1), place
        content[place] ^= 1
    seen = {content.tobytes()}
    for one, other in random.integers(0, len(content), (20_000, 2)):
        content[[one, other]] = content[[other, one]]
        assert content.tobytes() in seen or not met(workspace, 8, 1), (one, other)
        seen.add(content.tobytes())


def test_a_win_is_the_shortest_and_comes_nearer_with_each_move():
    """Also one that is met by a look that goes further than it needs."""
    lengths = set()
    for seed in SEEDS:
        position = first_with_a_win(seed)
        length = shortest_line(position)
        for left in reversed(range(length)):
            answer = looked(position)
            assert answer != NOBODY
            position.take(answer)
            assert position.is_over == (left == 0)
        assert position.winners() == [0]
        lengths.add(length)
    assert lengths - set(LOOKS), lengths


def first_with_a_win(seed):
    """Where a bot that does not look for it first has a win of more than four moves."""
    policy, _ = policy_for(JAGGED_TIME, JAGGED_TIME.content().hash, 1, "hard")
    records, workspace = equipped(JAGGED_TIME, [(replace(policy, attention=1.0), None)])
    answer = JAGGED_TIME.engine().bind(choose, habits_of(JAGGED_TIME))
    position = Position(JAGGED_TIME, seats=1, seed=seed)
    while looked(position) == NOBODY or shortest_line(position) < 5:
        position.take(int(answer(position.observe(0), position.content.record, 1, 0, records[0],
                                 workspace, len(position.actions))))
    return position


def looked(position):
    records, workspace = equipped(JAGGED_TIME, [(FAR, None)])
    return int(JAGGED_TIME.engine().bind(sure_win)(
        position.observe(0), position.content.record, 1, 0, records[0], workspace, SEED))


def shortest_line(position):
    """Looking one move further at a time; 0 where there is no win."""
    _, workspace = equipped(JAGGED_TIME, [(FAR, None)])
    engine, seen = JAGGED_TIME.engine(), position.observe(0)
    workspace.line[0] = seen[0]
    engine.bind(determinize)(workspace.line[0], position.content.record, 0, SEED)
    for length in range(1, LONGEST_WIN + 1):
        found, left = engine.bind(win_within)(seen, position.content.record, 1, 0, WORLDS,
                                              workspace, length, FAR.finish, SEED)
        if found != NOBODY:
            return length
        if left == NOBODY:
            break
    return 0
