"""The photos that were sent in a chat."""

from collections.abc import Iterable

from shared.models.media import MediaKind
from shared.models.message import AnyEntry, Message


def photos_in(entries: Iterable[AnyEntry], message_id: int) -> tuple[str, ...]:
    """Telegram's ids of the photos of a message, or of its whole album, in order; none if it is not among the entries.

    Only a chat's own entries are looked at, so no other chat's photo can be meant.
    """
    messages = [entry for entry in entries if isinstance(entry, Message)]
    meant = next((one for one in messages if one.message_id == message_id), None)
    if meant is None:
        return ()
    whole = [one for one in messages if one is meant or (meant.album_id and one.album_id == meant.album_id)]
    return tuple(ref.file_id for one in whole for ref in one.media_refs if ref.kind is MediaKind.PHOTO)
