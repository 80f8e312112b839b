"""New databases of the emulator, with conversations as ticks write them."""

import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shared.chat.store.chats import FirestoreChats
from shared.tasks.plan import Plan
from shared.values.chat import Chat, ChatClaim, CurrentConversation
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry, Author
from tests.shared.chat.store.changes import change_of
from tests.shared.examples import ANN, ME, NOW, SECOND, said

_numbers = itertools.count(1)


def new_project() -> str:
    """Make an unused project id."""
    return f"archive-{os.getpid()}-{next(_numbers)}"


@asynccontextmanager
async def new_chats() -> AsyncIterator[FirestoreChats]:
    """Open a new project; the emulator's address is set already."""
    chats = FirestoreChats(new_project())
    yield chats
    chats.client.close()  # type: ignore[no-untyped-call]


def key_of(number: int) -> ChatKey:
    """Make the key of a chat."""
    return ChatKey(agent="lull", chat_id=number)


def entry(seq: int, text: str, author: Author = ANN, plan: str = "") -> AnyEntry:
    """Make a message with its number."""
    return said(text, author, message_id=100 + seq, seq=seq, at=NOW + seq * SECOND, plan=plan)


async def talk(chats: FirestoreChats, number: int, *texts: str, plan: Plan | None = None) -> str:
    """Let Ann and the agent write more messages, each in its own commit; return the conversation's id."""
    for text in texts:
        seen = await chats.see(key_of(number))
        seq = seen.chat.talk.seq + 1
        conversation = seen.chat.conversation or f"conv-{number:026d}"
        author, made_by = (ME, plan.id if plan else "") if seq % 2 == 0 else (ANN, "")
        new = (entry(seq, text, author, made_by),)
        chat = Chat(
            key=seen.chat.key,
            conversation=conversation,
            talk=CurrentConversation(seq=seq),
            claim=ChatClaim(generation=seen.chat.claim.generation + 1),
            title="Club",
        )
        window = (*(await chats.window(seen.chat, 50)), *new)
        await chats.commit(seen, change_of(chat, entries=new, window=window, plan=plan, conversation=True))
    return (await chats.see(key_of(number))).chat.conversation
