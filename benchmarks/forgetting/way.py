"""One way in which something of somebody comes to be kept, as data: what is planted, what has to go, what has to stay.

Zed is forgotten. Bob and Eve stay, and so does Olga, who owns the agent. What Zed said is `SECRET`, what others said
`THEIRS`; a way looks for one telling word of each, unless it names others.
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
#: in which Zed never was
CLUB = ChatKey(agent="lull", chat_id=-1_002_000_000_009)
ZEDS = ChatKey(agent="lull", chat_id=ZED.id)
BOBS = ChatKey(agent="lull", chat_id=BOB.id)
OLGAS = ChatKey(agent="lull", chat_id=OLGA.id)

#: that something was made of what Zed said in the room, or in private
OF_ROOM = ConversationSpan(conversation="conv-a", chat_id=ROOM.chat_id, first_seq=1, last_seq=1, people=(ZED.id,))
OF_PRIVATE = ConversationSpan(conversation="conv-b", chat_id=ZED.id, first_seq=1, last_seq=1, people=(ZED.id,))


@dataclass(frozen=True)
class Talk:
    """A talk in a chat, oldest first, as a tick stores it; messages are numbered from 1."""

    key: ChatKey
    entries: Sequence[AnyEntry]
    #: whether the chat then goes to another conversation
    leaves: bool = False


@dataclass(frozen=True)
class Update:
    """An update of a chat as Telegram sends it, read or not."""

    key: ChatKey
    raw: Mapping[str, Any]
    is_read: bool = True

    @property
    def kind(self) -> ChatKind:
        """What the chat is."""
        return ChatKind.PRIVATE if self.key.is_private else ChatKind.SUPERGROUP


@dataclass(frozen=True)
class Document:
    """Fields of a document as lull writes them. `{conversation}` in its path is the one in which `of` is."""

    path: str
    fields: Mapping[str, Any]
    of: ChatKey = ROOM


@dataclass(frozen=True)
class Way:
    """One way."""

    name: str
    steps: Sequence[Talk | Update | Document]
    #: must be kept somewhere before, and nowhere after; in any case of letters
    gone: Sequence[str] = (MARK,)
    #: must be kept in the same kinds of places after as before
    stays: Sequence[str] = (STAYS,)
    #: must be kept after
    comes: Sequence[str] = ()
    leaver: Author = ZED


def zed(text: str = SECRET, **more: Any) -> AnyEntry:
    """A message of Zed's."""
    return said(text, author=ZED, **more)


def bob(text: str = THEIRS, **more: Any) -> AnyEntry:
    """A message of Bob's."""
    return said(text, author=BOB, **more)


def eve(text: str = THEIRS, **more: Any) -> AnyEntry:
    """A message of Eve's."""
    return said(text, author=EVE, **more)


def olga(text: str = THEIRS, **more: Any) -> AnyEntry:
    """A message of the owner's."""
    return said(text, author=OLGA, **more)


def agent(text: str, **more: Any) -> AnyEntry:
    """A message of the agent's."""
    return said(text, author=ME, **more)


def edit_of(message_id: int, text: str, author: Author = ZED, **more: Any) -> AnyEntry:
    """The new text of a message."""
    return Edit(at=NOW, message_id=message_id, author=author, text=text, **more)


def room(*entries: AnyEntry, leaves: bool = False) -> Talk:
    """A talk in a group of Zed and Bob."""
    return Talk(ROOM, (*entries, bob()), leaves=leaves)


def private(*entries: AnyEntry) -> Talk:
    """A talk of Bob and the agent."""
    return Talk(BOBS, (bob(), *entries))


def own(*entries: AnyEntry) -> Talk:
    """A talk of Zed and the agent."""
    return Talk(ZEDS, entries)


def owners(*entries: AnyEntry) -> Talk:
    """A talk of the owner and the agent."""
    return Talk(OLGAS, (olga(), *entries))


OWNED = Document(paths.bot_path("lull"), {"owner": OLGA.id})


def user(author: Author) -> dict[str, Any]:
    """Somebody as Telegram tells of them."""
    return {"id": author.id, "is_bot": False, "first_name": author.name, "username": author.username}


def message(author: Author, text: str, **more: Any) -> dict[str, Any]:
    """A message as Telegram tells of it."""
    return {"message_id": 91, "date": 1, "from": user(author), "text": text, **more}


def text_of(value: Any) -> str:
    """A document as text, letters as letters."""
    return json.dumps(value, default=str, ensure_ascii=False)
