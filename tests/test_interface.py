"""`import exchequer`: what it promises to whoever plays, simulates and studies from Python."""

import inspect
import pickle
import pydoc
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import exchequer
from exchequer.core.build import Mode
from exchequer.core.position import Position
from toys.bazaar import GAME as BAZAAR

KINGDOM = exchequer.game("kingdom")


@pytest.fixture
def start():
    return Position(KINGDOM, KINGDOM.content({"start_gold": 12}), seed=7, mode=Mode.PYTHON)


def test_importing_is_light():
    probe = ("import sys, exchequer\n"
             "print(sorted({'numpy', 'numba', 'rich', 'typer'} & set(sys.modules)))")
    assert subprocess.check_output([sys.executable, "-c", probe], text=True).strip() == "[]"


def test_every_public_name_is_there_and_says_what_it_is():
    for name in exchequer.__all__:
        thing = getattr(exchequer, name)
        if name != "__version__":
            assert inspect.getdoc(thing), name
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = exchequer.nothing_such


def test_public_classes_explain_every_method():
    bare = [f"{cls.__name__}.{name}"
            for cls in (exchequer.Position, exchequer.Opponent, exchequer.Simulation,
                        exchequer.ArenaResult)
            for name, member in vars(cls).items()
            if not name.startswith("_") and (callable(member) or isinstance(member, property))
            and not inspect.getdoc(member)]
    assert bare == []


def test_help_is_one_page():
    page = pydoc.render_doc(exchequer, renderer=pydoc.plaintext)
    assert len(page.splitlines()) < 120
    for text in ("position.play(", "simulate(", "arena(", "help(exchequer.Position)"):
        assert text in page


def test_games_is_a_call_before_and_after_the_package_of_that_name_is_imported():
    probe = ("import exchequer; first = exchequer.games(); second = exchequer.games()\n"
             "import exchequer.games.kingdom as kingdom\n"
             "print(first == second == exchequer.games(), kingdom.GAME in first)")
    assert subprocess.check_output([sys.executable, "-c", probe], text=True) == "True True\n"


def test_the_version_has_an_entry_in_the_changelog():
    root = Path(__file__).parents[1]
    headings = [line for line in (root / "CHANGELOG.md").read_text().splitlines()
                if line.startswith("## ")]
    assert headings[0] == "## Unreleased"
    assert headings[1].startswith(f"## {exchequer.__version__} ")
    dynamic = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dynamic"]
    assert dynamic == ["version"]  # `__version__` is the only place that says it


def test_a_game_is_given_by_its_name_or_itself():
    assert exchequer.game("kingdom") == KINGDOM
    assert exchequer.game(BAZAAR) is BAZAAR


# Playing ----------------------------------------------------------------------------------------

def test_moves_are_numbers_that_print_as_text(start):
    moves = start.legal()
    assert str(moves).startswith("[end, overwork, expand, ")
    mill = next(move for move in moves if move.text == "build:mill")
    assert f"{mill}" == "build:mill"
    assert mill == KINGDOM.words.TEXTS.action("build:mill")
    again = pickle.loads(pickle.dumps(mill))
    assert [again, again.text] == [mill, "build:mill"]


@pytest.mark.parametrize("given", ["text", "number", "move"])
def test_play_takes_a_text_a_number_or_a_move(start, given):
    move = next(move for move in start.legal() if move.text == "build:mill")
    start.play({"text": "build:mill", "number": int(move), "move": move}[given])
    assert str(start.actions) == "[build:mill]"
    assert "Ann builds the Mill for 7 gold." in start.told()


@pytest.mark.parametrize(("action", "sentence"), [
    ("attack", "Each commander leads one attack a turn (K-32)"),
    ("build:mil", 'Did you mean "build:mill"?'),
    (-1, "not what is asked"),
    (10**6, "not what is asked"),
])
def test_what_may_not_be_played_is_refused_and_changes_nothing(start, action, sentence):
    before = start.state.tobytes()
    with pytest.raises(exchequer.InputError) as refused:
        start.play(action)
    assert sentence in str(refused.value)
    assert [start.state.tobytes(), start.actions] == [before, []]


def test_nothing_is_played_after_the_end():
    position = KINGDOM.start(variant={"turn_limit": 1})
    while not position.is_over:
        position.play(position.legal()[0])
    with pytest.raises(exchequer.Refused, match="The game is over."):
        position.play("end")
    with pytest.raises(exchequer.InputError, match="nothing to choose"):
        exchequer.bot("random").choose(position)
    assert "The game is over: " in repr(position)


def test_a_position_prints_the_board_and_who_is_to_move(start, monkeypatch):
    monkeypatch.setenv("COLUMNS", "130")
    start.play("build:mill")
    drawn = repr(start)
    assert "buildings  Mill" in drawn
    assert "Ann: 11 points" in drawn
    assert drawn.splitlines()[-1].startswith("Ben to move: You have 2 action points")
    html = start._repr_html_()
    assert html.startswith("<pre")
    assert "Ben to move" in html


def test_a_position_shows_no_secrets_of_others():
    """Drawn from what the seat to move may know: another deal of what is hidden looks alike."""
    position = Position(BAZAAR, seats=3, seed=5, mode=Mode.PYTHON)
    other = position.copy()
    other._states[:] = position.determinize(position.actor, 99)
    assert other.state.tobytes() != position.state.tobytes()
    assert repr(other) == repr(position)


def test_a_copy_goes_its_own_way(start):
    before = start.state.tobytes()
    copy = start.copy()
    copy.play("build:mill")
    assert [start.state.tobytes(), start.actions, len(start.logs)] == [before, [], 1]
    copy.undo()
    assert copy.state.tobytes() == before


def test_a_saved_game_is_loaded_as_it_was_left(start, tmp_path):
    start.play("build:mill")
    start.save(tmp_path / "game.toml")
    again = exchequer.load(str(tmp_path / "game.toml"))
    assert again.state.tobytes() == start.state.tobytes()
    assert [again.actions, again.content.overlay] == [start.actions, start.content.overlay]


def test_reprs_are_short_and_helpful(start):
    assert repr(KINGDOM) == "<Game kingdom: 2 players, rules version " \
        f"{KINGDOM.rules_version}>"
    assert repr(start.content) == f"<Content {start.content.hash}: start_gold=12>"
    assert repr(exchequer.bot("hard", seed=3)) == "<Opponent hard, seed 3>"


# Variants ---------------------------------------------------------------------------------------

def test_a_variant_is_settings_a_file_or_content(tmp_path):
    (tmp_path / "mine.toml").write_text("start_gold = 12\n")
    contents = [KINGDOM.start(variant=variant).content for variant in (
        {"start_gold": 12}, {"rules": {"start_gold": 12}}, tmp_path / "mine.toml",
        str(tmp_path / "mine.toml"), KINGDOM.content({"start_gold": 12}))]
    assert len({content.hash for content in contents}) == 1
    assert contents[0].value("start_gold") == 12


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: exchequer.game("kingdon"), 'Did you mean "kingdom"?'),
    (lambda: exchequer.bot("clever"), 'There is no bot "clever"'),
    (lambda: exchequer.bot(3), "3 is no bot"),
    (lambda: KINGDOM.start(seats=3), "Kingdom is for 2 players, not 3."),
    (lambda: KINGDOM.start(seed=-1), "A seed is a number"),
    (lambda: KINGDOM.start(variant={"start_golt": 1}), 'did you mean "start_gold"?'),
    (lambda: KINGDOM.start(variant=BAZAAR.content()), "belongs to another game"),
    (lambda: exchequer.load("none.toml"), "there is no such file"),
    (lambda: exchequer.simulate("kingdom", games=0), "ask for 1 or more"),
    (lambda: exchequer.simulate("kingdom", seats=1), "Kingdom is for 2 players, not 1."),
    (lambda: exchequer.simulate("kingdom", seed=-1), "A seed is a number"),
    (lambda: exchequer.arena("kingdom", ["hard"]), "1 bots are named"),
    (lambda: exchequer.bot("hard").thought(), "has not thought"),
])
def test_wrong_input_is_a_sentence(call, sentence):
    with pytest.raises(exchequer.InputError) as error:
        call()
    assert sentence in str(error.value)


# Bots and bulk ----------------------------------------------------------------------------------

class First:
    """A bot as somebody writes it in a notebook."""

    def __init__(self, game, seed):
        self.game = game

    def choose(self, observation, content, seat):
        return self.game.legal(observation, content)[0]


def test_bots_choose_legal_moves_in_any_game():
    bots = [exchequer.bot("greedy"), exchequer.bot("random", seed=4), exchequer.bot(First)]
    for game in (KINGDOM, BAZAAR):
        position = game.start(seed=2)
        for bot in bots:
            position.play(bot.choose(position))
        assert len(position.actions) == 3


def test_a_bot_that_searches_tells_what_it_thought():
    position, bot = KINGDOM.start(seed=1), exchequer.bot("mcts:50")
    move = bot.choose(position)
    assert bot.thought().ideas[0].text == move.text
    with pytest.raises(exchequer.InputError, match="does not tell"):
        first = exchequer.bot(First)
        first.choose(position)
        first.thought()


def test_simulate_has_named_results():
    played = exchequer.simulate("kingdom", games=300, variant={"turn_limit": 4})
    assert [played.game, played.seats, played.games, played.unfinished] == ["kingdom", 2, 300, 0]
    assert sum(played.wins) == pytest.approx(300)
    assert sum(played.endings.values()) == 300
    assert played.length.min <= played.length.mean <= played.length.max
    rows = played.to_dicts()
    assert [row["seat"] for row in rows] == [0, 1]
    assert rows[0]["wins"] == played.wins[0]
    assert "mean score" in repr(played)


def test_results_become_data_frames():
    polars = pytest.importorskip("polars")
    played = exchequer.simulate("kingdom", games=50)
    frame = polars.DataFrame(played.to_dicts())
    assert frame.columns == ["game", "games", "seat", "wins", "share", "mean_score"]
    assert frame["wins"].sum() == pytest.approx(50)


def test_the_arena_takes_names_and_classes():
    result = exchequer.arena(KINGDOM, ["greedy", First], games=20)
    assert [standing.name for standing in result.standings] == ["greedy", "First"]
    assert result.standings[0].share > 0.5
    assert [row["name"] for row in result.to_dicts()] == ["greedy", "First"]
    assert "95 % interval" in repr(result)
