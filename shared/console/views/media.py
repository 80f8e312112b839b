"""The media editor: files with their descriptions by a model and by the owner.

Handlers import what they need, so that the function starts quickly.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from shared.console.posted import posted_texts
from shared.console.request import own_agent
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound
from shared.console.views.memories import text_in
from shared.values.media import MediaKind

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices
    from shared.media.blobs import StorageBlobs


async def list_media(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of files. Body: `cursor`; the filters `agent`, `kind`, `set` and `shown` (a description's state).

    The method is POST, since URLs are logged, and names of sticker sets, which people write, must not be logged.
    """
    from shared.console.media_files import MediaFilter, list_files

    asked = posted_texts(request)
    agent = asked.get("agent", "")
    wanted = MediaFilter(
        agents=tuple(one for one in request.agents if agent in {"", one}),
        kind=asked.get("kind", ""),
        set_name=asked.get("set", ""),
        shown=asked.get("shown", ""),
    )
    return await list_files(services, wanted, asked.get("cursor", ""))


async def read_overview(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return kinds of files, sticker sets, the model, its budget, and counts of waiting and owner-described files."""
    from shared.console.media_files import edits_of
    from shared.media.store.media import FirestoreMedia

    fronts = services.fronts
    edits = await edits_of(services, request.agents)
    waiting = await FirestoreMedia(services.client).count_open(request.agents)
    return {
        "kinds": [one.value for one in MediaKind],
        "sets": sorted({name for agent in request.agents if agent in fronts for name in fronts[agent].sets}),
        "model": services.knowledge.media_model,
        "budget": services.knowledge.media_budget,
        "waiting": waiting,
        "edits": [{"agent": agent, "count": len(found)} for agent, found in edits.items()],
        "has_pictures": bool(services.media_bucket),
    }


async def read_file(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return one file, with the cost of describing it again."""
    from shared.console import media_changes
    from shared.console.media_files import find_file

    file = await find_file(services, request.path["file"], request.agents)
    return {**file.to_json(), "cost": media_changes.describing_cost(services, file.reference.ref, file.media)}


async def read_part(services: ConsoleServices, request: ConsoleRequest) -> Response:
    """Return the bytes of one part of a file, such as a picture."""
    from shared.console.file_answers import SAFE_HEADERS, SHOWN_TYPES, disposition
    from shared.console.media_files import find_part

    if not services.media_bucket:
        raise NotFound
    part = await find_part(services, request.path["file"], request.path["number"], request.agents)
    content = await _blobs(services.project, services.media_bucket).get(part)
    if content is None:
        raise NotFound
    shown = part.mime_type if part.mime_type in SHOWN_TYPES else "application/octet-stream"
    headers = {**SAFE_HEADERS, "Content-Disposition": disposition(part.mime_type)}
    return Response(content, media_type=shown, headers=headers)


@lru_cache(maxsize=4)
def _blobs(project: str, bucket: str) -> StorageBlobs:
    from shared.media.blobs import StorageBlobs

    return StorageBlobs(project, bucket)


async def edit(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Store the owner's description of a file; an empty text deletes it."""
    from shared.console import media_changes
    from shared.console.media_files import find_file

    file = await find_file(services, text_in(request, "file"), _agents(request))
    text = text_in(request, "text")
    async with services.record_change(request, "media.edit", file.reference.ref.unique_id) as click:
        await media_changes.keep_edit(services, file, text, request.owner, click.at)
    return {"undo": {"file": file.reference.ref.unique_id, "text": file.edit.description if file.edit else ""}}


async def describe_again(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have a model describe a file again."""
    from shared.console import media_changes
    from shared.console.media_files import find_file

    file = await find_file(services, text_in(request, "file"), _agents(request))
    async with services.record_change(request, "media.describe_again", file.reference.ref.unique_id) as click:
        await media_changes.describe_again(services, file, request.owner, click)
    return {}


async def export(services: ConsoleServices, request: ConsoleRequest) -> Response:
    """Return the owner's descriptions as a zip of files for `agents/`."""
    from shared.console import media_changes

    agent = own_agent(request, request.query.get("agent", ""))
    content = await media_changes.export_edits(services, agent)
    name = f"{agent}-media.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type="application/zip", headers=headers)


async def clear(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Delete the owner's descriptions of files that are now described in `agents/`."""
    from shared.console import media_changes

    agent = own_agent(request, text_in(request, "agent"))
    async with services.record_change(request, "media.clear", agent) as click:
        count = await media_changes.clear_covered(services, agent)
        if not count and not click.is_repeated:
            raise BadRequest("no_file_says_it_yet")
    return {"count": count}


def _agents(request: ConsoleRequest) -> list[str]:
    """Return the agent that the body names, as a list; [] if the owner does not have it."""
    asked = text_in(request, "agent")
    return [one for one in request.agents if one == asked]


ROUTES = (
    ConsoleRoute("POST", "/api/media", list_media, only_reads=True),
    ConsoleRoute("GET", "/api/media/overview", read_overview),
    ConsoleRoute("GET", "/api/media/export", export),
    ConsoleRoute("GET", "/api/media/files/{file}", read_file),
    ConsoleRoute("GET", "/api/media/files/{file}/parts/{number}", read_part),
    ConsoleRoute("POST", "/api/media/edit", edit),
    ConsoleRoute("POST", "/api/media/again", describe_again),
    ConsoleRoute("POST", "/api/media/clear", clear),
)
