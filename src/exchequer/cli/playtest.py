"""`exchequer playtest`: playtests of a server, taken out of it and into another."""

import os
import pathlib
import re
import time
from typing import TYPE_CHECKING, Annotated

import typer

from exchequer.cli.table import Database, store_at
from exchequer.core.errors import InputError

if TYPE_CHECKING:
    from exchequer.lab.playtest import PlaytestData
    from exchequer.table.playtests import Playtests

playtest = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich",
    help="List playtests with people, export and import them.",
    epilog="People set one up at a served table, under /playtest; docs/playtests.md says how.")

Name = Annotated[str, typer.Argument(help="Such as playtest-7.")]


def playtests_at(database: str | None, may_be_new: bool = False) -> "Playtests":
    from exchequer.table.playtests import Playtests
    from exchequer.table.service import Service, Settings

    if not may_be_new:
        store_at(database).close()  # a sentence when there is none
    return Playtests(Service(Settings(database or os.environ.get("EXCHEQUER_DB"), warm=False)))


def playtest_at(where: str, database: str | None = None) -> "PlaytestData":
    """A playtest by its file, or by its name on a server."""
    from exchequer.lab.playtest import read_playtest

    path = pathlib.Path(where)
    if path.suffix == ".json" or path.exists():
        return read_playtest(path)
    from exchequer.table.playtest_data import data_of
    from exchequer.table.playtests import playtest_of

    playtests = playtests_at(database)
    number = re.fullmatch(r"(?:playtest-)?(\d{1,9})", where)
    row = playtests.store.by_number(int(number[1])) if number else None
    if row is None:
        raise InputError(f'There is no playtest "{where[:40]}" here; `exchequer playtest list` '
                         "names them.")
    return data_of(playtests, playtest_of(row))


@playtest.command("list")
def list_playtests(database: Database = None) -> None:
    """List the playtests of a server, the latest first.

    Example:  exchequer playtest list
    """
    from exchequer.table.playtests import playtest_of

    playtests = playtests_at(database)
    for row in playtests.store.of_owner(None):
        one = playtest_of(row)
        made = time.strftime("%Y-%m-%d", time.localtime(one.created))
        tables = len(playtests.store.tables(one.number))
        print(f"{one.name:14} {made}  {'over' if one.closed else 'open'}  {one.game:14} "
              f"{tables:4} tables  {one.title}")


@playtest.command()
def export(name: Name, goal: Annotated[pathlib.Path, typer.Argument(help="A new file.")],
           database: Database = None) -> None:
    """Write a playtest into a file: pseudonyms, and no game of anybody who did not agree.

    Example:  exchequer playtest export playtest-7 playtest-7.json
    """
    from exchequer.lab.playtest import write_playtest

    if goal.exists():
        raise InputError(f"{goal} is there already; name a file that is not.")
    data = playtest_at(name, database)
    write_playtest(data, goal)
    print(f"{len(data.games)} games of {data.name} are in {goal}.")


@playtest.command("import")
def bring(source: Annotated[pathlib.Path, typer.Argument(help="What `export` wrote.")],
          database: Database = None) -> None:
    """Bring a playtest of another server here, with all its games.

    Example:  exchequer playtest import playtest-7.json
    """
    from exchequer.lab.playtest import read_playtest
    from exchequer.table.playtest_data import bring

    playtests = playtests_at(database, may_be_new=True)
    made = bring(playtests, read_playtest(source), "")
    print(f"It is {made.name} here; its page is /playtest/{made.link}/designer"
          f"?key={playtests.key(made)}")
