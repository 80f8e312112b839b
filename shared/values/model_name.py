"""Names of models in settings: `provider:name`, or a bare name for one of Gemini's models."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

GEMINI: Final = "gemini"
#: by provider: the address of its API, as OpenAI's client takes it
ADDRESSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "openai": "https://api.openai.com/v1",
        "openrouter": "https://openrouter.ai/api/v1",
        "groq": "https://api.groq.com/openai/v1",
        "mistral": "https://api.mistral.ai/v1",
        "deepseek": "https://api.deepseek.com/v1",
    }
)
#: model servers that people run themselves: the setting LULL_PROVIDERS gives their addresses
SERVERS: Final = frozenset({"ollama", "lmstudio", "llamacpp", "vllm"})
KNOWN_PROVIDERS: Final = frozenset({GEMINI, *ADDRESSES, *SERVERS})
#: by provider: the provider's name as people write it
_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        GEMINI: "Gemini",
        "openai": "OpenAI",
        "openrouter": "OpenRouter",
        "groq": "Groq",
        "mistral": "Mistral",
        "deepseek": "DeepSeek",
        "ollama": "Ollama",
        "lmstudio": "LM Studio",
        "llamacpp": "llama.cpp",
        "vllm": "vLLM",
    }
)
#: hosts of this machine
_HERE: Final = re.compile(r"localhost|.*\.localhost|127\.[0-9.]+|::1|\[::1\]")


@dataclass(frozen=True)
class ModelName:
    """A model of a provider.

    Its text form is a bare name for Gemini's models, as in stored chats and in the price list.
    """

    provider: str
    name: str

    @property
    def is_gemini(self) -> bool:
        return self.provider == GEMINI

    @property
    def label(self) -> str:
        """The model's name for people: the last part of its path, and the provider in brackets unless it is Gemini."""
        last = self.name.rpartition("/")[2] or self.name
        return last if self.is_gemini else f"{last} ({provider_title(self.provider)})"

    def __str__(self) -> str:
        return self.name if self.is_gemini else f"{self.provider}:{self.name}"


def parse_model_name(text: str, configured: Collection[str] = ()) -> ModelName:
    """Return the model that a setting names.

    `configured` are the providers besides the known ones. The part before the first `:` counts as a provider only if a
    provider of that name exists, since a model's name may contain a colon too (`qwen3:1.7b`).
    """
    before, colon, after = text.strip().partition(":")
    provider = before.strip().casefold()
    if colon and (provider in KNOWN_PROVIDERS or provider in configured):
        return ModelName(provider, _bare(after.strip()) if provider == GEMINI else after.strip())
    return ModelName(GEMINI, _bare(text.strip()))


def _bare(name: str) -> str:
    return name.removeprefix("models/")


def split_model_name(model: str) -> ModelName:
    """Return the `ModelName` whose text form (`str`) is `model`."""
    provider, colon, name = model.partition(":")
    return ModelName(provider, name) if colon else ModelName(GEMINI, model)


def provider_title(provider: str) -> str:
    """Return a provider's name as people write it; for an unknown provider, the configured name."""
    return _TITLES.get(provider, provider)


def is_this_machine(host: str) -> bool:
    """Return whether a host is the machine that this process runs on."""
    return _HERE.fullmatch(host) is not None
