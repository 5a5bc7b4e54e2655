"""The web table as a process: address, browser, signals."""

import dataclasses
import ipaddress
import logging
import os
import pathlib
import socket
import threading
import webbrowser
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from fastapi import FastAPI

from exchequer.cli.lab import RUNS, need_lab
from exchequer.core.errors import InputError
from exchequer.table.app import create_app
from exchequer.table.limits import NO_LIMITS, Limits
from exchequer.table.server import SPARE_FILES, configure, open_files, serve, start_logging
from exchequer.table.service import Settings

if TYPE_CHECKING:
    from exchequer.table.desk import Desk

log = logging.getLogger("exchequer.table")
USUAL_PORTS = {"http": 80, "https": 443}


@dataclass
class Serving:
    """What `exchequer serve` was told."""

    host: str = "127.0.0.1"
    port: int = 8017
    database: str | None = None
    pace: float = 0.6
    browser: bool = True
    warm: bool = True
    limits: bool = True
    reports: list[pathlib.Path] | None = None
    url: str = ""
    trusted_proxies: list[str] | None = None
    password_file: pathlib.Path | None = None
    keep_days: float = 0.0
    json_logs: bool = False
    log_requests: bool = False
    server_timing: bool = False
    desk: bool = False
    game: str = ""  # whose desk is opened


def serve_table(told: Serving) -> None:
    """Serve until interrupted. Prints where; opens a browser when there is one to open."""
    start_logging(told.json_logs, told.log_requests)
    files, proxies = open_files(), checked_proxies(told.trusted_proxies or [])
    listening = bound_socket(told.host, told.port)
    app = create_app(settings_of(told, files))
    port = listening.getsockname()[1]
    address = told.url or f"http://127.0.0.1:{port}/"
    print(f"The table is open at {address}", flush=True)
    if told.host in ("0.0.0.0", "::"):
        print(f"Friends on your network: http://{own_address()}:{port}/", flush=True)
    elif not told.url:
        print("Only this machine can reach it; --host 0.0.0.0 lets your network in.", flush=True)
    config = configure(app, proxies, files)
    if not told.desk:
        open_browser(told, address)
        serve(config, listening)
        return
    desk = add_the_desk(app)
    address = f"{address.rstrip('/')}/desk/enter?{urlencode({'key': desk.key, 'game': told.game})}"
    print(f"The designer's desk is open at {address}", flush=True)
    open_browser(told, address)
    try:
        serve(config, listening)
    finally:
        desk.runs.stop()


def add_the_desk(app: FastAPI) -> "Desk":
    """The desk needs the lab, which not every server has."""
    need_lab()
    from exchequer.table.desk import Desk
    from exchequer.table.desk_pages import add_desk

    desk = Desk(app.state.service, RUNS)
    add_desk(app, desk)
    return desk


def open_browser(told: Serving, address: str) -> None:
    if told.browser and has_screen():
        threading.Timer(1.0, webbrowser.open, [address]).start()


def settings_of(told: Serving, files: int) -> Settings:
    limits = Limits() if told.limits else NO_LIMITS
    limits = dataclasses.replace(limits, streams=min(limits.streams, files - SPARE_FILES))
    reports = told.reports
    if told.desk:
        reports = [*(reports or []), RUNS]
    elif reports is None:  # what is in the current folder is for this machine alone
        reports = [RUNS] if told.host in ("127.0.0.1", "localhost") and not told.url else []
    return Settings(
        told.database or os.environ.get("EXCHEQUER_DB"), told.pace, told.warm, limits=limits,
        reports=tuple(reports), url=checked_url(told.url), password=password_of(told),
        keep_days=told.keep_days, server_timing=told.server_timing)


def checked_url(url: str) -> str:
    """As browsers say it: without a port that goes without saying."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in USUAL_PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half an address of IPv6, or a port that is none
        is_address = False
    if not url:
        return ""
    if not is_address:
        raise InputError(f'--url is where people find the server, such as '
                         f'https://games.example.org, not "{url}".')
    if parts.port != USUAL_PORTS[parts.scheme]:
        return url
    return parts._replace(netloc=parts.netloc.rpartition(":")[0]).geturl()


def checked_proxies(proxies: list[str]) -> list[str]:
    """Addresses, each also as a socket for both kinds of address names it. Any other word would be
    believed of everybody (`*`) or of nobody.
    """
    found = []
    for proxy in proxies:
        try:
            address = ipaddress.ip_address(proxy)
        except ValueError:
            raise InputError(f'--trusted-proxy is the address of a proxy, such as 127.0.0.1, not '
                             f'"{proxy}".') from None
        found += [str(address)] + [f"::ffff:{address}"] * (address.version == 4)
    return found


def password_of(told: Serving) -> str:
    if told.password_file is None:
        return os.environ.get("EXCHEQUER_PASSWORD", "")
    try:
        lines = told.password_file.read_text(encoding="utf-8").strip().splitlines()
    except OSError as error:
        raise InputError(f"{told.password_file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{told.password_file} is no text in UTF-8.") from None
    if not lines:
        raise InputError(f"{told.password_file} is empty; the first line is the password.")
    return lines[0].strip()


def bound_socket(host: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        raise InputError(f"Port {port} cannot be used: {error.strerror}. Choose another with "
                         "--port, or 0 for any free port.") from None
    return found


def own_address() -> str:
    """This machine's address on its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def has_screen() -> bool:
    return os.name == "nt" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
