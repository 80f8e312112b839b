"""Settings of one run of the local Telegram."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class TelegramSettings:
    """The folder in which the state is stored, and the server's time limits.

    `clock_scale` multiplies two delays of Telegram: between attempts to deliver an update, and between new connections
    to a webhook. 1 is Telegram's own timing; with 0.01 a test sees six retries in about a second. Neither the time
    limit of a response (`silence_seconds`; on Telegram 60) nor the expiry of an update (24 h) is affected.
    """

    data_dir: Path | None = None
    clock_scale: float = 1.0
    silence_seconds: float = 60.0
    recent_events: int = 5_000
    recent_calls: int = 20_000
