"""A keyboard: the choices below a message of the agent, each on a button, and the people who may press them."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any, Final, Self

from shared.values.channel import Button
from shared.values.evolve import FrozenModel, evolve
from shared.values.origin import ConversationSpan

#: choices of one message; more are hard to read
MOST_CHOICES: Final = 8
#: characters of a choice; a phone shows little more in one line
LONGEST_CHOICE: Final = 40
#: how long buttons work: after that time a press would be about something old
KEPT: Final = timedelta(days=1)
#: keyboards of one chat, and their bytes as JSON, since its document has a limit
MOST_KEYBOARDS: Final = 20
MOST_KEYBOARD_BYTES: Final = 300_000

#: effects of one message, each on a button
MOST_EFFECTS: Final = 12

_DATA: Final = re.compile(r"choice:([\w-]{16}):(\d{1,2})", re.ASCII)


class Keyboard(FrozenModel):
    """The choices, or tasks ("effects"), on the buttons below a message. Stored before the message is sent.

    Choices, and effects that are alternatives, allow one press in all. Other effects allow one press of each button.
    """

    #: random
    id: str
    choices: tuple[str, ...]
    #: the people who may press; (): everyone, but nobody if there are effects
    people: tuple[int, ...] = ()
    #: 0 before the first press, which tells the id
    message_id: int = 0
    #: the channel's post among whose comments the message is; 0: none
    thread: int = 0
    #: whether its choices may contain text from outside: a press then does not count as the person's own words
    holds_outside: bool = False
    #: the stored task behind each button, by index; (): a press sends its choice as text. An additional last button may
    #: remove the mark "text from outside" from the entries up to `seq`
    effects: tuple[dict[str, Any], ...] = ()
    #: the effects that were pressed, and the lines below the message that tell so
    pressed: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()
    #: the name of the chat on whose behalf the person wrote; "" if in their own name
    asked_as: str = ""
    #: the number of the transcript's last entry when the keyboard was shown; 0: not shown yet
    seq: int = 0
    #: the messages of other conversations that it may use
    elsewhere: tuple[ConversationSpan, ...] = ()
    at: datetime

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The buttons of the choices that nobody has pressed yet."""
        left = (one for one in enumerate(self.choices) if one[0] not in self.pressed)
        return tuple(Button(text, f"choice:{self.id}:{place}") for place, text in left)

    def without(self, places: Iterable[int]) -> Self:
        """Return the keyboard after the buttons with these indices were pressed."""
        pressed = (*self.pressed, *places)
        if self.is_one and pressed:
            pressed = tuple(range(len(self.choices)))
        return evolve(self, pressed=pressed)

    @property
    def is_one(self) -> bool:
        """True if its effects are alternatives: the first press removes all of them."""
        return any(effect.get("instead_of") is not None for effect in self.effects)

    @property
    def effects_left(self) -> tuple[dict[str, Any], ...]:
        """The effects whose buttons nobody has pressed yet."""
        return tuple(one for place, one in enumerate(self.effects) if place not in self.pressed)

    @property
    def is_used_up(self) -> bool:
        """True if every effect was chosen. Always true for a keyboard of choices."""
        return not self.effects_left

    def lifts(self, place: int) -> bool:
        """Return whether button `place` removes the mark "text from outside" from everything that was read so far."""
        return 0 < len(self.effects) <= place

    def is_for(self, person_id: int) -> bool:
        """Return whether the person may press the buttons. If `people` is empty, everybody may press choices."""
        return person_id in self.people or (not self.people and not self.effects)

    def is_old(self, now: datetime) -> bool:
        """Return whether the keyboard has expired."""
        return now - self.at >= KEPT

    def place_of(self, data: str, message_id: int) -> int | None:
        """Return the index of the pressed button; None if the button is not of this keyboard or was pressed before."""
        found = _DATA.fullmatch(data)
        if found is None or found[1] != self.id or self.message_id not in {0, message_id}:
            return None
        place = int(found[2])
        return place if place < len(self.choices) and place not in self.pressed else None


def newest_that_fit(keyboards: Sequence[Keyboard]) -> tuple[Keyboard, ...]:
    """Return a chat's newest keyboards, as many as its document has room for, and always the last one."""
    newest = keyboards[-MOST_KEYBOARDS:]
    sizes = accumulate(len(one.model_dump_json().encode(errors="replace")) for one in reversed(newest))
    fitting = sum(size <= MOST_KEYBOARD_BYTES for size in sizes)
    return tuple(newest[-max(1, fitting) :])
