"""The rulebook as a PDF: pages to learn from, then the law, with pictures and an example."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.game import Game
from exchequer.core.learn import Picture, Shown, learn
from exchequer.core.position import Position
from exchequer.core.rulebook import Block, Paragraph, book, changes
from exchequer.printing.paper import face_data, paper_size
from exchequer.printing.pieces import decks_of, said_by_pieces
from exchequer.printing.press import edition, variant_title
from exchequer.printing.typeset import typeset, typst_path


def rulebook_pdf(game: Game, content: Content, paper: str = "a4", keys: bool = False) -> bytes:
    """With the keys that change its numbers, if these are asked for."""
    pictured = pictures(game, content)
    return typeset(game, "rulebook", {
        "paper": paper_size(paper), "summary": content.words["summary"],
        "length": content.words.get("length", ""), "seats": f"for {game.players}",
        "variant": variant_title(game, content), "edition": edition(game, content),
        "changes": [asdict(change) for change in changes(game, content)],
        "keys": keys, "learn": learn_data(game, content), "blocks": blocks(game, content),
        "pictures": pictured, "example": example(game, content)})


# Learn -------------------------------------------------------------------------------------------

def learn_data(game: Game, content: Content) -> list[dict[str, Any]]:
    """The pages for newcomers as plain data, with the files of their pictures."""
    return [shown_data(game, block) for block in learn(game, content)]


def shown_data(game: Game, block: Shown) -> dict[str, Any]:
    data = block_data(block, {})
    if isinstance(block, Picture):
        path = game.folder / "pictures" / f"{block.name}.png"
        data["file"] = typst_path(game, path) if path.exists() else ""
    return data


# Blocks ------------------------------------------------------------------------------------------

def blocks(game: Game, content: Content) -> list[dict[str, Any]]:
    """The book's blocks as plain data, each paragraph with the pieces it shows."""
    chosen = said_by_pieces(game, "PICTURES", {})
    return [block_data(block, chosen) for block in book(game, content)]


def block_data(block: Block | Shown, chosen: Mapping[str, list[str]]) -> dict[str, Any]:
    data = asdict(block) | {"kind": type(block).__name__.lower()}
    if isinstance(block, Paragraph):
        data |= {"notes": [change.note for change in block.changes],
                 "pictures": chosen.get(block.number, [])}
    return data


# Pictures and an example -------------------------------------------------------------------------

def pictures(game: Game, content: Content) -> dict[str, Any]:
    """The pieces that the rulebook shows, by id; a variant may lack some."""
    wanted = {key for keys in said_by_pieces(game, "PICTURES", {}).values()
              for key in keys}
    return {piece.id: {"width": deck.width, "height": deck.height, "name": piece.name,
                       **face_data(piece.front)}
            for deck in decks_of(game, content) for piece in deck.pieces if piece.id in wanted}


def example(game: Game, content: Content) -> list[dict[str, Any]]:
    """The moves of `EXAMPLE`, played by these rules: each move and what happens then.

    It ends early if a variant does not allow a move.
    """
    script = said_by_pieces(game, "EXAMPLE", None)
    if script is None:
        return []
    position = Position(game, content, script["seats"], script["seed"], Mode.PYTHON)
    told = [{"move": "", "lines": position.told()}]
    for text in script["moves"]:
        action = game.words.TEXTS.move(text)
        menu = dict(position.menu())
        if action not in menu:
            break
        who = position.names[position.actor]
        position.play(action)
        told.append({"move": f"{who}: {menu[action]}",
                     "lines": position.told(None, since=len(position.logs) - 1)})
    return told
