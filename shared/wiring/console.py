"""The parts of the console. It has no bot token and no model key."""

from datetime import timedelta
from functools import cache

from google.cloud.firestore_v1.async_client import AsyncClient
from starlette.applications import Starlette

from shared.base.root import ROOT
from shared.chat.queue import JobQueue
from shared.console.app import console_app
from shared.console.knowledge import KnowledgeSettings
from shared.console.services import ConsoleServices
from shared.console.signin.cookie import CookieBox
from shared.console.signin.door import Door
from shared.console.signin.init_data import KEYS
from shared.console.signin.oidc import TelegramLogin
from shared.console.signin.owners import AgentOwners
from shared.console.web_files import PageFiles
from shared.planning.personas.files import load_fronts
from shared.recall.store.summaries import SummarySpan
from shared.spending.policy import SpendingPolicy
from shared.values.wake import Job
from shared.wiring import begin, now
from shared.wiring.settings.console import ConsoleSettings
from shared.wiring.settings.model_names import NO_MODEL
from shared.wiring.spending import spending_policy

SETTINGS = begin(ConsoleSettings)
_SMALLEST = str(ConsoleSettings.model_fields["notes_model"].default)
#: read once, when the function starts
FILES = PageFiles(ROOT / "web")


@cache
def app() -> Starlette:
    """Return the application; made once per instance, inside the running loop."""
    client = AsyncClient(project=SETTINGS.project)
    services = ConsoleServices(
        client=client,
        project=SETTINGS.project,
        clock=now,
        jobs=_Jobs(),
        agents=SETTINGS.agent_names,
        agent_folders=SETTINGS.agent_folders,
        media_bucket=SETTINGS.media_bucket,
        functions=SETTINGS.routes.functions,
        spending=_spending,
        is_open=SETTINGS.open,
        knowledge=knowledge_of(SETTINGS),
        has_exports=bool(SETTINGS.takeout_bucket),
        is_local=SETTINGS.log_format == "text",
    )
    return console_app(
        Door(
            services=services,
            files=FILES,
            box=CookieBox(SETTINGS.console_secret.get_secret_value()),
            owners=AgentOwners(client, SETTINGS.agent_names),
            name=SETTINGS.console_door,
            key=KEYS.get(SETTINGS.mini_app_key, SETTINGS.mini_app_key),
            login=_login(),
        )
    )


def knowledge_of(settings: ConsoleSettings) -> KnowledgeSettings:
    """Return the settings of other functions that decide what the agents know."""
    week, month = timedelta(days=settings.summary_7day_every_days), timedelta(days=settings.summary_30day_every_days)
    others = [name.strip() for name in settings.models.split(",") if name.strip()]
    # without other models, `/model` offers the smallest one of Gemini's, which is also the usual one for notes
    smallest = [_SMALLEST] if not others and settings.model.startswith("gemini-") else []
    return KnowledgeSettings(
        person_memories=settings.person_memories,
        notes_model=_model_name(settings.notes_model),
        notes_tokens=settings.notes_tokens,
        summary_tokens={
            SummarySpan.WEEK: settings.summary_7day_tokens,
            SummarySpan.MONTH: settings.summary_30day_tokens,
        },
        summary_every={SummarySpan.WEEK: week, SummarySpan.MONTH: month},
        embedding_model=_model_name(settings.embedding_model),
        media_model=_model_name(settings.media_model),
        media_budget=settings.media_budget,
        models=tuple(dict.fromkeys((settings.model, *others, *smallest))),
        prompt_format=settings.prompt_format,
        context_tokens=settings.context_tokens,
        reply_tokens=settings.reply_tokens,
    )


def _model_name(model: str) -> str:
    return "" if model == NO_MODEL else model


@cache
def _spending() -> SpendingPolicy:
    return spending_policy(SETTINGS, load_fronts(SETTINGS.agent_folders))


class _Jobs:
    """Cloud Tasks. Its client is imported with the first job, since most requests only read."""

    async def enqueue(self, job: Job) -> None:
        await _cloud_tasks().enqueue(job)


@cache
def _cloud_tasks() -> JobQueue:
    from shared.cloud.cloud_tasks import CloudTasks

    return CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint)


def _login() -> TelegramLogin | None:
    secret = SETTINGS.login_secret.get_secret_value()
    if not SETTINGS.login_client or not secret:
        return None
    return TelegramLogin(issuer=SETTINGS.login_issuer, client_id=SETTINGS.login_client, client_secret=secret)
