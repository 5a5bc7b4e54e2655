"""How often and how much: by visitor, by address, by table."""

import ipaddress
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from exchequer.table.refusals import TooMuch

Rate = tuple[float, float]  # at once, and per second from then on
ANY = (1e9, 1e9)


@dataclass(frozen=True)
class Limits:
    """What one visitor may do. An address may do `address_factor` times as much: several people
    can share one, and one person can have many tokens.
    """

    writes: Rate = (60, 15)
    reads: Rate = (200, 15)
    chat: Rate = (8, 0.5)
    names: Rate = (6, 0.05)
    tables: Rate = (12, 0.03)
    hints: Rate = (6, 0.5)
    tokens: Rate = (6, 0.02)
    passwords: Rate = (4, 0.05)
    chat_at_table: Rate = (30, 1)  # of one table, by all players or by all spectators
    messages: Rate = (20, 5)  # of one stream
    address_factor: float = 5
    running_tables: int = 20  # of one visitor, not over yet; from an address as for rates
    waiting_tables: int = 12  # from one address
    streams_of_visitor: int = 16
    streams_of_address: int = 120
    connections_of_address: int = 256
    streams: int = 2000


NO_LIMITS = Limits(ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY, 1,
                   10**9, 10**9, 10**9, 10**9, 10**9, 10**9)


@dataclass
class Bucket:
    """A token bucket."""

    left: float
    at: float
    full_at: float = 0.0  # from when on it is as good as a new one

    def take(self, rate: Rate, now: float, count: int = 1) -> float:
        """Take one, or with `count` 0 only look; returns the seconds to wait when there is none."""
        burst, per_second = rate
        self.left = min(burst, self.left + max(0.0, now - self.at) * per_second)
        self.at = now
        wait = max(0.0, (1 - self.left) / per_second)
        if not wait:
            self.left -= count
        self.full_at = now + (burst - self.left) / per_second
        return wait


@dataclass
class RateLimiter:
    """Buckets by who and what. Those that are full again make room for new ones, and when there are
    too many those that were not used for longest.
    """

    limits: Limits = field(default_factory=Limits)
    most: int = 50_000
    buckets: OrderedDict[tuple[str, str], Bucket] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(self, what: str, address: str, visitor: str | None = None, count: int = 1) -> None:
        """Charge the address, and the visitor where the token is one that we have signed. With
        `count` 0 nothing is charged, and it is refused all the same when nothing is left.
        """
        rate: Rate = getattr(self.limits, what)
        factor = self.limits.address_factor
        self._take((address, what), (rate[0] * factor, rate[1] * factor), count)
        if visitor is not None:
            self._take((visitor, what), rate, count)

    def spend_at(self, table: str, what: str) -> None:
        self._take((table, what), getattr(self.limits, what))

    def _take(self, key: tuple[str, str], rate: Rate, count: int = 1) -> None:
        now = time.monotonic()
        with self.lock:
            bucket = self.buckets.get(key)
            if bucket is None:
                bucket = self.buckets[key] = Bucket(rate[0], now)
            self.buckets.move_to_end(key)
            wait = bucket.take(rate, now, count)
            while len(self.buckets) > self.most or self._oldest.full_at < now:
                self.buckets.popitem(last=False)
        if wait:
            seconds = max(1, round(wait))
            unit = "second" if seconds == 1 else "seconds"
            raise TooMuch(f"That was too often; try again in {seconds} {unit}.", seconds)


    @property
    def _oldest(self) -> Bucket:
        return next(iter(self.buckets.values()))


def address_of(connection: HTTPConnection) -> str:
    return network_of(connection.client.host if connection.client else "")


def network_of(host: str) -> str:
    """An IPv4 address; of IPv6 the network, since everybody has all addresses of one."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host or "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
