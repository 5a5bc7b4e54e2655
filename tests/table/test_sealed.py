"""Sealed questions: several seats are asked at once and answer in any order."""

import json
import re
import time

import pytest
from served import Served
from visitors import Person, expect

from exchequer.core.find import find_game
from exchequer.core.replay import check_replay, replay_of
from exchequer.table import journaled
from exchequer.table.api import table_data
from exchequer.table.clocks import Clock
from exchequer.table.history import Seat
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.refusals import StaleVersion, WrongSeat
from exchequer.table.registry import Registry
from exchequer.table.screens import make_screen
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup, bot_seat

pytestmark = pytest.mark.xdist_group("api")
GREEMENT, KINGDOM = find_game("greement"), find_game("kingdom")
PEOPLE = [Seat("ann", None, "Ann"), Seat("ben", None, "Ben"), Seat("cleo", None, "Cleo")]
ANN, BEN, CLEO = range(3)
COLD = Precompiler(enabled=False)


@pytest.fixture
def registry(tmp_path):
    store = Store(str(tmp_path / "table.db"))
    yield Registry(store)
    store.close()


def before_loans(registry: Registry, seats=PEOPLE, clock: Clock | None = None) -> Match:
    """A table of Greement at which all are asked for their first loans."""
    match = registry.open(TableSetup(GREEMENT, GREEMENT.content(), seats, clock or Clock(), 1),
                          "ann")
    while len(match.asked_seats) == 1:
        match.play(match.asked, match.legal()[0], match.version)
    return match


def answer(match: Match, seat: int, text: str) -> None:
    match.play(seat, match.game.words.TEXTS.action(text), match.version_of(seat))


def answer_first(match: Match, seat: int) -> None:
    match.play(seat, int(match.position_of(seat).legal()[0]), match.version_of(seat))


def test_answers_come_in_any_order_and_are_given_in_that_of_the_rules(registry: Registry):
    match = before_loans(registry)
    moves = len(match.position.actions)
    assert match.asked_seats == [ANN, BEN, CLEO]
    match.enter(CLEO, 12, match.version_of(CLEO))
    match.enter(BEN, 7, match.version_of(BEN))
    assert match.asked_seats == [ANN] and len(match.position.actions) == moves
    with pytest.raises(WrongSeat, match="Ann's move"):
        match.enter(BEN, 8, match.version_of(BEN))
    match.enter(ANN, 9, match.version_of(ANN))
    assert match.position.state.first_loan[:3].tolist() == [9, 7, 12]
    assert match.history.movers[moves:] == sorted(match.history.movers[moves:])
    assert not match.history.waiting and match.asked_seats == [CLEO]  # the largest loan begins
    again = Match(match.store, match.row)
    assert again.position.state.tobytes() == match.position.state.tobytes()
    assert again.version == match.version and check_replay(replay_of(match.position)) == ""


def test_what_one_answers_makes_no_other_answer_stale(registry: Registry):
    match = before_loans(registry)
    seen = {seat: match.version_of(seat) for seat in (ANN, BEN, CLEO)}
    for seat in (BEN, ANN):
        match.enter(seat, 9, seen[seat])
    with pytest.raises(StaleVersion):
        match.enter(BEN, 9, seen[BEN])
    match.enter(CLEO, 9, seen[CLEO])
    assert match.asked is not None and len(match.asked_seats) == 1


def test_parts_wait_too_and_can_be_taken_back(registry: Registry):
    match = before_loans(registry)
    for part in ("type", "digit:1", "digit:4"):
        answer(match, BEN, part)
    read = Match(match.store, match.row)
    assert read.view(BEN)["draft"] == match.view(BEN)["draft"] is not None
    assert match.undoable(BEN) == 3 and match.undoable(CLEO) == 0
    match.undo(BEN, match.version_of(BEN))
    answer(match, BEN, "digit:0")
    answer(match, BEN, "confirm")
    assert match.undoable(BEN) == 0 and match.asked_seats == [ANN, CLEO]
    match.enter(ANN, 8, match.version_of(ANN))
    assert match.position.state.first_loan[:3].tolist() == [8, 10, 0]
    assert Match(match.store, match.row).asked_seats == [CLEO]


def test_bots_answer_at_once_and_whoever_leaves_is_stood_in_for(registry: Registry):
    match = before_loans(registry, [PEOPLE[0], bot_seat(1, "random"), PEOPLE[2]])
    assert match.next_bot(time.time()) == (BEN, "random")
    answer_first(match, BEN)
    answer(match, CLEO, "type")
    match.leave(CLEO, "cleo")
    assert match.next_bot(time.time()) == (CLEO, "easy") and not match.history.waiting.get(CLEO)
    answer_first(match, CLEO)
    answer_first(match, ANN)
    assert len(match.asked_seats) == 1


def test_all_have_the_same_time_and_the_clock_answers_for_the_late(registry: Registry):
    match = before_loans(registry, clock=Clock("move", 30))
    due = match.move_due()
    match.enter(BEN, 9, match.version_of(BEN))
    match.enter(ANN, 9, match.version_of(ANN))
    assert match.move_due() == due and not match.tick(due - 1)
    answer(match, CLEO, "type")
    while match.asked_seats == [CLEO] and int(match.position.state.loans_open) == 0:
        assert match.tick(due + 1)
    assert match.position.state.first_loan[CLEO] > 0


def test_nobody_can_tell_what_was_answered_or_in_how_many_parts(
        registry: Registry, monkeypatch: pytest.MonkeyPatch):
    """Twin tables with different answers, as all others see them on pages and by the API."""
    monkeypatch.setattr(journaled, "fresh_key", lambda: "7" * 64)
    twins = [before_loans(registry) for _ in range(2)]
    for match, loan in zip(twins, (7, 14), strict=True):
        match.enter(CLEO, loan, match.version_of(CLEO))
    compare(twins, (ANN, BEN, WATCHER))
    for match, parts in zip(twins, (["type"], ["type", "digit:1", "digit:1"]), strict=True):
        for part in parts:
            answer(match, BEN, part)
    compare(twins, (ANN, CLEO, WATCHER)[::2])
    assert all(match.token(CLEO) is None for match in twins)


def compare(twins: list[Match], viewers: tuple[int, ...]) -> None:
    for viewer in viewers:
        seen = [shown(match, viewer) for match in twins]
        assert seen[0] == seen[1]


def shown(match: Match, viewer: int) -> str:
    screen = make_screen(match, viewer)
    data = table_data(match, viewer)
    data.pop("version")
    texts = [screen.board.whole, *screen.regions.values(), json.dumps(data, default=str),
             repr(match.frames(viewer))]
    return re.sub(r"\d{9,}\.?\d*", "", "".join(texts)).replace(match.id, "")


def test_a_committed_list_waits_for_the_other(registry: Registry):
    content = KINGDOM.content({"turn_order": "simultaneous"})
    match = registry.open(TableSetup(KINGDOM, content, PEOPLE[:2], Clock(), 3), "ann")
    assert match.asked_seats == [ANN, BEN]
    for text in ("tax", "tax", "end"):
        answer(match, BEN, text)
    assert match.asked_seats == [ANN] and not match.position.actions
    assert match.view(ANN)["plan"] == []
    answer(match, ANN, "end")
    assert [str(move) for move in match.position.actions][:4] == ["end", "tax", "tax", "end"]


# By API and in the browser -----------------------------------------------------------------------

def test_programs_answer_out_of_order(served: Served):
    ann, ben = served.program(), served.program()
    opened = ann.post("/api/v1/tables", json={
        "game": "kingdom", "seats": ["me", "friend"],
        "settings": {"turn_order": "simultaneous"}}).json()
    path = f"/api/v1/tables/{opened['id']}"
    ben.post(f"{path}/seats", json={"seat": 1})
    assert ann.get(path).json()["asked_seats"] == [0, 1]
    for client, seat in ((ben, 1), (ann, 0)):
        legal = client.get(f"{path}/legal", params={"seat": seat}).json()
        action = next(move["action"] for move in legal["moves"] if move["text"] == "end")
        done = client.post(f"{path}/play", json={"seat": seat, "action": action,
                                                 "version": legal["version"]})
        assert done.status_code == 200, done.text
    told = [line for frame in ann.get(f"{path}/journal").json()["lines"] for line in frame["told"]]
    assert any("Round 2" in line for line in told)


def test_a_person_answers_before_whoever_comes_first(chromium, served: Served):
    ann, ben = Person(chromium, served.url), Person(chromium, served.url)
    page = ann.goes_to("/new/kingdom")
    page.locator("select[name='seat.1']").select_option("friend")
    page.locator("[name='set.turn_order']").evaluate(
        "field => { field.closest('details').open = true; field.value = 'simultaneous'; }")
    ann.clicks("Open the table")
    page.locator(".invite").wait_for()
    ben.goes_to(page.url).get_by_role("button", name=re.compile("Take a seat")).click()
    for person in (ben, ann):
        person.ends_turn()
        if person is ben:
            expect(ben.page.locator(".status .question")).to_contain_text("is to move")
            expect(ann.page.locator(".status .badge")).to_have_text("Your move")
    expect(page.locator("#log")).to_contain_text("Round 2")
    for person in (ann, ben):
        person.close()
