"""Variants that a designer makes: named overlays beside the runs, each with its history.

    variants/kingdom-rich.toml                the variant as it is now: what every command reads
    variants/history/kingdom-rich/0002.toml   as it was saved the second time
"""

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tomli_w

from exchequer.core.content import Content, leaves, merged, read_toml
from exchequer.core.errors import InputError
from exchequer.core.files import write_whole
from exchequer.core.game import Game
from exchequer.core.rulebook import changes, found


@dataclass(frozen=True)
class Version:
    """A variant as it was saved once."""

    number: int
    at: float
    overlay: dict[str, Any]


@dataclass(frozen=True)
class Variants:
    """The variants of one game below a folder."""

    folder: pathlib.Path
    game: Game

    def path(self, name: str) -> pathlib.Path:
        return self.folder / f"{self._stem}{name}.toml"

    @property
    def _stem(self) -> str:
        return f"{self.game.name.replace('/', '-')}-"

    @property
    def own(self) -> list[str]:
        """Those that were made here."""
        return sorted(path.stem.removeprefix(self._stem)
                      for path in self.folder.glob(f"{self._stem}*.toml"))

    @property
    def names(self) -> list[str]:
        """Those that were made here, then those that come with the game."""
        return [*self.own, *(name for name in self.game.variants if name not in self.own)]

    def content(self, name: str = "", settings: Mapping[str, Any] | None = None) -> Content:
        """A variant with settings on top; without a name the game as it ships."""
        if name in self.own:
            return self.game.variant(str(self.path(name)), dict(settings or {}))
        if name and name not in self.game.variants:
            has = f"it has {', '.join(self.names)}" if self.names else "it has none"
            raise InputError(f'{self.game.title} has no variant "{name[:40]}"; {has}.')
        return self.game.variant(name or None, dict(settings or {}))

    def save(self, name: str, overlay: Mapping[str, Any]) -> Content:
        """Check an overlay and keep it, with what stood there before."""
        if not name.isidentifier() or name in self.game.variants:
            raise InputError(f'"{name[:40]}" is no name of a variant of your own; use letters, '
                             "digits and _, and no name that comes with the game.")
        content = self.game.content(self.trimmed(overlay), name)
        text = tomli_w.dumps(content.overlay).encode()
        versions = self.history(name)
        if not versions or versions[-1].overlay != content.overlay:
            number = versions[-1].number + 1 if versions else 1
            self._past(name).mkdir(parents=True, exist_ok=True)
            write_whole(self._past(name) / f"{number:04d}.toml", text)
        write_whole(self.path(name), text)
        return content

    def trimmed(self, overlay: Mapping[str, Any]) -> dict[str, Any]:
        """Only what differs from the game as it ships."""
        kept: dict[str, Any] = {}
        for path, value in leaves(self.game.schema.shaped(dict(overlay), "variant")):
            if value != found(self.game.text, path):
                nested: Any = value
                for key in reversed(path):
                    nested = {key: nested}
                kept = merged(kept, nested)
        return kept

    def delete(self, name: str) -> None:
        """It is no longer offered; its history stays."""
        if name in self.own:
            self.path(name).unlink()

    def history(self, name: str) -> list[Version]:
        return [Version(int(path.stem), path.stat().st_mtime, read_toml(path))
                for path in sorted(self._past(name).glob("*.toml"))]

    def _past(self, name: str) -> pathlib.Path:
        return self.folder / "history" / f"{self._stem}{name}"

    def name_of(self, overlay: Mapping[str, Any]) -> str:
        """What an overlay is called here; its changes where it has no name."""
        wanted = dict(overlay)
        if not wanted:
            return "as it ships"
        for name in self.names:
            if self.content(name).overlay == wanted:
                return name
        told = changes(self.game, self.game.content(wanted))
        return ", ".join(f"{one.key} {one.new}" for one in told[:3]) + (
            f" and {len(told) - 3} more" if len(told) > 3 else "")
