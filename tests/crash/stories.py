"""The stories that are played while lull is killed: what is written, what the model makes of it, what must be answered.

Each is one small function of a token, a word that no other play has, by which the model knows its own replies.
"""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from tests.crash.queues import Queues
from tests.shared.own_words import NOTHING_TO_STOP
from tests.stories.play import Chat, Json, Person

#: the smallest picture there is
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
#: two of them are more than one message holds (4,096), so each becomes a part
LONG_PARAGRAPH = 2_500

#: has a person act in a chat, whose jobs go through a lane's queues; returns the ids of the messages that were written
Tell = Callable[[Chat, Person, Queues], Awaitable[list[int]]]


@dataclass(frozen=True)
class Answer:
    """One message of the agent's: the text of the `send` that it is a part of, which part, and how it is shown."""

    send: str
    part: int
    shown: str


@dataclass(frozen=True)
class Noted:
    """What must be kept of a conversation that rests; `summary`: of both spans, if summaries are due.

    `calls` are those of the model that this takes.
    """

    abbreviation: str
    title: str = ""
    topics: tuple[str, ...] = ()
    observations: tuple[str, ...] = ()
    summary: str = ""
    calls: int = 1


@dataclass(frozen=True)
class Story:
    """What happens, and what must come of it.

    `answers` must be in the chat, each once; `may_say` may be, each once: what is right to say when a part of what was
    written arrived late. `job` is the scheduled job that is run once all is told. `struck` are the functions that are
    killed: what a job wakes is killed in the other stories. `noted`: what must be noted, if the conversation rests.
    `takes_out`: whether somebody takes out what is kept about them, whose messages no two plays have alike.
    """

    tell: Tell
    #: the model's script: the first whose `match` is in the prompt
    replies: tuple[Json, ...]
    answers: tuple[Answer, ...]
    may_say: tuple[str, ...] = ()
    job: str = ""
    struck: frozenset[str] = frozenset({"webhook", "tick"})
    noted: Noted | None = None
    takes_out: bool = False


class StoryMaker(Protocol):
    """Makes one play's story of its token; its name is the story's."""

    __name__: str

    def __call__(self, token: str) -> Story:
        """The story."""


def burst(token: str) -> Story:
    """Three quick messages, one answer; what was answered alone, before the rest came, stays answered.

    They come faster than the quiet time, and last longer, so that ticks find people still writing.
    """
    lines = [f"{nth} line of {token}" for nth in ("first", "second", "third")]
    said = [f"I have read the {line}." for line in lines]
    # what was written last tells what the prompt holds
    replies = [reply(line, send(text)) for line, text in zip(lines, said, strict=True)][::-1]
    return Story(writes(*lines, every_s=0.4), tuple(replies), (whole(said[-1]),), tuple(said[:-1]))


def parts(token: str) -> Story:
    """One question, an answer so long that it leaves in three parts."""
    paragraphs = [f"Part {nth} of {token}. ".ljust(LONG_PARAGRAPH, "x") for nth in ("one", "two", "three")]
    text = "\n\n".join(paragraphs)
    answers = tuple(Answer(text, part, shown) for part, shown in enumerate(paragraphs))
    return Story(writes(f"tell me all about {token}"), (reply(token, send(text)),), answers)


def wait(token: str) -> Story:
    """A reminder: an answer now, and one after a second."""
    now, then = f"I will remind you of {token}.", f"It is time for {token}!"
    plan = reply(token, send(now), {"kind": "wait", "seconds": 1}, send(then))
    return Story(writes(f"remind me of {token}"), (plan,), (whole(now), whole(then)))


def command(token: str) -> Story:
    """A person's very first message, which is a command: lull answers it without the model."""
    return Story(writes("/stop"), (reply(token, send("Nobody asked the model.")),), (whole(NOTHING_TO_STOP),))


def album(token: str) -> Story:
    """Three photos at once with one caption, one answer; photos that came after it may be answered by themselves."""
    first, later = f"Three pictures, {token}.", f"And what came later, {token}."

    async def tell(chat: Chat, person: Person, _: Queues) -> list[int]:
        photos = [("photo", (f"{n}.png", PIXEL, "image/png")) for n in range(3)]
        caption = {"from": str(person.id), "caption": f"my holidays, {token}"}
        posted = await chat.telegram.post(f"/world/chats/{chat.key}/messages", data=caption, files=photos)
        return [int(m["message_id"]) for m in posted.raise_for_status().json()["messages"]]

    replies = (reply(first, send(later)), reply(token, send(first)))
    return Story(tell, replies, (whole(first),), (later,))


def whole(text: str) -> Answer:
    """An answer that is one message, shown as it was written."""
    return Answer(send=text, part=0, shown=text)


def send(text: str) -> Json:
    """A task of a plan."""
    return {"kind": "send", "text": text}


def reply(match: str, *tasks: Json) -> Json:
    """What the scripted model answers, as often as it is asked, to a prompt that holds some words."""
    return {"match": match, "times": None, "tasks": {"tasks": list(tasks)}}


def writes(*texts: str, every_s: float = 0.0) -> Tell:
    """What a person writes, with a pause between two messages."""

    async def tell(chat: Chat, person: Person, _: Queues) -> list[int]:
        written: list[int] = []
        for text in texts:
            await asyncio.sleep(every_s if written else 0)
            written.append(await chat.writes(person, text))
        return written

    return tell
