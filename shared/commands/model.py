"""/model: shows the model of the conversation, or sets another one by name or button."""

import hashlib
from collections.abc import Sequence

from shared.base.wording.words import Phrase, shorten
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.pager import Pager
from shared.values.channel import Button

#: the longest notice, in characters (core.telegram.org/bots/api#answercallbackquery)
LONGEST_NOTICE = 200


def respond(request: CommandRequest) -> CommandResponse:
    """List the models with a button each, or set the model whose name contains the argument."""
    wanted, words = request.argument.casefold(), request.words
    exact = [name for name in request.agent.models if name.casefold() == wanted]
    found = exact or [name for name in request.agent.models if wanted in name.casefold()]
    if not wanted:
        return _response(request, words.say("model.current", model=verbatim(request.model)))
    if len(found) > 1:
        return _response(request, words.say("model.several", models=_model_list(found)))
    if not found:
        unknown = verbatim(request.argument[:80])
        return _response(request, words.say("model.none", text=unknown, models=_model_list(request.agent.models)))
    return CommandResponse(text=words.say("model.chosen", model=verbatim(found[0])), changes={"model": found[0]})


def press(request: CommandRequest) -> CommandResponse:
    """Set a model by its button. Pressing the current one changes nothing."""
    words = request.words
    chosen = next((name for name in request.agent.models if _mark(name) == request.argument), None)
    if chosen is None:
        return CommandResponse(notice=words.say("model.gone"))
    if chosen == request.model:
        return CommandResponse(notice=shorten(words.say("model.already", model=chosen), LONGEST_NOTICE))
    return CommandResponse(
        text=words.say("model.chosen", model=verbatim(chosen)),
        buttons=_buttons(request, chosen),
        notice=shorten(words.say("model.chosen", model=chosen), LONGEST_NOTICE),
        changes={"model": chosen},
    )


def _response(request: CommandRequest, text: Phrase) -> CommandResponse:
    return CommandResponse(text=text, buttons=_buttons(request, request.model) if len(request.agent.models) > 1 else ())


def _model_list(models: Sequence[str]) -> str:
    return ", ".join(map(verbatim, models))


def _buttons(request: CommandRequest, current: str) -> tuple[Button, ...]:
    labels = {_mark(name): name for name in request.agent.models}
    return Pager(command="model", request=request).choices(labels, _mark(current))


def _mark(name: str) -> str:
    """Return a short mark of a model's name, since a button holds 64 bytes in all."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


COMMAND = Command(
    name="model",
    order=40,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    respond=respond,
    press=ButtonHandler(respond=press),
)
