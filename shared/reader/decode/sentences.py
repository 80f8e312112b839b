"""Sentences for the model about files that cannot be prepared. No sentence repeats anything from the file."""

import re
from typing import Final

from shared.reader.decode.kinds import NAMES
from shared.values.prepared import TOO_LARGE

NOT_READ: Final = "This is {name}: its content is not read."
BROKEN: Final = "This is {name}, but it is broken: it cannot be opened."
TOO_LARGE_PICTURE: Final = "The picture is too large to be opened: it has more than {most} million pixels."
TOO_LARGE_FILM: Final = "The film is too large to be opened: its pictures have more than {most} million pixels."
UNPACKS: Final = "This file unpacks to far more than an animated sticker has; it was not opened."
NO_STICKER: Final = "This is a gzip archive: its content is not read."
TOO_MUCH_STICKER: Final = (
    "This animated sticker has more frames, layers or pixels than one may have; it was not opened."
)
LOCKED: Final = "The PDF cannot be opened: it is broken, or has a password."
NOTHING_IN_IT: Final = "This is {name} without pictures and without sound."
CODEC: Final = "This is {name} in an encoding that is not read here."
NO_TEXT: Final = "The document is empty."
DIED: Final = "The file is broken in an unexpected way: it cannot be opened."
TOO_MUCH: Final = "The file takes too much time or memory to be opened."
BUSY: Final = "Too many other files are opened just now, so this one was not."
NO_SOUND: Final = "No voice note can be made of this sound."

_SENTENCES: Final = (
    NOT_READ, BROKEN, TOO_LARGE_PICTURE, TOO_LARGE_FILM, UNPACKS, NO_STICKER, TOO_MUCH_STICKER, LOCKED, NOTHING_IN_IT,
    CODEC, NO_TEXT, DIED, TOO_MUCH, TOO_LARGE, BUSY, NO_SOUND,
)  # fmt: skip
_NUMBER: Final = "[0-9]{1,3}"
_FILLED: Final = {"name": f"(?:{'|'.join(map(re.escape, sorted(NAMES)))})", "most": _NUMBER, "mib": _NUMBER}
_KNOWN: Final = tuple(
    re.compile("".join(_FILLED.get(one, re.escape(one)) for one in re.split(r"\{(\w+)\}", sentence)))
    for sentence in _SENTENCES
)


def known_sentence(sentence: str) -> str:
    """Return the sentence of a decoding process if it is one of lull's or empty; otherwise return `DIED`.

    A process that an attacker controls may return any text, and a model trusts these sentences as lull's own.
    """
    return sentence if not sentence or any(one.fullmatch(sentence) for one in _KNOWN) else DIED
