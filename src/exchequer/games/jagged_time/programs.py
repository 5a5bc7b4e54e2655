"""Programs: lists of tokens in words become rows of the token table.

What cannot be read, and what can never be carried out where it stands, is refused with card, field
and a sentence.
"""

import difflib
import functools
import re
from collections.abc import Callable
from typing import Any

from exchequer.core.content import ContentError, Words
from exchequer.games.jagged_time.notation import (
    ACTS,
    FAMILIES,
    FORMS,
    LISTS,
    RESOURCES,
    RULED_SUBTYPES,
    SPECIAL,
    TRACKERS,
    matched,
    read_token,
)
from exchequer.games.jagged_time.tables import (
    MOST_BRANCHES,
    MOST_CARD_OPTIONS,
    MOST_CHANGES,
    MOST_CHOICES,
    MOST_MASKS,
    MOST_SCOUTED,
    MOST_TOKENS,
    N_KINDS,
    N_RESOURCES,
    NO_ROW,
    Act,
    Family,
    Op,
    Resource,
)

EVERYTHING = 99  # a standing change that leaves nothing (JL-8)
LETTERS = {letter: index for index, letter in enumerate("AB"[:MOST_CARD_OPTIONS])}
CHANGES = re.compile(r"modify (\S+): (?:cost any|gains(?: no)? (\w+))")


def act_of(card: Any) -> Act:
    """The act that brings a card; what is no act is refused later, with the card's name."""
    act = card.get("act", 1) if isinstance(card, dict) else 1
    return ACTS.get(act, Act.FIRST) if isinstance(act, int | str) else Act.FIRST


class Programs:
    """Writes the token lists of one content record; knows its cards by id."""

    def __init__(self, c: Any, words: Words, text: Words, overlay: Words, source: str,
                 overlay_source: str) -> None:
        self.c, self.words, self.text, self.rules = c, words, text, words["rules"]
        self.overlay, self.source, self.overlay_source = overlay, source, overlay_source
        self.ids: dict[str, int] = {}
        self.families: list[Family] = []
        self.cards: list[Words] = []
        self.subtypes: dict[str, int] = {name: bit for bit, name in enumerate(RULED_SUBTYPES)}
        self.masks: dict[int, int] = {}
        self.changes: dict[tuple[str, str], int] = {}  # card and what of it, by number (JL-8)
        self.tokens = 1  # token 0 ends an empty program
        self.token_table = c.token
        self.branches: list[str] = []
        self.id, self.field = "", ""  # what is being compiled
        self.card: Words = {}
        self.family = Family.ACTION

    # Refusing --------------------------------------------------------------------------------

    def refuse(self, sentence: str, field: str | None = None) -> ContentError:
        """The error for the card and field at hand; `raise self.refuse(...)`."""
        family, field = self.family.name.lower(), self.field if field is None else field
        changed = self.overlay.get(family, {}).get(self.id, {})
        top = field.split(".")[0].split("[")[0]
        is_changed = top in changed if field and isinstance(changed, dict) else bool(changed)
        source = self.overlay_source if is_changed else self.source
        return ContentError(source, ".".join(filter(None, (family, self.id, field))),
                            f"{sentence}.")

    def refuse_rule(self, key: str, sentence: str) -> ContentError:
        changed = key in self.overlay.get("rules", {})
        return ContentError(self.overlay_source if changed else self.source, f"rules.{key}",
                            f"{sentence}.")

    def room(self, used: int, most: int, what: str) -> int:
        if used >= most:
            raise self.refuse(f"is one too many: there is room for {most} {what}")
        return used

    # Numbering -------------------------------------------------------------------------------

    def number_cards(self) -> None:
        """The file's own cards first and act by act, so that neither a variant's cards nor those
        of a later act move the numbers of the others."""
        for own, act in [*((True, act) for act in Act), (False, NO_ROW)]:
            for name, family in FAMILIES.items():
                for card_id, card in self.words.get(name, {}).items():
                    if (card_id in self.text.get(name, {})) == own \
                            and (act_of(card) == act or not own):
                        self.number_card(family, card_id, card)
        for card in self.cards:
            for subtype in card.get("subtypes", []):
                self.subtypes.setdefault(subtype, len(self.subtypes))
        if len(self.subtypes) > 62:
            raise ContentError(self.source, "", "there are more than 62 subtypes.")
        self.number_changes()

    def number_changes(self) -> None:
        """JL-8 What any card changes for good; C7's own text has to know that it can be changed."""
        for card, resource in CHANGES.findall(str(self.cards)):
            self.changes.setdefault((card, resource or "cost"), len(self.changes))
        if len(self.changes) > MOST_CHANGES:
            raise ContentError(self.source, "", f"there are more than {MOST_CHANGES} cards that "
                               "others modify.")

    def change_of(self, what: str) -> int:
        """The standing change of this card's cost or of what it gains, or NO_ROW."""
        card = self.card.get("specialises", self.id) if self.family is Family.ACTION else ""
        return self.changes.get((card, what), NO_ROW) if isinstance(card, str) else NO_ROW

    def number_card(self, family: Family, card_id: str, card: Any) -> None:
        self.family, self.id = family, card_id
        if not isinstance(card, dict):
            raise self.refuse(f"must be a table, not {card!r}", "")
        if card_id in self.ids:
            raise self.refuse("bears the id of another card", "")
        self.texts("subtypes", card.get("subtypes", []))
        self.ids[card_id] = self.room(len(self.cards), N_KINDS, "kinds of card")
        self.families.append(family)
        self.cards.append(card)

    def name_of(self, kind: int) -> str:
        return list(self.ids)[kind]

    def mask(self, bits: int) -> int:
        """The number of a set of subtypes."""
        if bits not in self.masks:
            self.masks[bits] = self.room(len(self.masks), MOST_MASKS, "sets of subtypes")
            self.c.mask[self.masks[bits]] = bits
        return self.masks[bits]

    def number(self, value: Any, field: str, low: int, high: int) -> int:
        """A number as it is or by the name of a rule."""
        self.field = field
        if isinstance(value, str) and type(self.rules.get(value)) is int:
            value = self.rules[value]
        if type(value) is not int or not low <= value <= high:
            raise self.refuse(f"{value!r} is not a whole number from {low} to {high} or the name "
                              "of such a rule")
        return value

    # Programs --------------------------------------------------------------------------------

    def program(self, field: str, tokens: Any, forms: tuple[tuple[str, Op], ...] = FORMS
                ) -> int:
        """Compile a list of tokens; returns where it begins."""
        rows = [row for token in self.texts(field, tokens) for row in self.token(token, forms)]
        return self.written(rows)

    def texts(self, field: str, value: Any) -> list[str]:
        """A list of words in quotes, or the refusal."""
        self.field = field
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self.refuse(f"{value!r} is not a list of texts in quotes")
        return value

    def written(self, rows: list[tuple[int, ...]]) -> int:
        if not rows:
            return 0
        first = self.tokens
        for row in [*rows, (Op.END,)]:
            self.room(self.tokens, MOST_TOKENS, "tokens")
            self.token_table[self.tokens] = (*row, 0, 0, 0)[:4]
            self.tokens += 1
        return first

    def token(self, text: str, forms: tuple[tuple[str, Op], ...]) -> list[tuple[int, ...]]:
        head = text.split()[0].rstrip(":") if text.split() else ""
        if forms is FORMS and head in SPECIAL:
            return self.nested(text, head)
        found = read_token(text, forms)
        if found is None:
            raise self.refuse_token(text, head, forms)
        op, parts = found
        if op is Op.CARD_LIST:
            return self.card_list(parts[0][1])
        row = self.row(op, parts)
        self.refuse_impossible(op, row, text)
        return [row]

    def refuse_token(self, text: str, head: str, forms: tuple[tuple[str, Op], ...]
                     ) -> ContentError:
        """The error for a token that has none of the shapes."""
        shapes = [shape for shape, _ in forms if shape.split()[0] == head]
        if shapes:
            allowed = " or ".join(f'"{shape}"' for shape in shapes)
            return self.refuse(f'"{text}" cannot be read; it must read {allowed}')
        known = sorted({shape.split()[0] for shape, _ in forms} | (
            set(SPECIAL) if forms is FORMS else set()))
        close = difflib.get_close_matches(head, known, 1)
        hint = f'did you mean "{close[0]}"' if close else f"known are {', '.join(known)}"
        return self.refuse(f'"{text}" is no known effect; {hint}')

    def row(self, op: Op, parts: list[tuple[str, str]]) -> tuple[int, ...]:
        """The token's numbers, in the order in which the rules read them."""
        values = [self.part(kind, word) for kind, word in parts]
        if op is Op.GAIN_MIX:  # mask of resources; how many
            every = sum(1 << r for r in range(N_RESOURCES))
            return (op, values[1] if len(values) > 1 else every, values[0])
        if op is Op.RECUR:  # how many; mask of subtypes or NO_ROW
            return (op, values[0], values[1] if len(values) > 1 else NO_ROW)
        if op is Op.DESTROY_CHOSEN:  # mask of subtypes or NO_ROW; how many
            return (op, *values) if len(values) > 1 else (op, NO_ROW, values[0])
        if op is Op.COPY:  # mask or NO_ROW; kind
            return (op, values[0], 0) if parts[0][0] == "SUB" else (op, NO_ROW, values[0])
        if op in (Op.TRANSFORM, Op.TRANSFORM_SUB):
            old, _, new = parts[0][1].partition("->")
            first = self.card_number(old, Family.ACTION) if op is Op.TRANSFORM else self.sub(old)
            return (op, first, self.card_number(new, Family.ACTION), values[1])
        if op is Op.GAIN:  # resource; how many; number of the standing change from 1
            change = self.change_of(parts[0][1]) if self.field == "effect" else NO_ROW
            return (op, *values, change + 1)
        if op is Op.MODIFY:
            return self.modification(parts)
        if op is Op.UNLOCK:  # JL-3
            return (Op.MAXIMUM, Resource.TRADE, self.written_number("trade_max", 1, 12))
        if op is Op.DESTROY_OBJECTIVES:  # mask; how many
            return (op, values[1], values[0])
        return (op, *values)

    def card_list(self, name: str) -> list[tuple[int, ...]]:
        """JL-24 JL-26 A list of cards that is gained as a whole."""
        if name not in LISTS:
            raise self.refuse(f'"{name}" is no list of cards; there are {", ".join(LISTS)}')
        return [(Op.CARD, self.card_number(card, Family.ACTION, Family.OBJECTIVE), 1)
                for card in self.rules[LISTS[name]]]

    def modification(self, parts: list[tuple[str, str]]) -> tuple[int, ...]:
        """JL-8 Number of the standing change; by how much."""
        card, by = parts[0][1].rstrip(":"), EVERYTHING
        self.card_number(card, Family.ACTION)
        resource = next((word for kind, word in parts if kind == "RESOURCE"), "cost")
        if parts[-1][0] == "CHANGE":
            by = -self.change(parts[-1][1])
        if by < 1 or (card, resource) not in self.changes:
            raise self.refuse(f"{card} can only be made cheaper or less gainful")
        return (Op.MODIFY, self.changes[card, resource], by)

    def part(self, kind: str, word: str) -> int:
        return self.readers[kind](word)

    @functools.cached_property
    def readers(self) -> dict[str, Callable[[str], int]]:
        """How each of a shape's capitals is read."""
        return {
            "NUMBER": lambda w: self.written_number(w, 0, 99),
            "SCOUTED": lambda w: self.written_number(w, 1, MOST_SCOUTED),
            "CHANGE": self.change, "TIMES": lambda w: self.written_number(w[1:], 1, 40),
            "RESOURCE": lambda w: self.one_of(w, RESOURCES, "resource"),
            "RESOURCES": lambda w: sum(1 << self.one_of(name, RESOURCES, "resource")
                                       for name in set(w.split("|"))),
            "CARD": lambda w: self.card_number(w, Family.ACTION, Family.OBJECTIVE),
            "ACTION": lambda w: self.card_number(w, Family.ACTION),
            "OBJECTIVE": lambda w: self.card_number(w, Family.OBJECTIVE),
            "MILESTONE": lambda w: self.card_number(w, Family.MILESTONE),
            "SUB": self.sub, "ACTION->ACTION": lambda w: 0, "SUB->ACTION": lambda w: 0,
            "ACTION:": lambda w: self.card_number(w.rstrip(":"), Family.ACTION),
            "LETTER": lambda w: self.one_of(w, LETTERS, "option"),
            "TRACKER": lambda w: self.one_of(w, TRACKERS, "tracker"),
            "FAMILY": lambda w: self.one_of(w, {"actions": 0, "objectives": 1}, "deck"),
        }

    def written_number(self, word: str, low: int, high: int) -> int:
        field = self.field
        value = self.number(int(word) if word.isdigit() else word, field, low, high)
        self.field = field
        return value

    def change(self, word: str) -> int:
        if word[:1] not in ("+", "-"):
            raise self.refuse(f'"{word}" needs a sign: +1 or -1')
        number = self.written_number(word[1:], 0, 99)
        return number if word[0] == "+" else -number

    def one_of(self, word: Any, known: dict[str, int], what: str) -> int:
        if not isinstance(word, str) or word not in known:
            raise self.refuse(f'"{word}" is no {what}; there are {", ".join(known)}')
        return known[word]

    def card_number(self, word: str, *families: Family) -> int:
        if not isinstance(word, str) or word not in self.ids:
            raise self.refuse(f'there is no card "{word}"')
        if self.families[self.ids[word]] not in families:
            names = " or ".join(family.name.lower() for family in families)
            raise self.refuse(f'"{word}" is no {names}')
        return self.ids[word]

    def sub(self, word: str) -> int:
        head, colon, names = word.partition(":")
        if head != "sub" or not colon:
            raise self.refuse(f'"{word}" must read sub:subtype')
        return self.mask(sum(1 << self.one_of(name, self.subtypes, "subtype of any card")
                             for name in set(names.split("|"))))

    def nested(self, text: str, head: str) -> list[tuple[int, ...]]:
        """choose: a | b / choose unless RULE: a | b / may: spend R n => a / menu R: a | b

        `unless` names a switch that gives all alternatives instead of one (J-R22).
        """
        opening, colon, rest = text.partition(":")
        words = opening.split()
        if not colon:
            raise self.refuse(f'"{text}" needs a colon behind {head}')
        if head == "may":
            price, arrow, effect = rest.partition("=>")
            parts = matched("spend RESOURCE NUMBER", price.split())
            if not arrow or parts is None:
                raise self.refuse(f'"{text}" must read "may: spend RESOURCE NUMBER => effect"')
            resource, amount = (self.part(*part) for part in parts)
            return [(Op.MAY, resource, amount, self.branch([effect]))]
        if head == "choose" and len(words) == 3 and words[1] == "unless":
            if type(self.rules.get(words[2])) is not bool:
                raise self.refuse(f'"{words[2]}" is no switch of [rules]')
            if self.rules[words[2]]:
                return [row for effect in rest.split(" | ") for token in effect.split(" & ")
                        for row in self.token(token.strip(), FORMS)]
        elif len(words) != (2 if head == "menu" else 1):
            raise self.refuse(f'"{opening}:" cannot be read; it must read "choose:", '
                              '"choose unless RULE:" or "menu RESOURCE:"')
        effects = rest.split(" | ")
        if not 2 <= len(effects) <= min(MOST_CHOICES, 6):
            raise self.refuse(f'"{text}" must offer 2 to 6 alternatives')
        first = self.branch(effects)
        if head == "choose":
            return [(Op.CHOOSE, first, len(effects))]
        return [(Op.MENU, self.one_of(words[1], RESOURCES, "resource"), first, len(effects))]

    def branch(self, effects: list[str]) -> int:
        """Compile alternatives and list where they begin; returns the number of the first."""
        programs = [self.written([row for token in effect.split(" & ")
                                  for row in self.token(token.strip(), FORMS)])
                    for effect in effects]
        first = len(self.branches)
        for program, effect in zip(programs, effects, strict=True):
            number = self.room(len(self.branches), MOST_BRANCHES, "alternatives")
            self.branches.append(f"{self.id}: {effect.strip()}")
            self.c.branch[number] = program
        return first

    def refuse_impossible(self, op: Op, row: tuple[int, ...], text: str) -> None:
        """What can be read but never be carried out where it stands."""
        if op in (Op.BECOME, Op.DESTROY_SELF, Op.ENTER_ACTIVE) \
                and self.family is not Family.OBJECTIVE:
            raise self.refuse(f'"{text}" can only stand on an objective, which has a slot')
        if op in (Op.FRONT, Op.FRONT_SET) and "track" not in self.card:
            raise self.refuse(f'"{text}" moves a marker, and this card has no track')
        if op is Op.ADVANCE_CLOCK and "clock" not in self.card:
            raise self.refuse(f'"{text}" advances a clock, and this card has none')
        if op is Op.PLAY and (self.family is not Family.ACTION
                              or self.field.split(".")[0] not in ("effect", "province")):
            raise self.refuse(f'"{text}" can only stand in the effect of an action, while there '
                              "is a hand to play from")
        if op in (Op.GOTO, Op.WIN, Op.ADVANCE_OPTION) and self.family is not Family.MILESTONE:
            raise self.refuse(f'"{text}" can only stand on a milestone')
        if op is Op.TRACKER and row[2] < 1:
            raise self.refuse(f'"{text}": a tracker only advances')
        if op is Op.TRANSFORM and row[1] == row[2]:
            raise self.refuse(f'"{text}" turns a card into itself')
