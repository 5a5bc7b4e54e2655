"""Search: it finds what is there to be found, sees no more than it may, and repeats itself."""

import numpy as np
import pytest

from exchequer.bots.arena import Arena, wilson
from exchequer.bots.bot import Bot
from exchequer.bots.thinking import thinking
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.position import Position
from toys.bazaar import GAME as BAZAAR

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
    bot = Bot(KINGDOM, "search:200")
    answer = bot.choose(position.observe(0), position.content, 0)
    assert KINGDOM.words.TEXTS.text(answer) == "attack"
    thought = bot.thought()
    assert thought.ideas[0].text == "attack"
    assert thought.ideas[0].value > 0.95
    assert thought.line[0] == "attack"
    assert sum(idea.visits for idea in thought.ideas) == 200


def test_it_beats_random():
    wins = sum(play(KINGDOM, [Bot(KINGDOM, "search:50", seed), Bot(KINGDOM, "random", seed)],
                    seed).winners() == [0] for seed in range(10))
    assert wins >= 9


def test_it_repeats_itself():
    games = [play(KINGDOM, [Bot(KINGDOM, "easy", 1), Bot(KINGDOM, "easy", 2)], 3)
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
        bot = Bot(BAZAAR, "search:300", 7)
        answers.add(bot.choose(imagined, position.content, seat))
    assert len(answers) == 1


def test_a_full_tree_goes_on():
    bot = Bot(BAZAAR, "search:300", 7)
    bot.room = bot.room._replace(nodes=bot.room.nodes[:20])
    position = Position(BAZAAR, seats=3, seed=2)
    assert bot.choose(position.observe(0), position.content, 0) in position.legal()


def test_unknown_names():
    with pytest.raises(InputError, match="there are random, greedy, easy"):
        thinking("clever")
    with pytest.raises(InputError):
        thinking("search:x")


def test_greedy_looks_one_question_ahead():
    position = Position(KINGDOM, seed=1)
    position.state.army[0], position.state.people[0, 1] = 50, 1
    bot = Bot(KINGDOM, "greedy")
    assert bot.choose(position.observe(0), position.content, 0) == 25  # attack
    assert bot.thought().ideas[0].text == "attack"


def test_the_arena_rotates_seats_and_counts():
    arena = Arena(KINGDOM, KINGDOM.content(), ["search:20", "random"])
    first, second = arena.play(40)
    assert first.games == second.games == 40
    assert first.wins + second.wins == 40
    assert first.wins > 30
    low, high = first.interval()
    assert low < first.share < high
    assert arena.report()["bots"][0]["name"] == "search:20"


def test_the_arena_stops_when_it_is_decided():
    arena = Arena(KINGDOM, KINGDOM.content(), ["search:20", "random"])
    assert arena.play(4000, stop=True)[0].games < 1000


def test_equal_bots_are_equal():
    """Mirrored deals in rotated seats: two of a kind share exactly."""
    arena = Arena(KINGDOM, KINGDOM.content(), ["greedy", "greedy"])
    first, second = arena.play(100)
    assert first.wins == second.wins == 50


def test_wilson():
    low, high = wilson(50, 100)
    assert [round(low, 3), round(high, 3)] == [0.404, 0.596]
    assert wilson(0, 10)[0] == 0.0
    assert wilson(0, 0) == (0.0, 1.0)
