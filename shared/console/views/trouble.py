"""Trouble: incidents with the possible actions for each, and the scheduled jobs."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

from shared.console.chat_names import chat_names
from shared.console.incidents import ConsoleIncidents, IncidentAction, actions_of, is_incident_id
from shared.console.logs_link import logs_url
from shared.console.orders import give_order
from shared.console.records import Click
from shared.console.replaying import replayer_of
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.schedules import SCHEDULES, DeploymentReport, ScheduledJob, is_late, read_report
from shared.console.services import ConsoleServices
from shared.console.views.status import forget_status, moment_in
from shared.console.waiting import count_later_work, waiting_work
from shared.upkeep.jobs.replay import replay
from shared.upkeep.store.incidents import FirestoreIncidents, IncidentSnapshot
from shared.values.chat_key import ChatKey
from shared.values.console_order import RESEND, ConsoleOrder
from shared.values.incident import Incident
from shared.values.job_result import JobOutcome
from shared.values.wake import background_job

#: incidents on one page
PAGE: Final = 20


async def list_incidents(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of incidents, the newest first."""
    found, before = ConsoleIncidents(services.client), moment_in(request.query, "cursor")
    incidents = await found.page(request.agents, before, PAGE + 1)
    names = await chat_names(services.client, [one.chat for one in incidents[:PAGE]])
    after = incidents[PAGE - 1].at.isoformat() if len(incidents) > PAGE else ""
    return {"items": [_json(one, names) for one in incidents[:PAGE]], "next": after}


async def show_incident(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return one incident. If a message may not have arrived, add its text and a link to the logs of its tick."""
    seen, found = await _find(services, request), ConsoleIncidents(services.client)
    lost = await found.lost_delivery(seen.incident)
    shown = dict(_json(seen.incident, await chat_names(services.client, [seen.incident.chat])))
    shown["has_content"] = bool(seen.incident.body)
    if lost is not None:
        shown["text"] = lost.text
        link = logs_url(services.project, lost.plan.trace, seen.incident.at)
        shown["logs"] = "" if services.is_local else link
    return shown


async def replay_incident(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Replay a dead letter: process again an update that could not be processed."""
    seen = await _find(services, request)
    async with _record_action(services, request, IncidentAction.REPLAY, seen.incident) as click:
        if not (click.is_repeated and seen.incident.replayed_at):
            _require(seen.incident, IncidentAction.REPLAY)
        outcome = await replay(replayer_of(services), seen, "")
    return {"is_done": outcome.is_done, "said": outcome.said}


async def resend_incident(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have a tick send a message again. `knowing` must be true: the owner confirms that it may arrive twice."""
    seen = await _find(services, request)
    if request.body.get("knowing") is not True:
        raise OutdatedPage("The message may arrive twice. Confirm that you know this.")
    async with _record_action(services, request, IncidentAction.RESEND, seen.incident) as click:
        if click.is_repeated and seen.incident.replayed_at:
            return {"is_done": True}
        _require(seen.incident, IncidentAction.RESEND)
        lost = await ConsoleIncidents(services.client).lost_delivery(seen.incident)
        # a repeated request may find that a tick has carried out the order of the first
        if lost is None and not click.is_repeated:
            raise BadRequest("message_not_stored")
        if lost is not None:
            await give_order(services, lost.key, _resend_order(seen.incident, request.owner, lost.id))
        await FirestoreIncidents(services.project, services.client).note_replay(seen, click.at)
    return {"is_done": True}


async def drop_incident(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Settle an incident without doing anything about it."""
    seen = await _find(services, request)
    async with _record_action(services, request, IncidentAction.DROP, seen.incident) as click:
        if not (click.is_repeated and seen.incident.dropped_at):
            _require(seen.incident, IncidentAction.DROP)
            await FirestoreIncidents(services.project, services.client).drop(seen, click.at)
    return {"is_done": True}


async def list_jobs(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return jobs with their runs, the last canary (a self-test), progress of archives and sweep, and waiting work."""
    report, now = await read_report(services.client), services.clock()
    failed = sorted(name for name in report.results if name not in {job.name for job in SCHEDULES})
    return {
        "jobs": [_job_json(job, report.results.get(job.name), now) for job in SCHEDULES],
        "others": [{"name": name, "last": _result_json(report.results[name])} for name in failed],
        "canary": _canary_json(report, request.agents),
        "archives": [{"name": name, "up_to": at.isoformat()} for name, at in sorted(report.archives.items())],
        "sweep_goes_on": list(report.sweep_goes_on),
        "queues": [one.to_json(now) for one in await waiting_work(services.client, request.agents, now)],
        # the counts are of all agents together, so they are for whoever owns all of them
        "waiting": await count_later_work(services.client) if services.agents <= set(request.agents) else {},
    }


async def run_job(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Start a scheduled job now. Only an owner of all agents may do this."""
    job = next((one for one in SCHEDULES if one.name == request.path["job"]), None)
    if job is None:
        raise NotFound
    if not job.may_run_now:
        raise OutdatedPage(f"Only Cloud Scheduler may call {job.name}. Run `make {job.name}` instead.")
    if not services.agents <= set(request.agents):
        raise BadRequest("not_your_deployment")
    async with services.record_change(request, "run_job", job.name) as click:
        task = background_job({"job": job.name}, f"console {click.at:%Y-%m-%dT%H:%M}", click.at)
        await services.jobs.enqueue(task)
    forget_status(services)
    return {"is_done": True}


async def _find(services: ConsoleServices, request: ConsoleRequest) -> IncidentSnapshot:
    """Return the incident that the path names. Raises NotFound."""
    incident_id = request.path["incident"]
    seen = (
        await FirestoreIncidents(services.project, services.client).find(incident_id)
        if is_incident_id(incident_id)
        else None
    )
    if seen is None or seen.incident.agent not in request.agents:
        raise NotFound
    return seen


def _require(incident: Incident, action: IncidentAction) -> None:
    if incident.is_settled:
        raise BadRequest("incident_settled")
    if action not in actions_of(incident):
        raise OutdatedPage("This action is not possible for this kind of incident.")


@asynccontextmanager
async def _record_action(
    services: ConsoleServices, request: ConsoleRequest, action: IncidentAction, incident: Incident
) -> AsyncIterator[Click]:
    # the id of a private chat is a person's id (core.telegram.org/bots/api#chat), which a record must not name
    about = "" if _names_a_person(incident) else incident.id
    async with services.record_change(request, f"{action.value}_incident", about) as click:
        yield click
    forget_status(services)


def _names_a_person(incident: Incident) -> bool:
    try:
        return ChatKey.from_id(incident.chat).is_private and incident.chat in incident.id
    except ValueError:
        return False


def _resend_order(incident: Incident, owner: int, delivery: str) -> ConsoleOrder:
    """Return the order to send a message again. Orders for the same incident share an id; only one is carried out."""
    return ConsoleOrder(id=f"resend {incident.id}"[-80:], owner=owner, command=RESEND, argument=delivery)


def _json(incident: Incident, names: Mapping[str, str]) -> Mapping[str, Any]:
    return {
        "id": incident.id,
        "kind": incident.kind.value,
        "at": incident.at.isoformat(),
        "why": incident.why,
        "agent": incident.agent,
        "chat": incident.chat,
        "chat_title": names.get(incident.chat, ""),
        "conversation": incident.conversation,
        "replayed_at": _moment(incident.replayed_at),
        "dropped_at": _moment(incident.dropped_at),
        "actions": [action.value for action in actions_of(incident)],
    }


def _job_json(job: ScheduledJob, result: JobOutcome | None, now: datetime) -> Mapping[str, Any]:
    return {
        "name": job.name,
        "schedule": job.schedule,
        "may_run_now": job.may_run_now,
        "next": [at.isoformat() for at in job.next_runs(now)],
        "last": _result_json(result) if result is not None else None,
        "is_late": is_late(job, result, now),
    }


def _result_json(result: JobOutcome) -> Mapping[str, Any]:
    return {"at": result.at.isoformat(), "is_well": result.is_well, "why": result.why, "counts": result.counts}


def _canary_json(report: DeploymentReport, agents: tuple[str, ...]) -> Mapping[str, Any] | None:
    if report.canary_at is None:
        return None
    steps = [one for one in report.canary.get("steps", ()) if one.get("agent") in {"", *agents}]
    return {"at": report.canary_at.isoformat(), "steps": steps}


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None


ROUTES = (
    ConsoleRoute("GET", "/api/trouble/incidents", list_incidents),
    ConsoleRoute("GET", "/api/trouble/incidents/{incident}", show_incident),
    ConsoleRoute("POST", "/api/trouble/incidents/{incident}/replay", replay_incident),
    ConsoleRoute("POST", "/api/trouble/incidents/{incident}/resend", resend_incident),
    ConsoleRoute("POST", "/api/trouble/incidents/{incident}/drop", drop_incident),
    ConsoleRoute("GET", "/api/trouble/jobs", list_jobs),
    ConsoleRoute("POST", "/api/trouble/jobs/{job}/run", run_job),
)
