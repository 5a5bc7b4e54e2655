"""The commands. Nothing heavy is imported before it is needed, so `--help` is instant."""

import json
import os
import pathlib
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer

import exchequer
from exchequer.cli.content import content
from exchequer.cli.interrupts import always_interruptible
from exchequer.cli.lab import lab
from exchequer.cli.options import GameName, Json, Out, Set, Variant, chosen, need
from exchequer.cli.playtest import playtest
from exchequer.cli.table import table
from exchequer.cli.train import train
from exchequer.core.errors import InputError

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Exchequer takes a tabletop prototype from rulebook to evidence.",
    epilog="Start with:  exchequer play kingdom")

app.add_typer(content, name="content")
app.add_typer(lab, name="lab")
app.add_typer(table, name="table")
app.add_typer(playtest, name="playtest")
app.command()(train)

GameNames = Annotated[list[str] | None, typer.Argument(help="Games. Default: all.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same game.", min=0)]
AgentSeconds = Annotated[float, typer.Option(min=0.01, help="What an agent has for an answer.")]
RUNGS = "random,greedy,easy,medium,hard,expert,master"


def main() -> None:
    """Report bad input in a sentence, not in a traceback."""
    if not {*sys.argv[1:2]} & {"serve", "dev", "mcp"}:  # servers end by themselves
        always_interruptible()
    try:
        app()
    except InputError as error:
        print(f"exchequer: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        from exchequer.core.find import blamed

        if not (sentence := blamed(error)):
            raise
        print(f"exchequer: {sentence}", file=sys.stderr)
        sys.exit(2)


def show(result: Any, as_json: bool) -> None:
    """Print a result, drawn or as one JSON object."""
    if as_json:
        print(json.dumps(result.report()))
        return
    from rich.console import Console

    Console().print(result)


def say(report: Any, as_json: bool, draw: Callable[[Any], None]) -> None:
    """As one JSON object, or drawn for people."""
    if as_json:
        print(json.dumps(report))
    else:
        draw(report)


@app.command()
def new(name: Annotated[str, typer.Argument(help="What the game is called: small letters and _.")],
        like: Annotated[str, typer.Option(help="The game that is copied: harvest, the smallest; "
                                               "whispers, that of the tutorial.")] = "harvest",
        place: Annotated[pathlib.Path, typer.Option("--in", help="Where its folder is made.")
                         ] = pathlib.Path()) -> None:
    """Make a folder with a small game that already plays, to write your own rules into.

    Examples:

      exchequer new my_game

      exchequer new court --like whispers
    """
    from exchequer.cli.new import new_game

    folder = new_game(name, like, place)
    print(f"Made {folder}. Go on with:\n\n"
          f"  exchequer dev {folder}      play it in the browser while you write\n"
          f"  exchequer check {folder}    what is wrong with it, in sentences\n"
          f"  exchequer play {folder}     play it in the terminal")


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    from exchequer.cli.listing import game_rows, print_games

    if as_json:
        print(json.dumps(game_rows()))
    else:
        print_games()


@app.command()
def play(game: GameName, bots: Annotated[str, typer.Option(
             help="The other players: me (somebody else at this keyboard), random, greedy, easy, "
                  "medium, hard, expert, master, mcts:N, FILE.py:CLASS for your own bot, or "
                  "agent:COMMAND "
                  "for any program. One for all, or one for each.")] = "greedy",
         seats: Annotated[int | None, typer.Option(help="How many play.")] = None,
         seed: Annotated[int | None, typer.Option(help="Default: a new one each time.")] = None,
         variant: Variant = None, set_: Set = None,
         resume: Annotated[pathlib.Path | None, typer.Option(
             help="Continue a saved game.")] = None,
         plain: Annotated[bool, typer.Option(
             "--plain", help="Sentences and lists alone, as screen readers want them.")] = False,
         ) -> None:
    """Play in the terminal, against bots or with others at the same keyboard.

    Examples:

        exchequer play kingdom

        exchequer play kingdom --bots hard

        exchequer play kingdom --bots me --set turn_limit=12

        exchequer play kingdom --resume my-game.toml
    """
    from exchequer.cli.play import play_game

    chosen_game, content = chosen(game, variant, set_)
    play_game(chosen_game, content, chosen_game.seats_for(seats), bots, seed, resume, plain)


@app.command()
def rules(game: GameName,
          words: Annotated[list[str] | None, typer.Argument(
              help="A paragraph such as K-31, a card, or words. Default: the whole rulebook."
          )] = None,
          newcomer: Annotated[bool, typer.Option(
              "--learn", help="The pages for somebody who has never played.")] = False,
          keys: Annotated[bool, typer.Option(
              "--keys", help="Show the keys that change the numbers.")] = False,
          variant: Variant = None, set_: Set = None) -> None:
    """Read the rules: learn a game, or look up a paragraph or a card.

    Examples:

        exchequer rules kingdom --learn

        exchequer rules kingdom K-31

        exchequer rules kingdom Barracks

        exchequer rules jagged_time --variant hard
    """
    from exchequer.cli.rules import print_rules

    print_rules(*chosen(game, variant, set_), " ".join(words or []), newcomer, keys)


@app.command()
def serve(host: Annotated[str, typer.Option(
              help="127.0.0.1: only you; 0.0.0.0 lets friends on your network join.")]
          = "127.0.0.1",
          port: Annotated[int, typer.Option(min=0, max=65_535, help="0 for any free port.")] = 8017,
          database: Annotated[str | None, typer.Option(
              help="An SQLite file or a postgresql:// address. Default: EXCHEQUER_DB, or a "
                   "file in ~/.local/share/exchequer.")] = None,
          pace: Annotated[float, typer.Option(
              min=0, help="Seconds before a bot moves, so that people can follow.")] = 0.6,
          browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
          warm: Annotated[bool, typer.Option(help="Compile the games in the background, for bots "
                                             "that search.")] = True,
          limits: Annotated[bool, typer.Option(help="Bound how often one visitor may do what; "
                                               "without, for tests and load.")] = True,
          reports: Annotated[list[pathlib.Path] | None, typer.Option(
              help="A folder of lab runs whose reports are shown in the lobby. Repeatable. "
                   "Default: lab-runs, when only this machine can reach the server.")] = None,
          url: Annotated[str, typer.Option(
              help="Where people find the server, such as https://games.example.org; its path is "
                   "the base path.")] = "",
          trusted_proxy: Annotated[list[str] | None, typer.Option(
              help="The address of a proxy whose X-Forwarded headers are believed. Repeatable."
          )] = None,
          password_file: Annotated[pathlib.Path | None, typer.Option(
              help="A file with the password that everybody must say. Default: "
                   "EXCHEQUER_PASSWORD, or none.")] = None,
          keep_days: Annotated[float, typer.Option(
              min=0, help="Delete games this long after they ended; 0: never.")] = 0.0,
          json_logs: Annotated[bool, typer.Option(help="Log one JSON object a line.")] = False,
          log_requests: Annotated[bool, typer.Option(help="Log every request.")] = False,
          server_timing: Annotated[bool, typer.Option(
              help="Say in each answer how long it took; for measuring.")] = False,
          desk: Annotated[bool, typer.Option(
              "--desk", help="Also open the designer's desk, for whoever has the link that is "
                             "printed. Runs lie in lab-runs.")] = False) -> None:
    """Open the web table: all games in the browser, with friends and bots.

    Examples:

        exchequer serve

        exchequer serve --host 0.0.0.0 --port 8100 --database games.db

        EXCHEQUER_DB=postgresql://user@host/games exchequer serve --url https://games.example.org
    """
    need("fastapi", "table")
    from exchequer.cli.serve import Serving, serve_table

    serve_table(Serving(host, port, database, pace, browser, warm, limits, reports, url,
                        trusted_proxy, password_file, keep_days, json_logs, log_requests,
                        server_timing, desk))


@app.command()
def desk(game: Annotated[str, typer.Argument(help="A game such as kingdom, or the folder of "
                                                  "yours.")] = "",
         port: Annotated[int, typer.Option(min=0, max=65_535, help="0 for any free port.")] = 8017,
         database: Annotated[str | None, typer.Option(help="As for `exchequer serve`.")] = None,
         browser: Annotated[bool, typer.Option(help="Open a browser.")] = True) -> None:
    """Open the designer's desk: change numbers, watch the game being played, keep what works.

    Runs and variants lie in lab-runs; only this machine can reach it.

    Example:  exchequer desk kingdom
    """
    need("fastapi", "table")
    from exchequer.cli.serve import Serving, serve_table
    from exchequer.core.find import find_game

    name = find_game(game).name if game else ""
    serve_table(Serving(port=port, database=database, browser=browser, desk=True, game=name))


@app.command()
def mcp(http: Annotated[bool, typer.Option(
            "--http", help="Speak streamable HTTP, beside the web table, instead of stdio.")]
        = False,
        table: Annotated[str, typer.Option(
            help="With stdio: the address of a running web table, such as http://127.0.0.1:8017. "
                 "Default: tables in this process, for agents and bots alone.")] = "",
        token: Annotated[str, typer.Option(
            envvar="EXCHEQUER_TOKEN", help="With stdio: the visitor that the agent is. Default: a "
                                           "new one.")] = "",
        host: Annotated[str, typer.Option(help="With --http: 127.0.0.1 is only you.")]
        = "127.0.0.1",
        port: Annotated[int, typer.Option(min=0, max=65_535, help="With --http: 0 for any free "
                                                                  "port.")] = 8019,
        database: Annotated[str | None, typer.Option(
            help="An SQLite file or a postgresql:// address. Default: EXCHEQUER_DB with --http; "
                 "nothing is kept with stdio.")] = None,
        runs: Annotated[pathlib.Path, typer.Option(
            help="The folder of the lab's runs.")] = pathlib.Path("lab-runs"),
        url: Annotated[str, typer.Option(help="With --http: where people find the server.")] = "",
        warm: Annotated[bool, typer.Option(help="With --http: compile the games in the background, "
                                                "for bots that search.")] = True) -> None:
    """Let agents in, by the Model Context Protocol: tables, rules, the lab.

    Examples:

        exchequer mcp

        exchequer mcp --table http://127.0.0.1:8017

        exchequer mcp --http
    """
    need("fastapi", "table")
    need("mcp", "mcp")
    from exchequer.cli.mcp import over_http, over_stdio
    from exchequer.cli.serve import Serving

    if http:
        over_http(Serving(host, port, database, browser=False, warm=warm, url=url), runs)
    else:
        over_stdio(table, database, runs, token)


@app.command()
def dev(folder: Annotated[pathlib.Path, typer.Argument(help="The folder of your game.")],
        seats: Annotated[int | None, typer.Option(help="Number of seats. Default: 2.")] = None,
        seed: Annotated[int, typer.Option(help="What the first game is dealt from.", min=0)] = 1,
        phone: Annotated[bool, typer.Option(
            "--phone", help="Let phones of your network take a seat, by a link or QR code.")]
        = False,
        port: Annotated[int, typer.Option(min=0, max=65_535, help="0 for any free port.")] = 8018,
        browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
        warm: Annotated[bool, typer.Option(help="Compile behind whenever the rules change.")]
        = True) -> None:
    """Write a game and play it at once: all seats in one window, which follows what you save.

    Example:  exchequer dev ./whispers
    """
    need("fastapi", "table")
    from exchequer.cli.dev import Bench, develop

    develop(Bench(folder, phone, port, seats, seed, browser, warm))


@app.command()
def replay(file: Annotated[pathlib.Path, typer.Argument(help="A replay or saved game.")],
           check: Annotated[bool, typer.Option(
               "--check", help="Run it again and report the first difference.")] = False) -> None:
    """Show a game move by move, or check that it still runs the same way.

    Examples:

        exchequer replay my-game.toml

        exchequer replay my-game.toml --check
    """
    from exchequer.cli.replays import check_file, show_file

    if not (check_file(file) if check else show_file(file)):
        raise typer.Exit(1)


@app.command()
def simulate(game: GameName,
             seats: Annotated[int | None, typer.Option(help="Number of seats.")] = None,
             games: Annotated[int, typer.Option(help="Number of games.", min=1)] = 10_000,
             seed: Seed = 0, variant: Variant = None, set_: Set = None,
             as_json: Json = False) -> None:
    """Play many random games and show lengths, endings, scores, and what came up.

    Example:  exchequer simulate kingdom --games 100000
    """
    chosen_game, content = chosen(game, variant, set_)
    show(exchequer.simulate(chosen_game, games=games, seats=seats, seed=seed, variant=content),
         as_json)


@app.command()
def bench(names: GameNames = None, as_json: Json = False,
          peers: Annotated[bool, typer.Option(help="Time OpenSpiel and RLCard, too, if they "
                                              "are installed.")] = True,
          envs: Annotated[bool, typer.Option("--envs", help="Measure the environments instead: "
                                             "vector, PettingZoo, and the peers' own.")] = False,
          gpu: Annotated[bool, typer.Option("--gpu", help="Measure the GPU instead, compared with "
                                            "one core and all cores.")] = False,
          search: Annotated[bool, typer.Option("--search", help="Measure search instead: "
                                               "iterations per second, and OpenSpiel's.")] = False,
          of_lab: Annotated[bool, typer.Option("--lab", help="Measure the lab instead: whole "
                                               "runs, on one core and two.")] = False) -> None:
    """Measure speed and size on one core, and those of peers, as medians of several runs.

    Examples:

        exchequer bench kingdom --json

        exchequer bench --envs

        exchequer bench --gpu --json

        exchequer bench --search --json

        exchequer bench kingdom --lab --json
    """
    from exchequer.core.find import find_game, game_names

    games = [find_game(name) for name in names or game_names()]
    if envs:
        need("gymnasium", "envs")
    if of_lab:
        need("polars", "lab")
    asked = {"envs": envs, "gpu": gpu, "lab": of_lab, "search": search, "games": True}
    kind = next(kind for kind, wanted in asked.items() if wanted)
    module = import_module("exchequer.cli.bench" + ("" if kind == "games" else f"_{kind}"))
    report = getattr(module, f"bench_{kind}")(games, peers)
    say(report, as_json, getattr(module, f"print_{kind}"))


@app.command()
def arena(game: GameName,
          bots: Annotated[str, typer.Option(
              help="One bot per seat, such as hard,easy, FILE.py:CLASS for your own, or "
                   "agent:COMMAND for any program.")],
          seats: Annotated[int | None, typer.Option(
              help="Number of seats; the last bot takes all that are left. Default: the number of "
                   "bots.")] = None,
          games: Annotated[int, typer.Option(help="Number of games.", min=1)] = 200,
          seed: Seed = 0, variant: Variant = None, set_: Set = None,
          stop: Annotated[bool, typer.Option("--stop", help="Stop as soon as it is clear whether "
                                             "the first bot is better than the rest.")] = False,
          seconds: AgentSeconds = 10.0, as_json: Json = False) -> None:
    """Let bots play each other on the same deals, each in every seat.

    Examples:

        exchequer arena kingdom --bots hard,medium --games 1000

        exchequer arena kingdom --bots greedy,random --games 10000 --stop

        exchequer arena treasury/v17 --bots hard,medium --seats 3

        exchequer arena kingdom --bots "agent:python examples/agent.py,greedy" --games 100
    """
    chosen_game, content = chosen(game, variant, set_)
    show(exchequer.arena(chosen_game, [name.strip() for name in bots.split(",")], games=games,
                         seats=seats, seed=seed, variant=content, stop=stop, seconds=seconds),
         as_json)


@app.command()
def evaluate(policy: Annotated[str, typer.Argument(help="A bot, or FILE.py:CLASS of your own.")],
             game: GameName,
             against: Annotated[str, typer.Option(help="The opponents.")]
             = "random,greedy,easy,medium,hard",
             games: Annotated[int, typer.Option(help="Games against each.", min=1)] = 200,
             seed: Seed = 0, variant: Variant = None, set_: Set = None,
             exploitability: Annotated[bool, typer.Option(
                 help="Also how far from equilibrium, in a variant small enough.")] = False,
             add: Annotated[pathlib.Path | None, typer.Option(
                 help="Append the result to this file of results, a line each.")] = None,
             as_json: Json = False) -> None:
    """Measure a policy against others on named deals, each in every seat, for a paper's table.

    Examples:

        exchequer evaluate hard kingdom --games 1000

        exchequer evaluate examples/own_bot.py:Builder kingdom --add results.jsonl

        exchequer evaluate greedy kingdom --variant tiny --exploitability
    """
    from exchequer.bots.evaluation import add_result, check_results
    from exchequer.cli.evaluate import evaluate_policy, exploited, print_evaluation

    if exploitability:
        need("pyspiel", "openspiel")
    if add:
        check_results(add)
    chosen_game, content = chosen(game, variant, set_)
    found = exploited(chosen_game, policy, variant, set_) if exploitability else {}
    result = evaluate_policy(chosen_game, content, policy,
                             [name.strip() for name in against.split(",")], games, seed) | found
    if add:
        add_result(result, add)
    say(result, as_json, print_evaluation)


@app.command()
def dataset(game: GameName,
            bots: Annotated[str, typer.Option(
                help="Who plays: one bot for all seats, or one for each.")] = "hard",
            games: Annotated[int, typer.Option(help="Number of games.", min=1)] = 1000,
            seats: Annotated[int | None, typer.Option(help="Number of seats.")] = None,
            seed: Seed = 0, variant: Variant = None, set_: Set = None, out: Out = None,
            minari: Annotated[str, typer.Option(
                help="Also keep it in Minari's store, by this name.")] = "") -> None:
    """Write games between bots as trajectories: observations, legal actions, actions, returns.

    Examples:

        exchequer dataset kingdom --games 1000 --bots greedy --out kingdom-data
        exchequer dataset kingdom --minari exchequer/kingdom-v0
    """
    need("polars", "lab")
    if minari:
        need("minari", "minari")
        from exchequer.envs.minari import check_name, export
        check_name(minari)
    from exchequer.bots.arena import seated
    from exchequer.core.progress import bar
    from exchequer.envs.dataset import write_dataset

    chosen_game, content = chosen(game, variant, set_)
    names: list[Any] = seated([name.strip() for name in bots.split(",")],
                              chosen_game.seats_for(seats))
    folder = out or pathlib.Path(f"{chosen_game.name.replace('/', '-')}-dataset")
    with bar(f"playing {chosen_game.name}", games) as advance:
        write_dataset(chosen_game, content, names, games, seed, folder, advance)
    print(f"{games} games in {folder}.")
    if minari:
        print(export(folder, minari).id, "is in Minari's store.")


@app.command("print")
def print_game(game: GameName,
               paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
               variant: Variant = None, set_: Set = None, out: Out = None,
               since: Annotated[str | None, typer.Option(
                   help="Only pieces that differ from this variant; base is the game itself."
               )] = None,
               backs: Annotated[bool, typer.Option(
                   help="Follow every page of fronts by a page of backs.")] = True,
               rulebook: Annotated[bool, typer.Option(
                   "--rulebook", help="Print the rulebook instead, with these numbers.")] = False,
               keys: Annotated[bool, typer.Option(
                   "--keys", help="With --rulebook: show the keys that change the numbers."
               )] = False,
               sheets: Annotated[bool, typer.Option(
                   "--sheets", help="Write card sheets for Tabletop Simulator instead."
               )] = False,
               url: Annotated[str, typer.Option(
                   help="With --sheets: the web address where the pictures will be.")] = "",
               csv: Annotated[bool, typer.Option(
                   "--csv", help="Write the spreadsheet instead, as for nanDECK.")] = False,
               ) -> None:
    """Print and play: cards, boards, tiles and tokens as a PDF to cut out.

    Examples:

        exchequer print kingdom

        exchequer print treasury/v17 --paper letter --out treasury.pdf

        exchequer print treasury/v17 --variant mine.toml --since base

        exchequer print greement --rulebook --set first_loan_max=20

        exchequer print jagged_time --sheets --out tabletop/
    """
    need("typst", "print")
    from exchequer.cli import printing

    asked = [name for name, on in (("--rulebook", rulebook), ("--sheets", sheets), ("--csv", csv))
             if on]
    if len(asked) > 1:
        raise InputError(f"One thing at a time: {' and '.join(asked)} write different files.")
    if asked and since is not None:
        raise InputError(f"--since selects pieces to print; it cannot be used with {asked[0]}.")
    chosen_game, content = chosen(game, variant, set_)
    if rulebook:
        printing.print_rulebook(chosen_game, content, paper, keys, out)
    elif sheets:
        printing.print_sheets(chosen_game, content, url, out)
    elif csv:
        printing.export_csv(chosen_game, content, out)
    else:
        printing.print_pieces(chosen_game, content, paper, since, backs, out)


@app.command()
def ladder(game: GameName,
           bots: Annotated[str, typer.Option(
               help="Bots, FILE.py:CLASS for your own, or agent:COMMAND for any program; the "
                    "first is rated 0.")] = RUNGS,
           games: Annotated[int, typer.Option(help="Games per pair.", min=1)] = 100,
           seed: Seed = 0, variant: Variant = None, set_: Set = None,
           plot: Annotated[pathlib.Path | None, typer.Option(
               help="Draw the ratings into this SVG file.")] = None,
           seconds: AgentSeconds = 10.0, as_json: Json = False) -> None:
    """Rate bots: every pair plays the same deals, each bot in every seat.

    Examples:

        exchequer ladder kingdom --plot kingdom.svg

        exchequer ladder kingdom --bots random,examples/own_bot.py:Builder,greedy
    """
    need("choix", "lab")
    from exchequer.cli.ladder import draw_ladder, play_ladder, print_ladder

    chosen_game, content = chosen(game, variant, set_)
    report = play_ladder(chosen_game, content, [name.strip() for name in bots.split(",")], games,
                         seed, seconds)
    if plot:
        draw_ladder(report, plot)
    say(report, as_json, print_ladder)


@app.command()
def warm(names: GameNames = None) -> None:
    """Compile games ahead of time, several at once."""
    from exchequer.cli.warm import warm_games
    from exchequer.core.find import find_game, game_names

    warm_games([find_game(name) for name in names or game_names()])


@app.command()
def check(name: GameName, games: Annotated[int, typer.Option(min=1)] = 2,
          variant: Variant = None, set_: Set = None,
          replay: Annotated[pathlib.Path, typer.Option(
              help="Where to save a replay of the first broken promise.")]
          = pathlib.Path("broken.toml")) -> None:
    """Check the promises that every game must keep.

    Example:  exchequer check kingdom --set turn_order=phased
    """
    from exchequer.cli.checking import check_everything

    game, content = chosen(name, variant, set_)
    check_everything(game, content, games, replay)
    print(f"{game.title} keeps its promises.")
