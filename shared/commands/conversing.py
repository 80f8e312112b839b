"""The conversation: another one, its title, and an end to what is being said in it."""

from shared.commands.place import Answer, Place
from shared.commands.verbatim import verbatim, visible

#: as long as a title may be that is read at a glance
LONGEST_TITLE = 80

STOPPED = "Stopped."
NOTHING_TO_STOP = "There is nothing to stop."
BEGUN = "This is a new conversation. The one before is kept, and I don't look back at it."
NOT_READ = "I did not read what you wrote behind /new: please write it again."
UNTITLED = "This conversation has no title yet. Write one behind /title to give it one."


def stop(argument: str, place: Place) -> Answer:
    """Whether there was something to stop; that it is stopped has happened before."""
    return Answer(text=STOPPED if place.is_busy else NOTHING_TO_STOP)


def new(argument: str, place: Place) -> Answer:
    """That there is another conversation; it has begun before, with the model of the one that was left."""
    return Answer(text=f"{BEGUN} {NOT_READ}" if argument else BEGUN)


def title(argument: str, place: Place) -> Answer:
    """The title that a person gave the conversation, or gives it now."""
    wanted = visible(argument)
    if not wanted:
        return Answer(
            text=f"This conversation is called {verbatim(place.chat.named)}." if place.chat.named else UNTITLED
        )
    if len(wanted) > LONGEST_TITLE:
        return Answer(text=f"That title has {len(wanted)} characters; there is room for {LONGEST_TITLE}.")
    return Answer(text=f"This conversation is now called {verbatim(wanted)}.", changes={"named": wanted})
