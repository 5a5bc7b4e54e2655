"""Why the table says no: each refusal has a type, a sentence and an HTTP status."""

from collections.abc import Mapping
from typing import Any

from exchequer.core.errors import InputError
from exchequer.core.rulebook import cited


class TableRefusal(InputError):
    """A sentence for the person who asked; nothing has changed."""

    kind = "refused"
    status = 400

    @property
    def paragraphs(self) -> list[str]:
        """The rulebook's paragraphs that the sentence cites."""
        return cited(str(self))


class StaleVersion(TableRefusal):
    """The move was made against a position that is not there any more."""

    kind, status = "stale", 409


class WrongSeat(TableRefusal):
    """Another seat is asked, or the visitor does not hold this one."""

    kind, status = "wrong-seat", 403


class IllegalMove(TableRefusal):
    """The rules do not allow it; the sentence is the game's and cites the paragraph."""

    kind, status = "illegal", 422


class NotNow(TableRefusal):
    """Nothing can be taken back, nobody to join, the game is over."""

    kind, status = "not-now", 409


class OtherRules(NotNow):
    """The table was played by rules that this program does not have."""

    kind = "other-rules"

    def __init__(self, sentence: str, row: Mapping[str, Any]) -> None:
        super().__init__(sentence)
        self.row = row


class Unavailable(TableRefusal):
    """The database does not answer."""

    kind, status = "unavailable", 503


class NotAdmitted(TableRefusal):
    """The token or the password is not this server's."""

    kind, status = "not-admitted", 401


class NotFound(TableRefusal):
    kind, status = "not-found", 404


class TooMuch(TableRefusal):
    """A bound or a rate limit; `seconds` is when one may try again, where waiting helps."""

    kind, status = "too-much", 429

    def __init__(self, sentence: str, seconds: int = 0) -> None:
        super().__init__(sentence)
        self.seconds = seconds


class BadInput(TableRefusal):
    kind, status = "bad-input", 422


class Foreign(TableRefusal):
    """A write that another site has sent."""

    kind, status = "foreign", 403
