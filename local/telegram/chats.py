"""Chats of people and bots: private chats, groups, and supergroups with topics."""

from dataclasses import dataclass, replace
from enum import StrEnum

from local.telegram.store import DocumentKind, WorldStore

# Basic groups have ids like -4012345678, supergroups like -1002012345678 (Telegram's own ranges).
_FIRST_GROUP = 4_000_000_001
_FIRST_SUPERGROUP = 1_002_000_000_001
GENERAL_TOPIC = 1


class ChatType(StrEnum):
    """The kinds of chat that the local Telegram has."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"


class Status(StrEnum):
    """A membership status, in the Bot API's words."""

    CREATOR = "creator"
    ADMINISTRATOR = "administrator"
    MEMBER = "member"
    LEFT = "left"
    KICKED = "kicked"


@dataclass(frozen=True, kw_only=True)
class Topic:
    """A topic of a forum. The topic's id is the id of the service message that announced its creation."""

    id: int
    name: str


@dataclass(frozen=True, kw_only=True)
class LocalChat:
    """One chat. `members` contains ids of people, `bots` ids of bots, and `admins` ids of both. `blocked` is used only
    in private chats.

    `former_bots` are bots that were members once; they may still use the chat's id. `id` is the id by which bots name
    the chat. The `id` of a private chat is the person's id, so several chats may have it. `key` is unique.
    """

    key: str
    type: ChatType
    id: int
    title: str | None = None
    is_forum: bool = False
    #: whether the group holds the direct messages of a channel: each person writes in a private topic, whose id is the
    #: person's id
    is_direct: bool = False
    bot_id: int | None = None
    person_id: int | None = None
    creator: int | None = None
    members: tuple[int, ...] = ()
    bots: tuple[int, ...] = ()
    admins: tuple[int, ...] = ()
    kicked: tuple[int, ...] = ()
    former_bots: tuple[int, ...] = ()
    topics: tuple[Topic, ...] = ()
    blocked: bool = False
    migrated_to: int | None = None

    @property
    def is_group(self) -> bool:
        """Return whether the chat is a group or supergroup."""
        return self.type is not ChatType.PRIVATE

    def has(self, id_: int) -> bool:
        """Return whether this person or bot is in the chat."""
        return id_ in self.members or id_ in self.bots or id_ in (self.bot_id, self.person_id)

    def topic(self, id_: int) -> Topic | None:
        """Return the topic with this id, or None if the chat has no such topic."""
        return next((topic for topic in self.topics if topic.id == id_), None)

    def status_of(self, id_: int) -> Status:
        """Return this person's or bot's status in the chat: LEFT for anybody who is neither a member nor banned."""
        if not self.has(id_):
            return Status.KICKED if id_ in self.kicked else Status.LEFT
        if id_ == self.creator:
            return Status.CREATOR
        return Status.ADMINISTRATOR if id_ in self.admins else Status.MEMBER

    def with_member(self, id_: int, *, is_bot: bool, is_admin: bool = False) -> "LocalChat":
        """Return the chat with a new member (person or bot), who is then no longer banned."""
        kicked = tuple(other for other in self.kicked if other != id_)
        admins = (*self.admins, id_) if is_admin else self.admins
        if is_bot:
            return replace(self, bots=(*self.bots, id_), kicked=kicked, admins=admins)
        return replace(self, members=(*self.members, id_), kicked=kicked, admins=admins)

    def without_member(self, id_: int, *, is_kicked: bool) -> "LocalChat":
        """Return the chat without this person or bot. With `is_kicked`, the member is banned; otherwise the member has
        left.
        """
        return replace(
            self,
            members=tuple(other for other in self.members if other != id_),
            bots=tuple(other for other in self.bots if other != id_),
            admins=tuple(other for other in self.admins if other != id_),
            kicked=(*self.kicked, id_) if is_kicked else self.kicked,
            former_bots=(*self.former_bots, id_) if id_ in self.bots else self.former_bots,
        )


class LocalChats:
    """All chats of the local Telegram; each is stored under its unique key."""

    def __init__(self, store: WorldStore) -> None:
        self._chats = DocumentKind(store, "chat", LocalChat)
        self._groups = sum(chat.is_group for chat in self._chats.values())

    def get(self, key: str) -> LocalChat | None:
        """Return the chat with this key, or None if there is none."""
        return self._chats.get(key)

    def keep(self, chat: LocalChat) -> LocalChat:
        """Store a chat's new state, and return the chat."""
        if self._chats.get(chat.key) is None:
            self._groups += chat.is_group
        return self._chats.put(chat.key, chat)

    def all(self) -> list[LocalChat]:
        """Return all chats, oldest first."""
        return self._chats.values()

    def seen_by(self, bot_id: int, chat_id: int) -> LocalChat | None:
        """Return the chat with the id `chat_id` from this bot's point of view; None if the bot has never been in such a
        chat.
        """
        if chat_id > 0:
            return self.get(private_key(chat_id, bot_id))
        chat = self.get(group_key(chat_id))
        return chat if chat is not None and (bot_id in chat.bots or bot_id in chat.former_bots) else None

    def next_group_id(self, type_: ChatType) -> int:
        """Return a free id for a new group of this kind."""
        first = _FIRST_SUPERGROUP if type_ is ChatType.SUPERGROUP else _FIRST_GROUP
        return -(first + self._groups * 7919)


def private_key(person_id: int, bot_id: int) -> str:
    """Return the key of the private chat between a person and a bot."""
    return f"p{person_id}-{bot_id}"


def group_key(chat_id: int) -> str:
    """Return the key of a group or supergroup."""
    return f"g{abs(chat_id)}"
