"""The deployment: its version, its agents and models, its functions with their logs, and its settings, read-only."""

from collections.abc import Mapping
from typing import Any

from shared.console.deployment import FUNCTIONS, ShownSetting
from shared.console.route import ConsoleRequest, ConsoleRoute
from shared.console.services import ConsoleServices


async def read_deployment(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return what is deployed. Settings concern all agents, so they are shown only to an owner of all of them."""
    facts, known = services.deployment(), services.knowledge
    is_whole = services.agents <= set(request.agents)
    return {
        "project": services.project,
        "region": facts.region,
        "revision": facts.revision,
        "is_local": services.is_local,
        "agents": sorted(request.agents),
        "models": {
            "planning": list(known.models),
            "notes": known.notes_model,
            "media": known.media_model,
            "embedding": known.embedding_model,
        },
        "functions": [{"name": one, "logs": facts.logs_of(one, services.project)} for one in FUNCTIONS],
        "settings": [_json(one) for one in facts.settings] if is_whole else [],
        "is_whole": is_whole,
    }


def _json(shown: ShownSetting) -> Mapping[str, Any]:
    return {"name": shown.name, "value": shown.value, "purpose": shown.purpose, "is_default": shown.is_default}


ROUTES = (ConsoleRoute("GET", "/api/deployment", read_deployment),)
