"""The Jagged Time as lines of text: banks, agenda with its counters, milestone and hand."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.core.words import counted
from exchequer.games.jagged_time.terminal import milestone_title
from exchequer.games.jagged_time.texts import card_name, cost_text, line, printed


def lines(view: Mapping[str, Any], content: Content, names: Sequence[str]) -> Iterator[str]:
    limit = f" of {view['collapse']}" if view["collapse"] else ""
    yield (f"Turn {view['turn']} of {view['turns']}, {view['phase']} phase. {names[0]}: "
           f"{view['points']} points, {counted(view['provinces'], 'province')}, {view['crises']}"
           f"{limit} crisis cards.")
    yield f"Banks: {', '.join(bank(name, one) for name, one in view['banks'].items())}."
    for card in view["agenda"]:
        yield agenda_line(f"Slot {card['place'] + 1}", card, content)
    title = milestone_title(view["milestone"])
    yield agenda_line(f"{title[:1].upper()}{title[1:]}", view["milestone"], content)
    yield from hand(view, content)
    yield piles(view, content)


def bank(name: str, one: Mapping[str, int]) -> str:
    gained = f" (+{one['gained']} this turn)" if one["gained"] else ""
    return f"{name} {one['bank']} of {one['maximum']}{gained}"


def agenda_line(place: str, card: Mapping[str, Any], content: Content) -> str:
    if "id" not in card:
        return f"{place}: empty."
    counters = "".join(f" [{one}]" for one in counters_of(card))
    return f"{place}: {card['name']}.{counters} {printed(content, card['id'])}"


def counters_of(card: Mapping[str, Any]) -> Iterator[str]:
    """Timer, marker and progress."""
    if timer := card.get("timer"):
        paused = ", paused" if timer["paused"] else ""
        yield f"timer {timer['at']} of {timer['size']}{paused}"
    if track := card.get("track"):
        yield f"marker at {track['at']} of {track['size']}"
    for part in card["progress"]:
        yield f"{part['name']} {part['at']} of {part['size']}"
    if upkeep := card.get("upkeep"):
        yield f"given {upkeep['at']} of {upkeep['size']} times"


def hand(view: Mapping[str, Any], content: Content) -> Iterator[str]:
    """Each kind of card once, with what it costs and does."""
    yield f"Hand ({counted(len(view['hand']), 'card')}):"
    for card, count in Counter(card["id"] for card in view["hand"]).items():
        copies = f"{count} x " if count > 1 else ""
        cost = cost_text(content, card)
        price = "free" if cost == "nothing" else cost
        yield f"- {copies}{card_name(content, card)} ({price}): {line(content, card)}"


def piles(view: Mapping[str, Any], content: Content) -> str:
    """How large the piles are, and what is known of the coming objectives."""
    known = ", ".join(f"{card_name(content, card['id'])} at {card['depth']}"
                      for card in view["known_objectives"])
    seen = f" (seen: {known})" if known else ""
    clocks = "".join(f" {clock['name']} {clock['at']} of {clock['size']}."
                     for clock in view["clocks"] if clock["at"])
    draw = view["draw"]["limit"] + view["draw"]["next"]
    return (f"Action deck {size(view['deck'])}, discard {size(view['discard'])}, next draw {draw}. "
            f"Objective deck {view['objective_deck']}{seen}, discard "
            f"{size(view['objective_discard'])}.{f' Clocks:{clocks}' if clocks else ''}")


def size(pile: Mapping[str, int]) -> int:
    return sum(pile.values())
