"""The event phase: cards, votes and what they do (G-32 to G-60)."""

import numpy as np

from exchequer.core.agenda import then
from exchequer.core.handlers import handles
from exchequer.core.log import note, note_for
from exchequer.core.piles import TOP, lay_all, move, pile_size, place_of, reveal, shuffle
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.greement.board import (
    free_square,
    lakes_beside,
    measure,
    mountains_beside,
    set_use,
    total_held,
)
from exchequer.games.greement.deals import judge_promises, say_word
from exchequer.games.greement.money import forgive, receive, repay
from exchequer.games.greement.pledges import (
    ask_all,
    ask_for_pledges,
    card_price,
    collect_pledges,
    in_order,
    infect,
    next_patient,
    open_card,
    open_pledges,
    pledge_sum,
)
from exchequer.games.greement.state import (
    MOST_ENTRY,
    MOST_EVENTS,
    N_CARDS,
    N_SQUARES,
    SEATS,
    UNKNOWN,
    Ask,
    Avoid,
    DebtsPaid,
    Do,
    Effect,
    Event,
    Fate,
    Happening,
    Land,
    Need,
    Pile,
    Step,
    Use,
    Vote,
    VoteMode,
    Wipe,
)

# The deck (G-13, G-32) ---------------------------------------------------------------------------


@rule
def lay_deck(s, c):
    """G-13 The cards of this content make the deck, the rest stays in the box."""
    lay_all(s, Pile.DECK)
    for _ in range(N_CARDS - c.deck_size):
        place = move(s, Pile.DECK, pile_size(s, Pile.DECK) - 1, Pile.BOX, TOP)
        reveal(s, place)
    shuffle(s, Pile.DECK)


@apart
def reshuffle(s, log):
    """G-32 G-R27 The used cards make a new deck."""
    while pile_size(s, Pile.USED) > 0:
        move(s, Pile.USED, 0, Pile.DECK, TOP)
    shuffle(s, Pile.DECK)
    note(log, Event.SHUFFLED, 0, 0, pile_size(s, Pile.DECK))


@handles(Step.EVENTS)
@apart
def draw_row(s, c, log):
    """G-32 Three cards face down; what the deck lacks comes from the used ones."""
    for place in range(MOST_EVENTS):
        s.fate[place] = Fate.FACE_DOWN
    s.row_place = 0
    for _ in range(c.events_per_round):
        if pile_size(s, Pile.DECK) == 0:
            reshuffle(s, log)
        move(s, Pile.DECK, pile_size(s, Pile.DECK) - 1, Pile.ROW, TOP)
    then(s, Step.END_EVENTS, 0, 0, 0)
    then(s, Step.TURN_UP, 0, 0, 0)


@handles(Step.END_EVENTS)
def end_events(s, c, log):
    """G-32 G-R27 Used cards lie aside, or go back at once where the switch says so."""
    while pile_size(s, Pile.ROW) > 0:
        move(s, Pile.ROW, 0, Pile.USED, TOP)
    s.row_place = 0
    if c.reshuffle_each_round:
        reshuffle(s, log)


@rule
def is_void(s, c, kind):
    """G-33 The card asks for something that nobody owns."""
    needs = c.event[kind].needs
    return needs != Need.NOTHING and total_held(s, needs - 1) == 0


@rule
def close_card(s, fate):
    """The open card is done with; the next one of the row follows."""
    s.fate[s.row_place] = fate
    s.row_place += 1


@handles(Step.TURN_UP)
def turn_up(s, c, log):
    """G-32 G-33 G-R34 Reveal the next card and ask what it asks for, effect or not."""
    if s.row_place == c.events_per_round:
        return
    then(s, Step.TURN_UP, 0, 0, 0)
    reveal(s, place_of(s, Pile.ROW, s.row_place))
    kind = open_card(s, c)
    s.fate[s.row_place] = Fate.OPEN
    for seat in range(s.seats):
        s.answers[seat] = 0
    note(log, Event.CARD, 0, kind, 1)
    if is_void(s, c, kind):
        note(log, Event.DISCARDED, 0, kind, 1)
        close_card(s, Fate.DISCARDED)
    elif c.event[kind].avoid == Avoid.VOTE:
        s.lap = 0
        clear_votes(s, c)
        then(s, Step.VOTES, 0, 0, 0)
    elif c.event[kind].avoid == Avoid.PAY or c.disease_common_price > 0:
        ask_for_pledges(s, c)
    else:
        s.lap = 0
        then(s, Step.DISEASE, 0, 0, 0)


# Votes (G-34) ------------------------------------------------------------------------------------

@rule
def clear_votes(s, c):
    for seat in range(s.seats):
        s.sealed[seat] = Vote.NONE
        if c.vote_mode == VoteMode.OPEN_SEQUENTIAL:
            s.opened[seat] = Vote.NONE


@handles(Step.VOTES)
def votes(s, c):
    """G-34 Everybody votes or has a word before, all at once unless votes are open."""
    if c.vote_mode == VoteMode.SIMULTANEOUS:
        then(s, Step.OPEN_VOTES, 0, 0, 0)
        ask_all(s, Ask.VOTE)
        return
    for place in range(s.seats):
        seat = in_order(s, place)
        if s.sealed[seat] == Vote.NONE:
            then(s, Step.VOTES, 0, 0, 0)
            then(s, Ask.VOTE, seat, 0, 0)
            return
    then(s, Step.OPEN_VOTES, 0, 0, 0)


@handles(Step.WORDS)
def words(s, c, log):
    """G-34 What was written is said from the first player on; a gift is answered before the next.
    """
    for place in range(s.seats):
        seat = in_order(s, place)
        if s.word_to[seat] != NOBODY:
            then(s, Step.WORDS, 0, 0, 0)
            say_word(s, c, seat, log)
            return


@handles(Ask.VOTE, against=Do.VOTE)
def cast_vote(s, c, seat, against, log):
    """G-34 Sealed, or open at once with `vote_mode`."""
    s.sealed[seat] = Vote.AGAINST if against else Vote.LET
    if c.vote_mode == VoteMode.OPEN_SEQUENTIAL:
        s.opened[seat] = s.sealed[seat]
        note(log, Event.VOTED, seat, against, 1)
    else:
        note_for(log, Event.VOTED_SEALED, seat, NOBODY, against, 1, 1 << seat)


@rule
def is_avoided(c, against, seats):
    """G-34 G-R28 G-81 More than half of all players; a draw lets it happen."""
    return against * 2 > seats or (c.hr_tie_avoids and against * 2 == seats)


@handles(Step.OPEN_VOTES)
def open_answers(s, c, log):
    """G-34 Whoever had a word is heard, and then all vote anew; else the votes are counted."""
    has_word = False
    for seat in range(s.seats):
        has_word = has_word or s.sealed[seat] == Vote.WORD
    if has_word:
        note(log, Event.VOTE_ANEW, 0, open_card(s, c), 1)
        s.lap += 1
        clear_votes(s, c)
        then(s, Step.VOTES, 0, 0, 0)
        then(s, Step.WORDS, 0, 0, 0)
    else:
        open_votes(s, c, log)


@apart
def open_votes(s, c, log):
    """G-34 All votes are shown, and the event happens or not."""
    against = 0
    for seat in range(s.seats):
        s.opened[seat] = s.sealed[seat]
        s.sealed[seat] = Vote.NONE
        against += s.opened[seat] == Vote.AGAINST
        if c.vote_mode == VoteMode.SIMULTANEOUS:
            note(log, Event.VOTED, seat, np.int64(s.opened[seat] == Vote.AGAINST), 1)
    judge_promises(s, log)
    decide(s, c, is_avoided(c, against, np.int64(s.seats)), log)


@rule
def decide(s, c, avoided, log):
    """The open card is avoided or happens at once."""
    kind = open_card(s, c)
    if avoided:
        note(log, Event.AVOIDED, 0, kind, 1)
        close_card(s, Fate.AVOIDED)
    else:
        note(log, Event.HAPPENED, 0, kind, 1)
        close_card(s, Fate.HAPPENED)
        happen(s, c, kind, log)


# Payments (G-35, G-58) ---------------------------------------------------------------------------

@handles(Step.PLEDGES)
def pledges(s, c, log):
    """G-35 Until the price is there, in at most two laps."""
    open_pledges(s, log)
    if pledge_sum(s) >= card_price(s, c):
        collect_pledges(s, c, log)
        clear_pledges(s)
        decide(s, c, True, log)
    elif s.lap < c.pledge_laps:
        then(s, Step.PLEDGES, 0, 0, 0)
        ask_all(s, Ask.PLEDGE)
        s.lap += 1
    else:
        note(log, Event.PLEDGES_RETURNED, 0, open_card(s, c), pledge_sum(s))
        clear_pledges(s)
        if open_card(s, c) == Happening.CATTLE_DISEASE:  # G-R20: then each pays for their own
            s.lap = 0
            then(s, Step.DISEASE, 0, 0, 0)
        else:
            decide(s, c, False, log)


@rule
def clear_pledges(s):
    for seat in range(s.seats):
        s.pledged[seat] = 0


@handles(Step.DISEASE)
def disease(s, c, log):
    """G-58 Each owner pays for as many of their cattle as they like; the rest fall ill."""
    if next_patient(s, c):
        return
    kind = open_card(s, c)
    saved = infect(s, log) == 0
    note(log, Event.AVOIDED if saved else Event.HAPPENED, 0, kind, 1)
    close_card(s, Fate.AVOIDED if saved else Fate.HAPPENED)


# Effects (G-36 to G-60) --------------------------------------------------------------------------

@apart
def happen(s, c, kind, log):
    """G-36 to G-57, G-59, G-60 The parts of a card from left to right."""
    for part in range(4):
        effect = c.event[kind].effect[part, 0]
        if effect == Effect.CHANGE:
            change_table(s, np.int64(c.event[kind].effect[part, 1]),
                         np.int64(c.event[kind].effect[part, 2]), log)
        elif effect == Effect.DEBTS_PAID:
            settle_debts(s, c, log)
        elif effect != Effect.NONE and change_squares(s, c, kind, effect, log) == 0:
            note(log, Event.UNTOUCHED, 0, kind, 1)


@rule
def change_squares(s, c, kind, effect, log):
    """G-51 to G-54, G-59, G-60 A part about squares. Returns how many it touched."""
    if effect == Effect.MINES_LOST:
        return lose_mines(s, c, log)
    if effect == Effect.CROPS_LOST:
        return lose_crops(s, c, log)
    if effect == Effect.CATTLE_LOST:
        return turn_lands(s, Use.CATTLE, Use.CROP, Event.CATTLE_LOST, log)
    if effect == Effect.LANDS_TO_CATTLE:
        turned = turn_lands(s, Use.BROWN, Use.CATTLE, Event.PASTURED, log)
        return turned + turn_lands(s, Use.CROP, Use.CATTLE, Event.PASTURED, log)
    return seize(s, c, effect == Effect.SEIZE_LAKES or c.mountain_card_literal == 1,
                 c.event[kind].compensation, log)


@rule
def change_table(s, value, change, log):
    """G-6 G-36 G-64 No entry falls below 1 or grows beyond its bound."""
    before = s.table[value]
    after = min(max(before + change, 1), MOST_ENTRY)
    s.table[value] = after
    note(log, Event.CHANGED, 0, value, after - before)


@rule
def lose_mines(s, c, log):
    """G-51 G-54 G-R23 All mines belong to nobody; nothing is paid. Returns how many."""
    total = 0
    for seat in range(s.seats):
        lost = 0
        for square in range(N_SQUARES):
            if s.owner[square] == seat and s.kind[square] == Land.MINE:
                free_square(s, square)
                lost += 1
        total += lost
        if lost > 0:
            measure(s, c, seat)
            note(log, Event.MINES_LOST, seat, 0, lost)
    return total


@rule
def settle_debts(s, c, log):
    """G-51 G-R25 All debts are written off, or with `debts_paid` paid as far as cash goes."""
    for seat in range(s.seats):
        if c.debts_paid == DebtsPaid.FORCED:
            coins = min(s.cash[seat], s.debt[seat])
            repay(s, seat, coins)
            note_for(log, Event.DEBT_SETTLED, seat, NOBODY, 0, coins, 1 << seat)
        else:
            coins = forgive(s, c, seat)
            if c.hr_wipe == Wipe.FULL:
                s.doublings[seat] = 0
            note_for(log, Event.DEBT_FORGIVEN, seat, NOBODY, 0, coins, 1 << seat)


@rule
def lose_crops(s, c, log):
    """G-52 G-R24 Crops become brown; a switch frees them too. Returns how many."""
    total = 0
    for seat in range(s.seats):
        lost = 0
        for square in range(N_SQUARES):
            if s.owner[square] == seat and s.kind[square] == Land.LAND \
                    and s.use[square] == Use.CROP:
                if c.crops_lost_ownership:
                    free_square(s, square)
                else:
                    set_use(s, square, Use.BROWN)
                lost += 1
        total += lost
        if lost > 0:
            measure(s, c, seat)
            note(log, Event.CROPS_LOST, seat, 0, lost)
    return total


@apart
def turn_lands(s, old, new, event, log):
    """G-53 G-54 G-R26 All owned lands of one use get another. Returns how many."""
    total = 0
    for seat in range(s.seats):
        turned = 0
        for square in range(N_SQUARES):
            if s.owner[square] == seat and s.kind[square] == Land.LAND and s.use[square] == old:
                set_use(s, square, new)
                turned += 1
        total += turned
        if turned > 0:
            note(log, event, seat, 0, turned)
    return total


@rule
def is_seized(s, c, square, at_lakes):
    """G-59 G-60 G-R21 G-R22 An owned square beside a lake (a mountain); mines too."""
    if s.owner[square] == UNKNOWN:
        return False
    if s.kind[square] == Land.MINE and not c.appropriation_mines:
        return False
    return (lakes_beside(s, square) if at_lakes else mountains_beside(s, square)) > 0


@rule
def seize(s, c, at_lakes, each, log):
    """G-59 G-60 Taken once each; lands turn brown, mines stay mines. Returns how many."""
    total = 0
    for seat in range(SEATS):
        taken = 0
        for square in range(N_SQUARES):
            if s.owner[square] == seat and is_seized(s, c, square, at_lakes):
                free_square(s, square)
                note(log, Event.SEIZED, seat, square, 1)
                taken += 1
        total += taken
        if taken > 0:
            measure(s, c, seat)
            if each > 0:
                coins = receive(s, seat, taken * each)
                note_for(log, Event.COMPENSATED, seat, NOBODY, 0, coins, 1 << seat)
    return total


