"""What owners are told of limits: that a share of one is spent, written together with the word that tells it.

So whoever dies in between has told, or has not; and the next one who borrows finds what nobody was told of.
"""

import asyncio
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore import paths
from shared.adapters.firestore.account_documents import ReadAccounts, read_accounts, wrote_accounts
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.adapters.firestore.records.reminders import encode_reminder
from shared.adapters.firestore.writes import replace_seen
from shared.errors import StoreUnavailable
from shared.models.account import Account, month_of
from shared.models.reminder import Reminder
from shared.ports.spending import Crossed, Granted, NotGranted, OwnerWords, Span, Wanted
from shared.spending.lending import Overall, told

#: each time somebody else wrote in between
TRIES: Final = 10
#: seconds until the next try, a little less or more
WAIT_S: Final = 0.1


@dataclass(frozen=True, kw_only=True)
class Crossings:
    """The documents of the deployment and of its agents, `shards` of them; without `words` no owner is told."""

    client: AsyncClient
    shards: int
    words: OwnerWords | None

    async def told(self, wanted: Wanted, found: Granted | NotGranted, shard: int) -> tuple[Overall, Sequence[Reminder]]:
        """What is so of the limits in all documents together; and what owners are told now.

        `found` is what came of `wanted`; that it is told is kept in the document `shard`, and of an agent in the first.
        """
        places = [paths.budget_path(one) for one in range(self.shards)]
        for _ in range(TRIES):
            read = await read_accounts(self.client, places)
            overall = Overall.of([account for account, _ in read.values()], wanted, found)
            if self.words is None:
                return overall, ()
            marked = {path: told(read[path][0], overall.crossed) for path in {places[0], places[shard]}}
            changed = {path: account for path, account in marked.items() if account != read[path][0]}
            words = await self._words(self.words, overall.untold, wanted)
            if not changed or await self._wrote(changed, read, words):
                return overall, words
            await asyncio.sleep(WAIT_S * random.uniform(0.5, 1.5))
        raise StoreUnavailable("Firestore did not keep what an owner is told: others change an account all the time")

    async def _wrote(self, changed: Mapping[str, Account], read: ReadAccounts, words: Sequence[Reminder]) -> bool:
        writes = [replace_seen(paths.event_path(one.id), encode_reminder(one), None) for one in words]
        return await wrote_accounts(self.client, changed, read, None, writes)

    async def _words(self, words: OwnerWords, crossed: Iterable[Crossed], wanted: Wanted) -> Sequence[Reminder]:
        """What owners are told of it, besides what they were told before."""
        found = dict[str, Reminder]()
        for one in crossed:
            day = wanted.days[one.scope]
            label = day if one.span is Span.DAY else month_of(day)
            found |= {paths.event_path(word.id): word for word in await words.about(one, label, wanted.now)}
        if found:
            with translated("look what an owner was told"):
                places = [self.client.document(path) for path in found]
                async for kept in self.client.get_all(places, retry=RETRY, timeout=CALL_SECONDS):
                    if kept.exists:
                        del found[kept.reference.path]
        return list(found.values())
