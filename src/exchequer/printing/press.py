"""The print-and-play PDF of a game: one Typst job for everything."""

from typing import Any

from exchequer.core.content import Content, Words, leaves
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.pieces import Deck
from exchequer.core.rulebook import changes
from exchequer.printing.paper import face_data, pages, paper_size
from exchequer.printing.pieces import changed, decks_of, said_by_pieces
from exchequer.printing.typeset import typeset

ADVICE = [
    "Print at 100 % (“actual size”), never “fit to page”, and check the line below with a ruler.",
    "Print double-sided, flipped on the long edge. Every page of fronts is followed by its page of "
    "backs; the grids mirror each other.",
    "Use card stock of 200 to 300 g, or sleeves with plain paper in front of a playing card.",
    "Cut along the crop marks, all columns first. Colours extend beyond every edge, so a cut that "
    "is half a millimetre off leaves no white.",
]
SINGLE = "This file has fronts only: print single-sided."


def print_and_play(game: Game, content: Content, paper: str = "a4", backs: bool = True,
                   since: Content | None = None) -> tuple[bytes, list[Deck]]:
    """The PDF and what it holds: everything, or only what changed since another content."""
    decks = decks_of(game, content)
    if since is not None:
        decks = changed(decks, decks_of(game, since))
        if not decks:
            raise InputError(f"{game.title}: no piece has changed, so there is nothing to print.")
    job = imposed(game, content, decks, paper, backs)
    return typeset(game, "impose", job), decks


def imposed(game: Game, content: Content, decks: list[Deck], paper: str, backs: bool
            ) -> dict[str, Any]:
    size = paper_size(paper)
    laid = pages(decks, size, backs)
    return {"paper": size, "backs": backs, "summary": content.words["summary"],
            "variant": variant_title(game, content), "edition": edition(game, content),
            "contents": contents(decks, laid, backs), "pages": laid,
            "advice": ADVICE if backs else [ADVICE[0], SINGLE, *ADVICE[2:]],
            "rules": rules_advice(game), "samples": samples(decks),
            "needed": said_by_pieces(game, "NEEDED", [])}


def rules_advice(game: Game) -> list[str]:
    """What the cover says of the rulebook."""
    file = f"{game.name.replace('/', '-')}-rulebook.pdf"
    lines = [f"The rules are a file of their own, {file}: exchequer print {game.name} --rulebook."]
    if game.learn:
        lines.append("Its first two pages teach the game to somebody who has never played; print "
                     "them for everybody. In the paragraphs after them you look things up.")
    return lines


def samples(decks: list[Deck]) -> list[dict[str, Any]]:
    """The first, the middle and the last card, for the cover."""
    cards = [(deck, piece) for deck in decks if deck.shape == "card" for piece in deck.pieces]
    chosen = sorted({0, len(cards) // 2, len(cards) - 1}) if cards else []
    return [{"id": piece.id, "width": deck.width, "height": deck.height, **face_data(piece.front)}
            for deck, piece in (cards[number] for number in chosen)]


def variant_title(game: Game, content: Content) -> str:
    """What the cover says about the changes: how many, since a variant may have no name."""
    count = len(changes(game, content))
    if not count:
        return ""
    return f"a variant: {count} {'value' if count == 1 else 'values'} changed"


def unshown(game: Game, content: Content) -> list[str]:
    """Changed card values that no piece shows: the cards' texts may be wrong now."""
    plain = decks_of(game, game.content())
    return [".".join(path) for path, value in leaves(content.overlay)
            if path[0] != "rules" and decks_of(game, game.content(nested(path, value))) == plain]


def nested(path: tuple[str, ...], value: Any) -> Words:
    for key in reversed(path):
        value = {key: value}
    return value


def edition(game: Game, content: Content) -> str:
    """Which content this is, for the margin, so that old prints can be told apart."""
    return f"{game.title}, content {content.hash[:8]}"


def contents(decks: list[Deck], laid: list[dict[str, Any]], backs: bool) -> list[dict[str, Any]]:
    """A row of the cover's table for each deck: how many, how large, on which pages."""
    first_page = 3 if backs else 2
    rows = []
    for deck in decks:
        on = [number for number, page in enumerate(laid, first_page)
              if any(block["deck"] == deck.id for block in page["blocks"])]
        rows.append({"title": deck.title, "copies": deck.copies,
                     "size": f"{deck.width:g} \N{MULTIPLICATION SIGN} {deck.height:g} mm",
                     "pages": f"{on[0]} to {on[-1]}" if len(on) > 1 else f"{on[0]}"})
    return rows
