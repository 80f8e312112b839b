"""The stories that are played while lull is killed: people's messages, the model's replies, and the expected answers.

Each is a small function of a token, a unique word by which the scripted model finds the replies of a play.
"""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from tests.crash.queues import Queues
from tests.shared.own_words import NOTHING_TO_STOP
from tests.stories.play import Chat, Json, Person

#: the smallest possible picture
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
#: characters of a part; two parts exceed one message (4,096)
LONG_PARAGRAPH = 2_500

#: has a person act in a chat whose jobs go through a lane's queues; returns the ids of the written messages
Tell = Callable[[Chat, Person, Queues], Awaitable[list[int]]]


@dataclass(frozen=True)
class Answer:
    """One message of the agent's: the text of its `send`, the part's number, and the shown text."""

    send: str
    part: int
    shown: str


@dataclass(frozen=True)
class Noted:
    """The notes that a resting conversation must have. `summary`: the summary of both spans, if due.

    `calls` is the number of model calls for them.
    """

    abbreviation: str
    title: str = ""
    topics: tuple[str, ...] = ()
    observations: tuple[str, ...] = ()
    summary: str = ""
    calls: int = 1


@dataclass(frozen=True)
class Story:
    """A story: its events, and the expected results.

    `answers` must be in the chat, each once. `may_say` may be there, each once: valid answers if a part of the messages
    arrived late. `job` is the scheduled job that runs after the messages. `struck` are the functions that are killed;
    functions that a job wakes are killed in other stories. `noted`: the expected notes, if the conversation rests.
    `takes_out`: whether the person exports their data, whose messages differ from play to play.
    """

    tell: Tell
    #: the model's script: the first reply whose `match` is in the prompt is used
    replies: tuple[Json, ...]
    answers: tuple[Answer, ...]
    may_say: tuple[str, ...] = ()
    job: str = ""
    struck: frozenset[str] = frozenset({"webhook", "tick"})
    noted: Noted | None = None
    takes_out: bool = False


class StoryMaker(Protocol):
    """Makes the story of one play from its token; the function's name is the story's name."""

    __name__: str

    def __call__(self, token: str) -> Story:
        """Return the story."""


def burst(token: str) -> Story:
    """Three quick messages get one answer; a message that was answered before the others came stays answered.

    They come faster than the quiet time, for longer than it lasts, so that ticks find people still writing.
    """
    lines = [f"{nth} line of {token}" for nth in ("first", "second", "third")]
    said = [f"I have read the {line}." for line in lines]
    # what was written last tells what the prompt holds
    replies = [reply(line, send(text)) for line, text in zip(lines, said, strict=True)][::-1]
    return Story(writes(*lines, every_s=0.4), tuple(replies), (whole(said[-1]),), tuple(said[:-1]))


def parts(token: str) -> Story:
    """One question gets an answer of three parts."""
    paragraphs = [f"Part {nth} of {token}. ".ljust(LONG_PARAGRAPH, "x") for nth in ("one", "two", "three")]
    text = "\n\n".join(paragraphs)
    answers = tuple(Answer(text, part, shown) for part, shown in enumerate(paragraphs))
    return Story(writes(f"tell me all about {token}"), (reply(token, send(text)),), answers)


def wait(token: str) -> Story:
    """A question gets an answer now, and another one after a second."""
    now, then = f"I will remind you of {token}.", f"It is time for {token}!"
    plan = reply(token, send(now), {"kind": "wait", "seconds": 1}, send(then))
    return Story(writes(f"remind me of {token}"), (plan,), (whole(now), whole(then)))


def command(token: str) -> Story:
    """A person's first message is a command, which lull answers without the model."""
    return Story(writes("/stop"), (reply(token, send("Nobody asked the model.")),), (whole(NOTHING_TO_STOP),))


def album(token: str) -> Story:
    """Three photos at once with one caption get one answer; photos that arrive after it may be answered separately."""
    first, later = f"Three pictures, {token}.", f"And what came later, {token}."

    async def tell(chat: Chat, person: Person, _: Queues) -> list[int]:
        photos = [("photo", (f"{n}.png", PIXEL, "image/png")) for n in range(3)]
        caption = {"from": str(person.id), "caption": f"my holidays, {token}"}
        posted = await chat.telegram.post(f"/world/chats/{chat.key}/messages", data=caption, files=photos)
        return [int(m["message_id"]) for m in posted.raise_for_status().json()["messages"]]

    replies = (reply(first, send(later)), reply(token, send(first)))
    return Story(tell, replies, (whole(first),), (later,))


def whole(text: str) -> Answer:
    """Return an answer of one message with unchanged text."""
    return Answer(send=text, part=0, shown=text)


def send(text: str) -> Json:
    """Return a task that sends a text."""
    return {"kind": "send", "text": text}


def reply(match: str, *tasks: Json) -> Json:
    """Return the scripted model's repeatable answer to prompts that contain some words."""
    return {"match": match, "times": None, "tasks": {"tasks": list(tasks)}}


def writes(*texts: str, every_s: float = 0.0) -> Tell:
    """Return the events of a person who writes with pauses."""

    async def tell(chat: Chat, person: Person, _: Queues) -> list[int]:
        written: list[int] = []
        for text in texts:
            await asyncio.sleep(every_s if written else 0)
            written.append(await chat.writes(person, text))
        return written

    return tell
