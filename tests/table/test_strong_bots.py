"""Bots that search wait for machine code, which is compiled behind the table's back."""

import pytest
from served import Served
from visitors import wait_until

from exchequer.core.find import find_game

pytestmark = pytest.mark.xdist_group("kingdom")  # where the other tests compile it


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory):
    with Served(str(tmp_path_factory.mktemp("warm") / "t.db"), warm=True) as found:
        yield found


def test_people_play_at_once_and_strong_bots_when_the_game_is_compiled(warmed: Served):
    kingdom, table = find_game("kingdom"), warmed.service
    ann = warmed.program()
    assert table.precompiler.notice(kingdom) or kingdom.name in table.precompiler.ready
    setup = {"game": "kingdom", "seats": ["easy", "me"]}
    match = ann.post("/api/v1/tables", json=setup).json()["id"]
    wait_until(lambda: table.match(match).asked == 1, 300)
    assert kingdom.name in table.precompiler.ready and not table.precompiler.notice(kingdom)
    assert "bot" in table.match(match).history.makers
    hint = ann.post(f"/api/v1/tables/{match}/hint", json={"seat": 1}).json()
    assert hint["ideas"][0]["share"] > 0 and hint["line"] and not hint["notice"]
    legal = ann.get(f"/api/v1/tables/{match}/legal", params={"seat": 1}).json()["moves"]
    assert {idea["action"] for idea in hint["ideas"]} <= {move["action"] for move in legal}


def test_nothing_is_compiled_before_the_lobby_answers():
    """Numba is not even imported to serve people."""
    import subprocess
    import sys

    program = ("import sys, exchequer.table.app as a; from exchequer.core.find import all_games;"
               "from exchequer.table.screens import game_card;"
               "[game_card(g) for g in all_games()]; assert 'numba' not in sys.modules")
    subprocess.run([sys.executable, "-c", program], check=True)
