"""The notation of the cards as a printed card says it: "hand C3 x2" is "2 Levy Infantry to hand".

The terminal's `phrase` is short for menus; paper has room for whole sentences.
"""

import re
from collections.abc import Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.games.jagged_time.notation import FAMILIES
from exchequer.games.jagged_time.words import known_name

Words = dict[str, Any]

SAID = [  # shapes of `notation.FORMS` and `NEEDS`; N is a number or the name of a rule
    (r"(gain|lose|spend) (\w+) N", r"\1 \3 \2"),
    (r"gain_mix N (\S+)", r"gain \1 of \2"), (r"gain_any N", r"gain \1 of any resources"),
    (r"max (\S+) ([+-])N", r"\1 maximum \2\3"), (r"max_all ([+-])N", r"all maxima \1\2"),
    (r"card (\w+)", r"gain \1"), (r"card (\w+) xN", r"gain \2 \1"),
    (r"hand (\w+)", r"\1 to hand"), (r"hand (\w+) x1", r"\1 to hand"),
    (r"hand (\w+) xN", r"\2 \1 to hand"),
    (r"deck (\w+)", r"shuffle \1 into its deck"),
    (r"deck (\w+) xN", r"shuffle \2 \1 into the deck"),
    (r"draw N", r"draw \1"), (r"next_draw ([+-])N", r"next draw \1\2"),
    (r"draw_limit ([+-])N", r"every draw \1\2"),
    (r"disrupt N", r"top \1 of the deck to the discard"),
    (r"recur N", r"take \1 from the discard"),
    (r"recur N sub:(\S+)", r"take \1 \2 from the discard"),
    (r"reshuffle N", r"shuffle \1 of the discard into the deck"),
    (r"reshuffle (\w+)", r"shuffle the discard of \1 into the deck"),
    (r"scout N", r"see the next \1 objectives, one may go to the bottom"),
    (r"delay N", r"delay a timer by \1"), (r"delay N xN", r"delay a timer by \1, \2 times"),
    (r"transform (\w+)->(\w+)( x1)?", r"one \1 turns into \2"),
    (r"transform (\w+)->(\w+) xN", r"\3 \1 turn into \2"),
    (r"become (\w+)", r"becomes \1"), (r"replace (\w+)", r"\1 replaces a card of the agenda"),
    (r"copy sub:(\S+)", r"copy one \1 card"), (r"copy (\w+)", r"copy \1"),
    (r"destroy self", "it leaves the game"), (r"destroy all sub:(\S+)", r"destroy every \1 card"),
    (r"destroy random sub:(\S+) 1", r"destroy a random \1 card"),
    (r"destroy random sub:(\S+) N", r"destroy \2 random \1 cards"),
    (r"destroy (\w+) xN anywhere", r"destroy up to \2 \1, wherever they are"),
    (r"destroy sub:(\S+) N", r"destroy \2 \1"), (r"destroy_cards N", r"destroy \1 cards"),
    (r"destroy (\w+)", r"destroy \1"), (r"agenda ([+-])N", r"agenda \1\2"),
    (r"advance project N", r"advance a project by \1"), (r"advance war N", r"advance a war by \1"),
    (r"advance own clock N", "its clock advances"),
    (r"front ([+-])N", r"marker \1\2"), (r"front_set N", r"marker to \1"),
    (r"timers_random N", r"\1 times a random timer loses 1"),
    (r"play sub:(\S+) N less N", r"play \2 \1 card for \3 less"),
    (r"lose_game", "the game is lost"),
    (r"gained (\w+) N this (\w+)", r"\2 \1 gained this \3"),
    (r"control sub:(\S+) N", r"\2 \1 cards controlled"),
    (r"control cards N", r"\1 cards controlled"),
    (r"total resources N", r"\1 resources in all"), (r"no sub:(\S+) exists", r"no \1 about"),
    (r"not played (\w+)", r"no \1 played"),
]
SHAPES = [(re.compile(f"^{shape.replace('N', '([0-9]+)')}$"), said) for shape, said in SAID]


def number(content: Content, value: Any) -> int:
    """A number may be the name of a rule."""
    return content.words["rules"].get(value, value) if isinstance(value, str) else value


def said(content: Content, token: str) -> str:
    """One token; those that hold others say each of them."""
    head, colon, rest = token.partition(": ")
    if colon and head.startswith("choose"):
        return choice(content, head, rest.split(" | "))
    if colon and head.startswith("menu"):
        items = ", ".join(said(content, item) for item in rest.split(" | "))
        return f"for 1 {head.split()[1]} each: {items}"
    if colon and head == "may":
        price, _, gives = rest.partition(" => ")
        return f"you may {said(content, price)}: {said(content, gives)}"
    if " & " in token:
        return " and ".join(said(content, part) for part in token.split(" & "))
    return plain(content, token.strip())


def choice(content: Content, head: str, parts: Sequence[str]) -> str:
    """`choose unless RULE` gives everything where the rule is on."""
    rule = head.partition(" unless ")[2]
    every = [said(content, part) for part in parts]
    if rule and content.value(rule):
        return " and ".join(every)
    return f"either {every[0]} or {every[1]}" if len(every) == 2 else f"one of: {', '.join(every)}"


def plain(content: Content, token: str) -> str:
    rules = content.words["rules"]
    token = re.sub(r"[a-z]\w*_\w+|\b[mo]\d_\w+", lambda found: str(rules.get(found[0], found[0])),
                   token)
    for shape, text in SHAPES:
        if shape.match(token):
            token = shape.sub(text, token).replace("|", " or ")
            break
    return re.sub(r"\b[COMX]\d+\b", lambda found: card_name(content, found[0]), token)


def card_name(content: Content, card: str) -> str:
    """Cards that share a name are told apart by their number."""
    name = known_name(content, card)
    alike = sum(other["name"] == name for family in FAMILIES
                for other in content.words[family].values())
    return f"{name} {card}" if alike > 1 else name


def sentence(content: Content, tokens: Sequence[str]) -> str:
    """Effects one after the other, as they are carried out."""
    return " ".join(f"{capital(said(content, token))}." for token in tokens)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def units(content: Content, price: Words) -> list[list[Any]]:
    """A price as numbers and names of resources: [[2, "food"]]."""
    return [[number(content, amount), name] for name, amount in price.items()]
