"""What the fifteen kinds of event do (T17-27, T17-45 to T17-47)."""

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note
from exchequer.core.piles import TOP, pile_size
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.treasury.v17.businesses import can_lay
from exchequer.games.treasury.v17.cards import N_ICONS, Effect, Icon
from exchequer.games.treasury.v17.money import (
    contracted_weapons,
    drain_treasury,
    fill_treasury,
    start_batch,
)
from exchequer.games.treasury.v17.state import N_SLOTS, Ask, Drawing, Event, Paying, Pile, Step
from exchequer.games.treasury.v17.zones import (
    current_pile,
    demand_size,
    discard_from_hand,
    enter_demand,
    hand_size,
    has_contract,
    left_of,
    provided_of,
    take_top,
    visible,
    win,
)


@rule
def grow(s, c, seat, log):
    """T17-46 R17-29 R17-30 The top card enters demand unresolved, if there is one."""
    pile = current_pile(s)
    if pile != NOBODY:
        card = enter_demand(s, c, pile, pile_size(s, pile) - 1, TOP, log)
        if c.demand[card] != Icon.HAPPINESS:
            fill_treasury(s, seat, card, c.growth_gold, log)


@rule
def visible_of(s, c, mask):
    total = 0
    for icon in range(N_ICONS):
        if mask >> icon & 1:
            total += visible(s, c, icon)
    return total


@rule
def most_provided(s, mask):
    best = 0
    for seat in range(s.seats):
        best = max(best, provided_of(s, seat, mask))
    return best


@handles(Step.EFFECT)
@apart
def carry_out(s, c, seat, card, log):
    """T17-27 R17-48 The effect, completely; players left of the acting player come first."""
    printed = c.card[card].event
    event = c.event[printed]
    effect, mask = event.effect, event.icons
    gold, count = event.gold, event.count
    note(log, Event.RESOLVED, seat, printed, 1)
    then(s, Step.RESOLVED, seat, card, 0)
    if effect == Effect.BARBARIANS:
        barbarians(s, c, seat, card, gold, event.counts_queue, log)
    elif effect == Effect.FERTILITY:
        if visible_of(s, c, mask) <= 1:  # itself
            for _ in range(count):
                grow(s, c, seat, log)
    elif effect == Effect.CONQUEST:
        if contracted_weapons(s, c) > demand_size(s):
            for _ in range(count):
                grow(s, c, seat, log)
            fill_treasury(s, seat, card, gold, log)
    elif effect == Effect.TREASURY_GAIN:
        fill_treasury(s, seat, card, gold, log)
    elif effect == Effect.TREASURY_PER_DEMAND:
        fill_treasury(s, seat, card, gold * visible_of(s, c, mask), log)
    elif effect == Effect.DISCARDS_TO_DEMAND:
        for _ in range(count):
            if pile_size(s, Pile.DISCARD) > 0:
                enter_demand(s, c, Pile.DISCARD, pile_size(s, Pile.DISCARD) - 1, TOP, log)
    elif effect == Effect.WAR:
        start_batch(s, c, Paying.WEAPONS)
    else:
        for_players(s, c, seat, card, log)


@rule
def barbarians(s, c, seat, card, gold, counts_queue, log):
    """T17-69 Cards beyond the contracted weapons cost the treasury gold each."""
    excess = demand_size(s) - contracted_weapons(s, c)
    if counts_queue:
        excess += pile_size(s, Pile.QUEUE)
    drain_treasury(s, seat, card, gold * max(excess, 0), log)


@rule
def for_players(s, c, seat, card, log):
    """T17-27 Who qualifies is fixed at the start; the acting player comes last."""
    printed = c.card[card].event
    event = c.event[printed]
    mask, gold = event.icons, event.gold
    best = most_provided(s, mask)
    for k in range(s.seats, 0, -1):  # put on the agenda last to first
        other = left_of(s, seat, k)
        provides = provided_of(s, other, mask)
        leads = provides == best and (best > 0 or (c.invention_zero_ok == 1  # R17-46
                                                   and event.not_zero == 0))
        if event.effect == Effect.PAY_CONTRACT and provides > 0:
            for _ in range(event.count):
                then(s, Step.EARLY_TRADE, other, 0, 0)
        elif event.effect == Effect.DRAW_DISCARD and leads:
            then(s, Step.LEADER_DRAW, other, printed, 0)
        elif event.effect == Effect.DRAW_KEEP and leads:
            then(s, Step.BREAKTHROUGH, other, provides, event.count)
        elif event.effect == Effect.CONTRACT_FROM_DISCARD and leads:
            then(s, Step.INNOVATE, other, 0, 0)
    for k in range(1, s.seats + 1):
        other = left_of(s, seat, k)
        provides = provided_of(s, other, mask)
        if event.effect == Effect.GAIN_PER_ICON:
            win(s, other, card, gold * provides, log)
        elif event.effect == Effect.GAIN_FLAT and provides > 0:
            win(s, other, card, gold, log)
        elif event.effect == Effect.GAIN_UNCONTRACTED:
            win(s, other, card, gold * uncontracted(s, other), log)
        elif event.effect == Effect.DRAW_DISCARDS and provides == best and best > 0:
            for _ in range(event.count):
                if pile_size(s, Pile.DISCARD) > 0:
                    take_top(s, Pile.DISCARD, Pile.HAND + other, other, log)


@rule
def uncontracted(s, seat):
    """Boom: open businesses without a contract, obsolete ones too."""
    count = 0
    for slot in range(N_SLOTS):
        if s.opened[seat, slot] and not has_contract(s, seat, slot):
            count += 1
    return count


@handles(Step.LEADER_DRAW)
def leader_draw(s, c, seat, printed):
    """Discovery and Invention: draw, then discard; R17-47 who cannot draw does not discard."""
    then(s, Step.LEADER_DISCARD, seat, printed, hand_size(s, seat))
    then(s, Step.DRAW, seat, Drawing.ANY * 2, c.event[printed].count)


@handles(Step.LEADER_DISCARD)
def leader_discard(s, c, seat, printed, before, log):
    if hand_size(s, seat) == 1 and before == 0 and not c.event[printed].optional:
        discard_from_hand(s, c, 0, seat, log)
    elif hand_size(s, seat) > before:
        then(s, Ask.LEADER_CARD, seat, printed, 0)


@handles(Step.BREAKTHROUGH)
def breakthrough(s, seat, science, keep):
    """Draw a card for each science, keep one, return the others to the bottom."""
    then(s, Step.KEEP, seat, keep, 0)
    then(s, Step.DRAW, seat, Drawing.ANY * 2 + 1, science)


@handles(Step.INNOVATE)
def innovate(s, c, seat):
    """Innovation: the top discard may become a contract, no match needed."""
    if pile_size(s, Pile.DISCARD) > 0 and can_lay(s, c, seat):
        then(s, Ask.INNOVATE_SLOT, seat, 0, 0)
