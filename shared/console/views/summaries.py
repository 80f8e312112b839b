"""The view of summaries, and of rebuilding the data that is derived from transcripts.

Handlers import what they need, so that the function starts quickly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shared.console.request import own_chat
from shared.console.route import ConsoleRequest, ConsoleRoute
from shared.console.views.memories import text_in

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices


async def list_summaries(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of chats with their summaries, and the current rebuild."""
    from shared.console import summaries

    asked = request.query.get("agent", "")
    agents = [one for one in request.agents if asked in {"", one}]
    return await summaries.list_summaries(services, agents, request.query.get("cursor", ""))


async def read_summary(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return one summary in full."""
    from shared.console import summaries

    return await summaries.read_summary(services, request.path["chat"], request.path["span"], request.agents)


async def make_again(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Request that a summary is made again."""
    from shared.console import summaries

    chat, span = text_in(request, "chat"), summaries.span_named(text_in(request, "span"))
    own_chat(chat, request.agents)
    async with services.record_change(request, "summary.make_again", span.value) as click:
        await summaries.ask_for_summary(services, chat, span, click)
    return {}


async def read_rebuild(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the progress of a rebuild."""
    from shared.console import summaries

    return await summaries.rebuild_status(services, request.agents)


async def estimate_rebuild(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return what a rebuild would do and cost."""
    from shared.console import summaries

    return await summaries.rebuild_size(services, request.agents)


async def start_rebuild(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Start rebuilding the data that is derived from transcripts."""
    from shared.console import summaries

    with_model = request.body.get("with_model") is True
    async with services.record_change(
        request, "rebuild.start", "with models" if with_model else "without models"
    ) as click:
        await summaries.start_rebuild(services, request.agents, click, with_model=with_model)
    return {}


async def resume_rebuild(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Continue a rebuild that was interrupted."""
    from shared.console import summaries

    async with services.record_change(request, "rebuild.resume") as click:
        await summaries.resume_rebuild(services, request.agents, click.at)
    return {}


async def stop_rebuild(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Stop the rebuild that is running."""
    from shared.console import summaries

    async with services.record_change(request, "rebuild.stop") as click:
        await summaries.stop_rebuild(services, request.agents, click)
    return {}


ROUTES = (
    ConsoleRoute("GET", "/api/summaries", list_summaries),
    ConsoleRoute("GET", "/api/summaries/{chat}/{span}", read_summary),
    ConsoleRoute("POST", "/api/summaries/again", make_again),
    ConsoleRoute("GET", "/api/rebuild", read_rebuild),
    ConsoleRoute("GET", "/api/rebuild/size", estimate_rebuild),
    ConsoleRoute("POST", "/api/rebuild/start", start_rebuild),
    ConsoleRoute("POST", "/api/rebuild/resume", resume_rebuild),
    ConsoleRoute("POST", "/api/rebuild/stop", stop_rebuild),
)
