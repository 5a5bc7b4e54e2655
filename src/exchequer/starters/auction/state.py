"""Going Once: what lies on the table, and all that can be asked, done and told."""

from exchequer.kit import *

SEATS, CARDS, BIDS = 4, 24, 31


class Style(IntEnum):
    PORTRAIT, LANDSCAPE, STILL_LIFE = range(3)


class Pile(IntEnum):
    DECK, EASEL, GONE, BOX, COLLECTION = range(5)  # COLLECTION + seat


class Ask(IntEnum):
    BID = 0


SEALED = (Ask.BID,)  # all bid at once


class Step(IntEnum):
    SALE, OPEN = FIRST_STEP, FIRST_STEP + 1


class Do(IntEnum):
    BID = 0  # + coins


class Event(IntEnum):
    ON_SALE, BID, SOLD, UNSOLD = range(4)


class Refusal(IntEnum):
    NONE, OVER, NOT_ASKED, TOO_HIGH, TOO_POOR = range(5)


def lay_paintings(c):
    """Which style each painting has; those beyond the numbers stay in the box."""
    styles = [style for style in Style for _ in range(c.style[style].paintings)]
    if not 1 <= len(styles) <= CARDS:
        raise ValueError(f"there are {len(styles)} paintings; 1 to {CARDS} fit.")
    c.deck = len(styles)
    c.kind_of[: len(styles)] = styles


N_ACTIONS = BIDS
CHOICES = {Do.BID: [str(coins) for coins in range(BIDS)]}
SECRET = {"bid": BIDS}  # 0: none yet; else the coins and 1
CONTENT = Schema(
    rules={"coins": Number(0, 99), "income": Number(0, 20), "largest_bid": Number(1, BIDS - 1)},
    derived={"kind_of": ("i1", CARDS), "deck": "i1"}, derive=lay_paintings,
    style=Cards(Style, name=Text(), paintings=Number(0, 12), worth=Number(1, 9), text=Text()),
)
State = record(rng="u8", seats="i1", coins=("i2", SEATS), bid=("i1", SEATS),
               last_bid=("i1", SEATS), points=("i2", SEATS), owned=("i1", (SEATS, len(Style))),
               **agenda_fields(SEATS + 2), **pile_fields(CARDS, Pile.COLLECTION + SEATS))
