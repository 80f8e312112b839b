"""A person's data: the chats that contain it, its export and its deletion; also, all running exports and deletions."""

from collections.abc import Mapping
from typing import Any

from shared.console.logs_link import logs_url
from shared.console.person_data import PersonData, PersonPlaces, deletion_json, export_json
from shared.console.posted import posted_click
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.views.status import moment_in
from shared.privacy.places import stored_places
from shared.values.chat_key import ChatKey
from shared.values.deletion import ROUND_STEPS


async def show_person_data(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return where a person's data is, what a deletion or an export covers, the last export, and all deletions."""
    data, places = await _places(services, request)
    export, deletions = await data.export(places.person), await data.deletions(places.person)
    await services.record_look(request, "person_data", "")
    return {
        "person": places.person,
        "private": [{"chat": key.id, "agent": key.agent} for key in places.private],
        "groups": [
            {"chat": chat, "title": title, "agent": ChatKey.from_id(chat).agent}
            for chat, title in places.groups.items()
        ],
        "places": [
            {"collection": one.collection, "holds": one.holds, "forgotten": one.forgotten, "is_kept": one.is_kept,
             "restored": one.restored, "exported": list(one.exported)}
            for one in stored_places()
        ],
        "export": export_json(export) if export is not None and export.agent in request.agents else None,
        "deletions": [deletion_json(one, ROUND_STEPS) for one in deletions if one.key.agent in request.agents],
        "may_export": data.is_open and bool(places.private),
        "may_forget": services.agents <= set(request.agents),
    }  # fmt: skip


async def export_person_data(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Start a person's export. It is sent to the person's private chat with an agent, and to nobody else."""
    data, places = await _places(services, request)
    if not places.private:
        raise BadRequest("export_has_no_chat")
    async with services.record_change(request, "export_person") as click:
        export = await data.start_export(places.private[0], "", click.at)
        if export is None:
            raise BadRequest("export_has_no_bucket")
        if export.agent not in request.agents:
            raise BadRequest("export_is_running")
    return export_json(export)


async def forget_person(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Start the deletion of a person's data. `confirm` must be the person's id, as the owner typed it."""
    data, places = await _places(services, request)
    if not services.agents <= set(request.agents):
        raise BadRequest("forget_of_others")
    if str(request.body.get("confirm", "")).strip() != str(places.person):
        raise BadRequest("forget_not_confirmed")
    of, key = posted_click(request), ChatKey(agent=request.agents[0], chat_id=request.owner)
    async with services.record_change(request, "forget_person") as click:
        deletion = await data.start_deletion(key, places.person, of, click.at)
        if deletion is None:
            raise BadRequest("forgotten_lately")
    return deletion_json(deletion, ROUND_STEPS)


async def list_running(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the deletions and exports of the owner's agents that are not finished."""
    deletions, exports = await _data(services).running(request.agents, services.clock())
    return {
        "deletions": [deletion_json(one, ROUND_STEPS) for one in deletions],
        "exports": [export_json(one) for one in exports],
    }


async def find_logs(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the address of the log entries with a trace; "" on a local machine, where logs are files."""
    url = logs_url(services.project, request.query.get("trace", ""), moment_in(request.query, "at"))
    if url is None:
        raise OutdatedPage("trace must be a W3C trace id of 32 hexadecimal digits.")
    return {"url": "" if services.is_local else url}


def _data(services: ConsoleServices) -> PersonData:
    return PersonData(client=services.client, jobs=services.jobs, is_open=services.has_exports)


async def _places(services: ConsoleServices, request: ConsoleRequest) -> tuple[PersonData, PersonPlaces]:
    """Return the chats with data of the person in the path. Raises NotFound if no agent of the owner knows them."""
    written, data = request.path["person"], _data(services)
    if not (written.isdecimal() and len(written) <= 16 and int(written)):
        raise NotFound
    places = await data.places(int(written), request.agents)
    if not places.is_known:
        raise NotFound
    return data, places


ROUTES = (
    ConsoleRoute("GET", "/api/person-data/{person}", show_person_data),
    ConsoleRoute("POST", "/api/person-data/{person}/export", export_person_data),
    ConsoleRoute("POST", "/api/person-data/{person}/forget", forget_person),
    ConsoleRoute("GET", "/api/person-data", list_running),
    ConsoleRoute("GET", "/api/logs", find_logs),
)
