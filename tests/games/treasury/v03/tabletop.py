"""A table of Treasury 0.3 to test with: laid out card by card, in plain Python.

    table = Table(2)
    table.opened(0, "a10")                    # Scribe
    table.demand("a25", "a16")                # the bottom card first
    table.check()
    assert table.contract(0, 1) == "a25"

Cards bear their ids; places for businesses are counted from 1, as in the texts of actions. A new
table has all cards in the box but for a current pile of one card for each player (a36, a35 ...),
empty decks, no gold, and seat 0 on its turn.
"""

from typing import Any

from exchequer.core.agenda import asked, drop_all, then
from exchequer.core.build import Mode
from exchequer.core.contract import LAPSED, go_on
from exchequer.core.log import ALL, clear, entries
from exchequer.core.piles import TOP, lay_all, move
from exchequer.core.position import Position
from exchequer.games.treasury.v03 import GAME
from exchequer.games.treasury.v03.cards import Ability, Card
from exchequer.games.treasury.v03.holdings import (
    business_pile,
    carry,
    contract_pile,
    development_pile,
    free_slot,
    refresh,
)
from exchequer.games.treasury.v03.state import SLOTS, Ask, Event, Pile, Step
from exchequer.games.treasury.v03.turns import clear_turn

FILLERS = ("a36", "a35", "a34", "a33")


def number(card: str) -> int:
    return Card[card.upper()]


class Table:
    def __init__(self, seats: int = 2, settings: dict[str, Any] | None = None) -> None:
        self.content = GAME.content(settings or {})
        self.c = self.content.record
        self.position = Position(GAME, self.content, seats, seed=1, mode=Mode.PYTHON)
        self.s = self.position.state
        self.log = self.position._log
        lay_all(self.s, Pile.BOX)
        drop_all(self.s)
        self.s.first = 0
        self.s.treasury = 0
        self.s.gold[:] = 0
        self.pile(Pile.CURRENT, *FILLERS[:seats])
        self.turn(0)

    # Laying out ----------------------------------------------------------------------------------

    def find(self, card: str) -> tuple[int, int]:
        """The pile a card lies in, and its index there."""
        place = self.s.card.tolist().index(number(card))
        pile = max(p for p in range(len(self.s.start) - 1) if self.s.start[p] <= place)
        return pile, place - int(self.s.start[pile])

    def put(self, card: str, pile: int, known: int, up: bool) -> None:
        place = carry(self.s, *self.find(card), pile, TOP)
        self.s.known[place] = known
        self.s.face_up[place] = up

    def pile(self, pile: int, *cards: str) -> "Table":
        """Lay cards, the bottom one first."""
        up = pile in (Pile.ROW, Pile.DEMAND) or Pile.DISCARD <= pile < Pile.BOX
        for card in cards:
            self.put(card, pile, ALL if up else 0, up)
        return self

    def hand(self, seat: int, *cards: str) -> "Table":
        for card in cards:
            self.put(card, Pile.HAND + seat, 1 << seat, False)
        return self

    def demand(self, *cards: str) -> "Table":
        return self.pile(Pile.DEMAND, *cards)

    def row(self, *cards: str) -> "Table":
        return self.pile(Pile.ROW, *cards)

    def deck(self, age: int, *cards: str) -> "Table":
        return self.pile(Pile.DECK + age - 2, *cards)

    def current(self, *cards: str) -> "Table":
        """This pile instead of the one a new table has."""
        while self.size(Pile.CURRENT):
            move(self.s, Pile.CURRENT, 0, Pile.BOX, TOP)
        return self.pile(Pile.CURRENT, *cards)

    def opened(self, seat: int, card: str, contract: str = "", stored: int = 0) -> "Table":
        slot = free_slot(self.s, seat)
        self.put(card, business_pile(seat, slot), ALL, True)
        if contract:
            self.put(contract, contract_pile(seat, slot), ALL, False)
        self.s.stored[seat, slot] = stored
        refresh(self.s, self.c, seat)
        return self

    def startup(self, seat: int, card: str, *developments: str) -> "Table":
        slot = free_slot(self.s, seat)
        self.put(card, business_pile(seat, slot), 1 << seat, False)
        for development in developments:
            self.put(development, development_pile(seat, slot), 1 << seat, False)
        refresh(self.s, self.c, seat)
        return self

    def turn(self, seat: int) -> "Table":
        """The seat is asked for its turn, with nothing done yet."""
        drop_all(self.s)
        clear_turn(self.s)
        self.s.turn = seat
        then(self.s, Step.END_TURN, seat, 0, 0)
        then(self.s, Ask.TURN, seat, 0, 0)
        return self

    # Playing -------------------------------------------------------------------------------------

    def play(self, *texts: str) -> "Table":
        """Take actions through the checked door."""
        for text in texts:
            self.position.play(text)
            assert not self.s.agenda_fault, GAME.item_name(int(self.s.agenda_fault_item))
        return self

    def refuses(self, text: str) -> str:
        """Why an action is refused; empty if it is not."""
        return self.position.refusal(GAME.words.TEXTS.action(text))

    def options(self) -> set[str]:
        return {GAME.words.TEXTS.text(action) for action in self.position.legal()}

    def run(self, step: int, seat: int = 0, a: int = 0, b: int = 0) -> "Table":
        """Carry out a step of the game and all that follows; below it waits seat 0's turn."""
        drop_all(self.s)
        then(self.s, Ask.TURN, 0, 0, 0)
        then(self.s, step, seat, a, b)
        clear(self.log)
        self.position.engine.bind(go_on)(self.s, self.c, LAPSED, self.log)
        self.position.logs.append(entries(self.log))
        assert not self.s.agenda_fault, GAME.item_name(int(self.s.agenda_fault_item))
        return self

    def check(self) -> "Table":
        return self.run(Step.CHECK)

    def event(self, card: str, *, row: tuple[str, ...] = ()) -> "Table":
        """Carry out one event, and those after it."""
        self.s.turn = -1
        self.row(card, *row)
        self.s.to_resolve = 1 + len(row)
        return self.run(Step.EVENTS)

    def round_step(self, number: int) -> "Table":
        """The End of Round from one of its steps on."""
        self.s.turn = -1
        return self.run(Step.ROUND_STEP, 0, number)

    def end_round(self) -> "Table":
        return self.round_step(1)

    # Looking -------------------------------------------------------------------------------------

    def size(self, pile: int) -> int:
        return int(self.s.start[pile + 1] - self.s.start[pile])

    def cards(self, pile: int) -> list[str]:
        """The ids of a pile, the bottom first."""
        first = int(self.s.start[pile])
        return [Card(card).name.lower() for card in self.s.card[first: first + self.size(pile)]]

    def in_hand(self, seat: int) -> list[str]:
        return self.cards(Pile.HAND + seat)

    def in_demand(self) -> list[str]:
        return self.cards(Pile.DEMAND)

    def discards(self, age: int) -> list[str]:
        return self.cards(Pile.DISCARD + age - 1)

    def contract(self, seat: int, place: int) -> str:
        """The contract card of a business, or nothing."""
        return "".join(self.cards(contract_pile(seat, place - 1)))

    def businesses(self, seat: int) -> list[str]:
        return [card for slot in range(SLOTS) for card in self.cards(business_pile(seat, slot))]

    def developments(self, seat: int, place: int) -> list[str]:
        return self.cards(development_pile(seat, place - 1))

    def is_open(self, seat: int, place: int) -> bool:
        return bool(self.s.opened[seat] >> (place - 1) & 1)

    @property
    def gold(self) -> list[int]:
        return self.s.gold[: self.s.seats].tolist()

    @gold.setter
    def gold(self, amounts: list[int]) -> None:
        self.s.gold[: self.s.seats] = amounts

    @property
    def asked(self) -> Ask:
        return Ask(asked(self.s))

    @property
    def actor(self) -> int:
        return self.position.actor

    @property
    def population(self) -> int:
        return self.size(Pile.CURRENT) + self.size(Pile.FUTURE)

    def told(self, what: Event) -> list[Any]:
        """The entries of one kind in the last move."""
        return [entry for entry in self.position.logs[-1] if entry.what == what]

    def fired(self, ability: Ability) -> bool:
        """Whether the ability took effect in the last move."""
        return any(entry.thing == ability for entry in self.told(Event.ABILITY))
