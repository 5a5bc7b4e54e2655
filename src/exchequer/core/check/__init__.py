"""The conformance suite: what every game promises, checked on any game found.

    names            the folder's modules hold what is read, and nothing that nobody reads;
                     the rulebook's numbers and keys exist, once
    rules            the rules say nothing that only plain Python understands
    words            every action, question, entry and refusal can be said, and actions read back
    legality         what is legal applies; all else is refused and changes no byte
    determinism      same seed and actions, same bytes; copies are independent
    conservation     cards and money are where the rules put them; the agenda loses nothing
    measures         what the lab measures is written where it is declared, and nowhere else
    determinization  a determinized world agrees with all the seat has seen
    secrecy          worlds that differ only in what a seat may not know look alike to it
    sameness         and they stay alike as long as the seat reads the same log
    completeness     a row holds all of an observation: from the same row all goes on alike
    ending           every game ends
    modes            plain Python = compiled = bounds-checked, state by state
    device           the rules compile for a GPU (`gpu.check`, which stands above the core)

Each check raises `Broken`; `tests/core/test_check.py` plants a fault of each kind and sees it
caught. `playing` holds what needs no secrets, `knowing` what a seat may know, `saying` words and
names, `suite` the whole.
"""

from exchequer.core.check.broken import Broken, walk
from exchequer.core.check.knowing import (
    check_completeness,
    check_determinization,
    check_reading,
    check_sameness,
    check_secrecy,
)
from exchequer.core.check.playing import (
    check_conservation,
    check_determinism,
    check_ending,
    check_legality,
    check_measures,
    check_modes,
)
from exchequer.core.check.saying import (
    check_action_texts,
    check_names,
    check_rules,
    check_teaching,
    check_words,
)
from exchequer.core.check.suite import check_game, check_one_game

__all__ = [
    "Broken",
    "check_action_texts",
    "check_completeness",
    "check_conservation",
    "check_determinism",
    "check_determinization",
    "check_ending",
    "check_game",
    "check_legality",
    "check_measures",
    "check_modes",
    "check_names",
    "check_one_game",
    "check_reading",
    "check_rules",
    "check_sameness",
    "check_secrecy",
    "check_teaching",
    "check_words",
    "walk",
]
