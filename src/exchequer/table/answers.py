"""What the JSON API answers: a model for each kind of answer, from which its page is made."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Version = Annotated[str | None, Field(
    description="Send it with the next move; None while another seat is asked.",
    examples=["5d0f8a1c2b3e4d6f70"])]
Status = Annotated[str, Field(description="waiting, running, over or closed.",
                              examples=["running"])]
SeatOf = Annotated[int, Field(description="A seat, from 0 on.", examples=[0])]
TableId = Annotated[str, Field(examples=["q1w2e3r4t5y6"])]
Sentences = Annotated[list[str], Field(examples=[["Ann builds a Mill."]])]


class Answer(BaseModel):
    """What is not described here is passed on; a test sees to it that there is nothing such."""

    model_config = ConfigDict(extra="allow")


class Refusal(Answer):
    """Why something was not done; nothing has changed."""

    error: str = Field(examples=["illegal"], description="The kind of refusal.")
    sentence: str = Field(examples=["You have 3 gold, and a Mill costs 7 (K-35)."])
    paragraphs: list[str] = Field([], examples=[["K-35"]],
                                  description="Paragraphs of the rulebook that it cites.")
    story: dict[str, Any] | None = Field(
        None, examples=[{"names": ["Ann", "Ben"], "winners": [0]}],
        description="Of a game by rules that are gone.")


class Token(Answer):
    token: str = Field(examples=["mCZ0..."], description="For `Authorization: Bearer`.")
    name: str = Field(examples=["Guest 314"])


class Link(Answer):
    path: str = Field(examples=["/sign-in/fDk3..."])


class Name(Answer):
    name: str = Field(examples=["Zoe"])


class VariantCard(Answer):
    name: str = Field(examples=["truce"])
    title: str = Field(examples=["Truce"])
    summary: str = Field(examples=["Nobody attacks in the first rounds."])


class GameCard(Answer):
    name: str = Field(examples=["kingdom"])
    title: str = Field(examples=["Kingdom"])
    summary: str = Field(examples=["Two kingdoms, one castle each."])
    players: str = Field(examples=["2 players"])
    length: str = Field(examples=["20 minutes"])
    seats: tuple[int, int] = Field(examples=[(2, 2)], description="The fewest and the most.")
    variants: list[VariantCard]
    has_lesson: bool = Field(examples=[True], description="Whether there is a first game to learn.")
    personas: dict[str, str] = Field(examples=[{"random": "plays any legal move."}],
                                     description="How each level of bots plays this game.")
    compiled: bool = Field(examples=[True], description="Whether bots that search can play.")


class Opened(Answer):
    id: TableId
    seats: list[int] = Field(examples=[[0]], description="The caller's seats.")
    status: Status


class Move(Answer):
    action: int = Field(examples=[12])
    text: str = Field(examples=["build:mill"])
    words: str = Field(examples=["Build a Mill for 7 gold"])


class SeatCard(Answer):
    name: str = Field(examples=["Ann"])
    bot: str | None = Field(examples=["greedy"])
    free: bool = Field(examples=[False])
    agent: bool = Field(examples=[False], description="Whether it is an agent's seat.")


class Table(Answer):
    """A table as one viewer sees it."""

    id: TableId
    game: str = Field(examples=["kingdom"])
    status: Status
    rules_version: int = Field(examples=[3])
    overlay: dict[str, Any] = Field(examples=[{"rules": {"turn_limit": 12}}],
                                    description="What differs from the game as it ships.")
    clock: dict[str, Any] = Field(examples=[{"kind": "move", "amount": 60}])
    seats: list[SeatCard]
    seat: int | None = Field(examples=[0], description="From where it is seen; None: a watcher.")
    asked: int | None = Field(examples=[0], description="The seat that has to answer.")
    asked_seats: list[int] = Field(examples=[[0]], description="All that have to: a sealed "
                                                               "question is asked of several at "
                                                               "once, who answer in any order.")
    due: float | None = Field(examples=[None], description="When its time is over (Unix time).")
    version: Version
    question: str = Field(examples=["What do you do?"])
    moves: list[Move] = Field(description="Empty unless the viewer is asked.")
    view: dict[str, Any] | None = Field(examples=[{"round": 1}],
                                        description="The game as plain data.")
    scores: list[int] | None = Field(None, examples=[[31, 24]], description="Once it is over.")
    winners: list[int] | None = Field(None, examples=[[0]])
    ending: str | None = Field(None, examples=["conquest"])


class Legal(Answer):
    version: Version
    moves: list[Move]


class Text(Answer):
    text: str = Field(examples=["Round 1 of 24.\n\nWhat do you do?\n1 End your turn"],
                      description="What one sees, what has happened, what is asked.")
    version: Version


class Change(Answer):
    """A resource before and after; `who` is empty for the seat's own."""

    who: str = Field(examples=["Ben"])
    what: str = Field(examples=["gold"])
    before: int = Field(examples=[10])
    after: int = Field(examples=[7])


class Preview(Answer):
    """What a move would do, as far as the seat can know."""

    changes: list[Change]
    told: Sentences
    nothing: bool = Field(examples=[False], description="It can be made, and changes nothing.")
    unsure: bool = Field(examples=[False], description="Something depends on chance or on what is "
                                                       "hidden.")
    then: str = Field(examples=["Which card?"], description="What is asked next, where that is all "
                                                            "that is certain.")


class Seated(Answer):
    seat: SeatOf
    status: Status


class Left(Answer):
    left: bool = Field(examples=[True])


class Removed(Answer):
    removed: bool = Field(examples=[True])


class Closed(Answer):
    closed: bool = Field(examples=[True])


class Resigned(Answer):
    status: Status


class Moved(Answer):
    version: Version


class WhyNot(Answer):
    """Something that cannot be done now."""

    text: str = Field(examples=["attack"], description="As in replays; empty for several moves.")
    words: str = Field(examples=["Army Attack"])
    sentence: str = Field(examples=["Nobody attacks in the first round (K-32)."])
    paragraphs: list[str] = Field(examples=[["K-32"]])


class Line(Answer):
    told: Sentences
    seat: int | None = Field(None, examples=[0])
    action: str | None = Field(None, examples=["build:mill"])
    why: str | None = Field(None, examples=["A Mill pays for itself in two rounds."],
                            description="What was said about the move.")


class Deals(Answer):
    offers: list[dict[str, Any]] = Field(
        examples=[[{"id": 2, "chain": 1, "from": 1, "to": 0, "is_counter": True, "gives": [],
                    "gets": ["a1"], "price": 9, "payer": 1, "tax": "both", "tax_due": 8,
                    "state": "open"}]],
        description="Of this turn: an offer's number, the one with which its bargain began, its "
                    "terms for the two sides alone, and its state (open, countered, declined or "
                    "accepted); what a bot `said` with its answer. It lapses with the time of "
                    "whoever is asked.")
    proposals: list[dict[str, Any]] = Field(
        examples=[[{"id": 1, "from": 2, "to": 0, "state": "proposed", "expires": None,
                    "gives": ["c3"], "gets": [], "price": 9, "payer": 0, "tax": "buyer"}]],
        description="What others propose to the player in turn; each stands until the turn ends, "
                    "and is taken up by an answer of that player.")
    form: dict[str, Any] | None = Field(
        examples=[None], description="What the viewer may propose now; with `is_proposal` to the "
                                     "player in turn.")
    due: float | None = Field(examples=[None], description="When the offer that is open lapses.")
    version: Version


class Withdrawn(Answer):
    withdrawn: bool = Field(examples=[True])


class Price(Answer):
    price: int | None = Field(examples=[14], description="None where there is none that suits.")


class Weighed(Answer):
    said: Sentences


class Journal(Answer):
    id: TableId
    game: str = Field(examples=["kingdom"])
    status: Status
    lines: list[Line]
    seed: int | None = Field(None, examples=[7], description="Once it is over.")
    key: str | None = Field(None, examples=[""])
    keys: list[str] | None = Field(None, examples=[[""]])


class Moment(Answer):
    frame: int = Field(examples=[3])
    frames: int = Field(examples=[40])
    board: str = Field(examples=["<div>...</div>"], description="HTML.")
    told: Sentences


class Said(Answer):
    said: bool = Field(examples=[True])


class Agreed(Answer):
    hints: bool = Field(examples=[True], description="Whether hints are given here now.")


class Idea(Answer):
    action: int = Field(examples=[12])
    words: str = Field(examples=["Build a Mill for 7 gold"])
    share: float = Field(examples=[0.62], description="Of the bot's attention.")
    value: float = Field(examples=[0.55], description="From 0 (lost) to 1 (won).")


class Hint(Answer):
    ideas: list[Idea]
    bot: str = Field(examples=["hard"])
    line: list[str] = Field(examples=[["build:mill", "end"]], description="What it expects.")
    notice: str = Field(examples=[""])


class Rematch(Answer):
    id: TableId
