"""`exchequer dev`: a table for one game that is being written, in a browser beside the editor."""

import pathlib
import socket
import sys
import tempfile
import threading
import webbrowser
from dataclasses import dataclass

import uvicorn

from exchequer.cli.serve import bound_socket, has_screen, own_address
from exchequer.core.errors import InputError
from exchequer.core.find import BOOK
from exchequer.table.app import create_app
from exchequer.table.dev_pages import add_workshop
from exchequer.table.limits import NO_LIMITS
from exchequer.table.saving import watch_folder
from exchequer.table.server import configure, serve, start_logging
from exchequer.table.service import Settings
from exchequer.table.workshop import Workshop


@dataclass
class Bench:
    """What `exchequer dev` was told."""

    folder: pathlib.Path
    phone: bool = False  # other devices of the network may come in, with the key
    port: int = 8018
    seats: int | None = None
    seed: int = 1
    browser: bool = True
    warm: bool = True


def develop(told: Bench) -> None:
    """Serve until interrupted."""
    if not (told.folder / BOOK).is_file():
        raise InputError(f"{told.folder} holds no game: there is no {BOOK} in it.")
    sys.dont_write_bytecode = True  # two saves within a second must not be taken for one
    start_logging(as_json=False, requests=False)
    listening = bound_socket("0.0.0.0" if told.phone else "127.0.0.1", told.port)
    with tempfile.TemporaryDirectory(prefix="exchequer-dev-") as place:
        config, workshop = opened_workshop(told, listening, pathlib.Path(place))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/dev?key={workshop.key}"
        print(f"The workshop is open at {address}", flush=True)
        for problem in workshop.problems:
            print(f"  {problem.file}:{problem.line}: {problem.sentence}", flush=True)
        if told.browser and has_screen():
            threading.Timer(1.0, webbrowser.open, [address]).start()
        serve(config, listening)


def opened_workshop(told: Bench, listening: socket.socket, place: pathlib.Path
                    ) -> tuple[uvicorn.Config, Workshop]:
    """The server's configuration, and the workshop that follows the folder from now on."""
    app = create_app(Settings(str(place / "dev.db"), 0.0, warm=False, limits=NO_LIMITS,
                              framed=True))
    workshop = Workshop(app.state.service, told.folder, told.seats, told.seed, told.warm)
    port = listening.getsockname()[1]
    add_workshop(app, workshop, f"http://{own_address()}:{port}" if told.phone else "")
    threading.Thread(target=watch_folder, name="saving", daemon=True,
                     args=(workshop.folder, workshop.reload, workshop.stopped)).start()
    return configure(app), workshop
