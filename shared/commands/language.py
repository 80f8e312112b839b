"""/language: the language of lull's own sentences in a chat: one that is set, or that which people write there."""

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim
from shared.models.button_data import button_data
from shared.models.channel import Button
from shared.wording.catalogue import catalogue, languages
from shared.wording.words import Words, words_in

#: behind the command, and on its button: what people write tells
AUTO = "auto"
#: letters of a name that are enough to know it
LEAST_BEGIN = 3
#: of what was written behind the command, as much as is said again
LONGEST_SAID = 40


def respond(request: CommandRequest) -> CommandResponse:
    """The language that holds now, with a button for each; or the choice of one by its code or its name."""
    words, wanted = request.words, " ".join(request.argument.casefold().split())
    if wanted in {AUTO, "-"}:
        return _set("", words)
    if found := language_named(wanted):
        return _set(found, words)
    if wanted:
        said = verbatim(request.argument[:LONGEST_SAID])
        return CommandResponse(text=words.say("language.none", text=said), buttons=_buttons(request))
    told = words.say("language.set") if request.chat.chosen_language else words.say("language.told")
    return CommandResponse(text=told, buttons=_buttons(request))


def press(request: CommandRequest) -> CommandResponse:
    """The choice of a language by its button."""
    if request.argument not in {AUTO, *languages()}:
        return CommandResponse(notice=request.words.say("button.gone"))
    return _set("" if request.argument == AUTO else request.argument, request.words)


def language_named(wanted: str) -> str:
    """The language of a code or a name, in itself, in English or in other languages; empty: none, or several."""
    named = {one: [name.casefold() for name in catalogue(one).speech.names] for one in languages()}
    tag = wanted.replace("_", "-").partition("-")[0]
    whole = [one for one, names in named.items() if one == tag or wanted in names]
    begun = [one for one, names in named.items() if any(name.startswith(wanted) for name in names)]
    found = whole or (begun if len(wanted) >= LEAST_BEGIN else [])
    return found[0] if len(found) == 1 else ""


def _set(language: str, words: Words) -> CommandResponse:
    """The language, which is set from now on and says so itself; empty: what people write tells it."""
    told = words_in(language).say("language.chosen") if language else words.say("language.follows")
    return CommandResponse(text=told, notice=told, changes={"chosen_language": language})


def _buttons(request: CommandRequest) -> tuple[Button, ...]:
    labels = {AUTO: request.words.say("language.auto"), **{one: catalogue(one).speech.names[0] for one in languages()}}
    current = request.chat.chosen_language or AUTO
    return tuple(
        Button(f"✓ {label}" if one == current else label, button_data("language", request.chat.conversation, one))
        for one, label in labels.items()
    )


COMMAND = Command(
    name="language",
    order=88,
    takes_argument=True,
    for_administrators=True,
    respond=respond,
    press=press,
)
