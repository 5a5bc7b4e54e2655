"""Attacks on a table, each refused: the audit's sections A1 to A8 and what follows from them."""

import asyncio
import concurrent.futures
import contextlib
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable

import httpx
import numpy as np
import pytest
from served import Served
from test_api import duel, new_table, play, stream
from visitors import wait_until
from websockets.exceptions import InvalidStatus

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.chance import POLICY_STREAM, Chance, roll, seed_chance
from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game
from exchequer.core.position import Position
from exchequer.core.records import blank
from exchequer.core.replay import check_replay, replay_of
from exchequer.core.search import THOUGHT_STEP
from exchequer.table import fair_queue, journaled, limits, reviews, server, upkeep
from exchequer.table.bot_runner import opener
from exchequer.table.fair_queue import FairQueue
from exchequer.table.guard import COOKIE
from exchequer.table.history import Seat
from exchequer.table.identity import Tokens, Visitor
from exchequer.table.journaled import WATCHER
from exchequer.table.limits import Limits, RateLimiter, network_of
from exchequer.table.match import Match
from exchequer.table.names import clean_text, same_name, unique_name
from exchequer.table.refusals import BadInput, TooMuch
from exchequer.table.registry import Registry
from exchequer.table.screens import Screen
from exchequer.table.store import Store
from exchequer.table.stream import Stream
from exchequer.table.table_setup import TableSetup, bot_seat

pytestmark = pytest.mark.xdist_group("api")
KINGDOM, TREASURY = find_game("kingdom"), find_game("treasury/v17")


@pytest.fixture
def small(tmp_path):
    """A store of SQLite's, closed afterwards."""
    found = Store(str(tmp_path / "t.db"))
    yield found
    found.close()


# A1: hands before the start ----------------------------------------------------------------------

@pytest.mark.parametrize("path", ["", "/text", "/frames/0", "page"])
def test_a_seat_that_changes_hands_is_not_shown_to_who_had_it(served: Served, path: str):
    """Ask what a seat sees, stand up while that is worked out, and have somebody sit down there and
    the game begin.
    """
    (ann, _, cleo), match, change_hands = about_to_change_hands(served)
    where = f"/table/{match.id}" if path == "page" else f"/api/v1/tables/{match.id}{path}"
    with concurrent.futures.ThreadPoolExecutor(1) as asking:
        with match.lock:
            seen = asking.submit(ann.get, where)
            time.sleep(0.5)  # until it waits for us
            change_hands()
        shown = seen.result().text
    assert served.service.screens.fresh(match, 0).digest not in shown
    assert shown != cleo.get(where).text


@pytest.mark.parametrize("made_by", ["of", "soon"])
def test_a_stream_does_not_show_a_seat_that_has_changed_hands(
        served: Served, monkeypatch: pytest.MonkeyPatch, made_by: str):
    (ann, *_), match, change_hands = about_to_change_hands(served)
    screens = served.service.screens
    made: list[Screen] = []

    def late(match: Match, viewer: int) -> Screen:
        if not made:
            change_hands()
        made.append(screens.fresh(match, viewer))
        return made[-1]

    async def late_elsewhere(match: Match, viewer: int) -> Screen:
        return late(match, viewer)

    monkeypatch.setattr(screens, made_by, late if made_by == "of" else late_elsewhere)
    shown = Stream(served.service, match.id, Visitor(visitor_id(served, ann), ""), 0)
    with concurrent.futures.ThreadPoolExecutor(1) as elsewhere:  # browsers leave a loop here
        message = (elsewhere.submit(lambda: asyncio.run(shown.next_message())).result()
                   if made_by == "soon" else shown.update())
    assert message and made[0].viewer == 0 and message["seat"] == WATCHER
    assert message["digest"] == screens.fresh(match, WATCHER).digest


def visitor_id(served: Served, program: httpx.Client) -> str:
    found = served.service.tokens.visitor(program.headers["authorization"].split()[1])
    assert found
    return found


def about_to_change_hands(served: Served
                          ) -> tuple[list[httpx.Client], Match, Callable[[], None]]:
    """Ann waits in a seat, which she will leave for Cleo, whereupon the game begins with Ben."""
    people = [served.program() for _ in range(3)]
    match = served.service.match(new_table(people[0], "treasury/v17"))
    ann, ben, cleo = (visitor_id(served, one) for one in people)

    def change_hands() -> None:
        match.leave(0, ann)
        match.sit(0, cleo, "Cleo")
        match.sit(1, ben, "Ben")
        assert match.status == "running"

    return people, match, change_hands


@pytest.mark.parametrize("game", ["treasury/v17", "treasury/v03", "greement"])
def test_nothing_of_a_game_is_shown_before_it_begins(served: Served, game: str):
    """Sit, look, leave, sit elsewhere, look again: there is nothing to look at."""
    ann = served.program()
    table = new_table(ann, game)
    for seat in (0, 1):
        ann.post(f"/api/v1/tables/{table}/leave", json={"seat": 1 - seat})
        ann.post(f"/api/v1/tables/{table}/seats", json={"seat": seat})
        seen = ann.get(f"/api/v1/tables/{table}").json()
        assert seen["view"] is None and seen["status"] == "waiting" and not seen["moves"]
        assert ann.get(f"/api/v1/tables/{table}/journal").json()["lines"] == []
        assert ann.get(f"/api/v1/tables/{table}/frames/0").status_code == 409
        assert ann.get(f"/table/{table}/replay").status_code == 409
        assert 'data-region="no-board"' in ann.get(f"/table/{table}").text
        with stream(served, ann, table, f"?seat={seat}") as shown:
            first = json.loads(shown.recv(10))
        assert 'data-region="no-board"' in first["regions"]["board"] and "log" not in first
    row = served.service.store.match(table)
    assert row is not None and row["seed"] == 0  # there is no deal yet, nowhere
    assert not served.service.match(table).is_dealt


def test_the_deal_is_made_when_the_last_seat_is_taken(small: Store):
    seats = [Seat("ann", None, "Ann"), Seat()]
    matches = [Registry(small).open(TableSetup(TREASURY, TREASURY.content(), seats), "ann")
               for _ in range(2)]
    for match in matches:
        match.sit(1, "ben", "Ben")
    assert len({match.position.key for match in matches} - {""}) == 2
    entries = small.journal(matches[0].id)
    assert entries[-1].kind == "start" and entries[-1].data == {"key": matches[0].position.key}


# A2: the seed ------------------------------------------------------------------------------------

BITS = 12  # of the seed in this test; the audit searched 31 bits by the same way in 15 seconds


def seeds_that_explain(choices: list[tuple[int, int, int]], seat: int) -> list[int]:
    """Stage one of the audit's attack: which seeds would have had the bot choose so?
    `choices` are the number of moves before, how many actions were legal, which was taken.
    """
    found, chance = [], blank(Chance)
    for seed in range(2**BITS):
        for moves, count, taken in choices:
            seed_chance(chance, seed % 2**31 + seat + (moves + 1) * THOUGHT_STEP, POLICY_STREAM)
            if roll(chance, count) != taken:
                break
        else:
            found.append(seed)
    return found


def observed_choices(position: Position, seat: int) -> list[tuple[int, int, int]]:
    """What everybody can see of a bot: what it could have done, and what it did."""
    found = []
    for moves, action in enumerate(position.actions):
        past = position.at(moves)
        if past.actor == seat:
            legal = past.legal()
            found.append((moves, len(legal), legal.index(action)))
    return found


def test_a_bots_moves_do_not_give_the_games_seed_away(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(journaled, "fresh_key", lambda: f"{random.getrandbits(BITS):064x}")
    with Served(str(tmp_path / "t.db")) as served:
        table = new_table(served.program(), "treasury/v17", ("random", "random"))
        match = served.service.match(table)
        wait_until(lambda: len(match.position.actions) >= 40, 60)
        with match.lock:
            position = match.position.at(40)
    assert int(position.key, 16) < 2**BITS
    assert int(position.key, 16) not in seeds_that_explain(observed_choices(position, 0), 0)


def test_the_attack_works_on_bots_that_are_seeded_by_the_game():
    """The control: as tables seeded their bots before, the same attack leaves one seed."""
    position = Position(KINGDOM, None, 2, 1234, Mode.PYTHON)
    bot = Bot(KINGDOM, "random", 1234 % 2**31, Mode.PYTHON)
    while len(position.actions) < 40:
        bot.moves = len(position.actions)
        if position.actor == 0:
            position.play(bot.choose(position.observe(0), position.content, 0))
        else:
            position.play(position.legal()[0])
    assert seeds_that_explain(observed_choices(position, 0), 0) == [1234]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_game_that_is_dealt_from_a_key_runs_again_bit_for_bit(small: Store, game: Game):
    """From its journal and from a replay; and no two moves roll from the same key."""
    chance = random.Random(3)
    count = min(max(2, game.seats[0]), game.seats[1])
    seats = [Seat(f"p{number}", None, f"Person {number}") for number in range(count)]
    match = Registry(small).open(TableSetup(game, game.content(), seats), "p0")
    for _ in range(60):
        if match.asked is not None:
            match.play(match.asked, chance.choice(match.legal()), match.version)
    keys = [key for key in [match.position.key, *match.position.keys] if key]
    assert len(set(keys)) == len(keys) and not match.position.seed
    again = Registry(small).match(match.id)
    assert again.position.state.tobytes() == match.position.state.tobytes()
    assert check_replay(replay_of(match.position), Mode.PYTHON) == ""


def test_the_deal_and_every_roll_come_from_the_key_alone():
    """Another key, another deal; the same key, the same; the record's generator has no say."""
    keys = ["1" * 64, "2" * 64, "1" * 64]
    deals = [Position(TREASURY, None, 3, 0, Mode.PYTHON, key).state.tobytes() for key in keys]
    assert deals[0] == deals[2] != deals[1]
    game = find_game("jagged_time")  # which rolls in the middle of the game
    one, other = (Position(game, None, 1, seed, Mode.PYTHON) for seed in (1, 2))
    other._states[:] = one._states
    other.state.rng += np.uint64(12345)  # another generator behind the same position
    fell, choice = 0, random.Random(1)
    while not one.is_over and len(one.actions) < 80:
        action = choice.choice(one.legal())
        for position in (one, other):
            position.play(action, "3" * 64)
        fell += bool(one.keys[-1])
        other.state.rng = one.state.rng + np.uint64(999)
        states = [position.whole() for position in (one, other)]
        states[0]["rng"] = states[1]["rng"] = 0
        assert states[0].tobytes() == states[1].tobytes()
    assert fell


def test_a_chosen_seed_deals_the_same_game(small: Store):
    seats = [bot_seat(0, "random"), Seat("ben", None, "Ben")]
    setup = TableSetup(KINGDOM, KINGDOM.content(), seats, seed=5)
    match = Registry(small).open(setup, "ann")
    assert match.position.seed == 5
    for _ in range(30):
        match.play(match.asked or 0, match.legal()[0], match.version)
    assert not any(match.position.keys)


def test_bots_draw_from_a_secret_of_the_server(small: Store, tmp_path):
    other = Store(str(tmp_path / "other.db"))
    ours, theirs = Tokens(small.key), Tokens(other.key)
    other.close()
    assert ours.seed("table", 0, 3) == Tokens(small.key).seed("table", 0, 3) < 2**61
    assert ours.seed("table", 0, 3) not in (ours.seed("table", 0, 4), ours.seed("table", 1, 3),
                                            theirs.seed("table", 0, 3))


# A3: thinking ------------------------------------------------------------------------------------

def test_a_table_seats_named_levels_only(served: Served):
    ann = served.program()
    table = new_table(ann)
    for answer in (
            ann.post("/api/v1/tables", json={"game": "kingdom", "seats": ["mcts:9999999", "me"]}),
            ann.post("/api/v1/tables", json={"game": "kingdom", "seats": ["ismcts:5", "me"]}),
            ann.post(f"/api/v1/tables/{table}/bots", json={"seat": 1, "level": "mcts:9999999"}),
            ann.post("/tables", data={"game": "kingdom", "count": "2", "seat.0": "me",
                                      "seat.1": "mcts:9999999"})):
        assert answer.status_code == 422 and "named bots only" in answer.text


def test_old_tables_with_endless_bots_stop_nobody(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Their journal asks the same bots after every restart; a thought ends by itself."""
    monkeypatch.setattr("exchequer.table.bot_runner.THOUGHT_SECONDS", 0.2)
    store = Store(str(tmp_path / "t.db"))
    endless = [Seat(None, "mcts:9999999", "Endless"), Seat(None, "mcts:9999999", "Endless 2")]
    for _ in range(4):
        Registry(store).open(TableSetup(TREASURY, TREASURY.content(), endless), "mallory")
    store.close()
    with Served(str(tmp_path / "t.db")) as served:
        ann = served.program()
        table = new_table(ann, seats=("greedy", "me"))
        wait_until(lambda: ann.get(f"/api/v1/tables/{table}").json()["asked"] == 1, 60)


def test_a_search_in_parts_finds_the_same_and_can_be_stopped():
    position = Position(KINGDOM, None, 2, 3, Mode.PYTHON)
    whole, parts = (Bot(KINGDOM, "medium", 9, Mode.PYTHON) for _ in range(2))
    seen = position.observe(position.actor)
    expected = whole.choose(seen, position.content, position.actor)
    assert parts.choose(seen, position.content, position.actor, lambda: False, 7) == expected
    assert whole.thought() == parts.thought()
    stopped = Bot(KINGDOM, "expert", 9, Mode.PYTHON)
    action = stopped.choose(seen, position.content, position.actor, lambda: True, 4)
    assert action in position.legal()
    assert sum(idea.visits for idea in stopped.thought().ideas) == 4


def test_who_has_thought_least_goes_first():
    queue = FairQueue()
    for number in range(20):
        with queue.charged_to("mallory", f"m{number}"):
            time.sleep(0.001)
        queue.put(f"m{number}")
    queue.put("ann")
    assert queue.get() == "ann"
    assert queue.get() == "m0"


def test_many_visitors_of_one_address_are_one_when_bots_think(served: Served):
    tables = [new_table(served.program(), seats=("me", "greedy")) for _ in range(2)]
    assert len({opener(served.service.match(table)) for table in tables}) == 1
    assert len({served.service.match(table).row["creator"] for table in tables}) == 2


def test_one_address_has_only_so_many_tables(tmp_path):
    limits = Limits(tables=(1000, 1), running_tables=2, address_factor=2)
    with Served(str(tmp_path / "t.db"), limits) as served:
        opened = [served.program().post("/api/v1/tables", json={
            "game": "kingdom", "seats": ["me", "random"]}).status_code for _ in range(6)]
        assert opened == [201] * 4 + [429] * 2


def test_one_thought_for_each_table_at_a_time():
    queue = FairQueue()
    with queue.charged_to("ann", "a"):
        queue.put("a")
        queue.put("b")
        assert queue.get() == "b"
    assert queue.get() == "a"


def test_who_waits_for_a_review_takes_no_thread_from_others(served: Served,
                                                            monkeypatch: pytest.MonkeyPatch):
    """A request that waits holds one of the threads in which everything is answered."""
    _, ben, table = duel(served)
    ben.post(f"/api/v1/tables/{table}/resign", json={"seat": 1})
    going_on = threading.Event()
    monkeypatch.setattr(reviews, "review", lambda *_: going_on.wait(60) and None)
    with concurrent.futures.ThreadPoolExecutor(60) as crowd:
        asked = [crowd.submit(served.program().get, f"/table/{table}/review") for _ in range(60)]
        wait_until(lambda: sum(one.done() for one in asked) >= 60 - reviews.MOST_PATIENT)
        assert {one.result().status_code for one in asked if one.done()} == {202}
        assert ben.get(f"/api/v1/tables/{table}").status_code == 200
        going_on.set()


def test_bots_think_for_two_who_ask_and_no_more(served: Served):
    ann = served.program()
    table = new_table(ann, seats=("greedy", "me"))
    wait_until(lambda: served.service.match(table).asked == 1)
    hint, why = f"/api/v1/tables/{table}/hint", f"/table/{table}/why-bot?seat=1"
    with served.service.bots.asked_for(), served.service.bots.asked_for():
        assert ann.post(hint, json={"seat": 1}).status_code == 429
        assert ann.get(why).status_code == 429
    assert ann.post(hint, json={"seat": 1}).status_code == ann.get(why).status_code == 200


# A4: what can be counted -------------------------------------------------------------------------

def test_nobody_counts_the_parts_of_anothers_answer(served: Served):
    """Version, clock, lobby and stream stay as they are while a loan is typed in secret."""
    ann, ben, table = duel(served, "greement", clock="move", clock_amount=600)
    stranger, match = served.program(), served.service.match(table)
    hidden = 0
    chance = random.Random(4)
    for _ in range(60):
        seat = match.asked
        if seat is None:
            break
        mover, other = ((ann, ben), (ben, ann))[seat]
        before = [seen_from(served, client, table) for client in (other, stranger)]
        told = len(match.frames(-1))
        legal = [move["action"] for move in mover.get(
            f"/api/v1/tables/{table}/legal", params={"seat": seat}).json()["moves"]]
        assert play(mover, table, seat, chance.choice(legal)).status_code == 200
        if match.asked == seat and len(match.frames(-1)) == told:
            hidden += 1
            assert [seen_from(served, c, table) for c in (other, stranger)] == before
    assert hidden > 3


def seen_from(served: Served, client: httpx.Client, table: str) -> dict:
    seen = client.get(f"/api/v1/tables/{table}").json()
    row = served.service.store.match(table)
    assert row is not None and (
        seen["version"] is None or seen["seat"] in seen["asked_seats"])
    page = re.sub(r"<title>.*?</title>", "", client.get(f"/table/{table}").text)
    return {"api": seen, "page": page, "changed": row["changed"], "due": row["due"]}


def test_timing_is_told_only_when_it_is_asked_for(served: Served, tmp_path):
    assert "server-timing" not in served.program().get("/api/v1/games").headers
    with Served(str(tmp_path / "t.db"), server_timing=True) as measured:
        assert "server-timing" in measured.program().get("/api/v1/games").headers


# A5, A6: limits by address and by signed visitor -------------------------------------------------

def test_one_address_does_not_take_all_streams(tmp_path):
    limits = Limits(streams_of_address=5, streams=50)
    with Served(str(tmp_path / "t.db"), limits) as served, contextlib.ExitStack() as opened:
        table = new_table(served.program())
        for _ in range(5):
            opened.enter_context(stream(served, served.program(), table))
        with pytest.raises(InvalidStatus):
            stream(served, served.program(), table)
        assert served.service.open_streams == 5
    wait_until(lambda: not served.service.streams)


@pytest.mark.parametrize("token", ["a" * 43, "a" * 48, "x", "ÿ" * 48, "=" * 48])
def test_a_made_up_token_is_refused(served: Served, token: str):
    client = served.client()
    answer = client.get("/api/v1/games", headers=[(b"authorization", f"Bearer {token}".encode())])
    assert answer.status_code == 401 and "POST /api/v1/visitors" in answer.json()["sentence"]
    browser = served.client(accept="text/html", cookie=f"{COOKIE}={'a' * 48}")
    assert COOKIE in browser.get("/").headers["set-cookie"]  # somebody new


def test_many_tokens_do_not_help_one_address(tmp_path):
    limits = Limits(names=(6, 0.001), chat=(8, 0.001), tokens=(6, 0.001),
                    chat_at_table=(20, 0.001))
    with Served(str(tmp_path / "t.db"), limits) as served:
        renamed = [served.program().post("/api/v1/name", json={"name": f"N{i}"}).status_code
                   for i in range(60)]  # five times what one visitor may do
        assert renamed == [200] * 30 + [429] * 30
        table = served.service.registry.open(TableSetup(
            KINGDOM, KINGDOM.content(), [Seat("ann", None, "Ann"), Seat()]), "ann").id
        said = [served.program().post(f"/api/v1/tables/{table}/chat", json={"text": "spam"})
                .status_code for _ in range(60)]
        assert said == [201] * 20 + [429] * 40
        served.service.match(table).sit(1, "b" * 32, "Ben")  # whom strangers do not silence
        served.service.chat(served.service.match(table), Visitor("b" * 32, ""), "hello")
        tokens = [httpx.post(f"{served.url}/api/v1/visitors").status_code for _ in range(60)]
        assert tokens == [201] * 30 + [429] * 30


@pytest.mark.parametrize("path", ["/", "/new/kingdom", "/rules/kingdom", "/api/v1/games",
                                  "/readyz", "/api/v1/openapi.json"])
def test_everything_that_costs_is_charged(tmp_path, path: str):
    with Served(str(tmp_path / "t.db"), Limits(reads=(1, 0.001), address_factor=2)) as served:
        answers = [httpx.get(served.url + path).status_code for _ in range(4)]
        assert answers == [200, 200, 429, 429]


def test_the_limiter_keeps_only_so_much_and_forgets_the_oldest():
    limiter = RateLimiter(Limits(writes=(2, 0.001), address_factor=1), most=100)
    for _ in range(2):
        limiter.spend("writes", "mallory")
    for number in range(1000):
        limiter.spend("writes", f"10.0.{number % 256}.{number // 256}")
        with pytest.raises(TooMuch):
            limiter.spend("writes", "mallory")  # who is there all the time is never forgotten
    assert len(limiter.buckets) == 100


def test_the_limiter_forgets_who_has_waited_long_enough(monkeypatch: pytest.MonkeyPatch):
    """A bucket that is full again is as good as none; a server kept 50,000 of them, 25 MB."""
    now = 1000.0
    monkeypatch.setattr(limits.time, "monotonic", lambda: now)
    limiter = RateLimiter(Limits(writes=(2, 0.1), address_factor=1))
    for number in range(50):
        limiter.spend("writes", f"10.0.0.{number}")
    now += 5.0
    limiter.spend("writes", "mallory")
    assert len(limiter.buckets) == 51  # ten seconds make up for one
    now += 5.1
    limiter.spend("writes", "mallory")
    assert list(limiter.buckets) == [("mallory", "writes")]


def test_what_a_server_knows_of_tables_ends_with_them(small: Store,
                                                      monkeypatch: pytest.MonkeyPatch):
    """The queue of the bots and the counts of chats kept a line for every table there ever was."""
    monkeypatch.setattr(fair_queue, "MOST_KEPT", 30)
    monkeypatch.setattr("exchequer.table.registry.KEPT", 5)
    queue, registry = FairQueue(), Registry(small)
    setup = TableSetup(KINGDOM, KINGDOM.content(), [Seat("ann", None, "Ann"), Seat()])
    for _ in range(100):
        match = registry.open(setup, "ann")
        with queue.charged_to("ann", match.id):
            pass
    assert len(queue._owner) <= 31 and len(registry._talk) == len(registry._matches) == 5
    before = registry.talk(match.id)
    registry.say(match.id, "Ann", "Hello", "player", "ann")
    assert registry.talk(match.id) != before


@pytest.mark.parametrize(("one", "other", "is_same"), [
    ("2001:db8::1", "2001:db8::ffff:2", True), ("2001:db8::1", "2001:db8:0:1::1", False),
    ("::ffff:192.0.2.1", "192.0.2.1", True), ("192.0.2.1", "192.0.2.2", False)])
def test_an_ipv6_network_counts_as_one_address(one: str, other: str, is_same: bool):
    assert (network_of(one) == network_of(other)) == is_same


def test_forwarded_addresses_are_believed_only_from_trusted_proxies(tmp_path):
    limits = Limits(reads=(2, 0.001), address_factor=1)
    with Served(str(tmp_path / "a.db"), limits) as served:
        answers = [httpx.get(served.url, headers={"x-forwarded-for": f"198.51.100.{i}"})
                   for i in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    with Served(str(tmp_path / "b.db"), limits, trusted_proxies=("127.0.0.1",)) as served:
        answers = [httpx.get(served.url, headers={"x-forwarded-for": f"198.51.100.{i}"})
                   for i in range(4)]
        assert [answer.status_code for answer in answers] == [200] * 4


# A7: slow requests and many sockets --------------------------------------------------------------

def half_a_request(served: Served, sent: bytes = b"GET / HTTP/1.1\r\nHost: 127") -> socket.socket:
    found = socket.create_connection(served.socket.getsockname(), timeout=20)
    found.sendall(sent)
    return found


@pytest.mark.parametrize("sent", [
    b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\n",
    b"POST /api/v1/name HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{"])
def test_a_request_that_does_not_come_is_not_waited_for(tmp_path, sent: bytes,
                                                        monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.3)
    with Served(str(tmp_path / "t.db")) as served, half_a_request(served, sent) as slow:
        with contextlib.suppress(ConnectionResetError):
            while slow.recv(4096):
                pass
        assert httpx.get(f"{served.url}/healthz").text == "ok\n"


def test_headers_are_bounded(served: Served):
    """Begun in time and never ended, they would be kept until there is no memory left."""
    with half_a_request(served, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ") as endless:
        with contextlib.suppress(ConnectionError):
            for _ in range(64):
                endless.sendall(b"x" * 65_536)
        with contextlib.suppress(ConnectionError):
            assert endless.recv(4096).startswith(b"HTTP/1.1 400")
            assert not endless.recv(4096)
    kept = httpx.Client(base_url=served.url)
    for _ in range(3):  # many requests on one connection are no long header
        assert kept.get("/healthz", headers={"x-long": "x" * 15_000}).status_code == 200
    kept.close()


def test_one_address_has_only_so_many_connections(tmp_path):
    limits = Limits(connections_of_address=8)
    with Served(str(tmp_path / "t.db"), limits) as served, contextlib.ExitStack() as opened:
        for _ in range(8):
            opened.enter_context(half_a_request(served))
        with pytest.raises(httpx.TransportError):
            for _ in range(20):  # until the eight have been accepted
                httpx.get(f"{served.url}/healthz")
        opened.close()
        wait_until(lambda: answers(served))


def answers(served: Served) -> bool:
    try:
        return httpx.get(f"{served.url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_the_file_limit_is_raised_and_streams_stay_below_it():
    import resource

    from exchequer.cli.serve import Serving, settings_of

    files = server.open_files()
    assert files >= min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], server.MOST_FILES) > 0
    assert settings_of(Serving(database=":memory:"), 1024).limits.streams == 1024 - 200


# A8: people --------------------------------------------------------------------------------------

def test_spectators_are_marked_and_speak_in_nobodys_name(served: Served):
    ann, _, table = duel(served)
    stranger = served.program()
    name = served.service.match(table).names[0]
    stranger.post("/api/v1/name", json={"name": name})
    ann.post(f"/api/v1/tables/{table}/chat", json={"text": "hello"})
    stranger.post(f"/api/v1/tables/{table}/chat", json={"text": "I resign"})
    said = [(m.name, m.role) for m in served.service.store.chat(table)]
    assert said == [(name, "player"), (f"Not {name}", "spectator")]


def test_nobody_talks_in_private_where_that_is_not_allowed_or_nobody_listens(served: Served):
    ann, _, open_table = duel(served)
    assert said_to(ann, open_table, 1).json()["sentence"].startswith("At this table everybody")
    ann, ben, table = duel(served, private_talk=True)
    for speaker, seat in ((served.program(), 0), (ann, 0), (ann, 5)):
        assert said_to(speaker, table, seat).status_code in (403, 409)
    assert served.service.store.chat(table) == []
    assert said_to(ben, table, 0).status_code == 201
    whispered, = served.service.store.chat(table)
    assert whispered.is_for(whispered.reader) and whispered.is_for(whispered.visitor)
    assert not whispered.is_for("") and not whispered.is_for("f" * 32)
    upkeep.erase(served.service.store, whispered.reader)
    kept, = served.service.store.chat(table)
    assert kept.reader_name == "Somebody" and not kept.is_for("")


def said_to(speaker: httpx.Client, table: str, seat: int) -> httpx.Response:
    return speaker.post(f"/api/v1/tables/{table}/chat", json={"text": "psst", "to": seat})


def test_a_name_is_there_once_at_a_table(served: Served):
    ann, ben = served.program(), served.program()
    for client, name in ((ann, "Zoë"), (ben, "ZOE")):
        client.post("/api/v1/name", json={"name": name})
    table = new_table(ann)
    ben.post(f"/api/v1/tables/{table}/seats", json={"seat": 1})
    assert served.service.match(table).names == ["Zoë", "ZOE (2)"]
    ben.post("/api/v1/name", json={"name": "\uff3aoe"})
    assert served.service.match(table).names == ["Zoë", "\uff3aoe (2)"]
    assert unique_name("a", ["A", "a (2)"]) == "a (3)"


@pytest.mark.parametrize("name", [
    "\u0410lice", "AIice", "A1ice", "\u0391lic\u0435", "A l i c e", "ALICE.",
    "\u0430\u04cf\u0456\u0441\u0435"])
def test_a_name_of_another_alphabet_is_no_other_name(name: str):
    assert same_name("Alice", name) and unique_name(name, ["Alice"]) == f"{name} (2)"
    assert not any(same_name(one, other) for one, other in (
        ("Ann", "Anna"), ("Guest 101", "Guest 110"), ("\u0418\u0433\u043e\u0440\u044c", "Igor")))


def test_a_name_shows_something():
    for name in ("\u0301" * 24, "\u200b", " \u0300\u0301 "):
        with pytest.raises(BadInput, match="is empty"):
            clean_text(name, 24, "A name")
    assert clean_text("Z" + "\u0300" * 20, 24, "A name") == "Z\u0300\u0300"
    assert clean_text("😀", 24, "A name") == "😀"


def test_the_lobby_is_not_filled_by_one_address(tmp_path):
    with Served(str(tmp_path / "t.db"), Limits(tables=(1000, 1), waiting_tables=6)) as served:
        store, registry = served.service.store, served.service.registry
        setup = TableSetup(KINGDOM, KINGDOM.content(), [Seat("b", None, "Ben"), Seat()])
        mallory = served.program()
        wanted = {"game": "kingdom", "seats": ["me", "friend"]}
        opened = [mallory.post("/api/v1/tables", json=wanted).status_code for _ in range(9)]
        assert opened == [201] * 6 + [429] * 3
        ben = registry.open(setup, "b", "elsewhere")
        for _ in range(50):
            registry.open(setup, "m", "one place")
        shown = store.open_tables()
        assert ben.id in [row["id"] for row in shown] and len(shown) <= 3 + 3 + 1
        before = [row["id"] for row in shown]
        registry.match(before[-1]).rename("m", "Bump")
        assert [row["id"] for row in store.open_tables()] == before


def test_the_opener_removes_a_squatter_before_the_start(served: Served):
    ann, squatter = served.program(), served.program()
    table = new_table(ann, "treasury/v17", ("me", "friend", "friend"))
    sit = f"/api/v1/tables/{table}/seats"
    assert squatter.post(sit, json={"seat": 1}).status_code == 201
    again = squatter.post(sit, json={"seat": 2})  # one seat for each visitor
    assert again.status_code == 409 and "already" in again.json()["sentence"]
    remove = f"/api/v1/tables/{table}/remove"
    assert squatter.post(remove, json={"seat": 0}).status_code == 403
    assert ann.post(remove, json={"seat": 1}).status_code == 200
    assert served.service.match(table).seats[1].is_free
    for seat in (1, 2):
        served.program().post(sit, json={"seat": seat})
    assert ann.post(remove, json={"seat": 1}).status_code == 409


def test_everybody_can_resign(served: Served):
    ann, ben, table = duel(served)
    path = f"/api/v1/tables/{table}/resign"
    assert ann.post(path, json={"seat": 1}).status_code == 403
    assert ben.post(path, json={"seat": 1}).json() == {"status": "over"}
    seen = ann.get(f"/api/v1/tables/{table}").json()
    assert (seen["winners"], seen["ending"]) == ([0], "resigned")
    assert not seen["moves"] and play(ann, table, 0, 0).status_code == 409
    page = ann.get(f"/table/{table}", headers={"accept": "text/html"}).text
    assert "gave up" in page
    assert Registry(served.service.store).match(table).is_over


def test_who_resigns_among_three_is_followed_by_a_bot(small: Store):
    seats = [Seat(name, None, name) for name in ("ann", "ben", "cleo")]
    match = Registry(small).open(TableSetup(TREASURY, TREASURY.content(), seats), "ann")
    match.resign(1, "ben")
    assert match.status == "running" and match.seats[1].bot
    match.resign(2, "cleo")
    assert match.is_over and match.result.winners == [0]


def test_a_table_at_which_nobody_moves_is_closed(small: Store):
    registry = Registry(small)
    seats = [Seat("ann", None, "Ann"), Seat("ben", None, "Ben")]
    match = registry.open(TableSetup(KINGDOM, KINGDOM.content(), seats), "ann")
    waiting = registry.open(TableSetup(KINGDOM, KINGDOM.content(), [seats[0], Seat()]), "ann")
    assert registry.close_idle(time.time() + 100, 200, 200) == 0
    assert registry.close_idle(time.time() + 1000, 200, 2000) == 1
    assert waiting.status == "closed" and match.status == "running"
    assert registry.close_idle(time.time() + 9000, 200, 2000) == 1
    assert match.status == "closed" and match.asked is None and small.running_of("ann") == 0
    assert match.view(1) == Registry(small).match(match.id).view(1)
    with pytest.raises(Exception, match="closed"):
        match.play(0, 0, match.version)


def test_a_cookies_token_is_never_handed_out(served: Served):
    browser = served.client(accept="text/html")
    browser.get("/")
    token = browser.cookies[COOKIE]
    answer = browser.post("/api/v1/visitors", headers={"origin": served.url})
    assert answer.status_code == 201 and answer.json()["token"] != token
    assert browser.post("/api/v1/visitors", headers={"origin": "http://evil.example"}
                        ).status_code == 403


@pytest.mark.parametrize("origin", ["https://{}", "http://{}:1", "http://evil.{}", "ftp://{}"])
def test_the_whole_origin_is_compared(served: Served, origin: str):
    host = served.url.removeprefix("http://")
    browser = served.client(accept="text/html")
    browser.get("/")
    answer = browser.post("/api/v1/name", json={"name": "x"},
                          headers={"origin": origin.format(host)})
    assert answer.status_code == 403


@pytest.mark.parametrize(("host", "status"), [
    ("evil.example", 421), ("evil.example:8017", 421), ("127.0.0.1.evil.example", 421), ("", 421),
    ("127.0.0.1", 200), ("localhost:80", 200), ("[::1]:8017", 200)])
def test_a_strange_host_is_refused(served: Served, host: str, status: int):
    """DNS rebinding: a name that anybody has made to lead here is not ours."""
    answer = httpx.get(f"{served.url}/api/v1/games", headers={"host": host})
    assert answer.status_code == status


def test_head_is_answered_like_get_without_a_body(served: Served):
    for path in ("/", "/healthz", "/rules/kingdom", "/static/site.css"):
        answer = httpx.head(served.url + path)
        assert answer.status_code == 200 and not answer.content
        assert answer.headers["content-security-policy"]
