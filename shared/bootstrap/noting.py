"""The parts of noting one conversation. What finds those that rest needs none of them."""

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.cloud_tasks import CloudTasks
from shared.adapters.firestore.notes import FirestoreNotes
from shared.adapters.gemini.model import GeminiModel
from shared.agents.files import load_fronts
from shared.bootstrap import now
from shared.bootstrap.access import access_of
from shared.flows.note import Noter
from shared.planning.model_calls import MeteredModels
from shared.settings import NO_MODEL
from shared.summarize_settings import SummarizeSettings

#: how often one call is tried, at most: the task itself comes again
TRIES = 2
#: characters for a token, at least, of the scripts that people write; dense ones are shown fewer messages at once
CHARACTERS_PER_TOKEN = 2


def noter(settings: SummarizeSettings) -> Noter:
    """What noting one conversation needs; to be made once, inside the running loop."""
    client = AsyncClient(project=settings.project)
    name = settings.notes_model
    models = {} if name == NO_MODEL else {name: _model(settings)}
    return Noter(
        store=FirestoreNotes(client),
        models=MeteredModels(models),
        model="" if name == NO_MODEL else name,
        queue=CloudTasks(settings.routes, settings.tasks_endpoint),
        clock=now,
        room=settings.notes_tokens * CHARACTERS_PER_TOKEN,
        zones={agent: front.timezone for agent, front in load_fronts(settings.agent_folders).items()},
    )


def _model(settings: SummarizeSettings) -> GeminiModel:
    tries = min(settings.model_tries, TRIES)
    return GeminiModel(settings.notes_model, access_of(settings), settings.gemini_url, settings.notes_timeout_s, tries)
