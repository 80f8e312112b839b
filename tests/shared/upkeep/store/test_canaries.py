"""The canary's documents in the emulator."""

import json
from datetime import UTC, datetime

from shared.chat.store import layout, paths
from shared.chat.store.inbox import FirestoreInbox
from shared.upkeep.store.canaries import FirestoreCanaries
from shared.values.canary import CANARY, CanaryReport, CanaryStep, CanaryTrace, StepResult
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.update import Envelope, InboxUpdate
from tests.stories.play import Sandbox

AT = datetime(2026, 3, 1, tzinfo=UTC)
KEY = ChatKey(agent="proved", chat_id=0)


async def test_a_canary_is_seen_when_it_is_kept_and_when_it_is_read(sandbox: Sandbox) -> None:
    canaries, inbox = FirestoreCanaries(sandbox.cloud.project), FirestoreInbox(sandbox.cloud.project)
    assert await canaries.trace(KEY, 7) == CanaryTrace()
    envelope = Envelope(update_id=7, kind=CANARY, key=KEY, chat_kind=ChatKind.NONE)
    await inbox.add(InboxUpdate(envelope=envelope, raw={"update_id": 7, CANARY: {}}, received_at=AT))
    assert await canaries.trace(KEY, 7) == CanaryTrace(received_at=AT)
    await sandbox.firestore.document(paths.update_path(KEY, 7)).update(layout.as_read(AT))
    assert await canaries.trace(KEY, 7) == CanaryTrace(received_at=AT, is_read=True)


async def test_when_what_is_dear_was_last_well_is_kept_with_the_report(sandbox: Sandbox) -> None:
    canaries = FirestoreCanaries(sandbox.cloud.project)
    # a report of before has no such moment
    await sandbox.firestore.document(paths.CANARY_REPORT).set({"at": AT, "report": "{}"})
    assert await canaries.thorough_at() is None
    await canaries.keep(CanaryReport(at=AT, steps=(), thorough_at=AT))
    assert await canaries.thorough_at() == AT


async def test_a_report_takes_the_place_of_the_last(sandbox: Sandbox) -> None:
    canaries = FirestoreCanaries(sandbox.cloud.project)
    for is_well in (False, True):
        seen = StepResult(agent="lull", step=CanaryStep.DOOR, is_well=is_well, said="…", ms=1)
        await canaries.keep(CanaryReport(at=AT, steps=(seen,)))
    kept = (await sandbox.firestore.document(paths.CANARY_REPORT).get()).to_dict() or {}
    assert kept["at"] == AT
    assert json.loads(kept["report"])["is_well"] is True
