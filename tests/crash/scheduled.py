"""Stories in which the scheduled function is killed: it wakes chats with lost tasks, and archives conversations."""

import asyncio
from datetime import UTC, datetime

from shared.upkeep.jobs.archive import SETTLED
from tests.crash.files import PAST_GRACE_S
from tests.crash.queues import Queues
from tests.crash.stories import Story, reply, send, whole, writes
from tests.shared.own_words import BEGUN
from tests.stories.play import Chat, Json, Person, until

SUMMARIZE = frozenset({"summarize"})


def unread(token: str) -> Story:
    """A person writes, and the queue loses the task: the sweep finds the unread update."""
    answer = f"I am here, {token}."

    async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
        async with queues.ticks.paused():
            written = await writes(f"is anybody there, {token}?")(chat, person, queues)

            async def is_delivered() -> bool:
                pending = (await chat.telegram.get(f"/world/bots/{chat.bot_id}/queue")).json()["pending"]
                return not pending and bool(await chat.inbox())

            await until(is_delivered, "the webhook takes it")
            await queues.ticks.purge()
        await asyncio.sleep(PAST_GRACE_S)
        return written

    return Story(tell, (reply(token, send(answer)),), (whole(answer),), job="sweep", struck=SUMMARIZE)


def overdue(token: str) -> Story:
    """The queue loses the task of a reminder: the sweep finds the overdue plan."""
    now, then = f"I will remind you of {token}.", f"It is time for {token}!"
    plan = reply(token, send(now), {"kind": "wait", "seconds": 2}, send(then))

    async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
        # paused all the time: on a slow machine the task would otherwise be dispatched before it is lost
        async with queues.ticks.paused():
            written = await writes(f"remind me of {token}")(chat, person, queues)

            async def waiting() -> Json:
                due, found = await queues.ticks.due(), await chat.document()
                if found.get("due_at") and not found.get("lease"):
                    return found
                for task in due:
                    await queues.ticks.run(task)
                return {}

            due_at: datetime = (await until(waiting, "the plan waits"))["due_at"]
            await queues.ticks.purge()
        await asyncio.sleep((due_at - datetime.now(UTC)).total_seconds() + PAST_GRACE_S)
        return written

    return Story(tell, (plan,), (whole(now), whole(then)), job="sweep", struck=SUMMARIZE)


def archive(token: str) -> Story:
    """The nightly job archives two conversations of one chat."""
    first, second = f"The first, {token}.", f"The second, {token}."

    async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
        written: list[int] = []
        for text in (f"one of {token}", "/new", f"two of {token}"):
            written += await writes(text)(chat, person, queues)
            await chat.answers()
        await chat.rests()
        await asyncio.sleep(SETTLED.total_seconds() + PAST_GRACE_S)
        return written

    replies = (reply(f"two of {token}", send(second)), reply(f"one of {token}", send(first)))
    return Story(tell, replies, (whole(first), whole(BEGUN), whole(second)), job="archive", struck=SUMMARIZE)
