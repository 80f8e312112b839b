"""What came with a message, in plain words, until it is described."""

from collections.abc import Callable

from shared.models.update import Json
from shared.telegram.authors import author_from_chat
from shared.telegram.envelope import is_id
from shared.telegram.text import clean, rich_text

#: a name or a title that is longer is cut
LONGEST_NAME = 80
#: of a poll's options and a checklist's tasks together
LONGEST_LIST = 400


def _called(kind: str, *names: object, between: str = " ") -> str:
    """What it is, and what it is called, if it is."""
    name = between.join(one[:LONGEST_NAME] for one in map(clean, names) if one)
    return f"{kind}: {name}" if name else kind


def _sticker(found: Json) -> str:
    return _called("a sticker", found.get("emoji"))


def _document(found: Json) -> str:
    return _called("a file", found.get("file_name"))


def _audio(found: Json) -> str:
    name = found.get("title") or found.get("file_name")
    return _called("an audio file", found.get("performer"), name, between=", ")


def _poll(found: Json) -> str:
    kind = "a quiz" if found.get("type") == "quiz" else "a poll"
    return f"{kind}: {clean(found.get('question'))[:300]}{_listed(found.get('options'))}"


def _checklist(found: Json) -> str:
    return f"{_called('a checklist', found.get('title'))}{_listed(found.get('tasks'))}"


def _listed(found: object) -> str:
    """The texts of a poll's options or a checklist's tasks, those that are done marked as such."""
    items = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
    texts = (f"{clean(item.get('text'))}{' (done)' if item.get('completion_date') else ''}" for item in items)
    line = "; ".join(text for text in texts if text)
    return f" ({line if len(line) <= LONGEST_LIST else f'{line[:LONGEST_LIST]}…'})" if line else ""


def _venue(found: Json) -> str:
    place = found.get("location")
    at = _coordinates(place) if isinstance(place, dict) else ""
    return _called("a place", found.get("title"), found.get("address"), at, between=", ")


def _location(found: Json) -> str:
    return _called("a live location" if found.get("live_period") else "a location", _coordinates(found))


def _coordinates(place: Json) -> str:
    """Latitude and longitude in degrees, to a metre; empty for what is none."""
    numbers = [place.get(name) for name in ("latitude", "longitude")]
    degrees = [n for n in numbers if isinstance(n, int | float) and abs(n) <= 180]
    return ", ".join(f"{n:.5f}" for n in degrees) if len(degrees) == len(numbers) else ""


def _dice(found: Json) -> str:
    value = found.get("value")
    return f"a throw of {clean(found.get('emoji'))}: {value if is_id(value) else '?'}"


def _contact(found: Json) -> str:
    phone = clean(found.get("phone_number"))[:LONGEST_NAME]
    return f"{_called('a contact', found.get('first_name'), found.get('last_name'))}{f', {phone}' if phone else ''}"


def _story(found: Json) -> str:
    chat = found.get("chat")
    return _called("a story", author_from_chat(chat).name) if isinstance(chat, dict) else "a story"


def _titled(kind: str) -> Callable[[Json], str]:
    return lambda found: _called(kind, found.get("title"))


def _rich(found: Json) -> str:
    return "" if rich_text(found).strip() else "a formatted message without words"


#: in the order in which they are looked for: an animation is also a document, a venue also a location
MEDIA: dict[str, Callable[[Json], str] | str] = {
    "animation": "a GIF",
    "live_photo": "a live photo",
    "photo": "a photo",
    "sticker": _sticker,
    "voice": "a voice message",
    "audio": _audio,
    "video": "a video",
    "video_note": "a video message",
    "document": _document,
    "venue": _venue,
    "location": _location,
    "contact": _contact,
    "dice": _dice,
    "poll": _poll,
    "checklist": _checklist,
    "story": _story,
    "game": _titled("a game"),
    "paid_media": "paid media",
    "invoice": _titled("an invoice"),
    "giveaway": "a giveaway",
    "rich_message": _rich,
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
