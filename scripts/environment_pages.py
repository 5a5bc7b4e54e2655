"""Write a page for each environment: python scripts/environment_pages.py [GAME ...]

Figures come from the games themselves, from `docs/environments/results.jsonl` (what `exchequer
evaluate --add` appends), from `docs/environments/curves.jsonl` (what `examples/ppo.py` and
`examples/maskable_ppo.py` print) and from `docs/reports/README.md`. `tests/envs/test_pages.py`
compares the pages with what this writes.
"""

import json
import math
import pathlib
import re
import sys
from collections.abc import Iterable
from typing import Any

from exchequer.bots.evaluation import read_results
from exchequer.bots.policies import NAMED
from exchequer.cli import bench_envs
from exchequer.core.content import flat
from exchequer.core.find import all_games, find_game
from exchequer.core.game import Game
from exchequer.core.rows import layout_of
from exchequer.lab.plots import Series, lines

DOCS = pathlib.Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "environments"
RESULTS = FOLDER / "results.jsonl"
CURVES = FOLDER / "curves.jsonl"
LEARNERS = {"ppo": "`ppo.py`: one network plays all seats against itself",
            "maskable_ppo": "`maskable_ppo.py`: sb3-contrib's MaskablePPO against players who move "
                            "at random"}
COLOURS = ("#2a6f97", "#c8553d")
STRENGTH = list(NAMED)  # the weakest first
SOURCE = ("version", "seeds", "machine")
TOLD = "Shares of wins (a solo game: points) with 95 % intervals, the strongest opponents first"
GAMES = 10  # random games of which branching and length are means
MOST_NAMED = 6  # choices of an action that are written out

OF_ALL = {
    "seat": "one-hot: the seat that looks",
    "question": "one-hot: what is asked, in the order below",
    "agenda": "what is asked and what the game does after it, from the top: what + 1 (0: nothing), "
              "seat, and two arguments",
    "card": "the card at each place of the rack, pile after pile; below 0 one whose back alone is "
            "seen",
    "known": "a bit for each seat that is seen to know the card there",
    "face_up": "whether it lies face up",
    "size": "how many cards lie in each pile",
    "where": "for each card 1 + the pile in which the seat knows it to be; 0: not known",
}
PARTS = {"low": "the low 22 bits of the same", "mid": "the next 22 bits of the same"}


def file_name(game: Game) -> str:
    return f"{game.name.replace('/', '_')}.md"


def page(game: Game) -> str:
    """All that a researcher asks of an environment, in Markdown."""
    return "\n\n".join([
        f"# {game.title}", f"*Written by `scripts/environment_pages.py`.* {game.text['summary']}",
        picture(game), facts(game), example(game), rewards(game), traits(game), baselines(game),
        learning(game), "## Observation", fields(game), "## Questions", questions(game),
        "## Actions", actions(game)]) + "\n"


def slug(game: Game) -> str:
    return game.name.replace("/", "-")


def picture(game: Game) -> str:
    name = f"table-{slug(game)}.png"
    return f"![The board of {game.title}](../pictures/{name})" \
        if (DOCS / "pictures" / name).exists() else ""


def facts(game: Game) -> str:
    layout, measured = layout_of(game), bench_envs.shape(game, GAMES)
    rows = [("Gymnasium", f"`exchequer/{game.name.replace('/', '_')}-v{game.version}`"),
            ("PettingZoo", f'`exchequer.envs.pettingzoo.env("{game.name}")`, '
                           f'`exchequer.envs.parallel.parallel_env("{game.name}")`'),
            ("OpenSpiel", f"`python_exchequer_{game.name.replace('/', '_')}`"),
            ("seats", " to ".join(map(str, dict.fromkeys(game.seats)))),
            ("version", f"rules {game.rules_version}, rows {game.rows_version} "
                        f"(`{layout.hash}`)"),
            ("observation", f"{layout.width} floats from -1 to 1"),
            ("actions", f"{game.n_actions}, of which {measured['branching']:.1f} are legal on "
                        "average"),
            ("length", f"{measured['length']:.0f} decisions in random games with {game.seats[0]} "
                       f"seat{'s' * (game.seats[0] > 1)}; cut off after {game.step_limit:,}"),
            ("state", f"{game.state.itemsize} bytes"),
            ("variants", ", ".join(f"`{name}`" for name in game.variants) or "none"),
            ("rulebook", f"{len(game.paragraphs)} paragraphs: `exchequer rules {game.name}`")]
    return table(("", ""), rows)


def example(game: Game) -> str:
    return f"""```python
import gymnasium
from exchequer.envs.gymnasium import env_id

env = gymnasium.make(env_id("{game.name}"), opponents="random")
observation, info = env.reset(seed=1)
for _ in range(10):
    action = env.action_space.sample(info["action_mask"])
    observation, reward, ended, cut, info = env.step(action)
    if ended or cut:
        observation, info = env.reset()
```"""


def rewards(game: Game) -> str:
    if game.seats == (1, 1):
        return "The reward comes at the end: the score in thousands."
    return ("Rewards come at the end: 1 is shared among the winners, -1 among the others; nobody "
            "gets anything where all share the win.")


def traits(game: Game) -> str:
    """What the lab has found about the game, as the page of reports puts it."""
    told = (DOCS / "reports" / "README.md").read_text(encoding="utf-8")
    about = next((paragraph.strip() for paragraph in told.split("\n\n")
                  if paragraph.startswith(f"**{game.title}**")), "")
    return f"## Known traits\n\n{about}\n\n[The lab's reports](../reports/README.md)." \
        if about else ""


def baselines(game: Game) -> str:
    """What was measured, from the file of results; `exchequer evaluate --add` appends to it."""
    found = [result for result in read_results(RESULTS)
             if result["game"] == game.name and not result.get("changes")] \
        if RESULTS.exists() else []
    return f"## Baselines\n\n{TOLD}; [all games](leaderboard.md).\n\n{ranking(found)}" \
        if found else ""


def ranking(results: list[dict]) -> str:
    """The best first. In a solo game each of the opponents has played, too."""
    if results[0]["seats"] == 1:
        return table(("policy", "points", "games", *SOURCE), by_first(scores(results)))
    opponents = sorted({row["against"] for result in results for row in result["results"]},
                       key=lambda name: -STRENGTH.index(name) if name in STRENGTH else 1)
    return table(("policy", *(f"against {name}" for name in opponents), "games", "NashConv",
                  *SOURCE), by_first(standing(result, opponents) for result in results))


def scores(results: list[dict]) -> Iterable[tuple[float, tuple]]:
    """Each policy's score and line; of several that with the most games."""
    found = sorted(((row, result) for result in results for row in result["results"]),
                   key=lambda entry: entry[0]["games"])
    return {row["against"]: (row["score"], (
        row["against"], f"{row['score']:.0f} ({row['score_low']:.0f} to {row['score_high']:.0f})",
        row["games"], *source(result))) for row, result in found}.values()


def standing(result: dict, opponents: list[str]) -> tuple[list[float], tuple]:
    """Its shares against the strongest opponent first, by which it is ranked; and its line."""
    met = {row["against"]: row for row in result["results"]}
    shares = [met[name]["share"] if name in met else 0.5 * (name == result["policy"])
              for name in opponents]
    cells = [f"{100 * met[name]['share']:.1f} % ({100 * met[name]['low']:.1f} to "
             f"{100 * met[name]['high']:.1f})" if name in met else "" for name in opponents]
    nash_conv = f"{result['nash_conv']:.3f}" if "nash_conv" in result else ""
    return shares, (result["policy"], *cells, result["results"][0]["games"], nash_conv,
                    *source(result))


def by_first(ranked: Iterable[tuple[Any, tuple]]) -> list[tuple]:
    return [line for _, line in sorted(ranked, key=lambda entry: entry[0], reverse=True)]


def source(result: dict) -> tuple[str, str, str]:
    """What it takes to repeat it."""
    return (f"{result['rules_version']}.{result['rows_version']}",
            f"{result['seeds'][0]} to {result['seeds'][1]}", result["machine"])


def learning(game: Game) -> str:
    """How two learners grow, from what they have printed."""
    found = curves(game)
    if not found:
        return ""
    scale = "(the score in thousands)" if game.seats == (1, 1) else \
        "against players who move at random (1 is every game won, 0 an even share)"
    rows = [(LEARNERS[name], f"{curve[-1]['steps']:,}", reward(curve[0]), reward(curve[-1]),
             curve[-1]["games"], curve[-1]["processor_seconds"], f"`{curve[-1]['command']}`")
            for name, curve in found.items()]
    return "\n\n".join([
        "## Learning", f"The mean reward {scale} before and after short runs of two examples, with "
        "95 % intervals: that the environment can be learnt, not how well it can be.",
        f"![Curves](../pictures/learning-{slug(game)}.svg)",
        table(("example", "steps", "before", "after", "games", "processor seconds", "command"),
              rows)])


def reward(look: dict) -> str:
    return f"{look['against_random']:.3f} ± {look['half_interval']:.3f}"


def curves(game: Game) -> dict[str, list[dict]]:
    """The looks of each learner at this game, in order."""
    looks = map(json.loads, CURVES.read_text(encoding="utf-8").splitlines())
    mine = [look for look in looks if look["game"] == game.name]
    return {name: curve for name in LEARNERS
            if (curve := [look for look in mine if look["example"] == name])}


def draw_curves(game: Game) -> str:
    """Thousands of steps to the right, the mean reward upwards."""
    found = curves(game)
    plot = lines([Series(name, [look["steps"] / 1000 for look in curve],
                         [look["against_random"] for look in curve],
                         [look["against_random"] - look["half_interval"] for look in curve],
                         [look["against_random"] + look["half_interval"] for look in curve])
                  for name, curve in found.items()],
                 f"{game.title}: mean reward against random play, by thousands of steps")
    style = "".join(f".line.s{k}{{stroke:{colour}}}.band.s{k}{{fill:{colour};opacity:.15}}"
                    for k, colour in enumerate(COLOURS))
    names = "".join(f'<text x="{46 + 150 * k}" y="12" fill="{colour}">{name}.py</text>'
                    for k, (name, colour) in enumerate(zip(found, COLOURS, strict=False)))
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 250" font-size="12" '
            'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>'
            f"<style>.line{{fill:none;stroke-width:2.5}}.grid{{stroke:#ddd}}{style}</style>{names}"
            f'<text x="620" y="12" text-anchor="end">thousands of steps</text>{plot}</svg>\n')


def fields(game: Game) -> str:
    """Each field of the row: its columns, its shape, and what `state.py` says about it."""
    said = comments(game)
    rows = []
    layout = layout_of(game)
    for name, (first, shape) in layout.fields.items():
        whole, _, part = name.rpartition(".")
        meaning = OF_ALL.get(name) or (PARTS.get(part) if whole else said.get(name)) or ""
        rows.append((f"`{name}`", f"{first}:{first + math.prod(shape)}",
                     " x ".join(map(str, shape)), meaning))
    return ("Whole numbers become floats as `exchequer.core.rows.squeeze` says; "
            "`Layout.observation` reads all of them back.\n\n"
            + table(("field", "columns", "shape", "meaning"), rows))


def comments(game: Game) -> dict[str, str]:
    """What stands behind each field in `state.py`."""
    text = (game.folder / "state.py").read_text(encoding="utf-8")
    record = text[text.index("\nState = record("):]
    return dict(re.findall(r"^ {4}(\w+)=.*?\s# (.*)$", record, re.MULTILINE))


def questions(game: Game) -> str:
    return ", ".join(f"{ask.value} `{ask.name.lower()}`" for ask in game.module("state").Ask)


def actions(game: Game) -> str:
    """The actions kind by kind, with the texts by which people write them."""
    kinds: dict[str, list[int]] = {}
    for action in range(game.n_actions):
        kinds.setdefault(game.words.TEXTS.text(action).partition(":")[0], []).append(action)
    return table(("number", "action", "choices"), [
        (f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}", f"`{kind}`",
         choices(game, numbers)) for kind, numbers in kinds.items()])


def choices(game: Game, numbers: list[int]) -> str:
    named = [game.words.TEXTS.text(action).partition(":")[2] for action in numbers]
    shown = named if len(named) <= MOST_NAMED + 2 else [*named[:MOST_NAMED], "...", named[-1]]
    return ", ".join(f"`{name}`" if name != "..." else name for name in shown if name)


def table(head: tuple[str, ...], rows: list[tuple]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |"
                     for line in lines)


def leaderboard() -> str:
    """All results game by game; each variant by itself."""
    parts = ["# Leaderboard",
             "*Written by `scripts/environment_pages.py`.* Add a line with `exchequer evaluate "
             "POLICY GAME --add docs/environments/results.jsonl`, and run the script again.",
             f"{TOLD}. Policies stand in the order of their shares against the strongest opponent, "
             "then the next; against itself a policy has half, against one it has not met nothing. "
             "NashConv (`--exploitability`) is 0 at equilibrium."]
    groups: dict[str, list[dict]] = {}
    for result in read_results(RESULTS) if RESULTS.exists() else []:
        groups.setdefault(titled(result), []).append(result)
    for title, results in groups.items():
        parts += [f"## {title}", ranking(results)]
    return "\n\n".join(parts) + "\n"


def titled(result: dict) -> str:
    """The game, and what was changed of its content."""
    changes = ", ".join(f"{key} = {value}" for key, value in flat(result.get("changes", {})))
    return find_game(result["game"]).title + (f" ({changes})" if changes else "")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in [find_game(name) for name in sys.argv[1:]] or all_games():
        (FOLDER / file_name(each)).write_text(page(each), encoding="utf-8")
        if curves(each):
            drawing = DOCS / "pictures" / f"learning-{slug(each)}.svg"
            drawing.write_text(draw_curves(each), encoding="utf-8")
    (FOLDER / "leaderboard.md").write_text(leaderboard(), encoding="utf-8")
