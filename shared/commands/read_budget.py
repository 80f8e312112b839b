"""The budget of what commands read: each person's of a day, since no model is asked, and no other limit knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shared.chat.store.people import DailyCounter, DailyQuota
from shared.commands.command import CommandRequest, CommandResponse
from shared.values.trust import TrustTier

if TYPE_CHECKING:
    from shared.chat.store.people import FirestorePeople

#: documents that commands read in a day for one person, of one agent; for its owner, who looks at what is all people's
MOST_A_DAY: Final = 5_000
MOST_A_DAY_FOR_OWNER: Final = 50_000


@dataclass(frozen=True)
class ReadBudgetExceeded:
    """That somebody has had so much read today that nothing more is."""


@dataclass(frozen=True)
class ReadBudget:
    """The budget of who asks: it is looked at before something is read, and what was read is counted after it."""

    person: int
    budget: DailyQuota
    people: FirestorePeople

    @classmethod
    def of(cls, request: CommandRequest, people: FirestorePeople) -> ReadBudget:
        """The budget of who asks, for the agent's day."""
        budget = DailyQuota(
            counted=DailyCounter.READ,
            agent=request.chat.key.agent,
            day=request.now.astimezone(request.agent.zone).date().isoformat(),
            most=MOST_A_DAY_FOR_OWNER if request.trust is TrustTier.OWNER else MOST_A_DAY,
        )
        return cls(request.person.id, budget, people)

    async def has_left(self) -> bool:
        """Return whether anything may be read, which counts as a read. Raises StoreUnavailable or StoreRefused."""
        return await self.people.draw(self.person, self.budget, 1) > 0

    async def count(self, read: int) -> None:
        """Count what was read; the last time may be past the budget. Raises StoreUnavailable or StoreRefused."""
        if read > 1:
            await self.people.draw(self.person, self.budget, read - 1)


def budget_exceeded_response(request: CommandRequest) -> CommandResponse:
    """Say that nothing more is looked up today."""
    return CommandResponse(text=request.words.say("command.too_often"), is_apart=True)
