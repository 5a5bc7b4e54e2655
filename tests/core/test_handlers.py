"""Rules that say themselves which step they carry out or which answer they follow."""

import types
from enum import IntEnum

import numpy as np
import pytest

from exchequer.core.agenda import FIRST_STEP, AgendaFault, agenda_fields, then
from exchequer.core.binding import Binding
from exchequer.core.errors import InputError
from exchequer.core.handlers import (
    MOST_INLINED,
    Handler,
    answer_chain,
    chain,
    handlers_in,
    handles,
    legal_chain,
    refusal_chain,
    refuses,
    step_chain,
    unhandled,
)
from exchequer.core.records import blank, record


class Ask(IntEnum):
    TURN, PAY = range(2)


class Step(IntEnum):
    UPKEEP = FIRST_STEP
    DRAW = FIRST_STEP + 1


class Do(IntEnum):
    PASS = 0
    PLAY = 1  # + card
    COIN = 6  # + coins


class Refusal(IntEnum):
    NONE, OVER, NOT_ASKED, TOO_DEAR = range(4)


State = record(heard=("i8", 4), **agenda_fields(4))
STATE = types.SimpleNamespace(Ask=Ask, Step=Step, Do=Do, Refusal=Refusal, N_ACTIONS=9, State=State)
IS_STATE = types.ModuleType("state")
vars(IS_STATE).update(vars(STATE))


def heard(s, *numbers):
    s.heard[: len(numbers)] = numbers


def module_of(*functions):
    """A module that defines these functions."""
    module = types.ModuleType("rules")
    module.__file__ = __file__
    for function in functions:
        function.__module__ = "rules"
        setattr(module, function.__name__, function)
    return module


def rules():
    @handles(Step.UPKEEP)
    def upkeep(s, seat):
        heard(s, 1, seat)

    @handles(Step.DRAW)
    def draw(s, c, seat, count, pile, log):
        heard(s, 2, seat, count, pile)

    @handles(Ask.TURN, Do.PASS)
    def take_pass(s, seat):
        heard(s, 3, seat)

    @handles(Ask.TURN, card=Do.PLAY)
    def play(s, seat, price, card):
        heard(s, 4, seat, price, card)

    @handles(Ask.PAY)
    def pay(s, ask, seat, action):
        heard(s, 5, ask, seat, action)

    @refuses(Ask.TURN, card=Do.PLAY)
    def play_refusal(s, seat, card):
        return Refusal.TOO_DEAR if card == 2 else Refusal.NONE

    return module_of(upkeep, draw, take_pass, play, pay, play_refusal)


def test_a_step_goes_to_its_rule_with_a_and_b_in_order():
    do_step, s = step_chain([rules()], IS_STATE), blank(State)
    do_step(s, None, Step.UPKEEP, 3, 8, 9, None)
    assert s.heard.tolist() == [1, 3, 0, 0]
    do_step(s, None, Step.DRAW, 2, 8, 9, None)
    assert s.heard.tolist() == [2, 2, 8, 9]


@pytest.mark.parametrize(("ask", "action", "expected"), [
    (Ask.TURN, Do.PASS, [3, 1, 0, 0]),
    (Ask.TURN, Do.PLAY + 4, [4, 1, 7, 4]),  # the choice is counted from its group, `a` is 7
    (Ask.PAY, Do.COIN + 1, [5, Ask.PAY, 1, Do.COIN + 1]),
])
def test_an_answer_goes_to_the_rule_of_its_group(ask, action, expected):
    answer, s = answer_chain([rules()], IS_STATE), blank(State)
    answer(s, None, ask, 1, 7, 0, action, None)
    assert s.heard.tolist() == expected


def test_an_answer_that_no_rule_follows_is_a_fault_of_the_agenda():
    answer, s = answer_chain([rules()], IS_STATE), blank(State)
    answer(s, None, Ask.TURN, 1, 0, 0, Do.COIN, None)
    assert (s.agenda_fault, s.agenda_fault_item) == (AgendaFault.NO_HANDLER, Ask.TURN)


def test_what_no_handler_follows_is_refused_and_the_rest_is_legal():
    module, s = rules(), blank(State)
    refusal = refusal_chain([module], IS_STATE)
    assert refusal(s, None, 0) == Refusal.OVER
    then(s, Ask.TURN, 0, 0, 0)
    assert [refusal(s, None, action) for action in range(-1, 9)] == [
        Refusal.NOT_ASKED, Refusal.NONE, Refusal.NONE, Refusal.NONE, Refusal.TOO_DEAR,
        Refusal.NONE, Refusal.NONE, Refusal.NOT_ASKED, Refusal.NOT_ASKED, Refusal.NOT_ASKED]
    bound = Binding({"refusal": refusal})
    legal = legal_chain([module], IS_STATE)
    out = np.zeros(9, np.int32)
    count = bound.copy(legal, lambda value: bound.copy(value, lambda inner: inner)
                       if getattr(value, "__name__", "") == "list_legal" else value)(s, None, out)
    assert out[:count].tolist() == [0, 1, 2, 4, 5]


def test_two_rules_for_one_answer_are_refused_with_both_places():
    @handles(Ask.TURN, card=Do.PLAY)
    def again(s, card):
        heard(s, card)

    module = rules()
    again.__module__ = "rules"
    module.again = again
    with pytest.raises(InputError, match=r"`again` and `play` \(test_handlers.py:\d+\) both have "
                                         r"@handles for Ask.TURN"):
        handlers_in([module], "handles", IS_STATE)


def test_a_rule_that_takes_more_than_an_item_holds_is_refused():
    @handles(Step.UPKEEP)
    def greedy(s, one, two, three):
        heard(s, one, two, three)

    with pytest.raises(InputError, match="`greedy` takes `three`, and an item of the agenda "
                                         "holds no more than two numbers"):
        step_chain([module_of(greedy)], IS_STATE)


@pytest.mark.parametrize("members", [(Do.PASS,), (Ask.TURN, Do.PASS, Do.PLAY), (Do.PASS, Ask.TURN)])
def test_a_mark_names_items_and_then_one_group(members):
    with pytest.raises(InputError, match="then at most one of Do"):
        handles(*members)


def test_a_step_without_a_rule_is_told():
    @handles(Step.UPKEEP)
    def upkeep(s):
        heard(s, 1)

    told = list(unhandled([module_of(upkeep)], IS_STATE))
    assert "state.py: no rule handles Step.DRAW. Mark the one that does with " \
           "@handles(Step.DRAW)." in told
    assert not any("UPKEEP" in sentence for sentence in told)


def test_a_long_chain_is_cut_by_modules():
    def rule_in(home, number):
        def follow(s, seat, a):
            heard(s, home, number, a)
        follow.__module__, follow.__name__ = f"part{home}", f"follow_{number}"
        return Handler(follow, FIRST_STEP + number, None, "")

    found = [rule_in(number % 2, number) for number in range(MOST_INLINED + 1)]
    whole = chain(module_of(), "handle_step", "s, c, step, seat, a, b, log", "step", found)
    for number in range(MOST_INLINED + 1):
        s = blank(State)
        whole(s, None, FIRST_STEP + number, 0, 5, 0, None)
        assert s.heard.tolist()[:3] == [number % 2, number, 5]
    assert whole.text.count("handle_step_") == 2


def test_all_answers_to_a_question_stand_in_one_chain():
    def rule_in(home, item, answers):
        def follow(s, action):
            heard(s, home, item, action)
        follow.__module__, follow.__name__ = f"part{home}", f"follow_{item}_{answers[0]}"
        return Handler(follow, item, answers, "")

    found = [rule_in(home, item, range(home, home + 1))
             for item in range(MOST_INLINED) for home in range(2)]
    whole = chain(module_of(), "handle_answer", "s, c, ask, seat, a, b, action, log", "ask", found)
    for item in range(MOST_INLINED):
        for home in range(2):
            s = blank(State)
            whole(s, None, item, 0, 0, 0, home, None)
            assert s.heard.tolist()[:3] == [home, item, home]
