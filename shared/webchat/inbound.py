"""Makes updates from what the owner posts on the page of a web conversation.

The inbox holds updates of every channel in the Bot API's form. So everything that reads an inbox (a tick, the
quarantine, a replay, an export, a deletion) handles web conversations too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from shared.base.text import Entity, EntityType
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import Author, Edit, Message
from shared.values.update import Envelope, InboxUpdate, Json
from shared.webchat.ids import message_of_update, press_id

#: the most characters of a message
LONGEST_TEXT: Final = 16_000
#: the text of a quoted message of which only the id is known
UNKNOWN_TEXT: Final = "…"
#: a command at the beginning of a text (core.telegram.org/bots/features#commands); a second slash makes it a path
_COMMAND: Final = re.compile(r"/\w{1,32}(?:@\w{4,32})?(?![\w/@])", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class WebAuthor:
    """The owner as the author of a post, with the name that they have in Telegram."""

    id: int
    name: str
    username: str = ""
    #: an IETF language tag
    language: str = ""

    def to_telegram(self) -> Json:
        """Return the owner as a User of the Bot API."""
        user = {"id": self.id, "is_bot": False, "first_name": self.name}
        told = {"username": self.username, "language_code": self.language}
        return user | {name: value for name, value in told.items() if value}


@dataclass(frozen=True, kw_only=True)
class WebFile:
    """An uploaded file: its kind as the Bot API names it, and the id under which it is stored."""

    #: `photo`, `voice`, `document`
    kind: str
    id: str
    size: int
    mime_type: str = ""
    name: str = ""
    duration_s: int = 0

    def to_telegram(self) -> Json:
        """Return the file as a field of the Bot API's Message; the field's name is the kind, such as `{"voice": …}`."""
        file: Json = {"file_id": self.id, "file_unique_id": self.id, "file_size": self.size}
        told = {"mime_type": self.mime_type, "file_name": self.name, "duration": self.duration_s}
        if self.kind == "photo":  # photos have no file name in the Bot API, and lull stores none
            return {"photo": [file | {"mime_type": self.mime_type}]}
        return {self.kind: file | {name: value for name, value in told.items() if value}}


@dataclass(frozen=True, kw_only=True)
class Posting:
    """Makes the update of one post. `key` is the conversation's key, and `update` is the update's number."""

    key: ChatKey
    author: WebAuthor
    update: int
    at: datetime

    def message(self, text: str, *, reply_to: Json | None = None, file: WebFile | None = None) -> InboxUpdate:
        """Return the update of a new message. For a reply, `reply_to` is the original, in the Bot API's form."""
        body = self._message(message_of_update(self.update, self.key.topic_id))
        body |= _text_fields(text, is_caption=file is not None)
        body |= {"reply_to_message": reply_to} if reply_to is not None else {}
        return self._update("message", body | (file.to_telegram() if file is not None else {}))

    def edit(self, message_id: int, text: str) -> InboxUpdate:
        """Return the update of an edited message."""
        body = self._message(message_id) | {"edit_date": int(self.at.timestamp())}
        return self._update("edited_message", body | _text_fields(text, is_caption=False))

    def press(self, message_id: int, data: str) -> InboxUpdate:
        """Return the update of a pressed button under a message of the agent."""
        query = {"id": press_id(self.key, self.update), "from": self.author.to_telegram(), "data": data}
        return self._update("callback_query", query | {"message": self._place(message_id)})

    def reaction(self, message_id: int, emoji: str) -> InboxUpdate:
        """Return the update of the owner's reaction to a message; "" removes the reaction."""
        new = [{"type": "emoji", "emoji": emoji}] if emoji else []
        body = self._place(message_id) | {"user": self.author.to_telegram(), "old_reaction": [], "new_reaction": new}
        return self._update("message_reaction", body)

    def _message(self, message_id: int) -> Json:
        return self._place(message_id) | {"from": self.author.to_telegram()}

    def _place(self, message_id: int) -> Json:
        return {
            "message_id": message_id,
            "message_thread_id": self.key.topic_id,
            "is_topic_message": True,
            "date": int(self.at.timestamp()),
            "chat": {"id": self.key.chat_id, "type": ChatKind.PRIVATE.value, "first_name": self.author.name},
        }

    def _update(self, kind: str, body: Json) -> InboxUpdate:
        envelope = Envelope(update_id=self.update, kind=kind, key=self.key, chat_kind=ChatKind.PRIVATE)
        return InboxUpdate.own(envelope, body, self.at)


def quoted_message(message_id: int, entries: Sequence[Message | Edit]) -> Json:
    """Return the message that is replied to, in the Bot API's form. `entries`: the message and its edits, in order.

    Without entries, the result has only the id.
    """
    quoted: Json = {"message_id": message_id, "text": UNKNOWN_TEXT}
    if not entries:
        return quoted
    newest = entries[-1]
    entities = [one.to_telegram() for one in newest.entities]
    return quoted | {"from": _user(entries[0].author), "text": newest.text, "entities": entities}


def _user(author: Author) -> Json:
    user = {"id": author.id, "is_bot": author.is_bot, "first_name": author.name}
    return user | ({"username": author.username} if author.username else {})


def _text_fields(text: str, *, is_caption: bool) -> Json:
    """Return a text as fields of the Bot API. A command at the start gets an entity, as in Telegram's apps."""
    name = "caption" if is_caption else "text"
    begun = _COMMAND.match(text)
    if begun is None:
        return {name: text} if text else {}
    command = Entity(type=EntityType.BOT_COMMAND, offset=0, length=begun.end())
    return {name: text, "caption_entities" if is_caption else "entities": [command.to_telegram()]}
