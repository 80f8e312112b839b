"""A place: where something was said, as far as it matters who may see it; and the sight of whoever asks for it."""

from dataclasses import dataclass
from typing import Final

from shared.values.chat_key import ChatKey

#: places of one search, at most: Firestore compares a field with 30 values at once
#: (cloud.google.com/firestore/docs/query-data/queries, "in")
MOST_PLACES: Final = 20


def place_of(key: ChatKey) -> str:
    """The place that a chat is: one private chat, one group with all its topics, or one topic of direct messages."""
    return f"{key.agent}.{key.chat_id}{f'_{-key.topic_id}' if key.is_direct else ''}"


def chat_of(place: str) -> ChatKey:
    """The key of a place: of a group without topics. Raises ValueError for any other text."""
    agent, _, name = place.rpartition(".")
    chat_id, _, direct = name.partition("_")
    return ChatKey(agent=agent, chat_id=int(chat_id), topic_id=-int(direct or 0))


@dataclass(frozen=True, kw_only=True)
class Asker:
    """Who asks for what was said, and where they ask."""

    chat: ChatKey
    #: of the chat: the place that it is, and the one that it was before it became a supergroup
    places: tuple[str, ...]
    #: 0: several people ask at once
    person: int = 0
    #: whether they ask for it in so many words, and it is not brought up of itself
    is_explicit: bool = False


@dataclass(frozen=True, kw_only=True)
class VisibleChats:
    """What may be shown to somebody of what was said to one agent: these places, and no other.

    In a group it is that group, and in a channel's direct messages the person's own. In a private chat it is that chat,
    and the groups that the person is in now.
    """

    agent: str
    #: those of the newest words first, `MOST_PLACES` of them at most
    places: tuple[str, ...]
    #: whether every place of the agent may be seen: by its owner, in their own private chat, when they ask for it
    is_everything: bool = False
    #: whether there are more places than are looked into
    is_cut: bool = False

    def holds(self, place: str) -> bool:
        """Whether what was said in a place may be shown."""
        return place in self.places or (self.is_everything and place.rpartition(".")[0] == self.agent)
