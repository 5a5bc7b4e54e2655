"""The notation of the cards in words: "hand C3 x2" is "2 [[C3]] to hand".

`SAID` has a phrase for every shape that `notation.py` knows, so a new card needs no words of its
own. A card is named by a reference such as [[C3]]; `texts.py` puts names in their place, the
browser links.
"""

import functools
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.words import counted
from exchequer.games.jagged_time.notation import FAMILIES, SPECIAL, matched

SAID = {  # shape -> phrase; {0}, {1}, {2} are the capitals of the shape in their order
    "gain RESOURCE NUMBER": "gain {1} {0}",
    "lose RESOURCE NUMBER": "lose {1} {0}",
    "spend RESOURCE NUMBER": "spend {1} {0}",
    "gain_mix NUMBER RESOURCES": "gain {0:unit} of {1}",
    "gain_any NUMBER": "gain {0:unit} of any resource",
    "max RESOURCE CHANGE": "{0} maximum {1}",
    "max RESOURCES CHANGE": "{0} maximum {1}",
    "max_all CHANGE": "all maxima {0}",
    "card CARD TIMES": "gain {1:/# }{0}",
    "hand ACTION TIMES": "gain {1:/# }{0} to hand",
    "deck CARD TIMES": "shuffle {1:/# }{0} into its deck",
    "draw NUMBER": "draw {0:card}",
    "next_draw CHANGE": "draw {0:# more/# fewer} for the next turn",
    "draw_limit CHANGE": "draw {0:# more/# fewer} for every turn from now on",
    "disrupt NUMBER": "the top {0:card goes/# cards go} from the deck to the discard",
    "recur NUMBER": "take {0:card} from the discard to hand",
    "recur NUMBER SUB": "take {0} {1} {0:card/cards} from the discard to hand",
    "reshuffle NUMBER": "shuffle {0:card} of the discard into the deck",
    "reshuffle FAMILY": "shuffle the discard of {0} into its deck",
    "scout SCOUTED": "look at the next {0:objective}, one {scout} go to the bottom",
    "delay NUMBER TIMES": "delay a timer by {0}{1:/, # times}",
    "transform ACTION->ACTION TIMES": "{1:one/#} {0[0]} {1:becomes/become} {0[1]}{short}",
    "become OBJECTIVE": "it becomes {0}",
    "replace OBJECTIVE": "{0} replaces {replaced}",
    "copy SUB": "gain a copy of one of your {0} cards",
    "copy ACTION": "gain a copy of {0} if you control one",
    "destroy self": "it leaves the game for good",
    "destroy all SUB": "destroy all your {0} cards{revolt}",
    "destroy random SUB NUMBER": "destroy {1} random {0} {1:card/cards}",
    "destroy OBJECTIVE TIMES anywhere": "destroy {1:one/up to #} {0} anywhere",
    "destroy SUB NUMBER": "destroy {1} {0} {1:card/cards} of your choice",
    "destroy_cards NUMBER": "destroy {0:card} of your choice",
    "destroy ACTION": "destroy all your copies of {0}",
    "agenda CHANGE": "slots of the agenda {0}",
    "advance project NUMBER": "advance a project by {0}",
    "advance war NUMBER": "advance a war by {0}",
    "advance own clock NUMBER": "its clock advances by {0}",
    "front CHANGE": "its marker moves by {0}",
    "front_set NUMBER": "its marker goes to {0}",
    "timers_random NUMBER": "a random timer loses 1{0:/, # times}",
    "play SUB NUMBER less NUMBER": "play {1:one/#} {0} {1:card/cards} from hand for {2} less",
    "lose_game": "you lose the game",
    # conditions
    "gained RESOURCE NUMBER this turn": "you have gained {1} {0} this turn",
    "gained RESOURCE NUMBER this phase": "you have gained {1} {0} in the Action Phase",
    "control SUB NUMBER": "you control {1} {0} {1:card/cards}",
    "control cards NUMBER": "you control {0:card}",
    "total resources NUMBER": "your banks hold {0:unit}",
    "no SUB exists": "there is no {0} objective",
    "not played ACTION": "you have played no {0} this turn",
    # what a milestone is worth that is not resolved
    "bank RESOURCES NUMBER times NUMBER": "{2:point} for each of up to {1} {0} in the bank",
    "gained RESOURCE NUMBER times NUMBER": "{2:point} for each of up to {1} {0} gained in a turn",
    "control SUB NUMBER times NUMBER": "{2:point} for each of up to {1} {0} cards",
    "marker times NUMBER": "{0:point} for each step of its marker",
}


class Count(int):
    """A number in a phrase: {0:card} is "1 card" or "2 cards", {0:one/#} is "one" or "2"."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(int(self))
        one, slash, many = spec.partition("/")
        if not slash:
            return counted(self, one)
        return (one if self == 1 else many).replace("#", str(int(self)))


class Change(int):
    """A number with its sign: {0} is "+2", {0:# more/# fewer} is "2 more"."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return f"{int(self):+d}"
        more, _, fewer = spec.partition("/")
        return (more if self > 0 else fewer).replace("#", str(abs(self)))


def number(content: Content, value: Any) -> int:
    """A number may be the name of a rule."""
    return int(content.words["rules"].get(value, value) if isinstance(value, str) else value)


def reference(card: str) -> str:
    return f"[[{card}]]"


def value(content: Content, kind: str, word: str) -> Any:
    """A word of a token as a phrase names it."""
    if kind in ("NUMBER", "SCOUTED"):
        return Count(number(content, word))
    if kind == "TIMES":
        return Count(number(content, word[1:]))
    if kind == "CHANGE":
        return Change(number(content, word[1:]) * (-1 if word[0] == "-" else 1))
    if kind == "ACTION->ACTION":
        return [reference(card) for card in word.split("->")]
    if kind in ("CARD", "ACTION", "OBJECTIVE"):
        return reference(word)
    return word.removeprefix("sub:").replace("|", " or ")


@functools.lru_cache(maxsize=64)
def ruled(content: Content) -> Mapping[str, str]:
    """The words of a phrase that depend on a switch of the content."""
    rule = content.value
    guarded = " but a third-tier crisis" if rule("replace_protects_tier3") else ""
    return {
        "scout": "must" if rule("scout_must") else "may",
        "short": " (you need that many)" if rule("transform_short") == "illegal" else "",
        "revolt": " and objectives" if rule("revolt_scope") == "everywhere" else "",
        "replaced": ("any card of the agenda" if guarded else "a card of the agenda") + guarded
        + (" or fills an empty slot" if rule("replace_to") == "any_slot" else ""),
    }


def phrase(content: Content, token: str) -> str:
    """One token; those that hold others say each of them."""
    head, colon, rest = token.partition(":")
    if colon and head.split()[0] in SPECIAL:
        return nested(content, head.split(), rest)
    words = token.split()
    for shape, text in SAID.items():
        if shape.split()[0] == words[0] and (parts := matched(shape, words)) is not None:
            return text.format(*(value(content, *part) for part in parts), **ruled(content))
    raise ValueError(f"no phrase for {token!r}")


def nested(content: Content, head: Sequence[str], rest: str) -> str:
    """choose: a | b / choose unless RULE: a | b / may: spend R n => a / menu R: a | b"""
    if head[0] == "may":
        price, _, gives = rest.partition("=>")
        return f"you may {phrase(content, price)}: {branch(content, gives)}"
    every = rest.split(" | ")
    possible = [part for part in every if can_happen(content, part)]
    parts = [branch(content, part) for part in possible or every]
    if head[0] == "menu":
        return f"for 1 {head[1]} each, any of these once: {', '.join(parts)}"
    if head[1:] and content.value(head[2]):  # choose unless RULE: the rule gives everything
        return " and ".join(parts)
    if len(parts) > 2:
        return f"one of these: {', '.join(parts)}"
    return f"either {' or '.join(parts)}" if len(parts) == 2 else parts[0]


def branch(content: Content, text: str) -> str:
    """An alternative: one token or several joined by " & "."""
    return " and ".join(phrase(content, token.strip()) for token in text.split(" & "))


def can_happen(content: Content, text: str) -> bool:
    """J-R16 An alternative in trade goods is none while nothing makes room for them."""
    return not all(" trade" in token for token in text.split(" & ")) or has_trade(content)


@functools.lru_cache(maxsize=64)
def has_trade(content: Content) -> bool:
    cards = str([content.words.get(family) for family in FAMILIES])
    return re.search(r"max \S*trade\S* \+", cards) is not None


def sentences(content: Content, tokens: Sequence[str]) -> str:
    """Effects one after the other, as they are carried out."""
    return " ".join(f"{capital(phrase(content, token))}." for token in tokens)


def together(clauses: Sequence[str]) -> str:
    """Clauses that begin and end alike as one: "you have gained 2 food and 1 might this turn"."""
    words = [clause.split() for clause in clauses]
    first = alike(words) if len(words) > 1 else []
    while first and first[-1].isdigit():
        first.pop()
    rest = [clause[len(first):] for clause in words]
    last = alike([clause[::-1] for clause in rest])[::-1] if first else []
    between = [" ".join(clause[:len(clause) - len(last)]) for clause in rest]
    return joined(" ".join(first), " and ".join(between), " ".join(last))


def alike(clauses: Sequence[Sequence[str]]) -> list[str]:
    """The words with which all of them begin."""
    columns = itertools.takewhile(lambda column: len(set(column)) == 1, zip(*clauses, strict=False))
    return [column[0] for column in columns]


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
