"""Who calls a tool: over HTTP whoever's token the request carries, over stdio the one agent there.

Over HTTP every request stands alone, so it says each time who it is from, as a program's does.
"""

import asyncio
from typing import Any

from mcp.server.mcpserver import Context

from exchequer.agents.door import Caller, Door
from exchequer.core.errors import InputError


class Callers:
    """Finds the caller of a tool; the agent at the other end of stdio gets a token when it needs
    one, unless it was started with one.
    """

    def __init__(self, door: Door, token: str = "", password: str = "") -> None:
        self.door, self._own = door, Caller(token, password)
        self._asking = asyncio.Lock()

    async def of(self, ctx: Context) -> Caller:
        request: Any = ctx.request_context.request
        if request is None:
            return await self._alone()
        word, _, token = request.headers.get("authorization", "").partition(" ")
        if word.lower() != "bearer":
            raise InputError("Say who you are: POST /api/v1/visitors gives a token, which belongs "
                             "into the header Authorization: Bearer of every request.")
        host = request.client.host if request.client else ""
        return Caller(token.strip(), request.headers.get("exchequer-password", ""), host)

    async def _alone(self) -> Caller:
        async with self._asking:
            if not self._own.token:
                answer = await self.door.post(self._own, "visitors")
                self._own = Caller(answer["token"], self._own.password)
        return self._own
