"""The tick's parts."""

from datetime import UTC, datetime, timedelta
from functools import cache

from shared.adapters.cloud_tasks import CloudTasksQueue
from shared.adapters.firestore_chats import FirestoreChats
from shared.adapters.gemini import GeminiModel
from shared.adapters.telegram import TelegramChannel
from shared.agents.load import load_agents, load_model_notes
from shared.errors import SettingsWrong
from shared.executing.runner import Runner
from shared.flows.attend import Attendance
from shared.flows.reply import Replier
from shared.flows.tick import Ticker
from shared.logs import configure_logs
from shared.models.agent import Agent
from shared.settings import tick_settings

SETTINGS = tick_settings()
AGENTS = load_agents(SETTINGS.agent_folders)
NOTES = load_model_notes(SETTINGS.agent_folders, SETTINGS.model)
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
    queue = CloudTasksQueue(SETTINGS.queue, SETTINGS.tick_url, SETTINGS.invoker, SETTINGS.tasks_endpoint)
    model = GeminiModel(
        SETTINGS.model,
        SETTINGS.gemini_api_key.get_secret_value(),
        SETTINGS.gemini_url,
        SETTINGS.model_timeout_s,
        SETTINGS.model_tries,
    )
    agents = {name: AGENTS[name] for name in SETTINGS.bot_tokens if name in AGENTS}
    return Ticker(
        chats=chats,
        queue=queue,
        attendances={name: _attendance(agent, chats, queue, model) for name, agent in agents.items()},
        quiet=SETTINGS.quiet,
        longest_wait=timedelta(seconds=SETTINGS.longest_wait_s),
        lease=timedelta(seconds=SETTINGS.lease_s),
        window_entries=SETTINGS.context_messages,
        clock=now,
    )


def _attendance(agent: Agent, chats: FirestoreChats, queue: CloudTasksQueue, model: GeminiModel) -> Attendance:
    token = SETTINGS.bot_tokens[agent.id].get_secret_value()
    retry_after = timedelta(seconds=SETTINGS.retry_s)
    return Attendance(
        chats=chats,
        queue=queue,
        replier=Replier(model=model, model_notes=NOTES, agent=agent, format=SETTINGS.prompt_format, clock=now),
        runner=Runner(
            channel=TelegramChannel(token, SETTINGS.telegram_url),
            agent=agent,
            chats=chats,
            retry_after=retry_after,
            tries=SETTINGS.task_tries,
            clock=now,
        ),
        active=timedelta(seconds=SETTINGS.active_s),
        retry_after=retry_after,
        clock=now,
    )
