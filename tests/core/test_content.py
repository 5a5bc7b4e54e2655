"""Content: a wrong file is refused with file, key and a sentence that says what would be right."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exchequer.core import files
from exchequer.core.content import ContentError, Number, Schema, read_toml, settings
from exchequer.core.find import find_game
from exchequer.core.words import filled

KINGDOM = find_game("kingdom")


def refused(change, match):
    text = copy.deepcopy(KINGDOM.text)
    change(text)
    with pytest.raises(ContentError, match=match):
        KINGDOM.schema.read(text, "content.toml")


def test_a_refused_key_of_a_file_is_told_with_its_line(tmp_path):
    text = (KINGDOM.folder / "content.toml").read_text()
    text = text.replace("start_gold = 10", "start_gold = -1")
    line = text.splitlines().index("start_gold = -1") + 1
    (tmp_path / "content.toml").write_text(text)
    source = tmp_path / "content.toml"
    with pytest.raises(ContentError, match=rf"content.toml:{line}: rules.start_gold: -1 is out"):
        KINGDOM.schema.read(read_toml(source), str(source))


def test_what_derive_refuses_is_told_like_what_check_refuses():
    def derive(c):
        raise ValueError("there are 7 cards; 12 to 30 fit.")

    schema = Schema({"hand": Number(1, 5)}, derive=derive)
    text = {"title": "T", "summary": "S.", "rules": {"hand": 2}, "about": {"hand": "Cards."}}
    with pytest.raises(ContentError, match="^variant: there are 7 cards; 12 to 30 fit.$"):
        schema.read(text, "content.toml", {"hand": 3})


@pytest.mark.parametrize(("key", "line"), [
    ("rules.hand", 1), ("card.mill", 3), ("card.mill.price", 4), ("crop.wheat.points", 6),
    ("crop.wheat", 6), ("crop.wheat.weight", 0), ("crop.rye", 0)])
def test_the_line_of_a_key(key, line):
    text = ('rules = { hand = 3 }\n\n[card.mill]\nprice = 7\n'
            '[crop]\n"wheat" = { name = "Wheat", points = 2 }\n')
    assert files.line_of_key(text, key) == line


def test_the_shipped_file_is_sound():
    assert KINGDOM.content().record.turn_limit == 22


def test_unknown_key():
    refused(lambda t: t["rules"].update(turn_limt=3),
            r'content.toml: rules.turn_limt: .*did you mean "turn_limit"')


def test_unknown_section():
    refused(lambda t: t.update(buildings={}), r'content.toml: buildings: .*did you mean "building"')


def test_missing_key():
    refused(lambda t: t["rules"].pop("start_gold"),
            "content.toml: rules.start_gold: is missing; it must be a whole number from 0 to 1000")


def test_missing_card():
    refused(lambda t: t["building"].pop("mill"), r"building.mill: is missing; every building needs")


def test_missing_field_of_a_card():
    refused(lambda t: t["building"]["mill"].pop("price"), r"building.mill.price: is missing")


def test_missing_explanation():
    refused(lambda t: t["about"].pop("start_gold"), "about.start_gold: is missing")


def test_what_a_switch_says_is_checked():
    refused(lambda t: t["said"].update(plow_scop={}),
            r'content.toml: said.plow_scop: .*did you mean "plow_scope"')
    refused(lambda t: t["said"].update(plow_scope="x"),
            "said.plow_scope: must have a text for each value")
    refused(lambda t: t["said"]["plow_scope"].update(next_turn="x"),
            r"said.plow_scope: is no value of this game; did you mean")
    refused(lambda t: t["said"]["great_hall"].update(ongoing=3),
            "said.great_hall.ongoing: 3 is not a text")


def test_what_a_switch_says_by_its_value():
    text = "{hr_truce_rounds}{plow_scope}, {plow_surcharge} gold"
    assert filled(KINGDOM.content(), {}, text) == "the next Action, 2 gold"
    truce = KINGDOM.content({"hr_truce_rounds": 3, "plow_scope": "rest_of_turn"})
    assert filled(truce, {}, "No.{hr_truce_rounds} {plow_scope}") == \
        "No. Not in the first 3 rounds. every further Action"


def test_number_out_of_range():
    refused(lambda t: t["rules"].update(turn_limit=1000),
            "rules.turn_limit: 1000 is out of range; it must be a whole number from 1 to 99")


def test_text_where_a_number_belongs():
    refused(lambda t: t["building"]["mill"].update(price="seven"),
            "building.mill.price: 'seven' is not a whole number from 0 to 99")


def test_number_where_a_choice_belongs():
    refused(lambda t: t["rules"].update(turn_order=1),
            'rules.turn_order: 1 is not one of "alternating", "phased", "simultaneous"')


def test_number_where_a_switch_belongs():
    refused(lambda t: t["rules"].update(random_end=1), "random_end: 1 is not true or false")


def test_true_is_no_number():
    refused(lambda t: t["rules"].update(turn_limit=True), "turn_limit: True is not a whole number")


def test_what_single_bounds_cannot_say():
    refused(lambda t: t["rules"].update(start_farms=5), "start_farms = 5 do not fit")


def test_unreadable_files(tmp_path):
    with pytest.raises(ContentError, match="no such file"):
        read_toml(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("turn_limit = = 3")
    with pytest.raises(ContentError, match="broken.toml: is not valid TOML"):
        read_toml(broken)
    broken.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ContentError, match="cannot be read"):
        read_toml(broken)


def test_a_variant_is_only_its_differences(tmp_path):
    file = tmp_path / "short.toml"
    file.write_text("turn_limit = 12\n[building.mill]\nprice = 3\n")
    content = KINGDOM.variant(str(file), settings(["start_gold=20", "turn_limit=13"]))
    assert [content.record.turn_limit, content.record.start_gold] == [13, 20]
    assert content.record.building[1].price == 3
    assert content.overlay == {"rules": {"turn_limit": 13, "start_gold": 20},
                               "building": {"mill": {"price": 3}}}


@pytest.mark.parametrize(("pair", "match"), [
    ("turn_limit", "must read key=value"),
    ("=3", "must read key=value"),
    ("turn_limt=3", 'did you mean "turn_limit"'),
    ("turn_limit=x", "is not a whole number"),
    ("building.mil.price=3", 'did you mean "mill"'),
    ("building.mill=3", "must be a table"),
    ("building=3", "must be a table"),
])
def test_wrong_settings(pair, match):
    with pytest.raises(ContentError, match=match):
        KINGDOM.variant(None, settings([pair]))


def test_the_hash_names_the_numbers():
    plain = KINGDOM.content()
    assert KINGDOM.content({"turn_limit": 22}).hash == plain.hash
    assert KINGDOM.content({"turn_limit": 21}).hash != plain.hash


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(
    st.integers()) | st.dictionaries(st.text(), st.integers())


@given(st.dictionaries(st.sampled_from([*KINGDOM.schema.rules, "building", "rules", "x"]), VALUES))
def test_any_overlay_is_read_or_refused(overlay):
    try:
        content = KINGDOM.content(overlay)
    except ContentError:
        return
    assert 1 <= content.record.turn_limit <= 99


def test_a_variant_that_is_none_is_answered_with_those_there_are():
    with pytest.raises(ContentError, match=r"tinny: there is no such variant; Kingdom has: tiny, "):
        find_game("kingdom").variant("tinny")
    with pytest.raises(ContentError, match="no such file"):
        find_game("kingdom").variant("tinny.toml")
