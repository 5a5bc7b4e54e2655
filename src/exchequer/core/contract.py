"""The contract of a game: the functions its `rules` module gives. The loops are written on these.

`s` is the state record, `c` the content record. Nothing here runs: `core.build` puts the game's
own function where a loop names one of these.
"""

from exchequer.core.records import rule


@rule
def setup(s, c, seats, seed, log):
    """Lay out a new game in a zeroed state and run it up to the first question."""


@rule
def actor(s):
    """The seat that has to answer, or NOBODY when the game is over."""


@rule
def question(s):
    """What is asked of it: one of the game's Ask."""


@rule
def legal(s, c, out):
    """Write the actions that may be taken now into `out` and return how many there are.

    The one source of legality: table, bots, lab and environments ask only this.
    """


@rule
def refusal(s, c, action):
    """Why an action may not be taken now: one of the game's Refusal, 0 when it may."""


@rule
def apply(s, c, action, log):
    """Carry out a legal action and all that follows until somebody is asked again."""


@rule
def score(s, c, seat):
    """The seat's points as they stand now."""


@rule
def winners(s, c):
    """A bit for each seat that has won or shares the win; 0 while the game runs."""


@rule
def ending(s):
    """Why the game ended: one of the game's Ending, 0 while it runs."""


@rule
def fault(s, c):
    """A broken promise of the state (cards lost, money below zero): a Fault, 0 when sound."""


@rule
def observe(s, c, seat):
    """Blank, in place, all that this seat may not know."""


@rule
def imagine(s, c, seat, seed):
    """Fill an observation, in place, with a world that the seat cannot tell from the true one."""


@rule
def value(s, c, seats, seat):
    """How good the state is for the seat, from 0 (lost) to 1 (won); from `value.py`, for bots."""


CONTRACT = {function.__name__: function for function in (
    setup, actor, question, legal, refusal, apply, score, winners, ending, fault, observe,
    imagine, value)}
