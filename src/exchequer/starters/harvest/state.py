"""What lies on the table, and all that can be asked, done and told."""

from exchequer.kit import *

SEATS, CARDS = 4, 30  # at most; the content says how many cards there are


class Crop(IntEnum):  # the table [crop] of content.toml, in this order
    WHEAT, GRAPES, MELON, STORM = range(4)


class Pile(IntEnum):  # each card lies in one of these
    DECK, PLAYED, BOX = range(3)
    HAND = 3  # + seat


class Ask(IntEnum):  # questions for a player
    PLAY = 0


class Step(IntEnum):  # what the game does by itself
    TURN = FIRST_STEP


class Do(IntEnum):  # answers; each is the first of its kind, the comment says what is added
    PLAY = 0  # + Crop


class Event(IntEnum):  # what the log tells; the sentences are in words.toml
    DREW, PLAYED, LOST = range(3)


class Refusal(IntEnum):  # why an answer is not possible; NONE, OVER and NOT_ASKED come first
    NONE, OVER, NOT_ASKED, NOT_HELD = range(4)


def lay_copies(c):
    """Which crop each card is; cards beyond the copies stay in the box."""
    kinds = [crop for crop in Crop for _ in range(c.crop[crop].copies)]
    if not SEATS * c.hand <= len(kinds) <= CARDS:
        raise ValueError(f"there are {len(kinds)} cards; {SEATS * c.hand} to {CARDS} fit.")
    c.deck = len(kinds)
    c.kind_of[: len(kinds)] = kinds


N_ACTIONS = 4
CHOICES = {Do.PLAY: "crop"}  # what is added to an action: an entry of this table
HANDS = (Pile.HAND,)  # each seat has one of these piles, and nobody else sees into it
CONTENT = Schema(
    rules={"hand": Number(1, 5), "storm": Number(0, 9)},
    derived={"kind_of": ("i1", CARDS), "deck": "i1"}, derive=lay_copies,
    crop=Cards(Crop, name=Text(), copies=Number(0, 20), points=Number(0, 9), text=Text()),
)
State = record(rng="u8", seats="i1", points=("i2", SEATS), **agenda_fields(8),
               **pile_fields(CARDS, Pile.HAND + SEATS))
