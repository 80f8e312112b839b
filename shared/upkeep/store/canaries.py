"""The canary's part of Firestore: how far one update has come, and the last report."""

import json
from datetime import datetime

from google.cloud.firestore_v1 import SERVER_TIMESTAMP
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.values.canary import CanaryReport, CanaryTrace
from shared.values.chat_key import ChatKey


class FirestoreCanaries:
    """One client per instance, made inside the running loop. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def trace(self, key: ChatKey, update_id: int) -> CanaryTrace:
        """How far one update of a chat has come."""
        with translated("read a canary"):
            chat = await self.client.document(paths.chat_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
            update = self.client.document(paths.update_path(key, update_id))
            found = (await update.get(retry=RETRY, timeout=CALL_SECONDS)).to_dict() or {}
        return CanaryTrace(
            received_at=found.get("received_at"),
            is_read=bool(found.get("read")),
            generation=layout.decode_status(chat.to_dict()).generation,
        )

    async def erase_mark(self) -> bool:
        """Plant a mark of the canary's own and erase it, as what is kept of people is erased; whether it is gone."""
        mark = self.client.document(paths.CANARY_MARK)
        with translated("erase a canary's mark"):
            await mark.set({"at": SERVER_TIMESTAMP}, retry=RETRY, timeout=CALL_SECONDS)
            await mark.delete(retry=RETRY, timeout=CALL_SECONDS)
            return not (await mark.get(retry=RETRY, timeout=CALL_SECONDS)).exists

    async def thorough_at(self) -> datetime | None:
        """When what is dear was last asked for and was well; None: never."""
        with translated("read the last canary"):
            last = await self.client.document(paths.CANARY_REPORT).get(retry=RETRY, timeout=CALL_SECONDS)
        found = (last.to_dict() or {}).get("thorough_at")
        return found if isinstance(found, datetime) else None

    async def keep(self, report: CanaryReport) -> None:
        """Keep a report in the place of the last one."""
        document = {"at": report.at, "report": json.dumps(report.told), "thorough_at": report.thorough_at}
        with translated("keep a canary's report"):
            await self.client.document(paths.CANARY_REPORT).set(document, retry=RETRY, timeout=CALL_SECONDS)
