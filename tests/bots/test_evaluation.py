"""`exchequer evaluate`: what a paper prints, with all it takes to repeat it."""

import pytest

from exchequer.bots.arena import Arena
from exchequer.bots.evaluation import add_result, check_results, evaluated, read_results
from exchequer.cli.evaluate import print_evaluation
from exchequer.core.errors import InputError
from exchequer.core.find import find_game


class Last:
    """Takes the last move of the list."""

    def __init__(self, game, seed):
        self.game = game

    def choose(self, observation, content, seat):
        return self.game.legal(observation, content)[-1]


@pytest.fixture(scope="module")
def result():
    game = find_game("kingdom")
    return evaluated(game, game.content(), "greedy", ["random", Last], 6, 40)


def test_it_counts_as_the_arena_does(result):
    game = find_game("kingdom")
    standing = Arena(game, game.content(), ["greedy", "random"]).play(6, 40)[0]
    row = result["results"][0]
    assert [row["against"], row["games"]] == ["random", standing.games]
    assert row["share"] == standing.share and row["score"] == pytest.approx(standing.mean_score)
    assert (row["low"], row["high"]) == standing.interval()


def test_it_names_seeds_versions_and_machine(result):
    game = find_game("kingdom")
    assert result["seeds"] == [40, 42]  # three deals, each in both rotations of the seats
    assert f"{result['rules_version']}.{result['rows_version']}" == game.version
    assert result["content"] == game.content().hash and result["changes"] == {}
    assert "Python" in result["machine"]
    assert [row["against"] for row in result["results"]] == ["random", "Last"]


def test_results_gather_in_a_file(result, tmp_path):
    for _ in range(2):
        add_result(result, tmp_path / "results.jsonl")
    assert read_results(tmp_path / "results.jsonl") == [result, result]


def test_what_is_no_bot_is_refused():
    game = find_game("kingdom")
    with pytest.raises(InputError, match="no bot"):
        evaluated(game, game.content(), "clever", ["random"], 2, 0)


@pytest.mark.parametrize(("answer", "match"), [
    (0.5, r"Stubborn chose 0\.5, which is no action"), (None, "Stubborn chose None"),
    (10**6, "Stubborn chose 1000000: ")])
def test_an_answer_that_is_no_legal_action_is_told_with_who_gave_it(answer, match):
    class Stubborn(Last):
        def choose(self, observation, content, seat):
            return answer

    game = find_game("kingdom")
    with pytest.raises(InputError, match=match):
        evaluated(game, game.content(), Stubborn, ["random"], 2, 0)


def test_a_bot_that_cannot_be_made_is_refused_before_anything_is_played(tmp_path):
    class Unmade(Last):
        def __init__(self):
            pass

    (tmp_path / "unmade.py").write_text("class Unmade:\n    def choose(self, *_): return 0\n")
    game = find_game("kingdom")
    for bot in (Unmade, f"{tmp_path}/unmade.py:Unmade"):
        with pytest.raises(InputError, match=r"made as Unmade\(game, seed\)"):
            evaluated(game, game.content(), bot, ["random"], 2, 0)


def test_a_file_of_results_that_cannot_be_written_is_refused_beforehand(tmp_path):
    check_results(tmp_path / "new.jsonl")
    for file, why in [(tmp_path / "nowhere" / "a.jsonl", "no such folder"), (tmp_path, "folder")]:
        with pytest.raises(InputError, match=why):
            check_results(file)


def test_a_solo_game_is_told_without_shares(capsys):
    game = find_game("jagged_time")
    print_evaluation(evaluated(game, game.content(), "random", ["greedy"], 2, 0))
    told = capsys.readouterr().out
    assert "share of wins" not in told and "alone, seeds 0 to 1" in " ".join(told.split())
