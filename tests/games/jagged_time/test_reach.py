"""Which cards random play reaches when each act is played alone, and who shows the others."""

import numpy as np
import pytest

from exchequer.core.build import Mode
from exchequer.core.position import Position
from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.phrases import in_play
from exchequer.games.jagged_time.state import Event
from games.jagged_time import test_campaign, test_cards, test_oracle

GAMES = 5000
COMES_UP = (Event.PLAYED, Event.ENTERED, Event.MILESTONE, Event.CARD_GAINED, Event.CARD_TO_HAND,
            Event.DREW, Event.INTO)
SELDOM = {  # random play wins hardly a war, and does not get far on the young king's way
    **{f"C{n}": test_cards.test_provinces for n in range(21, 27)},
    **{f"C{n}": test_campaign.test_jl15_jl42_a_great_war for n in range(46, 58)},
    **dict.fromkeys(("C19+", "C40+"), test_oracle.test_playing_costs_and_gains_what_is_printed),
    **dict.fromkeys(("O53", "O54"), test_oracle.test_gifts_are_what_is_printed),
    "O52": test_oracle.test_won_tracks_cost_and_bring_what_is_printed,
    "M12": test_campaign.test_the_young_kings_way_by_sea,
    "M13": test_campaign.test_the_young_kings_way_by_land,
    "M14": test_campaign.test_the_young_kings_way_by_sea,
    "M22": test_campaign.test_the_moons_way_and_the_end_of_the_world,
    "M23": test_campaign.test_the_sun_kings_way_to_the_last_act,
    "X1": test_cards.test_playing,
}


def came_up(variant):
    """The cards that some random games have seen, from their setup on."""
    content, engine = GAME.variant(variant), GAME.engine(Mode.COMPILED)
    seeds = np.arange(GAMES, dtype=np.uint64)
    _, tally, _ = engine.run_batch(content.record, 1, seeds, GAME.step_limit)
    begun = Position(GAME, content, 1, 0).logs[0]
    kinds = {int(kind) for event in COMES_UP for kind in np.flatnonzero(tally.events[event])}
    kinds |= {int(entry.thing) for entry in begun if entry.what in COMES_UP}
    cards = content.words["index"]["cards"]
    return {cards[kind] for kind in kinds if kind < len(cards)}


def test_random_play_reaches_every_card_of_the_campaign_but_those_that_others_show():
    GAME.engine(Mode.COMPILED).prepare()
    seen = set().union(*map(came_up, ("normal", "act-two", "eclipse", "act-three")))
    missing = set(in_play(GAME.variant("campaign"))) - seen
    assert missing <= set(SELDOM)


@pytest.mark.parametrize("card", SELDOM)
def test_what_random_play_misses_is_named_where_it_is_shown(card):
    """A test with cards as parameters has this one among them; any other names it."""
    shown = SELDOM[card]
    rows = [row for mark in getattr(shown, "pytestmark", []) for row in mark.args[1]]
    assert card in str(rows) if rows else card in shown.__code__.co_consts.__repr__()
