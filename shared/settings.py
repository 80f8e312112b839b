"""Every setting of lull: read once, from the environment, by this file alone.

A missing or wrong setting fails the start with its name, what it is for, and an example.
`docs/configuration.md` lists them all; a test holds it true.
"""

import os
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Json, SecretStr, ValidationError

from shared.errors import SettingsWrong
from shared.models.prompt import PromptFormat

#: the root of the repository, and of a function's bundle
BESIDE = Path(__file__).resolve().parent.parent

SettingsT = TypeVar("SettingsT", bound="Settings")

#: a time that may be nothing, one that may not, and a number of things; a day bounds them, so that none overflows
Pause: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]
Span: TypeAlias = Annotated[float, Field(gt=0, le=86_400)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]


def setting(name: str, purpose: str, example: str, default: Any = ...) -> Any:
    """A field read from the environment variable `name`; without a default it is required."""
    return Field(default, alias=name, description=purpose, examples=[example])


class Settings(BaseModel):
    """What every function needs."""

    # each function builds the validator of its own settings alone: it takes as long as a small library's import
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    project: str = setting("GOOGLE_CLOUD_PROJECT", "the Google Cloud project that holds Firestore", "my-lull")
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
    tasks_endpoint: str = setting(
        "CLOUD_TASKS_ENDPOINT", "host:port of a local Cloud Tasks server; empty: Google's", "127.0.0.1:8123", ""
    )
    agents_path: str = setting(
        "LULL_AGENTS_PATH",
        "folders with agents and prompts, the first that has a file wins; separated by ':'",
        "my-agents:agents",
        "agents",
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
    def agent_folders(self) -> tuple[Path, ...]:
        """The configuration folders, first one first; relative ones lie beside `shared/`."""
        return tuple(BESIDE / p for p in self.agents_path.split(os.pathsep) if p)

    @property
    def quiet(self) -> dict[str, timedelta]:
        """The quiet time of each kind of chat."""
        group = timedelta(seconds=self.quiet_group_s)
        return {"private": timedelta(seconds=self.quiet_private_s), "group": group, "supergroup": group}


class WebhookSettings(Settings):
    """What the webhook function needs."""

    webhook_secret: SecretStr = setting(
        "LULL_WEBHOOK_SECRET", "the secret that Telegram sends with each update (setWebhook)", "a-long-random-string"
    )


class TickSettings(Settings):
    """What the tick function needs."""

    bot_tokens: Json[dict[str, SecretStr]] = setting(
        "LULL_BOT_TOKENS", "the bot token of each agent, as JSON", '{"lull": "123456:ABC-DEF"}'
    )
    telegram_url: str = setting(
        "TELEGRAM_API_URL", "where the Bot API is", "http://127.0.0.1:8081", "https://api.telegram.org"
    )
    model: str = setting("LULL_MODEL", "the Gemini model that plans", "gemini-3.5-flash-lite", "gemini-3.8-flash")
    gemini_api_key: SecretStr = setting("GEMINI_API_KEY", "the key of Gemini's API", "AIza…")
    gemini_url: str = setting("GEMINI_BASE_URL", "another place for Gemini's API; empty: Google's", "http://x:1", "")
    model_timeout_s: Span = setting("LULL_MODEL_TIMEOUT_S", "seconds that one call of the model may take", "90", 90.0)
    model_tries: Count = setting("LULL_MODEL_TRIES", "how often one call is tried on 429 and 5xx", "4", 4)
    lease_s: Span = setting("LULL_LEASE_S", "seconds that a tick holds a chat without a sign of life", "60", 60.0)
    longest_wait_s: Pause = setting(
        "LULL_LONGEST_WAIT_S", "seconds after which a chat that never rests is answered all the same", "10", 10.0
    )
    active_s: Pause = setting(
        "LULL_ACTIVE_S",
        "seconds that an agent counts as taking part in a chat after a message",
        "120",
        120.0,
    )
    prompt_format: PromptFormat = setting(
        "LULL_PROMPT_FORMAT", "`meta`: a header for each message; `compact`: a short line", "compact", PromptFormat.META
    )
    context_messages: Count = setting("LULL_CONTEXT_MESSAGES", "how many recent messages the model is shown", "50", 50)
    retry_s: Pause = setting("LULL_RETRY_S", "seconds between the tries of a task or of a failed plan", "10", 10.0)
    task_tries: Count = setting("LULL_TASK_TRIES", "how often a task is tried before its plan is dropped", "10", 10)


def settings_from(kind: type[SettingsT], env: Mapping[str, str]) -> SettingsT:
    """The settings of one function, or SettingsWrong with one line for each that is missing or wrong."""
    try:
        return kind.model_validate({name: value for name, value in env.items() if value != ""})
    except ValidationError as wrong:
        lines = [_complaint(kind, str(e["loc"][0]), e["type"] == "missing", e["msg"]) for e in wrong.errors()]
        raise SettingsWrong("\n".join(lines)) from None


def _complaint(kind: type[Settings], name: str, is_missing: bool, what: str) -> str:
    # the value itself is never repeated: it may be a secret
    field = next(f for f in kind.model_fields.values() if f.alias == name)
    problem = "is not set" if is_missing else f"is wrong ({what})"
    return f"{name} {problem}: it is {field.description}. Example: {name}={(field.examples or [''])[0]}"


@cache
def webhook_settings() -> WebhookSettings:
    """The webhook's settings, from this process's environment."""
    return settings_from(WebhookSettings, os.environ)


@cache
def tick_settings() -> TickSettings:
    """The tick's settings, from this process's environment."""
    return settings_from(TickSettings, os.environ)
