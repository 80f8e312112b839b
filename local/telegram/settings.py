"""Settings of one run of the local Telegram."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class TelegramSettings:
    """The state's folder and the server's time limits.

    `clock_scale` multiplies Telegram's delays between two attempts to deliver an update and between two new connections
    to a webhook. 1 is Telegram's own timing; with 0.01 a test sees six retries in about a second. It does not affect
    the time limit of a response (`silence_seconds`, Telegram: 60) or the expiry of an update (24 h).
    """

    data_dir: Path | None = None
    clock_scale: float = 1.0
    silence_seconds: float = 60.0
    recent_events: int = 5_000
    recent_calls: int = 20_000
