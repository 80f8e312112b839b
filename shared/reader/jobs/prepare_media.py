"""Reads an uploaded file within limits, and lets a separate process prepare it."""

from collections.abc import AsyncIterator

from shared.base.logs import log
from shared.reader.ports import MediaPreparer
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE, PreparedFile


async def prepare_media(
    preparer: MediaPreparer, kind: str, mime_type: str, chunks: AsyncIterator[bytes]
) -> PreparedFile:
    """Prepare one file. If that fails, the result's `problem` says why. No log has the file's name or content."""
    pieces, length = list[bytes](), 0
    async for chunk in chunks:
        pieces.append(chunk)
        length += len(chunk)
        if length > MOST_FILE_BYTES:
            return PreparedFile(problem=TOO_LARGE, is_unsupported=True)
    content = b"".join(pieces)
    pieces.clear()  # frees the memory now, since several files may wait
    made = await preparer.prepare(kind, mime_type, content)
    log(
        "a file was prepared" if not made.problem else "a file was not prepared",
        type=made.facts.type,
        bytes=length,
        parts=len(made.parts),
        characters=len(made.text),
        is_cut=made.facts.is_cut,
    )
    return made
