"""The Jagged Time's rules: the contract of a game. The subjects have modules of their own:
`cards` (things and zones), `banks` (resources), `objectives` (the agenda), `effects` (what tokens
do), `campaign` (the way through the acts), `play` (the Action Phase), `turn` (the phases),
`answers` (what a question allows) and `carry_out` (what an answer does).

Source: the designer's prototype rulebook for a solo game with card values from the designer's
card sheets, and our rulings (J-R, JL); `rulebook.md` is the authority here.
Deviations: at most 128 actions and 192 objectives exist at a time (J-72), resigning is a move only
where the content says so (J-68).
"""

from exchequer.core.agenda import (
    asked,
    no_answer,
    take_question,
    then,
)
from exchequer.core.chance import GAME_STREAM, roll, seed_chance
from exchequer.core.contract import LAPSED, WAIT, go_on
from exchequer.core.handlers import handles
from exchequer.core.piles import TOP, card_at, lay_all, move, pile_size, reveal, shuffle
from exchequer.core.records import NOBODY, apart, rule
from exchequer.games.jagged_time.answers import list_answers, why_not
from exchequer.games.jagged_time.campaign import turn_up, turns_left
from exchequer.games.jagged_time.cards import (
    controlled_of,
    index_of,
    kind_in,
    make,
)
from exchequer.games.jagged_time.carry_out import answer
from exchequer.games.jagged_time.objectives import (
    after_defeat,
    leave,
    settle,
    twin_of,
)
from exchequer.games.jagged_time.state import (
    N_PILES,
    THEN_PLACES,
    Ask,
    Ending,
    Fault,
    Phase,
    Pile,
    Refusal,
    Step,
)
from exchequer.games.jagged_time.tables import (
    FIRST_OBJECTIVE,
    MILESTONE,
    MOST_CARD_OPTIONS,
    N_CARDS,
    N_KINDS,
    N_PLACES,
    N_RESOURCES,
    N_START,
    NO_KIND,
    NO_ROW,
    TOP_MAXIMUM,
    Act,
    Family,
    Op,
    UnplayedHand,
)

__all__ = ["answer"]

# The contract ------------------------------------------------------------------------------------


@rule
def setup(s, c, seats, seed, log):
    """J-16 to J-20 J-R2 J-R5 Banks, both decks, the first milestone, agenda and hand."""
    seed_chance(s, seed, GAME_STREAM)
    s.turn = 1
    s.slots = c.slots
    s.draw_limit = c.draw
    s.paying = NO_KIND
    s.next_milestone = NO_KIND
    for resource in range(N_RESOURCES):
        s.maximum[resource] = min(c.extra_max[resource] + (resource < N_START) * c.start_max,
                                  TOP_MAXIMUM)
        s.bank[resource] = min((resource < N_START) * c.start_bank, s.maximum[resource])
    lay_things(s)
    build_decks(s, c, log)
    s.milestone = c.first_milestone
    then(s, Step.START_TURN, 0, 0, 0)
    then(s, Step.DRAW, 0, c.draw, 0)
    then(s, Step.REFILL, 0, 0, 0)
    turn_up(s, c, log)
    if c.tutorial_agenda:
        lay_tutorial(s, c, log)
    go_on(s, c, LAPSED, log)


@rule
def lay_things(s):
    """J-72 All things are spare, actions and objectives in piles of their own."""
    lay_all(s, Pile.SPARE_ACTIONS)
    for pile in range(Pile.SPARE_OBJECTIVES, N_PILES + 1):
        s.start[pile] = FIRST_OBJECTIVE if pile == Pile.SPARE_OBJECTIVES else N_CARDS
    for thing in range(N_CARDS):
        s.kind[thing] = NO_KIND
        reveal(s, thing)


@rule
def build_decks(s, c, log):
    """J-18 J-19"""
    for kind in range(c.n_kinds):
        actions = c.card[kind].family == Family.ACTION
        for _ in range(c.card[kind].start):
            make(s, c, kind, Pile.DECK if actions else Pile.OBJECTIVE_DECK, log)
    shuffle(s, Pile.DECK)
    shuffle(s, Pile.OBJECTIVE_DECK)


@rule
def lay_tutorial(s, c, log):
    """J-20 A fixed first agenda; the rest of the deck stays shuffled."""
    for kind in range(c.n_kinds):
        place = c.card[kind].tutorial - 1
        index = index_of(s, Pile.OBJECTIVE_DECK, kind)
        if 0 <= place < s.slots and index != NOBODY:
            reveal(s, move(s, Pile.OBJECTIVE_DECK, index, Pile.SLOT + place, TOP))
            settle(s, c, place, log)


@rule
def legal(s, c, out):
    """The list that was made when the question came up."""
    for i in range(s.n_options):
        out[i] = s.options[i]
    return s.n_options


@rule
def answer_refusal(s, c, ask, seat, action):
    """Whatever is not in the list has its reason."""
    for i in range(s.n_options):
        if s.options[i] == action:
            return Refusal.NONE
    why = why_not(s, c, action)
    return why if why != Refusal.NONE else Refusal.NOT_ASKED


@rule
def forced_answer(s, c):
    """A question that may lapse does so without an answer; a single answer is given at once, but
    no turn passes without a question (J-74)."""
    if asked(s) == NOBODY:
        return WAIT
    list_answers(s, c)
    unseen = asked(s) == Ask.RESOLVE and s.was_asked == 0
    if s.n_options > 1 or unseen:
        s.was_asked = 1
        return WAIT
    if s.n_options == 1:
        return s.options[0]
    if may_lapse(asked(s)):
        take_question(s)
        return LAPSED
    no_answer(s)
    return WAIT


@rule
def may_lapse(ask):
    """J-60 J-62 Effects that do as much as can be done, which may be nothing."""
    return (ask == Ask.PLAY_LESS  # no card of the subtype that could be paid for (J-62)
            or ask == Ask.RECUR  # fewer cards in the discard (J-R54)
            or ask == Ask.RESHUFFLE  # the same (J-50)
            or ask == Ask.DELAY  # all timers are at their size (J-52)
            or ask == Ask.TRANSFORM  # fewer copies (J-R39)
            or ask == Ask.COPY  # no card of the subtype (J-R41)
            or ask == Ask.ANYWHERE  # fewer copies (J-R49)
            or ask == Ask.PROJECT  # none is open (J-58)
            or ask == Ask.WAR  # the same (J-58)
            or ask == Ask.DESTROY  # fewer cards (J-57)
            or ask == Ask.CONVERT  # the same (JL-5, JL-19)
            or ask == Ask.ENTER  # no such objective (JL-19)
            or ask == Ask.UNLOCKED)  # no province was ever controlled (JL-40)


@handles(Step.RESOLUTION)
def start_resolving(s):
    """J-29"""
    then(s, Ask.RESOLVE, 0, 0, 0)


@handles(Step.LEAVE)
def leave_agenda(s, c, code, stamp, log):
    """J-31"""
    leave(s, c, code % THEN_PLACES, code // THEN_PLACES, stamp, log)


@handles(Step.BEATEN)
def lose_track(s, c, code, stamp, log):
    """J-40"""
    after_defeat(s, c, code % THEN_PLACES, code // THEN_PLACES, stamp, log)


# Score and end -----------------------------------------------------------------------------------

@apart
def score(s, c, seat):
    """J-69 JL-50"""
    return max(all_points(s, c), 0)


@rule
def all_points(s, c):
    """J-69 JL-50 Before they are cut at 0."""
    return (province_points(s, c) + victory_points(s, c) + later_points(s, c)
            + milestone_points(s, c) + turn_points(s, c) + loss_points(s, c) + crisis_cost(s, c))


@rule
def province_points(s, c):
    """J-69"""
    return min(controlled_of(s, c, c.province), c.score_provinces) * c.score_province


@rule
def is_past_first_act(s, c):
    """JL-50 In the first act of a game J-69 alone counts."""
    return s.act > c.first_act


@rule
def victory_points(s, c):
    """J-69 JL-50 For winning, for every turn left, and for the first act once it is won."""
    won = s.ending == Ending.WON
    points = c.score_early * turns_left(s, c) * won
    if is_past_first_act(s, c):
        return points + c.score_win + c.score_campaign * won
    return points + c.score_win * won


@rule
def later_points(s, c):
    """JL-50 Milestones since the first act, and the turns that finished acts left unused."""
    if not is_past_first_act(s, c):
        return 0
    return c.score_later * (s.milestones_done - s.first_done) + c.score_early * s.unused


@rule
def counts_way(s, c):
    """J-69 How far one has come counts until the first victory."""
    return s.ending != Ending.WON and not is_past_first_act(s, c)


@rule
def milestone_points(s, c):
    """J-69 What is resolved, and how far the next one has come."""
    if not counts_way(s, c):
        return 0
    points = c.score_milestone * s.milestones_done
    if not s.milestone_resolved:
        points += milestone_progress(s, c)
    return points


@rule
def turn_points(s, c):
    """J-69 One for each turn."""
    return s.turn if counts_way(s, c) else 0


@rule
def loss_points(s, c):
    """J-69"""
    return -c.score_loss if s.ending == Ending.LOST or s.ending == Ending.COLLAPSE else 0


@rule
def crisis_cost(s, c):
    """J-69"""
    return -min(crisis_points(s, c), c.score_crisis_most)


@rule
def cut_points(s, c):
    """J-69 What a score below 0 is raised by."""
    return max(-all_points(s, c), 0)


@rule
def crisis_points(s, c):
    """J-69 What the open crises cost, by tier and place."""
    points = 0
    for pile in range(Pile.OBJECTIVE_DISCARD, N_PILES):
        for index in range(pile_size(s, pile)):
            tier = c.card[s.kind[card_at(s, pile, index)]].crisis
            if tier > 0:
                points += c.score_crisis_agenda[tier - 1] if pile >= Pile.SLOT \
                    else c.score_crisis_piles[tier - 1]
    return points


@rule
def milestone_progress(s, c):
    """J-69 The best of what the active milestone counts."""
    at = c.card[kind_in(s, c, MILESTONE)].progress
    best = 0
    while c.token[at].op != Op.END:
        op, a = c.token[at].op, c.token[at].a
        b, d = c.token[at].b, c.token[at].d
        if op == Op.BANK_PROGRESS:
            there = 0
            for resource in range(N_RESOURCES):
                if a >> resource & 1:
                    there = max(there, s.bank[resource])
            best = max(best, d * min(b, there))
        elif op == Op.GAIN_PROGRESS:
            best = max(best, d * min(b, s.best_gained[a]))
        elif op == Op.CONTROL_PROGRESS:
            best = max(best, d * min(b, controlled_of(s, c, c.mask[a])))
        elif op == Op.MARKER_PROGRESS:
            best = max(best, a * (s.marker[MILESTONE] - 1))
        elif op == Op.STEP_PROGRESS:
            for index in range(MOST_CARD_OPTIONS):
                best = max(best, a * s.progress[MILESTONE, index])
        at += 1
    return best


@rule
def winners(s, c):
    """J-65"""
    return 1 if s.ending == Ending.WON else 0


@rule
def ending(s):
    return s.ending


@apart
def fault(s, c):
    """J-10 J-72 The ranges and places that the state must keep."""
    for resource in range(N_RESOURCES):
        if not 0 <= s.maximum[resource] <= TOP_MAXIMUM:
            return Fault.MAXIMUM_RANGE
        if not 0 <= s.bank[resource] <= s.maximum[resource]:
            return Fault.BANK_RANGE
    if not 0 <= s.draw_limit <= TOP_MAXIMUM:
        return Fault.DRAW_RANGE
    for clock in range(c.n_clocks):
        if not 0 <= s.clock[clock] < c.clock[clock].length:
            return Fault.CLOCK_RANGE
    why = card_fault(s, c)
    return why if why != Fault.NONE else place_fault(s, c)


@rule
def card_fault(s, c):
    """J-72 Every card that was made is in a zone, back in the supply or removed."""
    live = 0
    for pile in range(N_PILES):
        spare = pile == Pile.SPARE_ACTIONS or pile == Pile.SPARE_OBJECTIVES
        actions = pile <= Pile.SPARE_ACTIONS
        if pile >= Pile.SLOT and pile_size(s, pile) > (pile < Pile.SLOT + s.slots):
            return Fault.SLOT_CROWDED
        for index in range(pile_size(s, pile)):
            thing = card_at(s, pile, index)
            if (s.kind[thing] == NO_KIND) != spare or (thing < FIRST_OBJECTIVE) != actions:
                return Fault.KIND_MISPLACED
            live += not spare
    removed = 0
    for kind in range(N_KINDS):
        removed += s.removed[kind]
    if s.made - s.supplied - removed != live:
        return Fault.CARDS_LOST
    if s.phase >= Phase.RESOLUTION and c.unplayed_hand == UnplayedHand.DISCARD \
            and s.act == Act.FIRST and s.ending == Ending.NONE and pile_size(s, Pile.HAND) > 0:
        return Fault.HAND_LEFT
    return Fault.NONE


@rule
def place_fault(s, c):
    """J-5 J-59 Timers and markers in their range, no pair that should have escalated."""
    for place in range(N_PLACES):
        kind = kind_in(s, c, place)
        if kind == NO_KIND:
            continue
        card = c.card[kind]
        if card.track != NO_ROW and not 0 <= s.marker[place] <= c.track[card.track].length:
            return Fault.MARKER_RANGE
        if card.timer != NO_ROW and s.ending == Ending.NONE and s.timer[place] < 1 \
                and not is_failing(s, place):
            return Fault.TIMER_RANGE
        if place != MILESTONE and card.escalates != NO_ROW and s.ending == Ending.NONE \
                and twin_of(s, c, place) != NOBODY:
            return Fault.UNESCALATED
    return Fault.NONE


@rule
def is_failing(s, place):
    """J-36 Whether the failure of this card is under way, and asks for something."""
    for index in range(s.todo):
        item = s.agenda[index]
        if item.what == Step.FAILED and item.a == place and item.b == s.stamp[place]:
            return True
    return False


# Hidden information ------------------------------------------------------------------------------

@rule
def observe(s, c, seat):
    """J-R79 Only the order of the decks is hidden: unknown places are shown in thing order."""
    s.rng = 0
    sort_hidden(s, Pile.DECK)
    sort_hidden(s, Pile.OBJECTIVE_DECK)


@rule
def sort_hidden(s, pile):
    """Each card that nobody has looked at goes in front of the greater ones before it."""
    first = s.start[pile]
    for last in range(first, s.start[pile + 1]):
        if s.known[last]:
            continue
        card, place = s.card[last], last
        for before in range(last - 1, first - 1, -1):
            if not s.known[before]:
                if s.card[before] < card:
                    break
                s.card[place] = s.card[before]
                place = before
        s.card[place] = card


@rule
def determinize(s, c, seat, seed):
    """J-R79 Both decks in any order that agrees with what a scout has seen."""
    seed_chance(s, seed, GAME_STREAM)
    shuffle_hidden(s, Pile.DECK)
    shuffle_hidden(s, Pile.OBJECTIVE_DECK)


@rule
def shuffle_hidden(s, pile):
    first, size = s.start[pile], pile_size(s, pile)
    left = 0
    for i in range(size):
        left += s.known[first + i] == 0
    for i in range(size):
        if s.known[first + i]:
            continue
        skip = roll(s, left)
        left -= 1
        j = i
        while skip > 0 or s.known[first + j]:
            skip -= s.known[first + j] == 0
            j += 1
        lower = s.card[first + j]
        s.card[first + j] = s.card[first + i]
        s.card[first + i] = lower
