"""Settings of one run of the local Telegram."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class TelegramSettings:
    """The state's folder and the server's time limits.

    `clock_scale` multiplies every wait that Telegram makes between two tries of an update and between two new
    connections to a webhook: 1 is Telegram's own pace, 0.01 lets a test see six retries in about a second. It does not
    touch how long an answer may take (`silence_seconds`, Telegram: 60) nor when an update expires (24 h).
    """

    data_dir: Path | None = None
    clock_scale: float = 1.0
    silence_seconds: float = 60.0
    recent_events: int = 5_000
    recent_calls: int = 20_000
