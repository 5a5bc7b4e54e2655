"""Pace: how decisions are shared among the seats, how long one waits, how much one move does."""

from collections.abc import Iterator

import polars as pl

from exchequer.core.measures import Measures
from exchequer.lab.claims import Rung
from exchequer.lab.findings import STORY, Claim
from exchequer.lab.statistics import mean_beyond, share_beyond, within
from exchequer.lab.witnesses import most
from exchequer.lab.words import capital, number, percent, seat_name

LEAST = 0.6  # of an even share of the decisions
LONG_WAIT = 180  # seconds in which nobody asks a player for anything
OFTEN = 0.5
LONG_CHAIN, TIMES_USUAL = 10, 4  # things that follow from one move, also by what is usual
DECIDES = 0.15  # how much more than an even share goes to whoever sets off the longest chain


def waiting(rung: Rung) -> Iterator[Claim]:
    """A seat that mostly watches."""
    if rung.seats == 1:
        return
    shares = rung.tables.seats.with_columns(
        part=pl.col("decisions") / pl.col("decisions").sum().over("game"))
    bound = LEAST / rung.seats
    for seat in range(rung.seats):
        part = shares.filter(pl.col("seat") == seat)["part"].drop_nans().drop_nulls().to_numpy()
        found = within(mean_beyond(part, bound, False, 1.0), 0.0, 1.0)
        yield Claim(f"waiting-{seat}", rung.name, found,
                    f"{capital(seat_name(seat, rung.seats))} mostly watches: it makes "
                    f"{percent(found.effect, 0)} of the decisions between {rung.name} bots, where "
                    f"{percent(1 / rung.seats, 0)} would be even.", bound, 0.1, family=STORY,
                    game=most(shares.filter(pl.col("seat") == seat), "part", least=True))


def longest_waits(rung: Rung) -> pl.DataFrame:
    """For each game the most choices that others made while somebody waited."""
    return rung.tables.seats.group_by("game", maintain_order=True).agg(pl.col("waited").max())


def long_waits(rung: Rung) -> Iterator[Claim]:
    """Somebody waits for minutes."""
    if rung.seats == 1:
        return
    waits, seconds = longest_waits(rung), rung.measures.seconds
    long = (waits["waited"] * seconds > LONG_WAIT).sum()
    found = share_beyond(long, len(waits), OFTEN)
    middle = float(waits["waited"].median() or 0)  # type: ignore[arg-type]
    scale, guess = (0.25, "") if seconds != Measures.seconds else (
        0.6, f" {number(seconds)} seconds are a guess, which a playtest would replace.")
    yield Claim("long-wait", rung.name, found,
                f"Waiting takes long: in {percent(found.effect, 0)} of games between {rung.name} "
                f"bots somebody waits for more than {LONG_WAIT // 60} minutes at a time, if a "
                f"choice takes {number(seconds)} seconds; half of the games have a wait of "
                f"{number(middle)} choices or more.", OFTEN, scale, family=STORY,
                game=most(waits, "waited"), advice=f"Let others do something meanwhile, or make "
                f"turns shorter.{guess}")


def usual_chain(rung: Rung) -> float:
    """How many things follow from a move on average, what a turn always brings included."""
    entries, moves = rung.tables.events["entries"].sum(), rung.tables.games["steps"].sum()
    return float(entries) / max(1.0, float(moves))


def chains(rung: Rung) -> Iterator[Claim]:
    """Moves that set off so much that they go with winning."""
    games = rung.tables.games
    long = max(LONG_CHAIN, TIMES_USUAL * usual_chain(rung))
    if rung.seats == 1 or float(games["chain"].median() or 0) < long:  # type: ignore[arg-type]
        return
    setters = games.select("game", "chain", seat=pl.col("chain_seat").cast(pl.Int64)).join(
        rung.tables.seats.select("game", "share", seat=pl.col("seat").cast(pl.Int64)),
        on=["game", "seat"])
    even = 1 / rung.seats
    found = share_beyond(float(setters["share"].sum()), len(setters), even + DECIDES)
    middle = float(setters["chain"].median() or 0)  # type: ignore[arg-type]
    yield Claim("chain", rung.name, found,
                f"Long chains go with winning: whoever sets off the longest of a game wins "
                f"{percent(found.effect, 0)} between {rung.name} bots, where {percent(even, 0)} "
                f"would be even; in half of the games it is {number(middle)} things or more that "
                "follow from one move.",
                even + DECIDES, 0.25, family=STORY,
                game=most(setters.filter(pl.col("share") > 0), "chain"),
                advice="Bound what one move can set off, or let others answer in between.")
