"""An estate to test with: a bare board in plain Python, laid out by name.

    estate = Estate(seats=3, lakes="c4", mines="a1 a2")
    estate.own(ANN, "c3", use="crop").purse(ANN, cash=20, debt=5)
    estate.do("buy", "square:c5")

All squares are land unless said otherwise, nobody owns anything, it is Ann's turn and she is the
first player. Squares bear the names of the game: a1 is (row 0, column 0), c3 is (2, 2).
"""

from typing import Any

from exchequer.core.agenda import asked, asked_seat, then
from exchequer.core.build import Mode
from exchequer.core.contract import run_steps
from exchequer.core.log import clear, entries
from exchequer.core.piles import TOP, move, pile_size
from exchequer.core.position import Position
from exchequer.games.greement import GAME, rules
from exchequer.games.greement.board import count_neighbours, give_square, measure
from exchequer.games.greement.deals import clear_draft
from exchequer.games.greement.state import (
    NO_SQUARE,
    UNKNOWN,
    Ask,
    Do,
    Event,
    Happening,
    Land,
    Pile,
    Step,
    Use,
    Value,
)
from exchequer.games.greement.words import SQUARES

square_number = SQUARES.index  # a1 -> 0
ANN, BEN, CLEO, DOV, EVE, FINN = range(6)
VALUES = {value.name.lower(): value for value in Value}
USES = {use.name.lower(): use for use in Use}


class Estate:
    """`settings` are content keys."""

    def __init__(self, seats: int = 2, lakes: str = "", mountains: str = "", mines: str = "",
                 **settings: Any) -> None:
        self.content = GAME.content(settings)
        self.c = self.content.record
        self.position = Position(GAME, self.content, seats=seats, seed=1, mode=Mode.PYTHON)
        self.s, self.log = self.position.state, self.position._log
        s = self.s
        s.kind[:] = Land.LAND
        for names, kind in ((lakes, Land.LAKE), (mountains, Land.MOUNTAIN), (mines, Land.MINE)):
            for name in names.split():
                s.kind[square_number(name)] = kind
        s.owner[:] = UNKNOWN
        s.home[:] = NO_SQUARE
        s.revealed = s.picks_open = s.loans_open = 1
        s.first = ANN
        s.round_number = 2
        s.turns[:] = 1
        s.age[:] = range(6)
        count_neighbours(s, self.c)
        for seat in range(seats):
            measure(s, self.c, seat)
        self.turn_of(ANN)

    # Laying out ------------------------------------------------------------------------------

    def own(self, seat: int, names: str, use: str = "brown") -> "Estate":
        for name in names.split():
            square = square_number(name)
            if self.s.kind[square] == Land.LAND:
                self.s.use[square] = USES[use]
            give_square(self.s, self.c, square, seat)
        return self

    def purse(self, seat: int, cash: int = 0, debt: int = 0) -> "Estate":
        self.s.bank += (self.s.cash[seat] - cash) - (self.s.debt[seat] - debt)
        self.s.cash[seat], self.s.debt[seat] = cash, debt
        return self

    def table(self, **values: int) -> "Estate":
        for name, number in values.items():
            self.s.table[VALUES[name]] = number
        return self

    def turn_of(self, seat: int) -> "Estate":
        """Give a seat its turn, after its profit; the round ends with it."""
        self.s.todo = 0
        clear_draft(self.s)
        self.s.active = seat
        self.s.offers_made[:] = 0
        self.s.answers[:] = 0
        then(self.s, Step.END_ROUND, 0, 0, 0)
        then(self.s, Ask.TURN, seat, 0, 0)
        return self

    def events(self, *kinds: Happening, then_turn_of: int = ANN) -> "Estate":
        """Begin an event phase with these cards in this order."""
        s = self.s
        while pile_size(s, Pile.ROW) > 0:
            move(s, Pile.ROW, 0, Pile.DECK, TOP)
        while pile_size(s, Pile.USED) > 0:
            move(s, Pile.USED, 0, Pile.DECK, TOP)
        for kind in reversed(kinds):  # the last one laid lies on top
            self.lay_on_deck(kind)
        self.c.events_per_round = len(kinds)
        return self.events_from_deck(then_turn_of)

    def events_from_deck(self, then_turn_of: int = ANN) -> "Estate":
        """Begin an event phase with the cards that come."""
        s = self.s
        s.todo = 0
        s.active = UNKNOWN
        then(s, Step.START_TURN, then_turn_of, 0, 0)
        then(s, Step.EVENTS, 0, 0, 0)
        clear(self.log)
        self.go_on()
        self.position.logs.append(entries(self.log))
        return self

    def go_on(self) -> None:
        """Let the game do what it does by itself."""
        self.position.engine.bind(run_steps)(self.s, self.c, self.log)

    def lay_on_deck(self, kind: Happening) -> None:
        """Put a card of this kind on top; it is the lowest one, so that others stay there."""
        s, deck = self.s, pile_size(self.s, Pile.DECK)
        index = next(i for i in range(deck)
                     if self.c.kind_of[s.card[s.start[Pile.DECK] + i]] == kind)
        move(s, Pile.DECK, index, Pile.DECK, TOP)

    # Playing ---------------------------------------------------------------------------------

    def do(self, *texts: str) -> "Estate":
        """Take actions as whoever is asked; `12c` types an amount."""
        for text in texts:
            if text.endswith("c") and text[:-1].isdigit():
                self.do("type", *(f"digit:{digit}" for digit in text[:-1] if text != "0c"),
                        "confirm")
            else:
                self.position.play(text)
        return self

    def why_not(self, text: str) -> str:
        return self.position.refusal(GAME.words.TEXTS.action(text))

    def moves(self) -> list[str]:
        return [GAME.words.TEXTS.text(action) for action in self.position.legal()]

    def squares(self) -> set[str]:
        """Squares that may be chosen now."""
        return {text[7:] for text in self.moves() if text.startswith("square:")}

    def amounts(self) -> list[int]:
        """The menu of amounts as it stands."""
        lines = dict(self.position.menu())
        return [int(line[:-1].replace(",", "")) for action, line in lines.items()
                if GAME.words.TEXTS.text(action).startswith("amount:")]

    def vote(self, *choices: str) -> "Estate":
        """Vote in order from the first player."""
        return self.do(*(f"vote:{choice}" for choice in choices))

    def pass_all(self) -> "Estate":
        """Let every event happen."""
        while self.asked != Ask.TURN:
            self.do("vote:let" if self.asked == Ask.VOTE else "pass")
        return self

    # Reading ---------------------------------------------------------------------------------

    @property
    def asked(self) -> int:
        return int(asked(self.s))

    @property
    def actor(self) -> int:
        return int(asked_seat(self.s))

    def cash(self, seat: int = ANN) -> int:
        return int(self.s.cash[seat])

    def debt(self, seat: int = ANN) -> int:
        return int(self.s.debt[seat])

    def owner(self, name: str) -> int:
        return int(self.s.owner[square_number(name)])

    def use(self, name: str) -> str:
        return Use(int(self.s.use[square_number(name)])).name.lower()

    def value(self, name: str) -> int:
        return int(self.s.table[VALUES[name]])

    def told(self, seat: int, move: int = -1) -> list[str]:
        """The sentences that a seat (UNKNOWN: a watcher) reads of one move."""
        position, names = self.position, ["Ann", "Ben", "Cleo", "Dov", "Eve", "Finn"]
        logs, position.logs = position.logs, [position.logs[move]]
        try:
            return position.told(seat, names)
        finally:
            position.logs = logs

    def noted(self, event: Event, move: int = -1) -> list[tuple[int, int, int]]:
        """Seat, thing and amount of a move's entries of one kind."""
        return [(int(e.seat), int(e.thing), int(e.amount))
                for e in self.position.logs[move] if e.what == event]

    def sound(self) -> bool:
        """The ledger balances and money is in range (the bare board breaks the squares' count)."""
        return int(rules.books_fault(self.s, self.c)) == 0


def new_game(seats: int = 2, seed: int = 1, **settings: Any) -> Position:
    return Position(GAME, GAME.content(settings), seats, seed, Mode.PYTHON)


def play(position: Position, *texts: str) -> Position:
    for text in texts:
        position.play(text)
    return position


def started(seats: int = 2, seed: int = 1, **settings: Any) -> Position:
    """A new game at its first turn, every first loan as small as can be."""
    position = new_game(seats, seed, **settings)
    while asked(position.state) != Ask.TURN:
        position.play(next(action for action in position.legal() if action != Do.BELL))
    return position
