"""What lull says of itself: /start, /help, and a command that it does not have."""

from shared.commands.declared import BY_NAME, COMMANDS, Declaration
from shared.commands.place import Answer, Place
from shared.commands.verbatim import verbatim
from shared.models.chat import ChatKind

FOR_ADMINISTRATORS = {"en": "administrators", "de": "Administratoren", "uk": "адміністратори"}

ALONE = "Write to me as you would to a person: I wait until you have finished, and then I answer."
AMONG_OTHERS = "I answer here when I am meant: when you mention me, reply to me, or go on with what I said."


def start(argument: str, place: Place) -> Answer:
    """Who it is and what it can do. What a link put behind it asks for nothing that lull does."""
    who = f"Hello {verbatim(place.person.name)}, I am {verbatim(place.agent)}."
    what = ALONE if place.chat.kind is ChatKind.PRIVATE else AMONG_OTHERS
    return Answer(text=f"{who} {what}\n\n/help shows what else works here.")


def help_(argument: str, place: Place) -> Answer:
    """What works in this chat, in the person's language."""
    heading = f"{BY_NAME['help'].description(place.language)}:"
    lines = [_line(declared, place) for declared in COMMANDS if declared.is_for(place.chat.kind)]
    return Answer(text="\n".join((f"{heading}\n", *lines)))


def _line(declared: Declaration, place: Place) -> str:
    is_limited = declared.for_administrators and place.chat.kind is not ChatKind.PRIVATE
    who = FOR_ADMINISTRATORS.get(place.language.partition("-")[0], FOR_ADMINISTRATORS["en"])
    usage = verbatim(declared.usage or f"/{declared.name}")
    return f"- {usage} – {declared.description(place.language)}{f' ({who})' if is_limited else ''}"


def unknown(name: str) -> Answer:
    """What is said to a command that there is not."""
    return Answer(text=f"I have no command /{verbatim(name)}. /help shows those that I have.")
