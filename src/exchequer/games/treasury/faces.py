"""Treasury's cards as the browser shows them: one shape for both editions, and what they explain.

A face has `key`, `age`, `up` and, where the viewer knows the card, all that is printed on it.
`card.html` draws faces.
"""

import collections
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from exchequer.core.sentences import listed
from exchequer.core.words import counted

Face = dict[str, Any]


def with_faces(view: Any, is_card: Callable[[Mapping[str, Any]], bool],
               face: Callable[[Mapping[str, Any]], Face]) -> Any:
    """A copy of a view in which every card has become a face."""
    if isinstance(view, Mapping):
        if is_card(view):
            return face(view)
        return {key: with_faces(value, is_card, face) for key, value in view.items()}
    if isinstance(view, list):
        return [with_faces(value, is_card, face) for value in view]
    return view


def seats_from(own: int, seats: int) -> list[int]:
    """Clockwise from the viewer; somebody who only watches begins with the first seat."""
    return [(max(own, 0) + step) % seats for step in range(seats)]


def laid_out(view: Mapping[str, Any], is_card: Callable[[Mapping[str, Any]], bool],
             face: Callable[[Mapping[str, Any]], Face],
             places: Callable[[int, Mapping[str, Any]], list[dict[str, Any]]],
             ages: Sequence[str]) -> dict[str, Any]:
    """What the template wants worked out of a view."""
    shown = with_faces(view, is_card, face)
    players = shown["players"]
    for seat, player in enumerate(players):
        player["places"] = places(seat, player)
    return {"shown": shown, "players": players, "order": seats_from(view["seat"], len(players)),
            "own": view["seat"], "ages": ages}


def places_of(seat: int, player: Mapping[str, Any], slots: int,
              placed: Callable[[Any], dict[str, Any] | None]) -> list[dict[str, Any]]:
    """All places in front of a player, taken or not; each is a region of its own."""
    taken = {business["place"]: business for business in player["businesses"]}
    return [{"where": seat * slots + slot, "business": placed(taken.get(slot + 1))}
            for slot in range(slots)]


def card_text(face: Face) -> str:
    """Both halves in words."""
    provides = provisions(face["provides"]) or "nothing"
    barbarians = " with barbarians" if face["barbarian"] else ""
    return (f"Age {face['age']}. Business {face['name']}: provides {provides}; opens with "
            f"{counted(face['develop'], 'card')} or {face['gold']} gold; its contract is "
            f"worth {face['contract']}. {face['ability']} Event {face['event']}: demands "
            f"{face['demand']}{barbarians}. {face['effect']}")


def provisions(icons: Sequence[str]) -> str:
    """`food and stone`, or `2 food and 1 stone` where one is there more than once."""
    counts = collections.Counter(icons)
    if len(counts) == len(icons):
        return listed(icons)
    return listed([f"{count} {icon}" for icon, count in counts.items()])
