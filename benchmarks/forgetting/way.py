"""One way in which lull stores data of a person: the data to store, the words that must be deleted, and the words that
must stay.

Zed is forgotten. Bob and Eve stay, and so does Olga, who owns the agent. Zed says `SECRET`, the others say `THEIRS`.
After the deletion, one distinctive word of each text is searched for, unless the way names other words.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.chat.store import paths
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.message import AnyEntry, Author, Edit
from shared.values.origin import ConversationSpan
from tests.shared.examples import ME, NOW, said

ZED = Author(id=1_100_000_001, name="Zedrick Quillonby", username="zedrick_q")
BOB = Author(id=1_100_000_002, name="Bob", username="bob_x")
EVE = Author(id=1_100_000_003, name="Eve")
OLGA = Author(id=1_100_000_004, name="Olga")

SECRET, MARK = "the safe opens with heron marmalade biscuit", "marmalade"
THEIRS, STAYS = "our kettle whistles at noon sharp", "kettle"

ROOM = ChatKey(agent="lull", chat_id=-1_002_000_000_007)
#: a group in which Zed never was
CLUB = ChatKey(agent="lull", chat_id=-1_002_000_000_009)
ZEDS = ChatKey(agent="lull", chat_id=ZED.id)
BOBS = ChatKey(agent="lull", chat_id=BOB.id)
OLGAS = ChatKey(agent="lull", chat_id=OLGA.id)

#: references that mark texts as made from Zed's words, in the room and in Zed's private chat
OF_ROOM = ConversationSpan(conversation="conv-a", chat_id=ROOM.chat_id, first_seq=1, last_seq=1, people=(ZED.id,))
OF_PRIVATE = ConversationSpan(conversation="conv-b", chat_id=ZED.id, first_seq=1, last_seq=1, people=(ZED.id,))


@dataclass(frozen=True)
class Talk:
    """A conversation of a chat, oldest entry first, as a tick stores it. Messages are numbered from 1."""

    key: ChatKey
    entries: Sequence[AnyEntry]
    #: whether the chat begins another conversation afterwards
    leaves: bool = False


@dataclass(frozen=True)
class Update:
    """An update of a chat as Telegram sends it, which a tick has read already or not."""

    key: ChatKey
    raw: Mapping[str, Any]
    is_read: bool = True

    @property
    def kind(self) -> ChatKind:
        """The kind of the chat."""
        return ChatKind.PRIVATE if self.key.is_private else ChatKind.SUPERGROUP


@dataclass(frozen=True)
class Document:
    """The path and fields of a document, as lull writes them. `{conversation}` in the path stands for the conversation
    that contains the text `of`.
    """

    path: str
    fields: Mapping[str, Any]
    of: ChatKey = ROOM


@dataclass(frozen=True)
class Way:
    """One way in which data is stored."""

    name: str
    steps: Sequence[Talk | Update | Document]
    #: words that must be stored before the deletion and must not occur anywhere after it, in capitals or not
    gone: Sequence[str] = (MARK,)
    #: words that must be in the same kinds of places before and after the deletion
    stays: Sequence[str] = (STAYS,)
    #: words that must be stored after the deletion, in addition to `stays`
    comes: Sequence[str] = ()
    leaver: Author = ZED


def zed(text: str = SECRET, **more: Any) -> AnyEntry:
    """Return a message of Zed's."""
    return said(text, author=ZED, **more)


def bob(text: str = THEIRS, **more: Any) -> AnyEntry:
    """Return a message of Bob's."""
    return said(text, author=BOB, **more)


def eve(text: str = THEIRS, **more: Any) -> AnyEntry:
    """Return a message of Eve's."""
    return said(text, author=EVE, **more)


def olga(text: str = THEIRS, **more: Any) -> AnyEntry:
    """Return a message of the owner's."""
    return said(text, author=OLGA, **more)


def agent(text: str, **more: Any) -> AnyEntry:
    """Return a message of the agent's."""
    return said(text, author=ME, **more)


def edit_of(message_id: int, text: str, author: Author = ZED, **more: Any) -> AnyEntry:
    """Return an edit with a message's new text."""
    return Edit(at=NOW, message_id=message_id, author=author, text=text, **more)


def room(*entries: AnyEntry, leaves: bool = False) -> Talk:
    """Return a conversation in the group of Zed and Bob."""
    return Talk(ROOM, (*entries, bob()), leaves=leaves)


def private(*entries: AnyEntry) -> Talk:
    """Return a conversation of Bob and the agent."""
    return Talk(BOBS, (bob(), *entries))


def own(*entries: AnyEntry) -> Talk:
    """Return a conversation of Zed and the agent."""
    return Talk(ZEDS, entries)


def owners(*entries: AnyEntry) -> Talk:
    """Return a conversation of the owner and the agent."""
    return Talk(OLGAS, (olga(), *entries))


OWNED = Document(paths.bot_path("lull"), {"owner": OLGA.id})


def user(author: Author) -> dict[str, Any]:
    """Return an author as a User of the Bot API."""
    return {"id": author.id, "is_bot": False, "first_name": author.name, "username": author.username}


def message(author: Author, text: str, **more: Any) -> dict[str, Any]:
    """Return a message as a Message of the Bot API."""
    return {"message_id": 91, "date": 1, "from": user(author), "text": text, **more}


def text_of(value: Any) -> str:
    """Return a document as JSON with unescaped letters."""
    return json.dumps(value, default=str, ensure_ascii=False)
