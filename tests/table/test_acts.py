"""A later act of The Jagged Time in Chromium, every move of it by a click on what is offered."""

from typing import Any

import pytest
from served import Served
from visitors import Person, expect

from exchequer.bots.bot import Bot
from exchequer.core.build import Mode
from exchequer.core.sentences import Said
from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.acts import ACT_NAMES
from exchequer.games.jagged_time.state import Ending
from exchequer.games.jagged_time.texts import card_name
from exchequer.table.clocks import Clock
from exchequer.table.guard import COOKIE
from exchequer.table.history import Seat
from exchequer.table.match import Match
from exchequer.table.table_setup import TableSetup

pytestmark = pytest.mark.xdist_group("browser")
ME, SEED = "5" * 32, 1


def sits_down(chromium: Any, served: Served, variant: str) -> tuple[Person, Match]:
    """A visitor alone at a table of that variant."""
    GAME.engine(Mode.COMPILED).prepare()
    table, person = served.service, Person(chromium, served.url)
    table.store.remember(ME, "Ann")
    setup = TableSetup(GAME, GAME.variant(variant), [Seat(ME, None, "Ann")], Clock(), SEED)
    match = table.registry.open(setup, f"act-{variant}")
    person.context.add_cookies([{"name": COOKIE, "value": table.tokens.issue(ME).token,
                                 "url": served.url}])
    person.goes_to(f"/table/{match.id}")
    return person, match


def test_the_second_act_is_played_by_clicks(chromium: Any, served: Served):
    person, match = sits_down(chromium, served, "act-two")
    page, passed = person.page, []
    expect(page.locator(".news")).to_contain_text("begins")
    for seen in person.follows(match, Bot(GAME, "hard", SEED)):
        key = match.content.words["index"]["cards"][seen.milestone]
        if key not in passed:
            passed.append(key)
            expect(page.locator(".goals")).to_contain_text(card_name(match.content, key))
            expect(page.locator(".ribbon")).to_contain_text(ACT_NAMES[seen.act])
    ending = Ending(match.position.state.ending)
    told = GAME.words.sentences.said("ending", ending.name, Said(match.content, ()))
    expect(page.locator(".status")).to_contain_text(f"The game is over: {told}")
    assert (passed[0], len(passed) == 4 or ending != Ending.WON) == ("M6", True)
    person.close()
