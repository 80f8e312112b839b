from shared.llm.gemini.credentials import VertexAI
from shared.wiring.gemini_credentials import gemini_access
from shared.wiring.settings.model_access import ModelAccessSettings

BASE = {"GOOGLE_CLOUD_PROJECT": "p"}


def test_a_key_or_the_projects_account() -> None:
    assert gemini_access(ModelAccessSettings.from_environment(BASE | {"GEMINI_API_KEY": "the-key"})) == "the-key"
    over_vertex = BASE | {"GOOGLE_GENAI_USE_ENTERPRISE": "true", "GOOGLE_CLOUD_LOCATION": "eu"}
    assert gemini_access(ModelAccessSettings.from_environment(over_vertex)) == VertexAI(project="p", location="eu")
