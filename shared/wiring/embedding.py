"""The embedding model of the settings."""

from shared.llm.metering import BudgetService, MeteredEmbedder, count_embedding
from shared.llm.ports.embedding import NO_VECTORS, Embedder
from shared.values.usage import ModelUse, Purpose
from shared.wiring.models import embedder_named
from shared.wiring.settings.model_functions import EmbeddingSettings


def embedder(settings: EmbeddingSettings, budget_service: BudgetService) -> Embedder | None:
    """Return the embedder, to be made inside the running loop; None if only words are searched.

    `budget_service` pays where no tick does.
    """
    if settings.embedding_model == NO_VECTORS:
        return None
    use = ModelUse(purpose=Purpose.EMBED, chat=None)
    behind = embedder_named(settings.embedding_model, settings, count_embedding)
    return MeteredEmbedder(behind, settings.embedding_model, use, budget_service)
