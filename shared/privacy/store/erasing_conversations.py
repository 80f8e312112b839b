"""Conversations' documents in Firestore that go on without somebody."""

from collections.abc import Callable
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.privacy.store.erasing_finding import Outline, pages_of
from shared.values.chat_key import ChatKey
from shared.values.transcript import Telling

#: of a conversation's document of before, whom it names; its pages name them now
_NAMED: Final = ("participants", "people")


async def retitle(client: AsyncClient, outline: Outline) -> None:
    """Have a conversation's document tell the titles of the outline, of its chat, too."""
    document = client.document(paths.conversation_path(outline.conversation))
    with translated("erase the titles of a conversation"):
        await document.update(_titles(outline), retry=RETRY, timeout=CALL_SECONDS)


async def conversation_without(client: AsyncClient, outline: Outline, telling: Telling) -> None:
    """Have a conversation's document tell of what is left alone; the summary of its older part goes."""
    document = client.document(paths.conversation_path(outline.conversation))
    with translated("read a conversation"):
        found = await document.get(list(_NAMED), retry=RETRY, timeout=CALL_SECONDS)
    fields: layout.Document = {
        **_titles(outline),
        **_named(found.to_dict() or {}, telling),
        "opening": telling.opening,
        "erased_at": SERVER_TIMESTAMP,
        "changed_at": SERVER_TIMESTAMP,
    }
    with translated("erase what a conversation tells of somebody"):
        await document.update(fields, retry=RETRY, timeout=CALL_SECONDS)
        compression = client.document(paths.compression_path(outline.conversation))
        await compression.delete(retry=RETRY, timeout=CALL_SECONDS)


def _titles(outline: Outline) -> layout.Document:
    return {
        "title": outline.title,
        "manually_named": outline.is_named_by_hand and bool(outline.title),
        "chat_title": outline.chat_title,
        "history": "",
    }


def _named(known: layout.Document, telling: Telling) -> layout.Document:
    """Return what is left of those whom a conversation's own document names; one that names nobody stays so."""
    took_part, people = known.get("participants") or {}, known.get("people") or ()
    left: layout.Document = {
        "participants": {
            str(one.id): {"name": one.name, "username": one.username}
            for one in telling.participants.values()
            if str(one.id) in took_part
        },
        "people": sorted(telling.people.intersection(people)),
    }
    return {name: left[name] for name in _NAMED if name in known}


async def plans_without(
    client: AsyncClient, key: ChatKey, rest: Callable[[layout.Document], layout.Document | None]
) -> int:
    """Have a chat's plan be what is left of it, and delete those of which nothing is left; how many there were.

    `rest` returns the same document where nothing goes. Of plans that others replaced nothing is left then.
    """
    plan = client.document(paths.plan_path(key))
    past = pages_of(plan.collection(paths.PAST), "read past plans")
    gone = [one.reference async for one in past if rest(old := one.to_dict() or {}) is not old]
    for one in gone:
        await _delete(one)
    with translated("read a plan"):
        found = await plan.get(retry=RETRY, timeout=CALL_SECONDS)
    known = found.to_dict()
    left = rest(known) if known is not None else None
    if known is None or left is known:
        return len(gone)
    if left is None:
        await _delete(plan)
    else:
        with translated("erase what a plan tells of somebody"):
            await plan.set(left, retry=RETRY, timeout=CALL_SECONDS)
    return len(gone) + 1


async def _delete(document: Any) -> None:
    with translated("erase a plan"):
        await document.delete(retry=RETRY, timeout=CALL_SECONDS)
