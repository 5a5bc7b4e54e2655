"""What draws itself: one Rich drawing gives the shell its text and a notebook its colours."""

import io
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

NARROWEST = 80
NOTEBOOK = 125  # columns; two boards fit side by side
PRE = '<pre style="line-height:1.2;font-family:monospace">{code}</pre>'


class Drawn:
    """A class with `__rich__` that prints as what it draws."""

    def __rich__(self) -> "RenderableType":
        raise NotImplementedError

    def __repr__(self) -> str:
        text = self._drawing(max(NARROWEST, shutil.get_terminal_size().columns)).export_text()
        return "\n".join(line.rstrip() for line in text.splitlines())

    def _repr_html_(self) -> str:
        """For notebooks."""
        return self._drawing(NOTEBOOK).export_html(code_format=PRE, inline_styles=True)

    def _drawing(self, width: int) -> "Console":
        from rich.console import Console

        console = Console(file=io.StringIO(), record=True, width=width)
        console.print(self)
        return console
