"""The web table as a process: address, browser, signals."""

import logging
import os
import pathlib
import socket
import threading
import webbrowser

import uvicorn

from exchequer.cli.lab import RUNS
from exchequer.core.errors import InputError
from exchequer.table.app import create_app
from exchequer.table.guard import NO_LIMITS, Limits
from exchequer.table.service import Settings


def serve_table(host: str, port: int, database: str | None, pace: float, browser: bool,
                warm: bool, limits: bool = True, reports: list[pathlib.Path] | None = None
                ) -> None:
    """Serve until interrupted. Prints the address and opens a browser if there is one."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    listening = bound_socket(host, port)
    app = create_app(Settings(database or os.environ.get("EXCHEQUER_DB"), pace, warm,
                              limits=Limits() if limits else NO_LIMITS,
                              reports=tuple(reports or [RUNS])))
    port = listening.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    print(f"The table is open at {address}", flush=True)
    if host == "0.0.0.0":
        print(f"Friends on your network: http://{own_address()}:{port}/", flush=True)
    if browser and has_screen():
        threading.Timer(1.0, webbrowser.open, [address]).start()
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws_max_size=65_536,
                            timeout_graceful_shutdown=3, server_header=False, lifespan="on")
    uvicorn.Server(config).run([listening])


def bound_socket(host: str, port: int) -> socket.socket:
    found = socket.socket()
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
