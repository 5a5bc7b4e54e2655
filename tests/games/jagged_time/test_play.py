"""Whole games: the specification's invariants, every switch in play, every preset in bulk."""

import io
from collections import Counter

import numpy as np
import pytest
from rich.console import Console

from exchequer.core.build import Mode
from exchequer.core.check import walk
from exchequer.core.content import Text
from exchequer.core.position import Position
from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.measures import MEASURES
from exchequer.games.jagged_time.state import Ending, Event, Phase, Pile, State
from exchequer.games.jagged_time.tables import NO_KIND, RULES, Act

REGIONS = (("O11", "O14", "C21", "C22"), ("O12", "O15", "C23", "C24"),
           ("O13", "O16", "C25", "C26"))
ACT_TWO, ECLIPSE, ACT_THREE = (dict(GAME.variant(name).overlay["rules"])
                               for name in ("act-two", "eclipse", "act-three"))
TO_HAND = (Event.DREW, Event.RECURRED, Event.CARD_TO_HAND)
SWITCHES = [
    {"misfortune": "action"}, {"self_gain": "return_only"}, {"fresh_cards_tick": False},
    {"tier2_start": 1}, {"count_overflow": False}, {"unplayed_hand": "keep"},
    {"played_cards": "end_of_phase"}, {"retained_order": "hand"}, {"menu_mode": "announce"},
    {"volunteers_both": True}, {"tier3_price": "as_many"}, {"vassalization_price": "floor"},
    {"replace_to": "any_slot"}, {"replace_protects_tier3": True}, {"revolt_scope": "everywhere"},
    {"transform_short": "illegal"}, {"scout_must": True}, {"delay_cap": "none"},
    {"random_timer_may_end_game": False}, {"project_pause": "paid"},
    {"project_progress": "kept"}, {"m4_timer": 4}, {"m4_pay": 2}, {"m3b_max_stability": 1},
    {"o7_forgive_cost": 3}, {"tax_clock": 1}, {"start_bank": 0}, {"start_max": 12}, {"draw": 12},
    {"slots": 7}, {"slots": 1}, {"milestones": ["M1", "M2"]}, {"tutorial_agenda": True},
    {"turn_cap": 5}, {"collapse_limit": 0, "turn_cap": 60}, {"play_guard": 1},
    {"hr_relief": True}, {"show_objective_counts": True}, {"resignation": True},
    ACT_TWO | {"later_turn_caps": [5, 5, 5]}, ACT_TWO | {"later_collapse_limit": 20},
    ACT_TWO | {"extra_max": [6, 0, 0, 0, 3]}, ACT_TWO | {"trade_max": 1},
    ACT_TWO | {"list_a": ["O58", "C40", "C39+"]}, ACT_TWO | {"project_milestones": False},
    ECLIPSE | {"list_b": ["O82", "O10"]},
    ACT_THREE | {"cataclysms": ["O2", "O86", "O87", "O88", "O89", "O91"]},
]


def live_cards(position):
    cards = position.content.words["index"]["cards"]
    return Counter(cards[kind] for kind in position.state.kind if kind != NO_KIND)


@pytest.mark.parametrize("preset", [None, *GAME.variants])
def test_invariants_hold_at_every_position(preset):
    content = GAME.variant(preset)
    late = 0  # cards that came to hand in the Resolution Phase, which stay there (JL-60)
    for position in walk(GAME, content, 1, 3, Mode.PYTHON, 2000):
        s, cards = position.state, live_cards(position)
        for entry in position.logs[-1]:
            begins = entry.what == Event.PHASE and entry.thing == Phase.RESOLUTION
            late = 0 if begins else late + (entry.what in TO_HAND)
        assert position.engine.fault(s, content.record) == 0
        for region in REGIONS:
            assert sum(cards[card] for card in region) <= 1
        for card in ("O5", "O7", "O18"):
            assert cards[card] == 1
        if s.phase in (Phase.RESOLUTION, Phase.CLOCKS) and s.ending == Ending.NONE:
            assert s.start[Pile.HAND + 1] - s.start[Pile.HAND] <= late * (s.act != Act.FIRST)
    assert position.is_over


@pytest.mark.parametrize("settings", SWITCHES, ids=str)
def test_every_switch_plays(settings):
    content = GAME.content(settings)
    for position in walk(GAME, content, 1, 11, Mode.PYTHON, 3000):
        assert position.engine.fault(position.state, content.record) == 0
    assert position.is_over


def test_every_rule_is_exercised_by_a_switch_or_a_score():
    tried = {key for settings in SWITCHES for key in settings}
    assert {key for key in RULES if not key.startswith("score_")} == tried
    assert not any(isinstance(kind, Text) for kind in RULES.values())


@pytest.mark.parametrize("preset", GAME.variants)
def test_a_thousand_games_of_each_preset_end(preset):
    content = GAME.variant(preset)
    engine = GAME.engine(Mode.COMPILED)
    engine.prepare()
    results, _, _ = engine.run_batch(content.record, 1, np.arange(1000, dtype=np.uint64),
                                     GAME.step_limit)
    assert (results["ending"] != Ending.NONE).all()
    assert not results["fault"].any()


def test_j71_a_game_replays_from_its_seed_and_moves():
    first = list(walk(GAME, GAME.content(), 1, 6, Mode.PYTHON, 2000))[-1]
    again = Position(GAME, seed=6, mode=Mode.PYTHON)
    for action in first.actions:
        again.play(action)
    assert again.state.tobytes() == first.state.tobytes()


def test_the_state_is_small():
    assert State.itemsize <= 4096


def test_the_screen_shows_agenda_clocks_banks_and_hand():
    position = Position(GAME, GAME.content({"tutorial_agenda": True}), seed=4, mode=Mode.PYTHON)
    console = Console(width=130, record=True, file=io.StringIO())
    console.print(GAME.module("terminal").screen(position.view(0), position.content, ["Ann"]))
    shown = console.export_text()
    for words in ("Turn 1 of 40", "might", "■■■□□□", "Ritualized Taxation", "⧗⧗⧗", "Conduct Census",
                  "milestone 1 of 4", "The Long Exile", "hand (5)", "Tax Collection 0/3",
                  "action deck (5)"):
        assert words in shown


def test_every_question_and_move_of_whole_games_can_be_said():
    for seed in range(3):
        for position in walk(GAME, GAME.content({"menu_mode": "announce", "start_bank": 6,
                                                 "start_max": 12}), 1, seed, Mode.PYTHON, 2000):
            if not position.is_over:
                lines = [line for _, line in position.menu()]
                assert position.question
                assert len(set(lines)) == len(lines)


def there(group, variant=None):
    """The cards of a group of uses that a content has, as the lab's tables show them."""
    content = GAME.variant(variant)
    return {name.split()[0] for name in MEASURES.uses[group][1].values()
            if MEASURES.is_there(content, name)}


def test_wars_are_counted_by_their_subtype_and_tracks_as_tracks():
    uses, counts = MEASURES.uses, MEASURES.counts
    assert there("wars won") == {"O14", "O15", "O16", "M4"}
    assert there("other tracks won") == {"O3", "O4", "O23", "O37", "O40", "O43", "O46"}
    assert there("wars won", "act-two") == {
        "O14", "O15", "O16", "O58", "O59", "O60", "O67", "O68", "O69", "M12", "M13"}
    assert uses["wars lost"][1] == uses["wars won"][1]
    assert uses["other tracks lost"][1] == uses["other tracks won"][1]
    every_track = [name for name, count in counts.items()
                   if count.event in (Event.TRACK_WON, Event.TRACK_LOST)]
    assert every_track == ["tracks won", "tracks lost"]
