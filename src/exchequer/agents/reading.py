"""What agents read: games, paragraphs of their rulebooks, cards, reports of the lab."""

import difflib
import json
import pathlib
from collections.abc import Iterable, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.find import all_games, find_game, game_names
from exchequer.core.game import Game
from exchequer.core.learn import Picture, Round, learn
from exchequer.core.lookup import paragraphs_about, things, things_named
from exchequer.core.plain_text import board_lines, written
from exchequer.core.replay import read_replay, resumed
from exchequer.core.rulebook import Heading, Paragraph, Row, Runs, Table, book, changes, paragraph
from exchequer.core.words import seat_names

MOST = 12  # paragraphs or cards of a search


def list_games() -> list[dict[str, Any]]:
    """All games: name, title, number of players, what they are about, their variants."""
    return [{"name": game.name, "title": game.title, "players": game.players,
             "seats": list(game.seats), "summary": game.text["summary"],
             "variants": game.variants} for game in all_games()]


def a_game(name: str) -> Game:
    """A game of this machine by its name; an address writes treasury-v17."""
    known = {game.replace("/", "-"): game for game in game_names()}
    return find_game(known.get(name, name)) if name in (*known, *known.values()) \
        else unknown(name, known.values())


def unknown(name: str, known: Iterable[str]) -> Game:
    close = difflib.get_close_matches(name, known, 1)
    hint = f' Did you mean "{close[0]}"?' if close else f" There are {', '.join(known)}."
    raise InputError(f'There is no game "{name[:40]}".{hint}')


def varied(game: Game, variant: str = "", settings: dict[str, Any] | None = None) -> Content:
    """The content of a variant that comes with the game, with settings on top."""
    if variant and variant not in game.variants:
        has = f"it has {', '.join(game.variants)}" if game.variants else "it has none"
        raise InputError(f'{game.title} has no variant "{variant[:40]}"; {has}.')
    return game.variant(variant or None, settings or {})


def read_rules(game: str, paragraphs: Sequence[str] = (), variant: str = "") -> str:
    """The rulebook, or the paragraphs of these numbers (such as K-31), with a variant's numbers."""
    found = a_game(game)
    content = varied(found, variant)
    if not paragraphs:
        return "\n\n".join(filter(None, map(block_text, book(found, content))))
    return "\n\n".join(one_paragraph(found, content, number) for number in paragraphs)


def one_paragraph(game: Game, content: Content, number: str) -> str:
    if block := paragraph(game, content, number.strip()):
        return paragraph_text(block)
    raise InputError(f'{game.title} has no paragraph "{number[:20]}"; the first is '
                     f"{game.paragraphs[0]}, the last {game.paragraphs[-1]}.")


def search_rules(game: str, words: str, variant: str = "") -> str:
    """The paragraphs and cards that have these words in them."""
    found = a_game(game)
    content = varied(found, variant)
    cards = things_named(found, content, words)
    paragraphs = paragraphs_about(found, content, words)
    said = [f"{card.name} ({card.table}): {card.full}" for card in cards[:MOST]]
    said += [paragraph_text(block) for block in paragraphs[:MOST]]
    if not said:
        raise InputError(f'Nothing in {found.title} is about "{words[:60]}".')
    left_out = max(0, len(cards) - MOST) + max(0, len(paragraphs) - MOST)
    return "\n\n".join(said + ([f"({left_out} more have these words.)"] if left_out else []))


def learn_text(game: str) -> str:
    """The pages for somebody who has never played; a game without them has its rulebook."""
    found = a_game(game)
    shown = (steps_text(block.steps) if isinstance(block, Picture | Round) else block_text(block)
             for block in learn(found, found.content()))
    return "\n\n".join(filter(None, shown)) or read_rules(game)


def cards_of(game: str) -> str:
    """Everything in a game that has a name, with all that is on it."""
    found = a_game(game)
    return "\n".join(f"{one.name} ({one.table}): {one.full}"
                     for one in things(found, found.content()))


def read_content(game: str, table: str = "rules", variant: str = "",
                 settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """A table of a game's content: `rules` has the numbers and switches, with what each does."""
    found = a_game(game)
    content = varied(found, variant, settings)
    tables = [name for name in content.words if name != "about"
              and isinstance(content.words[name], dict)]
    if table not in tables:
        raise InputError(f'{found.title} has no table "{table[:40]}" in its content; there are '
                         f"{', '.join(tables)}.")
    about = content.words["about"] if table == "rules" else {}
    return {"game": found.name, "table": table, "tables": tables,
            "entries": json.loads(json.dumps(content.words[table], default=str)),
            "about": {key: text for key, text in about.items() if key in content.words[table]},
            "changed": [change.note for change in changes(found, content)]}


# Rulebooks as text -------------------------------------------------------------------------------

def block_text(block: Heading | Table | Paragraph) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Table):
        return rows_text(block.rows)
    return paragraph_text(block)


def paragraph_text(block: Paragraph) -> str:
    """As players read it, without the keys."""
    off = " (not in play)" if not block.in_play else ""
    head = " ".join(part for part in (block.number, runs_text(block.title)) if part)
    said = [f"{head}{off} {runs_text(block.text)}".strip()]
    said += [steps_text(block.steps)] if block.steps else []
    said += [rows_text(block.rows)] if block.rows else []
    return "\n".join(said + [f"({change.note})" for change in block.changes])


def steps_text(steps: Iterable[Runs]) -> str:
    return "\n".join(f"{number}. {runs_text(step)}" for number, step in enumerate(steps, 1))


def rows_text(rows: Iterable[Row]) -> str:
    return "\n".join(" | ".join(map(runs_text, row)) for row in rows)


def runs_text(runs: Runs) -> str:
    return "".join(run.text for run in runs if not run.aside).strip()


def a_replay(path: pathlib.Path, moment: int | None = None) -> str:
    """A game in sentences, or one moment of it with the whole board."""
    read = read_replay(path)
    position = resumed(read, a_game(read.game).ready_mode)
    position.names = seat_names(position.seats, read.names)
    last = len(position.actions)
    if moment is None:
        told = [" ".join(position.told(since=at, until=at + 1)) for at in range(last + 1)]
        return "\n".join(f"{at} {said}" for at, said in enumerate(told) if said)
    if not 0 <= moment <= last:
        raise InputError(f"This game has moments 0 to {last}, not {moment}.")
    past = position.at(moment)
    seat = past.actor if not past.is_over else 0
    board = board_lines(past.game, past.whole()[0], past.content, seat, past.names)
    return written(board, position.told(since=moment, until=moment + 1),
                   past.outcome() if past.is_over else
                   f"{past.names[seat]}: {past.question}", [] if past.is_over else past.menu())
