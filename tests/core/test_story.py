"""The log as a story: turns with their headings, routine on one line, what matters first."""

import itertools
import random

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.content import ContentError
from exchequer.core.find import all_games, find_game
from exchequer.core.log import Entry
from exchequer.core.position import Position
from exchequer.core.records import NOBODY
from exchequer.core.sentences import Sentences
from exchequer.core.story import Line, Tone, handed_over, important_first
from toys.bazaar import GAME as BAZAAR

KINGDOM = find_game("kingdom")
each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


def played(game, *moves, seats=None, seed=2):
    position = Position(game, seats=seats, seed=seed, mode=Mode.PYTHON)
    for move in moves:
        position.play(move)
    return position


def at_random(game, moves):
    position, chance = played(game), random.Random(5)
    while not position.is_over and len(position.actions) < moves:
        position.play(chance.choice(position.legal()))
    return position


def test_a_turn_has_a_heading_its_players_seat_and_routine_on_one_line():
    story = played(KINGDOM, "develop:farm", "expand").story()
    assert story == [
        Line(Tone.HEADING, 0, "Round 1 · Ann"),
        Line(Tone.ROUTINE, 0, "+2 gold of income, 1 action point, -2 gold of upkeep"),
        Line(Tone.PLAIN, 0, "Ann develops a Farm for 3 gold."),
        Line(Tone.ROUTINE, 0, "Places a Farm, ends the turn"),
        Line(Tone.HEADING, 1, "Round 1 · Ben"),
        Line(Tone.ROUTINE, 1, "+2 gold of income, 2 action points, -2 gold of upkeep"),
        Line(Tone.PLAIN, 1, "Ben expands for 2 gold."),
        Line(Tone.ROUTINE, 1, "Gains a Land"),
        Line(Tone.PLAIN, 1, "Ben's happiness rises by 1 to 1."),
    ]


def test_what_is_told_since_a_move_has_its_heading():
    position = played(KINGDOM, "develop:farm", "expand")
    assert position.story(since=2)[0] == Line(Tone.HEADING, 1, "Round 1 · Ben")
    assert position.story(since=2)[1:] == position.story()[-3:]


def test_a_game_without_marks_is_told_by_whose_move_it_is():
    position = played(BAZAAR, seats=2)
    while len(set(position.actors)) < 2:
        position.play(position.legal()[0])
    headings = [line for line in position.story() if line.tone is Tone.HEADING]
    assert [line.text for line in headings[:2]] == ["Ann", "Ben"]
    assert [line.seat for line in headings[:2]] == [0, 1]
    assert {line.tone for line in position.story()} <= {Tone.HEADING, Tone.PLAIN}


def test_the_next_turn_begins_with_the_first_word_about_who_is_asked():
    def seats(*them):
        written = np.zeros(len(them), Entry)
        written["seat"] = them
        return written

    assert handed_over(seats(0, 0, NOBODY, 1, 1), mover=0, asked=1) == 3
    assert handed_over(seats(0, 1, 0), mover=0, asked=1) == 3  # still Ann's turn
    assert handed_over(seats(0, 1), mover=0, asked=0) == 2
    assert handed_over(seats(0, 1), mover=0, asked=NOBODY) == 2


@each_game
def test_every_sentence_is_in_the_story_or_folded(game):
    """Nothing is lost but what headings and a few words say instead."""
    position = at_random(game, 120)
    marks = game.words.sentences.story
    for seat in (None, 0, NOBODY):
        lines = position.story(seat)
        spoken = " ".join(line.text for line in lines)
        for move, log in enumerate(position.logs):
            for entry in log:
                event = game.module("state").Event(int(entry.what)).name.lower()
                if event not in {*marks.headings, *marks.routine} and seat is None:
                    assert game.words.tell(entry, position.content, position.names) in spoken, move
        assert all(line.text for line in lines)
        assert not any(first.tone is second.tone is Tone.HEADING
                       for first, second in itertools.pairwise(lines))


@each_game
def test_routine_of_a_move_is_never_two_lines(game):
    """But for what the reader may not know, which is a sentence."""
    position = at_random(game, 40)
    for move in range(len(position.logs)):
        lines = position.at(move).story(since=move)
        assert not any(a.tone is b.tone is Tone.ROUTINE
                       for a, b in itertools.pairwise(lines)), lines


def test_what_matters_comes_first_and_empty_turns_are_left_out():
    lines = [Line(Tone.HEADING, 0, "Ann"), Line(Tone.PLAIN, 0, "a"), Line(Tone.IMPORTANT, 0, "b"),
             Line(Tone.HEADING, 1, "Ben"), Line(Tone.IMPORTANT, 1, "c"),
             Line(Tone.HEADING, 0, "Ann"), Line(Tone.ROUTINE, 0, "d")]
    assert [line.text for line in important_first(lines, 12)] == ["b", "c", "Ann", "a", "Ann", "d"]
    assert [line.text for line in important_first(lines, 1)] == ["c", "Ann", "d"]


@pytest.mark.parametrize(("text", "sentence"), [
    ('[story]\nheading = {}', "story.heading: is no mark of this game; did you mean \"headings\"?"),
    ('[story]\nroutine = { sould = "x" }', 'story.routine.sould: is no event of this game;'),
    ('[story]\nroutine = { sold = "{whom}" }', "story.routine.sold: {whom} is no placeholder here"),
    ('[story]\nroutine = { sold = "" }', "story.routine.sold: '' is not a sentence in quotes."),
    ('[story]\nimportant = { sold = 1 }', "story.important: must be a list by events."),
])
def test_marks_are_checked_when_they_are_read(tmp_path, text, sentence):
    path = tmp_path / "words.toml"
    path.write_text(text)
    with pytest.raises(ContentError) as caught:
        Sentences(path, BAZAAR.module("state"), BAZAAR.words.sentences.vocabulary, ())
    assert sentence in str(caught.value)
