"""Builds the objects for the function `describe_media`. Files are decoded by the reader, not here."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache, partial

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.queue import TickQueue
from shared.chat.store.inbox import FirestoreInbox
from shared.cloud.cloud_tasks import CloudTasks
from shared.llm.metering import MeteredModels
from shared.media.blobs import StorageBlobs
from shared.media.jobs import Describer
from shared.media.media_reader import HttpMediaReader
from shared.media.model_source import ModelSource
from shared.media.sources import (
    CuratedEditSource,
    CuratedSource,
    EmptySource,
    MediaSource,
    RunLimitSource,
    SourceChain,
    StoredSource,
)
from shared.media.store.curations import FirestoreCurations
from shared.media.store.media import FirestoreMedia
from shared.planning.personas.files import load_fronts
from shared.planning.personas.media import load_curated
from shared.telegram.outbound.client import TelegramDownloads
from shared.upkeep.jobs.probe import Probe, store_media
from shared.upkeep.jobs.probe_describing import describe_a_picture
from shared.values.canary import CanaryStep, ProbeOrder
from shared.webchat.downloads import AgentDownloads
from shared.webchat.files import WebFiles
from shared.wiring import begin, now
from shared.wiring.models import ModelClients
from shared.wiring.settings.model_functions import ModelSettings
from shared.wiring.settings.model_names import NO_MODEL
from shared.wiring.spending import job_budget_service

SETTINGS = begin(ModelSettings)
CURATED = load_curated(SETTINGS.agent_folders, SETTINGS.bot_tokens)


@cache
def describer() -> Describer:
    """Return the describer, which has everything that the job for descriptions needs; made once per instance."""
    inbox = FirestoreInbox(SETTINGS.project)
    store, last = FirestoreMedia(inbox.client), _last(inbox.client)
    edits = CuratedEditSource(FirestoreCurations(inbox.client, now))

    def chain() -> SourceChain:
        budget = RunLimitSource(SETTINGS.media_budget)
        return SourceChain((CuratedSource(CURATED), edits, StoredSource(store=store, clock=now), budget, last))

    return Describer(
        store=store,
        source=chain,
        inbox=inbox,
        queue=TickQueue(CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint)),
        agents=SETTINGS.bot_tokens.keys(),
        later=timedelta(seconds=SETTINGS.later_s),
        clock=now,
    )


def probes(order: ProbeOrder) -> Sequence[Probe]:
    """Return the probes of this function: describing a tiny picture, and storing a file in the bucket of parts."""
    last = _last(FirestoreInbox(SETTINGS.project).client)
    found = list[Probe]()
    if isinstance(last, ModelSource):
        found.append(Probe(CanaryStep.DESCRIBING, partial(describe_a_picture, last.preparer, last.models, last.model)))
    elif SETTINGS.reader_url:
        preparer = HttpMediaReader(SETTINGS.reader_url)
        found.append(Probe(CanaryStep.DESCRIBING, partial(describe_a_picture, preparer, MeteredModels({}), "")))
    if SETTINGS.media_bucket:
        blobs = StorageBlobs(SETTINGS.project, SETTINGS.media_bucket)
        found.append(Probe(CanaryStep.MEDIA, partial(store_media, blobs, order.run)))
    return found


def _last(client: AsyncClient) -> MediaSource:
    """Return the last source of descriptions: a model if settings name a model and a reader; else an empty source."""
    if SETTINGS.media_model == NO_MODEL or not SETTINGS.reader_url:
        return EmptySource()
    name = SETTINGS.media_model
    model = ModelClients(SETTINGS, SETTINGS.model_timeout_s, SETTINGS.model_tries).model(name)
    tokens = {agent: token.get_secret_value() for agent, token in SETTINGS.bot_tokens.items()}
    blobs = StorageBlobs(SETTINGS.project, SETTINGS.media_bucket) if SETTINGS.media_bucket else None
    web = WebFiles(lambda: blobs) if blobs is not None else None
    bots = {agent: TelegramDownloads(token, SETTINGS.telegram_url) for agent, token in tokens.items()}
    return ModelSource(
        store=FirestoreMedia(client),
        downloads={agent: AgentDownloads(telegram=bot, web=web) for agent, bot in bots.items()},
        preparer=HttpMediaReader(SETTINGS.reader_url),
        blobs=blobs,
        models=MeteredModels({name: model}, job_budget_service(SETTINGS, load_fronts(SETTINGS.agent_folders), client)),
        model=name,
        clock=now,
    )
