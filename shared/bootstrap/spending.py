"""Who pays for calls of models, as the settings and the personas have it."""

from collections.abc import Mapping

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore.accounts import FirestoreAccounts
from shared.adapters.firestore.usage import FirestoreUsages
from shared.bootstrap import now
from shared.models.agent import FrontMatter
from shared.models.money import Limits
from shared.ports.trust import Rosters
from shared.settings import SpendingSettings
from shared.spending.jobs import JobWallet
from shared.spending.terms import SpendingTerms
from shared.spending.treasury import Treasury


def terms_of(settings: SpendingSettings, fronts: Mapping[str, FrontMatter]) -> SpendingTerms:
    """The limits; `fronts` by agent."""
    return SpendingTerms(
        is_on=settings.limits,
        deployment=Limits(day_usd=settings.day_usd, month_usd=settings.month_usd),
        agents={agent: front.limits for agent, front in fronts.items()},
        zones={agent: front.timezone for agent, front in fronts.items()},
        soft=settings.soft_share,
    )


def accounts_of(client: AsyncClient, terms: SpendingTerms) -> FirestoreAccounts:
    """Where money is lent."""
    return FirestoreAccounts(client, terms.shards)


def job_wallet(settings: SpendingSettings, fronts: Mapping[str, FrontMatter], client: AsyncClient) -> JobWallet:
    """What pays for single calls, beside the chats."""
    terms = terms_of(settings, fronts)
    return JobWallet(accounts=accounts_of(client, terms), usages=FirestoreUsages(client), terms=terms, clock=now)


def treasury(
    settings: SpendingSettings, fronts: Mapping[str, FrontMatter], client: AsyncClient, rosters: Rosters
) -> Treasury:
    """What ticks borrow from."""
    terms = terms_of(settings, fronts)
    return Treasury(accounts=accounts_of(client, terms), terms=terms, rosters=rosters, clock=now)
