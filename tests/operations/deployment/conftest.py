"""An environment to deploy to: Terraform's stand-in, a Google, a Telegram, and a folder for secrets."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.telegram.serving import serve
from operations.deployment.google import GoogleProject, logged_in
from tests.infra.conftest import bundles, fresh, run_folder, standin, states, terraform  # noqa: F401  fixtures
from tests.infra.states import States
from tests.infra.workspace import GARBAGE, copy_of_infra
from tests.operations.deployment.google_apis import GOOD_KEY, GoogleApis, google_apis, write_login
from tests.operations.typed import Typing, typed, typed_alone

TOKEN = "700000001:not-a-token-of-any-bot-0123456789ab"
MOSS_TOKEN = "700000002:not-a-token-of-any-bot-0123456789ab"
TOKENS = {"lull": TOKEN, "moss": MOSS_TOKEN}
#: what the secrets file of a site has at first
KEPT = {"bot_tokens": TOKENS, "webhook_secret": "w" * 32, "console_secret": "c" * 32, "gemini_api_key": GOOD_KEY}


@dataclass
class Site:
    """A checkout's Terraform, and a shell to run `python -m operations.deployment` in."""

    folder: Path
    apis: GoogleApis
    telegram: httpx.AsyncClient
    env: dict[str, str] = field(default_factory=dict)
    typing: Typing = typed_alone

    @staticmethod
    def path() -> str:
        """The search path for programs."""
        return os.environ["PATH"]

    @property
    def safe(self) -> Path:
        """The secrets file."""
        return self.folder / "config" / "lull" / f"{self.apis.project}.json"

    def keep(self, **secrets: Any) -> None:
        """Store secrets in the file."""
        self.safe.parent.mkdir(parents=True, exist_ok=True)
        self.safe.touch(mode=0o600)
        self.safe.write_text(json.dumps(secrets))

    def write(self, **variables: Any) -> None:
        """Write terraform.tfvars."""
        given = {"project": self.apis.project, "agents": ["lull"], "alert_emails": ["ann@mail.test"], **variables}
        lines = (f"{name} = {json.dumps(value)}\n" for name, value in given.items())
        (self.folder / "infra" / "terraform.tfvars").write_text("".join(lines))

    async def run(self, *arguments: str, said: str = "", **env: str) -> tuple[int, str]:
        """Run a command; return the exit code and the output."""
        return await asyncio.to_thread(self._run, arguments, said, env)

    def _run(self, arguments: tuple[str, ...], said: str, env: dict[str, str]) -> tuple[int, str]:
        done = self.typing(("operations.deployment", *arguments), self.env | env, said)
        text = done.stdout + done.stderr
        assert "Traceback" not in text, text
        assert TOKEN.partition(":")[2] not in text
        return done.returncode, text

    async def webhook(self, agent: str = "lull") -> dict[str, Any]:
        """Return the webhook of a bot at Telegram."""
        answer = await self.telegram.get(f"/bot{TOKENS[agent]}/getWebhookInfo")
        found: dict[str, Any] = answer.json()["result"]
        return found

    async def told(self) -> list[str]:
        """Return the secrets set with each webhook, newest last."""
        calls = (await self.telegram.get("/world/calls?after=0")).json()["calls"]
        return [str(call["params"]["secret_token"]) for call in calls if call["method"] == "setWebhook"]


@dataclass(frozen=True)
class Deployed:
    """A site after `make deploy` ran twice, since it stopped at first: the exit codes and the output."""

    site: Site
    stopped: tuple[int, str]
    done: tuple[int, str]


@asynccontextmanager
async def site_in(folder: Path, reattach: str, kept: States) -> AsyncIterator[Site]:
    """Return a site that is ready to deploy, with nothing deployed yet."""
    infra = copy_of_infra(folder / "infra")
    with google_apis() as apis:
        kept.keep(infra, apis.project)
        async with serve() as telegram, httpx.AsyncClient(base_url=telegram.url) as api:
            for agent, token in TOKENS.items():
                bot = {"token": token, "first_name": agent, "username": f"{agent}_test_bot", "privacy": True}
                (await api.post("/world/bots", json=bot)).raise_for_status()
            env = surroundings(folder, reattach, apis) | {"TELEGRAM_API_URL": telegram.url}
            made = Site(folder, apis, api, env, typed)
            made.write()
            made.keep(**KEPT)
            yield made


def surroundings(folder: Path, reattach: str, apis: GoogleApis) -> dict[str, str]:
    """The shell without the address of Telegram."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "GOOGLE_APPLICATION_CREDENTIALS": str(write_login(folder, apis)),
        "LULL_GOOGLE_APIS": apis.apis,
        "LULL_INFRA": str(folder / "infra"),
        "GEMINI_BASE_URL": apis.url,
        "TF_REATTACH_PROVIDERS": reattach,
        # the stand-in runs in another folder than a provider would
        "TF_VAR_bundles": str(folder / "build"),
        "TF_CLI_CONFIG_FILE": os.devnull,
        "TF_CLI_ARGS": "-no-color",
        "GOGC": GARBAGE,
    }


@pytest.fixture
def apis() -> Iterator[GoogleApis]:
    """Google's APIs for one test."""
    with google_apis() as running:
        yield running


@pytest.fixture
def project(apis: GoogleApis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GoogleProject:
    """A project there, as seen by the logged-in account."""
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(write_login(tmp_path, apis)))
    return GoogleProject(apis.project, logged_in({}), apis.apis)


@pytest.fixture
async def site(standin: str, states: States, tmp_path: Path) -> AsyncIterator[Site]:  # noqa: F811
    """A site for one test, with nothing deployed yet."""
    async with site_in(tmp_path, standin, states) as made:
        yield made


@pytest.fixture(scope="session")
async def deployed(
    standin: str,  # noqa: F811
    states: States,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Deployed]:
    """A deployed site. It is shared, so tests must leave it unchanged."""
    async with site_in(tmp_path_factory.mktemp("deployed"), standin, states) as made:
        # a program of its own, as whoever deploys starts it
        alone = replace(made, typing=typed_alone)
        # Terraform finds the bundles there, the stand-in does not
        stopped = await alone.run("deploy", "--yes", TF_VAR_bundles="../build")
        yield Deployed(made, stopped, await made.run("deploy", said="Yes\n"))
