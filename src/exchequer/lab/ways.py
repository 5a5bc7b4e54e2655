"""Simple ways of playing: a bot that always, once or never does a thing or two."""

from dataclasses import dataclass
from typing import Any

from exchequer.core.measures import Lever, measures_of
from exchequer.lab.arms import ALWAYS, Constraint
from exchequer.lab.plan import Plan
from exchequer.lab.words import a_bot

WORDS = {"always": "always takes {} when possible", "once": "takes {} at the first opportunity",
         "never": "never takes {}"}


@dataclass(frozen=True)
class Way:
    """What a bot is held to; things are named as `group/thing`."""

    bot: str
    parts: tuple[tuple[str, str], ...] = ()  # (always, once or never; thing)

    @property
    def key(self) -> list[Any]:
        return [self.bot, [list(part) for part in self.parts]]

    @property
    def things(self) -> tuple[str, ...]:
        return tuple(thing.partition("/")[2] for _, thing in self.parts)

    @property
    def words(self) -> str:
        """`a hard bot that never takes mill`."""
        if not self.parts:
            return f"{a_bot(self.bot)} that is free"
        told = [WORDS[how].format(name.replace("_", " "))
                for (how, _), name in zip(self.parts, self.things, strict=True)]
        return f"{a_bot(self.bot)} that {' and '.join(told)}"

    def constraint(self, levers: dict[str, Lever]) -> Constraint:
        deny = tuple(levers[thing] for how, thing in self.parts if how == "never")
        force = tuple(levers[thing] for how, thing in self.parts if how != "never")
        once = any(how == "once" for how, _ in self.parts)
        return Constraint(deny, force, 1 if once else ALWAYS)

    def alone(self) -> list["Way"]:
        """Each of its parts by itself."""
        return [Way(self.bot, (part,)) for part in self.parts]


def levers_of(plan: Plan) -> dict[str, Lever]:
    """What bots can be held to, or what the plan names of it."""
    return {f"{group}/{thing}": lever
            for group, levers in measures_of(plan.the_game).levers.items()
            for thing, lever in levers.items()
            if lever.actions and (not plan.cards or thing in plan.cards)}


def singles(plan: Plan, bots: list[str]) -> list[Way]:
    return [Way(bot, ((how, thing),)) for bot in bots for thing in levers_of(plan)
            for how in WORDS]


def pair(one: Way, other: Way) -> Way | None:
    """Both together, unless they speak of the same thing, or force one once and one always."""
    forced = {how for how, _ in (*one.parts, *other.parts) if how != "never"}
    same = set(one.things) & set(other.things)
    if one.bot != other.bot or same or len(forced) > 1:
        return None
    return Way(one.bot, tuple(sorted((*one.parts, *other.parts))))
