"""Pieces of boards that are kept are those that would be drawn afresh."""

import random

import pytest
from jinja2 import DictLoader

from exchequer.core.build import Mode
from exchequer.core.find import all_games
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.table import boards
from exchequer.table.contents import content_of
from exchequer.table.drawing import Drawing, draw
from exchequer.table.pieces import BoardTemplates, kept


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_board_of_kept_pieces_is_the_board_drawn_afresh(game: Game):
    position, chance = Position(game, mode=Mode.PYTHON), random.Random(1)
    pieces = boards.pieces_of(content_of(game, "{}").for_reading)
    for _ in range(12):
        for seat in range(position.seats):
            legal = tuple(map(int, position.legal())) if seat == position.actor else ()
            drawing = Drawing(game.name, "{}", position.observe(seat).tobytes(), seat,
                              ("Ann", "Ben")[: position.seats], legal)
            again = draw(drawing), draw(drawing)
            assert pieces
            pieces.clear()
            assert again == (draw(drawing),) * 2
        position.play(chance.choice(position.legal()))


TEMPLATE = """{% set shade = 'dark' if view.night else 'light' %}
{% macro inner(n) %}{{ n }} {{ names[n] }}{% endmacro %}
{% macro outer(n) %}{{ drawn() }}{{ inner(n) }} {{ shade }}{% endmacro %}
{% macro passed(what) %}{{ drawn() }}{{ what(1) }}{% endmacro %}
{{ outer(view.n) }};{{ passed(inner) }}"""


def test_a_piece_is_drawn_again_when_anything_changes_that_it_depends_on():
    count = [0]

    def drawn() -> str:
        count[0] += 1
        return ""

    environment = BoardTemplates(loader=DictLoader({"table.html": TEMPLATE}), autoescape=True)
    environment.globals |= {"kept": kept, "drawn": drawn}
    pieces: dict[bytes, str] = {}

    def shown(n: int, night: bool, names: list[str]) -> tuple[str, int]:
        count[0] = 0
        html = environment.get_template("table.html").render(
            view={"n": n, "night": night}, names=names, pieces=pieces)
        return html.strip(), count[0]

    assert shown(0, True, ["Ann", "Ben"]) == ("0 Ann dark;1 Ben", 2)
    assert shown(0, True, ["Ann", "Ben"]) == ("0 Ann dark;1 Ben", 1)  # a macro is no plain data
    assert shown(1, True, ["Ann", "Ben"]) == ("1 Ben dark;1 Ben", 2)
    assert shown(0, False, ["Ann", "Ben"]) == ("0 Ann light;1 Ben", 2)
    assert shown(0, True, ["Ann", "Eve"]) == ("0 Ann dark;1 Eve", 2)
    assert shown(0, True, ["<b>", "Ben"]) == ("0 &lt;b&gt; dark;1 Ben", 2)


def test_a_spot_is_a_button_where_there_are_moves():
    html = f"<i{boards.spot('gold', 'Tax & spend', 'purse')}></i><i{boards.spot(False, 'x')}></i>"
    assert boards.placed(html, {}) == '<i class="purse"></i><i></i>'
    assert boards.placed(html, {"sea": [1]}) == '<i class="purse" data-place="gold"></i><i></i>'
    assert boards.placed(html, {"gold": [4, 5]}) == (
        '<i class="purse live" data-spot="gold" data-moves="4 5" tabindex="0" role="button" '
        'aria-label="Tax &amp; spend"></i><i></i>')
