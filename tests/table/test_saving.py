"""Which files of a folder are saved, and when they are told."""

import pathlib
import threading
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from exchequer.table import saving


def test_a_file_that_is_being_written_is_told_once_and_whole(tmp_path: pathlib.Path,
                                                             monkeypatch: pytest.MonkeyPatch):
    """A rule that failed in play was no longer named when its file was read a second time."""
    file, stopped, told = tmp_path / "rules.py", threading.Event(), []
    file.write_text("old")
    monkeypatch.setattr(saving, "INTERVAL", 0.001)
    parts = ["the whole", "half"]
    monkeypatch.setattr(saving, "time", SimpleNamespace(
        sleep=lambda seconds: file.write_text(parts.pop()) if parts else None))

    def saved(changed: Sequence[pathlib.Path]) -> None:
        told.append((changed, file.read_text()))
        stopped.set()

    threading.Timer(0.05, file.write_text, [""]).start()
    saving.watch_folder(tmp_path, saved, stopped)
    assert told == [([file], "the whole")]
