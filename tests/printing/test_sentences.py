"""The Jagged Time's notation as sentences: nothing of it is left on a printed card."""

import re

import pytest

from exchequer.core.content import settings
from exchequer.core.find import find_game
from exchequer.games.jagged_time.notation import FORMS, NEEDS
from exchequer.games.jagged_time.sentences import said, sentence
from exchequer.printing.pieces import decks_of

WORDS = {"NUMBER": "2", "SCOUTED": "2", "CHANGE": "+2", "RESOURCES": "food|might",
         "RESOURCE": "food", "CARD": "C3", "ACTION->ACTION": "C2->C11", "ACTION": "C3",
         "OBJECTIVE": "O2", "SUB": "sub:troop", "TIMES": "x2", "FAMILY": "actions"}
LEFT_OVER = re.compile(r"_|sub:|->|\bx\d|\||\b[CO]\d+\b")


@pytest.fixture(scope="module")
def game():
    return find_game("jagged_time")


@pytest.mark.parametrize("shape", [shape for shape, _ in FORMS + NEEDS])
def test_every_shape_of_the_notation_is_said(game, shape):
    token = " ".join(WORDS.get(part, part) for part in shape.split())
    text = said(game.content(), token)
    assert not LEFT_OVER.search(text), f"{token}: {text}"


@pytest.mark.parametrize(("token", "text"), [
    ("hand C3 x2", "2 Levy Infantry to hand"),
    ("transform C4->C17 x2", "2 Public Rituals turn into Moon God Sacrifices"),
    ("choose: gain food 1 | draw 1", "either gain 1 food or draw 1"),
    ("choose: draw 2 | recur 1 | gain food 1",
     "one of: draw 2, take 1 from the discard, gain 1 food"),
    ("may: spend food 1 => gain stability 1", "you may spend 1 food: gain 1 stability"),
    ("menu influence: draw 1 | delay 1", "for 1 influence each: draw 1, delay a timer by 1"),
    ("choose: gain food 1 & draw 1 | draw 2", "either gain 1 food and draw 1 or draw 2"),
    ("card C21", "gain Cataracts Vassal C21"),  # two cards share this name
    ("max stability +m3b_max_stability", "stability maximum +2"),
])
def test_tokens_in_words(game, token, text):
    assert said(game.content(), token) == text


def test_a_rule_changes_what_a_card_says(game):
    both = game.variant(None, settings(["volunteers_both=true"]))
    effect = game.text["action"]["C19"]["effect"]
    assert sentence(game.content(), effect) == "Either play 1 troop card for 1 less or draw 1."
    assert sentence(both, effect) == "Play 1 troop card for 1 less and draw 1."


def test_no_card_shows_notation(game):
    for deck in decks_of(game, game.content())[:3]:
        for piece in deck.pieces:
            data = piece.front.data
            texts = [line["text"] for line in data["lines"]] + [data.get("failure", "")]
            shown = re.sub(r"Vassal C\d+", "", " ".join(texts))
            assert not LEFT_OVER.search(shown), f"{piece.id}: {texts}"
