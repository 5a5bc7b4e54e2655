"""Sweep two numbers of a game on a GPU and draw what they do: win share and length as heat maps.

    python scripts/gpu_sweep.py kingdom start_gold=0:100 hr_castle_hp=1:101 --games 10000 \\
        --svg docs/pictures/kingdom-sweep.svg --json sweep.json

Every pair of values is a variant, and all variants are played in one launch, on the same seeds.
"""

import argparse
import base64
import json
import pathlib
import struct
import sys
import time
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "src"))

from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.gpu.batches import GpuEngine

LOW, MIDDLE, HIGH = np.array([[33, 76, 140], [245, 241, 230], [168, 50, 40]])  # colours
SIDE, GAP, LEFT, TOP = 400, 110, 70, 60  # of a map, in pixels


def axis(text: str) -> tuple[str, range]:
    """`start_gold=0:100` is the key and the values 0 to 99."""
    key, _, values = text.partition("=")
    low, _, high = values.partition(":")
    return key, range(int(low), int(high))


def contents_of(game: Game, across: tuple[str, range], up: tuple[str, range]) -> np.ndarray:
    """One content record for each pair; the values of a key are checked by the game's schema."""
    rows = np.zeros((len(up[1]), len(across[1])), game.schema.dtype)
    first = [game.variant(None, {across[0]: x}).record for x in across[1]]
    for j, y in enumerate(up[1]):
        game.variant(None, {up[0]: y})
        rows[j] = first
        rows[j][up[0]] = y
    return rows.reshape(-1)


def png(pixels: np.ndarray) -> str:
    """An image of (rows, columns, 3) bytes as a data URL."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))

    rows, columns, _ = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    image = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9))
             + chunk(b"IEND", b""))
    return "data:image/png;base64," + base64.b64encode(image).decode()


def coloured(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """From LOW over MIDDLE to HIGH; the first row of an image is its top."""
    place = np.clip((values - low) / (high - low or 1), 0, 1)[..., None]
    colour = np.where(place < 0.5, LOW + (MIDDLE - LOW) * place * 2,
                      MIDDLE + (HIGH - MIDDLE) * (place - 0.5) * 2)
    return np.ascontiguousarray(colour[::-1].astype(np.uint8))


def heat_map(values: np.ndarray, title: str, left: int, across: tuple[str, range],
             up: tuple[str, range], ends: tuple[float, float]) -> str:
    bottom, right = TOP + SIDE, left + SIDE
    scale = coloured(np.linspace(*ends, 100)[:, None], *ends)
    form = "{:.2f}" if ends[1] <= 1 else "{:.0f}"
    return f"""
<text x="{left}" y="{TOP - 14}" font-weight="bold">{title}</text>
<image x="{left}" y="{TOP}" width="{SIDE}" height="{SIDE}" preserveAspectRatio="none"
 style="image-rendering:pixelated" href="{png(coloured(values, *ends))}"/>
<text x="{left}" y="{bottom + 18}">{across[1][0]}</text>
<text x="{right}" y="{bottom + 18}" text-anchor="end">{across[1][-1]}</text>
<text x="{left + SIDE // 2}" y="{bottom + 18}" text-anchor="middle">{across[0]}</text>
<text x="{left - 8}" y="{bottom}" text-anchor="end">{up[1][0]}</text>
<text x="{left - 8}" y="{TOP + 12}" text-anchor="end">{up[1][-1]}</text>
<text transform="translate({left - 14},{TOP + SIDE // 2}) rotate(-90)"
 text-anchor="middle">{up[0]}</text>
<image x="{right + 10}" y="{TOP}" width="12" height="{SIDE}" preserveAspectRatio="none"
 href="{png(scale)}"/>
<text x="{right + 26}" y="{TOP + 12}">{form.format(ends[1])}</text>
<text x="{right + 26}" y="{bottom}">{form.format(ends[0])}</text>"""


def drawing(title: str, maps: list[str]) -> str:
    width, height = LEFT + len(maps) * (SIDE + GAP), TOP + SIDE + 40
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="13" fill="#222">'
            f'<rect width="{width}" height="{height}" fill="#fff"/>'
            f'<text x="{LEFT}" y="22" font-size="15">{title}</text>{"".join(maps)}\n</svg>\n')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("across", type=axis)
    parser.add_argument("up", type=axis)
    parser.add_argument("--games", type=int, default=10_000, help="of each variant")
    parser.add_argument("--svg", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    game = find_game(options.game)
    contents = contents_of(game, options.across, options.up)
    engine = GpuEngine(game)
    began = time.perf_counter()
    totals = engine.run_totals(contents, game.seats[0], np.arange(options.games, dtype=np.uint64),
                               game.step_limit)
    spent = time.perf_counter() - began
    shape = len(options.up[1]), len(options.across[1])
    share = (totals["wins"][:, 0] / totals["games"]).reshape(shape)
    length = (totals["steps"] / totals["games"]).reshape(shape)
    games, steps = int(totals["games"].sum()), int(totals["steps"].sum())
    print(f"{len(contents):,} variants of {game.title}, {games:,} games, {steps:,} steps in "
          f"{spent:.2f} s: {steps / spent:,.0f} steps/s. First seat wins {share.min():.3f} to "
          f"{share.max():.3f}, {length.min():.1f} to {length.max():.1f} moves a game.")
    if options.svg:
        away = max(abs(share - 0.5).max(), 0.01)
        options.svg.write_text(drawing(
            f"{game.title}: {len(contents):,} variants x {options.games:,} random games",
            [heat_map(share, "win share of the first seat", LEFT, options.across, options.up,
                      (0.5 - away, 0.5 + away)),
             heat_map(length, "moves a game", LEFT + SIDE + GAP, options.across, options.up,
                      (float(length.min()), float(length.max())))]))
    if options.json:
        options.json.write_text(json.dumps({
            "game": game.name, "across": [options.across[0], list(options.across[1])],
            "up": [options.up[0], list(options.up[1])], "games": games, "steps": steps,
            "seconds": spent, "share": share.round(4).tolist(),
            "length": length.round(2).tolist()}) + "\n")


if __name__ == "__main__":
    main()
