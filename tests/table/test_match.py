"""The one door, on SQLite and on PostgreSQL."""

import random
import threading
import time

import pytest

from exchequer.core.find import find_game
from exchequer.core.story import Tone
from exchequer.table.clocks import Clock
from exchequer.table.history import Seat
from exchequer.table.journaled import WATCHER
from exchequer.table.match import Match
from exchequer.table.refusals import IllegalMove, NotFound, NotNow, StaleVersion, WrongSeat
from exchequer.table.registry import Registry
from exchequer.table.screens import since_last_move
from exchequer.table.store import Conflict, JournalEntry, Store
from exchequer.table.table_setup import TableSetup, bot_seat

KINGDOM = find_game("kingdom")
ANN, BEN = Seat("ann", None, "Ann"), Seat("ben", None, "Ben")


def duel(store: Store, *seats: Seat, seed: int | None = 7, clock: Clock | None = None) -> Match:
    return Registry(store).open(TableSetup(KINGDOM, KINGDOM.content(), list(seats or (ANN, BEN)),
                                 clock or Clock(), seed), "ann")


def action(match: Match, text: str) -> int:
    return match.game.words.TEXTS.action(text)


def play_on(match: Match, moves: int, seed: int = 1) -> None:
    chance = random.Random(seed)
    while moves and match.asked is not None:
        match.play(match.asked, chance.choice(match.legal()), match.version)
        moves -= 1


def test_a_move_is_in_the_journal_and_the_match_is_read_from_it(store: Store):
    match = duel(store)
    play_on(match, 12)
    again = Registry(store).match(match.id)
    assert again.position.state.tobytes() == match.position.state.tobytes()
    assert again.version == match.version
    assert [e.kind for e in store.journal(match.id)][:4] == ["sit", "sit", "start", "move"]


def test_the_end_is_told_in_words(store: Store):
    match = duel(store)
    play_on(match, 10**6)
    assert match.verdict.startswith("The game is over: ") and match.is_over
    assert match.verdict == match.position.verdict() and "_" not in match.verdict
    given_up = duel(store)
    given_up.resign(0, "ann")
    assert given_up.verdict == "The game is over: Ben wins, since Ann gave up."


def test_frames_tell_a_story_and_the_important_comes_first(store: Store):
    match = duel(store)
    match.play(0, action(match, "develop:farm"), match.version)
    lines = [line for frame in match.frames(0) for line in frame.lines]
    assert (Tone.HEADING, 1, "Round 1 · Ben") in lines
    while match.status == "running" and not since_last_move(match, 0, match.frames(0)):
        play_on(match, 1)
    play_on(match, 60, seed=3)
    shown = [line.tone is Tone.IMPORTANT for line in since_last_move(match, 0, match.frames(0))]
    assert shown == sorted(shown, reverse=True)


def test_a_stale_version_is_refused(store: Store):
    match = duel(store)
    seen = match.version
    play_on(match, 1)
    before = store.last_number(match.id)
    with pytest.raises(StaleVersion, match="moved on"):
        match.play(0, match.legal()[0], seen)
    assert store.last_number(match.id) == before


def test_the_wrong_seat_is_refused(store: Store):
    match = duel(store)
    with pytest.raises(WrongSeat, match="Ann's move"):
        match.play(1, match.legal()[0], match.version)


def test_an_illegal_action_is_refused_with_the_games_sentence(store: Store):
    match = duel(store)
    with pytest.raises(IllegalMove, match="commander") as refused:
        match.play(0, action(match, "attack"), match.version)
    assert refused.value.paragraphs == ["K-32"]
    for nonsense in (-1, 10**6):
        with pytest.raises(IllegalMove, match="no such move"):
            match.play(0, nonsense, match.version)
    assert not match.position.actions


def test_of_many_who_play_at_once_one_gets_in(store: Store):
    """Each registry stands for a process: nothing but the journal keeps them apart."""
    match = duel(store)
    registries = [Registry(store).match(match.id) for _ in range(6)]
    version, legal, got_in = match.version, match.legal()[0], []

    def play(own: Match) -> None:
        try:
            own.play(0, legal, version)
            got_in.append(own)
        except StaleVersion:
            pass

    threads = [threading.Thread(target=play, args=(own,)) for own in registries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got_in) == 1
    assert [e.kind for e in store.journal(match.id)].count("move") == 1
    for own in registries:
        own.refresh()
        assert own.position.state.tobytes() == got_in[0].position.state.tobytes()


def test_a_number_of_the_journal_cannot_be_written_twice(store: Store):
    match = duel(store)
    with pytest.raises(Conflict):
        store.append(match.id, [JournalEntry(1, "move", 0, 0, {}, 0.0)], {"changed": 0.0})


def test_the_game_begins_when_the_last_seat_is_taken(store: Store):
    match = duel(store, ANN, Seat())
    assert match.status == "waiting" and match.asked is None
    with pytest.raises(NotNow, match="all seats"):
        match.play(0, 0, match.version)
    match.sit(1, "ben", "Ben")
    assert match.status == "running" and match.asked == 0
    with pytest.raises(NotNow, match="not free"):
        match.sit(1, "cleo", "Cleo")


def test_who_leaves_is_followed_by_a_bot(store: Store):
    match = duel(store)
    with pytest.raises(WrongSeat):
        match.leave(1, "ann")
    match.leave(1, "ben")
    assert match.seats[1].bot and match.seats[1].holder is None
    assert store.games_of("ben", over=False) == []
    assert Registry(store).match(match.id).seats == match.seats


def test_the_lobby_knows_whose_move_it_is(store: Store):
    match = duel(store)
    assert store.games_of("ann", over=False)[0]["asked"] == 0
    while match.asked == 0:
        match.play(0, match.legal()[0], match.version)
    assert store.games_of("ann", over=False)[0]["asked"] == 1
    assert store.games_of("nobody", over=False) == []


def test_a_rematch_turns_the_seats(store: Store):
    registry = Registry(store)
    match = registry.open(TableSetup(KINGDOM, KINGDOM.content(), [ANN, BEN]), "ann")
    again = registry.rematch(match, "ann")
    assert [seat.name for seat in again.seats] == ["Ben", "Ann"]
    assert registry.rematch(match, "ben").id == again.id


def test_a_table_of_other_rules_is_refused(store: Store):
    import sqlalchemy as sa

    from exchequer.table.schema import matches

    match = duel(store)
    for change in ({"rules_version": 99}, {"rules_version": KINGDOM.rules_version, "content": "x"}):
        with store.writing() as connection:
            connection.execute(sa.update(matches).values(**change))
        with pytest.raises(NotNow, match="other rules"):
            Registry(store).match(match.id)


def test_what_another_process_writes_while_a_table_is_read_is_not_missed(
        store: Store, monkeypatch: pytest.MonkeyPatch):
    """Its wake-up comes when the journal has been read and the table is not known here yet."""
    match, registry, read = duel(store), Registry(store), store.journal

    def journal(found: str, after: int = 0) -> list[JournalEntry]:
        lines = read(found, after)
        if not after:
            play_on(match, 1)
            registry.changed_elsewhere(match.id)
        return lines

    monkeypatch.setattr(store, "journal", journal)
    assert registry.match(match.id).version == match.version


def test_a_missing_table_is_a_sentence(store: Store):
    with pytest.raises(NotFound, match="no such table"):
        Registry(store).match("missing")


# Undo --------------------------------------------------------------------------------------------

def test_own_moves_are_taken_back_until_somebody_else_was_asked(store: Store):
    match = duel(store)
    before = match.position.state.tobytes()
    match.play(0, action(match, "overwork"), match.version)
    if match.asked == 0:
        assert match.undoable(0) == 1
        match.undo(0, match.version)
        assert match.position.state.tobytes() == before
    while match.asked == 0:
        match.play(0, action(match, "end") if action(match, "end") in match.legal()
                   else match.legal()[0], match.version)
    assert match.undoable(0) == 0 and match.undoable(1) == 0
    with pytest.raises(WrongSeat):
        match.undo(0, match.version)
    with pytest.raises(NotNow, match="Nothing can be taken back"):
        match.undo(1, match.version)


def test_reset_turn_takes_all_of_it_back_and_is_in_the_journal(store: Store):
    match = duel(store)
    while match.asked == 0:
        match.play(0, match.legal()[0], match.version)
    before = match.position.state.tobytes()
    match.play(1, action(match, "develop:farm"), match.version)
    match.play(1, action(match, "overwork"), match.version)
    if match.asked == 1:
        match.undo(1, match.version, whole_turn=True)
        assert match.position.state.tobytes() == before
        assert Registry(store).match(match.id).position.state.tobytes() == before


# What leaves -------------------------------------------------------------------------------------

def test_nobody_but_the_asked_seat_gets_moves(store: Store):
    match = duel(store)
    assert match.menu(0) and match.question(0)
    assert not match.menu(1) and not match.menu(WATCHER) and not match.question(1)


def test_names_reach_the_sentences_and_renaming_changes_them(store: Store):
    match = duel(store)
    play_on(match, 2)
    assert any("Ann" in s for frame in match.frames(1) for s in frame.sentences)
    match.rename("ann", "Zoe")
    told = [s for frame in match.frames(1) for s in frame.sentences]
    assert any("Zoe" in s for s in told) and not any("Ann" in s for s in told)


# Clocks ------------------------------------------------------------------------------------------

def test_when_time_is_over_the_default_move_is_made(store: Store):
    match = duel(store, clock=Clock("move", 60))
    assert not match.tick(time.time())
    assert store.due(time.time()) == []
    assert store.due(time.time() + 61) == [match.id]
    assert match.tick(time.time() + 61)
    assert match.history.makers == ["clock"]
    assert match.game.words.TEXTS.text(match.position.actions[0]) == "end"


def test_moving_and_taking_back_wins_no_time(store: Store):
    match = duel(store, clock=Clock("move", 60))
    while match.asked == 0:
        match.play(0, match.legal()[0], match.version)
    due = match.move_due()
    time.sleep(0.02)
    match.play(1, action(match, "develop:farm"), match.version)
    assert match.move_due() != due
    match.undo(1, match.version)
    assert match.move_due() == due


# The store ---------------------------------------------------------------------------------------

def test_chat_is_kept_in_order(store: Store):
    match = duel(store)
    for text in ("one", "two", "three"):
        store.say(match.id, "Ann", text, 0.0)
    assert [m.text for m in store.chat(match.id)] == ["one", "two", "three"]
    assert [m.text for m in store.chat(match.id, 2)] == ["three"]


def test_bots_are_claimed_by_one_process_at_a_time(store: Store):
    match = duel(store, bot_seat(0, "random"), BEN)
    assert store.awaiting_bots(100.0, "first") == [match.id]
    assert store.claim(match.id, "first", 100.0, 108.0)
    assert not store.claim(match.id, "second", 101.0, 109.0)
    assert store.awaiting_bots(101.0, "second") == []
    assert store.claim(match.id, "second", 109.0, 117.0)


def test_an_older_schema_is_brought_up_to_date(place: str):
    """A database of version 1, which had no hash of the content; its games go on."""
    import sqlalchemy as sa

    from exchequer.table.schema import STEPS, schema_version

    first = Store(place)
    match = duel(first)
    play_on(match, 3)
    with first.writing() as connection:
        connection.execute(sa.text("ALTER TABLE matches DROP COLUMN content"))
        connection.execute(sa.update(schema_version).values(version=1))
    first.close()
    second = Store(place)
    with second.reading() as connection:
        assert connection.execute(sa.select(schema_version.c.version)).scalar() == len(STEPS)
    again = Registry(second).match(match.id)
    assert again.position.state.tobytes() == match.position.state.tobytes()
    play_on(again, 1)
    second.close()


def test_a_newer_schema_is_refused_and_an_old_one_is_kept(place: str):
    import sqlalchemy as sa

    from exchequer.core.errors import InputError
    from exchequer.table.schema import schema_version

    first = Store(place)
    match = duel(first)
    first.close()
    second = Store(place)
    assert second.match(match.id)
    with second.writing() as connection:
        connection.execute(sa.update(schema_version).values(version=99))
    second.close()
    with pytest.raises(InputError, match="schema version 99"):
        Store(place)


def test_the_default_moves_end_the_game(store: Store):
    match = duel(store, clock=Clock("move", 5))
    for _ in range(400):
        if not match.tick(time.time() + 10**6):
            break
    assert match.is_over
