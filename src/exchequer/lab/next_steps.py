"""What to try next: the experiment that fits a finding, as a plan for a command or the desk."""

import re
from collections.abc import Iterable
from dataclasses import replace

from exchequer.bots.policies import policy_named
from exchequer.core.content import Number
from exchequer.core.measures import measures_of
from exchequer.lab.findings import Finding, NextStep
from exchequer.lab.plan import Plan, lineup_of
from exchequer.lab.words import listed

# What to ask of the numbers, by the first word of a finding's id.
MOVED = {"seat": "the seats' shares", "draws": "the shared wins",
         "runaway": "how often the leader wins", "hollow": "how often the leader wins",
         "settled": "when a game is decided",
         "luck": "how much cards and dice decide", "too": "how often the game is won",
         "bottleneck": "where runs end", "kingmaking": "how often the lead changes",
         "waiting": "the number of decisions", "long": "the number of decisions",
         "skill": "length and endings",
         "spiral": "", "explodes": "", "collapses": "", "trap": "", "leap": ""}
TRIED = ("dead", "rare", "staple", "style", "dominant")  # about cards, to be denied and forced
PROBED = ("endless", "loop", "stall", "empty", "chain", "coalition")
HELD = ("always", "denied", "forced", "naive", "exploit", "together")  # ... of cards and ways


def with_next_steps(plan: Plan, findings: Iterable[Finding], bots: str) -> list[Finding]:
    """`bots` are the strongest that fill all seats."""
    return [replace(one, next=one.next or next_step(plan, one, bots)) for one in findings]


def next_step(plan: Plan, finding: Finding, bots: str) -> NextStep | None:
    kind = finding.id.split("-")[0]
    known = list(dict.fromkeys([*levers_of(plan, finding.things),
                                *levers_in(plan, finding.topic)]))
    if kind in TRIED and known:
        does = ("wins games or only goes with winning: deny and force it." if len(known) == 1 else
                "win games or only go with winning: deny and force them.")
        return NextStep(f"Whether {listed(known, 3)} {does}",
                        experiment(plan, "cards", bots, cards=tuple(known)))
    if kind in (*HELD, *TRIED):
        return of_card(plan, finding, bots)
    if kind in PROBED:
        return NextStep("Which way of playing brings it about: hold bots to one thing at a time.",
                        experiment(plan, "probe", bots))
    if kind in MOVED and has_numbers(plan):
        return NextStep(f"Which numbers move {MOVED[kind] or finding.topic}: set all of them low "
                        "or high in one experiment.", experiment(plan, "sensitivity", bots))
    return None


def of_card(plan: Plan, finding: Finding, bots: str) -> NextStep | None:
    """The card's own numbers where it has any; otherwise what else goes with it."""
    for thing in finding.things:
        if over := numbers_of(plan, thing):
            return NextStep(f"What the numbers of {thing.replace('_', ' ')} do to the game.",
                            experiment(plan, "sensitivity", bots, over=over))
    if plan.kind == "exploit":
        return NextStep("What each of these things is worth by itself: deny and force it.",
                        experiment(plan, "cards", bots, cards=finding.things))
    return NextStep("Whether a simple way of playing beats these bots.",
                    experiment(plan, "exploit", bots))


def experiment(plan: Plan, kind: str, bots: str, cards: tuple[str, ...] = (), over: str = ""
               ) -> Plan:
    """On the same content, from seeds that this run has not seen."""
    lineup = lineup_of(bots, plan.seats, games_for(bots))
    return Plan(kind, plan.game, plan.seats, (lineup,), (plan.seed + 1_000_000) % 2**40,
                plan.overlay, cards=cards, over=over)


def games_for(bots: str) -> int:
    """For each trial: as many as somebody waits for."""
    iterations = max(policy_named(bot).iterations for bot in bots.split(","))
    return 200 if iterations == 0 else 60 if iterations <= 100 else 20


def levers(plan: Plan) -> list[str]:
    """Cards, buildings and actions that can be denied and forced, as options call them."""
    return list(dict.fromkeys(name for group in measures_of(plan.the_game).levers.values()
                              for name, lever in group.items() if lever.actions))


def levers_of(plan: Plan, things: Iterable[str]) -> list[str]:
    """Those that are such things, or that are done with them: `plow`, `reallocate:...`."""
    words = {word for thing in things for word in (thing, *thing.split(":"))}
    return [name for name in levers(plan) if name in words]


def levers_in(plan: Plan, text: str) -> list[str]:
    """Those that a text names."""
    said = text.replace("_", " ").lower()
    return [name for name in levers(plan)
            if re.search(rf"\b{re.escape(name.replace('_', ' ').lower())}\b", said)]


def has_numbers(plan: Plan) -> bool:
    rules = plan.the_game.content(plan.overlay).words["rules"]
    return any(isinstance(kind, Number) and rules[key]
               for key, kind in plan.the_game.schema.rules.items())


def numbers_of(plan: Plan, thing: str) -> str:
    """`building.mill.price=6..8`: what the content says of a thing, each a step down and up."""
    game = plan.the_game
    words, found = game.content(plan.overlay).words, []
    for table, cards in game.schema.tables.items():
        entry = words.get(table, {}).get(thing, {})
        for key, kind in cards.fields.items():
            value = entry.get(key)
            if isinstance(kind, Number) and isinstance(value, int) and value:
                step = max(1, round(abs(value) / 5))
                low, high = max(kind.low, value - step), min(kind.high, value + step)
                found.append(f"{table}.{thing}.{key}={low}..{high}")
    return "; ".join(found)
