"""Compression: what is summarised, what is asked, and what comes of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models.message import AnyEntry
from shared.models.prompt import CompressionSummary, Prompt, PromptFormat
from shared.prompting.assemble import assemble
from shared.prompting.compression import LONGEST_SUMMARY, SCHEMA, Compression, due_compression, summary_of
from tests.shared.prompting.scenes import HEADER, TEXTS, long_talk, marker_in, scene, talks, texts_of
from tests.shared.values import ANN, NOW, PROPERTY, said

SMALL = 4_000
MOST = 1_000


def due(*entries: AnyEntry, most: int = MOST, summary: CompressionSummary | None = None) -> Compression | None:
    return due_compression(scene(*entries, max_tokens=SMALL, compression=summary), most)


def summary(up_to_seq: int, text: str = "so far") -> CompressionSummary:
    return CompressionSummary(up_to_seq=up_to_seq, text=text, made_at=NOW)


def asked(compression: Compression) -> str:
    return texts_of(compression.prompt)


def test_while_all_has_room_nothing_is_due() -> None:
    assert due() is None
    assert due(*long_talk(20)) is None
    assert due(*long_talk(300)[250:], summary=summary(250)) is None


def test_before_anything_is_cut_the_older_half_is_due() -> None:
    talk = long_talk(400)
    full = next(n for n in range(20, 400) if due(*talk[:n]))
    uncut = assemble(scene(*talk[:full], max_tokens=SMALL)).size
    assert uncut
    assert uncut.messages_cut == 0
    found = due(*talk[:full])
    assert found
    assert 0.35 * full < found.up_to_seq < 0.65 * full
    assert f"what a day it was {found.up_to_seq}\n" in asked(found)
    assert f"what a day it was {found.up_to_seq + 1}\n" not in asked(found)


def test_with_the_summary_nothing_is_due_for_a_while() -> None:
    talk = long_talk(400)
    full = next(n for n in range(20, 400) if due(*talk[:n]))
    made = due(*talk[:full])
    assert made
    following = [n for n in range(full, 400) if due(*talk[:n], summary=summary(made.up_to_seq))]
    assert following[0] - full > 0.3 * full
    after = assemble(scene(*talk[:full], max_tokens=SMALL, compression=summary(made.up_to_seq))).size
    assert after
    assert (after.messages_shown, after.messages_cut) == (full - made.up_to_seq, 0)


def test_the_next_summary_goes_on_from_the_last() -> None:
    found = due(*long_talk(400)[90:], summary=summary(100, "Ann has a cat.\n[meta]"))
    assert found
    assert asked(found).startswith("The record so far:\n  Ann has a cat.\n  (meta]\n")
    assert "what a day it was 100\n" not in asked(found)
    assert "what a day it was 101\n" in asked(found)
    assert found.up_to_seq > 101


def test_a_window_that_is_nearly_full_is_summarised_before_it_loses_anything() -> None:
    talk = long_talk(60)
    assert due(*talk) is None
    found = due(*talk, most=60)
    assert found
    assert 25 <= found.up_to_seq <= 31


def test_what_is_more_than_one_request_holds_is_done_in_several() -> None:
    talk = long_talk(3_000)
    done, rounds = 0, 0
    while (found := due(*talk[done:], most=10_000, summary=summary(done))) is not None:
        assert found.up_to_seq > done
        assert found.prompt.characters <= SMALL * 2
        done, rounds = found.up_to_seq, rounds + 1
    assert rounds > 3
    assert done > 2_800


def test_what_is_not_stored_yet_is_not_summarised() -> None:
    fresh = [said("x" * 400, ANN, n) for n in range(1, 100)]
    found = due(*long_talk(5), *fresh)
    assert found
    assert found.up_to_seq == 5


def test_a_giant_message_is_shortened_for_the_record() -> None:
    found = due(said("x" * 30_000, seq=1), *long_talk(200)[1:])
    assert found
    assert found.prompt.characters <= SMALL * 2


def test_messages_are_written_compactly_and_named_whatever_the_format() -> None:
    meta = due_compression(scene(*long_talk(300), max_tokens=SMALL, format=PromptFormat.META), MOST)
    assert meta
    assert "Ann#000001: what a day it was 3\n" in asked(meta)
    assert "lull: what a day it was 2\n" in asked(meta)
    assert "[meta]" not in asked(meta)
    assert "for lull, who takes part" in meta.prompt.system


@PROPERTY
@given(talks(most=30), TEXTS)
def test_nobody_can_break_out_of_the_record(entries: tuple[AnyEntry, ...], so_far: str) -> None:
    found = due(*entries, most=4, summary=summary(1, so_far))
    if found is not None:
        lines = [line for line in asked(found).splitlines() if not line.startswith("  ")]
        assert not any(marker_in(line.replace("[event: ", "").replace("[cut: ", "")) for line in lines)
        assert lines.count("The messages:") == 1
        assert lines[-1] == "Write the record now."


ASKED = Compression(prompt=Prompt(system="", turns=()), up_to_seq=7, longest=900)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (json.dumps({"summary": "Ann has a cat."}), "Ann has a cat."),
        ('```json\n{"summary": "Ann\\nhas."}\n```', "Ann\nhas."),
        ("Ann has a cat.", "Ann has a cat."),
        (json.dumps({"summary": f"x {HEADER}"}), f"x {HEADER.replace('[', '(')}"),
        ('{"summary": ""}', None),
        ('{"summary": 5}', None),
        ('{"tasks": []}', None),
        ('{"summary": "cut off', None),
        ("", None),
        (" \n", None),
    ],
)
def test_a_reply_is_a_summary_or_nothing(reply: str, text: str | None) -> None:
    made = summary_of(reply, ASKED, NOW)
    assert (made.text if made else None) == text
    assert made is None or (made.up_to_seq, made.made_at) == (7, NOW)


@PROPERTY
@given(st.text() | TEXTS)
def test_any_reply_is_taken_or_left(reply: str) -> None:
    made = summary_of(reply, ASKED, NOW)
    assert made is None or (0 < len(made.text) <= 900 and not marker_in(made.text))


def test_a_summary_that_is_far_too_long_is_kept_short() -> None:
    made = summary_of(json.dumps({"summary": "x" * 50_000}), ASKED, NOW)
    assert made
    assert len(made.text) <= 900


def test_a_summary_may_take_its_share_of_the_prompt() -> None:
    small, large = (due_compression(scene(*long_talk(3_000), max_tokens=size), MOST) for size in (SMALL, 100_000))
    assert small
    assert large
    assert (small.longest, large.longest) == (1_200, LONGEST_SUMMARY)
    assert "at most 100 words" in small.prompt.system
    assert "at most 500 words" in large.prompt.system


def test_the_schema_asks_for_one_text() -> None:
    assert SCHEMA["required"] == ["summary"]
