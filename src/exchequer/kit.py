"""All that the rules of a game are written with: `from exchequer.kit import *`.

Records and content (`state.py`), the agenda, chance, piles, the log and the marks of rules
(`rules.py`), and the game itself (`__init__.py`). What each does stands at its own definition;
`docs/your-game.md` uses all of them.
"""

from enum import IntEnum

import numpy as np

from exchequer.core.agenda import (
    FIRST_STEP,
    agenda_fields,
    asked,
    asked_seat,
    drop_all,
    take_question,
    then,
    top_item,
    top_seat,
)
from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.content import Cards, Choice, Number, Numbers, Schema, Switch, Text
from exchequer.core.contract import go_on, handle_answer, handle_step, list_legal, run_steps
from exchequer.core.game import Game
from exchequer.core.handlers import handles, refuses
from exchequer.core.log import ALL, note, note_for
from exchequer.core.measures import Count, Lever, Measures
from exchequer.core.piles import (
    TOP,
    card_at,
    deal_hidden,
    draw_card,
    find_kind,
    forget,
    hide_cards,
    hide_order,
    is_known,
    lay_all,
    move,
    owner_knows,
    pile_fields,
    pile_size,
    place_of,
    reveal,
    show,
    shuffle,
    top_card,
)
from exchequer.core.records import NOBODY, apart, blank, record, rule, struct

__all__ = [
    "ALL", "FIRST_STEP", "GAME_STREAM", "NOBODY", "TOP", "Cards", "Choice", "Count",
    "Game", "IntEnum", "Lever", "Measures", "Number", "Numbers", "Schema", "Switch", "Text",
    "agenda_fields", "apart", "asked", "asked_seat", "blank", "card_at",
    "deal_hidden", "draw_card", "drop_all", "find_kind", "forget", "go_on",
    "handle_answer", "handle_step", "handles", "hide_cards", "hide_order", "is_known", "lay_all",
    "list_legal", "move", "note", "note_for", "np", "owner_knows", "pile_fields", "pile_size",
    "place_of", "record", "refuses", "reveal", "roll", "rule", "run_steps", "seed_chance", "show",
    "shuffle", "struct", "take_question", "then", "top_card", "top_item", "top_seat",
]
