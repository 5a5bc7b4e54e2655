"""Piles and knowledge: every physical card of a game lies in exactly one place.

All cards lie on one long rack, pile after pile; `start[pile]` is where a pile begins. The only
way to move a card is `move`, so no card can be lost or doubled. What is known belongs to the
place and travels with its card: `known[place]` has a bit per seat that may know which card lies
there, `face_up[place]` says which way it is turned. In a pile index 0 is the bottom.

What a card's back shows (its age, its deck) is public: a hidden card is seen as `-1 - back`.
"""

from typing import Any

import numpy as np

from exchequer.core.chance import roll
from exchequer.core.log import ALL
from exchequer.core.records import NOBODY, apart, rule

TOP = -1  # a position: on top of the pile


def pile_fields(cards: int, piles: int) -> dict[str, Any]:
    """Fields of a state with `cards` physical cards in `piles` piles."""
    number = "i1" if cards < 128 else "i2"
    return {"card": (number, cards), "known": ("u1", cards), "face_up": ("u1", cards),
            "start": ("i2", piles + 1)}


@rule
def lay_all(s, pile):
    """Put every card into one pile, in order, unseen. What is set up moves on from there."""
    for place in range(len(s.card)):
        s.card[place] = place
        s.known[place] = 0
        s.face_up[place] = 0
    for p in range(len(s.start)):
        s.start[p] = 0 if p <= pile else len(s.card)


@rule
def pile_size(s, pile):
    return s.start[pile + 1] - s.start[pile]


@rule
def place_of(s, pile, index):
    return s.start[pile] + index


@rule
def card_at(s, pile, index):
    return s.card[s.start[pile] + index]


@rule
def top_card(s, pile):
    return s.card[s.start[pile + 1] - 1]


@rule
def find_kind(s, kind_of, pile, kind):
    """Where in a pile the first card of a kind lies, or NOBODY. `kind_of[card]` is content."""
    for index in range(pile_size(s, pile)):
        if kind_of[card_at(s, pile, index)] == kind:
            return index
    return NOBODY


@rule
def is_known(s, place, seat):
    return (s.known[place] >> seat) & 1 == 1


@apart
def move(s, source, index, target, position):
    """Move a card with what is known of it; `position` is its index in the target, or TOP.

    Returns its new place. Inside one pile the position counts without the card itself.
    """
    here = s.start[source] + index
    if source < target:
        for pile in range(source + 1, target + 1):
            s.start[pile] -= 1
    else:
        for pile in range(target + 1, source + 1):
            s.start[pile] += 1
    size = s.start[target + 1] - s.start[target]
    there = s.start[target] + (size - 1 if position == TOP else position)
    rotate(s.card, here, there)
    rotate_both(s.known, s.face_up, here, there)
    return there


@rule
def draw_card(s, source, target, seat):
    """Move the top card of a pile and show it to the seat that takes it. Returns its place."""
    place = move(s, source, pile_size(s, source) - 1, target, TOP)
    show(s, place, seat)
    return place


@rule
def rotate(row, here, there):
    """Take the entry out and put it in elsewhere; what lies between closes up."""
    entry = row[here]
    if here < there:
        for i in range(here, there):
            row[i] = row[i + 1]
    else:
        for i in range(here, there, -1):
            row[i] = row[i - 1]
    row[there] = entry


@rule
def rotate_both(row, other, here, there):
    """The same in two rows of one type; a single loop takes little longer than for one of them."""
    entry, second = row[here], other[here]
    if here < there:
        for i in range(here, there):
            row[i] = row[i + 1]
            other[i] = other[i + 1]
    else:
        for i in range(here, there, -1):
            row[i] = row[i - 1]
            other[i] = other[i - 1]
    row[there] = entry
    other[there] = second


@rule
def shuffle(s, pile):
    """After this nobody knows where any card of the pile lies."""
    first = s.start[pile]
    for i in range(pile_size(s, pile) - 1, 0, -1):
        j = roll(s, i + 1)
        moved = s.card[first + i]
        s.card[first + i] = s.card[first + j]
        s.card[first + j] = moved
    forget(s, pile, ALL)
    for i in range(pile_size(s, pile)):
        s.face_up[first + i] = 0


@rule
def forget(s, pile, seats):
    """The seats in the mask lose track of the pile's cards (one was taken or laid in secret)."""
    for place in range(s.start[pile], s.start[pile + 1]):
        s.known[place] = s.known[place] & (ALL - seats)


@rule
def reveal(s, place):
    """Turn a card face up: everybody knows it."""
    s.known[place] = ALL
    s.face_up[place] = 1


@rule
def show(s, place, seat):
    """One seat looks at a card."""
    s.known[place] = s.known[place] | (1 << seat)


@rule
def hide_cards(s, backs, seat):
    """Blank what this seat may not know: cards to their backs, and who else knows each place.

    A game whose rules make some looks public hides the parts by itself, with the two below.
    """
    hide_faces(s, backs, seat)
    for place in range(len(s.card)):
        hide_knowers_at(s, place, seat)


@rule
def hide_faces(s, backs, seat):
    """Blank every card this seat may not know to its back. `backs[card]` comes from content."""
    for place in range(len(s.card)):
        if not is_known(s, place, seat):
            s.card[place] = -1 - backs[s.card[place]]


@rule
def hide_knowers(s, pile, seat):
    """Of a pile whose order is private nobody sees which cards others know."""
    for place in range(s.start[pile], s.start[pile + 1]):
        hide_knowers_at(s, place, seat)


@rule
def hide_knowers_at(s, place, seat):
    """Only the seat's own bit is left; a card that lies face up is known to all."""
    s.known[place] = ALL if s.face_up[place] else s.known[place] & (1 << seat)


@apart
def hide_order(s, pile):
    """Show a pile whose order is private sorted: known cards, then backs.

    So nobody can follow a card through another's hand. Comes after the cards were hidden; what
    is still seen of who knows them is sorted, too.
    """
    first = s.start[pile]
    for i in range(first + 1, s.start[pile + 1]):
        j = i
        while j > first and comes_before(s, j, j - 1):
            swap(s.card, j)
            swap(s.known, j)
            swap(s.face_up, j)
            j -= 1


@rule
def comes_before(s, left, right):
    if s.card[left] != s.card[right]:
        return s.card[left] > s.card[right]
    return s.known[left] > s.known[right]


@rule
def swap(row, place):
    """Change an entry with the one before it."""
    entry = row[place]
    row[place] = row[place - 1]
    row[place - 1] = entry


@rule
def owner_knows(s, pile, seat):
    """The owner of a pile knows its cards: a determinized world needs that back."""
    for place in range(s.start[pile], s.start[pile + 1]):
        s.known[place] = s.known[place] | (1 << seat)


@rule
def deal_hidden(s, backs):
    """Deal the cards that are nowhere to be seen over the blanked places with their back."""
    deal_from(s, backs, np.zeros(len(s.card), np.uint8), np.empty(len(s.card), np.int16))


@rule
def deal_from(s, backs, seen, pool):
    """The same in room that the caller gives, since a GPU cannot allocate; `seen` is blank."""
    last = 0
    for card in range(len(backs)):
        last = max(last, backs[card])
    for place in range(len(s.card)):
        if s.card[place] >= 0:
            seen[s.card[place]] = 1
    for back in range(last + 1):
        count = 0
        for card in range(len(s.card)):
            if seen[card] == 0 and backs[card] == back:
                pool[count] = card
                count += 1
        for place in range(len(s.card)):
            if s.card[place] == -1 - back:
                drawn = roll(s, count)
                count -= 1
                s.card[place] = pool[drawn]
                pool[drawn] = pool[count]
