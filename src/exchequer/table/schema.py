"""The tables, and the steps from each version of them to the next."""

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from exchequer.core.errors import InputError

CHANNEL = "exchequer"  # on which PostgreSQL tells other processes of a change
MIGRATION_LOCK = 7_303_014  # any number; one process migrates, the others wait

meta = sa.MetaData()

visitors = sa.Table(
    "visitors", meta,
    sa.Column("id", sa.String(64), primary_key=True),  # a hash of the token in the cookie
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)

matches = sa.Table(
    "matches", meta,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("overlay", sa.Text, nullable=False),  # what the variant changes, as JSON
    sa.Column("content", sa.String(16), nullable=False, server_default=""),
    # the hash of all numbers in play; empty in matches from before version 2
    sa.Column("n_seats", sa.Integer, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),  # 0 where the journal's start line has it
    sa.Column("seed_chosen", sa.Boolean, nullable=False),
    sa.Column("clock", sa.Text, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),  # whether the lobby shows it to everybody
    sa.Column("creator", sa.String(64), nullable=False),
    sa.Column("opened_from", sa.String(16), nullable=False, server_default=""),
    # a keyed hash of the address it was opened from, so that nobody can fill the lobby
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("lesson", sa.Boolean, nullable=False, server_default=sa.false()),
    # whether the game's lesson is played there
    sa.Column("private_talk", sa.Boolean, nullable=False, server_default=sa.false()),
    # whether two players may talk without the others reading it
    # A cache of the journal:
    sa.Column("status", sa.String(12), nullable=False),  # waiting, running, over, closed
    sa.Column("asked", sa.Integer),  # the seat that has to answer
    sa.Column("also_asked", sa.Integer, nullable=False, server_default="0"),
    # a bit for each further seat that is asked at the same time
    sa.Column("bot_asked", sa.Boolean, nullable=False, default=False),
    sa.Column("due", sa.Float),  # when the clock runs out; secret, as it may be the bell
    sa.Column("changed", sa.Float, nullable=False),
    sa.Column("story", sa.Text),  # a finished game in words, as JSON
    # Which process plays the bots, and until when:
    sa.Column("bot_owner", sa.String(40), nullable=False, default=""),
    sa.Column("bot_until", sa.Float, nullable=False, default=0.0),
    sa.Index("matches_by_status", "status", "due"),
)

seats = sa.Table(
    "seats", meta,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("holder", sa.String(64)),  # a visitor, or nobody
    sa.Column("bot", sa.String(20)),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Index("seats_by_holder", "holder"),
)

journal = sa.Table(
    "journal", meta,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("action", sa.Integer),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

chat = sa.Table(
    "chat", meta,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("role", sa.String(12), nullable=False, server_default=""),  # player or spectator
    sa.Column("visitor", sa.String(64), nullable=False, server_default=""),
    # who said it, so that it can be erased; empty in messages from before version 6
    sa.Column("reader", sa.String(64), nullable=False, server_default=""),
    # the visitor to whom it was said in private; empty: to everybody
    sa.Column("reader_name", sa.String(60), nullable=False, server_default=""),
)

server = sa.Table(
    "server", meta,
    sa.Column("name", sa.String(20), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),  # `key`: the secret of this server, in hex
)

used_links = sa.Table(
    "used_links", meta,  # sign-in links work once
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)

lesson_steps = sa.Table(
    "lesson_steps", meta,  # how far people come in lessons
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("step", sa.Integer, primary_key=True),  # that they have done; from 1 on
    sa.Column("game", sa.String(60), nullable=False),
)

playtests = sa.Table(
    "playtests", meta,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("link", sa.String(24), nullable=False, unique=True),  # what testers open
    sa.Column("game", sa.String(60), nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),  # variants, seats, questions, as JSON
    sa.Column("owner", sa.String(64), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("closed", sa.Float),  # when it took no more testers
    sa.Column("brought", sa.Text),  # games that were imported, as JSON
)

testers = sa.Table(
    "testers", meta,  # who agreed to be recorded; nothing is kept of anybody else
    sa.Column("playtest", sa.ForeignKey("playtests.number"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # all that is ever shown of them
    sa.Column("holder", sa.String(64)),  # a visitor; nobody once they had themselves erased
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("testers_by_holder", "holder"),
)

playtest_tables = sa.Table(
    "playtest_tables", meta,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("playtest", sa.ForeignKey("playtests.number"), nullable=False),
    sa.Column("arm", sa.Integer, nullable=False),  # which of the variants the lot chose
    sa.Index("tables_by_playtest", "playtest"),
)

traces = sa.Table(
    "traces", meta,  # what testers did and said beside their moves
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("playtest", sa.ForeignKey("playtests.number"), nullable=False),
    sa.Column("match", sa.String(32)),  # none: a game on paper
    sa.Column("tester", sa.Integer),  # none: the designer, or whoever entered a game on paper
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("traces_by_playtest", "playtest"),
    sa.Index("traces_by_match", "match", "tester"),
)

schema_version = sa.Table("schema_version", meta, sa.Column("version", sa.Integer, nullable=False))


def add_columns(connection: Connection, *columns: tuple[str, str, str]) -> None:
    """Table, name and kind of each; a new database has them from the first step."""
    for table, column, kind in columns:
        if column not in {found["name"] for found in sa.inspect(connection).get_columns(table)}:
            connection.execute(sa.text(f"ALTER TABLE {table} ADD COLUMN {column} {kind}"))


def first_tables(connection: Connection) -> None:
    meta.create_all(connection)


def add_content_hash(connection: Connection) -> None:
    """Version 2 keeps with each match the hash of its content."""
    add_columns(connection, ("matches", "content", "VARCHAR(16) NOT NULL DEFAULT ''"))


def add_hosting(connection: Connection) -> None:
    """Version 3 has a secret of the server, used links, stories, and who may fill the lobby."""
    meta.create_all(connection)
    add_columns(connection, ("matches", "opened_from", "VARCHAR(16) NOT NULL DEFAULT ''"),
                ("matches", "story", "TEXT"),
                ("chat", "role", "VARCHAR(12) NOT NULL DEFAULT ''"))


def add_lessons(connection: Connection) -> None:
    """Version 4 has lessons, and counts how far people come in them."""
    meta.create_all(connection)
    add_columns(connection, ("matches", "lesson", "BOOLEAN NOT NULL DEFAULT FALSE"))


def add_also_asked(connection: Connection) -> None:
    """Version 5 knows that several seats are asked at once."""
    add_columns(connection, ("matches", "also_asked", "INTEGER NOT NULL DEFAULT 0"))


def add_speakers(connection: Connection) -> None:
    """Version 6 keeps who said what, so that a spectator's words can be erased, too."""
    add_columns(connection, ("chat", "visitor", "VARCHAR(64) NOT NULL DEFAULT ''"))


def add_playtests(connection: Connection) -> None:
    """Version 7 has playtests: who agreed to what, at which tables, and what they said."""
    meta.create_all(connection)


# Step n leads to version n + 1; each finds the tables as the steps before it left them.
def add_private_talk(connection: Connection) -> None:
    """Version 8 lets two players talk in private where the table allows it."""
    add_columns(connection, ("matches", "private_talk", "BOOLEAN NOT NULL DEFAULT FALSE"),
                ("chat", "reader", "VARCHAR(64) NOT NULL DEFAULT ''"),
                ("chat", "reader_name", "VARCHAR(60) NOT NULL DEFAULT ''"))


STEPS: list[Callable[[Connection], None]] = [
    first_tables, add_content_hash, add_hosting, add_lessons, add_also_asked, add_speakers,
    add_playtests, add_private_talk]


def migrate(connection: Connection, is_postgres: bool) -> None:
    """Bring the database to this version, step by step, in the caller's transaction."""
    if is_postgres:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
    has_table = sa.inspect(connection).has_table(schema_version.name)
    found = connection.execute(sa.select(schema_version.c.version)).scalar() if has_table else 0
    version = found or 0
    if version > len(STEPS):
        raise InputError(f"The database has schema version {version} and this program knows "
                         f"versions up to {len(STEPS)}; use the newer program.")
    for step in STEPS[version:]:
        step(connection)
    if version < len(STEPS):
        connection.execute(schema_version.delete())
        connection.execute(schema_version.insert().values(version=len(STEPS)))
