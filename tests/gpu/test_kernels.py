"""The kernels as plain Python, block by block, play the games of the CPU's own loops.

On a real device `scripts/gpu_check.py` does the same with a hundred thousand games.
"""

import numpy as np
import pytest

from exchequer.core.loops import Result
from exchequer.core.records import rule
from exchequer.gpu.files import NO_EXTRA, can_compile
from exchequer.gpu.totals import Batch, as_totals, cpu_digests, new_kept
from gpu.fake_cuda import Block, as_python
from toys.bazaar import GAME
from toys.faulty import Faulty

pytestmark = pytest.mark.skipif(not can_compile(), reason=NO_EXTRA)
SEEDS = np.arange(9, dtype=np.uint64)


def played(monkeypatch, name, policy="random", threads=4, slots=4, game=GAME, limit=None):
    from exchequer.gpu import build, kernels

    block = Block(threads)
    monkeypatch.setattr(kernels, "cuda", block)
    kernel = as_python(build.batches(game, policy).binding, getattr(kernels, name))
    kept = new_kept(game, np.zeros, 1, 1, slots, True, len(SEEDS), len(SEEDS))
    batch = Batch(np.atleast_1d(game.content().record), game.seats[0], SEEDS,
                  limit or game.step_limit, slots)
    block.run(kernel, batch, kept)
    return kept


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize(("kernel", "threads", "slots"),
                         [("play_small", 4, 4), ("play_large", 2, 6), ("play_large", 3, 15)])
def test_a_block_plays_the_games_of_the_cpu(monkeypatch, kernel, threads, slots, policy):
    kept = played(monkeypatch, kernel, policy, threads, slots)
    assert kept.digests.tolist() == cpu_digests(GAME, policy, SEEDS).tolist()


@pytest.mark.parametrize("kernel", ["play_small", "play_large"])
def test_results_and_counts_are_those_of_the_batch(monkeypatch, kernel):
    results, tally, steps = GAME.engine().run_batch(GAME.content().record, GAME.seats[0], SEEDS,
                                                    GAME.step_limit)
    kept = played(monkeypatch, kernel)
    totals = as_totals(kept.totals, len(GAME.endings))[0]
    assert kept.results.reshape(-1).view(Result).tobytes() == results.tobytes()
    assert kept.actions.sum(0).tolist() == tally.actions.tolist()
    assert kept.events.sum(0).tolist() == tally.events.tolist()
    assert [totals["games"], totals["steps"], totals["faults"]] == [len(SEEDS), steps, 0]
    assert totals["wins"].sum() == len(SEEDS)


@pytest.mark.parametrize("kernel", ["play_small", "play_large"])
def test_games_stop_at_the_limit(monkeypatch, kernel):
    kept = played(monkeypatch, kernel, limit=3)
    results, _, _ = GAME.engine().run_batch(GAME.content().record, GAME.seats[0], SEEDS, 3)
    assert kept.results.reshape(-1).view(Result).tobytes() == results.tobytes()


@pytest.mark.parametrize("kernel", ["play_small", "play_large"])
def test_a_question_without_an_answer_ends_the_game_with_a_fault(monkeypatch, kernel):
    @rule
    def no_legal(s, c, out):
        return 0

    kept = played(monkeypatch, kernel, game=Faulty({"legal": no_legal}))
    totals = as_totals(kept.totals, len(GAME.endings))[0]
    assert [totals["games"], totals["steps"], totals["faults"]] == [len(SEEDS), 0, len(SEEDS)]
