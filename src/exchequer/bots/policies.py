"""Policies: how bots choose. Fixed configurations with names, the same on any machine.

    random      any legal action
    greedy      one question ahead, by the game's own valuation
    mcts:N      N iterations of search; `ismcts:N` is the same search, which determinizes what is
                hidden; where nothing is hidden, only chance is drawn anew
    easy, medium, hard, expert    search for people, each a rung above the last
    master      the strongest: it takes wins that are sure, and values positions by what was
                learned where the game's folder holds weights for the content that is played
    learned:FILE[:N]    weights of one's own, as `exchequer train` makes them, N iterations
"""

import functools
import pathlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exchequer.core.content import Content
from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.core.learned import Network, inputs_of, networks_of, read_network
from exchequer.core.records import blank
from exchequer.core.search import PolicyKind, PolicyRecord, Workspace, new_workspace
from exchequer.core.sure_win import LONGEST_WIN, MOST_MET, keys_of

LEARNED = "learned:"


@dataclass(frozen=True)
class Policy:
    """How a bot chooses, and how hard it searches; see `core.search.PolicyRecord`."""

    kind: PolicyKind
    iterations: int = 0
    playout: int = 20
    explore: float = 0.7
    first_play_urgency: float = 2.0
    discount: float = 0.01
    samples: int = 8
    network: int = 0
    finish: int = 0
    win_worlds: int = 0
    settles: bool = False  # ends once no more iterations could change its answer
    attention: float = 1.0

    def record(self) -> Any:
        """The same as the rules' loops read it."""
        record, fields = blank(PolicyRecord), dict(vars(self))
        record["whole"] = self.iterations if fields.pop("settles") else 0
        for name, value in fields.items():
            record[name] = value
        return record


LEVELS = {
    "easy": Policy(PolicyKind.SEARCH, 10, playout=4, samples=1, attention=0.2),
    "medium": Policy(PolicyKind.SEARCH, 30, playout=10, samples=2, attention=0.5),
    "hard": Policy(PolicyKind.SEARCH, 80),
    "expert": Policy(PolicyKind.SEARCH, 600, playout=40),
    "master": Policy(PolicyKind.SEARCH, 6000, playout=40, finish=200_000, win_worlds=16,
                     settles=True, attention=2.0),
}
NAMED = {"random": Policy(PolicyKind.RANDOM), "greedy": Policy(PolicyKind.GREEDY), **LEVELS}
PERSONAS = {  # by docs/bots.md; what is so in one game alone, its habits say
    "random": "plays any legal move.",
    "greedy": "takes what looks best right after its move and never asks what you will answer.",
    "easy": "looks a few moves ahead, ten times over; it beats random play in five games of six.",
    "medium": "follows thirty lines of play and beats easy in about two games of three.",
    "hard": "follows eighty lines to twenty moves ahead and beats medium in at least two games of "
            "three.",
    "expert": "follows six hundred lines to forty moves ahead and beats hard in at least three "
              "games of five.",
    "master": "takes any win that it finds and that nobody can prevent, and searches up to ten "
              "times as long as expert. Where it was trained, it judges by what it has learned and "
              "beats expert in at least three games of five.",
}
FINISH_ALONE = 400_000  # of `master` in a solo game: nobody can break a line of one's own
BY_NETWORK = Policy(PolicyKind.SEARCH, 600, playout=0, discount=0.0, settles=True)


def policy_named(name: str) -> Policy:
    """A policy by its name, as it plays where nothing was learned."""
    if name in NAMED:
        return NAMED[name]
    if found := re.fullmatch(r"(?:is)?mcts:([1-9]\d{0,6})", name):
        return Policy(PolicyKind.SEARCH, int(found[1]))
    if name.startswith(LEARNED):
        return replace(BY_NETWORK, iterations=learned_name(name)[1])
    raise InputError(f'There is no bot "{name}"; there are {", ".join(NAMED)} and mcts:N.')


def learned_name(name: str) -> tuple[pathlib.Path, int]:
    """The file and the iterations of `learned:FILE:N`."""
    found = re.fullmatch(r"learned:(.+?)(?::([1-9]\d{0,6}))?", name)
    if not found or not pathlib.Path(found[1]).is_file():
        raise InputError(f"{name} names no file of weights; `exchequer train` makes one.")
    return pathlib.Path(found[1]), int(found[2] or BY_NETWORK.iterations)


def policy_for(game: Game, content_hash: str, seats: int, name: str
               ) -> tuple[Policy, Network | None]:
    """A policy by its name, as it plays this game, and the network that it asks."""
    if name.startswith(LEARNED):
        file = learned_name(name)[0].stat()  # a file that is written anew is read anew
        return known_policy(game, content_hash, seats, name, (file.st_mtime_ns, file.st_size))
    return known_policy(game, content_hash, seats, name)


@functools.lru_cache(64)
def known_policy(game: Game, content_hash: str, seats: int, name: str,
                 written: tuple[int, ...] = ()) -> tuple[Policy, Network | None]:
    policy = policy_named(name)
    if name.startswith(LEARNED):
        network = read_network(game, learned_name(name)[0])
        return replace(policy, playout=network.played_by.get("playout", 0)), network
    if name == "master":
        if seats == 1:
            policy = replace(policy, finish=FINISH_ALONE)
        for network in networks_of(game):
            if network.suits(content_hash, seats):
                return replace(policy, **network.played_by), network
    return policy, None


def seated_policies(game: Game, content: Content, seats: int, names: Sequence[str]
                    ) -> tuple[np.ndarray, Workspace]:
    """The policies of a line-up as loops read them, and a workspace in which all can search."""
    return equipped(game, [policy_for(game, content.hash, seats, name) for name in names])


def equipped(game: Game, policies: Sequence[tuple[Policy, Network | None]]
             ) -> tuple[np.ndarray, Workspace]:
    networks = list(dict.fromkeys(network for _, network in policies if network))
    records = np.zeros(len(policies), PolicyRecord)
    for place, (policy, network) in enumerate(policies):
        number = networks.index(network) + 1 if network else 0
        records[place] = replace(policy, network=number).record()
    nodes = max(*records["iterations"].tolist(), game.max_legal) + 1
    workspace = new_workspace(game.state, game.max_legal, game.n_actions, nodes)
    if networks:
        workspace = with_inputs(game, workspace)._replace(
            first=np.stack([network.first for network in networks]),
            second=np.stack([network.second for network in networks]))
    if records["finish"].any():
        workspace = with_lines(game, workspace)
    return records, workspace


def with_inputs(game: Game, workspace: Workspace) -> Workspace:
    """Room and tables for the inputs of a learned value."""
    inputs = inputs_of(game)
    return workspace._replace(inputs=np.zeros(inputs.most, np.int32), words=inputs.words,
                              groups=inputs.groups, places=inputs.places)


def with_lines(game: Game, workspace: Workspace) -> Workspace:
    """Room for the lines of moves that may be a sure win."""
    line = np.zeros(LONGEST_WIN + 1, game.state)
    words = line.view(np.uint32).reshape(len(line), -1)
    return workspace._replace(
        line=line, line_words=words, keys=keys_of(words.shape[1]),
        met=np.zeros((MOST_MET, 2), np.uint64),
        branches=np.zeros((LONGEST_WIN, game.max_legal), np.int32),
        tried_there=np.zeros((LONGEST_WIN, 2), np.int32))
