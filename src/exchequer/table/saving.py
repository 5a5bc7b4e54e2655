"""Notices which files of a folder are saved: by looking at their times, which works everywhere."""

import pathlib
import threading
from collections.abc import Callable, Sequence

INTERVAL = 0.15  # seconds between two looks
Stamps = dict[pathlib.Path, tuple[int, int]]


def stamps(folder: pathlib.Path) -> Stamps:
    """When each file was written last and how long it is."""
    found = {}
    for path in folder.rglob("*"):
        if any(part.startswith((".", "__pycache__")) for part in path.relative_to(folder).parts):
            continue
        try:
            status = path.stat()
        except OSError:  # an editor has just replaced it
            continue
        if path.is_file():
            found[path] = status.st_mtime_ns, status.st_size
    return found


def watch_folder(folder: pathlib.Path, saved: Callable[[Sequence[pathlib.Path]], object],
                 stopped: threading.Event) -> None:
    """Call `saved` with the files that were written, added or removed, until it is stopped."""
    before = stamps(folder)
    while not stopped.wait(INTERVAL):
        now = stamps(folder)
        changed = sorted(path for path in before.keys() | now.keys()
                         if before.get(path) != now.get(path))
        before = now
        if changed:
            saved(changed)
