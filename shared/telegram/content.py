"""The kinds of content that a message can have, as one table: another kind of media is one more row."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from shared.models.update import Json
from shared.telegram.envelope import is_id
from shared.telegram.text import MOST_FILES, clean, files_in, name_of, rich_text

#: a name or a title that is longer is cut
LONGEST_NAME = 80
#: of a poll's options and a checklist's tasks together
LONGEST_LIST = 400


def _called(kind: str, *names: object, between: str = " ") -> str:
    """What it is, and what it is called, if it is."""
    name = between.join(one[:LONGEST_NAME] for one in map(clean, names) if one)
    return f"{kind}: {name}" if name else kind


def _sticker(content: Json) -> str:
    """With the name of its emoji, which tells more than a drawing of it: "a sticker: 😂 face with tears of joy"."""
    emoji = clean(content.get("emoji"))
    return _called("a sticker", emoji, _emoji_name(emoji))


#: what joins the parts of an emoji, and what chooses how it is drawn
_JOINING = frozenset("\u200d\ufe0e\ufe0f")
#: what Unicode calls otherwise than people do
_SPOKEN = {
    "\u20e3": "keycap",
    "\U0001f3fb": "light skin tone",
    "\U0001f3fc": "medium-light skin tone",
    "\U0001f3fd": "medium skin tone",
    "\U0001f3fe": "medium-dark skin tone",
    "\U0001f3ff": "dark skin tone",
}
#: of an emoji, in code points: the longest have ten, beside what joins them
_LONGEST_EMOJI = 24


def _emoji_name(emoji: str) -> str:
    """The names of all its code points; of a flag the letters of its country: "flag DE", "flag GB-SCT"."""
    letters = "".join(map(_flag_letter, emoji[:_LONGEST_EMOJI]))
    if letters and emoji[:1] == "\N{WAVING BLACK FLAG}":
        return f"flag {letters[:2]}-{letters[2:]}"
    if letters:
        return f"flag {letters}"
    parts = (one for one in emoji[:_LONGEST_EMOJI] if one not in _JOINING)
    return ", ".join(filter(None, (_SPOKEN.get(one) or unicodedata.name(one, "").lower() for one in parts)))


def _flag_letter(character: str) -> str:
    """The capital letter that a regional indicator or a tag stands for; empty for anything else."""
    firsts = ("\U0001f1e6", "\U000e0061")
    places = [ord(character) - ord(first) for first in firsts]
    return next((chr(ord("A") + place) for place in places if 0 <= place < 26), "")


def _document(content: Json) -> str:
    return _called("a file", content.get("file_name"))


def _audio(content: Json) -> str:
    name = content.get("title") or content.get("file_name")
    return _called("an audio file", content.get("performer"), name, between=", ")


def _poll(content: Json) -> str:
    kind = "a quiz" if content.get("type") == "quiz" else "a poll"
    return f"{kind}: {clean(content.get('question'))[:300]}{_listed(content.get('options'))}"


def _checklist(content: Json) -> str:
    return f"{_called('a checklist', content.get('title'))}{_listed(content.get('tasks'))}"


def _listed(content: object) -> str:
    """The texts of a poll's options or a checklist's tasks, those that are done marked as such."""
    items = [item for item in content if isinstance(item, dict)] if isinstance(content, list) else []
    texts = (f"{clean(item.get('text'))}{' (done)' if item.get('completion_date') else ''}" for item in items)
    line = "; ".join(text for text in texts if text)
    return f" ({line if len(line) <= LONGEST_LIST else f'{line[:LONGEST_LIST]}…'})" if line else ""


def _venue(content: Json) -> str:
    place = content.get("location")
    at = _coordinates(place) if isinstance(place, dict) else ""
    return _called("a place", content.get("title"), content.get("address"), at, between=", ")


def _location(content: Json) -> str:
    return _called("a live location" if content.get("live_period") else "a location", _coordinates(content))


def _coordinates(place: Json) -> str:
    """Latitude and longitude in degrees, to a metre; empty for what is none."""
    numbers = [place.get(name) for name in ("latitude", "longitude")]
    degrees = [n for n in numbers if isinstance(n, int | float) and abs(n) <= 180]
    return ", ".join(f"{n:.5f}" for n in degrees) if len(degrees) == len(numbers) else ""


def _dice(content: Json) -> str:
    value = content.get("value")
    return f"a throw of {clean(content.get('emoji'))}: {value if is_id(value) else '?'}"


def _contact(content: Json) -> str:
    phone = clean(content.get("phone_number"))[:LONGEST_NAME]
    return f"{_called('a contact', content.get('first_name'), content.get('last_name'))}{f', {phone}' if phone else ''}"


def _story(content: Json) -> str:
    chat = content.get("chat")
    return _called("a story", name_of(chat) or "someone") if isinstance(chat, dict) else "a story"


def _titled(kind: str) -> Callable[[Json], str]:
    return lambda content: _called(kind, content.get("title"))


def _rich(content: Json) -> str:
    files = [media_of(alone) for alone in files_in(content)][:MOST_FILES]
    if files:
        return files[0] if len(files) == 1 else f"{len(files)} files within the text"
    return "" if rich_text(content).strip() else "a formatted message without words"


@dataclass(frozen=True, kw_only=True)
class ContentKind:
    """A kind of content: how it is told in a prompt, whether somebody says something with it, and whether it is a file.

    For what is said in a private chat, somebody is seen typing; if it can't be read, whoever waits for an answer is
    told so.
    """

    #: the field of a Message that holds it (core.telegram.org/bots/api#message)
    field: str
    #: plain words for it, or what makes them of its object; empty: it is text, which speaks for itself
    words: Callable[[Json], str] | str = ""
    #: rather than something that happened: service messages tell of that
    is_said: bool = True
    #: whether its words are those of somebody who is not in the chat: of another's story, of a bot's game
    is_from_elsewhere: bool = False
    #: what its file is (shared/models/media.py), for what is a file
    media: str = ""

    def words_for(self, content: object) -> str:
        """The words for what the field holds."""
        if isinstance(self.words, str):
            return self.words
        return self.words(content if isinstance(content, dict) else {})


#: in the order in which they are looked for: an animation is also a document, a venue also a location, and a live
#: photo also a photo, whose still picture is its file
CONTENT = (
    ContentKind(field="text"),
    ContentKind(field="caption"),
    ContentKind(field="animation", words="a GIF", media="animation"),
    ContentKind(field="live_photo", words="a live photo"),
    ContentKind(field="photo", words="a photo", media="photo"),
    ContentKind(field="sticker", words=_sticker, media="sticker"),
    ContentKind(field="voice", words="a voice message", media="voice"),
    ContentKind(field="audio", words=_audio, media="audio"),
    ContentKind(field="video", words="a video", media="video"),
    ContentKind(field="video_note", words="a video message", media="video_note"),
    ContentKind(field="document", words=_document, media="document"),
    ContentKind(field="venue", words=_venue),
    ContentKind(field="location", words=_location),
    ContentKind(field="contact", words=_contact),
    ContentKind(field="dice", words=_dice),
    ContentKind(field="poll", words=_poll),
    ContentKind(field="checklist", words=_checklist),
    ContentKind(field="story", words=_story, is_from_elsewhere=True),
    ContentKind(field="game", words=_titled("a game"), is_from_elsewhere=True),
    ContentKind(field="paid_media", words="paid media"),
    ContentKind(field="invoice", words=_titled("an invoice"), is_said=False, is_from_elsewhere=True),
    ContentKind(field="giveaway", words="a giveaway", is_said=False),
    ContentKind(field="rich_message", words=_rich),
)
_SAID = frozenset(kind.field for kind in CONTENT if kind.is_said)


def is_said(message: Json) -> bool:
    """Whether somebody says something with a message; otherwise it tells of something that happened."""
    return not _SAID.isdisjoint(message)


def media_of(message: Json) -> str:
    """What came with a message, in plain words; empty when it is only text."""
    pairs = ((kind, message.get(kind.field)) for kind in CONTENT)
    words = next(filter(None, (kind.words_for(content) for kind, content in pairs if content is not None)), "")
    return f"{words}, covered as a spoiler" if words and message.get("has_media_spoiler") is True else words
