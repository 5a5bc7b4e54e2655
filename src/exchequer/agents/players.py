"""What an agent does at tables. It sits as an agent: named as such, with a time limit."""

import asyncio
import re
import time
from typing import Any
from urllib.parse import urlsplit

from mcp.server.mcpserver import Context

from exchequer.agents.callers import Callers
from exchequer.agents.door import Caller, Door
from exchequer.core.errors import InputError

LOOK_AGAIN = 0.25  # seconds between two looks while one waits
LONGEST_WAIT = 120.0


class Players:
    """Tools for players. A table is named by its id or its link."""

    def __init__(self, door: Door, callers: Callers) -> None:
        self.door, self.callers = door, callers

    @property
    def tools(self) -> list[Any]:
        return [self.new_table, self.join_table, self.look, self.look_at_data, self.legal_moves,
                self.preview_move, self.play_move, self.wait_for_turn, self.read_log, self.resign]

    async def new_table(self, ctx: Context, game: str, opponents: list[str] | None = None,
                        variant: str = "", settings: dict[str, Any] | None = None,
                        name: str = "", seed: int | None = None, seconds: int = 60,
                        fallback: str = "greedy") -> dict[str, Any]:
        """Open a table and take its first seat.

        `opponents` fill the other seats: bots (random, greedy, easy, medium, hard, expert, master),
        `friend` (a seat that people join by the link) or `agent` (the same for another agent).
        The game begins when all seats are taken. You have `seconds` for a move, then the bot
        `fallback` moves for you; there is no other clock. `settings` change numbers of the game,
        such as turn_limit.
        """
        caller = await self._named(ctx, name)
        others = ["greedy"] if opponents is None else opponents
        alone = await self._is_solo(caller, game)
        opened = await self.door.post(
            caller, "tables", game=game, seats=["agent", *([] if alone else others)],
            variant=variant, settings=settings or {}, seed=seed, clock="none",
            agent_seconds=seconds, agent_fallback=fallback)
        return await self._seated(caller, opened["id"], 0)

    async def _is_solo(self, caller: Caller, game: str) -> bool:
        found = await self.door.get(caller, "games")
        return any(card["name"] == game and card["seats"][1] == 1 for card in found)

    async def join_table(self, ctx: Context, invitation: str, seat: int | None = None,
                         name: str = "") -> dict[str, Any]:
        """Take a free seat at a table, by its link or id; without `seat`, the first free one."""
        caller = await self._named(ctx, name)
        table = table_id(invitation)
        if seat is None:
            seats = (await self.door.get(caller, f"tables/{table}"))["seats"]
            free = [number for number, one in enumerate(seats) if one["free"]]
            seat = min(free, key=lambda number: not seats[number]["agent"], default=0)
        return await self._seated(caller, table, seat)

    async def _seated(self, caller: Caller, table: str, seat: int) -> dict[str, Any]:
        sat = await self.door.post(caller, f"tables/{table}/seats", seat=seat, agent=True)
        link = {"link": f"{self.door.url}/table/{table}"} if self.door.is_served else {}
        return {"table": table, "seat": sat["seat"], "status": sat["status"], **link}

    async def _named(self, ctx: Context, name: str) -> Caller:
        caller = await self.callers.of(ctx)
        if name:
            await self.door.post(caller, "name", name=name)
        return caller

    async def look(self, ctx: Context, table: str) -> str:
        """The table as text: what you see, what has happened, what you are asked, the moves."""
        caller = await self.callers.of(ctx)
        return (await self.door.get(caller, f"tables/{table_id(table)}/text"))["text"]

    async def look_at_data(self, ctx: Context, table: str) -> dict[str, Any]:
        """The table as JSON: seats, question, moves, and all that you may see as plain data."""
        caller = await self.callers.of(ctx)
        return await self.door.get(caller, f"tables/{table_id(table)}")

    async def legal_moves(self, ctx: Context, table: str) -> dict[str, Any]:
        """Your moves, numbered from 1 on, each with its text and what it means."""
        seen = await self._seen(ctx, table)
        return {"question": seen["question"], "version": seen["version"],
                "moves": [{"number": number, "move": move["text"], "words": move["words"]}
                          for number, move in enumerate(seen["moves"], 1)]}

    async def preview_move(self, ctx: Context, table: str, move: str | int) -> dict[str, Any]:
        """What a move would do, as far as you can know; nothing is played."""
        seen = await self._seen(ctx, table)
        return await self.door.get(
            await self.callers.of(ctx), f"tables/{seen['id']}/preview", seat=seen["seat"],
            action=await self._action(ctx, seen, move))

    async def play_move(self, ctx: Context, table: str, move: str | int, why: str = "",
                        version: str = "") -> str:
        """Make a move, by its number or its text (such as build:mill).

        `why` is a sentence about it that everybody can read after the game. With `version` (of
        `legal_moves`) it is refused if the game has moved on. Returns the table as text.
        """
        seen = await self._seen(ctx, table)
        caller = await self.callers.of(ctx)
        await self.door.post(caller, f"tables/{seen['id']}/play", seat=seen["seat"],
                             action=await self._action(ctx, seen, move),
                             version=version or seen["version"] or "", why=why)
        return await self.look(ctx, seen["id"])

    async def wait_for_turn(self, ctx: Context, table: str, seconds: float = 30.0) -> str:
        """Wait until you are asked or the game is over; returns the table as text."""
        end = time.monotonic() + min(seconds, LONGEST_WAIT)
        while True:
            seen = await self.look_at_data(ctx, table)
            over = seen["status"] in ("over", "closed")
            if over or seen["moves"] or time.monotonic() >= end:
                return await self.look(ctx, table)
            await asyncio.sleep(LOOK_AGAIN)

    async def read_log(self, ctx: Context, table: str) -> str:
        """The moments of a game in sentences; when it is over with all moves and reasons."""
        caller = await self.callers.of(ctx)
        journal = await self.door.get(caller, f"tables/{table_id(table)}/journal")
        return "\n".join(line_text(number, line) for number, line in enumerate(journal["lines"]))

    async def resign(self, ctx: Context, table: str) -> str:
        """Give up the game."""
        seen = await self._seen(ctx, table)
        caller = await self.callers.of(ctx)
        answer = await self.door.post(caller, f"tables/{seen['id']}/resign", seat=seen["seat"])
        return f"You have resigned. The game is {answer['status']}."

    async def _seen(self, ctx: Context, table: str) -> dict[str, Any]:
        """The table from one's own seat."""
        seen = await self.look_at_data(ctx, table)
        if seen["seat"] is None:
            raise InputError("You have no seat at this table; take one with join_table.")
        return seen

    async def _action(self, ctx: Context, seen: dict[str, Any], move: str | int) -> int:
        """The action that a number or a text names; the table says why it is none."""
        moves = seen["moves"]
        if not moves:
            raise InputError("The game has not begun, or is over." if seen["asked"] is None else
                             f"It is {seen['seats'][seen['asked']]['name']}'s move.")
        if isinstance(move, int) or move.strip().isdecimal():
            if not 1 <= int(move) <= len(moves):
                raise InputError(f"Choose a move from 1 to {len(moves)}, not {move}.")
            return moves[int(move) - 1]["action"]
        for one in moves:
            if move.strip() in (one["text"], one["words"]):
                return one["action"]
        raise InputError(await self._why_not(ctx, seen, move.strip()))

    async def _why_not(self, ctx: Context, seen: dict[str, Any], move: str) -> str:
        refused = await self.door.get(await self.callers.of(ctx), f"tables/{seen['id']}/why",
                                      seat=seen["seat"], text=move[:60].lower())
        exact = [one["sentence"] for one in refused if move in (one["text"], one["words"])]
        return (exact or [f'"{move[:60]}" is none of your moves; legal_moves lists them.'])[0]


def table_id(invitation: str) -> str:
    """The id in a table's link, or the id itself."""
    path = urlsplit(invitation.strip()).path
    found = re.search(r"(?:^|/table/)([\w-]{1,32})(?:/|$)", path)
    if not found:
        raise InputError(f'"{invitation[:80]}" is no link to a table.')
    return found[1]


def line_text(number: int, line: dict[str, Any]) -> str:
    """`3 [build:mill] Ann builds a Mill. (Because: ...)`"""
    move = f"[{line['action']}] " if line.get("action") else ""
    why = f" (Because: {line['why']})" if line.get("why") else ""
    return f"{number} {move}{' '.join(line['told'])}{why}"
