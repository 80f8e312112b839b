"""Who pays for calls of models, as the settings and the personas have it."""

from collections.abc import Collection, Mapping

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.access.telling import LimitWords
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.spending.jobs import JobWallet
from shared.spending.store.accounts import FirestoreAccounts
from shared.spending.store.usage import FirestoreUsages
from shared.spending.terms import Lender, SpendingTerms
from shared.values.agent import FrontMatter
from shared.values.money import Limits
from shared.wiring import now
from shared.wiring.settings.model_functions import SpendingSettings


def terms_of(settings: SpendingSettings, fronts: Mapping[str, FrontMatter]) -> SpendingTerms:
    """The limits; `fronts` by agent."""
    return SpendingTerms(
        is_on=settings.limits,
        deployment=Limits(
            day_usd=settings.day_usd,
            month_usd=settings.month_usd,
            day_messages=settings.day_messages,
            month_messages=settings.month_messages,
        ),
        agents={agent: front.limits for agent, front in fronts.items()},
        zones={agent: front.timezone for agent, front in fronts.items()},
        soft=settings.soft_share,
        owners=settings.owner_share,
        background=settings.background_share,
    )


def accounts_of(client: AsyncClient, terms: SpendingTerms, agents: Collection[str] = ()) -> FirestoreAccounts:
    """Where money is lent; the owners of `agents` are told how much is spent."""
    words = LimitWords(owners=FirestoreOwners(client), agents=agents) if agents else None
    return FirestoreAccounts(client, terms.shards, words)


def job_wallet(settings: SpendingSettings, fronts: Mapping[str, FrontMatter], client: AsyncClient) -> JobWallet:
    """What pays for single calls, beside the chats."""
    terms = terms_of(settings, fronts)
    accounts = accounts_of(client, terms, fronts)
    access_lists = FirestoreAccessLists(client, now)
    return JobWallet(
        accounts=accounts, usages=FirestoreUsages(client), terms=terms, clock=now, access_lists=access_lists
    )


def lender(
    settings: SpendingSettings,
    fronts: Mapping[str, FrontMatter],
    client: AsyncClient,
    access_lists: FirestoreAccessLists,
) -> Lender:
    """What ticks borrow from."""
    terms = terms_of(settings, fronts)
    return Lender(accounts=accounts_of(client, terms, fronts), terms=terms, access_lists=access_lists, clock=now)
