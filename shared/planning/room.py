"""The room of a request: how much may be said with the model, beside the prompt, before it has written a plan."""

from collections.abc import Callable
from dataclasses import dataclass

from shared.models.prompt import Prompt


@dataclass(frozen=True, kw_only=True)
class Room:
    """What all that is said with the model may take, so that no request grows larger than a prompt may be."""

    #: characters
    most: int
    #: the prompt, with so many characters left free: its conversation is cut where it must be
    leaving: Callable[[int], Prompt]
    #: a text, its middle left out if it is longer than so many characters (at least `LEAST_SHORTENED`)
    shortened: Callable[[str, int], str]


#: a text that is shortened says so, which takes some
LEAST_SHORTENED = 60
#: of the room, as much is left by rounds of tools for what must be corrected after them
CORRECTIONS_SHARE = 1 / 3
