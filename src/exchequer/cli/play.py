"""The terminal game: a screen, numbered moves, the log in sentences."""

import pathlib
import secrets
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from exchequer.bots.agent import Agent
from exchequer.bots.bot import Bot
from exchequer.bots.own import Player, answer_of, check_bot, is_own, new_player
from exchequer.cli.rules import answers, nothing, thing_text
from exchequer.core.build import Mode
from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.lookup import things, things_named
from exchequer.core.plain_text import board_lines, position_text, written
from exchequer.core.position import Position, Refused
from exchequer.core.progress import prepare
from exchequer.core.replay import read_replay, resumed
from exchequer.core.screen import story_text
from exchequer.core.words import Move, NoSuchAction, counted, seat_names

MOST_TOLD = 40  # lines of what happened before a question
HELP = """[bold]number[/] make that move     [bold]u[/] undo     [bold]l[/] the whole log
[bold]s FILE[/] save     [bold]q[/] quit
[bold]r {paragraph}[/] read that paragraph, or those about some words
[bold]c {thing}[/] what that card does
A move can also be typed as it is written in replays, such as [bold]{move}[/];
if it is not allowed, you are told why."""


class Quit(Exception):
    """The player leaves."""


@dataclass
class Terminal:
    """One game at one keyboard."""

    position: Position
    bots: dict[int, Player | Agent]  # the seats that bots hold
    console: Console = field(default_factory=Console)
    plain: bool = False  # texts instead of drawings
    read_moves: int = 0  # how many moves the person at the keyboard has been told about
    sitting: int = -1  # the seat at the keyboard

    def run(self) -> None:
        try:
            while not self.position.is_over:
                seat = self.position.actor
                if seat in self.bots:
                    self.position.play(answer_of(self.bots[seat], self.position))
                else:
                    self.ask(seat)
            self.finish()
        except (Quit, EOFError):
            self.console.print("Goodbye. Next time, save with [bold]s FILE[/] to continue later.")

    # A person's move ---------------------------------------------------------------------------

    def ask(self, seat: int) -> None:
        self.hand_over(seat)
        self.show(seat)
        menu = self.position.menu()
        while not self.answer(seat, menu):
            pass

    def hand_over(self, seat: int) -> None:
        """People who share a keyboard do not see each other's secrets."""
        people = self.position.seats - len(self.bots)
        if people > 1 and seat != self.sitting and self.position.has_secrets(seat):
            self.console.clear()
            self.console.input(f"{self.name(seat)}, press Enter when you are here. ")
        self.sitting = seat

    def show(self, seat: int) -> None:
        if self.plain:
            self.print_plain(position_text(self.position, seat, self.read_moves))
            return
        self.tell(seat)
        self.console.print(self.position.screen(seat))
        self.console.print(moves_table(self.position.menu()))
        self.console.print(f"[bold]{self.name(seat)}[/]: {escape(self.position.question)} "
                           "[dim](? for help)[/]")

    def print_plain(self, text: str) -> None:
        """Lines as they are: a screen reader or a program breaks them by itself."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)
        self.read_moves = len(self.position.logs)

    def tell(self, seat: int | None) -> None:
        """What has happened since the last time."""
        lines = self.position.story(seat, since=self.read_moves)
        self.read_moves = len(self.position.logs)
        if lines:
            more = " (l shows all of it)" if len(lines) > MOST_TOLD else ""
            self.console.print(Panel(story_text(lines[-MOST_TOLD:]), title=f"what happened{more}",
                                     title_align="left"))

    def name(self, seat: int) -> str:
        return escape(self.position.names[seat])

    def answer(self, seat: int, menu: list[tuple[Move, str]]) -> bool:
        """Read one line; True if the position has changed."""
        text = self.console.input("[bold]> [/]").strip()
        word, _, rest = text.partition(" ")
        if text.isdigit():
            if 1 <= int(text) <= len(menu):
                self.position.play(menu[int(text) - 1][0])
                return True
            self.say(f"Choose a move from 1 to {len(menu)}.")
        elif word == "u":
            return self.undo(seat)
        elif word == "s":
            self.save(rest.strip())
        elif word == "r":
            self.look_up(rest.strip())
        elif word == "c":
            self.card(rest.strip())
        elif word == "l":
            self.console.print(story_text(self.position.story(seat)))
        elif word == "q":
            raise Quit
        elif word in ("?", "help"):
            self.console.print(self.help(menu))
        elif text:
            return self.typed(text)
        return False

    def help(self, menu: list[tuple[Move, str]]) -> str:
        """What can be typed, with a paragraph, a card and a possible move of this game."""
        game = self.position.game
        named = things(game, self.position.content)
        return HELP.format(paragraph=escape(game.paragraphs[0]), move=escape(menu[-1][0].text),
                           thing=escape(named[-1].name) if named else "NAME")

    def say(self, sentence: str) -> None:
        self.console.print(f"[yellow]{escape(sentence)}[/]")

    def typed(self, text: str) -> bool:
        try:
            self.position.play(text)
        except (NoSuchAction, Refused) as error:
            self.say(str(error))
            return False
        return True

    def undo(self, seat: int) -> bool:
        """Back to this person's own last decision, past the bots' answers to it."""
        taken = self.position.actors.count(seat)
        if not taken:
            self.say("There is no move of yours to take back.")
            return False
        while self.position.actors.count(seat) == taken:
            self.position.undo()
        self.read_moves = len(self.position.logs)
        return True

    def save(self, name: str) -> None:
        if not name:
            self.say("Name a file: s my-game.toml")
            return
        path = pathlib.Path(name)
        try:
            self.position.save(path, self.position.names)
        except OSError as error:
            self.say(f"{path} cannot be written: {error}.")
            return
        self.console.print(f"Saved. Continue with:  exchequer play {self.position.game.name} "
                           f"--resume {escape(str(path))}")

    def look_up(self, words: str) -> None:
        position = self.position
        try:
            for part in answers(position.game, position.content, words):
                self.console.print(part, highlight=False)
        except InputError as error:
            self.say(f"{error} Try: r {position.game.paragraphs[0]}")

    def card(self, words: str) -> None:
        position = self.position
        found = things_named(position.game, position.content, words)
        for one in found:
            self.console.print(thing_text(one), highlight=False)
        if not found:
            self.say(nothing(position.game, position.content, words))

    # The end -----------------------------------------------------------------------------------

    def finish(self) -> None:
        position = self.position
        for bot in self.bots.values():
            if isinstance(bot, Agent):
                bot.end(position)
        if self.plain:
            board = board_lines(position.game, position.whole()[0], position.content, 0,
                                position.names)
            told = [line.text for line in position.story(since=self.read_moves)]
            self.print_plain(written(board, told, position.outcome()))
            return
        self.tell(None)
        self.console.print(position.screen(0))
        self.console.print(position.outcome(), style="bold", markup=False)


def moves_table(menu: list[tuple[Move, str]]) -> Table:
    """The moves, in more columns the more there are."""
    columns = 1 if len(menu) <= 8 else 2 if len(menu) <= 24 else 3
    rows = -(-len(menu) // columns)
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for row in range(rows):
        cells = []
        for number in range(row, len(menu), rows):
            cells.append(f"[cyan]{number + 1:2d}[/] {escape(menu[number][1])}")
        table.add_row(*cells)
    return table


def make_bots(game: Game, seats: int, text: str, seed: int) -> dict[int, Player | Agent]:
    """You are the first player; `me` in the list adds another person."""
    kinds = [kind.strip() for kind in text.split(",")]
    if len(kinds) == 1:
        kinds *= max(seats - 1, 1)
    if seats > 1 and len(kinds) != seats - 1:
        raise InputError(f"{counted(len(kinds), 'player is', 'players are')} named in --bots, and "
                         f"{counted(seats - 1, 'other plays', 'others play')} besides you.")
    return {seat: seated_bot(game, kind, seed + seat)
            for seat, kind in enumerate(kinds[: seats - 1], 1) if kind != "me"}


def seated_bot(game: Game, kind: str, seed: int) -> Player | Agent:
    """Only bots that search need machine code; plain Python is fast enough for the others."""
    check_bot(kind)
    if is_own(kind):
        return new_player(game, kind, seed)
    bot = Bot(game, kind, seed, Mode.PYTHON)
    if not bot.searches:
        return bot
    prepare(game)
    return Bot(game, kind, seed, Mode.COMPILED)


def play_game(game: Game, content: Content, seats: int, bots: str, seed: int | None,
              resume: pathlib.Path | None, plain: bool = False) -> None:
    """Plain Python is fast enough for people and starts at once."""
    seed = secrets.randbelow(2**31) if seed is None else seed
    names: list[str] = []
    if resume:
        replay = read_replay(resume)
        position, names = resumed(replay, Mode.PYTHON), replay.names
        if position.game != game:
            raise InputError(f"{resume} is a game of {position.game.name}, not of {game.name}.")
    else:
        position = Position(game, content, seats, seed, Mode.PYTHON)
    position.names = seat_names(position.seats, names)
    console = Console(color_system=None) if plain else Console()
    Terminal(position, make_bots(game, position.seats, bots, position.seed), console, plain).run()
