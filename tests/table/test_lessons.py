"""Lessons in real Chromium: five first games, followed to their end; the goal; bots explained."""


import pytest
from served import Served
from visitors import MOVES, Person, expect, wait_until

from exchequer.core.find import find_game
from exchequer.core.lesson import lesson

pytestmark = pytest.mark.xdist_group(__name__)
GAMES = ("kingdom", "jagged_time", "treasury/v03", "treasury/v17", "greement")


def begins(person: Person, game: str) -> None:
    """From the lobby, by the button of the game."""
    page = person.goes_to("/")
    page.get_by_role("button", name=f"Learn {find_game(game).title} in").click()
    page.locator("#log li").first.wait_for(state="attached")


def does_what_is_asked(person: Person) -> None:
    """Click what glows, in the list of moves or on the board."""
    page, before = person.page, person.shown()
    page.locator(".wanted").first.wait_for()
    listed = page.locator("[data-move].wanted:visible")
    if not listed.count():
        page.locator(".live.wanted:visible").first.click()
        listed = page.locator("[data-move].wanted:visible")
    if person.shown() == before and listed.count():
        listed.first.click()
    page.wait_for_function(
        "before => document.querySelector('#table').dataset.moment !== before", arg=before)


def follows(person: Person) -> int:
    """Step by step, as long as the lesson asks for something."""
    page, clicks = person.page, 0
    panel = page.locator('[data-region="lesson"]')
    while True:
        page.locator("[data-wanted], .lesson:has-text('The lesson is over')").first.wait_for()
        if "The lesson is over" in panel.inner_text():
            return clicks
        does_what_is_asked(person)
        clicks += 1


@pytest.mark.parametrize("game", GAMES)
def test_a_first_game_is_followed_to_its_end(person: Person, served: Served, game: str):
    begins(person, game)
    page, found = person.page, lesson(find_game(game))
    assert found is not None
    expect(page.locator(".lesson")).to_contain_text(f"Step 1 of {len(found.steps)}")
    assert follows(person) == sum(turn.by_learner for turn in found.script)
    person.plays_to_the_end(("End", "Pass"))
    expect(page.locator("#end-title")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    done = served.service.store.steps_done(game)
    assert done[len(found.steps)] >= 1
    person.clicks("Play a whole game")
    person.waits_for_move()
    assert not served.service.match(person.table).row["lesson"]


def test_another_move_is_answered_kindly(person: Person, served: Served):
    begins(person, "kingdom")
    page = person.page
    person.waits_for_move()
    page.locator(MOVES, has_text="Tax").first.click()
    expect(page.locator(".toast")).to_contain_text("For now: Develop: House")
    assert not served.service.match(person.table).position.actions


def test_a_lesson_is_gone_on_with_and_skipped(person: Person, served: Served):
    begins(person, "kingdom")
    does_what_is_asked(person)
    expect(person.page.locator(".lesson")).to_contain_text("Step 2")
    table = person.table
    begins(person, "kingdom")
    assert person.table == table
    expect(person.page.locator(".lesson")).to_contain_text("Step 2")
    person.clicks("Skip the lesson")
    expect(person.page.locator(".games").first).to_be_visible()
    begins(person, "kingdom")
    assert person.table != table
    expect(person.page.locator(".lesson")).to_contain_text("Step 1")


def test_a_lesson_is_offered_once(person: Person):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    offer = person.page.locator(".offer")
    expect(offer).to_be_visible()
    person.page.reload()
    person.waits_for_move()
    expect(offer).to_have_count(0)
    person.goes_to("/")
    person.clicks("Play now Treasury 0.17")
    person.clicks("Start the lesson")
    expect(person.page.locator(".lesson")).to_contain_text("Step 1")


def test_where_people_stop_is_shown_to_designers(person: Person, served: Served):
    begins(person, "jagged_time")
    for step in range(2):
        expect(person.page.locator(".lesson")).to_contain_text(f"Step {step + 1}")
        does_what_is_asked(person)
    page = person.goes_to("/designers")
    rows = page.locator("details.stops", has_text="The Jagged Time").locator("tbody tr")
    done = [int(row.locator("td").nth(1).inner_text()) for row in rows.all()]
    assert done[1] >= 1 and done == sorted(done, reverse=True)
    assert b'exchequer_lesson_steps_total{game="jagged_time",step="2"}' in \
        served.service.metrics.text()


def test_the_goal_and_how_one_stands_are_always_there(person: Person, served: Served):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    goal = person.page.locator(".pinned-goal")
    expect(goal).to_contain_text("Bring the other castle down to 0")
    expect(goal).to_contain_text("You are level with")
    person.ends_turn()
    match = served.service.match(person.table)
    wait_until(lambda: len(match.position.actions) > 2 and match.asked == 0)
    wait_until(lambda: goal.locator(".standing b").all_inner_texts()
               == list(map(str, match.position.scores())))


def test_what_is_hidden_does_not_stand_there(person: Person, served: Served):
    """Greement: nobody sees anybody else's books, which are empty until the first loans."""
    person.goes_to("/")
    person.clicks("Play now Greement")
    person.waits_for_move()
    match = served.service.match(person.table)
    while not match.position.state.loans_open:
        person.moves()
        person.waits_for_move()
    wait_until(lambda: [text.replace(",", "") for text in
                        person.page.locator(".standing b").all_inner_texts()]
               == [str(match.position.scores()[0]), "?"])


def test_a_bot_says_why(person: Person, served: Served):
    person.goes_to("/")
    person.clicks("Play now Kingdom")
    person.waits_for_move()
    assert not person.page.locator("[data-why-bot]").count()
    person.ends_turn()
    expect(person.page.locator("[data-why-bot]")).to_be_in_viewport(ratio=1)
    wait_until(lambda: served.service.match(person.table).asked == 0)
    person.page.wait_for_timeout(500)  # what the bot did has been shown
    person.clicks("Why did the bot do that?")
    expect(person.page.locator(".why-bot")).to_contain_text("and puts its chances")
    expect(person.page.locator(".why-bot")).to_contain_text("The next best seemed")
