"""The model of a conversation: which it is, and another one, by name or by a button."""

import hashlib
from collections.abc import Sequence

from shared.commands.place import Answer, Place
from shared.commands.verbatim import verbatim
from shared.models.channel import Button

GONE = "That model is not offered any more. Send /model to see which are."


def model(argument: str, place: Place) -> Answer:
    """The models that may be chosen, with a button each; or the choice of one by its name, or by a part of it."""
    wanted = argument.casefold()
    exact = [name for name in place.models if name.casefold() == wanted]
    found = exact or [name for name in place.models if wanted in name.casefold()]
    if not wanted:
        return _shown(place, f"This conversation uses {verbatim(place.model)}.")
    if len(found) > 1:
        return _shown(place, f"Several models are called so: {_listed(found)}. Which one?")
    if not found:
        return _shown(
            place, f"There is no model called “{verbatim(argument[:80])}”. There are: {_listed(place.models)}."
        )
    text = f"This conversation now uses {verbatim(found[0])}."
    return Answer(text=text, changes={"model": found[0]})


def press_model(argument: str, place: Place) -> Answer:
    """The choice of a model by its button. Pressing the same one again changes nothing."""
    chosen = next((name for name in place.models if _mark(name) == argument), None)
    if chosen is None:
        return Answer(notice=GONE)
    if chosen == place.model:
        return Answer(notice=f"This conversation uses {chosen} already."[:200])
    text = f"This conversation now uses {verbatim(chosen)}."
    notice = f"This conversation now uses {chosen}."[:200]
    return Answer(text=text, buttons=_buttons(place, chosen), notice=notice, changes={"model": chosen})


def _shown(place: Place, text: str) -> Answer:
    return Answer(text=text, buttons=_buttons(place, place.model) if len(place.models) > 1 else ())


def _listed(models: Sequence[str]) -> str:
    return ", ".join(map(verbatim, models))


def _buttons(place: Place, current: str) -> tuple[Button, ...]:
    return tuple(
        Button(f"✓ {name}" if name == current else name, f"model:{place.chat.conversation}:{_mark(name)}")
        for name in place.models
    )


def _mark(name: str) -> str:
    """What stands for a model's name in a button, which has room for 64 bytes in all."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]
