"""The Jagged Time in bulk: who wins which act, which ways are won, and which cards never come up.

    python scripts/campaigns.py --random 100000 --hard 1000 campaign act-two eclipse act-three

Every state between two moves of a bot is checked for faults, and the last state of every random
game. Prints a line for each variant and bot, then its milestones and how each was resolved: in how
many games, and for bots how many of those were won.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from exchequer.bots.bot import Bot
from exchequer.core.content import Content, settings
from exchequer.core.position import Position
from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.phrases import card_words, in_play
from exchequer.games.jagged_time.state import Ending, Event
from exchequer.games.jagged_time.tables import Then
from exchequer.games.jagged_time.texts import card_name

CHUNK = 1000  # random games of one call
COMES_UP = (Event.PLAYED, Event.ENTERED, Event.MILESTONE, Event.CARD_GAINED, Event.CARD_TO_HAND,
            Event.DREW, Event.INTO)
VARIANTS = ("normal", "act-two", "eclipse", "act-three", "campaign")


@dataclass
class Found:
    """What some games came to."""

    games: int = 0
    moves: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)  # "M6", and "M6 A": so it was resolved
    won: Counter[str] = field(default_factory=Counter)
    seen: set[int] = field(default_factory=set)
    faults: list[int] = field(default_factory=list)


# Branches ----------------------------------------------------------------------------------------

def branches(content: Content, milestone: str) -> dict[str, str]:
    """How a milestone can be resolved: a key for each way, and its name."""
    words = card_words(content, milestone)
    found = {f"{milestone} {'AB'[i]}": option["name"]
             for i, option in enumerate(words.get("options", []))}
    if "track" in words:
        found[f"{milestone} won"] = "its track is won"
    if words.get("timer", {}).get("then") == "next":
        found[f"{milestone} timer"] = "its time runs out (JL-57)"
    return found


def branch(content: Content, what: int, thing: int) -> str:
    """The milestone that an event turns up or resolves, as `Found` counts it; empty for others."""
    c, names = content.record, content.words["index"]
    found = ""
    if what == Event.MILESTONE:
        found = names["cards"][thing]
    elif what == Event.OPTION_FULL or (what == Event.OPTION and not c.option[thing].clock):
        found = names["options"][thing]
    elif what == Event.TRACK_WON:
        found = f"{names['tracks'][thing]} won"
    elif what == Event.TIMER_OUT and c.timer[thing].then == Then.NEXT:
        found = f"{names['timers'][thing]} timer"
    return found if found.startswith("M") else ""


# Playing -----------------------------------------------------------------------------------------

def random_games(content: Content, games: int, seed: int) -> Found:
    found, engine = Found(games), GAME.engine()
    begun = Position(GAME, content, 1, seed).logs[0]  # the loop counts from the first move on
    found.reached.update({branch(content, entry.what, entry.thing): games for entry in begun})
    found.seen.update(int(entry.thing) for entry in begun if entry.what in COMES_UP)
    for first in range(seed, seed + games, CHUNK):
        seeds = np.arange(first, min(first + CHUNK, seed + games), dtype=np.uint64)
        results, tally, moves = engine.run_batch(content.record, 1, seeds, GAME.step_limit)
        found.moves += moves
        found.endings.update(Ending(ending).name.lower() for ending in results["ending"])
        found.faults += [int(seeds[row]) for row in np.flatnonzero(results["fault"])]
        for what, thing in np.argwhere(tally.events).tolist():
            found.reached[branch(content, what, thing)] += int(tally.events[what, thing])
            if what in COMES_UP:
                found.seen.add(thing)
    return found


def bot_games(content: Content, name: str, games: int, seed: int) -> Found:
    found = Found(games)
    for number in range(seed, seed + games):
        position = played(content, name, number, found)
        events = {(int(entry.what), int(entry.thing)) for log in position.logs for entry in log}
        ways = {branch(content, what, thing) for what, thing in events}
        ending = Ending(position.state.ending)
        found.moves += len(position.actions)
        found.endings[ending.name.lower()] += 1
        found.reached.update(ways)
        found.won.update(ways if ending == Ending.WON else ())
        found.seen.update(thing for what, thing in events if what in COMES_UP)
        if sys.stderr.isatty() or (number + 1) % 50 == 0:
            print(f"{number + 1 - seed} games, {dict(found.endings)}", file=sys.stderr, flush=True)
    return found


def played(content: Content, name: str, seed: int, found: Found) -> Position:
    position, bot = Position(GAME, content, 1, seed), Bot(GAME, name, seed)
    while not position.is_over and len(position.actions) < GAME.step_limit:
        position.take(bot.choose(position.observe(0), content, 0))
        if position.engine.broken(position.state, content.record):
            found.faults.append(seed)
            break
    return position


# Telling -----------------------------------------------------------------------------------------

def report(variant: str, content: Content, bot: str, found: Found, seconds: float) -> None:
    share = 100 * found.endings["won"] / found.games
    endings = ", ".join(f"{name} {count}" for name, count in found.endings.most_common())
    print(f"\n{variant}, {bot}: {found.games} games, {found.moves} moves, {share:.1f} % won "
          f"({endings}), {len(found.faults)} faults, {seconds:.0f} s")
    for seed in found.faults[:3]:
        print(f"  fault: seed {seed}")
    for key in content.value("milestones"):
        rows = {key: card_name(content, key)} | {way: f"  {name}" for way, name
                                                 in branches(content, key).items()}
        for way, name in rows.items():
            won = f"{found.won[way]:8}" if bot != "random" else ""
            print(f"  {name:42}{found.reached[way]:8}{won}")
    cards = content.words["index"]["cards"]
    never = [card for card in in_play(content) if cards.index(card) not in found.seen]
    print(f"  {len(in_play(content)) - len(never)} of {len(in_play(content))} cards came up"
          + (f"; never: {', '.join(never)}" if never else ""), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variants", nargs="*", default=VARIANTS)
    parser.add_argument("--random", type=int, default=1000, metavar="GAMES")
    parser.add_argument("--hard", type=int, default=20, metavar="GAMES")
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    for variant in asked.variants:
        content = GAME.variant(variant, settings(asked.set))
        for bot, games in (("random", asked.random), (asked.bot, asked.hard)):
            if games:
                start = time.perf_counter()
                found = random_games(content, games, asked.seed) if bot == "random" \
                    else bot_games(content, bot, games, asked.seed)
                report(variant, content, bot, found, time.perf_counter() - start)


if __name__ == "__main__":
    main()
