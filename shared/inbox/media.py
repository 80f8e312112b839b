"""What came with a message, in plain words, until it is described."""

from collections.abc import Callable

from shared.inbox.text import clean
from shared.models.update import Json, is_id


def _sticker(found: Json) -> str:
    emoji = clean(found.get("emoji"))
    return f"a sticker: {emoji[:80]}" if emoji else "a sticker"


def _document(found: Json) -> str:
    name = clean(found.get("file_name"))
    return f"a file: {name[:80]}" if name else "a file"


def _poll(found: Json) -> str:
    return f"a poll: {clean(found.get('question'))[:200]}"


def _place(found: Json) -> str:
    title = clean(found.get("title"))
    return f"a place: {title[:80]}" if title else "a location"


def _dice(found: Json) -> str:
    value = found.get("value")
    return f"a throw of {clean(found.get('emoji'))}: {value if is_id(value) else '?'}"


def _contact(found: Json) -> str:
    return f"a contact: {clean(found.get('first_name'))[:80]}"


#: in the order in which they are looked for: an animation is also a document, a venue also a location
MEDIA: dict[str, Callable[[Json], str] | str] = {
    "animation": "a GIF",
    "live_photo": "a live photo",
    "photo": "a photo",
    "sticker": _sticker,
    "voice": "a voice message",
    "audio": "an audio file",
    "video": "a video",
    "video_note": "a video message",
    "document": _document,
    "venue": _place,
    "location": _place,
    "contact": _contact,
    "dice": _dice,
    "poll": _poll,
    "checklist": "a checklist",
    "story": "a story",
    "game": "a game",
    "paid_media": "paid media",
    "invoice": "an invoice",
    "giveaway": "a giveaway",
    "rich_message": "a formatted text that lull cannot read yet",
}


def media_of(message: Json) -> str:
    """What came with a message; empty when it is only text."""
    for name, words in MEDIA.items():
        found = message.get(name)
        if found is None:
            continue
        return words if isinstance(words, str) else words(found if isinstance(found, dict) else {})
    return ""


def file_ids_of(message: Json) -> tuple[str, ...]:
    """Telegram's ids of the files of a message; of a photo the largest size."""
    photo = message.get("photo")
    if isinstance(photo, list) and photo and isinstance(photo[-1], dict):
        return (clean(photo[-1].get("file_id")),)
    for name in MEDIA:
        found = message.get(name)
        if isinstance(found, dict) and isinstance(found.get("file_id"), str):
            return (clean(found["file_id"]),)
    return ()
