"""Moves at many tables go to disk together, and nobody bears another's error."""

import threading

import pytest
import sqlalchemy as sa
from test_match import duel as open_duel

from exchequer.table.commits import SharedCommits
from exchequer.table.refusals import NotFound
from exchequer.table.store import Conflict, JournalEntry, Store

TABLES = 8


class Disk:
    """Counts commits; the first waits until everybody has come."""

    def __init__(self, store: Store, writers: int) -> None:
        self.commits, self.store, self.writers = 0, store, writers
        self.begun = threading.Event()
        sa.event.listen(store.engine, "commit", self.commit)

    def commit(self, _: object) -> None:
        self.commits += 1
        self.begun.set()
        if self.commits == 1:
            while len(self.store._commits._waiting) < self.writers - 1:
                threading.Event().wait(0.01)


@pytest.fixture
def store(tmp_path):
    made = Store(str(tmp_path / "commits.db"))
    yield made
    made.close()


def written(store, disk, lines):
    """What became of each append, all at once."""
    found = {}

    def write(match, number):
        try:
            store.append(match, [JournalEntry(number, "talk")], {"status": "running"})
            found[match] = "written"
        except (Conflict, NotFound) as error:
            found[match] = type(error).__name__

    threads = [threading.Thread(target=write, args=line) for line in lines]
    for thread in threads:
        thread.start()
        assert disk.begun.wait(30)  # the first is at the disk alone before the others come
    for thread in threads:
        thread.join(30)
    return found


def lines_of(store, count):
    """Tables, and the next number in the journal of each."""
    tables = [open_duel(store) for _ in range(count)]
    return [(table.id, store.last_number(table.id) + 1) for table in tables]


def test_those_who_wait_share_a_commit(store):
    lines = lines_of(store, TABLES)
    disk = Disk(store, TABLES)
    found = written(store, disk, lines)
    assert set(found.values()) == {"written"} and len(found) == TABLES
    assert disk.commits == 2
    assert [store.last_number(match) for match, _ in lines] == [number for _, number in lines]


def test_nobody_bears_anothers_error(store):
    lines = lines_of(store, TABLES)
    taken, gone = lines[3][0], "no such table"
    lines[3] = taken, 1  # somebody has written this number
    lines[5] = gone, 1
    found = written(store, Disk(store, TABLES), lines)
    assert found[taken] == "Conflict" and found[gone] == "NotFound"
    assert sum(result == "written" for result in found.values()) == TABLES - 2
    for match, number in lines:
        if match not in (taken, gone):
            assert store.last_number(match) == number


def test_a_disk_that_fails_is_everybodys_error_once():
    tries = []

    def full():
        tries.append(1)
        raise OSError("no space left")

    commits = SharedCommits(full)
    for _ in range(2):
        with pytest.raises(OSError, match="no space left"):
            commits.run(lambda connection: None)
    assert len(tries) == 2
