"""Rooms whose agent somebody owns: what the owner and others write in theirs, and what comes of it."""

from dataclasses import replace
from typing import Any

from shared.access.checker import AccessChecker
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.values.trust import NOW, AccessList
from shared.values.update import Json
from tests.shared.buttons import labels_of, place_of
from tests.shared.turn.harness import ChatHarness


def close(harness: ChatHarness) -> None:
    """Let the agent turn strangers away in a room, as in a deployment."""
    _hang(harness, is_open=False)


def _hang(harness: ChatHarness, *, is_open: bool) -> None:
    services = harness.tick_services.agents["lull"]
    door = AccessChecker.of(services.runner.agent, services.dispatcher.ports, harness.clock, is_open=is_open)
    harness.tick_services = replace(harness.tick_services, agents={"lull": replace(services, admission=door)})


async def own(harness: ChatHarness) -> None:
    """Make the person of a room the agent's owner, and let the agent answer everybody."""
    _hang(harness, is_open=True)
    await (
        harness.tick_services.agents["lull"]
        .dispatcher.ports[FirestoreOwners]
        .claim("lull", harness.person, harness.clock.now)
    )
    harness.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessLists].drop("lull")


async def access_list(harness: ChatHarness) -> AccessList:
    """Read the agent's access list."""
    return await harness.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessLists].access_list("lull", NOW)


async def answer(harness: ChatHarness, text: str, **more: Any) -> Json:
    """Write as the person, and return the agent's answer."""
    await harness.writes(text, **more)
    await harness.rests()
    return (await harness.messages())[-1]


async def press(harness: ChatHarness, message: Json, label: str, **more: Any) -> Json:
    """Press the button with this label, and return the message after it."""
    await harness.presses(message, place_of(message, label), **more)
    await harness.rests()
    return next(m for m in await harness.messages() if m["message_id"] == message["message_id"])


def labels(message: Json) -> list[str]:
    """List the labels of a message's buttons."""
    return labels_of(message)
