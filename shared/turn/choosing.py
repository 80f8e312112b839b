"""Presses of buttons that the agent offered, turned into messages of the people who pressed them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.deciding.circumstances import OwnIdentity
from shared.tasks.registry import stored_task
from shared.tasks.send import quote_in
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.message import AnyEntry, Author, ButtonPress, Message

#: the decision on a press of a button that carries out a task: the task is done without asking the model
DONE = Decision(respond=False, reason="done as it was offered", tier=DecisionTier.EXPLICIT)


@dataclass(frozen=True, kw_only=True)
class ButtonChoice:
    """A choice that somebody made by pressing a button of a keyboard. `place` is the position of the button."""

    press: ButtonPress
    keyboard: Keyboard
    place: int

    @property
    def text(self) -> str:
        """The choice, in the words on the button."""
        return self.keyboard.choices[self.place]

    @property
    def effect(self) -> Mapping[str, Any] | None:
        """The stored task that the button carries out; None if a press only counts as saying the button's text."""
        return self.keyboard.effects[self.place] if self.place < len(self.keyboard.effects) else None

    @property
    def is_said(self) -> bool:
        """Whether the choice counts as a message to be answered by the model."""
        return not self.keyboard.effects

    def as_message(self, window: Sequence[AnyEntry], me: OwnIdentity) -> Message:
        """Return the choice as a message of the person who pressed, in reply to the message with the keyboard.

        Telegram has no such message, so its id is negative.
        """
        press = self.press
        agent = Author(id=me.bot_id, name=next(iter(me.names), ""), username=me.username, is_bot=True, is_agent=True)
        quote = quote_in(window, press.message_id)
        return Message(
            at=press.at,
            updates=press.updates,
            message_id=-press.updates[0],
            author=press.author,
            text=f"chose: {self.text}",
            reply=evolve(quote, author=quote.author or agent) if quote is not None else None,
            thread=self.keyboard.thread,
            # the text of a button that carries out a task was written by lull, and the person chose to press it
            holds_outside=self.keyboard.holds_outside and self.is_said,
            decision=None if self.is_said else DONE,
            elsewhere=self.keyboard.elsewhere,
        )


def choices_in(entries: Iterable[AnyEntry], keyboards: Sequence[Keyboard]) -> Mapping[int, ButtonChoice]:
    """Return the choices in the entries, by update id.

    Only the first press by a permitted person counts. If the buttons are alternatives, one press counts for the whole
    keyboard, else one for each button.
    """
    made: dict[tuple[str, int], ButtonChoice] = {}
    for press in entries:
        for keyboard in keyboards if isinstance(press, ButtonPress) else ():
            assert isinstance(press, ButtonPress)
            place = keyboard.place_of(press.data, press.message_id)
            if place is not None and keyboard.is_for(press.author.id) and _is_open(keyboard, place, press):
                choice = ButtonChoice(press=press, keyboard=keyboard, place=place)
                made.setdefault((keyboard.id, place if keyboard.effects and not keyboard.is_one else 0), choice)
    return {choice.press.updates[0]: choice for choice in made.values()}


def _is_open(keyboard: Keyboard, place: int, press: ButtonPress) -> bool:
    """Return whether the choice that the button offers is still available."""
    if keyboard.is_old(press.at) or not keyboard.effects:
        return not keyboard.is_old(press.at)
    return keyboard.seq > 0 if keyboard.lifts(place) else is_known(keyboard.effects[place])


def is_known(effect: Mapping[str, Any]) -> bool:
    """Return whether this version of lull can carry out a button's task. An older version may have stored the task."""
    try:
        stored_task({**effect, "id": "1", "depends_on": ()})
    except ValueError:
        return False
    return True


def is_for_others(press: ButtonPress, keyboards: Sequence[Keyboard]) -> bool:
    """Return whether somebody pressed a button that was not offered to them."""
    found = (k for k in keyboards if k.place_of(press.data, press.message_id) is not None)
    return any(not k.is_for(press.author.id) for k in found)
