"""The daily budget of documents that commands read for a person. No other limit covers such reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shared.chat.store.people import DailyCounter, DailyQuota
from shared.commands.command import CommandRequest, CommandResponse
from shared.values.trust import TrustTier

if TYPE_CHECKING:
    from shared.chat.store.people import FirestorePeople

#: documents a day for one person and one agent; and for its owner, whose commands read everybody's
MOST_A_DAY: Final = 5_000
MOST_A_DAY_FOR_OWNER: Final = 50_000


@dataclass(frozen=True)
class ReadBudgetExceeded:
    """The result of an effect that read nothing, because the person's budget for today is used up."""


@dataclass(frozen=True)
class ReadBudget:
    """A person's budget: checked before a read, and charged after it."""

    person: int
    budget: DailyQuota
    people: FirestorePeople

    @classmethod
    def of(cls, request: CommandRequest, people: FirestorePeople) -> ReadBudget:
        """Return the budget of the request's author for the agent's day."""
        budget = DailyQuota(
            counted=DailyCounter.READ,
            agent=request.chat.key.agent,
            day=request.now.astimezone(request.agent.zone).date().isoformat(),
            most=MOST_A_DAY_FOR_OWNER if request.trust is TrustTier.OWNER else MOST_A_DAY,
        )
        return cls(request.person.id, budget, people)

    async def has_left(self) -> bool:
        """Return whether anything is left; the check counts as a read. Raises StoreUnavailable or StoreRefused."""
        return await self.people.draw(self.person, self.budget, 1) > 0

    async def count(self, read: int) -> None:
        """Charge documents that were read; the last charge may exceed the budget. Raises StoreUnavailable or
        StoreRefused.
        """
        if read > 1:
            await self.people.draw(self.person, self.budget, read - 1)


def budget_exceeded_response(request: CommandRequest) -> CommandResponse:
    """Return the response to a person whose budget is used up."""
    return CommandResponse(text=request.words.say("command.too_often"), is_apart=True)
