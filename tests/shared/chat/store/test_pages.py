"""The writes of a conversation: pages that fit, the window, and the conversation's own document."""

import json

import pytest
from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from shared.chat.store.conversations import ConversationState, told_by
from shared.chat.store.transcripts import (
    PAGE_BYTES,
    TranscriptPart,
    Window,
    decode_entries,
    decode_window,
    encode_page,
    encode_window,
    is_current,
    pages_of,
)
from shared.values.chat import Chat, CurrentConversation
from shared.values.evolve import evolve
from shared.values.message import AnyEntry
from tests.shared.chat.store.changes import written_by
from tests.shared.examples import ANN, BOB, KEY, ME, NOW, PROPERTY, said

CHAT = Chat(key=KEY, talk=CurrentConversation(seq=2, turn=1), conversation="conv-2")


def entries(*sizes: int) -> tuple[AnyEntry, ...]:
    return tuple(evolve(said("x" * size, message_id=n), seq=n) for n, size in enumerate(sizes, 1))


def weight_of(entry: AnyEntry) -> int:
    return len(json.dumps(entry.model_dump(mode="json")))


@PROPERTY
@given(st.lists(st.integers(0, PAGE_BYTES), max_size=12))
def test_pages_hold_everything_in_order_and_no_two_could_be_one(sizes: list[int]) -> None:
    given_entries = entries(*sizes)
    pages = list(pages_of(given_entries))
    assert tuple(entry for page in pages for entry in page) == given_entries
    weights = [sum(map(weight_of, page)) for page in pages]
    assert all(len(page) == 1 or weight <= PAGE_BYTES for page, weight in zip(pages, weights, strict=True))
    firsts = [weight_of(page[0]) for page in pages[1:]]
    assert all(weight + first > PAGE_BYTES for weight, first in zip(weights, firsts, strict=False))


def test_entries_are_new_pages_of_their_conversation() -> None:
    part = TranscriptPart(conversation="conv-1", entries=entries(PAGE_BYTES, 1))
    (first, second) = written_by(part, CHAT)
    assert first[:2] == ("create", "conversations/conv-1/messages/0000000001")
    assert second == ("create", "conversations/conv-1/messages/0000000002", encode_page(entries(PAGE_BYTES, 1)[1:]))
    assert written_by(TranscriptPart(conversation="conv-1", entries=()), CHAT) == []


def test_a_page_names_all_of_whom_it_tells_and_a_conversation_who_wrote_last() -> None:
    told = (said("a", ANN, seq=1, forwarded_from=BOB), said("b", ME, seq=2))
    page = encode_page(told)
    assert (page["people"], page["names"]) == (sorted([ANN.id, BOB.id]), {str(ANN.id): ANN.name})
    conversation = told_by(told)
    assert (conversation["opening"], conversation["last_words"]["text"]) == ("a", "b")
    assert conversation["authors"] == [{"id": ANN.id, "name": ANN.name}]


def test_the_window_replaces_the_one_before() -> None:
    shown = entries(1, 1)
    assert written_by(Window(shown), CHAT) == [("set", f"chats/{KEY.id}/window/current", encode_window(CHAT, shown))]


def test_a_window_is_current_while_it_ends_with_its_conversation() -> None:
    chat = Chat(key=KEY, talk=CurrentConversation(seq=7), conversation="conv-1")
    window = encode_window(chat, entries(1, 1))
    assert (window["seq"], window["conversation"], decode_window(window)) == (7, "conv-1", entries(1, 1))
    assert is_current(window, chat)
    assert not is_current(window, chat.with_part(evolve(chat.talk, seq=8)))
    assert not is_current(window, evolve(chat, conversation="conv-2"))
    assert not is_current({}, chat)


def test_a_conversation_keeps_what_others_wrote_into_its_document() -> None:
    ((mode, path, document),) = written_by(ConversationState(chat=CHAT, newest_at=NOW), CHAT)
    assert (mode, path) == ("merge", "conversations/conv-2")
    assert (document["entries"], document["updated_at"], document["changed_at"]) == (2, NOW, SERVER_TIMESTAMP)


def test_entries_are_read_as_they_were_written() -> None:
    written = entries(1, 2)
    assert decode_entries(encode_page(written)) == decode_window(encode_window(CHAT, written)) == written
    with pytest.raises(ValidationError):
        decode_entries({"entries": [{"type": "poll"}]})
    for unread in (decode_entries, decode_window):
        with pytest.raises(ValidationError):
            unread(None)
