"""The server of the Model Context Protocol: tools, resources and prompts, over both transports."""

import contextlib
import pathlib
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from pydantic import ValidationError

from exchequer import __version__
from exchequer.agents import reading
from exchequer.agents.callers import Callers
from exchequer.agents.designers import Designers
from exchequer.agents.door import Door
from exchequer.agents.players import Players
from exchequer.agents.prompts import PROMPTS
from exchequer.core.errors import InputError
from exchequer.lab.runs import Runs
from exchequer.table.reports import finished

PATH = "/mcp"
INSTRUCTIONS = """Exchequer holds tabletop games: play them with people and bots, read their rules \
by paragraph, and, as a designer, change their numbers and have them played thousands of times. \
Start with list_games. To play: new_table or join_table, then wait_for_turn and play_move until \
the game is over. You see what your seat may see. A refused call answers with a sentence that says \
why; rules are cited by paragraph (K-31), which read_rules explains."""


class ExchequerServer(MCPServer):
    """An MCP server whose refusals are the sentences that people get."""

    async def call_tool(self, name: str, arguments: dict[str, Any],
                        context: Context | None = None) -> Any:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, InputError):
                raise ToolError(str(error.__cause__)) from None
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(argument_sentence(error.__cause__)) from None
            raise


def argument_sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'The arguments'}: {first['msg']}."[:300]


def mcp_server(door: Door, runs: Runs | None, token: str = "", password: str = ""
               ) -> ExchequerServer:
    """All that an agent can do; without `runs` nothing of the lab."""
    server = ExchequerServer("exchequer", title="Exchequer", version=__version__,
                             instructions=INSTRUCTIONS, log_level="WARNING")
    tools: list[Any] = [reading.list_games, reading.read_rules, reading.search_rules,
                        reading.read_content, *Players(door, Callers(door, token, password)).tools]
    for tool in tools + (Designers(runs).tools if runs else []):
        server.add_tool(tool)
    for prompt in PROMPTS:
        server.prompt()(prompt)
    add_resources(server, runs.folder if runs else None)
    return server


def add_resources(server: MCPServer, runs: pathlib.Path | None) -> None:
    """Rulebooks, pages for newcomers and cards of every game; reports of the lab."""
    @server.resource("exchequer://rulebook/{game}", mime_type="text/markdown")
    def rulebook(game: str) -> str:
        """A game's rulebook, paragraph by paragraph. Write treasury-v17 for treasury/v17."""
        return found(reading.read_rules, game)

    @server.resource("exchequer://learn/{game}", mime_type="text/markdown")
    def learn(game: str) -> str:
        """Two pages for somebody who has never played."""
        return found(reading.learn_text, game)

    @server.resource("exchequer://cards/{game}")
    def cards(game: str) -> str:
        """Every card, building or role of a game, with all that is on it."""
        return found(reading.cards_of, game)

    if runs is None:
        return

    @server.resource("exchequer://report/{run}", mime_type="text/html")
    def report(run: str) -> str:
        """The report of a finished run of the lab."""
        reports = finished([runs])
        if run not in reports:
            raise ResourceNotFoundError(f'There is no report "{run[:60]}"; there are '
                                        f"{', '.join(list(reports)[:8]) or 'none yet'}.")
        return reports[run].path.read_text(encoding="utf-8")


def found(read: Any, name: str) -> str:
    try:
        return read(name)
    except InputError as error:
        raise ResourceNotFoundError(str(error)) from None


# Transports --------------------------------------------------------------------------------------

async def serve_stdio(app: FastAPI | None, url: str, runs: Runs, token: str, password: str
                      ) -> None:
    """Speak over stdin and stdout, with tables in this process or at a running server."""
    door = Door(app=app) if app else Door(url)
    server = mcp_server(door, runs, token, password)
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(runs.stop)
        if app:
            await stack.enter_async_context(app.router.lifespan_context(app))
        await server.run_stdio_async()


def add_mcp(app: FastAPI, url: str, host: str, runs: Runs | None) -> None:
    """Speak streamable HTTP at /mcp of a table's application, behind the table's own guard."""
    server = mcp_server(Door(url, app), runs)
    inner = server.streamable_http_app(streamable_http_path=PATH, json_response=True,
                                       stateless_http=True, host=host)
    app.router.routes.extend(inner.routes)
    around = app.router.lifespan_context

    @contextlib.asynccontextmanager
    async def lifespan(outer: FastAPI) -> AsyncIterator[None]:
        async with around(outer), server.session_manager.run():
            yield
        if runs:
            runs.stop()

    app.router.lifespan_context = lifespan
