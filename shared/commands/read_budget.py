"""The number of documents that commands may read for a person in a day. No other limit covers these reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shared.chat.store.people import DailyCounter, DailyQuota
from shared.commands.command import CommandRequest, CommandResponse
from shared.values.trust import TrustTier

if TYPE_CHECKING:
    from shared.chat.store.people import FirestorePeople

#: the documents a day for one person and one agent; and below, for the agent's owner, whose commands read everybody's
MOST_A_DAY: Final = 5_000
MOST_A_DAY_FOR_OWNER: Final = 50_000


@dataclass(frozen=True)
class ReadBudgetExceeded:
    """The result of a command's effect that read nothing, because the person's read budget for today is used up."""


@dataclass(frozen=True)
class ReadBudget:
    """The read budget of one person. One document is charged before a read, and the others after it."""

    person: int
    budget: DailyQuota
    people: FirestorePeople

    @classmethod
    def of(cls, request: CommandRequest, people: FirestorePeople) -> ReadBudget:
        """Return the read budget of the request's author for the current day in the agent's time zone."""
        budget = DailyQuota(
            counted=DailyCounter.READ,
            agent=request.chat.key.agent,
            day=request.now.astimezone(request.agent.zone).date().isoformat(),
            most=MOST_A_DAY_FOR_OWNER if request.trust is TrustTier.OWNER else MOST_A_DAY,
        )
        return cls(request.person.id, budget, people)

    async def has_left(self) -> bool:
        """Charge one document; return whether the budget allowed it. Raises StoreUnavailable or StoreRefused."""
        return await self.people.draw(self.person, self.budget, 1) > 0

    async def count(self, read: int) -> None:
        """Charge the documents that were read, except the one that `has_left` charged, as far as the budget lasts.
        Raises StoreUnavailable or StoreRefused.
        """
        if read > 1:
            await self.people.draw(self.person, self.budget, read - 1)


def budget_exceeded_response(request: CommandRequest) -> CommandResponse:
    """Return the response that tells a person that the budget is used up."""
    return CommandResponse(text=request.words.say("command.too_often"), is_apart=True)
