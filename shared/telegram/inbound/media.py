"""The files of a raw message, including custom emoji."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from shared.telegram.inbound.content import CONTENT, media_of
from shared.telegram.inbound.envelope import is_id
from shared.telegram.inbound.text import LONGEST_ID, MOST_FILES, clean, entities_of, files_in, text_of
from shared.values.file_types import likely_type
from shared.values.media import MediaKind, MediaRef
from shared.values.update import Json

#: the maximum characters of a stored type or name
_LONGEST: Final = 100
#: the maximum characters of the words for a file: its kind and two names
_LONGEST_WORDS: Final = 240
#: the maximum number of custom emoji that are stored for a text; the text has a plain emoji for each anyway
_MOST_EMOJI: Final = 3
#: the largest integer that Firestore can store
_MOST: Final = 2**63 - 1
#: the form of Telegram's ids: of files, in URL-safe base64, and of custom emoji. The ids become names of documents and
#: objects. Other ids, and names that Firestore reserves, are dropped; such a file is never described
_UNIQUE_ID: Final = re.compile(r"(?!__.*__$)[A-Za-z0-9_-]{1,100}")
_EMOJI_ID: Final = re.compile(r"[0-9]{1,20}")


def media_refs_of(message: Json) -> tuple[MediaRef, ...]:
    """Return the files of a message, followed by the custom emoji in its text."""
    return (*files_of(message), *_custom_emoji(message))


def files_of(message: Json) -> tuple[MediaRef, ...]:
    """Return the files of a message; of a photo, its largest size. Only a rich message has more than one file."""
    if "rich_message" in message:
        alone = islice(files_in(message["rich_message"]), MOST_FILES)
        return tuple(ref for one in alone for ref in files_of(one))
    words, is_spoiler = media_of(message)[:_LONGEST_WORDS], message.get("has_media_spoiler") is True
    rows = ((kind.media, _file_in(message.get(kind.field))) for kind in CONTENT if kind.media)
    return next(
        ((_ref(MediaKind(name), file, words, is_spoiler=is_spoiler),) for name, file in rows if file is not None), ()
    )


def _custom_emoji(message: Json) -> Iterator[MediaRef]:
    """Yield references to the first custom emoji of a text. The file of each is requested by the emoji's id."""
    text = text_of(message)
    placed = {e.custom_emoji_id[:_LONGEST]: e for e in reversed(entities_of(message)) if e.custom_emoji_id}
    for emoji_id, entity in sorted(placed.items(), key=lambda one: one[1].offset)[:_MOST_EMOJI]:
        emoji = entity.text_in(text)[:_LONGEST]
        unique_id = f"emoji-{emoji_id}" if _EMOJI_ID.fullmatch(emoji_id) else ""
        yield MediaRef(kind=MediaKind.CUSTOM_EMOJI, file_id=emoji_id, unique_id=unique_id, emoji=emoji)


def _file_in(content: object) -> Json | None:
    """Return the file in a field; None if there is none. Of several sizes, the last one counts: the largest."""
    file = content[-1] if isinstance(content, list) and content else content
    return file if isinstance(file, dict) and isinstance(file.get("file_id"), str) else None


def _ref(kind: MediaKind, file: Json, words: str, *, is_spoiler: bool) -> MediaRef:
    return MediaRef(
        kind=kind,
        file_id=clean(file["file_id"], LONGEST_ID),
        unique_id=_unique_id(file.get("file_unique_id")),
        mime_type=likely_type(clean(file.get("mime_type")), clean(file.get("file_name")))[:_LONGEST],
        size=_number(file.get("file_size")),
        # a video note is a circle; `length` is its diameter
        width=_number(file.get("width") or (file.get("length") if kind is MediaKind.VIDEO_NOTE else 0)),
        height=_number(file.get("height") or (file.get("length") if kind is MediaKind.VIDEO_NOTE else 0)),
        duration_s=_number(file.get("duration")),
        emoji=clean(file.get("emoji"))[:_LONGEST],
        set_name=clean(file.get("set_name"))[:_LONGEST],
        words=words,
        is_spoiler=is_spoiler,
    )


def _unique_id(value: object) -> str:
    return value if isinstance(value, str) and _UNIQUE_ID.fullmatch(value) else ""


def _number(value: object) -> int:
    """Return the value if it is a whole number from 0 to `_MOST`, else 0."""
    return value if is_id(value) and 0 <= value <= _MOST else 0
