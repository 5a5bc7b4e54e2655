"""A duel to test with: two kingdoms, plain Python, changed by name.

    duel = Duel(round_number=1, gold=[10, 10], castle_walls=[0, 1])
    duel.act("attack")

The position is A's Main Phase with plenty of action points, unless said otherwise.
"""

from typing import Any

from exchequer.core.agenda import then
from exchequer.core.build import Mode
from exchequer.core.contract import run_steps
from exchequer.core.log import clear, entries
from exchequer.core.position import Position
from exchequer.games.kingdom import GAME, rules
from exchequer.games.kingdom.state import Ask, Building, Development, Event, Role

A, B = 0, 1
ROLES = {role.name.lower(): role for role in Role}
DEVELOPMENTS = {kind.name.lower(): kind for kind in Development}
BUILDINGS = {building.name.lower(): building for building in Building}


class Duel:
    """`settings` are content keys, `fields` state fields, roles, developments or buildings."""

    def __init__(self, settings: dict[str, Any] | None = None, **fields: list[int]) -> None:
        self.content = GAME.content(settings or {})
        self.c = self.content.record
        self.position = Position(GAME, self.content, seed=1, mode=Mode.PYTHON)
        self.s = self.position.state
        self.log = self.position._log
        self.s.ap[:] = 20
        self.set(**fields)

    def set(self, **fields: Any) -> "Duel":
        for name, values in fields.items():
            if name in ROLES:
                self.s.people[:, ROLES[name]] = values
            elif name in DEVELOPMENTS:
                self.s.developments[:, DEVELOPMENTS[name]] = values
            elif name in BUILDINGS:
                self.s.built[:, BUILDINGS[name]] = values
            elif name == "round_number":
                self.s.round_number = values
            else:
                getattr(self.s, name)[:] = values
        return self

    def get(self, name: str, seat: int = A) -> int:
        if name in ROLES:
            return int(self.s.people[seat, ROLES[name]])
        if name in DEVELOPMENTS:
            return int(self.s.developments[seat, DEVELOPMENTS[name]])
        if name in BUILDINGS:
            return int(self.s.built[seat, BUILDINGS[name]])
        return int(getattr(self.s, name)[seat])

    def both(self, name: str) -> list[int]:
        return [self.get(name, A), self.get(name, B)]

    def act(self, *texts: str) -> "Duel":
        """Take actions as whoever is asked; the turn does not end by itself between them."""
        for text in texts:
            self.position.play(text)
        return self

    def why_not(self, text: str) -> str:
        return self.position.refusal(GAME.words.TEXTS.action(text))

    def moves(self) -> list[str]:
        return [GAME.words.TEXTS.text(action) for action in self.position.legal()]

    def turn_of(self, seat: int) -> "Duel":
        """Let a seat have its Main Phase now."""
        self.s.todo = 0
        then(self.s, Ask.MAIN, seat, 0, 0)
        return self

    def phase(self, function: Any, seat: int = A) -> list[tuple[str, int]]:
        """Run one step of the rules; returns what it logged as (event, amount)."""
        clear(self.log)
        function(self.s, self.c, seat, self.log)
        return [(Event(e.what).name, int(e.amount)) for e in entries(self.log)]

    def upkeep(self, seat: int = A) -> "Duel":
        """Let a seat go through its Upkeep Phase up to the first question."""
        self.s.todo = 0
        clear(self.log)
        rules.start_upkeep(self.s, self.c, seat, self.log)
        return self.go_on()

    def go_on(self) -> "Duel":
        """Let the game do what it does by itself."""
        self.position.engine.bind(run_steps)(self.s, self.c, self.log)
        return self

    def cost(self, text: str, seat: int = A) -> int:
        from exchequer.games.kingdom.actions import gold_cost
        from exchequer.games.kingdom.state import ACT_OF, FIRST_OF

        action = GAME.words.TEXTS.action(text)
        kind = ACT_OF[action]
        return int(gold_cost(self.s, self.c, seat, kind, action - FIRST_OF[kind]))
