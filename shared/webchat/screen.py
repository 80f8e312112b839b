"""The screen of a web conversation: everything that the page shows in addition to the transcript.

A screen has the agent's newest messages with their buttons, the answer that is being written, and the agent's activity.
The transcript lacks the buttons, and some messages, such as responses to commands that models must not read.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from shared.values.channel import Activity, Button
from shared.values.evolve import FrozenModel
from shared.values.message import Entities

#: the most messages of a screen; older ones are in the transcript, and their buttons have expired or are of no use
MOST_MESSAGES: Final = 40


class ScreenMessage(FrozenModel):
    """A message of the agent, as the page shows it."""

    message_id: int
    at: datetime
    #: id of the delivery that sent the message
    delivery: str = ""
    text: str = ""
    entities: Entities = ()
    reply_to: int | None = None
    buttons: tuple[Button, ...] = ()
    #: the message's file: the kind, the id by which the page gets it ("" if the page cannot show it), and the real type
    file_kind: str = ""
    file_id: str = ""
    file_type: str = ""


class ScreenDraft(FrozenModel):
    """An answer that is being written."""

    id: int
    at: datetime
    text: str
    entities: Entities = ()


class ScreenActivity(FrozenModel):
    """An activity of the agent, such as typing, and the time until which it is shown."""

    name: Activity
    until: datetime


class ScreenNotice(FrozenModel):
    """A short text that is shown after a button was pressed."""

    text: str
    at: datetime


class Screen(FrozenModel):
    """Everything that the page of a web conversation shows and that is not in the transcript."""

    #: by their ids
    messages: Mapping[str, ScreenMessage] = {}
    draft: ScreenDraft | None = None
    activity: ScreenActivity | None = None
    notice: ScreenNotice | None = None

    @property
    def newest(self) -> int:
        """The id of the newest message; 0 if there is none."""
        return max((one.message_id for one in self.messages.values()), default=0)

    def sent_by(self, delivery: str) -> ScreenMessage | None:
        """Return the message on the screen that this delivery has sent; None if there is none."""
        return next((one for one in self.messages.values() if delivery and one.delivery == delivery), None)

    def oldest(self) -> Sequence[str]:
        """Return the ids of the oldest messages, which have to leave the screen before another message is added."""
        return sorted(self.messages, key=int)[: max(0, len(self.messages) - MOST_MESSAGES + 1)]


def message_fields(message: ScreenMessage) -> dict[str, Any]:
    """Return a message as it is stored. Buttons without data are left out."""
    return message.model_dump(exclude={"buttons"}) | {"buttons": [_button(one) for one in message.buttons if one.data]}


def _button(button: Button) -> dict[str, str]:
    return {"text": button.text, "data": button.data}
