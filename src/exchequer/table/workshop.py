"""The workshop behind `exchequer dev`: one game that is being written, played while it changes.

The folder is read again whenever a file in it is saved. Rules that can be read replace the old
ones, as plain Python, and the running game is replayed by them up to the first move that no longer
fits. Rules that cannot are told as problems, and the old ones stay.
"""

import pathlib
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from exchequer.core import lint
from exchequer.core.build import Mode
from exchequer.core.contract import CONTRACT
from exchequer.core.errors import InputError
from exchequer.core.find import remember, reopened
from exchequer.core.folder import MODULES
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.reflection import view_of
from exchequer.core.watchdog import watched
from exchequer.core.words import seat_names
from exchequer.table.clocks import Clock
from exchequer.table.history import Seat
from exchequer.table.match import Match
from exchequer.table.problems import Faulty, Problem, problems_of
from exchequer.table.refusals import BadInput, NotNow
from exchequer.table.service import Service
from exchequer.table.table_setup import TableSetup
from exchequer.table.upkeep import delete

SECONDS = 5.0  # that one call of a rule may take
LOOK = (".css", ".svg", ".html", ".png", ".jpg", ".webp")  # what an open page has to load anew


class Workshop:
    """All methods may be called from any thread."""

    def __init__(self, service: Service, folder: pathlib.Path, seats: int | None = None,
                 seed: int = 1, compiles: bool = False) -> None:
        self.service, self.folder = service, folder.resolve()
        self.wanted_seats, self.seed, self.compiles = seats, seed, compiles
        self.designer = service.tokens.issue()  # holds all seats
        self.key = secrets.token_urlsafe(12)  # lets a browser or a phone be the designer
        self.id = secrets.token_urlsafe(12)  # of the table, whatever becomes of the rules
        self.game: Game | None = None
        self.problems: list[Problem] = []
        self.notice = ""
        self.news, self.look = 0, 0
        self._laid: list[str] = []  # the moves as they were when the game was last laid out
        self._later: list[str] = []  # moves after these, taken back or no longer fitting
        self._reached = 0  # how far the designer had played
        self._lock = threading.RLock()
        self.stopped = threading.Event()
        service.registry.mode_of = lambda _: Mode.PYTHON
        service.failed = self.failed
        self.reload()

    # Reading the folder --------------------------------------------------------------------------

    def reload(self, changed: Sequence[pathlib.Path] = ()) -> bool:
        """Read the folder again; False when there is something to mend first."""
        with self._lock:
            self.look += any(path.suffix in LOOK for path in changed)
            try:
                remember(self.folder)
                self.game = reopened(self.folder, self._check)
                self._lay_out(self._moves() + self._later, self._reached)
            except Exception as error:
                self._tell(problems_of(error, self.folder))
                return False
            self._tell([])
            if self.compiles:
                self.service.precompiler.again(self.game)
            return True

    def _check(self, game: Game) -> None:
        """Everything that can be wrong before a move is made."""
        faults = list(lint.faults_of(game))
        if faults:
            raise Faulty(faults)
        for name in MODULES:
            if name != "__init__" and game.has_module(name):
                game.module(name)
        game.content()
        _ = game.paragraphs, game.words.TEXTS
        guard(game)
        position, _, _ = self._played(game, self._moves() + self._later, self._reached)
        look_at_all(position)

    def _moves(self) -> list[str]:
        """The moves of the running game in words; whatever was played anew goes before what was
        taken back.
        """
        match = self.match
        if match is None:
            return []
        moves = [move.text for move in match.position.actions]
        if moves != self._laid:
            self._laid, self._later, self._reached = moves, [], len(moves)
        return moves

    def _played(self, game: Game, moves: Sequence[str], upto: int
                ) -> tuple[Position, list[int], str]:
        """The game by these rules, as far as it goes; who moved, and why it went no further."""
        position = Position(game, game.content(), self.seats_of(game), self.seed, Mode.PYTHON)
        movers: list[int] = []
        for number, text in enumerate(moves[:upto], 1):
            seat = position.actor
            try:
                position.play(text)
            except InputError as error:
                why = str(error)
                return position, movers, f"Move {number} ({text}) no longer fits: {why}"
            movers.append(seat)
        return position, movers, ""

    def seats_of(self, game: Game) -> int:
        fewest, most = game.seats
        return min(max(self.wanted_seats or max(fewest, min(2, most)), fewest), most)

    # The table -----------------------------------------------------------------------------------

    def _lay_out(self, moves: Sequence[str], upto: int) -> None:
        """A table with these moves on it, in the place of the one that is there."""
        assert self.game is not None
        position, movers, why = self._played(self.game, moves, upto)
        self.notice = why and f"{len(movers)} of {upto} moves were replayed. {why}"
        names = seat_names(position.seats)
        holder = self.designer.id
        setup = TableSetup(self.game, position.content,
                           [Seat(holder, None, name) for name in names], Clock(), self.seed, False)
        delete(self.service.store, [self.id])
        self.service.registry.open(setup, holder, match_id=self.id,
                                   moves=list(zip(movers, position.actions, strict=True)))
        self._laid = [move.text for move in position.actions]
        self._later = list(moves[len(self._laid):])
        self._reached = upto

    @property
    def match(self) -> Match | None:
        return self.service.registry.known(self.id)

    def the_match(self) -> Match:
        found = self.match
        if found is None:
            raise NotNow("The game cannot be dealt yet; mend it first.")
        return found

    def play(self, action: int) -> None:
        """Make a move for whoever is asked."""
        with self._lock:  # it may just be laid out anew
            match = self.the_match()
            if match.asked is None:
                raise NotNow("The game is over.")
            match.play(match.asked, action, match.version)
            self.problems, self.notice = [], ""

    def jump(self, moves: int) -> None:
        """Go to a moment: back, or forward again over what was taken back."""
        with self._lock:
            every = self._moves() + self._later
            if not 0 <= moves <= len(every):
                raise BadInput(f"This game has moments 0 to {len(every)}, not {moves}.")
            self.the_match()
            self._lay_out(every, moves)
            self._tell([])

    def begin(self, seats: int | None = None) -> None:
        """A new game, dealt from the next seed."""
        with self._lock:
            self.the_match()
            self.seed, self.wanted_seats = self.seed + 1, seats or self.wanted_seats
            self._lay_out([], 0)
            self._tell([])

    # Problems ------------------------------------------------------------------------------------

    def failed(self, error: BaseException) -> list[Problem]:
        """A rule, a sentence or a board that fails while the game is played."""
        found = problems_of(error, self.folder)
        if found != self.problems:
            self._tell(found)
        return found

    def _tell(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.news += 1
        self.service.registry.told(self.id)

    # What the page shows -------------------------------------------------------------------------

    @property
    def version(self) -> str:
        match = self.match
        ready = self.game is not None and self.game.name in self.service.precompiler.ready
        return f"{self.news}.{match.history.number if match else 0}.{int(ready)}"

    def report(self) -> dict[str, Any]:
        """The drawer: everything there is to know of the game, secrets included."""
        with self._lock:
            match, game = self.match, self.game
            data: dict[str, Any] = {
                "version": self.version, "look": self.look, "notice": self.notice,
                "problems": [problem.as_data() for problem in self.problems],
                "table": match and self.id}
            if match is None or game is None:
                return data
            with match.lock:
                moves = len(self._moves())
                return data | {"seats": match.names, "moves": moves, "seed": self.seed,
                               "total": moves + len(self._later), "compiled": self._compiled(game),
                               **self._position(match)}

    def _compiled(self, game: Game) -> str:
        precompiler = self.service.precompiler
        if not self.compiles:
            return "plain Python"
        if game.name in precompiler.failed:
            return "does not compile; `exchequer check` says why"
        return "compiled" if game.name in precompiler.ready else "compiling behind"

    def _position(self, match: Match) -> dict[str, Any]:
        position, asked = match.position, match.asked
        return {
            "asked": asked, "question": match.question(asked) if asked is not None else "",
            "legal": [{"action": action, "text": match.game.words.TEXTS.text(action),
                       "words": words}
                      for action, words in (match.menu(asked) if asked is not None else [])],
            "log": [[moment, *position.told(None, match.names, moment, moment + 1)]
                    for moment in range(len(position.logs))],
            "agenda": agenda_of(match.game, position.state, match.names),
            "state": tree(position.state),
            "sees": {name: view_of(match.game, position.observe(seat)[0], match.content, seat)
                     for seat, name in enumerate(match.names)},
        }


def guard(game: Game) -> None:
    """From now on no rule of the game can run for ever."""
    engine = game.engine(Mode.PYTHON)

    def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            with watched(game.folder, SECONDS):
                return function(*arguments)
        return call

    for name in CONTRACT:
        if name != "value":  # bots only, which are made of rules
            setattr(engine, name, guarded(getattr(engine, name)))


def look_at_all(position: Position) -> None:
    """What every seat is shown can be said and drawn."""
    for seat in range(-1, position.seats):
        position.told(seat)
    for seat in range(position.seats):
        position.view(seat)
        position.screen(seat)
    if not position.is_over:
        _ = position.question, position.menu()


def agenda_of(game: Game, s: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    """What the game has still to do, the next thing first."""
    if "agenda" not in s.dtype.names:
        return []
    return [{"what": game.item_name(int(item["what"])),
             "seat": names[item["seat"]] if item["seat"] < len(names) else int(item["seat"]),
             "a": int(item["a"]), "b": int(item["b"])}
            for item in s.agenda[: s.todo][::-1]]


def tree(value: Any) -> Any:
    """A record as plain data."""
    if getattr(value, "dtype", None) is not None and value.dtype.names:
        if isinstance(value, np.ndarray) and value.ndim:
            return [tree(inner) for inner in value]
        return {name: tree(value[name]) for name in value.dtype.names
                if not name.startswith("gap")}
    return value.tolist() if hasattr(value, "tolist") else value
