"""What is kept to draw faster changes nothing: screens of a table that was watched through a whole
game are those of one just read from its journal and drawn with nothing kept, byte for byte.
"""

import random

import pytest

from exchequer.core.build import Mode
from exchequer.core.find import all_games
from exchequer.core.game import Game
from exchequer.table import boards, pieces
from exchequer.table.history import Seat
from exchequer.table.identity import Visitor
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.precompile import Precompiler
from exchequer.table.refusals import TableRefusal, Unavailable
from exchequer.table.regions import take_apart
from exchequer.table.registry import Registry
from exchequer.table.screen_cache import Screens
from exchequer.table.screens import Screen, last_of_others, make_screen
from exchequer.table.service import Service, Settings
from exchequer.table.store import Store
from exchequer.table.stream import Stream
from exchequer.table.table_setup import TableSetup

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
COLD = Precompiler(enabled=False)
MOST_MOVES, LOOKS = 400, 25  # a table is read again so many times in a game


@pytest.fixture
def registry(tmp_path):
    store = Store(str(tmp_path / "t.db"))
    yield Registry(store, lambda _: Mode.COMPILED)
    store.close()


def opened(registry: Registry, game: Game) -> Match:
    people = [Seat(f"p{number}", None, f"Person {number}") for number in range(3)]
    setup = TableSetup(game, game.content(), people[: game.seats[1]], seed=11)
    return registry.open(setup, "p0")


def without_what_is_kept(match: Match, viewer: int) -> Screen:
    """From the journal alone."""
    fresh = Match(match.store, match.row, match.mode)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces.Kept, "__call__",
                      lambda self, *given, **named: self.macro(*given, **named))
        return make_screen(fresh, viewer)


def something_else(match: Match, chance: random.Random, patch: pytest.MonkeyPatch) -> None:
    """What may lie between two moves: a write that fails, a move taken back, another name."""
    seat = match.asked
    assert seat is not None
    kind = chance.randrange(3)
    if kind == 0:
        def fails(*_: object) -> None:
            raise Unavailable("The disk is full.")

        with patch.context() as broken, pytest.raises(Unavailable):
            broken.setattr(match.store, "append", fails)
            match.play(seat, chance.choice(match.legal()), match.version_of(seat))
    elif kind == 1 and match.undoable(seat):
        match.undo(seat, match.version_of(seat))
    else:
        match.rename(match.seats[seat].holder or "", f"Person {chance.randrange(100)}")


@GAMES
def test_a_page_tells_a_new_turn_from_the_next_question_of_the_same(game: Game,
                                                                   registry: Registry):
    """By the last moment that somebody else made."""
    match, chance, goes_on = opened(registry, game), random.Random(1), 0
    for _ in range(150):
        if match.is_over:
            break
        seat, moves = match.asked, len(match.history.movers)
        before = last_of_others(match, seat, match.frames(seat))
        match.play(seat, chance.choice(match.legal()), match.version_of(seat))
        others = {*match.history.movers[moves:]} - {seat}
        is_same = last_of_others(match, seat, match.frames(seat)) == before
        assert is_same or others
        goes_on += not others and match.asked == seat
        for viewer in range(len(match.seats)):
            last = last_of_others(match, viewer, match.frames(viewer))
            assert not last or match.history.movers[match.frames(viewer)[last].moves - 1] != viewer
    assert goes_on or game.name == "kingdom"  # where each turn is one question


@GAMES
def test_a_whole_game_looks_the_same_with_nothing_kept(game: Game, registry: Registry,
                                                       monkeypatch: pytest.MonkeyPatch):
    match, chance = opened(registry, game), random.Random(3)
    screens, viewers = Screens(COLD), (WATCHER, *range(len(match.seats)))
    boards.pieces_of.cache_clear()
    for move in range(MOST_MOVES):
        if match.asked is None:
            break
        if move % 7 == 3:
            something_else(match, chance, monkeypatch)
        match.play(match.asked, chance.choice(match.legal()), match.version_of(match.asked))
        kept = {viewer: screens.of(match, viewer) for viewer in viewers}
        if move % (MOST_MOVES // LOOKS) == 0 or match.asked is None:
            for viewer in viewers:
                assert kept[viewer] == without_what_is_kept(match, viewer), f"move {move}"


@GAMES
def test_what_is_sent_puts_the_same_screen_together(game: Game, tmp_path):
    """A page that replaced region by region what its stream sent has the screen as it is now."""
    service = Service(Settings(str(tmp_path / "t.db"), warm=False))
    match, chance = opened(service.registry, game), random.Random(4)
    page: dict[str, str] = {}
    stream = Stream(service, match.id, Visitor("p0", ""), 0, pinned=True)
    for _ in range(40):
        sent = dict((stream.update() or {}).get("regions", {}))
        if whole := sent.pop("board", ""):
            page |= take_apart(whole).parts
        page |= sent
        now = service.screens.fresh(match, 0)
        shown = now.board.parts | now.regions
        assert {name: page[name] for name in shown} == shown
        if match.asked is None:
            break
        match.play(match.asked, chance.choice(match.legal()), match.version_of(match.asked))
    service.store.close()


def test_a_write_that_fails_leaves_nothing_worked_out(registry: Registry,
                                                      monkeypatch: pytest.MonkeyPatch):
    """Scores of a move that was not written are not those of the next one."""
    match = opened(registry, all_games()[0])

    def fails(*_: object) -> None:
        match.worked_out["scores", 0] = [[999, 999]]
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(match.store, "append", fails)
    with pytest.raises(TableRefusal):
        match.play(match.asked or 0, match.legal()[0], match.version)
    assert not match.worked_out


def test_a_streams_digest_is_that_of_its_page(registry: Registry):
    match = opened(registry, all_games()[0])
    screens = Screens(COLD)
    assert screens.of(match, 0).digest == screens.fresh(match, 0).digest
    assert screens.of(match, 0).digest != screens.of(match, 1).digest
