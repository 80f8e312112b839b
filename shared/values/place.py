"""A place: the chat of a message, which decides who may see the message. All topics of a group are one place."""

from dataclasses import dataclass
from typing import Final

from shared.values.chat_key import ChatKey

#: the most places of one search: Firestore's "in" takes 30 values (cloud.google.com/firestore/docs/query-data/queries)
MOST_PLACES: Final = 20


def place_of(key: ChatKey) -> str:
    """Return the place of a chat: a private chat, a group with all its topics, or a topic of direct messages."""
    return f"{key.agent}.{key.chat_id}{f'_{-key.topic_id}' if key.is_direct else ''}"


def chat_of(place: str) -> ChatKey:
    """Return the chat key of a place; a group's key has no topic. Raises ValueError if the text is not a place."""
    agent, _, name = place.rpartition(".")
    chat_id, _, direct = name.partition("_")
    return ChatKey(agent=agent, chat_id=int(chat_id), topic_id=-int(direct or 0))


@dataclass(frozen=True, kw_only=True)
class Asker:
    """The person who asks for past messages, and the chat in which they ask."""

    chat: ChatKey
    #: the chat's place, and its place before the group became a supergroup
    places: tuple[str, ...]
    #: 0 if several people ask at once
    person: int = 0
    #: whether the person asked explicitly for past messages
    is_explicit: bool = False


@dataclass(frozen=True, kw_only=True)
class VisibleChats:
    """The chats of one agent from which a person may be shown messages, as places (`place_of`).

    A person who asks in a group may see only that group; in a channel's direct messages, only their own topic; in a
    private chat, that chat and the groups of which they are a member now.
    """

    agent: str
    #: at most `MOST_PLACES`, those with the newest messages first
    places: tuple[str, ...]
    #: whether all places of the agent are visible: to its owner, in their private chat, if they ask for it
    is_everything: bool = False
    #: whether there are more places than `places` has
    is_cut: bool = False

    def holds(self, place: str) -> bool:
        """Return whether messages of a place may be shown."""
        return place in self.places or (self.is_everything and place.rpartition(".")[0] == self.agent)
