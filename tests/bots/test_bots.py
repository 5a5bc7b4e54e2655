"""Search: it finds what is there to be found, sees no more than it may, and repeats itself."""

import pathlib

import numpy as np
import pytest

from exchequer.bots.arena import Arena, wilson
from exchequer.bots.bot import Bot
from exchequer.bots.ladder import Ladder, rate
from exchequer.bots.own import check_bot
from exchequer.bots.policies import policy_named
from exchequer.core.build import Mode
from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game
from exchequer.core.position import Position
from toys.bazaar import GAME as BAZAAR

KINGDOM = find_game("kingdom")
HIDDEN = [game for game in all_games() if game is not KINGDOM]
OWN = f"{pathlib.Path(__file__).parents[2] / 'examples' / 'own_bot.py'}:Builder"


def after_random_moves(game, moves):
    position = Position(game, seed=2, mode=Mode.PYTHON)
    random = np.random.default_rng(0)
    while not position.is_over and len(position.actions) < moves:
        position.play(int(random.choice(position.legal())))
    return position


def play(game, bots, seed):
    position = Position(game, seats=len(bots), seed=seed)
    while not position.is_over:
        seat = position.actor
        position.play(bots[seat].choose(position.observe(seat), position.content, seat))
    return position


def test_it_takes_a_castle_that_can_be_taken():
    position = Position(KINGDOM, seed=1)
    position.state.army[0], position.state.people[0, 1] = 50, 1
    bot = Bot(KINGDOM, "mcts:200")
    answer = bot.choose(position.observe(0), position.content, 0)
    assert KINGDOM.words.TEXTS.text(answer) == "attack"
    thought = bot.thought()
    assert thought.ideas[0].text == "attack"
    assert thought.ideas[0].value > 0.95
    assert thought.line[0] == "attack"
    assert sum(idea.visits for idea in thought.ideas) == 200


def test_it_beats_random():
    wins = sum(play(KINGDOM, [Bot(KINGDOM, "mcts:50", seed), Bot(KINGDOM, "random", seed)],
                    seed).winners() == [0] for seed in range(10))
    assert wins >= 9


def test_it_repeats_itself():
    games = [play(KINGDOM, [Bot(KINGDOM, "easy", 1), Bot(KINGDOM, "easy", 2)], 3)
             for _ in range(2)]
    assert games[0].actions == games[1].actions


@pytest.mark.parametrize("game", HIDDEN, ids=lambda game: game.name)
@pytest.mark.parametrize("name", ["greedy", "mcts:12"])
def test_it_sees_no_more_than_it_may(game, name):
    """Worlds that differ only in what the seat may not know get the same answer."""
    position = after_random_moves(game, 20)
    seat = position.actor
    answers = set()
    for world in range(4):
        imagined = position.determinize(seat, world)
        position.engine.observe(imagined[0], position.content.record, seat)
        bot = Bot(game, name, 7, Mode.PYTHON)
        answers.add(bot.choose(imagined, position.content, seat))
    assert len(answers) == 1
    assert answers < set(position.legal())


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
        imagined = position.determinize(seat, world)
        position.engine.observe(imagined[0], position.content.record, seat)
        bot = Bot(BAZAAR, "mcts:300", 7)
        answers.add(bot.choose(imagined, position.content, seat))
    assert len(answers) == 1


def test_a_full_tree_goes_on():
    bot = Bot(BAZAAR, "mcts:300", 7)
    bot.workspace = bot.workspace._replace(nodes=bot.workspace.nodes[:20])
    position = Position(BAZAAR, seats=3, seed=2)
    assert bot.choose(position.observe(0), position.content, 0) in position.legal()


def test_unknown_names():
    with pytest.raises(InputError, match="there are random, greedy, easy"):
        policy_named("clever")
    with pytest.raises(InputError):
        policy_named("mcts:x")
    with pytest.raises(InputError) as refused:
        policy_named(OWN)
    assert "FILE.py:CLASS" not in str(refused.value)      # only where it can be used
    with pytest.raises(InputError, match="FILE.py:CLASS"):
        check_bot("clever")


def test_greedy_looks_one_question_ahead():
    position = Position(KINGDOM, seed=1)
    position.state.army[0], position.state.people[0, 1] = 50, 1
    bot = Bot(KINGDOM, "greedy")
    assert bot.choose(position.observe(0), position.content, 0) == 25  # attack
    assert bot.thought().ideas[0].text == "attack"


def test_the_arena_rotates_seats_and_counts():
    arena = Arena(KINGDOM, KINGDOM.content(), ["easy", "random"])
    first, second = arena.play(40)
    assert first.games == second.games == 40
    assert first.wins + second.wins == 40
    assert first.wins > 30
    low, high = first.interval()
    assert low < first.share <= high
    assert arena.result().report()["bots"][0]["name"] == "easy"


def test_the_arena_stops_when_it_is_decided():
    arena = Arena(KINGDOM, KINGDOM.content(), ["mcts:20", "random"])
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


def test_any_number_of_threads_gives_the_same_games(monkeypatch):
    standings = []
    for cores in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        standings.append(Arena(KINGDOM, KINGDOM.content(), ["mcts:30", "greedy"]).play(100))
    assert standings[0] == standings[1]


def test_ratings_are_elo():
    """Odds of ten to one are 400 points; the small prior pulls a little."""
    rated = rate(np.array([[0, 100], [1000, 0]]))
    assert rated[0] == 0
    assert rated[1] == pytest.approx(400, abs=2)


def test_the_ladder_orders_bots_and_its_intervals_hold_the_ratings():
    ratings = Ladder(KINGDOM, KINGDOM.content(), ["random", "mcts:40", "greedy"]).play(40)
    assert [rating.name for rating in ratings] == ["mcts:40", "greedy", "random"]
    assert all(rating.low <= rating.rating <= rating.high for rating in ratings)
    assert ratings[-1].rating == 0
    assert ratings[0].games == 80


def test_a_bot_of_ones_own_climbs_the_ladder():
    ratings = Ladder(KINGDOM, KINGDOM.content(), ["random", OWN]).play(8)
    assert ratings[0].name == OWN
    assert ratings[0].games == 8


def test_a_bot_of_ones_own_that_is_none(tmp_path):
    with pytest.raises(InputError, match="There is no file nobody.py"):
        check_bot("nobody.py:Bot")
    (tmp_path / "empty.py").write_text("")
    with pytest.raises(InputError, match="has no class Bot with a method"):
        check_bot(f"{tmp_path / 'empty.py'}:Bot")


def test_a_ladder_needs_two():
    with pytest.raises(InputError, match="two or more different bots"):
        Ladder(KINGDOM, KINGDOM.content(), ["greedy", "greedy"])
