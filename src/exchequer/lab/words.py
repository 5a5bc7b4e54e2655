"""How the lab puts numbers into words."""

import math
from collections.abc import Sequence

from exchequer.core import sentences
from exchequer.lab.statistics import Estimate

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def seat_name(seat: int, seats: int) -> str:
    return "the " + ("last" if seat == seats - 1 > 1 else ORDINALS[seat]) + " seat"


def counted_seats(seats: int) -> str:
    return "1 seat" if seats == 1 else f"{seats} seats"


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f} %"


def rounded(value: float) -> str:
    """To whole percent, except that only all is 100 % and only nothing 0 %."""
    return percent(value, 0 if value in (0.0, 1.0) or 0.005 < value < 0.995 else 1)


def number(value: float) -> str:
    if not math.isfinite(value):
        return "any"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def round_up(games: int) -> int:
    """To two digits: nobody needs to know a number of games more exactly."""
    step = 10 ** max(0, len(str(games)) - 2)
    return -(-games // step) * step


def between(estimate: Estimate, as_percent: bool = True) -> str:
    say = percent if as_percent else number
    return f"{say(estimate.low).removesuffix(' %')} to {say(estimate.high)}"


def listed(names: Sequence[str], most: int = 8, last: str = "and") -> str:
    """`a, b and c`; a long list is cut short and says so."""
    shown = [name.replace("_", " ") for name in names]
    if len(shown) > most:
        return f"{', '.join(shown[:most])} and {len(shown) - most} more"
    return sentences.listed(shown) if last == "and" else f" {last} ".join(
        filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def a_bot(name: str) -> str:
    """`a greedy bot`, `an easy bot`."""
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name} bot"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def signed(value: float, as_percent: bool = True) -> str:
    """A difference; between shares in percentage points."""
    return f"{100 * value:+.1f} points" if as_percent else f"{value:+.2f}"


def points(change: float, is_share: bool = True) -> str:
    """The size of a change: `4.2 percentage points` of wins, `4.20 points` of score."""
    return (f"{abs(100 * change):.1f} percentage points" if is_share
            else f"{number(abs(change))} points")


def figure(value: float, unit: str) -> str:
    """A share in percent, a difference of shares in points, anything else as a number."""
    if unit == "difference":
        return signed(value)
    return percent(value) if unit == "share" else number(value)


def interval(estimate: Estimate, unit: str) -> str:
    """`44.9 to 50.0 %`, `+12.1 to +20.3 points`."""
    if unit == "difference":
        return f"{100 * estimate.low:+.1f} to {signed(estimate.high)}"
    return between(estimate, unit == "share")


def between_numbers(value: float, low: float, high: float, as_percent: bool = True) -> str:
    """`54.8 % (52.6 to 57.0 %)`."""
    say = percent if as_percent else number
    return f"{say(value)} ({between(Estimate(value, low, high, 0), as_percent)})"
