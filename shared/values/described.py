"""Descriptions of messages' files. They are stored in the message itself or in later entries."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse
from typing import TypeVar

from shared.values.evolve import evolve
from shared.values.media import SPOKEN, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message

WithFiles = TypeVar("WithFiles", Message, Edit)


def with_descriptions(message: WithFiles, known: Mapping[str, Description]) -> WithFiles:
    """Return the message with known descriptions added to its files.

    If a file has only the reason why it was not described, a description replaces the reason.
    """
    refs = tuple(ref_with_description(ref, known) for ref in message.media_refs)
    if all(old is new for old, new in zip(message.media_refs, refs, strict=True)):
        return message
    outside = any(r.description is not None and r.description.holds_outside(r.kind) for r in refs)
    return evolve(message, media_refs=refs, holds_outside=message.holds_outside or outside)


def refs_after(message: Message, edit: Edit) -> tuple[MediaRef, ...]:
    """Return a message's files after an edit, with the custom emoji of the new text.

    If the edit has no file, the message's file stays.
    """
    return (*files_of(message, {edit.message_id: edit}), *filterfalse(_is_file, edit.media_refs))


def files_of(message: Message, edits: Mapping[int, Edit]) -> tuple[MediaRef, ...]:
    """Return a message's files after its newest edits, without custom emoji. `edits` are by message id.

    An edit replaces one file. The files of an album that was read as one message have consecutive message ids.
    """
    files = list(filter(_is_file, message.media_refs))
    for n in range(max(1, len(files)) if message.album_id else 1):
        edit = edits.get(message.message_id + n)
        if edit is None or (n and edit.author.id != message.author.id):
            continue
        if new := list(filter(_is_file, edit.media_refs)):
            files[n : n + 1] = new
    return tuple(files)


def _is_file(ref: MediaRef) -> bool:
    """Return whether the reference is to a separate file: a custom emoji is a part of the text."""
    return ref.kind is not MediaKind.CUSTOM_EMOJI


def ref_with_description(ref: MediaRef, known: Mapping[str, Description]) -> MediaRef:
    """Return a file with its known description, unless it has one already."""
    found, old = known.get(ref.unique_id), ref.description
    is_news = found is not None and (old is None or (_is_described(found) and not _is_described(old)))
    return evolve(ref, description=found) if is_news else ref


def _is_described(description: Description) -> bool:
    return description.outcome is DescriptionOutcome.DESCRIBED


def descriptions_in(entries: Iterable[AnyEntry]) -> dict[str, Description]:
    """Map the unique id of each file in the `MediaDescribed` entries to its description. The newest entry counts."""
    return {entry.unique_id: entry.description for entry in entries if isinstance(entry, MediaDescribed)}


def textless_files(entries: Iterable[AnyEntry]) -> dict[str, bool]:
    """Map the unique id of each file with a final description to whether the file is free of untrusted text."""
    refs = (ref for e in entries if isinstance(e, Message | Edit) for ref in e.media_refs)
    later = [(e.unique_id, e.kind, e.description) for e in entries if isinstance(e, MediaDescribed)]
    known = (*((ref.unique_id, ref.kind, ref.description) for ref in refs), *later)
    return {name: one.is_textless(kind) for name, kind, one in known if name and one and one.outcome.is_final}


def files_without_description(entries: Sequence[AnyEntry]) -> tuple[MediaRef, ...]:
    """Return the files that, as long as they are undescribed, make messages of the agent count as text from outside."""
    seen = textless_files(entries)
    names = dict.fromkeys(name for e in entries if isinstance(e, Message) for name in e.unseen if name not in seen)
    refs = {ref.unique_id: ref for e in entries if isinstance(e, Message | Edit) for ref in e.media_refs}
    unknown = MediaRef(kind=MediaKind.DOCUMENT, file_id="")
    return tuple(refs.get(name) or evolve(unknown, unique_id=name) for name in names)


def holds_text(message: Message) -> bool:
    """Return whether the message's files contain untrusted text or speech."""
    return any(r.description is not None and r.description.holds_outside(r.kind) for r in message.media_refs)


def spoken_text(message: Message) -> str:
    """Return the transcript of the message's voice messages, or ""."""
    transcripts = (r.description.says for r in message.media_refs if r.kind in SPOKEN and r.description is not None)
    return "\n".join(filter(None, transcripts))


def photo_in(entries: Sequence[AnyEntry], message_id: int, index: int | None = None) -> MediaRef | None:
    """Return a photo of a message or of its whole album after the newest edits, or None.

    `index` counts all files from 1, as prompts do. Without it the first photo is returned. Only this chat's entries are
    searched, so no other chat's photo can be named.
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
