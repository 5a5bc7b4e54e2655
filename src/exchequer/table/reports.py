"""Finished reports of the lab, found in folders of runs and shown as they are."""

import contextlib
import html
import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
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


def title_of(path: pathlib.Path) -> str:
    with path.open("rb") as file:
        head = file.read(HEAD).decode("utf-8", "replace")
    said = TITLE.search(head)
    return html.unescape(said[1]).strip() if said else path.parent.name
