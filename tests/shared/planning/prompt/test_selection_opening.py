"""The opening: an hour and twenty messages before the message to be answered, and everything after it."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.compression import due_up_to
from shared.planning.prompt.history import HistoryMessage, history_of
from shared.planning.prompt.selection import LONGEST, MOST_MESSAGES, begin_of_opening
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Event, Message
from tests.shared.examples import ANN, BOB, ME, NOW, PROPERTY, said
from tests.shared.planning.prompt.scenes import GROUP, scene, texts_of

MINUTE = timedelta(minutes=1)


def talk(count: int, step: timedelta = MINUTE) -> list[Message]:
    """Return numbered messages, the last of them now."""
    authors = (ANN, BOB, ME)
    return [
        said(f"line {n}", authors[(count - n) % 3], 100 + n, seq=n, at=NOW - (count - n) * step)
        for n in range(1, count + 1)
    ]


def begin(entries: list[AnyEntry], target: int) -> int:
    items = history_of(entries)
    return begin_of_opening(
        items, [n for n, i in enumerate(items) if isinstance(i, HistoryMessage) and i.seq == target]
    )


def test_at_most_twenty_messages_are_shown() -> None:
    assert begin([*talk(50)], 50) == 49 - MOST_MESSAGES
    assert begin([*talk(15)], 15) == 0


def test_at_most_an_hour_is_shown() -> None:
    assert begin([*talk(50, 10 * MINUTE)], 50) == 49 - 6
    assert begin([*talk(2, LONGEST)], 2) == 0
    assert begin([*talk(2, LONGEST + MINUTE)], 2) == 1


def test_what_nobody_said_counts_for_nothing() -> None:
    happened = [Event(seq=100 + n, at=NOW, kind="plan", note="something happened") for n in range(30)]
    first, second = talk(2)
    assert begin([first, *happened, second], 2) == 0
    old = evolve(first, at=NOW - timedelta(hours=2))
    assert begin([old, *happened, second], 2) == 31


def test_from_the_first_message_to_be_answered_on_all_is_shown() -> None:
    entries = talk(90)
    assert begin([*entries], 10) == 0
    assert begin_of_opening(history_of(entries), [30, 89]) == 30 - MOST_MESSAGES
    assert begin_of_opening(history_of(entries), []) == 0


@PROPERTY
@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=60), st.data())
def test_it_is_never_more_than_that(seconds: list[int], data: st.DataObject) -> None:
    ats = [NOW + timedelta(seconds=sum(seconds[: n + 1])) for n in range(len(seconds))]
    items = history_of([said("x", message_id=n, seq=n, at=at) for n, at in enumerate(ats, 1)])
    target = data.draw(st.integers(0, len(items) - 1))
    first = begin_of_opening(items, [target])
    assert 0 <= first <= target
    assert target - first <= MOST_MESSAGES
    assert ats[target] - ats[first] <= LONGEST
    assert first == 0 or target - first == MOST_MESSAGES or ats[target] - ats[first - 1] > LONGEST


def test_a_prompt_says_what_it_leaves_out_and_a_talk_that_goes_on_leaves_nothing_out() -> None:
    entries = talk(50)
    opening = texts_of(assemble_prompt(scene(*entries, chat=GROUP, targets=[150], is_start=True)))
    assert "[earlier: 29 older messages are not shown; there is no summary of them]" in opening
    assert "line 29" not in opening
    assert all(f"line {n}" in opening for n in range(30, 51))
    going_on = texts_of(assemble_prompt(scene(*entries, chat=GROUP, targets=[150])))
    assert "[earlier" not in going_on
    assert "line 1\n" in going_on


def test_a_prompt_without_room_for_it_is_cut_as_ever() -> None:
    entries = [evolve(message, text=f"{message.text} {'x' * 800}") for message in talk(50)]
    prompt = assemble_prompt(scene(*entries, chat=GROUP, targets=[150], is_start=True, max_tokens=3_000))
    assert prompt.size is not None
    assert prompt.size.tokens <= 3_000
    assert "line 50" in texts_of(prompt)
    assert "line 30 " not in texts_of(prompt)


def test_a_summary_is_of_everything_all_the_same() -> None:
    entries = [evolve(message, text="x" * 800) for message in talk(50)]
    whole = due_up_to(scene(*entries, targets=[150], max_tokens=3_000), 50)
    assert whole
    assert due_up_to(scene(*entries, targets=[150], max_tokens=3_000, is_start=True), 50) == whole
