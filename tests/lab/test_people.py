"""What is planted in a population of testers is found; with nothing planted nothing is claimed."""

import json
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from exchequer.cli.main import app
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.lab.beside_bots import held, people_bounds, share_gap
from exchequer.lab.clarity import clarity_claims, clarity_of
from exchequer.lab.findings import findings_of
from exchequer.lab.opinions import liking_claims, opinion, opinions_of, settled_text, welch
from exchequer.lab.people_tables import people_tables
from exchequer.lab.playtest import (
    Follower,
    Happened,
    as_json,
    playtest_from,
    previews_not_made,
    settle,
    write_playtest,
)
from exchequer.lab.statistics import share
from exchequer.lab.studies import report_again
from lab.population import (
    OVERLAYS,
    Planted,
    asked_by_several,
    first_decisions,
    population,
    real_game,
)

pytestmark = pytest.mark.xdist_group("lab")
GAMES = 200


def claimed(data):
    """The ids of what people's own data says, corrected together."""
    claims = [*clarity_claims(clarity_of(data)), *liking_claims(data, opinions_of(data))]
    return {one.id for one in findings_of(claims, lambda _: 0)}


# Planted -----------------------------------------------------------------------------------------

def test_the_unclear_rule_and_the_better_variant_are_found():
    data = population(1, GAMES, Planted("K-31", "", better=1))
    assert claimed(data) == {"unclear-K-31", "liked-fun"}
    hottest = clarity_of(data).of("paragraph")[0]
    assert hottest.id == "K-31" and hottest.share.low > 4 * hottest.elsewhere
    (fun,) = opinions_of(data)
    assert fun.gap and 0.3 < fun.gap.low < 0.7 < fun.gap.high and fun.more is None
    assert settled_text(data, fun, True).startswith("variant B is rated ")
    assert "chance could bring that about" in settled_text(data, fun, False)


def test_a_question_that_takes_twice_as_long_is_found():
    asked = Counter(one.question for one in first_decisions(0))
    question = asked.most_common(1)[0][0]
    assert len(asked) > 2
    data = asked_by_several(2, 40, question)
    assert claimed(data) == {f"slow-{question}"}
    found = next(one for one in clarity_of(data).subjects if one.id == question).slower
    assert found and 1.7 < found.effect < 2.3
    assert not claimed(asked_by_several(3, 40))


def test_with_nothing_planted_nothing_is_claimed_more_often_than_promised():
    """One report in twenty at most: of 40 populations six or more would be one chance in
    fifty, and the seeds are fixed.
    """
    wrong = [seed for seed in range(40) if claimed(population(100 + seed, GAMES))]
    assert len(wrong) <= 5, wrong


def test_how_many_more_games_would_settle_it():
    open_one = opinion(population(3, 20), "fun", "Fun?")
    assert open_one.gap and not open_one.gap.excludes(0) and open_one.more
    assert 20 < open_one.more < 400
    assert "more tables would show a difference" in settled_text(population(3, 20), open_one, False)


def test_few_answers_claim_nothing():
    data = population(4, 4)
    for game in data.games:
        game.said = [type(game.said[0])(game.said[0].who, "end", {"fun": "5" if game.arm else "1"})]
    gap = opinion(data, "fun", "Fun?").gap
    assert gap and gap.p > 0.01  # two against two, however far apart


def test_welch_and_exact_shares():
    from scipy.stats import fisher_exact, ttest_ind

    first, second = np.array([1.0, 2, 3, 4]), np.array([3.0, 5, 4, 5, 4])
    expected = ttest_ind(second, first, equal_var=False)
    found = welch(first, second)
    assert found.p == pytest.approx(expected.pvalue)
    low, high = expected.confidence_interval()
    assert (found.low, found.high) == pytest.approx((low, high))
    gap = share_gap(share(6, 6), share(30, 100))
    assert gap.p == pytest.approx(fisher_exact([[6, 0], [30, 70]]).pvalue)
    # a handful of games that happen to be alike is no proof of anything
    assert held(np.full(5, 20.0), np.random.default_rng(0).normal(19, 3, 500))[2].p > 0.05


def test_one_game_says_little_of_how_strong_people_are():
    lost = np.array([[0.0, 1.0], [0.0, 0.0]])  # a bot beat somebody, once
    low, high = people_bounds(lost)
    assert low < -300 and high > 100
    even = np.array([[0.0, 100.0], [100.0, 0.0]])
    low, high = people_bounds(even)
    assert -60 < low < 0 < high < 60


# The same tables ---------------------------------------------------------------------------------

def test_people_have_the_rows_that_the_loop_gives_bots(as_study):
    """Each game runs again through the lab's loop, chance from its keys, with the same end."""
    data = population(5, 8)
    tables = people_tables(data)
    assert tables is not None
    for row in tables.games.iter_rows(named=True):
        game = next(one for one in data.games if one.id == row["played"])
        moves = Follower(data.the_game, data.content(game.arm), game)
        moves.follow()
        assert row["steps"] == len(moves.position.actions) and row["ending"] == game.ending
        assert [seat for seat in range(2) if row["winners"] >> seat & 1] == game.winners
        seats = tables.seats.filter((tables.seats["arm"] == row["arm"])
                                    & (tables.seats["game"] == row["game"]))
        assert seats["score"].to_list() == game.scores
        assert sorted(seats["bot"].to_list()) == ["greedy", "person"]
        assert set(seats["who"].to_list()) == {"greedy", *game.people}
    found, folder = as_study(data, bots=["random"], games=6)
    import polars as pl
    both = pl.read_parquet(folder / "seats.parquet")
    assert {"random", "greedy", "t1"} <= set(both["who"].to_list())
    assert set(tables.seats.columns) == set(both.columns)
    assert len(pl.read_parquet(folder / "decisions.parquet")) == sum(
        len(game.decisions) for game in data.games)
    assert found["strength"] and {"people", "greedy"} <= {one["name"]
                                                          for one in found["strength"]}


@pytest.fixture
def as_study(tmp_path, monkeypatch):
    """`exchequer lab run --from FILE`, in plain Python."""
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")

    def run(data, bots, games):
        folder = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        write_playtest(data, tmp_path / "set.json")
        options = [f"--bots={bot}" for bot in bots]
        done = CliRunner().invoke(app, ["lab", "run", "--from", str(tmp_path / "set.json"), "--out",
                                        str(folder), "--games", str(games), "--json",
                                        *options])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout.strip().splitlines()[-1]), folder
    return run


def test_the_report_says_it_all(as_study):
    data = population(6, 30, Planted("K-31", better=1))
    first = data.games[0]
    first.happened.append(Happened(first.people[0], "preview", "overwork",
                                   first.decisions[0].ended - 0.1))
    found, folder = as_study(data, bots=["random"], games=10)
    assert "K-31" in found["verdict"] and found["whole_games"] == 30
    html = (folder / "report.html").read_text()
    for words in ("Where it is not clear", "How it was liked", "People beside bots",
                  "How strong people are", "variant A", "K-31", "Tried and not done"):
        assert words in html
    again = report_again(folder)
    assert again["findings"] == found["findings"]  # from the folder alone


def test_beside_bots_a_difference_is_found_and_an_equal_is_not(as_study):
    """The simulated people play at random: beside random bots nothing differs, but where those play
    another number of rounds.
    """
    data = population(7, 16, pool=8)
    data.arms[1]["for_bots"] = {"rules": {"turn_limit": 5}}
    found, _ = as_study(data, bots=["random"], games=30)
    different = [one["id"] for one in found["findings"] if one["id"].startswith("people-")]
    assert "people-length-1" in different
    assert not [one for one in different if one.endswith("-0")]


# Details -----------------------------------------------------------------------------------------

def test_time_away_is_no_thinking_and_looks_belong_to_questions():
    data = population(8, 1)
    (game,) = data.games
    first, second = game.decisions[0], game.decisions[1]
    first.took = second.took = 2.0
    who = first.who
    game.happened = [Happened(who, "idle", "elsewhere", first.ended - 0.5, 1.0),
                     Happened(who, "hint", "", first.ended - 0.1),
                     Happened(who, "preview", "nonsense", second.ended - 0.1),
                     Happened(who, "preview", second.action, second.ended - 0.1),
                     Happened("t99", "hint", "", first.ended)]
    settle(game)
    assert first.seconds == pytest.approx(1.0) and second.seconds == pytest.approx(2.0)
    assert [one.question for one in game.happened[:2]] == [first.question] * 2
    assert game.happened[-1].question == ""
    assert previews_not_made(game, who) == {"nonsense": 1}


def test_undone_decisions_are_kept_as_such():
    game, content = find_game("kingdom"), find_game("kingdom").content(OVERLAYS[0])
    played = real_game(0, 1, undoes=True)
    undone = [one for one in played.decisions if one.undone]
    assert len(undone) == sum(line["kind"] == "undo" for line in played.journal) > 0
    final = Follower(game, content, played)
    final.follow()
    assert final.position.is_over and final.position.scores() == played.scores


def test_a_file_that_is_no_playtest_is_a_sentence(tmp_path):
    for text, words in (("{}", "is not a playtest of format"), ("[", "not JSON"),
                        ('{"exchequer_playtest": 1}', "not a whole playtest")):
        (tmp_path / "x.json").write_text(text)
        done = CliRunner().invoke(app, ["lab", "run", "--from", str(tmp_path / "x.json")])
        assert done.exit_code and isinstance(done.exception, InputError)
        assert words in str(done.exception)
    data = population(9, 1)
    wrong = as_json(data)
    wrong["games"][0]["arm"] = 7
    with pytest.raises(InputError, match="no variant of this playtest"):
        playtest_from(wrong)
