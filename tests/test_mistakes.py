"""Mistakes on purpose, in a designer's own game: each is answered in a sentence with its place."""

import pytest

from exchequer.cli import checking
from exchequer.cli.checking import check_everything
from exchequer.cli.main import main
from exchequer.cli.new import new_game
from exchequer.core import value
from exchequer.core.errors import InputError
from exchequer.core.find import find_game

MISTAKES = {
    "a list": ("    s.playing -= 1\n", "    s.playing -= [1][0]\n",
               r"rules.py:\d+: `knock_out` uses a list, which rules cannot"),
    "a comprehension": ("    s.playing -= 1\n", "    s.playing -= [n for n in range(2)][1]\n",
                        r"rules.py:\d+: `knock_out` uses a list comprehension"),
    "an exception": ("    s.playing -= 1\n", "    s.playing -= 1\n    raise ValueError(seat)\n",
                     r"rules.py:\d+: `knock_out` uses an exception, which rules cannot: refuse"),
    "None": ("0, 0, NOBODY\n", "0, 0, None\n",
             r"rules.py:\d+: `end_round` uses None, which is no number: use NOBODY"),
    "an enum out of a number": ("if kind == Courtier.RECLUSE:",
                                "if Courtier(kind) == Courtier.RECLUSE:",
                                r"rules.py:\d+: `play` makes a member of `Courtier`"),
    "a misspelt field": ("s.safe[seat] = 1", "s.save[seat] = 1",
                         r"rules.py:\d+: `play` reads `s.save`.*did you mean `safe`"),
    "a helper that is no rule": ("@rule\ndef held", "def held",
                                 r"rules.py:\d+: `meet` calls `held`, which is not a rule: mark"),
    "a set among the globals": ("    late = kind == Courtier.HERALD or kind == Courtier.ENVOY\n",
                                "    late = kind in SET\n",
                                r"rules.py:\d+: `play_refusal` uses `SET`, a set, which rules"),
    "a rule that is missing": ("def setup(", "def set_up(", "rules.py has no `setup`"),
    "a step nobody handles": ("@handles(Step.TURN)\n", "@rule\n",
                              r"`start_turn` is used by nothing.*Mark it with @handles if"),
    "two rules for an answer": ("@rule\ndef look", "@handles(Ask.PLAY, kind=Do.PLAY)\ndef look",
                                r"both have @handles for Ask.PLAY"),
    "a number too wide": ("s.safe[seat] = 1", "s.safe[seat] = 300",
                          r"writes 300 into `safe`, whose type int8 holds -128 to 127"),
    "a rule that calls itself": ("    s.playing -= 1\n",
                                 "    s.playing -= 1\n    knock_out(s, c, seat, log)\n",
                                 r"rules.py:\d+: rules may not call themselves: knock_out -> kn"),
    "what fails in play": ("    best, most, first = 0, 0, NOBODY\n",
                           "    best, most, first = (0, 1), 0, NOBODY\n",
                           r"rules.py:\d+: a rule fails: \w+Error: "),
    "what only plain Python knows": ("    best, most, first = 0, 0, NOBODY\n",
                                     "    best, most, first = 0, 0, NOBODY\n    pair = (1, 2)\n"
                                     "    if s.seats > 2:\n        pair = 3\n"
                                     "    s.safe[0] += 0 if pair == 3 else 0\n",
                                     r"rules.py:\d+: this cannot be compiled: "),
    "an endless loop": ("    s.playing -= 1\n", "    s.playing -= 1\n    while s.seats > 0:\n"
                        "        s.safe[seat] = 0\n",
                        r"rules.py:\d+: `knock_out` has not come to an end after"),
}


@pytest.fixture
def game(tmp_path):
    return new_game("court", "whispers", tmp_path)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_a_sentence_with_its_place(mistake, game, tmp_path, monkeypatch):
    old, new, says = MISTAKES[mistake]
    text = (game / "rules.py").read_text()
    assert old in text
    changed = text.replace(old, new, 1)
    if "SET" in changed:
        changed = changed.replace("import *\n", "import *\n\nSET = {4, 5}\n", 1)
    (game / "rules.py").write_text(changed)
    if mistake == "an endless loop":  # the others may take what time they need
        monkeypatch.setattr(value, "SAMPLE_SECONDS", 1.0)
    with pytest.raises(InputError, match=says) as told:
        found = find_game(game)
        check_everything(found, found.content(), 1, tmp_path / "broken.toml")
    assert str(told.value).count("\n") < 3


STARTER = {  # of the smallest starter, which has a lesson: its rules are played to check that
    "a syntax error": ("rules.py", "if crop == Crop.STORM:", "if crop = Crop.STORM:",
                       r"cannot be imported: rules.py:58: SyntaxError: invalid syntax"),
    "a module that is not there": ("rules.py", "from .state import *",
                                   "from .state import *\nimport pandaz",
                                   r"rules.py:6: ModuleNotFoundError: .*pandaz"),
    "a type that is none": ("state.py", '("i2", SEATS)', '("i3", SEATS)',
                            r"cannot be imported: state.py:\d+: TypeError"),
    "a misspelt column": ("rules.py", "crop, c.crop[crop].points)", "crop, c.crop[crop].point)",
                          r"rules.py:57: .*no column `point`; did you mean `points`\?$"),
    "what fails in the lesson": ("rules.py", "s.points[other] -= lost", "s.points[other + 4] -= 1",
                                 r"rules.py:69: a rule fails: IndexError"),
    "no end in the lesson": ("rules.py", "    shuffle(s, Pile.DECK)\n",
                             "    shuffle(s, Pile.DECK)\n    while True:\n        seats = 2\n",
                             r"rules.py:17: `setup` has not come to an end"),
}


@pytest.mark.parametrize("mistake", STARTER)
def test_a_mistake_in_the_smallest_starter_is_told_likewise(mistake, tmp_path, monkeypatch):
    file, old, new, says = STARTER[mistake]
    folder = new_game("farm", "harvest", tmp_path)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    monkeypatch.setattr(checking, "ENDLESS_SECONDS", 1.0)
    with pytest.raises(InputError, match=says) as told:
        found = find_game(folder)
        check_everything(found, found.content(), 1, tmp_path / "broken.toml")
    assert "\n" not in str(told.value)


def test_what_a_rule_raises_in_any_command_is_a_sentence(tmp_path, monkeypatch, capsys):
    folder = new_game("farm", "harvest", tmp_path)
    text = (folder / "rules.py").read_text()
    (folder / "rules.py").write_text(text.replace("    shuffle(s, Pile.DECK)", "    s.deck = 1"))
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    monkeypatch.setattr("exchequer.cli.main.always_interruptible", lambda: None)
    monkeypatch.setattr("sys.argv", ["exchequer", "simulate", str(folder), "--games", "1"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err.startswith("exchequer: farm: rules.py:16: AttributeError: ")


def test_a_card_and_a_sentence_that_are_missing(game):
    text = (game / "content.toml").read_text()
    (game / "content.toml").write_text("\n".join(
        line for line in text.splitlines() if not line.startswith("envoy")))
    with pytest.raises(InputError, match="content.toml: courtier.envoy: is missing"):
        find_game(game).content()
    (game / "content.toml").write_text(text)
    words = (game / "words.toml").read_text()
    (game / "words.toml").write_text(words.replace("{courtier}", "{courier}"))
    with pytest.raises(InputError, match=r"words.toml:9: event.drew: .*courier"):
        _ = find_game(game).words
