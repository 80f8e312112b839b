"""The rim of lull's functions: a relay in front of each server that the functions call. Other parts of a cloud call the
servers directly.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchmarks.outages.relay import Relay, relays
from local.cloud import LocalCloud


@dataclass(frozen=True)
class Rim:
    """The relays, each under the name of its server."""

    firestore: Relay
    tasks: Relay
    telegram: Relay
    gemini: Relay
    storage: Relay

    @property
    def env(self) -> Mapping[str, str]:
        """The settings that make functions call the servers through the relays."""
        return {
            "FIRESTORE_EMULATOR_HOST": self.firestore.address,
            "CLOUD_TASKS_ENDPOINT": self.tasks.address,
            "TELEGRAM_API_URL": self.telegram.url,
            "GEMINI_BASE_URL": self.gemini.url,
            "STORAGE_EMULATOR_HOST": self.storage.url,
        }

    def lead_to(self, cloud: LocalCloud) -> None:
        """Make the relays forward to the servers of this cloud."""
        self.firestore.lead_to(cloud.firestore_host)
        self.tasks.lead_to(cloud.tasks_address)
        self.telegram.lead_to(cloud.telegram_url.removeprefix("http://"))
        self.gemini.lead_to(cloud.model_url.removeprefix("http://"))
        self.storage.lead_to(cloud.storage_url.removeprefix("http://"))


@asynccontextmanager
async def rim() -> AsyncIterator[Rim]:
    """Yield a rim whose relays have no servers yet: the cloud with the servers is opened later, with the rim's
    `env`.
    """
    async with relays(5) as opened:
        yield Rim(*opened)
