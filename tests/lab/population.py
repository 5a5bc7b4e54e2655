"""A simulated population of testers: real games, with human-like times, errors and looks.

Each tester has a pace, a love of the rulebook and a taste of their own. What is planted (a rule
that is not clear, a question that takes long, a variant that is more fun) is added to that.
"""

import functools
import math
import random
from dataclasses import dataclass, replace
from typing import Any

from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.lookup import things
from exchequer.core.position import Position
from exchequer.lab.playtest import (
    Decision,
    Happened,
    Played,
    PlaytestData,
    Said,
    Sitter,
    decisions_of,
    settle,
)

GAME = "kingdom"
OVERLAYS: tuple[dict[str, Any], ...] = ({"rules": {"turn_limit": 3}},
                                        {"rules": {"turn_limit": 3, "start_gold": 12}})
QUESTIONS = [{"id": "fun", "text": "How much fun was it?", "kind": "scale",
              "choices": ["1", "2", "3", "4", "5"], "ends": ["none", "a lot"]}]
POOL = 8  # games of each variant that are really played; testers share them
SEVERAL = "treasury/v17"  # a game that asks several questions


@dataclass(frozen=True)
class Planted:
    paragraph: str = ""  # that a third of the testers has to look up
    question: str = ""  # that takes twice as long
    better: int | None = None  # the variant that is more fun, by most of a point


NOTHING = Planted()


@functools.cache
def real_game(arm: int, number: int, undoes: bool = False) -> Played:
    """Played by chance and recorded as at a table; some moves are taken back where that is asked
    for.
    """
    game = find_game(GAME)
    content, chance = game.content(OVERLAYS[arm]), random.Random(1000 * arm + number)
    key = f"{chance.getrandbits(256):064x}"
    position, journal, now = Position(game, content, 2, 0, Mode.PYTHON, key), [], 0.0
    person = number % 2
    while not position.is_over:
        now += 3.0
        seat, action = position.actor, chance.choice(position.legal())
        position.take(int(action), f"{chance.getrandbits(256):064x}")
        line = {"kind": "move", "seat": seat, "t": now, "action": str(action)}
        journal.append(line | ({"key": position.keys[-1]} if position.keys[-1] else {})
                       | ({} if seat == person else {"by": "bot"}))
        if undoes and seat == person and not position.keys[-1] and chance.random() < 0.3:
            position.undo()
            now += 1.0
            journal.append({"kind": "undo", "seat": seat, "t": now, "to": len(position.actions)})
    sitters = [Sitter("t1", "person") if seat == person else Sitter("greedy", "bot")
               for seat in range(2)]
    played = Played("", arm, "table", sitters, position.scores(), position.winners(),
                    position.ending, now, 0, key, journal)
    played.decisions = decisions_of(game, content, played)
    return played


@functools.cache
def looked_up() -> list[str]:
    game = find_game(GAME)
    return [*game.paragraphs, *(one.id for one in things(game, game.content()))]


def population(seed: int, games: int, planted: Planted = NOTHING, pool: int = POOL
               ) -> PlaytestData:
    """`pool`: how many games of each variant are really played."""
    chance = random.Random(seed)
    game = find_game(GAME)
    arms = [{"name": f"variant {'AB'[k]}", "overlay": overlay, "for_bots": overlay,
             "content": game.content(overlay).hash} for k, overlay in enumerate(OVERLAYS)]
    return PlaytestData("playtest-1", "A simulation", GAME, game.rules_version, 2, arms, QUESTIONS,
                        [one_game(chance, number, planted, pool) for number in range(games)])


def asked_by_several(seed: int, testers: int, question: str = "") -> PlaytestData:
    """The beginning of a game that asks several questions, one of which may take twice as long."""
    chance, game = random.Random(seed), find_game(SEVERAL)
    data = replace(population(seed, 0), game=SEVERAL, rules_version=game.rules_version, seats=2,
                   arms=[{"name": "it", "overlay": {}, "for_bots": {}, "content": ""}])
    for number in range(testers):
        who, pace = f"t{number + 1}", chance.lognormvariate(1.5, 0.4)
        decisions = [timed(chance, one, who, pace, Planted(question=question))
                     for one in first_decisions(number % POOL)]
        data.games.append(Played(f"g{number + 1}", 0, "table", [Sitter(who, "person")],
                                 decisions=decisions))
    return data


@functools.cache
def first_decisions(number: int) -> list[Decision]:
    game, chance = find_game(SEVERAL), random.Random(number)
    position = Position(game, None, 2, number, Mode.PYTHON)
    played = Played("", 0, "table", [Sitter("t1", "person")] * 2, seed=number)
    for move in range(40):
        action, seat = chance.choice(position.legal()), position.actor
        position.take(int(action))
        played.journal.append({"kind": "move", "seat": seat, "t": 3.0 * move,
                               "action": str(action)})
    return decisions_of(game, game.content(), played)


def one_game(chance: random.Random, number: int, planted: Planted, pool: int) -> Played:
    arm, who = number % 2, f"t{number + 1}"
    model = real_game(arm, number // 2 % pool)
    pace, reads = chance.lognormvariate(1.5, 0.4), chance.betavariate(1, 3)
    decisions = [timed(chance, one, who, pace, planted) for one in model.decisions]
    played = replace(model, id=f"g{number + 1}", decisions=decisions,
                     seats=[replace(one, who=who) if one.kind == "person" else one
                            for one in model.seats],
                     happened=looks(chance, decisions, who, reads, planted),
                     said=[Said(who, "end", {"fun": str(fun(chance, arm, planted))})])
    settle(played)
    return played


def timed(chance: random.Random, one: Decision, who: str, pace: float, planted: Planted
          ) -> Decision:
    """Longer with more options, and longest where nobody knows what is asked."""
    seconds = pace * chance.lognormvariate(0, 0.7) * math.log1p(one.options)
    seconds *= 2.0 if one.question == planted.question else 1.0
    return replace(one, who=who, took=seconds, seconds=seconds, undone=chance.random() < 0.06)


def looks(chance: random.Random, decisions: list[Decision], who: str, reads: float,
          planted: Planted) -> list[Happened]:
    """Any paragraph or card now and then; the planted one often."""
    paragraphs, found = find_game(GAME).paragraphs, []
    for decision in decisions:
        if chance.random() < 0.3 * reads:
            found.append(Happened(who, "rules", chance.choice(looked_up()), decision.ended))
        if chance.random() < 0.2 * reads:
            found.append(Happened(who, "why", "", decision.ended,
                                  cites=(chance.choice(paragraphs),)))
    if planted.paragraph and chance.random() < 0.33:
        found.append(Happened(who, "rules", planted.paragraph, decisions[0].ended))
    return found


def fun(chance: random.Random, arm: int, planted: Planted) -> int:
    liked = chance.gauss(3.2 + 0.7 * (arm == planted.better), 1.0)
    return min(5, max(1, round(liked)))
