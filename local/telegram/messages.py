"""Messages with their media, stored in the order of their ids."""

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from local.telegram.chats import GENERAL_TOPIC
from local.telegram.entities import LocalEntity
from local.telegram.store import DocumentKind, WorldStore


class MessageField(StrEnum):
    """Kinds of message content other than text. The values are the fields' names in the Bot API."""

    PHOTO = "photo"
    STICKER = "sticker"
    DOCUMENT = "document"
    VOICE = "voice"
    AUDIO = "audio"
    VIDEO = "video"
    ANIMATION = "animation"
    VIDEO_NOTE = "video_note"


@dataclass(frozen=True, kw_only=True)
class Media:
    """A file in a message. `file` is the file's unique id."""

    kind: MessageField
    file: str
    #: whether the file is hidden as a spoiler
    is_spoiler: bool = False


@dataclass(frozen=True, kw_only=True)
class LocalReaction:
    """A reaction: one emoji by one person or bot."""

    sender: int
    emoji: str


@dataclass(frozen=True, kw_only=True)
class LocalQuote:
    """The part of a message that a reply quotes. Its position is counted in UTF-16 units."""

    text: str
    position: int = 0
    entities: tuple[LocalEntity, ...] = ()
    #: whether a person selected the quote; otherwise the server added it
    is_manual: bool = True


@dataclass(frozen=True, kw_only=True)
class RichContent:
    """Content that is neither text nor a file: the name of the Bot API's field for such content, and the field's
    value.
    """

    field: str
    value: Any


@dataclass(frozen=True, kw_only=True)
class ForwardOrigin:
    """The original of a forwarded message: its chat and id, its author and its date."""

    chat: str
    id: int
    sender: int
    date: int


@dataclass(frozen=True, kw_only=True)
class ExternalReply:
    """The message in another chat to which a reply refers: its origin and its file. The reply's quote has its text."""

    origin: ForwardOrigin
    media: Media | None = None


@dataclass(frozen=True, kw_only=True)
class ServiceNote:
    """The content of a service message: its field in the Bot API, the field's value, and the text that people see."""

    field: str
    value: Any
    line: str


@dataclass(frozen=True, kw_only=True)
class Post:
    """A post of the channel that is linked to a group: the channel's id and name, and the post's id there."""

    channel: int
    title: str
    id: int


@dataclass(frozen=True)
class LinkPreview:
    """Options of a link preview, as in the Bot API's LinkPreviewOptions. If `url` is empty, the first link of the text
    is previewed.
    """

    is_disabled: bool = False
    url: str = ""
    prefer_small_media: bool = False
    prefer_large_media: bool = False
    show_above_text: bool = False


@dataclass(frozen=True, kw_only=True)
class LocalMessage:
    """One message. A `topic_id` of None means the General topic, or that the chat has no topics. Dates are in epoch
    seconds.
    """

    chat: str
    id: int
    sender: int
    date: int
    topic_id: int | None = None
    edit_date: int | None = None
    text: str | None = None
    caption: str | None = None
    entities: tuple[LocalEntity, ...] = ()
    #: options of the link preview; None for the defaults
    preview: LinkPreview | None = None
    media: Media | None = None
    thing: RichContent | None = None
    media_group_id: str | None = None
    reply_to: int | None = None
    quote: LocalQuote | None = None
    forwarded: ForwardOrigin | None = None
    external: ExternalReply | None = None
    reactions: tuple[LocalReaction, ...] = ()
    buttons: tuple[tuple[dict[str, Any], ...], ...] | None = None
    service: ServiceNote | None = None
    post: Post | None = None
    #: whether the message is protected: it can be neither forwarded nor replied to in another chat
    is_protected: bool = False
    deleted: bool = False

    @property
    def words(self) -> str:
        """Return the text of the message, or its caption."""
        return self.text or self.caption or ""

    def reaction_of(self, sender: int) -> str | None:
        """Return the emoji with which a person or bot reacted to the message."""
        return next((reaction.emoji for reaction in self.reactions if reaction.sender == sender), None)


class LocalMessages:
    """All messages by chat and id."""

    def __init__(self, store: WorldStore) -> None:
        self._shelf = DocumentKind(store, "message", LocalMessage)
        self._ids: dict[str, list[int]] = {}
        for message in self._shelf.values():
            self._ids.setdefault(message.chat, []).append(message.id)
        for ids in self._ids.values():
            ids.sort()

    def get(self, chat: str, id_: int) -> LocalMessage | None:
        """Return the message with this id in a chat. None if there is none, or if it was deleted."""
        message = self.any(chat, id_)
        return None if message is None or message.deleted else message

    def any(self, chat: str, id_: int) -> LocalMessage | None:
        """Return the message with this id in a chat, even if it was deleted. None if there never was one."""
        return self._shelf.get(f"{chat}/{id_}")

    def keep(self, message: LocalMessage) -> LocalMessage:
        """Store a new or changed message, and return it."""
        if self.any(message.chat, message.id) is None:
            self._ids.setdefault(message.chat, []).append(message.id)
        return self._shelf.put(f"{message.chat}/{message.id}", message)

    def page(self, chat: str, topic: int | None, before: int | None, limit: int) -> list[LocalMessage]:
        """Return the last `limit` messages of a chat or topic, in the order of their ids. If `before` is given, only
        messages with smaller ids count.
        """
        ids = self._ids.get(chat, [])
        end = len(ids) if before is None else bisect_left(ids, before)
        backwards = (self.any(chat, ids[at]) for at in reversed(range(end)))
        wanted = (one for one in backwards if one and topic in (None, one.topic_id or GENERAL_TOPIC))
        return list(islice(wanted, limit))[::-1]
