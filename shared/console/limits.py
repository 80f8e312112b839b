"""The spending limits, which an owner sees and may lower.

The owner's limits are stored in the agents' documents (`bots/{agent}`), which budget services read anyway. The limits
of the settings and personas remain the maximum: the owner's limits never raise them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.console.route import BadRequest, OutdatedPage
from shared.console.services import ConsoleServices
from shared.spending.policy import SpendingPolicy
from shared.spending.store.accounts import read_accounts
from shared.values.account import DEPLOYMENT, Account, SpendingSums, agent_scope, combine_sums, month_of
from shared.values.money import AgentLimits, Amount, OwnerLimits, SpendingLimits, sum_amounts
from shared.values.trust import NOW, AccessList

#: the limits of an agent, as `AgentLimits` names them
PARTS: Final = tuple(AgentLimits.model_fields)
#: the limits of each part, as `SpendingLimits` names them
NAMES: Final = tuple(SpendingLimits.model_fields)


async def read_limits(services: ConsoleServices, agents: Sequence[str]) -> Mapping[str, Any]:
    """Return all limits, each with the amount spent so far and the amount that running answers have reserved (`lent`).

    Costs a read for each agent and each shard of the deployment's sums. Raises StoreUnavailable or StoreRefused.
    """
    lists, policy = FirestoreAccessLists(services.client, services.clock), services.spending()
    own = {agent: (await lists.access_list(agent, NOW)).limits for agent in agents}
    places = [paths.budget_path(shard) for shard in range(policy.shards)]
    accounts = [account for account, _ in (await read_accounts(services.client, places)).values()]
    lowered = _deployment_limits(own.values())
    days = policy.days("", services.clock())
    return {
        "is_on": policy.is_on,
        "may_change_deployment": may_change_deployment(services, agents),
        "soft_share": {"setting": policy.soft, "own": _soft_share(own.values())},
        "owner_share": policy.owners,
        "background_share": policy.background,
        "deployment": _rows(policy.deployment, lowered, _amounts_used(accounts, DEPLOYMENT, days[DEPLOYMENT]), policy),
        "agents": [_agent_view(services, agent, own[agent], accounts) for agent in agents],
    }


def person_limits(policy: SpendingPolicy, access_list: AccessList) -> Mapping[str, list[Mapping[str, Any]]]:
    """Return the limits for one person by tier (`known`, `stranger`). The owner's lower limits take precedence."""
    if not policy.is_on:
        return {}
    limits = policy.agents.get(access_list.agent, AgentLimits()).at_most(access_list.limits)
    rows = {
        tier: _rows(part, part, None, None) for tier, part in (("known", limits.known), ("stranger", limits.stranger))
    }
    return {tier: [row for row in found if row["limit"] is not None] for tier, found in rows.items()}


def may_change_deployment(services: ConsoleServices, agents: Sequence[str]) -> bool:
    """Return whether an owner with these agents owns all agents of the deployment."""
    return services.agents <= frozenset(agents)


def _deployment_limits(own: Collection[OwnerLimits]) -> SpendingLimits:
    lowered = SpendingLimits()
    for one in own:
        lowered = lowered.at_most(one.deployment)
    return lowered


def _soft_share(own: Collection[OwnerLimits]) -> float | None:
    return min((one.soft_share for one in own if one.soft_share is not None), default=None)


def _agent_view(
    services: ConsoleServices, agent: str, own: OwnerLimits, accounts: Sequence[Account]
) -> Mapping[str, Any]:
    policy = services.spending()
    day = policy.days(agent, services.clock())[agent_scope(agent)]
    limits, used = policy.agents.get(agent, AgentLimits()), _amounts_used(accounts, agent_scope(agent), day)
    parts = {
        part: _rows(getattr(limits, part), getattr(own, part), used if part == "agent" else None, None)
        for part in PARTS
    }
    return {"id": agent, "parts": parts}


def _amounts_used(accounts: Sequence[Account], scope: str, day: str) -> tuple[SpendingSums, Mapping[str, Amount]]:
    """Return the amounts that a scope has spent on a day, and those that answers reserve for the day and its month."""
    sums = combine_sums([one.sums.get(scope, SpendingSums()) for one in accounts], day)
    lent = [(one.days[scope], one.amount) for account in accounts for one in account.lent.values() if scope in one.days]
    return sums, {
        "day": sum_amounts(amount for at, amount in lent if at == day),
        "month": sum_amounts(amount for at, amount in lent if month_of(at) == month_of(day)),
    }


def _rows(
    setting: SpendingLimits,
    own: SpendingLimits,
    used: tuple[SpendingSums, Mapping[str, Amount]] | None,
    divided: SpendingPolicy | None,
) -> list[Mapping[str, Any]]:
    """Return a row for each limit. For the deployment's limits, `divided` is the spending policy, else None.

    If the deployment's limits are divided among several shards, the owner can change only amounts of money.
    """
    lowered, rows = setting.at_most(own), list[Mapping[str, Any]]()
    for name in NAMES:
        span, unit = name.split("_")
        row: dict[str, Any] = {
            "name": name,
            "setting": getattr(setting, name),
            "own": getattr(own, name),
            "limit": getattr(lowered, name),
            "can_change": divided is None or unit == "usd" or divided.shards == 1,
        }
        if used is not None:
            spent = used[0].spent_day if span == "day" else used[0].spent_month
            row |= {"spent": getattr(spent, unit), "lent": getattr(used[1][span], unit)}
        rows.append(row)
    return rows


async def set_limits(
    services: ConsoleServices, agents: Sequence[str], agent: str, part: str, given: Mapping[str, Any]
) -> None:
    """Replace the owner's limits for one part of an agent, such as a trust tier, or for all agents (`deployment`).

    Raises BadRequest, StoreUnavailable or StoreRefused.
    """
    if part not in {*PARTS, "deployment"}:
        raise OutdatedPage("These limits are not known.")
    policy, limits = services.spending(), parse_limits(given)
    ceiling = policy.deployment if part == "deployment" else getattr(policy.agents.get(agent, AgentLimits()), part)
    _check_below(limits, ceiling)
    if part == "deployment" and policy.shards > 1 and limits.limits_messages:
        raise BadRequest("answers_limited_in_settings")
    lists = FirestoreAccessLists(services.client, services.clock)
    for one in _agents_of(services, agents, agent, part):
        await lists.set_limits(one, part, limits)


async def set_soft_share(services: ConsoleServices, agents: Sequence[str], given: Any) -> None:
    """Store the share of a limit (from 0 to 1) above which the cheaper model answers; None restores the setting.

    Raises BadRequest, StoreUnavailable or StoreRefused.
    """
    try:
        share = OwnerLimits(soft_share=_number(given)).soft_share
    except ValidationError:
        raise BadRequest("share_out_of_range") from None
    if share is not None and share > services.spending().soft:
        raise BadRequest("share_only_lower", share=services.spending().soft)
    lists = FirestoreAccessLists(services.client, services.clock)
    for one in _agents_of(services, agents, "", "deployment"):
        await lists.set_soft_share(one, share)


def parse_limits(given: Mapping[str, Any]) -> SpendingLimits:
    """Return limits from the fields of a form. An empty field means that the owner sets no limit. Raises BadRequest."""
    if unknown := given.keys() - set(NAMES):
        raise OutdatedPage(f"The limit {min(unknown)} is not known.")
    try:
        return SpendingLimits.model_validate({name: _number(given.get(name)) for name in NAMES})
    except ValidationError:
        raise BadRequest("limit_malformed") from None


def _number(given: Any) -> Any:
    return None if given in ("", None) else given


def _check_below(limits: SpendingLimits, ceiling: SpendingLimits) -> None:
    for name in NAMES:
        wanted, most = getattr(limits, name), getattr(ceiling, name)
        if wanted is not None and most is not None and wanted > most:
            raise BadRequest(f"limit_only_lower_{name}", **{"usd" if name.endswith("usd") else "count": most})


def _agents_of(services: ConsoleServices, agents: Sequence[str], agent: str, part: str) -> Sequence[str]:
    """Return the agents whose documents store the limits. Raises BadRequest if the owner may not set them."""
    if part != "deployment":
        return [agent]
    if not may_change_deployment(services, agents):
        raise BadRequest("not_your_deployment")
    return agents
