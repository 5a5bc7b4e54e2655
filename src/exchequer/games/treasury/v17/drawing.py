"""Drawing and discarding (T17-48 to T17-53), and the draw at the end of a turn."""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note_for
from exchequer.core.piles import TOP, move, pile_size, place_of
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.businesses import draw_and_return
from exchequer.games.treasury.v17.cards import Ability
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Do, Drawing, Event, Pile, Step
from exchequer.games.treasury.v17.zones import (
    ability_amount,
    ability_count,
    business_at,
    businesses,
    current_pile,
    fire,
    hand_size,
    has,
    index_of,
    lose_track,
    power_sum,
    slot_of,
    take_top,
)

# Sources of a draw -------------------------------------------------------------------------------

@rule
def discard_ability(s, c, seat, kind):
    """T17-49 R17-58 What lets the seat draw from the discard pile now; NOBODY if nothing does."""
    if kind == Drawing.END_OF_TURN and has(s, seat, Ability.END_DRAW_DISCARD):
        return Ability.END_DRAW_DISCARD
    if has(s, seat, Ability.DRAW_DISCARD):
        home = slot_of(s, c, seat, Ability.DRAW_DISCARD, 0)
        if s.next_end <= ability_amount(c, business_at(s, seat, home), Ability.DRAW_DISCARD):
            return Ability.DRAW_DISCARD
    return NOBODY


@rule
def age_pile(s, c, seat, kind):
    """T17-49 The other age's pile from which Alchemist may draw, or NOBODY."""
    if kind != Drawing.END_OF_TURN or not has(s, seat, Ability.DRAW_AGE):
        return NOBODY
    home = slot_of(s, c, seat, Ability.DRAW_AGE, 0)
    pile = Pile.DRAW + ability_amount(c, business_at(s, seat, home), Ability.DRAW_AGE)
    if pile_size(s, pile) == 0 or pile == current_pile(s):
        return NOBODY
    return pile


@apart
def can_draw_from(s, c, seat, kind, source):
    """T17-49 Whether one of the three sources is there."""
    if source == Do.FROM_PILE:
        return current_pile(s) != NOBODY
    if source == Do.FROM_DISCARD:
        return pile_size(s, Pile.DISCARD) > 0 and discard_ability(s, c, seat, kind) != NOBODY
    return age_pile(s, c, seat, kind) != NOBODY


@rule
def sources(s, c, seat, kind):
    """How many sources there are, and the last of them."""
    count, found = 0, NOBODY
    for source in range(Do.FROM_PILE, Do.FROM_AGE + 1):
        if can_draw_from(s, c, seat, kind, source):
            count += 1
            found = source
    return count, found


@handles(Step.DRAW)
@apart
def draw_cards(s, c, seat, code, left, log):
    """T17-49 R17-56 One card at a time, each from a source of choice; none left, none drawn."""
    if left == 0:
        return
    count, source = sources(s, c, seat, code // 2)
    if count == 0:
        return
    if count > 1:
        then(s, Ask.SOURCE, seat, code, left)
    else:
        draw_from(s, c, seat, code, left, source, log)


@handles(Ask.SOURCE)
def draw_from(s, c, seat, code, left, action, log):
    """T17-48 T17-49 Into the hand, or aside where some of the cards go back."""
    kind, aside = code // 2, code % 2
    then(s, Step.DRAW, seat, code, left - 1)
    if action == Do.FROM_DISCARD:
        fire(log, seat, discard_ability(s, c, seat, kind))
        take_top(s, Pile.DISCARD, Pile.ASIDE_DISCARD if aside else Pile.HAND + seat, seat, log)
        return
    pile = current_pile(s)
    if action == Do.FROM_AGE:
        fire(log, seat, Ability.DRAW_AGE)
        pile = age_pile(s, c, seat, kind)
    take_top(s, pile, Pile.ASIDE if aside else Pile.HAND + seat, seat, log)


# Cards that go back ------------------------------------------------------------------------------

@rule
def cards_aside(s):
    return pile_size(s, Pile.ASIDE) + pile_size(s, Pile.ASIDE_DISCARD)


@handles(Step.RETURN_CARDS)
def return_cards(s, c, seat, back, keep, log):
    """R17-21 While more than `keep` cards lie aside, the drawer puts one back on its pile."""
    if back > 0 and cards_aside(s) > max(keep, 0):
        if cards_aside(s) == 1:
            put_back(s, c, seat, only_aside(s), 0, log)
        else:
            then(s, Ask.RETURN_CARD, seat, back, keep)


@rule
def only_aside(s):
    pile = Pile.ASIDE if pile_size(s, Pile.ASIDE) > 0 else Pile.ASIDE_DISCARD
    return np.int64(s.card[s.start[pile]])


@apart
def put_back(s, c, seat, card, at_bottom, log):
    """R17-21 On top of the pile it came from, or under it; the others lose track."""
    pile = Pile.ASIDE
    if index_of(s, pile, card) == NOBODY:
        pile = Pile.ASIDE_DISCARD
    home = Pile.DISCARD if pile == Pile.ASIDE_DISCARD else Pile.DRAW + np.int64(c.back[card])
    index = index_of(s, pile, card)
    lose_track(s, c, pile, place_of(s, pile, index), seat)
    place = move(s, pile, index, home, 0 if at_bottom else TOP)
    note_for(log, Event.RETURNED, seat, NOBODY, card, 1, s.known[place])


@handles(Step.TAKE_ASIDE)
def take_aside(s, seat):
    """What was kept joins the hand."""
    while pile_size(s, Pile.ASIDE) > 0:
        move(s, Pile.ASIDE, 0, Pile.HAND + seat, TOP)
    while pile_size(s, Pile.ASIDE_DISCARD) > 0:
        move(s, Pile.ASIDE_DISCARD, 0, Pile.HAND + seat, TOP)


# Breakthrough ------------------------------------------------------------------------------------

@handles(Step.KEEP)
def keep_cards(s, c, seat, keep):
    """Breakthrough: keep so many of the cards just drawn; then the others go back."""
    if cards_aside(s) <= keep or keep == 0:
        if keep > 0:
            take_aside(s, seat)
        then(s, Step.KEPT, seat, 0, 0)
    else:
        then(s, Ask.KEEP_CARD, seat, keep, 0)


@handles(Ask.KEEP_CARD, card=Do.CARD)
def keep_card(s, c, seat, card, keep):
    """The kept card joins the hand; which of those drawn it was, stays secret."""
    pile = Pile.ASIDE
    if index_of(s, pile, card) == NOBODY:
        pile = Pile.ASIDE_DISCARD
    index = index_of(s, pile, card)
    lose_track(s, c, pile, place_of(s, pile, index), seat)
    move(s, pile, index, Pile.HAND + seat, TOP)
    then(s, Step.KEEP, seat, keep - 1, 0)


@handles(Step.KEPT)
def return_rest(s, c, seat, log):
    """Breakthrough: the others go under their piles, in an order of choice."""
    if cards_aside(s) == 1:
        put_back(s, c, seat, only_aside(s), 1, log)
    elif cards_aside(s) > 1:
        then(s, Ask.RETURN_CARD, seat, 0, NOBODY)


# End of turn (T17-50, T17-51) --------------------------------------------------------------------

@rule
def draw_limit(s, c, seat):
    """T17-50 Eight, more with Seamster and Storeroom."""
    return c.draw_limit + power_sum(s, c, seat, Ability.LIMIT)


@rule
def held_cards(s, seat):
    """T17-50 R17-17 Hand and businesses; development cards and contracts do not count."""
    return hand_size(s, seat) + businesses(s, seat)


@rule
def start_end_draw(s, c, seat):
    """T17-51 R17-18 Below the limit a card is drawn; a variant lets the player decline."""
    count, _ = sources(s, c, seat, Drawing.END_OF_TURN)
    if held_cards(s, seat) < draw_limit(s, c, seat) and count > 0:
        if c.optional_end_draw:
            then(s, Ask.END_DRAW, seat, 0, 0)
        else:
            then(s, Step.END_DRAWN, seat, 0, 0)


@handles(Step.END_DRAWN)
def end_draw(s, c, seat, log):
    """T17-51 One card, Workshop two; Academy draws one more and returns one."""
    if held_cards(s, seat) >= c.draw_limit:
        fire(log, seat, Ability.LIMIT)
    due = 1
    extra = back = 0
    for slot in range(N_SLOTS):
        if s.opened[seat, slot]:
            card = business_at(s, seat, slot)
            for i in range(2):
                if c.skill[card, i] == Ability.END_DRAW_COUNT:
                    fire(log, seat, Ability.END_DRAW_COUNT)
                    due += c.amount[card, i] - 1
                elif c.skill[card, i] == Ability.END_DRAW_EXTRA:
                    fire(log, seat, Ability.END_DRAW_EXTRA)
                    extra += c.amount[card, i]
                    back += ability_count(c, card, Ability.END_DRAW_EXTRA)
    if extra > 0:
        draw_and_return(s, seat, Drawing.END_OF_TURN, due + extra, back, due)
    else:
        then(s, Step.DRAW, seat, Drawing.END_OF_TURN * 2, due)
