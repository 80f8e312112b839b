"""What a service said, and when."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, kw_only=True)
class LookedUp:
    """What a service said at some moment: just now, or before, and then it was kept."""

    text: str
    at: datetime

    def age(self, now: datetime) -> timedelta:
        """How long ago that was."""
        return now - self.at
