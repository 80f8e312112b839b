"""/model: which model the conversation uses, and another one, by name or by a button."""

import hashlib
from collections.abc import Sequence

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim
from shared.models.channel import Button

GONE = "That model is not offered any more. Send /model to see which are."


def respond(request: CommandRequest) -> CommandResponse:
    """The models that may be chosen, with a button each; or the choice of one by its name, or by a part of it."""
    wanted = request.argument.casefold()
    exact = [name for name in request.models if name.casefold() == wanted]
    found = exact or [name for name in request.models if wanted in name.casefold()]
    if not wanted:
        return _shown(request, f"This conversation uses {verbatim(request.model)}.")
    if len(found) > 1:
        return _shown(request, f"Several models are called so: {_listed(found)}. Which one?")
    if not found:
        unknown = verbatim(request.argument[:80])
        return _shown(request, f"There is no model called “{unknown}”. There are: {_listed(request.models)}.")
    text = f"This conversation now uses {verbatim(found[0])}."
    return CommandResponse(text=text, changes={"model": found[0]})


def press(request: CommandRequest) -> CommandResponse:
    """The choice of a model by its button. Pressing the same one again changes nothing."""
    chosen = next((name for name in request.models if _mark(name) == request.argument), None)
    if chosen is None:
        return CommandResponse(notice=GONE)
    if chosen == request.model:
        return CommandResponse(notice=f"This conversation uses {chosen} already."[:200])
    text = f"This conversation now uses {verbatim(chosen)}."
    notice = f"This conversation now uses {chosen}."[:200]
    return CommandResponse(text=text, buttons=_buttons(request, chosen), notice=notice, changes={"model": chosen})


def _shown(request: CommandRequest, text: str) -> CommandResponse:
    return CommandResponse(text=text, buttons=_buttons(request, request.model) if len(request.models) > 1 else ())


def _listed(models: Sequence[str]) -> str:
    return ", ".join(map(verbatim, models))


def _buttons(request: CommandRequest, current: str) -> tuple[Button, ...]:
    return tuple(
        Button(f"✓ {name}" if name == current else name, f"model:{request.chat.conversation}:{_mark(name)}")
        for name in request.models
    )


def _mark(name: str) -> str:
    """What stands for a model's name in a button, which has room for 64 bytes in all."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


COMMAND = Command(
    name="model",
    order=40,
    descriptions={
        "en": "Show or choose the model",
        "de": "Das Modell zeigen oder wählen",
        "uk": "Показати або вибрати модель",
    },
    usage="/model [name]",
    for_administrators=True,
    respond=respond,
    press=press,
)
