"""Records of what owners did in the console: who, when, which button, on what. They contain no texts of people."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.api_core.exceptions import AlreadyExists
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors

KEPT_RECORDS: Final = timedelta(days=90)


@dataclass(frozen=True, kw_only=True)
class ConsoleRecord:
    """One act of an owner: `action` names the button, such as `rename`, and `about` is the id of what it changed.

    `person` is the owner. `about` is never the id of a person, so that a record names nobody else.
    """

    id: str
    at: datetime
    person: int
    agents: Sequence[str]
    action: str
    about: str = ""


class FirestoreConsoleRecords:
    """The records of all owners. Every method raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def keep(self, record: ConsoleRecord) -> bool:
        """Store a record. Return False if one with its id was stored before."""
        document = self.client.document(paths.console_record_path(record.id))
        with translate_errors("store a record of the console"):
            try:
                await document.create(encode_record(record), retry=RETRY, timeout=CALL_SECONDS)
            except AlreadyExists:
                return False
        return True


def encode_record(record: ConsoleRecord) -> dict[str, Any]:
    """Return the record's document with its TTL."""
    return asdict(record) | {"agents": list(record.agents), layout.EXPIRES: record.at + KEPT_RECORDS}
