"""All settings of lull: a class for each function, read once when the function starts.

If a setting is missing or invalid, the function does not start, and the error has the setting's name, purpose, and an
example. This module has the common settings, and those of functions that call no model. The others are in
`model_functions.py`, which the webhook does not import. `docs/configuration.md` lists all settings; a test compares
that page with the classes.
"""

import os
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Json

from shared.base.root import ROOT
from shared.values.wake import Queue, QueueAddress, Routes
from shared.wiring.settings.environment import (
    AnyCase,
    EnvironmentSettings,
    JsonTokens,
    Pause,
    Place,
    Secret,
    Text,
    refusal,
    setting,
)

#: the default User-Agent; it shows in a site's logs which program read a page
USER_AGENT: Final = "lull/0.1 (an agent that reads a page for somebody in Telegram)"

JsonRoutes: TypeAlias = Annotated[
    Json[Routes],
    refusal(
        f"write the objects `queues` and `functions`: each function has a URL; the queues are {', '.join(Queue)}, "
        "each with a `name` and optionally an `invoker`"
    ),
]

FunctionAddress: TypeAlias = Annotated[
    str, Field(pattern=r"^https?://[^/?#]+/?$"), refusal("write the function's URL, without a path")
]


class ProjectSettings(EnvironmentSettings):
    """Settings to reach a project's stored data: enough to read or restore it."""

    project: Text = setting("the Google Cloud project that holds Firestore", "my-lull", name="GOOGLE_CLOUD_PROJECT")
    agents_path: Text = setting(
        "folders with agents and prompts, separated by ':'; if several have the same file, the first folder's is used",
        "my-agents:agents",
        "agents",
    )

    @property
    def agent_folders(self) -> tuple[Path, ...]:
        """The configuration folders, in order of precedence. Relative paths begin at the folder with `shared/`."""
        return tuple(ROOT / p for p in self.agents_path.split(os.pathsep) if p)


class Settings(ProjectSettings):
    """Settings of every function."""

    queue: Text = setting(
        "the Cloud Tasks queue of the ticks, as its full name", "projects/my-lull/locations/europe-west1/queues/ticks"
    )
    tick_url: Text = setting("the URL of the tick function, which Cloud Tasks calls", "https://tick-x.run.app")
    invoker: Text = setting(
        "the service account in whose name Cloud Tasks calls the tick function; empty: no token is sent (local)",
        "ticks@my-lull.iam.gserviceaccount.com",
        "",
    )
    more_routes: JsonRoutes | None = setting(
        "the other queues and functions that jobs are sent to, as JSON; empty: only the ticks' queue and the "
        "tick function",
        '{"queues": {"background": {"name": "projects/…/queues/background"}}, "functions": {"summarize": "https://…"}}',
        None,
        name="LULL_ROUTES",
    )
    tasks_endpoint: Text = setting(
        "host:port of a local Cloud Tasks server; empty: Google's", "127.0.0.1:8123", "", name="CLOUD_TASKS_ENDPOINT"
    )
    log_format: Annotated[Literal["json", "text"], AnyCase] = setting(
        "`json`: a line for Cloud Logging; `text`: for people", "text", "json"
    )
    quiet_private_s: Pause = setting("seconds of quiet before a private chat is answered", "1.5", 1.5)
    quiet_group_s: Pause = setting("seconds of quiet before a group is answered", "3", 3.0)
    later_s: Pause = setting(
        "seconds until group messages that are clearly not meant for the agent are read", "60", 60.0
    )

    @property
    def routes(self) -> Routes:
        """The queues and functions that jobs go to."""
        more = self.more_routes or Routes()
        ticks = QueueAddress(name=self.queue, invoker=self.invoker)
        return Routes(queues={**more.queues, Queue.TICKS: ticks}, functions={**more.functions, "tick": self.tick_url})

    @property
    def quiet(self) -> dict[str, timedelta]:
        """The time for which a chat must be quiet before a tick answers, by Telegram's name for the kind of chat."""
        group = timedelta(seconds=self.quiet_group_s)
        return {"private": timedelta(seconds=self.quiet_private_s), "group": group, "supergroup": group}


class AgentsSettings(Settings):
    """Settings of functions that read from the setting `agents` which agents have a bot."""

    agents: Text = setting("the agents that have a bot, by their folders' names, separated by commas", "lull,moss")

    @property
    def agent_names(self) -> frozenset[str]:
        """The agents with a bot that also have a persona in one of the agents' folders. Others are ignored."""
        named = {name.strip() for name in self.agents.split(",")} - {""}
        return frozenset(n for n in named if any((folder / n / "agent.md").is_file() for folder in self.agent_folders))


class WebhookSettings(AgentsSettings):
    """Settings of the webhook function."""

    webhook_secret: Secret = setting(
        "the secret that Telegram sends with each update (setWebhook)", "a-long-random-string"
    )


class BotSettings(Settings):
    """Settings of functions that call Telegram: the bots' tokens, and the base URL of the Bot API."""

    bot_tokens: JsonTokens = setting("the bot token of each agent, as JSON", '{"lull": "123456:ABC-DEF"}')
    telegram_url: Place = setting(
        "the base URL of the Bot API", "http://127.0.0.1:8081", "https://api.telegram.org", name="TELEGRAM_API_URL"
    )


class MaintainSettings(AgentsSettings, BotSettings):
    """Settings of the function `maintain`. Only this function has both the bots' tokens and the webhook's address."""

    webhook_secret: Secret = setting(
        "the webhook's secret, which is registered at Telegram again each day", "a-long-random-string"
    )
    webhook_url: FunctionAddress = setting(
        "the webhook function's URL without a path; Telegram sends the updates of each bot there",
        "https://lull-webhook-x.run.app",
    )
    console_url: Text = setting(
        "the address at which owners sign in to the console; agents tell it to their owners; empty: there is none",
        "https://lull-console-x.run.app/v3ry-hard-to-guess",
        "",
    )
    summarize_url: Text = setting(
        "the URL of the function `summarize`, which runs the sweep", "https://lull-summarize-x.run.app"
    )
    clock: Text = setting(
        "the service account in whose name Cloud Scheduler calls `maintain`; other callers are refused",
        "lull-clock-maintain@my-lull.iam.gserviceaccount.com",
    )


class MediaBucketSettings(ProjectSettings):
    """The setting that names the bucket for decoded files."""

    media_bucket: Text = setting(
        "the Cloud Storage bucket for decoded files; empty: they are not stored", "my-lull-media", ""
    )


class ExportSettings(MediaBucketSettings):
    """The settings that name the buckets for exports and for decoded files."""

    takeout_bucket: Text = setting(
        "the Cloud Storage bucket that stores an /export until it is sent; empty: /export is not available",
        "my-lull-takeouts",
        "",
    )


class S3Bucket(BaseModel):
    """An S3 bucket, its region, and the AWS role that the function gets in exchange for Google's identity token."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    bucket: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")
    region: str = Field(pattern=r"^[a-z]{2}(-[a-z]+)+-[0-9]$")
    role: str = Field(pattern=r"^arn:aws[a-z-]*:iam::[0-9]{12}:role/[\w+=,.@/-]+$")


JsonS3Bucket: TypeAlias = Annotated[
    Json[S3Bucket], refusal("write only `bucket`, `region` and `role`, each in the format of AWS")
]


class ArchiveSettings(ProjectSettings):
    """The settings that name the nightly archives: a Cloud Storage bucket and an S3 bucket. Each may be missing."""

    archive_bucket: Text = setting(
        "the Cloud Storage bucket of the nightly archive; empty: no archive",
        "my-lull-archive",
        "",
    )
    archive_s3: JsonS3Bucket | None = setting(
        "the S3 bucket of a second archive, with its region and the AWS role of the function, as JSON; "
        "empty: no second archive",
        '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}',
        None,
    )


class EraseSettings(ExportSettings, ArchiveSettings, Settings):
    """Settings of the function `erase`. It has no bot token: ticks send its notices."""

    backup_days: Annotated[int, Field(ge=0, le=3_660)] = setting(
        "how many days backups of the database are kept, as the receipt of /forget states; 0: there are no backups",
        "98",
        0,
    )
    erasure_bucket: Text = setting(
        "the Cloud Storage bucket that lists forgotten people by id and time, in case the database is lost; "
        "empty: only archives list them",
        "my-lull-erasures",
        "",
    )


HeaderText: TypeAlias = Annotated[
    str, Field(pattern=r"^[ -~]*$"), refusal("write one line in ASCII, since it is sent as a header")
]


#: a host as in addresses; any other spelling would never match
_HOST: Final = r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:]*:[0-9a-f:.]+"
_NO_HOSTS: Final = refusal(
    "write hosts such as example.com, in ASCII (xn--…), without https://, path or *, separated by commas"
)
_BetweenCommas: Final = BeforeValidator(lambda text: {n.strip().lower() for n in text.split(",") if n.strip()})
Hosts: TypeAlias = Annotated[frozenset[Annotated[str, Field(pattern=f"^({_HOST})$")]], _BetweenCommas, _NO_HOSTS]
#: hosts, perhaps with ports
HostsWithPorts: TypeAlias = Annotated[
    frozenset[Annotated[str, Field(pattern=f"^({_HOST})(:[0-9]{{1,5}})?$")]], _BetweenCommas, _NO_HOSTS
]


class ReaderSettings(Settings):
    """Settings of the reader function, which reads untrusted pages and files. None of them is a secret."""

    reader_hosts: Hosts = setting(
        "the only hosts whose pages are read, including their subdomains, separated by commas; empty: all public hosts",
        "wikipedia.org,docs.python.org",
        frozenset(),
    )
    reader_refused_hosts: Hosts = setting(
        "hosts whose pages are not read, including their subdomains, separated by commas", "example.com", frozenset()
    )
    reader_private_hosts: HostsWithPorts = setting(
        "hosts of a private network whose pages may be read, without subdomains, separated by commas; a port "
        "other than 80 or 443 is part of the name",
        "wiki.home.arpa,10.0.0.7:8080",
        frozenset(),
    )
    reader_user_agent: HeaderText = setting(
        "the User-Agent header that the reader sends; it should contain an address for complaints",
        "lull (+https://my.example/bot)",
        USER_AGENT,
    )
    reader_longest_s: Annotated[int, Field(ge=10, le=3_600)] = setting(
        "how many seconds of a sound or film, from its beginning, are prepared for a model; a film longer "
        "than a minute becomes its sound and still pictures",
        "1800",
        600,
    )
