"""Three people bargain in three browsers: by clicking the map and typing."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from served import Served
from visitors import Person, expect, wait_until

from exchequer.core.agenda import asked
from exchequer.games.greement.state import Ask
from exchequer.games.greement.words import SQUARES
from exchequer.table.match import Match

pytestmark = pytest.mark.xdist_group(__name__)
ANN, BEN, CLEO = range(3)
OPEN = """async () => (await (await fetch('/api/v1/tables', {method: 'POST',
  headers: {'content-type': 'application/json'}, body: JSON.stringify({game: 'greement', seed: 1,
  seats: ['me', 'friend', 'friend'], private_talk: true,
  settings: {bundle_trades: true, first_loan_max: 40}})
  })).json()).id"""


@pytest.fixture
def people(chromium: Any, served: Served) -> Iterator[list[Person]]:
    found = [Person(chromium, served.url) for _ in range(3)]
    yield found
    for person in found:
        person.close()


def sit_down(people: list[Person], served: Served) -> Match:
    """A table at which Ann has the first turn and everybody owns one square."""
    people[ANN].goes_to("/")
    table = people[ANN].page.evaluate(OPEN)
    for person in people:
        page = person.goes_to(f"/table/{table}")
        if person is not people[ANN]:
            page.get_by_role("button", name=re.compile("Take a seat")).click()
            page.locator(".seats small", has_text="you").wait_for()
    match = served.service.match(table)
    while len(match.asked_seats) == 1:
        match.play(match.asked or 0, match.legal()[0], match.version)
    for seat, loan in ((CLEO, 9), (BEN, 30), (ANN, 40)):  # in any order
        match.enter(seat, loan, match.version_of(seat))
    return match


def clicks_square(person: Person, name: str) -> None:
    person.page.locator(f"#board [data-square='{name}']").click()


def test_a_swap_with_cash_and_a_split_tax(people: list[Person], served: Served):
    match = sit_down(people, served)
    homes = [match.view(seat)["players"][seat]["start"] for seat in (ANN, BEN)]
    ann, ben, cleo = people
    form = ann.page.locator("[data-deal]")
    form.wait_for()
    for name in homes:
        clicks_square(ann, name)
    expect(form.locator(".sides")).to_have_text(
        f"You give {homes[0].upper()}, you get {homes[1].upper()}.")
    form.get_by_label("Price").fill("1")
    form.get_by_label("I pay it").check()
    form.get_by_label("Tax").select_option("both")
    expect(form.locator(".weighed")).to_contain_text("You get")
    form.get_by_role("button", name="Send the offer").click()

    reply = ben.page.locator("[data-deal]")
    expect(reply.get_by_label("Price")).to_have_value("1")
    expect(reply.locator(".sides")).to_have_text(
        f"You give {homes[1].upper()}, you get {homes[0].upper()}.")
    reply.get_by_label("Price").fill("3")
    reply.get_by_role("button", name="Send the counter-offer").click()
    expect(form.get_by_label("Price")).to_have_value("3")
    form.get_by_label("Price").fill("2")
    form.get_by_role("button", name="Send the counter-offer").click()
    expect(reply.get_by_label("Price")).to_have_value("2")
    assert [offer["price"] for offer in match.deals(BEN)] == [1, 3, 2]
    expect(cleo.page.locator(".bargain li")).to_have_count(3)
    assert "pays" not in cleo.page.locator(".bargain").inner_text()

    ben.page.locator("#board [data-spot=accept]").click()
    wait_until(lambda: match.asked == ANN)
    owners = {square["name"]: square["owner"] for square in match.view(CLEO)["squares"]}
    assert (owners[homes[0]], owners[homes[1]]) == (BEN, ANN)
    expect(cleo.page.locator(".bargain li.accepted")).to_have_count(1)


def test_a_click_counts_while_the_weighing_comes(people: list[Person], served: Served):
    """What the server says to the terms pushed the button away from under the finger."""
    match = sit_down(people, served)
    page, held = people[ANN].page, []
    page.route("**/deals/weighed", lambda route: held.append(route))
    form = page.locator("[data-deal]")
    form.wait_for()
    for seat in (ANN, BEN):
        clicks_square(people[ANN], match.view(seat)["players"][seat]["start"])
    form.get_by_label("Price").fill("1")
    form.get_by_role("button", name="Send the offer").hover()
    page.mouse.down()
    for weighing in held:
        weighing.continue_()
    expect(form.locator(".weighed")).to_contain_text("You")
    page.mouse.up()
    wait_until(lambda: len(match.deals(BEN)) == 1)


def test_a_sale_at_a_price_of_ones_own_takes_three_clicks_and_a_number(people: list[Person],
                                                                      served: Served):
    match = sit_down(people, served)
    home = match.view(ANN)["players"][ANN]["start"]
    form = people[ANN].page.locator("[data-deal]")
    form.wait_for()
    clicks_square(people[ANN], home)  # one
    form.locator("[name=to]").last.click()  # two
    form.get_by_label("Price").fill("11")
    form.get_by_role("button", name="Send the offer").click()  # three
    wait_until(lambda: match.asked == CLEO)
    assert [(offer["gives"], offer["price"]) for offer in match.deals(CLEO)] == [([home], 11)]


def test_out_of_turn_one_proposes_and_the_player_in_turn_takes_it_up(people: list[Person],
                                                                     served: Served):
    match = sit_down(people, served)
    ann, ben, cleo = people
    home = match.view(BEN)["players"][BEN]["start"]
    form = ben.page.locator("[data-deal]")
    form.wait_for()
    form.locator("summary").click()
    form.get_by_label(home.upper(), exact=True).check()
    form.get_by_label("Price").fill("4")
    form.get_by_role("button", name="Propose it").click()
    expect(cleo.page.locator(".proposals li")).to_have_count(1)
    assert "pays" not in cleo.page.locator(".proposals").inner_text()
    ann.page.locator(".proposals").get_by_role("button", name="Accept").click()
    wait_until(lambda: match.proposals(ANN) == [])
    owners = {square["name"]: square["owner"] for square in match.view(CLEO)["squares"]}
    assert owners[home] == ANN and match.asked == ANN


def test_what_is_half_filled_in_outlives_what_others_do(people: list[Person], served: Served):
    """Ben draws up a proposal on the map, out of turn, while Ann goes on with hers."""
    match = sit_down(people, served)
    ben = people[BEN]
    home = match.view(BEN)["players"][BEN]["start"]
    form = ben.page.locator("[data-deal]")
    form.wait_for()
    clicks_square(ben, home)
    expect(form.locator(".sides")).to_contain_text(f"You give {home.upper()}")
    form.get_by_label("Price").fill("17")
    form.get_by_label("Tax").select_option("seller")
    form.evaluate("form => { form.dataset.old = 1; }")
    for text in ("borrow", "type", "digit:5", "confirm"):
        match.play(ANN, match.game.words.TEXTS.action(text), match.version)
    mine = match.view(ANN)["players"][ANN]["start"]
    match.propose(ANN, {"to": CLEO, "squares": [mine], "price": 2, "pays": False, "tax": "buyer"},
                  match.version_of(ANN))
    expect(ben.page.locator("[data-deal][data-old]")).to_have_count(0)  # drawn again
    expect(form.get_by_label("Price")).to_have_value("17")
    expect(form.get_by_label("Tax")).to_have_value("seller")
    expect(form.locator(".sides")).to_contain_text(f"You give {home.upper()}")
    expect(ben.page.locator("#board .dealt")).to_have_count(1)


def beside_bots(people: list[Person], served: Served) -> tuple[Match, Any, str]:
    """Ann's first turn at a table with two bots: the game, her form, the square of one of them."""
    ann = people[ANN]
    ann.goes_to("/")
    table = ann.page.evaluate(OPEN.replace("'friend', 'friend'", "'easy', 'easy'"))
    match = served.service.match(table)
    form = ann.goes_to(f"/table/{table}").locator("[data-deal]")
    wait_until(lambda: match.asked_seats == [ANN] or len(match.asked_seats) == 3)
    while match.position.state.active != ANN:
        wait_until(lambda: ANN in match.asked_seats)
        if match.position.state.revealed and not match.position.state.loans_open:
            match.enter(ANN, 40, match.version_of(ANN))
        else:
            match.play(ANN, match.legal()[0], match.version_of(ANN))
        wait_until(lambda: ANN in match.asked_seats)
    form.wait_for()
    return match, form, match.view(ANN)["players"][BEN]["start"]


def test_a_bot_is_offered_counters_and_accepts(people: list[Person], served: Served):
    match, form, theirs = beside_bots(people, served)
    ann = people[ANN]
    clicks_square(ann, theirs)
    form.get_by_label("Price").fill("1")
    form.get_by_role("button", name="Send the offer").click()
    counter = ann.page.locator(".bargain li", has_text="countered")
    expect(counter).to_have_count(1)
    expect(form.get_by_role("button", name="Send the counter-offer")).to_be_visible()
    offers = match.deals(ANN)
    assert [offer["from"] for offer in offers] == [ANN, BEN] and offers[1]["price"] > 1
    form.get_by_label("Price").fill(str(offers[1]["price"] + 1))
    form.get_by_role("button", name="Send the counter-offer").click()
    wait_until(lambda: [offer["state"] for offer in match.deals(ANN)]
               == ["countered", "countered", "accepted"])
    assert theirs in [square["name"] for square in match.view(ANN)["squares"]
                      if square["owner"] == ANN]


def test_a_bot_that_declines_says_why(people: list[Person], served: Served):
    """It does not counter a swap; what it says is for Ann alone."""
    match, form, theirs = beside_bots(people, served)
    ann = people[ANN]
    clicks_square(ann, theirs)
    clicks_square(ann, match.view(ANN)["players"][ANN]["start"])
    form.get_by_label("Price").fill("90")
    form.get_by_role("button", name="Send the offer").click()
    declined = ann.page.locator(".bargain li.declined")
    expect(declined).to_contain_text(re.compile("“I (cannot pay that|would lose by it).”"))
    assert "said" in match.deals(ANN)[0] and "said" not in match.deals(CLEO)[0]


def test_a_vote_is_answered_out_of_order_and_a_broken_word_stays_beside_the_name(
        people: list[Person], served: Served):
    """Ann promises Ben to vote against the next event. Cleo, who comes last, votes first."""
    match = sit_down(people, served)
    for text in ("promise", "seat:2", "promise:against"):
        match.play(ANN, match.game.words.TEXTS.action(text), match.version)
    for seat in (ANN, BEN, CLEO):
        match.play(seat, match.game.words.TEXTS.action("end"), match.version)
    assert match.asked_seats == [ANN, BEN, CLEO] and asked(match.position.state) == Ask.VOTE
    waits = people[CLEO].page.locator(".status .question")
    people[CLEO].page.locator("[data-spot=vote-against]").click()
    expect(waits).to_contain_text(f"{match.names[ANN]} and {match.names[BEN]} are to answer")
    people[BEN].page.locator("[data-spot=vote-let]").click()
    expect(waits).to_contain_text(f"{match.names[ANN]} is to move")
    assert match.asked_seats == [ANN]  # nothing is opened before all have answered
    assert not any(line.startswith(match.names[CLEO]) and "against" in line
                   for line in people[ANN].page.locator("#log li").all_inner_texts())
    people[ANN].page.locator("[data-spot=vote-let]").click()
    for person in people:
        expect(person.page.locator("[data-region=players] tr").nth(ANN + 1)).to_contain_text(
            "0 kept, 1 broken")
        expect(person.page.locator("#log")).to_contain_text(
            re.compile(rf"{match.names[CLEO]} votes? against|You vote against"))


def test_a_bot_that_is_asked_names_a_price_and_takes_it(people: list[Person], served: Served):
    match, form, theirs = beside_bots(people, served)
    clicks_square(people[ANN], theirs)
    form.get_by_role("button", name="What would you take?").click()
    expect(form.get_by_label("Price")).not_to_have_value("")
    price = int(form.get_by_label("Price").input_value())
    form.get_by_role("button", name="Send the offer").click()
    wait_until(lambda: [(offer["price"], offer["state"]) for offer in match.deals(ANN)]
               == [(price, "accepted")])
    assert match.view(ANN)["squares"][SQUARES.index(theirs)]["owner"] == ANN


def test_the_bell_ends_the_game_for_everybody(people: list[Person], served: Served):
    match = sit_down(people, served)
    assert match.content.value("end_mode") == "clock"
    texts = " ".join(person.page.content() for person in people)
    seconds = int(match.position.state.deadline)
    rings = int((match.history.started or 0) + match.position.state.deadline)
    # a word of its own: digests and times have any four digits somewhere
    assert not re.search(rf"\b({seconds}|{rings})(\d{{3}})?\b", texts)
    assert not match.tick(time.time())
    assert match.tick(time.time() + 2 * 60 * 60)
    for person in people:
        expect(person.page.locator(".ribbon")).to_contain_text("The bell has rung")
    assert match.is_over


def test_two_talk_in_private_and_the_third_sees_that_they_do(people: list[Person], served: Served):
    match = sit_down(people, served)
    ann, ben, cleo = people
    whom = ann.page.get_by_label("To whom")
    whom.focus()
    whom.select_option(label=f"in private: {match.names[BEN]}")
    for text in ("Shall we vote against it?", "I pay 3c"):
        says = ann.page.get_by_label("Message", exact=True)
        says.fill(text)
        says.press("Enter")
        expect(ben.page.locator("#chat")).to_contain_text(text)
    expect(ben.page.locator("#chat")).to_contain_text(f"to {match.names[BEN]}, in private")
    expect(cleo.page.locator("#chat li")).to_have_text(
        [f"{match.names[ANN]} and {match.names[BEN]} talk in private."])
    cleo.page.reload()
    expect(cleo.page.locator("#chat li")).to_have_count(1)
    assert "vote against" not in "".join(cleo.received) + cleo.page.content()
