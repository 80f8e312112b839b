"""The secrets of a deployment: the bots' tokens, the secrets of the webhook and of the console, and the keys of model
providers.

Terraform needs the secrets in every run and stores none. They come from the shell (TF_VAR_…, as in CI) or from a file.
The file is outside the checkout, so it cannot be committed, bundled or uploaded by mistake, and only its owner can read
it. `make deploy` asks for missing secrets, or generates them, and stores them in the file.
"""

import hashlib
import json
import os
import re
import secrets
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from operations.deployment.options import CannotDeploy
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Variables

ONLY_THE_OWNER = 0o600
BYTES = 32
#: the fewest characters of the console's secret
SHORTEST = 32
_TEXTS = TypeAdapter(dict[str, str])


class StoredSecrets(BaseModel):
    """The content of a project's file of secrets."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    bot_tokens: dict[str, str] = {}
    webhook_secret: str = ""
    console_secret: str = ""
    gemini_api_key: str = ""
    model_provider_keys: dict[str, str] = {}
    console_login_secret: str = ""


@dataclass(frozen=True, kw_only=True)
class SecretValues:
    """All secrets of a deployment. Gemini's key is empty if the deployment uses Vertex AI or no Gemini model."""

    bot_tokens: Mapping[str, str] = field(repr=False)
    webhook_secret: str = field(repr=False)
    console_secret: str = field(default="", repr=False)
    gemini_api_key: str = field(repr=False)
    model_provider_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: empty if owners sign in to the console only inside Telegram
    console_login_secret: str = field(default="", repr=False)

    def for_terraform(self) -> dict[str, str]:
        """Return the secrets as Terraform variables, with the version numbers by which Terraform notices a change."""
        given = {f"TF_VAR_{name}": value for name, value in self._as_texts().items()}
        # this replaces keys in the shell that are of no use here, and that would be refused
        return {"TF_VAR_model_provider_keys": "{}", **given, "TF_VAR_secret_versions": json.dumps(self.numbers())}

    def numbers(self) -> dict[str, int]:
        """Return 24 bits of each secret's hash, by variable. Terraform's state contains these numbers instead of the
        secrets.
        """
        return {
            name: int(hashlib.sha256(value.encode()).hexdigest()[:6], 16) for name, value in self._as_texts().items()
        }

    def _as_texts(self) -> dict[str, str]:
        spelled = {
            "bot_tokens": _spell(self.bot_tokens),
            "webhook_secret": self.webhook_secret,
            "console_secret": self.console_secret,
            "gemini_api_key": self.gemini_api_key,
            "model_provider_keys": _spell(self.model_provider_keys),
            "console_login_secret": self.console_login_secret,
        }
        return {name: value for name, value in spelled.items() if value}


@dataclass(frozen=True)
class SecretsFile:
    """The file with a project's secrets."""

    file: Path

    def read(self) -> StoredSecrets:
        """Return the stored secrets, empty if there is no file. Raises CannotDeploy."""
        if not self.file.exists():
            return StoredSecrets()
        if stat.S_IMODE(self.file.stat().st_mode) & 0o077:
            raise CannotDeploy(
                f"Other users can read the secrets in {self.file}. To prevent this, run `chmod 600 {self.file}`."
            )
        try:
            return StoredSecrets.model_validate_json(self.file.read_bytes())
        except (ValidationError, OSError) as wrong:
            raise CannotDeploy(
                f"{self.file} cannot be read ({type(wrong).__name__}); correct it, or remove it."
            ) from None

    def write(self, kept: StoredSecrets) -> None:
        """Replace the file atomically, readable by its owner only."""
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self.file.with_name(self.file.name + ".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, ONLY_THE_OWNER), "w") as out:
            out.write(kept.model_dump_json(indent=2))
        new.replace(self.file)


def known_secrets(variables: Variables, env: Mapping[str, str], kept: StoredSecrets) -> SecretValues:
    """Return the secrets from the shell or the file. Missing ones are empty. Raises CannotDeploy."""
    given = _from_shell(env)
    keys = kept.model_provider_keys | given.model_provider_keys
    return SecretValues(
        bot_tokens=known_tokens(variables.agents, env, kept),
        webhook_secret=given.webhook_secret or kept.webhook_secret,
        console_secret=given.console_secret or kept.console_secret,
        gemini_api_key=given.gemini_api_key or kept.gemini_api_key if variables.needs_gemini_key else "",
        model_provider_keys={name: keys[name] for name in variables.model_providers if keys.get(name)},
        console_login_secret=given.console_login_secret or kept.console_login_secret
        if variables.console_login_bot
        else "",
    )


def known_tokens(agents: Collection[str], env: Mapping[str, str], kept: StoredSecrets) -> dict[str, str]:
    """Return these agents' bot tokens from the shell or the file. Raises CannotDeploy."""
    tokens = dict(kept.bot_tokens) | _from_shell(env).bot_tokens
    return {agent: tokens[agent] for agent in agents if tokens.get(agent)}


def secrets_of(
    variables: Variables, env: Mapping[str, str], kept: StoredSecrets, terminal: Terminal
) -> tuple[SecretValues, StoredSecrets]:
    """Return the secrets that the variables need, and the secrets to store. Missing secrets are asked for or generated.

    Raises CannotDeploy.
    """
    given, known = _from_shell(env), known_secrets(variables, env, kept)
    _check_named(given.model_provider_keys, variables.model_providers)
    asked = {agent: _token_of(agent, terminal) for agent in variables.agents if agent not in known.bot_tokens}
    missing = {p: url for p, url in variables.model_providers.items() if p not in known.model_provider_keys}
    keys = {provider: _key_of(provider, url, terminal) for provider, url in missing.items()}
    key = known.gemini_api_key
    if variables.needs_gemini_key and not key:
        key = terminal.ask_secret("The Gemini API key, from https://aistudio.google.com/apikey") or _lacking(
            "the Gemini API key", "TF_VAR_gemini_api_key=AIza…"
        )
    login = known.console_login_secret
    if variables.console_login_bot and not login:
        login = _login_secret_of(variables.console_login_bot, terminal)
    values = SecretValues(
        bot_tokens=dict(known.bot_tokens) | asked,
        webhook_secret=known.webhook_secret or secrets.token_urlsafe(BYTES),
        console_secret=known.console_secret or secrets.token_urlsafe(BYTES),
        gemini_api_key=key,
        model_provider_keys=dict(known.model_provider_keys) | keys,
        console_login_secret=login,
    )
    _check_made(values)
    return values, _to_keep(values, given, kept)


def _to_keep(values: SecretValues, given: StoredSecrets, kept: StoredSecrets) -> StoredSecrets:
    """Return the secrets to store: the stored ones (`kept`), and new ones unless they come from the shell (`given`)."""
    tokens = {agent: token for agent, token in values.bot_tokens.items() if agent not in given.bot_tokens}
    keys = {name: key for name, key in values.model_provider_keys.items() if name not in given.model_provider_keys}
    return StoredSecrets(
        bot_tokens=kept.bot_tokens | tokens,
        webhook_secret=kept.webhook_secret or ("" if given.webhook_secret else values.webhook_secret),
        console_secret=kept.console_secret or ("" if given.console_secret else values.console_secret),
        gemini_api_key=kept.gemini_api_key or ("" if given.gemini_api_key else values.gemini_api_key),
        model_provider_keys=kept.model_provider_keys | keys,
        console_login_secret=kept.console_login_secret
        or ("" if given.console_login_secret else values.console_login_secret),
    )


def _check_made(values: SecretValues) -> None:
    if not re.fullmatch(r"[A-Za-z0-9_-]{32,256}", values.webhook_secret):
        raise CannotDeploy(
            "The webhook secret (TF_VAR_webhook_secret, or in the secrets file) must be 32 to 256 characters: letters, "
            "digits, _ and -. Remove it to have one generated, or generate one with `openssl rand -hex 32`."
        )
    if len(values.console_secret) < SHORTEST:
        raise CannotDeploy(
            f"The console's secret (TF_VAR_console_secret, or in the secrets file) must be {SHORTEST} characters or "
            "more. Remove it to have one generated, or generate one with `openssl rand -hex 32`."
        )


def _check_named(keys: Collection[str], providers: Collection[str]) -> None:
    if not set(keys) <= set(providers):
        # the name is not repeated, since it may be the key
        raise CannotDeploy(
            "TF_VAR_model_provider_keys has a key for a provider that is missing in `model_providers` of "
            f"terraform.tfvars (it has {', '.join(providers) or 'none'}). Add the provider there, or remove its key."
        )


def placeholders(variables: Variables) -> dict[str, str]:
    """Return placeholders for secrets: destroying uses no secret, but Terraform requires every variable."""
    nothing = SecretValues(
        bot_tokens={agent: "0:none" for agent in variables.agents},
        webhook_secret="-" * BYTES,
        console_secret="-" * BYTES,
        gemini_api_key="none" if variables.needs_gemini_key else "",
        model_provider_keys=dict.fromkeys(variables.model_providers, "none"),
        console_login_secret="none",
    )
    return nothing.for_terraform()


def _from_shell(env: Mapping[str, str]) -> StoredSecrets:
    return StoredSecrets(
        bot_tokens=_texts_from_shell(env, "TF_VAR_bot_tokens", '{"lull": "123456:ABC-DEF"}'),
        webhook_secret=env.get("TF_VAR_webhook_secret", ""),
        console_secret=env.get("TF_VAR_console_secret", ""),
        gemini_api_key=env.get("TF_VAR_gemini_api_key", ""),
        model_provider_keys=_texts_from_shell(env, "TF_VAR_model_provider_keys", '{"groq": "gsk_…"}'),
        console_login_secret=env.get("TF_VAR_console_login_secret", ""),
    )


def _texts_from_shell(env: Mapping[str, str], name: str, example: str) -> dict[str, str]:
    try:
        return _TEXTS.validate_json(env.get(name) or "{}")
    except ValidationError:
        raise CannotDeploy(f"{name} must be JSON like {example}.") from None


def _spell(texts: Mapping[str, str]) -> str:
    return json.dumps(dict(sorted(texts.items()))) if texts else ""


def _token_of(agent: str, terminal: Terminal) -> str:
    question = f"The bot token of the agent {agent}, from @BotFather"
    return terminal.ask_secret(question) or _lacking(
        f"the bot token of the agent {agent}", f"""TF_VAR_bot_tokens='{{"{agent}": "123456:ABC-DEF"}}'"""
    )


def _key_of(provider: str, url: str, terminal: Terminal) -> str:
    hint = " (any word if it needs no key)" if url else ""
    return terminal.ask_secret(f"The API key of {provider}{hint}") or _lacking(
        f"the API key of {provider}", f"""TF_VAR_model_provider_keys='{{"{provider}": "KEY"}}'"""
    )


def _login_secret_of(bot: str, terminal: Terminal) -> str:
    question = (
        f"The client secret of the console's web login, which @BotFather shows for the bot {bot} under Bot Settings → "
        "Web Login"
    )
    return terminal.ask_secret(question) or _lacking(
        f"the client secret of the web login of console_login_bot ({bot}; @BotFather → Bot Settings → Web Login)",
        "TF_VAR_console_login_secret=SECRET",
    )


def _lacking(what: str, example: str) -> str:
    raise CannotDeploy(f"{what[:1].upper()}{what[1:]} is missing; enter it in a terminal, or set {example}.")
