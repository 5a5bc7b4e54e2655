"""What is wrong with a game that is being written, with the paragraph concerned."""

from exchequer.cli.new import new_game
from exchequer.table.problems import located


def test_the_paragraph_of_the_rule_is_shown_and_no_other(tmp_path):
    """Also where the rulebook has no blank lines between its paragraphs."""
    folder = new_game("orchard", "harvest", tmp_path)
    lines = (folder / "rules.py").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "lost = min" in text)
    problem = located(f"rules.py:{line}: something is wrong.", folder)
    assert (problem.paragraph, problem.source) == ("O-4", lines[line - 1].strip())
    assert problem.text.startswith("O-4 Storm.") and "O-5" not in problem.text
