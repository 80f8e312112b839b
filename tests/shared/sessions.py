"""Earlier messages of a chat, stored as a tick stores them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from shared.chat.session import Session
from shared.chat.store.chats import FirestoreChats
from shared.chat.terms import SessionTerms
from shared.recall.matching.segmenting import SEGMENTING
from shared.recall.store.memberships import MembershipRecord
from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.message import Author
from tests.shared.examples import said


async def have_said(
    chats: FirestoreChats, key: ChatKey, at: datetime, texts: Sequence[tuple[Author, str]], *, leaves: bool = False
) -> Chat:
    """Store messages in a chat, a minute apart; with `leaves`, the chat then begins another conversation.

    Returns the chat as it was with the first conversation.
    """
    terms = SessionTerms(
        owner="t", lease=timedelta(seconds=60), window_entries=50, clock=lambda: at, segmenting=SEGMENTING
    )
    seen = await chats.see(key)
    session = Session(chats, await chats.claim(seen, Lease(owner="t", until=at + terms.lease)), terms)
    kind = ChatKind.PRIVATE if key.is_private else ChatKind.SUPERGROUP
    session.note_chat(evolve(session.chat, kind=kind, title="" if key.is_private else "A group"))
    begin = seen.chat.talk.seq + 1
    entries = [
        said(text, author=author, message_id=100 + begin + n, at=at + n * timedelta(minutes=1))
        for n, (author, text) in enumerate(texts)
    ]
    await session.note_entries(entries)
    if not key.is_private:
        for person in {author.id for author, _ in texts if not author.is_bot}:
            session.note(MembershipRecord(person=person, is_member=True))
    chat = session.chat
    if leaves:
        await session.note_other_conversation()
    await session.commit(release=True)
    return chat
