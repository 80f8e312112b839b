"""The outbox: what lull itself tells somebody in a chat, by that chat's own tick, once and as soon as it can."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from shared.values.reminder import DueItem


class NoticeButton(BaseModel):
    """A button of a command's below what is told: its text, the command, and what that is asked by a press.

    `argument`: up to 18 letters, digits, `_` and `-`.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    command: str
    argument: str


class OutboxNotice(DueItem):
    """A notice that a chat is to be told: to an owner, of a deletion, of a reminder that was lost.

    Of the loss of a notice nobody is told.
    """

    #: tells its document from a reminder's, beside which it lies
    is_notice: Literal[True] = True
    #: whether it is told apart from the conversation, which keeps nothing of it, with these buttons: an owner's notice
    is_apart: bool = False
    offers: tuple[NoticeButton, ...] = ()
