"""A deal is one form, and an offer an object with a number, terms and a state."""

import pathlib
from collections.abc import Iterator

import pytest
from served import Served
from test_sealed import ANN, BEN, CLEO, PEOPLE

from exchequer.core.find import find_game
from exchequer.games.greement.bargain import deal_price
from exchequer.table.clocks import Clock
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.refusals import IllegalMove
from exchequer.table.registry import Registry
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup
from games.greement.test_habits import wanted
from games.greement.test_negotiation import neighbours

pytestmark = pytest.mark.xdist_group("api")
GREEMENT = find_game("greement")
SETTINGS = {"bundle_trades": True}


@pytest.fixture
def match(tmp_path) -> Iterator[Match]:
    yield from first_turn(tmp_path)


def first_turn(tmp_path: pathlib.Path, bens_loan: int = 9) -> Iterator[Match]:
    """The first turn of a game in which each owns the square it began with; Ann has the turn."""
    store = Store(str(tmp_path / "table.db"))
    found = Registry(store).open(TableSetup(GREEMENT, GREEMENT.content(SETTINGS), PEOPLE, Clock(),
                                            1), "ann")
    while len(found.asked_seats) == 1:
        found.play(found.asked, found.legal()[0], found.version)
    for seat, loan in ((CLEO, 9), (BEN, bens_loan), (ANN, 14)):
        found.enter(seat, loan, found.version_of(seat))
    assert found.asked == ANN
    yield found
    store.close()


def home(match: Match, seat: int) -> str:
    return match.view(seat)["players"][seat]["start"]


def propose(match: Match, seat: int, to: int, squares: list[str], price: int, tax: str = "buyer",
            pays: bool = False) -> None:
    match.propose(seat, {"to": to, "squares": squares, "price": price, "pays": pays, "tax": tax},
                  match.version_of(seat))


def test_a_form_is_played_as_ordinary_moves(match: Match):
    propose(match, ANN, BEN, [home(match, ANN)], 12, "both")
    moves = [str(move) for move in match.position.actions]
    assert moves[moves.index("offer"):] == [
        "offer", "seat:2", f"square:{home(match, ANN)}", "done", "type", "digit:1", "digit:2",
        "confirm", "tax:both"]
    assert match.asked == BEN and match.position.state.deal_price[1] == 12


def test_a_counter_offer_opens_the_same_form_filled_in(match: Match):
    propose(match, ANN, BEN, [home(match, ANN), home(match, BEN)], 3, "both", pays=True)
    form = match.deal_form(BEN)
    assert form["is_counter"] and form["partners"] == [ANN] and not form["pays"]
    assert (form["price"], form["tax"]) == (3, "both")
    assert {one["name"] for one in form["squares"] if one["chosen"]} \
        == {home(match, ANN), home(match, BEN)}
    assert match.deal_form(CLEO)["is_proposal"]  # to Ann, whose turn it is
    assert match.deal_form(WATCHER) is None


def test_a_bargain_stays_in_view_for_the_two_and_as_a_fact_for_the_others(match: Match):
    both = [home(match, ANN), home(match, BEN)]
    propose(match, ANN, BEN, both, 3, "both", pays=True)
    propose(match, BEN, ANN, both, 4, "buyer")
    propose(match, ANN, BEN, both, 0, "seller")
    for viewer in (ANN, BEN):
        offers = match.deals(viewer)
        assert [one["state"] for one in offers] == ["countered", "countered", "open"]
        assert [(one["id"], one["chain"]) for one in offers] == [(1, 1), (2, 1), (3, 1)]
        assert [one["price"] for one in offers] == [3, 4, 0]
    for viewer in (CLEO, WATCHER):
        assert not any("price" in one or "gives" in one for one in match.deals(viewer))
        assert [one["state"] for one in match.deals(viewer)] == ["countered", "countered", "open"]
    match.play(BEN, GREEMENT.words.TEXTS.action("decline"), match.version_of(BEN))
    assert match.deals(ANN)[-1]["state"] == "declined"


def test_what_is_missing_is_borrowed_with_the_offer(match: Match):
    before = match.view(ANN)["players"][ANN]
    propose(match, ANN, BEN, [home(match, BEN)], before["cash"] + 5, "seller")
    after = match.view(ANN)["players"][ANN]
    assert after["cash"] == before["cash"] + 5 and after["debt"] == before["debt"] + 5
    with pytest.raises(IllegalMove, match=r"You lack .* \(G-28\)"):  # it is not Ben's turn
        propose(match, BEN, ANN, [home(match, ANN)], 500, "seller")


def test_terms_that_do_not_fit_are_refused_in_a_sentence_and_nothing_is_played(match: Match):
    moves = len(match.position.actions)
    for squares, to, why in (([], BEN, "names a square"), (["a1x"], BEN, "names a square"),
                             ([home(match, CLEO)], BEN, "one of the two"),
                             ([home(match, ANN)], ANN, "to them")):
        with pytest.raises(IllegalMove, match=why):
            propose(match, ANN, to, squares, 5)
    assert len(match.position.actions) == moves


def test_programs_weigh_and_propose(served: Served):
    ann, ben = served.program(), served.program()
    opened = ann.post("/api/v1/tables", json={"game": "greement", "seats": ["me", "friend"],
                                              "seed": 1}).json()
    path = f"/api/v1/tables/{opened['id']}"
    ben.post(f"{path}/seats", json={"seat": 1})
    people = [ann, ben]
    while (look := ann.get(path).json())["view"]["active"] not in (0, 1):
        seat = look["asked_seats"][-1]
        legal = people[seat].get(f"{path}/legal", params={"seat": seat}).json()
        people[seat].post(f"{path}/play", json={"seat": seat, "version": legal["version"],
                                                "action": legal["moves"][-2]["action"]})
    seat = look["asked"]
    own, other = look["view"]["players"][seat]["start"], 1 - seat
    terms = {"seat": seat, "to": other, "squares": [own], "price": 7, "tax": "both"}
    said = people[seat].post(f"{path}/deals/weighed", json=terms).json()["said"]
    assert said[0].startswith(f"You give {own.upper()}") and "7c" in said[0]
    assert "in cash" in said[-1]
    version = people[seat].get(f"{path}/deals", params={"seat": seat}).json()["version"]
    assert people[seat].post(f"{path}/deals", json={**terms, "version": version}).status_code == 200
    found = people[other].get(f"{path}/deals", params={"seat": other}).json()
    assert found["offers"][0].pop("expires") == found["due"] is not None
    assert found["offers"][0] | {"tax_due": 0} == {
        "id": 1, "chain": 1, "from": seat, "to": other, "is_counter": False, "price": 7,
        "payer": other, "gives": [own], "gets": [], "tax": "both", "tax_due": 0, "state": "open"}
    assert found["form"]["is_counter"]
    watcher = served.program().get(f"{path}/deals").json()
    assert "price" not in watcher["offers"][0] and watcher["form"] is None


def test_a_bot_names_the_price_at_which_it_agrees():
    estate = neighbours()
    terms = {"to": BEN, "squares": ["b1"], "pays": False, "tax": "buyer", "price": 0}
    asked = deal_price(estate.position, ANN, terms)
    assert asked is not None and asked > 5  # a mine's value: it also brings something
    assert wanted(neighbours().do("offer", "square:b1", f"{asked}c")) == "accept"
    assert wanted(neighbours().do("offer", "square:b1", f"{asked // 2}c")) != "accept"
    given = deal_price(estate.position, ANN, {**terms, "squares": ["a2"]})
    assert given is not None and given < asked
    assert wanted(neighbours().do("offer", "square:a2", f"{given}c")) == "accept"
    assert wanted(neighbours().do("offer", "square:a2", f"{2 * given + 9}c")) != "accept"
