"""Choosing: which presses of buttons choose what the agent offered, and what they say."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.deciding.circumstances import OwnIdentity
from shared.models.decision import Decision, Tier
from shared.models.keyboard import Keyboard
from shared.models.message import AnyEntry, Author, Message, Press
from shared.tasks.confirm import is_offered
from shared.tasks.send import quote_in

#: what was asked for by a button is done without the model
DONE = Decision(respond=False, reason="done as it was offered", tier=Tier.EXPLICIT)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What somebody chose, and of which keyboard."""

    press: Press
    keyboard: Keyboard
    text: str

    def said(self, window: Sequence[AnyEntry], me: OwnIdentity) -> Message:
        """The person's message: a reply to the one with the buttons. Telegram has no such message, hence its id."""
        press = self.press
        agent = Author(id=me.bot_id, name=next(iter(me.names), ""), username=me.username, is_bot=True, is_agent=True)
        quote = quote_in(window, press.message_id)
        return Message(
            at=press.at,
            updates=press.updates,
            message_id=-press.updates[0],
            author=press.author,
            text=f"chose: {self.text}",
            reply=quote.model_copy(update={"author": quote.author or agent}) if quote is not None else None,
            thread=self.keyboard.thread,
            # the button of an effect is in lull's own words, and pressing it is the person's
            holds_outside=self.keyboard.holds_outside and self.keyboard.effect is None,
            decision=DONE if self.keyboard.effect is not None else None,
        )


def choices_in(entries: Iterable[AnyEntry], keyboards: Sequence[Keyboard]) -> Mapping[int, Choice]:
    """The choices that entries make, by update: of each keyboard the first press of somebody who may."""
    made: dict[str, Choice] = {}
    for press in entries:
        for keyboard in keyboards if isinstance(press, Press) else ():
            assert isinstance(press, Press)
            text = keyboard.chosen(press.data, press.message_id)
            if text and keyboard.is_for(press.author.id) and _is_open(keyboard, press):
                made.setdefault(keyboard.id, Choice(press=press, keyboard=keyboard, text=text))
    return {choice.press.updates[0]: choice for choice in made.values()}


def _is_open(keyboard: Keyboard, press: Press) -> bool:
    """Whether what it offers can still be had."""
    return not keyboard.is_old(press.at) and (keyboard.effect is None or is_offered(keyboard.effect))


def is_for_others(press: Press, keyboards: Sequence[Keyboard]) -> bool:
    """Whether a press is of somebody to whom nothing was offered."""
    return any(k.chosen(press.data, press.message_id) and not k.is_for(press.author.id) for k in keyboards)
