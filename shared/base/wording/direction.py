"""Keeps left-to-right parts, such as commands, in order within texts of right-to-left languages.

Without isolates (Unicode's UAX #9) the slash of `/help` appears at the wrong end of the command. A message that begins
with a name gets a direction mark in front: some programs, such as browsers, take the direction from the first letter,
even if that letter is inside an isolate.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

#: isolates: two begin one (left-to-right, or by the first letter), and one ends it
LEFT_TO_RIGHT: Final = "\u2066"
FIRST_STRONG: Final = "\u2068"
END: Final = "\u2069"
#: invisible direction marks
RIGHT_TO_LEFT_MARK: Final = "\u200f"
LEFT_TO_RIGHT_MARK: Final = "\u200e"
#: matches in a catalogue's text: a command with its argument, a username, a Latin word; but no placeholder and no full
#: stop
_LATIN = re.compile(r"(?<![\w{])(?:[/@]|\[(?=[A-Za-z/]))?[A-Za-z](?:[ -z→]*[A-Za-z0-9\]])?(?![\w}])", re.ASCII)


def with_isolates(messages: Mapping[str, str | Mapping[str, str]]) -> dict[str, str | dict[str, str]]:
    """Return the texts of a right-to-left language with isolates around Latin parts, and with direction marks."""
    return {
        message_id: _isolated_pieces(message)
        if isinstance(message, str)
        else {category: _isolated_pieces(text) for category, text in message.items()}
        for message_id, message in messages.items()
    }


def isolate(value: str, *, is_right_to_left: bool) -> str:
    """Return a value that can be put into a sentence: isolated, if a part of it has the opposite direction.

    Without isolating characters the parts of a date would change places between Arabic words, since hyphens have no
    direction.
    """
    against = {"L", "ES"} if is_right_to_left else {"R", "AL"}
    is_against = any(unicodedata.bidirectional(character) in against for character in value)
    return f"{FIRST_STRONG}{value}{END}" if is_against else value


def begins_right_to_left(text: str) -> bool:
    """Return whether a text's first letter is a right-to-left one. Characters without a direction are skipped."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((one != "L" for one in directions if one in {"L", "R", "AL"}), False)


def _isolated_pieces(text: str) -> str:
    shown = _LATIN.sub(lambda piece: f"{LEFT_TO_RIGHT}{piece.group()}{END}", text)
    return f"{RIGHT_TO_LEFT_MARK}{shown}" if text.startswith("{") or shown.startswith(LEFT_TO_RIGHT) else shown
