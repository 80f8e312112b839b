"""/people: from their own chat, the owner ends the silence of another chat."""

import pytest

from shared.access.commands.people import UnmutedChat, wake_chat
from shared.reminders.wake_buttons import owner_wake_buttons
from shared.values.button_data import WAKE
from tests.shared.commands.requests import asked
from tests.shared.letting_in import answer
from tests.shared.own_words import ENGLISH
from tests.shared.turn.harness import ChatHarness


async def test_a_silence_ends_by_an_update_however_often_it_is_asked_for(
    harness: ChatHarness, group: ChatHarness
) -> None:
    await answer(group, f"/mute@{group.backend.username}")
    (offer,) = owner_wake_buttons(ENGLISH, group.key)
    request = asked(offer.argument, now=group.clock.now)
    ports = group.tick_services.agents["lull"].dispatcher.ports
    for _ in range(2):
        assert await wake_chat(request, ports) == UnmutedChat("A room")
    assert await harness.backend.chats.unread_count(group.key) == 1
    await group.rests()
    assert not (await group.document()).is_muted(group.clock.now)
    (event,) = [e for e in await group.transcript() if e.get("kind") == "woken"]
    assert event["note"] == "the owner has the agent answer again"
    assert await wake_chat(request, ports) == UnmutedChat("A room")
    assert await harness.backend.chats.unread_count(group.key) == 0, "it is not silent any more"


@pytest.mark.parametrize("argument", [WAKE, f"{WAKE}x", "wp5"])
async def test_ignores_a_button_without_a_chat(harness: ChatHarness, argument: str) -> None:
    assert await wake_chat(asked(argument), harness.tick_services.agents["lull"].dispatcher.ports) is None


async def test_a_private_chat_is_called_by_whom_it_is_with(harness: ChatHarness) -> None:
    await answer(harness, "/mute")
    (offer,) = owner_wake_buttons(ENGLISH, harness.key)
    found = await wake_chat(
        asked(offer.argument, now=harness.clock.now), harness.tick_services.agents["lull"].dispatcher.ports
    )
    assert found is not None
    assert found.name.startswith("Guest ")
