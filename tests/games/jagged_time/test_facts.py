"""All 176 printed cards against the designer's sheets, and whatever differs against its ruling.

`facts.toml` says what is printed. Both sides are brought to one form here, with no help from the
game's own reader; what then differs has to be in `RULED`, with the paragraph that says why.
"""

import itertools
import pathlib
import re
import tomllib

import pytest

from exchequer.games.jagged_time import GAME

FACTS = tomllib.loads(pathlib.Path(__file__).with_name("facts.toml").read_text())
SHEETS = pathlib.Path(__file__).parents[4] / "shared" / "rules" / "jagged-time-cards.toml"
FAMILIES = ("action", "objective", "milestone")
PRINTED = {card["id"]: (family, card) for family in FAMILIES for card in FACTS[family]}
CONTENT = GAME.content().words
NOT_RULES = ("id", "act_guess", "other_names", "seed_name", "start", "image")
LEADER = ["destroy C42", "destroy C43"]
RULED = {  # card and place: the paragraph, what the content says
    ("C19", "effect"): ("J-R22", ["choose unless volunteers_both: play sub:troop 1 less 1 | "
                                  "draw 1"]),
    ("M4", "track.victory"): ("JL-2", ["replace O17"]),
    ("O1", "options.0.need"): ("J-R30", ["gained food 2 this phase",
                                         "gained stability 1 this phase"]),
    ("O2", "options.0.need"): ("J-R35", ["not played C1"]),
    ("O2", "crisis"): ("J-8", 1), ("O4", "crisis"): ("J-8", 2), ("O23", "crisis"): ("J-8", 2),
    ("M8", "branch"): ("JL-44", "cargo"), ("M9", "branch"): ("JL-44", "marines"),
    ("M10", "timer.then"): ("JL-31", "reset"), ("M14", "timer.then"): ("JL-31", "reset"),
    ("M15", "on_reveal"): ("JL-25", ["card_list B", "card O52 if taken O48 B",
                                     "reshuffle objectives", "reshuffle actions", "goto M16"]),
    ("M18", "options.1.full"): ("JL-32", ["destroy random sub:moon 3", "goto M19"]),
    ("M19", "options.0.full"): ("JL-33", ["replace O22", *LEADER, "goto M21"]),
    ("M19", "options.1.full"): ("JL-33", ["replace O20", "max influence -2", *LEADER, "goto M23"]),
    ("M19", "timer.effect"): ("JL-33", [*LEADER, "draw_limit -1", "goto M21"]),
    ("M19", "timer.then"): ("JL-57", "next"),
    ("M20", "options.0.full"): ("JL-33", ["replace O22", *LEADER, "goto M21"]),
    ("M20", "options.1.full"): ("JL-33", ["replace O20", "max stability -2", *LEADER, "goto M22"]),
    ("M20", "timer.effect"): ("JL-33", [*LEADER, "draw_limit -1", "goto M21"]),
    ("M20", "timer.then"): ("JL-57", "next"),
    ("O72", "options.1.effect"): ("JL-35", ["replace sub:project", "advance project 2",
                                            "tracker young_king +1"]),
    ("O77", "timer.effect"): ("JL-36", ["card O39"]),
    ("O82", "upkeep.full"): ("JL-37", ["destroy self"]),
    ("O91", "subtypes"): ("JL-39", ["bulls", "cataclysm"]),
    **{(card, "crisis"): ("JL-59", 1) for card in ("O10", *(f"O{n}" for n in range(85, 92)))},
}


# One form for both -------------------------------------------------------------------------------

def alternatives(lists):
    """J-60 Token lists to choose from, a choice inside one of them laid open."""
    every = []
    for tokens in lists:
        parts = [token.removeprefix("choose: ").split(" | ") if token.startswith("choose: ")
                 else [token] for token in tokens]
        every += [" & ".join(row) for row in itertools.product(*parts)]
    return [f"choose: {' | '.join(every)}"]


def printed_form(card):
    """A card of the sheets as the content would say it."""
    card = {{"calamity_tier": "crisis"}.get(key, key): value for key, value in card.items()
            if key not in NOT_RULES}
    if "track" in card:
        track = {key: value for key, value in card["track"].items()
                 if key not in ("kind", "start_range")}
        if "victory_options" in track:
            track["victory"] = alternatives(track.pop("victory_options"))
        card["track"] = track
    if "upkeep" in card:
        upkeep = dict(card["upkeep"])
        if "choose" in upkeep:
            upkeep["effect"] = alternatives(upkeep.pop("choose"))
        late = upkeep.pop("when") == "crisis phase start"
        card["upkeep"] = upkeep | ({"when": "resolution start"} if late else {})
    if "clock" in card:
        clock = dict(card["clock"])
        card["clock"] = {"name": clock.pop("key"), **clock}
    card["options"] = [
        option | ({"need": [need.replace(" >=", "") for need in option["need"].split(" and ")]}
                  if "need" in option else {}) for option in card.get("options", [])]
    return card


def content_form(family, key):
    """An entry of the content with numbers for the names of rules."""
    rules = {name: value for name, value in CONTENT["rules"].items() if type(value) is int}

    def plain(value):
        if isinstance(value, dict):
            return {name: plain(part) for name, part in value.items()}
        if isinstance(value, list):
            return [plain(part) for part in value]
        if isinstance(value, str):
            if value in rules:
                return rules[value]
            return re.sub(r"(?<=[ +])[a-z]\w*$",
                          lambda name: str(rules.get(name[0], name[0])), value)
        return value

    entry = plain(CONTENT[family][key])
    ours = ("start", "tutorial", "misfortune", "aliases", "progress", "next", "specialises")
    return {"act": 1} | {name: value for name, value in entry.items() if name not in ours}


def leaves(tree, path=()):
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    elif isinstance(tree, list) and tree and isinstance(tree[0], dict):
        for key, value in enumerate(tree):
            yield from leaves(value, (*path, key))
    elif tree not in ([], {}):
        yield ".".join(map(str, path)), sorted(tree) if path == ("subtypes",) else tree


def inherited(card):
    """A "+" card has from its base what it does not say itself."""
    if not card["id"].endswith("+"):
        return card
    base = PRINTED[card["id"][:-1]][1]
    return base | card | {"name": f"{base['name']} +"}


def differences(key):
    family, card = PRINTED[key]
    printed = dict(leaves(printed_form(inherited(card))))
    content = dict(leaves(content_form(family, key)))
    return {(key, path): content.get(path) for path in sorted({*printed, *content})
            if printed.get(path) != content.get(path)}


# The comparison ----------------------------------------------------------------------------------

@pytest.mark.skipif(not SHEETS.is_file(), reason="the sheets are not beside the checkout")
def test_the_facts_are_those_of_the_sheets():
    sheets = tomllib.loads(SHEETS.read_text())
    for family in FAMILIES:
        assert FACTS[family] == [{key: value for key, value in card.items()
                                  if key not in ("copies", "src", "rev")}
                                 for card in sheets[family]]


def test_176_of_176_cards_equal_the_sheets():
    assert len(PRINTED) == 176
    found = {place: value for key in PRINTED for place, value in differences(key).items()}
    assert found == {place: value for place, (_, value) in RULED.items()}


def test_jl27_jl28_jl29_jl30_only_five_cards_are_on_no_sheet():
    ours = {key for family in FAMILIES for key in CONTENT[family]} - set(PRINTED)
    assert ours == {"C43", "M12", "M13", "M26", "X1"}


def test_jl18_the_die_is_that_of_the_tracker_sheet():
    assert CONTENT["rules"]["cataclysms"] == list(FACTS["cataclysm_die"].values())


def test_jl44_names_and_prices_of_the_sheets():
    assert CONTENT["action"]["C40"]["aliases"] == ["Royal Flagship"]
    assert CONTENT["action"]["C39"]["cost"] == [{"influence": 3}]
