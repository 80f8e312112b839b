"""The adapters, step by step: before and after each outside call, a test may let something happen."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.access.store.invitations import FirestoreInvitations
from shared.base.text import FormattedText
from shared.chat.queue import TickQueue
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners, SentOwnerNotice
from shared.chat.store.chats import ChatCommit, ChatSnapshot, FirestoreChats, writes_in
from shared.chat.store.layout import Document
from shared.llm.gemini.model import GeminiModel
from shared.llm.ports.world import MessagingChannel
from shared.values.channel import Activity, BotIdentity, Button, Recipient, SentMessage
from shared.values.chat import Lease
from shared.values.chat_key import ChatKey
from shared.values.invitation import Redemption
from shared.values.outgoing import OutgoingFile
from shared.values.prompt import ModelReply, Prompt
from shared.values.stickers import StickerSet
from shared.values.trust import FRESH, AccessList, AdmittedPerson
from shared.values.update import InboxUpdate
from shared.values.wake import Wake
from tests.shared.firestore_limits import assert_within_limits
from tests.shared.paused_queue import PausedQueue


class Killed(BaseException):
    """The death of the process: nothing in lull may catch it."""


@dataclass
class Steps:
    """A counter of outside calls; at one of them something happens, once."""

    at: int = -1
    happens: Callable[[], Awaitable[None]] | None = None
    taken: list[str] = field(default_factory=list)

    async def take(self, name: str) -> None:
        """Count a step, and let the test act at it."""
        self.taken.append(name)
        if len(self.taken) - 1 == self.at and self.happens is not None:
            happens, self.happens = self.happens, None
            await happens()


@dataclass
class Clock:
    """A clock that moves only when told to."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


class WatchedChats(FirestoreChats):
    """Firestore, step by step."""

    def __init__(self, behind: FirestoreChats, steps: Steps) -> None:
        self.client, self._steps = behind.client, steps

    async def claim(self, seen: ChatSnapshot, lease: Lease) -> ChatSnapshot:
        await self._steps.take("before claim")
        return await super().claim(seen, lease)

    async def unread(self, key: ChatKey, limit: int) -> Sequence[InboxUpdate]:
        found = await super().unread(key, limit)
        await self._steps.take("after reading")
        return found

    async def unread_count(self, key: ChatKey) -> int:
        found = await super().unread_count(key)
        await self._steps.take("after counting")
        return found

    async def commit(self, held: ChatSnapshot, change: ChatCommit) -> ChatSnapshot:
        await self._steps.take("before commit")
        assert_within_limits(list(writes_in(held, change, "stamp")))
        written = await super().commit(held, change)
        await self._steps.take("after commit")
        return written


class WatchedQueue(TickQueue):
    """Cloud Tasks, step by step."""

    def __init__(self, behind: PausedQueue, steps: Steps) -> None:
        super().__init__(behind.jobs())
        self._steps = steps

    async def enqueue(self, wake: Wake) -> None:
        await self._steps.take("before enqueue")
        await super().enqueue(wake)
        await self._steps.take("after enqueue")


@dataclass
class WatchedChannel:
    """The agent's channels, step by step."""

    behind: MessagingChannel
    steps: Steps

    @property
    def bot_id(self) -> int:
        return self.behind.bot_id

    def recognises_repeats(self, to: Recipient) -> bool:
        return self.behind.recognises_repeats(to)

    async def identity(self) -> BotIdentity:
        return await self.behind.identity()

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> SentMessage:
        await self.steps.take("before send")
        sent = await self.behind.send_text(to, part, reply_to, buttons)
        await self.steps.take("after send")
        return sent

    async def send_file(
        self,
        to: Recipient,
        file: OutgoingFile,
        caption: FormattedText | None,
        reply_to: int | None,
        buttons: Sequence[Button] = (),
    ) -> SentMessage:
        await self.steps.take("before send")
        sent = await self.behind.send_file(to, file, caption, reply_to, buttons)
        await self.steps.take("after send")
        return sent

    async def ban(self, chat_id: int, person_id: int) -> None:
        await self.behind.ban(chat_id, person_id)

    async def sticker_set(self, name: str) -> StickerSet | None:
        await self.steps.take("before asking for stickers")
        return await self.behind.sticker_set(name)

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        await self.behind.rewrite(to, message_id, part, buttons)

    async def remove_buttons(self, to: Recipient, message_id: int, left: Sequence[Button] = ()) -> None:
        await self.steps.take("before removing buttons")
        await self.behind.remove_buttons(to, message_id, left)

    async def answer_press(self, query_id: str, text: str) -> None:
        await self.steps.take("before notice")
        await self.behind.answer_press(query_id, text)

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        return await self.behind.is_administrator(chat_id, person_id)

    async def is_member(self, chat_id: int, person_id: int) -> bool:
        return await self.behind.is_member(chat_id, person_id)

    async def member_count(self, chat_id: int) -> int:
        await self.steps.take("before asking for members")
        return await self.behind.member_count(chat_id)

    async def leave(self, chat_id: int) -> None:
        await self.behind.leave(chat_id)

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        await self.behind.react(to, message_id, emoji)

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        await self.behind.draft(to, draft_id, part)

    async def typing(self, to: Recipient, activity: Activity = Activity.TYPING) -> bool:
        return await self.behind.typing(to, activity)


class WatchedOwners(FirestoreOwners):
    """The owners, step by step; every agent stands for that of one `bot`, which some rooms share."""

    def __init__(self, client: AsyncClient, steps: Steps, bot: str) -> None:
        super().__init__(client)
        self._steps, self._bot = steps, bot

    async def owner(self, agent: str) -> int | None:
        return await super().owner(self._bot)

    async def claim(self, agent: str, person_id: int, at: datetime) -> int:
        await self._steps.take("before owning")
        owner = await super().claim(self._bot, person_id, at)
        await self._steps.take("after owning")
        return owner

    async def keep_notice(self, notice: SentOwnerNotice) -> bool:
        await self._steps.take("before noticing")
        is_first = await super().keep_notice(replace(notice, agent=self._bot))
        await self._steps.take("after noticing")
        return is_first


class SharedAccessLists(FirestoreAccessLists):
    """The access lists; as with the owners, every agent stands for that of one `bot`."""

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime], bot: str) -> None:
        super().__init__(client, clock)
        self._bot = bot

    async def access_list(self, agent: str, at_most: timedelta = FRESH) -> AccessList:
        return await super().access_list(self._bot, at_most)

    def drop(self, agent: str) -> None:
        super().drop(self._bot)

    async def _write(self, agent: str, fields: Document) -> None:
        await super()._write(self._bot, fields)

    async def _replace(self, agent: str, place: tuple[str, ...], value: object) -> None:
        await super()._replace(self._bot, place, value)


class SharedInvitations(FirestoreInvitations):
    """The invitations, of the same `bot` as the access lists."""

    def __init__(self, client: AsyncClient, access_lists: SharedAccessLists, bot: str) -> None:
        super().__init__(client, access_lists)
        self._bot = bot

    async def redeem(self, agent: str, invitation_id: str, entry: AdmittedPerson) -> Redemption:
        return await super().redeem(self._bot, invitation_id, entry)

    async def _read(self, agent: str) -> DocumentSnapshot[Any]:
        return await super()._read(self._bot)

    async def _set(self, agent: str, fields: Mapping[str, object]) -> None:
        await super()._set(self._bot, fields)


@dataclass
class WatchedModel:
    """Gemini, step by step."""

    behind: GeminiModel
    steps: Steps

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        reply = await self.behind.generate(prompt, schema, on_text)
        await self.steps.take("after thinking")
        return reply
