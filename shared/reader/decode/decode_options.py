"""How a kind of media is handled when it is made into what a model takes: one row for each kind that differs."""

from typing import Final, NamedTuple

#: pixels of the longest side of a picture for a model
LONGEST_SIDE: Final = 1_280
STICKER_SIDE: Final = 512
#: still pictures of something that moves
FRAMES: Final = 4
STICKER_FRAMES: Final = 3
#: seconds that any file may take by the clock
LONGEST_S: Final = 25


class DecodeOptions(NamedTuple):
    """What is made of a kind of media, and how long that may take."""

    side: int = LONGEST_SIDE
    frames: int = FRAMES
    #: of a film: still pictures alone, without its sound
    is_frames_only: bool = False
    #: seconds by the clock, and of the processor
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
    """How files of a kind (a `MediaKind`, or an unknown word) are handled."""
    return _BY_KIND.get(kind, DecodeOptions())
