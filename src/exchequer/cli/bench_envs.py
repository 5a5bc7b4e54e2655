"""Speed of the environments, and of the peers' own in the same run."""

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from exchequer.cli.bench import bench_play, beside_peers, machine, median_seconds, number
from exchequer.cli.peers import rate, rlcard_rates
from exchequer.core.game import Game
from exchequer.core.position import Position

GAMES_AT_ONCE = 1024
STEPS = 100


def bench_envs(games: list[Game], with_peers: bool) -> dict[str, Any]:
    figures: dict[str, dict[str, Any]] = {game.name: bench_env(game) for game in games}
    peers = peer_environments() if with_peers else {}
    for entry in figures.values():
        entry["times"] = {peer: times(entry, found["steps_per_s"]) for peer, found in peers.items()}
    return {"machine": machine(), "games": figures, "peers": peers}


def times(entry: dict[str, Any], peer: float) -> dict[str, float]:
    """Our speed as a multiple of a peer's."""
    return {kind: entry[f"{kind}_steps_per_s"] / peer for kind in ("vector", "pettingzoo")
            if f"{kind}_steps_per_s" in entry}


def bench_env(game: Game) -> dict[str, Any]:
    raw = bench_play(game)["steps_per_s"]
    vector, as_bytes = vector_rate(game, "floats"), vector_rate(game, "bytes")
    entry = shape(game) | {"raw_steps_per_s": raw, "vector_steps_per_s": vector,
                           "vector_share": vector / raw, "vector_bytes_steps_per_s": as_bytes,
                           "vector_bytes_share": as_bytes / raw}
    if game.seats[1] > 1:
        from exchequer.envs import pettingzoo

        entry["pettingzoo_steps_per_s"] = rate(pettingzoo_random(pettingzoo.env(game.name)))
    return entry


def shape(game: Game, games: int = 20) -> dict[str, Any]:
    """What a researcher asks first; branching and length are means over random games."""
    from exchequer.core.rows import layout_of

    random = np.random.default_rng(0)
    moves: list[int] = []
    for seed in range(games):
        position = Position(game, seed=seed)
        while not position.is_over:
            legal = position.legal()
            moves.append(len(legal))
            position.take(legal[random.integers(len(legal))])
    return {"seats": game.seats, "actions": game.n_actions, "observation": layout_of(game).width,
            "branching": float(np.mean(moves)), "length": len(moves) / games}


def vector_rate(game: Game, observations: str) -> float:
    """Steps of the environment alone; the random choices between them are not timed."""
    from exchequer.envs.vector import VectorEnv

    envs = VectorEnv(game.name, GAMES_AT_ONCE, copy=False, observations=observations)
    random = np.random.default_rng(0)
    masks = envs.reset(seed=0)[1]["action_mask"]  # written anew by each step

    def chosen() -> np.ndarray:
        return (random.random(masks.shape, np.float32) * masks).argmax(axis=1)

    for _ in range(STEPS):  # spread the games over their length
        envs.step(chosen())

    def run() -> float:
        spent = 0.0
        for _ in range(STEPS):
            actions = chosen()
            began = time.perf_counter()
            envs.step(actions)
            spent += time.perf_counter() - began
        return spent

    times = sorted(run() for _ in range(5))
    return GAMES_AT_ONCE * STEPS / times[2]


def pettingzoo_random(env: Any) -> Callable[[], int]:
    """A random game through PettingZoo's interface."""
    random = np.random.default_rng(0)

    def play() -> int:
        env.reset(seed=int(random.integers(2**31)))
        steps = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            env.step(random.choice(np.flatnonzero(observation["action_mask"])))
            steps += 1
        return steps

    return play


def peer_environments() -> dict[str, dict[str, float]]:
    peers = {}
    if importlib.util.find_spec("pettingzoo") and importlib.util.find_spec("pygame"):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pettingzoo.classic import connect_four_v3

            env = connect_four_v3.env()
        peers["pettingzoo_connect_four"] = {"steps_per_s": rate(pettingzoo_random(env))}
        if importlib.util.find_spec("rlcard"):  # whose rules these are
            from pettingzoo.classic import texas_holdem_v4

            env = texas_holdem_v4.env()
            peers["pettingzoo_texas_holdem"] = {"steps_per_s": rate(pettingzoo_random(env))}
    peers |= {f"rlcard_{name}": {"steps_per_s": found} for name, found in rlcard_rates().items()}
    if importlib.util.find_spec("pgx"):
        peers["pgx_connect_four_cpu"] = {"steps_per_s": pgx_rate()}
    return peers


def pgx_rate() -> float:
    """Pgx's connect four, as many games at once, compiled by JAX for the CPU."""
    import jax
    import pgx

    env = pgx.make("connect_four")
    start, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    key = jax.random.PRNGKey(0)
    state = start(jax.random.split(key, GAMES_AT_ONCE))
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask), axis=1))

    def run() -> None:
        nonlocal state
        for i in range(STEPS):
            action = choose(jax.random.fold_in(key, i), state.legal_action_mask)
            state = step(state, action)
            if i % 40 == 39:  # connect four ends after at most 42 moves
                state = start(jax.random.split(jax.random.fold_in(key, i), GAMES_AT_ONCE))
        state.current_player.block_until_ready()

    run()
    return GAMES_AT_ONCE * STEPS / median_seconds(run)


def print_envs(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(report["machine"])
    table = Table("environment, one core", "seats", "actions", "observation", "branching", "length",
                  "raw steps/s", "vector steps/s", "share", "as bytes", "share as bytes",
                  "PettingZoo steps/s", box=None)
    for name, entry in report["games"].items():
        table.add_row(name, " to ".join(map(str, sorted(set(entry["seats"])))),
                      number(entry["actions"]), number(entry["observation"]),
                      f"{entry['branching']:.1f}", number(entry["length"]),
                      number(entry["raw_steps_per_s"]), number(entry["vector_steps_per_s"]),
                      f"{100 * entry['vector_share']:.0f} %",
                      number(entry["vector_bytes_steps_per_s"]),
                      f"{100 * entry['vector_bytes_share']:.0f} %",
                      number(entry.get("pettingzoo_steps_per_s", 0.0)))
    console.print(table)
    if report["peers"]:
        console.print("Beside peers: one game through PettingZoo, and many through the vector "
                      "environment.")
        console.print(beside_peers(report, lambda times: " and ".join(
            number(ratio) for _, ratio in sorted(times.items()))))
