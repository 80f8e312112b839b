"""Makes budget services from the settings and the personas."""

from collections.abc import Collection, Mapping

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.access.notices import LimitNotices
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.spending.job_budget import JobBudgetService
from shared.spending.policy import BudgetBackend, SpendingPolicy
from shared.spending.store.accounts import FirestoreAccounts
from shared.spending.store.usage import FirestoreUsages
from shared.values.agent import FrontMatter
from shared.values.money import SpendingLimits
from shared.wiring import now
from shared.wiring.settings.limits import LimitSettings
from shared.wiring.settings.model_functions import SpendingSettings


def spending_policy(settings: LimitSettings, fronts: Mapping[str, FrontMatter]) -> SpendingPolicy:
    """Return the spending limits. `fronts` has the front matter of each agent's persona."""
    return SpendingPolicy(
        is_on=settings.limits,
        deployment=SpendingLimits(
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


def budget_accounts(client: AsyncClient, terms: SpendingPolicy, agents: Collection[str] = ()) -> FirestoreAccounts:
    """Return the spending accounts. Owners of `agents` get notices about limits."""
    notices = LimitNotices(owners=FirestoreOwners(client), agents=agents) if agents else None
    return FirestoreAccounts(client, terms.shards, notices)


def job_budget_service(
    settings: SpendingSettings, fronts: Mapping[str, FrontMatter], client: AsyncClient
) -> JobBudgetService:
    """Return the budget service for calls outside of ticks."""
    terms = spending_policy(settings, fronts)
    accounts = budget_accounts(client, terms, fronts)
    access_lists = FirestoreAccessLists(client, now)
    return JobBudgetService(
        accounts=accounts, usages=FirestoreUsages(client), terms=terms, clock=now, access_lists=access_lists
    )


def budget_backend(
    settings: SpendingSettings,
    fronts: Mapping[str, FrontMatter],
    client: AsyncClient,
    access_lists: FirestoreAccessLists,
) -> BudgetBackend:
    """Return the accounts, the policy and the access lists that the budget services of all ticks share."""
    terms = spending_policy(settings, fronts)
    return BudgetBackend(
        accounts=budget_accounts(client, terms, fronts), terms=terms, access_lists=access_lists, clock=now
    )
