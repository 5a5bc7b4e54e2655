"""The one generator of text: what every card says, from its entry in the content.

A card is a few lines: what it does, what that costs, when it happens and what becomes of the card.
Board, terminal and print lay the same lines out; tooltips and lookups take them as running text.
`thing` gives a card its three lengths.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from exchequer.core.content import Content
from exchequer.core.words import Text, counted
from exchequer.games.jagged_time.acts import flood_said
from exchequer.games.jagged_time.compiler import returning
from exchequer.games.jagged_time.notation import FAMILIES
from exchequer.games.jagged_time.phrases import (
    capital,
    card_words,
    family_of,
    in_play,
    joined,
    listing,
    number,
    phrase,
    reference,
    sentences,
    together,
)

Words = Mapping[str, Any]
Units = tuple[tuple[int, str], ...]  # a price: (2, "food"), (1, "any")
REFERENCE = re.compile(r"\[\[([^\]]+)\]\]")
GONE, BACK = "It leaves the game for good.", "It returns to the discard."
WIN, LOSE = "You win the game.", "You lose the game."
KEYWORDS = {  # subtypes that are rules (J-7)
    "mandatory": "Mandatory: the Action Phase cannot end while you could play it.",
    "seasonal": "Seasonal: unplayed at the end of the Action Phase, it leaves the game.",
    "inevitable": "Inevitable: its timer cannot be delayed.",
}


@dataclass(frozen=True)
class Line:
    """A statement of a card: a head, what it costs, what happens."""

    field: str  # of the content, such as "effect" or "timer"
    head: str
    text: str
    icon: str = ""
    cost: Units = ()
    terms: str = ""  # what it takes besides: a condition, or a price in words
    boxes: int = 0  # places for cubes that count steps
    index: int = 0  # which of the card's options

    @property
    def price(self) -> str:
        return joined(priced(self.cost) if self.cost else "", self.terms)

    def __str__(self) -> str:
        price = f" ({self.price})" if self.price else ""
        return f"{self.head}{price}: {self.text}" if self.head else self.text


# Names -------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=4096)
def card_name(content: Content, card: str) -> str:
    """J-R1 J-R3 The name on the card; cards that share one say what tells them apart."""
    name = card_words(content, card)["name"]
    alike = [other for family in FAMILIES for other, words in content.words[family].items()
             if words["name"] == name and other != card]
    return f"{name} ({difference(content, card, alike)})" if alike else name


def difference(content: Content, card: str, others: Sequence[str]) -> str:
    """What stands on this card and not on its namesakes."""
    if branch := card_words(content, card).get("branch"):
        return branch  # JL-55
    known = [line for other in others for line in card_lines(content, other)]
    for line in card_lines(content, card):
        if line.head and line.head not in {other.head for other in known}:
            return line.head[:1].lower() + line.head[1:]
        if str(line) not in map(str, known):
            return REFERENCE.sub(lambda it: card_words(content, it[1])["name"], str(line))
    return f"no. {1 + sum(other < card for other in others)}"


def named(content: Content, text: str) -> str:
    """A text with names in place of its references."""
    return REFERENCE.sub(lambda found: card_name(content, found[1]), text)


def priced(units: Units) -> str:
    return " and ".join(f"{amount} {'of any resource' if name == 'any' else name}"
                        for amount, name in units) or "nothing"


def units(content: Content, price: Words) -> Units:
    return tuple((number(content, amount), name) for name, amount in price.items())


def costs(content: Content, card: str) -> list[Units]:
    """The ways to pay for an action."""
    return [units(content, cost) for cost in card_words(content, card).get("cost", [])]


def cost_text(content: Content, card: str) -> str:
    ways = costs(content, card)
    between = ", or " if any(len(way) > 1 for way in ways) else " or "
    return between.join(map(priced, ways)) or "nothing"


# A card's lines ----------------------------------------------------------------------------------

def lines(content: Content, card: str) -> list[Line]:
    """What a card says, in the order in which it is read."""
    return [replace(line, text=named(content, line.text), terms=named(content, line.terms))
            for line in card_lines(content, card)]


@functools.lru_cache(maxsize=4096)
def card_lines(content: Content, card: str) -> tuple[Line, ...]:
    """The lines of a card with references for names."""
    words = card_words(content, card)
    return tuple(replace(line, text=line.text.replace(f"ain {reference(card)}",
                                                      f"ain another copy of {reference(card)}"))
                 for part in PARTS for line in part(content, card, words))


def played(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-24 What playing an action does."""
    gone = GONE if "expendable" in words.get("subtypes", []) else ""
    if province := words.get("province"):
        test = f"{capital(' + '.join(province['sum']))} at least " \
               f"{number(content, province['at_least'])}"
        held, failed = (joined(sentences(content, province.get(key, [])), gone)
                        for key in ("then", "else"))
        yield Line("province", test, held, "victory")
        yield Line("province", "Otherwise", failed, "defeat")
        gone = ""
    if text := joined(sentences(content, words.get("effect", [])), gone):
        yield Line("effect", "", text)


def immediate(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-R81"""
    if tokens := words.get("immediate"):
        when = "When it enters" if family_of(content, card) == "objective" else "When drawn"
        yield Line("immediate", when, sentences(content, tokens))


def retained(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-28"""
    if tokens := words.get("retained"):
        yield Line("retained", "Retained (if unplayed)", sentences(content, tokens), "retained")


def clock(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-6 An action advances its clock when it is played, an objective where its text says so."""
    if found := words.get("clock"):
        size = number(content, found["size"])
        when = f"Its clock at {size}" if family_of(content, card) == "objective" else \
            "Every play" if size == 1 else f"Every {size} plays"
        shared = "" if found["name"] == words["name"] else f"Counted together with {found['name']}."
        text = joined(sentences(content, found.get("full", [])), shared)
        yield Line("clock", when, text, "clock")


def options(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-30 J-31 J-32"""
    for index, option in enumerate(words.get("options", [])):
        yield replace(option_line(content, card, option), index=index)


def option_line(content: Content, card: str, option: Words) -> Line:
    """An option: its name, what it takes and what it brings."""
    name, tokens = option.get("name", "Option"), option.get("effect") or option.get("full") or []
    text = joined(sentences(content, tokens), option_then(content, card, option["then"], tokens))
    if "clock" in option:
        size = number(content, option["clock"])
        each = joined("One step." if "advance" in option else "Each step:"
                      if option.get("each") else "", sentences(content, option.get("each", [])))
        text = f"{each} After {counted(size, 'step')}: {text[:1].lower()}{text[1:]}"
        return Line("options", name, text.lstrip(), "", units(content, option.get("advance", {})),
                    step_terms(option), boxes=size)
    if "spend_per" in option:
        per = dict(option["spend_per"])
        cards = number(content, per.pop("per_controlled_cards"))
        return Line("options", name, text, "", units(content, per),
                    f"for every {counted(cards, 'card')} you control")
    if need := option.get("need"):
        terms = together([phrase(content, token) for token in need])
        return Line("options", name, text, terms=f"if {terms}")
    mixed = mix_terms(content, option["spend_mix"]) if "spend_mix" in option else ""
    price = price_terms(content, option["pay_effect"]) if option.get("pay_effect") else ""
    both = "and" if price and (mixed or option.get("spend")) else ""
    return Line("options", name, text, "", units(content, option.get("spend", {})),
                joined(mixed, both, price))


def step_terms(option: Words) -> str:
    """JL-6 JL-13 Who advances an option that cannot be paid for."""
    if "advance" in option:
        return ""
    tracker = option.get("tracker", "")
    return f"a step whenever the {tracker.replace('_', ' ')} advances" if tracker else \
        "a step whenever its timer runs out"


def mix_terms(content: Content, mix: Words) -> str:
    """JL-9"""
    return f"{counted(number(content, mix['n']), 'unit')} of {' or '.join(mix['of'])}"


def option_then(content: Content, card: str, then: str, tokens: Sequence[str]) -> str:
    """What becomes of a card after one of its options."""
    if then == "next":
        led = any(token.startswith("goto ") for token in tokens)
        return WIN if wins(content, card, tokens) else "" if led else follows(content, card)
    leaves = any(token.startswith(("become", "destroy self")) for token in tokens)
    if then in ("stay", "become") and not leaves:
        return "It stays."
    return {"return": BACK, "destroy": GONE}.get(then, "")


def follows(content: Content, card: str) -> str:
    """JL-2 The first act has one way; from then on a milestone names the next."""
    words = card_words(content, card)
    return f"{reference(words['next'])} follows." if words.get("act") else \
        "The next milestone follows."


def ways_on(content: Content, card: str) -> list[str]:
    """JL-2 The milestones of this game that can follow one, in the order of its options."""
    words = card_words(content, card)
    found = re.findall(r"'goto (\w+)'", str({key: words[key] for key in ("on_reveal", "options")
                                            if key in words}))
    return [key for key in dict.fromkeys(found or [words.get("next")])
            if key in content.value("milestones")]


def act_name(content: Content, card: str) -> str:
    """The act that brings a card; the first needs no word."""
    act = card_words(content, card).get("act")
    return "" if not act else "the Eclipse" if act == "eclipse" else f"act {act}"


def price_terms(content: Content, price: Sequence[str]) -> str:
    """J-R42 J-R43 An effect that is a price, and what one must have to take it."""
    said = "price: " + " and ".join(phrase(content, token) for token in price)
    if any(token.startswith("destroy random") for token in price):
        strict = content.value("tier3_price") == "strict"
        said += "; you must have them" if strict else "; one is enough"
    if any(token.startswith("disrupt") for token in price):  # JL-53
        said += "; the deck must hold them" if content.value("tier3_price") == "strict" else ""
    lost = [number(content, token.split("-")[1]) for token in price if token.startswith("max")]
    if lost and content.value("vassalization_price") == "strict":
        which = "each" if any(token.startswith("max_all") for token in price) else "it"
        said += f"; {which} must be {lost[0]} or more"
    return said


def track(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-33 J-38 J-40"""
    if not (found := words.get("track")):
        return
    start, size, step, decay = (number(content, found.get(key, 1))
                                for key in ("start", "size", "step", "decay"))
    falls = f"falls by {decay} each turn" if decay else "does not fall by itself"
    yield Line("track", "A step", f"Marker +{step}. It starts at {start}, {falls}, is won at "
               f"{size} and lost at 0.", "", units(content, found["pay"]))
    yield Line("track", "Won", won(content, card, found.get("victory", [])), "victory")
    then = found["defeat_then"]
    defeat = without_self(content, card, found.get("defeat", []), then)
    after = {"return": BACK, "destroy": GONE, "become": ""}.get(then)
    if after is None:  # the marker is set back last, wherever the defeat has moved it
        after = f"Its marker starts again at {start}."
        defeat = [token for token in defeat if not token.startswith("front")]
    yield Line("track", "Lost", joined(sentences(content, defeat), after), "defeat")


def won(content: Content, card: str, victory: Sequence[str]) -> str:
    """J-33 J-65 J-R76 The last milestone wins the game, and nothing further is carried out."""
    if family_of(content, card) == "milestone":
        return WIN if wins(content, card) else \
            joined(sentences(content, victory), follows(content, card))
    becomes = any(token.startswith("become ") for token in victory)
    return joined(sentences(content, victory), "" if becomes else GONE)


def wins(content: Content, card: str, tokens: Sequence[str] = ()) -> bool:
    """J-65 J-R4 Whether the way leads out of the milestones of this game."""
    led = [token.split()[1] for token in tokens if token.startswith("goto ")]
    follows = led[-1] if led else card_words(content, card).get("next", "")
    return not follows or (card in content.value("milestones")
                           and follows not in content.value("milestones"))


def without_self(content: Content, card: str, tokens: Sequence[str], then: str) -> list[str]:
    """J-R64 `self_gain` = return_only drops the gained copies of a card that returns."""
    drops = then == "return" and content.value("self_gain") == "return_only"
    return [token for token in tokens if not (drops and token.split()[:2] == ["card", card])]


def upkeep(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-22"""
    if found := words.get("upkeep"):
        times = number(content, found["clock"])
        late = found.get("when") == "resolution start"
        when = "Start of each Resolution Phase" if late else "Start of each turn"
        yield Line("upkeep", when, sentences(content, found.get("effect", [])), "upkeep",
                   boxes=times)
        if found.get("full"):
            yield Line("upkeep", f"After {counted(times, 'time')}",
                       sentences(content, found.get("full", [])), "clock")


def escalation(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-59"""
    if "escalation" not in words:
        return
    tokens = list(words["escalation"])
    text = "Both leave the game."
    if tokens and tokens[0].startswith("become ") and "random" not in tokens[0]:
        text = f"Both leave the game and {reference(tokens.pop(0).split()[1])} enters."
    yield Line("escalation", "Two in the agenda", joined(text, sentences(content, tokens)),
               "crisis")


def timer(content: Content, card: str, words: Words) -> Iterator[Line]:
    """J-35 J-36 J-66"""
    if not (found := words.get("timer")):
        return
    then = found["then"]
    tokens = without_self(content, card, found.get("effect", []), then)
    progress = lost_progress(content, words) if then == "return" else ""
    turns = [token for token in tokens if token.startswith("become ")]
    if then == "return" and turns:  # JL-41 JL-47
        tokens, then = [returning(token) for token in tokens], "supply"
    after = {"return": BACK, "destroy": GONE, "reset": "Its timer starts again.",
             "supply": "It goes back to the supply.",
             "next": WIN if wins_by_timer(content, card) else ""}.get(then, "")
    text = LOSE if then == "lose" else joined(sentences(content, tokens), progress, after)
    if found.get("paused_if_advanced"):
        text += " In a turn in which it was advanced its timer stands still."
    yield Line("timer", f"Its timer of {number(content, found['size'])} runs out", text, "timer")


def lost_progress(content: Content, words: Words) -> str:
    """J-R66 J-R67"""
    kept = "project" in words.get("subtypes", []) and content.value("project_progress") == "kept"
    built = any("advance" in option for option in words.get("options", []))
    return "Its progress is lost." if built and not kept else ""


def wins_by_timer(content: Content, card: str) -> bool:
    """JL-57 A timer that leads on resolves its milestone."""
    found = card_words(content, card)["timer"]
    return found["then"] == "next" and wins(content, card, found.get("effect", []))


def revealed(content: Content, card: str, words: Words) -> Iterator[Line]:
    """JL-1"""
    if tokens := words.get("on_reveal"):
        follows = "" if any(token.startswith("goto ") for token in tokens) else \
            f"{reference(words['next'])} follows." if "next" in words else ""
        yield Line("on_reveal", "When it comes up", joined(sentences(content, tokens), follows))


PARTS = (revealed, played, immediate, options, clock, retained, track, upkeep, escalation, timer)


# Three lengths -----------------------------------------------------------------------------------

def thing(content: Content, table: str, key: str) -> Text:
    """A card as its name, what it comes to in a line, and everything that is known about it."""
    return Text(card_name(content, key), line(content, key), full(content, key))


def line(content: Content, card: str) -> str:
    """What playing an action brings; what an objective or milestone asks for."""
    every = lines(content, card)
    if family_of(content, card) == "action":
        return joined(*(str(it) for it in every
                        if it.field in ("effect", "province", "clock")))
    ways = [f"{it.head} ({it.price or 'free'})" for it in every if it.field == "options"]
    ways += [f"Win its track ({it.price} a step)" for it in every if it.head == "A step"]
    return f"{' or '.join(ways)}." if ways else joined(*map(str, every))


def printed(content: Content, card: str) -> str:
    """Everything that stands on a card."""
    return joined(*map(str, lines(content, card)))


def full(content: Content, card: str) -> str:
    """All that stands on a card and all that is known about it besides."""
    return joined(*heading(content, card), printed(content, card), *notes(content, card))


def heading(content: Content, card: str) -> Iterator[str]:
    words = card_words(content, card)
    if "crisis" in words:
        yield f"A crisis of tier {number(content, words['crisis'])}."
    if family_of(content, card) == "action":
        paid = cost_text(content, card)
        yield "Free." if paid == "nothing" else f"Costs {paid}."


def notes(content: Content, card: str) -> Iterator[str]:
    """Keywords, where a card comes from and what else it is called."""
    words = card_words(content, card)
    subtypes = words.get("subtypes", [])
    if base := words.get("specialises"):
        yield f"Counts as {card_name(content, base)}."
    if "next" in words and not words.get("act") and not wins(content, card):
        yield f"It leads to {card_name(content, words['next'])}."
    if branch := words.get("branch"):
        yield f"The way of {branch}."
    if act := act_name(content, card):
        yield f"A card of {act}."
    yield from (KEYWORDS[name] for name in subtypes if name in KEYWORDS)
    if subtypes:
        yield f"Subtypes: {', '.join(subtypes)}."
    if resource := misfortune(content, card):
        yield f"Misfortune: comes for each {resource} that you must lose and do not have."
    if worth := progress(content, card):
        yield f"Unresolved at the end: {worth}"
    if start := number(content, words.get("start", 0)):
        yield f"{'One copy' if start == 1 else f'{start} copies'} at the start."
    if slot := number(content, words.get("tutorial", 0)):
        yield f"In slot {slot} of a first game."
    if aliases := words.get("aliases"):
        yield f"Also called {' or '.join(aliases)}."


def progress(content: Content, card: str) -> str:
    """J-69 What a milestone is worth that is not resolved."""
    worth = card_words(content, card).get("progress", [])
    return f"{', or '.join(phrase(content, it) for it in worth)}." if worth else ""


@functools.lru_cache(maxsize=64)
def named_clocks(content: Content) -> dict[str, tuple[str, int]]:
    """J-6 The clocks of the cards that can come up: the first card of each, and its size."""
    found: dict[str, tuple[str, int]] = {}
    for card in in_play(content):
        if clock := card_words(content, card).get("clock"):
            found.setdefault(clock["name"], (card, number(content, clock["size"])))
    return found


def misfortune(content: Content, card: str) -> str:
    """J-14 J-R31 The resource whose lack brings this card, in this variant."""
    family = "action" if content.value("misfortune") == "action" else "objective"
    return content.words[family].get(card, {}).get("misfortune", "")


def goal(content: Content) -> str:
    """J-65 J-66 J-67 What one is to do, and what to fear."""
    count = int(content.record.n_milestones)
    last = listing([card_name(content, card) for card in last_milestones(content)], "or")
    win = f"Resolve {last} to win the game." if count == 1 else \
        f"Resolve {count} milestones one by one; the last, {last}, wins the game."
    flood = flood_said(content)
    crowd = f", and so do {flood}" if flood else ""
    return f"{win} A third-tier crisis whose timer runs out loses it{crowd}."


def last_milestones(content: Content) -> list[str]:
    """J-65 Those whose resolution can win the game."""
    def ways(card: str) -> list[Sequence[str]]:
        words = card_words(content, card)
        return [option.get("full") or option.get("effect") or []
                for option in words.get("options", [])] or [[]]
    return [card for card in content.value("milestones")
            if "on_reveal" not in card_words(content, card)
            and any(wins(content, card, tokens) for tokens in ways(card))]
