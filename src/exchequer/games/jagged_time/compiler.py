"""The compiler: the cards of `content.toml` become the tables that the rules walk.

What cannot be read, and what can never be carried out where it stands, is refused with card, field
and a sentence.
"""

import difflib
from collections.abc import Callable, Iterable
from typing import Any

from exchequer.core.content import Content, ContentError, Schema, Words, merged
from exchequer.games.jagged_time.notation import (
    CLOCK_FIELDS,
    DUE,
    FAMILIES,
    FIELDS,
    FORMS,
    NEEDS,
    OPTION_FIELDS,
    PROGRESS,
    PROVINCE_FIELDS,
    RESOURCES,
    RULED_SUBTYPES,
    SPECIAL,
    TIMER_FIELDS,
    TRACK_FIELDS,
    UPKEEP_FIELDS,
    matched,
)
from exchequer.games.jagged_time.tables import (
    ANY,
    FIRST_OBJECTIVE,
    MOST_BRANCHES,
    MOST_CARD_OPTIONS,
    MOST_CHOICES,
    MOST_CLOCKS,
    MOST_COSTS,
    MOST_MASKS,
    MOST_MILESTONES,
    MOST_OPTIONS,
    MOST_PROJECTS,
    MOST_SCOUTED,
    MOST_TIMERS,
    MOST_TOKENS,
    MOST_TRACKS,
    N_CARDS,
    N_KINDS,
    N_RESOURCES,
    NO_KIND,
    NO_ROW,
    Family,
    Op,
    Pay,
    Then,
)


class CardSchema(Schema):
    """A schema whose tables of cards are open: a file or an overlay may add a card."""

    def shaped(self, overlay: Words, source: str) -> Words:
        cards = {key: value for key, value in overlay.items() if key in FAMILIES}
        for key, value in cards.items():
            if not isinstance(value, dict):
                raise ContentError(source, key, f"must be a table, not {value!r}.")
        rest = {key: value for key, value in overlay.items() if key not in FAMILIES}
        return super().shaped(rest, source) | cards

    def read(self, text: Words, source: str, overlay: Words | None = None,
             overlay_source: str = "variant") -> Content:
        overlay = self.shaped(overlay or {}, overlay_source)
        content = super().read(without_cards(text), source, without_cards(overlay), overlay_source)
        words = merged(text, overlay)
        Compiler(content.record, words, text, overlay, source, overlay_source).compile()
        return Content(content.record, words, overlay)


def without_cards(text: Words) -> Words:
    return {key: value for key, value in text.items() if key not in FAMILIES}


class Compiler:
    """Fills the tables of one content record from its words, card by card."""

    def __init__(self, c: Any, words: Words, text: Words, overlay: Words, source: str,
                 overlay_source: str) -> None:
        self.c, self.words, self.text, self.rules = c, words, text, words["rules"]
        self.overlay, self.source, self.overlay_source = overlay, source, overlay_source
        self.ids: dict[str, int] = {}
        self.families: list[Family] = []
        self.cards: list[Words] = []
        self.subtypes: dict[str, int] = {name: bit for bit, name in enumerate(RULED_SUBTYPES)}
        self.masks: dict[int, int] = {}
        self.clocks: dict[str, int] = {}
        self.tokens = 1  # token 0 ends an empty program
        self.branches: list[str] = []
        self.timers: list[str] = []
        self.tracks: list[str] = []
        self.options: list[str] = []
        self.projects = 0
        self.id, self.field = "", ""  # what is being compiled
        self.card: Words = {}
        self.family = Family.ACTION

    def compile(self) -> None:
        self.number_cards()
        for kind, card in enumerate(self.cards):
            self.id, self.card, self.family = self.name_of(kind), card, self.families[kind]
            self.compile_card(self.c.card[kind])
        for name in RULED_SUBTYPES:
            self.c[name] = 1 << self.subtypes[name]
        self.c.n_kinds, self.c.n_clocks = len(self.cards), len(self.clocks)
        self.c.back[:] = [thing >= FIRST_OBJECTIVE for thing in range(N_CARDS)]
        self.fill_misfortunes()
        self.fill_milestones()
        self.words["index"] = {
            "cards": list(self.ids), "options": self.options, "timers": self.timers,
            "tracks": self.tracks, "branches": self.branches, "clocks": list(self.clocks),
            "subtypes": list(self.subtypes)}

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
        """The file's own cards first, so that a variant's cards do not move their numbers."""
        for own in (True, False):
            for name, family in FAMILIES.items():
                for card_id, card in self.words.get(name, {}).items():
                    if (card_id in self.text.get(name, {})) == own:
                        self.number_card(family, card_id, card)
        for card in self.cards:
            for subtype in card.get("subtypes", []):
                self.subtypes.setdefault(subtype, len(self.subtypes))
        if len(self.subtypes) > 62:
            raise ContentError(self.source, "", "there are more than 62 subtypes.")

    def number_card(self, family: Family, card_id: str, card: Any) -> None:
        self.family, self.id = family, card_id
        if not isinstance(card, dict):
            raise self.refuse(f"must be a table, not {card!r}", "")
        if card_id in self.ids:
            raise self.refuse("bears the id of another card", "")
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

    # Cards -----------------------------------------------------------------------------------

    def compile_card(self, row: Any) -> None:
        self.known(self.card, FIELDS[self.family], "")
        self.field = "name"
        if not isinstance(self.card.get("name"), str) or not self.card["name"].strip():
            raise self.refuse("must be a text in quotes")
        row.family = self.family
        row.subtypes = self.subtype_bits()
        row.start = self.number(self.card.get("start", 0), "start", 0, 40)
        row.tutorial = self.number(self.card.get("tutorial", 0), "tutorial", 0, 7)
        row.crisis = self.number(self.card.get("crisis", 0), "crisis", 0, 3)
        row.project = NO_ROW
        if row.subtypes >> self.subtypes["project"] & 1:
            row.project = self.room(self.projects, MOST_PROJECTS, "projects")
            self.projects += 1
        self.compile_cost(row)
        row.clock = self.compile_clock()
        row.timer, row.track = self.compile_timer(), self.compile_track()
        row.effect = self.program("effect", self.card.get("effect", []))
        row.retained = self.program("retained", self.card.get("retained", []))
        row.immediate = self.program("immediate", self.card.get("immediate", []))
        self.compile_province(row)
        self.compile_options(row)
        self.compile_upkeep(row)
        self.compile_escalation(row)
        row.progress = self.program("progress", self.card.get("progress", []), PROGRESS)

    def known(self, table: Any, fields: Iterable[str], field: str) -> None:
        if not isinstance(table, dict):
            raise self.refuse(f"must be a table, not {table!r}", field)
        for key in table:
            if key not in fields:
                close = difflib.get_close_matches(key, list(fields), 1)
                hint = f'did you mean "{close[0]}"?' if close else \
                    f"known are {', '.join(sorted(fields))}"
                raise self.refuse(f"is no field of a card here; {hint}".rstrip("."),
                                  f"{field}.{key}".lstrip("."))

    def subtype_bits(self) -> int:
        self.field = "subtypes"
        names = self.card.get("subtypes", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise self.refuse(f"{names!r} is not a list of subtypes")
        return sum(1 << self.subtypes[name] for name in set(names))

    def number(self, value: Any, field: str, low: int, high: int) -> int:
        """A number as it is or by the name of a rule."""
        self.field = field
        if isinstance(value, str) and type(self.rules.get(value)) is int:
            value = self.rules[value]
        if type(value) is not int or not low <= value <= high:
            raise self.refuse(f"{value!r} is not a whole number from {low} to {high} or the name "
                              "of such a rule")
        return value

    def amounts(self, value: Any, field: str) -> list[int]:
        """A price such as { food = 1, might = 2 }; `any` are units of one's choice."""
        self.field = field
        self.known(value, DUE, field)
        price = [0] * len(DUE)
        for name, amount in value.items():
            price[DUE[name]] = self.number(amount, f"{field}.{name}", 0, 99)
        return price

    def compile_cost(self, row: Any) -> None:
        costs = self.card.get("cost", [])
        self.field = "cost"
        if not isinstance(costs, list) or len(costs) > MOST_COSTS:
            raise self.refuse(f"must be a list of at most {MOST_COSTS} alternatives")
        row.costs = len(costs)
        for i, cost in enumerate(costs):
            row.cost[i] = self.amounts(cost, f"cost[{i}]")

    def compile_clock(self) -> int:
        """J-6 Cards that name the same clock share it."""
        if "clock" not in self.card:
            return NO_ROW
        clock = self.card["clock"]
        self.known(clock, CLOCK_FIELDS, "clock")
        name = clock.get("name")
        self.field = "clock.name"
        if not isinstance(name, str):
            raise self.refuse("must be the name of the clock")
        if name in self.clocks:
            return self.clocks[name]
        number = self.clocks[name] = self.room(len(self.clocks), MOST_CLOCKS, "clocks")
        row = self.c.clock[number]
        row.length = self.number(clock.get("size"), "clock.size", 1, 100)
        row.full = self.program("clock.full", clock.get("full", []))
        return number

    def then(self, table: Words, field: str, allowed: tuple[Then, ...]) -> Then:
        self.field = field
        value = table.get(field.split(".")[-1])
        names = {then.name.lower(): then for then in allowed}
        if value not in names:
            raise self.refuse(f"{value!r} is not one of {', '.join(names)}")
        return names[value]

    def compile_timer(self) -> int:
        if "timer" not in self.card:
            return NO_ROW
        timer = self.card["timer"]
        self.known(timer, TIMER_FIELDS, "timer")
        number = self.room(len(self.timers), MOST_TIMERS, "timers")
        self.timers.append(self.id)
        row = self.c.timer[number]
        row.kind = self.ids[self.id]
        row.length = self.number(timer.get("size"), "timer.size", 1, 12)
        row.then = self.then(timer, "timer.then",
                             (Then.RETURN, Then.RESET, Then.DESTROY, Then.LOSE))
        if self.family is Family.MILESTONE and row.then != Then.RESET:
            raise self.refuse("must be reset: a milestone stays until it is resolved")
        row.effect = self.program("timer.effect", self.without_self(timer.get("effect", []),
                                                                    row.then))
        row.pauses = timer.get("paused_if_advanced", False) is True
        return number

    def without_self(self, tokens: Any, then: int) -> Any:
        """J-R64 `self_gain` = return_only drops the gained copies of a card that returns."""
        if self.rules["self_gain"] != "return_only" or then != Then.RETURN:
            return tokens
        return [token for token in tokens if token.split()[:2] != ["card", self.id]]

    def compile_track(self) -> int:
        if "track" not in self.card:
            return NO_ROW
        track = self.card["track"]
        self.known(track, TRACK_FIELDS, "track")
        number = self.room(len(self.tracks), MOST_TRACKS, "tracks")
        self.tracks.append(self.id)
        row = self.c.track[number]
        row.kind = self.ids[self.id]
        row.length = self.number(track.get("size"), "track.size", 1, 20)
        row.start = self.number(track.get("start"), "track.start", 1, row.length - 1)
        row.pay[:] = self.amounts(track.get("pay", {}), "track.pay")
        if not sum(row.pay):
            raise self.refuse("must cost something, or the track could be climbed for nothing")
        if row.pay[ANY]:
            raise self.refuse("must name its resources")
        row.gain = self.number(track.get("step", 1), "track.step", 1, 20)
        row.decay = self.number(track.get("decay", 1), "track.decay", 0, 20)
        row.victory = self.program("track.victory", track.get("victory", []))
        row.becomes = any(token.startswith("become ") for token in track.get("victory", []))
        row.then = self.then(track, "track.defeat_then", (
            Then.RETURN, Then.DESTROY, Then.BECOME, Then.RESET, Then.STAY))
        if self.family is Family.MILESTONE and row.then not in (Then.RESET, Then.STAY):
            raise self.refuse("must be reset or stay: a milestone stays until it is resolved")
        row.defeat = self.program("track.defeat", self.without_self(track.get("defeat", []),
                                                                    row.then))
        return number

    def compile_province(self, row: Any) -> None:
        row.province[:] = NO_ROW
        if "province" not in self.card:
            return
        province = self.card["province"]
        self.known(province, PROVINCE_FIELDS, "province")
        self.field = "province.sum"
        names = province.get("sum")
        if not isinstance(names, list) or len(names) != 2 or not set(names) <= set(RESOURCES):
            raise self.refuse(f"{names!r} is not a list of two resources")
        row.province[:] = [RESOURCES[name] for name in names]
        row.at_least = self.number(province.get("at_least"), "province.at_least", 0, 99)
        row.held = self.program("province.then", province.get("then", []))
        row.failed = self.program("province.else", province.get("else", []))

    def compile_options(self, row: Any) -> None:
        options = self.card.get("options", [])
        self.field = "options"
        if not isinstance(options, list) or len(options) > MOST_CARD_OPTIONS:
            raise self.refuse(f"must be a list of at most {MOST_CARD_OPTIONS} options")
        row.first_option, row.options = len(self.options), len(options)
        for i, option in enumerate(options):
            number = self.room(len(self.options), MOST_OPTIONS, "options")
            self.options.append(f"{self.id} {'AB'[i]}")
            self.compile_option(self.c.option[number], option, f"options[{i}]")

    def compile_option(self, row: Any, option: Words, field: str) -> None:
        self.known(option, OPTION_FIELDS, field)
        row.kind = self.ids[self.id]
        ways = [way for way in ("spend", "need", "pay_effect", "spend_per", "advance")
                if way in option]
        self.field = field
        if len(ways) != 1:
            raise self.refuse("must have one of spend, need, pay_effect, spend_per, advance")
        row.need, row.price, row.clock, row.per = 0, 0, 0, 0
        effect = "effect"
        if ways[0] == "need":
            row.pay = Pay.NEED
            row.need = self.program(f"{field}.need", option["need"], NEEDS)
        elif ways[0] == "pay_effect":
            row.pay = Pay.PRICE
            row.price = self.program(f"{field}.pay_effect", option["pay_effect"])
        elif ways[0] == "spend_per":
            row.pay = Pay.PER_CARDS
            price = dict(option["spend_per"])
            row.per = self.number(price.pop("per_controlled_cards", 0),
                                  f"{field}.spend_per.per_controlled_cards", 1, 99)
            row.cost[:] = self.amounts(price, f"{field}.spend_per")
        elif ways[0] == "spend":
            row.pay = Pay.SPEND
            row.cost[:] = self.amounts(option["spend"], f"{field}.spend")
        else:
            row.pay, effect = Pay.CLOCKED, "full"
            row.cost[:] = self.amounts(option["advance"], f"{field}.advance")
            row.clock = self.number(option.get("clock"), f"{field}.clock", 1, 12)
        if row.cost[ANY]:
            raise self.refuse("must name its resources; `any` can only stand in the cost of an "
                              "action", field)
        row.effect = self.program(f"{field}.{effect}", option.get(effect, []))
        allowed: tuple[Then, ...] = (Then.RETURN, Then.DESTROY, Then.BECOME, Then.STAY)
        row.then = self.then(option, f"{field}.then",
                             (Then.NEXT,) if self.family is Family.MILESTONE else allowed)
        if row.then == Then.STAY and not sum(row.cost):
            raise self.refuse("costs nothing and the card stays, so it could be taken for ever",
                              field)

    def compile_upkeep(self, row: Any) -> None:
        if "upkeep" not in self.card:
            return
        upkeep = self.card["upkeep"]
        self.known(upkeep, UPKEEP_FIELDS, "upkeep")
        row.upkeep = self.number(upkeep.get("clock"), "upkeep.clock", 1, 12)
        row.upkeep_effect = self.program("upkeep.effect", upkeep.get("effect", []))
        row.upkeep_full = self.program("upkeep.full", upkeep.get("full", []))

    def compile_escalation(self, row: Any) -> None:
        """J-59 `become X` names the next card of the line; other tokens follow its entry."""
        row.escalates = NO_ROW
        if "escalation" not in self.card:
            return
        tokens = self.card["escalation"]
        row.escalates = NO_KIND
        self.field = "escalation"
        if tokens and tokens[0].startswith("become "):
            row.escalates = self.card_number(tokens[0].split()[1], Family.OBJECTIVE)
            tokens = tokens[1:]
        row.escalation = self.program("escalation", tokens)

    # Programs --------------------------------------------------------------------------------

    def program(self, field: str, tokens: Any, forms: list[tuple[str, Op]] = FORMS) -> int:
        """Compile a list of tokens; returns where it begins."""
        self.field = field
        if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
            raise self.refuse(f"{tokens!r} is not a list of effects in quotes")
        rows = [row for token in tokens for row in self.token(token, forms)]
        return self.written(rows)

    def written(self, rows: list[tuple[int, ...]]) -> int:
        if not rows:
            return 0
        first = self.tokens
        for row in [*rows, (Op.END,)]:
            self.room(self.tokens, MOST_TOKENS, "tokens")
            op, a, b, d = (*row, 0, 0, 0)[:4]
            self.c.token[self.tokens] = (op, a, b, d)
            self.tokens += 1
        return first

    def token(self, text: str, forms: list[tuple[str, Op]]) -> list[tuple[int, ...]]:
        words = text.split()
        head = words[0].rstrip(":") if words else ""
        if forms is FORMS and head in SPECIAL:
            return self.nested(text, head)
        shapes = [(shape, op) for shape, op in forms if shape.split()[0] == head]
        if not shapes:
            known = sorted({shape.split()[0] for shape, _ in forms} | (
                set(SPECIAL) if forms is FORMS else set()))
            close = difflib.get_close_matches(head, known, 1)
            hint = f'did you mean "{close[0]}"' if close else f"known are {', '.join(known)}"
            raise self.refuse(f'"{text}" is no known effect; {hint}')
        for shape, op in shapes:
            if (parts := matched(shape, words)) is not None:
                row = self.row(op, parts)
                self.refuse_impossible(op, row, text)
                return [row]
        allowed = " or ".join(f'"{shape}"' for shape, _ in shapes)
        raise self.refuse(f'"{text}" cannot be read; it must read {allowed}')

    def row(self, op: Op, parts: list[tuple[str, str]]) -> tuple[int, ...]:
        """The token's numbers, in the order in which the rules read them."""
        values = [self.part(kind, word) for kind, word in parts]
        if op is Op.GAIN_MIX:  # mask of resources; how many
            every = sum(1 << r for r in range(N_RESOURCES))
            return (op, values[1] if len(values) > 1 else every, values[0])
        if op is Op.RECUR:  # how many; mask of subtypes or NO_ROW
            return (op, values[0], values[1] if len(values) > 1 else NO_ROW)
        if op is Op.COPY:  # mask or NO_ROW; kind
            return (op, values[0], 0) if parts[0][0] == "SUB" else (op, NO_ROW, values[0])
        if op is Op.TRANSFORM:
            old, _, new = parts[0][1].partition("->")
            return (op, self.card_number(old, Family.ACTION), self.card_number(new, Family.ACTION),
                    values[1])
        return (op, *values)

    def part(self, kind: str, word: str) -> int:
        readers: dict[str, Callable[[str], int]] = {
            "NUMBER": lambda w: self.written_number(w, 0, 99),
            "SCOUTED": lambda w: self.written_number(w, 1, MOST_SCOUTED),
            "CHANGE": self.change, "TIMES": lambda w: self.written_number(w[1:], 1, 40),
            "RESOURCE": lambda w: self.one_of(w, RESOURCES, "resource"),
            "RESOURCES": lambda w: sum(1 << self.one_of(name, RESOURCES, "resource")
                                       for name in set(w.split("|"))),
            "CARD": lambda w: self.card_number(w, Family.ACTION, Family.OBJECTIVE),
            "ACTION": lambda w: self.card_number(w, Family.ACTION),
            "OBJECTIVE": lambda w: self.card_number(w, Family.OBJECTIVE),
            "SUB": self.sub, "ACTION->ACTION": lambda w: 0,
            "FAMILY": lambda w: self.one_of(w, {"actions": 0, "objectives": 1}, "deck"),
        }
        return readers[kind](word)

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

    def one_of(self, word: str, known: dict[str, int], what: str) -> int:
        if word not in known:
            raise self.refuse(f'"{word}" is no {what}; there are {", ".join(known)}')
        return known[word]

    def card_number(self, word: str, *families: Family) -> int:
        if word not in self.ids:
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
        if op in (Op.BECOME, Op.DESTROY_SELF) and self.family is not Family.OBJECTIVE:
            raise self.refuse(f'"{text}" can only stand on an objective, which has a slot')
        if op in (Op.FRONT, Op.FRONT_SET) and "track" not in self.card:
            raise self.refuse(f'"{text}" moves a marker, and this card has no track')
        if op is Op.ADVANCE_CLOCK and "clock" not in self.card:
            raise self.refuse(f'"{text}" advances a clock, and this card has none')
        if op is Op.PLAY and (self.family is not Family.ACTION
                              or self.field.split(".")[0] not in ("effect", "province")):
            raise self.refuse(f'"{text}" can only stand in the effect of an action, while there '
                              "is a hand to play from")
        if op is Op.TRANSFORM and row[1] == row[2]:
            raise self.refuse(f'"{text}" turns a card into itself')

    # Lists over all cards --------------------------------------------------------------------

    def fill_misfortunes(self) -> None:
        """J-14 J-R31 Which card of either family a missing unit of a resource brings."""
        self.c.misfortune_card[:] = NO_KIND
        for kind, card in enumerate(self.cards):
            if "misfortune" in card:
                self.id, self.card, self.family = self.name_of(kind), card, self.families[kind]
                self.field = "misfortune"
                resource = self.one_of(card["misfortune"], RESOURCES, "resource")
                side = 0 if self.family is Family.OBJECTIVE else 1
                if self.c.misfortune_card[side, resource] != NO_KIND:
                    raise self.refuse(f"there is already a misfortune of {card['misfortune']}")
                self.c.misfortune_card[side, resource] = kind

    def fill_milestones(self) -> None:
        """J-17 J-R4 The list of milestones is a leading part of those there are."""
        names = self.rules["milestones"]
        printed = list(self.words.get("milestone", {}))
        if names != printed[: len(names)] or len(names) > MOST_MILESTONES:
            raise self.refuse_rule("milestones", f"{names!r} is not a leading part of {printed}")
        self.c.n_milestones = len(names)
        self.c.milestone[: len(names)] = [self.ids[name] for name in names]
