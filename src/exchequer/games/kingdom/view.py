"""What a seat sees of Kingdom, as plain data. Made from an observation, so it cannot leak."""

from typing import Any

from exchequer.core.agenda import asked_seat
from exchequer.core.content import Content
from exchequer.games.kingdom import rules
from exchequer.games.kingdom.actions import gold_cost
from exchequer.games.kingdom.assets import (
    absorption,
    bill,
    free_slots,
    population,
    population_cap,
    tier_of,
)
from exchequer.games.kingdom.state import SEATS, Act, Building, Tier
from exchequer.games.kingdom.words import BUILDINGS, DEVELOPMENTS, ROLES, mood


def view(s: Any, content: Content, seat: int) -> dict[str, Any]:
    return {
        "round": int(s.round_number),
        "rounds": int(content.record.turn_limit),
        "seat": seat,
        "actor": int(asked_seat(s)),
        "kingdoms": [kingdom(s, content, owner) for owner in range(SEATS)],
        "plan": [int(action) for action in s.plan[seat][: s.planned[seat]]] if seat >= 0 else [],
    }


def kingdom(s: Any, content: Content, seat: int) -> dict[str, Any]:
    c = content.record
    tier = Tier(tier_of(s, c, seat)).name.lower()
    return {
        "gold": int(s.gold[seat]), "ap": int(s.ap[seat]), "army": int(s.army[seat]),
        "fort": int(s.fort[seat]), "absorption": int(absorption(s, c, seat)),
        "castle": int(s.castle[seat]), "castle_start": int(c.hr_castle_hp),
        "happiness": int(s.happiness[seat]), "mood": mood(content, tier),
        "people": dict(zip(ROLES, s.people[seat].tolist(), strict=True)),
        "population": int(population(s, seat)), "cap": int(population_cap(s, c, seat)),
        "lands": int(s.lands[seat]), "tilled": int(s.tilled[seat]),
        "free_slots": int(free_slots(s, seat)),
        "developments": dict(zip(DEVELOPMENTS, s.developments[seat].tolist(), strict=True)),
        "buildings": [BUILDINGS[b] for b in Building if s.built[seat, b]],
        "prices": {BUILDINGS[b]: int(gold_cost(s, c, seat, Act.BUILD, b))
                   for b in Building if not s.built[seat, b]},
        "income": int(rules.income(s, c, seat)), "upkeep": int(bill(s, c, seat)),
        "festival_open": bool(s.festival_open[seat]), "plow_token": bool(s.plow_token[seat]),
        "palace_free": bool(s.palace_free[seat]), "points": int(rules.score(s, c, seat)),
    }
