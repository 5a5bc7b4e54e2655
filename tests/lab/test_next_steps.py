"""What a report offers with a finding: the next experiment, words, and the game to watch."""

import shlex
import types
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from exchequer.core.find import find_game
from exchequer.lab.analysis import of_weaker
from exchequer.lab.cards import Worth, forced_words, misleads, naive_finding, picture
from exchequer.lab.cards import verdict as cards_verdict
from exchequer.lab.claims import (
    Rung,
    content_finding,
    dead_content,
    hollow_lead,
    kingmaking,
    luck,
    told_elsewhere,
    worth_a_word,
)
from exchequer.lab.compare import metrics_for
from exchequer.lab.findings import WEAKER, Claim, Finding, findings_of, held
from exchequer.lab.glossary import explained
from exchequer.lab.levers import possible
from exchequer.lab.loops import notice_swing
from exchequer.lab.next_steps import next_step
from exchequer.lab.pages import shown
from exchequer.lab.plan import command_of, plan_from
from exchequer.lab.statistics import Estimate, share
from exchequer.lab.stories import stories
from exchequer.lab.verdict import alone, who_wins
from exchequer.lab.ways import Way, pair, singles
from exchequer.lab.witnesses import clearest, most, with_margins
from exchequer.lab.words import rounded
from lab import races

PLAN = plan_from({"game": "kingdom", "lineups": [{"bots": "hard", "games": 100}]})


def finding(name, topic="", things=()):
    return Finding(name, "Something.", 0.6, 0.55, 0.65, 100, 1.0, topic=topic, things=things)


@pytest.mark.parametrize(("name", "topic", "things", "command"), [
    ("seat-0", "", (), "exchequer lab sensitivity kingdom --seats 2 --bots hard,hard --games 60"),
    ("style-mill", "mill and no market", (), "--card mill --card market"),
    ("rare-buildings", "", ("great_hall", "palace"), "--card palace --card great_hall"),
    ("loop", "", (), "exchequer lab probe kingdom"),
    ("chain", "", (), "exchequer lab probe kingdom"),
    ("coalition-deal-0-1", "", (), "exchequer lab probe kingdom"),
    ("long-wait", "", (), "exchequer lab sensitivity kingdom"),
    ("hollow-lead", "", (), "exchequer lab sensitivity kingdom"),
    ("always-buildings-mill", "", ("mill",), '--over "building.mill.price=6..8"'),
    ("always-actions-attack", "", ("attack",), "exchequer lab exploit kingdom"),
])
def test_the_next_experiment_fits_the_finding(name, topic, things, command):
    step = next_step(PLAN, finding(name, topic, things), "hard,hard")
    assert command in command_of(step.plan)
    assert step.plan.seed != PLAN.seed


def test_the_command_of_a_card_whose_name_has_spaces_can_be_typed():
    plan = plan_from({"game": "jagged_time", "lineups": [{"bots": "hard", "games": 100}]})
    step = next_step(plan, finding("dead-actions-played", things=("X1 Failed Harvest",)), "hard")
    words = shlex.split(command_of(step.plan))
    assert words[words.index("--card") + 1] == "X1 Failed Harvest"


def test_an_ability_that_is_called_after_an_action_is_not_the_action():
    plan = plan_from({"game": "treasury/v03", "lineups": [{"bots": "hard", "games": 100}]})
    step = next_step(plan, finding("dead-abilities", things=("develop_cost_discount",)), "hard")
    assert step.plan.kind == "exploit"


def test_what_nobody_can_try_has_no_next_experiment():
    assert next_step(PLAN, finding("repetitive-greedy"), "greedy,greedy") is None


def test_two_seats_are_compared_once():
    plan = plan_from({"game": "kingdom", "kind": "compare", "other": {"game": "kingdom"},
                      "lineups": [{"bots": "greedy", "games": 100}]})
    seats = [metric.id for metric in metrics_for(plan, plan.lineups[0])
             if metric.id.startswith("seat_")]
    assert seats == ["seat_0"]


# Words -------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("effect", "unit", "text", "figure"), [
    (-0.483, "difference", "It wins 48.3 percentage points fewer.", ""),
    (-0.483, "difference", "It wins fewer.", "-48.3 points"),
    (0.05, "share", "In 35.0 % of games.", "5.0 %"),  # not the end of another figure
    (0.35, "share", "In 35.0 % of games.", ""),
    (0.215, "share", "Only 22 % of decisions.", ""),
    (4.49, "times", "Gold brings 4.49 times as much.", ""),
])
def test_a_figure_is_said_once_in_its_own_unit(effect, unit, text, figure):
    found = Finding("x", text, effect, effect - 0.1, effect + 0.1, 100, 1.0, "hard", unit=unit)
    assert shown(found)["figure"] == figure
    assert shown(found)["interval"].endswith(
        {"difference": " points", "share": " %"}.get(unit, "4.59"))


def test_what_the_strongest_never_try_weighs_less():
    found = Finding("style-mill", "Mill.", 0.3, 0.2, 0.4, 100, 2.0, "hard",
                    rungs=[("hard", Estimate(0.3, 0.2, 0.4, 100))])
    weaker = of_weaker(found, "master")
    assert weaker.importance == 2.0 * WEAKER
    assert weaker.advice.startswith("With master bots it did not come up.")
    assert of_weaker(found, "hard") == found


def test_what_weaker_bots_win_of_a_solo_game():
    def rung(name, share):
        seats = pl.DataFrame({"share": [share] * 10})
        return Rung(name, (name,), types.SimpleNamespace(seats=seats), races.MEASURES)

    assert alone([rung("random", 0.0), rung("greedy", 0.09)]) == (
        "Weaker bots win less: greedy 9 % and random 0 %.")
    assert alone([]) == ""
    assert rung("greedy", 0.0).between == "with greedy bots"


def test_only_all_is_a_hundred_percent():
    assert [rounded(value) for value in (1.0, 0.9967, 0.99, 0.5, 0.004, 0.0)] == [
        "100 %", "99.7 %", "99 %", "50 %", "0.4 %", "0 %"]


@pytest.mark.parametrize(("findings", "words"), [
    ([], "No seat was shown to be better between greedy bots, but the third seat may win anything "
         "from 11.1 to 24.3 %."),
    ([Finding("seat-2", "", 0.167, 0.111, 0.243, 120, 1.0, "greedy")],
     "The third seat wins 16.7 % (11.1 to 24.3 %) of games between greedy bots; 25 % would be "
     "even.")])
def test_a_seat_is_called_better_only_where_that_is_a_finding(findings, words):
    """One seat of four stands out by chance in one run of five."""
    winner = np.repeat([0, 1, 2, 3], [34, 33, 20, 33])
    seats = pl.DataFrame({"game": np.repeat(np.arange(120), 4), "seat": np.tile(range(4), 120),
                          "share": (np.tile(range(4), 120) == np.repeat(winner, 4)).astype(float)})
    rung = Rung("greedy", ("greedy",) * 4, types.SimpleNamespace(seats=seats), races.MEASURES)
    assert who_wins(rung, findings) == words


def test_several_cards_are_tried_together():
    step = next_step(PLAN, finding("rare-buildings", things=("palace", "great_hall")), "hard,hard")
    assert step.why == ("Whether palace and great hall win games or only go with winning: deny "
                        "and force them.")


def test_users_of_a_card_and_what_it_gives_them():
    worth = Worth("greedy", "buildings", "mill", denied=Estimate(-0.007, -0.03, 0.018, 300),
                  naive=Estimate(0.325, 0.25, 0.4, 300), used=share(150, 300))
    assert naive_finding(worth).text == (
        "Mill looks better than it is: its users win 32.5 percentage points more than those "
        "without it, but a greedy bot that may not use it gains 1.4 percentage points in "
        "games in which it would.")
    assert naive_finding(worth).unit == "difference"


def test_what_a_rare_card_gives_is_held_against_the_games_that_see_it():
    """Drawn in one game of five it gives its users 30 points, and 6 over all games."""
    worth = Worth("greedy", "cards", "thug", denied=Estimate(0.06, 0.03, 0.09, 300),
                  naive=Estimate(0.3, 0.2, 0.4, 300), used=share(60, 300))
    assert worth.per_use.effect == pytest.approx(0.3)
    assert not misleads(worth)
    assert misleads(replace(worth, denied=Estimate(0.0, -0.01, 0.01, 300)))


def tried(thing, bots="hard", denied=0.0, forced=0.0, shown=()):
    return Worth(bots, "buildings", thing, Estimate(denied, denied - 0.1, denied + 0.1, 60),
                 Estimate(forced, forced - 0.1, forced + 0.1, 60), could=0.5,
                 shown=frozenset(shown))


def test_the_verdict_on_cards_tells_the_kinds_and_what_could_be_missed():
    found = [tried("mill", "greedy", forced=0.4, shown=["forced"]), tried("market", "greedy"),
             tried("mill", denied=0.45, shown=["denied"]),
             tried("market", denied=0.3, forced=-0.25, shown=["denied", "forced"]),
             tried("palace"), replace(tried("great_hall"), could=0.0)]
    assert cards_verdict(PLAN, found) == (
        "Of 4 things that hard bots were denied or had to take early, 2 could be shown to matter "
        "to them. Nobody does without mill and market: hard bots that are denied one of them win "
        "30.0 to 45.0 percentage points fewer. Market hurts early: hard bots that are forced to "
        "take it at once win 25.0 percentage points fewer. Of the others effects of up "
        "to 18.9 percentage points could have gone unnoticed. 1 of them hardly ever came up.")
    assert 'aria-label="The largest changes"' in picture(PLAN, found)


def test_nobody_loses_more_wins_than_they_have():
    base = types.SimpleNamespace(seats=pl.DataFrame({"share": [0.0, 1.0] * 30}))
    change = Estimate(-0.5, -0.6, -0.4, 30)
    assert possible(change, base, "share") == Estimate(-0.5, -0.5, -0.4, 30)
    assert possible(change, base, "score") == change


def test_what_goes_by_two_names_is_told_once():
    used = share(0, 600)
    every = {"actions": {"build:palace": used, "decree:farm": used},
             "buildings": {"palace": used}, "developments": {"farm": share(300, 600)}}
    assert told_elsewhere("build:palace", "actions", every)
    assert not told_elsewhere("decree:farm", "actions", every)


def test_one_thing_is_used():
    text = content_finding("rare", "developments", ["garden"], 5, share(0, 600),
                           "are used by expert bots in less than 1 % of their games").text
    assert text == ("Developments: 1 of 5 is used by expert bots in less than 1 % of their games: "
                    "garden.")


def test_what_better_play_hardly_changes_is_not_told():
    claim = Claim("skill-ending-points", "hard", Estimate(0.017, 0.008, 0.027, 1100, 0.0001), "")
    assert worth_a_word(claim, 0.05).estimate.p > 0.5
    assert worth_a_word(claim, 0.005).estimate.p < 0.05
    shorter = replace(claim, estimate=claim.estimate.negative)
    assert worth_a_word(shorter, 0.005).estimate.p < 0.05


def test_a_word_is_explained_once_and_never_inside_another():
    told = explained("The drama & the drama; a 95 % interval.")
    assert told.count("<abbr") == 2
    assert told.startswith('The <abbr title="How far the winner was behind')
    assert "&amp; the drama;" in told


# The game to watch -------------------------------------------------------------------------------

def test_the_game_that_shows_it_best():
    seats = with_margins(pl.DataFrame({"game": [0, 0, 1, 1, 2, 2], "seat": [0, 1] * 3,
                                       "share": [1.0, 0, 1, 0, 0, 1],
                                       "score": [9, 8, 9, 1, 2, 7]}))
    first = seats.filter(pl.col("seat") == 0)
    assert clearest(first, wins=True) == 1
    assert clearest(first, wins=False) == 2
    assert most(first, "score", least=True) == 2


def test_every_story_names_a_game():
    rng = np.random.default_rng(7)
    race = races.fair(rng)
    race.stocks[:, -1] += 15 * (race.first_use[..., 0] >= 0)
    race.stocks[np.arange(1000), -1, rng.integers(0, 2, 1000)] += 400
    told = held(list(stories(race.rung())))
    assert told
    assert all(0 <= claim.game < 1000 for claim in told)


# Ways of playing ---------------------------------------------------------------------------------

def test_ways_are_said_in_words_and_paired():
    ways = singles(PLAN, ["hard"])
    assert len(ways) == 3 * 23
    always, never = Way("hard", (("always", "actions/attack"),)), Way(
        "hard", (("never", "buildings/mill"),))
    both = pair(always, never)
    assert both.words == "a hard bot that always takes attack when possible and never takes mill"
    assert both.alone() == [always, never]
    assert pair(always, Way("hard", (("once", "buildings/mill"),))) is None
    assert pair(always, Way("hard", (("never", "actions/attack"),))) is None


# Kingmaking --------------------------------------------------------------------------------------

@pytest.mark.parametrize(("mover", "last_before", "counts"), [
    (2, 0.05, True),  # a seat without hope makes the second seat the leader
    (1, 0.05, False),  # a seat takes the lead itself
    (2, 0.40, False),  # a seat that may still win
])
def test_a_seat_without_hope_that_chooses_the_winner_is_noticed(mover, last_before, counts):
    chances = np.array([[0.5, 0.45, last_before], [0.40, 0.55, 0.05]])
    row = types.SimpleNamespace(swing=0.0, kingmade=0)
    notice_swing(types.SimpleNamespace(chances=chances), row, mover, 3)
    assert bool(row.kingmade) == counts


@pytest.mark.parametrize(("kingmade", "is_found"), [(2, True), (0, False)])
def test_kingmaking_is_told(kingmade, is_found):
    rung = races.fair(np.random.default_rng(1), games=300, seats=3).rung()
    games = rung.tables.games.with_columns(weighed=pl.lit(20), kingmade=pl.lit(kingmade))
    rung = Rung(rung.name, rung.bots, types.SimpleNamespace(games=games), rung.measures)
    found = findings_of(kingmaking(rung), lambda _: 0)
    assert [one.text[:26] for one in found] == ["Losers choose the winner: "] * is_found


@pytest.mark.parametrize(("leaders_win", "is_found"), [(0.32, True), (0.5, False), (0.75, False)])
def test_a_lead_that_means_nothing_is_told(leaders_win, is_found):
    """Of three seats, where any would win a third and a race of luck gives its leader 63 %."""
    rng = np.random.default_rng(1)
    rung = races.fair(rng, games=600, seats=3).rung()
    leader, wins = rng.integers(0, 3, 600), rng.random(600) < leaders_win
    games = rung.tables.games.with_columns(
        half_leader=pl.Series(leader), winners=pl.Series(1 << np.where(wins, leader,
                                                                       (leader + 1) % 3)))
    rung = Rung(rung.name, rung.bots, types.SimpleNamespace(games=games), rung.measures)
    found = findings_of(hollow_lead(rung), lambda _: 0)
    assert [one.text[:44] for one in found] == [
        "Being ahead at half-time means next to nothi"] * is_found


def test_one_huge_score_on_both_sides_is_not_luck():
    """Scores that explode: one game in fifty says all there is to a correlation, and nothing."""
    rng = np.random.default_rng(1)

    def tables(scores):
        return types.SimpleNamespace(seats=pl.DataFrame(
            {"deal": np.arange(50), "seat": 0, "share": 0.0, "score": np.append(scores, 1e9)}))

    rung = Rung("greedy", ("greedy",), tables(rng.normal(0, 1, 49)), races.MEASURES,
                tables(rng.normal(0, 1, 49)))
    found, = luck(rung)
    assert found.estimate.effect < 0.3


# Dead cards --------------------------------------------------------------------------------------

def cards_of(games):
    """Mill is used in so many of 1,000 games, market in half of them."""
    return pl.DataFrame({"group": "cards", "thing": ["mill", "market", "tower"],
                         "games": [games, 500, 400], "all_games": 1000})


@pytest.mark.parametrize(("weak", "strong", "name"), [
    (0, 0, "dead-cards"), (300, 1, "rare-cards"), (1, 300, None)])
def test_a_card_that_nobody_uses_is_dead_and_one_that_the_strong_use_is_not(weak, strong, name):
    rungs = [Rung(bot, (bot, bot), types.SimpleNamespace(cards=cards_of(games)), races.MEASURES)
             for bot, games in (("greedy", weak), ("hard", strong))]
    found = list(dead_content(rungs))
    assert [one.id for one in found] == ([name] if name else [])
    assert all(one.things == ("mill",) for one in found)


@pytest.mark.parametrize(("used", "effect", "words"), [
    (0.01, -0.2, "Mill is weak: hard bots hardly ever use it, and a hard bot forced to take it at "
                 "the first opportunity wins 20.0 percentage points fewer of its games."),
    (0.01, 0.2, "Mill is overlooked: hard bots hardly ever use it, but a hard bot forced to take "
                "it at the first opportunity wins 20.0 percentage points more of its games."),
    (0.60, -0.2, "Mill hurts early: a hard bot forced to take it at the first opportunity wins "
                 "20.0 percentage points fewer of its games."),
])
def test_a_card_is_forced_before_it_is_called_weak(used, effect, words):
    worth = Worth("hard", "buildings", "mill", shown=frozenset({"forced"}),
                  forced=Estimate(effect, effect - 0.05, effect + 0.05, 100),
                  used=Estimate(used, used - 0.01, used + 0.01, 200))
    assert forced_words([worth], [worth], True) == words


def test_the_games_can_be_asked_for_exploits():
    """Every game that ships has things that a bot can be held to."""
    for name in ("kingdom", "greement", "jagged_time", "treasury/v03", "treasury/v17"):
        plan = plan_from({"game": find_game(name).name, "kind": "exploit",
                          "lineups": [{"bots": "greedy", "games": 10}]})
        assert singles(plan, ["greedy"])
