"""A table laid out for a test, in the game's own notation.

    Table(opened=["skinner theater=10", "warrior_1:tanner!1"], demand="-seer tanner", treasury=4)

Cards are named by their content keys, piles read from bottom to top. `-card` lies face-down,
`quarry+seer` is a startup with a development card, `skinner:seer` is contracted with Seer,
`skinner:seer!2` is paid with 2 gold on it, `theater=10` has 10 gold stored. Cards not named lie
in the draw piles (`draws` of each age, their order given by `draw`) and in the box.
"""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.build import Mode
from exchequer.core.contract import run_steps
from exchequer.core.log import ALL, clear, entries, new_log
from exchequer.core.piles import TOP, lay_all, move
from exchequer.games.treasury.v17 import GAME, rules
from exchequer.games.treasury.v17.cards import Ability, Card
from exchequer.games.treasury.v17.closing import close_refusal
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Do, Event, Pile, Refusal, State, Step
from exchequer.games.treasury.v17.words import CARDS, TEXTS
from exchequer.games.treasury.v17.zones import count_business

ENGINE = GAME.engine(Mode.PYTHON)
SLOT_VERBS = {"open": Do.OPEN, "claim": Do.CLAIM, "pay": Do.PAY}


def spelled_out(table, texts):
    """`close:skinner` is `close` and, unless it is the only business, `slot:skinner`."""
    for text in texts:
        verb, _, name = text.partition(":")
        yield verb if verb == "close" else text
        if verb == "close" and table.asked == "CLOSE_SLOT":
            yield f"slot:{name}"


class Table:
    def __init__(self, seats=2, *, hands=(), startups=(), opened=(), queue="", demand="",
                 discard="", draw=None, draws=5, gold=3, treasury=0, seat=0, age=0,
                 obsolete=(), turn=True, **options):
        self.content = GAME.content(options)
        self.c = self.content.record
        self.s = s = np.zeros(1, State)[0]
        self.log, self.told = new_log(1023), []
        clear(self.log)
        s.seats, s.current, s.age, s.next_end, s.treasury = seats, seat, age, age, treasury
        s.rng, s.last_seat = 1 << 40 | 7, -1
        s.pick[:] = -1
        s.turns[:seats] = 1
        s.gold[:seats] = gold
        lay_all(s, Pile.BOX)
        for owner, cards in enumerate(hands):
            for card in cards.split():
                self.lay(card, Pile.HAND + owner, 1 << owner)
        for owner in range(seats):
            self.build(owner, opened, startups)
        for pile, cards in ((Pile.QUEUE, queue), (Pile.DEMAND, demand)):
            for card in cards.split():
                hidden = card.startswith("-")
                place = self.lay(card.lstrip("-"), pile, 0 if hidden else ALL)
                s.face_up[place] = not hidden
        for card in discard.split():
            self.lay(card, Pile.DISCARD, 0)
        for card in (draw or "").split():
            self.lay(card, Pile.DRAW + self.c.card[Card[card.upper()]].age, 0)
        self.fill_piles(draws, age)
        for icon in obsolete:
            s.obsolete |= 1 << icon
        if turn:
            s.actions, s.in_main = 1, 1
            then(s, Step.NEXT_TURN, seat, 0, 0)
            then(s, Step.CHECK_AGE, seat, 0, 0)
            then(s, Step.END_DRAW, seat, 0, 0)
            then(s, Ask.MAIN, seat, 0, 0)

    # Laying out --------------------------------------------------------------------------------

    def lay(self, name, pile, known):
        card, s = Card[name.upper()], self.s
        box = s.card[s.start[Pile.BOX]: s.start[Pile.BOX + 1]].tolist()
        assert card in box, f"{name} lies elsewhere already"
        place = move(s, Pile.BOX, box.index(card), pile, TOP)
        s.known[place] = known
        return place

    def build(self, owner, opened, startups):
        s, slot = self.s, 0
        for text in (opened[owner] if owner < len(opened) else "").split():
            name, _, stored = text.partition("=")
            name, _, contract = name.partition(":")
            contract, _, on_it = contract.partition("!")
            place = self.lay(name, Pile.BUSINESS + owner * N_SLOTS + slot, ALL)
            s.face_up[place] = s.opened[owner, slot] = 1
            count_business(s, self.c, owner, int(s.card[place]), 1)
            s.stored[owner, slot] = int(stored or 0)
            if contract:
                self.lay(contract, Pile.CONTRACT + owner * N_SLOTS + slot, 1 << owner)
                s.contract_gold[owner, slot] = int(on_it or 0)
                s.paid[owner, slot] = on_it != ""
            slot += 1
        for text in (startups[owner] if owner < len(startups) else "").split():
            name, *cards = text.split("+")
            self.lay(name, Pile.BUSINESS + owner * N_SLOTS + slot, 1 << owner)
            for card in cards:
                self.lay(card, Pile.DEVELOPMENT + owner * N_SLOTS + slot, 1 << owner)
            slot += 1

    def fill_piles(self, draws, age):
        """Below what `draw` names, so that those lie on top."""
        s = self.s
        for pile_age in range(age, 4):
            pile = Pile.DRAW + pile_age
            least = draws if isinstance(draws, int) else draws[pile_age]
            while s.start[pile + 1] - s.start[pile] < least:
                box = s.card[s.start[Pile.BOX]: s.start[Pile.BOX + 1]].tolist()
                index = next(i for i, card in enumerate(box) if self.c.back[card] == pile_age)
                move(s, Pile.BOX, index, pile, 0)

    # Playing -----------------------------------------------------------------------------------

    def action(self, text):
        verb, _, what = text.partition(":")
        if verb in SLOT_VERBS and not what.isdigit():
            return SLOT_VERBS[verb] + self.slot(self.actor, what)
        if verb == "slot" and "-" not in what:
            return Do.SLOT + next(owner * N_SLOTS + self.slot(owner, what)
                                  for owner in range(self.s.seats)
                                  if self.slot(owner, what) is not None)
        return TEXTS.action(text)

    def do(self, *texts):
        """Take legal actions, one after another."""
        for text in spelled_out(self, texts):
            action = self.action(text)
            why = GAME.engine(Mode.PYTHON).refusal(self.s, self.c, action)
            assert why == Refusal.NONE, f"{text}: {Refusal(why).name} ({self.asked})"
            clear(self.log)
            ENGINE.apply(self.s, self.c, action, self.log)
            self.told += list(entries(self.log))
        assert self.s.agenda_fault == 0 and rules.fault(self.s, self.c) == 0
        return self

    def run(self):
        """Let the steps that were put on the agenda happen."""
        clear(self.log)
        self.steps()
        self.told += list(entries(self.log))
        return self

    def steps(self):
        """What `apply` does after an answer."""
        ENGINE.bind(run_steps)(self.s, self.c, self.log)
        assert self.s.agenda_fault == 0

    def step(self, what, seat, a=0, b=0):
        """Put a step on the agenda and let it happen, outside any turn."""
        then(self.s, what, seat, a, b)
        return self.run()

    def end_age(self, age=None, seat=None, final=0):
        """Run an End of Age procedure by itself."""
        from exchequer.games.treasury.v17.ages import end_age
        self.s.todo, self.s.in_main = 0, 0
        seat = int(self.s.current) if seat is None else seat
        clear(self.log)
        end_age(self.s, seat, int(self.s.next_end) if age is None else age, final, self.log)
        self.steps()
        self.told += list(entries(self.log))
        return self

    def trigger(self, seat=None):
        """Trigger the bottom event of the queue by itself, outside any turn."""
        self.s.todo = 0
        return self.step(Step.TRIGGER, int(self.s.current) if seat is None else seat)

    def refuses(self, text):
        """The name of the refusal, "" when the action is legal."""
        if text.startswith("close:"):
            seat = self.actor
            return Refusal(close_refusal(self.s, seat, self.slot(seat, text[6:]))).name \
                .replace("NONE", "")
        why = GAME.engine(Mode.PYTHON).refusal(self.s, self.c, self.action(text))
        return Refusal(why).name if why else ""

    @property
    def choices(self):
        out = np.zeros(GAME.max_legal, np.int32)
        return [TEXTS.text(a) for a in out[: rules.legal(self.s, self.c, out)].tolist()]

    # Reading -----------------------------------------------------------------------------------

    @property
    def actor(self):
        return int(ENGINE.actor(self.s))

    @property
    def asked(self):
        question = int(ENGINE.question(self.s))
        return Ask(question).name if question >= 0 else "NOTHING"

    def slot(self, seat, name):
        for slot in range(N_SLOTS):
            pile = Pile.BUSINESS + seat * N_SLOTS + slot
            if self.s.start[pile + 1] > self.s.start[pile] and \
                    CARDS[self.s.card[self.s.start[pile]]] == name:
                return slot
        return None

    def pile(self, pile):
        """Card names from bottom to top, face-down ones with a dash where facing matters."""
        s, marked = self.s, pile in (Pile.QUEUE, Pile.DEMAND)
        return " ".join(("" if s.face_up[place] or not marked else "-") + CARDS[s.card[place]]
                        for place in range(s.start[pile], s.start[pile + 1]))

    @property
    def queue(self):
        return self.pile(Pile.QUEUE)

    @property
    def demand(self):
        return self.pile(Pile.DEMAND)

    @property
    def discards(self):
        return self.pile(Pile.DISCARD)

    def draw_pile(self, age):
        return self.pile(Pile.DRAW + age)

    def hand(self, seat):
        return set(self.pile(Pile.HAND + seat).split())

    def contract(self, seat, name):
        """The contract card on a business, "" without one."""
        return self.pile(Pile.CONTRACT + seat * N_SLOTS + self.slot(seat, name))

    def developments(self, seat, name):
        return self.pile(Pile.DEVELOPMENT + seat * N_SLOTS + self.slot(seat, name))

    def is_open(self, seat, name):
        slot = self.slot(seat, name)
        return slot is not None and bool(self.s.opened[seat, slot])

    def paid(self, seat, name):
        return bool(self.s.paid[seat, self.slot(seat, name)])

    def on_contract(self, seat, name):
        return int(self.s.contract_gold[seat, self.slot(seat, name)])

    def stored(self, seat, name):
        return int(self.s.stored[seat, self.slot(seat, name)])

    @property
    def gold(self):
        return self.s.gold[: self.s.seats].tolist()

    @property
    def treasury(self):
        return int(self.s.treasury)

    def knows(self, seat, pile, index):
        return bool(self.s.known[self.s.start[pile] + index] >> seat & 1)

    def fired(self, ability):
        """How often an ability was used."""
        return sum(e.what == Event.ABILITY and e.thing == Ability[ability.upper()]
                   for e in self.told)

    def events(self, what):
        return [e for e in self.told if e.what == what]
