"""What a table survives: failed writes, a lost database, other rules, clocks, races, restarts."""

import contextlib
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import threading
import time
from unittest.mock import Mock

import httpx
import pytest
import sqlalchemy as sa
from postgres import binary, free_port
from served import Process, Served
from sqlalchemy.exc import OperationalError
from test_api import duel, new_table, play
from test_match import duel as open_duel
from test_match import play_on
from typer.testing import CliRunner
from visitors import wait_until

from exchequer.cli.main import app
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.table import app as table_app
from exchequer.table import upkeep
from exchequer.table.history import Seat
from exchequer.table.refusals import NotFound, NotNow, OtherRules, StaleVersion, Unavailable
from exchequer.table.registry import Registry
from exchequer.table.schema import journal, matches, schema_version
from exchequer.table.store import LEASE, Store
from exchequer.table.table_setup import TableSetup, bot_seat

KINGDOM = find_game("kingdom")
LOST = OperationalError("SELECT", {}, Exception("the connection was lost"))


def change(store: Store, match: str, **values: object) -> None:
    with store.writing() as connection:
        connection.execute(sa.update(matches).where(matches.c.id == match).values(**values))


# B1: a failed write ------------------------------------------------------------------------------

@pytest.mark.parametrize("what", ["play", "undo", "sit", "rename", "resign", "agree"])
def test_a_failed_write_leaves_the_table_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch,
                                                   what: str):
    """Also when the journal cannot be read either."""
    match = open_duel(store, *([Seat("ann", None, "Ann"), Seat()] if what == "sit" else []))
    if what != "sit":
        play_on(match, 3)
        while not match.undoable(match.asked or 0) and what == "undo":
            play_on(match, 1, seed=len(match.position.actions))
    seat = match.asked or 0
    acts = {"play": lambda: match.play(seat, match.legal()[0], match.version),
            "undo": lambda: match.undo(seat, match.version),
            "sit": lambda: match.sit(1, "ben", "Ben"),
            "rename": lambda: match.rename("ann", "Zoe"),
            "resign": lambda: match.resign(0, "ann"),
            "agree": lambda: match.agree(0, "ann", True)}
    before = picture_of(match)
    with monkeypatch.context() as broken:
        for name in ("append", "journal"):
            broken.setattr(store, name, lambda *_: (_ for _ in ()).throw(Unavailable("away")))
        with pytest.raises(Unavailable):
            acts[what]()
    assert picture_of(match) == before
    acts[what]()
    assert picture_of(match) != before
    assert picture_of(Registry(store).match(match.id)) == picture_of(match)


def picture_of(match) -> tuple:
    state = match.position.state.tobytes() if match.is_dealt else b""
    return (match.status, [*match.seats], match.version, state, match.history.number,
            sorted(match.history.agreed), [*match.history.movers], match.asked)


def test_a_move_that_another_process_made_first_is_read(store: Store):
    match = open_duel(store)
    other = Registry(store).match(match.id)
    play_on(other, 1)
    with pytest.raises(StaleVersion):
        match.play(0, match.legal()[0], match.version)
    assert picture_of(match) == picture_of(other)


def test_a_move_at_a_table_that_was_read_again_meanwhile_is_seen(store: Store):
    """A bot thinks while its game is compiled; then everybody else sees a new object."""
    registry = Registry(store)
    begun_with = registry.match(open_duel(store).id)
    registry.forget(begun_with.game)
    shown, seen = registry.match(begun_with.id), []
    registry.listeners.append(lambda match: seen.append(registry.match(match).history.number))
    play_on(begun_with, 1)
    assert shown is not begun_with and seen == [begun_with.history.number]


def test_a_lost_database_is_waited_for(store: Store, monkeypatch: pytest.MonkeyPatch):
    connect, failures = store.engine.connect, [LOST] * 3

    def failing():
        if failures:
            raise failures.pop()
        return connect()

    monkeypatch.setattr(store.engine, "connect", failing)
    if store.is_postgres:
        assert store.last_number("x") == 0 and not failures
    else:
        with pytest.raises(Unavailable, match="Nothing that was confirmed is lost"):
            store.last_number("x")


def test_a_database_that_stays_away_is_a_sentence(tmp_path, monkeypatch: pytest.MonkeyPatch):
    with Served(str(tmp_path / "t.db")) as served:
        ann = served.program()
        table = new_table(ann, seats=("me", "random"))
        ready = ann.get("/readyz").json()
        assert ready["ready"] and ready["backup"] == "ok"

        def failing():
            raise LOST

        monkeypatch.setattr(served.service.store.engine, "connect", failing)
        for answer in (ann.get("/"), ann.post("/api/v1/name", json={"name": "x"})):
            assert answer.status_code == 503 and "database" in answer.text
        assert ann.get("/healthz").status_code == 200
        assert ann.get("/readyz").status_code == 503
        assert ann.get(f"/api/v1/tables/{table}").json()["status"] == "running"  # from memory


# B2, B3: other rules, games that are gone --------------------------------------------------------

def finished(store: Store):
    match = open_duel(store)
    match.resign(1, "ben")
    return match


CHANGES = [{"rules_version": 99}, {"content": "x"}, {"game": "gone"}, {"overlay": '{"rules": 3}'}]


@pytest.mark.parametrize("changed", CHANGES, ids=str)
def test_other_rules_close_what_runs_and_keep_what_is_over(store: Store, changed: dict):
    running, over = open_duel(store), finished(store)
    for match in (running, over):
        change(store, match.id, **changed)
    registry = Registry(store)
    for match in (running, over):
        with pytest.raises(OtherRules):
            registry.match(match.id)
    assert registry.close_unplayable() == 1 and registry.close_unplayable() == 0
    rows = [store.match(match.id) for match in (running, over)]
    assert [row["status"] for row in rows if row] == ["closed", "over"]
    assert store.running_of("ann") == 0 and not store.awaiting_bots(time.time(), "x")


def test_a_game_that_is_gone_takes_nothing_down(tmp_path):
    place = str(tmp_path / "t.db")
    with Served(place) as served:
        ann, _, table = duel(served)
        ann.post(f"/api/v1/tables/{table}/resign", json={"seat": 0})
        _, _, running = duel(served)
        bots = new_table(ann, seats=("random", "greedy"))
        for one in (table, running, bots):
            change(served.service.store, one, game="gone")
        token = ann.headers["authorization"]
    with Served(place) as served:
        ann = served.client(authorization=token, accept="text/html")
        lobby = ann.get("/")
        assert lobby.status_code == 200 and "A game that is gone" in lobby.text
        assert ann.post("/api/v1/name", json={"name": "Zoe"}).status_code == 200
        for path in ("", "/replay"):
            story = ann.get(f"/table/{table}{path}")
            assert story.status_code == 200 and "not installed here any more" in story.text
            assert "gave up." in story.text
            assert '<h3 class="turn seat-0">Round 1 · ' in story.text
        told = ann.get(f"/api/v1/tables/{table}/journal", headers={"accept": "application/json"})
        assert told.status_code == 409 and told.json()["story"]["winners"] == [1]
        assert ann.get(f"/table/{running}").status_code == 409


@pytest.mark.parametrize("broken", [{"action": 99_999}, {"data": "no JSON"}, {"kind": "gone"}],
                         ids=str)
def test_a_journal_that_makes_no_game_harms_no_other_table(tmp_path, broken: dict):
    """Its clock has run out, too, and comes before the others'."""
    place = str(tmp_path / "t.db")
    with Served(place) as served:
        ann, _, bad = duel(served, clock="move", clock_amount=600)
        play(ann, bad, 0)
        good = new_table(ann, seats=("me", "random"), clock="move", clock_amount=600)
        with served.service.store.writing() as connection:
            connection.execute(journal.update().where(
                journal.c.match == bad, journal.c.kind == "move").values(**broken))
            connection.execute(journal.update().values(at=1.0))  # long ago
            connection.execute(matches.update().values(due=2.0))
        before = served.service.store.last_number(good)
        token = ann.headers["authorization"]
    with Served(place) as served:
        ann = served.client(authorization=token, accept="text/html")
        wait_until(lambda: served.service.store.last_number(good) > before)
        answer = ann.get(f"/table/{bad}")
        assert answer.status_code == 409 and "cannot be read" in answer.text
        assert ann.post("/api/v1/name", json={"name": "Zoe"}).status_code == 200
        assert ann.get("/").status_code == 200
        assert served.service.store.match(bad)["status"] == "running"  # type: ignore[index]


@pytest.mark.parametrize("content", [b"no database" * 100, b"SQLite format 3\x00" + b"x" * 900])
def test_a_file_that_is_no_database_is_a_sentence(tmp_path, content: bytes):
    place = tmp_path / "t.db"
    place.write_bytes(content)
    with pytest.raises(InputError, match="not a database"):
        Store(str(place))
    assert place.read_bytes() == content


# B4, B5, B6 --------------------------------------------------------------------------------------

def test_a_clock_that_is_set_back_stops_no_bot(store: Store):
    match = open_duel(store, bot_seat(0, "random"), Seat("ben", None, "Ben"))
    now = time.time()
    change(store, match.id, bot_owner="before", bot_until=now + 3600)
    assert store.awaiting_bots(now, "now") == [match.id]
    assert store.claim(match.id, "now", now, now + LEASE)
    assert not store.claim(match.id, "another", now, now + LEASE)


def test_a_rematch_by_many_at_once_is_one_table(store: Store):
    over = finished(store)
    registries = [Registry(store) for _ in range(5)]
    found, failed = [], []

    def ask(registry: Registry) -> None:
        try:
            found.append(registry.rematch(registry.match(over.id), "ann").id)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=ask, args=(registry,))
               for registry in [*registries, *registries]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and len(set(found)) == 1 and len(found) == 10
    with store.reading() as connection:
        assert len(list(connection.execute(sa.select(matches.c.id)))) == 2


def test_renaming_keeps_an_agreement_to_hints(store: Store):
    match = open_duel(store)
    match.agree(0, "ann", True)
    match.agree(1, "ben", True)
    match.rename("ann", "Zoe")
    assert match.hints_allowed and Registry(store).match(match.id).hints_allowed


# The end -----------------------------------------------------------------------------------------

def test_sigterm_ends_a_server_in_the_middle_of_its_thoughts(tmp_path):
    """Expert bots of a large game in plain Python think for minutes."""
    place = str(tmp_path / "t.db")
    store = Store(place)
    game = find_game("treasury/v17")
    for _ in range(4):
        Registry(store).open(TableSetup(game, game.content(), [bot_seat(0, "expert"),
                                                               bot_seat(1, "expert")]), "ann")
    store.close()
    server = Process(place, free_port()).wait()
    time.sleep(1.5)  # they think now
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(30) in (0, -signal.SIGTERM)  # it took 63 seconds once


# Backups -----------------------------------------------------------------------------------------

def test_back_up_destroy_restore_and_play_on(place: str, tmp_path: pathlib.Path,
                                             monkeypatch: pytest.MonkeyPatch):
    """While the server runs; afterwards everybody is who they were and sits where they sat."""
    if place.startswith("postgres"):
        dump = binary("pg_dump")
        assert dump, "PostgreSQL's client is missing"
        monkeypatch.setenv("PATH", str(pathlib.Path(dump).parent), prepend=":")
    saved = tmp_path / "backups" / "monday"
    with Served(place) as served:
        ann, _, table = duel(served)
        play_on(served.service.match(table), 5)
        ann.post(f"/api/v1/tables/{table}/chat", json={"text": "hello"})
        upkeep.backup(served.service.store, saved)
        before = ann.get(f"/api/v1/tables/{table}").json()
        play_on(served.service.match(table), 1)  # lost with the disk
    destroy(place)
    upkeep.restore(place, saved)
    with Served(place) as served:
        again = served.client(authorization=ann.headers["authorization"])
        assert again.get(f"/api/v1/tables/{table}").json() == before
        assert [m.text for m in served.service.store.chat(table)] == ["hello"]
        play_on(served.service.match(table), 3)
        assert served.service.match(table).version > 5
        with pytest.raises(InputError, match="is there already"):
            upkeep.backup(served.service.store, saved)


@pytest.mark.xdist_group("postgres")
def test_why_a_backup_is_not_restored_is_a_sentence(tmp_path: pathlib.Path, postgres: str,
                                                    monkeypatch: pytest.MonkeyPatch):
    dump = binary("pg_dump")
    assert dump, "PostgreSQL's client is missing"
    monkeypatch.setenv("PATH", str(pathlib.Path(dump).parent), prepend=":")
    store = Store(postgres)
    upkeep.backup(store, tmp_path / "copy")
    with pytest.raises(InputError, match=r"failed: pg_restore: error: .*already exists\.$"):
        upkeep.restore(postgres, tmp_path / "copy")
    store.close()


def destroy(place: str) -> None:
    if place.startswith("postgres"):
        import psycopg

        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return
    for file in pathlib.Path(place).parent.glob("table.db*"):
        file.unlink()


def test_tables_are_listed_deleted_and_purged(store: Store):
    running, over = open_duel(store), finished(store)
    assert {row["id"]: row["status"] for row in upkeep.tables(store)} == {
        running.id: "running", over.id: "over"}
    assert [row["id"] for row in upkeep.tables(store, "over")] == [over.id]
    kept = upkeep.table(store, over.id)
    assert [line["kind"] for line in kept["journal"]][-1] == "resign" and kept["table"]["story"]
    assert upkeep.purge(store, time.time() - 100) == 0
    assert upkeep.purge(store, time.time() + 100) == 1
    assert upkeep.delete(store, [running.id, "x"]) == 1 and upkeep.tables(store) == []
    with pytest.raises(NotFound, match="deleted"):  # a server that still has it in memory
        play_on(running, 1)
    with pytest.raises(NotFound, match="deleted"):
        store.say(running.id, "Ann", "Is anybody there?", 0.0)
    assert not store.chat(running.id)
    with pytest.raises(InputError, match="no table"):
        upkeep.table(store, over.id)


def test_a_visitor_is_erased_and_the_games_stay(store: Store):
    match = open_duel(store)
    store.remember("ann", "Ann")
    reasons = {0: "because I say so", 1: "Ben thinks so"}
    while not {entry.data.get("why") for entry in store.journal(match.id)} >= {*reasons.values()}:
        match.play(match.asked, match.legal()[0], match.version, why=reasons[match.asked])
    store.say(match.id, "Ann", "my secret", 0.0)  # from before it was kept who said what
    elsewhere = open_duel(store)
    store.say(elsewhere.id, "Nan", "as a spectator", 0.0, "spectator", "ann")
    store.say(elsewhere.id, "Ben", "hello", 0.0, "player", "ben")
    match.resign(1, "ben")
    assert upkeep.visitors_named(store, "Ann") == ["ann"]
    assert upkeep.erase(store, "ann") == 2
    kept = upkeep.table(store, match.id)
    said_there = str(kept).replace(match.id, "")  # which may have any three letters in it
    assert not any(word in said_there for word in ("Ann", "my secret", reasons[0]))
    assert reasons[1] in str(kept)
    said = [(message.name, message.text) for message in store.chat(elsewhere.id)]
    assert said == [("Somebody", "…"), ("Ben", "hello")]
    assert Registry(store).match(match.id).names == ["Somebody", "Ben"]
    assert store.visitor("ann") is None


@pytest.mark.parametrize("other", ["Ali", "%", "n_", "holder"])
def test_nobody_else_is_erased(store: Store, other: str):
    """What was mistyped was looked for in names, too: "Ali" took Alice's seats away."""
    match = open_duel(store, Seat("ann", None, "Alice"), Seat("ben", None, "Ben"))
    store.say(match.id, "Guest 123", "hello", 0.0, "spectator", "zoe")
    before = upkeep.table(store, match.id)
    assert upkeep.visitors_named(store, other) == [] and upkeep.erase(store, other) == 0
    assert upkeep.table(store, match.id) == before
    assert upkeep.visitors_named(store, "Guest 123") == ["zoe"]  # never sat, never had a name


def test_old_games_are_deleted_and_idle_ones_closed_by_the_server(tmp_path):
    with Served(str(tmp_path / "t.db"), keep_days=10) as served:
        ann, _, table = duel(served)
        ann.post(f"/api/v1/tables/{table}/resign", json={"seat": 0})
        _, _, running = duel(served)
        served.service.keep_up(time.time() + 9 * 86_400)
        assert served.service.store.match(table)
        served.service.keep_up(time.time() + 11 * 86_400)
        assert served.service.store.match(table) is None
        served.service.keep_up(time.time() + 61 * 86_400)
        row = served.service.store.match(running)
        assert row is None or row["status"] == "closed"


# Monitoring --------------------------------------------------------------------------------------

def test_metrics_are_for_this_machine(served: Served):
    httpx.get(f"{served.url}/api/v1/games")
    text = httpx.get(f"{served.url}/metrics").text
    assert 'exchequer_requests_total{method="GET",status="2xx"}' in text
    assert "exchequer_streams 0.0" in text
    hidden = httpx.get(f"{served.url}/metrics", headers={"x-forwarded-for": "198.51.100.7"})
    assert hidden.status_code == 404


def test_a_full_disk_and_a_file_that_cannot_be_written_are_not_ready(
        tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Every move was refused there, and the server said that it was ready."""
    with Served(str(tmp_path / "t.db")) as served:
        def answer() -> tuple[int, str]:
            found = httpx.get(f"{served.url}/readyz")
            return found.status_code, found.json()["database"]

        assert answer() == (200, "ok")
        with monkeypatch.context() as full:
            full.setattr(shutil, "disk_usage", lambda _: Mock(free=1000))
            assert answer() == (503, "The disk is full.")
        monkeypatch.setattr(os, "access", lambda path, how: False)
        assert answer() == (503, "t.db cannot be written to.")


def test_threads_share_one_heap(tmp_path):
    """What was free in the heaps of eight threads made the server grow for as long as it ran."""
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("another library's memory")
    program = """
import ctypes, threading
from exchequer.table.app import tune_interpreter
tune_interpreter()
all_there = threading.Barrier(8)
def take():
    kept = [bytearray(2000) for _ in range(100)]
    all_there.wait()
threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ctypes.CDLL(None).malloc_stats()"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=True)
    assert done.stderr.count("Arena ") == 1, done.stderr


def test_memory_that_is_free_is_given_back_while_the_server_runs(
        tmp_path, monkeypatch: pytest.MonkeyPatch):
    library = Mock()
    monkeypatch.setattr(table_app, "glibc", lambda: library)
    monkeypatch.setattr(table_app, "TRIM_SECONDS", 0.01)
    with Served(str(tmp_path / "t.db")):
        wait_until(lambda: library.malloc_trim.call_count > 2)
    count = library.malloc_trim.call_count
    time.sleep(0.1)
    assert library.malloc_trim.call_count == count


def test_logs_are_lines_of_json():
    import json
    import logging

    from exchequer.table.server import JsonLines

    record = logging.LogRecord("access", logging.INFO, "f", 1, "%s %s", ("GET", "/"), None)
    record.status = 200
    line = json.loads(JsonLines().format(record))
    assert (line["message"], line["status"], line["level"]) == ("GET /", 200, "info")


def test_the_command_line_looks_after_tables(tmp_path):
    place = str(tmp_path / "t.db")
    store = Store(place)
    over = finished(store)
    running = Registry(store).open(TableSetup(  # an id may begin with a dash
        KINGDOM, KINGDOM.content(), [Seat("ann", None, "Ann"), Seat("ben", None, "Ben")]),
        "ann", match_id="-yes_4kY2bQ0m7sX")
    store.close()

    def run(*arguments: str) -> str:
        done = subprocess.run([sys.executable, "-m", "exchequer", "table", *arguments,
                               "--database", place], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert over.id in run("list") and running.id not in run("list", "--status", "over")
    shown = run("show", running.id)
    assert '"seed"' not in shown and '"key"' not in shown and '"Ann"' in shown
    assert '"key"' in run("show", running.id, "--secrets")
    run("export", str(tmp_path / "all.jsonl"))
    assert (tmp_path / "all.jsonl").read_text().count("\n") == 1
    run("backup", str(tmp_path / "copy.db"))
    assert "1 tables deleted" in run("delete", over.id, "--yes")
    assert over.id not in run("list")
    copy = Store(str(tmp_path / "copy.db"))
    assert copy.match(over.id) and (tmp_path / "copy.db").stat().st_mode & 0o077 == 0
    copy.close()


def test_the_command_line_says_what_cannot_be(tmp_path):
    """A name mistyped made a new database; a folder that cannot be written was a traceback."""
    place, wrong = tmp_path / "t.db", tmp_path / "wrong.db"
    Store(str(place)).close()
    assert place.stat().st_mode & 0o077 == 0  # it holds the server's secret
    backup = tmp_path / "copy.db"
    upkeep.backup(Store(str(place)), backup)
    text = tmp_path / "text.db"
    text.write_text("no database")
    empty = tmp_path / "empty.db"
    empty.touch()
    before = sorted(tmp_path.iterdir())

    def said(*arguments: object) -> str:
        done = CliRunner().invoke(app, ["table", *map(str, arguments)])
        assert isinstance(done.exception, InputError), done.output
        return str(done.exception)

    assert "There is no database" in said("list", "--database", wrong)
    assert "There is no database" in said("backup", tmp_path / "b.db", "--database", tmp_path)
    assert "cannot be written" in said("backup", text / "b.db", "--database", place)
    assert "cannot be written" in said("restore", backup, "--database", text / "new.db")
    assert 'Nobody here is called "Ali"' in said("erase", "Ali", "--yes", "--database", place)
    for file in (text, empty):
        assert f"{file} is no backup" in said("restore", file, "--database", wrong)
    assert "There is no backup" in said("restore", tmp_path, "--database", wrong)
    assert "mysql:// is no database" in said("list", "--database", "mysql://localhost/games")
    for nowhere in (":memory:", "sqlite:///", "sqlite:///:memory:"):
        assert "kept in a file, not in memory" in said("list", "--database", nowhere)
    wrong_port = said("list", "--database", "postgresql://ann:secret@localhost:port/games")
    assert "address cannot be read" in wrong_port and "secret" not in wrong_port
    for command in (("list",), ("export", tmp_path / "all.jsonl")):
        assert 'No table is "finished"' in said(*command, "--status", "finished", "--database",
                                                place)
    assert "is there already" in said("export", text, "--database", place)
    with pytest.raises(InputError, match="cannot be made"):
        Store(str(text / "new.db"))
    assert sorted(tmp_path.iterdir()) == before


def test_a_backup_that_fails_leaves_nothing(tmp_path, monkeypatch: pytest.MonkeyPatch):
    store = Store(str(tmp_path / "t.db"))
    monkeypatch.setattr(pathlib.Path, "replace", Mock(side_effect=OSError("no space left")))
    with pytest.raises(InputError, match="no space left"):
        upkeep.backup(store, tmp_path / "copy.db")
    store.close()
    assert not list(tmp_path.glob("copy*"))


def test_a_restore_that_fails_leaves_nothing(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """What SQLite had put beside it stayed, as on a full disk."""
    store = Store(str(tmp_path / "t.db"))
    upkeep.backup(store, tmp_path / "copy.db")
    store.close()

    def full(place: str) -> None:
        pathlib.Path(f"{place}-wal").touch()
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(upkeep, "opened", full)
    with pytest.raises(Unavailable, match="full"):
        upkeep.restore(str(tmp_path / "new.db"), tmp_path / "copy.db")
    assert not list(tmp_path.glob("new*"))


def test_what_lies_beside_a_database_does_not_get_into_a_restored_one(tmp_path: pathlib.Path):
    """After kill -9 the last moves lie beside the file. When that alone was moved away, they came
    into the backup.
    """
    store = Store(str(tmp_path / "t.db"))
    upkeep.backup(store, tmp_path / "copy.db")
    lost = open_duel(store)
    shutil.copyfile(tmp_path / "t.db-wal", tmp_path / "new.db-wal")
    store.close()
    new = str(tmp_path / "new.db")
    with pytest.raises(InputError, match="new.db-wal is there already; move it away"):
        upkeep.restore(new, tmp_path / "copy.db")
    (tmp_path / "new.db-wal").unlink()
    upkeep.restore(new, tmp_path / "copy.db")
    restored = Store(new)
    assert restored.match(lost.id) is None
    restored.close()


@pytest.mark.parametrize("place", ["postgres.db", "sqlite:///games.db"])
def test_a_backup_is_restored_to_where_one_says(tmp_path: pathlib.Path, place: str,
                                                monkeypatch: pytest.MonkeyPatch):
    """An address of SQLite got an empty database; a file called so was looked for in PostgreSQL."""
    monkeypatch.chdir(tmp_path)
    store = Store(str(tmp_path / "t.db"))
    kept = open_duel(store)
    upkeep.backup(store, tmp_path / "copy.db")
    store.close()
    upkeep.restore(place, tmp_path / "copy.db")
    restored = Store(place)
    assert restored.match(kept.id)
    restored.close()


def test_any_number_of_tables_is_listed(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(upkeep, "AT_ONCE", 2)
    opened = {open_duel(store).id for _ in range(5)}
    found = upkeep.tables(store, "running")
    assert {row["id"] for row in found} == set(upkeep.table_ids(store)) == opened
    assert all(row["seats"] == found[0]["seats"] for row in found)


def test_an_older_database_is_brought_to_version_three(place: str):
    """Its waiting tables are dealt anew, its running ones go on from the seed in their row."""
    first = Store(place)
    match = open_duel(first)
    play_on(match, 3)
    with first.writing() as connection:
        for table, column in (("matches", "opened_from"), ("matches", "story"), ("chat", "role")):
            connection.execute(sa.text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        for table in ("server", "used_links"):
            connection.execute(sa.text(f"DROP TABLE {table}"))
        connection.execute(sa.text("UPDATE journal SET data = '{}' WHERE kind = 'start'"))
        connection.execute(sa.update(schema_version).values(version=2))
    first.close()
    second = Store(place)
    again = Registry(second).match(match.id)
    assert again.position.state.tobytes() == match.position.state.tobytes()
    assert len(second.key) == 32
    with contextlib.suppress(NotNow):
        play_on(again, 1)
    second.close()
