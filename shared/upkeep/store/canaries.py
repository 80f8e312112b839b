"""The canary's documents in Firestore: the state of one update, and the last report."""

import json
from datetime import datetime

from google.cloud.firestore_v1 import SERVER_TIMESTAMP

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, ProjectStore, translate_errors
from shared.values.canary import CanaryReport, CanaryTrace
from shared.values.chat_key import ChatKey


class FirestoreCanaries(ProjectStore):
    async def trace(self, key: ChatKey, update_id: int) -> CanaryTrace:
        """Return when an update was received, whether a tick has read it, and the chat's generation."""
        with translate_errors("read a canary"):
            chat = await self.client.document(paths.chat_path(key)).get(retry=RETRY, timeout=CALL_SECONDS)
            update = self.client.document(paths.update_path(key, update_id))
            found = (await update.get(retry=RETRY, timeout=CALL_SECONDS)).to_dict() or {}
        return CanaryTrace(
            received_at=found.get("received_at"),
            is_read=bool(found.get("read")),
            generation=layout.decode_status(chat.to_dict()).generation,
        )

    async def erase_mark(self) -> bool:
        """Store a test document, and delete it like people's data. Return whether the document is gone."""
        mark = self.client.document(paths.CANARY_MARK)
        with translate_errors("erase a canary's mark"):
            await mark.set({"at": SERVER_TIMESTAMP}, retry=RETRY, timeout=CALL_SECONDS)
            await mark.delete(retry=RETRY, timeout=CALL_SECONDS)
            return not (await mark.get(retry=RETRY, timeout=CALL_SECONDS)).exists

    async def thorough_at(self) -> datetime | None:
        """Return the time at which the expensive steps last succeeded, or None."""
        with translate_errors("read the last canary"):
            last = await self.client.document(paths.CANARY_REPORT).get(retry=RETRY, timeout=CALL_SECONDS)
        found = (last.to_dict() or {}).get("thorough_at")
        return found if isinstance(found, datetime) else None

    async def keep(self, report: CanaryReport) -> None:
        """Store the report in place of the last one."""
        document = {"at": report.at, "report": json.dumps(report.as_json), "thorough_at": report.thorough_at}
        with translate_errors("keep a canary's report"):
            await self.client.document(paths.CANARY_REPORT).set(document, retry=RETRY, timeout=CALL_SECONDS)
