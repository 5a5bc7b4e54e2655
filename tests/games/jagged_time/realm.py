"""A realm to test with: a position of The Jagged Time written down, in plain Python.

    realm = Realm(banks="3/3/3/3", hand="C1 C4", slots="O11, O5 t2, -", odeck="O7 O18")
    realm.play("play:c1")
    realm.stop()                      # ends the phase
    realm.clocks()                    # Advance Clocks alone

Banks are might/stability/influence/food, decks are written from the top, other piles in any order;
`t` is a timer, `m` a marker. Nothing is asked that has one answer, but the realm always waits at
the two phases' own questions, so that a test can look before it stops.
"""

import re
from collections import Counter
from typing import Any

from exchequer.core.agenda import asked, next_step, take_question, then
from exchequer.core.build import Mode
from exchequer.core.contract import do_step
from exchequer.core.log import clear, entries, new_log
from exchequer.core.piles import card_at, pile_size
from exchequer.core.records import blank
from exchequer.games.jagged_time import GAME, rules
from exchequer.games.jagged_time.answers import list_answers
from exchequer.games.jagged_time.cards import kind_in, make
from exchequer.games.jagged_time.carry_out import answer
from exchequer.games.jagged_time.effects import carry_out
from exchequer.games.jagged_time.objectives import set_counters
from exchequer.games.jagged_time.state import (
    Ask,
    Ending,
    Event,
    Phase,
    Pile,
    State,
    Step,
)
from exchequer.games.jagged_time.tables import MILESTONE, NO_KIND, NO_PLACE, Resource

ENGINE = GAME.engine(Mode.PYTHON)

PILES = {"hand": Pile.HAND, "disc": Pile.DISCARD, "deck": Pile.DECK,
         "odeck": Pile.OBJECTIVE_DECK, "odisc": Pile.OBJECTIVE_DISCARD}
RESOURCES = [resource.name.lower() for resource in Resource]
LOG_ROOM = 4000
START = {"action": (Phase.ACTION, Step.ACTION), "resolution": (Phase.RESOLUTION, Step.RESOLUTION),
         "turn": (Phase.START, Step.START_TURN), "reset": (Phase.RESET, Step.RESET)}


def by_number(card: str) -> tuple[str, int, bool]:
    return card[0], int(re.sub(r"\D", "", card)), "+" in card


class Realm:
    def __init__(self, settings: dict[str, Any] | None = None, banks: str = "3/3/3/3",
                 hand: str = "", deck: str = "", disc: str = "", slots: str = "",
                 odeck: str = "", odisc: str = "", milestone: str = "M1",
                 phase: str = "action", seed: int = 1, **fields: Any) -> None:
        self.content = GAME.content(settings or {})
        self.c = self.content.record
        self.cards = self.content.words["index"]["cards"]
        self.s = blank(State)
        self.log = new_log(LOG_ROOM)
        clear(self.log)
        self.lay(seed)
        self.banks(banks)
        self.lay_piles(hand=hand, deck=deck, disc=disc, odeck=odeck, odisc=odisc)
        self.lay_slots(slots)
        self.lay_milestone(milestone)
        self.set(**fields)
        self.start(phase)

    # Building ----------------------------------------------------------------------------------

    def lay(self, seed: int) -> None:
        rules.seed_chance(self.s, seed, 0)
        self.s.turn, self.s.slots, self.s.draw_limit = 1, self.c.slots, self.c.draw
        self.s.paying = self.s.next_milestone = NO_KIND
        rules.lay_things(self.s)
        self.s.maximum[:4] = self.c.start_max

    def banks(self, text: str) -> "Realm":
        self.s.bank[:4] = [int(n) for n in text.split("/")]
        return self

    def lay_piles(self, **piles: str) -> "Realm":
        for name, text in piles.items():
            cards = text.split()
            for card in reversed(cards) if name in ("deck", "odeck") else cards:
                make(self.s, self.c, self.cards.index(card), PILES[name], self.log)
            if name in ("deck", "odeck"):
                first = self.s.start[PILES[name]]
                self.s.known[first : first + pile_size(self.s, PILES[name])] = 0
        return self

    def lay_slots(self, text: str) -> None:
        for place, card in enumerate(filter(None, map(str.strip, text.split(",")))):
            if card == "-":
                continue
            name, *counters = card.split()
            kind = self.cards.index(name)
            make(self.s, self.c, kind, Pile.SLOT + place, self.log)
            set_counters(self.s, self.c, place, kind)
            self.set_counters(place, counters)

    def lay_milestone(self, text: str) -> None:
        name, *counters = text.split()
        self.s.milestone = kind = self.cards.index(name)
        self.s.act = self.c.card[kind].act
        self.s.milestones_done = int(name[1:]) - 1
        set_counters(self.s, self.c, MILESTONE, self.cards.index(name))
        self.set_counters(MILESTONE, counters)

    def set_counters(self, place: int, counters: list[str]) -> None:
        for counter in counters:
            field = {"t": self.s.timer, "m": self.s.marker, "u": self.s.upkeep,
                     "p": self.s.progress[:, 0]}[counter[0]]
            field[place] = int(counter[1:])

    def set(self, **fields: Any) -> "Realm":
        for name, value in fields.items():
            if name in RESOURCES:
                self.s.bank[RESOURCES.index(name)] = value
            elif name.startswith("max_"):
                self.s.maximum[RESOURCES.index(name[4:])] = value
            else:
                setattr(self.s, name, value)
        return self

    def start(self, phase: str) -> "Realm":
        """Begin a phase; whatever was under way is dropped."""
        self.s.todo = 0
        self.s.phase, step = START[phase]
        then(self.s, step, 0, 0, 0)
        return self.go_on()

    # Playing -----------------------------------------------------------------------------------

    @property
    def top(self) -> int:
        return int(asked(self.s))

    def waits(self) -> bool:
        """At a phase's own question, which the realm never answers by itself."""
        return self.top in (Ask.RESOLVE, Ask.PLAY)

    def go_on(self, until: int | None = None) -> "Realm":
        while self.s.todo > 0:
            if self.top == until:
                return self
            if self.top >= Step.RUN:
                ENGINE.bind(do_step)(self.s, self.c, *next_step(self.s), self.log)
                continue
            list_answers(self.s, self.c)
            if self.s.n_options > 1 or self.waits():
                return self
            if self.s.n_options == 1:
                self.answer(int(self.s.options[0]))
            else:
                assert rules.may_lapse(self.top), Ask(self.top)
                take_question(self.s)
        return self

    def answer(self, action: int) -> None:
        ENGINE.bind(answer)(self.s, self.c, *take_question(self.s), action, self.log)

    def play(self, *texts: str, until: int | None = None) -> "Realm":
        """Answer question after question; an answer that is not legal fails the test."""
        for text in texts:
            action = GAME.words.TEXTS.action(text)
            assert text in self.moves(), f"{text}: {self.why_not(text)} of {self.moves()}"
            self.answer(action)
            self.go_on(until)
        assert not self.s.agenda_fault, (self.s.agenda_fault, self.s.agenda_fault_item)
        assert not rules.fault(self.s, self.c) or self.waits() or (self.s.todo and \
            self.top >= Step.RUN), rules.fault(self.s, self.c)
        return self

    def stop(self, until: int | None = None) -> "Realm":
        return self.play("stop", until=until)

    def clocks(self) -> "Realm":
        """Advance Clocks alone: both passes, up to the Reset Phase."""
        self.s.todo = 0
        self.s.phase = Phase.CLOCKS
        then(self.s, Step.TIMERS, 0, 0, 0)
        return self.go_on(until=Step.RESET)

    def reset(self) -> "Realm":
        """The Reset Phase alone, up to the start of the next turn."""
        self.s.todo = 0
        then(self.s, Step.RESET, 0, 0, 0)
        return self.go_on(until=Step.START_TURN)

    def next_turn(self) -> "Realm":
        """From the Reset Phase to the next Action Phase."""
        return self.reset().go_on()

    def retain(self, *texts: str) -> "Realm":
        """End the Action Phase and answer what its end asks."""
        self.play("stop")
        return self.play(*texts)

    def do(self, token_list: list[str], place: int = NO_PLACE) -> "Realm":
        """Carry out tokens as if they stood on a card."""
        from exchequer.games.jagged_time.compiler import Compiler

        compiler = Compiler(self.c, dict(self.content.words), GAME.text, {}, "test", "test")
        compiler.number_cards()
        compiler.tokens = 1900  # behind all programs and branches of the content
        compiler.masks = {int(mask): i for i, mask in enumerate(self.c.mask) if mask}
        compiler.branches = [""] * 200
        compiler.family, compiler.id = compiler.families[29], "O2"
        if place == MILESTONE:
            compiler.family, compiler.id = compiler.families[self.s.milestone], "M1"
        compiler.card = {"track": {}, "clock": {}}
        carry_out(self.s, self.c, compiler.program("test", token_list), place, self.log)
        return self.go_on()

    # Reading -----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        return [GAME.words.TEXTS.text(int(a)) for a in self.s.options[: self.s.n_options]]

    def why_not(self, text: str) -> str:
        why = int(ENGINE.refusal(self.s, self.c, GAME.words.TEXTS.action(text)))
        return GAME.words.refuse(why, self.content) if why else ""

    def pile(self, pile: int) -> list[str]:
        return [self.cards[self.s.kind[card_at(self.s, pile, i)]]
                for i in range(pile_size(self.s, pile))]

    def sorted(self, pile: int) -> str:
        return " ".join(sorted(self.pile(pile), key=by_number))

    @property
    def hand(self) -> str:
        return self.sorted(Pile.HAND)

    @property
    def disc(self) -> str:
        return self.sorted(Pile.DISCARD)

    @property
    def odisc(self) -> str:
        return self.sorted(Pile.OBJECTIVE_DISCARD)

    @property
    def deck(self) -> str:
        return " ".join(reversed(self.pile(Pile.DECK)))

    @property
    def odeck(self) -> str:
        return " ".join(reversed(self.pile(Pile.OBJECTIVE_DECK)))

    def slot(self, place: int) -> str:
        """`O14 t4 m1`; - for an empty slot."""
        kind = int(kind_in(self.s, self.c, place))
        if kind == NO_KIND:
            return "-"
        card = self.c.card[kind]
        timer = f" t{self.s.timer[place]}" if card.timer >= 0 else ""
        marker = f" m{self.s.marker[place]}" if card.track >= 0 else ""
        return f"{self.cards[kind]}{timer}{marker}"

    @property
    def slots(self) -> str:
        return ", ".join(self.slot(place) for place in range(self.s.slots))

    @property
    def milestone(self) -> str:
        return self.slot(MILESTONE)

    @property
    def bank(self) -> str:
        return "/".join(str(int(n)) for n in self.s.bank[:4])

    @property
    def maxima(self) -> str:
        return "/".join(str(int(n)) for n in self.s.maximum[:4])

    @property
    def removed(self) -> str:
        names = [self.cards[kind] for kind, n in enumerate(self.s.removed) for _ in range(n)]
        return " ".join(sorted(names, key=by_number))

    @property
    def controlled(self) -> int:
        return 128 - pile_size(self.s, Pile.SPARE_ACTIONS)

    def clock(self, name: str) -> int:
        return int(self.s.clock[self.content.words["index"]["clocks"].index(name)])

    def events(self, event: Event) -> Counter:
        return Counter(int(e.thing) for e in entries(self.log) if e.what == event)

    @property
    def ending(self) -> Ending:
        return Ending(int(self.s.ending))

    @property
    def score(self) -> int:
        return int(rules.score(self.s, self.c, 0))
