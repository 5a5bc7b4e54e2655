"""Playtests through their pages: lots, consent, notes, questions, export, erasing, paper."""

import json
import random
import re
from typing import Any

import pytest
from served import Served
from typer.testing import CliRunner
from visitors import wait_until

from exchequer.cli.main import app
from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.lab.playtest import as_json, playtest_from
from exchequer.table import upkeep
from exchequer.table.history import Seat
from exchequer.table.limits import Limits
from exchequer.table.playtest_data import bring, data_of
from exchequer.table.playtest_pages import moves_before
from exchequer.table.playtest_store import NewTrace, PlaytestStore
from exchequer.table.playtests import Playtest, Playtests, drawn_arm, questions_of
from exchequer.table.refusals import BadInput, NotAdmitted
from exchequer.table.registry import Registry
from exchequer.table.store import Store
from exchequer.table.table_setup import TableSetup

pytestmark = pytest.mark.xdist_group("api")
FORM = {"game": "kingdom", "variant": "tiny", "other": "none", "seats": "2", "people": "1",
        "bots": "greedy", "ask.fun": "yes", "ask.confused": "yes", "delay": "60"}


class Somebody:
    """A browser without a script: it posts forms and keeps its cookie."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.client = served.client(origin=served.url, accept="text/html")
        self.client.get("/")

    def sends(self, path: str, **form: str) -> Any:
        return self.client.post(path, data=form)

    def joins(self, playtest: Playtest, agree: str = "yes") -> str:
        answer = self.sends(f"/playtest/{playtest.link}/join", agree=agree, name="Zoe")
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def notes(self, table: str, *things: dict[str, Any]) -> Any:
        return self.client.post(f"/playtest/at/{table}/noted", json={"things": things})

    def seat(self, table: str) -> int:
        return self.looks(table)["seat"]

    def looks(self, table: str) -> dict[str, Any]:
        return self.client.get(f"/api/v1/tables/{table}",
                               headers={"accept": "application/json"}).json()

    def plays_to_the_end(self, table: str) -> None:
        chance = random.Random(1)
        match = self.served.service.match(table)
        while True:
            wait_until(lambda: match.is_over or match.asked in match.seats_of(self.id))
            seen = self.looks(table)
            if seen["status"] == "over":
                return
            self.client.post(f"/api/v1/tables/{table}/play", json={
                "seat": seen["seat"], "version": seen["version"],
                "action": chance.choice(seen["moves"])["action"]})

    @property
    def id(self) -> str:
        found = self.served.service.tokens.visitor(self.client.cookies["exchequer_visitor"])
        assert found
        return found


@pytest.fixture
def playtests(served: Served) -> Playtests:
    return served.app.state.playtests


def sets_up(designer: Somebody, playtests: Playtests, **changes: str) -> Playtest:
    answer = designer.sends("/playtest/new", **(FORM | changes))
    assert answer.status_code == 303, answer.text
    found = re.search(r"/playtest/([\w-]+)/designer\?key=(\w+)", answer.headers["location"])
    assert found
    playtest = playtests.by_link(found[1])
    assert playtests.key(playtest) == found[2]
    return playtest


def test_the_lot_keeps_two_variants_even(served: Served, playtests: Playtests):
    playtest = sets_up(Somebody(served), playtests, other="truce")
    assert [arm.name for arm in playtest.arms] == ["Tiny", "Truce"]
    for _ in range(6):
        Somebody(served).joins(playtest)
    arms = [row["arm"] for row in playtests.store.tables(playtest.number)]
    assert sorted(arms) == [0, 0, 0, 1, 1, 1]
    assert {drawn_arm([0, 0]) for _ in range(60)} == {0, 1}  # it is a lot
    contents = {row["overlay"] for row in playtests.store.tables(playtest.number)}
    assert len(contents) == 2


def test_people_share_a_table_and_bots_fill_it(served: Served, playtests: Playtests):
    playtest = sets_up(Somebody(served), playtests, game="treasury/v17", variant="", seats="3",
                       people="2")
    first, second, third = Somebody(served), Somebody(served), Somebody(served)
    table = first.joins(playtest)
    assert second.joins(playtest) == table != third.joins(playtest)
    match = served.service.match(table)
    assert match.status == "running" and sum(bool(seat.bot) for seat in match.seats) == 1
    assert first.joins(playtest) == table  # who plays already goes on there


def test_what_cannot_be_set_up_is_a_sentence(served: Served, playtests: Playtests):
    designer = Somebody(served)
    for changes, words in (({"people": "3"}, "1 to 2 people"), ({"bots": "god"}, "no bot"),
                           ({"other": "tiny"}, "are the same"), ({"variant": "x"}, "no such")):
        answer = designer.sends("/playtest/new", **(FORM | changes))
        assert answer.status_code in (404, 422) and words in answer.text
    with pytest.raises(BadInput, match="6 questions"):
        questions_of(["fun", "clarity", "length", "best", "rules"], [("scale", "And?")])


def test_who_does_not_agree_leaves_no_row(served: Served, playtests: Playtests):
    playtest = sets_up(Somebody(served), playtests)
    shy = Somebody(served)
    table = shy.joins(playtest, agree="no")
    assert shy.notes(table, {"kind": "hint"}).status_code == 409
    assert "You play unrecorded" in shy.client.get(f"/table/{table}").text
    shy.plays_to_the_end(table)
    assert shy.client.get(f"/playtest/at/{table}/form").status_code == 204
    assert not playtests.store.testers(playtest.number)
    assert not playtests.store.traces(playtest.number)
    assert data_of(playtests, playtest).games == []


def test_a_game_with_somebody_who_did_not_agree_is_not_exported(served: Served,
                                                                playtests: Playtests):
    playtest = sets_up(Somebody(served), playtests, people="2")
    open_one, shy = Somebody(served), Somebody(served)
    table = open_one.joins(playtest)
    assert shy.joins(playtest, agree="no") == table
    match = served.service.match(table)
    while not match.is_over:
        mover = open_one if match.asked in match.seats_of(open_one.id) else shy
        seen = mover.looks(table)
        mover.client.post(f"/api/v1/tables/{table}/play", json={
            "seat": seen["seat"], "version": seen["version"],
            "action": seen["moves"][0]["action"]})
    (game,) = data_of(playtests, playtest).games
    assert not game.journal and not game.scores and not game.key
    assert {one.kind for one in game.seats} == {"person", "unrecorded"}
    assert game.decisions and {one.who for one in game.decisions} == {"t1"}


def test_a_whole_game_is_recorded_answered_exported_and_brought(served: Served,
                                                                playtests: Playtests):
    designer, tester = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests)
    table = tester.joins(playtest)
    assert tester.notes(
        table, {"kind": "rules", "what": "K-31"}, {"kind": "flag", "what": "unclear"},
        {"kind": "why", "what": "attack", "cites": ["K-30"]}, {"kind": "hint"},
        {"kind": "preview", "what": "0", "ago": 0.1}).json() == {"noted": 5}
    assert tester.notes(table, {"kind": "flag", "what": "boring"}).status_code == 422
    assert tester.client.get(f"/playtest/at/{table}/form").status_code == 204  # not yet
    tester.plays_to_the_end(table)
    assert "How much fun was it?" in tester.client.get(f"/playtest/at/{table}/form").text
    assert tester.sends(f"/playtest/at/{table}/answers", fun="9").status_code == 422
    tester.sends(f"/playtest/at/{table}/answers", fun="2", confused="K-31, again")
    tester.sends(f"/playtest/at/{table}/answers", fun="4", confused="K-31, again")  # once more

    data = data_of(playtests, playtest)
    (game,) = data.games
    assert game.is_whole and game.said[0].answers == {"fun": "4", "confused": "K-31, again"}
    assert [one.what for one in game.happened if one.kind == "rules"] == ["K-31"]
    assert all(one.seconds >= 0 for one in game.decisions) and game.decisions[0].options > 1
    text = json.dumps(as_json(data))
    assert table not in text and tester.id not in text and "Zoe" not in text
    assert playtest_from(json.loads(text)) == data

    brought = bring(playtests, playtest_from(json.loads(text)), designer.id)
    again = data_of(playtests, brought)
    assert [one.id for one in again.games] == ["i1"] and again.games[0].journal == game.journal
    page = designer.client.get(f"/playtest/{brought.link}/designer").text
    assert "K-31, again" in page
    with pytest.raises(InputError, match="version 99"):
        bring(playtests, playtest_from(json.loads(text) | {"rules_version": 99}), "")


def test_leaving_is_noted_and_asked_about(served: Served, playtests: Playtests):
    playtest = sets_up(Somebody(served), playtests)
    tester = Somebody(served)
    table = tester.joins(playtest)
    tester.client.post(f"/api/v1/tables/{table}/leave", json={"seat": tester.seat(table)})
    assert "A minute for the designer?" in tester.client.get(f"/playtest/at/{table}/form").text
    tester.sends(f"/playtest/at/{table}/answers", fun="1")
    wait_until(lambda: served.service.match(table).is_over)
    (game,) = data_of(playtests, playtest).games
    assert game.said[0].when == "left"
    assert next(one for one in game.seats if one.who == "t1").left is not None


def test_a_tester_sees_takes_along_and_erases_what_is_theirs(served: Served,
                                                             playtests: Playtests):
    designer, tester = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests)
    table = tester.joins(playtest)
    tester.notes(table, {"kind": "hint"})
    tester.plays_to_the_end(table)
    tester.sends(f"/playtest/at/{table}/answers", fun="3")
    own = f"/playtest/{playtest.link}/mine/{playtests.own_word(playtest, 1)}"
    for guess in (own[:-1], own + "0", own.replace("/mine/1-", "/mine/2-")):
        assert Somebody(served).client.get(guess).status_code == 401
    elsewhere = Somebody(served)  # the link is enough
    taken = elsewhere.client.get(f"{own}/data.json").json()
    assert taken["you_are"] == "t1" and taken["games"][0]["answers"] == [{"fun": "3"}]
    assert taken["games"][0]["decisions"] and taken["games"][0]["happened"]

    elsewhere.sends(f"{own}/erase")
    assert "has been erased" in elsewhere.client.get(own).text
    assert data_of(playtests, playtest).games == []
    assert not playtests.store.traces(playtest.number)
    kept = json.dumps(upkeep.table(served.service.store, table)).replace(table, "")
    assert "Zoe" not in kept and tester.id not in kept
    assert served.service.match(table).is_over  # the game itself is still there, of Somebody


def test_erasing_while_one_plays_gives_the_seat_to_a_bot(served: Served, playtests: Playtests):
    playtest = sets_up(Somebody(served), playtests)
    tester = Somebody(served)
    table = tester.joins(playtest)
    own = f"/playtest/{playtest.link}/mine/{playtests.own_word(playtest, 1)}"
    tester.sends(f"{own}/erase")
    wait_until(lambda: served.service.match(table).is_over)
    kept = json.dumps(upkeep.table(served.service.store, table))
    assert "Zoe" not in kept.replace(table, "")


def test_only_the_designer_sees_what_came_of_it(served: Served, playtests: Playtests):
    designer, tester = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests)
    table = tester.joins(playtest)
    for page in ("designer", "live", "data.json", "sheet", f"watch/{table}"):
        path = f"/playtest/{playtest.link}/{page}"
        assert tester.client.get(path).status_code == 401, page
        assert tester.client.get(f"{path}?key=nothing").status_code == 401
        assert designer.client.get(path).status_code == 200, page
        assert Somebody(served).client.get(
            f"{path}?key={playtests.key(playtest)}").status_code == 200
    with pytest.raises(NotAdmitted):
        playtests.tester_by(playtest, "1-0000000000000000")


@pytest.mark.parametrize("things", [
    '[{"kind": "idle", "seconds": NaN}]', '[{"kind": "idle", "ago": NaN}]', "[" * 30_000,
    '[{"kind": "idle", "seconds": ' + "9" * 400 + "}]"])
def test_what_no_page_sends_is_not_noted(served: Served, playtests: Playtests, things: str):
    tester = Somebody(served)
    table = tester.joins(sets_up(Somebody(served), playtests))
    answer = tester.client.post(f"/playtest/at/{table}/noted", content='{"things": ' + things + "}")
    assert answer.status_code == 422


def test_a_tester_does_not_spoil_the_designers_pages(served: Served, playtests: Playtests):
    """By half a character, which cannot be written out, or a digit that is no number."""
    designer, tester = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests)
    table = tester.joins(playtest)
    half = '{"things": [{"kind": "why", "what": "\\ud800", "cites": ["\\udfff"]}]}'
    assert tester.client.post(f"/playtest/at/{table}/noted", content=half).status_code == 200
    assert tester.notes(table, {"kind": "preview", "what": "\u00b2"}).status_code == 200
    tester.sends(f"/playtest/at/{table}/note", text="Hm.", frame="0" * 5000)
    for path in ("designer", "live", "report", "data.json"):
        assert designer.client.get(f"/playtest/{playtest.link}/{path}").status_code == 200
    digit = f"/playtest/{playtest.link}/mine/\u0663-{'a' * 16}"
    assert tester.client.get(digit).status_code == 401


def test_reports_are_charged_like_thoughts(tmp_path):
    """One takes longer than all that counts as reading."""
    with Served(str(tmp_path / "t.db"), Limits(hints=(1, 0.001))) as served:
        designer = Somebody(served)
        path = f"/playtest/{sets_up(designer, served.app.state.playtests).link}/report"
        assert [designer.client.get(path).status_code for _ in range(3)] == [200, 429, 429]


def test_the_designer_watches_later_than_it_happens(served: Served, playtests: Playtests):
    designer, tester = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests, variant="")
    table = tester.joins(playtest)
    match = served.service.match(table)
    wait_until(lambda: match.asked in match.seats_of(tester.id))
    seen = tester.looks(table)
    tester.client.post(f"/api/v1/tables/{table}/play", json={
        "seat": seen["seat"], "version": seen["version"], "action": seen["moves"][0]["action"]})
    page = designer.client.get(f"/playtest/{playtest.link}/watch/{table}").text
    assert "60 seconds ago, after 0 moves" in page
    entries = [entry for entry in match.store.journal(table) if entry.kind == "move"]
    assert moves_before(match, entries[0].at) == 1 and moves_before(match, entries[0].at - 1) == 0
    shy = Somebody(served)
    other = shy.joins(playtest, agree="no")
    assert designer.client.get(f"/playtest/{playtest.link}/watch/{other}").status_code == 409


def test_a_game_on_paper(served: Served, playtests: Playtests):
    designer, guest = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests, other="truce")
    sheet = designer.client.get(f"/playtest/{playtest.link}/sheet").text
    assert f"{served.url}/playtest/{playtest.link}/paper" in sheet
    assert guest.client.get(f"/playtest/{playtest.link}/code.svg?paper=true").status_code == 200
    path = f"/playtest/{playtest.link}/paper"
    assert guest.sends(path, arm="5", **{"score.0": "1"}).status_code == 422
    assert "at least one" in guest.sends(path).text
    done = guest.sends(path, arm="1", minutes="35", fun="5", **{"score.0": "17", "score.1": "21"})
    assert "It is entered" in done.text
    (game,) = data_of(playtests, playtest).games
    assert (game.kind, game.arm, game.scores, game.winners) == ("paper", 1, [17, 21], [1])
    assert game.seconds == 35 * 60 and game.said[0].answers == {"fun": "5"}
    designer.sends(f"/playtest/{playtest.link}/close", closed="yes")
    assert guest.sends(path, **{"score.0": "1"}).status_code == 409
    assert guest.sends(f"/playtest/{playtest.link}/join", agree="yes").status_code == 409


def test_notes_on_a_replay_are_collected_by_paragraph_and_card(served: Served,
                                                               playtests: Playtests):
    designer, tester = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests)
    table = tester.joins(playtest)
    tester.plays_to_the_end(table)
    for who, text in ((tester, "Is the Mill too dear?"), (designer, "K-31 was forgotten here")):
        answer = who.sends(f"/playtest/at/{table}/note", frame="1", text=text)
        assert answer.headers["location"].endswith("replay?frame=1")
    assert Somebody(served).sends(f"/playtest/at/{table}/note", frame="1",
                                  text="Hello").status_code == 409
    assert tester.sends(f"/playtest/at/{table}/note", frame="9999", text="x").status_code == 422
    (game,) = data_of(playtests, playtest).games
    assert [(note.who, note.about) for note in game.notes] == [
        ("t1", ("building.mill",)), ("designer", ("K-31",))]
    page = designer.client.get(f"/playtest/{playtest.link}/designer").text
    assert page.index("<dt>K-31</dt>") and page.index("<dt>building.mill</dt>")
    replay = tester.client.get(f"/table/{table}/replay").text
    assert "Is the Mill too dear?" in replay and "K-31 was forgotten here" in replay
    assert "Is the Mill too dear?" not in Somebody(served).client.get(
        f"/table/{table}/replay").text


def test_the_command_line_lists_exports_imports_and_reads(served: Served, playtests: Playtests,
                                                          tmp_path, monkeypatch):
    designer, tester = Somebody(served), Somebody(served)
    playtest = sets_up(designer, playtests, title="On the shell")
    tester.plays_to_the_end(tester.joins(playtest))
    monkeypatch.setenv("EXCHEQUER_PYTHON", "1")
    monkeypatch.setenv("EXCHEQUER_DB", served.service.store.url.removeprefix("sqlite:///"))

    def says(*words: str) -> str:
        done = CliRunner().invoke(app, list(words))
        assert done.exit_code == 0, f"{done.output} {done.exception}"
        return done.stdout

    assert "On the shell" in says("playtest", "list")
    file = str(tmp_path / "it.json")
    assert "1 games" in says("playtest", "export", playtest.name, file)
    other = str(tmp_path / "other.db")
    assert "It is playtest-1 here" in says("playtest", "import", file, "--database", other)
    found = says("lab", "run", "--from", "playtest-1", "--database", other, "--bots", "random",
                 "--games", "4", "--out", str(tmp_path / "run"), "--json")
    assert json.loads(found.strip().splitlines()[-1])["whole_games"] == 1
    for words in (("playtest", "export", "playtest-999", str(tmp_path / "no.json")),
                  ("lab", "run", "--from", "nothing"), ("lab", "run")):
        assert isinstance(CliRunner().invoke(app, list(words)).exception, InputError)


def test_what_is_kept_in_either_database(store: Store):
    """SQLite and PostgreSQL; the same person keeps a number, erased it is not given out again."""
    visitor = "5d0f8a1c2b3e4d6f705d0f8a1c2b3e4d"
    kept = PlaytestStore(store)
    link = kept.create("kingdom", 1, {"title": "x"}, "owner")
    number = kept.by_link(link)["number"]
    registry = Registry(store)
    setup = TableSetup(find_game("kingdom"), find_game("kingdom").content(), [Seat(), Seat()])
    waiting, fuller = registry.open(setup, "x"), registry.open(setup, "x")
    fuller.sit(0, visitor, "Zoe")
    for match in (waiting, fuller):
        kept.add_table(number, match.id, 0)
    assert kept.waiting(number) == [fuller.id, waiting.id]
    assert kept.add_tester(number, visitor) == 1 == kept.add_tester(number, visitor)
    kept.note(number, fuller.id, 1, [NewTrace("sat"), NewTrace("hint"), NewTrace("hint")])
    kept.replace(number, fuller.id, 1, NewTrace("answers", {"a": 1}))
    kept.replace(number, fuller.id, 1, NewTrace("answers", {"a": 2}))
    assert [one.data for one in kept.traces(number, kind="answers")] == [{"a": 2}]
    assert kept.count(fuller.id, 1) == 4
    kept.forget_tester(number, 1)
    assert not kept.traces(number) and kept.tester(number, visitor) is None
    assert kept.add_tester(number, "somebody else") == 2
    kept.note(number, waiting.id, 2, [NewTrace("hint")])
    assert upkeep.erase(store, "somebody else") == 0 and not kept.traces(number)
    assert upkeep.delete(store, [waiting.id, fuller.id]) == 2 and not kept.tables(number)


def test_an_ordinary_table_has_nothing_of_it(served: Served):
    visitor = Somebody(served)
    table = visitor.sends("/quick", game="kingdom").headers["location"]
    page = visitor.client.get(table).text
    assert "playtest" not in page
    assert find_game("kingdom").name in served.service.match(table.rpartition("/")[2]).row["game"]


def test_sealed_answers_are_decisions_once_each_with_their_own_time(served: Served,
                                                                    playtests: Playtests):
    """Greement asks for first loans of all at once: an answer counts when it is given."""
    playtest = sets_up(Somebody(served), playtests, game="greement", variant="", people="2")
    first, second = Somebody(served), Somebody(served)
    table = first.joins(playtest)
    assert second.joins(playtest) == table
    match, chance = served.service.match(table), random.Random(3)
    asked_together = 0
    for _ in range(24):
        seat = chance.choice(match.asked_seats)
        asked_together += len(match.asked_seats) > 1
        legal = [int(move) for move in match.position_of(seat).legal()]
        match.play(seat, legal[chance.randrange(len(legal))], match.version_of(seat))
    assert asked_together
    entries = served.service.store.journal(table)
    sealed = [entry for entry in entries if entry.kind == "answer"]
    (game,) = data_of(playtests, playtest).games
    assert sealed and len(game.decisions) == 24
    assert {one.seat for one in game.decisions} == {0, 1}
    assert all(0 <= one.seconds <= game.decisions[-1].ended for one in game.decisions)


def test_a_game_given_up_before_the_first_move_has_a_review(served: Served,
                                                            playtests: Playtests):
    playtest = sets_up(Somebody(served), playtests, people="2")
    first, second = Somebody(served), Somebody(served)
    table = first.joins(playtest)
    second.joins(playtest)
    first.client.post(f"/api/v1/tables/{table}/resign", json={"seat": first.seat(table)})
    assert first.client.get(f"/table/{table}/review").status_code == 200
    (game,) = data_of(playtests, playtest).games
    assert game.ending == "resigned" and game.journal and not game.decisions
