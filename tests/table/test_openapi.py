"""The API's page is complete, its paths are versioned, and its example clients play."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from fastapi.routing import APIRoute
from served import Served
from test_api import new_table

from exchequer.table import answers, api

pytestmark = pytest.mark.xdist_group("api")
ROOT = pathlib.Path(__file__).parents[2]
ROUTES = [route for route in api.router.routes if isinstance(route, APIRoute)]


@pytest.fixture(scope="module")
def page(served: Served):
    return served.program().get("/api/v1/openapi.json").json()


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_every_route_is_described(page, route: APIRoute):
    method = min(route.methods).lower()
    said = page["paths"][route.path][method]
    assert said["summary"] and said["description"] and "4XX" in said["responses"]
    schema = said["responses"][str(route.status_code or 200)]["content"]["application/json"][
        "schema"]
    name = schema.get("$ref", schema.get("items", {}).get("$ref", ""))
    assert name.startswith("#/components/schemas/"), f"{route.path} has no model"
    for body in said.get("requestBody", {}).get("content", {}).values():
        assert body["schema"]["$ref"]


def test_every_field_has_an_example(page):
    """Or is made of models that have."""
    for name, schema in page["components"]["schemas"].items():
        if name in ("HTTPValidationError", "ValidationError"):
            continue
        for key, field in schema["properties"].items():
            assert "examples" in field or "$ref" in str(field), f"{name}.{key}"


def test_answers_are_what_the_page_says(served: Served):
    """Nothing is left out on the way, and nothing is added."""
    bot = served.program()
    table = new_table(bot, seats=("me", "greedy"))
    seen = bot.get(f"/api/v1/tables/{table}").json()
    assert nothing_else(answers.Table, seen) and seen["moves"] and "scores" not in seen
    assert all(nothing_else(answers.GameCard, card) for card in bot.get("/api/v1/games").json())
    text = bot.get(f"/api/v1/tables/{table}/text").json()
    assert seen["question"] in text["text"] and text["version"] == seen["version"]
    ahead = bot.get(f"/api/v1/tables/{table}/preview",
                    params={"seat": 0, "action": seen["moves"][0]["action"]})
    assert nothing_else(answers.Preview, ahead.json()).told
    hint = bot.post(f"/api/v1/tables/{table}/hint", json={"seat": 0})
    assert nothing_else(answers.Hint, hint.json()).ideas
    assert nothing_else(answers.Moment, bot.get(f"/api/v1/tables/{table}/frames/0").json())
    bot.post(f"/api/v1/tables/{table}/resign", json={"seat": 0})
    seen = bot.get(f"/api/v1/tables/{table}").json()
    assert (seen["status"], seen["winners"], seen["ending"]) == ("over", [1], "resigned")
    assert nothing_else(answers.Journal, bot.get(f"/api/v1/tables/{table}/journal").json())
    assert "the others have resigned" in bot.get(f"/api/v1/tables/{table}/text").json()["text"]


def nothing_else(model, said):
    """The answer, of which every part is described."""
    found = model.model_validate(said)
    parts = [found, *(part for value in vars(found).values() if isinstance(value, list)
                      for part in value if isinstance(part, answers.Answer))]
    assert not any(part.model_extra for part in parts)
    return found


@pytest.mark.parametrize(("seat", "action", "sentence"), [
    (0, 10**6, "There is no such move"), (0, 25, "K-32"), (1, 0, "do not hold")])
def test_looking_ahead_is_refused_like_a_move(served: Served, seat, action, sentence):
    bot = served.program()
    table = new_table(bot, seats=("me", "greedy"), seed=1)
    answer = bot.get(f"/api/v1/tables/{table}/preview", params={"seat": seat, "action": action})
    assert answer.status_code in (403, 422) and sentence in answer.json()["sentence"]


def test_there_is_one_way_to_each_path(served: Served):
    assert served.program().get("/api/games").status_code == 404
    old = re.compile(r"/api/(?!v1\b)[a-z]")
    for folder in ("src", "scripts", "docs", "examples", "deploy"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".mjs", ".html", ".md", ".sh") and path.is_file():
                assert not old.search(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("command", [
    [sys.executable, "examples/client.py"], ["node", "examples/client.mjs"]],
    ids=["python", "javascript"])
def test_an_example_client_plays_a_whole_game(served: Served, command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    assert len((ROOT / command[1]).read_text().splitlines()) <= 55
    done = subprocess.run([*command, served.url, "kingdom"], cwd=ROOT, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "The game is over" in done.stdout
