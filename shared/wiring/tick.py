"""Builds what the tick function needs."""

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from shared.access.checker import AccessChecker
from shared.base.errors import InvalidSettings
from shared.chat.flood import FloodGate
from shared.chat.queue import TickQueue
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreBotNames, FirestoreFloods, FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.conversations import FirestoreCompressions
from shared.chat.store.people import FirestoreEntities, FirestorePeople
from shared.cloud.cloud_tasks import CloudTasks
from shared.commands.dispatch import Dispatcher
from shared.llm.metering import MeteredModels, UnlimitedBudgetService
from shared.llm.ports.embedding import Embedder
from shared.llm.ports.world import LanguageModel, MessagingChannel, PortRegistry
from shared.media.known import KnownMedia
from shared.media.media_files import MediaFiles
from shared.media.media_reader import HttpMediaReader
from shared.media.stickers import OwnStickers
from shared.media.store.curations import FirestoreCurations
from shared.media.store.descriptions import FirestoreDescriptions
from shared.media.store.media import FirestoreMedia
from shared.memory.prompt_memories import MemoryLoader
from shared.memory.store import FirestoreMemories
from shared.planning.personas.load import complete_notes, load_agents, load_model_notes
from shared.planning.personas.media import load_curated
from shared.planning.preview import DraftSender
from shared.privacy.commands.privacy import PrivacyFacts
from shared.privacy.export.service import ExportService
from shared.privacy.store.deletions import FirestoreDeletions
from shared.privacy.store.exports import FirestoreExports
from shared.recall.prompt_recall import PromptRecall
from shared.recall.service import RecallService
from shared.recall.store.summaries import FirestoreSummaries
from shared.spending.store.usage import FirestoreUsages
from shared.telegram.outbound.bot import TelegramChannel
from shared.tools.reader import HttpReader
from shared.tools.search import WebSearch
from shared.tools.services.lookups import CachedLookups
from shared.tools.toolbox import Toolbox
from shared.turn.jobs.tick import TickServices
from shared.turn.lookup import SceneLookup
from shared.turn.media import MediaServices
from shared.turn.replier import Replier, ShownFileSource
from shared.turn.runner import PlanRunner
from shared.turn.services import AgentServices, BotUsername, JudgeSettings
from shared.values.agent import Agent
from shared.values.capabilities import capabilities_of
from shared.values.model_name import is_this_machine
from shared.values.registration import ClaimCode, claim_code
from shared.values.retry import RetryBudget, RetryBudgets
from shared.values.showing import FileLimits
from shared.webchat.downloads import AgentDownloads
from shared.webchat.files import WebFiles
from shared.webchat.outbound import WebChannel
from shared.webchat.store import FirestoreScreens
from shared.wiring import begin, now
from shared.wiring.channels import AgentChannels
from shared.wiring.embedding import embedder
from shared.wiring.exports import bucket_of, export_service_of
from shared.wiring.media_generation import able_agents, made_by, maker_for, making_models
from shared.wiring.models import ModelClients
from shared.wiring.settings.model_functions import TickSettings
from shared.wiring.settings.model_names import NO_MODEL
from shared.wiring.spending import budget_backend, job_budget_service
from shared.wiring.stores import fresh_chats_finder, recall_of, stores_of
from shared.wiring.web import lookups_of, reader_of, search_of

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs

SETTINGS = begin(TickSettings)
AGENTS = able_agents(load_agents(SETTINGS.agent_folders), SETTINGS)
FRONTS = {name: agent.front for name, agent in AGENTS.items()}
CURATED = load_curated(SETTINGS.agent_folders, AGENTS)
NOTES = {
    name: complete_notes(load_model_notes(SETTINGS.agent_folders, SETTINGS.parts_of(name).name), name)
    for name in SETTINGS.offered_models
}
#: whether a model describes files, and the limits of the files that a model is shown for one plan
IS_DESCRIBING = SETTINGS.media_model != NO_MODEL and SETTINGS.reader_url != ""
LIMITS = FileLimits(pictures=SETTINGS.media_pictures, sound_s=SETTINGS.media_sound_s, is_described=IS_DESCRIBING)
#: the judge's name among the models; the judge has a client of its own, with a shorter time-out
JUDGE = "judge"
#: the setting for no judge
NO_JUDGE = "no"

without_token = sorted(AGENTS.keys() - SETTINGS.bot_tokens.keys())
if len(without_token) == len(AGENTS):
    raise InvalidSettings(f"LULL_BOT_TOKENS has no token for any agent; the agents are: {', '.join(without_token)}")


@cache
def tick_services() -> TickServices:
    """Return the services of ticks; made once per instance."""
    chats, models = _chats(), metered_models()
    queue = TickQueue(CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint))
    return TickServices(
        chats=chats,
        queue=queue,
        agents={name: _services(agent, chats, queue, models) for name, agent in _agents_with_bot().items()},
        quiet=SETTINGS.quiet,
        longest_wait=timedelta(seconds=SETTINGS.longest_wait_s),
        lease=timedelta(seconds=SETTINGS.lease_s),
        window_entries=SETTINGS.context_messages,
        rest=timedelta(seconds=SETTINGS.rest_s),
        clock=now,
    )


@cache
def metered_models() -> MeteredModels:
    """Return the models that ticks call, by name; made once per instance."""
    timeout_s, tries = SETTINGS.model_timeout_s, SETTINGS.model_tries
    clients, agents = ModelClients(SETTINGS, timeout_s, tries), _agents_with_bot().values()
    # making a client takes 50 ms, so the judge's is made only if an agent has a judge
    judge = {JUDGE: _judge()} if any(map(_has_judge, agents)) else {}
    planning = [*NOTES, *filter(None, [SETTINGS.search_model])]
    named = {**judge, **making_models(agents, SETTINGS), **{name: clients.model(name) for name in planning}}
    aliases = {JUDGE: SETTINGS.judge_model} | {made.value: name for made, name in made_by(SETTINGS).items()}
    return MeteredModels(named, job_budget_service(SETTINGS, FRONTS, _chats().client), aliases)


@cache
def _chats() -> FirestoreChats:
    return FirestoreChats(SETTINGS.project)


def _agents_with_bot() -> dict[str, Agent]:
    """Return the agents for which LULL_BOT_TOKENS has a token, by name, in the order of that setting."""
    return {name: AGENTS[name] for name in SETTINGS.bot_tokens if name in AGENTS}


def _has_judge(agent: Agent) -> bool:
    return agent.front.judge and SETTINGS.judge_model != NO_JUDGE


def _judge() -> LanguageModel:
    return ModelClients(SETTINGS, SETTINGS.judge_timeout_s, 1).model(SETTINGS.judge_model)


def privacy_facts(agent: Agent) -> PrivacyFacts:
    """Return the facts about this deployment that /privacy shows."""
    at = f", {SETTINGS.vertex_location}" if SETTINGS.vertex_location != "global" else ""
    gemini = f"Gemini (Vertex AI{at})" if SETTINGS.vertex_ai else "Gemini"
    return PrivacyFacts(page=agent.front.privacy or SETTINGS.privacy_url, hosts=_model_hosts(), gemini=gemini)


def _model_hosts() -> tuple[str, ...]:
    """Return the hosts of the APIs of models; the answering model's host is first. "" stands for Google's host."""
    hosts = map(SETTINGS.host_of, SETTINGS.used_providers)
    return tuple(dict.fromkeys(SETTINGS.model_host if is_this_machine(host) else host for host in hosts))


def _ports(
    agent: Agent, chats: FirestoreChats, channel: MessagingChannel, models: MeteredModels, queue: TickQueue
) -> PortRegistry:
    """Return the stores and services (ports) that tools and commands may use. Add a line here for each new port."""
    recall: RecallService = recall_of(_embedder(), chats.client, channel)
    code = claim_code(SETTINGS.webhook_secret.get_secret_value(), agent.id, channel.bot_id)
    return PortRegistry(
        {
            **stores_of(chats.client),
            TickQueue: queue,
            MessagingChannel: channel,
            FirestoreChats: chats,
            ClaimCode: ClaimCode(code),
            FirestoreDeletions: FirestoreDeletions(chats.client, queue.jobs),
            CachedLookups: lookups_of(chats.client, SETTINGS),
            HttpReader: reader_of(SETTINGS.reader_url),
            PrivacyFacts: privacy_facts(agent),
            RecallService: recall,
            ExportService: export_service_of(
                FirestoreExports(chats.client), queue, SETTINGS, fresh_chats_finder(chats.client, channel)
            ),
            FirestoreUsages: FirestoreUsages(chats.client),
            WebSearch: search_of(models, SETTINGS),
        }
    )


@cache
def _embedder() -> Embedder | None:
    return embedder(SETTINGS, UnlimitedBudgetService())  # each tick has a budget service, which pays for these calls


def _budgets() -> RetryBudgets:
    after = timedelta(seconds=SETTINGS.retry_s)
    task, model_ticks = (
        RetryBudget(tries=SETTINGS.task_tries, after=after),
        RetryBudget(tries=SETTINGS.model_ticks, after=after),
    )
    return RetryBudgets(model=model_ticks, task=task)


def _services(agent: Agent, chats: FirestoreChats, queue: TickQueue, models: MeteredModels) -> AgentServices:
    telegram, channel = _channels(agent, chats)
    budgets, known, ports = _budgets(), _known_media(agent, chats), _ports(agent, chats, channel, models, queue)
    stickers = _stickers(agent, chats, channel, known)
    runner = _runner(agent, chats, channel, ports)
    runner = replace(runner, stickers=stickers, maker=maker_for(agent, models, SETTINGS))
    return AgentServices(
        chats=chats,
        media=_media(known, queue),
        owners=ports[FirestoreOwners],
        admission=AccessChecker.of(agent, ports, now, is_open=SETTINGS.open),
        budget_backend=budget_backend(SETTINGS, FRONTS, chats.client, ports[FirestoreAccessLists]),
        queue=queue,
        replier=Replier(
            models=models,
            toolbox=Toolbox(ports=ports),
            offered_models=NOTES,
            agent=agent,
            format=SETTINGS.prompt_format,
            clock=now,
            max_tokens=SETTINGS.context_tokens,
            reply_tokens=SETTINGS.reply_tokens,
            drafting=DraftSender(channel, runner.draft_pace, gate=runner.gate) if SETTINGS.streaming else None,
            budgets=budgets,
            compressions=FirestoreCompressions(chats.client) if SETTINGS.compression else None,
            lookup=replace(_lookup(channel, chats, ports), stickers=stickers),
            memory_loader=MemoryLoader(memories=ports[FirestoreMemories], most=SETTINGS.person_memories),
            files=ShownFileSource(source=_files(telegram, chats), limits=LIMITS),
            prompt_recall=PromptRecall(recall=ports[RecallService]) if SETTINGS.recall else None,
        ),
        runner=runner,
        follow_up=timedelta(seconds=SETTINGS.follow_up_s),
        dispatcher=Dispatcher(ports=ports),
        budgets=budgets,
        clock=now,
        names_early=SETTINGS.early_titles,
        bot_username=BotUsername(agent=agent, channel=channel, names=FirestoreBotNames(chats.client, now), clock=now),
        judge_settings=JudgeSettings(model=JUDGE, timeout_s=SETTINGS.judge_timeout_s) if _has_judge(agent) else None,
    )


def _channels(agent: Agent, chats: FirestoreChats) -> tuple[TelegramChannel, MessagingChannel]:
    """Return an agent's Telegram channel, and the object that combines all channels of the agent."""
    telegram = TelegramChannel(SETTINGS.bot_tokens[agent.id].get_secret_value(), SETTINGS.telegram_url)
    telegram.stored = bucket_of(SETTINGS)
    web = WebChannel(agent=agent.id, screens=FirestoreScreens(chats.client, now), clock=now, files=_web_files())
    return telegram, AgentChannels(telegram=telegram, web=web, downloads=_downloads(telegram))


def _downloads(telegram: TelegramChannel) -> AgentDownloads:
    return AgentDownloads(telegram=telegram, web=_web_files())


@cache
def _web_files() -> WebFiles | None:
    return WebFiles(_blobs) if SETTINGS.media_bucket else None


def _files(telegram: TelegramChannel, chats: FirestoreChats) -> MediaFiles | None:
    if not SETTINGS.reader_url:
        return None
    return MediaFiles(
        store=FirestoreMedia(chats.client),
        blobs=_blobs if SETTINGS.media_bucket else None,
        downloads=_downloads(telegram),
        preparer=HttpMediaReader(SETTINGS.reader_url),
    )


@cache
def _blobs() -> "StorageBlobs":
    # imported here because the bucket's client takes a quarter of a second to import, and only plans with files need it
    from shared.media.blobs import StorageBlobs

    return StorageBlobs(SETTINGS.project, SETTINGS.media_bucket)


def _lookup(channel: MessagingChannel, chats: FirestoreChats, ports: PortRegistry) -> SceneLookup:
    return SceneLookup(
        channel=channel,
        entities=FirestoreEntities(chats.client),
        people=ports[FirestorePeople],
        access_lists=ports[FirestoreAccessLists],
        summaries=FirestoreSummaries(chats.client),
        zone=SETTINGS.zone,
    )


def _media(known: KnownMedia, queue: TickQueue) -> MediaServices:
    return MediaServices(
        descriptions=known,
        jobs=queue.jobs,
        is_describing=IS_DESCRIBING,
        is_seeing=SETTINGS.reader_url != "" and any(capabilities_of(name).takes for name in NOTES),
        limits=LIMITS,
        budget=SETTINGS.media_budget,
        wait=timedelta(seconds=SETTINGS.media_wait_s),
    )


def _stickers(agent: Agent, chats: FirestoreChats, channel: MessagingChannel, known: KnownMedia) -> OwnStickers | None:
    if not agent.front.sets:
        return None
    entities = FirestoreEntities(chats.client)
    return OwnStickers(channel=channel, entities=entities, front=agent.front, clock=now, descriptions=known)


def _known_media(agent: Agent, chats: FirestoreChats) -> KnownMedia:
    return KnownMedia(
        agent=agent.id,
        curated=CURATED[agent.id],
        kept=FirestoreDescriptions(chats.client, now),
        requests=None if SETTINGS.media_model == NO_MODEL else FirestoreMedia(chats.client),
        clock=now,
        edits=FirestoreCurations(chats.client, now),
    )


def _runner(agent: Agent, chats: FirestoreChats, channel: MessagingChannel, ports: PortRegistry) -> PlanRunner:
    return PlanRunner(
        channel=channel,
        agent=agent,
        chats=chats,
        gate=FloodGate(FirestoreFloods(chats.client), agent.id, now),
        budget=_budgets().task,
        clock=now,
        active=timedelta(seconds=SETTINGS.active_s),
        ports=ports,
    )
