"""Writes docs/game-folder.md from the protocols of core/modules.py."""

import pathlib

from exchequer.core.modules import page

(pathlib.Path(__file__).parents[1] / "docs" / "game-folder.md").write_text(page())
