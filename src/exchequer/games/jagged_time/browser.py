"""The Jagged Time in the browser: where its actions are done, its cards in words and icons."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from exchequer.core.content import Content
from exchequer.games.jagged_time.notation import FAMILIES, RESOURCES
from exchequer.games.jagged_time.state import Do
from exchequer.games.jagged_time.tables import MILESTONE, MOST_CARD_OPTIONS
from exchequer.games.jagged_time.texts import (
    REFERENCE,
    Line,
    card_lines,
    card_name,
    card_words,
    costs,
    goal,
    thing,
)

Part = dict[str, str]  # a piece of a text: `text`, and `icon` and `tip` where it has them
Face = dict[str, Any]

PHASES = {"start": "Start", "action": "Action", "resolution": "Resolution", "clocks": "Clocks",
          "reset": "Reset"}
NAMED = re.compile(rf"{REFERENCE.pattern}|\b({'|'.join(RESOURCES)})\b")
TIPS = {"retained": "retained", "clock": "clock", "upkeep": "upkeep", "escalation": "escalation",
        "timer": "timer"}


def spot(s: Any, content: Content, action: int) -> str:
    ids = content.words["index"]["cards"]
    if action >= Do.TRACK:
        return f"track-{action - Do.TRACK}"
    if action >= Do.OPTION:
        place, option = divmod(action - Do.OPTION, MOST_CARD_OPTIONS)
        return f"option-{place}-{option}"
    if action >= Do.BOTTOM:
        return f"bottom-{action - Do.BOTTOM + 1}"
    if action >= Do.ZONE:
        return ""
    if action >= Do.SLOT:
        return f"place-{action - Do.SLOT}"
    if action >= Do.CHOICE:
        return ""
    if action >= Do.UNIT:
        resource = action - Do.UNIT
        return f"bank-{list(RESOURCES)[resource]}" if resource < len(RESOURCES) else ""
    if action >= Do.COST:
        return ""
    if action >= Do.TAKE:
        return f"take-{ids[action - Do.TAKE]}"
    return f"play-{ids[action - Do.PLAY]}" if action >= Do.PLAY else ""


# Cards in words and icons ------------------------------------------------------------------------

def parts(content: Content, text: str) -> list[Part]:
    """A text in pieces: resources with their icons, cards with their names and tips."""
    found, at = [], 0
    for match in NAMED.finditer(text):
        card, resource = match.groups()
        found.append(part(text[at:match.start()]))
        found.append(part(card_name(content, card), f"card.{card}") if card
                     else part(resource, resource, resource))
        at = match.end()
    return [*found, part(text[at:])]


def part(text: str, tip: str = "", icon: str = "") -> Part:
    return {"text": text, "tip": tip, "icon": icon}


def card_face(content: Content, card: str) -> Face:
    """A card as the board draws it: its costs and its lines."""
    words = card_words(content, card)
    return {"id": card, "name": words["name"], "subtypes": words.get("subtypes", []),
            "costs": costs(content, card), "crisis": words.get("crisis", 0),
            "burden": "retained" in words and "effect" not in words,
            "lines": [line_face(content, line) for line in card_lines(content, card)]}


def line_face(content: Content, line: Line) -> Face:
    return {**asdict(line), "text": parts(content, line.text), "tip": TIPS.get(line.field, ""),
            "terms": parts(content, line.terms) if line.terms else []}


def agenda_face(content: Content, card: Mapping[str, Any]) -> Face:
    """A card of the agenda or a milestone with its counters."""
    if "id" not in card:
        return {"place": card["place"], "id": ""}
    face = card_face(content, card["id"])
    timer = card_words(content, card["id"]).get("timer")
    progress = {"AB".index(part["option"]): part for part in card["progress"]}
    return {**face, "place": card["place"], "timer": card.get("timer"), "track": card.get("track"),
            "upkeep": card.get("upkeep"), "progress": progress, "strikes": strikes(card),
            "fatal": bool(timer and timer["then"] == "lose")}


def strikes(card: Mapping[str, Any]) -> bool:
    """Whether its timer or track runs out when the clocks advance next."""
    timer, track = card.get("timer"), card.get("track")
    return bool(timer and timer["at"] == 1 and not timer["paused"]) or \
        bool(track and track["at"] == 1)


# What the template wants worked out --------------------------------------------------------------

def scene(view: Mapping[str, Any], content: Content) -> dict[str, Any]:
    agenda = [agenda_face(content, card) for card in view["agenda"]]
    milestone = agenda_face(content, view["milestone"])
    piles = [("deck", "Action deck", view["deck"], sum(view["deck"].values())),
             ("discard", "Action discard", view["discard"], sum(view["discard"].values())),
             ("objective", "Objective deck", view["objective_counts"], view["objective_deck"]),
             ("discard", "Objective discard", view["objective_discard"],
              sum(view["objective_discard"].values())),
             ("removed", "Out of the game", view["removed"], sum(view["removed"].values()))]
    return {
        "agenda": agenda, "milestone": milestone, "milestone_place": MILESTONE, "phases": PHASES,
        "hand": [card_face(content, card["id"]) for card in view["hand"]],
        "resolving": [card_face(content, card["id"]) for card in view["resolving"]],
        "card_face": lambda card: card_face(content, card), "goal": goal(content),
        "card_name": lambda card: card_name(content, card),
        "piles": piles, "fatal": [card for card in (*agenda, milestone)
                                  if card["id"] and card["fatal"]],
    }


# What is explained -------------------------------------------------------------------------------

CONCEPTS = {
    "might": ("Might", "Soldiers and weapons. Wins wars and raids. What you must lose and do not "
              "have turns into a Border Raid (J-14)."),
    "stability": ("Stability", "Order in the realm. Pays for taxes and settles conspiracies. What "
                  "you must lose and do not have turns into Whispers of Treason (J-14)."),
    "influence": ("Influence", "Standing among princes. What you must lose and do not have turns "
                  "into a Diplomatic Incident (J-14)."),
    "food": ("Food", "Harvest and tribute. Pays for most action cards. What you must lose and do "
             "not have turns into a Crop Failure (J-14)."),
    "trade": ("Trade", "Trade goods belong to the later acts (J-10)."),
    "any": ("Any resource", "Units of your choice (J-24)."),
    "bank": ("Bank", "Holds a resource up to its maximum; what does not fit is lost (J-10, "
             "J-11)."),
    "timer": ("Timer", "Loses 1 when the clocks advance. At 0 the card fails and its effect "
              "happens (J-35, J-36)."),
    "track": ("Track", "Pay for steps to the right. The marker falls by 1 when the clocks "
              "advance: at the right end it is won, at 0 lost (J-33, J-38)."),
    "clock": ("Named clock", "Belongs to a name and outlives every copy of the card. When it is "
              "full its effect happens and it is empty again (J-6)."),
    "option": ("Option", "In the Resolution Phase pay its price or meet its condition, then its "
               "effect happens (J-30, J-31)."),
    "upkeep": ("Each turn", "At the start of a turn it counts one up and gives its effect; when "
               "the count is full it is over (J-22)."),
    "escalation": ("Escalation", "When two copies meet in the agenda both go and the next, worse "
                   "one comes (J-59)."),
    "crisis": ("Crisis card", "A calamity of one of three tiers. Too many of them and the realm "
               "collapses; a third-tier one whose timer runs out loses the game (J-8, J-66)."),
    "collapse": ("Collapse", "With {collapse_limit} crisis cards in agenda, objective deck and "
                 "objective discard the realm collapses (J-67)."),
    "milestone": ("Milestone", "Resolve the last one and you have won. They come in a fixed order "
                  "(J-17, J-65)."),
    "objective": ("Objective", "A card of the agenda. Resolve it in the Resolution Phase or its "
                  "time runs out (J-29, J-35)."),
    "action": ("Action card", "Played in the Action Phase for its cost (J-23, J-24)."),
    "retained": ("Retained", "Happens when the card is still in your hand at the end of the "
                 "Action Phase (J-28)."),
    "misfortune": ("Misfortune", "Losing what you do not have: for each missing unit a calamity of "
                   "that resource begins to brew (J-13, J-14)."),
    "province": ("Province", "When played it compares two banks with its threshold: it gives "
                 "something, or it is lost (J-24)."),
    "mandatory": ("Mandatory", "The Action Phase cannot end while you could still play it "
                  "(J-23)."),
    "expendable": ("Expendable", "Leaves the game for good once it is played (J-24)."),
    "statecraft": ("Statecraft", "A subtype; other cards refer to it (J-7)."),
    "troop": ("Troop", "A subtype; other cards refer to it (J-7)."),
    "maat": ("Maat", "A subtype of rites and order (J-7)."),
    "prestige": ("Prestige", "A subtype of standing and display (J-7)."),
    "sun": ("Sun", "A subtype of the sun cult (J-7)."),
    "moon": ("Moon", "A subtype of the moon cult (J-7)."),
    "cataracts": ("Cataracts", "Cards of the land beyond the cataracts (J-7)."),
    "sable": ("Sable Coast", "Cards of the princes of the Sable Coast (J-7)."),
    "cedars": ("Cedars", "Cards of the Kingdom of the Cedars (J-7)."),
    "war": ("War", "A track to be won with might; its timer pushes the marker back (J-38)."),
    "project": ("Project", "Built part by part. In a turn in which it was advanced its timer "
                "stands still (J-37)."),
    "deck": ("Deck", "Its order is unknown; what is in it can be looked up (J-2)."),
    "discard": ("Discard", "Shuffled into a new deck when the deck is empty (J-26)."),
    "removed": ("Out of the game", "Cards that were destroyed or used up."),
    "draw": ("Next draw", "Cards drawn in the next Reset Phase: the draw limit and what was "
             "promised (J-41)."),
    "points": ("Points", "{score_milestone} for each resolved milestone and some for progress on "
               "the next, 1 a turn, {score_province} for each of up to {score_provinces} "
               "provinces, less what open crises cost. A win is worth {score_win} and "
               "{score_early} for each turn left (J-69)."),
    "turn": ("The turns", "After turn {turn_cap} the game ends unfinished (J-67)."),
    "known": ("Scouted", "Objectives you have seen on top of their deck (J-51)."),
}


def tips(content: Content) -> dict[str, tuple[str, str]]:
    words = content.words
    result = {key: (title, text.format(**words["rules"]))
              for key, (title, text) in CONCEPTS.items()}
    for family in FAMILIES:
        for card in words[family]:
            text = thing(content, family, card)
            result[f"card.{card}"] = (text.name, text.full)
    return result
