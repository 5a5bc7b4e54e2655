"""A game's look comes from its own folder, wherever that lies."""

import os
from collections.abc import Iterator

import httpx
import pytest
from served import Served

from exchequer.core import find
from exchequer.core.find import find_game, folders_of, shipped_names
from exchequer.table import boards
from exchequer.table.boards import STATIC
from toys.souk import LOOKS, souk


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(find.VARIABLE, "")
    return souk(tmp_path, *LOOKS)


@pytest.fixture
def client(tmp_path) -> Iterator[httpx.Client]:
    """A browser without scripts."""
    with Served(str(tmp_path / "t.db")) as served:
        found = served.client(accept="text/html", origin=served.url)
        found.follow_redirects = True
        yield found


def test_the_tables_styles_keep_nothing_of_any_game():
    shared = (STATIC / "board.css").read_text()
    for game in map(find_game, shipped_names()):
        board = (game.folder / "table.html").read_text()
        root = board.partition('class="board ')[2].partition('"')[0]
        assert root and f".{root} " in boards.style(game)
        assert f".{root}" not in shared


def test_editions_share_what_lies_above_and_nobody_else_does(folder):
    v17, own = find_game("treasury/v17"), find_game(folder)
    assert [path.name for path in folders_of(v17)] == ["v17", "treasury"]
    (folder.parent / "icons").mkdir()
    (folder.parent / "icons" / "stray.svg").write_text("<svg/>")
    assert folders_of(own) == [folder]
    assert [path.name for path in boards.icon_files(own)] == ["lamp.svg"]


def test_board_style_icons_and_picture_come_from_its_folder(folder, client):
    game = find_game(folder)
    assert 'aria-label="Souk"' in client.get("/").text
    page = client.post("/quick", data={"game": "souk"})
    assert '<p class="stall">6 gold</p>' in page.text and 'id="icon-lamp"' in page.text
    link = page.text.partition('href="/style/')[2].partition('"')[0]
    style = client.get(f"/style/{link}")
    assert style.text == LOOKS["style.css"] == boards.style(game)
    assert style.headers["content-type"].startswith("text/css")
    assert "immutable" in style.headers["cache-control"]
    assert "style-src 'self'" in style.headers["content-security-policy"]
    (folder / "style.css").write_text(".souk {}\n")
    assert client.get(f"/style/{link}").headers["cache-control"] == "no-cache"


def test_a_table_of_a_game_that_says_nothing_of_clocks_can_be_set_up(folder, client):
    find_game(folder)
    assert "the first move is made" in client.get("/new/souk").text


def test_a_broken_game_is_listed_in_the_lobby_and_harms_nobody(folder, client):
    find_game(folder)
    (folder.parent / "half").mkdir()
    (folder.parent / "half" / "rulebook.md").write_text("**H-1 So far.**\n")
    os.environ[find.VARIABLE] += f"{os.pathsep}{folder.parent}"
    lobby = client.get("/")
    assert lobby.status_code == 200 and "half cannot be imported" in lobby.text
    assert "Kingdom" in lobby.text
    assert "half" not in [game["name"] for game in client.get("/api/v1/games").json()]
