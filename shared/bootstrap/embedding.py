"""The model that makes vectors of texts, as the settings have it."""

from shared.adapters.gemini.api import GeminiApi
from shared.adapters.gemini.embedding import GeminiEmbedder
from shared.bootstrap.access import access_of
from shared.planning.model_calls import MeteredEmbedder, count_embedding
from shared.ports.embedding import NO_VECTORS, Embedder
from shared.settings.model_functions import EmbeddingSettings
from shared.spending.paying import Wallet
from shared.values.usage import ModelUse, Purpose


def embedder(settings: EmbeddingSettings, wallet: Wallet) -> Embedder | None:
    """Its adapter, to be made inside the running loop; none: what was said is found by its words alone.

    `wallet` pays where no tick does.
    """
    if settings.embedding_model == NO_VECTORS:
        return None
    access = access_of(settings)
    api = GeminiApi(access, settings.gemini_url, settings.model_timeout_s, settings.model_tries)
    use = ModelUse(purpose=Purpose.EMBED, chat=None)
    behind = GeminiEmbedder(settings.embedding_model, api, count_embedding)
    return MeteredEmbedder(behind, settings.embedding_model, use, wallet)
