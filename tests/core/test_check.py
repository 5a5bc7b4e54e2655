"""The conformance suite can fail: a fault of each kind, planted in a toy, is caught."""

import types

import pytest

from exchequer.core import check
from exchequer.core.build import Mode
from exchequer.core.check import Broken, check_game, check_modes
from exchequer.core.log import note
from exchequer.core.piles import pile_size
from exchequer.core.records import rule
from toys.bazaar import GAME, rules, words
from toys.bazaar.state import Event, Pile
from toys.faulty import Faulty


def caught(promise, **faults):
    with pytest.raises(Broken, match=f"^{promise}"):
        check_game(Faulty(**faults), games=1, every=1)


def test_the_toy_itself_is_sound():
    check_game(GAME, games=1)


# Legality ----------------------------------------------------------------------------------------

@rule
def too_generous_legal(s, c, out):
    count = rules.legal(s, c, out)
    out[count] = 49  # a discard nobody can make
    return count + 1


@rule
def stingy_legal(s, c, out):
    return max(1, rules.legal(s, c, out) - 1)


@rule
def careless_refusal(s, c, action):
    s.gold[0] += 1  # asking must not change anything
    return rules.refusal(s, c, action)


def test_an_illegal_action_in_the_list():
    caught("legality", fault_rules={"legal": too_generous_legal})


def test_a_legal_action_left_out():
    caught("legality", fault_rules={"legal": stingy_legal})


def test_asking_that_changes_the_state():
    caught("legality", fault_rules={"refusal": careless_refusal})


def test_a_door_that_lets_illegal_actions_through(monkeypatch):
    monkeypatch.setattr(check.Position, "play", lambda self, action: self.logs[-1])
    with pytest.raises(Broken, match="^legality"):
        for position in check.walk(GAME, GAME.content(), 2, 0, Mode.PYTHON, 3):
            check.check_legality(position)


# Determinism and copies --------------------------------------------------------------------------

CALLS = {"n": 0}


def test_an_outcome_that_changes():
    def moody_apply(s, c, action, log):
        rules.apply(s, c, action, log)
        CALLS["n"] += 1
        s.rng = CALLS["n"]

    moody = rule(moody_apply)
    position = next(check.walk(GAME, GAME.content(), 2, 0, Mode.PYTHON, 1))
    position.engine = types.SimpleNamespace(
        **{name: getattr(position.engine, name) for name in ("actor", "legal", "fault")},
        apply=moody)
    with pytest.raises(Broken, match="^determinism"):
        check.check_determinism(position)


def test_a_copy_that_is_not_independent():
    position = next(check.walk(GAME, GAME.content(), 2, 0, Mode.PYTHON, 1))
    original = position.engine

    def reaching_apply(s, c, action, log):
        original.apply(s, c, action, log)
        position.state.gold[0] += 1

    position.engine = types.SimpleNamespace(actor=original.actor, legal=original.legal,
                                            fault=original.fault, apply=reaching_apply)
    with pytest.raises(Broken, match="^determinism"):
        check.check_determinism(position)


# Modes -------------------------------------------------------------------------------------------

@rule
def overflowing_apply(s, c, action, log):
    rules.apply(s, c, action, log)
    s.agenda_fault_item = s.card[0] * 30  # a narrow product: wraps in plain Python only


@rule
def out_of_bounds_apply(s, c, action, log):
    rules.apply(s, c, action, log)
    s.gold[0] += s.gold[4 + s.todo] * 0  # beyond the four seats


def test_plain_python_and_machine_code_differ():
    with pytest.raises(Broken, match="^modes"):
        check_modes(Faulty({"apply": overflowing_apply}), GAME.content(), 2, range(1),
                    (Mode.COMPILED, Mode.PYTHON))


def test_reading_out_of_bounds():
    with pytest.raises(Broken, match="^modes.*checked fails"):
        check_modes(Faulty({"apply": out_of_bounds_apply}), GAME.content(), 2, range(1),
                    (Mode.CHECKED,))


# Secrecy -----------------------------------------------------------------------------------------

@rule
def leaky_observe(s, c, seat):
    s.rng = 0  # and the cards stay as they are


@rule
def peeking_refusal(s, c, action):
    """Refuses to draw when the deck's top card is silk, which nobody may know."""
    if action == 0 and pile_size(s, Pile.DECK) > 2 and pile_size(s, Pile.HAND) > 0 and \
            s.card[s.start[Pile.DECK + 1] - 1] % 4 == 3:
        return 2
    return rules.refusal(s, c, action)


@rule
def peeking_legal(s, c, out):
    count = 0
    for action in range(50):
        if peeking_refusal(s, c, action) == 0:
            out[count] = action
            count += 1
    return count


@rule
def telling_apply(s, c, action, log):
    rules.apply(s, c, action, log)
    if pile_size(s, Pile.DECK) > 0:
        note(log, Event.DREW, 0, s.card[s.start[Pile.DECK]] % 4, 1)  # the deck's bottom card


def test_an_observation_that_leaks():
    caught("(secrecy|imagination)", fault_rules={"observe": leaky_observe})


def test_moves_that_leak():
    caught("secrecy", fault_rules={"refusal": peeking_refusal, "legal": peeking_legal})


def test_a_log_that_leaks():
    caught("secrecy", fault_rules={"apply": telling_apply})


# Imagination -------------------------------------------------------------------------------------

@rule
def stubborn_imagine(s, c, seat, seed):
    """Deals the hidden cards, and then swaps what the seat has seen."""
    rules.imagine(s, c, seat, seed)
    first = s.card[s.start[Pile.HAND + seat]]
    s.card[s.start[Pile.HAND + seat]] = s.card[s.start[Pile.DECK]]
    s.card[s.start[Pile.DECK]] = first


@rule
def backless_imagine(s, c, seat, seed):
    """Deals without looking at the backs."""
    rules.imagine(s, c, seat, seed)
    for place in range(len(s.card) - 1):
        if not s.known[place] >> seat & 1 and not s.known[place + 1] >> seat & 1:
            swapped = s.card[place]
            s.card[place] = s.card[place + 1]
            s.card[place + 1] = swapped


def test_imagining_against_what_was_seen():
    caught("imagination", fault_rules={"imagine": stubborn_imagine})


def test_imagining_against_the_backs():
    caught("imagination", fault_rules={"imagine": backless_imagine})


# Conservation, ending, words ---------------------------------------------------------------------

@rule
def minting_apply(s, c, action, log):
    rules.apply(s, c, action, log)
    s.gold[0] += 1


@rule
def doubling_apply(s, c, action, log):
    rules.apply(s, c, action, log)
    s.card[0] = s.card[1]


@rule
def indebting_apply(s, c, action, log):
    rules.apply(s, c, action, log)
    s.gold[0] = -1


@rule
def endless_apply(s, c, action, log):
    rules.apply(s, c, 0, log)
    s.start[Pile.DECK + 1] = len(s.card)
    s.start[:] = 0
    s.start[Pile.DECK + 1 :] = len(s.card)


def test_money_from_nowhere():
    caught("conservation", fault_rules={"apply": minting_apply})


def test_a_card_there_twice():
    caught("conservation", fault_rules={"apply": doubling_apply})


def test_a_broken_invariant():
    caught("conservation", fault_rules={"apply": indebting_apply})


def test_a_game_that_never_ends():
    caught("ending", fault_rules={"apply": endless_apply}, step_limit=40)


def test_an_action_that_does_not_read_back():
    texts = types.SimpleNamespace(text=words.TEXTS.text, action=lambda text: 0)
    caught("words", fault_words={"TEXTS": texts})


def test_two_moves_that_read_alike():
    caught("words", fault_words={"describe": lambda s, content, action: "something"})


def test_a_refusal_without_a_sentence():
    caught("words", fault_words={"refuse": lambda why, content: ""})


def test_an_entry_that_cannot_be_told():
    def tell(entry, content, names):
        return {}[entry.what]

    caught("words", fault_words={"tell": tell})


