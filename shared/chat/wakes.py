"""Which tick comes next, and when: wakes for a chat that is held, still being written to, or whose plan goes on."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey
from shared.values.wake import Wake, WakeReason

#: clocks of two machines differ a little; a burst that rested this much less has rested
CLOCK_TOLERANCE = timedelta(milliseconds=50)
#: a follow-up comes this much after the lease that it waits for
AFTER_LEASE = timedelta(milliseconds=200)
#: a held chat is looked at again after this, then after the longer each, until its lease ends: what came in the moment
#: before it was given back waits no longer than that
FIRST_FOLLOW_UP = timedelta(seconds=2)
LATER_FOLLOW_UP = timedelta(seconds=4)
#: why a tick runs that no other tick does for it
KEPT_REASONS = frozenset({WakeReason.MOVED, WakeReason.REMIND, WakeReason.GIVE_BACK, WakeReason.EXPORT})


@dataclass(frozen=True)
class QuietPeriod:
    """The moment, the quiet time of the chat, and how long a chat that never rests is left unanswered."""

    now: datetime
    quiet: timedelta
    longest: timedelta


def follow_up(wake: Wake, lease: Lease, now: datetime) -> Wake:
    """The tick that looks again whether the lease that was met has ended: it mostly ends long before its time.

    Named for that lease and the attempt: a follow-up that came too early would be swallowed by its own name. One that
    moves a chat stays what it is, since only it knows where to; so do those for a reminder, for an export, and for what
    others want.
    """
    keeps_reason = wake.reason in KEPT_REASONS
    again = wake.attempt > 0 if keeps_reason else wake.reason is WakeReason.AFTER and wake.of == lease.owner
    attempt = wake.attempt + 1 if again else 0
    at = min(lease.until + AFTER_LEASE, now + (LATER_FOLLOW_UP if again else FIRST_FOLLOW_UP))
    if keeps_reason:
        return wake.again(at)
    return replace(wake, reason=WakeReason.AFTER, at=at, of=lease.owner, attempt=attempt)


def rest_until(wake: Wake, newest: datetime, rest: QuietPeriod) -> datetime | None:
    """When people will have rested, or have waited long enough; none: that is now."""
    rested = newest + rest.quiet
    if wake.since is not None:
        rested = min(rested, wake.since + rest.longest)
    return rested if rest.now < rested - CLOCK_TOLERANCE else None


def quiet_wake(wake: Wake, chat: Chat, at: datetime) -> Wake:
    """The tick that comes when people have rested; named for the generation and the attempt."""
    of = str(chat.claim.generation)
    again = wake.reason is WakeReason.QUIET and wake.of == of
    return replace(wake, reason=WakeReason.QUIET, at=at, of=of, attempt=wake.attempt + 1 if again else 1)


def due_wake(wake: Wake, plan_id: str, due_at: datetime) -> Wake:
    """The tick that goes on with a plan."""
    of = f"{plan_id}@{due_at.timestamp():.6f}"
    attempt = wake.attempt + 1 if wake.reason is WakeReason.DUE and wake.of == of else 0
    return Wake(key=wake.key, reason=WakeReason.DUE, at=due_at, of=of, attempt=attempt, traceparent=wake.traceparent)


def waited_wake(wake: Wake, until: datetime) -> Wake:
    """The tick that answers what has waited until then to be told what its file says."""
    of = f"{until.timestamp():.6f}"
    attempt = wake.attempt + 1 if wake.reason is WakeReason.WAITED and wake.of == of else 0
    return Wake(key=wake.key, reason=WakeReason.WAITED, at=until, of=of, attempt=attempt, traceparent=wake.traceparent)


def compress_wake(wake: Wake, chat: Chat, after: int, at: datetime) -> Wake:
    """The tick that summarises what follows the last summary, which ends at entry `after`; once an hour at most."""
    of = f"{chat.conversation}@{after}"
    return Wake(key=wake.key, reason=WakeReason.COMPRESS, at=at, of=of, traceparent=wake.traceparent)


def give_back_wake(key: ChatKey, budget_lease: str, at: datetime) -> Wake:
    """The tick that gives back what a chat was lent; one for each allowance, however many chats wait for it."""
    return Wake(key=key, reason=WakeReason.GIVE_BACK, at=at, of=budget_lease)


def is_about(wake: Wake, chat: Chat) -> bool:
    """Whether a wake to summarise is for the conversation that the chat still has."""
    return wake.of.rpartition("@")[0] == chat.conversation


def retry_wake(wake: Wake, chat: Chat, at: datetime) -> Wake:
    """The tick that tries the model again; named for the generation, which each try counts up."""
    attempt = wake.attempt + 1 if wake.reason is WakeReason.RETRY else 1
    again = replace(wake, reason=WakeReason.RETRY, at=at, of=str(chat.claim.generation), attempt=attempt, since=None)
    return replace(again, model_tries=wake.model_tries + 1)
