"""`exchequer lab`: the lab's commands. Nothing heavy is imported before one runs."""

import json
import pathlib
from typing import Annotated, Any

import typer

from exchequer.cli.interrupts import farewell
from exchequer.cli.options import Json, Set, Variant
from exchequer.core.errors import InputError

lab = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich",
    help="Play a game in bulk and find out what is wrong with it.",
    epilog="Start with:  exchequer lab run kingdom --bots greedy --games 2000")

GameName = Annotated[str, typer.Argument(help="A game such as kingdom, or a plan (TOML file).")]
Seats = Annotated[int | None, typer.Option(help="Number of seats.")]
Bots = Annotated[list[str] | None, typer.Option(
    "--bots", help="One bot for all seats, or one for each, such as greedy,random. Repeatable: "
                   "each adds a line-up.")]
OneBots = Annotated[str, typer.Option("--bots", help="One bot for all seats, or one for each.")]
Games = Annotated[int, typer.Option(help="Number of games for each line-up.")]
Deals = Annotated[int, typer.Option("--games", help="Number of deals for each trial.")]
Seed = Annotated[int, typer.Option(help="The first seed.")]
Out = Annotated[pathlib.Path | None, typer.Option(
    help="Folder for the run. Default: a new one in lab-runs.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")]
EngineName = Annotated[str, typer.Option(
    help=r"threads; ray (pip install 'exchequer\[ray]'); or gpu, beside the cores "
         r"(pip install 'exchequer\[gpu]').")]  # an open bracket is markup unless it is escaped
Address = Annotated[str | None, typer.Option(help="A running Ray cluster. Default: a local one.")]
Workers = Annotated[int | None, typer.Option(help="Threads or Ray workers. Default: all cores.",
                                             min=1)]
Card = Annotated[list[str] | None, typer.Option(
    "--card", help="Try only this card, building or action. Repeatable.")]
From = Annotated[str, typer.Option("--from", help="A playtest: its name on this server, such as "
                                   "playtest-7, or a file that was exported.")]
Database = Annotated[str | None, typer.Option(
    help="Where --from finds a playtest, as for `exchequer serve`.")]
RUNS = pathlib.Path("lab-runs")
TWO_KINDS = ["greedy", "easy"]  # one bot may misuse a card; two kinds seldom do in the same way


# Plans from options ------------------------------------------------------------------------------

def need_lab() -> None:
    import importlib.util

    for module in ("polars", "scipy", "statsmodels", "jinja2", "optuna"):
        if importlib.util.find_spec(module) is None:
            raise InputError(f"The lab needs {module}: pip install 'exchequer[lab]'.")


def plan_by(kind: str, name: str, seats: int | None, bots: list[str], games: int, seed: int,
            variant: str | None, set_: list[str] | None, **more: Any) -> Any:
    """A plan from a file, or from the options."""
    need_lab()
    from exchequer.core.content import settings
    from exchequer.core.find import address_of, find_game
    from exchequer.lab.plan import Plan, PlanError, lineup_of, read_plan

    if name.endswith(".toml"):
        return read_plan(pathlib.Path(name))
    game = find_game(name)
    count = len(bots[0].split(",")) if seats is None else seats
    count = max(count, game.seats[0]) if seats is None else count
    if games < 1:
        raise PlanError(f"{games} games cannot be played; the number must be at least 1.")
    content = game.variant(variant, settings(set_ or []))
    lineups = tuple(lineup_of(text, count, games) for text in bots)
    return Plan(kind, address_of(game), count, lineups, seed, content.overlay, **more)


def folder_for(plan: Any, out: pathlib.Path | None, resume: bool) -> Any:
    """As asked, or the first free name; with --resume the unfinished run."""
    import hashlib

    from exchequer.lab.folder import Folder
    from exchequer.lab.plan import plan_text

    if out is not None:
        return Folder(out)
    digest = hashlib.sha256(plan_text(plan).encode()).hexdigest()[:6]
    stem = f"{plan.the_game.name.replace('/', '-')}-{plan.kind}-{digest}"
    number = 1
    while True:
        folder = Folder(RUNS / (stem if number == 1 else f"{stem}-{number}"))
        if not folder.plan_path.exists() or (resume and not folder.report.exists()):
            return folder
        number += 1


def play_plan(plan: Any, out: pathlib.Path | None, resume: bool, engine: str,
              address: str | None, workers: int | None, as_json: bool) -> None:
    from exchequer.core.progress import bar
    from exchequer.lab.executors import executor_by
    from exchequer.lab.studies import arms_of, games_to_play, run_study

    executor = executor_by(engine, workers, address)
    folder = folder_for(plan, out, resume)
    compile_loops(executor, arms_of(plan))
    kept = (f"Interrupted. What was played is kept in {folder.path}; continue with the same "
            "command and --resume.")
    with farewell(kept), bar(f"{plan.kind} {plan.the_game.name}", games_to_play(plan)) as advance:
        found = run_study(plan, folder, executor, advance, resume)
    say(found, as_json)


def compile_loops(executor: Any, arms: Any) -> None:
    """The game's rules first, with a progress bar; then the lab's own loop."""
    from exchequer.core.find import find_game
    from exchequer.core.progress import bar, prepare

    for name in sorted({arm.game for arm in arms}):
        prepare(find_game(name))
    with bar("preparing the lab's loop (compiled once per version)", 1) as advance:
        executor.prepare(arms)
        advance(1)


def say(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(found))
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    if found.get("verdict"):
        console.print(escape(found["verdict"]))
    for place, finding in enumerate(found.get("findings", []), 1):
        console.print(f"[bold]{place:2}[/] {escape(finding['text'])}", highlight=False)
        console.print(f"   [dim]{finding['effect']:.3f} ({finding['low']:.3f} to "
                      f"{finding['high']:.3f}), n = {finding['n']}, {finding['id']}[/]",
                      highlight=False)
    if not found.get("findings") and not found.get("verdict"):
        console.print("Nothing stood out from chance.")
    console.print(f"[bold]Report:[/] {escape(str(found['report']))}", highlight=False,
                  soft_wrap=True)


# Verbs -------------------------------------------------------------------------------------------

@lab.command("run")
def run_(game: Annotated[str, typer.Argument(
             help="A game such as kingdom, or a plan (TOML file); none with --from.")] = "",
         from_: From = "", database: Database = None, seats: Seats = None, bots: Bots = None,
         games: Games = 10_000, seed: Seed = 0, variant: Variant = None, set_: Set = None,
         out: Out = None, resume: Resume = False, engine: EngineName = "threads",
         address: Address = None, workers: Workers = None, as_json: Json = False) -> None:
    """Play many games and report every measure, findings first.

    Examples:

        exchequer lab run kingdom --bots greedy,greedy --games 10000

        exchequer lab run treasury/v17 --seats 3 --bots random --bots greedy --bots medium

        exchequer lab run docs/reports/kingdom/plan.toml --out my-run

        exchequer lab run --from playtest-7 --bots greedy --games 2000
    """
    if from_:
        plan, out = people_plan(from_, database, bots or [], games, seed, out, resume)
    elif game:
        plan = plan_by("run", game, seats, bots or ["greedy"], games, seed, variant, set_)
    else:
        raise InputError("Name a game, a plan, or a playtest with --from.")
    play_plan(plan, out, resume, engine, address, workers, as_json)


def people_plan(where: str, database: str | None, bots: list[str], games: int, seed: int,
                out: pathlib.Path | None, resume: bool) -> tuple[Any, pathlib.Path]:
    """The plan of a playtest, and its folder, in which the playtest lies already."""
    need_lab()
    from exchequer.cli.playtest import playtest_at
    from exchequer.lab.people import FILE, plan_from_people
    from exchequer.lab.playtest import write_playtest

    data = playtest_at(where, database)
    plan = plan_from_people(data, bots, games, seed)
    folder = folder_for(plan, out, resume)
    if not folder.plan_path.exists():
        folder.path.mkdir(parents=True, exist_ok=True)
        write_playtest(data, folder.path / FILE)
    return plan, folder.path


@lab.command()
def compare(game: Annotated[str, typer.Argument(help="A game, or a family of editions such as "
                                                "treasury.")],
            a: Annotated[str, typer.Argument(help="base, a variant's name or file, settings such "
                                             "as turn_limit=20, or an edition.")],
            b: Annotated[str, typer.Argument(help="The second side, in the same way.")],
            seats: Seats = None, bots: Bots = None, games: Games = 2000, seed: Seed = 0,
            out: Out = None, resume: Resume = False, engine: EngineName = "threads",
            address: Address = None, workers: Workers = None, as_json: Json = False) -> None:
    """Compare two variants or editions on the same seeds, with a verdict in words.

    Examples:

        exchequer lab compare kingdom base turn_limit=16

        exchequer lab compare jagged_time normal hard --bots greedy

        exchequer lab compare treasury v03 v17 --seats 3
    """
    need_lab()
    from exchequer.core.find import game_names

    editions = [f"{game}/{side}" if f"{game}/{side}" in game_names() else None for side in (a, b)]
    games_ = [edition or game for edition in editions]
    sides = [None if edition else side for edition, side in zip(editions, (a, b), strict=True)]
    overlays = [overlay_by(name, side) for name, side in zip(games_, sides, strict=True)]
    names = [name_of(name, side) for name, side in zip(games_, sides, strict=True)]
    plan = plan_by("compare", games_[0], seats, bots or ["greedy"], games, seed, None, None,
                   other={"game": games_[1], "overlay": overlays[1]}, names=tuple(names))
    from dataclasses import replace
    play_plan(replace(plan, overlay=overlays[0]), out, resume, engine, address, workers, as_json)


def overlay_by(name: str, side: str | None) -> dict[str, Any]:
    """What a side of a comparison changes."""
    from exchequer.core.content import settings
    from exchequer.core.find import find_game

    game = find_game(name)
    if side is None or side == "base":
        return {}
    if "=" in side:
        return game.variant(None, settings(side.split(","))).overlay
    return game.variant(side).overlay


def name_of(name: str, side: str | None) -> str:
    from exchequer.core.find import find_game

    if side is None:
        return find_game(name).title
    return "the game as it ships" if side == "base" else side


@lab.command()
def cards(game: GameName, seats: Seats = None, bots: Bots = None, games: Deals = 500,
          seed: Seed = 0, variant: Variant = None, set_: Set = None, card: Card = None,
          out: Out = None, resume: Resume = False, engine: EngineName = "threads",
          address: Address = None, workers: Workers = None, as_json: Json = False) -> None:
    """Measure what each card or building is worth by denying and forcing it on the same seeds.

    Examples:

        exchequer lab cards kingdom

        exchequer lab cards kingdom --card mill --card market --games 2000
    """
    plan = plan_by("cards", game, seats, bots or TWO_KINDS, games, seed, variant, set_,
                   cards=tuple(card or ()))
    play_plan(plan, out, resume, engine, address, workers, as_json)


@lab.command()
def probe(game: GameName, seats: Seats = None, bots: Bots = None, games: Deals = 300,
          seed: Seed = 0, variant: Variant = None, set_: Set = None, card: Card = None,
          out: Out = None, resume: Resume = False, engine: EngineName = "threads",
          address: Address = None, workers: Workers = None, as_json: Json = False) -> None:
    """Look for dominant strategies, loops, stalls, runaway leaders and dead content.

    Example:  exchequer lab probe kingdom --games 500
    """
    plan = plan_by("probe", game, seats, bots or TWO_KINDS, games, seed, variant, set_,
                   cards=tuple(card or ()))
    play_plan(plan, out, resume, engine, address, workers, as_json)


@lab.command()
def exploit(game: GameName, seats: Seats = None, bots: OneBots = "hard", games: Deals = 100,
            seed: Seed = 0, variant: Variant = None, set_: Set = None, card: Card = None,
            out: Out = None, resume: Resume = False, engine: EngineName = "threads",
            address: Address = None, workers: Workers = None, as_json: Json = False) -> None:
    """Search for a simple way of playing that beats these bots, and judge it on fresh seeds.

    Example:  exchequer lab exploit kingdom --bots hard --games 60
    """
    plan = plan_by("exploit", game, seats, [bots], games, seed, variant, set_,
                   cards=tuple(card or ()))
    play_plan(plan, out, resume, engine, address, workers, as_json)


@lab.command()
def tune(game: GameName,
         target: Annotated[str, typer.Option(help='Such as "seat_share=even; length=18..22".')],
         over: Annotated[str, typer.Option(help='Such as "turn_limit=16..28".')],
         seats: Seats = None, bots: OneBots = "greedy", games: Games = 400,
         trials: Annotated[int, typer.Option(help="Number of contents to try.", min=2)] = 40,
         seed: Seed = 0, variant: Variant = None, set_: Set = None, out: Out = None,
         resume: Resume = False, engine: EngineName = "threads", address: Address = None,
         workers: Workers = None, as_json: Json = False) -> None:
    """Find content that meets targets with the fewest changes, confirmed on fresh seeds.

    Example:

        exchequer lab tune kingdom --target "seat_share=even; length=18..22 rounds"
        --over "turn_limit=16..28; start_gold=6..14"
    """
    plan = plan_by("tune", game, seats, [bots], games, seed, variant, set_, target=target,
                   over=over, trials=trials)
    play_plan(plan, out, resume, engine, address, workers, as_json)


@lab.command()
def sensitivity(game: GameName,
                over: Annotated[str, typer.Option(
                    help='Keys and bounds, such as "turn_limit=16..28". Default: every number of '
                         "the rules, by a fifth.")] = "",
                seats: Seats = None, bots: OneBots = "greedy",
                games: Annotated[int, typer.Option(help="Number of games for each content.")] = 60,
                seed: Seed = 0, variant: Variant = None, set_: Set = None, out: Out = None,
                resume: Resume = False, engine: EngineName = "threads", address: Address = None,
                workers: Workers = None, as_json: Json = False) -> None:
    """Measure which numbers move which measures, all of them in one designed experiment.

    Example:  exchequer lab sensitivity kingdom --over "turn_limit=16..28; start_gold=6..14"
    """
    plan = plan_by("sensitivity", game, seats, [bots], games, seed, variant, set_, over=over)
    play_plan(plan, out, resume, engine, address, workers, as_json)


@lab.command()
def report(folder: Annotated[pathlib.Path, typer.Argument(help="The folder of a run.")],
           as_json: Json = False) -> None:
    """Recreate the report of a finished run.

    Example:  exchequer lab report lab-runs/kingdom-run-3f9c21
    """
    need_lab()
    from exchequer.lab.studies import report_again

    say(report_again(folder), as_json)
