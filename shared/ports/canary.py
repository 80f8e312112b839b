"""The ports of the canary: the deployed functions by HTTP, and what Firestore has of an update."""

from typing import Protocol

from shared.models.canary import Answer, ProbeOrder


class Doors(Protocol):
    """The functions as others reach them. No answer is an answer too: nothing is raised."""

    async def webhook(self, agent: str, body: bytes, secret: str) -> Answer:
        """Deliver a body as Telegram does; with an empty secret, without the header."""

    async def sweep(self) -> Answer:
        """Have the sweep run."""

    async def probe(self, function: str, order: ProbeOrder) -> Answer:
        """Have a function probe what it needs; a good answer's `said` is a ProbeReport as JSON."""
