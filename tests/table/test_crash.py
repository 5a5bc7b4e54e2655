"""kill -9 while moves are being made: what was acknowledged is there, nothing is there twice."""

import pytest
from hammer import check, hammer, open_tables, stop, wait_for_moves
from postgres import free_port
from served import Process

KILLS, MOVES = 3, 12  # acknowledged moves between two kills


def test_killed_again_and_again(tmp_path):
    place, port = str(tmp_path / "table.db"), free_port()
    opened = open_tables(place)
    servers, players = [Process(place, port).wait()], []
    try:
        players = hammer(opened, [servers[0].url])
        for _ in range(KILLS):
            wait_for_moves(players, MOVES)
            servers[0].kill()
            servers[0] = Process(place, port).wait()
        wait_for_moves(players, MOVES)
    finally:
        stop(players, servers)
    assert check(place, players) >= 2 * MOVES * (KILLS + 1)


@pytest.mark.xdist_group("postgres")
def test_one_of_two_processes_is_killed(postgres: str):
    opened = open_tables(postgres)
    ports, players = [free_port(), free_port()], []
    servers = [Process(postgres, port) for port in ports]
    try:
        players = hammer(opened, [server.wait().url for server in servers])
        for _ in range(2):
            wait_for_moves(players, MOVES)
            servers[0].kill()
            wait_for_moves(players, MOVES)  # by the other process
            servers[0] = Process(postgres, ports[0]).wait()
        wait_for_moves(players, MOVES)
    finally:
        stop(players, servers)
    assert check(postgres, players) >= 10 * MOVES
