"""How long each step of describing a file may take, by its kind, in seconds: one row for each kind that differs."""

from datetime import timedelta
from typing import Final, NamedTuple

from shared.models.media import MediaKind

#: for others that the same instance describes, before a file is begun
TURN_S: Final = 60.0
#: the reader decodes for 55 s at most and may have to start (shared/adapters/media_reader.py)
PREPARE_S: Final = 75.0
#: for all parts of a file
STORE_S: Final = 45.0
#: reads and writes of Firestore between the steps
BETWEEN_S: Final = 40.0


class Patience(NamedTuple):
    """Seconds for a file's download, for the model's answer however often it is asked, and for the other steps."""

    download_s: float
    ask_s: float
    turn_s: float = TURN_S
    prepare_s: float = PREPARE_S
    store_s: float = STORE_S


_USUAL: Final = Patience(download_s=45.0, ask_s=90.0)
_SMALL: Final = Patience(download_s=20.0, ask_s=45.0)
_PATIENCE: Final = {
    MediaKind.PHOTO: _SMALL,
    MediaKind.STICKER: _SMALL,
    MediaKind.CUSTOM_EMOJI: _SMALL,
    MediaKind.ANIMATION: Patience(download_s=30.0, ask_s=45.0),
    # somebody waits for what was said
    MediaKind.VOICE: Patience(download_s=20.0, ask_s=60.0),
    MediaKind.VIDEO_NOTE: Patience(download_s=30.0, ask_s=60.0),
}


def patience_with(kind: MediaKind) -> Patience:
    """How long the steps of a kind of file may take."""
    return _PATIENCE.get(kind, _USUAL)


def claim_for(kind: MediaKind) -> timedelta:
    """How long whoever describes a file has it: longer than all steps together, so that nobody else begins."""
    given = patience_with(kind)
    return timedelta(seconds=given.download_s + given.prepare_s + given.store_s + given.ask_s + BETWEEN_S)
