"""The port to the invitations of agents' owners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from shared.models.invitation import Invitation, Redemption
    from shared.models.trust import LetIn


class Invitations(Protocol):
    """The invitations of all agents. Everything raises StoreUnavailable or StoreRefused."""

    async def open(self, agent: str, now: datetime) -> Sequence[Invitation]:
        """Those that let somebody in, the newest first."""

    async def keep(self, agent: str, invitation: Invitation, now: datetime) -> bool:
        """Keep a new one, and forget those that are over; false if MOST_OPEN are open already."""

    async def revoke(self, agent: str, invitation_id: str) -> None:
        """Forget one, so that it lets nobody in any more; whom it let in stays so."""

    async def redeem(self, agent: str, invitation_id: str, entry: LetIn) -> Redemption:
        """Let in whoever opened an invitation, at `entry.since`.

        One write counts the use and lets the person in, if nothing has changed since it was looked at: so of many at
        once as many get in as it has uses. It may be repeated.
        """
