"""Choose the files of a conversation that are attached to the request to the model, and label them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.planning.prompt.escaping import clean_name
from shared.planning.prompt.meant import MessageWithFiles, relevant_messages
from shared.planning.prompt.media import MEDIA_WORDINGS
from shared.planning.prompt.origins import outside_of_entry
from shared.planning.prompt.scene import Scene
from shared.values.capabilities import Capabilities, InputKind, input_kind
from shared.values.media import CURATED, OWN, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import Message
from shared.values.prepared import FileFacts, PreparedFile, PreparedPart, part_shown
from shared.values.prompt import AttachedFile
from shared.values.showing import UNKNOWN_S, FileLimits, file_key, files_to_show

#: the maximum for all files of a prompt. A request may have 20 MB, and the encoding makes files a third longer
MOST_BYTES: Final = 14_000_000
#: small pictures that people use like emoji
_SMALL_PICTURES: Final = frozenset({MediaKind.STICKER, MediaKind.CUSTOM_EMOJI})
#: kinds of pictures and films that people usually take themselves
_TAKEN: Final = frozenset({MediaKind.PHOTO, MediaKind.ANIMATION, MediaKind.VIDEO, MediaKind.VIDEO_NOTE})
#: the end of a file's label if only a part of the file is shown
_CUT: Final = ", not all of it"


@dataclass(frozen=True, kw_only=True)
class VisibleFile:
    """A file that the model may be shown, if the file's content is available."""

    message_id: int
    ref: MediaRef
    #: the name of the file in lull's own words: "the photo of message 12"
    label: str
    is_outside: bool
    #: the position of the file in the conversation: the position of its message, and its number in the message
    place: tuple[int, int]
    #: whether the file is untrusted only until it is described, when it turns out whether it contains text
    is_unseen: bool = False


def visible_files(scene: Scene, takes: Capabilities, limits: FileLimits) -> tuple[VisibleFile, ...]:
    """Return the files of a scene to show the model: newer messages' files first, an album's files in order."""
    numbered = [
        (whole, n, is_meant) for whole, is_meant in relevant_messages(scene) for n in range(1, len(whole.refs) + 1)
    ]
    files = ((whole.refs[number - 1], is_meant) for whole, number, is_meant in numbered)
    found = (numbered[place] for place in files_to_show(files, takes, limits))
    return tuple(_visible(scene, whole, number, is_described=limits.is_described) for whole, number, _ in found)


def attach_files(
    found: Sequence[tuple[VisibleFile, PreparedFile]],
    takes: Capabilities,
    *,
    most_bytes: int = MOST_BYTES,
    sound_s: int = FileLimits.sound_s,
) -> tuple[AttachedFile, ...]:
    """Return the attachments for the files whose content was found, in the order of the conversation.

    `found` is sorted by importance. A file is left out if the more important ones leave no room for it. Lengths of
    sounds and videos are measured here, since the senders' statements, by which the files were chosen, may be wrong.
    """
    kept: list[tuple[tuple[int, int], AttachedFile]] = []
    for one, file in found:
        taken = _parts_to_show(file.model_parts, takes)
        size, seconds = sum(len(part.content) for part in taken), sum(_seconds_of(one.ref, part) for part in taken)
        if taken and size <= most_bytes and seconds <= sound_s:
            most_bytes -= size
            sound_s -= seconds
            kept.append((one.place, _attach(one, taken, file.facts)))
    return tuple(attached for _, attached in sorted(kept, key=lambda pair: pair[0]))


def _parts_to_show(parts: Sequence[PreparedPart], takes: Capabilities) -> Sequence[PreparedPart]:
    """Return the parts of a file that the model accepts. Text parts are left out if there are parts of another kind."""
    taken = [part for part in parts if takes.takes_type(part.mime_type)]
    return [part for part in taken if input_kind(part.mime_type) is not InputKind.TEXT] or taken


def _attach(one: VisibleFile, parts: Sequence[PreparedPart], facts: FileFacts) -> AttachedFile:
    is_simple, pages = one.ref.kind is MediaKind.STICKER, facts.pages
    files = tuple(part_shown(part, pages, is_simple=is_simple) for part in parts)
    label = f"{one.label}{_conversion_note(parts)}{_CUT if facts.is_cut else ''}"
    unseen = one.ref if one.is_unseen else None
    return AttachedFile(label=label, parts=files, file=file_key(one.ref), is_outside=one.is_outside, unseen=unseen)


def _conversion_note(parts: Sequence[PreparedPart]) -> str:
    """Return a note on the parts into which a file was converted; empty if it has a single part or no pictures."""
    made = [input_kind(part.mime_type) for part in parts]
    pictures = made.count(InputKind.PICTURES)
    if len(parts) == 1 or not pictures:
        return ""
    return f", as {pictures} still pictures{' and its sound' if InputKind.SOUND in made else ''}"


def _seconds_of(ref: MediaRef, part: PreparedPart) -> int:
    """Return the length of a sound or video in whole seconds, as measured or else as its sender says; 0 for others."""
    if input_kind(part.mime_type) not in {InputKind.SOUND, InputKind.FILMS}:
        return 0
    return int(part.duration_s) if part.duration_s else max(ref.duration_s, UNKNOWN_S)


def _visible(scene: Scene, whole: MessageWithFiles, number: int, *, is_described: bool) -> VisibleFile:
    """Return a file of a message (`number` counts from 1) with its label, its position, and whether it is untrusted."""
    ref, message, count = whole.refs[number - 1], whole.message, len(whole.refs)
    word = MEDIA_WORDINGS[ref.kind].word
    which = f"the {word}" if count == 1 else f"{word} {number} of {count}"
    is_brought = bool(outside_of_entry(message))
    is_taken = not is_described and _is_own_picture(ref, message)
    is_trusted = is_taken or _is_trusted(ref, message)
    is_outside = not 0 < message.seq <= scene.chat.talk.unmarked_seq and (is_brought or not is_trusted)
    return VisibleFile(
        message_id=message.message_id,
        ref=ref,
        label=f"{which} {_owner_words(message, names_messages=scene.format.names_messages)}",
        is_outside=is_outside,
        is_unseen=is_outside and not (is_brought or message.author.is_agent) and not _is_decided(ref),
        place=(whole.place, number),
    )


def _is_decided(ref: MediaRef) -> bool:
    """Return whether a file was described, or will never be described."""
    return ref.description is not None and ref.description.outcome.is_final


def holds_no_text(ref: MediaRef) -> bool:
    """Return whether a file was described and contains no text."""
    return ref.description is not None and ref.description.is_textless(ref.kind)


def _is_trusted(ref: MediaRef, message: Message) -> bool:
    """Return whether any text in a file must come from the file's sender or from the deployment.

    A picture may contain anybody's text. A file that the agent sent is trusted only if the agent or the deployment made
    it, since the agent may also forward other people's files.
    """
    is_made_here = ref.description is not None and ref.description.source in {OWN, CURATED}
    is_own_voice = ref.kind is MediaKind.VOICE and not message.author.is_agent
    return is_made_here or is_own_voice or (not message.author.is_agent and _is_harmless(ref))


def _is_own_picture(ref: MediaRef, message: Message) -> bool:
    """Return whether a file is a picture or video that a person sent and that has no description.

    Such a file counts as trusted, as its sender's messages do. Otherwise each photo would make all of the sender's
    requests wait for a button press.
    """
    return ref.kind in _TAKEN and ref.description is None and not message.author.is_agent


def _is_harmless(ref: MediaRef) -> bool:
    """Return whether a file seems to contain no text: its description has none, or it is an undescribed sticker."""
    is_seen = ref.description is not None and ref.description.outcome is DescriptionOutcome.DESCRIBED
    return holds_no_text(ref) if is_seen else ref.kind in _SMALL_PICTURES


def _owner_words(message: Message, *, names_messages: bool) -> str:
    """Return words that name the file's message, or the file's sender if the prompt has no message ids."""
    if names_messages and message.message_id:
        return f"of message {message.message_id}"
    return "that you sent" if message.author.is_agent else f"that {clean_name(message.author.name)} sent"
