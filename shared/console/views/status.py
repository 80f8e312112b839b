"""The status line: all is well, or the problems."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from weakref import WeakKeyDictionary

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.console.route import ConsoleRequest, ConsoleRoute, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.status import Problem, ProblemKind, StatusReader, StatusReport

#: how long an instance uses a status that it has read
FRESH: Final = timedelta(seconds=30)
#: the last status by the database's client and by the agents
_known: WeakKeyDictionary[AsyncClient, dict[tuple[str, ...], StatusReport]] = WeakKeyDictionary()
#: the part of the page that shows a problem of this kind
_PATHS: Final = {
    ProblemKind.REMINDER: "/reminders",
    ProblemKind.NOTICE: "/reminders",
    ProblemKind.BUDGET_DAY: "/costs",
    ProblemKind.BUDGET_MONTH: "/costs",
}


async def read_status(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the problems. `since` is the time of the owner's last look at incidents; older incidents are left out."""
    report = await _report(services, request.agents)
    problems = report.problems_since(moment_in(request.query, "since"))
    return {"is_well": not problems, "at": report.at.isoformat(), "problems": [_json(one) for one in problems]}


async def _report(services: ConsoleServices, agents: tuple[str, ...]) -> StatusReport:
    now, known = services.clock(), _known.setdefault(services.client, {})
    report = known.get(agents)
    if report is None or not timedelta() <= now - report.at < FRESH:
        is_all = services.agents <= set(agents)
        report = await StatusReader(client=services.client, agents=frozenset(agents), is_all=is_all).read(now)
        known[agents] = report
    return report


def forget_status(services: ConsoleServices) -> None:
    """Clear the cached status, so that the next request reads it again. A change may have solved a problem."""
    _known.pop(services.client, None)


def moment_in(query: Mapping[str, str], name: str) -> datetime | None:
    """Return the time in a parameter of the query; None if it is missing. Raises BadRequest."""
    text = query.get(name, "")
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        moment = None
    if text and (moment is None or moment.tzinfo is None):
        raise OutdatedPage(f"{name} is not a time such as 2026-11-30T12:00:00Z.")
    return moment


def _json(problem: Problem) -> Mapping[str, Any]:
    return {**problem.as_json, "path": _PATHS.get(problem.kind, "/trouble")}


ROUTES = (ConsoleRoute("GET", "/api/status", read_status),)
