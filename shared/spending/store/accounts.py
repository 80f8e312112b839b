"""Accounts in Firestore: each change reads the documents, and writes them only while they are as they were read."""

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
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
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


async def write_accounts(
    client: AsyncClient, changed: Accounts, read: ReadAccounts, now: datetime | None, more: Sequence[Write] = ()
) -> bool:
    """Whether all were written, and what else is given with them; not if one has changed since it was read.

    Raises StoreUnavailable or StoreRefused.
    """
    batch = WriteBatch(client)
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


def scopes_of(wanted: BudgetRequest, shard: int, shards: int) -> Mapping[str, tuple[str, ...]]:
    """By document, which scopes of it are asked, of the deployment's sums in `shards` documents those of one."""
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


def places_of(one: Settlement) -> Iterable[str]:
    """The documents that an allowance was lent from: an agent's sums are in the first of the deployment's."""
    yield from {paths.budget_path(one.shard), paths.budget_path(0)} if one.agent else {paths.budget_path(one.shard)}
    if one.person:
        yield paths.account_path(one.agent, one.person)
    if one.place:
        yield paths.account_path(one.agent, one.place)


T = TypeVar("T")

#: how long somebody tries who is overtaken each time: one of those who write at once always comes through
LONGEST: Final = 20.0
#: seconds that who was overtaken waits at first, and at most; a little less or more each time
FIRST_WAIT, LONGEST_WAIT = 0.02, 0.5
#: the scopes whose limits are divided among the documents
_DIVIDED: Final = frozenset({DEPLOYMENT, BACKGROUND})


class LimitNotices(Protocol):
    """What owners are told of limits. Raises StoreUnavailable or StoreRefused."""

    async def about(self, crossed: CrossedThreshold, label: str, now: datetime) -> Sequence[OutboxNotice]:
        """The words to each owner whom it concerns; `label` is the day or the month. Two of one id are one."""


class FirestoreAccounts:
    """The accounts of the deployment, of its agents, and of people with them.

    With `shards` above 1 the sums of the deployment are in so many documents, each with its part of the limits: more
    chats can borrow at once then, and what one has left is found when another has nothing. An agent that has limits has
    its sums in the first of them, undivided. Without `words` no owner is told anything.

    Each change is a compare-and-set of the documents that it is about, all of them or none: whoever comes second reads
    again. To settle something that is settled already changes nothing.

    Every call raises StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient, shards: int = 1, words: LimitNotices | None = None) -> None:
        """`client` belongs to the running loop."""
        self.client, self.shards, self._tells = client, shards, words is not None
        self._crossings = ThresholdNotifier(client=client, shards=shards, words=words)

    async def lend(self, wanted: BudgetRequest, settled: Sequence[Settlement] = ()) -> BudgetGrant | BudgetDenial:
        """Settle, and lend from what is left then, in one write.

        What was lent to the chat under an earlier claim, and is not recorded, is given back by it too. A job's that is
        over is charged in full. Owners are told of a share of a limit once it is spent: that they are, and the word to
        them, is one write.
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
                return await self._looked_over(wanted, found, shard, is_news=is_news)
            refused.append(found)
            if found.scope not in _DIVIDED:
                break
        first_found = max(refused, key=lambda one: one.is_lent)
        return await self._looked_over(wanted, first_found, first, is_news=is_news)

    async def _lend_from(
        self, wanted: BudgetRequest, closed: Sequence[Settlement], shard: int
    ) -> tuple[BudgetGrant | BudgetDenial, bool]:
        """What one document lends, and whether an owner may have to be told something."""
        scopes = scopes_of(wanted, shard, self.shards)
        others = [path for one in closed for path in places_of(one)]
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
            for person, path in people.items():  # one may be the account of the place, too
                after[path] = add_payer_share(after[path], person, wanted)
            return after, (replace(found, shard=shard), is_news)

        return await self._apply((*scopes, *people.values(), *others), change, wanted.now)

    async def _limits(self, wanted: BudgetRequest, shard: int) -> Mapping[str, SpendingLimits]:
        """The limits of the scopes in one document. Beside any but the first, that is read: it was alone once."""
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

    async def _looked_over(
        self, wanted: BudgetRequest, found: BudgetGrant | BudgetDenial, shard: int, *, is_news: bool
    ) -> BudgetGrant | BudgetDenial:
        """What was found, with what is so in all documents together; and owners are told what they are to be told.

        A document knows its own part alone; so all are read where it says that there may be something to tell.
        """
        is_soft_here = self.shards > 1 and isinstance(found, BudgetGrant) and DEPLOYMENT in found.soft
        if not is_news and not is_soft_here:
            return found
        try:
            overall, words = await self._crossings.told(wanted, found, shard)
        except StoreError as error:  # whoever borrows next finds it, too
            log(f"no owner is told of a limit now: {error}")
            return found
        if isinstance(found, BudgetDenial):
            return replace(found, told=words)
        return replace(found, soft=(found.soft - {DEPLOYMENT}) | (overall.soft & {DEPLOYMENT}), told=words)

    async def settle(self, settled: Sequence[Settlement]) -> None:
        """Settle what is closed; all that is of one document at once."""
        for shard in {one.shard for one in settled}:
            closed = [one for one in settled if one.shard == shard]
            places = [path for one in closed for path in places_of(one)]

            def change(before: Accounts, closed: Sequence[Settlement] = closed) -> tuple[Accounts, None]:
                return {path: _settle_in(one, closed) for path, one in before.items()}, None

            await self._apply(places, change, None)

    async def unrecorded(self, chats: Sequence[str], generation: int, recorded: frozenset[str]) -> Sequence[Settlement]:
        """What was lent to a chat under earlier claims, and recorded nowhere."""
        found = await read_accounts(self.client, [paths.budget_path(shard) for shard in range(self.shards)])
        return [
            Settlement(id=key, used=ZERO, agent=ChatKey.from_id(one.chat).agent, person=one.person, shard=shard)
            for shard, (account, _) in enumerate(found.values())
            for key, one in account.lent.items()
            if one.chat in chats and one.generation < generation and key not in recorded
        ]

    async def overdue(self, wanted: PageQuery) -> Sequence[StalledChat]:
        """Chats that were lent something whose time was over, all at once; a read for each document of the deployment.

        A tick of such a chat gives it back.
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
        """What a change says of accounts that are then written, all of them as they were read, or read again."""
        places, until, wait = tuple(dict.fromkeys(where)), asyncio.get_running_loop().time() + LONGEST, FIRST_WAIT
        while True:
            read = await read_accounts(self.client, places)
            after, answer = change({path: account for path, (account, _) in read.items()})
            changed = {path: account for path, account in after.items() if account != read[path][0]}
            if not changed or await write_accounts(self.client, changed, read, now):
                return answer
            if asyncio.get_running_loop().time() > until:
                raise StoreUnavailable("Firestore did not change an account: others change it all the time")
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            wait = min(wait * 2, LONGEST_WAIT)


def _settle_in(account: Account, closed: Iterable[Settlement]) -> Account:
    for one in closed:
        account = settle_lease(account, one)
    return account


#: each time somebody else wrote in between
TRIES: Final = 10
#: seconds until the next try, a little less or more
WAIT_S: Final = 0.1


@dataclass(frozen=True, kw_only=True)
class ThresholdNotifier:
    """The documents of the deployment and of its agents, `shards` of them; without `words` no owner is told."""

    client: AsyncClient
    shards: int
    words: LimitNotices | None

    async def told(
        self, wanted: BudgetRequest, found: BudgetGrant | BudgetDenial, shard: int
    ) -> tuple[ThresholdState, Sequence[OutboxNotice]]:
        """What is so of the limits in all documents together; and what owners are told now.

        `found` is what came of `wanted`; that it is told is kept in the document `shard`, and of an agent in the first.
        """
        places = [paths.budget_path(one) for one in range(self.shards)]
        for _ in range(TRIES):
            read = await read_accounts(self.client, places)
            overall = ThresholdState.of([account for account, _ in read.values()], wanted, found)
            if self.words is None:
                return overall, ()
            marked = {path: mark_notified(read[path][0], overall.crossed) for path in {places[0], places[shard]}}
            changed = {path: account for path, account in marked.items() if account != read[path][0]}
            words = await self._words(self.words, overall.untold, wanted)
            if not changed or await self._wrote(changed, read, words):
                return overall, words
            await asyncio.sleep(WAIT_S * random.uniform(0.5, 1.5))
        raise StoreUnavailable("Firestore did not keep what an owner is told: others change an account all the time")

    async def _wrote(self, changed: Mapping[str, Account], read: ReadAccounts, words: Sequence[OutboxNotice]) -> bool:
        writes = [replace_seen(paths.event_path(one.id), encode_notice(one), None) for one in words]
        return await write_accounts(self.client, changed, read, None, writes)

    async def _words(
        self, words: LimitNotices, crossed: Iterable[CrossedThreshold], wanted: BudgetRequest
    ) -> Sequence[OutboxNotice]:
        """What owners are told of it, besides what they were told before."""
        found = dict[str, OutboxNotice]()
        for one in crossed:
            day = wanted.terms.days[one.scope]
            label = day if one.span is LimitPeriod.DAY else month_of(day)
            found |= {paths.event_path(word.id): word for word in await words.about(one, label, wanted.now)}
        if found:
            with translated("look what an owner was told"):
                places = [self.client.document(path) for path in found]
                async for kept in self.client.get_all(places, retry=RETRY, timeout=CALL_SECONDS):
                    if kept.exists:
                        del found[kept.reference.path]
        return list(found.values())
