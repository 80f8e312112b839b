"""Options for decoding files, by their kind. A kind without a row of its own has the default options."""

from typing import Final, NamedTuple

#: the pixels of a picture's longest side
LONGEST_SIDE: Final = 1_280
STICKER_SIDE: Final = 512
#: the number of still pictures that are taken from a film or animation
FRAMES: Final = 4
STICKER_FRAMES: Final = 3
#: the maximum time for any file, in seconds by the clock
LONGEST_S: Final = 25


class DecodeOptions(NamedTuple):
    """The size of pictures, their number, and the time limits for decoding one kind of media."""

    side: int = LONGEST_SIDE
    frames: int = FRAMES
    #: whether a film becomes only still pictures, without its sound
    is_frames_only: bool = False
    #: the maximum seconds by the clock; and below, of processor time
    wall_s: int = LONGEST_S
    cpu_s: int = 20


_STICKER: Final = DecodeOptions(side=STICKER_SIDE, frames=STICKER_FRAMES, is_frames_only=True, wall_s=10, cpu_s=8)
_BY_KIND: Final = {
    "photo": DecodeOptions(wall_s=10, cpu_s=8),
    "sticker": _STICKER,
    "custom_emoji": _STICKER,
    "animation": DecodeOptions(is_frames_only=True),
}


def decode_options_for(kind: str) -> DecodeOptions:
    """Return the options for a kind of file (a MediaKind), or the default options for any other text."""
    return _BY_KIND.get(kind, DecodeOptions())
