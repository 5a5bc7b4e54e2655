"""The Jagged Time in words: actions, questions, log entries and refusals."""

import pathlib
import re
from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import top_item
from exchequer.core.content import Content, read_toml
from exchequer.core.words import ActionTexts, counted
from exchequer.games.jagged_time.cards import controlled, kind_at, kind_in
from exchequer.games.jagged_time.notation import FAMILIES
from exchequer.games.jagged_time.phrases import branch, capital, joined
from exchequer.games.jagged_time.state import (
    N_ACTIONS,
    N_ZONES,
    Ask,
    Do,
    Ending,
    Event,
    Phase,
    Pile,
    Refusal,
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
    Family,
    Pay,
    Resource,
)
from exchequer.games.jagged_time.texts import (
    Line,
    card_name,
    card_words,
    cost_text,
    line,
    lines,
    named,
    priced,
)

UNITS = [*(resource.name.lower() for resource in Resource), "any"]
GAINED_CARD = re.compile(r"(?:card|hand|deck) (\S+)(?: x\w+)?")
ZONES = [pile.name.lower().replace("_", "-") for pile in Pile][:N_ZONES]
ZONE_NAMES = {Pile.HAND: "hand", Pile.RETAINED: "hand, its Retained effect done",
              Pile.RESOLVING: "resolving cards", Pile.PLAYED: "played cards",
              Pile.DISCARD: "action discard", Pile.DECK: "action deck",
              Pile.OBJECTIVE_DECK: "objective deck", Pile.OBJECTIVE_DISCARD: "objective discard"}
PLACES = [f"slot-{n + 1}" for n in range(MOST_SLOTS)] + ["milestone"]


def printed_ids() -> list[str]:
    """The cards of content.toml in the order of their kinds; a variant's own follow by number."""
    text = read_toml(pathlib.Path(__file__).parent / "content.toml")
    ids = [card.lower() for family in FAMILIES for card in text[family]]
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

def id_of(content: Content, kind: int) -> str:
    return content.words["index"]["cards"][kind]


def kind_name(content: Content, kind: int) -> str:
    return card_name(content, id_of(content, kind))


def row_name(content: Content, row: str, number: int) -> str:
    """The card of an option, timer or track."""
    return kind_name(content, int(content.record[row][number]["kind"]))


def option_name(content: Content, number: int) -> str:
    kind = int(content.record.option[number].kind)
    index = number - int(content.record.card[kind].first_option)
    return card_words(content, id_of(content, kind))["options"][index].get("name", "Option")


def price_text(price: Any) -> str:
    return priced(tuple((int(amount), UNITS[r]) for r, amount in enumerate(price) if amount))


# Questions ---------------------------------------------------------------------------------------

def ask(s: Any, content: Content, names: Sequence[str]) -> str:
    what, _, a, b = (int(number) for number in top_item(s))
    if what == Ask.PLAY:
        return f"Turn {s.turn}, Action Phase: which card do you play?"
    if what == Ask.PLAY_LESS:
        return f"Which card of your hand do you play for {b} less?"
    if what == Ask.COST:
        return f"How do you pay for {kind_name(content, s.paying)}?"
    if what == Ask.LESS:
        return f"Which unit of the cost of {kind_name(content, s.paying)} is left out?"
    if what == Ask.UNIT:
        return f"{counted(s.due[ANY], 'unit')} of your choice for " \
               f"{kind_name(content, s.paying)}: which resource?"
    if what in (Ask.MENU, Ask.ANNOUNCE, Ask.MAY, Ask.CHOOSE):
        return offer_text(s, content, Ask(what), a)
    if what == Ask.RECUR:
        return f"Which card do you take back from the discard ({a} to take)?"
    if what == Ask.RESHUFFLE:
        return f"Which card goes from the discard into the deck ({a} to go)?"
    if what == Ask.TRANSFORM:
        old, new = content.record.token[a].a, content.record.token[a].b
        return f"Where does {kind_name(content, old)} become {kind_name(content, new)}?"
    if what == Ask.REPLACE:
        return f"Which card of the agenda makes room for {kind_name(content, a)}?"
    if what == Ask.ANYWHERE:
        return f"Where is {kind_name(content, a)} destroyed ({b} to go)?"
    return {Ask.RETAIN: "Which Retained effect comes first?",
            Ask.ANNOUNCED: "Which of the announced comes first?",
            Ask.SCOUT: "You see the top of the objective deck: does one go to the bottom?",
            Ask.DELAY: f"Which timer is delayed by {a}?", Ask.COPY: "Which card is copied?",
            Ask.PROJECT: f"Which project is advanced by {a}?",
            Ask.WAR: f"Which war is advanced by {a}?",
            Ask.MIX: "Which resource do you gain?",
            Ask.MAXIMUM: f"Which maximum changes by {b:+d}?",
            Ask.DESTROY: "Which card is destroyed?",
            Ask.RESOLVE: f"Turn {s.turn}, Resolution Phase: what do you resolve?",
            }[Ask(what)]


def offer_text(s: Any, content: Content, what: Ask, at: int) -> str:
    """Alternatives or a purchase, and the card that offers them."""
    token = content.record.token[at]
    card = card_name(content, branch_text(content, first_branch(token, what))[0])
    if what == Ask.CHOOSE:
        return f"{card}: which of these?"
    return f"{card}: you have {s.bank[token.a]} {UNITS[token.a]}. What do you buy?"


def first_branch(token: Any, what: int) -> int:
    """The number of the first alternative of a token."""
    return int(token.a if what == Ask.CHOOSE else token.d if what == Ask.MAY else token.b)


def branch_text(content: Content, number: int) -> tuple[str, str]:
    """The card that an alternative stands on, and its tokens."""
    card, _, text = content.words["index"]["branches"][number].partition(": ")
    return card, text


# Actions -----------------------------------------------------------------------------------------

def describe(s: Any, content: Content, action: int, names: Sequence[str]) -> str:
    """A line of the menu: the action, its price and what it brings."""
    what, _, a, b = (int(number) for number in top_item(s))
    if action < Do.PLAY:
        return describe_stop(what, action)
    if action < Do.TAKE:
        return describe_play(s, content, action - Do.PLAY, b if what == Ask.PLAY_LESS else 0)
    if action < Do.COST:
        return describe_take(content, what, action - Do.TAKE)
    if action < Do.UNIT:
        return f"Pay {price_text(content.record.card[s.paying].cost[action - Do.COST])}"
    if action < Do.CHOICE:
        return UNITS[action - Do.UNIT].capitalize()
    if action < Do.SLOT:
        return describe_choice(content, what, a, action - Do.CHOICE)
    if action < Do.ZONE:
        place = action - Do.SLOT
        return f"{place_text(s, content, place)}{timer_text(s, place)}"
    if action < Do.BOTTOM:
        return f"In the {ZONE_NAMES[Pile(action - Do.ZONE)]}"
    if action < Do.OPTION:
        return describe_bottom(s, content, action - Do.BOTTOM)
    return describe_step(s, content, action)


def describe_stop(what: int, action: int) -> str:
    if action == Do.RESIGN:
        return "Resign"
    return {Ask.PLAY: "End the Action Phase", Ask.RESOLVE: "End the Resolution Phase",
            Ask.SCOUT: "Leave them in their order", Ask.MAY: "Decline",
            }.get(Ask(what), "Buy nothing more")


def describe_play(s: Any, content: Content, kind: int, less: int) -> str:
    card = id_of(content, kind)
    paid = f"{cost_text(content, card)}, less {less}" if less else cost_text(content, card)
    clock = clock_text(s, content, kind) if content.record.card[kind].clock != NO_ROW else ""
    return f"Play {card_name(content, card)} for {paid}: {line(content, card)}{clock}"


def clock_text(s: Any, content: Content, kind: int) -> str:
    """How far a named clock has come."""
    number = content.record.card[kind].clock
    return f" (Clock: {s.clock[number]} of {content.record.clock[number].length}.)"


def describe_take(content: Content, what: int, kind: int) -> str:
    card = id_of(content, kind)
    name = card_name(content, card)
    if what == Ask.RETAIN:
        return joined(f"{name}:", *(it.text for it in lines(content, card)
                                    if it.field == "retained"))
    verb = {Ask.RECUR: "Take", Ask.RESHUFFLE: "Reshuffle", Ask.DESTROY: "Destroy"}.get(
        Ask(what), "Copy")
    return f"{verb} {name}: {line(content, card)}"


def describe_choice(content: Content, what: int, at: int, choice: int) -> str:
    """An alternative; one that brings a card says what that card does."""
    token = content.record.token[at]
    text = branch_text(content, first_branch(token, what) + choice)[1]
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
    kind = int(kind_in(s, c, place))
    where, every = place_text(s, content, place), lines(content, id_of(content, kind))
    if action >= Do.TRACK:
        step, won, _ = (it for it in every if it.field == "track")
        track = c.track[c.card[kind].track]
        return f"{where}: advance ({step.price}) from {s.marker[place]} to " \
               f"{min(s.marker[place] + track.gain, track.length)}; at {track.length}: {won.text}"
    it = next(it for it in every if it.field == "options" and it.index == index)
    number = int(c.card[kind].first_option) + index
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


# The log -----------------------------------------------------------------------------------------

SENTENCES = {
    Event.GAINED: "{Resource} rises by {n}.",
    Event.WASTED: "{n} {resource} more find no room.",
    Event.PAID: "{n} {resource} spent.",
    Event.LOST: "{n} {resource} lost.",
    Event.MISFORTUNE: "Misfortune, with nothing left to lose: {card} goes to the {discard}.",
    Event.MAXIMUM: "The {resource} maximum is now {n}.",
    Event.CUT: "{n} {resource} no longer find room.",
    Event.PLAYED: "{who} plays {card}.",
    Event.DREW: "{who} draws {card}.",
    Event.RETAINED: "{card} was not played and makes itself felt.",
    Event.CARD_GAINED: "{card} goes to the {discard}.",
    Event.CARD_TO_HAND: "{card} comes to hand.",
    Event.CARD_TO_DECK: "{card} is shuffled into its deck.",
    Event.NO_ROOM: "There is no copy of {card} left to be had.",
    Event.REMOVED: "{card} leaves the game for good.",
    Event.DRAW_LIMIT: "From now on {n} cards are drawn each turn.",
    Event.DISRUPTED: "{card} falls from the deck to the discard.",
    Event.RECURRED: "{who} takes {card} back from the discard.",
    Event.RESHUFFLED: "{card} is shuffled back into the deck.",
    Event.SCOUTED: "Scouts report {card} at depth {n}.",
    Event.BOTTOMED: "{card} goes to the bottom.",
    Event.DELAYED: "{card} is put off; its timer stands at {n}.",
    Event.TRANSFORMED: "A copy of {card} in the {zone} changes:",
    Event.INTO: "it is {card} now.",
    Event.ENTERED: "{card} comes up in slot {n}.",
    Event.REPLACED: "{card} has to make room.",
    Event.ESCALATED: "Two copies of {card} meet and escalate.",
    Event.COPIED: "{card} is copied.",
    Event.CLOCK: "The clock of {clock} stands at {n} of {length}.",
    Event.CLOCK_FULL: "The clock of {clock} is full.",
    Event.OPTION: "{who} takes up {option_card}: {option}.",
    Event.ADVANCED: "{option_card}: {n} of {length} steps.",
    Event.OPTION_FULL: "{option}: done.",
    Event.TRACK_PAID: "{track} stands at {n} of {length}.",
    Event.TRACK_WON: "{track} is won!",
    Event.TRACK_LOST: "{track} is lost.",
    Event.TIMER_OUT: "Time runs out for {timer}.",
    Event.FRONT: "The marker of {track} moves to {n}.",
    Event.RETURNED: "{card} returns to the objective discard.",
    Event.MILESTONE: "The milestone is {card}.",
    Event.MILESTONE_RESOLVED: "Milestone {n}, {card}, is resolved.",
    Event.UPKEEP: "{card} gives for the {nth} time.",
    Event.PROVINCE_HELD: "{card} holds, {n} in its two banks.",
    Event.PROVINCE_FAILED: "{card} fails, only {n} in its two banks.",
    Event.CHOSE: "{who} chooses: {branch}.",
    Event.DISCARDED: "{unplayed} left in hand and discarded.",
    Event.RELIEF: "Nothing is left to eat or to hope for: relief.",
    Event.RANDOM_TIMER: "The timer of {card} jumps to {n}.",
}
PHASES = {Phase.RESOLUTION: "Resolution Phase.", Phase.CLOCKS: "The clocks advance.",
          Phase.RESET: "Reset Phase."}
ENDINGS = {
    Ending.WON: "{who} has won in turn {n}: the last milestone is resolved.",
    Ending.LOST: "{who} has lost in turn {n}: a calamity of the third tier ran its course.",
    Ending.CAP: "Turn {n} was the last: the game ends unfinished.",
    Ending.COLLAPSE: "The realm collapses under its crises in turn {n}.",
    Ending.RESIGNED: "{who} resigns in turn {n}.",
}


def tell(entry: Any, content: Content, names: Sequence[str]) -> str:
    what, n, thing, who = Event(entry.what), int(entry.amount), int(entry.thing), names[0]
    if what == Event.TURN:
        return f"Turn {n} begins."
    if what == Event.PHASE:
        return PHASES[Phase(thing)]
    if what == Event.SHUFFLED:
        return f"The {'action' if thing == 0 else 'objective'} discard is shuffled into its deck."
    if what == Event.NEXT_DRAW:
        return f"The coming draw is {counted(abs(n), 'card')} {'larger' if n > 0 else 'smaller'}."
    if what == Event.GAME_ENDED:
        return ENDINGS[Ending(thing)].format(who=who, n=n)
    if what in (Event.SCOUTED, Event.BOTTOMED) and thing < 0:
        return "Scouts look at the objectives to come."
    return SENTENCES[what].format(who=who, n=n, **entry_words(what, thing, n, content))


def entry_words(what: Event, thing: int, n: int, content: Content) -> dict[str, str]:
    """What the sentence of an entry may name; `thing` means something else in each."""
    index = content.words["index"]
    if what in (Event.GAINED, Event.WASTED, Event.PAID, Event.LOST, Event.MAXIMUM, Event.CUT):
        return {"resource": UNITS[thing], "Resource": UNITS[thing].capitalize()}
    if what in (Event.CLOCK, Event.CLOCK_FULL):
        return {"clock": index["clocks"][thing],
                "length": str(content.record.clock[thing].length)}
    if what in (Event.OPTION, Event.ADVANCED, Event.OPTION_FULL):
        return {"option_card": row_name(content, "option", thing),
                "option": option_name(content, thing),
                "length": str(content.record.option[thing].clock)}
    if what in (Event.TRACK_PAID, Event.TRACK_WON, Event.TRACK_LOST, Event.FRONT):
        return {"track": row_name(content, "track", thing),
                "length": str(content.record.track[thing].length)}
    if what == Event.TIMER_OUT:
        return {"timer": row_name(content, "timer", thing)}
    if what == Event.CHOSE:
        return {"branch": named(content, branch(content, branch_text(content, thing)[1]))}
    if what in (Event.DISCARDED, Event.DRAW_LIMIT, Event.RELIEF):
        return {"unplayed": f"{counted(n, 'card')} {'is' if n == 1 else 'are'}"}
    zone = ZONE_NAMES.get(Pile(n), "") if what == Event.TRANSFORMED else ""
    nth = {1: "first", 2: "second", 3: "third"}.get(n, f"{n}th")
    action = content.record.card[thing].family == Family.ACTION
    return {"card": kind_name(content, thing), "zone": zone, "nth": nth,
            "discard": "action discard" if action else "objective discard"}


# Refusals ----------------------------------------------------------------------------------------

REFUSALS = {
    Refusal.OVER: "The game is over (J-65).",
    Refusal.NOT_ASKED: "That is not what is asked now (J-21).",
    Refusal.NOT_IN_HAND: "That card is not in your hand (J-23).",
    Refusal.TOO_POOR: "You cannot pay for that in full (J-12).",
    Refusal.MUST_PLAY: "A mandatory card in hand has to be played first (J-23).",
    Refusal.PLAYED_ENOUGH: "So many cards have been played that only mandatory ones may be (J-27).",
    Refusal.WRONG_SUBTYPE: "Only a card of the named subtype can be played now (J-62).",
    Refusal.NOT_THERE: "There is no such card or option (J-30).",
    Refusal.NOTHING_LEFT: "That item has been taken already (J-61).",
    Refusal.NOT_MET: "The condition is not met (J-34).",
    Refusal.RESOLVED: "The milestone is resolved and waits to be replaced (J-32).",
    Refusal.EMPTY_PLACE: "There is no card in that slot (J-3).",
    Refusal.IMPOSSIBLE: "That cannot be carried out (J-60).",
    Refusal.PROTECTED: "A third-tier calamity cannot be replaced in this variant (J-R46).",
    Refusal.COMPULSORY: "You have to choose one of these (J-60).",
}


def refuse(why: int, content: Content, names: Sequence[str]) -> str:
    return REFUSALS[Refusal(why)]


