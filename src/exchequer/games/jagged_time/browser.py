"""The Jagged Time in the browser: where its actions are done, its cards in words and icons."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.content import Content
from exchequer.games.jagged_time.notation import FAMILIES
from exchequer.games.jagged_time.state import Do
from exchequer.games.jagged_time.tables import MILESTONE, MOST_CARD_OPTIONS
from exchequer.games.jagged_time.words import (
    CARD_ID,
    RESOURCES,
    known_name,
    phrases,
    spoken,
)

Part = dict[str, str]  # a piece of a text: `text`, and `icon` and `tip` where it has them
Face = dict[str, Any]

PHASES = {"start": "Start", "action": "Action", "resolution": "Resolution", "clocks": "Clocks",
          "reset": "Reset"}
NAMED = re.compile(rf"{CARD_ID.pattern}|\b({'|'.join(RESOURCES)})\b")


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
        return f"bank-{RESOURCES[resource]}" if resource < len(RESOURCES) else ""
    if action >= Do.COST:
        return ""
    if action >= Do.TAKE:
        return f"take-{ids[action - Do.TAKE]}"
    return f"play-{ids[action - Do.PLAY]}" if action >= Do.PLAY else ""


# Cards in words and icons ------------------------------------------------------------------------

def said(content: Content, tokens: Sequence[str]) -> list[Part]:
    """Tokens as pieces of text: resources with their icons, cards with their names and tips."""
    text = ", ".join(spoken(content, token) for token in tokens) or "nothing"
    parts, at = [], 0
    for match in NAMED.finditer(text):
        word = match.group()
        parts.append(part(text[at:match.start()]))
        parts.append(part(word, word, word) if match.group(1)
                     else part(known_name(content, word), f"card.{word}"))
        at = match.end()
    return [*parts, part(text[at:])]


def part(text: str, tip: str = "", icon: str = "") -> Part:
    return {"text": text, "tip": tip, "icon": icon}


def amounts(content: Content, price: Mapping[str, Any]) -> list[tuple[str, int]]:
    """A price as resources and numbers; a number may be the name of a rule."""
    rules = content.words["rules"]
    return [(name, rules.get(amount, amount)) for name, amount in price.items()]


def action_face(content: Content, card: str) -> Face:
    """A card of the action deck."""
    words = content.words["action"][card]
    province = words.get("province")
    return {
        "id": card, "name": words["name"], "subtypes": words.get("subtypes", []),
        "costs": [amounts(content, cost) for cost in words.get("cost", [])],
        "effect": said(content, words["effect"]) if "effect" in words else [],
        "retained": said(content, words["retained"]) if "retained" in words else [],
        "misfortune": words.get("misfortune", ""),
        "province": province and {
            "sum": province["sum"], "at_least": province["at_least"],
            "then": said(content, province["then"]), "fails": said(content, province["else"])},
        "clock": words["clock"]["name"] if "clock" in words else "",
    }


def agenda_face(content: Content, card: Mapping[str, Any]) -> Face:
    """A card of the agenda or a milestone with its counters."""
    if "id" not in card:
        return {"place": card["place"], "id": ""}
    words = card["words"]
    timer, track, upkeep = words.get("timer"), words.get("track"), words.get("upkeep")
    progress = {part["option"]: part for part in card["progress"]}
    return {
        "place": card["place"], "id": card["id"], "name": card["name"],
        "subtypes": words.get("subtypes", []), "crisis": words.get("crisis", 0),
        "options": [option_face(content, option, progress.get("AB"[i]))
                    for i, option in enumerate(words.get("options", []))],
        "timer": timer and {**card["timer"], "effect": said(content, timer["effect"]),
                            "fatal": "lose_game" in timer["effect"]},
        "track": track and {**card["track"], "pay": amounts(content, track["pay"]),
                            "victory": said(content, track["victory"]),
                            "defeat": said(content, track["defeat"])},
        "upkeep": upkeep and {**card["upkeep"], "effect": said(content, upkeep["effect"])},
        "escalates": "escalation" in words, "strikes": strikes(card),
    }


def option_face(content: Content, option: Mapping[str, Any], progress: Any) -> Face:
    face: Face = {"name": option["name"], "pay": [], "need": [], "progress": progress, "per": 0,
                  "effect": said(content, option.get("effect", option.get("full", [])))}
    if "need" in option:
        face["need"] = said(content, option["need"])
    elif "pay_effect" in option:
        face["need"] = said(content, option["pay_effect"])
    elif per := option.get("spend_per"):
        face["per"] = per["per_controlled_cards"]
        face["pay"] = amounts(content, {k: v for k, v in per.items() if k in RESOURCES})
    else:
        face["pay"] = amounts(content, option.get("spend") or option.get("advance", {}))
    return face


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
        "hand": [action_face(content, card["id"]) for card in view["hand"]],
        "resolving": [action_face(content, card["id"]) for card in view["resolving"]],
        "action_face": lambda card: action_face(content, card),
        "card_name": lambda card: known_name(content, card),
        "piles": piles, "fatal": [card for card in (*agenda, milestone)
                                  if card["id"] and card["timer"] and card["timer"]["fatal"]],
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
    "expendable": ("Expendable", "Leaves the game once it is played (J-24)."),
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
    "points": ("Points", "Milestones, provinces and progress, less open crises (J-69)."),
    "turn": ("The turns", "After turn {turn_cap} the game ends unfinished (J-67)."),
    "known": ("Scouted", "Objectives you have seen on top of their deck (J-51)."),
}


def tips(content: Content) -> dict[str, tuple[str, str]]:
    words = content.words
    result = {key: (title, text.format(**words["rules"]))
              for key, (title, text) in CONCEPTS.items()}
    for family in FAMILIES:
        for card, printed in words[family].items():
            result[f"card.{card}"] = (printed["name"], card_text(content, printed))
    return result


def card_text(content: Content, words: Mapping[str, Any]) -> str:
    """All that is printed on a card, as sentences."""
    lines = []
    if costs := words.get("cost"):
        lines.append("Costs " + " or ".join(priced(content, cost) for cost in costs))
    if "effect" in words:
        lines.append("Played: " + phrases(content, words["effect"]))
    if province := words.get("province"):
        lines.append(f"If {' and '.join(province['sum'])} together are at least "
                     f"{province['at_least']}: {phrases(content, province['then'])}; else "
                     f"{phrases(content, province['else'])}")
    if "retained" in words:
        lines.append("Retained: " + phrases(content, words["retained"]))
    for option in words.get("options", []):
        effect = phrases(content, option.get("effect", option.get("full", [])))
        lines.append(f"{option['name']} ({option_price(content, option)}): {effect}")
    if track := words.get("track"):
        lines.append(f"Each step costs {priced(content, track['pay'])}. Won: "
                     f"{phrases(content, track['victory'])}. Lost: "
                     f"{phrases(content, track['defeat'])}")
    if upkeep := words.get("upkeep"):
        lines.append("Each turn: " + phrases(content, upkeep["effect"]))
    if timer := words.get("timer"):
        lines.append(f"Time out: {phrases(content, timer['effect'])}")
    return ". ".join(lines) + "."


def priced(content: Content, price: Mapping[str, Any]) -> str:
    return " and ".join(f"{number} {name}" for name, number in amounts(content, price)) or "nothing"


def option_price(content: Content, option: Mapping[str, Any]) -> str:
    if "need" in option or "pay_effect" in option:
        return phrases(content, option.get("need") or option["pay_effect"])
    if per := option.get("spend_per"):
        return f"{per['stability']} stability for every {per['per_controlled_cards']} cards"
    return priced(content, option.get("spend") or option.get("advance", {}))
