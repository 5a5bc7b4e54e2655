"""What is planted in a game is found, ranked first and worded right."""

import tomllib
from html import unescape

import pytest

from exchequer.core.agenda import then
from exchequer.core.records import rule
from exchequer.core.replay import check_replay, read_replay
from exchequer.lab.plan import plan_from
from lab.planted import Planted
from toys.bazaar.rules import answer as answer_as_written
from toys.bazaar.state import Ask, Do

pytestmark = pytest.mark.xdist_group("lab")  # the loop is compiled once


def test_a_seat_with_extra_gold(study):
    """Both start with nothing, and the second seat gets three gold on top."""
    found, folder = study(game="kingdom", lineups=[{"bots": "random", "games": 3000}],
                          overlay={"rules": {"start_gold": 0, "compensation": "gold3"}})
    first = found["findings"][0]
    assert first["id"] == "seat-0"
    assert first["text"].startswith("The first seat wins less than its share: ")
    assert first["text"].endswith(" of games between identical random bots instead of 50.0 %.")
    assert first["high"] < 0.45
    assert [seat["seat"] for seat in found["seats_share"]] == [0, 1]
    assert found["seats_share"][1]["low"] > 0.55
    # with a game that shows it, an experiment that fits, and both in the report
    watched = read_replay(folder.path / first["replay"])
    assert check_replay(watched) == ""
    assert plan_from(tomllib.loads(first["next"]["plan"])).kind == "sensitivity"
    html = unescape(folder.report.read_text())
    assert first["replay"] in html and first["next"]["command"] in html
    assert html.index("<svg", html.index('class="findings"')) < html.index(first["replay"])


def test_a_card_made_free(study):
    """The Temple for nothing: nobody should want to do without it."""
    cards = ["temple", "mill", "raiders_guild", "plow_workshop"]
    found, _ = study(kind="cards", game="kingdom", cards=cards,
                     lineups=[{"bots": "greedy", "games": 60}],
                     overlay={"building": {"temple": {"price": 0}}})
    worth = {card["card"]: card["denied"]["effect"] for card in found["cards"]}
    assert max(worth, key=worth.__getitem__) == "temple"
    first = found["findings"][0]
    assert first["id"] == "denied-temple"
    assert first["text"].startswith("Temple is essential: a greedy bot that has to do without "
                                    "it wins ")
    assert first["text"].endswith(" points fewer of its games.")


def test_what_weak_bots_misuse_is_not_called_a_trap(study):
    """A free Mill that pays a lot: only greedy bots are better off without it."""
    found, _ = study(kind="cards", game="kingdom", cards=["mill"],
                     lineups=[{"bots": bots, "games": 60} for bots in ("greedy", "easy")],
                     overlay={"building": {"mill": {"price": 0}}, "rules": {"mill_bonus": 5}})
    effects = {card["bots"]: card["denied"]["effect"] for card in found["cards"]}
    assert effects["greedy"] < 0 < effects["easy"]
    text = next(one["text"] for one in found["findings"] if one["id"] == "denied-mill")
    assert text.startswith("Mill depends on who uses it: ") and "trap" not in text


@rule
def answer_with_a_loop(s, c, ask, seat, a, b, action, log):
    """To draw changes nothing: the same seat is asked the same again."""
    if action == Do.DRAW:
        then(s, Ask.TURN, seat, 0, 0)
    else:
        answer_as_written(s, c, ask, seat, a, b, action, log)


@pytest.fixture
def carousel(as_game):
    return as_game(Planted({"answer": answer_with_a_loop}))


def test_a_loop(study, carousel):
    """Random players walk into it, and the finding names a replay that shows it."""
    found, folder = study(kind="probe", game=carousel,
                          lineups=[{"bots": "random", "games": 12}])
    first = found["findings"][0]
    assert first["id"] == "loop"
    assert first["text"].startswith("Play can go round in circles: in ")
    replay = (folder.path / first["replay"]).read_text()
    assert replay.count(" draw ") >= 4


def test_a_sound_toy_has_no_loop(study, as_game):
    found, _ = study(kind="probe", game=as_game(Planted()),
                     lineups=[{"bots": "random", "games": 12}])
    assert "loop" not in [finding["id"] for finding in found["findings"]]


# Exploits ----------------------------------------------------------------------------------------

def exploit(study, overlay, **more):
    return study(kind="exploit", game="kingdom", cards=["temple", "mill"],
                 lineups=[{"bots": "random", "games": 40}], overlay=overlay, **more)


def test_a_simple_way_that_beats_the_bots_is_an_exploit(study):
    """The Temple for nothing: who always takes it wins more."""
    found, folder = exploit(study, {"building": {"temple": {"price": 0}}})
    first = found["findings"][0]
    assert first["id"] == "exploit"
    assert first["text"].startswith("A simple way of playing beats random bots: a random bot that ")
    assert "always takes temple when possible" in first["text"]
    assert first["low"] > 0.52
    assert found["verdict"].startswith(first["text"])
    replay = (folder.path / first["replay"]).read_text()
    assert "build:temple" in replay
    assert first["next"]["command"].startswith("exchequer lab sensitivity kingdom ")


@pytest.mark.parametrize("seed", [0, 1000, 2000])
def test_what_nobody_can_afford_is_no_exploit(study, seed):
    price = {"price": 99}
    found, _ = exploit(study, {"building": {"temple": price, "mill": price}}, seed=seed)
    assert found["findings"] == []
    assert found["verdict"].startswith("No exploit was found. ")
