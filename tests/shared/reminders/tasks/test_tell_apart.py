"""Tests of the task `tell_apart`: it is sent without being recorded."""

import pytest

from shared.reminders.tasks.tell_apart import SendUnrecorded
from shared.tasks.registry import kinds, unlockable
from shared.tasks.task import TOLD, DeliveryContext
from shared.values.channel import Button, Recipient
from shared.values.reminder import ReminderRef
from tests.shared.examples import ANN, ME, NOW
from tests.shared.turn.harness import ChatHarness


def test_is_not_planned_by_models() -> None:
    assert kinds()["tell_apart"] is SendUnrecorded
    assert "tell_apart" not in unlockable()
    assert not SendUnrecorded.traits.on_failure.is_told, "the conversation would be told its words"


def test_refers_to_its_notice() -> None:
    said = ReminderRef(id="abc", person=ANN.id, due_at=NOW, is_notice=True)
    task = SendUnrecorded(id="t", text="x", reminder=said)
    assert (task.reminder_ref, SendUnrecorded(id="t", text="x").reminder_ref) == (said, None)
    assert task.without_text() == SendUnrecorded(id="t", text=TOLD, reminder=said)
    assert not task.typing_time()


async def test_is_sent_without_an_entry(harness: ChatHarness) -> None:
    context = DeliveryContext(
        channel=harness.tick_services.agents["lull"].runner.channel,
        to=Recipient(chat_id=harness.key.chat_id),
        author=ME,
        clock=lambda: NOW,
        entries=(),
        plan_id="p",
        buttons=(Button("Yes", "requests:conv-1:lx"),),
    )
    delivered = await SendUnrecorded(id="t", text="**Ann** asks").deliver(0, context)
    assert delivered.entries == ()
    assert len(delivered.message_ids) == 1
    assert await harness.said() == ["Ann asks"]


@pytest.mark.parametrize(
    ("buttons", "is_protected"),
    [
        ((Button("Yes", "requests:conv-1:lx"),), True),
        ((Button("Next", "people:conv-1:p1"),), True),
        ((Button("Revoke", "invite:conv-1:rabc"),), False),
        ((), False),
    ],
)
async def test_protects_strangers_words_from_forwarding(
    harness: ChatHarness, buttons: tuple[Button, ...], is_protected: bool
) -> None:
    context = DeliveryContext(
        channel=harness.tick_services.agents["lull"].runner.channel,
        to=Recipient(chat_id=harness.key.chat_id),
        author=ME,
        clock=lambda: NOW,
        buttons=buttons,
    )
    (sent,) = (await SendUnrecorded(id="t", text="Eve asks").deliver(0, context)).message_ids
    body = {"from": harness.person, "forward_of": {"chat": harness.chat, "message_id": sent}}
    answer = await harness.backend.telegram.post(f"/world/chats/{harness.chat}/messages", json=body)
    assert (answer.status_code == 403) == is_protected, answer.text
