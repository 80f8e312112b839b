"""Origins of text: who wrote each text of a prompt.

A text keeps its origin wherever it is copied. This module also records which messages of other conversations a model
was shown for a plan, so that every text that was made from them can be found.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from shared.values.evolve import FrozenModel


class TextOrigin(StrEnum):
    """The kinds of author of a text."""

    OWNER = "owner"  #: the agent's owner
    PERSON = "person"  #: somebody in the chat
    AGENT = "agent"  #: the agent, while it had seen nothing from outside
    LULL = "lull"  #: lull itself, and the files of the deployment
    OUTSIDE = "outside"  #: somebody else; or the agent, after it had seen text by somebody else


class TextSource(FrozenModel):
    """The source of a text in a prompt: its origin, its author and, for text from outside, a description."""

    origin: TextOrigin
    #: the id of the person; 0 if none
    person: int = 0
    #: for text from outside: a description in lull's own words ("a forwarded message"), never a part of the text
    what: str = ""


#: the newest marked messages of a chat that are remembered
MOST_MARKED: Final = 100


class MarkedMessages(FrozenModel):
    """The ids of the agent's own messages that count as text from outside: the marked messages.

    The marks are needed when somebody quotes a message that is too old for the window (the newest entries).
    """

    #: the marks are known from this message id on; 0 if no marks are known yet
    since: int = 0
    #: the ids of marked messages, oldest first
    marked: tuple[int, ...] = ()

    def excludes(self, message_id: int) -> bool:
        """Return whether it is known that a message does not count as text from outside."""
        return 0 < self.since <= message_id and message_id not in self.marked

    def with_message(self, message_id: int, *, is_marked: bool) -> "MarkedMessages":
        """Return the marks after the agent sent or edited a message, which is marked from now on if `is_marked`."""
        if message_id <= 0:
            return self
        kept = (*(one for one in self.marked if one != message_id), *([message_id] if is_marked else []))
        lost = kept[:-MOST_MARKED]
        since = max(self.since or message_id, *(one + 1 for one in lost)) if lost else self.since or message_id
        return MarkedMessages(since=since, marked=kept[-MOST_MARKED:])


#: description of files in a prompt that count as text from outside until a model has looked at them. A model looks at
#: them while the answer is made, or soon after, so the answering model is not told of these marks
UNSEEN = "a picture or file of which it is not known yet whether text stands in it"

UNSEEN_BEFORE = "what the agent wrote when it was shown such a file"
NOT_YET_SEEN: Final = frozenset({UNSEEN, UNSEEN_BEFORE})

#: the source of lull's own texts in a prompt
OWN = TextSource(origin=TextOrigin.LULL)


class Passage(FrozenModel):
    """A text with its source."""

    text: str
    source: TextSource
    #: the title, for passages that have one
    title: str = ""


class ConversationSpan(FrozenModel):
    """A span of messages in another conversation; or, if `conversation` is empty, messages of several conversations of
    a chat.
    """

    #: empty for several conversations
    conversation: str
    #: Telegram's id of the chat where the messages were written; for a private chat, the person's id
    chat_id: int
    first_seq: int
    last_seq: int
    #: the ids of the people who wrote the messages, without the agent
    people: tuple[int, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the people who wrote the messages, and of the chat."""
        return tuple(dict.fromkeys((*self.people, self.chat_id)))


#: the most spans of one plan, and of each thing that the plan makes: a plan may search often, and its document has a
#: size limit
MOST_ELSEWHERE: Final = 20


def ids_in(elsewhere: Iterable[ConversationSpan]) -> tuple[int, ...]:
    """Return the ids of all people and chats that these spans record."""
    return tuple(dict.fromkeys(one_id for one in elsewhere for one_id in one.ids))


def merge_spans(elsewhere: Iterable[ConversationSpan]) -> tuple[ConversationSpan, ...]:
    """Merge spans into one for each conversation, or, if these are too many, into one for each chat.

    The ids of all people are kept. There are only few chats, since people can search only chats of which they are
    members.
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
    """Return whether a text made from the spans `elsewhere` may contain something that `person` wrote. `person` may
    also be a group's id, which stands for everything that was said in the group.
    """
    return any(person in one.ids for one in elsewhere)


def is_made_in(elsewhere: Sequence[ConversationSpan], chat_id: int, conversation: str) -> bool:
    """Return whether a text made from the spans `elsewhere` may contain something from one conversation of a chat. A
    span of several conversations of the chat may include any of them.
    """
    return any(one.chat_id == chat_id and one.conversation in {"", conversation} for one in elsewhere)


@dataclass(frozen=True, kw_only=True)
class ShownSpan:
    """A span of messages that the model is being shown, with the messages' texts, which are not stored."""

    where: ConversationSpan
    #: each text with its author's id; 0 for the agent
    said: Sequence[tuple[int, str]]
    #: True if the model searched for the span; False if lull recalled it
    is_looked_up: bool = False
