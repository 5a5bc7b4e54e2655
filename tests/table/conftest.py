"""Stores of both kinds, a served table, a browser."""

import os
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from postgres import cluster
from served import Served

from exchequer.table.store import Store

KINDS = [pytest.param("sqlite"),
         pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On CI a test in the browser is tried once more; the summary names those that needed it."""
    if os.environ.get("CI"):
        for item in items:
            if "chromium" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with cluster() as address:
        yield address


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of a database with nothing in it."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return postgres_server


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> str:
    """Where a store keeps its things: every test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        return str(tmp_path / "table.db")
    return request.getfixturevalue("postgres")


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    found = Store(place)
    yield found
    found.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table served from this process, its bots answering at once."""
    with Served(str(tmp_path_factory.mktemp("served") / "table.db")) as found:
        yield found


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="module")
def chromium(playwright: Any) -> Iterator[Any]:
    """A browser for each file: pages stay until it closes (`Person.close`), 40 MB each."""
    from visitors import ARGUMENTS, chromium_path

    browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(params=["desktop", "phone"])
def person(request: pytest.FixtureRequest, chromium: Any, served: Served) -> Iterator[Any]:
    """Somebody at a desk by day, then somebody with a phone in the dark."""
    from visitors import DESKTOP, PHONE, Person

    is_phone = request.param == "phone"
    found = Person(chromium, served.url, PHONE if is_phone else DESKTOP,
                   color_scheme="dark" if is_phone else "light")
    yield found
    found.close()
