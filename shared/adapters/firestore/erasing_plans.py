"""Plans in Firestore that go, or go on without somebody. Whoever calls this holds their chat, or it has moved away."""

from collections.abc import Callable
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.adapters.firestore.erasing_finding import pages_of
from shared.models.chat_key import ChatKey


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
