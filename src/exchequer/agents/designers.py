"""What a designer's agent does: change numbers as a variant, have it played, read the findings."""

from typing import Any

import anyio.to_thread
from pydantic import BaseModel, Field

from exchequer.agents.reading import a_game, a_replay
from exchequer.core.errors import InputError
from exchequer.core.find import address_of
from exchequer.core.rulebook import changes
from exchequer.lab.runs import Runs, plan_of, wait

LONGEST_WAIT = 300.0


class Side(BaseModel):
    """A side of a comparison."""

    variant: str = ""
    settings: dict[str, Any] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        changed = ", ".join(f"{key}={value}" for key, value in self.settings.items())
        return " with ".join(filter(None, (self.variant, changed))) or "the game as it ships"


class Designers:
    """Tools for designers; they use this machine, so a server for others does not offer them."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    @property
    def tools(self) -> list[Any]:
        return [self.make_variant, self.start_lab_run, self.compare_variants, self.wait_for_lab,
                self.read_findings, self.list_lab_runs, self.open_replay]

    def make_variant(self, game: str, name: str, settings: dict[str, Any], base: str = ""
                     ) -> dict[str, Any]:
        """Change content as a variant: check it, write it to a file, say what it changes.

        `settings` are keys of the content with new values, such as {"turn_limit": 20} or
        {"building": {"mill": {"price": 9}}}; `base` is a variant of the game to start from.
        """
        found = a_game(game)
        variants = self.runs.variants(found)
        content = variants.save(name, variants.content(base, settings).overlay)
        return {"variant": name, "file": str(variants.path(name)), "overlay": content.overlay,
                "changes": [one.note for one in changes(found, content)]}

    def start_lab_run(self, game: str, bots: list[str] | None = None, games: int = 2000,
                      seats: int | None = None, seed: int = 0, variant: str = "",
                      settings: dict[str, Any] | None = None, kind: str = "run") -> dict[str, Any]:
        """Have a game played many times and analysed; returns the run's name at once.

        `kind` is run (all measures), cards (what each card is worth) or probe (dominant
        strategies, stalls, dead content). Each of `bots` is a line-up, such as greedy for all
        seats or hard,easy for one each.
        """
        if kind not in ("run", "cards", "probe"):
            raise InputError(f'There is no run of kind "{kind[:20]}"; there are run, cards and '
                             "probe.")
        found = a_game(game)
        content = self.runs.variants(found).content(variant, settings)
        plan = plan_of(kind, found, content, bots or ["greedy"], games, seats, seed)
        return self.runs.state(self.runs.start(plan))

    def compare_variants(self, game: str, a: Side, b: Side, bots: list[str] | None = None,
                         games: int = 2000, seed: int = 0) -> dict[str, Any]:
        """Compare two variants on the same deals; an empty side is the game as it ships.

        Returns the run's name at once; when it is finished it has a verdict in words.
        """
        found = a_game(game)
        first, second = (self.runs.variants(found).content(side.variant, side.settings)
                         for side in (a, b))
        plan = plan_of("compare", found, first, bots or ["greedy"], games, None, seed,
                       names=(a.name, b.name),
                       other={"game": address_of(found), "overlay": second.overlay})
        return self.runs.state(self.runs.start(plan))

    async def wait_for_lab(self, run: str, seconds: float = 60.0) -> dict[str, Any]:
        """Wait until a run is finished; returns its state, and what it found when it is."""
        return await anyio.to_thread.run_sync(wait, self.runs, run, min(seconds, LONGEST_WAIT))

    def read_findings(self, run: str) -> dict[str, Any]:
        """What a finished run found: findings, ranked, each with its interval; or a verdict."""
        return self.runs.found(run)

    def list_lab_runs(self) -> list[dict[str, Any]]:
        """All runs, the latest first, with the games of them that are worth watching."""
        return [{"run": name, "replays": self.runs.replays(name)} for name in self.runs.names()]

    def open_replay(self, run: str, replay: str, moment: int | None = None) -> str:
        """A game of a run in sentences, moment by moment; with `moment` the board at that one."""
        return a_replay(self.runs.replay(run, replay), moment)
