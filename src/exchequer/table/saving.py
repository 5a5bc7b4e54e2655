"""Notices which files of a folder are saved: by looking at their times, which works everywhere."""

import pathlib
import threading
import time
from collections.abc import Callable, Sequence

INTERVAL = 0.15  # seconds between two looks
SETTLING = 0.05  # and until a file that is being written is looked at again,
MOST_LOOKS = 40  # which has an end where a program writes all the time
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


def settled(folder: pathlib.Path, before: Stamps) -> Stamps:
    """The stamps, once two looks agree: a file that is half written is not told yet."""
    now = stamps(folder)
    for _ in range(MOST_LOOKS):
        if now == before:
            break
        time.sleep(SETTLING)
        now, before = stamps(folder), now
    return now


def watch_folder(folder: pathlib.Path, saved: Callable[[Sequence[pathlib.Path]], object],
                 stopped: threading.Event) -> None:
    """Call `saved` with the files that were written, added or removed, until it is stopped."""
    before = stamps(folder)
    while not stopped.wait(INTERVAL):
        now = settled(folder, before)
        changed = sorted(path for path in before.keys() | now.keys()
                         if before.get(path) != now.get(path))
        before = now
        if changed:
            saved(changed)
