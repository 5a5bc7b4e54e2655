"""Treasury 0.3 in words: actions, questions, log entries and refusals."""

from collections.abc import Sequence
from typing import Any

from exchequer.core.agenda import asked, top_item, top_seat
from exchequer.core.content import Content
from exchequer.core.piles import card_at, pile_size
from exchequer.core.words import ActionTexts, counted
from exchequer.games.treasury.v03.businesses import gold_cost
from exchequer.games.treasury.v03.cards import N_CARDS, Ability, Card, Icon, Tier
from exchequer.games.treasury.v03.holdings import business_card, development_pile
from exchequer.games.treasury.v03.state import (
    FACE_UP,
    FREE,
    N_ACTIONS,
    N_DECKS,
    SEATS,
    SLOTS,
    TO_ROW,
    Act,
    Ask,
    Do,
    Ending,
    Event,
    Pile,
    Refusal,
)

CARDS = [card.name.lower() for card in Card]
AGES = ["", "I", "II", "III", "IV", "reserve"]
PLACES = [str(slot + 1) for slot in range(SLOTS)]
SOURCES = [f"deck-{AGES[deck + 2].lower()}" for deck in range(N_DECKS)] \
    + [f"discard-{AGES[age].lower()}" for age in range(1, 5)]

TEXTS = ActionTexts(N_ACTIONS, [
    ("end", Do.END, []), ("yes", Do.YES, []), ("no", Do.NO, []), ("back", Do.BACK, []),
    ("seed", Do.SEED, ["action", "free", "row", "row-free"]),
    ("start", Do.START, ["down", "down-free", "up", "up-free"]),
    ("develop", Do.DEVELOP, []),
    ("close", Do.CLOSE, ["action", "free"]),
    ("open", Do.OPEN, PLACES),
    ("buy", Do.BUY, PLACES),
    ("use", Do.USE, PLACES),
    ("business", Do.SLOT, PLACES),
    ("startup", Do.PLACE, [f"{seat + 1}-{slot}" for seat in range(SEATS) for slot in PLACES]),
    ("player", Do.SEAT, [str(seat + 1) for seat in range(SEATS)]),
    ("draw", Do.SOURCE, SOURCES),
    ("card", Do.PICK, CARDS),
])


# Cards -------------------------------------------------------------------------------------------

def card_words(content: Content, card: int) -> dict[str, Any]:
    return content.words["card"][CARDS[card]]


def name_of(content: Content, card: int) -> str:
    """`Hut`, or what can be said of a card that is not known."""
    return card_words(content, card)["name"] if 0 <= card < N_CARDS else "a card"


def label(content: Content, card: int) -> str:
    """`Hut a31`: the name alone does not tell two Huts apart."""
    return f"{name_of(content, card)} {CARDS[card]}" if 0 <= card < N_CARDS else "a card"


def is_ours(content: Content, card: int) -> bool:
    """Whether the card was made by this project, not by the designer."""
    return card_words(content, card)["source"] == "ours"


def filled(text: str, numbers: dict[str, Any], content: Content) -> str:
    """A sentence of the content with a card's own numbers in it."""
    values = {"lab_gold": content.value("lab_gold"),
              "from_deck": " from a deck" if content.value("lab_needs_deck") else ""}
    for key, value in numbers.items():
        values[key] = " or ".join(value) if isinstance(value, list) else value
    if "tier" in numbers:
        values["age"] = AGES[content.record.tier_age[Tier[numbers["tier"].upper()]]]
    values["number"] = numbers.get("count") or "any number"
    return text.format(**values)


def ability_text(content: Content, card: int) -> str:
    return " ".join(filled(content.words["ability"][ability["id"]]["text"], ability, content)
                    for ability in card_words(content, card)["ability"])


def event_text(content: Content, card: int) -> str:
    event = card_words(content, card)["event"]
    return filled(content.words["effect"][event["id"]]["text"], event, content)


def demand_text(content: Content, card: int) -> str:
    words = card_words(content, card)
    return words["demand"] + (" with barbarians" if words["barbarian"] else "")


def event_label(content: Content, card: int) -> str:
    """A card by its event half: `Wonder i08 (stone with barbarians)`."""
    return f"{card_words(content, card)['event_name']} {CARDS[card]} ({demand_text(content, card)})"


def business_line(content: Content, card: int) -> str:
    """A card by its business half: `Quarry i01 (stone; 2 cards or 6 gold, contract 2)`."""
    words = card_words(content, card)
    return (f"{label(content, card)} ({', '.join(words['provides'])}; "
            f"{counted(words['develop_cost'], 'card')} or {words['gold_cost']} gold, "
            f"contract {words['contract']})")


# Questions ---------------------------------------------------------------------------------------

QUESTIONS = {
    Ask.SETUP_CARD: "Which of your cards goes face-down into the current event pile?",
    Ask.DEVELOP_WHICH: "Which startup do you develop?",
    Ask.CLOSE_WHICH: "Which business do you close?",
    Ask.DEVELOP_CARD: "Which card develops {place}?",
    Ask.SKIN: "Which card do you discard for a new one?",
    Ask.SWAP_OUT: "Which demand card with barbarians do you take?",
    Ask.SWAP_IN: "Which card without barbarians takes the place of {card}?",
    Ask.PEEK: "At which startup do you look?",
    Ask.SOURCE: "Where do you draw from?",
    Ask.SHOW: "You drew {drawn}. Show it for the Laboratory?",
    Ask.LODGE: "Close the Lodge to open {place} at once?",
    Ask.CLOSE_FIRST: "Which business do you close to open {place}?",
    Ask.BOSS: "Does one of these development cards go into demand?",
    Ask.ADD_DEMAND: "Do you put a hand card into demand and draw another?",
    Ask.DISCARD_DEMAND: "Do you discard a demand card?",
    Ask.LAY_CONTRACT: "Do you take a demand card as a contract?",
    Ask.CONTRACT_TARGET: "On which business do you lay the contract {card}?",
    Ask.DISCARD_CARD: "Which hand card do you discard?",
    Ask.LOSS: "The {card} is gone: which hand card or business do you discard?",
    Ask.ORDER: "Which of your end-of-round abilities comes next?",
    Ask.TANNER: "Which of the cards you look at goes into demand?",
    Ask.RETURN: "Which card goes under the deck first?",
    Ask.STEAL: "From whom do you take gold?",
    Ask.MASON: "Do you exchange a revealed event with the top demand card?",
    Ask.SHAMAN: "Do you put a revealed event into demand without its effect?",
    Ask.TO_DEMAND: "Which hand card do you put into demand?",
    Ask.VOLCANO: "Which development card do you lose?",
    Ask.LOSE_CONTRACT: "Which business loses its {icon} contract?",
    Ask.RETURN_CONTRACT: "Which business returns its contract to demand?",
    Ask.MODERNIZE: "Do you close a business for a new card?",
    Ask.WILD: "Which business may use wild cards for a contract, if any?",
    Ask.AWARD: "Which business gets a contract?",
    Ask.FIT: "Which demand card serves the {provision} of {place}?",
    Ask.KEEP: "Which of the cards becomes the contract of {place}?",
    Ask.COUNCIL: "On which business do you lay the contract?",
    Ask.JUDGE: "The weapons leave a tie: who gets the contract?",
}


def place_text(s: Any, content: Content, seat: int, slot: int) -> str:
    """A business as its owner calls it."""
    if not 0 <= slot < SLOTS:
        return ""
    card = int(business_card(s, seat, slot))
    return f"{label(content, card)} in place {slot + 1}"


def ask(s: Any, content: Content) -> str:
    what, seat, a, b = (int(value) for value in top_item(s))
    if what == Ask.TURN:
        return turn_question(s, seat)
    if what == Ask.SEED_CARD:
        where = "into the row" if a & TO_ROW else "into the future pile"
        return f"Which card do you seed {where}{', free of an action' if a & FREE else ''}?"
    if what == Ask.START_CARD:
        how = "face-up" if a & FACE_UP else "face-down"
        return f"Which business do you start {how}{', free of an action' if a & FREE else ''}?"
    provision = ""
    if what == Ask.FIT:
        provision = Icon(int(content.record.icons[business_card(s, seat, a), b])).name.lower()
    hand = pile_size(s, Pile.HAND + seat)
    drawn = int(card_at(s, Pile.HAND + seat, hand - 1)) if hand else -1
    return QUESTIONS[Ask(what)].format(
        place=place_text(s, content, seat, a), card=name_of(content, a), provision=provision,
        icon=Icon(a).name.lower() if 0 <= a < len(Icon) else "",
        drawn=event_label(content, drawn) if drawn >= 0 else "nothing")


def turn_question(s: Any, seat: int) -> str:
    gold = f"You have {s.gold[seat]} gold."
    if s.acted == Act.NONE:
        closing = " No more seeding this round." if s.closing else ""
        return f"Your turn: open what you can, then take one action. {gold}{closing}"
    return f"Your action is done; something more is free. {gold}"


# Actions -----------------------------------------------------------------------------------------

SEED_NAMES = ["Seed an event", "Seed an event, free of an action",
              "Seed an event straight into the row",
              "Seed an event straight into the row, free of an action"]
TURN_NAMES = ["Start a business face-down", "Start a business face-down, free of an action",
              "Pay for a business and start it face-up",
              "Pay for a business and start it face-up, free of an action",
              "Develop a startup", "Close a business", "Close a business, free of an action"]


def describe(s: Any, content: Content, action: int) -> str:
    """A line of the menu."""
    seat = int(top_seat(s))
    if action >= Do.PICK:
        return describe_card(s, content, action - Do.PICK)
    if action < Do.SEED:
        return describe_simple(s, action)
    if action < Do.START:
        return SEED_NAMES[action - Do.SEED]
    if action < Do.OPEN:
        return TURN_NAMES[action - Do.START]
    if action < Do.PLACE:
        return describe_business(s, content, seat, action)
    if action < Do.SEAT:
        place = action - Do.PLACE
        owner = "your" if place // SLOTS == seat else f"player {place // SLOTS + 1}'s"
        return f"Look at {owner} startup in place {place % SLOTS + 1}"
    if action < Do.SOURCE:
        return f"Player {action - Do.SEAT + 1}"
    return describe_source(s, content, action - Do.SOURCE)


def describe_simple(s: Any, action: int) -> str:
    if action == Do.END:
        return "End the turn" if s.acted != Act.NONE else "Pass"
    return {Do.YES: "Yes", Do.NO: "No", Do.BACK: "Something else"}[Do(action)]


def describe_card(s: Any, content: Content, card: int) -> str:
    """A card by the half that matters here."""
    what, seat, a, _ = top_item(s)
    if what == Ask.START_CARD:
        line, price = business_line(content, card), gold_cost(s, content.record, seat, card)
        return f"{line} for {price} gold" if a & FACE_UP else line
    if what in (Ask.DEVELOP_CARD, Ask.DISCARD_CARD, Ask.SKIN, Ask.VOLCANO, Ask.LOSS):
        return f"{label(content, card)} / {event_label(content, card)}"
    return event_label(content, card)


def describe_business(s: Any, content: Content, seat: int, action: int) -> str:
    kind, slot = (action - Do.OPEN) // SLOTS, (action - Do.OPEN) % SLOTS
    card = int(business_card(s, seat, slot))
    place = place_text(s, content, seat, slot)
    cards = counted(int(pile_size(s, development_pile(seat, slot))), "card")
    if kind == 0:
        return f"Open {place} by its {cards}"
    if kind == 1:
        return f"Open {place} for {gold_cost(s, content.record, seat, card)} gold"
    if kind == 2:
        return f"{place}: {ability_text(content, card)}"
    develops = asked(s) == Ask.DEVELOP_WHICH
    return f"{place}, which has {cards}" if develops else place


def describe_source(s: Any, content: Content, source: int) -> str:
    if source < N_DECKS:
        return f"From the deck of age {AGES[source + 2]}"
    pile = Pile.DISCARD + source - N_DECKS
    card = int(card_at(s, pile, pile_size(s, pile) - 1))
    return f"From the discards of age {AGES[source - N_DECKS + 1]}: {label(content, card)}"


# The log -----------------------------------------------------------------------------------------

SENTENCES = {
    Event.ROUND: "Round {n} begins with {who}.",
    Event.TURN: "{who}'s turn.",
    Event.SKIPPED: "{who} loses this turn.",
    Event.PASSED: "{who} passes.",
    Event.SET_UP: "{who} lays {card} face-down into the current pile.",
    Event.SEEDED: "{who} seeds {event} for the future.",
    Event.SEEDED_ROW: "{who} seeds {event} straight into the row.",
    Event.REVEALED: "{event} is revealed.",
    Event.CLOSING: "The current pile is empty: the round is closing.",
    Event.STARTED: "{who} starts {card}.",
    Event.DEVELOPED: "{who} develops a startup with {card}.",
    Event.OPENED: "{who} opens {card}.",
    Event.PAID_COST: "{who} pays {n} gold.",
    Event.CLOSED: "{who} closes {card}.",
    Event.DISCARDED: "{card} is discarded.",
    Event.DEMANDED: "{event} goes into demand.",
    Event.RETURNED: "The contract of {card} returns to demand.",
    Event.GAINED: "{who} gains {n} gold.",
    Event.STORED: "{n} gold are put on {card}.",
    Event.TOOK_STORED: "{who} takes {n} gold from {card}.",
    Event.STORED_LOST: "The {n} gold on {card} go back to the supply.",
    Event.TOLL: "{who} pays {other} {n} gold.",
    Event.STOLE: "{other} takes {n} gold from {who}.",
    Event.PEEKED: "{who} looks at {card}.",
    Event.SHOWED: "{who} shows {event}.",
    Event.AWARDED: "{who}'s {card} is served: {cards} of demand.",
    Event.TIE_WON: "{who} wins the tie for the contract with {weapons}.",
    Event.CONTRACT_LOST: "{who}'s {card} loses its contract.",
    Event.ROUND_ENDS: "Round {n} ends.",
    Event.REFILLED: "The future becomes the present: {n} people.",
    Event.CIV_TAX: "The people bring {n} gold into the treasury.",
    Event.TAXED: "{who} pays {n} gold of tax.",
    Event.GREW: "The population grows to {n}.",
    Event.SHRANK: "The population shrinks to {n}.",
    Event.TREASURY_GAINED: "The treasury gains {n} gold.",
    Event.TREASURY_LOST: "The treasury loses {n} gold.",
    Event.TOOK_TREASURY: "{who} takes {n} gold from the treasury.",
    Event.LOST_TURN: "{who} will lose the next turn.",
    Event.PAID_OUT: "The contract of {who}'s {card} pays {n} gold.",
    Event.SUPPLY_ADDED: "The supply adds {n} gold.",
    Event.UNDEVELOPED: "{who} loses a development card in place {n}.",
    Event.STARTER: "{who} is the poorest and starts the next round.",
}

DEEDS = {  # what is said of an ability that takes effect; most are followed by what they did
    Ability.ACTION_DISCARD_DRAW: "exchanges a card",
    Ability.ACTION_GAIN: "brings in the harvest",
    Ability.ACTION_SWAP_BARBARIAN_DEMAND: "meets the barbarians",
    Ability.AFTER_START_DRAW_DISCARD: "finds something new in the start",
    Ability.BEFORE_PAYOUT_TAKE_TREASURY: "is paid first",
    Ability.CONTRACT_PAYOUT_BONUS: "raises the value of the contract",
    Ability.DECIDE_CONTRACT_TIES: "decides the tie",
    Ability.DEVELOP_COST_DISCOUNT: "saves a development card",
    Ability.DEVELOP_TWICE: "allows a second development",
    Ability.DEVELOPMENT_DISCARD_TO_DEMAND: "turns a development into demand",
    Ability.EOR_DRAW_PICK_TO_DEMAND: "studies the deck",
    Ability.EOR_STEAL: "asks for bread money",
    Ability.EOR_SWAP_REVEALED_WITH_TOP_DEMAND: "rearranges the events",
    Ability.FIRST_SEED_FREE: "makes the seed free",
    Ability.FREE_CLOSE: "makes closing free",
    Ability.FREE_START_ONCE: "makes the start free",
    Ability.GAIN_GOLD_TAKEN_BY_BARBARIANS: "arms the barbarians",
    Ability.GAIN_ON_DRAWING_DEMAND: "makes a discovery",
    Ability.GAIN_WHEN_ANY_START: "guards the new business",
    Ability.GAIN_WHEN_OTHER_OPENS: "celebrates the opening",
    Ability.GAIN_WHEN_TREASURY_EMPTIES: "lends to the empty treasury",
    Ability.GOLD_COST_DISCOUNT: "lowers the price",
    Ability.IMMUNE_TO_HARMFUL_EVENTS: "keeps the harm away",
    Ability.LEFT_NEIGHBOUR_PAYS_TO_START: "charges the neighbour",
    Ability.MAY_DEVELOP_ON_START_TURN: "develops what has just been started",
    Ability.MAY_DRAW_FROM_DECK: "reaches into a later age",
    Ability.MAY_DRAW_FROM_DISCARD_TOPS: "searches the discards",
    Ability.ON_LOSS_DISCARD: "takes something with it",
    Ability.ON_OPEN_ADD_HAND_TO_DEMAND_DRAW: "creates demand",
    Ability.ON_OPEN_CONTRACT_FROM_DEMAND: "finds a customer at once",
    Ability.ON_OPEN_DISCARD_DEMAND: "settles a demand",
    Ability.ON_OPEN_DRAW: "draws",
    Ability.ON_OPEN_GAIN_PER_BUSINESS: "earns from every business",
    Ability.ON_OPEN_POPULATION: "feeds more people",
    Ability.ON_OPEN_STORE_GOLD: "lays gold in store",
    Ability.OPEN_REQUIRES_CLOSING: "stands where another business stood",
    Ability.PAID_AFTER_EXHAUSTION: "strikes the coin that was missing",
    Ability.PEEK_CURRENT_BOTTOM: "looks ahead",
    Ability.PEEK_FUTURE_TOP: "ponders the future",
    Ability.PEEK_STARTUP: "looks into a startup",
    Ability.PRE_EVENTS_MOVE_TO_DEMAND: "turns an event away",
    Ability.REDIRECT_CONTRACT: "gives the contract to another",
    Ability.SECOND_SEED: "foretells a second event",
    Ability.SEED_TO_ROW: "hurries the event",
    Ability.SELF_WILD_PROVISION: "sells something else instead",
    Ability.START_OPEN_BY_CLOSING_SELF: "makes room for the new business",
    Ability.TAKE_STORED_WHEN_BUSINESS_OPENS: "collects",
    Ability.TAX_EXEMPT: "saves the tax",
    Ability.TURN_GAIN: "yields income",
    Ability.WILD_DEMAND: "bends a demand",
}


def tell(entry: Any, content: Content, names: Sequence[str]) -> str:
    """A sentence for an entry."""
    what, thing, n = Event(entry.what), int(entry.thing), int(entry.amount)
    who = names[entry.seat]
    if what == Event.ABILITY:
        return f"{who}'s {name_of(content, n)} {DEEDS[Ability(thing)]}."
    if what == Event.DREW:
        return drew_sentence(content, who, thing, n)
    if what == Event.RESOLVED:
        words = card_words(content, n)
        return f"Event: {words['event_name']}. {event_text(content, n)}"
    if what == Event.SWAPPED:
        return f"{who} takes {event_label(content, thing)} for {event_label(content, n)}."
    if what == Event.SWAPPED_ROW:
        return f"{event_label(content, thing)} and {event_label(content, n)} change places."
    if what == Event.LAID:
        demand = card_words(content, n)['demand']
        return f"{name_of(content, thing)} holds {demand} as its contract."
    if what == Event.AGE:
        return f"Age {AGES[n]} begins."
    if what == Event.END_NEAR:
        why = f"{who}'s hand is empty" if thing == Ending.EMPTY_HAND else "The game is long enough"
        return f"{why}: this is the last round."
    if what == Event.GAME_ENDED:
        winners = [name for seat, name in enumerate(names) if n >> seat & 1]
        wins = "wins" if len(winners) == 1 else "win"
        return f"The game is over: {' and '.join(winners)} {wins}."
    if what not in SENTENCES:
        return ""
    known = 0 <= thing < N_CARDS
    return SENTENCES[what].format(
        who=who, other=names[entry.other] if entry.other >= 0 else "", n=n,
        card=name_of(content, thing), cards=counted(n, "card"), weapons=counted(n, "weapon"),
        event=event_label(content, thing) if known else "a card")


def drew_sentence(content: Content, who: str, card: int, source: int) -> str:
    if source >= N_DECKS:
        return f"{who} takes {name_of(content, card)} from the discards."
    return f"{who} draws {name_of(content, card)}."


# Refusals ----------------------------------------------------------------------------------------

REFUSALS = {
    Refusal.OVER: "The game is over (T3-42).",
    Refusal.NOT_ASKED: "That is not what is asked now (T3-16).",
    Refusal.NOT_THERE: "There is no such card or business to choose (T3-9).",
    Refusal.CLOSING: "The round is closing: nobody may seed (T3-15).",
    Refusal.NO_HAND: "You have no card in hand (T3-18).",
    Refusal.ACTED: "You have taken your action (T3-16).",
    Refusal.NO_FREE_SEED: "Only your first seed of a turn can be free, with a Hay Maker (R3-39).",
    Refusal.NO_ROW_SEED: "You cannot seed into a row of this length (R3-38).",
    Refusal.NO_FREE_START: "A free start needs a Cow Farm, once a turn and without developing "
                           "(T3-20).",
    Refusal.NO_SLOT: "You have as many businesses as one may have (R3-58).",
    Refusal.TOO_POOR: "You cannot pay its gold cost (T3-17).",
    Refusal.NOTHING_TO_CLOSE: "You have no business to close for it (T3-17).",
    Refusal.NO_STARTUP: "There is no startup in that place (T3-21).",
    Refusal.HAS_STARTED_FREE: "After a free start there is no developing this turn (T3-21).",
    Refusal.ONLY_THE_STARTED: "Only what your action has just started can be developed (T3-21).",
    Refusal.NO_FREE_CLOSE: "Closing is an action without a Hut (R3-40).",
    Refusal.WINDOW_OVER: "Startups are opened before the action (R3-11).",
    Refusal.JUST_STARTED: "What was started this turn opens in a later one (R3-11).",
    Refusal.TOO_FEW_CARDS: "It has too few development cards (T3-17).",
    Refusal.NO_ABILITY: "That business has no ability to use now (T3-18).",
    Refusal.USED_UP: "It has been used this turn (R3-52).",
    Refusal.NO_BARBARIAN: "That needs a demand card with barbarians (T3-40).",
    Refusal.NO_PEACEFUL_CARD: "That needs a hand card without barbarians (T3-40).",
    Refusal.NOTHING_TO_SEE: "There is no card to look at (R3-52).",
    Refusal.NO_DECK: "It works only while cards can be drawn (R3-33).",
    Refusal.FARM_EXHAUSTED: "It has brought all the gold it can (R3-33).",
    Refusal.MUST_ACT: "A turn has exactly one action; passing is no choice (R3-10).",
    Refusal.NO_MORE_BACK: "You have changed your mind often enough this turn (R3-58).",
    Refusal.HAS_CONTRACT: "A contract needs an open business in date that has none (T3-30).",
    Refusal.DOES_NOT_FIT: "That would leave a provision or a player unserved (T3-26).",
    Refusal.WRONG_ICON: "That business does not provide what has to be closed (T3-17).",
    Refusal.PROVIDES_FOOD: "It must be an opponent who provides no food (R3-53).",
    Refusal.NOT_SCIENCE: "Laboratory pays only for the demand it wants (R3-44).",
    Refusal.NO_CONTRACT: "That business has no such contract (R3-43).",
    Refusal.NOT_TIED: "That player is not in the tie (R3-19).",
    Refusal.NO_SOURCE: "You cannot draw from there (T3-24).",
}


def refuse(why: int, content: Content) -> str:
    return REFUSALS[Refusal(why)]
