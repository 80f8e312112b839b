"""Web conversations for the console: reads what the page shows of them, and receives what the owner posts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.jobs.receive import UpdateReceiver
from shared.chat.queue import TickQueue
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.queries import AGENTS_OF_FILE, WEB_CONVERSATIONS
from shared.console.conversations.entries import file_of
from shared.telegram.inbound.entries import entry_of
from shared.values.chat_key import Channel, ChatKey
from shared.values.message import Edit, Message
from shared.values.place import place_of
from shared.webchat.inbound import WebAuthor, quoted_message
from shared.webchat.posting import receiver_of
from shared.webchat.screen import Screen, ScreenMessage
from shared.webchat.store import FirestoreScreens

if TYPE_CHECKING:
    from collections.abc import Callable

#: how long the owner's name is used before it is read again
NAME_KEPT: Final = timedelta(minutes=10)
#: the newest entries of the owner's private chat among which their name is looked for
_LOOKED_AT: Final = 40
#: the newest entries of a conversation among which a quoted message is looked for
_QUOTED_AMONG: Final = 400
#: the most of the owner's messages that no tick has read yet
MOST_WAITING: Final = 20


@dataclass(frozen=True, kw_only=True)
class _KnownName:
    name: str
    username: str
    until: datetime


@dataclass(kw_only=True)
class WebTalks:
    """Reads the deployment's web conversations, and receives the page's posts. Use one object per function instance."""

    client: AsyncClient
    project: str
    ticks: TickQueue
    clock: "Callable[[], datetime]"
    _names: dict[tuple[str, int], _KnownName] = field(default_factory=dict, init=False)

    @property
    def receiver(self) -> UpdateReceiver:
        """Return the receiver of the page's posts."""
        return receiver_of(FirestoreInbox(self.project, self.client), self.ticks)

    async def author(self, key: ChatKey, language: str) -> WebAuthor:
        """Return the owner as an author, with their latest known name from Telegram. Raises StoreUnavailable."""
        known = self._names.get((key.agent, key.chat_id))
        now = self.clock()
        if known is None or known.until <= now:
            known = await self._name(ChatKey(agent=key.agent, chat_id=key.chat_id), now)
            self._names[key.agent, key.chat_id] = known
        return WebAuthor(id=key.chat_id, name=known.name, username=known.username, language=language)

    async def _name(self, private: ChatKey, now: datetime) -> _KnownName:
        """Return the owner's name in their private chat in Telegram; "Owner" if they have not written there lately."""
        chats = FirestoreChats(self.project, self.client)
        window = await chats.window((await chats.see(private)).chat, _LOOKED_AT)
        said = (one.author for one in reversed(window) if isinstance(one, Message))
        author = next((one for one in said if one.id == private.chat_id), None)
        name, username = (author.name, author.username) if author is not None else ("Owner", "")
        return _KnownName(name=name, username=username, until=now + NAME_KEPT)

    async def newest(self, agent: str, owner: int) -> tuple[ChatKey, str] | None:
        """Return the chat key and the id of the owner's latest web conversation with an agent; None if there is none.

        Raises StoreUnavailable.
        """
        place = place_of(ChatKey(agent=agent, chat_id=owner))
        query = WEB_CONVERSATIONS.on(self.client, place, Channel.WEB.value).select(["chat"]).limit(1)
        with translate_errors("find the last web conversation"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return next(((ChatKey.from_id(one.get("chat")), one.id) for one in found), None)

    async def load_quote(self, key: ChatKey, message_id: int) -> dict[str, Any]:
        """Return the message that the owner replies to, in the Bot API's form. Raises StoreUnavailable."""
        chats = FirestoreChats(self.project, self.client)
        window = await chats.window((await chats.see(key)).chat, _QUOTED_AMONG)
        return quoted_message(
            message_id, [one for one in window if isinstance(one, Message | Edit) and one.message_id == message_id]
        )

    async def was_sent(self, file_id: str, agents: Sequence[str]) -> bool:
        """Return whether a file was sent to or by one of these agents. Raises StoreUnavailable."""
        query = AGENTS_OF_FILE.on(self.client, file_id, list(agents)).select([]).limit(1)
        with translate_errors("find who sent a file"):
            return bool(await query.get(retry=RETRY, timeout=CALL_SECONDS))

    async def is_shown(self, key: ChatKey, file_id: str) -> bool:
        """Return whether a file is on a conversation's screen, or in an unread post. Raises StoreUnavailable."""
        screen = await FirestoreScreens(self.client, self.clock).screen(key)
        if any(one.file_id == file_id for one in screen.messages.values()):
            return True
        waiting = await FirestoreChats(self.project, self.client).unread(key, MOST_WAITING)
        entries = [entry_of(one, 0) for one in waiting]
        return any(ref.unique_id == file_id for one in entries if isinstance(one, Message) for ref in one.media_refs)

    async def page_state(self, key: ChatKey) -> Mapping[str, Any]:
        """Return what the page shows besides the transcript: the screen, and unread posts. Raises StoreUnavailable."""
        chats = FirestoreChats(self.project, self.client)
        chat = (await chats.see(key)).chat
        waiting = await chats.unread(key, MOST_WAITING)
        entries = (entry_of(one, 0) for one in waiting)
        return {
            "chat": key.id,
            "conversation": chat.conversation,
            "entries": chat.talk.seq,
            "is_running": chat.is_held(self.clock()),
            "waiting": [
                {
                    "id": one.message_id,
                    "text": one.text,
                    "media": one.media,
                    "files": [file_of(ref) for ref in one.media_refs],
                    "at": one.at.isoformat(),
                }
                for one in entries
                if isinstance(one, Message)
            ],
            "screen": screen_item(await FirestoreScreens(self.client, self.clock).screen(key), self.clock()),
        }


def screen_item(screen: Screen, now: datetime) -> Mapping[str, Any]:
    """Return a screen as JSON for the page."""
    draft, activity, notice = screen.draft, screen.activity, screen.notice
    is_busy = activity is not None and activity.until > now
    return {
        "messages": [_message(one) for one in sorted(screen.messages.values(), key=lambda one: one.message_id)],
        "draft": {
            "text": draft.text,
            "entities": [one.to_telegram() for one in draft.entities],
            "at": draft.at.isoformat(),
        }
        if draft is not None
        else None,
        "activity": activity.name.value if activity is not None and is_busy else "",
        "notice": {"text": notice.text, "at": notice.at.isoformat()} if notice is not None else None,
    }


def _message(one: ScreenMessage) -> Mapping[str, Any]:
    return {
        "id": one.message_id,
        "at": one.at.isoformat(),
        "text": one.text,
        "entities": [entity.to_telegram() for entity in one.entities],
        "reply_to": one.reply_to,
        "buttons": [{"text": button.text, "data": button.data} for button in one.buttons],
        "file": {"kind": one.file_kind, "id": one.file_id, "mime_type": one.file_type} if one.file_kind else None,
    }
