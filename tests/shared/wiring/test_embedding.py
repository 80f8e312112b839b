import pytest

from shared.llm.metering import UnlimitedBudgetService
from shared.wiring.embedding import embedder
from shared.wiring.settings.model_functions import EmbeddingSettings
from tests.shared.test_settings import complaint

BASE = {"GOOGLE_CLOUD_PROJECT": "p", "GEMINI_API_KEY": "the-key"}


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("", "gemini-embedding-2/768"),
        ("gemini-embedding-001", "gemini-embedding-001/768"),
        ("all-minilm-l6-v2", "all-minilm-l6-v2"),
    ],
)
async def test_vectors_are_told_apart_by_their_model_and_its_length(name: str, model: str) -> None:
    env = BASE | {"LULL_EMBEDDING_MODEL": name, "LULL_LIMITS": "no"}
    made = embedder(EmbeddingSettings.from_environment(env), UnlimitedBudgetService())
    assert made
    assert made.model == model


def test_there_may_be_none() -> None:
    assert (
        embedder(EmbeddingSettings.from_environment(BASE | {"LULL_EMBEDDING_MODEL": "no"}), UnlimitedBudgetService())
        is None
    )


@pytest.mark.parametrize("name", ["gemini-3.8-flash", "gemini-3.8-flash-tts", "two words", "models/two words"])
def test_a_model_that_makes_no_vectors_is_refused(name: str) -> None:
    why = "LULL_EMBEDDING_MODEL is wrong (write `no`, or a model that makes vectors of texts"
    assert why in complaint(EmbeddingSettings, BASE | {"LULL_EMBEDDING_MODEL": name})
