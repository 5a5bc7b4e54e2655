"""What is wrong with a game that somebody is writing: a sentence, where, and the rule concerned."""

import pathlib
import re
from dataclasses import asdict, dataclass
from typing import Any

from exchequer.core.errors import InputError, place_of
from exchequer.core.rulebook import opening, sections

PLACE = re.compile(r"\b([\w-]+\.(?:py|toml|html|md|typ|css)):(\d+): ")


class Faulty(InputError):
    """A game that imports but must not be played; a sentence for each fault."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


@dataclass(frozen=True)
class Problem:
    """One thing to mend."""

    sentence: str
    file: str = ""
    line: int = 0
    source: str = ""  # the line as it is written
    paragraph: str = ""  # of the rulebook, which the rule at that line carries out
    text: str = ""

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def problems_of(error: BaseException, folder: pathlib.Path) -> list[Problem]:
    if isinstance(error, Faulty):
        return [located(sentence, folder) for sentence in error.sentences]
    if isinstance(error, InputError):
        return [located(str(error), folder)]
    return [located(f"{place_of(error, folder)}{type(error).__name__}: {error}", folder)]


def located(sentence: str, folder: pathlib.Path) -> Problem:
    """The sentence with the line it names and the paragraph of the rule around that line."""
    sentence = sentence.replace(f"{folder}/", "")
    found = PLACE.search(sentence)
    if not found:
        return Problem(sentence)
    file, line = found[1], int(found[2])
    lines = lines_of(folder / file)
    source = lines[line - 1].strip() if line <= len(lines) else ""
    number = rule_at(lines, line) if file.endswith(".py") else ""
    return Problem(sentence.replace(found[0], "", 1), file, line, source, number,
                   paragraph_text(folder, number))


def lines_of(path: pathlib.Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def rule_at(lines: list[str], line: int) -> str:
    """The paragraph that the function around a line opens with; the file need not be Python yet."""
    for start in range(min(line, len(lines)) - 1, -1, -1):
        if lines[start].startswith("def "):
            said = [text.strip() for text in lines[start + 1:] if '"""' in text]
            numbers = opening(said[0].strip('"')) if said else []
            return numbers[0] if numbers else ""
    return ""


def paragraph_text(folder: pathlib.Path, number: str) -> str:
    """The paragraph as the rulebook has it."""
    book = sections("\n".join(lines_of(folder / "rulebook.md"))) if number else []
    opens = re.compile(rf"\*\*{re.escape(number)}\b")
    return next((section.replace("**", "") for section in book if opens.match(section)), "")
