"""Finished reports of the lab, found in folders of runs and shown as they are."""

import contextlib
import html
import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
WATCH = re.compile(r'<a class="watch" href="replays/([a-z0-9-]+)\.toml">')
LINK = re.compile(WATCH.pattern + r"[^<]*</a>, ")
HEAD = 4096  # bytes in which a report has said its title
# A report brings its style with it, and nothing that runs.
HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; "
                                      "img-src data:; sandbox; frame-ancestors 'none'"}


@dataclass(frozen=True)
class Report:
    name: str
    path: pathlib.Path
    title: str
    at: float


def finished(folders: Iterable[pathlib.Path]) -> dict[str, Report]:
    """Reports by the names of their runs, the newest first; of two runs of one name the first.

    A name from outside is only ever looked up here, so no address can leave these folders.
    """
    found: dict[str, Report] = {}
    for folder in folders:
        for path in folder.glob("*/report.html"):
            with contextlib.suppress(OSError):  # just removed, or not for us to read
                report = Report(path.parent.name, path, title_of(path), path.stat().st_mtime)
                found.setdefault(report.name, report)
    return dict(sorted(found.items(), key=lambda item: item[1].at, reverse=True))


def served(report: Report, desk: str) -> str:
    """As it was written, but a replay opens at the desk: beside a report it is only a file."""
    text = report.path.read_text(encoding="utf-8")
    to_desk = rf'<a class="watch" href="{desk}/{quote(report.name)}#\1">'
    return WATCH.sub(to_desk, text) if desk else LINK.sub("", text)


def title_of(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        head = file.read(HEAD).decode("utf-8", "replace")
    said = TITLE.search(head)
    return html.unescape(said[1]).strip() if said else path.parent.name
