"""What is in deploy/, exercised as far as this machine allows."""

import pathlib
import re
import shutil
import socket
import subprocess
import sys

import httpx
import pytest
from postgres import free_port
from served import Served
from visitors import wait_until
from websockets.sync.client import connect

from exchequer.cli.main import app
from exchequer.table.screen_processes import READY

ROOT = pathlib.Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = ("exchequer.service", "exchequer-backup.service", "exchequer-backup.timer")


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_understands_the_units(tmp_path: pathlib.Path, unit: str):
    analyze = tool("systemd-analyze")
    for name in UNITS:  # a timer looks for its service; programs must be there
        text = (DEPLOY / name).read_text()
        text = text.replace("/opt/exchequer/.venv/bin/exchequer serve", f"{sys.executable} serve")
        (tmp_path / name).write_text(text)
    done = run(analyze, "verify", "--man=no", str(tmp_path / unit))
    said = [line for line in (done.stdout + done.stderr).splitlines() if unit in line]
    assert done.returncode == 0 and not said, said


def test_the_unit_is_hardened():
    done = run(tool("systemd-analyze"), "security", "--offline=true", "--threshold=20",
               str(DEPLOY / "exchequer.service"))  # 100 is unsafe, 20 is "OK"
    assert done.returncode == 0, done.stdout[-300:]


def test_caddy_understands_its_file():
    done = run(tool("caddy"), "validate", "--adapter", "caddyfile", "--config",
               str(DEPLOY / "Caddyfile"))
    assert done.returncode == 0, done.stderr


def test_people_play_through_caddy(tmp_path: pathlib.Path):
    """The Caddyfile of deploy/, but for its domain and port: pages, writes, streams, addresses."""
    caddy, port = tool("caddy"), free_port()
    url = f"http://localhost:{port}"
    with Served(str(tmp_path / "t.db"), url=url, trusted_proxies=("127.0.0.1",)) as served:
        text = (DEPLOY / "Caddyfile").read_text()
        text = text.replace("games.example.org", url)
        text = text.replace("127.0.0.1:8017", served.url.removeprefix("http://"))
        file = tmp_path / "Caddyfile"
        file.write_text(text.replace("{\n\tservers", "{\n\tadmin off\n\tservers", 1))
        proxy = subprocess.Popen([caddy, "run", "--adapter", "caddyfile", "--config", str(file)],
                                 env={"HOME": str(tmp_path), "PATH": "/usr/bin"},
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: is_up(url))
            browser = httpx.Client(base_url=url, headers={"origin": url, "accept": "text/html"})
            assert browser.get("/").status_code == 200
            answer = browser.post("/quick", data={"game": "kingdom", "kind": "play"})
            assert answer.status_code == 303
            table = answer.headers["location"]
            cookie = "; ".join(f"{key}={value}" for key, value in browser.cookies.items())
            with connect(f"{url.replace('http', 'ws')}{table}/stream", origin=url,  # type: ignore[arg-type]
                         additional_headers={"Cookie": cookie}) as stream:
                assert "regions" in stream.recv(10)
            assert browser.get("/metrics").status_code == 404
            browser.close()
        finally:
            proxy.terminate()
            proxy.wait(10)


def is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_every_option_of_deploy_and_docs_exists():
    """A unit, an image or a page that names an option that is gone fails here."""
    import typer

    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    known = {name for option in serve.params for name in (*option.opts, *option.secondary_opts)}
    texts = [(DEPLOY / name).read_text() for name in ("exchequer.service", "Containerfile",
                                                      "compose.yaml")]
    options = re.search(r"## Options\n(.*?)\n## ", (ROOT / "docs/hosting.md").read_text(), re.S)
    assert options
    named = set(re.findall(r"`(--[a-z-]+)", options[1]))
    for text in texts:
        for line in re.findall(r"(?:ExecStart|EXCHEQUER_OPTIONS|ENTRYPOINT|CMD \[\"--|command:).*?"
                               r"(?:[^\\,]$)", text, re.S | re.M):
            named |= set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", line))
    named -= {"--from", "--to"}  # Caddy's
    assert named > {"--url", "--trusted-proxy"} and named <= known, named - known


def test_the_image_copies_what_is_there():
    text = (DEPLOY / "Containerfile").read_text()
    for line in re.findall(r"^COPY (.*)$", text, re.M):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
    assert "USER exchequer" in text and "--require-hashes" in text


def test_everything_a_server_needs_is_pinned_with_hashes():
    """The list has every dependency of the table, at the versions that are tested."""
    import tomllib

    text = (DEPLOY / "requirements.txt").read_text()
    pinned = dict(re.findall(r"^([\w.-]+)==([^ ]+) ", text, re.M))
    assert text.count("--hash=sha256:") >= len(pinned)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["table"]]
    for requirement in wanted:
        name = re.split(r"[\[>;=<~]", requirement)[0].lower()
        assert name in pinned, name
    lock = dict(line.split("==") for line in (ROOT / "requirements.lock").read_text().split())
    tested = {name.lower().replace("_", "-"): version for name, version in lock.items()}
    for name, version in pinned.items():
        assert tested.get(name.replace("_", "-"), version) == version, name


FORBIDDEN = """
import os

def nice(_):
    raise PermissionError

os.nice = nice
"""


@pytest.mark.parametrize("begins", [
    "from exchequer.table.screen_processes import main; main()",
    "import runpy, sys; sys.argv = ['compiling', 'no-such-game']; "
    "runpy.run_module('exchequer.table.compiling', run_name='__main__')"])
def test_processes_begin_where_they_may_not_be_less_urgent(begins: str):
    """The unit forbade it: under it no game was compiled, and no screen was made elsewhere."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen([sys.executable, "-c", FORBIDDEN + begins],
                                   stdin=theirs.fileno(), stderr=subprocess.PIPE, text=True)
        theirs.close()
        said = ours.recv(100)
        ours.close()
        error = process.communicate(timeout=60)[1]
    assert said == READY or "no-such-game" in error, error


def test_the_unit_lets_processes_be_less_urgent():
    filters = re.findall(r"^SystemCallFilter=(.*)$", (DEPLOY / UNITS[0]).read_text(), re.M)
    assert "@resources" in filters[1] and filters[2:] == ["setpriority"]
