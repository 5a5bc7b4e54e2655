"""A master at the table: what is said of it, why it did something, and room for its millions."""

import html
import random
import re
import types
from typing import Any

import httpx
import numpy as np
import pytest
from served import Served
from visitors import Person, expect, wait_until

from exchequer.bots.bot import Bot
from exchequer.bots.policies import PERSONAS
from exchequer.bots.review import Turn
from exchequer.core.build import Mode
from exchequer.core.find import find_game
from exchequer.core.position import Position
from exchequer.core.search import plant
from exchequer.table.drawing import Drawing, draw
from exchequer.table.endings import told
from exchequer.table.html import render
from exchequer.table.precompile import in_time
from exchequer.table.standing import lead
from exchequer.table.table_setup import bot_seat, table_setup, training
from exchequer.table.thoughts import Question

pytestmark = pytest.mark.xdist_group(__name__)


# What is said of it ------------------------------------------------------------------------------

def page_of(served: Served, path: str) -> str:
    return html.unescape(httpx.get(served.url + path).text)


def test_the_lobby_says_in_words_how_each_level_plays(served: Served):
    text = page_of(served, "/")
    for level, persona in PERSONAS.items():
        assert f"<strong>{level}</strong>: {persona}</li>" in text


def test_what_is_so_in_one_game_alone_is_told_there_alone(served: Served):
    """Habits are a game's own."""
    assert "Jubilee" in page_of(served, "/new/greement")
    assert not re.search("Jubilee|pay to build", page_of(served, "/new/kingdom"))


def test_at_a_table_the_opponents_persona_can_be_read_without_pointing_at_it(
        person: Person, served: Served):
    person.goes_to("/")
    person.page.get_by_label("Level of the bot in Kingdom").select_option("expert")
    person.clicks("Play now Kingdom")
    about = person.page.locator(".about p", has_text="expert")
    expect(about).to_have_text(f"expert: {PERSONAS['expert']}")
    box = about.bounding_box()
    assert box and box["x"] + box["width"] <= person.page.viewport_size["width"]


@pytest.mark.parametrize("game, variant, settings, said", [
    ("kingdom", "", {}, "Master was trained for these rules. With changed house rules"),
    ("kingdom", "truce", {}, "Master was trained for these rules. With changed house rules"),
    ("kingdom", "", {"start_gold": 12}, "Master was not trained for these rules."),
    ("treasury/v17", "", {}, "Master was trained for these rules with 2 players. With more"),
    ("greement", "", {}, "Master was not trained for these rules.")])
def test_it_is_said_for_what_a_master_was_trained(game, variant, settings, said):
    setup = table_setup(game, ["master"] * min(2, find_game(game).seats[1]), "ann", "Ann",
                        variant=variant, settings=settings)
    assert training(setup.game, setup.content).startswith(said)


def test_a_new_table_says_it_too(served: Served):
    assert "trained for these rules with 2 players" in page_of(served, "/new/treasury/v17")


# Why it did something ----------------------------------------------------------------------------

def test_a_sure_win_is_no_chance_of_a_hundred(served: Served, monkeypatch: pytest.MonkeyPatch):
    me = served.program()
    table = me.post("/api/v1/tables", json={"game": "kingdom", "seats": ["me", "greedy"],
                                            "clock": "none"}).json()["id"]
    match = served.service.match(table)
    end = next(move for move in match.legal() if match.game.words.TEXTS.text(move) == "end")
    match.play(0, end, match.version)
    wait_until(lambda: match.asked == 0)
    question = Question(match, 0, served.service.precompiler, served.service.tokens)
    bot = Bot(match.game, "greedy", 1, Mode.PYTHON)

    monkeypatch.setattr(bot, "consider", lambda *_: plant(
        bot.workspace.nodes, question.seat, question.action, 1.0))
    monkeypatch.setattr(question, "bot", lambda: bot)
    [sentence] = question.answer()
    assert sentence.endswith("because it had found a win by its own moves that nobody can prevent.")


def test_without_machine_code_nobody_looks_for_a_sure_win():
    """It would take minutes, and no clock ends it."""
    assert in_time("master", Mode.PYTHON) == "expert"
    assert in_time("master", Mode.COMPILED) == "master"
    assert in_time("hard", Mode.PYTHON) == "hard"


def test_a_master_answers_where_nothing_is_compiled(served: Served):
    me = served.program()
    table = me.post("/api/v1/tables", json={"game": "treasury/v03", "seats": ["me", "master"],
                                            "clock": "none"}).json()["id"]
    match = served.service.match(table)
    while "bot" not in match.history.makers:
        if match.asked == 0:
            match.play(0, match.legal()[0], match.version)
        else:
            wait_until(lambda: match.asked == 0 or "bot" in match.history.makers, 40)


# The end -----------------------------------------------------------------------------------------

def program_of(served: Served, person: Person) -> httpx.Client:
    """The same visitor by the API."""
    person.goes_to("/")
    cookies = {cookie["name"]: cookie["value"] for cookie in person.context.cookies()}
    return served.client(authorization=f"Bearer {cookies['exchequer_visitor']}")


def given_up(served: Served, person: Person, level: str, loser: int = 1) -> str:
    """A table at which a bot of this level has lost, or won: somebody gave up."""
    client = program_of(served, person)
    table = client.post("/api/v1/tables", json={"game": "kingdom", "seats": ["me", "hotseat"],
                                                "clock": "none"}).json()["id"]
    client.post(f"/api/v1/tables/{table}/resign", json={"seat": loser})
    match = served.service.match(table)
    match.seats[1] = bot_seat(1, level)
    return table


def test_after_expert_comes_master_and_after_master_nobody(person: Person, served: Served):
    page = person.goes_to(f"/table/{given_up(served, person, 'expert')}")
    expect(page.get_by_role("button", name="Play a stronger bot (master)")).to_be_visible()
    page = person.goes_to(f"/table/{given_up(served, person, 'master')}")
    expect(page.locator(".end")).to_contain_text("You have beaten master. No bot here is stronger.")


def test_a_turning_point_says_what_mattered_and_nothing_twice():
    """Greement: not only that Ann votes, also that the Jubilee happens."""
    game, chance = find_game("greement"), random.Random(4)
    position = Position(game, seed=4, seats=2)
    while not position.is_over and len(position.actions) < 1500:
        position.play(chance.choice(position.legal()))
    match: Any = types.SimpleNamespace(position=position, game=game, content=position.content,
                                       names=position.names)
    mattered = 0
    for first in range(len(position.actions) - 3):
        said = told(match, Turn(0, first, first + 3, np.zeros(2)))
        sentences = position.told(None, since=first + 1, until=first + 4)
        assert said.startswith("".join(sentences[:1]))
        assert len(set(sentences)) < 2 or said.count(sentences[0]) == 1
        happened = [sentence for sentence in sentences if sentence.endswith(" happens.")]
        mattered += bool(happened) and happened[0] in said and happened[0] not in sentences[:2]
    assert mattered


def test_a_lead_of_millions_can_be_read():
    assert lead([2, 9_001_475], 0, ["Ann", "Ben"]) == "You are 9,001,473 behind Ben."
    match: Any = types.SimpleNamespace(game=find_game("greement"), names=["Ann", "Ben"])
    result = types.SimpleNamespace(scores=[2, 9_001_475], winners=[1])
    assert ">9,001,475<" in render("card.svg", match=match, result=result, headline="Ben wins.",
                                   order=[1, 0], paths=[])


# Millions ----------------------------------------------------------------------------------------

def does(client: httpx.Client, table: str, what: str, **said: Any) -> dict[str, Any]:
    """Do something in seat 0 with the version seen last, and look again."""
    look = client.get(f"/api/v1/tables/{table}").json()
    if look["version"] is not None:
        client.post(f"/api/v1/tables/{table}/{what}",
                    json={"seat": 0, "version": look["version"], **said})
    return client.get(f"/api/v1/tables/{table}").json()


def test_a_purse_of_millions_has_room(person: Person, served: Served):
    """Greement: cash and debt of seven figures beside all other columns."""
    client = program_of(served, person)
    table = client.post("/api/v1/tables", json={"game": "greement", "seats": ["me", "greedy"],
                                                "clock": "none"}).json()["id"]
    match = served.service.match(table)
    borrow, typing, one = map(match.game.words.TEXTS.action, ("borrow", "type", "digit:1"))
    look = client.get(f"/api/v1/tables/{table}").json()
    while borrow not in (moves := [move["action"] for move in look["moves"]]):
        look = does(client, table, "play", action=next(iter(moves), 0))
    for _ in range(3):
        does(client, table, "play", action=borrow)
        does(client, table, "amount", number=1_000_000)
    page = person.goes_to(f"/table/{table}")
    players = page.locator('[data-region="players"]')
    expect(players.locator("tr.mine")).to_contain_text("3,000,")
    assert players.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    for action in (borrow, typing, *[one] * 4):
        does(client, table, "play", action=action)
    expect(page.locator('[data-region="draft"]')).to_contain_text("1,111c")


@pytest.mark.parametrize("viewer, said", [(0, "You are composing"), (1, "Ann is composing")])
def test_a_replay_says_whose_draft_it_is(viewer: int, said: str):
    """Over Ben's shoulder: when the game is over, Ann's loan is typed before his eyes."""
    position = Position(find_game("greement"), seed=1, seats=2)
    borrow = position.game.words.TEXTS.action("borrow")
    while position.actor != 0 or borrow not in position.legal():
        position.play(position.legal()[0])
    position.play("borrow")
    drawn = draw(Drawing("greement", "{}", position.whole().tobytes(), viewer, ("Ann", "Ben"), ()))
    assert said in drawn
