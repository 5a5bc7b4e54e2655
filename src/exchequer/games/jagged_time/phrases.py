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
from exchequer.games.jagged_time.notation import FAMILIES, LISTS, SPECIAL, matched

SAID = {  # shape -> phrase; {0}, {1}, {2} are the capitals of the shape in their order
    "gain RESOURCE NUMBER": "gain {1} {0}",
    "lose RESOURCE NUMBER": "lose {1} {0}",
    "spend RESOURCE NUMBER": "spend {1} {0}",
    "gain_mix NUMBER RESOURCES": "gain {0:unit} of {1}",
    "gain_any NUMBER": "gain {0:unit} of any resource",
    "max RESOURCE CHANGE": "{0} maximum {1}",
    "max RESOURCES CHANGE": "{0} maximum {1}",
    "max_all CHANGE": "all maxima {0}",
    "card CARD TIMES": "gain {1:/# copies of }{0}",
    "hand ACTION TIMES": "gain {1:/# }{0} to hand",
    "deck CARD TIMES": "shuffle {1:/# copies of }{0} into its deck",
    "draw NUMBER": "draw {0:card}",
    "next_draw CHANGE": "draw {0:# more/# fewer} for the next turn",
    "draw_limit CHANGE": "draw {0:# more/# fewer} each turn from now on",
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
    "front CHANGE": "its marker {0:rises by #/falls by #}",
    "front_set NUMBER": "its marker goes to {0}",
    "timers_random NUMBER": "a random timer loses 1{0:/, # times}",
    "play SUB NUMBER less NUMBER": "play {1:one/#} {0} {1:card/cards} from hand for {2} less",
    "lose_game": "you lose the game",
    # the later acts
    "goto MILESTONE": "{0} follows",
    "win": "you have come through",
    "card_list LIST": "gain {0}",
    "unlock trade": "trade goods come into play, their maximum is {trade}",
    "tracker TRACKER CHANGE": "the {0} {1:advances by #/falls back by #}",
    "advance option LETTER NUMBER": "its {0} option advances by {1}",
    "modify ACTION: cost any CHANGE": "from now on {0} costs {1:# more/# less}, but never below 1",
    "modify ACTION: gains no RESOURCE": "from now on {0} gains no {1}",
    "modify ACTION: gains RESOURCE CHANGE": "from now on {0} gains {2:# more/# less} {1}",
    "no_resolve next_turn": "nothing can be resolved in the next turn",
    "card OBJECTIVE if taken OBJECTIVE LETTER": "if the {2} option of {1} was ever taken, gain {0}",
    "card random objective SUB": "gain a random first-tier crisis of {0}",
    "card unlocked SUB": "gain a {0} that you control or have lost",
    "roll cataclysm NUMBER": "{0} cataclysms of the die become active and come, one of each",
    "activate cataclysm NUMBER": "{0} further {0:cataclysm becomes/cataclysms become} active and "
                                 "{0:comes/come}",
    "gain_active_cataclysm NUMBER": "gain {0} random active {0:cataclysm/cataclysms}",
    "become random active sub:cataclysm": "a random active cataclysm takes its slot",
    "resolve NUMBER": "take {0:one step/up to # steps} of the Resolution Phase now",
    "specialize SUB NUMBER": "specialise {1} {0} {1:card/cards}",
    "transform SUB->ACTION TIMES": "{1:one/#} of your {0[0]} cards {1:becomes/become} {0[1]}",
    "destroy_objectives upto NUMBER SUB": "destroy up to {0} {1} {0:objective/objectives} of the "
                                          "agenda",
    "replace SUB": "a {0} objective of your choice replaces {replaced}",
    # conditions
    "gained RESOURCE NUMBER this turn": "you have gained {1} {0} this turn",
    "gained RESOURCE NUMBER this phase": "you have gained {1} {0} in the Action Phase",
    "control SUB NUMBER": "you control {1} {0} {1:card/cards}",
    "control cards NUMBER": "you control {0:card}",
    "total resources NUMBER": "your banks hold {0:unit}",
    "no SUB exists": "there is no {0} objective",
    "not played ACTION": "you have played no {0} this turn",
    "control specialised SUB NUMBER": "you control {1} specialised {0} {1:card/cards}",
    # what a milestone is worth that is not resolved
    "bank RESOURCES NUMBER times NUMBER": "{2:point} for each of up to {1} {0} in the bank",
    "gained RESOURCE NUMBER times NUMBER": "{2:point} for each of up to {1} {0} gained in a turn",
    "control SUB NUMBER times NUMBER": "{2:point} for each of up to {1} {0} cards",
    "marker times NUMBER": "{0:point} for each step of its marker",
    "steps times NUMBER": "{0:point} for each step of an option",
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
    if kind in ("ACTION->ACTION", "SUB->ACTION"):
        old, new = word.split("->")
        return [value(content, kind.partition("->")[0], old), reference(new)]
    if kind in ("CARD", "ACTION", "ACTION:", "OBJECTIVE", "MILESTONE"):
        return reference(word.rstrip(":"))
    if kind == "LETTER":
        return {"A": "first", "B": "second"}[word]
    if kind == "LIST":
        return listing([reference(card) for card in content.value(LISTS[word])])
    return word.removeprefix("sub:").replace("|", " or ").replace("_", " ")


def listing(names: Sequence[str], last: str = "and") -> str:
    return ", ".join(names[:-1]) + f" {last} {names[-1]}" if len(names) > 1 else "".join(names)


@functools.lru_cache(maxsize=64)
def ruled(content: Content) -> Mapping[str, str]:
    """The words of a phrase that depend on a switch of the content."""
    rule = content.value
    guarded = " but a third-tier crisis" if rule("replace_protects_tier3") else ""
    return {
        "trade": str(rule("trade_max")),
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
    """JL-3 Whether trade goods come into play."""
    cards = str([card_words(content, card) for card in in_play(content)])
    return content.value("extra_max")[-1] > 0 or \
        re.search(r"unlock trade|max \S*trade\S* \+", cards) is not None


def card_words(content: Content, card: str) -> Mapping[str, Any]:
    """What content.toml says about a card."""
    return content.words[family_of(content, card)][card]


def family_of(content: Content, card: str) -> str:
    return next(name for name in FAMILIES if card in content.words.get(name, {}))


# Which cards there are ---------------------------------------------------------------------------

ID = re.compile(r"\b[A-Z]\d+(?:\+|\b)")


@functools.lru_cache(maxsize=64)
def in_play(content: Content) -> tuple[str, ...]:
    """The cards that can come up in this content: those at the start, and what they lead to."""
    words = content.words
    ahead = [key for family in FAMILIES for key, card in words[family].items()
             if number(content, card.get("start", 0)) or card.get("misfortune")]
    ahead += content.value("milestones")
    special = specialised_cards(content)
    found: set[str] = set()
    while ahead:
        card = ahead.pop()
        if card not in found:
            found.add(card)
            ahead += leads_to(content, card) + special.get(card, [])
    return tuple(key for family in FAMILIES for key in words[family] if key in found)


def leads_to(content: Content, card: str) -> list[str]:
    """The cards that a card's entry can bring, by id, by subtype, from a list or from the die."""
    words = content.words
    text = str({key: value for key, value in card_words(content, card).items()
                if key not in ("name", "aliases", "next")})
    found = [key for key in ID.findall(re.sub(r"goto \S+", "", text))
             if any(key in words[family] for family in FAMILIES)]
    for name, rule in LISTS.items():
        found += content.value(rule) if f"card_list {name}" in text else []
    found += content.value("cataclysms") if "cataclysm" in text else []
    for sub in re.findall(r"replace sub:(\w+)", text):
        found += [key for key, entry in words["objective"].items()
                  if sub in entry.get("subtypes", [])]
    return found


def specialised_cards(content: Content) -> dict[str, list[str]]:
    """JL-5 The "+" versions of each card, where an act that specialises is part of the content."""
    found: dict[str, list[str]] = {}
    if any(content.words["milestone"][key].get("act", 1) != 1
           for key in content.value("milestones")):
        for key, entry in content.words["action"].items():
            if "specialises" in entry:
                found.setdefault(entry["specialises"], []).append(key)
    return found


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
