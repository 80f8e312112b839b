"""Settings for calling models: the keys and addresses of Gemini and other providers, and time-outs."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Self
from urllib.parse import urlsplit

from pydantic import (
    Field,
    SecretStr,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticKnownError

from shared.values.capabilities import set_capabilities
from shared.values.model_name import ADDRESSES, GEMINI, ModelName, parse_model_name
from shared.wiring.settings import ProjectSettings
from shared.wiring.settings.environment import OWN, SWITCHES, Count, Place, Secret, Span, Switch, Text, setting
from shared.wiring.settings.model_names import NO_MODEL
from shared.wiring.settings.providers import (
    JsonCapabilities,
    JsonKeys,
    JsonProviders,
    ProviderAccess,
    access_to,
    given_capabilities,
    names_in,
    with_provider_keys,
)

#: the settings that name models; a function has only some of them
_NAMING: Final[tuple[str, ...]] = (
    "model",
    "models",
    "judge_model",
    "notes_model",
    "media_model",
    "embedding_model",
    "speech_model",
    "image_model",
)
#: the settings whose default is `no` if Gemini is not configured but other providers are
_WITHOUT_GEMINI: Final[Mapping[str, str]] = dict.fromkeys((*_NAMING[2:], "search"), NO_MODEL)
#: the value that stands for Gemini's key if no model is Gemini's
_NEEDLESS: Final = object()


def _read_vertex(given: Mapping[str, Any]) -> object:
    return SWITCHES.get(str(given.get("GOOGLE_GENAI_USE_ENTERPRISE", "no")).casefold())


def _are_geminis(given: Mapping[str, Any]) -> list[bool]:
    """Return, for each model that the settings name, whether it is a Gemini model."""
    texts = [str(given[name]) for name in _NAMING if name in given]
    models = [name for text in texts for part in text.split(",") if (name := part.strip()) not in ("", NO_MODEL)]
    found = [parse_model_name(name, names_in(str(given.get("providers", "")))) for name in models]
    # the part before a colon may be a misspelt provider; the check of that setting reports it
    return [one.is_gemini and ":" not in one.name for one in found]


class ModelAccessSettings(ProjectSettings):
    """Settings of the access to Gemini and to other providers, and of the time-outs of calls."""

    vertex_ai: Switch = setting(
        "whether Gemini is reached through Vertex AI, in the name of the function's account and without a key",
        "true",
        False,
        name="GOOGLE_GENAI_USE_ENTERPRISE",
    )
    vertex_location: Text = setting(
        "the location of Vertex AI: a region, or `global`", "europe-west1", "global", name="GOOGLE_CLOUD_LOCATION"
    )
    gemini_api_key: Annotated[Secret, Field(validate_default=True)] = setting(
        "the key of Gemini's API; required if a model is Gemini's, unless Vertex AI is used",
        "AIza…",
        "",
        name="GEMINI_API_KEY",
    )
    gemini_url: Place = setting(
        "the base URL of Gemini's API; empty: Google's", "http://x:1", "", name="GEMINI_BASE_URL"
    )
    providers: JsonProviders | None = setting(
        "other providers of models, as JSON: name → address of an API like OpenAI's; empty for a known one "
        f"({', '.join(ADDRESSES)})",
        '{"groq": "", "home": "https://llm.my.net/v1"}',
        None,
    )
    provider_keys: JsonKeys | None = setting(
        "the keys of other providers, as JSON: name → key; or each in a variable such as GROQ_API_KEY",
        '{"groq": "gsk_…"}',
        None,
    )
    capabilities: JsonCapabilities | None = setting(
        "what models can do if lull does not know it, as JSON: model → some of `context`, `takes`, `makes`, `tools`, "
        "`schema` and `codec`",
        '{"groq:my-model": {"context": 32000, "takes": ["pictures"], "codec": "markdown"}}',
        None,
    )
    model_timeout_s: Span = setting("seconds that one call of the model may take", "90", 90.0)
    model_tries: Count = setting("how many times one call is tried in all if the answer is 429 or 5xx", "4", 4)

    @model_validator(mode="before")
    @classmethod
    def _leave_gemini_out(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """If other providers are configured and Gemini is not, set optional models to `no`, not to a Gemini model."""
        has_gemini = "GEMINI_API_KEY" in given or _read_vertex(given) is not False
        is_elsewhere = {"providers", "provider_keys"}.intersection(given) or not all(_are_geminis(given))
        if has_gemini or not is_elsewhere:
            return given
        fields = cls.model_fields
        given = {**{name: value for name, value in _WITHOUT_GEMINI.items() if name in fields}, **given}
        defaults = {name: fields[name].default for name in _NAMING if name in fields}
        return given if any(_are_geminis({**defaults, **given})) else {**given, "GEMINI_API_KEY": _NEEDLESS}

    @field_validator("gemini_api_key", mode="wrap")
    @classmethod
    def _require_key(cls, key: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> SecretStr:
        if key is _NEEDLESS:
            return SecretStr("")
        read: SecretStr = handler(key)
        # `vertex_ai` is missing here if it is invalid itself; then no key is required
        if not read.get_secret_value() and not info.data.get("vertex_ai", True):
            raise PydanticKnownError("missing")
        return read

    @classmethod
    def from_environment(cls, env: Mapping[str, str] = OWN) -> Self:
        """Read the settings, and register the given capabilities of models in this process. Raises InvalidSettings."""
        found = super().from_environment(with_provider_keys(env))
        rows = found.capabilities or {}
        named = [str(parse_model_name(model, found.providers or ())) for model in rows]
        set_capabilities({model: given_capabilities(model, dict(found)) for model in named})
        return found

    @property
    def named_models(self) -> tuple[str, ...]:
        """The models that the settings name, each once; settings with the value `no` name none."""
        named = ",".join(getattr(self, name) for name in _NAMING if name in type(self).model_fields)
        return tuple(dict.fromkeys(model for model in named.split(",") if model not in ("", NO_MODEL)))

    @property
    def has_gemini(self) -> bool:
        """Return whether Gemini can be called: by an API key, or by Vertex AI."""
        return self.vertex_ai or self.gemini_api_key.get_secret_value() != ""

    @property
    def used_providers(self) -> tuple[str, ...]:
        """The providers of models: first those of the models named in settings, then all others that are configured."""
        configured = (*(self.providers or ()), *(self.provider_keys or ()))
        named = [parse_model_name(model, configured).provider for model in self.named_models]
        # providers that this function does not use count, too: other functions make notes and descriptions with them
        return tuple(dict.fromkeys((*named, *configured, *((GEMINI,) if self.has_gemini else ()))))

    def parts_of(self, model: str) -> ModelName:
        """Return the provider of a model, and the name that the provider has for it."""
        return parse_model_name(model, self.providers or ())

    def host_of(self, provider: str) -> str:
        """Return the host of a provider's API; empty for Google's own."""
        if provider == GEMINI:
            return urlsplit(self.gemini_url).hostname or ""
        return urlsplit((self.providers or {}).get(provider) or ADDRESSES[provider]).hostname or ""

    def access_to(self, provider: str) -> ProviderAccess:
        """Return the address and key of a provider (not Gemini). Raises ValueError if it is not configured."""
        return access_to(provider, dict(self))
