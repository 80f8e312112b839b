"""Listens to changes in Firestore while the console is open in a browser: one stream for all tabs of this instance.

Without an open tab, nothing is read. A change costs one read, however many tabs show it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, cast

from google.api_core.exceptions import GoogleAPICallError, RetryError
from google.cloud.firestore_v1._helpers import decode_dict
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.types.document import Document
from google.cloud.firestore_v1.types.firestore import ListenRequest, ListenResponse, Target, TargetChange
from grpc.aio import AioRpcError

from shared.base.logs import log
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY
from shared.console.conversations.store import changed_lately

#: how long the stream stays open after the last tab has left, since a tab that is loaded again comes back at once
LINGER_S: Final = 10.0
#: the pause before a broken stream is opened again; it grows with each failure
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 30.0
#: changes that a tab may be behind before it is told to read everything again
MOST_WAITING: Final = 200
#: how much older than its arrival a write's time may be
OVERLAP: Final = timedelta(seconds=5)
#: the most streams of `/api/live` in an instance, for one person and for all. Each occupies one of the 40
#: requests that it answers at once: a page that opens tabs in a loop must not have all of them
MOST_OF_PERSON: Final = 12
MOST_OF_ALL: Final = 30
#: the id of the stream's target for conversations; targets for single documents follow
_CONVERSATIONS: Final = 1


@dataclass(frozen=True, kw_only=True)
class DocumentChange:
    """The current state of a changed document; `fields` is None if it was deleted. `agent` is "" if unknown."""

    path: str
    fields: Mapping[str, Any] | None
    agent: str = ""


@dataclass(eq=False)
class Listener:
    """The changes that one tab has not read yet. `follows` are the paths of the documents that the tab follows."""

    follows: frozenset[str]
    #: None only wakes the reader: the stream has to end
    waiting: asyncio.Queue[DocumentChange | None] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING))
    #: whether changes were dropped, since the tab took too few
    is_behind: bool = False
    #: whether the tab's stream has to end
    is_ended: bool = False

    def hear(self, change: DocumentChange) -> None:
        """Queue a change for the tab if it is about a conversation, or about a document that the tab follows."""
        if change.path.startswith(f"{paths.CONVERSATIONS}/") or change.path in self.follows:
            try:
                self.waiting.put_nowait(change)
            except asyncio.QueueFull:
                self.is_behind = True

    def end(self) -> None:
        """Mark the tab's stream as ended, and wake the reader that waits for a change."""
        self.is_ended = True
        with suppress(asyncio.QueueFull):
            self.waiting.put_nowait(None)


class ChangeFeed:
    """Reports changes to listeners: changes of the agents' conversations, and of documents that a tab follows."""

    def __init__(
        self, client: AsyncClient, agents: Iterable[str], clock: Callable[[], datetime], linger_s: float = LINGER_S
    ) -> None:
        """`client` belongs to the running loop. Without listeners, the stream stays open for `linger_s` seconds."""
        self._client, self._agents, self._clock, self._linger_s = client, sorted(agents), clock, linger_s
        self._listeners = set[Listener]()
        self._task: asyncio.Task[None] | None = None
        self._requests = asyncio.Queue[ListenRequest]()
        #: the documents that somebody follows, and the ids of their targets
        self._followed = Counter[str]()
        self._targets = dict[str, int]()
        #: by path, the agent of each document that was reported
        self._agent_of = dict[str, str]()
        self._next_target = _CONVERSATIONS + 1
        self._since = clock()

    @property
    def is_open(self) -> bool:
        """Whether the stream is open or about to be."""
        return self._task is not None

    @asynccontextmanager
    async def listening(self, follows: Sequence[str] = ()) -> AsyncIterator[Listener]:
        """Yield a listener, which receives changes until the block ends. `follows` are paths of documents."""
        listener = Listener(follows=frozenset(follows))
        self._listeners.add(listener)
        if self._task is None or self._task.done():
            self._since = self._clock()
            self._task = asyncio.create_task(self._run())
        for path in listener.follows:
            self._follow(path)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)
            for path in listener.follows:
                self._leave(path)
            if not self._listeners:
                asyncio.get_running_loop().call_later(self._linger_s, self._close_unused)

    def _close_unused(self) -> None:
        if self._task is not None and not self._listeners:
            self._task.cancel()
            self._task = None

    def _follow(self, path: str) -> None:
        self._followed[path] += 1
        if path not in self._targets:
            self._targets[path] = self._next_target
            self._next_target += 1
            self._requests.put_nowait(self._document_request(path))

    def _leave(self, path: str) -> None:
        self._followed[path] -= 1
        if self._followed[path] <= 0:
            del self._followed[path]
            self._requests.put_nowait(ListenRequest(database=self._database, remove_target=self._targets.pop(path)))

    async def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while True:
            try:
                async for change in self._stream():
                    pause = FIRST_PAUSE_S
                    for listener in list(self._listeners):
                        listener.hear(change)
            except (GoogleAPICallError, RetryError, AioRpcError) as error:
                log(f"the console's stream of changes ended with an error: {type(error).__name__}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _stream(self) -> AsyncIterator[DocumentChange]:
        """Yield changes until Firestore ends the stream, as it does from time to time."""
        self._requests = asyncio.Queue()
        self._requests.put_nowait(self._conversations_request())
        for path in self._targets:
            self._requests.put_nowait(self._document_request(path))
        seen = _SeenDocuments(f"{self._database}/documents/")
        metadata = self._client._rpc_metadata
        stream = await self._client._firestore_api.listen(requests=self._each_request(), metadata=metadata)
        async for response in stream:
            if response is None:  # gRPC's client gives that for a message that cannot be decoded
                log("the console's stream of changes contains a message that cannot be decoded")
                return
            for path, document in seen.changes_in(response):
                if document is not None:
                    yield self._change_of(path, cast("dict[str, Any]", decode_dict(document.fields, self._client)))
                elif await self._is_gone(path):
                    yield DocumentChange(path=path, fields=None, agent=self._agent_of.pop(path, ""))

    def _change_of(self, path: str, fields: dict[str, Any]) -> DocumentChange:
        changed_at, agent = fields.get("changed_at"), str(fields.get("agent", ""))
        if isinstance(changed_at, datetime):
            self._since = max(self._since, changed_at)
        self._agent_of[path] = agent
        return DocumentChange(path=path, fields=fields, agent=agent)

    async def _is_gone(self, path: str) -> bool:
        """Return whether a document was deleted. The emulator also reports slow documents as removed."""
        found = await self._client.document(path).get([], retry=RETRY, timeout=CALL_SECONDS)
        return not found.exists

    async def _each_request(self) -> AsyncIterator[ListenRequest]:
        requests = self._requests
        while True:
            yield await requests.get()

    @property
    def _database(self) -> str:
        return str(self._client._database_string)

    def _conversations_request(self) -> ListenRequest:
        query = changed_lately(self._client, self._agents, self._since - OVERLAP)
        target = Target.QueryTarget(parent=f"{self._database}/documents", structured_query=query._to_protobuf())
        return self._request(Target(query=target, target_id=_CONVERSATIONS))

    def _document_request(self, path: str) -> ListenRequest:
        documents = Target.DocumentsTarget(documents=[f"{self._database}/documents/{path}"])
        return self._request(Target(documents=documents, target_id=self._targets[path]))

    def _request(self, target: Target) -> ListenRequest:
        return ListenRequest(database=self._database, add_target=target)


@dataclass
class _SeenDocuments:
    """The documents that a stream has reported, by target (Firestore's name for a query or a set of documents).

    After a reset of a target, Firestore reports its documents again and then sends CURRENT. Documents that were not
    reported again by then are gone.
    """

    prefix: str
    known: dict[int, dict[str, object]] = field(default_factory=dict)
    #: by target, the documents that were reported since its reset
    named: dict[int, set[str]] = field(default_factory=dict)

    def changes_in(self, response: ListenResponse) -> Iterator[tuple[str, Document | None]]:
        """Yield the documents that changed, by path; None for one that was deleted."""
        if response.document_change:
            document = response.document_change.document
            path = document.name.removeprefix(self.prefix)
            targets = [self._name(target, path, document.update_time) for target in response.document_change.target_ids]
            if any(targets):
                yield path, document
        elif gone := response.document_delete.document or response.document_remove.document:
            path = gone.removeprefix(self.prefix)
            for documents in self.known.values():
                documents.pop(path, None)
            yield path, None
        elif response.target_change:
            yield from ((path, None) for path in self._missing_after(response.target_change))

    def _name(self, target: int, path: str, version: object) -> bool:
        """Record that a target contains a document. Return whether this version of the document is new."""
        self.named.get(target, set()).add(path)
        documents = self.known.setdefault(target, {})
        is_new = documents.get(path) != version
        documents[path] = version
        return is_new

    def _missing_after(self, change: TargetChange) -> Iterator[str]:
        """Yield the documents that a target has lost: those not reported again between its reset and CURRENT."""
        targets = list(change.target_ids) or list(self.known)
        if change.target_change_type == TargetChange.TargetChangeType.RESET:
            self.named |= {target: set() for target in targets}
        elif change.target_change_type == TargetChange.TargetChangeType.CURRENT:
            for target in targets:
                named = self.named.pop(target, None)
                if named is not None:
                    gone = [path for path in self.known.get(target, {}) if path not in named]
                    for path in gone:
                        del self.known[target][path]
                    yield from gone


async def next_change(listener: Listener, timeout_s: float) -> DocumentChange | None:
    """Return the listener's next change; None if none comes within `timeout_s`, or if the stream has to end."""
    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            return await listener.waiting.get()
    return None


@dataclass(eq=False, frozen=True)
class _Stream:
    person: int
    listener: Listener


class LiveStreams:
    """The open streams of this instance. Their number is limited, in all and for each person."""

    def __init__(self) -> None:
        """Start without streams."""
        self._open: list[_Stream] = []  # the oldest first

    @contextmanager
    def hold(self, person: int, listener: Listener) -> Iterator[None]:
        """Count a person's stream while the block runs. If there are too many, the oldest streams are ended."""
        stream = _Stream(person, listener)
        self._open.append(stream)
        while surplus := self._surplus():
            self._open.remove(surplus)
            surplus.listener.end()
        try:
            yield
        finally:
            if stream in self._open:
                self._open.remove(stream)

    def _surplus(self) -> _Stream | None:
        """Return the oldest stream of the person with the most streams; None if there are not too many."""
        counts = Counter(one.person for one in self._open)
        person, count = counts.most_common(1)[0] if counts else (0, 0)
        if count <= MOST_OF_PERSON and len(self._open) <= MOST_OF_ALL:
            return None
        return next(one for one in self._open if one.person == person)
