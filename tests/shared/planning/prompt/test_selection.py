"""Selection: the targets always, then the newest lines, from a stable beginning."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from shared.planning.prompt.scene import LEAST_TEXT
from shared.planning.prompt.selection import AROUND, Selection, select
from shared.values.message import AnyEntry, Author
from shared.values.prompt import CompressionSummary
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, ME, NOW, PROPERTY, said
from tests.shared.planning.prompt.scenes import long_talk, scene

ENDLESS = 10**9


def selection(*entries: AnyEntry, room: int = ENDLESS, **fields: Any) -> Selection:
    return select(scene(*entries, **fields), room)


def first_shown(found: Selection, room: int) -> int:
    return found.lines[min(found.lines_to_show(0, room))].item.seq


def test_with_room_for_all_all_are_shown() -> None:
    found = selection(*long_talk(40), targets=[140])
    shown = found.lines_to_show(*(found.length_of(places) for places in (found.immediate, frozenset(range(40)))))
    assert list(shown) == list(range(40))
    assert [line for line in shown.values() if line.is_shortened] == []


def test_the_immediate_are_the_targets_and_the_last_few() -> None:
    assert selection(*long_talk(40), targets=[103, 999]).immediate == {2, *range(40 - AROUND, 40)}
    assert selection(said("hi"), targets=[1]).immediate == {0}


def test_a_target_that_the_agent_wrote_is_none() -> None:
    assert selection(said("hi", ME), targets=[1]).targets == []


@PROPERTY
@given(st.integers(5, 300), st.integers(0, 4_000), st.integers(0, 9_000), st.integers(1, 500))
def test_what_is_shown_fits_and_ends_with_the_newest(count: int, immediate: int, recent: int, seed: int) -> None:
    entries = long_talk(count, "x" * (seed % 90))
    found = selection(*entries, targets=[100 + 3 * (seed % (count // 3) + 1) - 2])
    shown = found.lines_to_show(max(immediate, found.least), recent)
    assert sum(line.length for line in shown.values()) <= max(immediate, found.least) + recent
    assert set(found.targets) <= set(shown)
    places = list(shown)
    others = [place for place in places if place not in found.targets]
    assert not others or set(range(others[0], count)) <= set(places)


def test_the_first_line_stays_the_same_for_many_plans() -> None:
    talk = long_talk(500)
    room = 120 * len("Ann#000001: what a day it was 100 ")
    starts = [first_shown(selection(*talk[end - 150 : end]), room) for end in range(200, 500, 6)]
    assert starts == sorted(starts)
    assert len(set(starts)) <= 2 + 300 // 16
    assert all(start % 16 == 0 for start in starts)


def test_little_is_given_up_for_it() -> None:
    for end in range(150, 300, 7):
        found = selection(*long_talk(500)[:end])
        with_border = found.lines_to_show(0, 100 * 40)
        fit = next(n for n in range(1, end) if found.length_of(frozenset(range(end - n, end))) > 100 * 40) - 1
        assert len(with_border) > 0.74 * fit


def test_a_whole_conversation_begins_at_its_begin() -> None:
    talk = long_talk(50)
    assert first_shown(selection(*talk), ENDLESS) == 1
    assert selection(*talk[9:]).is_whole is False
    assert first_shown(selection(*talk[9:]), ENDLESS) == 16
    summary = CompressionSummary(up_to_seq=9, text="x", made_at=NOW)
    assert first_shown(selection(*talk[9:], compression=summary), ENDLESS) == 10


def test_what_a_summary_stands_for_is_not_shown_unless_it_is_to_be_answered() -> None:
    summary = CompressionSummary(up_to_seq=30, text="x", made_at=NOW)
    found = selection(*long_talk(40), compression=summary, targets=[103])
    assert [line.item.seq for line in found.lines] == [3, *range(31, 41)]
    unstored = selection(*long_talk(40), said("new", BOB, 200), compression=summary)
    assert [line.item.seq for line in unstored.lines] == [*range(31, 41), 0]


def test_long_targets_are_shortened_alike_and_short_ones_stay() -> None:
    entries = [said("a" * 3_000), said("b", BOB, 2), said("c" * 3_000, ANN, 3)]
    found = selection(*entries, targets=[1, 2, 3])
    long, short, other = found.lines_to_show(2_000, 0).values()
    assert (long.is_shortened, short.is_shortened, other.is_shortened) == (True, False, True)
    assert abs(len(long.shown.body) - len(other.shown.body)) <= 2
    assert 1_800 < long.length + short.length + other.length <= 2_000


def test_what_is_to_be_answered_is_whole_and_other_texts_only_if_there_is_room() -> None:
    entries = [said("a" * 3_000), said("b" * 3_000, ME, 2), said("c" * 3_000, ANN, 3)]
    roomy, tight = (selection(*entries, room=room, targets=[3], max_tokens=4_000) for room in (ENDLESS, 9_000))
    assert [line.is_shortened for line in roomy.lines] == [False, False, False]
    assert [line.is_shortened for line in tight.lines] == [True, True, False]
    assert all(900 < line.length < 1_100 for line in tight.lines[:2])


def test_who_is_introduced_by_a_line_that_is_not_shown_is_introduced_by_another() -> None:
    talk = long_talk(60)
    found = selection(*talk, format=PromptFormat.META)
    shown = list(found.lines_to_show(0, found.length_of(range(40, 60)) + 200).values())
    told = [line.shown.header for line in shown if not line.is_own]
    assert len(shown) < 60
    assert sum("user_id=" in header for header in told) == 2
    assert sum("time=2026-03-01T12:00Z" in header for header in told) == 1
    assert all("user_id=" in header for header in told[:2])


@PROPERTY
@given(st.integers(0, 3_000), st.sampled_from(PromptFormat))
def test_headers_that_grow_are_paid_for(room: int, prompt_format: PromptFormat) -> None:
    people = [Author(id=n, name=f"Ann{n} {'x' * 40}", username="y" * 30) for n in range(1, 8)]
    talk = [said("hm", people[n * n % 7], n, seq=n) for n in range(1, 90)]
    found = selection(*talk, format=prompt_format)
    shown = found.lines_to_show(0, room)
    assert sum(line.length for line in shown.values()) <= room


def test_of_too_many_targets_the_oldest_are_left_out() -> None:
    entries = [said("x" * 4_000, ANN, n, seq=n) for n in range(1, 61)]
    found = selection(*entries, targets=range(1, 61))
    shown = found.lines_to_show(3_000, 0)
    assert list(shown) == list(range(60 - len(shown), 60))
    assert len(shown) > 10
    assert all(len(line.parts[0]) >= LEAST_TEXT for line in shown.values())


def test_something_of_the_newest_target_is_always_left() -> None:
    for prompt_format in PromptFormat:
        found = selection(said("word " * 900), targets=[1], format=prompt_format)
        (line,) = found.lines_to_show(0, 0).values()
        assert sum(map(len, line.parts)) >= LEAST_TEXT
        assert line.length <= found.least
