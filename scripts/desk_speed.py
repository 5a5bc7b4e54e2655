"""How long a desk with many kept runs takes to open.

    python scripts/desk_speed.py [RUNS]
"""

import json
import pathlib
import sys
import tempfile
import time

from fastapi.testclient import TestClient

from exchequer.table.app import create_app
from exchequer.table.desk import Desk
from exchequer.table.desk_pages import add_desk
from exchequer.table.service import Settings


def keep_runs(folder: pathlib.Path, count: int) -> None:
    """Folders as the lab leaves them, without their tables."""
    for number in range(count):
        place = folder / f"kingdom-run-{number}"
        place.mkdir(parents=True)
        (place / "plan.toml").write_text(
            'kind = "run"\ngame = "kingdom"\nlineups = [{ bots = "greedy", games = 1000 }]\n'
            f"[overlay.rules]\nstart_gold = {number % 20}\n")
        (place / "summary.json").write_text(json.dumps(
            {"verdict": f"Verdict {number}. " + "It is told in five sentences. " * 5,
             "findings": [{"id": "seat-0", "text": "x" * 200, "n": 1}] * 10}))
        (place / "report.html").write_text("<title>done</title>")


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        keep_runs(folder / "runs", count)
        app = create_app(Settings(str(folder / "table.db"), warm=False))
        desk = Desk(app.state.service, folder / "runs")
        add_desk(app, desk)
        with TestClient(app, base_url="http://localhost") as client:
            client.get("/desk/enter", params={"key": desk.key}, follow_redirects=False)
            for words in ("for the first time", "again"):
                for path in ("/desk", "/desk/game/kingdom", "/desk/runs?first=900"):
                    began = time.perf_counter()
                    assert client.get(path).status_code == 200
                    print(f"{path} with {count} runs, {words}: "
                          f"{time.perf_counter() - began:.3f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
