"""Who somebody is: tokens that the server has signed, links that sign a second device in, and
invitations to a closed server.

A token is an id, a few random bytes and a signature. The id is no secret and is what the database
keeps; nobody can make up a token, and none can be read from a backup without the server's key.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass

ID, SALT, SIGNATURE, TIME = 16, 4, 16, 4  # bytes
LINK_SECONDS = 600
DAY = 86_400
MOST_DAYS = 30  # that an invitation may wait


@dataclass(frozen=True)
class Visitor:
    """Somebody with a token."""

    id: str
    token: str
    is_new: bool = False
    by_header: bool = False  # a program, not a browser

    @property
    def default_name(self) -> str:
        return f"Guest {int(self.id[:6], 16) % 900 + 100}"


def is_visitor_id(word: str) -> bool:
    return len(word) == 2 * ID and set(word) <= set("0123456789abcdef")


class Tokens:
    """Issues and reads what is signed with the server's key."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def issue(self, visitor: str | None = None) -> Visitor:
        """A token for a new visitor, or one more for somebody known."""
        found = bytes.fromhex(visitor) if visitor else secrets.token_bytes(ID)
        token = self._signed(b"visitor", found + secrets.token_bytes(SALT))
        return Visitor(found.hex(), token, is_new=True)

    def visitor(self, token: str) -> str | None:
        """Whose token this is; None when it was not issued here."""
        body = self._read(b"visitor", token, ID + SALT)
        return body[:ID].hex() if body else None

    def link(self, visitor: str, now: float | None = None) -> str:
        """A word that signs another device in, for a while."""
        ends = int((now or time.time()) + LINK_SECONDS)
        return self._signed(b"link", bytes.fromhex(visitor) + ends.to_bytes(TIME, "big")
                            + secrets.token_bytes(SALT))

    def linked(self, link: str, now: float | None = None) -> str | None:
        """Whom a link signs in; None when it is not ours or too old."""
        body = self._read(b"link", link, ID + TIME + SALT)
        if not body or int.from_bytes(body[ID:ID + TIME], "big") < (now or time.time()):
            return None
        return body[:ID].hex()

    def invitation(self, days: int, now: float | None = None) -> str:
        """A word that lets somebody in without the password, for some days."""
        ends = int((now or time.time()) + min(days, MOST_DAYS) * DAY)
        return self._signed(b"invitation", ends.to_bytes(TIME, "big") + secrets.token_bytes(ID))

    def is_invitation(self, word: str, now: float | None = None) -> bool:
        """Whether it is ours and not too old."""
        body = self._read(b"invitation", word, TIME + ID)
        return body is not None and int.from_bytes(body[:TIME], "big") >= (now or time.time())

    def password(self, password: str) -> str:
        """What somebody keeps who has said the server's password."""
        return self._signature(b"password", password.encode()).hex()

    def tag(self, text: str) -> str:
        """A short word for something that shall not be kept itself, such as an address."""
        return self._signature(b"tag", text.encode()).hex()[:16]

    def seed(self, *parts: object) -> int:
        """A secret seed below 2^61 that belongs to these parts."""
        text = " ".join(map(str, parts)).encode()
        return int.from_bytes(self._signature(b"seed", text)[:8], "big") >> 3

    def _signed(self, purpose: bytes, body: bytes) -> str:
        return base64.urlsafe_b64encode(body + self._signature(purpose, body)).decode()

    def _read(self, purpose: bytes, text: str, length: int) -> bytes | None:
        try:
            data = base64.b64decode(text.encode("ascii"), b"-_", validate=True)
        except (UnicodeEncodeError, binascii.Error):
            return None
        body, signature = data[:length], data[length:]
        is_ours = hmac.compare_digest(signature, self._signature(purpose, body))
        # Base64 can spell the same bytes in several ways; what works once must not work for each.
        return body if is_ours and base64.urlsafe_b64encode(data).decode() == text else None

    def _signature(self, purpose: bytes, body: bytes) -> bytes:
        return hashlib.blake2b(body, key=self.key, person=purpose, digest_size=SIGNATURE).digest()
