"""An agent's door to the tables: the JSON API that everybody has, over HTTP or in this process.

Whatever a tool does at a table goes through here, so an agent is refused what any other program
would be refused, in the same sentence, and every limit of the table holds.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx2

from exchequer.core.errors import InputError

SECONDS = 30.0  # for an answer
TRIES, LONGEST_WAIT = 5, 2  # a limit that is over in so many seconds is waited for


@dataclass(frozen=True)
class Caller:
    """Who calls: a visitor's token, and what else their request has to say at a table."""

    token: str = ""
    password: str = ""
    host: str = "127.0.0.1"

    @property
    def headers(self) -> dict[str, str]:
        said = {"authorization": f"Bearer {self.token}" if self.token else "",
                "exchequer-password": self.password}
        return {name: value for name, value in said.items() if value}


class Door:
    """Calls the API of a running table, or of the application in this process."""

    def __init__(self, url: str = "", app: Any = None) -> None:
        self.url, self.app = url.rstrip("/") or "http://localhost", app
        self.is_served = bool(url)  # people can go there, too

    async def get(self, caller: Caller, path: str, **query: Any) -> Any:
        known = {key: value for key, value in query.items() if value is not None}
        return await self._call(caller, "GET", path, params=known)

    async def post(self, caller: Caller, path: str, **body: Any) -> Any:
        return await self._call(caller, "POST", path, json=body)

    async def _call(self, caller: Caller, method: str, path: str, **more: Any) -> Any:
        """What the API answers; who is a little too quick is made to wait instead of refused."""
        for _ in range(TRIES):
            answer, said = await self._answer(caller, method, path, **more)
            wait = int(answer.headers.get("retry-after", 0))
            if not 0 < wait <= LONGEST_WAIT:
                break
            await asyncio.sleep(wait)
        if answer.is_error:
            raise InputError(said["sentence"])
        return said

    async def _answer(self, caller: Caller, method: str, path: str, **more: Any
                      ) -> tuple[httpx2.Response, Any]:
        transport = httpx2.ASGITransport(self.app, client=(caller.host, 0)) if self.app else None
        try:
            async with httpx2.AsyncClient(transport=transport, timeout=SECONDS) as client:
                answer = await client.request(method, f"{self.url}/api/v1/{path}",
                                              headers=caller.headers, **more)
                return answer, answer.json()
        except (httpx2.HTTPError, ValueError):
            raise InputError(f"The table at {self.url} does not answer.") from None
