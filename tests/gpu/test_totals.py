"""What games are added up to, and a number for the end of each."""

import numpy as np

from exchequer.core.loops import WHOLE
from exchequer.gpu.totals import (
    ENDINGS,
    FAULTS,
    GAMES,
    SCORES,
    SQUARES,
    STEPS,
    WINS,
    as_totals,
    digest,
)


def test_rows_of_a_device_get_names():
    row = np.zeros((1, ENDINGS + 3), np.int64)
    row[0, [GAMES, STEPS, SQUARES, FAULTS]] = 4, 100, 2600, 1
    row[0, [WINS, WINS + 1]] = 3 * WHOLE + WHOLE // 2, WHOLE // 2  # one game was shared
    row[0, [SCORES, SCORES + 1]] = 30, -5
    row[0, ENDINGS:] = 1, 2, 1
    totals = as_totals(row, 3)[0]
    assert [totals[name] for name in ("games", "steps", "squares", "faults")] == [4, 100, 2600, 1]
    assert totals["wins"][:3].tolist() == [3.5, 0.5, 0]
    assert totals["scores"][:3].tolist() == [30, -5, 0]
    assert totals["endings"].tolist() == [1, 2, 1]


def test_a_digest_changes_with_every_bit():
    words, row = np.arange(5, dtype=np.uint64), np.arange(3, dtype=np.uint64)
    with np.errstate(over="ignore"):
        found = {int(digest(words, row))}
        for place in range(len(words)):
            for bit in (0, 31, 63):
                words[place] ^= np.uint64(1 << bit)
                found.add(int(digest(words, row)))
                words[place] ^= np.uint64(1 << bit)
        row[2] ^= np.uint64(1)
        found.add(int(digest(words, row)))
    assert len(found) == 2 + 3 * len(words)
