"""Conversations in a new database, and the services of a console that shows them."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.chat.store.conversations import ConversationState
from shared.chat.store.layout import encode_chat
from shared.chat.store.transcripts import encode_page
from shared.chat.store.writes import CommitContext, WriteBatch
from shared.console.route import ConsoleRequest
from shared.console.services import ConsoleServices
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import AnyEntry
from tests.shared.examples import NOW
from tests.shared.new_chats import new_project
from tests.shared.paused_queue import PausedQueue

OWNER = 4_711
AGENT = "lull"


@dataclass
class Talks:
    """A database with conversations of one agent, and the console's services over it."""

    services: ConsoleServices
    queue: PausedQueue
    now: datetime = NOW

    @property
    def client(self) -> AsyncClient:
        """The database."""
        return self.services.client

    def request(self, conversation: str = "", **fields: Any) -> ConsoleRequest:
        """Make a request of the owner."""
        path = {"conversation": conversation} if conversation else {}
        return ConsoleRequest(**{"owner": OWNER, "agents": (AGENT,), "path": path, **fields})

    async def claim(self, **lists: Any) -> None:
        """Make the owner own the agent; `lists` are fields of its access list."""
        await self.client.document(paths.bot_path(AGENT)).set({"owner": OWNER, **lists}, merge=True)

    async def keep(
        self, conversation: str, entries: Sequence[AnyEntry], key: ChatKey, *, is_current: bool = True, **fields: Any
    ) -> Chat:
        """Store a conversation as ticks do, with a page for each entry. `fields` are fields of the chat."""
        kind = ChatKind.PRIVATE if key.is_private else ChatKind.SUPERGROUP
        turns = max((getattr(one, "turn", 0) for one in entries), default=0)
        talk = CurrentConversation(seq=max((one.seq for one in entries), default=0), turn=turns)
        chat = Chat(**{"key": key, "kind": kind, "conversation": conversation, "talk": talk, **fields})
        state = ConversationState(
            chat=chat,
            newest_at=entries[-1].at if entries else None,
            entries=tuple(entries),
            added=tuple(entries),
            is_current=is_current,
        )
        batch = WriteBatch(self.client)
        for write in state.writes(CommitContext(chat=chat, at=self.now)):
            batch.add(write)
        for one in entries:
            batch.set(self.client.document(paths.page_path(conversation, one.seq)), encode_page((one,)))
        if is_current:
            batch.set(self.client.document(paths.chat_path(key)), encode_chat(chat))
        await batch.commit()
        return chat

    async def jobs(self) -> list[dict[str, Any]]:
        """List the bodies of the jobs that were enqueued."""
        return [json.loads(task.http_request.body) for task in await self.queue.tasks()]

    async def document(self, conversation: str) -> dict[str, Any]:
        """Read a conversation's document; {} if there is none."""
        return (await self.client.document(paths.conversation_path(conversation)).get()).to_dict() or {}


@asynccontextmanager
async def new_talks(queue: PausedQueue) -> AsyncIterator[Talks]:
    """Open a new project; the emulator's address is set already."""
    client = AsyncClient(project=new_project())
    services = ConsoleServices(
        client=client,
        project=client.project,
        clock=lambda: NOW + timedelta(hours=1),
        jobs=queue.erasing_jobs(),
        agents=frozenset({AGENT}),
    )
    yield Talks(services, queue)
    client.close()  # type: ignore[no-untyped-call]
