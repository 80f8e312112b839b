from shared.adapters.gemini.access import VertexAI
from shared.bootstrap.access import access_of
from shared.settings import GeminiSettings, settings_from

BASE = {"GOOGLE_CLOUD_PROJECT": "p"}


def test_a_key_or_the_projects_account() -> None:
    assert access_of(settings_from(GeminiSettings, BASE | {"GEMINI_API_KEY": "the-key"})) == "the-key"
    over_vertex = BASE | {"GOOGLE_GENAI_USE_ENTERPRISE": "true", "GOOGLE_CLOUD_LOCATION": "eu"}
    assert access_of(settings_from(GeminiSettings, over_vertex)) == VertexAI(project="p", location="eu")
