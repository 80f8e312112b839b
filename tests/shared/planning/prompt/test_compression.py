"""Compression: what is summarized, the request, and the result."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.compression import (
    LONGEST_SUMMARY,
    SCHEMA,
    THOUGHT_TOKENS,
    Compression,
    compression_of,
    due_up_to,
    summary_of,
)
from shared.planning.prompt.scene import PromptBackground, Scene
from shared.values.chat import Chat
from shared.values.message import AnyEntry, ButtonPress, Edit
from shared.values.prompt import CompressionSummary, Prompt
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, GROUP_KEY, ME, NOW, PROPERTY, said
from tests.shared.planning.prompt.scenes import (
    HEADER,
    TEXTS,
    long_talk,
    marker_in,
    scene,
    talks,
    texts_of,
    without_own_marks,
)

SMALL = 4_000
TIME = re.compile(r"^\d\d:\d\d ")
MOST = 1_000


def due(*entries: AnyEntry, most: int = MOST, summary: CompressionSummary | None = None) -> Compression | None:
    return due_in(scene(*entries, max_tokens=SMALL, compression=summary), most)


def due_in(shown: Scene, most: int = MOST) -> Compression | None:
    up_to = due_up_to(shown, most)
    return compression_of(shown, up_to) if up_to else None


def summary(up_to_seq: int, text: str = "so far") -> CompressionSummary:
    return CompressionSummary(up_to_seq=up_to_seq, text=text, made_at=NOW)


def asked(compression: Compression) -> str:
    assert compression.prompt
    return texts_of(compression.prompt)


def test_while_all_has_room_nothing_is_due() -> None:
    assert due() is None
    assert due(*long_talk(20)) is None
    assert due(*long_talk(300)[250:], summary=summary(250)) is None


def test_before_anything_is_cut_the_older_half_is_due() -> None:
    talk = long_talk(400)
    full = next(n for n in range(20, 400) if due(*talk[:n]))
    uncut = assemble_prompt(scene(*talk[:full], max_tokens=SMALL)).size
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
    again = next(n for n in range(full, 400) if due(*talk[:n], summary=summary(made.up_to_seq)))
    assert again - full > 0.3 * full
    after = assemble_prompt(scene(*talk[:full], max_tokens=SMALL, compression=summary(made.up_to_seq))).size
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
        assert found.prompt
        assert found.prompt.characters <= SMALL * 2
        done, rounds = found.up_to_seq, rounds + 1
    assert rounds > 3
    assert done > 2_800


def test_what_left_the_window_before_it_was_summarised_is_due_at_once() -> None:
    talk = long_talk(600)
    assert due_up_to(scene(*talk[400:420], compression=summary(400)), 200) == 0
    behind = scene(*talk[400:420], compression=summary(100))
    assert due_up_to(behind, 200) == 400
    assert due_up_to(scene(*talk[400:420]), 200) == 400
    first = compression_of(replace(behind, entries=talk[100:160]), 400)
    assert (first.up_to_seq, "day it was 101\n" in asked(first), "day it was 160\n" in asked(first)) == (
        160,
        True,
        True,
    )
    last = compression_of(
        replace(behind, entries=talk[380:440], earlier=PromptBackground(compression=summary(380))), 400
    )
    assert (last.up_to_seq, "day it was 400\n" in asked(last), "day it was 401\n" in asked(last)) == (400, True, False)


def test_no_message_is_shortened_because_others_stand_before_it() -> None:
    entries = [said(f"BEGIN{n} {'x' * 2_900} END{n}", seq=n, message_id=n) for n in range(1, 9)]
    found = compression_of(scene(*entries, max_tokens=SMALL), 8)
    assert 1 <= found.up_to_seq < 8
    for n in range(1, 9):
        assert (f"END{n}" in asked(found)) is (f"BEGIN{n}" in asked(found)) is (n <= found.up_to_seq)
    assert "[cut:" not in asked(found)


def test_a_stretch_that_tells_nothing_asks_nobody() -> None:
    pressed = [ButtonPress(seq=n, at=NOW, message_id=1, author=ANN, query_id="q", data="d") for n in range(11, 21)]
    found = compression_of(scene(*pressed, compression=summary(10)), 40)
    assert (found.prompt, found.up_to_seq) == (None, 20)
    assert compression_of(scene(compression=summary(10)), 40).up_to_seq == 10


def test_what_was_edited_after_the_record_is_read_again() -> None:
    edited = Edit(seq=30, at=NOW, message_id=101, author=BOB, text="meet at 7")
    talk = [said("meet at 5", BOB, 101, seq=1), *long_talk(29)[1:], edited]
    assert "meet at 7 [edited]" in asked(compression_of(scene(*talk, compression=summary(20)), 30))
    assert "meet at 7 [edited]" in asked(compression_of(scene(*talk[20:], compression=summary(20)), 30))


def test_what_is_not_stored_yet_is_not_summarised() -> None:
    fresh = [said("x" * 400, ANN, n) for n in range(1, 100)]
    found = due(*long_talk(5), *fresh)
    assert found
    assert found.up_to_seq == 5


def test_a_giant_message_is_shortened_for_the_record() -> None:
    found = due(said("x" * 30_000, seq=1), *long_talk(200)[1:])
    assert found
    assert found.prompt
    assert found.prompt.characters <= SMALL * 2


def test_messages_are_written_compactly_and_named_whatever_the_format() -> None:
    meta = due_in(scene(*long_talk(300), max_tokens=SMALL, format=PromptFormat.META))
    assert meta
    assert meta.prompt
    assert "Ann#000001: what a day it was 3\n" in asked(meta)
    assert "lull: what a day it was 2\n" in asked(meta)
    assert "[meta]" not in asked(meta)
    assert "for lull, who takes part" in meta.prompt.system.replace("\n", " ")


@PROPERTY
@given(talks(most=30), TEXTS)
def test_nobody_can_break_out_of_the_record(entries: tuple[AnyEntry, ...], so_far: str) -> None:
    found = due(*entries, most=4, summary=summary(1, so_far))
    if found is not None and found.prompt is not None:
        lines = [line for line in asked(found).splitlines() if not line.startswith("  ")]
        assert not any(marker_in(without_own_marks(TIME.sub("", line))) for line in lines)
        assert lines.count("The messages:") == 1
        assert lines[-1].endswith(". Write the record now.")


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


def test_its_reply_has_an_end_so_that_what_it_may_cost_is_left_to_most_people() -> None:
    found = due(*long_talk(400))
    assert found is not None
    assert found.prompt
    assert found.prompt.reply_tokens == found.longest + THOUGHT_TOKENS


def test_a_summary_may_take_its_share_of_the_prompt() -> None:
    small, large = (due_in(scene(*long_talk(3_000), max_tokens=size)) for size in (SMALL, 100_000))
    assert small
    assert large
    assert small.prompt
    assert large.prompt
    assert (small.longest, large.longest) == (1_200, LONGEST_SUMMARY)
    assert "at most 100 words" in small.prompt.system
    assert "at most 500 words" in large.prompt.system


def test_the_schema_asks_for_one_text() -> None:
    assert SCHEMA["required"] == ["summary"]


def test_who_wrote_pays_by_their_share_and_can_be_left_out() -> None:
    talk = [said("a" * 300, ANN, 1, seq=1), said("b" * 100, BOB, 2, seq=2), said("hm", ME, 3, seq=3)]
    group = replace(scene(*talk), chat=Chat(key=GROUP_KEY))
    whole, without = compression_of(group, 3), compression_of(group, 3, {ANN.id})
    assert whole.writers.keys() == {ANN.id, BOB.id}
    assert whole.writers[ANN.id] > 2 * whole.writers[BOB.id]
    assert ("a" * 300 in asked(without), "b" * 100 in asked(without), without.up_to_seq) == (False, True, 3)
    assert without.writers.keys() == {BOB.id}
    nobody = compression_of(group, 3, {ANN.id, BOB.id})
    assert (nobody.prompt, nobody.up_to_seq) == (None, 3)


def test_each_message_stands_under_its_day_with_its_time_and_today_is_told() -> None:
    days = [datetime(2026, 3, day, hour, 30, tzinfo=UTC) for day, hour in ((1, 9), (1, 22), (2, 7))]
    talk = [said(f"the ferry leaves tomorrow {n}", seq=n, message_id=n, at=at) for n, at in enumerate(days, 1)]
    now = datetime(2026, 3, 9, 12, tzinfo=UTC)
    lines = asked(compression_of(replace(scene(*talk), now=now), 3)).splitlines()
    told = [line.partition(" Ann")[0] for line in lines if line.startswith(("== ", "0", "2"))]
    assert told == ["== Sunday 2026-03-01 ==", "09:30", "22:30", "== Monday 2026-03-02 ==", "07:30"]
    assert lines[-1] == "Today is Monday 2026-03-09. Write the record now."
    there = scene(*talk, timezone="Asia/Tokyo")
    assert "== Monday 2026-03-02 ==\n07:30 Ann" in asked(compression_of(there, 3)), "the days are those of the chat"


def test_words_that_name_a_day_are_to_become_dates() -> None:
    found = compression_of(scene(*long_talk(3)), 3)
    assert found.prompt
    assert "write dates instead of words" in " ".join(found.prompt.system.split())
