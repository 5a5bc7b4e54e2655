"""Treasury 0.17 in the browser: where its actions are done and what is explained."""

from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.agenda import top_item
from exchequer.core.content import Content
from exchequer.core.records import NOBODY
from exchequer.core.words import counted
from exchequer.games.treasury.faces import Face, laid_out, places_of
from exchequer.games.treasury.v17.cards import Ability
from exchequer.games.treasury.v17.drawing import age_pile
from exchequer.games.treasury.v17.questions import observed_pile
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Do, Pile
from exchequer.games.treasury.v17.words import AGES, CARDS
from exchequer.games.treasury.v17.zones import current_pile, slot_of

USES = {  # what an ability of a business of one's own does
    Do.FREE_DEVELOP: Ability.FREE_DEVELOP, Do.SCULPT: Ability.ACT_DISCARD,
    Do.WHALE: Ability.ACT_REPLACE, Do.TEACH: Ability.ACT_SWAP, Do.PERFORM: Ability.ACT_TAKE,
    Do.DISCARD: Ability.FREE_DISCARD, Do.MARKET: Ability.FREE_MARKET, Do.PEEK: Ability.FREE_PEEK,
    Do.FORESEE: Ability.FREE_PROPHECY, Do.FLIP: Ability.FREE_FLIP,
}
PLACES = {Do.PLAY: "queue", Do.FREE_PLAY: "queue", Do.PASS: "queue", Do.START: "new-business",
          Do.FREE_START: "new-business", Do.DEVELOP: "develop", Do.FROM_DISCARD: "discard"}
POSITIONS = {Ask.QUEUE_POSITION: "gap", Ask.TEACH_POSITION: "queue", Ask.DIG_POSITION: "discard"}
NUMBERED = {Pile.QUEUE: "queue", Pile.DEMAND: "demand", Pile.DISCARD: "discard"}


def spot(s: Any, content: Content, action: int) -> str:
    asked, seat, a, b = (int(number) for number in top_item(s))
    if action >= Do.CARD:
        return f"card-{CARDS[action - Do.CARD]}"
    if action >= Do.POSITION:
        return position_spot(asked, a, b, action - Do.POSITION)
    if action >= Do.SLOT:
        return f"business-{action - Do.SLOT}"
    if action >= Do.AMOUNT:
        return ""
    if action >= Do.AGE:
        return f"age-{action - Do.AGE}"
    if action >= Do.SEAT:
        return f"seat-{action - Do.SEAT}"
    if action in (Do.FROM_PILE, Do.FROM_AGE):
        pile = current_pile(s) if action == Do.FROM_PILE \
            else age_pile(s, content.record, seat, a // 2)
        return f"age-{pile - Pile.DRAW}"
    if Do.OBSERVE <= action < Do.CLOSE:
        return own_business_spot(s, content, seat, action)
    if action in USES:
        return business_with(s, content, seat, USES[Do(action)])
    return PLACES.get(Do(action), "")


def position_spot(asked: int, a: int, b: int, index: int) -> str:
    """A card of a pile by its number, or a gap in the queue (Smelter)."""
    pile = POSITIONS.get(Ask(asked)) or NUMBERED.get(observed_pile(a, b), f"development-{b}")
    return f"{pile}-{index}"


def own_business_spot(s: Any, content: Content, seat: int, action: int) -> str:
    if action < Do.OPEN:
        return business_with(s, content, seat, Ability.FREE_OBSERVE)
    return f"business-{seat * N_SLOTS + (action - Do.OPEN) % N_SLOTS}"


def business_with(s: Any, content: Content, seat: int, ability: Ability) -> str:
    slot = int(slot_of(s, content.record, seat, ability, 0))
    return "" if slot == NOBODY else f"business-{seat * N_SLOTS + slot}"


def unfinished(s: Any, content: Content, legal: Sequence[int]) -> str:
    """T17-19 An action that is not used is lost."""
    left = int(s.actions)
    return f"You still have {counted(left, 'action')}." if left else ""


# What the template wants worked out --------------------------------------------------------------

def scene(view: Mapping[str, Any], content: Content) -> dict[str, Any]:
    return laid_out(view, lambda entry: "face_up" in entry, face, places, AGES)


def face(card: Mapping[str, Any]) -> Face:
    if "key" not in card:
        return {"key": "", "age": card["age"], "up": False, "name": "", "barbarian": False}
    return {
        "key": card["key"], "age": card["age"], "up": card["face_up"], "name": card["business"],
        "provides": card["provides"], "develop": card["develop_cost"], "gold": card["gold_cost"],
        "contract": card["contract"], "ability": card["ability"], "event": card["event"],
        "effect": card["effect"], "demand": card["demand"], "barbarian": False,
    }


def places(seat: int, player: Mapping[str, Any]) -> list[dict[str, Any]]:
    return places_of(seat, player, N_SLOTS, sealed)  # T17-70


def sealed(business: dict[str, Any] | None) -> dict[str, Any] | None:
    """A business with what its contract's seal says."""
    if business:
        business["seal"] = f"paid {business['contract_gold']}" if business["paid"] else "unpaid"
    return business
