"""Draw docs/pictures/print-*.png: pages of every game's print and play, and of one rulebook.

Run by `make pictures`. The pages shown are the most telling ones of each game.
"""

import pathlib

import pymupdf
from PIL import Image

from exchequer.core.find import find_game
from exchequer.printing.press import print_and_play
from exchequer.printing.rulebook import rulebook_pdf

PICTURES = pathlib.Path(__file__).parents[1] / "docs" / "pictures"
SHOWN = {  # page numbers as a reader counts them
    "greement": (3, 17, 23), "jagged_time": (9, 21, 35), "kingdom": (3, 9, 11),
    "treasury/v03": (3, 13, 14), "treasury/v17": (3, 17, 18)}
RULEBOOK = ("treasury/v17", (1, 2, 5))
HEIGHT, GAP, BEHIND = 620, 12, "#b9b4aa"
SHADES = 200  # enough for flat colours, and small files


def page_picture(page: pymupdf.Page) -> Image.Image:
    zoom = 2 * HEIGHT / page.rect.height
    picture = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom))
    image = Image.frombytes("RGB", (picture.width, picture.height), picture.samples)
    return image.resize((image.width // 2, image.height // 2), Image.Resampling.LANCZOS)


def beside_each_other(pdf: bytes, numbers: tuple[int, ...]) -> Image.Image:
    document = pymupdf.open(stream=pdf)
    pages = [page_picture(document[number - 1]) for number in numbers]
    width = sum(page.width + GAP for page in pages) + GAP
    result = Image.new("RGB", (width, max(page.height for page in pages) + 2 * GAP), BEHIND)
    x = GAP
    for page in pages:
        result.paste(page, (x, GAP))
        x += page.width + GAP
    return result


def save(image: Image.Image, name: str) -> None:
    path = PICTURES / f"print-{name}.png"
    image.quantize(SHADES).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB")


def main() -> None:
    for name, numbers in SHOWN.items():
        game = find_game(name)
        pdf, _ = print_and_play(game, game.content())
        save(beside_each_other(pdf, numbers), name.replace("/", "-").replace("_", "-"))
    name, numbers = RULEBOOK
    game = find_game(name)
    save(beside_each_other(rulebook_pdf(game, game.content()), numbers), "rulebook")


if __name__ == "__main__":
    main()
