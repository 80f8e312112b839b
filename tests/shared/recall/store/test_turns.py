"""Tests of turns in the Firestore emulator."""

import pytest

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.recall.matching.segmenting import segment_chat
from shared.recall.store.segments import FirestoreTurns, encode_segment
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from tests.shared.examples import ANN, ME, said

WORDS = " ".join(f"word{n}" for n in range(90))


async def kept(chats: FirestoreChats, key: ChatKey, turns: int) -> str:
    """Store a conversation of this many turns, in which Ann's messages are short and the agent's longer. The last
    message is long.
    """
    conversation, entries = f"conv-{key.chat_id}", []
    for turn in range(1, turns + 1):
        answer = f"{turn} {WORDS}" if turn < turns else f"{turn} {WORDS} {WORDS}"
        entries += [
            said(f"question {turn}", author=ANN, turn=turn, seq=2 * turn - 1),
            said(answer, author=ME, turn=turn, seq=2 * turn),
        ]
    chat, segments = segment_chat(Chat(key=key, conversation=conversation), entries)
    for one in segments:
        await chats.client.document(paths.segment_path(conversation, one.number)).set(encode_segment(one))
    document = {"place": chat.places[0], "turns": turns, "title": "Tea"}
    await chats.client.document(paths.conversation_path(conversation)).set(document)
    return conversation


async def test_reads_turns_in_order_by_default_the_newest(chats: FirestoreChats, key: ChatKey) -> None:
    conversation, turns = await kept(chats, key, 14), FirestoreTurns(chats.client)
    newest = await turns.of(conversation, None, None)
    assert newest is not None
    assert [one.turn for one in newest.messages] == [n for turn in range(5, 15) for n in (turn, turn)]
    assert (newest.source.title, newest.total, newest.messages[-1].is_agent) == ("Tea", 14, True)
    assert newest.messages[-1].text.count("word89") == 2, "a long message is whole again"
    some = await turns.of(conversation, 3, 4)
    assert some is not None
    assert [one.text[:10] for one in some.messages] == ["question 3", "3 word0 wo", "question 4", "4 word0 wo"]
    beyond = await turns.of(conversation, 99, 120)
    assert beyond is not None
    assert beyond.messages == ()


@pytest.mark.parametrize("odd", ["conv-none", "", "a/b", "conv/../x"])
async def test_returns_none_for_a_missing_conversation(chats: FirestoreChats, odd: str) -> None:
    assert await FirestoreTurns(chats.client).of(odd, None, None) is None
