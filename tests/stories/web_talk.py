"""A web conversation in a story: the owner posts from the console's page, and sees its screen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from shared.chat.jobs.receive import UpdateReceiver
from shared.chat.queue import TickQueue
from shared.chat.store.inbox import FirestoreInbox
from shared.cloud.cloud_tasks import CloudTasks
from shared.tasks.plan import Plan
from shared.values.chat_key import ChatKey
from shared.values.wake import Queue, QueueAddress, Routes
from shared.webchat.ids import message_of_update, update_number
from shared.webchat.inbound import Posting, WebAuthor, WebFile
from shared.webchat.posting import post, receiver_of
from shared.webchat.screen import Screen, ScreenMessage
from shared.webchat.store import FirestoreScreens
from tests.stories.play import Json, Person, Sandbox, until


def _now() -> datetime:
    return datetime.now(UTC)


def receiver_for(cloud: LocalCloud) -> UpdateReceiver:
    """Return a receiver as the console has one, for a local cloud."""
    queues = {Queue.TICKS: QueueAddress(name=cloud.queue)}
    routes = Routes(queues=queues, functions={"tick": cloud.tick_url})
    return receiver_of(FirestoreInbox(cloud.project), TickQueue(CloudTasks(routes, cloud.tasks_address)))


@dataclass
class WebTalk:
    """One web conversation, from the owner's side."""

    owner: Person
    key: ChatKey
    receiver: UpdateReceiver
    firestore: AsyncClient
    seen: int = 0
    _last: int = field(default=0, init=False)

    @classmethod
    def begin(cls, sandbox: Sandbox, owner: Person, agent: str = "lull") -> "WebTalk":
        """Begin a conversation, as the button "New conversation" does: nothing is stored yet."""
        number = update_number(_now()) // 1000
        key = ChatKey(agent=agent, chat_id=owner.id, topic_id=number)
        return cls(owner, key, receiver_for(sandbox.cloud), sandbox.firestore)

    def posting(self) -> Posting:
        """Return the next posting of the page."""
        self._last = max(update_number(_now()), self._last + 2000)
        author = WebAuthor(id=self.owner.id, name=self.owner.name, language="en")
        return Posting(key=self.key, author=author, update=self._last, at=_now())

    async def writes(self, text: str, file: WebFile | None = None) -> int:
        """Post a message; return its id."""
        posting = self.posting()
        assert await post(self.receiver, posting.message(text, file=file))
        return message_of_update(posting.update, self.key.topic_id)

    async def presses(self, message: ScreenMessage, at: int = 0) -> None:
        """Press a button of a message on the screen."""
        assert await post(self.receiver, self.posting().press(message.message_id, message.buttons[at].data))

    async def screen(self) -> Screen:
        """Read the screen."""
        return await FirestoreScreens(self.firestore, _now).screen(self.key)

    async def shown(self) -> list[ScreenMessage]:
        """List the agent's messages on the screen, in order."""
        return sorted((await self.screen()).messages.values(), key=lambda one: one.message_id)

    async def answers(self, count: int = 1) -> list[str]:
        """Wait for the agent's next `count` messages, and return their texts."""

        async def enough() -> list[ScreenMessage]:
            shown = await self.shown()
            return shown if len(shown) >= self.seen + count else []

        shown = await until(enough, f"{count} answers in the web")
        new = shown[self.seen : self.seen + count]
        self.seen += count
        return [one.text for one in new]

    async def document(self) -> Mapping[str, Any]:
        """Read the chat's document."""
        return (await self.firestore.document(f"chats/{self.key.id}").get()).to_dict() or {}

    async def plan(self) -> Plan:
        """Read the standing or last plan."""
        return Plan.model_validate((await self.firestore.document(f"plans/{self.key.id}").get()).to_dict())

    async def transcript(self) -> list[Json]:
        """List the entries of the current conversation, in order."""
        chat = await self.document()
        pages = self.firestore.collection(f"conversations/{chat['conversation']}/messages").order_by("first_seq")
        return [entry async for page in pages.stream() for entry in (page.to_dict() or {})["entries"]]

    async def rests(self) -> None:
        """Wait until everything is read, and no tick holds the chat."""
        inbox = self.firestore.collection(f"chats/{self.key.id}/inbox")

        async def is_at_rest() -> bool:
            updates = [one.to_dict() or {} async for one in inbox.stream()]
            chat = await self.document()
            return bool(updates) and all(one["read"] for one in updates) and bool(chat) and chat["lease"] is None

        await until(is_at_rest, "the web conversation comes to rest")
