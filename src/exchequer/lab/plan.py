"""A plan: an experiment as a TOML file that anybody can run again.

    kind = "run"                      run, compare, cards, probe, exploit, tune,
                                      sensitivity or people
    game = "kingdom"
    seats = 2
    seed = 0
    lineups = [{ bots = ["greedy", "greedy"], games = 10000 }]
    measures = ["gold", "army"]       optional: the curves to show
    [overlay.rules]                   optional: a variant
    turn_limit = 20
"""

import difflib
import json
import pathlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from exchequer.bots.own import is_own
from exchequer.bots.policies import policy_named
from exchequer.core.content import flat
from exchequer.core.errors import InputError
from exchequer.core.files import read_toml
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.measures import measures_of
from exchequer.lab.arms import Arm

FORMAT = 1
MOST_GAMES = 100_000_000
MOST_TOLD = 2000  # games of a line-up whose course is kept turn by turn
MOST_REPLICAS = 2000  # games replayed to tell the luck of the deal from that of the bots
KINDS = ("run", "compare", "cards", "probe", "exploit", "tune", "sensitivity", "people")


class PlanError(InputError):
    """What is wrong with a plan, and what would be right."""


@dataclass(frozen=True)
class LineUp:
    """A bot for each seat and a number of games."""

    bots: tuple[str, ...]
    games: int

    @property
    def name(self) -> str:
        return self.bots[0] if len(set(self.bots)) == 1 else " v ".join(self.bots)

    @property
    def is_mixed(self) -> bool:
        return len(set(self.bots)) > 1


@dataclass(frozen=True)
class Plan:
    """What the file says."""

    kind: str
    game: str
    seats: int
    lineups: tuple[LineUp, ...]
    seed: int = 0
    overlay: Mapping[str, Any] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    other: Mapping[str, Any] = field(default_factory=dict)  # compare: game and overlay of B
    names: tuple[str, ...] = ()  # compare: what A and B are called
    cards: tuple[str, ...] = ()  # cards, probe, exploit: what to try; all when none is named
    target: str = ""  # tune
    over: str = ""  # tune, sensitivity: the keys that may move, and how far
    trials: int = 40
    people: str = ""  # people: the file of a playtest, beside the plan

    def __post_init__(self) -> None:
        check_plan(self)

    @property
    def the_game(self) -> Game:
        return find_game(self.game)

    @property
    def title(self) -> str:
        return self.the_game.title


# Checks ------------------------------------------------------------------------------------------

def check_plan(plan: Plan) -> None:
    game = find_game(plan.game)
    if plan.kind not in KINDS:
        raise PlanError(f'There is no plan of kind "{plan.kind}"; there are {", ".join(KINDS)}.')
    game.seats_for(plan.seats)
    if not 0 <= plan.seed < 2**40:
        raise PlanError(f"A seed is a number from 0 to 2^40 - 1, not {plan.seed}.")
    if not plan.lineups:
        raise PlanError("The plan names no bots.")
    for lineup in plan.lineups:
        check_lineup(lineup, plan.seats)
    game.content(plan.overlay, "overlay")
    measures = measures_of(game)
    check_names(plan.measures, [*measures.resources, *measures.counts], "measure", game)
    check_names(plan.cards, [name for group in measures.levers.values() for name in group],
                "card, building or action", game)


def check_lineup(lineup: LineUp, seats: int) -> None:
    for bot in lineup.bots:
        if is_own(bot):
            raise PlanError(f"The lab's loop is compiled and plays named bots only, not {bot}. Use "
                            "your own bots with `exchequer arena`, `ladder` and `play`.")
        policy_named(bot)
    if len(lineup.bots) != seats:
        raise PlanError(f"{len(lineup.bots)} bots ({', '.join(lineup.bots)}) do not fill "
                        f"{seats} seats; name one bot for all seats or one for each.")
    if not 1 <= lineup.games <= MOST_GAMES:
        raise PlanError(f"{lineup.games} games cannot be played; the number must be from 1 to "
                        f"{MOST_GAMES}.")


def check_names(given: Sequence[str], known: Sequence[str], what: str, game: Game) -> None:
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f'Did you mean "{close[0]}"?' if close else f"There are: {', '.join(known)}."
            raise PlanError(f'{game.title} has no {what} "{name}". {hint}')


def lineup_of(text: str, seats: int, games: int) -> LineUp:
    """`greedy` is a greedy bot in every seat, `greedy,random` one bot for each seat."""
    bots = tuple(name.strip() for name in text.split(","))
    return LineUp(bots * seats if len(bots) == 1 else bots, games)


# Files -------------------------------------------------------------------------------------------

def plan_text(plan: Plan) -> str:
    import tomli_w

    data = {key: value for key, value in asdict(plan).items() if value or key == "seed"}
    data["lineups"] = [{"bots": list(one.bots), "games": one.games} for one in plan.lineups]
    return tomli_w.dumps({"exchequer_lab": FORMAT, **data})


def read_plan(path: pathlib.Path) -> Plan:
    data = read_toml(path, lambda sentence: PlanError(f"{path}: {sentence}"))
    try:
        return plan_from(data)
    except InputError as error:
        raise PlanError(f"{path}: {error}") from None


def plan_from(data: dict[str, Any]) -> Plan:
    data = {key: value for key, value in data.items() if key != "exchequer_lab"}
    data.setdefault("kind", "run")
    for key in data:
        check_key(key)
    for key in ("game", "lineups"):
        if key not in data:
            raise PlanError(f"{key} is missing.")
    if "seats" not in data:
        data["seats"] = find_game(data["game"]).seats[0]
    for key, kind in {"game": str, "seats": int, "seed": int, "overlay": dict, "lineups": list,
                      "measures": list, "cards": list, "trials": int, "names": list,
                      "target": str, "over": str, "other": dict, "people": str}.items():
        if key in data and not isinstance(data[key], kind):
            raise PlanError(f"{key} must be a {kind.__name__}, not {data[key]!r}.")
    data["lineups"] = tuple(read_lineup(entry, data["seats"]) for entry in data["lineups"])
    for key in ("measures", "cards", "names"):
        data[key] = tuple(data.get(key, ()))
    return Plan(**data)


def check_key(key: str) -> None:
    known = list(Plan.__dataclass_fields__)
    if key not in known:
        close = difflib.get_close_matches(key, known, 1)
        hint = f'did you mean "{close[0]}"?' if close else f"the keys are {', '.join(known)}."
        raise PlanError(f"{key} is not a key of a plan; {hint}")


def read_lineup(entry: Any, seats: int) -> LineUp:
    fits = (isinstance(entry, dict) and set(entry) == {"bots", "games"}
            and isinstance(entry["games"], int) and isinstance(entry["bots"], (list, str)))
    if not fits:
        raise PlanError(f'{entry!r} is not a line-up; it must read {{ bots = ["greedy", "greedy"], '
                        "games = 1000 }.")
    if isinstance(entry["bots"], str):
        return lineup_of(entry["bots"], seats, entry["games"])
    return LineUp(tuple(map(str, entry["bots"])), entry["games"])


# Arms --------------------------------------------------------------------------------------------

def arm_of(plan: Plan, lineup: LineUp, name: str = "", **changes: Any) -> Arm:
    """The arm that plays a line-up as it stands."""
    rotates = changes.pop("rotates", lineup.is_mixed)
    rotations = plan.seats if rotates else 1
    games = -(-changes.pop("games", lineup.games) // rotations) * rotations
    return Arm(**{"name": name or lineup.name, "game": plan.the_game.name, "bots": lineup.bots,
                  "games": games, "seed": plan.seed, "overlay": plan.overlay, "rotates": rotates,
                  **changes})


def lineup_arms(plan: Plan) -> list[Arm]:
    """Each line-up, and some of its deals again with different policy seeds."""
    arms = []
    for lineup in plan.lineups:
        arms.append(arm_of(plan, lineup, told=MOST_TOLD))
        again = min(MOST_REPLICAS, lineup.games // 5)
        if again and not lineup.is_mixed:
            arms.append(arm_of(plan, lineup, f"{lineup.name} again", games=again, replica=1))
    names = [arm.name for arm in arms]
    if len(set(names)) < len(names):
        raise PlanError("Two line-ups have the same bots; use one of them with more games instead.")
    return arms


# The command that plays a plan again -------------------------------------------------------------

def command_of(plan: Plan) -> str:
    if plan.kind == "people":
        return f"exchequer lab run --from {plan.people}"
    if plan.kind == "compare" or len(plan.lineups) > 1 or plan.measures:
        return "exchequer lab run plan.toml"
    lineup = plan.lineups[0]
    words = ["exchequer lab", plan.kind, plan.game, f"--seats {plan.seats}",
             f"--bots {','.join(lineup.bots)}", f"--games {lineup.games}", f"--seed {plan.seed}"]
    words += [f"--set {shlex.quote(f'{key}={json.dumps(value)}')}"
              for key, value in flat(plan.overlay)]
    words += [f"--card {shlex.quote(card)}" for card in plan.cards]
    if plan.kind == "tune":
        words += [f'--target "{plan.target}"', f"--trials {plan.trials}"]
    if plan.over:
        words.append(f'--over "{plan.over}"')
    return " ".join(words)
