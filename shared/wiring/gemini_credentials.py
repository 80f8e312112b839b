"""How Gemini is asked, as the settings have it."""

from shared.llm.gemini.credentials import GeminiAccess, VertexAI
from shared.wiring.settings.model_functions import GeminiSettings


def gemini_access(settings: GeminiSettings) -> GeminiAccess:
    """A key of Gemini's API, or the project's own account."""
    if settings.vertex_ai:
        return VertexAI(project=settings.project, location=settings.vertex_location)
    return settings.gemini_api_key.get_secret_value()
