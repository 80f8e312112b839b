"""The photos that were sent in a chat."""

from collections.abc import Sequence

from shared.models.described import files_of
from shared.models.media import MediaKind, MediaRef
from shared.models.message import AnyEntry, Edit, Message


def photo_in(entries: Sequence[AnyEntry], message_id: int, index: int | None = None) -> MediaRef | None:
    """A photo of a message, or of its whole album, as the newest edits have them; none if there is no such photo.

    `index` counts all files from 1, as a prompt does; without it, the first photo is meant. Only a chat's own entries
    are looked at, so no other chat's photo can be meant.
    """
    files = _files_in(entries, message_id)
    if index is not None:
        files = files[index - 1 : index]
    return next((ref for ref in files if ref.kind is MediaKind.PHOTO), None)


def _files_in(entries: Sequence[AnyEntry], message_id: int) -> Sequence[MediaRef]:
    messages = [entry for entry in entries if isinstance(entry, Message)]
    meant = next((one for one in messages if one.message_id == message_id), None)
    if meant is None:
        return ()
    edits = {entry.message_id: entry for entry in entries if isinstance(entry, Edit)}
    whole = [one for one in messages if one is meant or (meant.album_id and one.album_id == meant.album_id)]
    return [ref for one in whole for ref in files_of(one, edits)]
