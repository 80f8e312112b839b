"""Spending accounts in Firestore. An account has the amounts that are spent, and those that are lent as leases.

Each change reads the documents, and writes them only if they have not changed in the meantime.
"""

import asyncio
import random
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, TypeVar

from google.api_core.exceptions import Aborted
from google.cloud.firestore_v1.async_client import AsyncClient
from pydantic import ValidationError

from shared.base.errors import StoreError, StoreUnavailable
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translate_errors
from shared.chat.store.outbox import encode_notice
from shared.chat.store.queries import Cursor, PageQuery, StalledChat
from shared.chat.store.writes import Write, WriteBatch, replace_seen
from shared.spending.leasing import (
    BudgetCheck,
    BudgetDenial,
    BudgetGrant,
    BudgetRequest,
    ThresholdState,
    add_lease,
    add_payer_share,
    drop_stale_leases,
    lease_holders,
    limits_of_document,
    mark_notified,
    roll_to_days,
    settle_lease,
    spent_and_leased,
    unnotified_thresholds,
)
from shared.spending.refusals import deny_short_payers
from shared.values.account import (
    BACKGROUND,
    DEPLOYMENT,
    PERSON,
    PLACE,
    Account,
    CrossedThreshold,
    LimitPeriod,
    Settlement,
    agent_scope,
    month_of,
)
from shared.values.chat_key import ChatKey
from shared.values.money import UNLIMITED, ZERO, SpendingLimits
from shared.values.outbox import OutboxNotice

#: how long a person's account is kept after its last change: longer than the month it covers
KEPT_ACCOUNTS: Final = timedelta(days=62)

#: accounts by document path
Accounts = Mapping[str, Account]
#: by document path: each account, with the version of its document (None if there is no document)
ReadAccounts = Mapping[str, tuple[Account, Any]]


async def read_accounts(client: AsyncClient, places: Sequence[str]) -> ReadAccounts:
    """Return the accounts at these paths. Raises StoreUnavailable or StoreRefused."""
    found = dict[str, tuple[Account, Any]]()
    with translate_errors("read an account"):
        async for one in client.get_all([client.document(path) for path in places], retry=RETRY, timeout=CALL_SECONDS):
            version = one.update_time if one.exists else None
            found[one.reference.path] = decode_account(one.to_dict()), version
    return {path: found[path] for path in places}


async def write_accounts(
    client: AsyncClient, changed: Accounts, read: ReadAccounts, now: datetime | None, more: Sequence[Write] = ()
) -> bool:
    """Write the changed accounts and the further writes in `more`. Return False if nothing was written.

    Nothing is written if one of the accounts has changed since `read`. Raises StoreUnavailable or StoreRefused.
    """
    batch = WriteBatch(client)
    for path, account in changed.items():
        batch.add(replace_seen(path, encode_account(path, account, now), read[path][1]))
    for write in more:
        batch.add(write)
    with translate_errors("change an account"):
        try:
            await batch.commit(timeout=CALL_SECONDS)
        except (*CHANGED, Aborted):
            return False
    return True


def encode_account(path: str, account: Account, now: datetime | None) -> layout.Document:
    """Return an account's document. A person's account expires some time after its last change."""
    document = account.model_dump()
    is_person = not path.startswith(f"{paths.BUDGETS}/")
    return document | ({layout.EXPIRES: now + KEPT_ACCOUNTS} if is_person and now is not None else {})


def decode_account(document: layout.Document | None) -> Account:
    """Return the account of a document; an empty one if there is none. Raises StoreUnavailable if it cannot be read."""
    try:
        return Account.model_validate(document or {})
    except ValidationError:  # nothing may be lent from an account that cannot be read
        raise StoreUnavailable(
            "a spending account has a format that this version cannot read; deploy the version that wrote it"
        ) from None


def scopes_of(wanted: BudgetRequest, shard: int, shards: int) -> Mapping[str, tuple[str, ...]]:
    """Return the scopes to which a request is charged, by document.

    The deployment's sums are in document number `shard` of `shards`.
    """
    scopes: dict[str, tuple[str, ...]] = {
        paths.budget_path(shard): (DEPLOYMENT, BACKGROUND) if BACKGROUND in wanted.terms.limits else (DEPLOYMENT,)
    }
    agent = agent_scope(wanted.agent)
    limits = wanted.terms.limits.get(agent)
    if limits is not None and (shards == 1 or limits != UNLIMITED):
        first = paths.budget_path(0)
        scopes[first] = (*scopes.get(first, ()), agent)
    if wanted.person and PERSON in wanted.terms.limits:
        scopes[paths.account_path(wanted.agent, wanted.person)] = (PERSON,)
    if wanted.place and PLACE in wanted.terms.limits:
        scopes[paths.account_path(wanted.agent, wanted.place)] = (PLACE,)
    return scopes


def account_paths(one: Settlement) -> Iterable[str]:
    """Return the paths of the documents from which a lease was lent.

    An agent's sums are in the first of the deployment's documents.
    """
    yield from {paths.budget_path(one.shard), paths.budget_path(0)} if one.agent else {paths.budget_path(one.shard)}
    if one.person:
        yield paths.account_path(one.agent, one.person)
    if one.place:
        yield paths.account_path(one.agent, one.place)


T = TypeVar("T")

#: a change that conflicts with others is retried for this many seconds. Of the writers that conflict, one always
#: succeeds
LONGEST: Final = 20.0
#: the first and the longest wait between two tries, in seconds, with jitter
FIRST_WAIT, LONGEST_WAIT = 0.02, 0.5
#: the scopes whose limits are divided among the documents
_DIVIDED: Final = frozenset({DEPLOYMENT, BACKGROUND})


class LimitNoticeWriter(Protocol):
    """Makes notices to owners about limits. Methods may raise StoreUnavailable or StoreRefused."""

    async def about(self, crossed: CrossedThreshold, label: str, now: datetime) -> Sequence[OutboxNotice]:
        """Return a notice for each owner concerned.

        `label` is the day or the month of the limit. Notices about the same threshold always have the same ids.
        """


class FirestoreAccounts:
    """The accounts of the deployment and of each agent, and for each agent those of its people and chats.

    The deployment's sums are divided among `shards` documents, each with a part of the limits, so that more chats can
    get leases at once. If a document has nothing left, the next is tried. The sums of an agent with limits are not
    divided: they are in the first document. Without `notice_writer`, owners get no notices.

    Each change is a compare-and-set of all documents that it concerns. If a document has changed, nothing is written,
    and the documents are read again. Settling a lease twice changes nothing.

    Every call may raise StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient, shards: int = 1, notice_writer: LimitNoticeWriter | None = None) -> None:
        """`client` must have been made inside the running event loop."""
        self.client, self.shards, self._tells = client, shards, notice_writer is not None
        self._crossings = ThresholdNotifier(client=client, shards=shards, notice_writer=notice_writer)

    async def lend(self, wanted: BudgetRequest, settled: Sequence[Settlement] = ()) -> BudgetGrant | BudgetDenial:
        """Settle the closed leases `settled`, and decide on the request `wanted`.

        Also give back leases that the chat's earlier ticks got but never recorded, and charge expired leases of jobs in
        full (`drop_stale_leases`). If a threshold was passed, store notices for the owners.
        """
        first = zlib.crc32((wanted.chat or wanted.id).encode()) % self.shards
        elsewhere = [one for one in settled if one.shard != first]
        if elsewhere:
            await self.settle(elsewhere)
        refused, is_news = list[BudgetDenial](), False
        for turn in range(self.shards):
            shard = (first + turn) % self.shards
            here = [one for one in settled if one.shard == shard] if not turn else []
            found, is_new_here = await self._lend_from(wanted, here, shard)
            is_news |= is_new_here
            if isinstance(found, BudgetGrant):
                return await self._with_notices(wanted, found, shard, is_news=is_news)
            refused.append(found)
            if found.scope not in _DIVIDED:
                break
        first_found = max(refused, key=lambda one: one.is_lent)
        return await self._with_notices(wanted, first_found, first, is_news=is_news)

    async def _lend_from(
        self, wanted: BudgetRequest, closed: Sequence[Settlement], shard: int
    ) -> tuple[BudgetGrant | BudgetDenial, bool]:
        """Return the decision by one of the deployment's documents, and whether an owner may need a notice."""
        scopes = scopes_of(wanted, shard, self.shards)
        others = [path for one in closed for path in account_paths(one)]
        asked = replace(wanted, terms=replace(wanted.terms, limits=await self._limits(wanted, shard)))
        people = {person: paths.account_path(wanted.agent, person) for person in wanted.parts}

        def change(before: Accounts) -> tuple[Accounts, tuple[BudgetGrant | BudgetDenial, bool]]:
            after = {path: drop_stale_leases(_settle_in(one, closed), wanted) for path, one in before.items()}
            after |= {path: roll_to_days(after[path], names, wanted.terms.days) for path, names in scopes.items()}
            after |= {path: roll_to_days(after[path], (PERSON,), wanted.terms.days) for path in people.values()}
            check = BudgetCheck.of({path: (after[path], names) for path, names in scopes.items()}, asked)
            found, crossed = check.decide(), check.crossed_thresholds()
            if isinstance(found, BudgetGrant):
                found = deny_short_payers({person: after[path] for person, path in people.items()}, wanted) or found
            is_news = self._tells and any(
                unnotified_thresholds(after[path], crossed, names) for path, names in scopes.items()
            )
            if isinstance(found, BudgetDenial):
                ask = lease_holders(after.values(), wanted, found.scope) if found.is_lent else ()
                return after, (replace(found, holders=ask), is_news)
            after |= {path: add_lease(after[path], names, wanted, found.amount) for path, names in scopes.items()}
            for person, path in people.items():  # a payer's account may also be the account of the place
                after[path] = add_payer_share(after[path], person, wanted)
            return after, (replace(found, shard=shard), is_news)

        return await self._apply((*scopes, *people.values(), *others), change, wanted.now)

    async def _limits(self, wanted: BudgetRequest, shard: int) -> Mapping[str, SpendingLimits]:
        """Return the limits by scope, as far as they apply to document number `shard`.

        For a later document, the first one is read too, since the first may have been the only one before, and may have
        used more than its part.
        """
        if self.shards == 1:
            return wanted.terms.limits
        first = paths.budget_path(0)
        account = (await read_accounts(self.client, [first]))[first][0] if shard else Account()
        return {
            scope: limits_of_document(one, self.shards, spent_and_leased(account, scope, wanted.terms.days[scope]))
            if scope in _DIVIDED
            else one
            for scope, one in wanted.terms.limits.items()
        }

    async def _with_notices(
        self, wanted: BudgetRequest, found: BudgetGrant | BudgetDenial, shard: int, *, is_news: bool
    ) -> BudgetGrant | BudgetDenial:
        """Return the decision `found`, completed by facts from all documents, and with the notices for owners.

        A document has only a part of the sums. So all documents are read if one shows that an owner may need a notice.
        """
        is_soft_here = self.shards > 1 and isinstance(found, BudgetGrant) and DEPLOYMENT in found.soft
        if not is_news and not is_soft_here:
            return found
        try:
            overall, notices = await self._crossings.state_and_notices(wanted, found, shard)
        except StoreError as error:  # no notice now: the next request finds the threshold again
            log(f"owners were not told of a passed limit now: {error}")
            return found
        if isinstance(found, BudgetDenial):
            return replace(found, told=notices)
        return replace(found, soft=(found.soft - {DEPLOYMENT}) | (overall.soft & {DEPLOYMENT}), told=notices)

    async def settle(self, settled: Sequence[Settlement]) -> None:
        """Settle closed leases. Those of the same document are settled in one write."""
        for shard in {one.shard for one in settled}:
            closed = [one for one in settled if one.shard == shard]
            places = [path for one in closed for path in account_paths(one)]

            def change(before: Accounts, closed: Sequence[Settlement] = closed) -> tuple[Accounts, None]:
                return {path: _settle_in(one, closed) for path, one in before.items()}, None

            await self._apply(places, change, None)

    async def unrecorded_settlements(
        self, chats: Sequence[str], generation: int, recorded: frozenset[str]
    ) -> Sequence[Settlement]:
        """Return settlements with nothing used for leases that earlier claims of these chats got but never recorded."""
        found = await read_accounts(self.client, [paths.budget_path(shard) for shard in range(self.shards)])
        return [
            Settlement(id=key, used=ZERO, agent=ChatKey.from_id(one.chat).agent, person=one.person, shard=shard)
            for shard, (account, _) in enumerate(found.values())
            for key, one in account.lent.items()
            if one.chat in chats and one.generation < generation and key not in recorded
        ]

    async def overdue(self, wanted: PageQuery) -> Sequence[StalledChat]:
        """Return all chats with expired leases. They are on one page; any later page is empty.

        A tick of such a chat gives the leases back. Costs a read for each document of the deployment.
        """
        if wanted.beyond is not None:
            return ()
        found = await read_accounts(self.client, [paths.budget_path(shard) for shard in range(self.shards)])
        lent = (one for account, _ in found.values() for one in account.lent.values())
        chats = dict.fromkeys(one.chat for one in lent if one.chat and one.until <= wanted.before)
        return [StalledChat(chat=one, cursor=Cursor(at=wanted.before, path=paths.budget_path(0))) for one in chats]

    async def _apply(
        self, where: Iterable[str], change: Callable[[Accounts], tuple[Accounts, T]], now: datetime | None
    ) -> T:
        """Apply a change to accounts and write them; retry if others have changed them.

        Return the second value that `change` returns.
        """
        places, until, wait = tuple(dict.fromkeys(where)), asyncio.get_running_loop().time() + LONGEST, FIRST_WAIT
        while True:
            read = await read_accounts(self.client, places)
            after, answer = change({path: account for path, (account, _) in read.items()})
            changed = {path: account for path, account in after.items() if account != read[path][0]}
            if not changed or await write_accounts(self.client, changed, read, now):
                return answer
            if asyncio.get_running_loop().time() > until:
                raise StoreUnavailable(
                    "Firestore did not change a spending account: other writes overtook each try; try again later"
                )
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(wait * 2, LONGEST_WAIT)


def _settle_in(account: Account, closed: Iterable[Settlement]) -> Account:
    for one in closed:
        account = settle_lease(account, one)
    return account


#: tries of a write that conflicts with others
TRIES: Final = 10
#: seconds until the next try, with jitter
WAIT_S: Final = 0.1


@dataclass(frozen=True, kw_only=True)
class ThresholdNotifier:
    """Makes the notices about passed thresholds, from the sums over all account documents.

    Without `notice_writer`, owners get no notices.
    """

    client: AsyncClient
    shards: int
    notice_writer: LimitNoticeWriter | None

    async def state_and_notices(
        self, wanted: BudgetRequest, found: BudgetGrant | BudgetDenial, shard: int
    ) -> tuple[ThresholdState, Sequence[OutboxNotice]]:
        """Return the thresholds over all documents, and the new notices for owners.

        `found` is the decision on `wanted`. Document number `shard` records which notices owners get; the first
        document does so for an agent's limits.
        """
        places = [paths.budget_path(one) for one in range(self.shards)]
        for _ in range(TRIES):
            read = await read_accounts(self.client, places)
            overall = ThresholdState.of([account for account, _ in read.values()], wanted, found)
            if self.notice_writer is None:
                return overall, ()
            marked = {path: mark_notified(read[path][0], overall.crossed) for path in {places[0], places[shard]}}
            changed = {path: account for path, account in marked.items() if account != read[path][0]}
            notices = await self._new_notices(self.notice_writer, overall.untold, wanted)
            if not changed or await self._write(changed, read, notices):
                return overall, notices
            await asyncio.sleep(WAIT_S * random.uniform(0.5, 1.5))
        raise StoreUnavailable(
            "Firestore did not store an owner's notice: other writes overtook each try; try again later"
        )

    async def _write(self, changed: Mapping[str, Account], read: ReadAccounts, notices: Sequence[OutboxNotice]) -> bool:
        writes = [replace_seen(paths.event_path(one.id), encode_notice(one), None) for one in notices]
        return await write_accounts(self.client, changed, read, None, writes)

    async def _new_notices(
        self, notice_writer: LimitNoticeWriter, crossed: Iterable[CrossedThreshold], wanted: BudgetRequest
    ) -> Sequence[OutboxNotice]:
        """Return the notices about these thresholds that are not stored yet."""
        found = dict[str, OutboxNotice]()
        for one in crossed:
            day = wanted.terms.days[one.scope]
            label = day if one.span is LimitPeriod.DAY else month_of(day)
            found |= {paths.event_path(it.id): it for it in await notice_writer.about(one, label, wanted.now)}
        if found:
            with translate_errors("read notices for owners"):
                places = [self.client.document(path) for path in found]
                async for kept in self.client.get_all(places, retry=RETRY, timeout=CALL_SECONDS):
                    if kept.exists:
                        del found[kept.reference.path]
        return list(found.values())
