"""Kingdom in the browser: where its actions are done, what is explained, how lands are laid out."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.agenda import top_seat
from exchequer.core.content import Content
from exchequer.core.words import counted
from exchequer.games.kingdom.actions import moved_from
from exchequer.games.kingdom.assets import free_slots
from exchequer.games.kingdom.state import (
    ACT_OF,
    FIRST_OF,
    LAST_MAIN,
    MOST_HAPPY,
    Act,
    Development,
    Do,
)
from exchequer.games.kingdom.words import BUILDINGS, DEVELOPMENTS, ROLES, action_name, thing

FRONT = 10  # stones of the drawn castle that can fall
PLACES = {  # Actions that are done in one place whatever is chosen
    Act.OVERWORK: "development-farm", Act.EXPAND: "new-land", Act.DEVELOP: "slot", Act.TAX: "gold",
    Act.DECREE: "new-land", Act.ATTACK: "enemy-castle", Act.FESTIVAL: "happiness",
    Act.PLOW: "new-land",
}


def spot(s: Any, content: Content, action: int) -> str:
    if Do.SELL_BUILDING <= action < Do.STOP_SELLING:
        return f"building-{BUILDINGS[action - Do.SELL_BUILDING]}"
    if Do.SELL_DEVELOPMENT <= action < Do.SELL_BUILDING:
        return f"development-{DEVELOPMENTS[action - Do.SELL_DEVELOPMENT]}"
    if action in (Do.USE_PALACE, Do.LEAVE_PALACE):
        return "building-palace"
    if not Do.END < action <= LAST_MAIN:
        return ""
    kind, seat = Act(ACT_OF[action]), int(top_seat(s))
    choice = action - int(FIRST_OF[kind])
    if (kind == Act.DEVELOP and not free_slots(s, seat)) \
            or (kind == Act.OVERWORK and not s.developments[seat, Development.FARM]):
        return ""  # K-59: what is planned ahead may have no place yet
    if kind == Act.BUILD:
        return f"building-{BUILDINGS[choice]}"
    if kind == Act.RAISE:
        return f"role-{ROLES[choice]}"
    if kind == Act.REALLOCATE:
        return f"role-{ROLES[moved_from(choice)]}"
    return PLACES[kind]


def unfinished(s: Any, content: Content, legal: Sequence[int]) -> str:
    """K-20 Action points are lost when the turn ends."""
    points = int(s.ap[top_seat(s)])
    return f"You still have {counted(points, 'action point')}." if points else ""


# What the template wants worked out --------------------------------------------------------------

def scene(view: Mapping[str, Any], content: Content) -> dict[str, Any]:
    """The viewer's kingdom first; somebody who only watches sees A's first."""
    own = max(view["seat"], 0)
    return {
        "own": own, "order": [own, 1 - own],
        "lands": [lands(kingdom) for kingdom in view["kingdoms"]],
        "standing": [standing(kingdom) for kingdom in view["kingdoms"]],
        "track": track(content),
        "effects": effects(content),
        "plan": [action_name(content, action) for action in view["plan"]],
    }


def lands(kingdom: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Developments on the lands from left to right; which land holds what does not matter (K-4)."""
    placed = [(kind, number + 1) for kind, count in kingdom["developments"].items()
              for number in range(count)]
    result = []
    for land in range(kingdom["lands"]):
        size = 2 if land < kingdom["tilled"] else 1
        here, placed = placed[:size], placed[size:]
        result.append({"tilled": size == 2, "placed": here, "free": size - len(here)})
    return result


def standing(kingdom: Mapping[str, Any]) -> int:
    """Stones of the drawn castle that still stand; one is left until it falls."""
    if kingdom["castle"] <= 0:
        return 0
    return max(1, FRONT * kingdom["castle"] // max(1, kingdom["castle_start"]))


@functools.lru_cache(maxsize=128)
def effects(content: Content) -> dict[str, str]:
    """What each building does, on one line."""
    return {key: thing(content, "building", key).line for key in BUILDINGS}


@functools.lru_cache(maxsize=128)
def track(content: Content) -> list[dict[str, Any]]:
    """K-50 The track of happiness: for each value its band, and whether the band begins here."""
    tiers = content.words["tier"]
    cells = []
    for at in range(-MOST_HAPPY, MOST_HAPPY + 1):
        reached = [key for key, tier in tiers.items()
                   if 0 < tier["happiness"] <= at or at <= tier["happiness"] < 0]
        band = max(reached, key=lambda key: abs(tiers[key]["happiness"]), default="calm")
        cells.append({"at": at, "band": band, "begins": tiers[band]["happiness"] == at,
                      "side": "glad" if at > 0 else "sad", "depth": len(reached)})
    return cells
