"""The words of a report that a designer may not know: shown on hover, and listed at its end."""

import re
from html import escape

from exchequer.core.errors import InputError

WORDS = {
    "95 % interval": "Where the true figure lies in 19 of 20 such experiments. More games make "
                     "it narrower.",
    "half-time leader": "Whoever is valued highest when half of the turns have been played.",
    "leads for good after": "The share of the turns after which the winner was never overtaken "
                            "again.",
    "lead changes": "How often another seat became the one that is valued highest.",
    "decisions that matter": "Decisions whose best and worst answers differ by two points or more "
                             "in how the position is valued.",
    "drama": "How far the winner was behind, on average over the turns.",
    "winner was valued below 25 %": "Games whose winner once looked likely to lose.",
    "evaluation": "What the game's value.py, or the lead in points, says that a position is worth "
                  "to a seat.",
    "could be forced": "The share of games in which a bot had the chance to do it at all.",
    "naive": "What users of a thing win more than the others do; users may differ in other ways, "
             "too.",
    "worth": "What a bot loses when it may not use the thing, on the same cards and dice.",
    "forced once": "What a bot gains when it has to use the thing at its first opportunity.",
    "identical": "The same bot in every seat, so that only the seats differ.",
}
BOTS = {
    "random": "plays any legal move",
    "greedy": "looks one question ahead",
}


def bot_words(name: str) -> str:
    from exchequer.bots.policies import policy_named

    if name in BOTS:
        return f"A bot that {BOTS[name]}."
    try:
        policy = policy_named(name)
    except InputError:
        return ""
    return f"A bot that searches: {policy.iterations} continuations for every move."


def explained(text: str) -> str:
    """Escaped, with a meaning on the first occurrence of every word that has one."""
    found = escape(text)
    for word, meaning in WORDS.items():
        pattern = rf'(?<![\w">]){re.escape(word)}s?(?![\w<"])'
        if f">{word}<" not in found and not inside_title(found, word):
            found = re.sub(pattern, lambda hit, m=meaning: f'<abbr title="{escape(m)}">'  # type: ignore[misc]
                           f"{hit[0]}</abbr>", found, count=1)
    return found


def inside_title(text: str, word: str) -> bool:
    """Whether a word stands only in somebody else's meaning."""
    return word not in re.sub(r'title="[^"]*"', "", text) and word in text


def used_in(page: str, bots: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What a page should explain at its end."""
    words = [(word, meaning) for word, meaning in WORDS.items()
             if re.search(rf">{re.escape(word)}s?</abbr>", page)]
    return words + [(bot, said) for bot in bots if (said := bot_words(bot))]
