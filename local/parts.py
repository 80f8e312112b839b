"""The parts of the local cloud (servers and functions), each with its command, environment and health check."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

from infra.functions import EVERYBODY, SCHEDULE, declared_functions
from local.confining import confine
from local.credentials import Credentials
from local.gemini import hashed, scripted
from local.model import minilm
from local.model.upstream import ModelServer
from local.ports import HOST
from local.processes import ROOT, Processes
from local.telegram.signing import login_secret, mini_app_key
from operations.environment import surroundings
from shared.privacy.jobs.privacy import PAGE_PATH
from shared.values.wake import Queue, QueueAddress, Routes

PROJECT = "lull-local"
QUEUES = {queue: f"projects/{PROJECT}/locations/local/queues/{queue}" for queue in Queue}
QUEUE = QUEUES[Queue.TICKS]
#: bucket of the nightly archive of conversations
ARCHIVE_BUCKET = "lull-local-archive"
#: bucket of the results of describing files
MEDIA_BUCKET = "lull-local-media"
#: bucket of exports that people requested by /export, until they are sent
TAKEOUT_BUCKET = "lull-local-takeouts"
#: bucket of the list of erased people, outside the database
ERASURE_BUCKET = "lull-local-erasures"
#: places in a cloud's folder: the personas in use, and the error of newer ones
PERSONAS = "personas"
PERSONA_PROBLEM = "problem.json"
#: folder, inside a cloud's folder, of the deployment for bots of the real Telegram
REAL = "real"
#: the module that is imported before parts are forked
PRELOAD = ("local.preload",)
#: the service account of scheduled calls
CLOCK = f"clock@{PROJECT}.iam.gserviceaccount.com"
#: value of GEMINI_API_KEY where no key is needed
NO_KEY = "local"
#: the provider of the small model and of vectors; its address is that of the part `model`
LOCAL_PROVIDER = "llamacpp"
#: Names of the model that the small backend serves, and of the one that makes vectors. The part `model` chooses the
#: former after the functions have started (local/model/chat_models.py); all have at most two billion parameters.
SMALL_MODEL = f"{LOCAL_PROVIDER}:small-2b"
VECTORS_MODEL = f"{LOCAL_PROVIDER}:{minilm.NAME}"
#: The small model reads slowly and answers in seconds; answers to several people are queued.
SMALL_MODEL_SETTINGS = {
    "LULL_MODEL": SMALL_MODEL,
    "LULL_PROMPT_FORMAT": "compact",
    "LULL_CONTEXT_MESSAGES": "60",
    "LULL_CONTEXT_TOKENS": "6000",
    "LULL_MODEL_TIMEOUT_S": "240",
    "LULL_COMPRESSION": "no",
    # as a judge, the small model says yes to nearly everything (docs/benchmarks.md, decisions)
    "LULL_JUDGE_MODEL": "no",
    # a call of the small model takes tens of seconds, and an answer would have to wait for it
    "LULL_NOTES_MODEL": "no",
    "LULL_EARLY_TITLES": "no",
    # the small model cannot read pictures or audio
    "LULL_MEDIA_MODEL": "no",
    "LULL_SPEECH_MODEL": "no",
    "LULL_IMAGE_MODEL": "no",
    "LULL_EMBEDDING_MODEL": VECTORS_MODEL,
}
#: A server's model reads faster. Some servers silently cut off a prompt that is longer than the context. Prompt and
#: answer fit into the 4,096 tokens that Ollama uses with less than 24 GiB of video memory
#: (docs.ollama.com/context-length).
SERVER_SETTINGS = SMALL_MODEL_SETTINGS | {
    "LULL_NOTES_TOKENS": "2500",
    "LULL_CONTEXT_TOKENS": "3000",
    "LULL_REPLY_TOKENS": "1024",
}
#: defaults of the functions on this machine: everybody is answered, since this machine's user let them in
USUAL_SETTINGS = {"LULL_OPEN": "yes", "LULL_LOG_FORMAT": "text"}
#: free models have no spending limits
NO_LIMITS = {"LULL_LIMITS": "no"}
FUNCTIONS = tuple(declared_functions())
#: services that call functions, each with the caller in infra/functions.yaml that it stands for
CALLING = {"telegram": (EVERYBODY,), "cloud_tasks": tuple(Queue), "scheduler": (SCHEDULE,)}


def _callers_and_called() -> Iterator[str]:
    for server, callers in CALLING.items():
        yield server
        yield from (name for name in FUNCTIONS if declared_functions()[name].called_by[0] in callers)
    yield from (name for name in FUNCTIONS if declared_functions()[name].called_by[0] in FUNCTIONS)


#: all parts in the order of display: a function comes after its callers
PARTS = (*_callers_and_called(), "firestore", "storage", "model")
#: name of the second port of Cloud Tasks, that of its control API
CONTROL = "control"
TELEGRAM_API = "https://api.telegram.org"
#: parts that exist once, however many deployments there are; `maintain` maintains webhooks, which polled bots do not
#: have
SHARED = ("telegram", "model", "maintain")
#: variable with the folder for a function's sockets
RUN_FOLDER = "XDG_RUNTIME_DIR"


def _free(*models: str) -> dict[str, str]:
    """Return settings that give these models a price of 0. They are needed because every model must have a price while
    spending limits are set.
    """
    return {"LULL_PRICES": json.dumps({model: {"prompt": 0, "output": 0} for model in models})}


class Backend(StrEnum):
    """The kinds of model server that answer the model calls of a local cloud: Google, the small local model, another
    local server, scripted answers, or another provider. The functions call a PROVIDER directly, and call all other
    kinds through the part `model`.
    """

    GOOGLE = "google"
    SMALL = "small"
    SERVER = "server"
    SCRIPTED = "scripted"
    PROVIDER = "provider"


#: the id of the bot by which owners sign in to the console outside of Telegram
LOGIN_CLIENT = "1000"
#: settings of the functions by backend. A local model costs nothing.
MODEL_SETTINGS: Mapping[Backend, Mapping[str, str]] = {
    Backend.SMALL: SMALL_MODEL_SETTINGS | NO_LIMITS,
    Backend.SERVER: SERVER_SETTINGS | NO_LIMITS,
    Backend.SCRIPTED: {"LULL_EMBEDDING_MODEL": hashed.NAME} | NO_LIMITS | _free(hashed.NAME, scripted.BACKGROUND),
}


def server_settings(server: ModelServer) -> dict[str, str]:
    """Return the functions' settings for a model server: the model's name and what the model is capable of, but not the
    server's address.
    """
    model = f"{server.provider}:{server.model}"
    return {
        "LULL_MODEL": model,
        "LULL_JUDGE_MODEL": model,
        "LULL_NOTES_MODEL": model,
        "LULL_CAPABILITIES": json.dumps({model: server.capabilities}),
    }


@dataclass(frozen=True, kw_only=True)
class CloudSpec:
    """The description of a local cloud.

    `data`: the folder for data between runs (None: a temporary folder, deleted at the end). `agents`: configuration
    folders. `env`: more environment variables of the functions. `arguments`: more command-line arguments of a part, by
    the part's name. `page_port`: the port of the local Telegram, which also serves the page. `model_host`: the host of
    the model behind the part `model`, as shown to people. `functions`: the folder with `<name>/main.py` of each
    function. `is_on_schedule`: scheduled jobs run at their times; otherwise they run only on request, so that they do
    not disturb tests.

    `preload`: modules that one process imports once; the parts are then forked from this process (`local/forks.py`),
    which saves a third of the processor time of a start. Without `preload` each part starts as a separate program, as
    in the cloud. `processes`: an object that starts the parts, and that several clouds may share. `firestore`: host and
    port of an emulator that already runs and stores this cloud's documents under `project`. `has_menus`: whether the
    bots register their commands at Telegram, which takes hundreds of calls. `provider`: the name by which settings
    refer to a local model server.
    """

    data: Path | None = None
    backend: Backend = Backend.SCRIPTED
    agents: tuple[Path, ...] = (ROOT / "agents",)
    env: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[str, ...] = PARTS
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    page_port: int = 0
    model_host: str = HOST
    functions: Path = ROOT / "functions"
    gemini_key: str = field(default=NO_KEY, repr=False)
    provider_keys: str = field(default="", repr=False)
    is_on_schedule: bool = False
    preload: tuple[str, ...] = ()
    processes: Processes | None = None
    firestore: str = ""
    project: str = PROJECT
    has_menus: bool = True
    provider: str = LOCAL_PROVIDER


@dataclass(frozen=True, kw_only=True)
class CloudPart:
    """A part of the local cloud: a server or function that runs as one process group. `health` is the path that answers
    200 once the part can serve requests; None if the part is ready as soon as its process runs.
    """

    name: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    url: str = ""
    health: str | None = None
    stop_last: bool = False
    is_function: bool = False
    is_forked: bool = False


@dataclass(frozen=True, kw_only=True)
class Places:
    """The addresses of a deployment's parts. `ports` are the ports by part; the port `control` is that of Cloud Tasks'
    control API. `without`: the parts that the deployment lacks.

    `firestore` is the host and port of an emulator that runs outside of the deployment, and stores the deployment's
    documents under `project`.
    """

    folder: Path
    ports: Mapping[str, int]
    without: tuple[str, ...] = ()
    firestore: str = ""
    project: str = PROJECT

    def url(self, part: str) -> str:
        """Return a part's address without a trailing slash."""
        return f"http://{self.address(part)}"

    def address(self, part: str) -> str:
        """Return a part's host and port."""
        return self.firestore if part == "firestore" and self.firestore else f"{HOST}:{self.ports[part]}"


def service(name: str, spec: CloudSpec, places: Places, credentials: Credentials) -> CloudPart:
    """Return the part that runs a local server in place of a service of Google or Telegram. `name` is also the name of
    the server's module in the package `local`, except for the scripted model (`local.gemini`).
    """
    firestore = {"FIRESTORE_EMULATOR_HOST": places.address("firestore"), "GOOGLE_CLOUD_PROJECT": places.project}
    argv = [sys.executable, "-m", f"local.{name}", "--port", str(places.ports[name])]
    if name != "scheduler" and (name != "firestore" or spec.data):
        argv += ["--data", str(places.folder / name)]
    health = f"{places.url(name)}/healthz"
    env: dict[str, str] = {}
    match name:
        case "firestore" | "storage":
            health = f"{places.url(name)}/"
        case "cloud_tasks":
            argv += ["--control-port", str(places.ports[CONTROL])]
            argv += [word for queue in QUEUES.values() for word in ("--queue", queue)]
            health = f"{places.url(CONTROL)}/healthz"
        case "telegram":
            env = firestore | _telegram_env(places, credentials)
        case "scheduler":
            argv += [word for function in FUNCTIONS for word in ("--function", f"{function}={places.url(function)}")]
            argv += ["--caller", CLOCK, *([] if spec.is_on_schedule else ["--paused"])]
            argv += [word for function in places.without for word in ("--without", function)]
        case "model" if spec.backend in (Backend.SCRIPTED, Backend.PROVIDER):
            argv[2] = "local.gemini"
        case "model":
            argv += ["--backend", spec.backend]
    return CloudPart(
        name=name,
        argv=(*argv, *spec.arguments.get(name, ())),
        env=surroundings(env),
        url=places.url(name),
        health=health,
        stop_last=name == "firestore",
        is_forked=bool(spec.preload) and name != "firestore",  # its process is replaced by Java
    )


def _telegram_env(places: Places, credentials: Credentials) -> dict[str, str]:
    """Return the settings of the local Telegram: what its page shows, and how people sign in to the console."""
    bots = {agent: int(token.partition(":")[0]) for agent, token in credentials.tokens.items()}
    console = console_url(places, credentials)
    return {
        "LULL_LOCAL_MODEL_URL": places.url("model"),
        "LULL_LOCAL_SCHEDULER_URL": places.url("scheduler"),
        "LULL_BOT_IDS": json.dumps(bots),
        "LULL_PERSONA_PROBLEM": str(places.folder / PERSONAS / PERSONA_PROBLEM),
        "LULL_LOCAL_SEED": credentials.telegram_seed,
        "LULL_LOGIN_CLIENT": LOGIN_CLIENT,
        "LULL_LOCAL_LOGIN_BACK": f"{console}/back",
        "LULL_CONSOLE_URL": console,
    }


def console_url(places: Places, credentials: Credentials) -> str:
    """Return the address at which owners sign in to the console."""
    return f"{places.url('console')}/{credentials.console_door}"


def _console_env(places: Places, credentials: Credentials) -> dict[str, str]:
    """Return the settings of the console. All functions get these settings, since another function stores the console's
    address for the agents.
    """
    return {
        "LULL_CONSOLE_SECRET": credentials.console_secret,
        "LULL_CONSOLE_DOOR": credentials.console_door,
        "LULL_CONSOLE_URL": console_url(places, credentials),
        "LULL_MINI_APP_KEY": mini_app_key(credentials.telegram_seed),
        "LULL_LOGIN_CLIENT": LOGIN_CLIENT,
        "LULL_LOGIN_SECRET": login_secret(credentials.telegram_seed),
        "LULL_LOGIN_ISSUER": f"{places.url('telegram')}/oauth",
    }


def reached_by(places: Places) -> dict[str, str]:
    """Return the settings by which parts and other programs reach this cloud."""
    return {
        "GOOGLE_CLOUD_PROJECT": places.project,
        "FIRESTORE_EMULATOR_HOST": places.address("firestore"),
        "CLOUD_TASKS_ENDPOINT": places.address("cloud_tasks"),
        "STORAGE_EMULATOR_HOST": places.url("storage"),
        "LULL_QUEUE": QUEUE,
        "LULL_TICK_URL": places.url("tick"),
    }


def function_env(spec: CloudSpec, places: Places, credentials: Credentials) -> dict[str, str]:
    """Return the settings that all functions have."""
    model = MODEL_SETTINGS.get(spec.backend, {})
    return {
        **USUAL_SETTINGS,
        **model,
        **reached_by(places),
        "LULL_ROUTES": json.dumps(asdict(_routes(places))),
        "LULL_WEBHOOK_SECRET": credentials.webhook_secret,
        "LULL_BOT_TOKENS": json.dumps(dict(credentials.tokens)),
        "LULL_AGENTS": ",".join(credentials.tokens),
        "LULL_CLOCK": CLOCK,
        "LULL_SUMMARIZE_URL": places.url("summarize"),
        "LULL_READER_URL": places.url("reader"),
        "LULL_WEBHOOK_URL": places.url("webhook"),
        "LULL_MODEL_HOST": spec.model_host,
        "LULL_PRIVACY_URL": f"{places.url('webhook')}/{PAGE_PATH}",
        "LULL_AGENTS_PATH": os.pathsep.join(str(folder) for folder in spec.agents),
        **model_access(spec, places.url("model")),
        "TELEGRAM_API_URL": places.url("telegram"),
        "LULL_ARCHIVE_BUCKET": ARCHIVE_BUCKET,
        "LULL_MEDIA_BUCKET": MEDIA_BUCKET,
        "LULL_TAKEOUT_BUCKET": TAKEOUT_BUCKET,
        "LULL_ERASURE_BUCKET": ERASURE_BUCKET,
        **_console_env(places, credentials),
    } | dict(spec.env)


def model_access(spec: CloudSpec, url: str) -> dict[str, str]:
    """Return the address and keys of the model as settings of the functions. `url`: the address of the part `model`."""
    keys = {"LULL_PROVIDER_KEYS": spec.provider_keys} if spec.provider_keys else {}
    if spec.backend is Backend.PROVIDER:
        return keys
    if spec.backend in (Backend.SMALL, Backend.SERVER):
        return {"LULL_PROVIDERS": json.dumps(dict.fromkeys((LOCAL_PROVIDER, spec.provider), f"{url}/v1"))}
    return {"GEMINI_API_KEY": spec.gemini_key, "GEMINI_BASE_URL": url, **keys}


def _routes(places: Places) -> Routes:
    """Return what the functions need to create tasks: the name of each Cloud Tasks queue, and the address of each
    function.
    """
    return Routes(
        queues={queue: QueueAddress(name=name) for queue, name in QUEUES.items()},
        functions={name: places.url(name) for name in FUNCTIONS},
    )


def function(name: str, target: str, spec: CloudSpec, places: Places, env: Mapping[str, str]) -> CloudPart:
    """Return the part that runs the function `target` as the cloud does, and that also refuses requests of web pages
    (`local/guard.py`). `name` is the name of the part.
    """
    source = spec.functions / target / "main.py"
    port = str(places.ports[name])
    argv = (sys.executable, "-m", "local.function", "--source", str(source), "--target", target)
    return CloudPart(
        name=name,
        argv=(*argv, "--host", HOST, "--port", port, *spec.arguments.get(target, ())),
        # gunicorn puts a control socket there, for which several functions would compete
        env=confine(target, {**env, RUN_FOLDER: str(places.folder / "run" / name)}),
        url=places.url(name),
        health=f"{places.url(name)}/healthz",
        is_function=True,
        is_forked=bool(spec.preload),
    )
