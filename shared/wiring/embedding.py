"""Builds the embedder, which makes vectors of texts, with the model that the settings name."""

from shared.llm.metering import BudgetService, MeteredEmbedder, count_embedding
from shared.llm.ports.embedding import NO_VECTORS, Embedder
from shared.values.usage import ModelUse, Purpose
from shared.wiring.models import embedder_named
from shared.wiring.settings.model_functions import EmbeddingSettings


def embedder(settings: EmbeddingSettings, budget_service: BudgetService) -> Embedder | None:
    """Return the embedder; None if searches use words only. To be called inside the running event loop.

    `budget_service` is charged for calls outside of ticks; each tick has a budget service of its own.
    """
    if settings.embedding_model == NO_VECTORS:
        return None
    use = ModelUse(purpose=Purpose.EMBED, chat=None)
    behind = embedder_named(settings.embedding_model, settings, count_embedding)
    return MeteredEmbedder(behind, settings.embedding_model, use, budget_service)
