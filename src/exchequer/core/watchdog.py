"""A watchdog for rules that run as plain Python: an endless loop ends with the rule and its line.

Nothing is traced, so rules run at full speed: a thread looks now and then whether a call has taken
too long, reads from the thread's frames where it is, and raises the exception there. Whoever steps
through a rule with a debugger is left alone.
"""

import contextlib
import ctypes
import pathlib
import sys
import threading
import types
from collections.abc import Iterator

from exchequer.core.errors import InputError


class EndlessRule(InputError):
    """A rule that does not come to an end; the sentence says which, and where."""


class _Stopped(BaseException):
    """Raised inside the rule; nothing in between should catch it."""


@contextlib.contextmanager
def watched(folder: pathlib.Path, seconds: float) -> Iterator[None]:
    """What is done inside ends after so many seconds; the rule at work in the folder is named."""
    watch = _Watch(threading.get_ident(), folder, seconds)
    try:
        with watch:
            yield
    except _Stopped:
        raise EndlessRule(f"{watch.where} Does it loop for ever?") from None


class _Watch:
    """Over one call in one thread."""

    def __init__(self, thread: int, folder: pathlib.Path, seconds: float) -> None:
        self.thread, self.folder, self.seconds = thread, folder, seconds
        self.where = ""
        self._lock = threading.Lock()
        self._over = threading.Event()

    def __enter__(self) -> None:
        threading.Thread(target=self._wait, name="watchdog", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        with self._lock:  # either it has been stopped, or it never is
            self._over.set()

    def _wait(self) -> None:
        while not self._over.wait(self.seconds):
            frame = sys._current_frames().get(self.thread)
            if frame is None or any(each.f_trace for each in outwards(frame)):
                continue
            with self._lock:
                if not self._over.is_set():
                    self.where = self._sentence(frame)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self.thread), ctypes.py_object(_Stopped))
            return

    def _sentence(self, frame: types.FrameType) -> str:
        for each in outwards(frame):
            path = pathlib.Path(each.f_code.co_filename)
            if path.is_relative_to(self.folder):
                return (f"{path.name}:{each.f_lineno}: `{each.f_code.co_name}` has not come to an "
                        f"end after {self.seconds:g} seconds.")
        return f"The rules have not come to an end after {self.seconds:g} seconds."


def outwards(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    """A frame and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back
