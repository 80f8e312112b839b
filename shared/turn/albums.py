"""Albums: several messages of Telegram's that are one utterance, also where its parts come one by one."""

from collections.abc import Iterable, Sequence

from shared.models.message import AnyEntry, Message
from shared.models.text import shifted


def with_albums(entries: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
    """The entries in their order, the parts of each album as one message: also when somebody else wrote between."""
    whole: list[AnyEntry] = []
    begun: dict[str, int] = {}
    for entry in entries:
        album = entry.album_id if isinstance(entry, Message) else ""
        if album in begun:
            whole[begun[album]] = _joined(whole[begun[album]], entry)
            continue
        if album:
            begun[album] = len(whole)
        whole.append(entry)
    return tuple(whole)


def album_heads(window: Sequence[AnyEntry]) -> dict[str, Message]:
    """Of each album the part that stands for it: the one that was answered, else the first."""
    heads: dict[str, Message] = {}
    for entry in window:
        if isinstance(entry, Message) and entry.album_id:
            head = heads.setdefault(entry.album_id, entry)
            if _is_called(entry) and not _is_called(head):
                heads[entry.album_id] = entry
    return heads


def _joined(album: AnyEntry, part: AnyEntry) -> Message:
    assert isinstance(album, Message)
    assert isinstance(part, Message)
    before = f"{album.text}\n" if album.text and part.text else album.text
    return album.model_copy(
        update={
            "updates": album.updates + part.updates,
            "media_refs": album.media_refs + part.media_refs,
            "text": before + part.text,
            "entities": album.entities + shifted(part.entities, before),
            "holds_outside": album.holds_outside or part.holds_outside or part.is_of_others_words,
            "is_worded_elsewhere": album.is_worded_elsewhere or part.is_worded_elsewhere or part.is_of_others_words,
            "media": f"an album of {len(album.updates) + len(part.updates)}",
        }
    )


def _is_called(message: Message) -> bool:
    return message.decision is not None and message.decision.respond
