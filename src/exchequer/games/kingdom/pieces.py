"""What Kingdom prints: a board for each of the two, Lands with a tilled side, developments,
people, markers, buildings and aids."""

from typing import Any

from exchequer.core.content import Content
from exchequer.core.pieces import Deck, Face, Piece, alike
from exchequer.games.kingdom.state import MOST_HAPPY
from exchequer.games.kingdom.words import card_text, mood, thing

SEATS = ("A", "B")
LANDS, PEOPLE = 16, 11  # tiles for both, discs for each
DEVELOPMENTS = {"house": 12, "farm": 16, "outpost": 10, "watchtower": 8, "garden": 4}
MARKERS = {"castle": 1, "happiness": 1, "ap": 1, "gold": 2, "army": 2, "fort": 2}
SHARED = "shared"

PICTURES = {"K-5": ["board_a"], "K-46": ["mill", "castle_walls"], "K-46l": ["palace", "great_hall"]}
EXAMPLE = {"seats": 2, "seed": 3, "moves": [
    "develop:farm", "develop:house", "tax", "tax", "tax", "build:mill", "raise:commander", "expand",
    "attack"]}


def pieces(content: Content) -> list[Deck]:
    return [
        Deck("boards", "Boards", 264, 196, "board",
             [Piece(f"board_{seat.lower()}", f"Board of {seat}", 1,
                    Face("board", board(content, seat))) for seat in SEATS]),
        Deck("buildings", "Buildings", 44, 63, "card", buildings(content)),
        Deck("aids", "Player aids", 95, 130, "card", [Piece(
            "aid", "Player aid", len(SEATS), Face("aid", {"title": "Actions",
                                                          "lines": acts(content)}),
            Face("aid", {"title": "A turn, and points", "lines": turn(content)}))]),
        Deck("lands", "Lands", 46, 26, "square", [Piece(
            "land", "Land", LANDS, Face("land", {"slots": 1}), Face("land", {"slots": 2}))]),
        Deck("developments", "Developments", 18, 18, "square",
             [alike(key, words["name"], DEVELOPMENTS[key], Face("token", {"icon": key}))
              for key, words in content.words["development"].items()]),
        Deck("people", "People", 16, 16, "round",
             [disc(seat, "person", "citizen", PEOPLE) for seat in SEATS]),
        Deck("markers", "Markers", 9, 9, "round",
             [disc(seat, icon, icon, count) for seat in SEATS for icon, count in MARKERS.items()]),
    ]


def disc(seat: str, name: str, icon: str, copies: int) -> Piece:
    return alike(f"{name}_{seat.lower()}", f"{name.capitalize()} of {seat}", copies,
                 Face("disc", {"seat": seat, "icon": icon}))


def buildings(content: Content) -> list[Piece]:
    """One of each for both, or one for each of the two (K-R27)."""
    copies = 1 if content.value("building_uniqueness") == SHARED else len(SEATS)
    return [Piece(key, words["name"], copies, Face("building", face(content, "building", key)),
                  Face("crest", {"label": "Building"}))
            for key, words in content.words["building"].items()]


def face(content: Content, table: str, key: str) -> dict[str, Any]:
    return {"icon": key, **content.words[table][key], "text": card_text(content, table, key)}


def board(content: Content, seat: str) -> dict[str, Any]:
    words, value = content.words, content.value
    return {"seat": seat, "castle": value("hr_castle_hp"), "bands": bands(content),
            "roles": [face(content, "role", key) for key in words["role"]],
            "developments": [{**face(content, "development", key),
                              "text": thing(content, "development", key).full}
                             for key in words["development"]],
            "start": f"Start: {value('start_gold')} gold, {value('start_lands')} Lands, "
                     f"{value('start_farms')} Farm, {value('start_council')} councillor, happiness "
                     f"{value('start_happiness')}, castle {value('hr_castle_hp')}.",
            "room": f"Room for people: castle {value('castle_cap')}, House {value('house_cap')}, "
                    f"Citadel {value('citadel_cap')}, Temple {value('temple_cap')}."}


def bands(content: Content) -> list[dict[str, Any]]:
    """The cells of the track in order, each with the band that holds there (K-50)."""
    names = list(content.words["tier"])
    return [{"happiness": happiness, "text": mood(content, names[int(tier)])}
            for happiness, tier in enumerate(content.record.band, -MOST_HAPPY)]


def acts(content: Content) -> list[list[str]]:
    return [[f"{words['name']}, {price(key, words['price'])}:",
             card_text(content, "action", key)]
            for key, words in content.words["action"].items()]


def price(action: str, gold: int) -> str:
    if action == "build":
        return f"{gold} gold and the building's price" if gold else "the building's price"
    return f"{gold} gold" if gold else "no gold"


def turn(content: Content) -> list[list[str]]:
    value = content.value
    free = "costs one action point" if value("free_actions_cost_ap") else \
        "costs one action point but Overwork, Tax and Attack"
    return [
        ["Income:", f"{value('farm_income')} gold for each Farm, {value('garden_income')} for each "
         "Garden; then the percentage of your happiness."],
        ["Action points:", "one for each councillor."],
        ["Growth:", f"army {value('commander_growth')} percent for each commander, fortification "
         f"{value('fortifier_growth')} percent for each fortifier, rounded up."],
        ["Upkeep:", ", ".join(f"{words['name']} {words['upkeep']}"
                              for words in content.words["role"].values())
         + ". Short of gold: sell, then lose people; no gold for the last councillor is the end."],
        ["Actions:", f"every one {free}."],
        ["An attack:", f"the army, times {value('festival_damage')} on an open festival, less what "
         "is absorbed: first off the fortification, then off the castle. A hit castle costs "
         f"{value('hit_happiness')} happiness and {value('loot_percent')} percent of the gold. "
         "Every Watchtower falls."],
        ["You win", "when the other castle falls or the other kingdom is bankrupt; else by points "
         f"after round {value('turn_limit')}:"],
        ["Points:", f"1 a castle hit point (at most {value('castle_points')}); 1 for "
         f"{value('gold_per_point')} gold (at most {value('gold_points')}); 1 for "
         f"{value('developments_per_point')} developments (at most {value('development_points')}); "
         f"1 a person; 1 a point of happiness, below zero -1 (at most {value('unhappy_points')}); "
         f"1 for {value('buildings_per_point')} buildings."],
    ]
