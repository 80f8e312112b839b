"""What lull does about a command. Pure: the flow that obeys acts on it."""

from collections.abc import Callable, Mapping

from shared.commands.choosing import model, press_model
from shared.commands.claiming import claim
from shared.commands.conversing import new, stop, title
from shared.commands.greeting import help_, start, unknown
from shared.commands.knowing import whoami
from shared.commands.muting import mute, unmute
from shared.commands.parse import Command, Permission
from shared.commands.place import Answer, Place

Respond = Callable[[str, Place], Answer]

WRITTEN: Mapping[str, Respond] = {
    "start": start,
    "help": help_,
    "new": new,
    "model": model,
    "stop": stop,
    "mute": mute,
    "unmute": unmute,
    "title": title,
    "whoami": whoami,
    "claim": claim,
}
#: the commands that have buttons
PRESSED: Mapping[str, Respond] = {"model": press_model}

NO_BUTTON = "This button does not do anything any more."
OTHER_CONVERSATION = "This button belongs to another conversation. Send the command again for this one."


def answer_to(command: Command, place: Place) -> Answer:
    """What is done about a command or a press; who may not use it is told so, and nothing changes."""
    if command.button is not None:
        return _to_press(command, command.button.conversation, place)
    if command.permission is not Permission.GRANTED:
        return Answer(text=refusal(command))
    respond = WRITTEN.get(command.name)
    return respond(command.argument, place) if respond is not None else unknown(command.name)


def _to_press(command: Command, conversation: str, place: Place) -> Answer:
    respond = PRESSED.get(command.name)
    if respond is None:
        return Answer(notice=NO_BUTTON)
    if command.permission is not Permission.GRANTED:
        return Answer(notice=refusal(command))
    if conversation != place.chat.conversation:
        return Answer(notice=OTHER_CONVERSATION)
    return respond(command.argument, place)


def refusal(command: Command) -> str:
    """What somebody is told who may not use a command, or of whom it is not known."""
    if command.permission is Permission.DENIED:
        return f"Only administrators of this group may use /{command.name}."
    return f"I could not find out whether you administer this group. Please try /{command.name} again in a while."
