"""Deals at a table: offers as one form, and proposals to whoever has the turn.

The rules let two seats bargain when one of them is asked. A *proposal* is what somebody who is not
asked puts to the player in turn (G-28 in Greement): it stands in the journal beside the game until
the turn ends, and becomes an offer of the rules when it is taken up. Several can be taken up
together: then all of them are closed, or none is.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from exchequer.core.errors import InputError
from exchequer.core.game import Game
from exchequer.table.history import By, EntryKind, Proposal
from exchequer.table.journaled import NOT_BEGUN, WATCHER, JournaledMatch
from exchequer.table.refusals import BadInput, IllegalMove, NotNow, StaleVersion, WrongSeat

MOST_PROPOSALS = 8  # that one seat lets stand in a turn
HEARD, DECLINED, WITHDRAWN = "heard", "declined", "withdrawn"
ANSWERS = ("accept", "hear", "decline")


def bargain_of(game: Game) -> Any:
    if not game.has_module("bargain"):
        raise NotNow(f"There are no deals in {game.title}.")
    return game.module("bargain")


class BargainingMatch(JournaledMatch):
    """What can be done about deals."""

    @abstractmethod
    def _make(self, seat: int, action: int, by: By, why: str = "") -> None: ...

    @abstractmethod
    def _refuse(self, seat: int, version: int) -> None: ...

    # Offers ------------------------------------------------------------------------------------

    def propose(self, seat: int, terms: Mapping[str, Any], version: int) -> None:
        """Make an offer, by as many moves as the game needs for it, or by none of them; out of
        turn it is a proposal that stands until the turn ends.
        """
        with self._change():
            if seat in self.asked_seats and self.deal_form(seat):
                self._refuse(seat, version)
                for action in self._deal_actions(seat, terms):
                    self._make(seat, action, By.PERSON)
            else:
                self._put_forward(seat, terms)

    def _deal_actions(self, seat: int, terms: Mapping[str, Any]) -> list[int]:
        try:
            return bargain_of(self.game).deal_actions(self.deal_state(seat), self.content, seat,
                                                      terms)
        except InputError as error:
            raise IllegalMove(str(error)) from None

    def deal_state(self, seat: int) -> Any:
        """The game as the seat sees it when it draws up a deal, in its turn or out of it."""
        if self.status != "running":
            raise NotNow(NOT_BEGUN if self.status == "waiting" else "The game is over.")
        bargain = bargain_of(self.game)
        seen = self.position_of(seat).observe(seat)[0]
        if seat in self.asked_seats and bargain.deal_form(seen, self.content, seat):
            return seen
        spoken_to = bargain.spoken_to(seen, seat)
        if spoken_to is None:
            raise NotNow("Nobody has a turn now in which you could make them an offer.")
        return spoken_to

    # Proposals ---------------------------------------------------------------------------------

    def _put_forward(self, seat: int, terms: Mapping[str, Any]) -> None:
        self._refuse_endless()
        self._deal_actions(seat, terms)  # refused like any offer
        mine = [one for one in self._standing() if one.seat == seat]
        if len(mine) >= MOST_PROPOSALS:
            raise NotNow(f"{MOST_PROPOSALS} proposals of yours stand already; withdraw one.")
        terms = {key: terms[key] for key in ("to", "squares", "price", "pays", "tax")}
        self._append(EntryKind.PROPOSE, seat, {
            "id": len(self.history.proposals) + 1, "terms": terms, "turn": self.talk_turn()})

    def talk_turn(self) -> list[int]:
        """The turn in which proposals stand."""
        return bargain_of(self.game).talk_turn(self.position.state)

    def _standing(self) -> list[Proposal]:
        if self.status != "running" or not self.history.proposals:
            return []
        turn = self.talk_turn()
        return [one for one in self.history.proposals.values()
                if not one.became and one.turn == turn]

    def withdraw(self, seat: int, number: int) -> None:
        """Take a proposal of one's own back."""
        with self._change():
            if self._proposal(number).seat != seat:
                raise WrongSeat("That is somebody else's proposal.")
            self._append(EntryKind.SETTLE, seat, {"id": number, "became": WITHDRAWN})

    def _proposal(self, number: int) -> Proposal:
        found = {one.number: one for one in self._standing()}
        if number not in found:
            raise StaleVersion("That proposal does not stand any more; look again.")
        return found[number]

    def take_up(self, seat: int, numbers: Sequence[int], answer: str, version: int,
                by: By = By.PERSON) -> None:
        """Answer proposals: accept all of them or none, hear one (which makes it the offer that is
        on the table, to be countered), or decline.
        """
        if answer not in ANSWERS or not numbers or (answer == "hear" and len(numbers) > 1):
            raise BadInput("A proposal is accepted, heard or declined; only one can be heard.")
        with self._change():
            self._refuse(seat, version)
            for number in dict.fromkeys(numbers):
                found = self._proposal(number)
                if found.terms["to"] != seat:
                    raise WrongSeat("That proposal is not for you.")
                self._append(EntryKind.SETTLE, seat, {
                    "id": number, "became": DECLINED if answer == "decline" else HEARD})
                if answer != "decline":
                    self._hear(found, seat, by, answer == "accept")

    def _hear(self, found: Proposal, seat: int, by: By, accepts: bool) -> None:
        """The player in turn asks for the offer, and it is made as it was proposed."""
        bargain = bargain_of(self.game)
        if self._actor != seat:
            raise NotNow("Finish the bargain that is open first.")
        for action in bargain.call_actions(self.position.state, found.seat):
            self._make(seat, action, by)
        for action in self._deal_actions(found.seat, found.terms):
            self._make(found.seat, action, By.PERSON)
        if accepts:
            try:
                actions = bargain.accept_actions(self.position.observe(seat)[0], self.content, seat)
            except InputError as error:
                raise IllegalMove(str(error)) from None
            for action in actions:
                self._make(seat, action, by)

    def next_proposal(self, seat: int) -> int | None:
        """A proposal that a bot in turn has not heard yet, when it can hear one."""
        with self.lock:
            numbers = [one.number for one in self._standing() if one.terms["to"] == seat]
            is_free = numbers and bargain_of(self.game).can_hear(self.position.state, seat)
            return numbers[0] if is_free else None

    # What leaves -------------------------------------------------------------------------------

    def deal_form(self, viewer: int) -> dict[str, Any] | None:
        """The form in which the viewer may propose a deal now, in turn or out of it."""
        with self.lock:
            if viewer == WATCHER or self.status != "running" \
                    or not self.game.has_module("bargain"):
                return None
            bargain = bargain_of(self.game)
            seen = self.position_of(viewer).observe(viewer)[0]
            if viewer in self.asked_seats:
                return bargain.deal_form(seen, self.content, viewer)
            spoken_to = bargain.spoken_to(seen, viewer)
            form = spoken_to is not None and bargain.deal_form(spoken_to, self.content, viewer)
            return {**form, "is_proposal": True} if form else None

    def deals(self, viewer: int) -> list[dict[str, Any]]:
        """The offers of this turn, as the viewer may know them."""
        with self.lock:
            if not self.is_dealt or not self.game.has_module("bargain"):
                return []
            found = bargain_of(self.game).deals_made(self.position, viewer)
            return [self._deal_told(viewer, one) for one in found]

    def _deal_told(self, viewer: int, deal: dict[str, Any]) -> dict[str, Any]:
        """With what a bot said to it, for the two alone; how many moves that took is nobody's."""
        move = deal.pop("answered", 0) - 1
        if deal["state"] == "open":
            return deal | {"expires": self.move_due()}
        is_told = viewer in (deal["from"], deal["to"]) and self.history.makers[move] == By.BOT
        said = self.history.whys[move] if is_told else ""
        return deal | ({"said": said} if said else {})

    def proposals(self, viewer: int) -> list[dict[str, Any]]:
        """What stands proposed to the player in turn: the terms for the two alone."""
        with self.lock:
            return [{"id": one.number, "from": one.seat, "to": one.terms["to"],
                     "state": "proposed", "expires": self.move_due()}
                    | (bargain_of(self.game).proposed(self.position.state, self.content, one.seat,
                                                    one.terms)
                       if viewer in (one.seat, one.terms["to"]) else {})
                    for one in self._standing()]
