"""The deployment: its version, its agents and models, its functions with their logs, and its settings, read-only.

New values of settings are only checked here. They take effect with the next deployment.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from shared.console.deployment import FUNCTIONS
from shared.console.posted import posted_texts
from shared.console.route import ConsoleRequest, ConsoleRoute, NotFound
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
        "settings": [asdict(one) for one in facts.settings] if is_whole else [],
        "is_whole": is_whole,
    }


async def check_setting(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return what is wrong with the `value` of the setting `name`, both from the body; "" if it can be used."""
    asked, facts = posted_texts(request), services.deployment()
    name = asked.get("name", "")
    if not services.agents <= set(request.agents) or all(one.is_given or one.name != name for one in facts.settings):
        raise NotFound
    return {"problem": facts.problem_of(name, asked.get("value", ""))}


ROUTES = (
    ConsoleRoute("GET", "/api/deployment", read_deployment),
    ConsoleRoute("POST", "/api/deployment/check", check_setting, only_reads=True),
)
