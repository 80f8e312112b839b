"""Reading the JSON Lines of an archive as transcripts."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import TranscriptUnreadable
from shared.chat.lines import NOT_KEPT, content_of
from shared.upkeep.jobs.restore import read_transcript
from shared.values.chat import Chat
from shared.values.transcript import Transcript
from tests.shared.chat.transcripts import exchange, transcripts
from tests.shared.examples import KEY, PROPERTY

JUNK = (b"{", b"\xff\xfe", b"[]", b"{}", b'{"type":"turn"}', b"[" * 100_000, b'"secret"')


def never(number: int, what: str) -> None:
    raise AssertionError(f"line {number} {what}")


@PROPERTY
@given(transcripts())
def test_out_and_in_again_is_the_same(transcript: Transcript) -> None:
    assert read_transcript(content_of(transcript), never) == transcript


@pytest.mark.parametrize("name", ["$", "$map", "$time"])
def test_a_field_of_a_document_may_begin_like_a_tag(name: str) -> None:
    transcript = Transcript(conversation="conv-01HQXK5J7G8M3N4P5R6S7T8V9W", document={name: "2026"}, entries=())
    assert read_transcript(content_of(transcript), never) == transcript


@PROPERTY
@given(transcripts(), st.data())
def test_a_corrupt_line_costs_itself_alone_and_is_told_by_its_number(
    transcript: Transcript, data: st.DataObject
) -> None:
    lines = content_of(transcript).split(b"\n")[:-1]
    place = data.draw(st.integers(1, len(lines)))
    junk = data.draw(
        st.sampled_from([b"{", b"\xff\xfe", b"[]", b"{}", b'{"type":"turn"}', b"[" * 100_000, b'"secret"'])
    )
    told: list[tuple[int, str]] = []
    content = b"\n".join([*lines[:place], junk, *lines[place:]])
    assert read_transcript(content, lambda number, what: told.append((number, what))) == transcript
    ((number, what),) = told
    assert number == place + 1
    assert "secret" not in what


def test_a_line_cut_short_is_left_out() -> None:
    transcript = exchange("Hi", "Hello!", "How are you?")
    told: list[int] = []
    found = read_transcript(content_of(transcript)[:-30], lambda number, _: told.append(number))
    assert found == replace(transcript, entries=transcript.entries[:2])
    assert told == [4]


def test_events_of_other_writers_are_left_out_with_a_warning() -> None:
    transcript = exchange("Hi")
    told: list[str] = []
    added = b'{"type":"event","event":"title_assigned","title":"a secret"}\n{"type":"meta_update","title":"a secret"}\n'
    assert read_transcript(content_of(transcript) + added, lambda _, what: told.append(what)) == transcript
    assert told == ["is of a kind that this version does not know"] * 2


def test_the_later_of_two_lines_with_one_number_counts_and_empty_lines_do_not() -> None:
    transcript = exchange("Hi", "Hello!")
    again = json.loads(content_of(transcript).split(b"\n")[1]) | {"content": "Hey"}
    found = read_transcript(content_of(transcript) + b"\n\r\n" + json.dumps(again).encode(), never)
    assert [getattr(entry, "text", "") for entry in found.entries] == ["Hey", "Hello!"]


def test_no_line_that_says_whose_it_is() -> None:
    rest = content_of(exchange("Hi")).partition(b"\n")[2]
    with pytest.raises(TranscriptUnreadable, match="no `meta` line"):
        read_transcript(rest, never)
    told: list[int] = []
    with pytest.raises(TranscriptUnreadable):
        read_transcript(b'{"type":"meta","id":5}\n' + rest, lambda number, _: told.append(number))
    assert told == [1]


def test_nothing_else_of_a_chat_is_left_out() -> None:
    of_a_tick = {"lease", "due_at", "starts", "stop", "is_behind", "unpaged", "waits_until"}
    assert of_a_tick | {"keyboards", "shown_takeout"} == NOT_KEPT
    assert Chat(key=KEY).model_dump().keys() >= NOT_KEPT
