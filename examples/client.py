"""Play a whole game at the web table through its JSON API, against a greedy bot.

    exchequer serve                                    # in another terminal
    python examples/client.py http://127.0.0.1:8017 kingdom

Only the standard library is needed. `/api/v1/openapi.json` describes all that a program can do.
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8017"
GAME = sys.argv[2] if len(sys.argv) > 2 else "kingdom"


TOKEN = ""


def call(path, body=None):
    """GET without a body, POST with one; a refusal is an answer with "error" and "sentence"."""
    headers = {"content-type": "application/json"}
    if TOKEN:
        headers["authorization"] = f"Bearer {TOKEN}"
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{URL}/api/v1/{path}", sent, headers)
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as refused:
        return json.load(refused)


def choose(seen):
    return random.choice(seen["moves"])


TOKEN = call("visitors", {})["token"]
fewest, most = next(game["seats"] for game in call("games") if game["name"] == GAME)
others = ["greedy"] * (max(fewest, min(most, 2)) - 1)
table = call("tables", {"game": GAME, "seats": ["me", *others], "listed": False})["id"]

while (seen := call(f"tables/{table}"))["status"] == "running":
    if seen["moves"]:
        answer = call(f"tables/{table}/play", {"seat": seen["seat"], "version": seen["version"],
                                               "action": choose(seen)["action"]})
        if "error" in answer:
            print(answer["sentence"])
    time.sleep(0.05)
print(call(f"tables/{table}/text")["text"])
