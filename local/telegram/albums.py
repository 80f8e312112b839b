"""Albums: several files that people see as one message. For bots each file is a separate message."""

from collections.abc import Sequence

from local.telegram.messages import MessageField
from local.telegram.world import World

# Bot API, sendMediaGroup: 2–10 items; documents form albums only with documents, and audio files only with audio files.
MAX_FILES = 10
_TOGETHER = (
    frozenset({MessageField.PHOTO, MessageField.VIDEO}),
    frozenset({MessageField.DOCUMENT}),
    frozenset({MessageField.AUDIO}),
)
#: kinds of files that cannot have a caption
WITHOUT_CAPTION = frozenset({MessageField.STICKER, MessageField.VIDEO_NOTE})


def problem_with_album(kinds: Sequence[MessageField]) -> str | None:
    """Return why files of these kinds cannot form an album, in the Bot API's words. A single file never has a
    problem.
    """
    if len(kinds) > MAX_FILES:
        return "too many messages to send as an album"
    if len(kinds) < 2 or any(allowed.issuperset(kinds) for allowed in _TOGETHER):
        return None
    alone = next(kind for kind in kinds if kind not in _TOGETHER[0])
    return f"{alone.value.replace('_', ' ')} can't be mixed with other media types"


def album_id(world: World) -> str:
    """Return a new media_group_id, which no other album has."""
    return str(13_000_000_000_000_000 + world.counters.next("album"))
