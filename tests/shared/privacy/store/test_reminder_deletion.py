"""Reminders in the real Firestore from which only a person's words are removed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.base.errors import WriteConflict
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.outbox import encode_notice
from shared.privacy.store.person_deletion import FirestorePersonDeletion
from shared.reminders.store import decode_reminder, encode_reminder
from shared.values.evolve import evolve
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder

AT = datetime(2026, 5, 9, tzinfo=UTC)


async def keep(chats: FirestoreChats, name: str, **fields: Any) -> Reminder:
    made = Reminder(id=name, agent="lull", chat="c", person=5, text="tea", next_at=AT, set_at=AT, **fields)
    await chats.client.document(paths.event_path(name)).set(encode_reminder(made) | {"later": 1})
    return made


def erased(reminder: Reminder | OutboxNotice) -> Reminder | OutboxNotice:
    return reminder if reminder.id == "other" else evolve(reminder, text="[erased]")


async def test_only_what_changes_is_written_and_its_time_stays(chats: FirestoreChats) -> None:
    mine, other = await keep(chats, "mine", rule="FREQ=DAILY"), await keep(chats, "other")
    assert await FirestorePersonDeletion(chats.client).erase_from_reminders(["c", "d"], erased) == 1
    found = (await chats.client.document(paths.event_path("mine")).get()).to_dict() or {}
    assert decode_reminder(found) == evolve(mine, text="[erased]")
    assert (found["later"], found["open_in"]) == (1, "c"), "what this lull does not know stays"
    left = (await chats.client.document(paths.event_path("other")).get()).to_dict() or {}
    assert decode_reminder(left) == other


async def test_a_notice_loses_them_too(chats: FirestoreChats) -> None:
    told = OutboxNotice(id="told", agent="lull", chat="c", person=5, text="lost: tea", next_at=AT, set_at=AT)
    new, of_before = (
        encode_notice(told) | {"offers": []},
        {"thread": 0, "rule": "", "instruction": "", "open_for": "lull 5"},
    )
    for name, document in (("new", new), ("old", new | of_before)):
        await chats.client.document(paths.event_path(name)).set(document | {"id": name})
    assert await FirestorePersonDeletion(chats.client).erase_from_reminders(["c"], erased) == 2
    for name, document in (("new", new), ("old", new | of_before)):
        found = (await chats.client.document(paths.event_path(name)).get()).to_dict() or {}
        assert found == document | {"id": name, "text": "[erased]"}


async def test_one_that_a_tick_changed_meanwhile_is_tried_again(chats: FirestoreChats) -> None:
    await keep(chats, "mine")

    def changes(reminder: Reminder | OutboxNotice) -> Reminder | OutboxNotice:
        raise_if_stale.append(reminder)
        return evolve(reminder, text="[erased]")

    raise_if_stale: list[Reminder | OutboxNotice] = []
    original = chats.client.write_option

    def stale(**option: Any) -> Any:
        return original(last_update_time=option["last_update_time"] - timedelta(seconds=1))

    chats.client.write_option = stale  # type: ignore[method-assign]
    with pytest.raises(WriteConflict):
        await FirestorePersonDeletion(chats.client).erase_from_reminders(["c"], changes)
    assert len(raise_if_stale) == 1


async def test_one_that_only_a_newer_lull_knows_loses_its_words_too(chats: FirestoreChats) -> None:
    await keep(chats, "mine")
    place, odd = chats.client.document(paths.event_path("mine")), {"last": "postponed", "person": ["?"]}
    await place.update(odd)
    assert await FirestorePersonDeletion(chats.client).erase_from_reminders(["c"], erased) == 1
    found = (await place.get()).to_dict() or {}
    assert (found["text"], found["next_at"], found["agent"]) == ("[erased]", AT, "lull")
    assert {name: found[name] for name in odd} == odd
