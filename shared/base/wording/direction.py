"""Direction: in a language that is written from right to left, what is written from left to right stays in order.

Without it the slash of `/help` is shown at the command's other end. Isolates (Unicode's UAX #9) keep such a piece
together, and what surrounds it too. A message that begins with a name has a mark before it: programs that ask the first
letter for the direction of the whole, as browsers do, do not skip isolates.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

#: of left-to-right text; of text whose first letter tells; the end of both
LEFT_TO_RIGHT: Final = "\u2066"
FIRST_STRONG: Final = "\u2068"
END: Final = "\u2069"
#: letters without a shape
RIGHT_TO_LEFT_MARK: Final = "\u200f"
LEFT_TO_RIGHT_MARK: Final = "\u200e"
#: in a catalogue's text: a command with what follows it, a username, a Latin word; no placeholder, no full stop
_LATIN = re.compile(r"(?<![\w{])(?:[/@]|\[(?=[A-Za-z/]))?[A-Za-z](?:[ -z→]*[A-Za-z0-9\]])?(?![\w}])", re.ASCII)


def with_isolates(messages: Mapping[str, str | Mapping[str, str]]) -> dict[str, str | dict[str, str]]:
    """Messages of a right-to-left language, Latin pieces isolated, with a mark where none of its letters begins."""
    return {
        message_id: _isolated_pieces(message)
        if isinstance(message, str)
        else {category: _isolated_pieces(text) for category, text in message.items()}
        for message_id, message in messages.items()
    }


def isolated(value: str, *, is_right_to_left: bool) -> str:
    """A value that goes into a sentence; isolated if any of it runs against the sentence.

    Between Arabic words the parts of a date would change places, for its hyphens (ES) have no direction.
    """
    against = {"L", "ES"} if is_right_to_left else {"R", "AL"}
    is_against = any(unicodedata.bidirectional(character) in against for character in value)
    return f"{FIRST_STRONG}{value}{END}" if is_against else value


def begins_right_to_left(text: str) -> bool:
    """Whether the first letter of a text that has a direction runs from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((one != "L" for one in directions if one in {"L", "R", "AL"}), False)


def _isolated_pieces(text: str) -> str:
    shown = _LATIN.sub(lambda piece: f"{LEFT_TO_RIGHT}{piece.group()}{END}", text)
    return f"{RIGHT_TO_LEFT_MARK}{shown}" if text.startswith("{") or shown.startswith(LEFT_TO_RIGHT) else shown
