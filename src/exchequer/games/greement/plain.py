"""Greement as lines of text: a map of letters, the players, the table of values, what is open."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.plain_text import named
from exchequer.core.words import counted
from exchequer.games.greement.terminal import LETTERS, SIDE, cards, heading, money, talk

LEGEND = ("Map (· land, c crop, C cattle, $ mine, ~ lake, ^ mountain, ? hidden; a number is the "
          "owner):")


def lines(view: dict[str, Any], content: Content, names: Sequence[str]) -> Iterator[str]:
    yield f"{heading(view)}. {counted(view['deck'], 'event')} in the deck."
    for seat, player in enumerate(view["players"]):
        first = ", first player" if seat == view["first_player"] else ""
        yield f"{seat + 1} {named(view, names, seat)}{first}: {player_text(player)}"
    yield LEGEND
    yield from board(view)
    yield f"Values: {values(view, content)}."
    yield from (text.plain for text in (*cards(view, content), *talk(view, names)))


def player_text(player: Mapping[str, Any]) -> str:
    """What may not be known of a player is hidden, and what is 0 is left out."""
    said = [f"cash {amount(player['cash'])}", f"debt {amount(player['debt'])}",
            f"{counted(player['squares'], 'square')} worth {money(player['worth'])}",
            f"profit {money(player['profit'])}"]
    said += [f"has pledged {money(player['pledged'])}"] if player["pledged"] else []
    said += ["has voted"] if player["voted"] else []
    return ", ".join(said) + "."


def amount(coins: int | None) -> str:
    return "hidden" if coins is None else money(coins)


def board(view: Mapping[str, Any]) -> Iterator[str]:
    """Ten rows of squares, each with its owner's number."""
    yield "  " + " ".join(f"{column + 1:<2}" for column in range(SIDE)).rstrip()
    for row in range(SIDE):
        squares = view["squares"][row * SIDE : (row + 1) * SIDE]
        yield f"{chr(ord('A') + row)} " + " ".join(map(square_text, squares)).rstrip()


def square_text(square: Mapping[str, Any]) -> str:
    owner = square["owner"]
    return f"{LETTERS[square['use']]}{' ' if owner is None else owner + 1}"


def values(view: Mapping[str, Any], content: Content) -> str:
    return ", ".join(
        f"{content.words['value'][key]['name']} "
        f"{f'x{number}' if key in ('lake', 'mountain', 'loan') else f'{number}c'}"
        for key, number in view["table"].items())
