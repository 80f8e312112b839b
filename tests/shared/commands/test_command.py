"""Common behaviour of commands: the request's model, and the declared ports."""

import pytest

from shared.base.errors import PortMissing
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.commands.command import Command, CommandRequest, CommandResponse
from shared.llm.ports.world import PortRegistry
from tests.shared.commands.requests import asked


def test_a_model_that_is_not_offered_any_more_is_not_used() -> None:
    assert asked().model == "big"
    assert asked(model="big-lite").model == "big-lite"
    assert asked(model="gone").model == "big"


async def _reaches(request: CommandRequest, ports: PortRegistry) -> int | None:
    return await ports[FirestoreOwners].owner(request.agent.name)


async def test_an_effect_does_not_reach_a_port_that_its_command_did_not_declare() -> None:
    command = Command(
        name="count",
        order=1,
        respond=lambda _: CommandResponse(),
        effect=_reaches,
        needs=(FirestoreChats,),
    )
    ports = command.ports_of(PortRegistry({FirestoreChats: None, FirestoreOwners: None}))
    with pytest.raises(PortMissing, match="no port FirestoreOwners; name it in `needs`; given: FirestoreChats"):
        await _reaches(asked(), ports)
