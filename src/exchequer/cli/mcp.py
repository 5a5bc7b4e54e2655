"""`exchequer mcp`: agents at the tables, by the Model Context Protocol."""

import asyncio
import os
import pathlib
import tempfile

from exchequer.agents.server import PATH, add_mcp, serve_stdio
from exchequer.cli.serve import Serving, bound_socket, settings_of
from exchequer.lab.runs import Runs
from exchequer.table.app import create_app
from exchequer.table.server import configure, open_files, serve, start_logging
from exchequer.table.service import Settings


def over_stdio(table: str, database: str | None, runs: pathlib.Path, token: str) -> None:
    """Until the other end hangs up. Without a table to go to there is one in this process."""
    with tempfile.TemporaryDirectory() as own:
        app = None if table else create_app(Settings(
            database or str(pathlib.Path(own) / "table.db"), pace=0.0, warm=False))
        password = os.environ.get("EXCHEQUER_PASSWORD", "")
        asyncio.run(serve_stdio(app, table, Runs(runs), token, password))


def over_http(told: Serving, runs: pathlib.Path) -> None:
    """The web table with a door for agents. The lab is for agents of this machine alone."""
    start_logging(told.json_logs, told.log_requests)
    files = open_files()
    listening = bound_socket(told.host, told.port)
    app = create_app(settings_of(told, files))
    address = (told.url or f"http://127.0.0.1:{listening.getsockname()[1]}").rstrip("/")
    is_ours = told.host in ("127.0.0.1", "localhost", "::1") and not told.url
    add_mcp(app, address, told.host, Runs(runs) if is_ours else None)
    print(f"The table is open at {address}/ and agents find it at {address}{PATH}", flush=True)
    serve(configure(app, told.trusted_proxies or [], files), listening)
