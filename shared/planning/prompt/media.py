"""How media read in a prompt: one table, a row for each kind. What is not known of a file is said, too."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from shared.planning.prompt.escaping import in_brackets
from shared.values.media import SPOKEN, Description, MediaKind, MediaRef
from shared.values.message import MediaDescribed, Message


class MediaWording(NamedTuple):
    """How one kind is told."""

    #: what it is called
    word: str
    #: what it is, where nothing better is known
    noun: str
    #: what stands before what it shows
    shows: str = ": "
    #: what stands before the words that are said in it, where these do not stand as the message's own
    says: str = "; what is said in it: "
    #: what is done with it
    taken_in: str = "see"
    has_length: bool = False
    #: whether its set and its emoji are told with what it shows
    has_set: bool = False


MEDIA_WORDINGS: Final[Mapping[MediaKind, MediaWording]] = {
    MediaKind.PHOTO: MediaWording("photo", "a photo"),
    MediaKind.STICKER: MediaWording("sticker", "a sticker", has_set=True),
    MediaKind.CUSTOM_EMOJI: MediaWording("custom emoji", "a custom emoji", has_set=True),
    MediaKind.ANIMATION: MediaWording("GIF", "a GIF"),
    MediaKind.VOICE: MediaWording(
        "voice message", "a voice message", taken_in="hear", has_length=True, shows="; besides words it holds: "
    ),
    MediaKind.AUDIO: MediaWording("audio file", "an audio file", taken_in="hear", has_length=True),
    MediaKind.VIDEO: MediaWording("video", "a video", has_length=True),
    MediaKind.VIDEO_NOTE: MediaWording("video message", "a video message", has_length=True, shows=", which shows: "),
    MediaKind.DOCUMENT: MediaWording("file", "a file", taken_in="open", shows=", which holds: "),
}
#: of what is known of a part of a file alone
CUT: Final = "; only the beginning was looked at"
#: of what is heard, that its words follow
HEARD: Final = ", transcribed"
#: an album is told part by part up to so many
MOST_PARTS: Final = 10


def media_text(message: Message) -> str:
    """What came with a message, with what is known of it; empty: nothing came with it."""
    files = _files(message)
    if len(files) > 1:
        return _numbered_files(message.media, files, [message])
    media = _part(files[0], message.media) if files else message.media
    return "; ".join(filter(None, (media, *_emoji(message))))


def album_text(parts: Sequence[Message]) -> str:
    """What came with the parts of an album that came in several batches of updates, each of which is one entry."""
    count = sum(max(1, len(part.updates)) for part in parts)
    if all(map(_files, parts)):
        return _numbered_files(f"an album of {count}", [ref for part in parts for ref in _files(part)], parts)
    return f"an album of {count}: {', '.join(map(media_text, parts))}"


def _numbered_files(what: str, files: Sequence[MediaRef], messages: Sequence[Message]) -> str:
    """Several files by their numbers, each as its own message told of it."""
    parts = (f"{n}. {_part(ref, ref.words)}" for n, ref in enumerate(files[:MOST_PARTS], 1))
    return "; ".join((f"{what}: {'; '.join(parts)}", *(one for m in messages for one in _emoji(m))))


def _files(message: Message) -> Sequence[MediaRef]:
    return [ref for ref in message.media_refs if ref.kind is not MediaKind.CUSTOM_EMOJI]


def _emoji(message: Message) -> Sequence[str]:
    return [_part(ref, "") for ref in message.media_refs if ref.kind is MediaKind.CUSTOM_EMOJI and _shows(ref)]


def _shows(ref: MediaRef) -> bool:
    return ref.description is not None and bool(ref.description.visible_content)


def _part(ref: MediaRef, words: str) -> str:
    """One file; `words`: how its message tells of it, if that is known."""
    row = MEDIA_WORDINGS[ref.kind]
    if not words or (row.has_set and _shows(ref)):
        what = _noun_with_set(ref, row)
    else:
        what = f'{words}, of the set "{ref.set_name}"' if row.has_set and ref.set_name else words
    length = f" of {_length(ref.duration_s)}" if row.has_length and ref.duration_s else ""
    return f"{what}{length}{_details(ref.kind, ref.description, row)}"


def _noun_with_set(ref: MediaRef, row: MediaWording) -> str:
    emoji = f" {ref.emoji}" if ref.emoji else ""
    of_set = f' of the set "{ref.set_name}"' if ref.set_name else ""
    return f"{row.noun}{emoji if row.has_set else ''}{of_set}"


def _length(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"


def _details(kind: MediaKind, description: Description | None, row: MediaWording) -> str:
    """What is known; of a file that is not described, why."""
    if description is None:
        return ""
    shows = f"{row.shows}{description.visible_content}" if description.visible_content else ""
    said = (HEARD if kind in SPOKEN else f"{row.says}{description.says}") if description.says else ""
    known = f"{said}{shows}" if kind in SPOKEN else f"{shows}{said}"
    if known:
        return f"{known}{CUT if description.is_cut else ''}"
    return f" ({description.why})" if description.why else ""


def late_description(entry: MediaDescribed, who: str, about: str) -> str:
    """What came to be known of a file after its message was shown, on one line.

    `who` sent the newest message with it, and what they wrote there, quoted; either is empty if it is not known.
    """
    row, description = MEDIA_WORDINGS[entry.kind], entry.description
    sent = f" that {who} sent{f' with {about}' if about else ''}" if who else ""
    said = f'; what is said in it: "{description.says}"' if description.says else ""
    shows = f"{row.shows}{description.visible_content}" if description.visible_content else ""
    why = f"({description.why})" if not (said or shows) and description.why else ""
    cut = CUT if description.is_cut else ""
    known = in_brackets(f"{shows}{said}{cut}{why}")
    return f"{row.noun}{sent}{' ' if why else ''}{known}"


def is_described(ref: MediaRef) -> bool:
    """Whether anything is told of what a file shows; the emoji of a sticker says enough."""
    known = ref.description
    return (known is not None and bool(known.visible_content or known.says)) or (
        ref.kind is MediaKind.STICKER and ref.emoji != ""
    )
