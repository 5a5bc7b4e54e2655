"""Agents in tests: the official client of the SDK, at servers of both transports."""

import contextlib
import os
import pathlib
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from served import Served

from exchequer.agents.server import add_mcp
from exchequer.lab.runs import Runs
from exchequer.table.limits import NO_LIMITS, Limits


class Refused(Exception):
    """A tool has answered with a sentence instead."""


class Agent:
    """A client at work: `await agent.text("look", table=...)`."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Any:
        answer = await self.client.call_tool(tool, arguments)
        if answer.is_error:
            raise Refused(answer.content[0].text)
        return answer

    async def text(self, tool: str, **arguments: Any) -> str:
        return (await self.call(tool, **arguments)).content[0].text

    async def data(self, tool: str, **arguments: Any) -> Any:
        said = (await self.call(tool, **arguments)).structured_content
        return said["result"] if set(said) == {"result"} else said

    async def refusal(self, tool: str, **arguments: Any) -> str:
        with pytest.raises(Refused) as refused:
            await self.call(tool, **arguments)
        return str(refused.value)


@contextlib.asynccontextmanager
async def at_http(url: str, token: str = "") -> AsyncIterator[Agent]:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=120) as http, \
            Client(streamable_http_client(url, http_client=http)) as client:
        yield Agent(client)


class Place:
    """A server of one transport, at which agents arrive."""

    def __init__(self, runs: pathlib.Path, served: Served | None) -> None:
        self.runs, self.served = runs, served

    @contextlib.asynccontextmanager
    async def agent(self, is_known: bool = True) -> AsyncIterator[Agent]:
        if self.served:
            token = self.served.service.tokens.issue().token if is_known else ""
            async with at_http(f"{self.served.url}/mcp", token) as agent:
                yield agent
        else:
            async with Client(self.command()) as client:
                yield Agent(client)

    def command(self, *more: str) -> StdioServerParameters:
        return StdioServerParameters(
            command=sys.executable,
            args=["-m", "exchequer", "mcp", "--runs", str(self.runs), *more],
            env={**os.environ, "EXCHEQUER_PYTHON": "1"})


@contextlib.contextmanager
def table_with_mcp(runs: pathlib.Path, limits: Limits = NO_LIMITS) -> Iterator[Served]:
    """A web table that agents find at /mcp."""
    served = Served(str(runs.parent / f"{runs.name}.db"), limits)
    add_mcp(served.app, served.url, "127.0.0.1", Runs(runs))
    with served:
        yield served
