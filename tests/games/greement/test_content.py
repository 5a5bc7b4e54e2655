"""What a hand-edited content file has to pass, and that every key has a use."""

import pathlib
import re

import pytest

from exchequer.core.content import ContentError
from exchequer.games.greement import GAME
from exchequer.games.greement.state import Effect, Happening, Value


@pytest.mark.parametrize("overlay, sentence", [
    ({"event": {"boom": {"effect": "loan up"}}}, "'loan up' is no part of a card"),
    ({"event": {"boom": {"effect": "luck +1"}}}, "values are land, seed, crop"),
    ({"event": {"boom": {"effect": "loan +1; lake +1; mountain +1; tax +1; crop +1"}}}, "up to 4"),
    ({"event": {"boom": {"effect": 3}}}, "up to 4"),
    ({"event": {"boom": {"needs": "luck"}}}, '"mine"'),
    ({"amount_menu": [5, 2]}, "rising list"),
    ({"amount_menu": []}, "rising list"),
    ({"price_menu": [0, 1]}, "rising list"),
    ({"value": {"loan": {"start": 0}}}, "from 1 to 999"),
    ({"adjacency": True}, "4 or 8"),
    ({"lands": 40, "mines": 50}, "50 or more"),
])
def test_bad_content_is_refused_with_a_sentence(overlay, sentence):
    with pytest.raises(ContentError, match=re.escape(sentence)):
        GAME.content(overlay)


def test_effects_are_read_from_left_to_right():
    effect = GAME.content().record.event[Happening.WATERS_AND_PEAKS].effect.tolist()
    assert effect == [[Effect.CHANGE, Value.LAKE, 1], [Effect.CHANGE, Value.MOUNTAIN, 1],
                      [Effect.CHANGE, Value.MINE_PROFIT, -2], [Effect.NONE, 0, 0]]
    content = GAME.content({"event": {"boom": {"effect": "mines_lost; tax +9"}}})
    assert content.record.event[Happening.BOOM].effect[:2].tolist() == [
        [Effect.MINES_LOST, 0, 0], [Effect.CHANGE, Value.TAX, 9]]


def test_every_key_is_in_the_rulebook_and_in_the_rules():
    code = "\n".join(path.read_text() for path in pathlib.Path(GAME.folder).glob("*.py"))
    for key in GAME.content().words["rules"]:
        assert f"`{key}`" in GAME.rulebook, key
        used = len(re.findall(rf"c\.{key}\b", code))
        assert used or key in ("turn_seconds",), key      # the table reads the seconds
