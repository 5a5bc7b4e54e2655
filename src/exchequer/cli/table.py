"""`exchequer table`: what whoever runs a server does with its tables."""

import json
import os
import pathlib
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from exchequer.cli.options import Json
from exchequer.core.errors import InputError

if TYPE_CHECKING:
    from exchequer.table.store import Store

table = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich",
    help="Look after the tables of a server: list, show, delete, export, back up.",
    epilog="Start with:  exchequer table list")

Database = Annotated[str | None, typer.Option(
    help="As for `exchequer serve`. Default: EXCHEQUER_DB, or a file in "
         "~/.local/share/exchequer.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
TableId = Annotated[str, typer.Argument(help="The table's id: the end of its link.")]
Status = Annotated[str, typer.Option(help="Only waiting, running, over or closed ones.")]
BY_ID = {"ignore_unknown_options": True}  # an id may begin with a dash
DAY = 86_400.0


def store_at(database: str | None) -> "Store":
    """One that is there: a name mistyped is no new database."""
    from exchequer.table.store import Store, database_url, sqlite_file

    place = database or os.environ.get("EXCHEQUER_DB")
    file = sqlite_file(database_url(place))
    if file and not file.is_file():
        raise InputError(f"There is no database {file}; `exchequer serve` makes one.")
    return Store(place)


@table.command("list")
def list_tables(database: Database = None, status: Status = "",
                limit: Annotated[int, typer.Option(min=1)] = 100, as_json: Json = False) -> None:
    """List the tables, those that changed last first.

    Example:  exchequer table list --status running
    """
    from exchequer.table.upkeep import tables

    found = tables(store_at(database), status, limit)
    if as_json:
        print(json.dumps(found))
        return
    for row in found:
        changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(row["changed"]))
        names = ", ".join(name or "free" for name in row["seats"])
        print(f"{row['id']}  {changed}  {row['status']:8}  {row['game']:14}  {names}")
    if not found:
        print("There are no such tables.", file=sys.stderr)


@table.command(context_settings=BY_ID)
def show(table_id: TableId, database: Database = None,
         secrets: Annotated[bool, typer.Option(
             help="Also seeds and moves of a game that is not over.")] = False) -> None:
    """Print all that is kept of one table, as JSON; seeds and moves once it has ended.

    Example:  exchequer table show 4kY2bQ0m7sXw1n9Z
    """
    from exchequer.table.upkeep import table as kept

    found = kept(store_at(database), table_id)
    if found["table"]["status"] in ("waiting", "running") and not secrets:
        found["table"].pop("seed")
        found["journal"] = [line for line in found["journal"] if line["kind"] == "sit"]
    print(json.dumps(found, indent=2, ensure_ascii=False))


@table.command()
def export(goal: Annotated[pathlib.Path, typer.Argument(help="A new file, a line a table.")],
           database: Database = None, status: Status = "over") -> None:
    """Write tables with their journals and chats into a file, one JSON object a line.

    Example:  exchequer table export finished.jsonl
    """
    from exchequer.core.files import replacing
    from exchequer.table.upkeep import table as kept
    from exchequer.table.upkeep import table_ids

    store = store_at(database)
    found = table_ids(store, status)
    if goal.exists():
        raise InputError(f"{goal} is there already; name a file that is not.")
    try:
        with replacing(goal) as part, part.open("w", encoding="utf-8") as file:
            for one in found:
                file.write(json.dumps(kept(store, one), ensure_ascii=False) + "\n")
    except OSError as error:
        raise InputError(f"{goal} cannot be written: {error.strerror}.") from None
    print(f"{len(found)} tables are in {goal}.")


@table.command(context_settings=BY_ID)
def delete(table_ids: Annotated[list[str], typer.Argument(help="Ids of tables.")],
           database: Database = None, yes: Yes = False) -> None:
    """Delete tables with their journals and chats.

    Example:  exchequer table delete 4kY2bQ0m7sXw1n9Z
    """
    from exchequer.table import upkeep

    ask(f"Delete {len(table_ids)} tables?", yes)
    print(f"{upkeep.delete(store_at(database), table_ids)} tables deleted.")


@table.command()
def purge(older_than: Annotated[float, typer.Option(
              min=0, help="Days since something happened there.")] = 365,
          running: Annotated[bool, typer.Option(
              help="Also tables that have not ended.")] = False,
          database: Database = None, yes: Yes = False) -> None:
    """Delete ended tables by their age.

    Example:  exchequer table purge --older-than 90
    """
    from exchequer.table import upkeep

    ask(f"Delete what has not changed for {older_than:g} days?", yes)
    gone = upkeep.purge(store_at(database), time.time() - older_than * DAY, not running)
    print(f"{gone} tables deleted.")


@table.command()
def erase(name: Annotated[str, typer.Argument(help="A visitor's name, or their id.")],
          database: Database = None, yes: Yes = False) -> None:
    """Take a visitor's name and words out of everything; the games they played stay.

    Example:  exchequer table erase "Alice"
    """
    from exchequer.table import upkeep
    from exchequer.table.identity import is_visitor_id

    store = store_at(database)
    found = upkeep.visitors_named(store, name) or ([name] if is_visitor_id(name) else [])
    if not found:
        raise InputError(f'Nobody here is called "{name}"; `exchequer table list` has names.')
    if len(found) > 1:
        raise InputError(f"{len(found)} visitors have that name; give an id: {', '.join(found)}.")
    ask(f"Erase {name}?", yes)
    print(f"Erased from {upkeep.erase(store, found[0])} tables. A server that runs remembers the "
          "name and writes it again where a game goes on: restart it.")


@table.command()
def invite(count: Annotated[int, typer.Argument(min=1, max=1000, help="How many people.")] = 1,
           url: Annotated[str, typer.Option(help="Where people find the server.")] = "",
           days: Annotated[int, typer.Option(min=1, max=30, help="How long they may wait.")] = 7,
           database: Database = None) -> None:
    """Print links that let people in without the password, each of them once.

    Example:  exchequer table invite 5 --url https://games.example.org
    """
    from exchequer.cli.serve import checked_url
    from exchequer.table.identity import Tokens

    checked_url(url)
    tokens = Tokens(store_at(database).key)
    for _ in range(count):
        print(f"{url.rstrip('/')}/enter/{tokens.invitation(days)}")


@table.command()
def backup(goal: Annotated[pathlib.Path, typer.Argument(help="A new file.")],
           database: Database = None) -> None:
    """Copy the whole database while the server runs. The copy holds the server's secret.

    Example:  exchequer table backup backups/monday.db
    """
    from exchequer.table import upkeep

    upkeep.backup(store_at(database), goal)
    print(f"{goal} has everything, as of now.")


@table.command()
def restore(source: Annotated[pathlib.Path, typer.Argument(help="What `backup` wrote.")],
            database: Annotated[str, typer.Option(help="A new file, or an empty database.")]
            ) -> None:
    """Make a database of a backup; the server must not run on it.

    Example:  exchequer table restore backups/monday.db --database games.db
    """
    from exchequer.table import upkeep

    upkeep.restore(database, source)
    print(f"{database} has everything that was in {source}.")


def ask(question: str, yes: bool) -> None:
    if not yes and not typer.confirm(question):
        raise typer.Abort
