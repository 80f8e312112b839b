"""`send`: write a message."""

from datetime import timedelta
from typing import Literal

from pydantic import Field

from shared.tasks.task import TaskBase

#: before the first letter
START_SECONDS = 2.0
LETTERS_PER_SECOND = 60.0
#: nobody waits longer than this for what is already written
LONGEST_SECONDS = 8.0


class Send(TaskBase):
    """Write a message: markdown, of any length."""

    kind: Literal["send"] = "send"
    text: str = Field(min_length=1, description="What to write, in markdown.")
    reply_to: int | None = Field(default=None, description="The message_id to quote; leave it out to quote none.")


def human_pace(text_length: int) -> timedelta:
    """How long to show that the agent is typing before a text of this many characters is sent."""
    return timedelta(seconds=min(LONGEST_SECONDS, START_SECONDS + max(0, text_length) / LETTERS_PER_SECOND))
