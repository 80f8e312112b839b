"""Leaving a group."""

import pytest

from shared.access.tasks.leave import Leave
from shared.base.errors import ChatUnreachable
from shared.tasks.registry import kinds, unlockable
from shared.tasks.task import DeliveryContext
from shared.values.channel import Recipient
from tests.shared.examples import ME, NOW
from tests.shared.turn.harness import ChatHarness


def test_no_model_plans_it() -> None:
    assert kinds()["leave"] is Leave
    assert "leave" not in unlockable()


async def test_the_agent_is_gone_and_nothing_is_said(harness: ChatHarness) -> None:
    channel, backend = harness.tick_services.agents["lull"].runner.channel, harness.backend
    body = {"type": "supergroup", "title": "Trip", "members": [harness.person], "bots": [backend.bot_id]}
    group = (await backend.telegram.post("/world/chats", json=body)).raise_for_status().json()
    assert await channel.is_member(group["id"], backend.bot_id)
    context = DeliveryContext(channel=channel, to=Recipient(chat_id=group["id"]), author=ME, clock=lambda: NOW)
    delivered = await Leave(id="l").deliver(0, context)
    assert (delivered.entries, delivered.message_ids) == ((), ())
    with pytest.raises(ChatUnreachable):
        await channel.member_count(group["id"])
