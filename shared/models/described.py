"""What is known of the files of messages: it stands in a message, or came to be known after it was read."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from shared.models.media import SPOKEN, Description, MediaKind, MediaRef
from shared.models.message import AnyEntry, Described, Edit, Message

WithFiles = TypeVar("WithFiles", Message, Edit)


def with_known(message: WithFiles, known: Mapping[str, Description]) -> WithFiles:
    """The message with what is known of its files, where it does not tell that already."""
    if not any(ref.unique_id in known and ref.description is None for ref in message.media_refs):
        return message
    refs = tuple(_with(ref, known) for ref in message.media_refs)
    outside = any(r.description is not None and r.description.holds_outside(r.kind) for r in refs)
    return message.model_copy(update={"media_refs": refs, "holds_outside": message.holds_outside or outside})


def refs_after(message: Message, edit: Edit) -> tuple[MediaRef, ...]:
    """The files of a message after an edit, whose text has custom emoji of its own; its file stays if none is new."""
    told = edit.media_refs if any(ref.kind is not MediaKind.CUSTOM_EMOJI for ref in edit.media_refs) else ()
    files = [ref for ref in told or message.media_refs if ref.kind is not MediaKind.CUSTOM_EMOJI]
    return (*files, *(ref for ref in edit.media_refs if ref.kind is MediaKind.CUSTOM_EMOJI))


def _with(ref: MediaRef, known: Mapping[str, Description]) -> MediaRef:
    found = known.get(ref.unique_id) if ref.description is None else None
    return ref if found is None else ref.model_copy(update={"description": found})


def descriptions_in(entries: Iterable[AnyEntry]) -> dict[str, Description]:
    """By unique id, what entries tell of files."""
    return {entry.unique_id: entry.description for entry in entries if isinstance(entry, Described)}


def said_in(message: Message) -> str:
    """What is said in its voice messages, word for word; empty: nothing, or nothing is known."""
    told = (r.description.says for r in message.media_refs if r.kind in SPOKEN and r.description is not None)
    return "\n".join(filter(None, told))
