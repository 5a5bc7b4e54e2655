"""Answers: what the game does when a question is answered."""

from exchequer.core.agenda import then
from exchequer.core.contract import handle_answer
from exchequer.core.handlers import handles
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
    version_in,
    version_of,
)
from exchequer.games.jagged_time.effects import delay_limit, start_replace
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
from exchequer.games.jagged_time.play import retain, start_payment
from exchequer.games.jagged_time.state import (
    MENU_BITS,
    SHARES,
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
    MILESTONE,
    MOST_CARD_OPTIONS,
    Op,
    Pay,
)


@apart
def answer(s, c, ask, seat, a, b, action, log):
    """J-68 Giving up is always possible; every other answer has its rule."""
    if action == Do.RESIGN:
        end_game(s, Ending.RESIGNED, log)
    else:
        handle_answer(s, c, ask, seat, a, b, action, log)


@handles(Ask.PLAY, Do.STOP)
def stop_playing(s):
    """J-23 The end of the Action Phase."""
    then(s, Step.RETAIN, 0, 0, 0)


@handles(Ask.PLAY, kind=Do.PLAY)
def play_card(s, c, kind):
    """J-23"""
    then(s, Step.ACTION, 0, 0, 0)
    start_payment(s, c, kind, 0)


@handles(Ask.PLAY_LESS, kind=Do.PLAY)
def play_for_less(s, c, mask, discount, kind):
    """J-62"""
    start_payment(s, c, kind, discount)


@handles(Ask.RETAIN, kind=Do.TAKE)
def retain_card(s, c, kind, log):
    """J-28"""
    retain(s, c, index_of(s, Pile.HAND, kind), log)


@handles(Ask.LESS, resource=Do.UNIT)
def pay_less(s, resource):
    """J-24"""
    s.due[resource] -= 1
    s.less -= 1
    then(s, Step.PAY, 0, 0, 0)


@handles(Ask.UNIT, resource=Do.UNIT)
def pay_unit(s, resource):
    """J-24"""
    s.due[ANY] -= 1
    s.due[resource] += 1
    s.unit_from = resource
    then(s, Step.PAY, 0, 0, 0)


# Resources and cards -----------------------------------------------------------------------------

@rule
def ask_again(s, ask, a, left):
    """The same once more for what is left."""
    if left > 1:
        then(s, ask, 0, a, left - 1)


@handles(Ask.MIX, resource=Do.UNIT)
def gain_one(s, c, mask, left, resource, log):
    """J-42"""
    ask_again(s, Ask.MIX, mask, left)
    gain(s, c, resource, 1, log)


@handles(Ask.MAXIMUM, resource=Do.UNIT)
def raise_maximum(s, mask, change, resource, log):
    """J-42"""
    change_maximum(s, resource, change, log)


@handles(Ask.DESTROY, kind=Do.TAKE)
def destroy_chosen(s, mask, left, kind, log):
    """J-57"""
    ask_again(s, Ask.DESTROY, mask, left)
    destroy_kind(s, kind, 1, log)


# Alternatives ------------------------------------------------------------------------------------

@rule
def take_branch(s, c, branch, place, log):
    note(log, Event.CHOSE, 0, branch, 1)
    run(s, c.branch[branch], place)


@handles(Ask.CHOOSE, choice=Do.CHOICE)
def choose(s, c, at, place, choice, log):
    """J-60 A CHOOSE token's a is its first branch."""
    take_branch(s, c, c.token[at].a + choice, place, log)


@handles(Ask.MAY, choice=Do.CHOICE)
def pay_for_branch(s, c, at, place, choice, log):
    """J-61"""
    spend(s, c.token[at].a, c.token[at].b, log)
    take_branch(s, c, c.token[at].d, place, log)


@handles(Ask.MENU, choice=Do.CHOICE)
def buy_from_menu(s, c, at, code, choice, log):
    """J-61 One unit each, until somebody stops."""
    spend(s, c.token[at].a, 1, log)
    then(s, Ask.MENU, 0, at, code + (1 << choice))
    take_branch(s, c, c.token[at].b + choice, code // MENU_BITS, log)


@handles(Ask.ANNOUNCED, choice=Do.CHOICE)
def carry_out_announced(s, c, at, code, choice, log):
    """J-R21"""
    left = code - (1 << choice)
    if left % MENU_BITS > 0:
        then(s, Ask.ANNOUNCED, 0, at, left)
    take_branch(s, c, c.token[at].b + choice, code // MENU_BITS, log)


@handles(Ask.MAY, Ask.MENU, Ask.ANNOUNCED, Ask.SCOUT, Ask.RESOLVE_NOW, Ask.OBJECTIVES, Do.STOP)
def leave_it(s):
    """J-60 Nothing, or nothing more."""


@handles(Ask.ANNOUNCE, choice=Do.CHOICE)
def announce(s, at, code, choice):
    """J-R21 The whole set is named, then paid, then carried out in any order."""
    then(s, Ask.ANNOUNCE, 0, at, code + (1 << choice))


@handles(Ask.ANNOUNCE, Do.STOP)
def pay_for_announced(s, c, at, code, log):
    """J-R21"""
    units = 0
    for i in range(c.token[at].d):
        units += code >> i & 1
    spend(s, c.token[at].a, units, log)
    if units > 0:
        then(s, Ask.ANNOUNCED, 0, at, code)


# Decks and targets -------------------------------------------------------------------------------

@handles(Ask.RECUR, kind=Do.TAKE)
def recur(s, left, mask, kind, log):
    """J-49"""
    if left > 1:
        then(s, Ask.RECUR, 0, left - 1, mask)
    move(s, Pile.DISCARD, index_of(s, Pile.DISCARD, kind), Pile.HAND, TOP)
    note(log, Event.RECURRED, 0, kind, 1)


@handles(Ask.RESHUFFLE, kind=Do.TAKE)
def reshuffle_one(s, left, mask, kind, log):
    """J-50"""
    if left > 1:
        then(s, Ask.RESHUFFLE, 0, left - 1, mask)
    move(s, Pile.DISCARD, index_of(s, Pile.DISCARD, kind), Pile.DECK, TOP)
    shuffle(s, Pile.DECK)
    note(log, Event.RESHUFFLED, 0, kind, 1)


@handles(Ask.SCOUT, depth=Do.BOTTOM)
def put_to_bottom(s, depth, log):
    """J-51"""
    index = pile_size(s, Pile.OBJECTIVE_DECK) - 1 - depth
    kind = kind_at(s, Pile.OBJECTIVE_DECK, index)
    move(s, Pile.OBJECTIVE_DECK, index, Pile.OBJECTIVE_DECK, 0)
    note_for(log, Event.BOTTOMED, 0, NOBODY, kind, depth + 1, 1)


@handles(Ask.DELAY, place=Do.SLOT)
def delay(s, c, turns, place, log):
    """J-52"""
    kind = kind_in(s, c, place)
    s.timer[place] = min(s.timer[place] + turns, delay_limit(c, c.card[kind].timer))
    note(log, Event.DELAYED, 0, kind, s.timer[place])


@handles(Ask.TRANSFORM, pile=Do.ZONE)
def transform_there(s, c, at, left, pile, log):
    """J-53 JL-58"""
    ask_again(s, Ask.TRANSFORM, at, left)
    old = version_in(s, c, pile, c.token[at].a)
    transform(s, c, pile, old, version_of(c, old, c.token[at].b), log)


@handles(Ask.CONVERT, kind=Do.TAKE)
def convert(s, c, at, left, kind):
    """JL-5 JL-19 A card is specialised or becomes another, in a zone of one's choice."""
    ask_again(s, Ask.CONVERT, at, left)
    new = c.card[kind].plus if c.token[at].op == Op.SPECIALIZE \
        else version_of(c, kind, c.token[at].b)
    then(s, Ask.WHERE, 0, kind, new)


@handles(Ask.WHERE, pile=Do.ZONE)
def convert_there(s, c, old, new, pile, log):
    """JL-5"""
    transform(s, c, pile, old, new, log)


@handles(Ask.REPLACE, place=Do.SLOT)
def replace_there(s, c, kind, place, log):
    """J-55"""
    replace(s, c, place, kind, log)


@handles(Ask.COPY, kind=Do.TAKE)
def copy_card(s, c, kind, log):
    """J-56"""
    note(log, Event.COPIED, 0, kind, 1)
    gain_card(s, c, kind, log)


@handles(Ask.ANYWHERE)
def destroy_anywhere(s, c, kind, left, action, log):
    """J-57"""
    ask_again(s, Ask.ANYWHERE, kind, left)
    destroy_there(s, c, kind, action, log)


@handles(Ask.PROJECT, place=Do.SLOT)
def advance_project(s, c, by, place, log):
    """J-58"""
    advance_option(s, c, place, 0, by, False, log)


@handles(Ask.PROJECT, code=Do.OPTION)
def advance_project_milestone(s, c, by, b, code, log):
    """JL-51"""
    advance_option(s, c, MILESTONE, code % MOST_CARD_OPTIONS, by, False, log)


@handles(Ask.WAR, place=Do.SLOT)
def advance_war(s, c, by, place, log):
    """J-58"""
    climb(s, c, place, by, log)


@handles(Ask.OBJECTIVES, place=Do.SLOT)
def destroy_objective_there(s, c, mask, left, place, log):
    """JL-19 Up to so many."""
    ask_again(s, Ask.OBJECTIVES, mask, left)
    destroy_objective(s, c, place, log)


@handles(Ask.ENTER, kind=Do.TAKE)
def enter_chosen(s, c, kind, log):
    """JL-19 The card that is to come, then the one that makes room for it."""
    start_replace(s, c, kind, log)


@handles(Ask.UNLOCKED, kind=Do.TAKE)
def gain_unlocked(s, c, kind, log):
    """JL-40"""
    gain_card(s, c, kind, log)


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

@handles(Ask.RESOLVE, Do.STOP)
def start_clocks(s, log):
    """J-30 No more steps: the clocks advance."""
    s.phase = Phase.CLOCKS
    note(log, Event.PHASE, 0, Phase.CLOCKS, 1)
    then(s, Step.TIMERS, 0, 0, 0)


@handles(Ask.RESOLVE, place=Do.TRACK)
def resolve_track(s, c, place, log):
    """J-29 One step, then the next."""
    then(s, Step.RESOLUTION, 0, 0, 0)
    pay_track(s, c, place, log)


@handles(Ask.RESOLVE, code=Do.OPTION)
def resolve_option(s, c, code, log):
    """J-29 One step, then the next."""
    then(s, Step.RESOLUTION, 0, 0, 0)
    take_option(s, c, code // MOST_CARD_OPTIONS, code % MOST_CARD_OPTIONS, log)


@handles(Ask.RESOLVE_NOW, place=Do.TRACK)
def resolve_track_now(s, c, left, b, place, log):
    """JL-10"""
    then(s, Step.RESOLVE_NOW, 0, left - 1, 0)
    pay_track(s, c, place, log)


@handles(Ask.RESOLVE_NOW, code=Do.OPTION)
def resolve_option_now(s, c, left, b, code, log):
    """JL-10"""
    then(s, Step.RESOLVE_NOW, 0, left - 1, 0)
    take_option(s, c, code // MOST_CARD_OPTIONS, code % MOST_CARD_OPTIONS, log)


@apart
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
    elif option.mix > 0:
        then(s, Ask.SHARE, 0, MOST_CARD_OPTIONS * place + index, option.mix)
    else:
        take_paid(s, c, place, number)


@rule
def take_paid(s, c, place, number):
    """J-31 JL-25 What is left of the price, then the effect; that it was taken is remembered."""
    s.taken[number // 8] |= 1 << (number % 8)
    finish_option(s, c, place, number)
    run(s, c.option[number].price, place)


@handles(Ask.SHARE, resource=Do.UNIT)
def pay_share(s, c, code, left, resource, log):
    """JL-9 Unit by unit."""
    spend(s, resource, 1, log)
    units, place = left % SHARES - 1, code // MOST_CARD_OPTIONS
    if units > 0:
        then(s, Ask.SHARE, 0, code, units + SHARES * resource)
    else:
        first = c.card[kind_in(s, c, place)].first_option
        take_paid(s, c, place, first + code % MOST_CARD_OPTIONS)
