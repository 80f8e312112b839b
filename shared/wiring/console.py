"""Builds the console's application. The console has neither bot tokens nor keys of models."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from google.cloud.firestore_v1.async_client import AsyncClient
from starlette.applications import Starlette

from shared.base.root import ROOT
from shared.chat.queue import JobQueue
from shared.console.app import console_app
from shared.console.signin.cookie import CookieBox
from shared.console.signin.door import Door
from shared.console.signin.init_data import KEYS
from shared.console.signin.oidc import TelegramLogin
from shared.console.signin.owners import AgentOwners
from shared.console.web_files import PageFiles
from shared.values.wake import Job
from shared.wiring import begin, now
from shared.wiring.settings.console import ConsoleSettings

if TYPE_CHECKING:
    from shared.console.services import ConsoleServices

SETTINGS = begin(ConsoleSettings)
#: read once, when the function starts
FILES = PageFiles(ROOT / "web")


@cache
def app() -> Starlette:
    """Return the application; made once per instance, inside the running loop."""
    client = AsyncClient(project=SETTINGS.project)
    key = KEYS.get(SETTINGS.mini_app_key, SETTINGS.mini_app_key)
    door = Door(
        client=client,
        clock=now,
        files=FILES,
        box=CookieBox(SETTINGS.console_secret.get_secret_value()),
        owners=AgentOwners(client, SETTINGS.agent_names),
        name=SETTINGS.console_door,
        key=key,
        login=_login(),
        # a key that is not Telegram's is the local Telegram's, which opens the console in an ordinary tab
        launches_anywhere=key not in KEYS.values(),
    )
    return console_app(door, partial(_services, client))


def _services(client: AsyncClient) -> ConsoleServices:
    """Return the services that the console's API needs.

    Their modules are imported only here, since the page itself and signing in do not need them.
    """
    from shared.console.services import ConsoleServices
    from shared.wiring.console_views import deployment_of, knowledge_of, spending

    return ConsoleServices(
        secret=SETTINGS.console_secret.get_secret_value(),
        client=client,
        project=SETTINGS.project,
        clock=now,
        jobs=_Jobs(),
        agents=SETTINGS.agent_names,
        agent_folders=SETTINGS.agent_folders,
        media_bucket=SETTINGS.media_bucket,
        functions=SETTINGS.routes.functions,
        spending=cache(partial(spending, SETTINGS)),
        deployment=cache(partial(deployment_of, SETTINGS)),
        is_open=SETTINGS.open,
        knowledge=knowledge_of(SETTINGS),
        has_exports=bool(SETTINGS.takeout_bucket),
        is_local=SETTINGS.log_format == "text",
    )


class _Jobs:
    """The job queue. The client of Cloud Tasks is imported with the first job, since most requests only read."""

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
