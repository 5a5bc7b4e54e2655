"""Coming in: the password of a closed server, invitations, a second device, a base path."""

import re
import subprocess
import sys

import httpx
import pytest
from served import Served
from test_api import stream
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from exchequer.cli.serve import Serving, checked_proxies, checked_url, password_of
from exchequer.core.errors import InputError
from exchequer.table.entrance import own_path
from exchequer.table.guard import COOKIE
from exchequer.table.identity import DAY, LINK_SECONDS, Tokens
from exchequer.table.limits import Limits

pytestmark = pytest.mark.xdist_group("api")
PASSWORD = "open sesam\u00e9"


def test_a_closed_server_lets_nobody_in_without_the_password(tmp_path):
    with Served(str(tmp_path / "t.db"), Limits(), password=PASSWORD) as served:
        browser = served.client(accept="text/html", origin=served.url)
        assert browser.get("/").headers["location"] == "/enter?to=%2F"
        assert "Password" in browser.get("/enter").text
        assert served.program().get("/api/v1/games").status_code == 401
        with pytest.raises(InvalidStatus):
            stream(served, served.program(), "x")
        assert browser.post("/enter", data={"password": "guess"}).status_code == 401
        assert browser.post("/enter", data={"password": PASSWORD}).status_code == 303
        assert browser.get("/").status_code == 200
        program = served.program()
        said = {b"exchequer-password": PASSWORD.encode()}
        assert program.get("/api/v1/games", headers=said).status_code == 200
        guesses = [browser.post("/enter", data={"password": str(i)}).status_code for i in range(40)]
        assert guesses.count(429) > 10
        assert httpx.get(f"{served.url}/healthz").status_code == 200


def test_a_password_is_not_guessed_by_programs_either(tmp_path):
    """By header, cookie, form or socket; whoever is right too late is not heard."""
    with Served(str(tmp_path / "t.db"), Limits(passwords=(1, 0.001)), password=PASSWORD) as served:
        friend, mallory = (httpx.Client(base_url=served.url) for _ in range(2))
        friend.post("/enter", data={"password": PASSWORD}, headers={"origin": served.url})
        guessed = [mallory.get("/api/v1/games", headers={"exchequer-password": str(guess)})
                   .status_code for guess in range(10)]
        assert guessed == [401] * 4 + [429] * 6  # the friend, too, was one of the five
        said = {b"exchequer-password": PASSWORD.encode()}
        assert mallory.get("/api/v1/games", headers=said).status_code == 429
        with pytest.raises(InvalidStatus):
            connect(f"{served.url.replace('http', 'ws')}/table/x/stream",
                    additional_headers={"Exchequer-Password": PASSWORD})
        assert friend.get("/api/v1/games").status_code == 200  # the cookie is no guess
        in_cookie = {"cookie": f"exchequer_pass={PASSWORD}".encode()}
        assert mallory.get("/api/v1/games", headers=in_cookie).status_code == 401  # type: ignore[arg-type]
        for client in (friend, mallory):
            client.close()


def test_who_enters_goes_where_they_wanted_to(tmp_path):
    with Served(str(tmp_path / "t.db"), password=PASSWORD) as served:
        friend = served.client(accept="text/html", origin=served.url)
        asked = friend.get("/rules/kingdom").headers["location"]
        assert asked == "/enter?to=%2Frules%2Fkingdom"
        assert 'name="to" value="/rules/kingdom"' in friend.get(asked).text
        answer = friend.post("/enter", data={"password": PASSWORD, "to": "/rules/kingdom"})
        assert answer.headers["location"] == "/rules/kingdom"
        assert friend.get("/rules/kingdom").status_code == 200


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil.example",
                                  "evil", "", "/a\r\nset-cookie: x=1", "/" + "a" * 300])
def test_nobody_is_led_elsewhere(path: str):
    assert own_path(path) == "/"


def test_an_invitation_lets_one_browser_in(tmp_path):
    place = str(tmp_path / "t.db")
    with Served(place, password=PASSWORD) as served:
        done = subprocess.run(
            [sys.executable, "-m", "exchequer", "table", "invite", "2", "--database", place,
             "--url", served.url], capture_output=True, text=True, check=True)
        links = done.stdout.split()
        assert len(set(links)) == 2
        first, second = (served.client(accept="text/html", origin=served.url) for _ in range(2))
        assert "You are invited." in first.get(links[0]).text
        assert first.get("/").status_code == 303  # looking at a link does not use it
        form = {"invitation": links[0].rpartition("/")[2], "to": "/rules/kingdom"}
        assert first.post("/enter", data=form).headers["location"] == "/rules/kingdom"
        assert first.get("/").status_code == 200
        assert second.post("/enter", data=form).status_code == 401
        assert second.get("/").status_code == 303
        assert second.get("/enter/made-up").status_code == 401
        assert second.post("/enter", data={"invitation": "x" * 40}).status_code == 401


def test_an_invitation_ends_and_is_nothing_else():
    tokens = Tokens(b"k" * 32)
    word = tokens.invitation(7, now=1000.0)
    assert tokens.is_invitation(word, now=1000.0 + 7 * DAY)
    assert not tokens.is_invitation(word, now=1001.0 + 7 * DAY)
    assert not tokens.is_invitation(tokens.invitation(400, now=1000.0), now=1001.0 + 30 * DAY)
    assert tokens.visitor(word) is None and tokens.linked(word) is None
    assert not tokens.is_invitation(tokens.link("a" * 32))
    assert not Tokens(b"o" * 32).is_invitation(word, now=1000.0)


def test_a_link_signs_a_second_device_in_once(served: Served):
    first = served.client(accept="text/html", origin=served.url)
    first.get("/")
    first.post("/api/v1/name", json={"name": "Zoe"})
    path = first.post("/api/v1/link", headers={"accept": "application/json"}).json()["path"]
    second, third = (served.client(accept="text/html", origin=served.url) for _ in range(2))
    assert "Be Zoe in this browser" in second.get(path).text
    link = {"link": path.rpartition("/")[2]}
    assert second.post("/sign-in", data=link).status_code == 303
    assert 'value="Zoe"' in second.get("/").text
    assert second.cookies[COOKIE] != first.cookies[COOKIE]
    assert third.post("/sign-in", data=link).status_code == 401
    assert third.post("/sign-in", data={"link": "x" * 50}).status_code == 401
    second.post("/sign-out")
    assert 'value="Zoe"' not in second.get("/").text


def test_a_link_ends_and_is_no_token():
    tokens = Tokens(b"k" * 32)
    visitor = tokens.issue().id
    link = tokens.link(visitor, now=1000.0)
    assert tokens.linked(link, now=1000.0) == visitor
    assert tokens.linked(link, now=1001.0 + LINK_SECONDS) is None
    assert tokens.visitor(link) is None and tokens.linked(tokens.issue().token) is None
    assert Tokens(b"o" * 32).linked(link, now=1000.0) is None


def test_a_server_below_a_path(tmp_path):
    url = "https://games.example.org/play"
    with Served(str(tmp_path / "t.db"), url=url) as served:
        browser = served.client(accept="text/html", host="games.example.org",
                                origin="https://games.example.org")
        for prefix in ("", "/play"):  # whether or not the proxy takes the path away
            lobby = browser.get(f"{prefix}/")
            assert 'href="/play/static/site.css"' in lobby.text
            assert 'data-base="/play"' in lobby.text
            assert not re.search(r'(href|src|action|data-post)="/(?!play)', lobby.text)
        cookie = lobby.headers["set-cookie"]
        assert "Secure" in cookie and "Path=/play" in cookie
        answer = browser.post("/play/quick", data={"game": "kingdom", "kind": "play"})
        assert answer.headers["location"].startswith("/play/table/")
        page = browser.get(answer.headers["location"]).text
        assert not re.search(r'(href|src|action|data-post)="/(?!play)', page)


@pytest.mark.parametrize(("url", "said"), [
    ("https://games.example.org:443/play", "https://games.example.org/play"),  # as browsers say it
    ("http://games.example.org:80", "http://games.example.org"),
    ("https://[2001:db8::1]:443", "https://[2001:db8::1]"),
    ("https://games.example.org:8443", "https://games.example.org:8443"), ("", "")])
def test_where_people_find_the_server(url: str, said: str):
    """With a port that no browser says every click was "sent from another site"."""
    assert checked_url(url) == said


@pytest.mark.parametrize("url", ["http://[::1", "https://x:port", "https://x:99999", "https://",
                                 "games.example.org"])
def test_an_address_that_is_none_is_a_sentence(url: str):
    with pytest.raises(InputError, match="--url is where people find the server"):
        checked_url(url)


def test_the_first_line_of_a_file_is_the_password(tmp_path):
    file = tmp_path / "password"
    file.write_text(f"\n {PASSWORD} \nfor the club\n")
    assert password_of(Serving(password_file=file)) == PASSWORD
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="no text in UTF-8"):
        password_of(Serving(password_file=file))


@pytest.mark.parametrize("proxy", ["*", "caddy", "10.0.0.0/8", ""])
def test_a_proxy_is_trusted_by_its_address(proxy: str):
    """With a star everybody was believed to be whom they say."""
    with pytest.raises(InputError, match="--trusted-proxy is the address"):
        checked_proxies(["127.0.0.1", proxy])
    assert checked_proxies(["127.0.0.1", "0::1"]) == ["127.0.0.1", "::ffff:127.0.0.1", "::1"]
