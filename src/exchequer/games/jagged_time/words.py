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
    Family,
    Pay,
    Resource,
)

RESOURCES = [resource.name.lower() for resource in Resource]
ZONES = [pile.name.lower().replace("_", "-") for pile in Pile][:N_ZONES]
ZONE_NAMES = {Pile.HAND: "hand", Pile.RETAINED: "hand", Pile.RESOLVING: "resolving cards",
              Pile.PLAYED: "played cards", Pile.DISCARD: "discard", Pile.DECK: "action deck",
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
    ("unit", Do.UNIT, [*RESOURCES, "any"]),
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


def card_words(content: Content, kind: int) -> dict[str, Any]:
    """What content.toml says about a card."""
    card = id_of(content, kind)
    family = next(name for name in FAMILIES if card in content.words.get(name, {}))
    return content.words[family][card]


def card_name(content: Content, kind: int) -> str:
    """J-R1 J-R3 The sheets' name, for people only: rules go by id."""
    return card_words(content, kind)["name"]


def full_name(content: Content, kind: int) -> str:
    """Tax Collection (C1): some cards share a name."""
    return f"{card_name(content, kind)} ({id_of(content, kind)})"


def named(content: Content, row: str, number: int) -> str:
    """The card of an option, timer or track."""
    kind = int(content.record[row][number]["kind"])
    return card_name(content, kind)


def option_name(content: Content, number: int) -> str:
    kind = int(content.record.option[number].kind)
    index = number - int(content.record.card[kind].first_option)
    return card_words(content, kind)["options"][index]["name"]


def price_text(price: Any) -> str:
    parts = [f"{int(amount)} {(*RESOURCES, 'of any')[r]}" for r, amount in enumerate(price)
             if amount]
    return " and ".join(parts) or "free"


PHRASES = [  # tokens of the notation -> how a person says it
    (r"\b(gain|lose|spend) ([a-z]+) (\w+)", r"\1 \3 \2"),
    (r"\bcard (\S+)( x\d+)?", r"gain \1\2"),
    (r"\bhand (\S+)( x\d+)?", r"\1\2 to hand"),
    (r"\bmax_all ", "all maxima "),
    (r"\bmax (\w+) ", r"\1 maximum "),
    (r"\bnext_draw ", "next draw "), (r"\bdraw_limit ", "draw limit "),
    (r"\bfront_set (\d+)", r"marker to \1"), (r"\bfront ", "marker "),
    (r"\btransform (\w+)->(\w+) x1\b", r"one \1 becomes \2"),
    (r"\btransform (\w+)->(\w+) x(\d+)", r"\3 of \1 become \2"),
    (r"\breplace (\w+)", r"\1 replaces an agenda card"), (r"\bbecome ", "becomes "),
    (r"\bdestroy self", "it is destroyed"), (r"\bdestroy all sub:(\w+)", r"destroy every \1 card"),
    (r"\bdestroy random sub:(\w+) (\d+)", r"destroy \2 random \1"),
    (r"\bplay sub:(\w+) (\d+) less (\d+)", r"play \2 \1 for \3 less"),
    (r"\bcontrol sub:(\w+) (\d+)", r"\2 \1 cards controlled"),
    (r"\bgained (\w+) (\d+) this (\w+)", r"\2 \1 gained this \3"),
    (r"\bcopy sub:(\w+)", r"copy one \1"), (r"\btimers_random (\d+)", r"\1 random timer steps"),
    (r"\badvance own clock \d+", "its clock advances"), (r"\blose_game", "the game is lost"),
    (r"\bmenu (\w+):", r"for 1 \1 each:"), (r"\bchoose( unless \w+)?:", "either"),
    (r" \| ", " / "), (r" x(\d+)\b", r" (\1 times)"),
]


CARD_ID = re.compile(r"\b[COMX]\d+\b")


def phrase(content: Content, token: str) -> str:
    """A token for people: "gain food 2" -> "gain 2 food", card ids with their names."""
    return CARD_ID.sub(lambda m: known_name(content, m.group()), spoken(content, token))


def spoken(content: Content, token: str) -> str:
    """A token in words that still holds card ids."""
    token = token.strip()
    for key, value in content.words["rules"].items():
        if type(value) is int and "_" in key:
            token = re.sub(rf"(?<=[ +-]){key}\b", str(value), token)
    for pattern, said in PHRASES:
        token = re.sub(pattern, said, token)
    return token


def known_name(content: Content, card: str) -> str:
    ids = content.words["index"]["cards"]
    return card_name(content, ids.index(card)) if card in ids else card


def phrases(content: Content, tokens: Sequence[str]) -> str:
    return ", ".join(phrase(content, token) for token in tokens) or "nothing"


def effect_text(content: Content, kind: int) -> str:
    """What playing an action does."""
    words = card_words(content, kind)
    if province := words.get("province"):
        test = f"{' + '.join(province['sum'])} at least {province['at_least']}"
        return (f"{test}: {phrases(content, province['then'])}; else "
                f"{phrases(content, province['else'])}")
    return phrases(content, words.get("effect", []))


# Questions ---------------------------------------------------------------------------------------

def ask(s: Any, content: Content, names: Sequence[str]) -> str:
    what, _, a, b = (int(number) for number in top_item(s))
    if what == Ask.PLAY:
        return f"Turn {s.turn}, Action Phase: which card do you play?"
    if what == Ask.PLAY_LESS:
        return f"Which card of your hand do you play for {b} less?"
    if what == Ask.COST:
        return f"How do you pay for {card_name(content, s.paying)}?"
    if what == Ask.LESS:
        return f"Which unit of the cost of {card_name(content, s.paying)} is left out?"
    if what == Ask.UNIT:
        return f"{counted(s.due[ANY], 'unit')} of your choice for " \
               f"{card_name(content, s.paying)}: which resource?"
    if what in (Ask.MENU, Ask.ANNOUNCE, Ask.MAY):
        resource = RESOURCES[content.record.token[a].a]
        return f"You have {s.bank[content.record.token[a].a]} {resource}: what do you buy?"
    if what == Ask.RECUR:
        return f"Which card do you take back from the discard ({a} to take)?"
    if what == Ask.RESHUFFLE:
        return f"Which card goes from the discard into the deck ({a} to go)?"
    if what == Ask.TRANSFORM:
        old, new = content.record.token[a].a, content.record.token[a].b
        return f"Where does {card_name(content, old)} become {card_name(content, new)}?"
    if what == Ask.REPLACE:
        return f"Which card of the agenda makes room for {card_name(content, a)}?"
    if what == Ask.ANYWHERE:
        return f"Where is {card_name(content, a)} destroyed ({b} to go)?"
    return {Ask.RETAIN: "Which Retained effect comes first?", Ask.CHOOSE: "Which of these?",
            Ask.ANNOUNCED: "Which of the announced comes first?",
            Ask.SCOUT: "You see the top of the objective deck: does one go to the bottom?",
            Ask.DELAY: "Which timer is delayed?", Ask.COPY: "Which card is copied?",
            Ask.PROJECT: "Which project is advanced?", Ask.WAR: "Which war is advanced?",
            Ask.MIX: "Which resource?", Ask.MAXIMUM: "Which maximum?",
            Ask.DESTROY: "Which card is destroyed?",
            Ask.RESOLVE: f"Turn {s.turn}, Resolution Phase: what do you resolve?",
            }[Ask(what)]


# Actions -----------------------------------------------------------------------------------------

def describe(s: Any, content: Content, action: int, names: Sequence[str]) -> str:
    """A line of the menu: the action, its price and what it brings."""
    c = content.record
    what, _, a, _ = (int(number) for number in top_item(s))
    if action < Do.PLAY:
        return describe_stop(what, action)
    if action < Do.TAKE:
        kind = action - Do.PLAY
        costs = " or ".join(price_text(c.card[kind].cost[i]) for i in range(c.card[kind].costs))
        return f"Play {full_name(content, kind)} for {costs or 'nothing'}: " \
               f"{effect_text(content, kind)}"
    if action < Do.COST:
        return describe_take(content, what, action - Do.TAKE)
    if action < Do.UNIT:
        return f"Pay {price_text(c.card[s.paying].cost[action - Do.COST])}"
    if action < Do.CHOICE:
        return (*RESOURCES, "any")[action - Do.UNIT].capitalize()
    if action < Do.SLOT:
        return describe_choice(content, what, a, action - Do.CHOICE)
    if action < Do.ZONE:
        place = action - Do.SLOT
        return f"{place_text(s, content, place)}{timer_text(s, content, place)}"
    if action < Do.BOTTOM:
        return f"In the {ZONE_NAMES[Pile(action - Do.ZONE)]}"
    if action < Do.OPTION:
        depth = action - Do.BOTTOM
        kind = kind_at(s, Pile.OBJECTIVE_DECK, s.start[Pile.OBJECTIVE_DECK + 1]
                       - s.start[Pile.OBJECTIVE_DECK] - 1 - depth)
        return f"Put {full_name(content, kind)}, {counted(depth + 1, 'card')} deep, to the bottom"
    return describe_step(s, content, action)


def describe_stop(what: int, action: int) -> str:
    if action == Do.RESIGN:
        return "Resign"
    return {Ask.PLAY: "End the Action Phase", Ask.RESOLVE: "End the Resolution Phase",
            Ask.SCOUT: "Leave them in their order", Ask.MAY: "Decline",
            }.get(Ask(what), "Buy nothing more")


def describe_take(content: Content, what: int, kind: int) -> str:
    name = full_name(content, kind)
    if what == Ask.RETAIN:
        return f"{name}: {phrases(content, card_words(content, kind)['retained'])}"
    return {Ask.RECUR: f"Take {name}", Ask.RESHUFFLE: f"Reshuffle {name}",
            Ask.DESTROY: f"Destroy {name}"}.get(Ask(what), f"Copy {name}")


def describe_choice(content: Content, what: int, at: int, choice: int) -> str:
    token = content.record.token[at]
    first = token.a if what == Ask.CHOOSE else token.d if what == Ask.MAY else token.b
    text = content.words["index"]["branches"][first + choice].partition(": ")[2]
    text = " and ".join(phrase(content, part) for part in text.split(" & "))
    if what == Ask.MAY:
        return f"Spend {token.b} {RESOURCES[token.a]}: {text}"
    return text[:1].upper() + text[1:]


def place_text(s: Any, content: Content, place: int) -> str:
    kind = kind_in(s, content.record, place)
    name = "empty" if kind == NO_KIND else full_name(content, kind)
    return f"Milestone: {name}" if place == MILESTONE else f"Slot {place + 1}: {name}"


def timer_text(s: Any, content: Content, place: int) -> str:
    return f" (timer {s.timer[place]})" if s.timer[place] else ""


def describe_step(s: Any, content: Content, action: int) -> str:
    """A step of the Resolution Phase."""
    c = content.record
    if action >= Do.TRACK:
        place = action - Do.TRACK
        track = c.track[c.card[kind_in(s, c, place)].track]
        return (f"{place_text(s, content, place)}: advance for {price_text(track.pay)} "
                f"(at {s.marker[place]} of {track.length})")
    place, index = divmod(action - Do.OPTION, MOST_CARD_OPTIONS)
    kind = kind_in(s, c, place)
    words = card_words(content, kind)["options"][index]
    option = c.option[c.card[kind].first_option + index]
    gives = phrases(content, words.get("effect", words.get("full", [])))
    if option.pay == Pay.CLOCKED:
        gives = f"{s.progress[place, index]} of {option.clock} done, then {gives}"
    return f"{place_text(s, content, place)}: {words['name']} " \
           f"({option_price(s, content, option, words)}): {gives}"


def option_price(s: Any, content: Content, option: Any, words: dict[str, Any]) -> str:
    if option.pay == Pay.NEED:
        return "done"
    if option.pay == Pay.PRICE:
        return phrases(content, words["pay_effect"])
    if option.pay == Pay.PER_CARDS:
        return price_text(option.cost * (controlled(s) // option.per))
    return price_text(option.cost)


# The log -----------------------------------------------------------------------------------------

SENTENCES = {
    Event.GAINED: "{Resource} rises by {n}.",
    Event.WASTED: "{n} {resource} more find no room.",
    Event.PAID: "{n} {resource} spent.",
    Event.LOST: "{n} {resource} lost.",
    Event.MISFORTUNE: "There is nothing left to lose: {card} begins to brew.",
    Event.MAXIMUM: "The {resource} maximum is now {n}.",
    Event.CUT: "{n} {resource} no longer find room.",
    Event.PLAYED: "{who} plays {card}.",
    Event.DREW: "{who} draws {card}.",
    Event.RETAINED: "{card} was not played and makes itself felt.",
    Event.CARD_GAINED: "{card} {comes}.",
    Event.CARD_TO_HAND: "{card} comes to hand.",
    Event.CARD_TO_DECK: "{card} is shuffled into its deck.",
    Event.NO_ROOM: "There is no copy of {card} left to be had.",
    Event.REMOVED: "{card} leaves the game.",
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
    Event.CLOCK: "The clock of {clock} stands at {n}.",
    Event.CLOCK_FULL: "The clock of {clock} is full.",
    Event.OPTION: "{who} takes up {option_card}: {option}.",
    Event.ADVANCED: "{option_card} stands at {n} of {length}.",
    Event.OPTION_FULL: "{option}: done.",
    Event.TRACK_PAID: "{track} stands at {n}.",
    Event.TRACK_WON: "{track} is won!",
    Event.TRACK_LOST: "{track} is lost.",
    Event.TIMER_OUT: "Time runs out for {timer}.",
    Event.FRONT: "{track} slips to {n}.",
    Event.RETURNED: "{card} is laid aside and will come again.",
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
        return {"resource": RESOURCES[thing], "Resource": RESOURCES[thing].capitalize()}
    if what in (Event.CLOCK, Event.CLOCK_FULL):
        return {"clock": index["clocks"][thing]}
    if what in (Event.OPTION, Event.ADVANCED, Event.OPTION_FULL):
        return {"option_card": named(content, "option", thing),
                "option": option_name(content, thing),
                "length": str(content.record.option[thing].clock)}
    if what in (Event.TRACK_PAID, Event.TRACK_WON, Event.TRACK_LOST, Event.FRONT):
        return {"track": named(content, "track", thing)}
    if what == Event.TIMER_OUT:
        return {"timer": named(content, "timer", thing)}
    if what == Event.CHOSE:
        return {"branch": phrase(content, index["branches"][thing].partition(": ")[2])}
    if what in (Event.DISCARDED, Event.DRAW_LIMIT, Event.RELIEF):
        return {"unplayed": f"{counted(n, 'card')} {'is' if n == 1 else 'are'}"}
    zone = ZONE_NAMES.get(Pile(n), "") if what == Event.TRANSFORMED else ""
    nth = {1: "first", 2: "second", 3: "third"}.get(n, f"{n}th")
    action = content.record.card[thing].family == Family.ACTION
    return {"card": card_name(content, thing), "zone": zone, "nth": nth,
            "comes": "joins the deck" if action else "begins to brew"}


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


