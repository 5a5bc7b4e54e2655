"""Whispers at Court: what lies on the table, and all that can be asked, done and told."""

from exchequer.kit import *

SEATS, CARDS = 4, 24  # at most; the content says how many there are of each courtier


class Courtier(IntEnum):
    SENTRY, SPY, DUELLIST, RECLUSE, HERALD, ENVOY, REGENT, HEIR = range(8)


class Pile(IntEnum):
    DECK, ASIDE, BOX, PLAYED, HAND = 0, 1, 2, 3, 3 + SEATS  # PLAYED and HAND + seat


class Ask(IntEnum):
    PLAY, NEXT_ROUND, TARGET, GUESS = range(4)  # TARGET of a Courtier, GUESS about a seat


class Step(IntEnum):
    TURN = FIRST_STEP


class Do(IntEnum):
    PLAY, TARGET, GUESS, NEXT_ROUND = 0, 8, 12, 20  # all but the last + what CHOICES says


class Event(IntEnum):
    ROUND, DREW, PLAYED, MET, GUESSED, SAW, OUT, HELD, TOKEN = range(9)


class Refusal(IntEnum):
    NONE, OVER, NOT_ASKED, NOT_HELD, REGENT_FIRST, NOT_IN, SAFE, YOURSELF, NO_SENTRY = range(9)


def lay_copies(c):
    """Which courtier each card is; cards beyond the copies stay in the box."""
    kinds = [kind for kind in Courtier for _ in range(c.courtier[kind].copies)]
    if not 2 * SEATS < len(kinds) <= CARDS:
        raise ValueError(f"there are {len(kinds)} courtiers; {2 * SEATS + 1} to {CARDS} fit.")
    c.deck = len(kinds)
    c.kind_of[: len(kinds)] = kinds


N_ACTIONS = 21
CHOICES = {Do.PLAY: "courtier", Do.TARGET: "seat", Do.GUESS: "courtier"}
HANDS = (Pile.HAND,)  # each seat has one, and nobody else sees into it
CONTENT = Schema(
    rules={"tokens": Numbers(3, 1, 20)},
    derived={"kind_of": ("i1", CARDS), "deck": "i1"}, derive=lay_copies,
    courtier=Cards(Courtier, name=Text(), copies=Number(0, 9), text=Text()),
)
State = record(rng="u8", seats="i1", playing="i1", out=("i1", SEATS), safe=("i1", SEATS),
               points=("i1", SEATS), **agenda_fields(8), **pile_fields(CARDS, Pile.HAND + SEATS))
