"""The secrets of one local cloud. They are generated at its first start, stored in its folder, and valid only for this
local cloud.
"""

import hashlib
import json
import os
import secrets
import string
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

#: file name in the local cloud's folder
FILE = "credentials.json"
_TOKEN_ALPHABET = string.ascii_letters + string.digits + "-_"


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """The secrets of one local cloud. `tokens` are the bot tokens by agent. In a token, the number before the colon is
    the bot's id.

    `console_secret` signs the cookies of the console.
    """

    webhook_secret: str = field(repr=False)
    tokens: Mapping[str, str] = field(repr=False)
    console_secret: str = field(repr=False)

    @property
    def console_door(self) -> str:
        """The path at which owners sign in to the console."""
        return hashlib.sha256(f"door {self.webhook_secret}".encode()).hexdigest()[:24]

    @property
    def telegram_seed(self) -> str:
        """The secret from which the local Telegram derives its keys."""
        return hashlib.sha256(f"telegram {self.webhook_secret}".encode()).hexdigest()

    def beside(self, name: str, tokens: Mapping[str, str]) -> "Credentials":
        """Return the credentials of a second deployment, named `name`, with these tokens. That deployment gets a
        console secret of its own, so that a cookie is valid at one console only.
        """
        own = hashlib.sha256(f"{name} {self.console_secret}".encode()).hexdigest()
        return replace(self, tokens=tokens, console_secret=own)

    def of(self, agents: Iterable[str]) -> dict[str, str]:
        """Return the bot tokens of these agents, by agent. Raises KeyError for an agent without a token."""
        return {agent: self.tokens[agent] for agent in agents}


def kept_credentials(folder: Path, agents: Iterable[str]) -> Credentials:
    """Load the credentials from the file in `folder`. Secrets and tokens that are missing there are generated and
    stored.
    """
    file = folder / FILE
    known = _read(file)
    tokens = dict(known.tokens)
    for agent in agents:
        tokens.setdefault(agent, _new_token())
    complete = replace(known, tokens=tokens)
    if not file.exists() or asdict(complete) != json.loads(file.read_text()):
        _write(file, complete)
    return complete


def _new_secret() -> str:
    return secrets.token_urlsafe(32)


def _new_token() -> str:
    """Return a token in BotFather's format: a number, a colon, 35 characters."""
    number = 5_000_000_000 + secrets.randbelow(3_000_000_000)
    return f"{number}:" + "".join(secrets.choice(_TOKEN_ALPHABET) for _ in range(35))


def _read(file: Path) -> Credentials:
    if not file.exists():
        return Credentials(webhook_secret=_new_secret(), console_secret=_new_secret(), tokens={})
    # folders of earlier versions have no secret of the console
    return Credentials(**{"console_secret": _new_secret(), **json.loads(file.read_text())})


def _write(file: Path, credentials: Credentials) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(file.name + ".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        json.dump(asdict(credentials), out, indent=2)
    new.replace(file)
