"""Access requests in Firestore, and the record that adds an access request to a commit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError

from shared.base.errors import StoreUnavailable
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, translate_errors
from shared.chat.store.inbox import add_update
from shared.chat.store.queries import REQUESTS_OF_STATE
from shared.chat.store.writes import CommitContext, LogLine, Record, Write, WriteMode
from shared.values.access_request import AccessRequest, RequestState, admission
from shared.values.evolve import evolve

#: tries of a write. A request may change in between: when the person writes after a decision, and when the owner
#: decides
TRIES = 5


class FirestoreAccessRequests(FirestoreStore):
    """The access requests of all agents. Ticks write new ones in their commits.

    Every method raises StoreUnavailable or StoreRefused.
    """

    async def find(self, request_id: str) -> AccessRequest | None:
        """Return a request, decided or not; None if there is none."""
        return _readable(await self._read(request_id))

    async def waiting(self, agent: str, limit: int) -> Sequence[AccessRequest]:
        """Return at most `limit` undecided requests of an agent, the newest first."""
        query = REQUESTS_OF_STATE.on(self.client, agent, RequestState.WAITING.value).limit(limit)
        with translate_errors("list access requests"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in map(_readable, found) if one is not None]

    async def waiting_count(self, agent: str) -> int:
        """Return the number of an agent's undecided requests. Costs one read, however many there are."""
        # a decorator hides the method's types
        count: Any = REQUESTS_OF_STATE.on(self.client, agent, RequestState.WAITING.value).count()
        with translate_errors("count access requests"):
            counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(counts[0][0].value)

    async def decide(self, request_id: str, state: RequestState, at: datetime) -> AccessRequest | None:
        """Store the owner's decision and return the request; None if there is none.

        The call may be repeated: the same decision again does not change the stored time.
        """
        for _ in range(TRIES):
            seen = await self._read(request_id)
            request = _readable(seen)
            if request is None:
                return None
            if request.state is state:
                return request
            decided = evolve(request, state=state, decided_at=at)
            fields: layout.Document = {"state": state.value, "decided_at": at, layout.EXPIRES: at + KEPT}
            same = self.client.write_option(last_update_time=seen.update_time)
            with translate_errors("store the owner's decision"):
                try:
                    await seen.reference.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                except CHANGED:
                    continue
            return decided
        raise StoreUnavailable("Firestore did not store the owner's decision: the request kept changing; try again")

    async def have_answered(self, request: AccessRequest) -> None:
        """Store an update that tells the next tick of the waiting chat that the chat was let in.

        The caller must enqueue that tick. The call may be repeated.
        """
        await add_update(self.client, admission(request))

    async def _read(self, request_id: str) -> Any:
        document = self.client.document(paths.request_path(request_id))
        with translate_errors("read an access request"):
            return await document.get(retry=RETRY, timeout=CALL_SECONDS)


def _readable(document: Any) -> AccessRequest | None:
    """Return the request in a document; None if there is no document, or if its form is unknown."""
    if not document.exists:
        return None
    try:
        return decode_request(document.to_dict() or {})
    except ValidationError:
        log("an access request has a form that this version does not know", id=document.id)
        return None


#: how long a request is kept after it was made or decided
KEPT = timedelta(days=90)


@dataclass(frozen=True)
class StoredAccessRequest(Record):
    """The record by which a tick's commit stores an access request."""

    request: AccessRequest

    def log_line(self) -> LogLine:
        return LogLine(text="somebody asks to be let in", fields={"request": self.request.id})

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that replaces the request's document."""
        document = self.request.model_dump() | {layout.EXPIRES: commit.at + KEPT}
        yield Write(path=paths.request_path(self.request.id), document=document, mode=WriteMode.SET)


def decode_request(document: layout.Document) -> AccessRequest:
    return AccessRequest.model_validate(document)
