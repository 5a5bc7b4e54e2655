"""Why did the bot do that: told where nothing is hidden; elsewhere it betrays nothing."""

from typing import Any

import pytest
from served import Served
from visitors import wait_until

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.table.thoughts import Question


def table(served: Served, game: str, level: str, moves: int, **settings: Any) -> tuple[Any, Any]:
    me = served.program()
    found = me.post("/api/v1/tables", json={"game": game, "seats": ["me", level], "clock": "none",
                                         "settings": settings}).json()["id"]
    match = served.service.match(found)
    for _ in range(moves):
        wait_until(lambda: match.asked == 0 or match.is_over)
        look = me.get(f"/api/v1/tables/{found}").json()
        if not look["moves"]:
            break
        me.post(f"/api/v1/tables/{found}/play", json={
            "seat": 0, "action": look["moves"][0]["action"], "version": look["version"]})
    wait_until(lambda: match.asked == 0 or match.is_over)
    return me, match


def asked(served: Served, match: Any, viewer: int) -> Question:
    return Question(match, viewer, served.service.precompiler, served.service.tokens)


def test_a_bot_weighs_its_move_against_the_next_best(served: Served):
    me, match = table(served, "kingdom", "greedy", 1)
    told = me.get(f"/table/{match.id}/why-bot?seat=0").json()["told"]
    assert "puts its chances after it at" in told[0] and told[1].startswith("The next best seemed")
    assert asked(served, match, 0).answer() == told  # thought again, the same


def test_a_search_says_what_it_expected_and_feared(served: Served,
                                                   monkeypatch: pytest.MonkeyPatch):
    _, match = table(served, "kingdom", "greedy", 1)
    question = asked(served, match, 0)
    deep = Bot(match.game, "mcts:120", 1, Mode.PYTHON)
    monkeypatch.setattr(question, "bot", lambda: deep)
    monkeypatch.setattr("exchequer.table.thoughts.SECONDS", 600)
    question.action = deep.choose(question.past.observe(1), match.content, 1)
    told = question.answer()
    assert any(sentence.startswith("It expected") for sentence in told)
    assert any(sentence.startswith("What it feared most") for sentence in told)


def test_nothing_is_told_before_a_bot_has_decided(served: Served):
    me, match = table(served, "kingdom", "greedy", 0)
    assert me.get(f"/table/{match.id}/why-bot?seat=0").status_code == 409


@pytest.mark.parametrize("viewer", [0, -1])
def test_a_secret_move_is_not_named(served: Served, viewer: int):
    """Treasury 0.3: which card was laid face-down is known to nobody else."""
    _, match = table(served, "treasury/v03", "greedy", 2)
    question = asked(served, match, viewer)
    assert not question.is_open
    told = question.answer()
    assert told[-1].endswith("ask again when the game is over.")
    cards = [card["name"] for card in match.game.text["card"].values()]
    assert not [name for name in cards for sentence in told if name in sentence]


def test_the_answer_depends_only_on_what_the_asker_knows(served: Served):
    _, match = table(served, "treasury/v03", "greedy", 2)
    question = asked(served, match, 0)
    told = question.answer()
    for position in (question.past, question.next):
        position._states = position.determinize(0, 12345)
    assert question.answer() == told


def test_when_it_is_over_all_is_told(served: Served):
    me, match = table(served, "treasury/v03", "greedy", 400, max_turns_per_player=2)
    assert match.is_over
    told = me.get(f"/table/{match.id}/why-bot?seat=0").json()["told"]
    assert "chose" in told[0]
