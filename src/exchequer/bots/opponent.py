"""A bot for whatever position it is shown, as `exchequer.bot` gives it."""

from exchequer.bots.agent import Agent
from exchequer.bots.bot import Bot, Thought
from exchequer.bots.own import (
    Entrant,
    Player,
    answer_of,
    check_bot,
    is_own,
    name_of,
    new_player,
)
from exchequer.bots.policies import PolicyKind, policy_named
from exchequer.core.build import default_mode
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.progress import prepare
from exchequer.core.words import Move


class Opponent:
    """Chooses moves in any game. It looks at observations only, never at what is hidden.

    The same seed gives the same answers to the same positions, on every machine.
    """

    def __init__(self, bot: Entrant, seed: int = 0) -> None:
        check_bot(bot)
        self.bot, self.name, self.seed = bot, name_of(bot), seed
        self._players: dict[Game, Player | Agent] = {}
        self._last: Player | Agent | None = None

    def __repr__(self) -> str:
        return f"<Opponent {self.name}, seed {self.seed}>"

    def choose(self, position: Position) -> Move:
        """A legal move for the seat that is to move.

        A bot that searches wants machine code: the first choice in a game compiles it.
        """
        if position.is_over:
            raise InputError("The game is over; there is nothing to choose.")
        if position.game not in self._players:
            self._players[position.game] = self._player(position.game)
        self._last = self._players[position.game]
        return position.game.words.TEXTS.move(int(answer_of(self._last, position)))

    def _player(self, game: Game) -> Player | Agent:
        if not isinstance(self.bot, str) or is_own(self.bot):
            return new_player(game, self.bot, self.seed)
        if policy_named(self.bot).kind != PolicyKind.SEARCH:
            return Bot(game, self.bot, self.seed, game.ready_mode)
        prepare(game, default_mode())
        return Bot(game, self.bot, self.seed, default_mode())

    def thought(self) -> Thought:
        """What the last choice considered: ideas, best first, and the line it expects."""
        if not isinstance(self._last, Bot):
            raise InputError(f"{self.name} has not thought about anything yet."
                             if self._last is None else f"{self.name} does not tell its thoughts.")
        return self._last.thought()
