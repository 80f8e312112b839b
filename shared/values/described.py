"""What is known of the files of messages: it stands in a message, or came to be known after it was read."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse
from typing import TypeVar

from shared.values.evolve import evolve
from shared.values.media import SPOKEN, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry, Edit, MediaDescribed, Message

WithFiles = TypeVar("WithFiles", Message, Edit)


def with_descriptions(message: WithFiles, known: Mapping[str, Description]) -> WithFiles:
    """The message with what is known of its files, where it does not tell that already.

    What a file shows takes the place of why that was not known.
    """
    refs = tuple(ref_with_description(ref, known) for ref in message.media_refs)
    if all(old is new for old, new in zip(message.media_refs, refs, strict=True)):
        return message
    outside = any(r.description is not None and r.description.holds_outside(r.kind) for r in refs)
    return evolve(message, media_refs=refs, holds_outside=message.holds_outside or outside)


def refs_after(message: Message, edit: Edit) -> tuple[MediaRef, ...]:
    """The files of a message after an edit, whose text has custom emoji of its own; its file stays if none is new."""
    return (*files_of(message, {edit.message_id: edit}), *filterfalse(_is_file, edit.media_refs))


def files_of(message: Message, edits: Mapping[int, Edit]) -> tuple[MediaRef, ...]:
    """The files of a message as its newest edits have them, which are given by the messages' ids; no custom emoji.

    An edit brings one file. The messages of an album that came as one have ids that follow each other.
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
    """Whether it is a file of its own; a custom emoji is a part of the text."""
    return ref.kind is not MediaKind.CUSTOM_EMOJI


def ref_with_description(ref: MediaRef, known: Mapping[str, Description]) -> MediaRef:
    """A file with what is known of it, where its reference does not tell that already."""
    found, old = known.get(ref.unique_id), ref.description
    is_news = found is not None and (old is None or (_is_described(found) and not _is_described(old)))
    return evolve(ref, description=found) if is_news else ref


def _is_described(description: Description) -> bool:
    return description.outcome is DescriptionOutcome.DESCRIBED


def descriptions_in(entries: Iterable[AnyEntry]) -> dict[str, Description]:
    """By unique id, what entries tell of files."""
    return {entry.unique_id: entry.description for entry in entries if isinstance(entry, MediaDescribed)}


def textless_files(entries: Iterable[AnyEntry]) -> dict[str, bool]:
    """By unique id, whether files hold no text from outside, of those of which entries tell what came of looking."""
    refs = (ref for e in entries if isinstance(e, Message | Edit) for ref in e.media_refs)
    told = [(e.unique_id, e.kind, e.description) for e in entries if isinstance(e, MediaDescribed)]
    known = (*((ref.unique_id, ref.kind, ref.description) for ref in refs), *told)
    return {name: one.is_textless(kind) for name, kind, one in known if name and one and one.outcome.is_final}


def files_without_description(entries: Sequence[AnyEntry]) -> tuple[MediaRef, ...]:
    """The files of which nothing is known yet, and of which the agent wrote something."""
    seen = textless_files(entries)
    names = dict.fromkeys(name for e in entries if isinstance(e, Message) for name in e.unseen if name not in seen)
    refs = {ref.unique_id: ref for e in entries if isinstance(e, Message | Edit) for ref in e.media_refs}
    unknown = MediaRef(kind=MediaKind.DOCUMENT, file_id="")
    return tuple(refs.get(name) or evolve(unknown, unique_id=name) for name in names)


def holds_text(message: Message) -> bool:
    """Whether a text from outside stands in its files, or is said in them."""
    return any(r.description is not None and r.description.holds_outside(r.kind) for r in message.media_refs)


def spoken_text(message: Message) -> str:
    """What is said in its voice messages, word for word; empty: nothing, or nothing is known."""
    told = (r.description.says for r in message.media_refs if r.kind in SPOKEN and r.description is not None)
    return "\n".join(filter(None, told))


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
