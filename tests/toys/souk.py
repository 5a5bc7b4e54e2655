"""Bazaar as a designer's own folder, somewhere else: it imports its modules relatively."""

import pathlib
import shutil

from toys.bazaar import GAME

LOOKS = {
    "style.css": ".souk .stall { color: var(--gold); }\n",
    "table.html": '{% import "stall.html" as stalls %}<div class="board souk">'
                  '<section data-region="all">{{ stalls.stall(view.gold) }}{{ icon("lamp") }}'
                  "</section></div>",
    "stall.html": '{% macro stall(gold) %}<p class="stall">{{ gold | sum }} gold</p>{% endmacro %}',
    "icons/lamp.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
                      '<path d="M4 4h16v16H4z" fill="currentColor"/></svg>',
    "picture.svg": '<svg viewBox="0 0 9 9" role="img" aria-label="Souk"><path d="M0 0h9"/></svg>',
    "print.typ": '#import "/printing/kit.typ": *\n#let good(d, width, height) = {\n'
                 '  icon("lamp")\n  text(d.name)\n}\n#let faces = (good: good)\n',
    "pieces.py": "from exchequer.core.pieces import Deck, Face, Piece\n\n\n"
                 "def pieces(content):\n"
                 "    goods = content.words['good']\n"
                 "    return [Deck('goods', 'Goods', 63, 88, 'card', [\n"
                 "        Piece(key, word['name'], 6, Face('good', {'name': word['name']}))\n"
                 "        for key, word in goods.items()])]\n",
}


def souk(place: pathlib.Path, *looks: str) -> pathlib.Path:
    """The game in a folder of its own, with those of LOOKS that are named."""
    folder = shutil.copytree(GAME.folder, place / "souk",
                             ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.glob("*.py"):
        path.write_text(path.read_text().replace("from toys.bazaar.", "from ."))
    for name in looks:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(LOOKS[name])
    return folder
