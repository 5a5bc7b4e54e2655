"""What the eye meets: shipped fonts, whole words, words beside icons, a hand that fits."""

from collections.abc import Iterator
from typing import Any

import pytest
from served import Served
from visitors import DESKTOP, PHONE, Person, expect

from exchequer.core.find import all_games

pytestmark = pytest.mark.xdist_group(__name__)

BROKEN = """() => {
  const broken = [], range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector("#table"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.offsetWidth < 2) continue; // for screen readers alone
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
}"""
FOREIGN = """() => [...document.querySelectorAll("#table *")]
  .filter(({ childNodes }) => [...childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .map((element) => getComputedStyle(element).fontFamily.split(",")[0].replaceAll('"', ""))
  .filter((name) => !name.startsWith("Exchequer") || !document.fonts.check(`16px "${name}"`))"""
SPILT = """() => [...document.querySelectorAll(".hand")].flatMap((hand) => [...hand.children]
  .map((card) => [card.getBoundingClientRect(), hand.getBoundingClientRect()])
  .filter(([card, box]) => card.left < box.left - 8 || card.right > box.right + 8)).length"""


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def person(request: pytest.FixtureRequest, chromium: Any, served: Served) -> Iterator[Person]:
    found = Person(chromium, served.url, request.param)
    yield found
    found.close()


def begins(person: Person, game: str) -> Any:
    page = person.goes_to("/")
    page.locator(f"form:has([name=game][value='{game}']) button.primary").first.click()
    person.waits_for_move()
    return page


def test_every_text_is_in_a_shipped_font_and_no_word_is_broken(person: Person):
    for game in all_games():
        page = begins(person, game.name)
        page.evaluate("document.fonts.ready")
        assert page.evaluate(FOREIGN) == [], game.name
        assert page.evaluate(BROKEN) == [], game.name


def test_the_hand_fits(chromium: Any, served: Served):
    person = Person(chromium, served.url, DESKTOP)
    for game in ("treasury/v03", "treasury/v17", "jagged_time"):
        page = begins(person, game)
        assert page.locator(".hand > *").count() >= 4
        assert page.evaluate(SPILT) == 0, game
    person.close()


def test_words_stand_beside_icons_until_they_are_switched_off(person: Person):
    page = begins(person, "kingdom")
    captions = page.locator("#board .caption:visible")
    assert {"castle", "fortification", "army", "points"} <= set(captions.all_inner_texts())
    page.evaluate("document.querySelector('[data-captions]').click()")
    expect(captions).to_have_count(0)
    page.reload()
    person.waits_for_move()
    expect(captions).to_have_count(0)
