"""Numbers of entries and turns."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from shared.chat.conversation import (
    LONGEST_TALK,
    begin_conversation,
    gets_first_title,
    leave_conversation,
    note_activity,
    number_entry,
    with_own_marks,
    with_seen_files,
)
from shared.values.chat import Chat, CurrentConversation
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.message import Edit, MediaDescribed
from shared.values.origin import MOST_MARKED
from tests.shared.examples import KEY, ME, said


def test_a_turn_is_what_people_wrote_and_its_answer() -> None:
    chat, turns = Chat(key=KEY), list[tuple[int, int]]()
    for entry in (said("a"), said("b"), said("c", author=ME), said("d")):
        chat, stored = number_entry(chat, entry)
        turns.append((stored.seq, stored.model_dump()["turn"]))
    assert turns == [(1, 1), (2, 1), (3, 1), (4, 2)]


BEGIN = datetime(2026, 11, 1, 12, tzinfo=UTC)
REST = timedelta(minutes=10)


def test_a_conversation_rests_some_minutes_after_its_last_word() -> None:
    chat = note_activity(note_activity(Chat(key=KEY), BEGIN, REST), BEGIN + timedelta(minutes=3), REST)
    assert chat.recall.rests_at == BEGIN + timedelta(minutes=13)


def test_one_that_never_rests_is_due_now_and_then_and_stays_so_for_the_time_of_a_rest() -> None:
    chat, due = Chat(key=KEY), set[datetime]()
    for minute in range(24 * 60):
        chat = note_activity(chat, BEGIN + timedelta(minutes=minute), REST)
        assert chat.recall.rests_at is not None
        if chat.recall.rests_at <= BEGIN + timedelta(minutes=minute):
            due.add(chat.recall.rests_at)
    times = sorted(due)
    assert len(times) == 3
    assert all(LONGEST_TALK <= b - a <= LONGEST_TALK + REST for a, b in pairwise(times))


def test_one_that_is_left_rests_at_once_and_the_next_begins_anew() -> None:
    chat = leave_conversation(
        note_activity(Chat(key=KEY, conversation="a", talk=CurrentConversation(seq=4)), BEGIN, REST),
        BEGIN + timedelta(minutes=1),
    )
    assert chat.recall.rests_at == BEGIN + timedelta(minutes=1)
    fresh = begin_conversation(chat, "b", 7)
    assert (
        fresh.conversation,
        fresh.talk.seq,
        fresh.talk.begun_by,
        fresh.recall.rests_at,
        fresh.recall.busy_since,
    ) == ("b", 0, 7, None, None)


@pytest.mark.parametrize(("turn", "had", "has"), [(0, False, False), (1, False, True), (0, True, True)])
def test_a_chat_has_a_past_once_somebody_was_answered_in_a_conversation_that_is_left(
    turn: int, had: bool, has: bool
) -> None:
    assert (
        leave_conversation(
            Chat(key=KEY, conversation="a", talk=CurrentConversation(turn=turn, has_past=had)), BEGIN
        ).talk.has_past
        is has
    )


@pytest.mark.parametrize(
    ("before", "turn", "title", "gets"),
    [
        (4, 5, "", True),
        (5, 5, "", False),
        (3, 7, "", True),
        (4, 5, "Mine", False),
        (0, 4, "", False),
        (9, 10, "", False),
    ],
)
def test_a_conversation_gets_its_first_title_when_it_comes_to_the_fifth_turn(
    before: int, turn: int, title: str, gets: bool
) -> None:
    chat = Chat(key=KEY, conversation="conv-1", talk=CurrentConversation(turn=turn, conversation_title=title))
    assert gets_first_title(Chat(key=KEY, conversation="conv-1", talk=CurrentConversation(turn=before)), chat) is gets
    assert gets_first_title(Chat(key=KEY, conversation="conv-0", talk=CurrentConversation(turn=40)), chat) is (
        turn >= 5 and not title
    )


def test_in_another_conversation_nothing_counts_as_read_before() -> None:
    assert (
        begin_conversation(Chat(key=KEY, talk=CurrentConversation(unmarked_seq=7)), "conv-2", 0).talk.unmarked_seq == 0
    )


def test_which_of_the_agents_messages_are_marked_is_known_from_the_first_on() -> None:
    hers, marked, plain = said("hi", message_id=4), said("page", ME, 5, holds_outside=True), said("yes", ME, 6)
    new = with_own_marks(Chat(key=KEY), [hers, marked, plain], is_first=True).talk.own_marks
    assert [new.excludes(one) for one in (3, 4, 5, 6)] == [False, True, False, True]
    older = with_own_marks(Chat(key=KEY), [hers, plain], is_first=False).talk.own_marks
    assert [older.excludes(one) for one in (5, 6, 7)] == [False, True, True], "what was sent before is not known"
    rewritten = with_own_marks(
        Chat(key=KEY, talk=CurrentConversation(own_marks=new)), [_rewriting(6)], is_first=False
    ).talk.own_marks
    assert not rewritten.excludes(6)


def test_the_oldest_marks_are_forgotten_and_nothing_is_known_before_then() -> None:
    chat = Chat(key=KEY)
    for number in range(1, MOST_MARKED + 3):
        chat = with_own_marks(chat, [said("page", ME, 10 * number, holds_outside=True)], is_first=number == 1)
    assert len(chat.talk.own_marks.marked) == MOST_MARKED
    assert [chat.talk.own_marks.excludes(one) for one in (15, 20, 25, 30, 35)] == [False, False, True, False, True]


def test_a_mark_goes_once_no_text_is_found_in_the_photo_that_made_it() -> None:
    answer = said("Nice.", ME, 2, holds_outside=True, unseen=("u",))
    chat = with_own_marks(Chat(key=KEY), [answer], is_first=True)
    garden = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a garden", written="")
    told = MediaDescribed(at=BEGIN, message_ids=(1,), kind=MediaKind.PHOTO, unique_id="u", description=garden)
    assert not with_seen_files(chat, [answer]).talk.own_marks.excludes(2)
    assert with_seen_files(chat, [answer, told]).talk.own_marks.excludes(2)
    page = evolve(told, description=evolve(garden, written="Obey"))
    assert not with_seen_files(chat, [answer, page]).talk.own_marks.excludes(2)


def _rewriting(message_id: int) -> Edit:
    return Edit(at=BEGIN, message_id=message_id, author=ME, text="page", holds_outside=True)
