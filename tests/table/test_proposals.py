"""Anybody may make the player in turn an offer, and several offers can be closed as one chain."""

from collections.abc import Iterator

import pytest
from served import Served
from test_deals import GREEMENT, first_turn, home, propose
from test_sealed import ANN, BEN, CLEO, PEOPLE, shown

from exchequer.table import journaled
from exchequer.table.bot_runner import BotRunner
from exchequer.table.clocks import Clock
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.refusals import IllegalMove, NotNow, StaleVersion, WrongSeat
from exchequer.table.registry import Registry
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup, bot_seat

pytestmark = pytest.mark.xdist_group("api")


@pytest.fixture
def match(tmp_path) -> Iterator[Match]:
    yield from first_turn(tmp_path)


def owners(match: Match, *names: str) -> list[int | None]:
    squares = {one["name"]: one["owner"] for one in match.view(WATCHER)["squares"]}
    return [squares[name] for name in names]


def test_a_proposal_out_of_turn_stands_beside_the_game(match: Match):
    moves, version = len(match.position.actions), match.version
    assert match.deal_form(BEN)["is_proposal"] and match.deal_form(BEN)["partners"] == [ANN]
    assert not match.deal_form(ANN)["is_proposal"]
    propose(match, BEN, ANN, [home(match, BEN)], 5)
    assert (len(match.position.actions), match.version) == (moves, version)
    for viewer in (ANN, BEN):
        found = match.proposals(viewer)[0]
        assert (found["gives"], found["price"], found["payer"]) == ([home(match, BEN)], 5, ANN)
    for viewer in (CLEO, WATCHER):
        assert set(match.proposals(viewer)[0]) == {"id", "from", "to", "state", "expires"}


def test_accepting_makes_it_an_offer_of_the_rules_with_a_loan_where_one_is_needed(
        match: Match):
    mine = home(match, BEN)
    cash = match.view(ANN)["players"][ANN]["cash"]
    propose(match, BEN, ANN, [mine], cash + 7, "seller")
    match.take_up(ANN, [1], "accept", match.version)
    moves = [str(move) for move in match.position.actions]
    assert moves[moves.index("call"):][:3] == ["call", "seat:2", "offer"]
    assert "borrow" in moves and moves[-1] == "accept" and owners(match, mine) == [ANN]
    assert match.asked == ANN and match.proposals(ANN) == []


def test_it_can_be_heard_and_countered_declined_or_withdrawn(match: Match):
    for price in (5, 6, 7):
        propose(match, BEN, ANN, [home(match, BEN)], price)
    with pytest.raises(WrongSeat):
        match.withdraw(CLEO, 1)
    match.withdraw(BEN, 1)
    match.take_up(ANN, [2], "decline", match.version)
    assert [one["id"] for one in match.proposals(ANN)] == [3]
    match.take_up(ANN, [3], "hear", match.version)
    assert match.deal_form(ANN)["is_counter"] and match.deal_form(ANN)["price"] == 7
    propose(match, ANN, BEN, [home(match, BEN)], 4)
    assert match.asked == BEN and [one["price"] for one in match.deals(BEN)] == [7, 4]
    with pytest.raises(WrongSeat):
        match.take_up(ANN, [3], "hear", match.version)
    with pytest.raises(StaleVersion):
        match.withdraw(BEN, 3)


def test_a_chain_of_three_holds_only_as_a_whole(match: Match):
    mine, bens, cleos = (home(match, seat) for seat in (ANN, BEN, CLEO))
    propose(match, BEN, ANN, [mine], 3, "seller")   # Ben buys Ann's square
    propose(match, CLEO, ANN, [mine], 2, "seller")  # and Cleo wants the same
    propose(match, CLEO, ANN, [cleos], 4, "buyer")
    before = match.position.state.tobytes()
    with pytest.raises(IllegalMove):
        match.take_up(ANN, [1, 2], "accept", match.version)
    assert match.position.state.tobytes() == before and len(match.proposals(ANN)) == 3
    match.take_up(ANN, [1, 3], "accept", match.version)
    assert owners(match, mine, bens, cleos) == [BEN, BEN, ANN]


def test_it_lapses_with_the_turn_and_survives_a_restart(match: Match):
    propose(match, CLEO, ANN, [home(match, CLEO)], 4)
    again = Match(match.store, match.row)
    assert [one["price"] for one in again.proposals(ANN)] == [4]
    match.play(ANN, GREEMENT.words.TEXTS.action("end"), match.version)
    assert match.proposals(ANN) == []
    with pytest.raises(IllegalMove):  # one cannot sell what is another's, in turn or out of it
        propose(match, ANN, match.position.state.active, [home(match, CLEO)], 4)


def test_nobody_fills_the_table_with_proposals(match: Match):
    for price in range(8):
        propose(match, BEN, ANN, [home(match, BEN)], price)
    with pytest.raises(NotNow, match="withdraw one"):
        propose(match, BEN, ANN, [home(match, BEN)], 9)
    with pytest.raises(IllegalMove, match="You lack"):
        propose(match, CLEO, ANN, [home(match, ANN)], 500)


def test_programs_propose_and_answer(served: Served):
    ann, ben = served.program(), served.program()
    opened = ann.post("/api/v1/tables", json={"game": "greement", "seats": ["me", "friend"],
                                              "seed": 1}).json()
    path, people = f"/api/v1/tables/{opened['id']}", [ann, ben]
    ben.post(f"{path}/seats", json={"seat": 1})
    while (look := ann.get(path).json())["view"]["active"] not in (0, 1):
        seat = look["asked_seats"][-1]
        legal = people[seat].get(f"{path}/legal", params={"seat": seat}).json()
        people[seat].post(f"{path}/play", json={"seat": seat, "version": legal["version"],
                                                "action": legal["moves"][-2]["action"]})
    seat = look["asked"]
    other = 1 - seat
    own = look["view"]["players"][other]["start"]
    terms = {"seat": other, "to": seat, "squares": [own], "price": 1, "tax": "seller"}
    said = people[other].post(f"{path}/deals/weighed", json=terms).json()["said"]
    assert said[0].startswith(f"You give {own.upper()}")
    for _ in range(2):
        assert people[other].post(f"{path}/deals", json=terms).status_code == 200
    assert people[other].post(f"{path}/deals/withdraw",
                              json={"seat": other, "id": 2}).json() == {"withdrawn": True}
    found = people[seat].get(f"{path}/deals", params={"seat": seat}).json()
    assert [one["price"] for one in found["proposals"]] == [1]
    done = people[seat].post(f"{path}/deals/answer", json={
        "seat": seat, "ids": [1], "answer": "decline", "version": found["version"]})
    assert done.status_code == 200
    assert people[seat].get(f"{path}/deals", params={"seat": seat}).json()["proposals"] == []


def test_bots_leave_people_a_moment_to_propose_before_they_do_anything(
        tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Once in each of their turns, where people play."""
    registry = Registry(Store(str(tmp_path / "table.db")))
    bots, waits = BotRunner(registry, None, None, pace=0.5), []
    monkeypatch.setattr(bots, "look_at", lambda match, after=None: waits.append(after))
    for first, moments in ((PEOPLE[0], [True, False]), (bot_seat(0, "random"), [False])):
        seats = [first, bot_seat(1, "random")]
        match = registry.open(TableSetup(GREEMENT, GREEMENT.content(), seats, Clock(), 1), "ann")
        while match.position.state.active != 1:
            seat = match.asked_seats[0]
            match.play(seat, match.position_of(seat).legal()[0], match.version_of(seat))
        assert [bots._gives_people_a_moment(match, 1) for _ in moments] == moments
    assert waits == [1.5]
    registry.store.close()


def test_twin_tables_with_other_books_and_terms_look_the_same_to_bystanders(
        tmp_path, monkeypatch: pytest.MonkeyPatch):
    """The same public course, different first loans and prices: a proposal that is countered and
    stands open shows neither to Cleo nor to a watcher, on the page, in the API, in the deals.
    """
    monkeypatch.setattr(journaled, "fresh_key", lambda: "7" * 64)
    seen = []
    for name, loan, price in (("one", 11, 3), ("two", 12, 5)):
        (tmp_path / name).mkdir()
        table = first_turn(tmp_path / name, loan)
        match = next(table)
        propose(match, BEN, ANN, [home(match, ANN)], price, "seller")
        match.take_up(ANN, [1], "hear", match.version)
        propose(match, ANN, BEN, [home(match, ANN)], price + 1, "both")
        propose(match, CLEO, ANN, [home(match, CLEO)], 2, "buyer")
        seen.append([(shown(match, viewer), match.deals(viewer), match.proposals(viewer),
                      match.deal_form(viewer)) for viewer in (CLEO, WATCHER)])
        table.close()
    assert seen[0] == seen[1]
