"""Checks that the functions will start with terraform.tfvars. Google would report an error only after building them."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from infra.functions import declared_functions
from operations.deployment.options import CannotDeploy
from shared.base.errors import InvalidPersona, InvalidSettings
from shared.planning.personas.load import load_agents, load_everything
from shared.wiring.settings import Settings
from shared.wiring.settings.model_names import NO_MODEL

#: Paths that Cloud Run never passes to a function (cloud.google.com/run/docs/known-issues). infra/variables.tf refuses
#: them too.
RESERVED = re.compile(r"_ah.*|eventlog|.*z")
#: prefixes of Google's model names; a name with a slash includes a location
GOOGLES = re.compile(r"(gemini|gemma|learnlm|text-embedding|text-multilingual|multimodalembedding|embedding)-|[^/]+/")
#: settings of each function
KINDS = tuple(function.settings_kind for function in declared_functions().values())


def check_agents(agents: Collection[str], folder: Path) -> None:
    """Check that each agent has a persona, and that all personas are readable. Raises CannotDeploy."""
    try:
        known = load_everything((folder,))
    except InvalidPersona as wrong:
        raise CannotDeploy(f"The functions could not start: {wrong}") from wrong
    if reserved := sorted(name for name in agents if RESERVED.fullmatch(name)):
        raise CannotDeploy(
            f"An agent cannot be called {', '.join(reserved)} where it is deployed: its name is its path at the "
            "webhook, and Cloud Run keeps eventlog, what begins with _ah, and what ends in z. Rename its folder."
        )
    if missing := sorted(set(agents) - known.keys()):
        raise CannotDeploy(
            f"Unknown agent {', '.join(missing)}. {folder.name}/ contains: {', '.join(known)}. Correct `agents` in "
            "terraform.tfvars, or add the agent's folder."
        )


def other_usernames(usernames: Mapping[str, str], folder: Path) -> list[str]:
    """Return a line for each agent whose bot has another username than its persona's file."""
    try:
        known = load_agents((folder,))
    except InvalidPersona:  # the deployment may be older than the files of this checkout
        return []
    told = [known[agent].tell_other_username(name) for agent, name in usernames.items() if agent in known]
    return [f"{line}." for line in told if line]


def check_settings(settings: Mapping[str, str]) -> None:
    """Check that each function accepts these settings. Raises CannotDeploy with a line for each that is wrong."""
    if complaints := complaints_of(settings):
        lines = "\n".join(complaints)
        raise CannotDeploy(f"The functions could not start with `settings` of terraform.tfvars:\n{lines}")


def models_named(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that name models, with their values or defaults."""
    named = dict[str, str]()
    for kind in KINDS:
        for name, field in kind.variables().items():
            if name.endswith(("_MODEL", "_MODELS")):
                named[name] = settings.get(name, str(field.default or ""))
    return named


def names_in(value: str) -> list[str]:
    """Return the models that a setting's value names."""
    names = (name.strip().removeprefix("models/") for name in value.split(","))
    return [name for name in names if name and name != NO_MODEL]


def check_families(settings: Mapping[str, str]) -> None:
    """Check that models are Google's unless another host is set. A wrong model would otherwise fail with each answer.

    Raises CannotDeploy.
    """
    if settings.get("GEMINI_BASE_URL"):
        return
    for setting, value in models_named(settings).items():
        for name in names_in(value):
            if GOOGLES.match(name) is None:
                raise CannotDeploy(
                    f"{setting} in `settings` of terraform.tfvars names {name}, which is no model of Google's, and "
                    "lull asks no other: take one of https://ai.google.dev/gemini-api/docs/models, such as "
                    "gemini-3.8-flash."
                )


def complaints_of(settings: Mapping[str, str]) -> list[str]:
    """Return a line for each setting that a function does not accept."""
    return list(dict.fromkeys(line for kind in KINDS for line in _complaints(kind, settings)))


def _complaints(kind: type[Settings], settings: Mapping[str, str]) -> list[str]:
    # required settings have their example values, optional ones are left out
    try:
        kind.from_environment({**kind.needed_examples(), **settings})
    except InvalidSettings as wrong:
        return str(wrong).splitlines()
    return []
