"""Show people that the agent is working: chat actions such as "typing" or "recording", and the draft of the answer."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from shared.base.beside import beside, to_its_end
from shared.llm.ports.world import MessagingChannel
from shared.planning.options import PlanningOptions
from shared.planning.preview import Draft
from shared.planning.prompt.scene import Scene
from shared.turn.batch import InboxBatch, people_of
from shared.turn.language import words_for
from shared.values.channel import Activity, Recipient
from shared.values.prompt import ToolAnswer, ToolCall

#: Telegram shows a chat action for 5 seconds at most (core.telegram.org/bots/api#sendchataction)
SHOWN_SECONDS = 5.0
#: the interval after which an action is repeated: a little less than 5 seconds, so that there is no gap
AGAIN_AFTER = timedelta(seconds=4.5)


@asynccontextmanager
async def typing(
    channel: MessagingChannel, to: Recipient, *, is_shown: bool = True, every_s: float = SHOWN_SECONDS
) -> AsyncIterator[None]:
    """Show the agent typing while the block runs, from `every_s` seconds after its start.

    Until then, Telegram still shows the chat action that was in the webhook's response, so no call is needed. If an
    action fails, no more actions are sent. If `is_shown` is False, no action is sent: the caller passes this while
    Telegram limits the chat's messages, since an action could delay the answer.
    """
    if not is_shown:
        yield
        return
    async with beside(_show(channel, to, Activity.TYPING, after_s=every_s, every_s=every_s)):
        yield


async def typing_for(channel: MessagingChannel, to: Recipient, span: timedelta) -> None:
    """Wait for `span` while people see the agent typing. If an action fails, no more actions are sent."""
    is_shown = True
    while span > timedelta():
        is_shown = is_shown and await channel.typing(to)
        await asyncio.sleep(min(span, AGAIN_AFTER).total_seconds())
        span -= AGAIN_AFTER


@asynccontextmanager
async def showing(
    channel: MessagingChannel, to: Recipient, activity: Activity, at_least: timedelta
) -> AsyncIterator[None]:
    """Show an activity while the block runs. If the block succeeds, keep showing the activity until `at_least` has
    passed since the start. If the block raises an error, stop at once.
    """
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + at_least.total_seconds()
    async with beside(_show(channel, to, activity, after_s=0.0, every_s=AGAIN_AFTER.total_seconds())):
        yield
        await asyncio.sleep(max(0.0, ends_at - loop.time()))


async def _show(
    channel: MessagingChannel, to: Recipient, activity: Activity, *, after_s: float, every_s: float
) -> None:
    await asyncio.sleep(after_s)
    is_shown = True
    while is_shown:
        is_shown = await to_its_end(channel.typing(to, activity))  # a late action must not follow the answer
        await asyncio.sleep(every_s)


def with_preview(options: PlanningOptions, preview: Draft, scene: Scene, batch: InboxBatch) -> PlanningOptions:
    """Return the options, extended so that the draft shows the answer while the model writes it.

    If the agent's owner is among the people who are answered, the draft also shows which tools run.
    """
    shown = replace(options, on_text=preview.offer)
    if not scene.people.owner or scene.people.owner not in people_of(batch):
        return shown
    known = {tool.name for tool in options.tools}
    words = words_for(batch.targets, batch.languages, scene.chat)

    async def answers_to(calls: Sequence[ToolCall], saw_outside: bool) -> Sequence[ToolAnswer]:
        used = dict.fromkeys(call.name.replace("_", " ") for call in calls if call.name in known)
        if used:
            preview.offer("")  # what the model wrote before its calls is no part of the answer
            preview.offer_status(words.say("talk.using", tools=", ".join(used)))
        return await options.answers_to(calls, saw_outside)

    return replace(shown, answers_to=answers_to)
