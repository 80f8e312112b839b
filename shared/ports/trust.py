"""The port to the rosters: whose each agent is, whom it answers, and who is blocked."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from shared.models.access import AccessRequest, RequestState
    from shared.models.trust import Blocked, LetIn, LetInGroup, Roster, Silenced

#: so old a roster may be that is acted on: as old as a block may be that is not heeded yet
FRESH = timedelta(seconds=60)
#: read anew, whatever is known
NOW = timedelta(0)


class Rosters(Protocol):
    """Who may. Everything raises StoreUnavailable or StoreRefused.

    Each change is one write of single fields, which loses no other that is made at the same time and may be repeated.
    What this instance changes it sees at once; what another one changes, after FRESH at most.
    """

    async def roster(self, agent: str, at_most: timedelta = FRESH) -> Roster:
        """An agent's roster, at most so old. It costs a read when the known one is older, else nothing."""

    async def let_in(self, agent: str, entry: LetIn) -> bool:
        """Let a person in; who is blocked stays so. False if there are MOST_PEOPLE already: then nothing changes."""

    async def shut_out(self, agent: str, person: int) -> None:
        """Take back that a person was let in."""

    async def block(self, agent: str, entry: Blocked) -> bool:
        """Block somebody; false if there are MOST_BLOCKED already. Whoever calls it makes sure it is not the owner."""

    async def unblock(self, agent: str, person: int) -> None:
        """Take back that somebody is blocked: they are again what they were before."""

    async def let_group_in(self, agent: str, entry: LetInGroup, former: int = 0) -> bool:
        """Let a group in, with all who write there; false if there are MOST_GROUPS already.

        `former` is the chat id that the group had before, 0 if it had none: this entry takes the place of that one.
        """

    async def shut_group_out(self, agent: str, chat_id: int) -> None:
        """Take back that a group was let in."""

    async def set_silenced(self, agent: str, silenced: Silenced | None) -> None:
        """Have the agent answer nobody, anywhere; none: have it answer again."""

    def drop(self, agent: str) -> None:
        """Read the agent's roster anew the next time, since something else has changed it."""


class AccessRequests(Protocol):
    """Who waits to be let in. Everything raises StoreUnavailable or StoreRefused; commits of ticks write new ones."""

    async def find(self, request_id: str) -> AccessRequest | None:
        """One request, decided or not; none if there is no such."""

    async def waiting(self, agent: str, limit: int) -> Sequence[AccessRequest]:
        """Those of an agent that nobody has decided, the newest first."""

    async def waiting_count(self, agent: str) -> int:
        """How many of an agent nobody has decided; one read, however many."""

    async def decide(self, request_id: str, state: RequestState, at: datetime) -> AccessRequest | None:
        """Keep what the owner decided; the request as it is then, none if there is no such. It may be repeated: what
        was decided so before keeps its moment.
        """

    async def have_answered(self, request: AccessRequest) -> None:
        """Have the chat that waits read that it was let in; a tick is still to be woken. It may be repeated."""
