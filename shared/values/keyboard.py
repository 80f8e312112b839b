"""A keyboard: choices that the agent offers below a message, a button each, and who may press them."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict

from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.origin import ConversationSpan

#: of one message; with more nobody sees at a glance what there is
MOST_CHOICES: Final = 8
#: characters of one; a phone shows little more in one line
LONGEST_CHOICE: Final = 40
#: what nobody has pressed by then was asked about something else
KEPT: Final = timedelta(days=1)
#: of one chat, and their bytes as JSON: its document has a limit
MOST_KEYBOARDS: Final = 20
MOST_KEYBOARD_BYTES: Final = 300_000

#: effects that one message offers, a button each
MOST_EFFECTS: Final = 12

_DATA: Final = re.compile(r"choice:([\w-]{16}):(\d{1,2})", re.ASCII)


class Keyboard(BaseModel):
    """It is stored before the message is sent, and good for one press; of effects, for one press of each button."""

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
    #: by place, the task that is done when a button is pressed, as it is stored; none: a choice is said. One
    #: more button lifts the marks of what is told up to `seq`
    effects: tuple[dict[str, Any], ...] = ()
    #: of effects, the places that were pressed, and the lines that show it below the message
    pressed: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()
    #: in whose name the one wrote to whom it is offered, where that is a chat's; empty: in their own
    asked_as: str = ""
    #: the number of the last entry of the transcript when it was shown; 0: not shown yet
    seq: int = 0
    #: the messages of other conversations that it may be made of
    elsewhere: tuple[ConversationSpan, ...] = ()
    at: datetime

    @property
    def buttons(self) -> tuple[Button, ...]:
        """A button for each choice that is left."""
        left = (one for one in enumerate(self.choices) if one[0] not in self.pressed)
        return tuple(Button(text, f"choice:{self.id}:{place}") for place, text in left)

    def without(self, places: Iterable[int]) -> Self:
        """It, once buttons in some places were pressed."""
        pressed = (*self.pressed, *places)
        if self.is_one and pressed:
            pressed = tuple(range(len(self.choices)))
        return evolve(self, pressed=pressed)

    @property
    def is_one(self) -> bool:
        """Whether only one of its effects is done: each says instead of what, and with the first press all go."""
        return any(effect.get("instead_of") is not None for effect in self.effects)

    @property
    def effects_left(self) -> tuple[dict[str, Any], ...]:
        """The effects that nobody has had done yet."""
        return tuple(one for place, one in enumerate(self.effects) if place not in self.pressed)

    @property
    def is_used_up(self) -> bool:
        """Whether nothing of it is left to be pressed."""
        return not self.effects_left

    def lifts(self, place: int) -> bool:
        """Whether a button has what was read so far count as no text from outside."""
        return 0 < len(self.effects) <= place

    def is_for(self, person_id: int) -> bool:
        """Whether somebody may press."""
        return person_id in self.people or (not self.people and not self.effects)

    def is_old(self, now: datetime) -> bool:
        """Whether its time is over."""
        return now - self.at >= KEPT

    def place_of(self, data: str, message_id: int) -> int | None:
        """The place of the button that carried the data below a message; none if it is none of this keyboard's."""
        found = _DATA.fullmatch(data)
        if found is None or found[1] != self.id or self.message_id not in {0, message_id}:
            return None
        place = int(found[2])
        return place if place < len(self.choices) and place not in self.pressed else None


def newest_that_fit(keyboards: Sequence[Keyboard]) -> tuple[Keyboard, ...]:
    """Of a chat's keyboards, oldest first, the newest: as many as its document holds, and the last one always."""
    newest = keyboards[-MOST_KEYBOARDS:]
    sizes = accumulate(len(one.model_dump_json().encode(errors="replace")) for one in reversed(newest))
    fitting = sum(size <= MOST_KEYBOARD_BYTES for size in sizes)
    return tuple(newest[-max(1, fitting) :])
