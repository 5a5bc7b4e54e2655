"""The Jagged Time in the browser: where its actions are done, its cards in words and icons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from exchequer.core.agenda import asked
from exchequer.core.content import Content
from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.acts import ACT_NAMES, has_later_acts
from exchequer.games.jagged_time.notation import FAMILIES, RESOURCES
from exchequer.games.jagged_time.programs import act_of
from exchequer.games.jagged_time.state import Ask, Do
from exchequer.games.jagged_time.tables import MILESTONE, MOST_CARD_OPTIONS
from exchequer.games.jagged_time.texts import (
    REFERENCE,
    Line,
    card_lines,
    card_name,
    card_words,
    costs,
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


def unfinished(s: Any, content: Content, legal: Sequence[int]) -> str:
    """What the phase still offers."""
    return {Ask.PLAY: "You can still play a card.",
            Ask.RESOLVE: "You can still resolve something."}.get(Ask(asked(s)), "")


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
        "act": view["act"] if has_later_acts(content) else "", "news": news(view, content),
        "agenda": agenda, "milestone": milestone, "milestone_place": MILESTONE, "phases": PHASES,
        "hand": [card_face(content, card["id"]) for card in view["hand"]],
        "resolving": [card_face(content, card["id"]) for card in view["resolving"]],
        "card_face": lambda card: card_face(content, card),
        "card_name": lambda card: card_name(content, card),
        "piles": piles, "fatal": [card for card in (*agenda, milestone)
                                  if card["id"] and card["fatal"]],
    }


def news(view: Mapping[str, Any], content: Content) -> list[Part]:
    """JL-1 What an act has brought, in its first turn."""
    if view["act_turn"] > 1:
        return []
    acts = {name: act for act, name in ACT_NAMES.items()}
    brought = [line.text for card in content.value("milestones")
               if act_of(card_words(content, card)) == acts[view["act"]]
               for line in card_lines(content, card) if line.field == "on_reveal"]
    return parts(content, brought[0]) if brought else []


# What is explained -------------------------------------------------------------------------------

def tips(content: Content) -> dict[str, tuple[str, str]]:
    """The tips of words.toml, and every card."""
    cards = {card: thing(content, family, card)
             for family in FAMILIES for card in content.words[family]}
    return GAME.words.tips(content) | {f"card.{card}": (text.name, text.full)
                                       for card, text in cards.items()}
