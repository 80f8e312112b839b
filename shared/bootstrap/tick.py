"""The tick's parts."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache

from shared.adapters.cloud_tasks import CloudTasks
from shared.adapters.firestore.bots import FirestoreFloods, FirestoreOwners
from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.compressions import FirestoreCompressions
from shared.adapters.gemini.model import Access, GeminiModel, VertexAI
from shared.adapters.telegram.bot import TelegramAccount, TelegramChannel
from shared.agents.load import load_agents, load_model_notes
from shared.errors import SettingsWrong
from shared.executing.flood import FloodGate, Turns
from shared.executing.runner import Runner
from shared.flows.register import Registrar
from shared.flows.tick import Ticker
from shared.logs import configure_logs
from shared.models.agent import Agent
from shared.models.registration import claim_code
from shared.models.retry import Budget, Budgets
from shared.ports import TickQueue
from shared.preview.drafts import Drafting
from shared.settings import TickSettings, read_settings
from shared.turn.answer import Mind, Replier
from shared.turn.attendance import Attendance
from shared.turn.claiming import Claiming
from shared.turn.judging import Judging

SETTINGS = read_settings(TickSettings)
AGENTS = load_agents(SETTINGS.agent_folders)
NOTES = {name: load_model_notes(SETTINGS.agent_folders, name) for name in SETTINGS.offered_models}
configure_logs(SETTINGS.log_format, SETTINGS.project)

without_token = sorted(AGENTS.keys() - SETTINGS.bot_tokens.keys())
if len(without_token) == len(AGENTS):
    raise SettingsWrong(f"LULL_BOT_TOKENS has no token for any agent; there are: {', '.join(without_token)}")


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


@cache
def ticker() -> Ticker:
    """What ticking needs; made once per instance."""
    chats = FirestoreChats(SETTINGS.project)
    queue = TickQueue(CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint))
    model = GeminiModel(
        SETTINGS.model,
        _access(),
        SETTINGS.gemini_url,
        SETTINGS.model_timeout_s,
        SETTINGS.model_tries,
    )
    minds = {name: Mind(model=model.named(name), notes=notes) for name, notes in NOTES.items()}
    agents = {name: AGENTS[name] for name in SETTINGS.bot_tokens if name in AGENTS}
    return Ticker(
        chats=chats,
        queue=queue,
        attendances={name: _attendance(agent, chats, queue, minds) for name, agent in agents.items()},
        quiet=SETTINGS.quiet,
        longest_wait=timedelta(seconds=SETTINGS.longest_wait_s),
        lease=timedelta(seconds=SETTINGS.lease_s),
        window_entries=SETTINGS.context_messages,
        clock=now,
    )


@cache
def registrar() -> Registrar:
    """What the daily registration needs; made once per instance."""
    tokens = {name: token.get_secret_value() for name, token in SETTINGS.bot_tokens.items() if name in AGENTS}
    accounts = {name: TelegramAccount(token, SETTINGS.telegram_url) for name, token in tokens.items()}
    return Registrar(accounts=accounts, secret=SETTINGS.webhook_secret.get_secret_value(), clock=now)


def _access() -> Access:
    if SETTINGS.vertex_ai:
        return VertexAI(project=SETTINGS.project, location=SETTINGS.vertex_location)
    return SETTINGS.gemini_api_key.get_secret_value()


def _judging() -> Judging:
    model = GeminiModel(SETTINGS.judge_model, _access(), SETTINGS.gemini_url, SETTINGS.judge_timeout_s, 1)
    return Judging(model=model, timeout_s=SETTINGS.judge_timeout_s)


def _claiming(agent: Agent, chats: FirestoreChats, channel: TelegramChannel) -> Claiming:
    code = claim_code(SETTINGS.webhook_secret.get_secret_value(), agent.id, channel.bot_id)
    owners = FirestoreOwners(chats.client)
    return Claiming(owners=owners, agent=agent.id, code=code, channel=channel, clock=now)


def _attendance(agent: Agent, chats: FirestoreChats, queue: TickQueue, minds: Mapping[str, Mind]) -> Attendance:
    token = SETTINGS.bot_tokens[agent.id].get_secret_value()
    channel, turns = TelegramChannel(token, SETTINGS.telegram_url), Turns()
    gate = FloodGate(FirestoreFloods(chats.client), agent.id, now)
    after = timedelta(seconds=SETTINGS.retry_s)
    task, model_ticks = Budget(tries=SETTINGS.task_tries, after=after), Budget(tries=SETTINGS.model_ticks, after=after)
    budgets = Budgets(model=model_ticks, task=task)
    return Attendance(
        chats=chats,
        queue=queue,
        replier=Replier(
            choices=minds,
            agent=agent,
            format=SETTINGS.prompt_format,
            clock=now,
            max_tokens=SETTINGS.context_tokens,
            drafting=Drafting(channel, turns, gate=gate) if SETTINGS.streaming else None,
            budgets=budgets,
            compressions=FirestoreCompressions(chats.client) if SETTINGS.compression else None,
        ),
        runner=Runner(
            channel=channel,
            agent=agent,
            chats=chats,
            gate=gate,
            budget=task,
            clock=now,
            active=timedelta(seconds=SETTINGS.active_s),
            draft_turns=turns,
        ),
        follow_up=timedelta(seconds=SETTINGS.follow_up_s),
        claiming=_claiming(agent, chats, channel),
        budgets=budgets,
        clock=now,
        judging=_judging() if agent.front.judge else None,
    )
