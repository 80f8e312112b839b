"""The wakes (scheduled ticks) of a chat, each of which becomes a task of Cloud Tasks.

Such a tick runs when another tick's lease or the quiet time ends, when a plan continues, or for work such as a summary.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey
from shared.values.wake import Wake, WakeReason

#: the clocks of two machines differ a little, so a quiet time may be this much shorter
CLOCK_TOLERANCE = timedelta(milliseconds=50)
#: how long after the end of the lease a follow-up runs
AFTER_LEASE = timedelta(milliseconds=200)
#: a chat that another tick holds is checked after the first time, and then each time after the second, until the lease
#: ends. So a message that came just before the release waits no longer than that
FIRST_FOLLOW_UP = timedelta(seconds=2)
LATER_FOLLOW_UP = timedelta(seconds=4)
#: reasons of wakes whose work no other tick does
KEPT_REASONS = frozenset({WakeReason.MOVED, WakeReason.REMIND, WakeReason.GIVE_BACK, WakeReason.EXPORT})


@dataclass(frozen=True)
class QuietPeriod:
    """The current time, the chat's quiet time, and the longest time for which a busy chat may go unanswered."""

    now: datetime
    quiet: timedelta
    longest: timedelta


def follow_up(wake: Wake, lease: Lease, now: datetime) -> Wake:
    """Return the wake (scheduled tick) that checks whether another tick's lease has ended or was released.

    Its name contains the lease and the attempt: Cloud Tasks would drop a name that an earlier follow-up has used. Wakes
    for a move, a reminder, an export or a budget keep their reason, since no other tick does their work.
    """
    keeps_reason = wake.reason in KEPT_REASONS
    again = wake.attempt > 0 if keeps_reason else wake.reason is WakeReason.AFTER and wake.of == lease.owner
    attempt = wake.attempt + 1 if again else 0
    at = min(lease.until + AFTER_LEASE, now + (LATER_FOLLOW_UP if again else FIRST_FOLLOW_UP))
    if keeps_reason:
        return wake.again(at)
    return replace(wake, reason=WakeReason.AFTER, at=at, of=lease.owner, attempt=attempt)


def rest_until(wake: Wake, newest: datetime, rest: QuietPeriod) -> datetime | None:
    """Return when the quiet time or the longest wait ends, whichever is earlier; None if that time has come."""
    rested = newest + rest.quiet
    if wake.since is not None:
        rested = min(rested, wake.since + rest.longest)
    return rested if rest.now < rested - CLOCK_TOLERANCE else None


def quiet_wake(wake: Wake, chat: Chat, at: datetime) -> Wake:
    """Return the wake (scheduled tick) for the end of the quiet time. Its name contains the number of the chat's claim,
    and the attempt.
    """
    of = str(chat.claim.generation)
    again = wake.reason is WakeReason.QUIET and wake.of == of
    return replace(wake, reason=WakeReason.QUIET, at=at, of=of, attempt=wake.attempt + 1 if again else 1)


def due_wake(wake: Wake, plan_id: str, due_at: datetime) -> Wake:
    """Return the wake (scheduled tick) that continues a plan at `due_at`."""
    of = f"{plan_id}@{due_at.timestamp():.6f}"
    attempt = wake.attempt + 1 if wake.reason is WakeReason.DUE and wake.of == of else 0
    return Wake(key=wake.key, reason=WakeReason.DUE, at=due_at, of=of, attempt=attempt, traceparent=wake.traceparent)


def waited_wake(wake: Wake, until: datetime) -> Wake:
    """Return the wake (scheduled tick) that answers messages whose files were not described in time."""
    of = f"{until.timestamp():.6f}"
    attempt = wake.attempt + 1 if wake.reason is WakeReason.WAITED and wake.of == of else 0
    return Wake(key=wake.key, reason=WakeReason.WAITED, at=until, of=of, attempt=attempt, traceparent=wake.traceparent)


def compress_wake(wake: Wake, chat: Chat, after: int, at: datetime) -> Wake:
    """Return the wake (scheduled tick) that summarises the entries after number `after`.

    Its name contains `after`, so that Cloud Tasks runs at most one such tick in an hour.
    """
    of = f"{chat.conversation}@{after}"
    return Wake(key=wake.key, reason=WakeReason.COMPRESS, at=at, of=of, traceparent=wake.traceparent)


def give_back_wake(key: ChatKey, budget_lease: str, at: datetime) -> Wake:
    """Return the wake (scheduled tick) that returns a budget lease: one per lease, however many chats ask for it."""
    return Wake(key=key, reason=WakeReason.GIVE_BACK, at=at, of=budget_lease)


def is_about(wake: Wake, chat: Chat) -> bool:
    """Return whether a wake (scheduled tick) that summarises is for the chat's current conversation."""
    return wake.of.rpartition("@")[0] == chat.conversation


def retry_wake(wake: Wake, chat: Chat, at: datetime) -> Wake:
    """Return the wake (scheduled tick) that asks the model again. Its name contains the number of the chat's claim,
    which is new for each try: Cloud Tasks drops a name that was used before.
    """
    attempt = wake.attempt + 1 if wake.reason is WakeReason.RETRY else 1
    again = replace(wake, reason=WakeReason.RETRY, at=at, of=str(chat.claim.generation), attempt=attempt, since=None)
    return replace(again, model_tries=wake.model_tries + 1)
