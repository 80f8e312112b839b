"""The embedding model of the settings."""

from shared.llm.gemini.api import GeminiApi
from shared.llm.gemini.embedding import GeminiEmbedder
from shared.llm.metering import BudgetService, MeteredEmbedder, count_embedding
from shared.llm.ports.embedding import NO_VECTORS, Embedder
from shared.values.usage import ModelUse, Purpose
from shared.wiring.gemini_credentials import gemini_access
from shared.wiring.settings.model_functions import EmbeddingSettings


def embedder(settings: EmbeddingSettings, budget_service: BudgetService) -> Embedder | None:
    """Return the embedder, to be made inside the running loop; None if only words are searched.

    `budget_service` pays where no tick does.
    """
    if settings.embedding_model == NO_VECTORS:
        return None
    access = gemini_access(settings)
    api = GeminiApi(access, settings.gemini_url, settings.model_timeout_s, settings.model_tries)
    use = ModelUse(purpose=Purpose.EMBED, chat=None)
    behind = GeminiEmbedder(settings.embedding_model, api, count_embedding)
    return MeteredEmbedder(behind, settings.embedding_model, use, budget_service)
