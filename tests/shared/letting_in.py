"""Rooms whose agent somebody owns: what the owner and others write in theirs, and what comes of it."""

from dataclasses import replace
from typing import Any

from shared.access.checker import AccessChecker
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.values.trust import NOW, AccessList
from shared.values.update import Json
from tests.shared.buttons import labels_of, place_of
from tests.shared.turn.room import Room


def close(here: Room) -> None:
    """Have the agent turn strangers away in a room, as it does in the cloud."""
    _hang(here, is_open=False)


def _hang(here: Room, *, is_open: bool) -> None:
    services = here.tick_services.agents["lull"]
    door = AccessChecker.of(services.runner.agent, services.dispatcher.ports, here.clock, is_open=is_open)
    here.tick_services = replace(here.tick_services, agents={"lull": replace(services, admission=door)})


async def own(here: Room) -> None:
    """Have the person of a room own the agent, which knows them from then on and answers everybody."""
    _hang(here, is_open=True)
    await here.tick_services.agents["lull"].dispatcher.ports[FirestoreOwners].claim("lull", here.person, here.clock.now)
    here.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessLists].drop("lull")


async def access_list(here: Room) -> AccessList:
    """The agent's access list, as it is kept."""
    return await here.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessLists].access_list("lull", NOW)


async def answer(here: Room, text: str, **more: Any) -> Json:
    """What the agent says to what the person writes."""
    await here.writes(text, **more)
    await here.rests()
    return (await here.messages())[-1]


async def press(here: Room, message: Json, label: str, **more: Any) -> Json:
    """The message after the button of a label was pressed."""
    await here.presses(message, place_of(message, label), **more)
    await here.rests()
    return next(m for m in await here.messages() if m["message_id"] == message["message_id"])


def labels(message: Json) -> list[str]:
    """What the buttons of a message say."""
    return labels_of(message)
