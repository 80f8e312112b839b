"""/model: shows the model of the conversation, or sets another one by name or button."""

import hashlib
from collections.abc import Sequence

from shared.base.wording.words import Phrase, shorten
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse, verbatim
from shared.commands.pager import Pager
from shared.values.channel import Button
from shared.values.model_name import split_model_name

#: the maximum characters of a notice (core.telegram.org/bots/api#answercallbackquery)
LONGEST_NOTICE = 200


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response that sets the model whose name contains the argument. If there is not exactly one such model,
    return the list of models with a button for each.
    """
    wanted, words = request.argument.casefold(), request.words
    exact = [name for name in request.agent.models if wanted in (name.casefold(), _label(name).casefold())]
    found = exact or [n for n in request.agent.models if wanted in n.casefold() or wanted in _label(n).casefold()]
    if not wanted:
        return _response(request, words.say("model.current", model=verbatim(_label(request.model))))
    if len(found) > 1:
        return _response(request, words.say("model.several", models=_model_list(found)))
    if not found:
        unknown = verbatim(request.argument[:80])
        return _response(request, words.say("model.none", text=unknown, models=_model_list(request.agent.models)))
    return CommandResponse(
        text=words.say("model.chosen", model=verbatim(_label(found[0]))), changes={"model": found[0]}
    )


def press(request: CommandRequest) -> CommandResponse:
    """Return the response that sets the model of the pressed button. If it is already the current model, nothing
    changes.
    """
    words = request.words
    chosen = next((name for name in request.agent.models if _mark(name) == request.argument), None)
    if chosen is None:
        return CommandResponse(notice=words.say("model.gone"))
    if chosen == request.model:
        return CommandResponse(notice=shorten(words.say("model.already", model=_label(chosen)), LONGEST_NOTICE))
    return CommandResponse(
        text=words.say("model.chosen", model=verbatim(_label(chosen))),
        buttons=_buttons(request, chosen),
        notice=shorten(words.say("model.chosen", model=_label(chosen)), LONGEST_NOTICE),
        changes={"model": chosen},
    )


def _response(request: CommandRequest, text: Phrase) -> CommandResponse:
    return CommandResponse(text=text, buttons=_buttons(request, request.model) if len(request.agent.models) > 1 else ())


def _model_list(models: Sequence[str]) -> str:
    return ", ".join(verbatim(_label(name)) for name in models)


def _buttons(request: CommandRequest, current: str) -> tuple[Button, ...]:
    labels = {_mark(name): _label(name) for name in request.agent.models}
    return Pager(command="model", request=request).choices(labels, _mark(current))


def _label(name: str) -> str:
    """Return a model's name as people see it. It contains the provider, except for Gemini."""
    return split_model_name(name).label


def _mark(name: str) -> str:
    """Return a short hash that stands for a model's name in a button's data, which has at most 64 bytes."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


COMMAND = Command(
    name="model",
    order=40,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    respond=respond,
    press=ButtonHandler(respond=press),
)
