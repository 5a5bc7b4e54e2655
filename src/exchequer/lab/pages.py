"""A report as one self-contained HTML file: no scripts, no images, no network."""

import functools
import math
import pathlib
import re
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from exchequer import __version__
from exchequer.lab.findings import MOST_SHOWN, Finding
from exchequer.lab.glossary import explained, used_in
from exchequer.lab.plots import Dot, dots
from exchequer.lab.statistics import Estimate
from exchequer.lab.words import between, figure, interval, number, percent

PROMISE = ("Ranked by importance. What is tested was fixed before a game was played, and "
           "each finding holds after correction for all of it: of twenty reports at most one says "
           "something that chance alone brought about. In the small pictures every bot has a dot "
           "with its 95 % interval; the dashed line is where there would be nothing to report.")
READING = ("Dots are estimates and whiskers are 95 % intervals; so are bands around lines. Games "
           "with the same cards and dice are averaged before anything is tested. Who leads, how "
           "dramatic a game was and which decisions matter rests on the game's evaluation of a "
           "position (its value.py, or the lead in points) and is only as good as that. Bots are "
           "not people: what holds for random, greedy and searching bots alike is the most "
           "reliable.")


SMALL = 420  # pixels: a picture that can still be read on a phone


class Section(NamedTuple):
    """A heading, a sentence or two, and figures."""

    title: str
    text: str
    body: str


@functools.cache
def template() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(pathlib.Path(__file__).parent),
                              autoescape=True, undefined=StrictUndefined)
    return environment.get_template("report.html")


def page(title: str, subtitle: str, sections: Sequence[Section],
         findings: Sequence[Finding] | None = None, verdict: str = "", promise: str = PROMISE,
         picture: str = "", command: str = "", details: str = "", bots: tuple[str, ...] = ()
         ) -> str:
    """`picture` stands beside the verdict, on the first screen.

    `command` makes the run again; `details` are for whoever checks it; `bots` are explained.
    """
    if findings and len(findings) > MOST_SHOWN:
        promise += f" The {MOST_SHOWN} most important of {len(findings)} are shown."
    said = [section._replace(text=explained(section.text)) for section in sections]
    promise, reading = explained(promise), explained(READING)
    every = promise + reading + "".join(section.text + section.body for section in said)
    return template().render(
        title=title, subtitle=subtitle, verdict=unbroken(verdict), sections=said, promise=promise,
        picture=picture,
        findings=None if findings is None else [shown(one) for one in findings[:MOST_SHOWN]],
        reading=reading, words=used_in(every, bots), command=command, details=details,
        footer=f"Made by the lab of exchequer {__version__}.")


def unbroken(text: str) -> str:
    """`50 %` stays on one line."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def shown(finding: Finding) -> dict[str, Any]:
    estimate = Estimate(finding.effect, finding.low, finding.high, finding.n)
    said = figure(finding.effect, finding.unit)
    whole = percent(finding.effect, 0) if finding.unit == "share" else said
    is_twice = is_said(said, finding.text) or is_said(whole, finding.text)
    return {**vars(finding), "figure": "" if is_twice else said,
            "interval": interval(estimate, finding.unit), "n_text": number(finding.n),
            "picture": finding_picture(finding), "step": finding.next and finding.next.brief()}


def is_said(figure: str, text: str) -> bool:
    """A figure is said once: `48.3 percentage points fewer` is -48.3 points."""
    digits = figure.removesuffix(" points").lstrip("+-")
    return re.search(rf"(?<![\d.]){re.escape(digits)}(?![\d.]*\d)", text) is not None


def finding_picture(finding: Finding) -> str:
    """The figure of every bot with its interval; the dashed line is what would be no finding."""
    unit = finding.unit
    known = finding.rungs or [(finding.arm, Estimate(finding.effect, finding.low, finding.high,
                                                     finding.n))]
    rows = [(f"{name} {figure(e.effect, unit)}".strip(),
             [Dot(e.effect, e.low, e.high, 1 if name == finding.arm else 5,
                  f"{name}: {interval(e, unit)}")])
            for name, e in known if math.isfinite(e.effect)]
    return dots(rows, finding.text, finding.null, unit, width=SMALL) if rows else ""


def figured(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>" if svg else ""


def table(heads: Sequence[str], rows: Sequence[Sequence[Any]], left: int = 1) -> str:
    """`left` columns of words, the rest numbers. Cells are escaped unless they are `Raw`."""
    def cell(tag: str, place: int, value: Any) -> str:
        css = ' class="n"' if place >= left else ""
        words = value if isinstance(value, Raw) else escape(str(value))
        return f"<{tag}{css}>{words}</{tag}>"

    head = "".join(cell("th", i, Raw(explained(h))) for i, h in enumerate(heads))
    body = "".join(f"<tr>{''.join(cell('td', i, v) for i, v in enumerate(row))}</tr>"
                   for row in rows)
    return (f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


class Raw(str):
    """HTML that is not to be escaped."""


def with_interval(estimate: Estimate, is_share: bool = True) -> Raw:
    return Raw(f"{escape(figure(estimate.effect, 'share' if is_share else ''))} "
               f"<small>{escape(between(estimate, is_share))}</small>")
