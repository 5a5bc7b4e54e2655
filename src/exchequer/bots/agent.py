"""Agents: programs in any language that hold a seat, named `agent:COMMAND`.

A program is started for each game. It reads one JSON object a line and answers one line each:

    {"count": 2, "moves": ["end", "tax"], "words": ["End your turn", ...], "question": "...",
     "text": "...", "view": {...}, "game": "kingdom", "seat": 0}
    2

An answer is the number of a move, from 1 on, or its text ("tax"), or {"move": 2, "why": "..."}.
What cannot be used is asked again with the reason under "refused". At the end a line has "over",
"scores" and "winners", and the input is closed. Who takes too long or is refused too often has the
move made by a bot; a program that ends in the middle of a game ends the run with a sentence.
"""

import contextlib
import json
import queue
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

from exchequer.bots.bot import Bot
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.plain_text import position_text
from exchequer.core.position import Position

PREFIX = "agent:"
SECONDS = 10.0  # for an answer
TRIES = 3  # answers to one question, and questions in a row without an answer in time
FALLBACK = "greedy"  # makes the move that an agent does not make
LONGEST = 65_536  # characters of an answer


@dataclass
class AgentRecord:
    """How an agent has answered."""

    answers: int = 0
    refused: int = 0
    """Answers that were no legal move."""
    late: int = 0
    """Questions without an answer in time."""
    fallbacks: int = 0
    """Moves that a bot made instead."""
    seconds: float = 0.0
    """Spent waiting for all answers."""

    def add(self, other: "AgentRecord") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def report(self) -> dict[str, Any]:
        mean = self.seconds / max(1, self.answers)
        return {"answers": self.answers, "refused": self.refused, "late": self.late,
                "fallbacks": self.fallbacks, "seconds_per_answer": round(mean, 4)}


def agent_sentence(name: str, said: Mapping[str, Any]) -> str:
    """An agent's record for people."""
    return (f"{name}: {said['answers']} answers in {said['seconds_per_answer']:.3f} s on average, "
            f"{said['refused']} of them no legal move; {said['late']} questions without an answer "
            f"in time; {said['fallbacks']} moves made by {FALLBACK} instead.")


def is_agent(bot: object) -> bool:
    return isinstance(bot, str) and bot.startswith(PREFIX)


def check_agent(bot: str) -> None:
    """Refuse what cannot be started."""
    words = command_of(bot)
    if not words:
        raise InputError("An agent is named by its command, such as agent:./my_agent.")
    if shutil.which(words[0]) is None:
        raise InputError(f'There is no program "{words[0]}" to hold a seat as an agent.')


def command_of(bot: str) -> list[str]:
    try:
        return shlex.split(bot.removeprefix(PREFIX))
    except ValueError as error:
        raise InputError(f"The command of {bot} cannot be read: {error}.") from None


class Late(Exception):
    """No answer came in time."""


class Program:
    """A process that is written lines and answers each with one."""

    def __init__(self, bot: str) -> None:
        self.name = bot.removeprefix(PREFIX)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command_of(bot), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self._errors)
        except OSError as error:
            raise InputError(f"{self.name} cannot be started: {error.strerror}.") from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._unread = 0  # lines that were too late when they were due
        threading.Thread(target=read_lines, args=(self._process.stdout, self._lines),
                         daemon=True).start()
        self.stop = weakref.finalize(self, stopped, self._process, self._errors)

    def tell(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def ask(self, message: dict[str, Any], seconds: float) -> str:
        """The line that answers this one; those that came too late for others are passed over."""
        end = time.monotonic() + seconds
        self.tell(message)
        self._unread += 1
        line: str | None = ""
        while self._unread:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Late from None
            if line is None:
                raise self._ended()
            self._unread -= 1
        return line or ""

    def _ended(self) -> InputError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        why = f": {said[-1][:200]}" if said else ""
        return InputError(f"The agent {self.name} ended in the middle of a game (exit status "
                          f"{self._process.returncode}){why}")


def read_lines(output: IO[bytes], lines: "queue.SimpleQueue[str | None]") -> None:
    with contextlib.suppress(ValueError, OSError):  # closed while we read
        while line := output.readline(LONGEST):
            lines.put(line.decode("utf-8", "replace").strip())
    lines.put(None)


def stopped(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> None:
    """Close the program's input, which tells it to end, and see to it that it does."""
    with contextlib.suppress(OSError):
        process.stdin.close()  # type: ignore[union-attr]
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()  # type: ignore[union-attr]
    errors.close()


class Agent:
    """A player that reads texts and answers by a program."""

    def __init__(self, game: Game, bot: str, seed: int, seconds: float = SECONDS) -> None:
        self.game, self.seconds = game, seconds
        self.record = AgentRecord()
        self._program = Program(bot)
        self._stand_in = Bot(game, FALLBACK, seed, game.ready_mode)
        self._late_in_a_row = 0

    def answer(self, position: Position) -> int:
        """One of the legal moves of the seat that is asked."""
        asked = question_of(position)
        if self._late_in_a_row < TRIES:
            for _ in range(TRIES):
                try:
                    move, why_not = self._try(asked, position)
                except Late:
                    self.record.late += 1
                    self._late_in_a_row += 1
                    break
                self._late_in_a_row = 0
                if not why_not:
                    return move
                self.record.refused += 1
                asked["refused"] = why_not
        self.record.fallbacks += 1
        seat = position.actor
        return self._stand_in.choose(position.observe(seat), position.content, seat)

    def _try(self, asked: dict[str, Any], position: Position) -> tuple[int, str]:
        """The move, or why the answer is none."""
        began = time.monotonic()
        try:
            line = self._program.ask(asked, self.seconds)
        finally:
            self.record.seconds += time.monotonic() - began
        self.record.answers += 1
        return understood(line, position)

    def end(self, position: Position) -> None:
        """Tell how the game ended, and let the program go."""
        with contextlib.suppress(InputError):  # it need not wait for the end
            self._program.tell({"over": True, "scores": position.scores(),
                                "winners": position.winners(), "text": position.outcome()})
        self._program.stop()


def question_of(position: Position) -> dict[str, Any]:
    """A question as a program reads it, with all that its seat may know."""
    menu, seat = position.menu(), position.actor
    return {"count": len(menu), "moves": [move.text for move, _ in menu],
            "words": [words for _, words in menu], "question": position.question,
            "text": position_text(position, seat), "view": position.view(seat),
            "game": position.game.name, "seat": seat}


def understood(line: str, position: Position) -> tuple[int, str]:
    """The move that an answer names, or why it is none."""
    try:
        answer = json.loads(line)
    except ValueError:
        answer = line  # the text of a move without quotation marks
    move = answer.get("move") if isinstance(answer, dict) else answer
    legal = position.legal()
    if isinstance(move, int) and not isinstance(move, bool):
        if 1 <= move <= len(legal):
            return legal[move - 1], ""
        return 0, f"Choose a move from 1 to {len(legal)}, not {move}."
    if not isinstance(move, str):
        return 0, "An answer is the number or the text of a move."
    try:
        action = position.game.words.TEXTS.action(move.strip())
    except InputError as error:
        return 0, str(error)
    if action in legal:
        return action, ""
    return 0, position.refusal(action) or "That is not among the moves."
