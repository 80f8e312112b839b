"""The documents of accounts: how they are read, and written only while they are as they were read."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from google.api_core.exceptions import Aborted
from google.cloud.firestore_v1.async_client import AsyncClient
from pydantic import ValidationError

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.adapters.firestore.writes import Batch, Write, replace_seen
from shared.errors import StoreUnavailable
from shared.models.account import BACKGROUND, DEPLOYMENT, PERSON, PLACE, Account, Settlement, agent_scope
from shared.models.money import UNLIMITED
from shared.ports.spending import Wanted

#: a person's account is kept after its last change: longer than the month that it tells of
KEPT_ACCOUNTS: Final = timedelta(days=62)

#: by path
Accounts = Mapping[str, Account]
#: by path, each account with the version of its document; none where there is no document
ReadAccounts = Mapping[str, tuple[Account, Any]]


async def read_accounts(client: AsyncClient, places: Sequence[str]) -> ReadAccounts:
    """The accounts at some paths. Raises StoreUnavailable or StoreRefused."""
    found = dict[str, tuple[Account, Any]]()
    with translated("read an account"):
        async for one in client.get_all([client.document(path) for path in places], retry=RETRY, timeout=CALL_SECONDS):
            version = one.update_time if one.exists else None
            found[one.reference.path] = decode_account(one.to_dict()), version
    return {path: found[path] for path in places}


async def wrote_accounts(
    client: AsyncClient, changed: Accounts, read: ReadAccounts, now: datetime | None, more: Sequence[Write] = ()
) -> bool:
    """Whether all were written, and what else is given with them; not if one has changed since it was read.

    Raises StoreUnavailable or StoreRefused.
    """
    batch = Batch(client)
    for path, account in changed.items():
        batch.add(replace_seen(path, encode_account(path, account, now), read[path][1]))
    for write in more:
        batch.add(write)
    with translated("change an account"):
        try:
            await batch.commit(timeout=CALL_SECONDS)
        except (*CHANGED, Aborted):
            return False
    return True


def encode_account(path: str, account: Account, now: datetime | None) -> layout.Document:
    """An account; a person's expires some time after somebody last borrowed from it."""
    document = account.model_dump()
    is_person = not path.startswith(f"{paths.BUDGETS}/")
    return document | ({layout.EXPIRES: now + KEPT_ACCOUNTS} if is_person and now is not None else {})


def decode_account(document: layout.Document | None) -> Account:
    """The account; an empty one where there is no document. Raises StoreUnavailable for one that cannot be read."""
    try:
        return Account.model_validate(document or {})
    except ValidationError:  # nothing is lent from what nobody understands
        raise StoreUnavailable("an account is of a form that this version does not know") from None


def scopes_of(wanted: Wanted, shard: int, shards: int) -> Mapping[str, tuple[str, ...]]:
    """By document, which scopes of it are asked, of the deployment's sums in `shards` documents those of one."""
    scopes: dict[str, tuple[str, ...]] = {
        paths.budget_path(shard): (DEPLOYMENT, BACKGROUND) if BACKGROUND in wanted.limits else (DEPLOYMENT,)
    }
    agent = agent_scope(wanted.agent)
    limits = wanted.limits.get(agent)
    if limits is not None and (shards == 1 or limits != UNLIMITED):
        first = paths.budget_path(0)
        scopes[first] = (*scopes.get(first, ()), agent)
    if wanted.person and PERSON in wanted.limits:
        scopes[paths.account_path(wanted.agent, wanted.person)] = (PERSON,)
    if wanted.place and PLACE in wanted.limits:
        scopes[paths.account_path(wanted.agent, wanted.place)] = (PLACE,)
    return scopes


def places_of(one: Settlement) -> Iterable[str]:
    """The documents that an allowance was lent from: an agent's sums are in the first of the deployment's."""
    yield from {paths.budget_path(one.shard), paths.budget_path(0)} if one.agent else {paths.budget_path(one.shard)}
    if one.person:
        yield paths.account_path(one.agent, one.person)
    if one.place:
        yield paths.account_path(one.agent, one.place)
