"""Which client is made for the name of a model."""

import pytest

from shared.llm.gemini.credentials import VertexAI
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import UnlimitedBudgetService
from shared.llm.openai.model import OpenAIModel
from shared.planning.personas.load import complete_notes
from shared.values.agent import Codec, ModelNotes
from shared.wiring.embedding import embedder
from shared.wiring.models import ModelClients, gemini_access
from shared.wiring.settings.model_access import ModelAccessSettings
from shared.wiring.settings.model_functions import EmbeddingSettings

BASE = {"GOOGLE_CLOUD_PROJECT": "p"}
BOTH = BASE | {
    "GEMINI_API_KEY": "the-key",
    "LULL_PROVIDERS": '{"home": "http://llm.example:1/v1", "llamacpp": "http://127.0.0.1:8080/v1"}',
    "LULL_PROVIDER_KEYS": '{"groq": "gsk"}',
    "LULL_LIMITS": "no",
}


def test_a_key_or_the_projects_account() -> None:
    assert gemini_access(ModelAccessSettings.from_environment(BASE | {"GEMINI_API_KEY": "the-key"})) == "the-key"
    over_vertex = BASE | {"GOOGLE_GENAI_USE_ENTERPRISE": "true", "GOOGLE_CLOUD_LOCATION": "eu"}
    assert gemini_access(ModelAccessSettings.from_environment(over_vertex)) == VertexAI(project="p", location="eu")


async def test_each_provider_has_a_client_of_its_own_that_its_models_share() -> None:
    clients = ModelClients(ModelAccessSettings.from_environment(BOTH), 7.0, 2)
    names = ("gemini-3.8-flash", "gemini:lite", "groq:llama-3.3", "groq:gpt-oss", "home:x/y:z", "llamacpp:qwen")
    gemini, lite, groq, other, home, local = map(clients.model, names)
    assert isinstance(gemini, GeminiModel)
    assert isinstance(lite, GeminiModel)
    assert (gemini.model, lite.model, gemini.api is lite.api) == ("gemini-3.8-flash", "lite", True)
    assert isinstance(groq, OpenAIModel)
    assert isinstance(other, OpenAIModel)
    assert isinstance(home, OpenAIModel)
    assert isinstance(local, OpenAIModel)
    assert [one.model for one in (groq, other, home)] == ["llama-3.3", "gpt-oss", "x/y:z"]
    assert groq.api is other.api
    assert (groq.endpoint.base_url, groq.endpoint.api_key) == ("https://api.groq.com/openai/v1", "gsk")
    assert (home.endpoint.base_url, home.endpoint.api_key) == ("http://llm.example:1/v1", "")
    assert [one.endpoint.reports_progress for one in (groq, local)] == [False, True]


@pytest.mark.parametrize(
    ("name", "mark"),
    [("groq:nomic-embed-text", "groq:nomic-embed-text"), ("home:bge-m3", "home:bge-m3")],
)
async def test_a_vector_is_marked_with_its_provider(name: str, mark: str) -> None:
    made = embedder(EmbeddingSettings.from_environment(BOTH | {"LULL_EMBEDDING_MODEL": name}), UnlimitedBudgetService())
    assert made
    assert made.model == mark


@pytest.mark.parametrize(
    ("name", "codec", "calls"),
    [
        ("gemini-3.8-flash", None, True),
        ("groq:llama-3.3-70b-versatile", Codec.MARKDOWN, True),
        ("groq:gpt-oss-120b", None, True),
        ("home:new", Codec.MARKDOWN, True),
        ("home:tiny-1b", Codec.TEXT, False),
    ],
)
def test_a_model_is_asked_in_the_format_that_it_can_answer_in(name: str, codec: Codec | None, calls: bool) -> None:
    notes = complete_notes(ModelNotes(text="Be brief."), name)
    assert (notes.text, notes.codec, notes.calls_functions) == ("Be brief.", codec, calls)
    assert complete_notes(ModelNotes(codec=Codec.TEXT, calls_functions=False), name).codec is Codec.TEXT
