"""What a study that decides as it goes has played so far, so that it can be resumed."""

import json
import pathlib
from collections.abc import Callable
from typing import Any

from exchequer.core.files import os_errors_as_sentences, write_whole
from exchequer.lab.folder import RESUME


class Memory:
    """Results by what was played; kept in a file if there is one."""

    def __init__(self, path: pathlib.Path | None) -> None:
        self.path = path
        self.known: dict[str, Any] = json.loads(path.read_text()) if path and path.exists() else {}

    def of(self, key: list[Any], play: Callable[[], Any]) -> Any:
        """As remembered, or played now; whatever JSON can hold."""
        name = json.dumps(key)
        if name not in self.known:
            self.known[name] = play()
            if self.path:
                with os_errors_as_sentences(RESUME):
                    write_whole(self.path, json.dumps(self.known).encode())
        return self.known[name]
