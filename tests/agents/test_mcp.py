"""The Model Context Protocol, driven by the SDK's own client: every tool over both transports."""

import contextlib
import json
import random
import re
import subprocess
import sys
import time

import anyio
import httpx2
import pytest
from mcp import Client
from meeting import Agent, Place, at_http, table_with_mcp

from exchequer.agents.door import Door
from exchequer.agents.server import mcp_server
from exchequer.core.find import game_names
from exchequer.table.limits import Limits

pytestmark = [pytest.mark.xdist_group("mcp"), pytest.mark.filterwarnings("ignore")]
TOOLS = {"list_games", "read_rules", "search_rules", "read_content", "new_table", "join_table",
         "look", "look_at_data", "legal_moves", "preview_move", "play_move", "wait_for_turn",
         "read_log", "resign", "make_variant", "start_lab_run", "compare_variants",
         "wait_for_lab", "read_findings", "list_lab_runs", "open_replay"}
SHORT = {"kingdom": {"turn_limit": 3}, "greement": {"rmin": 2, "rmax": 2},
         "jagged_time": {"turn_cap": 4}, "treasury/v17": {"turn_cap": 20},
         "treasury/v03": {"max_turns_per_player": 12}}


def test_every_tool_is_described(place: Place):
    async def main() -> None:
        async with place.agent() as agent:
            tools = (await agent.client.list_tools()).tools
            assert {tool.name for tool in tools} == TOOLS
            assert all(tool.description and tool.input_schema for tool in tools)
            assert "list_games" in agent.client.instructions

    anyio.run(main)


def test_rules_are_read_and_searched(place: Place):
    async def main() -> None:
        async with place.agent() as agent:
            games = await agent.data("list_games")
            assert [game["name"] for game in games] == list(game_names())
            said = await agent.text("read_rules", game="kingdom", paragraphs=["K-31", "k-32"])
            assert said.startswith("K-31 ") and "\n\nK-32 " in said and "`" not in said
            whole = await agent.text("read_rules", game="treasury-v17")
            assert whole.count("\n\nT17-") > 40
            assert "Mill (building)" in await agent.text("search_rules", game="kingdom",
                                                         words="mill")
            assert 'no paragraph "K-999"' in await agent.refusal(
                "read_rules", game="kingdom", paragraphs=["K-999"])
            assert 'Did you mean "kingdom"?' in await agent.refusal("read_rules", game="kingdon")
            assert "Nothing in Kingdom" in await agent.refusal(
                "search_rules", game="kingdom", words="zeppelin")

    anyio.run(main)


async def play_out(agent: Agent, table: str, chance: random.Random) -> int:
    """Any moves to the end; returns how many."""
    played = 0
    while "The game is over" not in (text := await agent.text("wait_for_turn", table=table)):
        moves = (await agent.data("legal_moves", table=table))["moves"]
        if not moves:
            continue
        assert f"\n1 {moves[0]['words']}" in text
        move = chance.choice(moves)
        by = move["number"] if played % 2 else move["move"]
        await agent.text("play_move", table=table, move=by, why=f"It is {move['words'][:40]}.")
        played += 1
    return played


@pytest.mark.parametrize("game", game_names())
def test_an_agent_plays_a_whole_game(place: Place, game: str):
    async def main() -> None:
        async with place.agent() as agent:
            opened = await agent.data("new_table", game=game, opponents=["random"], name="Zoe",
                                      seed=5, settings=SHORT.get(game, {}))
            table = opened["table"]
            seats = (await agent.data("look_at_data", table=table))["seats"]
            assert seats[0] == {"name": "Zoe (agent)", "bot": None, "free": False, "agent": True}
            assert await play_out(agent, table, random.Random(3)) >= 3
            log = await agent.text("read_log", table=table)
            assert "(Because: It is " in log
            assert "is over" in await agent.refusal("play_move", table=table, move=1)

    anyio.run(main)


def test_bad_arguments_are_answered_in_sentences(place: Place):
    async def main() -> None:
        async with place.agent() as agent:
            opened = await agent.data("new_table", game="kingdom", opponents=["greedy"], seed=1)
            table = opened["table"]
            for sentence, tool, arguments in [
                ("There is no such table", "look", {"table": "nobody"}),
                ("is no link to a table", "look", {"table": "http://"}),
                ("Choose a move from 1 to", "play_move", {"table": table, "move": 99}),
                ("(K-32)", "play_move", {"table": table, "move": "attack"}),
                ("none of your moves", "play_move", {"table": table, "move": "dance"}),
                ("moved on since", "play_move", {"table": table, "move": 1, "version": "00"}),
                ("may have 300 characters", "play_move",
                 {"table": table, "move": 1, "why": "x" * 400}),
                ("(K-32)", "preview_move", {"table": table, "move": "attack"}),
                ("table: Field required", "look", {}),
                ("seconds: Input should be", "wait_for_turn", {"table": table, "seconds": "soon"}),
                ("There is no game", "new_table", {"game": "chess"}),
                ("named bots only", "new_table", {"game": "kingdom", "opponents": ["mcts:99"]}),
                ("is for 2 players", "new_table", {"game": "kingdom", "opponents": []}),
                ("5 to 3600 seconds", "new_table", {"game": "kingdom", "seconds": 1}),
                ("no table", "read_content", {"game": "kingdom", "table": "dragons"}),
                ("There is no run", "read_findings", {"run": "../../etc"}),
                ("there are run, cards and probe", "start_lab_run",
                 {"game": "kingdom", "kind": "guess"}),
                ("no name of a variant", "make_variant",
                 {"game": "kingdom", "name": "../x", "settings": {}}),
            ]:
                said = await agent.refusal(tool, **arguments)
                assert sentence in said, (tool, arguments, said)
                assert "Error executing" not in said and "Traceback" not in said

    anyio.run(main)


def test_looking_ahead_plays_nothing(place: Place):
    async def main() -> None:
        async with place.agent() as agent:
            table = (await agent.data("new_table", game="kingdom", seed=1, name="Zoe"))["table"]
            before = await agent.text("look", table=table)
            ahead = await agent.data("preview_move", table=table, move="build:mill")
            assert any("Mill" in sentence for sentence in ahead["told"])
            assert {"gold"} <= {change["what"] for change in ahead["changes"]}
            assert await agent.text("look", table=table) == before
            assert "You have resigned" in await agent.text("resign", table=table)

    anyio.run(main)


def test_resources_and_prompts(place: Place):
    async def main() -> None:
        async with place.agent() as agent:
            client = agent.client
            templates = (await client.list_resource_templates()).resource_templates
            assert {one.uri_template for one in templates} == {
                f"exchequer://{what}/{{{key}}}" for what, key in
                (("rulebook", "game"), ("learn", "game"), ("cards", "game"), ("report", "run"))}
            for uri, part in (("rulebook/treasury-v17", "T17-1 "), ("learn/kingdom", "castle"),
                              ("cards/kingdom", "Mill (building)")):
                read = await client.read_resource(f"exchequer://{uri}")
                assert part in read.contents[0].text
                assert "](" not in read.contents[0].text and "{" not in read.contents[0].text
            with pytest.raises(Exception, match="There is no game"):
                await client.read_resource("exchequer://rulebook/chess")
            prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
            assert prompts == {"play_a_game", "playtest_variant", "explain_why_i_lost"}
            said = await client.get_prompt("play_a_game", {"game": "greement"})
            assert 'new_table(game="greement"' in said.messages[0].content.text

    anyio.run(main)


def test_a_lab_run_from_start_to_finding(place: Place):
    """Content is read and changed, played, compared; findings, report and replays are read."""
    async def main() -> None:
        async with place.agent() as agent:
            rules = await agent.data("read_content", game="kingdom")
            assert rules["entries"]["turn_limit"] == 22 and rules["about"]["turn_limit"]
            made = await agent.data("make_variant", game="kingdom", name="brief",
                                    settings={"turn_limit": 2})
            assert made["changes"] == ["turn_limit: 22 is now 2"]
            started = await agent.data("start_lab_run", game="kingdom", bots=["random"], games=20,
                                       variant="brief")
            compared = await agent.data("compare_variants", game="kingdom", a={"variant": "brief"},
                                        b={"settings": {"turn_limit": 3}}, bots=["random"],
                                        games=10)
            assert "are being played already" in await agent.refusal(
                "start_lab_run", game="kingdom")
            state = await agent.data("wait_for_lab", run=started["run"], seconds=250)
            assert state["status"] == "finished"
            found = await agent.data("read_findings", run=started["run"])
            assert found["findings"] and found["length"]["max"] <= 2
            state = await agent.data("wait_for_lab", run=compared["run"], seconds=250)
            assert state["status"] == "finished" and state["verdict"]
            replay = next(run for run in await agent.data("list_lab_runs")
                          if run["run"] == started["run"])["replays"][0]
            told = await agent.text("open_replay", run=started["run"], replay=replay)
            assert told.startswith("0 Round 1.")
            board = await agent.text("open_replay", run=started["run"], replay=replay, moment=1)
            assert board.startswith("Round 1 of 2.")
            report = await agent.client.read_resource(f"exchequer://report/{started['run']}")
            assert "<title>" in report.contents[0].text

    anyio.run(main)


# Over HTTP, where many meet ----------------------------------------------------------------------

def test_who_does_not_say_who_they_are_can_only_read(shared: Place):
    async def main() -> None:
        async with shared.agent(is_known=False) as nobody:
            assert await nobody.data("list_games")
            for tool, more in (("new_table", {"game": "kingdom"}), ("look", {"table": "x"})):
                assert "POST /api/v1/visitors" in await nobody.refusal(tool, **more)

    anyio.run(main)


def test_the_command_speaks_http(tmp_path):
    """The table and the door for agents are open together; a token comes from the table."""
    command = [sys.executable, "-m", "exchequer", "mcp", "--http", "--port", "0", "--no-warm",
               "--database", str(tmp_path / "t.db"), "--runs", str(tmp_path / "runs")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = re.search(r"agents find it at (\S+)/mcp", server.stdout.readline())[1]
            wait_until(lambda: httpx2.get(f"{url}/readyz").is_success)
            token = httpx2.post(f"{url}/api/v1/visitors").json()["token"]

            async def main() -> None:
                async with at_http(f"{url}/mcp", token) as agent:
                    opened = await agent.data("new_table", game="kingdom")
                    page = httpx2.get(opened["link"])
                    assert page.is_success and "(agent)" in page.text

            anyio.run(main)
        finally:
            server.terminate()


def wait_until(is_so, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(httpx2.HTTPError):
            if is_so():
                return
        time.sleep(0.1)
    raise TimeoutError


def test_a_server_for_others_offers_no_lab():
    async def main() -> None:
        async with Client(mcp_server(Door(), None)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert tools == TOOLS - {"make_variant", "start_lab_run", "compare_variants",
                                     "wait_for_lab", "read_findings", "list_lab_runs",
                                     "open_replay"}

    anyio.run(main)


def test_the_limits_of_the_table_hold_for_agents(tmp_path):
    with table_with_mcp(tmp_path / "runs", Limits(tables=(2, 0.001), address_factor=1)) as served:
        async def main() -> None:
            async with Place(tmp_path / "runs", served).agent() as agent:
                for _ in range(2):
                    await agent.data("new_table", game="kingdom")
                assert "too often" in await agent.refusal("new_table", game="kingdom")

        anyio.run(main)


def test_who_is_a_little_too_quick_is_made_to_wait(tmp_path):
    with table_with_mcp(tmp_path / "runs", Limits(reads=(2, 4), address_factor=1)) as served:
        async def main() -> None:
            async with Place(tmp_path / "runs", served).agent() as agent:
                table = (await agent.data("new_table", game="kingdom"))["table"]
                for _ in range(5):
                    assert "to move" in await agent.text("look", table=table)

        anyio.run(main)


def test_an_agent_over_stdio_joins_a_running_table(shared: Place):
    """By the link that somebody gave it."""
    async def main() -> None:
        person = shared.served.program()
        setup = {"game": "kingdom", "seats": ["me", "agent"], "seed": 2}
        table = person.post("/api/v1/tables", json=setup).json()["id"]
        command = shared.command("--table", shared.served.url)
        async with Client(command) as client:
            agent = Agent(client)
            sat = await agent.data("join_table", name="Zoe",
                                   invitation=f"{shared.served.url}/table/{table}")
            assert sat == {"table": table, "seat": 1, "status": "running",
                           "link": f"{shared.served.url}/table/{table}"}
            assert "is to move." in await agent.text("look", table=table)
            assert "'s move" in await agent.refusal("play_move", table=table, move=1)
            seen = person.get(f"/api/v1/tables/{table}").json()
            assert seen["seats"][1]["name"] == "Zoe (agent)"

    anyio.run(main)


@pytest.mark.parametrize("game", ["treasury/v17", "treasury/v03", "greement"])
def test_agents_at_one_table_learn_nothing_of_each_others_secrets(shared: Place, game: str):
    """Each one's transcript is the same in worlds that differ only in what it may not know."""
    async def main() -> None:
        async with shared.agent() as ann, shared.agent() as ben:
            table = (await ann.data("new_table", game=game, opponents=["agent"], seed=4,
                                    seconds=3600))["table"]
            await ben.data("join_table", invitation=table)
            chance = random.Random(6)
            for _ in range(4):
                for _ in range(12):
                    await move_any((ann, ben), table, chance)
                for seat, agent in enumerate((ann, ben)):
                    await same_in_twin_worlds(shared, agent, table, seat)

    anyio.run(main)


async def move_any(agents: tuple[Agent, Agent], table: str, chance: random.Random) -> None:
    for agent in agents:
        moves = (await agent.data("legal_moves", table=table))["moves"]
        if moves:
            await agent.text("play_move", table=table, move=chance.choice(moves)["move"])
            return


async def same_in_twin_worlds(place: Place, agent: Agent, table: str, seat: int) -> None:
    match = place.served.service.registry.match(table)
    position = match.position
    if position.is_over:
        return
    true = await transcript(agent, table)
    kept = position._states.copy()
    for twin in range(2):
        position._states[:] = position.determinize(seat, twin)
        differs = position._states.tobytes() != kept.tobytes()
        seen = await transcript(agent, table)
        position._states[:] = kept
        assert differs and seen == true


async def transcript(agent: Agent, table: str) -> list[str]:
    """All that an agent can ask for without moving."""
    said = [await agent.text(tool, table=table) for tool in ("look", "look_at_data", "read_log")]
    listed = await agent.data("legal_moves", table=table)
    said.append(json.dumps(listed))
    for move in listed["moves"][:2]:
        said.append(await agent.text("preview_move", table=table, move=move["number"]))
    for move in ("pass", "open:1", "offer"):
        answer = await agent.client.call_tool("preview_move", {"table": table, "move": move})
        said.append(answer.content[0].text)
    return said
