"""Ctrl-C always works, also while machine code runs, which Python cannot interrupt.

The signal wakes a thread (machine code leaves the interpreter to others). It gives the program a
moment to end by itself and then ends it, saying what it was at or what the command wants said.
"""

import contextlib
import os
import pathlib
import signal
import sys
import threading
import time
from collections.abc import Iterator

from exchequer.core.errors import InputError
from exchequer.core.watchdog import outwards

GRACE = 3.0  # seconds
_farewells: list[str] = []


def always_interruptible() -> None:
    """Call once, in the main thread."""
    if os.name == "nt":  # there the wakeup must be a socket; Ctrl-Break ends a program
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(reading,), name="interrupts", daemon=True).start()


@contextlib.contextmanager
def farewell(sentence: str) -> Iterator[None]:
    """What a command that loses nothing says when it is interrupted, however that happens."""
    _farewells.append(sentence)
    try:
        yield
    except KeyboardInterrupt:
        raise InputError(sentence) from None
    finally:
        _farewells.pop()


def _wait(reading: int) -> None:
    while os.read(reading, 1) != bytes([signal.SIGINT]):
        pass
    time.sleep(GRACE)
    if _farewells:
        print(f"exchequer: {_farewells[-1]}", file=sys.stderr, flush=True)
        os._exit(2)
    print(f"exchequer: interrupted{_place()}. Machine code cannot say which rule; with "
          "EXCHEQUER_PYTHON=1 the rules are plain Python.", file=sys.stderr, flush=True)
    os._exit(130)


def _place() -> str:
    """Where the main thread is, in words."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    for each in outwards(frame):
        path = pathlib.Path(each.f_code.co_filename)
        if "exchequer" in path.parts:
            return f" in {path.name}:{each.f_lineno} (`{each.f_code.co_name}`)"
    return ""
