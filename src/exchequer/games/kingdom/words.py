"""Kingdom in words: actions, questions, log entries and refusals."""

from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import top_item, top_seat
from exchequer.core.content import Content
from exchequer.core.words import ActionTexts, counted
from exchequer.games.kingdom.actions import gold_cost, is_free, moved_from, moved_to
from exchequer.games.kingdom.assets import bill
from exchequer.games.kingdom.state import (
    ACT_OF,
    FIRST_OF,
    LAST_MAIN,
    N_ACTIONS,
    N_MOVES,
    Act,
    Ask,
    Building,
    Development,
    Do,
    Ending,
    Event,
    Refusal,
    Role,
)

ROLES = [role.name.lower() for role in Role]
DEVELOPMENTS = [kind.name.lower() for kind in Development]
BUILDINGS = [building.name.lower() for building in Building]
MOVES = [f"{ROLES[moved_from(move)]}-{ROLES[moved_to(move)]}" for move in range(N_MOVES)]

TEXTS = ActionTexts(N_ACTIONS, [
    ("end", Do.END, []),
    ("overwork", Do.OVERWORK, []),
    ("expand", Do.EXPAND, []),
    ("develop", Do.DEVELOP, DEVELOPMENTS[:4]),
    ("tax", Do.TAX, []),
    ("reallocate", Do.REALLOCATE, MOVES),
    ("raise", Do.RAISE, ROLES),
    ("decree", Do.DECREE, DEVELOPMENTS[:4]),
    ("attack", Do.ATTACK, []),
    ("festival", Do.FESTIVAL, []),
    ("plow", Do.PLOW, []),
    ("build", Do.BUILD, BUILDINGS),
    ("sell", Do.SELL_DEVELOPMENT, DEVELOPMENTS),
    ("sell", Do.SELL_BUILDING, BUILDINGS),
    ("stop-selling", Do.STOP_SELLING, []),
    ("palace", Do.USE_PALACE, ["use", "leave"]),
])


def name_of(content: Content, table: str, key: str) -> str:
    return content.words[table][key]["name"]


# Questions and actions ---------------------------------------------------------------------------

def ask(s: Any, content: Content) -> str:
    what, seat, _, _ = map(int, top_item(s))
    if what == Ask.SELL:
        return (f"The upkeep is {bill(s, content.record, seat)} gold and there are only "
                f"{s.gold[seat]}: what do you sell?")
    if what == Ask.PALACE:
        return "Use the Palace: a free first Action for 1 happiness?"
    if what == Ask.PLAN:
        return f"Your secret list holds {counted(s.planned[seat], 'action')}: what comes next?"
    if what == Ask.MAIN:
        return f"You have {counted(s.ap[seat], 'action point')} and {s.gold[seat]} gold."
    raise ValueError(f"Kingdom has no words for {Ask(what)!r}.")


def choice_name(content: Content, kind: int, choice: int) -> str:
    """What is chosen in an Action, or nothing."""
    if kind in (Act.DEVELOP, Act.DECREE):
        return name_of(content, "development", DEVELOPMENTS[choice])
    if kind == Act.REALLOCATE:
        return " to ".join(name_of(content, "role", ROLES[role])
                           for role in (moved_from(choice), moved_to(choice)))
    if kind == Act.RAISE:
        return name_of(content, "role", ROLES[choice])
    if kind == Act.BUILD:
        return name_of(content, "building", BUILDINGS[choice])
    return ""


def action_name(content: Content, action: int) -> str:
    """`Develop: Farm`, `End the turn`."""
    if action == Do.END:
        return "End the turn"
    if action <= LAST_MAIN:
        kind = ACT_OF[action]
        name = name_of(content, "action", Act(kind).name.lower())
        choice = choice_name(content, kind, action - FIRST_OF[kind])
        return f"{name}: {choice}" if choice else name
    if action >= Do.STOP_SELLING:
        return {Do.STOP_SELLING: "Stop selling", Do.USE_PALACE: "Use the Palace",
                Do.LEAVE_PALACE: "Leave the Palace"}[Do(action)]
    if action >= Do.SELL_BUILDING:
        return f"Sell {name_of(content, 'building', BUILDINGS[action - Do.SELL_BUILDING])}"
    kind = action - Do.SELL_DEVELOPMENT
    return f"Sell {name_of(content, 'development', DEVELOPMENTS[kind])}"


def describe(s: Any, content: Content, action: int) -> str:
    """A line of the menu: the action and its price in gold; a point is understood."""
    c, seat = content.record, int(top_seat(s))
    name = action_name(content, action)
    if Do.SELL_BUILDING <= action < Do.STOP_SELLING:
        return f"{name} (+{c.building[action - Do.SELL_BUILDING].price // 2} gold)"
    if Do.SELL_DEVELOPMENT <= action < Do.SELL_BUILDING:
        return f"{name} (+{c.development[action - Do.SELL_DEVELOPMENT].sale} gold)"
    if not Do.END < action <= LAST_MAIN:
        return name
    kind = ACT_OF[action]
    gold = int(gold_cost(s, c, seat, kind, action - FIRST_OF[kind]))
    if is_free(c, kind):
        return f"{name} (no action point)"
    return f"{name} ({gold} gold)" if gold else name


# The log -----------------------------------------------------------------------------------------

SENTENCES = {
    Event.INCOME: "{who} collects {n} gold of income.",
    Event.ACTION_POINTS: "{who} has {points} for this turn.",
    Event.ARMY_GREW: "{who}'s army grows by {n}.",
    Event.FORT_GREW: "{who}'s fortification grows by {n}.",
    Event.FORT_RESTORED: "{who}'s fortifiers restore {n} fortification.",
    Event.UPKEEP: "{who} pays {n} gold of upkeep.",
    Event.SOLD_DEVELOPMENT: "{who} sells a {development} for {n} gold.",
    Event.SOLD_BUILDING: "{who} sells the {building} for {n} gold.",
    Event.STOPPED_SELLING: "{who} sells no more.",
    Event.DESERTED: "{who}'s {role} deserts for want of pay.",
    Event.BANKRUPT: "{who} cannot pay {n} gold of upkeep and is bankrupt.",
    Event.PALACE_READY: "{who}'s Palace makes the first Action free.",
    Event.PALACE_LEFT: "{who} leaves the Palace's free Action.",
    Event.OVERWORKED: "The overworked Farms yield {n} gold.",
    Event.EXPANDED: "{who} gains a Land.",
    Event.TILLED: "A Land is tilled.",
    Event.DEVELOPED: "{who} places a {development}.",
    Event.TAXED: "The people pay {n} gold.",
    Event.LEFT_ROLE: "{who}'s {role} lays the role down.",
    Event.JOINED_ROLE: "The role of {role} is taken up.",
    Event.RAISED: "{who} gains a person: {role}.",
    Event.FORT_LOST: "{who} loses {n} fortification.",
    Event.CASTLE_HIT: "{who}'s castle is hit for {n} and has {thing} left.",
    Event.LOOTED: "{who} carries off {n} gold.",
    Event.ROBBED: "{who} is robbed of {n} gold.",
    Event.ARMY_HALVED: "The attack costs {who} {n} army.",
    Event.CONQUERED: "{who} has conquered the castle!",
    Event.BUILT: "{who} builds the {building}.",
    Event.TURN_ENDED: "{who} ends the turn.",
    Event.COMMITTED: "{who} has committed to a list of actions.",
}


def tell(entry: Any, content: Content, names: Sequence[str]) -> str:
    """A sentence for an entry; PAID opens an Action, the entries after it tell its effects."""
    who, n, thing, what = names[entry.seat], int(entry.amount), int(entry.thing), entry.what
    if what == Event.ROUND:
        return f"Round {n}."
    if what == Event.PAID:
        price = f" for {n} gold" if n else ""
        return f"{who}: {action_name(content, thing)}{price}."
    if what == Event.SKIPPED:
        return f"{who} cannot carry out {action_name(content, thing)} and skips it."
    if what == Event.HAPPINESS:
        return f"{who}'s happiness {'rises' if n > 0 else 'falls'} by {abs(n)} to {thing}."
    if what == Event.ATTACKED:
        double = ", doubled by the festival" if thing else ""
        return f"{who}'s army strikes {names[entry.other]} for {n}{double}."
    if what == Event.TOWERS_FELL:
        return f"{who} loses {counted(n, 'Watchtower')}."
    if what == Event.GAME_ENDED:
        return ending_sentence(thing, n, names)
    if what not in SENTENCES:
        return ""
    return SENTENCES[Event(what)].format(
        who=who, n=n, thing=thing, points=counted(n, "action point"),
        development=name_at(content, "development", DEVELOPMENTS, thing),
        building=name_at(content, "building", BUILDINGS, thing),
        role=name_at(content, "role", ROLES, thing))


def name_at(content: Content, table: str, keys: list[str], thing: int) -> str:
    return name_of(content, table, keys[thing]) if 0 <= thing < len(keys) else ""


def ending_sentence(why: int, winners: int, names: Sequence[str]) -> str:
    how = {Ending.CONQUEST: "by conquest", Ending.BANKRUPTCY: "by the other's bankruptcy",
           Ending.POINTS: "on points"}[Ending(why)]
    if winners == 3:
        return "The game ends in a draw."
    return f"{names[winners - 1]} wins {how}."


# Refusals ----------------------------------------------------------------------------------------

REFUSALS = {
    Refusal.OVER: "The game is over (K-8).",
    Refusal.NOT_ASKED: "That is not what is asked now (K-7).",
    Refusal.NO_ACTION_POINT: "You have no action point left (K-20).",
    Refusal.TOO_POOR: "You cannot pay its price in full (K-2, K-22).",
    Refusal.NO_FARM: "Overwork needs a Farm (K-24).",
    Refusal.NO_FREE_SLOT: "All your slots are taken; expand or till first (K-27).",
    Refusal.NOBODY_THERE: "Nobody holds that role (K-29).",
    Refusal.LAST_COUNCILLOR: "The last councillor stays in the Council (K-29).",
    Refusal.NO_ROOM: "There is no room for another person; build a House (K-30).",
    Refusal.NO_CITIZENS: "New people take a role at once (K-30).",
    Refusal.NO_COMMANDER_LEFT: "Each commander leads one attack a turn (K-32).",
    Refusal.HELD_FESTIVAL: "No attack in a turn with a festival (K-33).",
    Refusal.ATTACKED_ALREADY: "No festival in a turn with an attack (K-33).",
    Refusal.NO_WORKSHOP: "Plow needs the Plow Workshop (K-34).",
    Refusal.BUILT_ALREADY: "That building stands already (K-35).",
    Refusal.FREE_LIMIT: "That has been done as often as this variant allows in a turn (K-R1).",
    Refusal.TRUCE: "The truce of the first rounds still holds (house rule).",
    Refusal.MUST_SPEND: "All action points must be spent in this variant (K-R23).",
    Refusal.NOTHING_TO_SELL: "You have none of that to sell (K-14).",
}


def refuse(why: int, content: Content) -> str:
    return REFUSALS[Refusal(why)]
