"""The delays between attempts to deliver an update, as on Telegram."""

import random
from dataclasses import dataclass

# WebhookActor.cpp: the first retry is made at once, the next ones after 2, 4, 8 … s, up to a random limit of 60–120 s.
# A Retry-After header is respected up to an hour.
MAX_RESEND_SECONDS = 60
MAX_RETRY_AFTER_SECONDS = 3_600


@dataclass(frozen=True, kw_only=True)
class Tries:
    """The number of failed deliveries of an update, and the current delay in seconds."""

    failures: int = 0
    delay: int = 1

    def after_failure(self, retry_after: int) -> tuple["Tries", int]:
        """Return the new state, and the seconds to wait before the next try. A `retry_after` of 0 means that the
        receiver did not ask for a certain delay.
        """
        wait = min(max(retry_after, 0), MAX_RETRY_AFTER_SECONDS)
        delay = self.delay
        if wait == 0 and self.failures > 0:
            longest = random.randint(MAX_RESEND_SECONDS, 2 * MAX_RESEND_SECONDS)
            delay = wait = min(longest, delay * 2)
        return Tries(failures=self.failures + 1, delay=delay), wait
