"""Options for decoding each kind of media: one row for each kind that differs."""

from typing import Final, NamedTuple

#: pixels of a picture's longest side
LONGEST_SIDE: Final = 1_280
STICKER_SIDE: Final = 512
#: still pictures taken from something that moves
FRAMES: Final = 4
STICKER_FRAMES: Final = 3
#: most seconds by the clock for any file
LONGEST_S: Final = 25


class DecodeOptions(NamedTuple):
    """Sizes and time limits for decoding a kind of media."""

    side: int = LONGEST_SIDE
    frames: int = FRAMES
    #: whether a film becomes still pictures only, without its sound
    is_frames_only: bool = False
    #: seconds by the clock, and of processor time
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
    """Return the options for a kind: a `MediaKind`, or any other word for the defaults."""
    return _BY_KIND.get(kind, DecodeOptions())
