"""The notation of the cards: the tokens that there are and the shape of their words.

A card's texts are lists of tokens such as "gain food 2"; FORMS lists every token. A number may also
be the name of a key of [rules]. `compiler.py` turns the words into tables.
"""

import functools

from exchequer.games.jagged_time.tables import ANY, Act, Family, Op, Resource

FAMILIES = {family.name.lower(): family for family in Family}
RESOURCES = {resource.name.lower(): int(resource) for resource in Resource}
DUE = RESOURCES | {"any": ANY}
ACTS = {1: Act.FIRST, 2: Act.SECOND, "eclipse": Act.ECLIPSE, 3: Act.THIRD}
TRACKERS = {"regent": 0, "young_king": 1, "sun_king": 2, "priesthood": 3}  # JL-6
LISTS = {"A": "list_a", "B": "list_b"}  # JL-24, JL-26
RULED_SUBTYPES = ("mandatory", "expendable", "seasonal", "province", "war", "project", "inevitable")

# The shape of each token. Capitals stand for: NUMBER, CHANGE (a signed number), RESOURCE,
# RESOURCES (food|might), CARD, ACTION, OBJECTIVE and MILESTONE (ids), SUB (sub:a or sub:a|b),
# TIMES (x2; may be left out), LETTER (of an option), LIST and TRACKER (their names). They fill the
# token's a, b, d in this order unless `Programs.row` says otherwise.
FORMS: tuple[tuple[str, Op], ...] = (
    ("gain RESOURCE NUMBER", Op.GAIN), ("lose RESOURCE NUMBER", Op.LOSE),
    ("gain_mix NUMBER RESOURCES", Op.GAIN_MIX), ("gain_any NUMBER", Op.GAIN_MIX),
    ("max RESOURCE CHANGE", Op.MAXIMUM), ("max RESOURCES CHANGE", Op.MAXIMUM_OF),
    ("max_all CHANGE", Op.ALL_MAXIMA),
    ("card CARD TIMES", Op.CARD), ("hand ACTION TIMES", Op.HAND), ("deck CARD TIMES", Op.TO_DECK),
    ("draw NUMBER", Op.DRAW), ("next_draw CHANGE", Op.NEXT_DRAW),
    ("draw_limit CHANGE", Op.DRAW_LIMIT), ("disrupt NUMBER", Op.DISRUPT),
    ("recur NUMBER", Op.RECUR), ("recur NUMBER SUB", Op.RECUR),
    ("reshuffle NUMBER", Op.RESHUFFLE), ("reshuffle FAMILY", Op.RESHUFFLE_ALL),
    ("scout SCOUTED", Op.SCOUT), ("delay NUMBER TIMES", Op.DELAY),
    ("transform ACTION->ACTION TIMES", Op.TRANSFORM),
    ("become OBJECTIVE", Op.BECOME), ("replace OBJECTIVE", Op.REPLACE),
    ("copy SUB", Op.COPY), ("copy ACTION", Op.COPY),
    ("destroy self", Op.DESTROY_SELF), ("destroy all SUB", Op.DESTROY_ALL),
    ("destroy random SUB NUMBER", Op.DESTROY_RANDOM),
    ("destroy OBJECTIVE TIMES anywhere", Op.DESTROY_ANYWHERE),
    ("destroy SUB NUMBER", Op.DESTROY_CHOSEN), ("destroy_cards NUMBER", Op.DESTROY_CHOSEN),
    ("destroy ACTION", Op.DESTROY_KIND), ("agenda CHANGE", Op.MORE_SLOTS),
    ("advance project NUMBER", Op.ADVANCE_PROJECT), ("advance war NUMBER", Op.ADVANCE_WAR),
    ("advance own clock NUMBER", Op.ADVANCE_CLOCK),
    ("front CHANGE", Op.FRONT), ("front_set NUMBER", Op.FRONT_SET),
    ("timers_random NUMBER", Op.TIMERS_RANDOM), ("play SUB NUMBER less NUMBER", Op.PLAY),
    ("lose_game", Op.LOSE_GAME),
    # the later acts
    ("goto MILESTONE", Op.GOTO), ("win", Op.WIN), ("card_list LIST", Op.CARD_LIST),
    ("unlock trade", Op.UNLOCK), ("tracker TRACKER CHANGE", Op.TRACKER),
    ("advance option LETTER NUMBER", Op.ADVANCE_OPTION),
    ("modify ACTION: cost any CHANGE", Op.MODIFY), ("modify ACTION: gains no RESOURCE", Op.MODIFY),
    ("modify ACTION: gains RESOURCE CHANGE", Op.MODIFY), ("no_resolve next_turn", Op.NO_RESOLVE),
    ("card OBJECTIVE if taken OBJECTIVE LETTER", Op.CARD_IF),
    ("card random objective SUB", Op.CARD_RANDOM), ("card unlocked SUB", Op.UNLOCKED),
    ("roll cataclysm NUMBER", Op.ACTIVATE), ("activate cataclysm NUMBER", Op.ACTIVATE),
    ("gain_active_cataclysm NUMBER", Op.GAIN_ACTIVE),
    ("become random active sub:cataclysm", Op.ENTER_ACTIVE), ("resolve NUMBER", Op.RESOLVE),
    ("specialize SUB NUMBER", Op.SPECIALIZE), ("transform SUB->ACTION TIMES", Op.TRANSFORM_SUB),
    ("destroy_objectives upto NUMBER SUB", Op.DESTROY_OBJECTIVES),
    ("replace SUB", Op.REPLACE_SUB),
)
NEEDS: tuple[tuple[str, Op], ...] = (
    ("gained RESOURCE NUMBER this turn", Op.GAINED_TURN),
    ("gained RESOURCE NUMBER this phase", Op.GAINED_PHASE),
    ("control SUB NUMBER", Op.CONTROL), ("control cards NUMBER", Op.CONTROL_CARDS),
    ("total resources NUMBER", Op.TOTAL), ("no SUB exists", Op.NONE_EXISTS),
    ("not played ACTION", Op.NOT_PLAYED), ("control specialised SUB NUMBER", Op.CONTROL_PLUS),
)
PROGRESS: tuple[tuple[str, Op], ...] = (
    ("bank RESOURCES NUMBER times NUMBER", Op.BANK_PROGRESS),
    ("gained RESOURCE NUMBER times NUMBER", Op.GAIN_PROGRESS),
    ("control SUB NUMBER times NUMBER", Op.CONTROL_PROGRESS),
    ("marker times NUMBER", Op.MARKER_PROGRESS), ("steps times NUMBER", Op.STEP_PROGRESS),
)
SPECIAL = ("choose", "may", "menu")  # tokens that hold other tokens

FIELDS = {  # what a card of each family may say
    Family.ACTION: {"name", "aliases", "subtypes", "act", "start", "cost", "effect", "retained",
                    "immediate", "clock", "province", "misfortune", "specialises"},
    Family.OBJECTIVE: {"name", "aliases", "subtypes", "act", "start", "tutorial", "timer", "track",
                       "options", "upkeep", "escalation", "clock", "crisis", "misfortune",
                       "immediate"},
    Family.MILESTONE: {"name", "aliases", "subtypes", "act", "timer", "track", "options",
                       "progress", "on_reveal", "next", "branch"},
}
OPTION_FIELDS = {"name", "spend", "spend_mix", "need", "pay_effect", "spend_per", "advance",
                 "tracker", "clock", "each", "effect", "full", "then"}
MIX_FIELDS = {"n", "of"}
TIMER_FIELDS = {"size", "effect", "then", "paused_if_advanced"}
TRACK_FIELDS = {"size", "start", "pay", "step", "decay", "victory", "defeat", "defeat_then"}
UPKEEP_FIELDS = {"when", "clock", "effect", "full"}
UPKEEPS = {"turn start": 0, "resolution start": 1}
CLOCK_FIELDS = {"name", "size", "full"}
PROVINCE_FIELDS = {"sum", "at_least", "then", "else"}


@functools.lru_cache(maxsize=4096)
def read_token(text: str, forms: tuple[tuple[str, Op], ...]
               ) -> tuple[Op, list[tuple[str, str]]] | None:
    """A token's effect and the words in it; many contents are read, and most say the same."""
    words = text.split()
    for shape, op in forms:
        if words and words[0] == shape.partition(" ")[0] \
                and (parts := matched(shape, words)) is not None:
            return op, parts
    return None


def matched(shape: str, words: list[str]) -> list[tuple[str, str]] | None:
    """The words that stand for a shape's capitals, or None when they do not fit."""
    found = []
    rest = list(words)
    for part in shape.split():
        word = rest.pop(0) if rest else ""
        if part == "TIMES" and not (word[:1] == "x" and word[1:]):
            rest = [word, *rest] if word else rest
            word = "x1"
        if part == part.lower():
            if word != part:
                return None
        elif not word or not fits(part, word):
            return None
        else:
            found.append((part, word))
    return None if rest else found


def fits(part: str, word: str) -> bool:
    """Whether a word could stand here: only what tells two shapes of one effect apart."""
    if part in ("RESOURCE", "RESOURCES"):
        return (part == "RESOURCES") == ("|" in word) or part == "RESOURCES"
    if part == "FAMILY":
        return word in ("actions", "objectives")
    if part == "SUB":
        return word.startswith("sub:")
    if part in ("ACTION->ACTION", "SUB->ACTION"):
        return "->" in word and word.startswith("sub:") == part.startswith("SUB")
    if part in ("ACTION", "OBJECTIVE", "CARD"):
        return word not in ("all", "random", "self", "unlocked") and not word.startswith("sub:")
    if part == "ACTION:":
        return word.endswith(":")
    if part in ("NUMBER", "SCOUTED"):
        return word not in ("actions", "objectives")
    return True
