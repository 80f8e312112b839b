"""The providers of models in settings: their addresses and keys, and what their models can do."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Json, SecretStr, ValidationInfo

from shared.values.agent import Codec
from shared.values.capabilities import Capabilities, InputKind, OutputKind, listed_capabilities
from shared.values.model_name import (
    ADDRESSES,
    GEMINI,
    KNOWN_PROVIDERS,
    is_this_machine,
    parse_model_name,
    split_model_name,
)
from shared.wiring.settings.environment import Place, refusal

_ProviderName: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
#: the end of the names of variables from which a provider's own tools read its key
KEY_SUFFIX: Final = "_API_KEY"


@dataclass(frozen=True)
class ProviderAccess:
    """The address of a provider's API, and the key; the key is empty if the provider needs none."""

    provider: str
    url: str
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def is_local(self) -> bool:
        """Return whether the provider runs on this machine. If so, its models cost nothing."""
        return is_this_machine(self.host)


class CapabilityOverride(BaseModel):
    """Capabilities of a model in the settings, which replace those in lull's table."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    context: Annotated[int, Field(strict=True, ge=1_000, le=10_000_000)] | None = None
    takes: frozenset[InputKind] | None = None
    makes: frozenset[OutputKind] | None = None
    tools: bool | None = None
    #: the field `schema` of the setting; pydantic's models have an attribute with that name
    follows_schema: bool | None = Field(default=None, alias="schema")
    codec: Codec | None = None

    def over(self, known: Capabilities) -> Capabilities:
        """Return the capabilities `known`, changed to those that this override sets."""
        given: dict[str, Any] = {name: value for name, value in self.model_dump().items() if value is not None}
        by_schema = given.pop("follows_schema", known.schema)
        return replace(known, schema=by_schema, **given)


def _check_providers(given: Mapping[str, str]) -> Mapping[str, str]:
    if GEMINI in given:
        raise ValueError("remove `gemini`: GEMINI_API_KEY and GEMINI_BASE_URL configure it")
    without = next((name for name, url in given.items() if not url and name not in ADDRESSES), None)
    if without is not None:
        near = _nearest(without, ADDRESSES)
        meant = f"did you mean `{near}`?" if near else f"only these need none: {', '.join(ADDRESSES)}"
        raise ValueError(f"`{without}` has no address; {meant}")
    return given


def _check_keys(given: Mapping[str, SecretStr], info: ValidationInfo) -> Mapping[str, SecretStr]:
    providers = info.data.get("providers", ...)
    if providers is ...:  # LULL_PROVIDERS has an error of its own
        return given
    known = {*ADDRESSES, *(providers or ())}
    unknown = next((name for name in given if name not in known), None)
    if unknown == GEMINI:
        raise ValueError("remove `gemini`: its key is set in GEMINI_API_KEY")
    if unknown is not None:  # the name is not repeated, since it may be the key
        near = _nearest(unknown, known)
        meant = f"did you mean `{near}`?" if near else "set its address in LULL_PROVIDERS"
        raise ValueError(f"there is a key for a provider that is not configured; {meant}")
    return given


def _nearest(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches  # imported here because only misspelt names need it

    return next(iter(get_close_matches(name.casefold(), known, n=1, cutoff=0.75)), "")


JsonProviders: TypeAlias = Annotated[
    Json[dict[_ProviderName, Place | Literal[""]]],
    refusal("write a name in lowercase letters and an address such as https://llm.example.org/v1 for each provider"),
    AfterValidator(_check_providers),
]
JsonKeys: TypeAlias = Annotated[
    Json[dict[str, SecretStr]],
    refusal("write the key of each provider as a string"),
    AfterValidator(_check_keys),
]
JsonCapabilities: TypeAlias = Annotated[
    Json[dict[str, CapabilityOverride]],
    refusal(
        f"for each model, write some of `context` (tokens), `takes` ({', '.join(InputKind)}), `makes` "
        f"({', '.join(OutputKind)}), `tools`, `schema` (true or false) and `codec` ({', '.join(Codec)})"
    ),
]


def access_to(provider: str, data: Mapping[str, Any]) -> ProviderAccess:
    """Return the address and key of a provider, from the fields `providers` and `provider_keys` of `data`.

    If the address or a needed key is missing, raises ValueError with advice.
    """
    given, keys = data.get("providers") or {}, data.get("provider_keys") or {}
    url = given.get(provider) or ADDRESSES.get(provider)
    if url is None:
        example = json.dumps({provider: "http://localhost:8000/v1"})
        raise ValueError(f"`{provider}` has no address: add it to LULL_PROVIDERS, such as {example}")
    key = keys[provider].get_secret_value() if provider in keys else ""
    if not key and not given.get(provider):
        raise ValueError(f"`{provider}` needs a key: set {key_variable(provider)}, or add it to LULL_PROVIDER_KEYS")
    return ProviderAccess(provider, url, key)


def check_provider(model: str, data: Mapping[str, Any]) -> None:
    """Raise ValueError if the provider of a setting's model is not configured, or seems misspelt."""
    given = data.get("providers", ...)
    if given is ... or "provider_keys" not in data:  # these settings have errors of their own
        return
    parts = parse_model_name(model, given or ())
    if not parts.is_gemini:
        if not parts.name:
            raise ValueError(f"write a model's name after `{parts.provider}:`")
        access_to(parts.provider, data)
        return
    before, colon, _ = parts.name.partition(":")
    near = _nearest(before, {*KNOWN_PROVIDERS, *(given or ())}) if colon and before.isalpha() else ""
    if near and model not in (data.get("prices") or {}):
        raise ValueError(f"there is no such provider; did you mean `{near}`?")


def is_free(model: str, data: Mapping[str, Any]) -> bool:
    """Return whether a model costs nothing because its provider runs on this machine."""
    given, provider = data.get("providers") or {}, split_model_name(model).provider
    return ProviderAccess(provider, given.get(provider, "")).is_local


def given_capabilities(model: str, data: Mapping[str, Any]) -> Capabilities:
    """Return the capabilities of a model: those in lull's table, changed by the setting `capabilities` in `data`."""
    configured = data.get("providers") or ()
    given = {str(parse_model_name(one, configured)): row for one, row in (data.get("capabilities") or {}).items()}
    known = listed_capabilities(model)
    return given[model].over(known) if model in given else known


def with_provider_keys(env: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment, with the keys of variables such as GROQ_API_KEY added to LULL_PROVIDER_KEYS.

    A key that LULL_PROVIDER_KEYS already has takes precedence. Only keys of providers that LULL_PROVIDERS or a model's
    name mentions are added, since a shell may have other keys.
    """
    found = dict(_keys_in(env, {*names_in(env.get("LULL_PROVIDERS", "")), *_named_providers(env)}))
    if not found:
        return env
    given = env.get("LULL_PROVIDER_KEYS", "").strip() or "{}"
    try:
        keys = json.loads(given)
    except ValueError:
        return env  # the setting's own check refuses it
    if not isinstance(keys, dict):
        return env
    return {**env, "LULL_PROVIDER_KEYS": json.dumps({**found, **keys})}


def _named_providers(env: Mapping[str, str]) -> Iterator[str]:
    """Yield the known providers that the settings of models name."""
    for name, text in env.items():
        if name.startswith("LULL_") and "MODEL" in name:
            yield from (parts.provider for one in text.split(",") if not (parts := parse_model_name(one)).is_gemini)


def _keys_in(env: Mapping[str, str], configured: Collection[str]) -> Iterator[tuple[str, str]]:
    for provider in sorted({*configured} - {GEMINI}):
        if key := env.get(key_variable(provider), "").strip():
            yield provider, key


def key_variable(provider: str) -> str:
    """Return the environment variable in which a provider's own tools expect its key, such as GROQ_API_KEY."""
    return f"{provider.upper().replace('-', '_')}{KEY_SUFFIX}"


def names_in(providers: str) -> Collection[str]:
    """Return the names in LULL_PROVIDERS; () if the value is invalid, which the setting's own check reports."""
    try:
        found = json.loads(providers or "{}")
    except ValueError:
        return ()
    return [name for name in found if isinstance(name, str)] if isinstance(found, dict) else ()
