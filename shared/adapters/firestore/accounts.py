"""Accounts in Firestore: each change reads the documents, and writes them only while they are as they were read."""

import asyncio
import random
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from google.api_core.exceptions import Aborted
from google.cloud.firestore_v1.async_client import AsyncClient
from pydantic import ValidationError

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.adapters.firestore.writes import Batch, replace_seen
from shared.errors import StoreUnavailable
from shared.models.account import DEPLOYMENT, PERSON, Account
from shared.models.chat_key import ChatKey
from shared.models.money import NOTHING, Limits
from shared.ports.spending import Crossed, Granted, NotGranted, Settlement, Wanted
from shared.ports.upkeep import Cursor, LeftOver, PageQuery
from shared.spending.lending import Offer, cleared, holders, on_days, settled, told, with_lent

T = TypeVar("T")

#: how long somebody tries who is overtaken each time: one of those who write at once always comes through
LONGEST: Final = 20.0
#: seconds that who was overtaken waits at first, and at most; a little less or more each time
FIRST_WAIT, LONGEST_WAIT = 0.02, 0.5
#: a person's account is kept after its last change: longer than the month that it tells of
KEPT_ACCOUNTS: Final = timedelta(days=62)

#: by path
Accounts = Mapping[str, Account]


class FirestoreAccounts:
    """The accounts of the deployment, of its agents, and of people with them.

    With `shards` above 1 the sums of the deployment and of its agents are in so many documents, each with its part of
    the limits: more chats can borrow at once then, and what one has left is found when another has nothing.
    """

    def __init__(self, client: AsyncClient, shards: int = 1) -> None:
        """`client` belongs to the running loop."""
        self.client, self.shards = client, shards

    async def lend(self, wanted: Wanted, settled: Sequence[Settlement] = ()) -> Granted | NotGranted:
        """Settle, and lend from what is left then."""
        first = zlib.crc32((wanted.chat or wanted.id).encode()) % self.shards
        elsewhere = [one for one in settled if one.shard != first]
        if elsewhere:
            await self.settle(elsewhere)
        refused, crossed = list[NotGranted](), list[Crossed]()
        for turn in range(self.shards):
            shard = (first + turn) % self.shards
            here = [one for one in settled if one.shard == shard] if not turn else []
            found = await self._lent(wanted, here, shard)
            crossed += found.crossed
            if isinstance(found, Granted):
                return replace(found, crossed=tuple(crossed))
            refused.append(found)
            if found.scope == PERSON:
                break
        return replace(max(refused, key=lambda one: one.is_lent), crossed=tuple(crossed))

    async def _lent(self, wanted: Wanted, closed: Sequence[Settlement], shard: int) -> Granted | NotGranted:
        budget, person = paths.budget_path(shard), paths.account_path(wanted.agent, wanted.person)
        scopes = {budget: (DEPLOYMENT, *([wanted.agent] if wanted.agent in wanted.limits else []))}
        if wanted.person and PERSON in wanted.limits:
            scopes[person] = (PERSON,)
        others = [paths.account_path(one.agent, one.person) for one in closed if one.person]
        limits = {scope: one if scope == PERSON else self._part(one) for scope, one in wanted.limits.items()}
        asked = replace(wanted, limits=limits)

        def change(before: Accounts) -> tuple[Accounts, Granted | NotGranted]:
            after = {path: cleared(_settled(one, closed), wanted) for path, one in before.items()}
            after |= {path: on_days(after[path], names, wanted.days) for path, names in scopes.items()}
            found = Offer.of({path: (after[path], names) for path, names in scopes.items()}, asked).granted()
            # a job tells nobody: that is left to the next chat that borrows
            after[budget], new = told(after[budget], found.crossed) if wanted.chat else (after[budget], ())
            if isinstance(found, NotGranted):
                ask = holders(after.values(), wanted, found.scope) if found.is_lent else ()
                return after, replace(found, crossed=new, holders=ask)
            after |= {path: with_lent(after[path], names, wanted, found.amount) for path, names in scopes.items()}
            return after, replace(found, crossed=new, shard=shard)

        return await self._changed((*scopes, *others), change, wanted.now)

    def _part(self, limits: Limits) -> Limits:
        """The limits of one document."""
        if self.shards == 1:
            return limits
        parts = {name: value / self.shards for name, value in limits.model_dump(exclude_none=True).items()}
        return Limits(**{name: int(value) if name.endswith("messages") else value for name, value in parts.items()})

    async def settle(self, settled: Sequence[Settlement]) -> None:
        """Settle what is closed; all that is of one document at once."""
        for shard in {one.shard for one in settled}:
            closed = [one for one in settled if one.shard == shard]
            people = [paths.account_path(one.agent, one.person) for one in closed if one.person]

            def change(before: Accounts, closed: Sequence[Settlement] = closed) -> tuple[Accounts, None]:
                return {path: _settled(one, closed) for path, one in before.items()}, None

            await self._changed((paths.budget_path(shard), *people), change, None)

    async def unrecorded(self, chats: Sequence[str], generation: int, recorded: frozenset[str]) -> Sequence[Settlement]:
        """What was lent to a chat under earlier claims, and recorded nowhere."""
        found = await self._read([paths.budget_path(shard) for shard in range(self.shards)])
        return [
            Settlement(id=key, used=NOTHING, agent=ChatKey.from_id(one.chat).agent, person=one.person, shard=shard)
            for shard, (account, _) in enumerate(found.values())
            for key, one in account.lent.items()
            if one.chat in chats and one.generation < generation and key not in recorded
        ]

    async def overdue(self, wanted: PageQuery) -> Sequence[LeftOver]:
        """Chats that were lent something whose time was over, all at once; a read for each document of the deployment.

        A tick of such a chat gives it back.
        """
        if wanted.beyond is not None:
            return ()
        found = await self._read([paths.budget_path(shard) for shard in range(self.shards)])
        lent = (one for account, _ in found.values() for one in account.lent.values())
        chats = dict.fromkeys(one.chat for one in lent if one.chat and one.until <= wanted.before)
        return [LeftOver(chat=one, cursor=Cursor(at=wanted.before, path=paths.budget_path(0))) for one in chats]

    async def _changed(
        self, where: Iterable[str], change: Callable[[Accounts], tuple[Accounts, T]], now: datetime | None
    ) -> T:
        """What a change says of accounts that are then written, all of them as they were read, or read again."""
        places, until, wait = tuple(dict.fromkeys(where)), asyncio.get_running_loop().time() + LONGEST, FIRST_WAIT
        while True:
            read = await self._read(places)
            after, answer = change({path: account for path, (account, _) in read.items()})
            changed = {path: account for path, account in after.items() if account != read[path][0]}
            if not changed or await self._wrote(changed, {path: version for path, (_, version) in read.items()}, now):
                return answer
            if asyncio.get_running_loop().time() > until:
                raise StoreUnavailable("Firestore did not change an account: others change it all the time")
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(wait * 2, LONGEST_WAIT)

    async def _read(self, places: Sequence[str]) -> dict[str, tuple[Account, Any]]:
        found = dict[str, tuple[Account, Any]]()
        with translated("read an account"):
            async for one in self.client.get_all(
                [self.client.document(path) for path in places], retry=RETRY, timeout=CALL_SECONDS
            ):
                version = one.update_time if one.exists else None
                found[one.reference.path] = decode_account(one.to_dict()), version
        return {path: found[path] for path in places}

    async def _wrote(self, changed: Accounts, versions: Mapping[str, Any], now: datetime | None) -> bool:
        """Whether all were written; not if one of them has changed since it was read."""
        batch = Batch(self.client)
        for path, account in changed.items():
            batch.add(replace_seen(path, encode_account(path, account, now), versions[path]))
        with translated("change an account"):
            try:
                await batch.commit(timeout=CALL_SECONDS)
            except (*CHANGED, Aborted):
                return False
        return True


def _settled(account: Account, closed: Iterable[Settlement]) -> Account:
    for one in closed:
        account = settled(account, one)
    return account


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
