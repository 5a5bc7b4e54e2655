"""Look up: any paragraph of the rulebook and any thing of the content, by number, name or words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exchequer.core.content import Content
from exchequer.core.rulebook import Paragraph, book, paragraph

if TYPE_CHECKING:
    from exchequer.core.game import Game


@dataclass(frozen=True)
class Thing:
    """A card, building, role or whatever else the content has a table for."""

    table: str
    key: str
    name: str
    line: str  # what it does, in a sentence
    full: str  # all that is on it

    @property
    def id(self) -> str:
        return f"{self.table}.{self.key}"


def things(game: "Game", content: Content) -> list[Thing]:
    """Everything in the content that has a name, in the order of the file."""
    tables = [table for table, cards in game.text.items()
              if isinstance(cards, dict) and table not in ("rules", "about", "said")]
    return [thing(game, content, table, key) for table in tables
            for key, fields in content.words[table].items() if "name" in fields]


def thing(game: "Game", content: Content, table: str, key: str) -> Thing:
    """As the game's words have it."""
    return Thing(table, key, *game.words.thing(content, table, key))


# Searching ---------------------------------------------------------------------------------------

def things_named(game: "Game", content: Content, words: str) -> list[Thing]:
    """Things of that name, else those whose name has these words in it."""
    wanted, every = words.strip().lower(), things(game, content)
    exact = [one for one in every if wanted in (one.key.lower(), *names(content, one))]
    return exact or [one for one in every
                     if wanted and any(wanted in name for name in names(content, one))]


def names(content: Content, one: Thing) -> list[str]:
    """What a thing is called, in lower case; its entry may list `aliases`."""
    aliases = content.words[one.table][one.key].get("aliases", [])
    return [name.lower() for name in (one.name, *aliases)]


def paragraphs_about(game: "Game", content: Content, words: str) -> list[Paragraph]:
    """The paragraph of that number, else those that have all these words in them."""
    if exact := paragraph(game, content, words.strip()):
        return [exact]
    wanted = words.lower().split()
    return [block for block in book(game, content)
            if isinstance(block, Paragraph) and block.number and wanted
            and all(word in text_of(block) for word in wanted)]


def text_of(block: Paragraph) -> str:
    """What a player reads of a paragraph, in lower case."""
    return f"{block.number} {''.join(run.text for run in block.runs if not run.aside)}".lower()
