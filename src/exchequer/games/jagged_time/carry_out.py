"""Answers: what the game does when a question is answered."""

from exchequer.core.agenda import no_handler, then
from exchequer.core.log import note, note_for
from exchequer.core.piles import TOP, card_at, move, pile_size, shuffle
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.banks import change_maximum, gain, spend, spend_price
from exchequer.games.jagged_time.cards import (
    controlled,
    destroy,
    destroy_kind,
    gain_card,
    index_of,
    kind_at,
    kind_in,
)
from exchequer.games.jagged_time.effects import delay_limit
from exchequer.games.jagged_time.objectives import (
    advance_option,
    climb,
    destroy_objective,
    end_game,
    finish_option,
    pay_track,
    replace,
    run,
)
from exchequer.games.jagged_time.play import retain, set_due, start_payment
from exchequer.games.jagged_time.state import (
    MENU_BITS,
    Ask,
    Do,
    Ending,
    Event,
    Phase,
    Pile,
    Step,
)
from exchequer.games.jagged_time.tables import (
    ANY,
    MOST_CARD_OPTIONS,
    Pay,
)


@apart
def answer(s, c, ask, seat, a, b, action, log):
    """Carry out an answer to the question that has just been taken off the agenda."""
    if action == Do.RESIGN:
        end_game(s, Ending.RESIGNED, log)  # J-68
    elif ask == Ask.PLAY:
        answer_play(s, c, action)
    elif ask == Ask.PLAY_LESS:
        start_payment(s, c, action - Do.PLAY, b)  # J-62
    elif ask <= Ask.UNIT:
        answer_payment(s, c, ask, action)
    elif ask == Ask.RETAIN:
        retain(s, c, index_of(s, Pile.HAND, action - Do.TAKE), log)
    elif ask <= Ask.ANNOUNCED:
        answer_alternative(s, c, ask, a, b, action, log)
    elif ask == Ask.RESOLVE:
        answer_step(s, c, action, log)
    elif ask == Ask.MIX:
        if b > 1:
            then(s, Ask.MIX, 0, a, b - 1)
        gain(s, c, action - Do.UNIT, 1, log)
    elif ask == Ask.MAXIMUM:
        change_maximum(s, action - Do.UNIT, b, log)
    elif ask == Ask.DESTROY:
        if b > 1:
            then(s, Ask.DESTROY, 0, a, b - 1)
        destroy_kind(s, action - Do.TAKE, 1, log)
    elif ask <= Ask.SCOUT:
        answer_deck(s, ask, a, b, action, log)
    else:
        answer_target(s, c, ask, a, b, action, log)


@rule
def answer_play(s, c, action):
    """J-23 Another card, or the end of the Action Phase."""
    if action == Do.STOP:
        then(s, Step.RETAIN, 0, 0, 0)
        return
    then(s, Step.ACTION, 0, 0, 0)
    start_payment(s, c, action - Do.PLAY, 0)


@rule
def answer_payment(s, c, ask, action):
    """J-24"""
    if ask == Ask.COST:
        set_due(s, c, action - Do.COST)
        return
    resource = action - Do.UNIT
    if ask == Ask.LESS:
        s.due[resource] -= 1
        s.less -= 1
    elif ask == Ask.UNIT:
        s.due[ANY] -= 1
        s.due[resource] += 1
        s.unit_from = resource
    else:
        no_handler(s, ask)
    then(s, Step.PAY, 0, 0, 0)


# Alternatives ------------------------------------------------------------------------------------

@rule
def take_branch(s, c, branch, place, log):
    note(log, Event.CHOSE, 0, branch, 1)
    run(s, c.branch[branch], place)


@rule
def answer_alternative(s, c, ask, at, b, action, log):
    """J-60 J-61"""
    choice, resource = action - Do.CHOICE, c.token[at].a
    if ask == Ask.CHOOSE:
        take_branch(s, c, resource + choice, b, log)  # a CHOOSE token's a is its first branch
    elif ask == Ask.MAY:
        if action != Do.STOP:
            spend(s, resource, c.token[at].b, log)
            take_branch(s, c, c.token[at].d, b, log)
    elif ask == Ask.ANNOUNCE:
        announce(s, c, at, b, action, log)
    elif ask > Ask.ANNOUNCED:
        no_handler(s, ask)
    elif action != Do.STOP:  # a menu, or what was announced
        left = b - (1 << choice) if ask == Ask.ANNOUNCED else b + (1 << choice)
        if ask == Ask.MENU:
            spend(s, resource, 1, log)
        if ask == Ask.MENU or left % MENU_BITS > 0:
            then(s, ask, 0, at, left)
        take_branch(s, c, c.token[at].b + choice, b // MENU_BITS, log)


@rule
def announce(s, c, at, b, action, log):
    """J-R21 The whole set is named, then paid, then carried out in any order."""
    if action != Do.STOP:
        then(s, Ask.ANNOUNCE, 0, at, b + (1 << (action - Do.CHOICE)))
        return
    units = 0
    for i in range(c.token[at].d):
        units += b >> i & 1
    spend(s, c.token[at].a, units, log)
    if units > 0:
        then(s, Ask.ANNOUNCED, 0, at, b)


# Decks and targets -------------------------------------------------------------------------------

@rule
def answer_deck(s, ask, a, b, action, log):
    """J-49 J-50 J-51"""
    if ask == Ask.SCOUT:
        if action != Do.STOP:
            put_to_bottom(s, action - Do.BOTTOM, log)
        return
    kind = action - Do.TAKE
    if a > 1:
        then(s, ask, 0, a - 1, b)
    index = index_of(s, Pile.DISCARD, kind)
    if ask == Ask.RECUR:
        move(s, Pile.DISCARD, index, Pile.HAND, TOP)
        note(log, Event.RECURRED, 0, kind, 1)
    elif ask == Ask.RESHUFFLE:
        move(s, Pile.DISCARD, index, Pile.DECK, TOP)
        shuffle(s, Pile.DECK)
        note(log, Event.RESHUFFLED, 0, kind, 1)
    else:
        no_handler(s, ask)


@rule
def put_to_bottom(s, depth, log):
    """J-51"""
    index = pile_size(s, Pile.OBJECTIVE_DECK) - 1 - depth
    kind = kind_at(s, Pile.OBJECTIVE_DECK, index)
    move(s, Pile.OBJECTIVE_DECK, index, Pile.OBJECTIVE_DECK, 0)
    note_for(log, Event.BOTTOMED, 0, NOBODY, kind, depth + 1, 1)


@rule
def answer_target(s, c, ask, a, b, action, log):
    """J-52 J-53 J-55 to J-58"""
    place = action - Do.SLOT
    if ask == Ask.DELAY:
        timer = c.card[kind_in(s, c, place)].timer
        s.timer[place] = min(s.timer[place] + a, delay_limit(c, timer))
        note(log, Event.DELAYED, 0, kind_in(s, c, place), s.timer[place])
    elif ask == Ask.TRANSFORM:
        if b > 1:
            then(s, Ask.TRANSFORM, 0, a, b - 1)
        transform(s, c, action - Do.ZONE, c.token[a].a, c.token[a].b, log)
    elif ask == Ask.REPLACE:
        replace(s, c, place, a, log)
    elif ask == Ask.COPY:
        note(log, Event.COPIED, 0, action - Do.TAKE, 1)
        gain_card(s, c, action - Do.TAKE, log)
    elif ask == Ask.ANYWHERE:
        if b > 1:
            then(s, Ask.ANYWHERE, 0, a, b - 1)
        destroy_there(s, c, a, action, log)
    elif ask == Ask.PROJECT:
        advance_option(s, c, place, 0, a, False, log)
    elif ask == Ask.WAR:
        climb(s, c, place, a, log)
    else:
        no_handler(s, ask)


@rule
def transform(s, c, pile, old, new, log):
    """J-53 J-R40 A card becomes another where it lies; a searched deck is shuffled."""
    thing = card_at(s, pile, index_of(s, pile, old))
    s.kind[thing] = new
    s.made += 1
    s.supplied += 1
    note(log, Event.TRANSFORMED, 0, old, pile)
    note(log, Event.INTO, 0, new, pile)
    if pile == Pile.DECK:
        shuffle(s, Pile.DECK)


@rule
def destroy_there(s, c, kind, action, log):
    """J-57 J-R49 One copy out of the agenda or a pile; a searched deck is shuffled."""
    if action < Do.ZONE:
        destroy_objective(s, c, action - Do.SLOT, log)
        return
    pile = action - Do.ZONE
    index = index_of(s, pile, kind)
    destroy(s, pile, index, log)
    if pile == Pile.OBJECTIVE_DECK:
        shuffle(s, pile)


# The Resolution Phase ----------------------------------------------------------------------------

@rule
def answer_step(s, c, action, log):
    """J-29 J-30 One step, then the next; or the clocks advance."""
    if action == Do.STOP:
        s.phase = Phase.CLOCKS
        note(log, Event.PHASE, 0, Phase.CLOCKS, 1)
        then(s, Step.TIMERS, 0, 0, 0)
        return
    then(s, Step.RESOLUTION, 0, 0, 0)
    if action >= Do.TRACK:
        pay_track(s, c, action - Do.TRACK, log)
        return
    place, index = ((action - Do.OPTION) // MOST_CARD_OPTIONS,
                    (action - Do.OPTION) % MOST_CARD_OPTIONS)
    take_option(s, c, place, index, log)


@rule
def take_option(s, c, place, index, log):
    """J-30 J-31 J-32 The price, then the effect, then the card leaves."""
    number = c.card[kind_in(s, c, place)].first_option + index
    note(log, Event.OPTION, 0, number, 1)
    option = c.option[number]
    per_cards = option.pay == Pay.PER_CARDS  # J-R38: rounded down
    times = controlled(s) // option.per if per_cards else 1
    spend_price(s, option.cost, times, log)
    if option.pay == Pay.CLOCKED:
        advance_option(s, c, place, index, 1, True, log)
        return
    finish_option(s, c, place, number)
    run(s, option.price, place)
