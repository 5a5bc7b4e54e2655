"""People bargain as long as the clock lets them: no limit of bots binds them."""

import pathlib
from collections.abc import Iterator

import pytest
from served import Served
from test_sealed import ANN, BEN, CLEO, answer
from visitors import Person, wait_until

from exchequer.core.agenda import asked
from exchequer.core.find import find_game
from exchequer.games.greement.clock import LIMITS
from exchequer.games.greement.state import Ask
from exchequer.table.clocks import content_for_bots
from exchequer.table.history import Seat
from exchequer.table.match import Match
from exchequer.table.registry import Registry
from exchequer.table.store import Store
from exchequer.table.table_setup import table_setup

pytestmark = pytest.mark.xdist_group("api")
GREEMENT = find_game("greement")
OFTEN = 12  # four times what a bot may do


@pytest.fixture
def match(tmp_path: pathlib.Path) -> Iterator[Match]:
    """Three people at a table as it is opened for them, in the first turn of one of them."""
    store = Store(str(tmp_path / "table.db"))
    setup = table_setup("greement", ["me", "hotseat", "hotseat"], "ann", "Ann", seed=1,
                        settings={"disease_cards": 0, "first_loan_max": 90})
    setup.seats[:] = [Seat(name.lower(), None, name) for name in ("Ann", "Ben", "Cleo")]
    found = Registry(store).open(setup, "ann")
    while len(found.asked_seats) == 1:
        found.play(found.asked or 0, found.legal()[0], found.version)
    for seat in (CLEO, BEN, ANN):
        found.enter(seat, 90, found.version_of(seat))
    yield found
    store.close()


def in_order(match: Match) -> tuple[int, int, int]:
    """Who has the turn, and the two others."""
    first = int(match.position.state.active)
    return first, (first + 1) % 3, (first + 2) % 3


def offer(match: Match, seat: int, other: int, price: int) -> None:
    """Whoever has the turn sells the square where they began."""
    square = match.view(seat)["players"][in_order(match)[0]]["start"]
    match.propose(seat, {"to": other, "squares": [square], "price": price, "pays": False,
                         "tax": "buyer"}, match.version)


def test_offers_of_a_turn_have_no_end_but_the_clocks(match: Match):
    ann, ben, cleo = in_order(match)
    for price in range(1, OFTEN + 1):
        offer(match, ann, ben, price)
        answer(match, ben, "decline")
    assert sorted(match.deal_form(ann)["partners"]) == sorted([ben, cleo])
    assert match.position.state.offers_made[ben] == OFTEN > LIMITS["max_offers_per_turn"]
    for_bots = content_for_bots(GREEMENT, match.content)
    assert {key: for_bots.value(key) for key in LIMITS} == LIMITS


def test_counter_offers_and_gifts_have_no_end_either(match: Match):
    ann, ben, cleo = in_order(match)
    for price in range(1, OFTEN + 1):
        offer(match, *((ann, ben) if price % 2 else (ben, ann)), price)
    assert (asked(match.position.state), match.asked) == (Ask.ANSWER, ann)
    answer(match, ann, "decline")
    for _ in range(OFTEN):
        for text in ("gift", f"seat:{cleo + 1}", "amount:1"):
            answer(match, ann, text)
        answer(match, cleo, "decline")
    assert (asked(match.position.state), match.asked) == (Ask.TURN, ann)


def until_a_vote(match: Match) -> None:
    while asked(match.position.state) == Ask.TURN:
        answer(match, int(match.asked or 0), "end")
    while asked(match.position.state) != Ask.VOTE:
        for seat in list(match.asked_seats):
            match.play(seat, match.position_of(seat).legal()[-1], match.version_of(seat))


def has_a_word(match: Match, seat: int, coins: int) -> None:
    """A gift for Ben's vote; the other two would vote, and Ben takes it."""
    for text in ("gift", f"seat:{BEN + 1}", "type", f"digit:{coins}", "confirm"):
        answer(match, seat, text)
    for other in {ANN, BEN, CLEO} - {seat}:
        answer(match, other, "vote:let")
    assert (asked(match.position.state), match.asked) == (Ask.RECEIVE, BEN)
    answer(match, BEN, "accept")


def test_a_gift_is_answered_by_a_higher_one_until_all_vote_and_the_first_answers_the_last(
        match: Match):
    until_a_vote(match)
    for coins, seat in ((1, ANN), (2, CLEO), (3, ANN), (4, CLEO)):
        has_a_word(match, seat, coins)
    assert match.position.state.lap == 4 > LIMITS["bribe_laps"]
    assert "gift" in {str(move) for move in match.position_of(ANN).legal()}  # Ann answers Cleo
    card = int(match.position.state.row_place)
    for seat in (CLEO, ANN, BEN):
        answer(match, seat, "vote:against")
    assert match.position.state.row_place > card  # all have said what they had to say


def test_words_win_no_time_and_the_clock_votes_for_the_late(match: Match):
    until_a_vote(match)
    due = match.move_due()
    assert due is not None
    has_a_word(match, ANN, 1)
    assert match.move_due() == due  # three minutes for the vote with all words before it
    card = int(match.position.state.row_place)
    while match.position.state.row_place == card and match.tick(due + 1):
        pass
    assert match.position.state.row_place > card


def test_programs_are_bound_by_no_limit_of_bots(served: Served):
    table = served.program().post("/api/v1/tables", json={
        "game": "greement", "seats": ["me", "friend"], "seed": 1}).json()["id"]
    content = served.service.match(table).content
    assert content.value("max_offers_per_turn") == 100 and content.value("bribe_laps") == 100


def test_opening_a_table_asks_how_long_the_game_shall_last(chromium, served: Served):
    """An hour unless something else is typed; against bots alone the end comes by rounds."""
    person = Person(chromium, served.url)
    page = person.goes_to("/new/greement")
    question = page.get_by_role("group", name="How long shall the game last?")
    asked_for = question.get_by_label("Minutes")
    assert asked_for.input_value() == "60"
    asked_for.fill("25")
    page.locator("select[name='seat.1']").select_option("friend")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*")
    match = served.service.match(page.url.rsplit("/", 1)[1])
    wait_until(lambda: match.content.value("minutes") == 25)
    assert match.content.value("end_mode") == "clock"
    person.close()
