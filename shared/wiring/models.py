"""Makes the clients of models and embedders, by the models' names in the settings. No other module makes them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.base.model_call import ModelCall
from shared.llm.gemini.api import GeminiApi
from shared.llm.gemini.credentials import GeminiAccess, VertexAI
from shared.llm.gemini.embedding import GeminiEmbedder
from shared.llm.gemini.model import GeminiModel
from shared.llm.ports.embedding import Embedder
from shared.values.model_name import GEMINI
from shared.wiring.settings.model_access import ModelAccessSettings

if TYPE_CHECKING:
    from shared.llm.openai.endpoint import OpenAIEndpoint
    from shared.llm.openai.model import OpenAIModel

#: the provider whose server reports how much of a prompt it has read
_REPORTING = "llamacpp"


class ModelClients:
    """Makes a function's models, which all have the same time-out and number of tries. Models of the same provider
    share connections.

    To be made inside the running event loop. A provider's client is made when its first model is needed, since making a
    client takes 50 ms.
    """

    def __init__(self, settings: ModelAccessSettings, timeout_s: float, tries: int) -> None:
        """`timeout_s` is the time limit of one try in seconds; `tries` is the largest number of tries of one call."""
        self._settings, self._timeout_s, self._tries = settings, timeout_s, tries
        self._by_provider: dict[str, GeminiModel | OpenAIModel] = {}

    def model(self, name: str) -> "GeminiModel | OpenAIModel":
        """Return the model that the settings call `name`."""
        parts = self._settings.parts_of(name)
        if parts.provider not in self._by_provider:
            self._by_provider[parts.provider] = self._client(parts.provider)
        return self._by_provider[parts.provider].named(parts.name)

    def _client(self, provider: str) -> "GeminiModel | OpenAIModel":
        if provider == GEMINI:
            access, url = gemini_access(self._settings), self._settings.gemini_url
            return GeminiModel("", access, url, self._timeout_s, self._tries)
        # imported here because OpenAI's client takes a second to import, and most deployments use only Gemini
        from shared.llm.openai.model import OpenAIModel

        return OpenAIModel("", endpoint_of(self._settings, provider), self._timeout_s, self._tries)


def embedder_named(name: str, settings: ModelAccessSettings, count: Callable[[ModelCall], None]) -> Embedder:
    """Return the embedder that the settings call `name`. Call this function inside the running event loop."""
    timeout_s, tries = settings.model_timeout_s, settings.model_tries
    parts = settings.parts_of(name)
    if parts.is_gemini:
        return GeminiEmbedder(
            parts.name, GeminiApi(gemini_access(settings), settings.gemini_url, timeout_s, tries), count
        )
    # imported here for the same reason as the model above
    from shared.llm.openai.embedding import OpenAIEmbedder

    return OpenAIEmbedder(parts.name, endpoint_of(settings, parts.provider), timeout_s, tries, count)


def endpoint_of(settings: ModelAccessSettings, provider: str) -> "OpenAIEndpoint":
    """Return the address and key of a provider. Raises ValueError if it is not configured."""
    from shared.llm.openai.endpoint import OpenAIEndpoint

    access = settings.access_to(provider)
    return OpenAIEndpoint(provider, access.url, access.key, reports_progress=provider == _REPORTING)


def gemini_access(settings: ModelAccessSettings) -> GeminiAccess:
    """Return Gemini's API key, or the project and location if Gemini is called through Vertex AI."""
    if settings.vertex_ai:
        return VertexAI(project=settings.project, location=settings.vertex_location)
    return settings.gemini_api_key.get_secret_value()
