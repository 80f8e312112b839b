"""The callback data of a command's buttons: the command, the conversation and the choice.

Only this module encodes and decodes it.
"""

import re
from typing import Final

#: commands whose messages show strangers' texts and names; these messages belong to no conversation
TELLS_APART: Final = frozenset({"people", "requests"})
#: commands whose messages belong to no conversation; a reply to one does not bring its text into a conversation either.
#: The text of `invite` is not in `TELLS_APART`, since it holds nothing by strangers, and its link may be passed on
SAID_APART: Final = TELLS_APART | {"invite"}
#: at most 64 bytes (core.telegram.org/bots/api#inlinekeyboardbutton); a conversation's id has 31
_CARRIED: Final = re.compile(r"(\w{1,32}):(conv-\w{1,32}):([\w-]{1,18})", re.ASCII)


#: written before the digits of an id below 0 (a group's or channel's)
_BELOW_ZERO: Final = "n"
#: first letters of the arguments of `people` that name a page instead of a person
_PAGES: Final = frozenset("pgx")
#: first letter of those arguments of `people` that end a chat's silence. The chat's id and topic follow in base 36,
#: since there is room for only 18 letters. `-` marks a topic of direct messages
WAKE: Final = "w"
PLACE: Final = re.compile(r"([pn])([0-9a-z]{1,11})([_-])([0-9a-z]{1,7})", re.ASCII)


def written_id(which: int) -> str:
    """Return an id or a page's number in the form that a button carries."""
    return f"{_BELOW_ZERO}{-which}" if which < 0 else str(which)


def read_id(written: str) -> int:
    """Return the id or the page's number that a button carried; 0 if the text is neither."""
    digits = written.removeprefix(_BELOW_ZERO)
    if not digits.isdecimal():
        return 0
    return -int(digits) if written.startswith(_BELOW_ZERO) else int(digits)


def person_in(data: str) -> int:
    """Return the id of the person or group that a button of the command /people is about; 0 if it is about nobody."""
    command, _, argument = read_button(data)
    if command != "people" or argument[:1] in _PAGES:
        return 0
    if argument[:1] == WAKE and (found := PLACE.fullmatch(argument[1:])):
        chat_id = int(found[2], 36)
        return -chat_id if found[1] == "n" else chat_id  # the id of a private chat is the person's id
    return read_id(argument[1:])


def button_data(command: str, conversation: str, argument: str) -> str:
    """Return a button's data. A press passes `argument` to the command: at most 18 letters, digits, `_` and `-`."""
    return f"{command}:{conversation}:{argument}"


def read_button(data: str) -> tuple[str, str, str]:
    """Return the command, conversation and argument of a button; three empty strings if the data is of another kind."""
    found = _CARRIED.fullmatch(data)
    return (found[1], found[2], found[3]) if found is not None else ("", "", "")
