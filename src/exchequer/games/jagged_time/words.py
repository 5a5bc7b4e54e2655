"""The Jagged Time in words: what has to be computed. The sentences are in `words.toml`, the texts
of the cards come from `texts.py`.
"""

import pathlib
import re
from collections.abc import Callable, Sequence
from typing import Any

from exchequer.core.agenda import top_item
from exchequer.core.content import Content, read_toml
from exchequer.core.sentences import Said
from exchequer.core.words import ActionTexts, counted
from exchequer.games.jagged_time.acts import ACT_NAMES, flood_said, later_points_said, turns_said
from exchequer.games.jagged_time.banks import saved
from exchequer.games.jagged_time.cards import controlled, kind_at, kind_in
from exchequer.games.jagged_time.notation import FAMILIES
from exchequer.games.jagged_time.phrases import branch, capital, joined
from exchequer.games.jagged_time.programs import EVERYTHING, act_of
from exchequer.games.jagged_time.state import (
    N_ACTIONS,
    N_ZONES,
    SHARES,
    Ask,
    Do,
    Phase,
    Pile,
)
from exchequer.games.jagged_time.tables import (
    ANY,
    MILESTONE,
    MOST_CARD_OPTIONS,
    MOST_CHOICES,
    MOST_COSTS,
    MOST_SCOUTED,
    MOST_SLOTS,
    N_KINDS,
    NO_KIND,
    NO_ROW,
    Act,
    Family,
    Op,
    Pay,
    Resource,
)
from exchequer.games.jagged_time.texts import (
    Line,
    card_name,
    card_words,
    cost_text,
    goal,
    line,
    lines,
    named,
    priced,
    thing,
)

__all__ = ["PLACEHOLDERS", "TEXTS", "describe", "goal", "thing"]
UNITS = [*(resource.name.lower() for resource in Resource), "any"]
GAINED_CARD = re.compile(r"(?:card|hand|deck) (\S+)(?: x\w+)?")
ZONES = [pile.name.lower().replace("_", "-") for pile in Pile][:N_ZONES]
ZONE_NAMES = {Pile.HAND: "hand", Pile.RETAINED: "hand, its Retained effect done",
              Pile.RESOLVING: "resolving cards", Pile.PLAYED: "played cards",
              Pile.DISCARD: "action discard", Pile.DECK: "action deck",
              Pile.OBJECTIVE_DECK: "objective deck", Pile.OBJECTIVE_DISCARD: "objective discard"}
PHASES = {Phase.RESOLUTION: "Resolution Phase.", Phase.CLOCKS: "The clocks advance.",
          Phase.RESET: "Reset Phase."}
PLACES = [f"slot-{n + 1}" for n in range(MOST_SLOTS)] + ["milestone"]


def printed_ids() -> list[str]:
    """The cards of content.toml in the order of their kinds; a variant's own follow by number."""
    text = read_toml(pathlib.Path(__file__).parent / "content.toml")
    ids = [key.lower() for act in Act for family in FAMILIES for key, card in text[family].items()
           if act_of(card) == act]
    return ids + [f"card-{kind}" for kind in range(len(ids), N_KINDS)]


IDS = printed_ids()
TEXTS = ActionTexts(N_ACTIONS, [
    ("stop", Do.STOP, []),
    ("resign", Do.RESIGN, []),
    ("play", Do.PLAY, IDS),
    ("take", Do.TAKE, IDS),
    ("cost", Do.COST, [str(n + 1) for n in range(MOST_COSTS)]),
    ("unit", Do.UNIT, UNITS),
    ("choose", Do.CHOICE, [str(n + 1) for n in range(MOST_CHOICES)]),
    ("place", Do.SLOT, PLACES),
    ("zone", Do.ZONE, ZONES),
    ("bottom", Do.BOTTOM, [str(n + 1) for n in range(MOST_SCOUTED)]),
    ("resolve", Do.OPTION, [f"{place}-{letter}" for place in PLACES for letter in "ab"]),
    ("advance", Do.TRACK, PLACES),
])


# Names -------------------------------------------------------------------------------------------

def is_printed(content: Content, kind: int) -> bool:
    return 0 <= kind < len(content.words["index"]["cards"])


def id_of(content: Content, kind: int) -> str:
    return content.words["index"]["cards"][kind]


def kind_name(content: Content, kind: int) -> str:
    return card_name(content, id_of(content, kind)) if is_printed(content, kind) else "no card"


def row_name(content: Content, row: str, number: int) -> str:
    """The card of an option, timer or track."""
    return kind_name(content, int(content.record[row][number]["kind"]))


def option_name(content: Content, number: int) -> str:
    kind = int(content.record.option[number].kind)
    index = number - int(content.record.card[kind].first_option)
    return card_words(content, id_of(content, kind))["options"][index].get("name", "Option")


def price_text(price: Any) -> str:
    return priced(tuple((int(amount), UNITS[r]) for r, amount in enumerate(price) if amount))


# What the sentences of words.toml may name ------------------------------------------------------

def offered(s: Any, content: Content) -> tuple[int, Any]:
    """The question's token of alternatives: the number of the first, and the token."""
    what, _, at, _ = (int(number) for number in top_item(s))
    token = content.record.token[at]
    return int(token.a if what == Ask.CHOOSE else token.d if what == Ask.MAY else token.b), token


def branch_text(content: Content, number: int) -> tuple[str, str]:
    """The card that an alternative stands on, and its tokens."""
    card, _, text = content.words["index"]["branches"][number].partition(": ")
    return card, text


def offering(said: Said) -> str:
    """The card whose alternatives are offered."""
    return card_name(said.content, branch_text(said.content, offered(said.s, said.content)[0])[0])


def in_bank(said: Said) -> str:
    resource = offered(said.s, said.content)[1].a
    return f"{said.s.bank[resource]} {UNITS[resource]}"


def chosen_branch(said: Said) -> str:
    return named(said.content, branch(said.content, branch_text(said.content, said.thing)[1]))


def discard_of(said: Said) -> str:
    """J-43 Where a gained card goes."""
    is_action = said.content.record.card[said.thing].family == Family.ACTION
    return "action discard" if is_action else "objective discard"


def misfortune(resource: Resource) -> Callable[[Said], str]:
    """J-14 J-R31 The card that a missing unit brings in this content."""
    def name(said: Said) -> str:
        c = said.content.record
        kind = int(c.misfortune_card[c.misfortune, resource])
        return "nothing worse" if kind == NO_KIND else kind_name(said.content, kind)
    return name


def converting(said: Said) -> str:
    """JL-5 JL-19 What a card is turned into."""
    token = said.content.record.token[said.thing]
    if token.op == Op.SPECIALIZE:
        return "Specialise"
    return f"Change into {kind_name(said.content, int(token.b))}"


def changed(said: Said) -> str:
    """JL-8 A standing change as it is now."""
    card, what = said.content.words["index"]["changes"][said.thing].split()
    verb = f"costs {said.n} less" if what == "cost" else \
        f"gains no {what}" if said.n == EVERYTHING else f"gains {said.n} {what} less"
    return f"{card_name(said.content, card)} {verb} from now on."


def later_points(said: Said) -> str:
    """JL-50 The end of a sentence about points."""
    points = later_points_said(said.content)
    return f" From its second act on a game has {points} (JL-50)." if points else ""


PLACEHOLDERS: dict[str, Callable[[Said], str]] = {
    "card": lambda said: kind_name(said.content, said.thing),
    "resource": lambda said: UNITS[said.thing],
    "zone": lambda said: ZONE_NAMES.get(Pile(said.thing), "supply"),
    "discard": discard_of,
    "family": lambda said: ("action", "objective")[said.thing],
    "phase_begins": lambda said: PHASES[Phase(said.thing)],
    "nth": lambda said: {1: "first", 2: "second", 3: "third"}.get(said.n, f"{said.n}th"),
    "clock": lambda said: said.content.words["index"]["clocks"][said.thing],
    "clock_size": lambda said: str(said.content.record.clock[said.thing].length),
    "option": lambda said: option_name(said.content, said.thing),
    "option_card": lambda said: row_name(said.content, "option", said.thing),
    "steps": lambda said: str(said.content.record.option[said.thing].clock),
    "track": lambda said: row_name(said.content, "track", said.thing),
    "track_size": lambda said: str(said.content.record.track[said.thing].length),
    "timer": lambda said: row_name(said.content, "timer", said.thing),
    "branch": chosen_branch,
    "offering": offering,
    "in_bank": in_bank,
    "paying_for": lambda said: kind_name(said.content, said.s.paying),
    "units_due": lambda said: counted(said.s.due[ANY], "unit"),
    "price": lambda said: price_text(said.content.record.card[said.s.paying].cost[said.thing]),
    "transformed": lambda said: kind_name(said.content, said.content.record.token[said.thing].a),
    "transformed_into": lambda said: kind_name(said.content,
                                               said.content.record.token[said.thing].b),
    "shared": lambda said: counted(int(top_item(said.s)[3]) % SHARES, "unit"),
    "sharing": lambda said: kind_name(said.content, kind_in(
        said.s, said.content.record, said.thing // MOST_CARD_OPTIONS)),
    "converting": converting,
    "becomes": lambda said: kind_name(said.content, int(top_item(said.s)[3])),
    "act": lambda said: ACT_NAMES[Act(said.thing)],
    "turns_of_acts": lambda said: capital(turns_said(said.content)),
    "flood": lambda said: flood_said(said.content) or "no number of crisis cards",
    "later_points": later_points,
    "changed": changed,
    **{f"misfortune_{resource.name.lower()}": misfortune(resource) for resource in Resource},
}


# Actions -----------------------------------------------------------------------------------------

STOPS = {Ask.PLAY: "End the Action Phase", Ask.RESOLVE: "End the Resolution Phase",
         Ask.SCOUT: "Leave them in their order", Ask.MAY: "Decline",
         Ask.RESOLVE_NOW: "Resolve nothing more", Ask.OBJECTIVES: "Destroy nothing more"}


def describe(s: Any, content: Content, action: int, names: Sequence[str]) -> str | None:
    """A line of the menu: the action, its price and what it brings."""
    what, _, _, b = (int(number) for number in top_item(s))
    if action == Do.STOP:
        return STOPS.get(Ask(what), "Buy nothing more")
    if action == Do.RESIGN or Do.COST <= action < Do.CHOICE or Do.ZONE <= action < Do.BOTTOM:
        return None  # words.toml says it
    if action < Do.TAKE:
        return describe_play(s, content, action - Do.PLAY, b if what == Ask.PLAY_LESS else 0)
    if action < Do.COST:
        return describe_take(content, what, action - Do.TAKE)
    if action < Do.SLOT:
        return describe_choice(s, content, what, action - Do.CHOICE)
    if action < Do.ZONE:
        place = action - Do.SLOT
        return f"{place_text(s, content, place)}{timer_text(s, place)}"
    if action < Do.OPTION:
        return describe_bottom(s, content, action - Do.BOTTOM)
    return describe_step(s, content, action)


def describe_play(s: Any, content: Content, kind: int, less: int) -> str:
    if not is_printed(content, kind):
        return "Play a card that is not in this game"
    card = id_of(content, kind)
    less += saved(s, content.record, kind, 0)  # JL-8
    cost = cost_text(content, card)
    paid = "free" if cost == "nothing" else f"{cost}, less {less}" if less else cost
    clock = clock_text(s, content, kind) if content.record.card[kind].clock != NO_ROW else ""
    return f"Play {card_name(content, card)} for {paid}: {line(content, card)}{clock}"


def clock_text(s: Any, content: Content, kind: int) -> str:
    """How far a named clock has come."""
    number = content.record.card[kind].clock
    return f" (Clock: {s.clock[number]} of {content.record.clock[number].length}.)"


def describe_take(content: Content, what: int, kind: int) -> str:
    if not is_printed(content, kind):
        return "Take a card that is not in this game"
    card = id_of(content, kind)
    name = card_name(content, card)
    if what == Ask.RETAIN:
        return joined(f"{name}:", *(it.text for it in lines(content, card)
                                    if it.field == "retained"))
    verb = {Ask.RECUR: "Take", Ask.RESHUFFLE: "Reshuffle", Ask.DESTROY: "Destroy",
            Ask.CONVERT: "Change", Ask.ENTER: "Bring", Ask.UNLOCKED: "Gain"}.get(Ask(what), "Copy")
    return f"{verb} {name}: {line(content, card)}"


def describe_choice(s: Any, content: Content, what: int, choice: int) -> str:
    """An alternative; one that brings a card says what that card does."""
    first, token = offered(s, content)
    text = branch_text(content, first + choice)[1]
    said = named(content, branch(content, text))
    gained = GAINED_CARD.fullmatch(text)
    if gained and gained[1] in content.words["index"]["cards"]:
        said = f"{said}: {line(content, gained[1])}"
    if what == Ask.MAY:
        return f"Spend {token.b} {UNITS[token.a]}: {said}"
    return capital(said)


def place_text(s: Any, content: Content, place: int) -> str:
    kind = kind_in(s, content.record, place)
    name = "empty" if kind == NO_KIND else kind_name(content, kind)
    return f"Milestone: {name}" if place == MILESTONE else f"Slot {place + 1}: {name}"


def timer_text(s: Any, place: int) -> str:
    return f" (timer {s.timer[place]})" if s.timer[place] else ""


def describe_bottom(s: Any, content: Content, depth: int) -> str:
    deck = Pile.OBJECTIVE_DECK
    kind = kind_at(s, deck, s.start[deck + 1] - s.start[deck] - 1 - depth)
    return f"Put {kind_name(content, kind)}, {counted(depth + 1, 'card')} deep, to the bottom"


def describe_step(s: Any, content: Content, action: int) -> str:
    """A step of the Resolution Phase, with what follows from it."""
    c = content.record
    place, index = (action - Do.TRACK, 0) if action >= Do.TRACK else \
        divmod(action - Do.OPTION, MOST_CARD_OPTIONS)
    kind, where = int(kind_in(s, c, place)), place_text(s, content, place)
    field = "track" if action >= Do.TRACK else "options"
    every = [] if kind == NO_KIND else [it for it in lines(content, id_of(content, kind))
                                        if it.field == field and it.index == index]
    if not every:
        return where if kind == NO_KIND else f"{where}: what it does not have"
    if action >= Do.TRACK:
        step, won, _ = every
        track = c.track[c.card[kind].track]
        return f"{where}: advance ({step.price}) from {s.marker[place]} to " \
               f"{min(s.marker[place] + track.gain, track.length)}; at {track.length}: {won.text}"
    it, number = every[0], int(c.card[kind].first_option) + index
    return f"{where}: {it.head} ({option_price(s, c.option[number], it)}): " \
           f"{option_text(s, content, place, it)}"


def option_price(s: Any, option: Any, it: Line) -> str:
    if option.pay == Pay.PER_CARDS:
        return f"{price_text(option.cost * (controlled(s) // option.per))}, {it.price}"
    return it.price or "free"


def option_text(s: Any, content: Content, place: int, it: Line) -> str:
    """What an option brings; where it counts, how far the count has come."""
    c, kind = content.record, int(kind_in(s, content.record, place))
    if it.boxes:
        return f"{it.text} ({s.progress[place, it.index]} of {it.boxes} done.)"
    tokens = card_words(content, id_of(content, kind))["options"][it.index].get("effect", [])
    if c.card[kind].clock == NO_ROW or not any("own clock" in token for token in tokens):
        return it.text
    full = next(str(other) for other in lines(content, id_of(content, kind))
                if other.field == "clock")
    return f"{it.text} {full}{clock_text(s, content, kind)}"
