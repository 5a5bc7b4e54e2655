"""The acts of a game in words: how long each lasts, how many crises it bears, what it is worth."""

from exchequer.core.content import Content
from exchequer.games.jagged_time.phrases import listing
from exchequer.games.jagged_time.tables import Act

ACT_NAMES = {Act.FIRST: "Act 1", Act.SECOND: "Act 2", Act.ECLIPSE: "The Eclipse",
             Act.THIRD: "Act 3"}


def acts(content: Content) -> list[Act]:
    """JL-1 JL-54 The acts through which a game with this content leads."""
    c = content.record
    return [Act(number) for number in range(c.first_act, c.last_act + 1)]


def has_later_acts(content: Content) -> bool:
    """Whether a game has to say in which act it is."""
    return acts(content) != [Act.FIRST]


def turns_of(content: Content, act: Act) -> int:
    """J-67 JL-49"""
    if act == Act.FIRST:
        return int(content.value("turn_cap"))
    return int(content.value("later_turn_caps")[act - Act.SECOND])


def turns_said(content: Content) -> str:
    """J-67 JL-49 When a game ends unfinished."""
    first, *later = acts(content)
    if not later:
        return f"after turn {turns_of(content, first)} the game ends unfinished"
    each = listing([f"{ACT_NAMES[first]} has {turns_of(content, first)} turns",
                    *(f"{ACT_NAMES[act]} {turns_of(content, act)}" for act in later)])
    return f"{each}, each counted from its start; when they run out the game ends unfinished"


def flood_said(content: Content) -> str:
    """J-67 JL-49 How many crisis cards end a game; empty where any number is borne."""
    limits = {"in the first act": content.value("collapse_limit"),
              "in a later act": content.value("later_collapse_limit")}
    if acts(content)[-1] == Act.FIRST:
        limits.popitem()
    elif Act.FIRST not in acts(content):
        del limits["in the first act"]
    return " or ".join(f"{limit} crisis cards{f' {when}' if len(limits) > 1 else ''}"
                       for when, limit in limits.items() if limit)


def later_points_said(content: Content) -> str:
    """JL-50 What a game is worth from its second act on; empty where it has one only."""
    if len(acts(content)) == 1:
        return ""
    return (f"{content.value('score_win')}, {content.value('score_later')} for each milestone "
            f"since and {content.value('score_early')} for each turn that a finished act left "
            f"unused; winning adds {content.value('score_campaign')}")
