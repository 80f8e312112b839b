"""The words with which prompts mention files: the kind, the description, and why a description is missing."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from shared.planning.prompt.escaping import in_brackets
from shared.values.media import SPOKEN, Description, MediaKind, MediaRef
from shared.values.message import MediaDescribed, Message


class MediaWording(NamedTuple):
    """The English words with which prompts mention one kind of media."""

    #: the noun without an article
    word: str
    #: the noun with its article, used if the sender's message gives no better words
    noun: str
    #: the text before the description
    shows: str = ": "
    #: the text before the words that are said in the file, unless these words are shown as the message's text
    says: str = "; what is said in it: "
    #: the verb for perceiving such a file
    taken_in: str = "see"
    has_length: bool = False
    #: whether the sticker set and the emoji are mentioned together with the description
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
#: added if only a part of the file was described
CUT: Final = "; only the beginning was looked at"
#: added if the words that are said in the file follow
HEARD: Final = ", transcribed"
#: the maximum number of an album's files that are described one by one
MOST_PARTS: Final = 10


def media_text(message: Message) -> str:
    """Return words for the files of a message with their descriptions; empty if the message has no files."""
    files = _files(message)
    if len(files) > 1:
        return _numbered_files(message.media, files, [message])
    media = _part(files[0], message.media) if files else message.media
    return "; ".join(filter(None, (media, *_emoji(message))))


def album_text(parts: Sequence[Message]) -> str:
    """Return words for the files of an album whose parts arrived separately, so that the album has several entries."""
    count = sum(max(1, len(part.updates)) for part in parts)
    if all(map(_files, parts)):
        return _numbered_files(f"an album of {count}", [ref for part in parts for ref in _files(part)], parts)
    return f"an album of {count}: {', '.join(map(media_text, parts))}"


def _numbered_files(what: str, files: Sequence[MediaRef], messages: Sequence[Message]) -> str:
    """Return words for several numbered files, each in the words of its own message."""
    parts = (f"{n}. {_part(ref, ref.words)}" for n, ref in enumerate(files[:MOST_PARTS], 1))
    return "; ".join((f"{what}: {'; '.join(parts)}", *(one for m in messages for one in _emoji(m))))


def _files(message: Message) -> Sequence[MediaRef]:
    return [ref for ref in message.media_refs if ref.kind is not MediaKind.CUSTOM_EMOJI]


def _emoji(message: Message) -> Sequence[str]:
    return [_part(ref, "") for ref in message.media_refs if ref.kind is MediaKind.CUSTOM_EMOJI and _shows(ref)]


def _shows(ref: MediaRef) -> bool:
    return ref.description is not None and bool(ref.description.visible_content)


def _part(ref: MediaRef, words: str) -> str:
    """Return words for one file: `words` (a general noun if it is empty), the length, and the description."""
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
    """Return the description of a file, or the reason why it has none; empty if there is neither."""
    if description is None:
        return ""
    shows = f"{row.shows}{description.visible_content}" if description.visible_content else ""
    said = (HEARD if kind in SPOKEN else f"{row.says}{description.says}") if description.says else ""
    known = f"{said}{shows}" if kind in SPOKEN else f"{shows}{said}"
    if known:
        return f"{known}{CUT if description.is_cut else ''}"
    return f" ({description.why})" if description.why else ""


def late_description(entry: MediaDescribed, who: str, about: str) -> str:
    """Return, on one line, the description of a file that arrived after the file's message was shown.

    `who`: the sender of the newest message with the file. `about`: a quote of that message's text. Either is empty if
    unknown.
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
    """Return whether the content of a file is known. For a sticker, its emoji is enough."""
    known = ref.description
    return (known is not None and bool(known.visible_content or known.says)) or (
        ref.kind is MediaKind.STICKER and ref.emoji != ""
    )
