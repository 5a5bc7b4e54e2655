"""The public JSON API: what a browser, or a bot in any language, does at a table.

A program asks for a token once (`POST /api/v1/visitors`) and sends it as `Authorization: Bearer`.
"""

import contextlib
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from exchequer.core.errors import InputError
from exchequer.core.find import all_games
from exchequer.core.position import Position
from exchequer.core.rulebook import cited
from exchequer.table import answers
from exchequer.table.bargains import bargain_of
from exchequer.table.choices import grouped
from exchequer.table.drawing import draw, drawing_of
from exchequer.table.foresight import Refusals, foresee
from exchequer.table.guard import refuse_foreign, visitor_of
from exchequer.table.history import AGENT
from exchequer.table.identity import Visitor
from exchequer.table.journaled import NOT_BEGUN, WATCHER
from exchequer.table.lessons import steps_done
from exchequer.table.match import Match
from exchequer.table.names import WHY_LENGTH, clean_text
from exchequer.table.refusals import BadInput, IllegalMove, NotNow, TableRefusal, WrongSeat
from exchequer.table.screens import game_card
from exchequer.table.service import Service
from exchequer.table.table_setup import (
    LEVEL_NAMES,
    MOST_SEATS,
    agent_seat,
    bot_seat,
    table_setup,
)
from exchequer.table.texts import table_text

router = APIRouter(prefix="/api/v1", tags=["table"], responses={"4XX": {
    "model": answers.Refusal, "description": "Refused, in a sentence; nothing has changed."}})
MOST_REASONS = 12  # answers to one "Why can't I …?"


# What every call needs is in memory, mostly; going to another thread for it would cost more.

async def the_service(request: Request) -> Service:
    return request.app.state.service


async def a_writer(request: Request) -> Visitor:
    return request.app.state.service.writer(request)


async def a_match(table_id: str, request: Request) -> Match:
    service: Service = request.app.state.service
    if request.method == "GET":  # who writes is charged for that
        service.spend(request, visitor_of(request), "reads")
    if found := service.registry.known(table_id):
        return found
    return await to_thread.run_sync(service.match, table_id)


Serving = Annotated[Service, Depends(the_service)]
Writer = Annotated[Visitor, Depends(a_writer)]
AtTable = Annotated[Match, Depends(a_match)]
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS, description="A seat, from 0 on.",
                                  examples=[0])]
Version = Annotated[str, Field(max_length=64, examples=["5d0f8a1c2b3e4d6f70"])]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NameRequest(Body):
    name: str = Field(max_length=200, examples=["Zoe"])


class NewTable(Body):
    """A table as it is wanted."""

    game: str = Field(max_length=60, examples=["kingdom"])
    seats: list[Annotated[str, Field(max_length=20)]] = Field(
        min_length=1, max_length=MOST_SEATS, examples=[["me", "greedy"]],
        description="For each seat: me, friend (free), agent (free, for an agent), hotseat, "
                    "or a bot: "
                    f"{', '.join(LEVEL_NAMES)}.")
    variant: str = Field("", max_length=60, examples=["truce"],
                         description="One that comes with the game.")
    settings: dict[str, Any] = Field(
        default_factory=dict, max_length=100, examples=[{"turn_limit": 12}],
        description="Keys of the game's content that are changed, such as turn_limit.")
    clock: str = Field("", max_length=10, examples=["move"],
                       description="none, move, days, or rules; empty: what the game's rules say.")
    clock_amount: int = Field(0, ge=0, le=100_000, examples=[60],
                              description="Seconds or days for a move.")
    seed: int | None = Field(None, ge=0, lt=2**63, examples=[None],
                             description="What is dealt from; by chance when left out.")
    listed: bool = Field(True, examples=[False], description="Whether the lobby shows it.")
    private_talk: bool = Field(False, examples=[False],
                               description="Whether two players may talk in private.")
    agent_seconds: int = Field(AGENT.seconds, ge=0, le=100_000, examples=[AGENT.seconds],
                               description="What an agent has for a move.")
    agent_fallback: str = Field(AGENT.fallback, max_length=20, examples=[AGENT.fallback],
                                description="The bot that moves when an agent does not.")


class SeatBody(Body):
    seat: SeatNumber


class SitRequest(SeatBody):
    agent: bool = Field(False, examples=[True],
                        description="Sit as an agent: named as such, with a time limit, and "
                                    "a bot that moves when it is over.")


class BotRequest(SeatBody):
    level: str = Field("greedy", max_length=20, examples=["greedy"])


class MoveRequest(SeatBody):
    """One move: an action of the list of legal ones, made against the version it came with."""

    action: int = Field(ge=-(2**31), lt=2**31, examples=[12])
    version: Version
    why: str = Field("", max_length=1000, examples=["A Mill pays for itself in two rounds."],
                     description="A sentence about the move, for the replay.")


class NumberRequest(SeatBody):
    """A number that is asked for, such as a price."""

    number: int = Field(ge=0, lt=2**53, examples=[12])
    version: Version


class DealTerms(SeatBody):
    """A deal as one form: whose squares go where, for how much, and who bears the tax."""

    to: SeatNumber
    squares: list[Annotated[str, Field(max_length=4)]] = Field(
        max_length=8, examples=[["a1"]], description="Of either side; each goes to the other.")
    price: int = Field(ge=0, lt=2**53, examples=[12])
    pays: bool = Field(False, examples=[False], description="Whether the proposer pays the price "
                                                            "of a swap.")
    tax: str = Field("buyer", pattern="^(buyer|seller|both)$", examples=["both"])


class DealRequest(DealTerms):
    version: Version | None = Field(None, description="None for a proposal to somebody else's "
                                                      "turn.", examples=["5d0f8a1c2b3e4d6f70"])


class ProposalAnswer(SeatBody):
    """What the player in turn says to proposals; several are accepted together or not at all."""

    ids: list[int] = Field(min_length=1, max_length=8, examples=[[1]])
    answer: str = Field(pattern="^(accept|hear|decline)$", examples=["accept"])
    version: Version


class ProposalBody(SeatBody):
    id: int = Field(ge=1, examples=[1])


class TakeBack(SeatBody):
    version: Version
    whole_turn: bool = Field(False, examples=[False])


class Agreement(SeatBody):
    yes: bool = Field(examples=[True])


class ChatRequest(Body):
    text: str = Field(max_length=4000, examples=["Good luck!"])
    to: int = Field(-1, ge=-1, lt=MOST_SEATS, examples=[-1],
                    description="A seat to which it is said in private; -1: to everybody.")


# Visitors and games ------------------------------------------------------------------------------

@router.post("/visitors", status_code=201, response_model=answers.Token)
def new_visitor(request: Request, service: Serving) -> dict[str, str]:
    """A token for a program that wants to hold a seat; never the one in a browser's cookie."""
    refuse_foreign(request, by_header="origin" not in request.headers)
    service.spend(request, None, "tokens")
    visitor = service.tokens.issue()
    return {"token": visitor.token, "name": visitor.default_name}


@router.post("/link", status_code=201, response_model=answers.Link)
def sign_in_link(request: Request, visitor: Writer, service: Serving) -> dict[str, str]:
    """A link that makes another device the same visitor: it works once, for ten minutes."""
    service.spend(request, visitor, "tokens")
    return {"path": f"{service.base}/sign-in/{service.tokens.link(visitor.id)}"}


@router.post("/name", response_model=answers.Name)
def rename(body: NameRequest, request: Request, visitor: Writer, service: Serving
           ) -> dict[str, str]:
    """A new name, at all tables from now on."""
    service.spend(request, visitor, "names")
    name = service.rename(visitor, body.name)
    for row in service.store.games_of(visitor.id, over=False):
        with contextlib.suppress(TableRefusal):  # a table that cannot be played keeps the old one
            service.match(row["id"]).rename(visitor.id, name)
    return {"name": name}


@router.get("/games", response_model=list[answers.GameCard])
def games(request: Request, service: Serving) -> list[dict[str, Any]]:
    """The games, their players and variants, and whether their machine code is ready."""
    service.spend(request, visitor_of(request), "reads")
    return [game_card(game) | {"compiled": game.name in service.precompiler.ready}
            for game in all_games()]


# Tables ------------------------------------------------------------------------------------------

@router.post("/tables", status_code=201, response_model=answers.Opened)
def create(body: NewTable, request: Request, visitor: Writer, service: Serving
           ) -> dict[str, Any]:
    """Open a table. It begins when all seats are taken."""
    setup = table_setup(body.game, body.seats, visitor.id, service.name_of(visitor),
                        variant=body.variant, settings=body.settings, clock=body.clock,
                        clock_amount=body.clock_amount, seed=body.seed, listed=body.listed,
                        private_talk=body.private_talk,
                        agents=agent_seat(body.agent_seconds, body.agent_fallback))
    match = service.open(setup, visitor, request)
    return {"id": match.id, "seats": match.seats_of(visitor.id), "status": match.status}


@router.get("/tables/{table_id}", response_model=answers.Table, response_model_exclude_unset=True)
def look(match: AtTable, request: Request,
         seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None) -> dict[str, Any]:
    """The table as one of the caller's seats sees it, or as a watcher does."""
    with match.lock:
        return table_data(match, viewer_of(match, visitor_of(request), seat))


@router.get("/tables/{table_id}/legal", response_model=answers.Legal)
def legal(match: AtTable, request: Request,
          seat: Annotated[int, Query(ge=0, lt=MOST_SEATS)]) -> dict[str, Any]:
    """The moves of a seat of the caller's; empty when another seat is asked."""
    with match.lock:
        viewer = viewer_of(match, visitor_of(request), seat)
        return {"version": match.token(viewer), "moves": moves_data(match, viewer)}


@router.get("/tables/{table_id}/text", response_model=answers.Text)
def text(match: AtTable, request: Request,
         seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None) -> dict[str, Any]:
    """The table as a short text: what one sees, what has happened, what is asked, the moves."""
    with match.lock:
        viewer = viewer_of(match, visitor_of(request), seat)
        return {"text": table_text(match, viewer), "version": match.token(viewer)}


@router.post("/tables/{table_id}/seats", status_code=201, response_model=answers.Seated)
def sit(match: AtTable, body: SitRequest, visitor: Writer, service: Serving) -> dict[str, Any]:
    """Take a free seat, as a person or as an agent."""
    match.sit(body.seat, visitor.id, service.name_of(visitor), body.agent)
    return {"seat": body.seat, "status": match.status}


@router.post("/tables/{table_id}/bots", status_code=201, response_model=answers.Seated)
def seat_bot(match: AtTable, body: BotRequest, visitor: Writer) -> dict[str, Any]:
    """Let a bot take a free seat; for those who sit here, and for whoever opened the table."""
    if visitor.id not in match.people | {match.row["creator"]}:
        raise WrongSeat("Only players at this table, or whoever opened it, can seat a bot.")
    taken = bot_seat(body.seat, body.level)
    match.seat_bot(body.seat, body.level, taken.name)
    return {"seat": body.seat, "status": match.status}


@router.post("/tables/{table_id}/leave", response_model=answers.Left)
def leave(match: AtTable, body: SeatBody, visitor: Writer) -> dict[str, bool]:
    """Stand up; in a running game a bot takes the seat."""
    match.leave(body.seat, visitor.id)
    return {"left": True}


@router.post("/tables/{table_id}/remove", response_model=answers.Removed)
def remove(match: AtTable, body: SeatBody, visitor: Writer) -> dict[str, bool]:
    """Free a seat before the game begins; for whoever opened the table."""
    match.remove(body.seat, visitor.id)
    return {"removed": True}


@router.post("/tables/{table_id}/close", response_model=answers.Closed)
def close(match: AtTable, visitor: Writer) -> dict[str, bool]:
    """Close a table for good; for whoever opened it, as long as nobody else sits there."""
    if visitor.id != match.row["creator"]:
        raise WrongSeat("Only whoever opened the table can close it.")
    if match.people - {visitor.id}:
        raise NotNow("Other people sit here; leave the table instead.")
    match.close("The table was closed by whoever opened it.")
    return {"closed": True}


@router.post("/tables/{table_id}/resign", response_model=answers.Resigned)
def resign(match: AtTable, body: SeatBody, visitor: Writer) -> dict[str, str]:
    """Give up. The last seat left has won; while more are left a bot plays on."""
    match.resign(body.seat, visitor.id)
    return {"status": match.status}


@router.post("/tables/{table_id}/play", response_model=answers.Moved)
def play(match: AtTable, body: MoveRequest, visitor: Writer, service: Serving
         ) -> dict[str, str | None]:
    """Make a move. The answer comes when it is on disk; it has the version if you move again."""
    with service.moves, match.lock:
        own_seat(match, visitor, body.seat)
        done = steps_done(match)
        why = clean_text(body.why, WHY_LENGTH, "A reason") if body.why else ""
        match.play(body.seat, body.action, known_version(match, body), why=why)
        service.metrics.moves.inc()
        service.count_lesson(match, done)
        return {"version": match.token(body.seat)}


@router.post("/tables/{table_id}/undo", response_model=answers.Moved)
def undo(match: AtTable, body: TakeBack, visitor: Writer) -> dict[str, str | None]:
    """Take one's last move back, or all that may be taken back."""
    with match.lock:
        own_seat(match, visitor, body.seat)
        match.undo(body.seat, known_version(match, body), body.whole_turn)
        return {"version": match.token(body.seat)}


@router.get("/tables/{table_id}/why", response_model=list[answers.WhyNot])
def why(match: AtTable, request: Request, seat: Annotated[int, Query(ge=0, lt=MOST_SEATS)],
        text: Annotated[str, Query(max_length=60)] = "",
        place: Annotated[str, Query(max_length=60)] = "") -> list[dict[str, Any]]:
    """What cannot be done now and why: moves that a text names, those at a place of the board, or
    all of them, those of one reason together.
    """
    refusals = Refusals(asked_position(match, request, seat), seat)
    if text or place:
        found = refusals.named(text)[:MOST_REASONS] if text else refusals.at(place)
    else:
        found = grouped(refusals.all())
    return [{"text": one.text, "words": one.words, "sentence": one.sentence,
             "paragraphs": cited(one.sentence)} for one in found]


@router.get("/tables/{table_id}/preview", response_model=answers.Preview)
def preview(match: AtTable, request: Request, seat: Annotated[int, Query(ge=0, lt=MOST_SEATS)],
            action: Annotated[int, Query(ge=-(2**31), lt=2**31)]) -> dict[str, Any]:
    """What a move would do, as far as the seat can know it; nothing is played."""
    position = asked_position(match, request, seat)
    if not 0 <= action < match.game.n_actions:
        raise IllegalMove("There is no such move in this game.")
    if why := position.refusal(action):
        raise IllegalMove(why)
    found = foresee(position, seat, action)
    return {"changes": [{"who": one.who, "what": one.what, "before": one.before,
                         "after": one.after} for one in found.changes],
            "told": found.told, "nothing": found.nothing, "unsure": found.unsure,
            "then": found.then}


@router.post("/tables/{table_id}/amount", response_model=answers.Moved)
def enter(match: AtTable, body: NumberRequest, visitor: Writer, service: Serving
          ) -> dict[str, str | None]:
    """Name the number that is asked for; the table makes the moves that say it."""
    with service.moves, match.lock:
        own_seat(match, visitor, body.seat)
        match.enter(body.seat, body.number, known_version(match, body))
        service.metrics.moves.inc()
        return {"version": match.token(body.seat)}


@router.get("/tables/{table_id}/deals", response_model=answers.Deals)
def deals(match: AtTable, request: Request,
          seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None) -> dict[str, Any]:
    """The offers of this turn as the caller may know them, and what they may propose."""
    with match.lock:
        viewer = viewer_of(match, visitor_of(request), seat)
        return {"offers": match.deals(viewer), "proposals": match.proposals(viewer),
                "form": match.deal_form(viewer),
                "due": match.move_due(), "version": match.token(viewer)}


@router.post("/tables/{table_id}/deals", response_model=answers.Moved)
def propose(match: AtTable, body: DealRequest, visitor: Writer, service: Serving
            ) -> dict[str, str | None]:
    """Make an offer, or a counter-offer to the one that is on the table; the table makes the moves
    that say it, with a loan where the proposer needs and may have one. In somebody else's turn it
    is a proposal to them, which stands until the turn ends.
    """
    with service.moves, match.lock:
        own_seat(match, visitor, body.seat)
        match.propose(body.seat, body.model_dump(), known_version(match, body))
        service.metrics.moves.inc()
        return {"version": match.token(body.seat)}


@router.post("/tables/{table_id}/deals/answer", response_model=answers.Moved)
def answer_proposals(match: AtTable, body: ProposalAnswer, visitor: Writer, service: Serving
                     ) -> dict[str, str | None]:
    """Accept proposals, all or none; hear one, which makes it the offer on the table; or decline.
    """
    with service.moves, match.lock:
        own_seat(match, visitor, body.seat)
        match.take_up(body.seat, body.ids, body.answer, known_version(match, body))
        service.metrics.moves.inc()
        return {"version": match.token(body.seat)}


@router.post("/tables/{table_id}/deals/withdraw", response_model=answers.Withdrawn)
def withdraw(match: AtTable, body: ProposalBody, visitor: Writer) -> dict[str, bool]:
    """Take a proposal of one's own back."""
    own_seat(match, visitor, body.seat)
    match.withdraw(body.seat, body.id)
    return {"withdrawn": True}


@router.post("/tables/{table_id}/deals/weighed", response_model=answers.Weighed)
def weigh(match: AtTable, body: DealTerms, visitor: Writer) -> dict[str, Any]:
    """What each side would net by such a deal; nothing is played."""
    own_seat(match, visitor, body.seat)
    with match.lock:
        seen = match.deal_state(body.seat)
    try:
        said = bargain_of(match.game).deal_weighed(seen, match.content, body.seat,
                                                   body.model_dump(), match.names)
    except InputError as error:
        raise IllegalMove(str(error)) from None
    return {"said": said}


@router.post("/tables/{table_id}/deals/price", response_model=answers.Price)
def price(match: AtTable, body: DealTerms, request: Request, visitor: Writer, service: Serving
          ) -> dict[str, Any]:
    """What a bot would take, or give, for the squares; a person has to be asked in words."""
    position = asked_position(match, request, body.seat)
    if body.to >= len(match.seats) or not match.seats[body.to].bot:
        raise NotNow("Only a bot names its price; ask them in the chat.")
    service.spend(request, visitor, "hints")
    try:
        with service.bots.asked_for():
            named = bargain_of(match.game).deal_price(position, body.seat, body.model_dump())
    except TableRefusal:
        raise
    except InputError as error:
        raise IllegalMove(str(error)) from None
    return {"price": named}


@router.get("/tables/{table_id}/journal", response_model=answers.Journal,
            response_model_exclude_unset=True)
def journal(match: AtTable, request: Request,
            seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None) -> dict[str, Any]:
    """What has happened, as the caller may know it; with all moves and the seed once it is over."""
    with match.lock:
        viewer = viewer_of(match, visitor_of(request), seat)
        text = match.game.words.TEXTS.text
        lines = []
        for frame in match.frames(viewer):
            line: dict[str, Any] = {"told": frame.sentences}
            if frame.moves:
                mover = match.history.movers[frame.moves - 1]
                line["seat"] = mover
                if match.is_over or mover == viewer:
                    line["action"] = text(match.position.actions[frame.moves - 1])
                if frame.why:
                    line["why"] = frame.why
            lines.append(line)
        opened = {"seed": match.position.seed, "key": match.position.key,
                  "keys": match.position.keys} if match.is_over else {}
        return {"id": match.id, "game": match.game.name, "status": match.status,
                "lines": lines, **opened}


@router.get("/tables/{table_id}/frames/{number}", response_model=answers.Moment)
def frame(match: AtTable, request: Request, number: int,
          seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None) -> dict[str, Any]:
    """A moment of the game: the board as HTML, and what happened in it."""
    with match.lock:
        viewer = viewer_of(match, visitor_of(request), seat)
        frames = match.frames(viewer)
        if not frames:
            raise NotNow(NOT_BEGUN)
        if not 0 <= number < len(frames):
            raise BadInput(f"This game has moments 0 to {len(frames) - 1}, not {number}.")
        drawing = drawing_of(match, viewer, match.position.at(frames[number].moves))
    return {"frame": number, "frames": len(frames), "board": draw(drawing),
            "told": frames[number].sentences}


@router.post("/tables/{table_id}/chat", status_code=201, response_model=answers.Said)
def chat(match: AtTable, body: ChatRequest, request: Request, visitor: Writer, service: Serving
         ) -> dict[str, bool]:
    """Say something at the table, as a player or, marked as such, as a spectator."""
    service.spend(request, visitor, "chat")
    service.chat(match, visitor, body.text, body.to)
    return {"said": True}


@router.post("/tables/{table_id}/agree", response_model=answers.Agreed)
def agree(match: AtTable, body: Agreement, visitor: Writer) -> dict[str, bool]:
    """Agree that everybody may ask for hints, or no longer."""
    match.agree(body.seat, visitor.id, body.yes)
    return {"hints": match.hints_allowed}


@router.post("/tables/{table_id}/hint", response_model=answers.Hint)
def hint(match: AtTable, body: SeatBody, request: Request, visitor: Writer, service: Serving
         ) -> dict[str, Any]:
    """What a bot thinks of the caller's position: a strong one, once the game is compiled."""
    own_seat(match, visitor, body.seat)
    if not match.hints_allowed:
        raise NotNow("Other people play here; there are hints when all of them agree.")
    service.spend(request, visitor, "hints")
    level, thought, menu = service.bots.hint(match, body.seat)
    total = sum(idea.visits for idea in thought.ideas) or 1
    return {"ideas": [{"action": idea.action, "words": menu.get(idea.action, idea.text),
                       "share": round(idea.visits / total, 3), "value": round(idea.value, 3)}
                      for idea in thought.ideas[:5]],
            "bot": level, "line": thought.line[:6],
            "notice": service.precompiler.notice(match.game)}


@router.post("/tables/{table_id}/rematch", status_code=201, response_model=answers.Rematch)
def rematch(match: AtTable, visitor: Writer, service: Serving, request: Request
            ) -> dict[str, str]:
    """The same people again, everyone one seat further; for those who played."""
    if not match.is_over:
        raise NotNow("The game is not over yet.")
    if visitor.id not in match.people:
        raise WrongSeat("Only the players of this game can ask for a rematch.")
    return {"id": service.rematch(match, visitor, request).id}


# Shared ------------------------------------------------------------------------------------------

def own_seat(match: Match, visitor: Visitor, seat: int) -> None:
    if seat not in match.seats_of(visitor.id):
        raise WrongSeat("You do not hold that seat.")


def viewer_of(match: Match, visitor: Visitor, seat: int | None) -> int:
    """The seat asked for when the visitor holds it; without one, where they look from first. Asked
    under the match's lock, or again when all is made: a seat can change hands before the start.
    """
    if seat is None:
        return match.first_seat(visitor.id)
    own_seat(match, visitor, seat)
    return seat


def asked_position(match: Match, request: Request, seat: int) -> Position:
    """A copy of the position to try moves on, for a seat that is asked."""
    with match.lock:
        if viewer_of(match, visitor_of(request), seat) not in match.asked_seats:
            raise NotNow("It is not your move.")
        return match.position_of(seat).copy()


def known_version(match: Match, body: MoveRequest | NumberRequest | DealRequest | TakeBack
                  | ProposalAnswer) -> int:
    """The number behind a version that was given out; any other is stale."""
    seat = body.seat if body.seat in match.asked_seats else match.asked
    is_now = seat is not None and body.version == match.token(seat)
    return match.version_of(body.seat) if is_now else -1


def moves_data(match: Match, viewer: int) -> list[dict[str, Any]]:
    text = match.game.words.TEXTS.text
    return [{"action": action, "text": text(action), "words": words}
            for action, words in match.menu(viewer)]


def table_data(match: Match, viewer: int) -> dict[str, Any]:
    with match.lock:
        over = vars(match.result) if match.is_over else {}
        return {
            "id": match.id, "game": match.game.name, "status": match.status,
            "rules_version": match.row["rules_version"],
            "overlay": match.content.overlay, "clock": match.clock.as_data(),
            "seats": [{"name": name, "bot": seat.bot, "free": seat.is_free,
                       "agent": seat.is_agents}
                      for name, seat in zip(match.names, match.seats, strict=True)],
            "seat": None if viewer == WATCHER else viewer, "asked": match.asked,
            "asked_seats": match.asked_seats, "due": match.move_due(),
            "version": match.token(viewer),
            "question": match.question(viewer), "moves": moves_data(match, viewer),
            "view": match.view(viewer), **over,
        }
