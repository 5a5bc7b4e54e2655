"""The compiler: the cards of `content.toml` become the tables that the rules walk.

`programs.py` reads the effects; this module the other fields of a card. Rulings that are only
entries of the content: JL-15, JL-27, JL-28, JL-29, JL-30, JL-31, JL-32, JL-33, JL-34, JL-35, JL-36,
JL-37, JL-38, JL-39, JL-42, JL-43, JL-44, JL-54, JL-59.
"""

import difflib
import functools
import re
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from exchequer.core.content import Content, ContentError, Schema, Words, merged
from exchequer.games.jagged_time.notation import (
    ACTS,
    CLOCK_FIELDS,
    DUE,
    FAMILIES,
    FIELDS,
    MIX_FIELDS,
    NEEDS,
    OPTION_FIELDS,
    PROGRESS,
    PROVINCE_FIELDS,
    RESOURCES,
    RULED_SUBTYPES,
    TIMER_FIELDS,
    TRACK_FIELDS,
    TRACKERS,
    UPKEEP_FIELDS,
    UPKEEPS,
)
from exchequer.games.jagged_time.programs import Programs
from exchequer.games.jagged_time.tables import (
    ANY,
    FIRST_OBJECTIVE,
    MOST_CARD_OPTIONS,
    MOST_CLOCKS,
    MOST_COSTS,
    MOST_OPTIONS,
    MOST_PROJECTS,
    MOST_SHARED,
    MOST_TIMERS,
    MOST_TRACKS,
    N_CARDS,
    N_CATACLYSMS,
    N_DUE,
    NO_KIND,
    NO_ROW,
    CardRow,
    Family,
    OptionRow,
    Pay,
    Then,
    TimerRow,
    TrackRow,
)

WAYS = {"need": "need", "spend_per": "spend_per", "spend": "spend", "spend_mix": "spend",
        "pay_effect": "spend", "advance": "clock", "tracker": "clock", "clock": "clock"}


@functools.cache
def zeros(kind: np.dtype) -> dict[str, Any]:
    return {name: np.zeros(kind[name].shape, int).tolist() for name in kind.names or ()}


def empty(kind: np.dtype) -> Any:
    """A row of a table to be filled; a record's own fields take far longer to write."""
    return SimpleNamespace(**zeros(kind))


def filled(row: Any) -> tuple[Any, ...]:
    return tuple(vars(row).values())


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
        words = inherited(merged(text, overlay))
        Compiler(content.record, words, text, overlay, source, overlay_source).compile()
        return Content(content.record, words, overlay)


def without_cards(text: Words) -> Words:
    return {key: value for key, value in text.items() if key not in FAMILIES}


def inherited(words: Words) -> Words:
    """JL-5 A specialised card is its base with a "+" in its name, but for what it says itself."""
    actions = words.get("action", {})
    return words | {"action": {key: specialised(card, actions) for key, card in actions.items()}}


def specialised(card: Any, actions: Words) -> Any:
    base = actions.get(card["specialises"]) if isinstance(card, dict) \
        and isinstance(card.get("specialises"), str) else None
    if not isinstance(base, dict) or not isinstance(base.get("name"), str):
        return card
    kept = {key: value for key, value in base.items()
            if key not in ("start", "misfortune", "aliases", "act")}
    return kept | {"name": f"{base['name']} +"} | card


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
            self.c.card[kind] = filled(self.compile_card(kind))
        for name in RULED_SUBTYPES:
            self.c[name] = 1 << self.subtypes[name]
        self.c.n_kinds, self.c.n_clocks = len(self.cards), len(self.clocks)
        self.c.back[:] = [thing >= FIRST_OBJECTIVE for thing in range(N_CARDS)]
        self.fill_misfortunes()
        self.fill_specialised()
        self.fill_cataclysms()
        self.fill_milestones()
        self.words["index"] = {
            "cards": list(self.ids), "options": self.options, "timers": self.timers,
            "tracks": self.tracks, "branches": self.branches, "clocks": list(self.clocks),
            "subtypes": list(self.subtypes),
            "changes": [f"{card} {what}" for card, what in self.changes]}

    # Cards -----------------------------------------------------------------------------------

    def compile_card(self, kind: int) -> Any:
        row = empty(CardRow)
        self.known(self.card, FIELDS[self.family], "")
        self.field = "name"
        if not isinstance(self.card.get("name"), str) or not self.card["name"].strip():
            raise self.refuse("must be a text in quotes")
        self.texts("aliases", self.card.get("aliases", []))
        row.family = self.family
        self.field = "act"
        row.act = self.act(self.card.get("act", 1))
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
        row.reveal = self.program("on_reveal", self.card.get("on_reveal", []))
        row.cheaper = self.change_of("cost")
        self.field = "next"
        row.following = self.card_number(self.card["next"], Family.MILESTONE) \
            if "next" in self.card else NO_KIND
        row.root, row.plus = kind, NO_KIND
        return row

    def act(self, value: Any) -> int:
        if not isinstance(value, int | str) or value not in ACTS:
            raise self.refuse(f"{value!r} is no act; there are {', '.join(map(str, ACTS))}")
        return ACTS[value]

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
        row.cost = [self.amounts(cost, f"cost[{i}]") for i, cost in enumerate(costs)] \
            + [[0] * N_DUE] * (MOST_COSTS - len(costs))

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
        self.c.clock[number] = (self.number(clock.get("size"), "clock.size", 1, 100),
                                self.program("clock.full", clock.get("full", [])))
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
        row = empty(TimerRow)
        row.kind = self.ids[self.id]
        row.length = self.number(timer.get("size"), "timer.size", 1, 12)
        row.then = self.then(timer, "timer.then", (
            Then.RETURN, Then.RESET, Then.DESTROY, Then.LOSE, Then.NEXT))
        if self.family is Family.MILESTONE and row.then not in (Then.RESET, Then.NEXT):
            raise self.refuse("must be reset or next: a milestone stays until it is resolved")
        if self.family is not Family.MILESTONE and row.then == Then.NEXT:
            raise self.refuse("can be next only on a milestone")
        tokens = self.texts("timer.effect", timer.get("effect", []))
        if row.then == Then.RETURN and any(token.startswith("become ") for token in tokens):
            tokens, row.then = [returning(token) for token in tokens], Then.SUPPLY
        row.effect = self.program("timer.effect", self.without_self(tokens, row.then))
        row.pauses = timer.get("paused_if_advanced", False) is True
        self.c.timer[number] = filled(row)
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
        row = empty(TrackRow)
        row.kind = self.ids[self.id]
        row.length = self.number(track.get("size"), "track.size", 1, 20)
        row.start = self.number(track.get("start"), "track.start", 1, row.length - 1)
        row.pay = self.amounts(track.get("pay", {}), "track.pay")
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
        if row.then == Then.STAY:  # in its place, and its marker starts again
            row.then = Then.RESET
        if self.family is Family.MILESTONE and row.then not in (Then.RESET, Then.STAY):
            raise self.refuse("must be reset or stay: a milestone stays until it is resolved")
        row.defeat = self.program("track.defeat", self.without_self(
            self.texts("track.defeat", track.get("defeat", [])), row.then))
        self.c.track[number] = filled(row)
        return number

    def compile_province(self, row: Any) -> None:
        row.province = [NO_ROW, NO_ROW]
        if "province" not in self.card:
            return
        province = self.card["province"]
        self.known(province, PROVINCE_FIELDS, "province")
        self.field = "province.sum"
        names = province.get("sum")
        if not isinstance(names, list) or len(names) != 2 or not set(names) <= set(RESOURCES):
            raise self.refuse(f"{names!r} is not a list of two resources")
        row.province = [RESOURCES[name] for name in names]
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
            self.c.option[number] = filled(self.compile_option(option, f"options[{i}]"))

    def compile_option(self, option: Words, field: str) -> Any:
        row = empty(OptionRow)
        self.known(option, OPTION_FIELDS, field)
        row.kind = self.ids[self.id]
        row.tracker = NO_ROW
        way = self.way_to_pay(option, field)
        if way == "need":
            row.pay = Pay.NEED
            row.need = self.program(f"{field}.need", option["need"], NEEDS)
        elif way == "spend_per":
            self.compile_spend_per(row, option, field)
        elif way == "spend":
            self.compile_spend(row, option, field)
        else:
            self.compile_clocked(row, option, field)
        if row.cost[ANY]:
            raise self.refuse("must name its resources; `any` can only stand in the cost of an "
                              "action", field)
        effect = "full" if row.clock else "effect"
        row.effect = self.program(f"{field}.{effect}", option.get(effect, []))
        allowed: tuple[Then, ...] = (Then.RETURN, Then.DESTROY, Then.BECOME, Then.STAY)
        row.then = self.then(option, f"{field}.then",
                             (Then.NEXT,) if self.family is Family.MILESTONE else allowed)
        if row.then == Then.BECOME:  # the effect says so
            row.then = Then.STAY
        if row.then == Then.STAY and row.pay != Pay.UNPAID and not sum(row.cost):
            raise self.refuse("costs nothing and the card stays, so it could be taken for ever",
                              field)
        return row

    def way_to_pay(self, option: Words, field: str) -> str:
        """J-30 A price, which may have several parts, or one of the other kinds of option."""
        self.field = field
        ways: set[str] = {WAYS[key] for key in option if key in WAYS}
        if len(ways) != 1:
            raise self.refuse("must have one of spend, need, pay_effect, spend_per, advance")
        return ways.pop()

    def compile_spend_per(self, row: Any, option: Words, field: str) -> None:
        row.pay = Pay.PER_CARDS
        self.known(option["spend_per"], (*DUE, "per_controlled_cards"), f"{field}.spend_per")
        price = dict(option["spend_per"])
        row.per = self.number(price.pop("per_controlled_cards", 0),
                              f"{field}.spend_per.per_controlled_cards", 1, 99)
        row.cost = self.amounts(price, f"{field}.spend_per")

    def compile_spend(self, row: Any, option: Words, field: str) -> None:
        """JL-9 Named units, units to be split freely, an effect as a price, or several of them."""
        row.pay = Pay.SPEND
        row.cost = self.amounts(option.get("spend", {}), f"{field}.spend")
        row.price = self.program(f"{field}.pay_effect", option.get("pay_effect", []))
        if "spend_mix" in option:
            mix = option["spend_mix"]
            self.known(mix, MIX_FIELDS, f"{field}.spend_mix")
            row.mix = self.number(mix.get("n"), f"{field}.spend_mix.n", 1, MOST_SHARED)
            names = self.texts(f"{field}.spend_mix.of", mix.get("of"))
            row.mix_of = sum(1 << self.one_of(name, RESOURCES, "resource") for name in set(names))
            if sum(row.cost):
                raise self.refuse("cannot stand beside spend", f"{field}.spend_mix")

    def compile_clocked(self, row: Any, option: Words, field: str) -> None:
        """JL-6 JL-12 JL-13 Steps that are paid for, or that only others make."""
        row.pay = Pay.CLOCKED if "advance" in option else Pay.UNPAID
        row.cost = self.amounts(option.get("advance", {}), f"{field}.advance")
        row.clock = self.number(option.get("clock"), f"{field}.clock", 1, 12)
        row.each = self.program(f"{field}.each", option.get("each", []))
        if "tracker" in option:
            self.field = f"{field}.tracker"
            row.tracker = self.one_of(option["tracker"], TRACKERS, "tracker")

    def compile_upkeep(self, row: Any) -> None:
        if "upkeep" not in self.card:
            return
        upkeep = self.card["upkeep"]
        self.known(upkeep, UPKEEP_FIELDS, "upkeep")
        row.upkeep = self.number(upkeep.get("clock"), "upkeep.clock", 1, 12)
        self.field = "upkeep.when"
        row.upkeep_late = self.one_of(upkeep.get("when", "turn start"), UPKEEPS, "moment")
        row.upkeep_effect = self.program("upkeep.effect", upkeep.get("effect", []))
        row.upkeep_full = self.program("upkeep.full", upkeep.get("full", []))

    def compile_escalation(self, row: Any) -> None:
        """J-59 `become X` names the next card of the line; other tokens follow its entry."""
        row.escalates = NO_ROW
        if "escalation" not in self.card:
            return
        tokens = self.texts("escalation", self.card["escalation"])
        row.escalates = NO_KIND
        if tokens and tokens[0].startswith("become ") and "random" not in tokens[0]:
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

    def fill_specialised(self) -> None:
        """JL-5 Which card a specialised one counts as, and the other way round."""
        for kind, card in enumerate(self.cards):
            if "specialises" in card:
                self.id, self.card, self.family = self.name_of(kind), card, self.families[kind]
                self.field = "specialises"
                base = self.card_number(str(card["specialises"]), Family.ACTION)
                if "specialises" in self.cards[base]:
                    raise self.refuse(f'"{card["specialises"]}" is specialised itself')
                self.c.card[kind].root, self.c.card[base].plus = base, kind

    def listed(self, rule: str, *families: Family) -> list[int]:
        """A rule that is a list of cards."""
        for name in self.rules[rule]:
            if name not in self.ids or self.families[self.ids[name]] not in families:
                names = " or ".join(family.name.lower() for family in families)
                raise self.refuse_rule(rule, f'"{name}" is no {names}')
        return [self.ids[name] for name in self.rules[rule]]

    def fill_cataclysms(self) -> None:
        """JL-18 The entries of the die table."""
        self.c.cataclysm[:] = NO_KIND
        kinds = self.listed("cataclysms", Family.OBJECTIVE)
        if len(kinds) != N_CATACLYSMS or len(set(kinds)) != N_CATACLYSMS:
            raise self.refuse_rule("cataclysms", f"must be {N_CATACLYSMS} different objectives")
        self.c.cataclysm[:] = kinds

    def fill_milestones(self) -> None:
        """J-17 J-R4 JL-2 The milestones of this game; where the way leaves them it is won."""
        kinds = self.listed("milestones", Family.MILESTONE)
        for kind in kinds:
            self.c.card[kind].listed = 1
        self.c.first_milestone, self.c.first_act = kinds[0], self.c.card[kinds[0]].act
        self.c.last_act = max(self.c.card[kind].act for kind in kinds)
        ways = {kind: self.ways(kind) for kind in kinds}
        steps = self.steps_to_win(kinds[0], ways)
        lost = [self.name_of(kind) for kind in kinds if kind not in steps]
        if lost:
            raise self.refuse_rule("milestones", f"no way leads from {self.name_of(kinds[0])} to "
                                   f"{', '.join(lost)}")
        ends = [steps[kind] for kind in kinds if not ways[kind] & set(kinds)]
        if not ends or any("on_reveal" in self.cards[kind] for kind in kinds
                           if not ways[kind] & set(kinds)):
            raise self.refuse_rule("milestones", "none of them can end the game")
        self.c.n_milestones = min(ends)

    def ways(self, kind: int) -> set[int]:
        """The milestones that can follow one."""
        found = {self.ids[name] for name in re.findall(r"'goto (\S+)'", str(self.cards[kind]))}
        following = int(self.c.card[kind].following)
        return found or ({following} - {NO_KIND})

    def steps_to_win(self, first: int, ways: dict[int, set[int]]) -> dict[int, int]:
        """How many milestones are resolved on the shortest way up to each one, itself included."""
        steps, ahead = {}, [(first, 0)]
        while ahead:
            kind, done = ahead.pop(0)
            done += "on_reveal" not in self.cards[kind]
            if kind in ways and kind not in steps:
                steps[kind] = done
                ahead += [(other, done) for other in sorted(ways[kind])]
        return steps


def returning(token: str) -> str:
    """JL-41 JL-47 A card that turns into another and returns: the other goes to the discard."""
    if token.startswith("become random active "):
        return "gain_active_cataclysm 1"
    return f"card {token.partition(' ')[2]}" if token.startswith("become ") else token
