"""Search: it finds what is there to be found, sees no more than it may, and repeats itself."""

import numpy as np
import pytest
from toys.bazaar import GAME as BAZAAR

from exchequer.bots.find import make_bot
from exchequer.bots.search import SearchBot, Thinking
from exchequer.bots.simple import RandomBot
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.position import Position

KINGDOM = find_game("kingdom")


def play(game, bots, seed):
    position = Position(game, seats=len(bots), seed=seed)
    while not position.is_over:
        seat = position.actor
        position.play(bots[seat].choose(position.observe(seat), position.content, seat))
    return position


def test_it_takes_a_castle_that_can_be_taken():
    position = Position(KINGDOM, seed=1)
    position.state.army[0], position.state.people[0, 1] = 50, 1
    bot = SearchBot(KINGDOM, 0, thinking=Thinking(200))
    assert KINGDOM.words.TEXTS.text(bot.choose(position.observe(0), position.content, 0)) == "attack"
    thought = bot.thought()
    assert thought.ideas[0].text == "attack"
    assert thought.ideas[0].value > 0.95
    assert thought.line[0] == "attack"
    assert sum(idea.visits for idea in thought.ideas) == 200


def test_it_beats_random():
    wins = sum(play(KINGDOM, [make_bot("search:50", KINGDOM, seed), RandomBot(KINGDOM, seed)],
                    seed).winners() == [0] for seed in range(10))
    assert wins >= 9


def test_it_repeats_itself():
    games = [play(KINGDOM, [make_bot("easy", KINGDOM, 1), make_bot("easy", KINGDOM, 2)], 3)
             for _ in range(2)]
    assert games[0].actions == games[1].actions


@pytest.mark.parametrize("seats", [2, 4])
def test_it_does_not_know_what_it_may_not(seats):
    """Worlds that differ only in hidden cards get the same answer."""
    position = Position(BAZAAR, seats=seats, seed=2)
    random = np.random.default_rng(0)
    for _ in range(12):
        position.play(int(random.choice(position.legal())))
    seat = position.actor
    answers = set()
    for world in range(6):
        imagined = position.imagine(seat, world)
        position.engine.observe(imagined[0], position.content.record, seat)
        bot = SearchBot(BAZAAR, 7, thinking=Thinking(300))
        answers.add(bot.choose(imagined, position.content, seat))
    assert len(answers) == 1


def test_a_full_tree_goes_on():
    bot = SearchBot(BAZAAR, 7, thinking=Thinking(300))
    bot.room = bot.room._replace(nodes=bot.room.nodes[:20])
    position = Position(BAZAAR, seats=3, seed=2)
    assert bot.choose(position.observe(0), position.content, 0) in position.legal()


def test_unknown_names():
    with pytest.raises(InputError, match="there are random, greedy, easy"):
        make_bot("clever", KINGDOM)
    with pytest.raises(InputError):
        make_bot("search:x", KINGDOM)
