"""Memories in Firestore that go, one field of their owner's document each."""

from collections.abc import Callable, Sequence
from typing import Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.transforms import DELETE_FIELD

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.memory.store import decode_forgotten, decode_memories
from shared.privacy.store.erasing_finding import Outline
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryOwner, MemoryScope, memories_of_chat

#: documents that are looked for by one call
AT_ONCE: Final = 300


async def memories_without(
    client: AsyncClient,
    owner: MemoryOwner,
    is_gone: Callable[[Memory], bool],
    rest: Callable[[Memory], Memory] = lambda one: one,
) -> int:
    """Delete those memories of an owner of which it is true, and marks of forgotten ones; how many memories there were.

    `rest`: what is left of the other memories.
    """
    document = client.document(paths.memories_path(owner))
    with translated("read memories"):
        found = await document.get(retry=RETRY, timeout=CALL_SECONDS)
    stored = found.to_dict()
    known = decode_memories(stored)
    gone = [one.id for one in known if is_gone(one)]
    fields: layout.Document = {f"{name}.{one}": DELETE_FIELD for one in gone for name in ("memories", "used")}
    fields |= {f"forgotten.{one.id}": DELETE_FIELD for one in decode_forgotten(stored) if is_gone(one)}
    for one in (one for one in known if one.id not in gone):
        before, after = one.model_dump(), rest(one).model_dump()
        fields |= {f"memories.{one.id}.{name}": value for name, value in after.items() if value != before[name]}
    if fields:
        with translated("erase memories"):
            await document.update(fields, retry=RETRY, timeout=CALL_SECONDS)
    return len(gone)


async def remembering(client: AsyncClient, owners: Sequence[MemoryOwner]) -> Sequence[MemoryOwner]:
    """Those owners of whom something is remembered: of a public group's many, few are."""
    found = list[MemoryOwner]()
    for start in range(0, len(owners), AT_ONCE):
        by_name = {paths.memories_path(one): one for one in owners[start : start + AT_ONCE]}
        references = [client.document(name) for name in by_name]
        with translated("look for memories"):
            there = [one async for one in client.get_all(references, [], retry=RETRY, timeout=CALL_SECONDS)]
        names = {one.reference.path for one in there if one.exists}
        found += [owner for name, owner in by_name.items() if name in names]
    return found


async def erase_of_conversation(client: AsyncClient, key: ChatKey, outline: Outline) -> int:
    """Delete what was learned in a conversation: of those who are named in it, of its chat, and of everything."""
    people = [
        MemoryOwner(scope=MemoryScope.PERSON, agent=key.agent, person=person) for person in sorted(outline.people)
    ]
    chat = memories_of_chat(key)
    everything = MemoryOwner(scope=MemoryScope.AGENT, agent=key.agent)
    count = 0
    for owner in await remembering(client, (*people, chat, everything)):
        count += await memories_without(client, owner, lambda one: one.source.conversation == outline.conversation)
    return count
