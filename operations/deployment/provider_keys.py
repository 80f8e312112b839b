"""Checks the key of each model provider, and asks the provider which models it has."""

from collections.abc import Iterator
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any, Final

import httpx

from operations.deployment.bots import TIMEOUT_S, is_sendable
from operations.deployment.options import CannotDeploy
from operations.deployment.secret_values import SecretValues
from operations.deployment.starting import models_named, names_in
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Variables
from shared.values.model_name import ADDRESSES, split_model_name

_REFUSED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


def check_provider_keys(variables: Variables, secrets: SecretValues, terminal: Terminal) -> None:
    """Check that each provider can be reached and accepts its key. Print each model that a setting names but its
    provider does not list.

    A missing model is not an error, since a provider need not list every model that it has, such as aliases and
    variants. Raises CannotDeploy without quoting a key.
    """
    for provider, address in variables.model_providers.items():
        listed = _list_models(provider, address or ADDRESSES[provider], secrets.model_provider_keys[provider])
        for setting, model in _models_of(provider, variables) if listed else ():
            if model not in listed:
                close = " or ".join(get_close_matches(model, listed, 3))
                meant = f"; did you mean {close}?" if close else "."
                terminal.say(f"{provider} does not list {model}, which {setting} names{meant}")


def _list_models(provider: str, url: str, key: str) -> frozenset[str]:
    """Return the models that a provider lists; an empty set if the provider has no list of models."""
    if not is_sendable(key):
        raise CannotDeploy(
            f"The API key of {provider} contains a space, a line break, quotes or a character that is not ASCII. "
            "Remove the key from the secrets file, whose name is printed above; lull then asks for it again."
        )
    try:
        answer = httpx.get(f"{url.rstrip('/')}/models", headers={"Authorization": f"Bearer {key}"}, timeout=TIMEOUT_S)
    except httpx.TransportError as cause:
        raise CannotDeploy(
            f"The provider {provider} cannot be reached at {url} ({type(cause).__name__}): correct its address in "
            "`model_providers` of terraform.tfvars, or start its server."
        ) from cause
    if answer.status_code in _REFUSED:
        raise CannotDeploy(
            f"The provider {provider} refuses its API key ({answer.status_code}). Remove the key from the secrets "
            "file, whose name is printed above; lull then asks for it again."
        )
    return frozenset(_ids_in(answer))


def _ids_in(answer: httpx.Response) -> Iterator[str]:
    try:
        found: Any = answer.json() if answer.is_success else None
    except ValueError:
        return
    rows = found.get("data") if isinstance(found, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("id"), str):
            yield row["id"]


def _models_of(provider: str, variables: Variables) -> Iterator[tuple[str, str]]:
    for setting, value in models_named(variables).items():
        for model in map(split_model_name, names_in(value)):
            if model.provider == provider:
                yield setting, model.name
