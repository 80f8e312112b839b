"""The files of a raw message, as references; its custom emoji are files, too."""

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

#: of what is kept of a type or a name, in characters
_LONGEST: Final = 100
#: of how a file is told: two names, and what it is
_LONGEST_WORDS: Final = 240
#: of the custom emoji of a text: one is told by its usual emoji, too
_MOST_EMOJI: Final = 3
#: what Firestore holds
_MOST: Final = 2**63 - 1
#: Telegram's ids of files, in base64 for addresses, and of custom emoji. They become names of documents and objects, so
#: what is written otherwise, or as Firestore keeps for itself, is as good as none: nobody describes such a file
_UNIQUE_ID: Final = re.compile(r"(?!__.*__$)[A-Za-z0-9_-]{1,100}")
_EMOJI_ID: Final = re.compile(r"[0-9]{1,20}")


def media_refs_of(message: Json) -> tuple[MediaRef, ...]:
    """The files of a message; behind them the custom emoji of its text."""
    return (*files_of(message), *_custom_emoji(message))


def files_of(message: Json) -> tuple[MediaRef, ...]:
    """The files of a message, of a photo the largest size: one at most, but for a rich message."""
    if "rich_message" in message:
        alone = islice(files_in(message["rich_message"]), MOST_FILES)
        return tuple(ref for one in alone for ref in files_of(one))
    words, is_spoiler = media_of(message)[:_LONGEST_WORDS], message.get("has_media_spoiler") is True
    rows = ((kind.media, _file_in(message.get(kind.field))) for kind in CONTENT if kind.media)
    return next(
        ((_ref(MediaKind(name), file, words, is_spoiler=is_spoiler),) for name, file in rows if file is not None), ()
    )


def _custom_emoji(message: Json) -> Iterator[MediaRef]:
    """A reference for each of the first few custom emoji of a text: its file is asked for by its id."""
    text = text_of(message)
    placed = {e.custom_emoji_id[:_LONGEST]: e for e in reversed(entities_of(message)) if e.custom_emoji_id}
    for emoji_id, entity in sorted(placed.items(), key=lambda one: one[1].offset)[:_MOST_EMOJI]:
        emoji = entity.covered(text)[:_LONGEST]
        unique_id = f"emoji-{emoji_id}" if _EMOJI_ID.fullmatch(emoji_id) else ""
        yield MediaRef(kind=MediaKind.CUSTOM_EMOJI, file_id=emoji_id, unique_id=unique_id, emoji=emoji)


def _file_in(content: object) -> Json | None:
    """The file that a field holds: of several sizes the last, which is the largest; none if there is none."""
    file = content[-1] if isinstance(content, list) and content else content
    return file if isinstance(file, dict) and isinstance(file.get("file_id"), str) else None


def _ref(kind: MediaKind, file: Json, words: str, *, is_spoiler: bool) -> MediaRef:
    return MediaRef(
        kind=kind,
        file_id=clean(file["file_id"], LONGEST_ID),
        unique_id=_unique_id(file.get("file_unique_id")),
        mime_type=likely_type(clean(file.get("mime_type")), clean(file.get("file_name")))[:_LONGEST],
        size=_number(file.get("file_size")),
        # a video note is a circle, whose diameter is its length
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
    """A number as Telegram has them; 0 for what is none."""
    return value if is_id(value) and 0 <= value <= _MOST else 0
