"""The status of a deployment: all is well, or a list of problems. Reading it costs at most ten reads."""

import asyncio
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.chat.store.queries import (
    FAILED_REMINDERS,
    OPEN_REFERENCES,
    OVERDUE,
    UNREAD_ANYWHERE,
    PageQuery,
    Query,
    page_of,
)
from shared.console.incidents import ConsoleIncidents
from shared.upkeep.store.job_results import decode_job_results
from shared.values.account import BACKGROUND, DEPLOYMENT, Account, agent_of, month_of
from shared.values.canary import CanaryStep
from shared.values.chat_key import ChatKey
from shared.values.incident import Incident
from shared.values.job_result import JobOutcome

#: an update that is unread for longer than this, or a plan that is overdue for longer, has no tick
LATE: Final = timedelta(minutes=5)
#: how long a file may wait for its description
FILES_LATE: Final = timedelta(minutes=30)
#: the canary runs every six hours, so two runs in a row have failed or are missing
CANARY_LATE: Final = timedelta(hours=13)
#: lost reminders and notices of this time count
LATELY: Final = timedelta(days=1)
#: for jobs that are not scheduled, only failures are recorded; a later success is not
FAILURE_COUNTS: Final = timedelta(hours=1)
#: incidents that are looked at: the newest
NEWEST_INCIDENTS: Final = 3
#: percent of a limit that is used up
_USED_UP: Final = 100
#: the oldest documents that are looked at, if some of them may belong to other owners' agents
_SHARED_LIMIT: Final = 5
_SCHEDULED: Final = frozenset({"sweep", "archive", "register", "canary"})


class ProblemKind(StrEnum):
    UNREAD = "unread"
    OVERDUE = "overdue"
    FILES = "files"
    INCIDENT = "incident"
    REMINDER = "reminder"
    NOTICE = "notice"
    JOB = "job"
    CANARY = "canary"
    CANARY_LATE = "canary_late"
    WEBHOOK = "webhook"
    BUDGET_DAY = "budget_day"
    BUDGET_MONTH = "budget_month"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something that needs the owner's attention. `about` is the id of the chat, job, step or incident; `said` is
    lull's text about the cause.
    """

    kind: ProblemKind
    agent: str = ""
    since: datetime | None = None
    about: str = ""
    said: str = ""

    @property
    def as_json(self) -> Mapping[str, Any]:
        since = self.since.isoformat() if self.since is not None else None
        return {"kind": self.kind.value, "agent": self.agent, "since": since, "about": self.about, "said": self.said}


@dataclass(frozen=True, kw_only=True)
class StatusReport:
    """The agents' problems at the time `at`, and the agents' newest unsettled incidents."""

    at: datetime
    problems: Sequence[Problem]
    incidents: Sequence[Incident]

    def problems_since(self, last_look: datetime | None) -> Sequence[Problem]:
        """Return all problems, plus the newest incident if the owner has not looked at incidents since it happened."""
        new = [one for one in self.incidents if last_look is None or one.at > last_look]
        told = [
            Problem(kind=ProblemKind.INCIDENT, agent=one.agent, since=one.at, about=one.id, said=one.why)
            for one in new[:1]
        ]
        return [*self.problems, *told]


@dataclass(frozen=True, kw_only=True)
class StatusReader:
    """Reads the status of some agents. `is_all` tells whether they are all agents of the deployment."""

    client: AsyncClient
    agents: Collection[str]
    is_all: bool

    async def read(self, now: datetime) -> StatusReport:
        """Return the status. Raises StoreUnavailable or StoreRefused."""
        newest, *found = await asyncio.gather(
            ConsoleIncidents(self.client).newest(NEWEST_INCIDENTS),
            self._late(UNREAD_ANYWHERE, ProblemKind.UNREAD, now - LATE, False),
            self._late(OVERDUE, ProblemKind.OVERDUE, now - LATE),
            self._files(now - FILES_LATE),
            self._lost_reminders(now - LATELY),
            self._documents(now),
        )
        incidents = [one for one in newest if one.agent in self.agents and not one.is_settled]
        return StatusReport(at=now, problems=[one for some in found for one in some], incidents=incidents)

    async def _late(self, query: Query, kind: ProblemKind, before: datetime, *values: object) -> Sequence[Problem]:
        found = await self._first(query, before, *values)
        chats = ((paths.chat_id_in(one.reference.path), one.get(query.order[0].field)) for one in found)
        ours = [(chat, at) for chat, at in chats if _agent_in(chat) in self.agents]
        return [Problem(kind=kind, agent=_agent_in(chat), since=at, about=chat) for chat, at in ours[:1]]

    async def _files(self, before: datetime) -> Sequence[Problem]:
        found = await self._first(OPEN_REFERENCES, before, True, also=("agent", "chat"))
        ours = [known for one in found if (known := one.to_dict() or {}).get("agent") in self.agents]
        return [
            Problem(kind=ProblemKind.FILES, agent=one["agent"], since=one.get("try_at"), about=str(one.get("chat", "")))
            for one in ours[:1]
        ]

    async def _first(
        self, query: Query, before: datetime, *values: object, also: Sequence[str] = ()
    ) -> Sequence[DocumentSnapshot[Any]]:
        wanted = PageQuery(before=before, beyond=None, limit=1 if self.is_all else _SHARED_LIMIT)
        with translate_errors("look for work that waits"):
            return await page_of(self.client, query, wanted, *values, also=also).get(retry=RETRY, timeout=CALL_SECONDS)

    async def _lost_reminders(self, since: datetime) -> Sequence[Problem]:
        """Return at most one problem: the newest reminder or notice that could not be delivered."""
        field = FAILED_REMINDERS.order[0].field
        query = FAILED_REMINDERS.on(self.client).where(filter=FieldFilter(field, ">", since))
        with translate_errors("look for lost reminders"):
            found = await query.limit(1 if self.is_all else _SHARED_LIMIT).get(retry=RETRY, timeout=CALL_SECONDS)
        ours = [known for one in found if (known := one.to_dict() or {}).get("agent") in self.agents]
        return [
            Problem(
                kind=ProblemKind.NOTICE if one.get("is_notice") is True else ProblemKind.REMINDER,
                agent=one["agent"],
                since=one.get(field),
                about=str(one.get("id", "")),
                said=str((one.get("last") or {}).get("why", "")),
            )
            for one in ours[:1]
        ]

    async def _documents(self, now: datetime) -> Sequence[Problem]:
        """Return the problems in the documents of the canary, the jobs and the budget accounts. Costs three reads."""
        names = (paths.CANARY_REPORT, paths.JOB_RUNS, paths.budget_path(0))
        with translate_errors("read what the deployment reports"):
            stored = self.client.get_all(
                [self.client.document(name) for name in names], retry=RETRY, timeout=CALL_SECONDS
            )
            known = {one.reference.path: one.to_dict() async for one in stored}
        canary = canary_problems(known.get(paths.CANARY_REPORT) or {}, self.agents, now)
        jobs = job_problems(decode_job_results(known.get(paths.JOB_RUNS)), now)
        spent = budget_problems(known.get(paths.budget_path(0)) or {}, self.agents, now)
        return [*canary, *jobs, *spent]


def canary_problems(stored: Mapping[str, Any], agents: Collection[str], now: datetime) -> Iterator[Problem]:
    """Yield the failed steps of the last canary (a self-test). An overdue canary is a problem, too."""
    at, report = stored.get("at"), canary_in(stored)
    if not isinstance(at, datetime):
        return
    if now - at > CANARY_LATE:
        yield Problem(kind=ProblemKind.CANARY_LATE, since=at)
    for step in report.get("steps", ()):
        if step.get("is_well") or step.get("agent") not in {"", *agents}:
            continue
        is_webhook = step.get("step") == CanaryStep.ADDRESS.value
        yield Problem(
            kind=ProblemKind.WEBHOOK if is_webhook else ProblemKind.CANARY,
            agent=str(step.get("agent", "")),
            since=at,
            about=str(step.get("step", "")),
            said=str(step.get("said", "")),
        )


def canary_in(stored: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the report in the canary's document; {} if it cannot be read."""
    try:
        report = json.loads(stored.get("report") or "{}")
    except ValueError:
        return {}
    return report if isinstance(report, dict) else {}


def job_problems(results: Mapping[str, JobOutcome], now: datetime) -> Iterator[Problem]:
    """Yield the jobs whose last recorded run failed."""
    for job, result in sorted(results.items()):
        is_current = job in _SCHEDULED or now - result.at < FAILURE_COUNTS
        if not result.is_well and is_current:
            yield Problem(kind=ProblemKind.JOB, since=result.at, about=job, said=result.why)


def budget_problems(stored: Mapping[str, Any], agents: Collection[str], now: datetime) -> Iterator[Problem]:
    """Yield the limits that are used up today or this month: those for which the owner got the notice at 100 %."""
    try:
        account = Account.model_validate(stored)
    except ValidationError:
        return
    today = now.date().isoformat()
    for scope, sums in account.sums.items():
        agent = "" if scope in {DEPLOYMENT, BACKGROUND} else agent_of(scope)
        if agent and agent not in agents:
            continue
        if sums.told_month >= _USED_UP and month_of(sums.day) == month_of(today):
            yield Problem(kind=ProblemKind.BUDGET_MONTH, agent=agent)
        elif sums.told_day >= _USED_UP and sums.day == today:
            yield Problem(kind=ProblemKind.BUDGET_DAY, agent=agent)


def _agent_in(chat: str) -> str:
    try:
        return ChatKey.from_id(chat).agent
    except ValueError:
        return ""
