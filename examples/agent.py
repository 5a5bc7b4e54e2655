"""An agent in Python: it reads questions and answers with the number of a move.

    exchequer arena kingdom --bots "agent:python examples/agent.py,greedy" --games 100

A language model would be asked with `question["text"]`; this one likes moves that build.
"""

import json
import random
import sys

PREFERRED = ("build", "open", "buy", "play", "develop")

for line in sys.stdin:
    question = json.loads(line)
    if "over" in question:
        break
    moves = question["moves"]
    liked = [move for move in moves if move.startswith(PREFERRED)]
    move = random.choice(liked or moves)
    print(json.dumps({"move": move, "why": "Growing early pays off later."}), flush=True)
