"""How far exports are, in Firestore: one document for each person, their newest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from google.cloud.firestore_v1.async_client import AsyncClient
from pydantic import ValidationError

from shared.base.errors import Contended
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.chat.store.layout import Document
from shared.chat.store.queries import EXPORTS_DUE, PageQuery, page_of
from shared.chat.store.writes import Batch, Commit, LogLine, Mode, Record, Write, replace_seen
from shared.tasks.plan import DeliveryState, Plan, PlannedTask, TaskState
from shared.values.export import Export, ExportPartRef, PartOutcome, export_id


@dataclass(frozen=True, kw_only=True)
class ExportSnapshot:
    """A person's newest export as it was read, and the version that a write of it must still find; none: none yet."""

    export: Export | None
    version: object


class FirestoreExports:
    """The exports of all people. Every call raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def find(self, person: int) -> ExportSnapshot:
        """A person's newest export."""
        ref = self.client.document(paths.export_path(export_id(person)))
        with translated("read a takeout"):
            found = await ref.get(retry=RETRY, timeout=CALL_SECONDS)
        return ExportSnapshot(export=_decode(found.to_dict()), version=found.update_time)

    async def replace(self, seen: ExportSnapshot, export: Export) -> ExportSnapshot:
        """Write an export in the place of the one that was seen. Raises Contended if that changed meanwhile."""
        batch = Batch(self.client)
        document = export.model_dump() | {layout.EXPIRES: export.asked_at + KEPT_EXPORTS}
        batch.add(replace_seen(paths.export_path(export.id), document, seen.version))
        with translated("keep how far a takeout is"):
            try:
                (result,) = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise Contended("another run changed the takeout first") from cause
        return ExportSnapshot(export=export, version=result.update_time)

    async def due(self, now: datetime, limit: int) -> Sequence[int]:
        """The people whose exports are to be looked after; where there is none, it is one read."""
        wanted = PageQuery(before=now, beyond=None, limit=limit)
        with translated("find takeouts that are due"):
            found = await page_of(self.client, EXPORTS_DUE, wanted, also=["person"]).get(
                retry=RETRY, timeout=CALL_SECONDS
            )
        return [person for one in found if (person := (one.to_dict() or {}).get("person"))]


def _decode(document: layout.Document | None) -> Export | None:
    """The export; what this version does not understand, or is left of one that was erased, is as good as none."""
    try:
        return Export.model_validate(document) if document else None
    except ValidationError:
        log("a takeout is of a shape that this version does not know")
        return None


#: as long as somebody may ask what became of it
KEPT_EXPORTS: Final = timedelta(days=30)


@dataclass(frozen=True)
class ExportPartResult(Record):
    """What became of sending a part of somebody's export."""

    part: ExportPartRef
    outcome: PartOutcome

    def log_line(self) -> LogLine:
        """Which part, and what became of it."""
        return LogLine(text="a part of a takeout", fields={"part": str(self.part.number), "outcome": self.outcome})

    def writes(self, commit: Commit) -> Iterator[Write]:
        """Merge it into what is known; behind the last part, the export is to be looked after at once."""
        part = self.part
        # of one that was erased meanwhile this is all that there is, and goes by itself
        document: Document = {
            "outcomes": {str(part.number): self.outcome.value},
            layout.EXPIRES: commit.at + KEPT_EXPORTS,
        }
        if part.number == part.of:
            document["due_at"] = commit.at
        yield Write(path=paths.export_path(export_id(part.person)), document=document, mode=Mode.MERGE)


def export_part_results(before: Plan, after: Plan) -> Iterator[ExportPartResult]:
    """Yield what became of the parts of exports whose tasks came to be over between two states of a plan."""
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
