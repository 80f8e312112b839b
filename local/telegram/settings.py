"""Settings of one run of the local Telegram."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class TelegramSettings:
    """The settings of one run: the folder for the state (None: nothing is stored), the login, and limits.

    `seed` is the secret from which the keys for Mini Apps and for the web login are derived. `login_client` is the
    client id of the web login: the id of a bot. `login_back` is the only address to which the login redirects browsers.
    `console` is the address of the console.

    `clock_scale` multiplies two delays of Telegram: between attempts to deliver an update, and between new connections
    to a webhook. 1 is Telegram's own timing; with 0.01 a test sees six retries in about a second. Neither the time
    limit of a response (`silence_seconds`; on Telegram 60) nor the expiry of an update (24 h) is affected.
    """

    data_dir: Path | None = None
    seed: str = field(default="", repr=False)
    login_client: str = ""
    login_back: str = ""
    console: str = ""
    clock_scale: float = 1.0
    silence_seconds: float = 60.0
    recent_events: int = 5_000
    recent_calls: int = 20_000
