"""`react`: put an emoji on a message."""

from typing import Literal

from pydantic import Field

from shared.tasks.task import TaskBase


class React(TaskBase):
    """Put an emoji on a message."""

    kind: Literal["react"] = "react"
    emoji: str = Field(min_length=1, max_length=16, description="One emoji that Telegram allows as a reaction.")
    message_id: int = Field(description="The message to react to.")
