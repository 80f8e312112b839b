"""A deletion as an archive file: one line of JSON with ids and times, without anything that people wrote."""

import json
from typing import Final

from pydantic import ValidationError

from shared.base.errors import TranscriptUnreadable
from shared.values.deletion import Deletion
from shared.values.evolve import evolve

_TYPE: Final = "erasure"
_KEPT: Final = {"id", "scope", "person", "chat", "conversation", "asked_at", "cut"}


def deletion_content(deletion: Deletion) -> bytes:
    """Return the content of a deletion's file. Its `cut` is the time before which the deletion deletes everything.

    If the deletion has not begun yet, `cut` is the time of the request.
    """
    told = evolve(deletion, cut=deletion.cut or deletion.asked_at)
    line = {"type": _TYPE, **told.model_dump(mode="json", include=_KEPT)}
    return (json.dumps(line, separators=(",", ":")) + "\n").encode()


def read_deletion(content: bytes) -> Deletion:
    """Return the deletion in a file, in the state in which no step is done yet. Raises TranscriptUnreadable."""
    try:
        told = json.loads(content)
        if not isinstance(told, dict) or told.get("type") != _TYPE or not told.get("cut"):
            raise TranscriptUnreadable("expected one line of JSON with the type 'erasure'")
        kept = {name: value for name, value in told.items() if name in _KEPT}
        return Deletion.model_validate({**kept, "due_at": told["cut"]})
    except (ValueError, ValidationError) as wrong:
        raise TranscriptUnreadable(f"a deletion's file is malformed ({type(wrong).__name__})") from None
