"""Each story is found where it was planted, said in the right words, and nowhere else."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from exchequer.core.measures import Lever, Measures
from exchequer.lab.claims import Rung
from exchequer.lab.findings import held
from exchequer.lab.stories import STORIES, stories
from exchequer.lab.stories.styles import meetings, names_of, styles_of
from lab import races
from lab.races import MEASURES, TURNS, Race

RUNS = 12  # sound races looked at here; scripts/false_stories.py looks at many more


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def told(rung):
    return {claim.id: claim.text for claim in held(list(stories(rung)))}


# Sound races -------------------------------------------------------------------------------------

def test_a_race_of_luck_alone_tells_no_story():
    assert [told(races.fair(np.random.default_rng(seed)).rung()) for seed in range(RUNS)
            ] == [{}] * RUNS


def test_steadily_faster_seats_are_no_spiral(rng):
    """Leads that grow in step with the game."""
    speed = rng.integers(5, 15, (1000, 1, 2))
    stocks = (races.steps(rng) + speed).cumsum(1)
    assert told(Race(stocks).rung()) == {}


def test_every_story_is_asked_for_once():
    assert len({story.__name__ for story in STORIES}) == len(STORIES)


# Planted -----------------------------------------------------------------------------------------

def test_a_lead_that_feeds_itself_is_a_spiral(rng):
    stocks = np.ones((1000, TURNS + 1, 2)) * 10
    for turn in range(1, TURNS + 1):
        stocks[:, turn] = stocks[:, turn - 1] * 1.2 + races.steps(rng, turns=1)[:, 0]
    found = told(Race(stocks).rung())
    assert "spiral-gold" in found
    assert found["spiral-gold"].startswith("A lead in gold feeds itself: one more after 4 rounds "
                                           "has become ")


def test_gold_that_explodes(rng):
    growth = 1.5 ** np.arange(TURNS + 1)[None, :, None]
    stocks = growth * 10 + races.fair(rng).stocks
    found = told(Race(stocks).rung())
    assert found["explodes-gold"].startswith("Gold explodes: its second half of the game brings ")


def test_gold_that_collapses(rng):
    stocks = 100 + races.fair(rng).stocks
    stocks[:, TURNS // 2 + 2:] *= 0.05
    assert told(Race(stocks).rung())["collapses-gold"].startswith("Gold collapses: of what the ")


def test_who_runs_out_never_recovers(rng):
    """A third of the seats are broke from round 6 on, and lose."""
    stocks = 5 + races.fair(rng).stocks
    broke = rng.random(1000) < 0.5
    stocks[broke, 6:, 0] = 0
    found = told(Race(stocks).rung())
    assert found["trap-least-gold"].startswith(
        "A trap: whoever has no gold left after 8 rounds wins 0.0 % of games")


def test_who_falls_into_debt_never_recovers(rng):
    """How deep does not matter: half of the first seats owe something from round 6 on."""
    stocks = 5 + races.fair(rng).stocks
    owes = rng.random(1000) < 0.5
    stocks[owes, 6:, 0] = -rng.integers(1, 50, (owes.sum(), TURNS - 5))
    assert told(Race(stocks).rung())["trap-least-gold"].startswith(
        "A trap: whoever has gold below zero after 8 rounds wins 0.0 % of games")


def test_who_runs_out_and_earns_again_is_in_no_trap(rng):
    stocks = 5 + races.fair(rng).stocks
    broke = rng.random(1000) < 0.5
    stocks[broke, 6:9, 0] = 0
    assert "trap-least-gold" not in told(Race(stocks).rung())


def test_an_opening_that_wins_is_a_style(rng):
    race = races.fair(rng)
    mills = race.first_use[..., 0] >= 0
    race.stocks[:, -1] += 15 * mills
    found = told(race.rung())
    texts = [text for name, text in found.items() if name.startswith("style-")]
    assert any(text.startswith("Mill after 4 rounds goes with winning: ") for text in texts)
    assert any(text.startswith("Market after 4 rounds goes with losing: ") for text in texts)


def test_an_opening_that_only_the_better_seat_takes_is_no_style(rng):
    """The first seat is ahead and always mills, the second mostly goes to market."""
    race = races.fair(rng)
    race.stocks[:, :, 0] += 10
    mills = rng.random((1000, 2)) < np.array([0.9, 0.1])
    race.first_use[..., 0] = np.where(mills, 1, -1)
    race.first_use[..., 1] = np.where(mills, -1, 1)
    assert not [name for name in told(race.rung()) if name.startswith("style-")]


def test_an_opening_of_one_seat_is_compared_with_that_seat(rng):
    """The second seat wins four games of five, and mills in nine of ten whatever comes of it."""
    race = races.fair(rng)
    mills = np.stack([np.zeros(1000, bool), rng.random(1000) < 0.9], 1)
    race.first_use[..., 0] = np.where(mills, 1, -1)
    race.first_use[..., 1] = np.where(mills, -1, 1)
    second = rng.random(1000) < 0.8
    race.won = np.stack([~second, second], 1)
    assert not [name for name in told(race.rung()) if name.startswith("style-")]
    race.won[~mills[:, 1]] = [True, False]
    won = second[mills[:, 1]].mean()
    text = told(race.rung())["style-mill"]
    assert text.startswith(f"Mill after 4 rounds goes with winning: seats that open so win "
                           f"{100 * won:.1f} % of games") and "the same seats 0.0 % with" in text


def test_figures_of_openings_are_shares_whatever_the_seats(rng):
    race = races.fair(rng)
    race.won = np.tile([True, False], (1000, 1))
    found = styles_of(race.rung())
    for one in (one for row in meetings(found) for one in row if one):
        assert 0 <= one.others <= 1 and 0 <= one.won <= 1
        assert -1 <= one.gap.low < one.gap.high <= 1


def test_one_opening_that_beats_all_others_dominates(rng):
    race = races.fair(rng)
    kind = rng.integers(0, 3, (1000, 2))
    for thing in range(3):
        race.first_use[..., thing] = np.where(kind == thing, 1, -1)
    race.stocks[:, -1] += 15 * (kind == 2)
    text = next(text for name, text in told(race.rung()).items() if name.startswith("dominant-"))
    assert text.startswith("One opening dominates: tower after 4 rounds beats every other opening")


def test_an_opening_that_nobody_could_compare_with_all_others_does_not_dominate(rng):
    """Only the second seat ever mills, so nobody knows what a mill would do in the first."""
    race = races.fair(rng)
    kind = np.stack([rng.integers(1, 3, 1000), rng.integers(0, 3, 1000)], 1)
    for thing in range(3):
        race.first_use[..., thing] = np.where(kind == thing, 1, -1)
    race.stocks[:, -1] += 15 * (kind == 2)
    found = told(race.rung())
    assert "style-tower" in found
    assert not [name for name in found if name.startswith("dominant-")]


def test_stone_paper_scissors_has_no_dominant_opening(rng):
    race = races.fair(rng)
    kind = rng.integers(0, 3, (1000, 2))
    for thing in range(3):
        race.first_use[..., thing] = np.where(kind == thing, 1, -1)
    race.stocks[:, -1, 0] += 30 * ((kind[:, 0] - kind[:, 1]) % 3 == 1)
    race.stocks[:, -1, 1] += 30 * ((kind[:, 1] - kind[:, 0]) % 3 == 1)
    assert not [name for name in told(race.rung()) if name.startswith("dominant-")]


def test_an_opening_is_what_was_chosen_not_what_follows(rng):
    """The tower comes of itself wherever a game says that mills and markets can be chosen."""
    race = races.fair(rng)
    race.first_use[..., 2] = np.where(rng.random((1000, 2)) < 0.9, race.first_use[..., 0], -1)
    rung = race.rung()
    firsts = rung.tables.firsts.with_columns(group=pl.when(pl.col("thing") == "tower").then(
        pl.lit("abilities")).otherwise(pl.lit("cards")))
    uses = MEASURES.uses | {"abilities": (1, ["tower"])}
    for levers, names in (({}, "mill and tower"), ({"cards": {"mill": Lever((0,))}}, "mill")):
        measures = replace(MEASURES, uses=uses, levers=levers)
        found = styles_of(Rung("greedy", rung.bots, replace(rung.tables, firsts=firsts), measures))
        assert names in found.names


def test_an_opening_has_one_name_whoever_plays_it():
    """Which of two things is the more typical differs from bot to bot."""
    did = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 1], [0, 0, 1]], bool)
    labels = np.array([0, 0, 1, 1, 1, 1])
    things = ["mill", "market", "tower"]
    assert names_of(did, labels, things)[0] == "market and mill"
    assert names_of(did[:, [1, 0, 2]], labels, ["market", "mill", "tower"])[0] == "market and mill"


def test_of_what_can_be_owed_nothing_is_left(rng):
    stocks = races.fair(rng).stocks
    stocks[:, TURNS // 2 + 1:] = -50
    assert "collapses-gold" not in told(Race(stocks).rung())
    stocks[:, TURNS // 2 + 1:] = 0
    assert "collapses-gold" in told(Race(stocks).rung())


def test_one_turn_that_decides(rng):
    race = races.fair(rng)
    lucky = rng.integers(0, 2, 1000)
    race.stocks[np.arange(1000), -1, lucky] += 200
    assert told(race.rung())["leap"].startswith("One turn decides: in 100 % of games")


def test_a_seat_that_watches(rng):
    decisions = np.tile([40, 5], (1000, 1))
    found = told(Race(races.fair(rng).stocks, decisions=decisions).rung())
    assert found["waiting-1"].startswith("The second seat mostly watches: it makes 11 % of the ")


@pytest.mark.parametrize(("most", "is_found"), [(18, False), (19, True)])
def test_who_waits_for_minutes(rng, most, is_found):
    """Nineteen choices of ten seconds are more than three minutes."""
    waited = np.tile([2, most], (1000, 1))
    found = told(Race(races.fair(rng).stocks, waited=waited).rung())
    assert ("long-wait" in found) == is_found
    if is_found:
        assert found["long-wait"].startswith(
            "Waiting takes long: in 100 % of games between greedy bots somebody waits for more "
            "than 3 minutes at a time, if a choice takes 10 seconds; ")


def test_the_longest_chain_wins(rng):
    race = races.fair(rng)
    race.chain_seat = race.stocks[:, -1].argmax(1)
    assert told(race.rung())["chain"].startswith(
        "Long chains go with winning: whoever sets off the longest of a game wins 9")


def test_moves_that_always_set_off_much_are_no_chains(rng):
    """An attack that takes twelve lines to tell, where any move takes seven."""
    race = races.fair(rng)
    race.chain_seat, race.usual_chain = race.stocks[:, -1].argmax(1), 7
    assert "chain" not in told(race.rung())


@pytest.mark.parametrize(("walls", "is_found"), [([3], True), ([1, 2, 3, 4, 5, 6], False)])
def test_where_runs_die(rng, walls, is_found):
    """Nine runs of ten get as far as the wall, or each somewhere else."""
    reached = np.where(rng.random(1000) < 0.9, rng.choice(walls, 1000), 9)
    stocks = np.repeat(reached[:, None, None], TURNS + 1, 1).astype(float)
    alone = Measures(resources={"gold": "gold"}, turn="turn", turns="rounds", progress="gold")
    found = told(Race(stocks, won=np.zeros((1000, 1), bool)).rung(alone))
    assert ("bottleneck" in found) == is_found
    if is_found:
        assert "get to gold 3 and no further" in found["bottleneck"]


def test_few_games_tell_no_story(rng):
    race = races.fair(rng, games=50)
    assert list(stories(race.rung(MEASURES))) == []
