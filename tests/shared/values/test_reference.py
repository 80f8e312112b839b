"""File references, the jobs that describe files, and the updates for chats."""

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from shared.telegram.inbound.entries import entry_of
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import MediaDescribed
from shared.values.reference import (
    MEDIA_DESCRIBED,
    MOST_MESSAGES,
    DescribeRequest,
    FileReference,
    describe_again_job,
    describe_job,
    left_over_job,
    media_described_update,
)
from shared.values.wake import Queue
from tests.shared.examples import BOT_ID, GROUP_KEY, KEY, NOW, SECOND

PHOTO = MediaRef(kind=MediaKind.PHOTO, file_id="f-of-lull", unique_id="u1")
CAT = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat")


def sent(**fields: Any) -> FileReference:
    usual: dict[str, Any] = {
        "ref": PHOTO,
        "agent": "lull",
        "chat": GROUP_KEY.id,
        "chat_kind": ChatKind.SUPERGROUP,
        "person": 1,
        "message_ids": (5,),
        "at": NOW,
        "try_at": NOW,
    }
    return FileReference(**usual | fields)


def test_each_sender_in_each_chat_has_one_of_their_own() -> None:
    ids = {sent().id, sent(person=2).id, sent(chat=KEY.id).id, sent(ref=evolve(PHOTO, unique_id="b")).id}
    assert len(ids) == 4
    assert sent(message_ids=(6,), at=NOW + SECOND).id == sent().id
    assert (sent().key, sent(chat="").key) == (GROUP_KEY, None)


def test_each_agent_has_one_of_a_sticker_that_nobody_sent() -> None:
    ours, theirs = (sent(agent=agent, chat="", person=0) for agent in ("lull", "moss"))
    assert ours.id != theirs.id


def test_one_job_is_for_all_who_sent_the_file() -> None:
    job, other = describe_job(sent(), NOW), describe_job(sent(person=2, chat=KEY.id), NOW + SECOND)
    assert (job.name, job.queue, job.function) == (other.name, Queue.MEDIA, "describe_media")
    assert DescribeRequest.model_validate_json(job.body).reference == sent()
    again = describe_again_job(sent(), NOW)
    assert again.name != job.name
    order = DescribeRequest.model_validate_json(again.body)
    assert (order.reference, order.tells_again) == (sent(), True)


def test_one_job_for_what_is_left_over_is_for_a_slot() -> None:
    job, twice, next_one = (left_over_job(slot, NOW, "00-1") for slot in ("12:00", "12:00", "12:05"))
    assert (job, job.function, job.queue, job.at) == (twice, "describe_media", Queue.MEDIA, NOW)
    assert job.traceparent == "00-1"
    assert DescribeRequest.model_validate_json(job.body) == DescribeRequest()
    assert len({job.name, next_one.name, describe_job(sent(), NOW).name}) == 3
    assert len(job.name) == 40


def test_a_chat_reads_the_update_as_an_entry() -> None:
    update = media_described_update([sent(), sent(person=2, message_ids=(9, 7))], CAT, NOW)
    assert update.envelope.key == GROUP_KEY
    entry = entry_of(update, BOT_ID)
    assert isinstance(entry, MediaDescribed)
    assert (entry.message_ids, entry.unique_id, entry.description, entry.kind) == ((5, 7, 9), "u1", CAT, PHOTO.kind)
    assert entry.holds_outside


def test_the_same_is_told_once_and_more_again() -> None:
    first = media_described_update([sent()], CAT, NOW)
    assert (
        media_described_update([sent()], CAT, NOW + timedelta(hours=1)).envelope.update_id == first.envelope.update_id
    )
    assert media_described_update([sent(message_ids=(6,))], CAT, NOW).envelope.update_id != first.envelope.update_id
    # above the ids of Telegram and of reminders, and exact in JavaScript
    assert 9 * 10**15 < first.envelope.update_id < 2**53


def test_a_forged_update_is_an_event() -> None:
    update = media_described_update([sent()], CAT, NOW)
    update.raw[MEDIA_DESCRIBED]["description"] = "nonsense"
    assert not isinstance(entry_of(update, BOT_ID), MediaDescribed)


@pytest.mark.parametrize(
    "odd",
    [
        {"chat": "x"},
        {"chat": "00000000.lull.1.0"},
        {"chat": GROUP_KEY.id + "/pages"},
        {"ref": evolve(PHOTO, unique_id="a/b").model_dump()},
        {"at": "2026-01-01T00:00:00"},
        {"try_at": "2026-01-01T00:00:00"},
    ],
    ids=range(6),
)
def test_one_of_which_nobody_could_be_told_is_none(odd: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        FileReference.model_validate(sent().model_dump() | odd)


def test_a_chat_is_told_of_whatever_a_reference_may_hold() -> None:
    ids = (-1, 0, 2**62, *range(2 * 10 * MOST_MESSAGES))
    odd = sent(conversation="\U0001f408", person=-(2**62), message_ids=ids)
    entry = entry_of(media_described_update([odd, sent(message_ids=())], CAT, NOW), BOT_ID)
    assert isinstance(entry, MediaDescribed)
    assert len(entry.message_ids) == MOST_MESSAGES
