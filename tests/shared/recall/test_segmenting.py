"""Tests of the segments that a chat gets, from its open segment on."""

from shared.recall.matching.segmenting import segment_chat
from shared.values.chat import Chat, Locale
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Event
from shared.values.place import place_of
from tests.shared.examples import ANN, BOB, KEY, NOW, said

CHAT = Chat(key=KEY, conversation="conv-1", locale=Locale(last_language="en"))


def entry(seq: int, text: str, **fields: object) -> AnyEntry:
    return evolve(said(text, message_id=seq, **fields), seq=seq)  # type: ignore[arg-type]


def test_the_open_segment_grows_until_it_is_full() -> None:
    words = " ".join(f"word{n}" for n in range(70))
    chat, (first,) = segment_chat(CHAT, [entry(1, words)])
    assert (first.place, first.chat, chat.recall.segment.seq) == (place_of(KEY), KEY.id, 1)
    chat, (first, second) = segment_chat(chat, [entry(1, words), entry(2, words), entry(3, words)])
    assert [m.seq for m in (*first.messages, *second.messages)] == [1, 2, 3]
    assert (first.number, second.number, chat.recall.segment.number, chat.recall.segment.seq) == (1, 2, 2, 3)
    _, (again,) = segment_chat(chat, [entry(seq, words) for seq in (1, 2, 3)])
    assert again == second


def test_marks_text_from_outside() -> None:
    _, (one,) = segment_chat(CHAT, [entry(1, "mine"), entry(2, "theirs", forwarded_from=BOB, author=ANN)])
    assert [bool(m.outside) for m in one.messages] == [False, True]


def test_passes_over_entries_without_text() -> None:
    event = evolve(Event(at=NOW, kind="poll"), seq=1)
    chat, segments = segment_chat(CHAT, [event])
    assert (list(segments), chat.recall.segment.seq) == ([], 2)
    assert segment_chat(CHAT, []) == (CHAT, ())


def test_starts_a_new_segment_if_earlier_entries_are_missing() -> None:
    _, (one,) = segment_chat(CHAT, [entry(500, "tea")])
    assert (one.number, one.first_seq) == (2, 500), "what stands under the first number stays"
