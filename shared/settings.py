"""Every setting of lull: read once, from the environment, by this file alone.

A missing or wrong setting fails the start with its name, what it is for, and an example.
`docs/configuration.md` lists them all; a test holds it true.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar

from shared.declaring import Between, Secret, Spelled, read_from, setting, told_misspelt
from shared.models.usage import Price, give_prices
from shared.models.wake import Queue, QueueAddress, Routes
from shared.settings_in_json import (
    S3Bucket,
    check_prices,
    dollars_in,
    embedding_model_in,
    media_model_in,
    messages_in,
    place_in,
    prices_in,
    routes_in,
    s3_bucket_in,
    tokens_in,
)

#: the root of the repository, and of a function's bundle
BESIDE = Path(__file__).resolve().parent.parent

#: the cheapest of the models that plan well enough (ai.google.dev/gemini-api/docs/models)
LITE = "gemini-3.5-flash-lite"
#: a setting that names a model, where there is to be none
NO_MODEL = "no"

SettingsT = TypeVar("SettingsT", bound="ProjectSettings")

#: a time that may be nothing, one that may not, and a number of things; a day bounds them, so that none overflows
Pause: TypeAlias = Annotated[float, Between(0, 86_400)]
Span: TypeAlias = Annotated[float, Between(0, 86_400, is_above=True)]
Count: TypeAlias = Annotated[int, Between(1, 10_000)]
Place: TypeAlias = Annotated[str, Spelled(place_in)]


@dataclass(frozen=True, kw_only=True)
class ProjectSettings:
    """What is needed to reach what a project keeps: enough for whoever only reads or restores it."""

    project: str = setting("GOOGLE_CLOUD_PROJECT", "the Google Cloud project that holds Firestore", "my-lull")
    agents_path: str = setting(
        "LULL_AGENTS_PATH",
        "folders with agents and prompts, the first that has a file wins; separated by ':'",
        "my-agents:agents",
        "agents",
    )

    @property
    def agent_folders(self) -> tuple[Path, ...]:
        """The configuration folders, first one first; relative ones lie beside `shared/`."""
        return tuple(BESIDE / p for p in self.agents_path.split(os.pathsep) if p)


@dataclass(frozen=True, kw_only=True)
class Settings(ProjectSettings):
    """What every function needs."""

    queue: str = setting(
        "LULL_QUEUE",
        "the Cloud Tasks queue of the ticks, as its full name",
        "projects/my-lull/locations/europe-west1/queues/ticks",
    )
    tick_url: str = setting("LULL_TICK_URL", "where Cloud Tasks finds the tick function", "https://tick-x.run.app")
    invoker: str = setting(
        "LULL_INVOKER",
        "the service account in whose name Cloud Tasks calls the tick function; empty: no token is sent (local)",
        "ticks@my-lull.iam.gserviceaccount.com",
        "",
    )
    more_routes: Annotated[Routes | None, Spelled(routes_in)] = setting(
        "LULL_ROUTES",
        "where jobs go besides the queue of the ticks and the tick function, as JSON; empty: nowhere else",
        '{"queues": {"background": {"name": "projects/…/queues/background"}}, "functions": {"summarize": "https://…"}}',
        None,
    )
    tasks_endpoint: str = setting(
        "CLOUD_TASKS_ENDPOINT", "host:port of a local Cloud Tasks server; empty: Google's", "127.0.0.1:8123", ""
    )
    log_format: Literal["json", "text"] = setting(
        "LULL_LOG_FORMAT", "`json`: a line for Cloud Logging; `text`: for people", "text", "json"
    )
    quiet_private_s: Pause = setting(
        "LULL_QUIET_PRIVATE_S", "seconds of quiet before a private chat is answered", "1.5", 1.5
    )
    quiet_group_s: Pause = setting("LULL_QUIET_GROUP_S", "seconds of quiet before a group is answered", "3", 3.0)
    later_s: Pause = setting(
        "LULL_LATER_S", "seconds until group chatter that is surely not for the agent is read", "60", 60.0
    )

    @property
    def routes(self) -> Routes:
        """Where jobs go."""
        more = self.more_routes or Routes()
        ticks = QueueAddress(name=self.queue, invoker=self.invoker)
        return Routes(queues={**more.queues, Queue.TICKS: ticks}, functions={**more.functions, "tick": self.tick_url})

    @property
    def quiet(self) -> dict[str, timedelta]:
        """The quiet time of each kind of chat."""
        group = timedelta(seconds=self.quiet_group_s)
        return {"private": timedelta(seconds=self.quiet_private_s), "group": group, "supergroup": group}


@dataclass(frozen=True, kw_only=True)
class AgentsSettings(Settings):
    """What a function needs that has no bot token by which it knows its agents."""

    agents: str = setting(
        "LULL_AGENTS", "the agents that have a bot, by their folders' names, separated by commas", "lull,moss"
    )

    @property
    def agent_names(self) -> frozenset[str]:
        """Those of the agents that have a persona here too: for any other no tick can do anything."""
        named = {name.strip() for name in self.agents.split(",")} - {""}
        return frozenset(n for n in named if any((folder / n / "agent.md").is_file() for folder in self.agent_folders))


@dataclass(frozen=True, kw_only=True)
class WebhookSettings(AgentsSettings):
    """What the webhook function needs."""

    webhook_secret: Secret = setting(
        "LULL_WEBHOOK_SECRET", "the secret that Telegram sends with each update (setWebhook)", "a-long-random-string"
    )


@dataclass(frozen=True, kw_only=True)
class GeminiSettings(ProjectSettings):
    """How Gemini is reached, and how long it is waited for."""

    vertex_ai: bool = setting(
        "GOOGLE_GENAI_USE_ENTERPRISE",
        "whether Gemini is reached through Vertex AI, in the name of the function's account and without a key",
        "true",
        False,
    )
    vertex_location: str = setting(
        "GOOGLE_CLOUD_LOCATION", "where Vertex AI is asked: a region, or `global`", "europe-west1", "global"
    )
    gemini_api_key: Secret = setting(
        "GEMINI_API_KEY",
        "the key of Gemini's API; needed without Vertex AI",
        "AIza…",
        Secret(""),
        unless="vertex_ai",
    )
    gemini_url: Place = setting("GEMINI_BASE_URL", "another place for Gemini's API; empty: Google's", "http://x:1", "")
    model_timeout_s: Span = setting("LULL_MODEL_TIMEOUT_S", "seconds that one call of the model may take", "90", 90.0)
    model_tries: Count = setting("LULL_MODEL_TRIES", "how often one call is tried on 429 and 5xx", "4", 4)


@dataclass(frozen=True, kw_only=True)
class SpendingSettings(GeminiSettings):
    """How much may be spent."""

    limits: bool = setting(
        "LULL_LIMITS", "whether limits hold: those of the deployment, and those that personas set", "no", True
    )
    day_usd: Annotated[float | None, Spelled(dollars_in)] = setting(
        "LULL_DAY_USD", "dollars that all agents together may spend on models in a day of UTC; `no`: any", "5", 1.0
    )
    month_usd: Annotated[float | None, Spelled(dollars_in)] = setting(
        "LULL_MONTH_USD", "dollars that all agents together may spend on models in a month; `no`: any", "30", 5.0
    )
    day_messages: Annotated[int | None, Spelled(messages_in)] = setting(
        "LULL_DAY_MESSAGES", "messages that all agents together may answer in a day of UTC; `no`: any", "1000", None
    )
    month_messages: Annotated[int | None, Spelled(messages_in)] = setting(
        "LULL_MONTH_MESSAGES", "messages that all agents together may answer in a month; `no`: any", "20000", None
    )
    soft_share: Annotated[float, Between(0.1, 1)] = setting(
        "LULL_SOFT_SHARE", "the share of a limit from which the cheapest of the offered models answers", "0.9", 0.8
    )
    owner_share: Annotated[float, Between(0, 0.9)] = setting(
        "LULL_OWNER_SHARE", "the share of all agents' and of an agent's limits that its owner alone may use", "0.3", 0.2
    )
    background_share: Annotated[float, Between(0.05, 1)] = setting(
        "LULL_BACKGROUND_SHARE", "the share of all agents' limits that notes, summaries and vectors take", "0.5", 0.3
    )
    prices: Annotated[Mapping[str, Price] | None, Spelled(prices_in)] = setting(
        "LULL_PRICES",
        "dollars for a million tokens of models whose price lull does not know, as JSON: model → `prompt` and "
        "`output`, perhaps `cached`, `sound`, `pictures`",
        '{"gemini-5-flash": {"prompt": 1.5, "cached": 0.15, "output": 9}}',
        None,
    )


@dataclass(frozen=True, kw_only=True)
class EmbeddingSettings(SpendingSettings):
    """What is needed besides to find what texts mean."""

    embedding_model: Annotated[str, Spelled(embedding_model_in)] = setting(
        "LULL_EMBEDDING_MODEL",
        "the model that makes vectors of texts, so that meanings are found; `no`: none, and words alone are",
        "gemini-embedding-001",
        "gemini-embedding-2",
    )


@dataclass(frozen=True, kw_only=True)
class ArchiveSettings(ProjectSettings):
    """Where archives are."""

    archive_bucket: str = setting(
        "LULL_ARCHIVE_BUCKET",
        "the bucket of Cloud Storage that the nightly archive of the conversations goes to; empty: there is none",
        "my-lull-archive",
        "",
    )
    archive_s3: Annotated[S3Bucket | None, Spelled(s3_bucket_in)] = setting(
        "LULL_ARCHIVE_S3",
        "a bucket of S3 for a second archive, as JSON, with the role that the function has there; empty: there is none",
        '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}',
        None,
    )


@dataclass(frozen=True, kw_only=True)
class MediaBucketSettings(ProjectSettings):
    """Where parts of files are."""

    media_bucket: str = setting(
        "LULL_MEDIA_BUCKET",
        "the bucket of Cloud Storage for what files were made into; empty: it is not stored",
        "my-lull-media",
        "",
    )


@dataclass(frozen=True, kw_only=True)
class TakeoutSettings(MediaBucketSettings):
    """What is needed to give people what is kept of them."""

    takeout_bucket: str = setting(
        "LULL_TAKEOUT_BUCKET",
        "the bucket of Cloud Storage in which what people asked for by /export lies until it is sent; empty: nobody "
        "can ask for it",
        "my-lull-takeouts",
        "",
    )


@dataclass(frozen=True, kw_only=True)
class ModelSettings(MediaBucketSettings, SpendingSettings, Settings):
    """What a function needs that asks a model about what people send."""

    bot_tokens: Annotated[Mapping[str, Secret], Spelled(tokens_in)] = setting(
        "LULL_BOT_TOKENS", "the bot token of each agent, as JSON", '{"lull": "123456:ABC-DEF"}'
    )
    telegram_url: Place = setting(
        "TELEGRAM_API_URL", "where the Bot API is", "http://127.0.0.1:8081", "https://api.telegram.org"
    )
    reader_url: str = setting(
        "LULL_READER_URL",
        "the address of the function that reads pages and opens files; empty: none can be read",
        "https://lull-reader-x.run.app",
        "",
    )
    media_model: Annotated[str, Spelled(media_model_in)] = setting(
        "LULL_MEDIA_MODEL", "the Gemini model that describes what people send; `no`: nobody does", LITE, LITE
    )
    media_budget: Count = setting(
        "LULL_MEDIA_BUDGET", "how many files one tick, or one run over what is left over, has described", "8", 8
    )


def settings_from(kind: type[SettingsT], env: Mapping[str, str]) -> SettingsT:
    """The settings of one function, or SettingsWrong with a line for each mistake. Their prices hold from now on."""
    found = read_from(kind, env)
    if isinstance(found, SpendingSettings):
        give_prices(found.prices or {})
        if found.limits:
            check_prices(found, datetime.now(UTC))
    return found


def read_settings(kind: type[SettingsT]) -> SettingsT:
    """The settings of one function or command, from this process's environment. Raises SettingsWrong."""
    return settings_from(kind, os.environ)


def misspelt_settings(kind: type[ProjectSettings]) -> list[str]:
    """Return a sentence for each name in this process's environment that is likely to be one of these, misspelt."""
    return told_misspelt(kind, os.environ)
