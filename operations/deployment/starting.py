"""Checks that the functions will start with terraform.tfvars. Google would report an error only after building them."""

import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path

from infra.functions import declared_functions
from operations.deployment.options import CannotDeploy
from operations.deployment.terraform import Variables
from shared.base.errors import InvalidPersona, InvalidSettings
from shared.planning.personas.load import load_agents, load_everything
from shared.values.model_name import ADDRESSES, GEMINI, parse_model_name, split_model_name
from shared.wiring.settings import Settings
from shared.wiring.settings.model_access import ModelAccessSettings
from shared.wiring.settings.model_names import NO_MODEL

#: Paths that Cloud Run never passes to a function (cloud.google.com/run/docs/known-issues). infra/variables.tf refuses
#: them too.
RESERVED = re.compile(r"_ah.*|eventlog|.*z")
#: prefixes of Google's model names; a name with a slash includes a location
GOOGLES = re.compile(r"(gemini|gemma|learnlm|text-embedding|text-multilingual|multimodalembedding|embedding)-|[^/]+/")
#: the classes of the functions' settings
KINDS = tuple(function.settings_kind for function in declared_functions().values())


def check_agents(agents: Collection[str], folder: Path) -> None:
    """Check that all personas are valid, and that each agent has one and no reserved name. Raises CannotDeploy."""
    try:
        known = load_everything((folder,))
    except InvalidPersona as wrong:
        raise CannotDeploy(f"The functions could not start: {wrong}") from wrong
    if reserved := sorted(name for name in agents if RESERVED.fullmatch(name)):
        raise CannotDeploy(
            f"A deployed agent cannot be called {', '.join(reserved)}: its name is its path at the webhook, and Cloud "
            "Run reserves `eventlog`, paths that begin with _ah, and paths that end in z. Rename its folder."
        )
    if missing := sorted(set(agents) - known.keys()):
        raise CannotDeploy(
            f"Unknown agent {', '.join(missing)}. {folder.name}/ contains: {', '.join(known)}. Correct `agents` in "
            "terraform.tfvars, or add the agent's folder."
        )


def other_usernames(usernames: Mapping[str, str], folder: Path) -> list[str]:
    """Return a line for each agent whose bot's username at Telegram differs from the one in its persona file."""
    try:
        known = load_agents((folder,))
    except InvalidPersona:  # the deployment may be older than the files of this checkout
        return []
    told = [known[agent].tell_other_username(name) for agent, name in usernames.items() if agent in known]
    return [f"{line}." for line in told if line]


def access_given(variables: Variables) -> dict[str, str]:
    """Return the settings by which Terraform gives the functions access to models (infra/models.tf), with example
    keys. In the result, an empty value means that the setting is not set.
    """
    given = {} if variables.needs_gemini_key else {"GEMINI_API_KEY": ""}
    if variables.vertex_ai:
        given["GOOGLE_GENAI_USE_ENTERPRISE"] = "true"
    if variables.model_providers:
        given["LULL_PROVIDERS"] = json.dumps(dict(variables.model_providers))
        given["LULL_PROVIDER_KEYS"] = json.dumps(dict.fromkeys(variables.model_providers, "a-key"))
    return given


def check_settings(variables: Variables) -> None:
    """Check that each function accepts the settings. Raises CannotDeploy with a line for each wrong setting."""
    check_configured(variables)
    if complaints := complaints_of({**variables.settings, **access_given(variables)}):
        lines = "\n".join(complaints)
        raise CannotDeploy(f"The functions could not start with `settings` of terraform.tfvars:\n{lines}")


def check_configured(variables: Variables) -> None:
    """Check that `model_providers` names the provider of each model in the settings. Raises CannotDeploy."""
    for setting, value in variables.settings.items():
        for name in names_in(value) if setting.endswith(("_MODEL", "_MODELS")) else ():
            provider = parse_model_name(name, variables.model_providers).provider
            if provider not in {GEMINI, *variables.model_providers}:
                address = "" if provider in ADDRESSES else "https://…"
                raise CannotDeploy(
                    f"{setting} in `settings` of terraform.tfvars is {name}, but {provider} is missing in "
                    f'`model_providers`. Add {provider} = "{address}" there.'
                )


def models_named(variables: Variables) -> dict[str, str]:
    """Return the settings that name models, with their values or defaults. Raises InvalidSettings."""
    named, env = dict[str, str](), {**variables.settings, **access_given(variables)}
    for kind in KINDS:
        if issubclass(kind, ModelAccessSettings):
            found = kind.from_environment({**kind.needed_examples(), **env})
            fields = zip(kind.variables(), kind.model_fields, strict=True)
            named |= {
                name: str(getattr(found, field)) for name, field in fields if name.endswith(("_MODEL", "_MODELS"))
            }
    return named


def names_in(value: str) -> list[str]:
    """Return the models that a setting's value names."""
    names = (name.strip().removeprefix("models/") for name in value.split(","))
    return [name for name in names if name and name != NO_MODEL]


def gemini_models(variables: Variables) -> dict[str, list[str]]:
    """Return a dict that maps each setting that names models to the Gemini models among them."""
    named = {setting: names_in(value) for setting, value in models_named(variables).items()}
    return {setting: [name for name in names if split_model_name(name).is_gemini] for setting, names in named.items()}


def check_families(variables: Variables) -> None:
    """Check that each model without a provider's prefix has the name of a Google model, since requests for any other
    model would fail. If GEMINI_BASE_URL is set, any name is allowed.

    Raises CannotDeploy.
    """
    if variables.settings.get("GEMINI_BASE_URL"):
        return
    for setting, names in gemini_models(variables).items():
        for name in names:
            if GOOGLES.match(name) is None:
                raise CannotDeploy(
                    f"{setting} in `settings` of terraform.tfvars is {name}, which is not a model of Google's. Use "
                    "one of https://ai.google.dev/gemini-api/docs/models, such as gemini-3.8-flash. For a model of "
                    "another provider, write it like groq:MODEL, and add the provider to `model_providers`."
                )


def settings_without_model(variables: Variables) -> list[str]:
    """Return the names of the model settings that are `no` by default because the deployment has no Gemini model."""
    if variables.uses_gemini:
        return []
    return sorted(
        name for name, value in models_named(variables).items() if value == NO_MODEL and name not in variables.settings
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
