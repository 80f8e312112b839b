"""Records: what the owner did and looked at in the console, and when they signed in."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from shared.chat.store.paths import CONSOLE_RECORDS, console_record_path
from shared.chat.store.queries import Cursor
from shared.console.records import KEPT_RECORDS, ConsoleRecord, FirestoreConsoleRecords
from shared.console.route import ConsoleRequest, ConsoleRoute, OutdatedPage
from shared.console.services import ConsoleServices

PAGE: Final = 50
#: how the ids of conversations begin
_CONVERSATION: Final = "conv-"


async def list_records(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of the owner's own records, the newest first."""
    records = FirestoreConsoleRecords(services.client)
    found = await records.page(request.owner, _cursor(request.query.get("cursor", "")), PAGE + 1)
    shown = found[:PAGE]
    return {
        "items": [_json(one) for one in shown],
        "next": f"{shown[-1].at.isoformat()} {shown[-1].id}" if len(found) > PAGE else "",
        "kept_days": KEPT_RECORDS.days,
    }


def _json(record: ConsoleRecord) -> Mapping[str, Any]:
    conversation, _, seq = record.about.partition("/")
    is_of_conversation = conversation.startswith(_CONVERSATION)
    return {
        "id": record.id,
        "at": record.at.isoformat(),
        "action": record.action,
        "about": record.about,
        "conversation": conversation if is_of_conversation else "",
        "seq": int(seq) if is_of_conversation and seq.isdecimal() else None,
        "agents": list(record.agents),
    }


def _cursor(text: str) -> Cursor | None:
    """Return the position that a text names; None for the beginning. Raises OutdatedPage."""
    if not text:
        return None
    written, _, record = text.partition(" ")
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None or not record or "/" in record:
        raise OutdatedPage("The cursor is malformed. Load the list from its beginning.")
    path = console_record_path(record)
    assert path.startswith(CONSOLE_RECORDS)
    return Cursor(at=at, path=path)


ROUTES = (ConsoleRoute("GET", "/api/records", list_records),)
