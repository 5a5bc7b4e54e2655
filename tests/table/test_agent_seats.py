"""A seat for an agent: named as such, with a time limit, a bot that helps out, and reasons."""

import time

import pytest
from served import Served
from test_api import new_table

from exchequer.core.find import find_game
from exchequer.table.history import AGENT, Seat
from exchequer.table.match import Match
from exchequer.table.refusals import BadInput, NotNow
from exchequer.table.registry import Registry
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup, agent_seat, seats_for

pytestmark = pytest.mark.xdist_group("api")
KINGDOM = find_game("kingdom")


def table_of(store: Store, *seats: Seat) -> Match:
    return Registry(store).open(TableSetup(KINGDOM, KINGDOM.content(), [*seats]), "ann")


@pytest.fixture
def waiting(tmp_path):
    store = Store(str(tmp_path / "t.db"))
    yield table_of(store, Seat("ann", None, "Ann"), AGENT)
    store.close()


def test_it_is_for_agents_alone_and_named_as_such(waiting: Match):
    with pytest.raises(NotNow, match="is for an agent"):
        waiting.sit(1, "ben", "Ben")
    waiting.sit(1, "zoe", "Zoe", as_agent=True)
    assert waiting.names == ["Ann", "Zoe (agent)"] and waiting.status == "running"
    waiting.rename("zoe", "Zora")
    assert waiting.names[1] == "Zora (agent)" and waiting.seats[1].is_agents


def test_a_seat_that_an_agent_leaves_stays_an_agents(waiting: Match):
    waiting.sit(1, "zoe", "Zoe", as_agent=True)
    waiting.leave(1, "zoe")
    assert waiting.seats[1] == Seat(None, "greedy", "Zoe (agent) (bot)")
    again = table_of(waiting.store, Seat(), AGENT)
    again.sit(1, "zoe", "Zoe", as_agent=True)
    again.leave(1, "zoe")
    assert again.seats[1] == AGENT


def test_an_agent_may_take_any_free_seat(waiting: Match):
    match = table_of(waiting.store, Seat(), AGENT)
    match.sit(0, "zoe", "Zoe", as_agent=True)
    assert match.seats[0] == Seat("zoe", None, "Zoe (agent)", AGENT.seconds, AGENT.fallback)


def test_its_journal_gives_the_same_seats_again(waiting: Match):
    waiting.sit(1, "zoe", "Zoe", as_agent=True)
    read = Match(waiting.store, waiting.row)
    assert read.seats == waiting.seats


def test_a_bot_moves_when_its_time_is_over(waiting: Match):
    waiting.sit(1, "zoe", "Zoe", as_agent=True)
    assert waiting.asked == 0 and waiting.move_due() is None  # a person without a clock
    waiting.play(0, 0, waiting.version)
    assert waiting.asked == 1 and waiting.move_due() == pytest.approx(time.time() + 60, abs=20)
    assert waiting.next_bot(time.time()) is None
    assert waiting.next_bot(time.time() + 61) == (1, "greedy")
    assert not waiting.tick(time.time() + 61)  # the table's own clock has nothing to say


def test_who_never_answers_is_waited_for_less(waiting: Match):
    from exchequer.table.history import By

    waiting.sit(1, "zoe", "Zoe", as_agent=True)
    while sum(mover == 1 for mover in waiting.history.movers) < 3:
        waiting.play(waiting.asked, 0, waiting.version,
                     By.BOT if waiting.asked == 1 else By.PERSON)
    while waiting.asked == 0:
        waiting.play(0, 0, waiting.version)
    assert waiting.move_due() == pytest.approx(time.time() + 5, abs=4)


def test_the_server_plays_for_an_agent_that_is_late(served: Served):
    late = Seat("zoe", None, "Zoe (agent)", 0, "random")
    setup = TableSetup(KINGDOM, KINGDOM.content({"rules": {"turn_limit": 2}}), [late, late], seed=3)
    match = served.service.registry.open(setup, "zoe")
    end = time.monotonic() + 120
    while not match.is_over and time.monotonic() < end:
        time.sleep(0.05)
    assert match.is_over and set(match.history.makers) == {"bot"}


def test_reasons_are_read_when_the_game_is_over(served: Served):
    ann, ben = served.program(), served.program()
    table = new_table(ann, seats=("me", "agent"))
    sat = ben.post(f"/api/v1/tables/{table}/seats", json={"seat": 1, "agent": True})
    assert sat.status_code == 201
    seen = ann.get(f"/api/v1/tables/{table}").json()
    body = {"seat": 0, "action": 0, "version": seen["version"], "why": " I wait\nfor gold. "}
    assert ann.post(f"/api/v1/tables/{table}/play", json=body).status_code == 200

    def reasons(client):
        lines = client.get(f"/api/v1/tables/{table}/journal").json()["lines"]
        return [line["why"] for line in lines if "why" in line]

    assert reasons(ann) == ["I wait for gold."] and reasons(ben) == []
    assert "for gold" not in ben.get(f"/table/{table}/replay").text
    ann.post(f"/api/v1/tables/{table}/resign", json={"seat": 0})
    assert reasons(ben) == ["I wait for gold."]
    assert "I wait for gold." in ben.get(f"/table/{table}/replay").text


def test_what_is_said_of_a_move_goes_back_with_it(waiting: Match):
    waiting.sit(1, "zoe", "Zoe", as_agent=True)
    waiting.play(0, KINGDOM.words.TEXTS.action("end"), waiting.version, why="Nothing to do.")
    waiting.play(1, KINGDOM.words.TEXTS.action("tax"), waiting.version, why="Gold.")
    assert waiting.history.whys == ["Nothing to do.", "Gold."]
    waiting.undo(1, waiting.version)
    assert waiting.history.whys == ["Nothing to do."]


def test_its_terms_are_checked():
    assert agent_seat(30, "easy") == Seat(None, None, AGENT.name, 30, "easy")
    assert seats_for(["me", "agent"], "ann", "Ann", AGENT, {})[1] == AGENT
    with pytest.raises(BadInput, match="5 to 3600 seconds"):
        agent_seat(1, "easy")
    with pytest.raises(BadInput, match="named bots only"):
        agent_seat(30, "mcts:9999")


def test_the_waiting_room_keeps_it_for_an_agent(served: Served):
    ann, stranger = served.program(), served.program()
    table = new_table(ann, seats=("me", "agent"))
    assert "One is kept for an agent" in ann.get(f"/table/{table}").text
    page = stranger.get(f"/table/{table}").text
    assert "begins when an agent has sat down" in page and "data-take-seat" not in page
    assert "For an agent" in stranger.get("/").text


def test_the_form_for_a_new_table_offers_one(served: Served):
    page = served.program().get("/new/kingdom").text
    assert '<option value="agent">An agent, by link</option>' in page
