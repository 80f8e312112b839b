"""The view of memories: by person, chat and agent.

Handlers import what they need, so that the function starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound
from shared.values.memory import MemoryOwner

if TYPE_CHECKING:
    from datetime import datetime

    from shared.console.services import ConsoleServices
    from shared.memory.by_owner import MemoriesByOwner
    from shared.memory.owner_changes import OwnerChange


async def list_memories(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of the people, chats and agents that memories are about."""
    from shared.console import memories

    asked = request.query.get("agent", "")
    agents = [one for one in request.agents if asked in {"", one}]
    return await memories.list_owners(services, agents, request.query.get("cursor", ""))


async def read_memories(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the memories of one person, chat or agent."""
    from shared.console import memories

    return await memories.read_memories(services, memories.owner_named(request.path["owner"], request.agents))


async def edit(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Replace the text of a memory."""
    from shared.memory.owner_changes import edit_memory

    memory, text = text_in(request, "memory"), text_in(request, "text")
    return await _change(services, request, "memory.edit", lambda owned, now: edit_memory(owned, memory, text, now))


async def delete(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Delete a memory."""
    from shared.memory.owner_changes import delete_memory

    memory = text_in(request, "memory")
    return await _change(services, request, "memory.delete", lambda owned, now: delete_memory(owned, memory, now))


async def adopt(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Turn a memory from quoted text into an ordinary one."""
    from shared.memory.owner_changes import adopt_memory

    memory, most = text_in(request, "memory"), services.knowledge.person_memories
    return await _change(services, request, "memory.adopt", lambda owned, now: adopt_memory(owned, memory, now, most))


async def move(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Move a memory to another person, chat or agent."""
    from shared.console import memories
    from shared.memory.owner_changes import move_memory

    memory, source = text_in(request, "memory"), _owner(request)
    target = memories.owner_named(text_in(request, "to"), request.agents)
    owner, most = await memories.owner_of_agent(services, source.agent), services.knowledge.person_memories
    return await _change(
        services, request, "memory.move", lambda owned, _: move_memory(owned, memory, target, owner, most), target
    )


async def share(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Let groups see a memory if the body's `is_shared` is true; otherwise hide the memory from groups."""
    from shared.console import memories
    from shared.memory.owner_changes import share_memory

    memory, owner, is_shared = text_in(request, "memory"), _owner(request), request.body.get("is_shared") is True
    agents_owner = await memories.owner_of_agent(services, owner.agent)
    return await _change(
        services, request, "memory.share", lambda owned, _: share_memory(owned, memory, is_shared, agents_owner)
    )


async def undo(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Restore a memory as it was before a change. The body has the signed data that the change returned."""
    from shared.console import memories

    stored = memories.open_undo(services.secret, request.body.get("sealed"))
    owner = memories.owner_named(stored["owner"], request.agents)
    moved_to = memories.owner_named(stored["moved_to"], request.agents) if stored["moved_to"] else None
    memory = memories.memory_before(owner, stored["memory"])
    async with services.record_change(request, "memory.undo", memory.id):
        await memories.undo_change(services, owner, moved_to, memory)
    return {}


async def take_offer(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Store the memory that an offer would store, as if the person had pressed its button."""
    from shared.console import memories
    from shared.console.memory_offers import adopt_offer, find_offer

    place = request.body.get("place")
    chat = await memories.find_chat(services, text_in(request, "chat"), request.agents)
    now, most = services.clock(), services.knowledge.person_memories
    offer = find_offer(chat, text_in(request, "keyboard"), place if isinstance(place, int) else -1, now)
    if offer is None:
        raise BadRequest("offer_gone")
    owner = await memories.owner_of_agent(services, chat.key.agent)
    async with services.record_change(request, "memory.take_offer") as click:
        await memories.change_memories(
            services, offer.audience.owners, lambda owned: adopt_offer(owned, offer, owner, click.at, most)
        )
    return {}


async def _change(
    services: ConsoleServices,
    request: ConsoleRequest,
    action: str,
    change: Callable[[MemoriesByOwner, datetime], OwnerChange],
    target: MemoryOwner | None = None,
) -> Mapping[str, Any]:
    """Make and record a change. Return the signed data for undoing it; null if the request is repeated.

    `target` is the new owner of a memory that is moved.
    """
    from shared.console import memories
    from shared.memory.owner_changes import GONE

    memory, owners = text_in(request, "memory"), [_owner(request), *([target] if target is not None else [])]
    async with services.record_change(request, action, memory) as click:
        try:
            before, _ = await memories.change_memories(services, owners, lambda owned: change(owned, click.at))
        except BadRequest:
            if click.is_repeated:  # it was made before
                return {"undo": None}
            raise
        if (found := before.find(memory)) is None:
            raise BadRequest(GONE)
    undo = {
        "owner": memories.name_of_owner(found[0]),
        "memory": found[1].model_dump(mode="json"),
        "moved_to": memories.name_of_owner(target) if target is not None else "",
    }
    return {"undo": None if click.is_repeated else memories.seal_undo(services.secret, undo)}


def _owner(request: ConsoleRequest) -> MemoryOwner:
    from shared.console import memories

    return memories.owner_named(text_in(request, "owner"), request.agents)


def text_in(request: ConsoleRequest, name: str) -> str:
    """Return a text of the request's body. Raises NotFound if it is missing."""
    found = request.body.get(name)
    if not isinstance(found, str):
        raise NotFound
    return found


ROUTES = (
    ConsoleRoute("GET", "/api/memories", list_memories),
    ConsoleRoute("GET", "/api/memories/{owner}", read_memories),
    ConsoleRoute("POST", "/api/memories/edit", edit),
    ConsoleRoute("POST", "/api/memories/delete", delete),
    ConsoleRoute("POST", "/api/memories/adopt", adopt),
    ConsoleRoute("POST", "/api/memories/move", move),
    ConsoleRoute("POST", "/api/memories/share", share),
    ConsoleRoute("POST", "/api/memories/undo", undo),
    ConsoleRoute("POST", "/api/memories/offers", take_offer),
)
