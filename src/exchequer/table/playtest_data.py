"""Playtests taken out of a server and into another; what belongs to one tester, and its end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from exchequer.core.errors import InputError
from exchequer.core.find import find_game
from exchequer.core.game import Game
from exchequer.core.lookup import things
from exchequer.core.rulebook import cited
from exchequer.lab.playtest import (
    BOT,
    PAPER,
    PERSON,
    TABLE,
    UNRECORDED,
    Decision,
    Happened,
    Note,
    Played,
    PlaytestData,
    Said,
    Sitter,
    decisions_of,
    played_from,
    settle,
)
from exchequer.table import upkeep
from exchequer.table.history import EntryKind
from exchequer.table.match import Match
from exchequer.table.playtest_store import Trace
from exchequer.table.playtests import Playtest, Playtests, bots_overlay
from exchequer.table.refusals import OtherRules, TableRefusal
from exchequer.table.store import JournalEntry

NOTED = ("hint", "why", "rules", "preview", "idle", "flag")
DESIGNER = "designer"
MOST_KEPT = 1000  # tables whose decisions are remembered


def pseudonym(tester: int) -> str:
    return f"t{tester}"


# Export ------------------------------------------------------------------------------------------

def data_of(playtests: Playtests, playtest: Playtest) -> PlaytestData:
    """All that may leave: pseudonyms, and no game of somebody who did not agree."""
    traces = playtests.store.traces(playtest.number)
    testers = playtests.store.testers(playtest.number)
    games: list[Played] = []
    for row in playtests.store.tables(playtest.number):
        here = [one for one in traces if one.match == row["id"]]
        found = game_of(playtests, row, testers, here, f"g{len(games) + 1}")
        if found:
            games.append(found)
    games += [paper_game(one, f"p{one.id}") for one in traces if one.kind == PAPER]
    kept = playtests.store.by_number(playtest.number)
    games += [played_from(one) for one in json.loads(kept["brought"] or "[]")] if kept else []
    arms = [{"name": arm.name, "overlay": dict(arm.overlay),
             "for_bots": dict(bots_overlay(playtest, place)),
             "content": playtest.content(place).hash} for place, arm in enumerate(playtest.arms)]
    return PlaytestData(playtest.name, playtest.title, playtest.game, playtest.rules_version,
                        playtest.seats, arms,
                        [one.as_data() for one in playtest.questions], games)


def game_of(playtests: Playtests, row: Mapping[str, Any], testers: Mapping[str, int],
            traces: Sequence[Trace], name: str) -> Played | None:
    """A table as data; None when it has not begun, or its rules are gone."""
    try:
        match = playtests.service.match(row["id"])
    except OtherRules:
        return None
    with match.lock:
        if not match.is_dealt:
            return None
        entries = playtests.service.store.journal(match.id)
        started = match.history.started or 0.0
        played = Played(name, row["arm"], TABLE, sitters(entries, testers, started),
                        seed=match.position.seed if match.row["seed_chosen"] else 0,
                        key=match.position.key, seconds=round(match.history.changed - started, 1),
                        journal=journal_of(match, entries, started))
        if match.is_over:
            result = match.result
            played.scores, played.winners = list(result.scores), list(result.winners)
            played.ending = result.ending
        played.decisions = decided(playtests, match, played)
    played.happened = happened_of(match, traces, started)
    played.said, played.notes = said_of(traces), notes_of(match, traces)
    settle(played)
    return shareable(played, match.is_over)


def decided(playtests: Playtests, match: Match, played: Played) -> list[Decision]:
    """Worked out once for each state of a journal: the designer's page asks again and again."""
    stamp = match.history.number, tuple(one.who for one in played.seats)
    kept = playtests.decided.get(match.id)
    if kept is None or kept[0] != stamp:
        if len(playtests.decided) > MOST_KEPT:
            playtests.decided.clear()
        kept = playtests.decided[match.id] = stamp, decisions_of(match.game, match.content, played)
    return [replace(one) for one in kept[1]]


def shareable(played: Played, is_over: bool) -> Played | None:
    """Without what would tell of somebody who did not agree, or of a game that still runs."""
    if not played.people:
        return None
    if not is_over or any(one.kind == UNRECORDED for one in played.seats):
        played.journal, played.seed, played.key, played.scores, played.winners = [], 0, "", [], []
        played.ending = ""
    return played


def sitters(entries: Sequence[JournalEntry], testers: Mapping[str, int], started: float
            ) -> list[Sitter]:
    """Who sat where when the game began, and who left it when."""
    seats: dict[int, Sitter] = {}
    begun = False
    for entry in entries:
        begun |= entry.kind == EntryKind.START
        if entry.kind != EntryKind.SIT or entry.seat is None:
            continue
        holder, bot = entry.data.get("holder"), entry.data.get("bot")
        if not begun:
            tester = testers.get(holder or "")
            kind = BOT if bot else PERSON if tester else UNRECORDED
            seats[entry.seat] = Sitter(bot or (pseudonym(tester) if tester else ""), kind)
        elif bot and seats[entry.seat].kind != BOT and seats[entry.seat].left is None:
            seats[entry.seat] = replace(seats[entry.seat], left=round(entry.at - started, 1))
    return [seats[seat] for seat in sorted(seats)]


def journal_of(match: Match, entries: Sequence[JournalEntry], started: float
               ) -> list[dict[str, Any]]:
    """The moves, undos and resignations, without names and reasons."""
    text, lines = match.game.words.TEXTS.text, []
    for entry in entries:
        if entry.kind in (EntryKind.MOVE, EntryKind.ANSWER, EntryKind.UNDO, EntryKind.RESIGN):
            line: dict[str, Any] = {"kind": str(entry.kind), "seat": entry.seat,
                                    "t": round(entry.at - started, 3)}
            if entry.action is not None:
                line["action"] = text(entry.action)
            lines.append(line | {key: entry.data[key] for key in ("key", "by", "to", "parts")
                                 if key in entry.data})
    return lines


def happened_of(match: Match, traces: Sequence[Trace], started: float) -> list[Happened]:
    text, found = match.game.words.TEXTS.text, []
    for one in traces:
        if one.kind not in NOTED or one.tester is None:
            continue
        what = str(one.data.get("what", ""))
        if one.kind == "preview" and what.isdecimal() and int(what) < match.game.n_actions:
            what = text(int(what))
        found.append(Happened(pseudonym(one.tester), one.kind, what, round(one.at - started, 3),
                              float(one.data.get("seconds", 0.0)),
                              tuple(one.data.get("cites", ()))))
    return found


def said_of(traces: Sequence[Trace]) -> list[Said]:
    return [Said(pseudonym(one.tester) if one.tester else "", one.data["when"],
                 one.data["answers"]) for one in traces if one.kind == "answers"]


def notes_of(match: Match, traces: Sequence[Trace]) -> list[Note]:
    found = []
    for one in traces:
        if one.kind == "note":
            moves = int(one.data["moves"])
            about = about_of(match.game, match, one.data["text"], moves)
            found.append(Note(pseudonym(one.tester) if one.tester else DESIGNER, moves,
                              one.data["text"], tuple(about)))
    return found


def about_of(game: Game, match: Match, text: str, moves: int) -> list[str]:
    """Paragraphs that a note cites and things that it names; else what was just done."""
    known = set(game.paragraphs)
    found = [number for number in cited(text) if number in known]
    words = f" {text.lower()} "
    found += [one.id for one in things(game, match.content) if one.name.lower() in words]
    if not found and 0 < moves <= len(match.position.actions):
        found = [f"move {game.words.TEXTS.text(match.position.actions[moves - 1])}"]
    return list(dict.fromkeys(found))


def paper_game(trace: Trace, name: str) -> Played:
    """A game that was played on paper, as it was entered."""
    data = trace.data
    said = [Said(f"{name}-{place}", "end", answers)
            for place, answers in enumerate(data.get("answers", []), 1)]
    seats = [Sitter(f"{name}-{place}", PERSON) for place in range(1, len(data["scores"]) + 1)]
    return Played(name, data["arm"], PAPER, seats,
                  list(data["scores"]), list(data["winners"]), "paper",
                  60.0 * data["minutes"], said=said)


# Import ------------------------------------------------------------------------------------------

def bring(playtests: Playtests, data: PlaytestData, owner: str) -> Playtest:
    """A playtest of another server, with all its games; from now on it is one of ours."""
    game = find_game(data.game)
    if game.rules_version != data.rules_version:
        raise InputError(f"The playtest was played by version {data.rules_version} of the rules "
                         f"of {game.title}, and here is version {game.rules_version}.")
    setup = {"title": data.title, "seats": data.seats, "people": 1, "bots": "greedy",
             "arms": [{"name": arm["name"], "overlay": arm["overlay"]} for arm in data.arms],
             "questions": data.questions}
    games = []
    for place, one in enumerate(data.games, 1):
        games.append(asdict(replace(one, id=f"i{place}")))
    return playtests.by_link(playtests.store.create(data.game, data.rules_version, setup, owner,
                                                    games))


# One tester --------------------------------------------------------------------------------------

def own_data(playtests: Playtests, playtest: Playtest, tester: int) -> dict[str, Any]:
    """All that is kept of one tester, for themselves."""
    who = pseudonym(tester)
    games = []
    for one in data_of(playtests, playtest).games:
        if who in [sitter.who for sitter in one.seats]:
            games.append({
                "game": one.id, "variant": playtest.arms[one.arm].name,
                "decisions": [vars(made) for made in one.decisions if made.who == who],
                "happened": [vars(thing) for thing in one.happened if thing.who == who],
                "answers": [dict(said.answers) for said in one.said if said.who == who],
                "notes": [note.text for note in one.notes if note.who == who]})
    return {"playtest": playtest.title, "game": playtest.game, "you_are": who, "games": games}


def erase_tester(playtests: Playtests, playtest: Playtest, tester: int) -> int:
    """End a tester's part: what they did and said is deleted, their name is taken out of the
    playtest's tables, and no game of theirs is exported any more. Returns at how many they sat.
    """
    holder = playtests.store.holder(playtest.number, tester)
    if holder is None:
        return 0
    sat = {one.match for one in playtests.store.traces(playtest.number, tester=tester, kind="sat")
           if one.match}
    for found in sat:
        stand_up(playtests, found, holder)
    playtests.store.forget_tester(playtest.number, tester)
    count = upkeep.erase_from(playtests.service.store, holder, sat)
    for found in sat:
        playtests.service.registry.drop(found)
        playtests.service.screens.forget(found)
    return count


def stand_up(playtests: Playtests, found: str, holder: str) -> None:
    """A bot plays on for somebody who is about to be forgotten."""
    try:
        match = playtests.service.match(found)
        for seat in match.seats_of(holder):
            if match.status in ("waiting", "running"):
                match.leave(seat, holder)
    except TableRefusal:
        return  # its rules are gone, or it ended just now: there is no seat to give up


