"""The conformance suite can fail: a fault of each kind, planted in a toy, is caught."""

import types

import numpy as np
import pytest

from exchequer.core import check
from exchequer.core.agenda import (
    AgendaFault,
    asked,
    no_answer,
    no_handler,
    take_question,
    then,
    top_seat,
)
from exchequer.core.build import Mode
from exchequer.core.check import Broken, check_game, check_modes
from exchequer.core.log import note, note_for
from exchequer.core.measures import Measures
from exchequer.core.piles import card_at, hide_faces, hide_order, pile_size, place_of, show
from exchequer.core.position import Position
from exchequer.core.records import rule
from toys.bazaar import GAME, rules
from toys.bazaar.state import Ask, Do, Event, Good, Pile, Refusal
from toys.faulty import Faulty

honest_answer, honest_legal = rules.answer, rules.legal  # by name, so that they are bound, too


@rule
def honest_apply(s, c, action, log):
    """What the toy does with a move: it has no steps."""
    ask, seat, a, b = take_question(s)
    honest_answer(s, c, ask, seat, a, b, action, log)


def caught(promise, **faults):
    with pytest.raises(Broken, match=f"^{promise}"):
        check_game(Faulty(**faults), games=1, every=1)


def test_the_toy_itself_is_sound():
    check_game(GAME, games=1)


# Legality ----------------------------------------------------------------------------------------

@rule
def too_generous_legal(s, c, out):
    count = honest_legal(s, c, out)
    out[count] = 49  # a discard nobody can make
    return count + 1


@rule
def stingy_legal(s, c, out):
    return max(1, honest_legal(s, c, out) - 1)


@rule
def careless_refusal(s, c, action):
    s.gold[0] += 1  # asking must not change anything
    return rules.refusal(s, c, action)


def test_an_illegal_action_in_the_list():
    caught("legality.*disagree on `discard:24`", fault_rules={"legal": too_generous_legal})


def test_a_legal_action_left_out():
    caught("legality.*disagree on", fault_rules={"legal": stingy_legal})


def test_asking_that_changes_the_state():
    caught("legality", fault_rules={"refusal": careless_refusal})


def test_a_door_that_lets_illegal_actions_through(monkeypatch):
    monkeypatch.setattr(Position, "play", lambda self, action: self.logs[-1])
    with pytest.raises(Broken, match="^legality"):
        for position in check.walk(GAME, GAME.content(), 2, 0, Mode.PYTHON, 3):
            check.check_legality(position)


# Determinism and copies --------------------------------------------------------------------------

CALLS = {"n": 0}


def test_an_outcome_that_changes():
    def moody_apply(s, c, action, log):
        honest_apply(s, c, action, log)
        CALLS["n"] += 1
        s.rng = CALLS["n"]

    moody = rule(moody_apply)
    position = next(check.walk(GAME, GAME.content(), 2, 0, Mode.PYTHON, 1))
    position.engine = types.SimpleNamespace(
        **{name: getattr(position.engine, name) for name in ("actor", "legal", "broken")},
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
                                            broken=original.broken, apply=reaching_apply)
    with pytest.raises(Broken, match="^determinism"):
        check.check_determinism(position)


# Modes -------------------------------------------------------------------------------------------

@rule
def overflowing_apply(s, c, action, log):
    honest_apply(s, c, action, log)
    s.agenda_fault_item = s.card[0] * 30  # a narrow product: wraps in plain Python only


@rule
def out_of_bounds_apply(s, c, action, log):
    honest_apply(s, c, action, log)
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
    honest_apply(s, c, action, log)
    if pile_size(s, Pile.DECK) > 0:
        note(log, Event.DREW, 0, s.card[s.start[Pile.DECK]] % 4, 1)  # the deck's bottom card


def test_an_observation_that_leaks():
    caught("(secrecy|imagination)", fault_rules={"observe": leaky_observe})


def test_moves_that_leak():
    caught("(secrecy|sameness)", fault_rules={"refusal": peeking_refusal, "legal": peeking_legal})


def test_a_log_that_leaks():
    caught("secrecy", fault_rules={"apply": telling_apply})


# Sameness ----------------------------------------------------------------------------------------

@rule
def betraying_apply(s, c, action, log):
    """Whoever lays silk aside face down is asked once more: the others see the question."""
    seat = top_seat(s)
    is_discard = action >= Do.DISCARD
    silk = is_discard and card_at(s, Pile.HAND + seat, action - Do.DISCARD) % 4 == Good.SILK
    honest_apply(s, c, action, log)
    if silk:
        then(s, Ask.TRIBUTE, seat, 0, 0)


@rule
def named_refusal(s, c, action):
    """Goods are sold by name, not by their place in the hand."""
    if asked(s) == Ask.TURN and Do.SELL <= action < Do.PAY:
        held = named_place(s, top_seat(s), action - Do.SELL)
        return Refusal.NONE if held >= 0 else Refusal.NO_CARD
    return rules.refusal(s, c, action)


@rule
def named_place(s, seat, kind):
    for index in range(pile_size(s, Pile.HAND + seat)):
        if card_at(s, Pile.HAND + seat, index) % 4 == kind:
            return index
    return -1


@rule
def named_legal(s, c, out):
    count = 0
    for action in range(50):
        if named_refusal(s, c, action) == 0:
            out[count] = action
            count += 1
    return count


@rule
def spying_apply(s, c, action, log):
    """Whoever draws looks at the first card in the next hand, which stays where it is."""
    seat = top_seat(s)
    if asked(s) == Ask.TURN and action >= Do.SELL:
        honest_apply(s, c, Do.SELL + named_place(s, seat, action - Do.SELL), log)
        return
    honest_apply(s, c, action, log)
    other = (seat + 1) % s.seats
    if action == Do.DRAW and pile_size(s, Pile.HAND + other) > 0:
        place = place_of(s, Pile.HAND + other, 0)
        show(s, place, seat)
        note_for(log, Event.DREW, other, seat, s.card[place] % 4, 0, s.known[place])


@rule
def open_masks(s, c, seat):
    """Cards are hidden, who else knows them is not."""
    s.rng = 0
    hide_faces(s, c.back, seat)
    hide_orders(s, seat)


@rule
def closed_masks(s, c, seat):
    rules.observe(s, c, seat)
    hide_orders(s, seat)


@rule
def hide_orders(s, seat):
    for other in range(s.seats):
        if other != seat:
            hide_order(s, Pile.HAND + other)


SPIES = {"refusal": named_refusal, "legal": named_legal, "apply": spying_apply,
         "observe": closed_masks}


def test_a_question_that_betrays_a_hidden_card():
    caught("sameness", fault_rules={"apply": betraying_apply})


def test_a_third_seat_reads_a_secret_out_of_who_knows_what():
    caught("sameness.*tell by known", fault_rules={**SPIES, "observe": open_masks})


def test_spying_alone_is_no_fault():
    check_game(Faulty(SPIES), games=1, every=3)


# The agenda --------------------------------------------------------------------------------------

@rule
def speechless_apply(s, c, action, log):
    honest_apply(s, c, action, log)
    no_answer(s)


@rule
def crowding_apply(s, c, action, log):
    honest_apply(s, c, action, log)
    for _ in range(9):
        then(s, Ask.TURN, 0, 0, 0)


@rule
def unhandled_apply(s, c, action, log):
    honest_apply(s, c, action, log)
    no_handler(s, Ask.TRIBUTE)


@rule
def no_legal(s, c, out):
    return 0 if asked(s) == Ask.TRIBUTE else honest_legal(s, c, out)


def test_a_question_dropped_without_an_answer():
    caught("conservation.*Ask.TURN is asked and has no answer",
           fault_rules={"apply": speechless_apply})


def test_an_agenda_without_room():
    caught("conservation.*no room for Ask.TURN", fault_rules={"apply": crowding_apply})


def test_an_item_nobody_handles():
    caught("conservation.*Ask.TRIBUTE came up and no rule handles it",
           fault_rules={"apply": unhandled_apply})


def test_somebody_is_asked_and_has_no_answer():
    with pytest.raises(Broken, match="^legality.*Ask.TRIBUTE is asked and has no answer"):
        list(check.walk(Faulty({"legal": no_legal}), GAME.content(), 2, 0, Mode.PYTHON, 99))


@pytest.mark.parametrize("faults", [{"apply": speechless_apply}, {"legal": no_legal}])
def test_random_games_stop_where_the_agenda_breaks(faults):
    """A batch reports the fault with its seed, and the lab and the table meet it, too."""
    game = Faulty(faults)
    results, _, _ = game.engine(Mode.PYTHON).run_batch(
        game.content().record, 2, np.arange(3, dtype=np.uint64), 500)
    assert set(results["fault"].tolist()) == {AgendaFault.NO_ANSWER}
    with pytest.raises(Broken, match="is asked and has no answer"):
        check.check_ending(game, game.content(), 2, range(3), Mode.PYTHON)


# Measures ----------------------------------------------------------------------------------------

@rule
def spend(s, seat):
    s.gold[seat] -= 1
    return s.gold[seat]


def test_a_measure_that_changes_the_state():
    own = types.SimpleNamespace(MEASURES=Measures({"gold": spend}))
    position = next(check.walk(Faulty(modules={"measures": own}), GAME.content(), 2, 0,
                               Mode.PYTHON, 1))
    with pytest.raises(Broken, match="^measures.*changed the state"):
        check.check_measures(position)


# Imagination -------------------------------------------------------------------------------------

@rule
def stubborn_imagine(s, c, seat, seed):
    """Deals the hidden cards, and then swaps what the seat has seen."""
    rules.determinize(s, c, seat, seed)
    first = s.card[s.start[Pile.HAND + seat]]
    s.card[s.start[Pile.HAND + seat]] = s.card[s.start[Pile.DECK]]
    s.card[s.start[Pile.DECK]] = first


@rule
def backless_imagine(s, c, seat, seed):
    """Deals without looking at the backs."""
    rules.determinize(s, c, seat, seed)
    for place in range(len(s.card) - 1):
        if not s.known[place] >> seat & 1 and not s.known[place + 1] >> seat & 1:
            swapped = s.card[place]
            s.card[place] = s.card[place + 1]
            s.card[place + 1] = swapped


def test_imagining_against_what_was_seen():
    caught("determinization", fault_rules={"determinize": stubborn_imagine})


def test_imagining_against_the_backs():
    caught("determinization", fault_rules={"determinize": backless_imagine})


# Conservation, ending, words ---------------------------------------------------------------------

@rule
def minting_apply(s, c, action, log):
    honest_apply(s, c, action, log)
    s.gold[0] += 1


@rule
def doubling_apply(s, c, action, log):
    honest_apply(s, c, action, log)
    s.card[0] = s.card[1]


@rule
def indebting_apply(s, c, action, log):
    honest_apply(s, c, action, log)
    s.gold[0] = -1


@rule
def endless_apply(s, c, action, log):
    honest_apply(s, c, 0, log)
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
    texts = types.SimpleNamespace(text=GAME.words.TEXTS.text, action=lambda text: 0)
    caught("words", fault_words={"TEXTS": texts})


def test_two_moves_that_read_alike():
    caught("words", fault_words={"describe": lambda s, content, action, names: "something"})


def test_a_refusal_without_a_sentence():
    caught("words", fault_words={"refuse": lambda why, content, names: ""})


def test_an_entry_that_cannot_be_told():
    def tell(entry, content, names):
        return {}[entry.what]

    caught("words", fault_words={"tell": tell})


