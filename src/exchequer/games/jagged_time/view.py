"""What the player sees of The Jagged Time, as plain data. Made from an observation, so it
cannot leak the order of a deck.
"""

from collections import Counter
from typing import Any

from exchequer.core.agenda import asked_seat
from exchequer.core.content import Content
from exchequer.core.piles import card_at, is_known, pile_size, place_of
from exchequer.games.jagged_time import rules
from exchequer.games.jagged_time.acts import ACT_NAMES
from exchequer.games.jagged_time.campaign import flood_cap, turns_left
from exchequer.games.jagged_time.cards import controlled, controlled_of, kind_at, kind_in
from exchequer.games.jagged_time.objectives import crisis_cards
from exchequer.games.jagged_time.state import Phase, Pile
from exchequer.games.jagged_time.tables import MILESTONE, NO_KIND, NO_ROW, Act, Resource
from exchequer.games.jagged_time.texts import card_name, full, named_clocks
from exchequer.games.jagged_time.words import id_of, option_name


def view(s: Any, content: Content, seat: int) -> dict[str, Any]:
    c = content.record
    return {
        "turn": int(s.turn), "turns": int(s.turn + turns_left(s, c)), "seat": seat,
        "act": ACT_NAMES[Act(s.act)], "act_turn": int(s.turn - s.act_start),
        "phase": Phase(s.phase).name.lower(), "actor": int(asked_seat(s)),
        "banks": {r.name.lower(): {"bank": int(s.bank[r]), "maximum": int(s.maximum[r]),
                                   "gained": int(s.gained_turn[r])}
                  for r in Resource if s.maximum[r] > 0 or r != Resource.TRADE},
        "agenda": [agenda_card(s, content, place) for place in range(s.slots)],
        "milestone": agenda_card(s, content, MILESTONE) | {
            "resolved": bool(s.milestone_resolved),
            "number": int(s.milestones_done) + (not s.milestone_resolved),
            "of": int(c.n_milestones)},
        "hand": [card_text(content, kind_at(s, Pile.HAND, i))
                 for i in range(pile_size(s, Pile.HAND))],
        "resolving": [card_text(content, kind_at(s, Pile.RESOLVING, i))
                      for i in range(pile_size(s, Pile.RESOLVING))],
        "paying": id_of(content, int(s.paying)) if s.paying != NO_KIND else "",
        "draw": {"limit": int(s.draw_limit), "next": int(s.next_draw)},
        "clocks": [{"name": name, "at": int(s.clock[i]), "size": int(c.clock[i].length)}
                   for i, name in enumerate(content.words["index"]["clocks"])
                   if name in named_clocks(content)],
        "deck": contents(s, content, Pile.DECK), "discard": contents(s, content, Pile.DISCARD),
        "objective_deck": int(pile_size(s, Pile.OBJECTIVE_DECK)),
        "objective_counts": contents(s, content, Pile.OBJECTIVE_DECK)
        if c.show_objective_counts else {},
        "known_objectives": known_objectives(s, content),
        "objective_discard": contents(s, content, Pile.OBJECTIVE_DISCARD),
        "removed": {id_of(content, kind): int(count) for kind, count in enumerate(s.removed)
                    if count},
        "controlled": int(controlled(s)), "provinces": int(controlled_of(s, c, c.province)),
        "crises": int(crisis_cards(s, c)), "collapse": int(flood_cap(s, c)),
        "points": int(rules.score(s, c, seat)),
    }


def card_text(content: Content, kind: int) -> dict[str, Any]:
    """A card as its name and all that can be said about it."""
    card = id_of(content, kind)
    return {"id": card, "name": card_name(content, card), "text": full(content, card)}


def contents(s: Any, content: Content, pile: int) -> dict[str, int]:
    """How many of each card lie in a pile, without their order."""
    kinds = sorted(kind_at(s, pile, i) for i in range(pile_size(s, pile)))
    return dict(Counter(id_of(content, kind) for kind in kinds))


def known_objectives(s: Any, content: Content) -> list[dict[str, Any]]:
    """J-R50 Objectives that a scout has seen, with their depth from the top."""
    size = pile_size(s, Pile.OBJECTIVE_DECK)
    return [{"depth": int(size - i), "id": id_of(content, int(s.kind[card_at(s, Pile.OBJECTIVE_DECK,
                                                                             i)]))}
            for i in range(size - 1, -1, -1)
            if is_known(s, place_of(s, Pile.OBJECTIVE_DECK, i), 0)]


def agenda_card(s: Any, content: Content, place: int) -> dict[str, Any]:
    """A card in a slot with its counters; only a place when the slot is empty."""
    c, kind = content.record, int(kind_in(s, content.record, place))
    if kind == NO_KIND:
        return {"place": place}
    card: dict[str, Any] = {"place": place, **card_text(content, kind),
                            "crisis": int(c.card[kind].crisis)}
    if c.card[kind].timer != NO_ROW:
        card["timer"] = {"at": int(s.timer[place]),
                         "size": int(c.timer[c.card[kind].timer].length),
                         "paused": bool(c.timer[c.card[kind].timer].pauses and s.advanced[place])}
    if c.card[kind].track != NO_ROW:
        card["track"] = {"at": int(s.marker[place]),
                         "size": int(c.track[c.card[kind].track].length)}
    if c.card[kind].upkeep:
        card["upkeep"] = {"at": int(s.upkeep[place]), "size": int(c.card[kind].upkeep)}
    first = int(c.card[kind].first_option)
    clocked = {i: int(c.option[first + i].clock) for i in range(c.card[kind].options)
               if c.option[first + i].clock}
    card["progress"] = [{"option": "AB"[i], "name": option_name(content, first + i),
                         "at": int(s.progress[place, i]), "size": size}
                        for i, size in clocked.items()]
    return card
