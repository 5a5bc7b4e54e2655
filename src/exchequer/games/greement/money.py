"""Coins and books (G-7): all cash and debt moves through these, and the bank's ledger with them.

Always: the cash of all, less the debts of all, plus `bank`, is nothing. Cash and debt stop at
MOST_COINS (G-64); what does not fit stays with the bank.
"""

from exchequer.core.records import rule
from exchequer.games.greement.board import entry, worth_of
from exchequer.games.greement.state import MOST_COINS, Value, Wipe


@rule
def pay(s, seat, coins):
    """Cash to the bank; the caller has seen that it is there (G-R36)."""
    s.cash[seat] -= coins
    s.bank += coins


@rule
def receive(s, seat, coins):
    """G-64 Cash from the bank, as far as a purse can hold it. Returns what was received."""
    got = min(coins, MOST_COINS - s.cash[seat])
    s.cash[seat] += got
    s.bank -= got
    return got


@rule
def hand_coins(s, payer, taker, coins):
    """G-28 G-29 Cash from one seat to another. Returns what the taker's purse could hold."""
    pay(s, payer, coins)
    return receive(s, taker, coins)


@rule
def credit(s, c, seat):
    """G-23 G-R7 G-64 How much the bank would lend: no limit but the bound and house rules."""
    most = MOST_COINS - max(s.debt[seat], s.cash[seat])
    if c.hr_loan_cap > 0:  # G-72
        most = min(most, c.hr_loan_cap - s.debt[seat])
    if c.hr_collateral:  # G-75
        most = min(most, s.cash[seat] + worth_of(s, c, seat) - s.debt[seat])
    if c.hr_no_loans:  # G-74
        most = 0
    return max(most, 0)


@rule
def borrow(s, seat, coins):
    """G-23 Cash now, the same as debt."""
    s.cash[seat] += coins
    s.debt[seat] += coins


@rule
def repay(s, seat, coins):
    """G-24 G-R8 Only ever as much as the debtor wants to."""
    s.cash[seat] -= coins
    s.debt[seat] -= coins


@rule
def repayable(s, c, seat):
    """G-24 As much as there is of both; a house rule keeps the first loan for a turn (G-80)."""
    most = min(s.cash[seat], s.debt[seat])
    if c.hr_no_first_turn_repay and s.turns[seat] == 0:
        most = min(most, s.debt[seat] - s.first_loan[seat])
    return max(most, 0)


@rule
def pay_by_loan(s, seat, coins):
    """G-35 G-58 G-R30 To the bank; what the purse lacks is borrowed."""
    if s.cash[seat] < coins:
        borrow(s, seat, coins - s.cash[seat])
    pay(s, seat, coins)


@rule
def interest(s, c, debt):
    """G-21 G-64 G-73 By how much a debt grows at the end of a turn, before the bound."""
    times = entry(s, Value.LOAN) - 1
    if c.hr_interest_percent == 0:
        return debt * times
    percent = c.hr_interest_percent * times
    return debt // 100 * percent + (debt % 100 * percent + 99) // 100


@rule
def grow_debt(s, c, seat):
    """G-21 G-64 The debt is multiplied, up to the bound. Returns what was added."""
    added = min(interest(s, c, s.debt[seat]), MOST_COINS - s.debt[seat])
    s.debt[seat] += added
    s.bank += added
    return added


@rule
def forgiven(c, debt):
    """G-51 G-78 How much of a debt is wiped out."""
    if c.hr_wipe == Wipe.HALF:
        return debt - debt // 2
    if c.hr_wipe == Wipe.MAX20:
        return min(debt, 20)
    return debt


@rule
def forgive(s, c, seat):
    """G-51 The bank writes a debt off. Returns how much."""
    coins = forgiven(c, s.debt[seat])
    s.debt[seat] -= coins
    s.bank -= coins
    return coins
