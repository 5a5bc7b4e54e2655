"""The content file: what a designer may write, and how mistakes are answered."""

import tomllib

import pytest

from exchequer.core.content import ContentError
from exchequer.games.treasury.v17 import GAME
from exchequer.games.treasury.v17.cards import ABILITY_NAMES, Ability, Effect, Printed
from games.treasury.v17.table import Table


def card(**fields):
    return {"card": {"tanner": fields}}


@pytest.mark.parametrize("overlay, sentence", [
    (card(provides=["gold"]), "'gold' is no icon"),
    (card(provides=[]), "list of one to three icons"),
    (card(provides="food"), "not a list of icons"),
    (card(ability=[{"id": "fly"}]), "names no ability"),
    (card(ability=[{"id": "eoa_gain", "gold": 1}]), "not one of id, amount, count, icons"),
    (card(ability=[{"id": "eoa_gain"}] * 3), "at most 2 abilities"),
    (card(ability=[{"id": "limit"}, {"id": "eoa_gain"}]), "must be the first"),
    (card(event="rain"), "is not one of"),
    ({"contract_takes": "top"}, 'one of "bottom", "oldest_matching"'),
    ({"endgame_turn_cap": 0}, "from 1 to 99"),
    ({"hand": 12}, "from 2 to 8"),
])
def test_mistakes_are_answered_in_words(overlay, sentence):
    with pytest.raises(ContentError, match=sentence):
        GAME.content(overlay)


def test_every_ability_and_every_effect_is_on_a_card():
    words = GAME.content().words
    used = {ability["id"] for entry in words["card"].values() for ability in entry["ability"]}
    assert used == set(ABILITY_NAMES) and len(Ability) == 75
    effects = {words["event"][entry["event"]]["effect"] for entry in words["card"].values()}
    assert effects == {effect.name.lower() for effect in Effect}
    assert {entry["event"] for entry in words["card"].values()} == \
        {printed.name.lower() for printed in Printed}


def test_every_switch_has_its_sentence():
    text = tomllib.loads((GAME.folder / "content.toml").read_text())
    assert set(text["about"]) == set(text["rules"])


def test_an_amount_says_how_often_in_a_turn():
    skill = [{"id": "free_peek", "amount": 2}]
    table = Table(opened=["mentor"], startups=["", "quarry tower inn"],
                  card={"mentor": {"ability": skill}})
    table.do("peek", "slot:quarry", "peek", "slot:tower")
    assert table.refuses("peek") == "USED"


def test_numbers_of_the_content_are_what_the_rules_read():
    table = Table(queue="arena", age=3, event={"golden_age": {"gold": 7}}).trigger()
    assert table.treasury == 7
    table = Table(gold=9, tax_above_age=3).end_age(0)
    assert table.gold == [6, 6]
    table = Table(startups=["quarry"], gold=9, card={"quarry": {"gold_cost": 5}}).do("open:quarry")
    assert table.gold[0] == 4
