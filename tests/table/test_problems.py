"""What is wrong with a game that is being written, with the paragraph concerned."""

import pytest

from exchequer.cli.new import new_game
from exchequer.core.content import ContentError
from exchequer.core.find import find_game
from exchequer.table.problems import located


def test_the_paragraph_of_the_rule_is_shown_and_no_other(tmp_path):
    """Also where the rulebook has no blank lines between its paragraphs."""
    folder = new_game("orchard", "harvest", tmp_path)
    lines = (folder / "rules.py").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "lost = min" in text)
    problem = located(f"rules.py:{line}: something is wrong.", folder)
    assert (problem.paragraph, problem.source) == ("O-4", lines[line - 1].strip())
    assert problem.text.startswith("O-4 Storm.") and "O-5" not in problem.text


def test_a_key_of_the_content_is_shown_with_its_line_and_without_the_folder(tmp_path):
    folder = new_game("orchard", "harvest", tmp_path)
    text = (folder / "content.toml").read_text()
    (folder / "content.toml").write_text(text.replace("hand = 3", "hand = 9"))
    with pytest.raises(ContentError) as refused:
        find_game(folder).content()
    problem = located(str(refused.value), folder)
    assert (problem.file, problem.line) == ("content.toml", 5)
    assert problem.sentence.startswith("rules.hand: 9 is out of range") and "9" in problem.source
