"""The contract of a game: the functions its `rules` module gives. The loops are written on these.

`s` is the state record, `c` the content record. `core.build` puts the game's own function where a
loop names one of these. A function that has a body here is what a game without one of its own
gets: whoever keeps an agenda, `points`, `winners` and `ending` in the state needs none of these,
and without `winners` and `ending` in the state most points win when nothing is left to do. What is
done in a step and after an answer stands at the rules themselves (`core.handlers`), and from the
same marks come `legal` and `refusal`; `observe` and `determinize` come from the piles
(`core.hiding`). `setup` ends with `run_steps`, or with `go_on` where the game gives forced answers.
"""

from enum import IntEnum

from exchequer.core.agenda import (
    asked,
    asked_seat,
    next_step,
    no_handler,
    step_waits,
    take_question,
)
from exchequer.core.records import NOBODY, apart, rule


class Ending(IntEnum):
    """Of a game that names none of its own."""

    NONE, OVER = range(2)


WAIT = -1  # somebody has to choose, or the game is over
LAPSED = -2  # no answer: a question was dropped, or none has been asked yet


@rule
def setup(s, c, seats, seed, log):
    """Lay out a new game in a zeroed state and run it up to the first question."""


@rule
def actor(s):
    """The seat that has to answer, or NOBODY when the game is over."""
    return asked_seat(s)


@rule
def question(s):
    """What is asked of it: one of the game's Ask."""
    return asked(s)


@rule
def legal(s, c, out):
    """Write the actions that may be taken now into `out` and return how many there are.

    The one source of legality: table, bots, lab and environments ask only this.
    """


@rule
def refusal(s, c, action):
    """Why an action may not be taken now: one of the game's Refusal, 0 when it may."""


@rule
def answer_refusal(s, c, ask, seat, action):
    """The same for an action there is, while somebody is asked: where a game writes all of it in
    one place instead of marking rules with `@refuses`."""


@rule
def list_legal(s, c, first, last, out, count):
    """Append the actions from `first` up to `last` that are not refused; for a game's `legal`."""
    for action in range(first, last):
        if refusal(s, c, action) == 0:
            out[count] = action
            count += 1
    return count


@rule
def apply(s, c, action, log):
    """Carry out a legal action and all that follows until somebody is asked again."""
    ask, seat, a, b = take_question(s)
    answer(s, c, ask, seat, a, b, action, log)
    run_steps(s, c, log)


@apart
def go_on(s, c, reply, log):
    """`apply` of a game that gives forced answers: answer, and do what the game does by itself,
    until somebody has a choice. Apart, since `setup` may call it, too.
    """
    while reply != WAIT:
        if reply != LAPSED:
            ask, seat, a, b = take_question(s)
            answer(s, c, ask, seat, a, b, reply, log)
        run_steps(s, c, log)
        reply = forced_answer(s, c)


@rule
def forced_answer(s, c):
    """What is answered without asking: the only answer there is, WAIT where somebody has to be
    asked, or LAPSED after a question without an answer has been dropped by the rules."""
    return WAIT


@rule
def run_steps(s, c, log):
    """Do what the game does by itself until somebody has to be asked."""
    while step_waits(s):
        step, seat, a, b = next_step(s)
        do_step(s, c, step, seat, a, b, log)


@rule
def answer(s, c, ask, seat, a, b, action, log):
    """Carry out the answer to a question that has been taken off the agenda."""
    handle_answer(s, c, ask, seat, a, b, action, log)


@rule
def do_step(s, c, step, seat, a, b, log):
    """Carry out a step that has been taken off the agenda."""
    handle_step(s, c, step, seat, a, b, log)


@rule
def handle_answer(s, c, ask, seat, a, b, action, log):
    """The rules that are marked with the question and the answer; made by `core.handlers`."""
    no_handler(s, ask)


@rule
def handle_step(s, c, step, seat, a, b, log):
    """The rules that are marked with the step; made by `core.handlers`."""
    no_handler(s, step)


@rule
def score(s, c, seat):
    """The seat's points as they stand now; those that the state keeps as `points`."""
    return s.points[seat]


@rule
def strength(s, c, seat):
    """How strong a seat is, for the `value` of `core.value`; from `value.py`, else its points."""
    return score(s, c, seat)


@rule
def winners(s, c):
    """A bit for each seat that has won or shares the win; 0 while the game runs."""
    return s.winners


@rule
def ending(s):
    """Why the game ended: one of the game's Ending, 0 while it runs."""
    return s.ending


@rule
def lead(s, c, seat, other):
    """Above zero where the seat is ahead, zero where they share; a game's own breaks ties."""
    return score(s, c, seat) - score(s, c, other)


@apart
def leaders(s, c, seats):
    """A bit for each seat that nobody is ahead of."""
    best, mask = 0, 1
    for seat in range(1, seats):
        ahead = lead(s, c, seat, best)
        if ahead > 0:
            best, mask = seat, 1 << seat
        elif ahead == 0:
            mask |= 1 << seat
    return mask


@rule
def last_leaders(s, c, seats):
    """`winners` where the state has no field of that name: the leaders once nothing is left to do.
    """
    return leaders(s, c, seats) if asked(s) == NOBODY else 0


@rule
def over(s):
    """`ending` where the state has no field of that name: 1 once nothing is left to do."""
    return 1 if asked(s) == NOBODY else 0


@rule
def fault(s, c):
    """A broken promise of the state (cards lost, money below zero): a Fault, 0 when sound."""
    return 0


@rule
def observe(s, c, seat):
    """Blank, in place, all that this seat may not know."""


@rule
def determinize(s, c, seat, seed):
    """Fill an observation, in place, with a world that the seat cannot tell from the true one."""


@rule
def value(s, c, seats, seat):
    """How good the state is for the seat, from 0 (lost) to 1 (won); from `value.py`, for bots."""


CONTRACT = {function.__name__: function for function in (
    setup, actor, question, legal, refusal, apply, score, winners, ending, fault, observe,
    determinize, value)}
PARTS = {function.__name__: function  # of `apply` as it is here, and of `value`
         for function in (
             answer, do_step, handle_answer, handle_step, answer_refusal, forced_answer, lead,
             strength)}
SHARED = ("setup", "legal", "apply", "observe", "determinize", "value")
# large: compiled once, and called by every loop; the others become part of what calls them
DEFAULTS = {function.__name__ for function in (
    actor, question, apply, score, winners, ending, fault)}
MADE = {function.__name__ for function in (  # by `core.handlers` and `core.hiding`
    legal, refusal, observe, determinize, handle_answer, handle_step)}
