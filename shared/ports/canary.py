"""The ports of the canary: the deployed functions by HTTP, and what Firestore has of an update."""

from datetime import datetime
from typing import Protocol

from shared.models.canary import Answer, CanaryReport, ProbeOrder, Trace
from shared.models.chat_key import ChatKey


class Doors(Protocol):
    """The functions as others reach them. No answer is an answer too: nothing is raised."""

    async def webhook(self, agent: str, body: bytes, secret: str) -> Answer:
        """Deliver a body as Telegram does; with an empty secret, without the header."""

    async def sweep(self) -> Answer:
        """Have the sweep run."""

    async def probe(self, function: str, order: ProbeOrder) -> Answer:
        """Have a function probe what it needs; a good answer's `said` is a ProbeReport as JSON."""


class Canaries(Protocol):
    """What is kept of canaries. Raises StoreUnavailable or StoreRefused."""

    async def trace(self, key: ChatKey, update_id: int) -> Trace:
        """How far one update of a chat has come."""

    async def thorough_at(self) -> datetime | None:
        """When what is dear was last asked for and was well; None: never."""

    async def keep(self, report: CanaryReport) -> None:
        """Keep a report in the place of the last one."""
