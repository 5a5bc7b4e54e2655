"""The designer's desk in Chromium: numbers are changed, played, watched, compared and kept."""

import json
import pathlib
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from served import Served
from visitors import DESKTOP, PHONE, Person, expect

from exchequer.core.find import all_games, find_game
from exchequer.lab.executors import Threads
from exchequer.lab.folder import Folder
from exchequer.lab.runs import plan_of
from exchequer.lab.studies import run_study
from exchequer.table.desk import Desk
from exchequer.table.desk_fields import parts_of
from exchequer.table.desk_pages import add_desk

pytestmark = pytest.mark.xdist_group(__name__)
PAGE = 60_000  # bytes of a page with its style and script
RUNS = 180_000  # milliseconds in which a run of a few games ends on any machine


@pytest.fixture(scope="module")
def at_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Desk]]:
    """A table with a desk; what it runs is played as plain Python, so that nothing is compiled."""
    folder = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EXCHEQUER_PYTHON", "1")
        served = Served(str(folder / "table.db"), reports=(folder / "runs",))
        desk = Desk(served.service, folder / "runs")
        add_desk(served.app, desk)
        with served:
            yield served, desk
        desk.runs.stop()


def designer(browser: Any, served: Served, desk: Desk, size: dict[str, int]) -> Person:
    found = Person(browser, served.url, size)
    found.goes_to(f"/desk/enter?key={desk.key}&game=kingdom")
    return found


def sets(person: Person, key: str, value: object) -> None:
    person.page.locator(f'[name="set.{key}"]').fill(str(value))


def runs(person: Person, form: Any, games: int, button: str) -> None:
    """Start an experiment and watch it until its result is there."""
    form.locator("[name=bots]").select_option("random")
    form.locator("[name=games]").fill(str(games))
    form.get_by_role("button", name=button).click()
    person.page.wait_for_url("**/desk/run/**")
    expect(person.page.get_by_role("link", name="Read the whole report")).to_be_visible(
        timeout=RUNS)


def experiment(person: Person, kind: str) -> Any:
    form = person.page.locator(f"form:has(input[name=kind][value={kind}])")
    fold = person.page.locator(f"details:has(input[name=kind][value={kind}]) > summary")
    if fold.count():
        fold.click()
    return form


def test_a_designer_changes_numbers_and_sees_what_they_do(chromium: Any, at_desk: Any):
    served, desk = at_desk
    ana = designer(chromium, served, desk, DESKTOP)
    page = ana.page
    # three numbers, kept under a name
    ana.goes_to("/desk/game/kingdom?search=start+gold")
    sets(ana, "start_gold", 12)
    expect(page.locator("[data-count]")).to_have_text("1 changed, not saved")
    page.locator("[name=name]").fill("rich")
    ana.clicks("Save", exact=True)
    expect(page.locator("#changed + ul")).to_contain_text("start_gold: 10 is now 12")
    ana.goes_to("/desk/game/kingdom?variant=rich&search=turn+limit")
    sets(ana, "turn_limit", 6)
    ana.clicks("Save", exact=True)
    ana.goes_to("/desk/game/kingdom?variant=rich&search=mill+price")
    sets(ana, "building.mill.price", 3)
    ana.clicks("Save", exact=True)
    expect(page.locator("#changed + ul li")).to_have_count(3)
    expect(page.locator("#versions + ol li")).to_have_count(3)
    # played while she watches
    runs(ana, experiment(ana, "run"), 20, "Play it while I watch")
    first = page.url.rsplit("/", 1)[1]
    expect(page.locator(".told")).to_contain_text("A game takes")
    # a game of it on the board
    page.get_by_role("button", name="random longest game").click()
    page.wait_for_url("**/replay**")
    expect(page.locator("#board")).to_be_visible()
    # the dial, and what it chose as a variant
    ana.goes_to("/desk/game/kingdom?variant=rich&search=turn+limit")
    page.get_by_role("button", name="Let turn limit move on the dial").click()
    dial = page.locator("#dial form")
    assert dial.locator("[name=over]").input_value() == "turn_limit=3..12"
    dial.locator("[name=target]").fill("length=3..8")
    dial.locator("[name=trials]").fill("2")
    runs(ana, dial, 4, "Tune")
    page.locator("[name=name]").first.fill("tuned")
    page.get_by_role("button", name="Keep as a variant").first.click()
    page.wait_for_url("**/game/kingdom?variant=tuned")
    # two variants compared on the same deals
    ana.goes_to("/desk/game/kingdom?variant=rich")
    page.get_by_text("Compare it with another variant").click()
    runs(ana, page.locator("form:has(select[name=other])"), 10, "Compare on the same deals")
    expect(page.locator(".lead")).to_contain_text("rich against the game as it ships")
    # all of it in the history, two of it side by side
    ana.goes_to("/desk/runs?game=kingdom")
    expect(page.locator("tbody tr")).to_have_count(3)
    page.get_by_label(f"{first} as A").check()
    page.get_by_label("kingdom-tune-1 as B").check()
    ana.clicks("Show A and B side by side")
    expect(page.locator(".two .panel")).to_have_count(2)
    ana.close()


def test_on_a_phone_everything_fits_and_a_run_can_be_stopped(chromium: Any, at_desk: Any):
    served, desk = at_desk
    ben = designer(chromium, served, desk, PHONE)
    page = ben.page
    assert not overflows(ben)
    sets(ben, "start_gold", 11)
    page.locator("[name=name]").fill("pocket")
    ben.clicks("Save", exact=True)
    expect(page.locator("#changed + ul")).to_contain_text("start_gold")
    form = experiment(ben, "run")
    form.locator("[name=bots]").select_option("random")
    form.locator("[name=games]").fill("400")
    form.get_by_role("button", name="Play it while I watch").click()
    expect(page.locator("#live progress")).to_be_visible(timeout=RUNS)
    expect(page.locator("#live tbody tr").first).to_contain_text("of 400")
    assert not overflows(ben)
    ben.clicks("Stop: this is clear enough")
    expect(page.get_by_role("button", name="Go on")).to_be_visible(timeout=RUNS)
    expect(page.locator("#live")).to_contain_text("stopped")
    ben.close()


@pytest.fixture(scope="module")
def biased(at_desk: Any) -> str:
    """A run of a game in which the second seat has all the gold, and so wins."""
    _, desk = at_desk
    name, game = "kingdom-run-900", next(g for g in all_games() if g.name == "kingdom")
    content = game.content({"rules": {"turn_limit": 2, "start_gold": 0, "compensation": "gold3"}})
    plan = plan_of("run", game, content, ["random"], 40, None, 0)
    run_study(plan, Folder(desk.runs.folder / name), Threads(1))
    return name


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_replay_opens_from_a_finding(chromium: Any, at_desk: Any, biased: str,
                                       size: dict[str, int]):
    """From the report to the desk, and on to the board."""
    served, desk = at_desk
    ana = designer(chromium, served, desk, size)
    ana.goes_to(f"/reports/{biased}")
    assert not overflows(ana)
    expect(ana.page.locator(".verdict")).to_contain_text("The first seat wins")
    expect(ana.page.locator(".findings li").first.locator("svg")).to_be_visible()
    ana.page.get_by_role("link", name="a game that shows it").first.click()
    ana.page.wait_for_url(f"**/desk/run/{biased}#*")
    shown = ana.page.locator("li:target")
    expect(shown).to_contain_text("The first seat wins less than its share")
    shown.get_by_role("button", name="Watch it on the board").click()
    ana.page.wait_for_url("**/replay**")
    expect(ana.page.locator("#board")).to_be_visible()
    ana.close()


def overflows(person: Person) -> bool:
    return person.page.evaluate("document.documentElement.scrollWidth > innerWidth")


# Without a browser -------------------------------------------------------------------------------

@pytest.fixture
def client(at_desk: Any) -> Any:
    served, desk = at_desk
    found = served.client(accept="text/html", origin=served.url)
    found.follow_redirects = True
    found.get("/desk/enter", params={"key": desk.key})
    return found


def test_nobody_comes_in_without_the_key(at_desk: Any):
    served, desk = at_desk
    stranger = served.client(accept="text/html", origin=served.url)
    for path in ("/desk", "/desk/game/kingdom", "/desk/runs", "/desk/enter?key=guess",
                 "/desk/live/kingdom-run-1", "/desk/toml/kingdom"):
        assert stranger.get(path).status_code == 401, path
    for path in ("/desk/save", "/desk/run", "/desk/compare", "/desk/stop/kingdom-run-1"):
        assert stranger.post(path, data={"game": "kingdom"}).status_code == 401, path
    assert desk.key not in stranger.get("/").text


def test_another_site_cannot_write(at_desk: Any):
    served, desk = at_desk
    lured = served.client(accept="text/html", origin="https://elsewhere.example")
    lured.cookies.set("exchequer_desk", desk.key)
    answer = lured.post("/desk/save", data={"game": "kingdom", "name": "x", "set.start_gold": "1"})
    assert answer.status_code == 403
    assert not desk.runs.variants(next(g for g in all_games() if g.name == "kingdom")
                                  ).path("x").exists()


def test_a_table_without_a_desk_has_no_such_page(served: Served):
    assert served.client(accept="text/html").get("/desk").status_code == 404


def test_every_page_is_small(client: Any):
    shared = sum(len(client.get(f"/static/{name}").content)
                 for name in ("site.css", "desk.css", "desk.js"))
    for game in all_games():
        for part in parts_of(game):
            answer = client.get(f"/desk/game/{game.name}", params={"part": part})
            assert answer.status_code == 200
            assert shared + len(answer.content) <= PAGE, (game.name, part)


def test_what_is_exported_is_what_was_changed(client: Any):
    client.post("/desk/save", data={"game": "kingdom", "variant": "", "name": "small",
                                    "set.start_gold": "9", "set.turn_limit": "22"})
    assert client.get("/desk/toml/kingdom", params={"variant": "small"}).text == (
        "[rules]\nstart_gold = 9\n")


def test_a_value_out_of_bounds_is_a_sentence(client: Any):
    answer = client.post("/desk/save", data={"game": "kingdom", "variant": "", "name": "wrong",
                                             "set.start_gold": "-3"})
    assert answer.status_code == 422
    assert "start_gold" in answer.text


def test_a_variant_becomes_what_it_was(client: Any, at_desk: Any):
    for gold in (12, 14):
        client.post("/desk/save", data={"game": "kingdom", "variant": "", "name": "back",
                                        "set.start_gold": str(gold)})
    client.post("/desk/restore", data={"game": "kingdom", "variant": "back", "version": "1"})
    assert "start_gold = 12" in client.get("/desk/toml/kingdom", params={"variant": "back"}).text


def test_a_variant_is_played_at_once(client: Any):
    client.post("/desk/save", data={"game": "kingdom", "variant": "", "name": "at_once",
                                    "set.start_gold": "12"})
    answer = client.post("/desk/play", data={"game": "kingdom", "variant": "at_once"})
    assert "/table/" in str(answer.url)


def test_a_finding_leads_to_the_next_experiment(client: Any, at_desk: Any, biased: str):
    """It starts at once, on other seeds."""
    _, desk = at_desk
    tried = next(one for one in desk.runs.found(biased)["findings"] if "next" in one)
    page = client.get(f"/desk/run/{biased}").text
    assert tried["next"]["why"] in unescape(page)
    answer = client.post(f"/desk/next/{biased}", data={"finding": tried["id"]})
    started = str(answer.url).rsplit("/", 1)[1]
    assert desk.plan(started).seed == 1_000_000
    desk.runs.interrupt(started)
    assert client.post(f"/desk/next/{biased}", data={"finding": "none"}).status_code == 404


@pytest.mark.parametrize("path", ["/desk/run/nothing", "/desk/two?a=x&b=y", "/desk/game/chess"])
def test_what_is_not_there_is_a_sentence(client: Any, path: str):
    assert client.get(path).status_code in (404, 422)


def test_a_thousand_runs_are_shown_a_page_at_a_time(client: Any, at_desk: Any,
                                                    monkeypatch: pytest.MonkeyPatch,
                                                    tmp_path: pathlib.Path):
    _, desk = at_desk
    for number in range(120):
        place = tmp_path / f"kingdom-run-{number}"
        place.mkdir()
        (place / "plan.toml").write_text('kind = "run"\ngame = "kingdom"\n'
                                         'lineups = [{ bots = "greedy", games = 10 }]\n')
        (place / "summary.json").write_text(json.dumps({"verdict": f"Verdict {number}."}))
    monkeypatch.setattr(desk.runs, "folder", tmp_path)
    answer = client.get("/desk/runs")
    assert "120 runs" in answer.text
    assert answer.text.count("Verdict") == 40
    assert client.get("/desk/runs", params={"first": 80}).text.count("Verdict") == 40


def test_a_playtest_of_a_variant_of_ones_own_is_run_beside_bots(at_desk: tuple[Served, Desk],
                                                               chromium: Any):
    served, desk = at_desk
    desk.runs.variants(find_game("kingdom")).save("brief", {"turn_limit": 2})
    eve = Person(chromium, served.url, DESKTOP)
    eve.goes_to(f"/desk/enter?key={desk.key}&game=kingdom")
    page = eve.goes_to("/desk/game/kingdom?variant=brief")
    eve.clicks("Playtest it with people", "link")
    expect(page.locator("[name=variant]")).to_have_value("brief")
    page.locator("[name=people]").select_option("1")
    eve.clicks("Set it up")
    page.get_by_label("Link for testers").wait_for()
    page.get_by_label("Games of bots").fill("2")
    eve.clicks("Run it beside bots at the desk")
    page.wait_for_url("**/desk/run/**")
    expect(page.get_by_role("link", name="Read the whole report")).to_be_visible(timeout=RUNS)
    expect(page.locator(".told")).to_contain_text("0 whole games by 0 testers")
    plan = desk.plan(page.url.rpartition("/")[2])
    assert plan and plan.kind == "people" and plan.overlay == {"rules": {"turn_limit": 2}}
    eve.close()
