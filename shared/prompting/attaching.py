"""Attaching: which files of a conversation a model is shown as they are, how many, and what they are called there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.models.attachment import Attached, Attachment
from shared.models.capabilities import Capabilities, Taken, shown_as, taken_as
from shared.models.media import SPOKEN, MediaKind, MediaRef, Outcome
from shared.models.message import Message
from shared.models.prepared import MOST_FILE_BYTES, PreparedPart
from shared.prompting.escaping import clean_name
from shared.prompting.meant import Whole, meant_in
from shared.prompting.media import ROWS
from shared.prompting.origins import of_entry
from shared.prompting.scene import Scene

#: of all files of a prompt together. A request may have 20 MB, in which they are a third longer
MOST_BYTES: Final = 14_000_000
#: what a sound or a film counts that does not say how long it is, in seconds
UNKNOWN_S: Final = 60
#: what any counts at least: a sender says how long it is, and each is fetched
LEAST_S: Final = 5


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much a model is shown for one plan: pictures, a PDF being one, and seconds of sound and film."""

    pictures: int = 4
    sound_s: int = 120


@dataclass(frozen=True, kw_only=True)
class Visible:
    """A file that a model may be shown, if its bytes can be had."""

    message_id: int
    ref: MediaRef
    #: in lull's own words: "the photo of message 12"
    label: str
    is_outside: bool
    #: where it stands in the conversation
    place: tuple[int, int]


_UNUSABLE: Final = frozenset({Outcome.UNSUPPORTED, Outcome.PERMANENT_FAILURE})


def visible_in(scene: Scene, takes: Capabilities, limits: Limits) -> tuple[Visible, ...]:
    """The files that a model is to be shown of a scene: of the newest messages first, of an album in their order."""
    chosen: list[Visible] = []
    left = {Taken.PICTURES: limits.pictures, Taken.SOUND: limits.sound_s}
    seen: set[str] = set()
    for whole, is_meant in meant_in(scene):
        for number, ref in enumerate(whole.refs, 1):
            name, (budget, cost) = ref.unique_id or ref.file_id, _cost(ref)
            if name in seen or not _is_useful(ref, takes, is_meant=is_meant) or cost > left[budget]:
                continue
            left[budget] -= cost
            seen.add(name)
            chosen.append(_visible(scene, whole, number))
    return tuple(chosen)


def attached_of(
    found: Sequence[tuple[Visible, Sequence[PreparedPart]]],
    takes: Capabilities,
    *,
    most_bytes: int = MOST_BYTES,
    sound_s: int = Limits.sound_s,
) -> tuple[Attached, ...]:
    """What a model is shown of the files that were found, in their order in the conversation.

    `found` has those first that matter most; one that has no room beside those before it is left out. Of sounds and
    films that is by what is in them: they were chosen by what their senders say.
    """
    kept: list[tuple[tuple[int, int], Attached]] = []
    for one, parts in found:
        taken = [part for part in parts if takes.takes_type(part.mime_type)]
        size, seconds = sum(len(part.content) for part in taken), sum(_lasting(one.ref, part) for part in taken)
        if taken and size <= most_bytes and seconds <= sound_s:
            most_bytes -= size
            sound_s -= seconds
            kept.append((one.place, _attached(one, taken)))
    return tuple(attached for _, attached in sorted(kept, key=lambda pair: pair[0]))


def _attached(one: Visible, parts: Sequence[PreparedPart]) -> Attached:
    is_simple = one.ref.kind is MediaKind.STICKER
    files = tuple(Attachment(mime_type=p.mime_type, content=p.content, is_simple=is_simple) for p in parts)
    return Attached(label=f"{one.label}{_made_into(parts)}", parts=files, is_outside=one.is_outside)


def _made_into(parts: Sequence[PreparedPart]) -> str:
    """What a file was made into, where that is more than one thing."""
    pictures = sum(taken_as(part.mime_type) is Taken.PICTURES for part in parts)
    if len(parts) == 1:
        return ""
    return f", as {pictures} still pictures{' and its sound' if pictures < len(parts) else ''}"


def _is_useful(ref: MediaRef, takes: Capabilities, *, is_meant: bool) -> bool:
    """Whether a model can take a file, and learns more by it than by what is told of it.

    A sticker that is described needs no bytes unless somebody means it, nor does a note whose words are known.
    """
    known = ref.description
    is_told = known is not None and (
        known.outcome in _UNUSABLE
        or (ref.kind in SPOKEN and bool(known.says))
        or (ref.kind is MediaKind.STICKER and known.outcome is Outcome.DESCRIBED and not is_meant)
    )
    return not is_told and shown_as(ref.kind, ref.mime_type) in takes.takes and ref.size <= MOST_FILE_BYTES


def _cost(ref: MediaRef) -> tuple[Taken, int]:
    """Which budget a file takes from, and how much."""
    if shown_as(ref.kind, ref.mime_type) in {Taken.SOUND, Taken.FILMS}:
        return Taken.SOUND, max(ref.duration_s or UNKNOWN_S, LEAST_S)
    return Taken.PICTURES, 1


def _lasting(ref: MediaRef, part: PreparedPart) -> int:
    """How long a sound or a film is, in whole seconds, as senders tell them; 0 for anything else."""
    if taken_as(part.mime_type) not in {Taken.SOUND, Taken.FILMS}:
        return 0
    return int(part.duration_s) if part.duration_s else max(ref.duration_s, UNKNOWN_S)


def _visible(scene: Scene, whole: Whole, number: int) -> Visible:
    """The file of that number, from 1, of a message."""
    ref, message, count = whole.refs[number - 1], whole.message, len(whole.refs)
    word = ROWS[ref.kind].word
    which = f"the {word}" if count == 1 else f"{word} {number} of {count}"
    # somebody's own voice says their own words; a picture may hold anybody's
    is_own_voice = ref.kind is MediaKind.VOICE or message.author.is_agent
    return Visible(
        message_id=message.message_id,
        ref=ref,
        label=f"{which} {_of(message, names_messages=scene.format.names_messages)}",
        is_outside=not is_own_voice or bool(of_entry(message)),
        place=(whole.place, number),
    )


def _of(message: Message, *, names_messages: bool) -> str:
    """Whose file it is, or of which message, if the prompt names messages."""
    if names_messages:
        return f"of message {message.message_id}"
    return "that you sent" if message.author.is_agent else f"that {clean_name(message.author.name)} sent"
