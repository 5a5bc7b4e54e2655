"""Plots as SVG text: small, without scripts, coloured by the page's style sheet.

Series take their colour from the classes `s0` to `s5`; whiskers and bands are 95 % intervals.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH = 640
LEFT = 46
LABEL = 110  # least and most space for row names
MOST_LABEL = 250
N_COLOURS = 6


class Series(NamedTuple):
    """A line with an optional band."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()


class Dot(NamedTuple):
    """A figure with its interval, in one of the colours."""

    value: float
    low: float
    high: float
    colour: int = 0
    note: str = ""


def coordinate(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers within a range."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span / wanted))
    step *= next(m for m in (1, 2, 2.5, 5, 10) if span / (m * step) <= wanted)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def svg(width: int, height: float, parts: Sequence[str], title: str) -> str:
    return (f'<svg viewBox="0 0 {width} {coordinate(height)}" role="img" '
            f'aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(parts)}</svg>')


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    css = f' class="{kind}"' if kind else ""
    return (f'<text x="{coordinate(x)}" y="{coordinate(y)}" text-anchor="{anchor}"{css}>'
            f"{escape(words)}</text>")


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return (f'<path class="{kind}" d="M{coordinate(x1)} {coordinate(y1)}'
            f'L{coordinate(x2)} {coordinate(y2)}"/>')


def as_percent(value: float) -> str:
    shown = 100 * value
    return f"{shown:.0f} %" if abs(shown - round(shown)) < 0.05 else f"{shown:.1f} %"


def plain(value: float) -> str:
    """Short enough for an axis: 1.5M, 20k, 300."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= 10 * size or (abs(value) >= size and letter == "M"):
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def as_points(value: float) -> str:
    """Percentage points: `+20`; the caption says what they are."""
    return f"{100 * value:+.3g}" if value else "0"


AXES = {"share": as_percent, "difference": as_points}


def label_room(rows: Sequence[tuple[str, object]]) -> float:
    """Space for the longest row name."""
    return min(MOST_LABEL, max(LABEL, 14 + 6.6 * max(len(name) for name, _ in rows)))


def dots(rows: Sequence[tuple[str, Sequence[Dot]]], title: str, reference: float | None = None,
         unit: str = "share", limits: tuple[float, float] | None = None, width: int = WIDTH
         ) -> str:
    """A row for each name, a dot and whisker for each figure, a line at the reference.

    `unit` is that of a finding: a `share`, a `difference` of shares or anything else.
    """
    values = [v for _, found in rows for dot in found for v in (dot.low, dot.high, dot.value)
              if math.isfinite(v)]
    values += [reference] if reference is not None else []
    low, high = limits or (min(values), max(values))
    pad = (high - low) * 0.06 or 0.05
    low, high = (low, high) if limits else (low - pad, high + pad)
    right, per_dot, left = width - 18, 15, label_room(rows)
    heights = [max(24, 8 + per_dot * len(found)) for _, found in rows]
    bottom = sum(heights) + 6

    def at(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (right - left)

    say = AXES.get(unit, plain)
    parts = [line(at(t), 4, at(t), bottom, "grid") + text(at(t), bottom + 15, say(t), "middle")
             for t in ticks(low, high, 5 if width == WIDTH else 3)]
    if reference is not None:
        parts.append(line(at(reference), 0, at(reference), bottom, "even"))
    top = 4.0
    for (name, found), height in zip(rows, heights, strict=True):
        parts.append(text(left - 10, top + height / 2 + 4, name, "end", "label"))
        for k, dot in enumerate(found):
            y = top + height / 2 + (k - (len(found) - 1) / 2) * per_dot
            parts.append(
                f'<g class="s{dot.colour % N_COLOURS}">{line(at(dot.low), y, at(dot.high), y, "w")}'
                f'<circle cx="{coordinate(at(dot.value))}" cy="{coordinate(y)}" r="4.2"/>'
                f"<title>{escape(dot.note)}</title></g>")
        top += height
    return svg(width, bottom + 22, parts, title)


def lines(series: Sequence[Series], title: str, width: int = WIDTH, height: int = 220,
          percent: bool = False, x_name: str = "", low: float | None = None,
          high: float | None = None) -> str:
    """Lines with bands on the same axes."""
    drawn = [s for s in series if len(s.xs)]
    if not drawn:
        return ""
    ys = [v for s in drawn for v in (*s.ys, *s.lows, *s.highs) if math.isfinite(v)]
    bottom_value = min(ys) if low is None else low
    top_value = max(ys) if high is None else high
    if top_value <= bottom_value:
        top_value = bottom_value + 1
    first, last = min(min(s.xs) for s in drawn), max(max(s.xs) for s in drawn)
    right, floor = width - 20, height - 24

    def x_at(x: float) -> float:
        return LEFT + (x - first) / max(last - first, 1e-9) * (right - LEFT)

    def y_at(y: float) -> float:
        return floor - (y - bottom_value) / (top_value - bottom_value) * (floor - 8)

    say = as_percent if percent else plain
    parts = [line(LEFT, y_at(t), right, y_at(t), "grid")
             + text(LEFT - 6, y_at(t) + 4, say(t), "end")
             for t in ticks(bottom_value, top_value, 4)]
    parts += [text(x_at(t), height - 8, as_percent(t) if x_name == "%" else f"{t:g}", "middle")
              for t in ticks(first, last, 5)]
    for k, s in enumerate(drawn):
        colour = f"s{k % N_COLOURS}"
        if len(s.lows):
            edge = [f"{coordinate(x_at(x))} {coordinate(y_at(y))}" for x, y in
                    [*zip(s.xs, s.highs, strict=True),
                     *reversed(list(zip(s.xs, s.lows, strict=True)))]]
            parts.append(f'<path class="band {colour}" d="M{"L".join(edge)}Z"/>')
        points = [f"{coordinate(x_at(x))} {coordinate(y_at(y))}"
                  for x, y in zip(s.xs, s.ys, strict=True)]
        parts.append(f'<path class="line {colour}" d="M{"L".join(points)}"/>')
    return svg(width, height, parts, title)


def histogram(counts: Sequence[tuple[str, Sequence[tuple[float, int]]]], title: str,
              x_name: str) -> str:
    """Shares of games by a whole number, one outline for each series."""
    series = []
    for name, pairs in counts:
        total = sum(n for _, n in pairs) or 1
        xs = [x for x, _ in pairs]
        series.append(Series(name, xs, [n / total for _, n in pairs]))
    return lines(series, title, percent=True, low=0.0, x_name=x_name, height=190)


def stacked(rows: Sequence[tuple[str, Sequence[tuple[str, float]]]], title: str) -> str:
    """A bar of shares for each name."""
    right, height, left = WIDTH - 18, 26, label_room(rows)
    names = list(dict.fromkeys(part for _, parts in rows for part, _ in parts))
    drawn = []
    for i, (name, parts) in enumerate(rows):
        x, y = left, i * (height + 8) + 4
        drawn.append(text(left - 10, y + height / 2 + 4, name, "end", "label"))
        for part, share in parts:
            width = share * (right - left)
            colour = names.index(part) % N_COLOURS
            drawn.append(f'<rect class="f{colour}" x="{coordinate(x)}" y="{coordinate(y)}" '
                         f'width="{coordinate(width)}" height="{height}"><title>{escape(part)} '
                         f"{as_percent(share)}</title></rect>")
            if width > 46:
                drawn.append(text(x + width / 2, y + height / 2 + 4, as_percent(share), "middle",
                                  "inside"))
            x += width
    return svg(WIDTH, len(rows) * (height + 8) + 4, drawn, title)


def legend(names: Sequence[str]) -> str:
    return '<p class="legend">' + " ".join(
        f'<span><i class="f{k % N_COLOURS}"></i>{escape(name)}</span>'
        for k, name in enumerate(names)) + "</p>"
