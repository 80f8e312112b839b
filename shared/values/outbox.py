"""The outbox: notices from lull to a person in a chat.

Each notice is sent once, as soon as possible, by a tick (a run that handles one chat) of that chat.
"""

from typing import Literal

from shared.values.evolve import FrozenModel
from shared.values.reminder import DueItem


class NoticeButton(FrozenModel):
    """A button below a notice: its text, and the command and argument that a press sends.

    `argument`: up to 18 letters, digits, `_` and `-`.
    """

    text: str
    command: str
    argument: str


class OutboxNotice(DueItem):
    """A notice for a chat, such as one to the agent's owner, or one about a deletion or a lost reminder.

    If a notice is lost, no further notice reports that.
    """

    #: distinguishes its document from reminders in the same collection
    is_notice: Literal[True] = True
    #: whether the conversation does not record the notice, as for notices to an owner; and the notice's buttons
    is_apart: bool = False
    offers: tuple[NoticeButton, ...] = ()
