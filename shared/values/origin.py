"""Whose words a text of a prompt is: its origin, which stays with it wherever the text goes.

And which messages of other conversations a plan was shown, so that what it made of them can be found.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict


class TextOrigin(StrEnum):
    """Who wrote a text."""

    OWNER = "owner"  #: whose the agent is
    PERSON = "person"  #: somebody in the chat
    AGENT = "agent"  #: the agent, while it had seen nothing from outside
    LULL = "lull"  #: lull itself, and the files of the deployment
    OUTSIDE = "outside"  #: neither the people of the chat nor lull; or the agent, after it had seen such a text


class TextSource(BaseModel):
    """Where a text of a prompt comes from."""

    model_config = ConfigDict(frozen=True)

    origin: TextOrigin
    #: the id of the person; 0: nobody's
    person: int = 0
    #: of what is from outside: what it is, in lull's own words ("a forwarded message"); never a part of it
    what: str = ""


#: of a chat's marked messages of the agent's, so many of the newest are known
MOST_MARKED: Final = 100


class MarkedMessages(BaseModel):
    """Which of the agent's own messages in a chat count as text from outside: for when one is quoted that is gone."""

    model_config = ConfigDict(frozen=True)

    #: the id of the message from which on they are known; 0: none are yet
    since: int = 0
    #: the ids of those that are marked, oldest first
    marked: tuple[int, ...] = ()

    def excludes(self, message_id: int) -> bool:
        """Return whether it is known that a message is not marked."""
        return 0 < self.since <= message_id and message_id not in self.marked

    def with_message(self, message_id: int, *, is_marked: bool) -> "MarkedMessages":
        """Return them with a message that was just sent, or rewritten."""
        if message_id <= 0:
            return self
        kept = (*(one for one in self.marked if one != message_id), *([message_id] if is_marked else []))
        lost = kept[:-MOST_MARKED]
        since = max(self.since or message_id, *(one + 1 for one in lost)) if lost else self.since or message_id
        return MarkedMessages(since=since, marked=kept[-MOST_MARKED:])


#: what of a prompt is from outside until somebody has looked at it; whether it is shows while the model answers, or
#: soon after, so the model is not told of it
UNSEEN = "a picture or file of which it is not known yet whether text stands in it"

UNSEEN_BEFORE = "what the agent wrote when it was shown such a file"
NOT_YET_SEEN: Final = frozenset({UNSEEN, UNSEEN_BEFORE})

#: what lull itself says in a prompt
OWN = TextSource(origin=TextOrigin.LULL)


class Passage(BaseModel):
    """A text with its source."""

    model_config = ConfigDict(frozen=True)

    text: str
    source: TextSource
    #: what it is, where that is not always the same
    title: str = ""


class ConversationSpan(BaseModel):
    """Messages of another conversation, from one to another; of several conversations of a chat, without these."""

    model_config = ConfigDict(frozen=True)

    #: empty: of several
    conversation: str
    #: Telegram's id of the chat where they were written; a private chat's is its person's
    chat_id: int
    first_seq: int
    last_seq: int
    #: the ids of those who wrote them, besides the agent
    people: tuple[int, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the people and the chat that they belong to."""
        return tuple(dict.fromkeys((*self.people, self.chat_id)))


#: of one plan, and of each thing that it makes: a plan may search often, and its document has a limit
MOST_ELSEWHERE: Final = 20


def ids_in(elsewhere: Iterable[ConversationSpan]) -> tuple[int, ...]:
    """Return the ids of the people and chats to which some messages belong."""
    return tuple(dict.fromkeys(one_id for one in elsewhere for one_id in one.ids))


def merge_spans(elsewhere: Iterable[ConversationSpan]) -> tuple[ConversationSpan, ...]:
    """Return the same messages with one entry for each conversation; where these are too many, for each chat.

    Nobody is lost: in how many chats somebody looks is bounded by where they are.
    """
    found = _merge_by(lambda one: (one.chat_id, one.conversation), elsewhere)
    return found if len(found) <= MOST_ELSEWHERE else _merge_by(lambda one: (one.chat_id, ""), found)


def _merge_by(
    key: Callable[[ConversationSpan], tuple[int, str]], elsewhere: Iterable[ConversationSpan]
) -> tuple[ConversationSpan, ...]:
    groups: dict[tuple[int, str], list[ConversationSpan]] = {}
    for one in elsewhere:
        groups.setdefault(key(one), []).append(one)
    return tuple(
        ConversationSpan(
            conversation=conversation,
            chat_id=chat_id,
            first_seq=min(one.first_seq for one in those) if conversation else 0,
            last_seq=max(one.last_seq for one in those) if conversation else 0,
            people=tuple(dict.fromkeys(person for one in those for person in one.people)),
        )
        for (chat_id, conversation), those in groups.items()
    )


def is_made_of(elsewhere: Sequence[ConversationSpan], person: int) -> bool:
    """Return whether something may be made of the words of a person, or of what was said in a group."""
    return any(person in one.ids for one in elsewhere)


def is_made_in(elsewhere: Sequence[ConversationSpan], chat_id: int, conversation: str) -> bool:
    """Return whether something may be made of what was said in one conversation of a chat.

    What is noted of several conversations of the chat may be of any of them.
    """
    return any(one.chat_id == chat_id and one.conversation in {"", conversation} for one in elsewhere)


@dataclass(frozen=True, kw_only=True)
class ShownSpan:
    """Such messages while the model is shown them, with their texts, which are not kept."""

    where: ConversationSpan
    #: each text with the id of who wrote it; 0: the agent
    said: Sequence[tuple[int, str]]
    #: whether the model looked for it; else lull recalled it by itself
    is_looked_up: bool = False
