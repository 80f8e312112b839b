"""Options of the local cloud (lull on one machine, for development), read from the shell's environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from local.machine_zone import machine_zone
from local.model.upstream import GOOGLE, ModelServer
from local.parts import (
    LOCAL_PROVIDER,
    NO_KEY,
    NO_LIMITS,
    PRELOAD,
    SERVER_SETTINGS,
    TELEGRAM_API,
    USUAL_SETTINGS,
    Backend,
    CloudSpec,
    server_settings,
)
from local.ports import HOST
from local.processes import ROOT
from operations.running import data_folder
from shared.values.model_name import ModelName, parse_model_name
from shared.wiring.settings.environment import SWITCHES
from shared.wiring.settings.providers import check_provider, names_in, with_provider_keys

BOT_TOKEN = "TELEGRAM_BOT_TOKEN"
#: agent whose bot uses TELEGRAM_BOT_TOKEN
FIRST_AGENT = "lull"
#: settings with another default in the local cloud; the shell's values have priority
OWN_SETTINGS = (*USUAL_SETTINGS, *NO_LIMITS, *SERVER_SETTINGS)
#: settings that are names: a file with Windows line ends or with quotes would leave these in the value
_NAMING = (
    "PORT", "LULL_DATA", "LULL_BACKEND", "LULL_AGENTS_PATH", "LULL_MODEL_FILE", "LULL_EMBEDDING_FILES",
    "LULL_LOCAL_MODEL", "LULL_LOCAL_MODEL_KEY", "GEMINI_BASE_URL", "TELEGRAM_API_URL",
)  # fmt: skip
#: settings that are read here and by no function
OF_THIS_MACHINE = (*(name for name in _NAMING if name.startswith("LULL_")), "LULL_REMOVE_WEBHOOK")


class CannotStart(Exception):
    """The local cloud cannot start. The text says why and what to do, in a sentence."""


@dataclass(frozen=True, kw_only=True)
class LocalOptions:
    """Options of the local cloud. `real_tokens`: the tokens of bots at the real Telegram, by the agent's name in
    capitals. `page_port`: 0 means any free port.
    """

    data: Path
    page_port: int
    backend: Backend
    agents: tuple[Path, ...]
    gemini_key: str = field(repr=False)
    gemini_url: str
    model_file: Path | None
    embedding_files: Path | None
    local_model: str
    local_model_key: str = field(repr=False)
    may_choose_model: bool
    real_tokens: Mapping[str, str] = field(repr=False)
    telegram_url: str
    may_remove_webhook: bool
    #: whether everything may be deleted without asking
    has_agreed: bool = False
    #: the shell's values for settings that have another default here or for a local model
    own_settings: Mapping[str, str] = field(default_factory=dict)
    #: the name of the model to download, if one is chosen
    chat_model: str = ""
    #: the server whose model is used, once a model is chosen
    server: ModelServer | None = None
    #: the provider whose model answers, if it is neither Gemini's nor local; and keys, as LULL_PROVIDER_KEYS has them
    provider: ModelName | None = None
    provider_keys: str = field(default="", repr=False)

    @property
    def is_open(self) -> bool:
        """Return whether bots of the local Telegram answer everybody, which is the default."""
        return SWITCHES.get(_folded(self.own_settings.get("LULL_OPEN", "")), True)

    @property
    def opens_real_bots(self) -> bool:
        """Return whether bots at the real Telegram answer everybody. They do so only if LULL_OPEN is set, since anybody
        can find them there.
        """
        return "LULL_OPEN" in self.own_settings and self.is_open

    @property
    def settings(self) -> Mapping[str, str]:
        """Return the settings for the functions: those for the chosen model server, and those that are set in the
        shell. The shell's settings take precedence.
        """
        return {**(server_settings(self.server) if self.server else {}), **self.own_settings}

    def spec(self) -> CloudSpec:
        """Return the description of the local cloud that these options ask for."""
        named = ("--model-file", str(self.model_file)) if self.model_file else ()
        if self.chat_model and not named:
            named = ("--chat-model", self.chat_model)
        server = self.server
        of_server = ("--server", server.url, "--server-name", server.name, "--model", server.model) if server else ()
        sees = ("--takes-pictures",) if server and server.takes_pictures else ()
        files = ("--embedding-files", str(self.embedding_files)) if self.embedding_files else ()
        passed_on = ("--upstream", self.gemini_url) if self.backend is Backend.GOOGLE else ()
        asked = server.url if server else self.gemini_url if self.backend is Backend.GOOGLE else ""
        is_local = self.backend in (Backend.SMALL, Backend.SERVER)
        embeds = is_local and self.own_settings.get("LULL_EMBEDDING_MODEL") != "no"
        ahead = ("--embed-ahead",) if embeds else ()
        return CloudSpec(
            data=self.data,
            backend=self.backend,
            agents=self.agents,
            page_port=self.page_port,
            model_host=urlsplit(asked).hostname or HOST,
            env=self.settings,
            gemini_key=self.gemini_key,
            provider_keys=self.provider_keys,
            arguments={"model": (*named, *of_server, *sees, *passed_on, *files, *ahead)},
            is_on_schedule=True,
            preload=PRELOAD,
            provider=server.provider if server else LOCAL_PROVIDER,
        )


def options_from(env: Mapping[str, str]) -> LocalOptions:
    """Read the options from environment variables. Raises CannotStart if a value is invalid."""
    _check_ends(env)
    key, provider = env.get("GEMINI_API_KEY") or NO_KEY, _provider(env)
    agents = env.get("LULL_AGENTS_PATH") or "agents"
    if (is_open := env.get("LULL_OPEN")) and _folded(is_open) not in SWITCHES:
        raise CannotStart(f"LULL_OPEN={is_open} is invalid; write yes or no, or leave it out.")
    return LocalOptions(
        data=_data(env),
        page_port=_port(env.get("PORT", "")),
        backend=Backend.PROVIDER if provider and key == NO_KEY else _backend(env.get("LULL_BACKEND", ""), key),
        agents=tuple(ROOT / folder for folder in agents.split(os.pathsep) if folder),
        gemini_key=key,
        gemini_url=env.get("GEMINI_BASE_URL") or GOOGLE,
        model_file=_model_file(env.get("LULL_MODEL_FILE", "")),
        embedding_files=_folder(env.get("LULL_EMBEDDING_FILES", "")),
        local_model=env.get("LULL_LOCAL_MODEL", ""),
        local_model_key=env.get("LULL_LOCAL_MODEL_KEY", ""),
        may_choose_model=not env.get("LULL_BACKEND") and not env.get("LULL_MODEL_FILE"),
        real_tokens=_real_tokens(env),
        telegram_url=(env.get("TELEGRAM_API_URL") or TELEGRAM_API).rstrip("/"),
        may_remove_webhook=env.get("LULL_REMOVE_WEBHOOK", "").lower() == "yes",
        has_agreed=env.get("YES", "").lower() == "yes",
        provider=provider,
        provider_keys=with_provider_keys(env).get("LULL_PROVIDER_KEYS", ""),
        # LULL_LOCAL_MODEL names the local model, so LULL_MODEL is ignored for it
        own_settings={
            **({"LULL_MODEL": str(provider)} if provider else {}),
            **({"LULL_ZONE": zone} if (zone := env.get("LULL_ZONE") or machine_zone(env)) else {}),
            **{name: env[name] for name in OWN_SETTINGS if env.get(name) and name != "LULL_MODEL"},
        },
    )


def _provider(env: Mapping[str, str]) -> ModelName | None:
    """Return the model in LULL_MODEL if its provider is not Gemini, otherwise None. If LULL_BACKEND, LULL_LOCAL_MODEL
    or LULL_MODEL_FILE is set, LULL_MODEL is ignored, and None is returned.

    Raises CannotStart if the provider seems misspelt.
    """
    if any(env.get(name) for name in ("LULL_BACKEND", "LULL_LOCAL_MODEL", "LULL_MODEL_FILE")):
        return None
    model, configured = env.get("LULL_MODEL", ""), names_in(env.get("LULL_PROVIDERS", ""))
    named = parse_model_name(model, configured)
    if not named.is_gemini:
        return named
    try:
        # without a key, a misspelt provider would go unnoticed, since a local model answers then
        check_provider(model, {"providers": dict.fromkeys(configured, ""), "provider_keys": {}})
    except ValueError as cause:
        raise CannotStart(f"LULL_MODEL={model} is wrong: {cause}") from None
    return None


def _check_ends(env: Mapping[str, str]) -> None:
    for name in _NAMING:
        value = env.get(name, "")
        if value != value.strip() or (len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"):
            raise CannotStart(f"{name} has spaces, a line end or quotes around its value; write only the value.")


def _folded(switch: str) -> str:
    return switch.strip().casefold()


def _data(env: Mapping[str, str]) -> Path:
    try:
        folder = data_folder(env)
        is_in_file = any(place.exists() and not place.is_dir() for place in (folder, *folder.parents))
    except RuntimeError:  # also raised for a circle of links
        raise CannotStart(f"LULL_DATA={env['LULL_DATA']} cannot be a folder; choose another path.") from None
    except OSError as cause:
        raise CannotStart(
            f"LULL_DATA={env['LULL_DATA']} is not a usable folder ({cause.strerror}); choose another path."
        ) from None
    if is_in_file:
        raise CannotStart(
            f"LULL_DATA={env['LULL_DATA']} is a file or inside a file; choose an existing or a new folder."
        )
    return folder


def _port(text: str) -> int:
    if not text:
        return 0
    if not text.isdecimal() or not 0 < int(text) < 65_536:
        raise CannotStart(f"PORT={text} is not a port; use a number from 1 to 65535, or leave it out for a free port.")
    return int(text)


def _backend(text: str, key: str) -> Backend:
    if not text:
        return Backend.SMALL if key == NO_KEY else Backend.GOOGLE
    try:
        backend = Backend(text)
    except ValueError:
        raise CannotStart(
            f"LULL_BACKEND={text} is unknown; use one of {', '.join(Backend)}, or leave it out."
        ) from None
    if backend is Backend.SERVER:
        raise CannotStart("LULL_BACKEND=server cannot be set; name the server's model with LULL_LOCAL_MODEL instead.")
    if backend is Backend.PROVIDER:
        raise CannotStart("LULL_BACKEND=provider cannot be set; name the model with LULL_MODEL=provider:name instead.")
    if backend is Backend.GOOGLE and key == NO_KEY:
        raise CannotStart(
            "LULL_BACKEND=google needs GEMINI_API_KEY; set it, or unset LULL_BACKEND to use the small model."
        )
    return backend


def _model_file(text: str) -> Path | None:
    if not text:
        return None
    file = Path(text).expanduser().resolve()
    if not file.is_file():
        raise CannotStart(f"LULL_MODEL_FILE={text} is not a file; set it to a GGUF file, or leave it out.")
    return file


def _folder(text: str) -> Path | None:
    if not text:
        return None
    folder = Path(text).expanduser().resolve()
    if not folder.is_dir():
        raise CannotStart(
            f"LULL_EMBEDDING_FILES={text} is not a folder; set it to the folder with the files, or leave it out."
        )
    return folder


def _real_tokens(env: Mapping[str, str]) -> dict[str, str]:
    named = {n.removeprefix(f"{BOT_TOKEN}_"): token for n, token in env.items() if n.startswith(f"{BOT_TOKEN}_")}
    first = {FIRST_AGENT.upper(): env[BOT_TOKEN]} if env.get(BOT_TOKEN) else {}
    return first | {agent: token for agent, token in named.items() if token}
