"""The documents of exports in Firestore. There is one for each person, about the newest export."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import ValidationError

from shared.base.errors import WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, translate_errors
from shared.chat.store.layout import Document
from shared.chat.store.queries import EXPORTS_DUE, PageQuery, page_of
from shared.chat.store.writes import CommitContext, LogLine, Record, Write, WriteBatch, WriteMode, replace_seen
from shared.tasks.plan import DeliveryState, Plan, PlannedTask, TaskState
from shared.values.export import Export, ExportPartRef, PartOutcome, export_id


@dataclass(frozen=True, kw_only=True)
class ExportSnapshot:
    """A person's newest export, and the version that its document must still have when it is written next. `export` is
    None if the person has none.
    """

    export: Export | None
    version: object


class FirestoreExports(FirestoreStore):
    """The exports of all people. Every method may raise StoreUnavailable or StoreRefused."""

    async def find(self, person: int) -> ExportSnapshot:
        """Return a person's newest export with its version. The snapshot's `export` is None if the person has none."""
        ref = self.client.document(paths.export_path(export_id(person)))
        with translate_errors("read an export"):
            found = await ref.get(retry=RETRY, timeout=CALL_SECONDS)
        return ExportSnapshot(export=_decode(found.to_dict()), version=found.update_time)

    async def replace(self, seen: ExportSnapshot, export: Export) -> ExportSnapshot:
        """Replace the export that was read as `seen`. Raises WriteConflict if it was changed since."""
        batch = WriteBatch(self.client)
        document = export.model_dump() | {layout.EXPIRES: export.asked_at + KEPT_EXPORTS}
        batch.add(replace_seen(paths.export_path(export.id), document, seen.version))
        with translate_errors("save an export's progress"):
            try:
                (result,) = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise WriteConflict("another run changed the export first; read it again") from cause
        return ExportSnapshot(export=export, version=result.update_time)

    async def due(self, now: datetime, limit: int) -> Sequence[int]:
        """Return the ids of up to `limit` people whose exports are due. Costs one read if there are none."""
        wanted = PageQuery(before=now, beyond=None, limit=limit)
        with translate_errors("find exports that are due"):
            found = await page_of(self.client, EXPORTS_DUE, wanted, also=["person"]).get(
                retry=RETRY, timeout=CALL_SECONDS
            )
        return [person for one in found if (person := (one.to_dict() or {}).get("person"))]


def _decode(document: layout.Document | None) -> Export | None:
    """Return the export.

    None if there is no document, if this version of lull cannot read it, or if a deleted export left only a part of it.
    """
    try:
        return Export.model_validate(document) if document else None
    except ValidationError:
        log("this version cannot read an export's document")
        return None


#: the time for which a person may ask about an export
KEPT_EXPORTS: Final = timedelta(days=30)


@dataclass(frozen=True)
class ExportPartResult(Record):
    """The record that stores the result of sending one part of an export, in the same commit as the chat's plan."""

    part: ExportPartRef
    outcome: PartOutcome

    def log_line(self) -> LogLine:
        return LogLine(text="a part of a takeout", fields={"part": str(self.part.number), "outcome": self.outcome})

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that stores the result in the export's document. The last part makes the export due."""
        part = self.part
        # if the export was deleted meanwhile, the document has only these fields, and expires
        document: Document = {
            "outcomes": {str(part.number): self.outcome.value},
            layout.EXPIRES: commit.at + KEPT_EXPORTS,
        }
        if part.number == part.of:
            document["due_at"] = commit.at
        yield Write(path=paths.export_path(export_id(part.person)), document=document, mode=WriteMode.MERGE)


def export_part_results(before: Plan, after: Plan) -> Iterator[ExportPartResult]:
    """Yield the results of the parts whose tasks ended between the plans `before` and `after`."""
    was_open = {planned.task.id for planned in before.tasks if planned.is_open}
    for planned in after.tasks:
        part = planned.task.export_part
        if part is not None and not planned.is_open and planned.task.id in was_open:
            yield ExportPartResult(part, _outcome(planned))


def _outcome(planned: PlannedTask) -> PartOutcome:
    if planned.state is not TaskState.DONE:
        return PartOutcome.FAILED
    is_known = all(d.state is not DeliveryState.UNKNOWN for d in planned.deliveries)
    return PartOutcome.SENT if is_known else PartOutcome.UNKNOWN
