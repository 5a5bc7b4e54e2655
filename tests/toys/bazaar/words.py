"""Bazaar in words."""

from exchequer.core.words import ActionTexts
from toys.bazaar.state import N_ACTIONS, Ask, Do, Event, Good, Refusal

SLOTS = [str(i + 1) for i in range(24)]
TEXTS = ActionTexts(N_ACTIONS, [("draw", Do.DRAW, []), ("sell", Do.SELL, SLOTS),
                                ("pay", Do.PAY, []), ("discard", Do.DISCARD, SLOTS)])


def ask(s, content):
    return "Your turn." if s.agenda[s.todo - 1].what == Ask.TURN else "Tribute!"


def describe(s, content, action):
    return TEXTS.text(action)


def tell(entry, content, names):
    thing = Good(entry.thing).name.lower() if entry.thing >= 0 else "a card"
    verb = Event(entry.what).name.lower()
    return f"{names[entry.seat]} {verb} {thing}."


def refuse(why, content):
    return f"{Refusal(why).name} (B-2)."
