"""Builds the objects that write notes and summaries. Finding conversations that are due does not use this module."""

from datetime import timedelta

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.cloud.cloud_tasks import CloudTasks
from shared.llm.metering import MeteredModels
from shared.llm.ports.world import LanguageModel
from shared.planning.personas.files import load_fronts
from shared.recall.jobs.note import NoteTaker
from shared.recall.jobs.summarize import Summarizer, SummaryTerms
from shared.recall.store.notes import FirestoreNotes
from shared.recall.store.summaries import FirestoreSummaries, SummarySpan
from shared.wiring import now
from shared.wiring.embedding import embedder
from shared.wiring.models import ModelClients
from shared.wiring.settings.model_functions import SummarizeSettings
from shared.wiring.settings.model_names import NO_MODEL
from shared.wiring.spending import job_budget_service

#: the most tries of one call, since the task itself is retried
TRIES = 2
#: the fewest characters that a token is assumed to have; thus fewer messages are noted at once in dense scripts
CHARACTERS_PER_TOKEN = 2


def noter(settings: SummarizeSettings) -> NoteTaker:
    """Return the object that takes notes of a conversation; to be made once, inside the running event loop."""
    client = AsyncClient(project=settings.project)
    name = "" if settings.notes_model == NO_MODEL else settings.notes_model
    fronts = load_fronts(settings.agent_folders)
    budget_service = job_budget_service(settings, fronts, client)
    models = MeteredModels({name: _model(settings)} if name else {}, budget_service)
    zones = {agent: front.timezone for agent, front in fronts.items()}
    store, room = FirestoreNotes(client), settings.notes_tokens * CHARACTERS_PER_TOKEN
    queue = CloudTasks(settings.routes, settings.tasks_endpoint)
    summarizer = Summarizer(
        store=FirestoreSummaries(client),
        notes=store,
        models=models,
        model=name,
        terms=_terms(settings),
        clock=now,
        queue=queue,
        room=room,
        zones=zones,
        names={agent: front.name for agent, front in fronts.items()},
    )
    return NoteTaker(
        store=store,
        models=models,
        model=name,
        queue=queue,
        clock=now,
        room=room,
        embedder=embedder(settings, budget_service),
        zones=zones,
        summarizer=summarizer,
    )


def _terms(settings: SummarizeSettings) -> dict[SummarySpan, SummaryTerms]:
    week, month = timedelta(days=settings.summary_7day_every_days), timedelta(days=settings.summary_30day_every_days)
    return {
        SummarySpan.WEEK: SummaryTerms(tokens=settings.summary_7day_tokens, every=week),
        SummarySpan.MONTH: SummaryTerms(tokens=settings.summary_30day_tokens, every=month),
    }


def _model(settings: SummarizeSettings) -> LanguageModel:
    tries = min(settings.model_tries, TRIES)
    return ModelClients(settings, settings.notes_timeout_s, tries).model(settings.notes_model)
