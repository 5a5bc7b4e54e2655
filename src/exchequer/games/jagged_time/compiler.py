"""The compiler: the cards of `content.toml` become the tables that the rules walk.

`programs.py` reads the effects; this module the other fields of a card.
"""

import difflib
from collections.abc import Iterable
from typing import Any

from exchequer.core.content import Content, ContentError, Schema, Words, merged
from exchequer.games.jagged_time.notation import (
    CLOCK_FIELDS,
    DUE,
    FAMILIES,
    FIELDS,
    NEEDS,
    OPTION_FIELDS,
    PROGRESS,
    PROVINCE_FIELDS,
    RESOURCES,
    RULED_SUBTYPES,
    TIMER_FIELDS,
    TRACK_FIELDS,
    UPKEEP_FIELDS,
)
from exchequer.games.jagged_time.programs import Programs
from exchequer.games.jagged_time.tables import (
    ANY,
    FIRST_OBJECTIVE,
    MOST_CARD_OPTIONS,
    MOST_CLOCKS,
    MOST_COSTS,
    MOST_MILESTONES,
    MOST_OPTIONS,
    MOST_PROJECTS,
    MOST_TIMERS,
    MOST_TRACKS,
    N_CARDS,
    NO_KIND,
    NO_ROW,
    Family,
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


class Compiler(Programs):
    """Fills the tables of one content record from its words, card by card."""

    def __init__(self, c: Any, words: Words, text: Words, overlay: Words, source: str,
                 overlay_source: str) -> None:
        super().__init__(c, words, text, overlay, source, overlay_source)
        self.clocks: dict[str, int] = {}
        self.timers: list[str] = []
        self.tracks: list[str] = []
        self.options: list[str] = []
        self.projects = 0

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

    # Cards -----------------------------------------------------------------------------------

    def compile_card(self, row: Any) -> None:
        self.known(self.card, FIELDS[self.family], "")
        self.field = "name"
        if not isinstance(self.card.get("name"), str) or not self.card["name"].strip():
            raise self.refuse("must be a text in quotes")
        self.texts("aliases", self.card.get("aliases", []))
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
        """J-7 J-R26 The subtypes as printed."""
        return sum(1 << self.subtypes[name] for name in set(self.card.get("subtypes", [])))

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
        if not isinstance(value, str) or value not in names:
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
        row.effect = self.program("timer.effect", self.without_self(
            self.texts("timer.effect", timer.get("effect", [])), row.then))
        row.pauses = timer.get("paused_if_advanced", False) is True
        return number

    def without_self(self, tokens: list[str], then: int) -> list[str]:
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
        victory = self.texts("track.victory", track.get("victory", []))
        row.victory = self.program("track.victory", victory)
        row.becomes = any(token.startswith("become ") for token in victory)
        row.then = self.then(track, "track.defeat_then", (
            Then.RETURN, Then.DESTROY, Then.BECOME, Then.RESET, Then.STAY))
        if self.family is Family.MILESTONE and row.then not in (Then.RESET, Then.STAY):
            raise self.refuse("must be reset or stay: a milestone stays until it is resolved")
        row.defeat = self.program("track.defeat", self.without_self(
            self.texts("track.defeat", track.get("defeat", [])), row.then))
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
            self.known(option["spend_per"], (*DUE, "per_controlled_cards"), f"{field}.spend_per")
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
        tokens = self.texts("escalation", self.card["escalation"])
        row.escalates = NO_KIND
        if tokens and tokens[0].startswith("become "):
            row.escalates = self.card_number(tokens[0].partition(" ")[2], Family.OBJECTIVE)
            tokens = tokens[1:]
        row.escalation = self.program("escalation", tokens)

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
