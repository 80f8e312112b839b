"""A keyboard: choices that the agent offers below a message, a button each, and who may press them."""

import re
from datetime import datetime, timedelta
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from shared.models.channel import Button

#: of one message; with more nobody sees at a glance what there is
MOST_CHOICES: Final = 8
#: characters of one; a phone shows little more in one line
LONGEST_CHOICE: Final = 40
#: what nobody has pressed by then was asked about something else
KEPT: Final = timedelta(days=1)
#: of one chat
MOST_KEYBOARDS: Final = 20

_DATA: Final = re.compile(r"choice:([\w-]{16}):([0-7])", re.ASCII)


class Keyboard(BaseModel):
    """It is stored before the message is sent, and good for one press."""

    model_config = ConfigDict(frozen=True)

    #: nobody can guess it
    id: str
    choices: tuple[str, ...]
    #: the ids of those who may press; empty: everyone, and nobody where there is an effect
    people: tuple[int, ...] = ()
    #: 0: Telegram has not told it, so whoever presses does
    message_id: int = 0
    #: the channel's post among whose comments the message is; 0: none
    thread: int = 0
    #: whether its choices were written after text from outside was seen: who presses one says no words of their own
    holds_outside: bool = False
    #: the task that is done when its one button is pressed, as it is stored; none: a choice is said
    effect: dict[str, Any] | None = None
    at: datetime

    @property
    def buttons(self) -> tuple[Button, ...]:
        """A button for each choice."""
        return tuple(Button(text, f"choice:{self.id}:{place}") for place, text in enumerate(self.choices))

    def is_for(self, person_id: int) -> bool:
        """Whether somebody may press."""
        return person_id in self.people or (not self.people and self.effect is None)

    def is_old(self, now: datetime) -> bool:
        """Whether its time is over."""
        return now - self.at >= KEPT

    def chosen(self, data: str, message_id: int) -> str:
        """The choice whose button carried the data below a message; empty if it is none of this keyboard's."""
        found = _DATA.fullmatch(data)
        if found is None or found[1] != self.id or self.message_id not in {0, message_id}:
            return ""
        return next(iter(self.choices[int(found[2]) :]), "")
