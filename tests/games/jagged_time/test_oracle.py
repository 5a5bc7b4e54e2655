"""Costs and gains of every card by an oracle that reads the sheets and knows no rule of the game.

It keeps banks and maxima, takes the first of all alternatives and declines what may be declined. A
realm does the same with the real rules; banks, maxima and draws have to agree.
"""

import pytest

from exchequer.games.jagged_time import GAME
from exchequer.games.jagged_time.state import Ask, Ending
from exchequer.games.jagged_time.tables import MILESTONE
from games.jagged_time.realm import Realm
from games.jagged_time.test_facts import FACTS, PRINTED, RULED, inherited

ORDER = ["might", "stability", "influence", "food", "trade"]
RULES = dict(GAME.variant("campaign").overlay["rules"])
START, MAXIMUM = 8, 12


class Oracle:
    def __init__(self):
        self.bank = dict.fromkeys(ORDER, START)
        self.maximum = dict.fromkeys(ORDER, MAXIMUM)
        self.next_draw, self.draw_limit = 0, 5

    def pay(self, price):
        for name, amount in price.items():
            if name == "any":
                self.share(amount, ORDER)
            else:
                self.bank[name] -= amount

    def share(self, amount, names):
        for name in sorted(names, key=ORDER.index):
            part = min(amount, self.bank[name])
            self.bank[name] -= part
            amount -= part

    def add(self, name, amount):
        self.bank[name] = max(0, min(self.bank[name] + amount, self.maximum[name]))

    def limit(self, name, change):
        self.maximum[name] = max(0, min(self.maximum[name] + change, 12))
        self.bank[name] = min(self.bank[name], self.maximum[name])

    def run(self, tokens):
        for token in tokens:
            self.do(token)

    def do(self, token):
        if token.startswith("choose: "):
            return self.run(token.removeprefix("choose: ").split(" | ")[0].split(" & "))
        word, *rest = token.split()
        if word in ("gain", "lose"):
            self.add(rest[0], int(rest[1]) * (1 if word == "gain" else -1))
        elif word == "gain_any":
            self.add("might", int(rest[0]))
        elif word == "gain_mix":
            self.add(min(rest[1].split("|"), key=ORDER.index), int(rest[0]))
        elif word == "max":
            self.limit(min(rest[0].split("|"), key=ORDER.index), int(rest[1]))
        elif word == "max_all":
            for name in ORDER:
                self.limit(name, int(rest[0]))
        elif word == "next_draw":
            self.next_draw += int(rest[0])
        elif word == "draw_limit":
            self.draw_limit += int(rest[0])
        return None

    def all(self):
        return [*self.bank.values(), *self.maximum.values(), self.next_draw, self.draw_limit]


def realm_with(**fields):
    return Realm(RULES, banks="/".join([str(START)] * 4), trade=START,
                 **{f"max_{name}": MAXIMUM for name in ORDER}, **fields)


def state(realm):
    return [*map(int, realm.s.bank), *map(int, realm.s.maximum), int(realm.s.next_draw),
            int(realm.s.draw_limit)]


def simply(realm):
    """Decline what may be declined, else take the first."""
    while realm.top not in (Ask.PLAY, Ask.RESOLVE) and realm.s.todo \
            and realm.ending == Ending.NONE:
        moves = realm.moves()
        realm.play("stop" if "stop" in moves else moves[0])
    return realm


def fact(card, path, printed):
    """What is printed, or ruled instead."""
    return RULED[card, path][1] if (card, path) in RULED else printed


ACTIONS = [card["id"] for card in FACTS["action"]]


@pytest.mark.parametrize("card", ACTIONS)
def test_playing_costs_and_gains_what_is_printed(card):
    entry = inherited(PRINTED[card][1])
    realm = realm_with(hand=card, milestone="M6")
    simply(realm.play(f"play:{card.lower()}"))
    oracle = Oracle()
    oracle.pay(entry["cost"][0] if entry["cost"] else {})
    oracle.run(entry.get("effect", []))
    if "province" in entry:
        oracle.run(entry["province"]["then"])
    assert state(realm) == oracle.all()


OPTIONS = [(card["id"], index) for family in ("objective", "milestone") for card in FACTS[family]
           for index, option in enumerate(card.get("options", []))
           if not {"need", "spend_per"} & set(option) and "destroy random" not in str(
               option.get("pay_effect"))]


@pytest.mark.parametrize(("card", "index"), OPTIONS)
def test_options_cost_and_bring_what_is_printed(card, index):
    option = PRINTED[card][1]["options"][index]
    place = {"slots": f"O17, {card}"} if card[0] == "O" else {"milestone": card, "slots": "O17"}
    realm = realm_with(deck="C4 C4 C4", **({"milestone": "M7"} | place))
    at = 1 if card[0] == "O" else MILESTONE
    realm.s.progress[at, index] = option.get("clock", 1) - 1
    realm.start("resolution")
    oracle = Oracle()
    move = f"resolve:{'slot-2' if card[0] == 'O' else 'milestone'}-{'ab'[index]}"
    if "clock" in option and "advance" not in option:     # nobody pays: JL-6, JL-13
        tracker = option.get("tracker")
        realm.do([f"tracker {tracker} +1" if tracker else f"advance option {'AB'[index]} 1"],
                 MILESTONE)
    else:
        realm.play(move)
    simply(realm)
    oracle.pay(option.get("spend", {}) | option.get("advance", {}))
    if "spend_mix" in option:
        oracle.share(option["spend_mix"]["n"], option["spend_mix"]["of"])
    oracle.run(option.get("pay_effect", []) + option.get("each", []))
    for field in ("effect", "full"):
        oracle.run(fact(card, f"options.{index}.{field}", option.get(field, [])))
    assert state(realm) == oracle.all()


TIMED = [card["id"] for card in FACTS["objective"] + FACTS["milestone"]
         if "timer" in card and card["timer"]["then"] != "lose"
         and "front" not in str(card["timer"])]
TRACKS = [card["id"] for card in FACTS["objective"] if "track" in card]
GIFTS = [card["id"] for card in FACTS["objective"] if "upkeep" in card]


@pytest.mark.parametrize("card", TIMED)
def test_timers_take_what_is_printed(card):
    place = {"slots": f"O17, {card} t1", "milestone_resolved": 1} if card[0] == "O" else \
        {"milestone": f"{card} t1", "slots": "O17"}
    realm = realm_with(**place).clocks()
    oracle = Oracle()
    oracle.run(fact(card, "timer.effect", PRINTED[card][1]["timer"]["effect"]))
    assert state(realm) == oracle.all()


@pytest.mark.parametrize("card", TRACKS)
def test_lost_tracks_take_what_is_printed(card):
    realm = realm_with(slots=f"O17, {card} m1", milestone_resolved=1).clocks()
    oracle = Oracle()
    oracle.run(PRINTED[card][1]["track"]["defeat"])
    assert state(realm) == oracle.all()


def alternative(tokens, choices):
    """The tokens that are printed, or the first of several lists to choose from."""
    return tokens if tokens is not None else choices[0]


@pytest.mark.parametrize("card", TRACKS)
def test_won_tracks_cost_and_bring_what_is_printed(card):
    track = PRINTED[card][1]["track"]
    realm = realm_with(slots=f"O17, {card} m{track['size'] - 1}", phase="resolution",
                       milestone="M7")
    simply(realm.play("advance:slot-2"))
    oracle = Oracle()
    oracle.pay(track["pay"])
    oracle.run(alternative(track.get("victory"), track.get("victory_options")))
    assert state(realm) == oracle.all()


@pytest.mark.parametrize("card", GIFTS)
def test_gifts_are_what_is_printed(card):
    upkeep = PRINTED[card][1]["upkeep"]
    realm = realm_with(slots=card, milestone="M7", disc="C1 C1 C1", deck="C1 C1")
    for _ in range(upkeep["clock"] - 1):
        simply(realm.start("turn"))
        if upkeep["when"] == "crisis phase start":        # JL-14
            simply(realm.stop())
    oracle = Oracle()
    for _ in range(upkeep["clock"] - 1):
        oracle.run(alternative(upkeep.get("effect"), upkeep.get("choose")))
    assert state(realm) == oracle.all()


def test_the_oracle_has_seen_every_card():
    """But for the siege and the milestones that only reveal; JL-1, JL-18 and JL-24 are theirs."""
    asked = {card for card, _ in OPTIONS} | {*ACTIONS, *TRACKS, *GIFTS, *TIMED}
    assert set(PRINTED) - asked == {"M4", "M5", "M15", "M21", "M22", "M23"}
