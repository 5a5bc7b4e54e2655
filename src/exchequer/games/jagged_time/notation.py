"""The notation of the cards: the tokens that there are and the shape of their words.

A card's texts are lists of tokens such as "gain food 2"; FORMS lists every token. A number may also
be the name of a key of [rules]. `compiler.py` turns the words into tables.
"""

from exchequer.games.jagged_time.tables import ANY, Family, Op, Resource

FAMILIES = {family.name.lower(): family for family in Family}
RESOURCES = {resource.name.lower(): int(resource) for resource in Resource}
DUE = RESOURCES | {"any": ANY}
RULED_SUBTYPES = ("mandatory", "expendable", "seasonal", "province", "war", "project", "inevitable")

# The shape of each token. Capitals stand for: NUMBER, CHANGE (a signed number), RESOURCE,
# RESOURCES (food|might), CARD, ACTION and OBJECTIVE (ids), SUB (sub:a or sub:a|b), TIMES (x2; may
# be left out). They fill the token's a, b, d in this order unless ORDER says otherwise.
FORMS: list[tuple[str, Op]] = [
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
]
NEEDS: list[tuple[str, Op]] = [
    ("gained RESOURCE NUMBER this turn", Op.GAINED_TURN),
    ("gained RESOURCE NUMBER this phase", Op.GAINED_PHASE),
    ("control SUB NUMBER", Op.CONTROL), ("control cards NUMBER", Op.CONTROL_CARDS),
    ("total resources NUMBER", Op.TOTAL), ("no SUB exists", Op.NONE_EXISTS),
    ("not played ACTION", Op.NOT_PLAYED),
]
PROGRESS: list[tuple[str, Op]] = [
    ("bank RESOURCES NUMBER times NUMBER", Op.BANK_PROGRESS),
    ("gained RESOURCE NUMBER times NUMBER", Op.GAIN_PROGRESS),
    ("control SUB NUMBER times NUMBER", Op.CONTROL_PROGRESS),
    ("marker times NUMBER", Op.MARKER_PROGRESS),
]
SPECIAL = ("choose", "may", "menu")  # tokens that hold other tokens

FIELDS = {  # what a card of each family may say
    Family.ACTION: {"name", "aliases", "subtypes", "start", "cost", "effect", "retained",
                    "immediate", "clock", "province", "misfortune"},
    Family.OBJECTIVE: {"name", "aliases", "subtypes", "start", "tutorial", "timer", "track",
                       "options", "upkeep", "escalation", "clock", "crisis", "misfortune",
                       "immediate"},
    Family.MILESTONE: {"name", "aliases", "subtypes", "timer", "track", "options", "progress"},
}
OPTION_FIELDS = {"name", "spend", "need", "pay_effect", "spend_per", "advance", "clock", "effect",
                 "full", "then"}
TIMER_FIELDS = {"size", "effect", "then", "paused_if_advanced"}
TRACK_FIELDS = {"size", "start", "pay", "step", "decay", "victory", "defeat", "defeat_then"}
UPKEEP_FIELDS = {"clock", "effect", "full"}
CLOCK_FIELDS = {"name", "size", "full"}
PROVINCE_FIELDS = {"sum", "at_least", "then", "else"}


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
    if part == "ACTION->ACTION":
        return "->" in word
    if part in ("ACTION", "OBJECTIVE"):
        return word not in ("all", "random", "self") and not word.startswith("sub:")
    if part in ("NUMBER", "SCOUTED"):
        return word not in ("actions", "objectives")
    return True
