"""Access to Gemini by the settings."""

from shared.llm.gemini.credentials import GeminiAccess, VertexAI
from shared.wiring.settings.model_access import ModelAccessSettings


def gemini_access(settings: ModelAccessSettings) -> GeminiAccess:
    """Return the API key, or the project's own account for Vertex AI."""
    if settings.vertex_ai:
        return VertexAI(project=settings.project, location=settings.vertex_location)
    return settings.gemini_api_key.get_secret_value()
