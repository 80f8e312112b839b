"""The kinds of content that a message can have, as one table. A new kind of content is a new row."""

from collections.abc import Callable
from dataclasses import dataclass

from shared.telegram.inbound.envelope import is_id, object_in
from shared.telegram.inbound.text import MOST_FILES, clean, files_in, name_of, rich_text
from shared.values.stickers import emoji_name
from shared.values.update import Json

#: the maximum characters of a name or a title
LONGEST_NAME = 80
#: the maximum characters of a prize, or of a poll's description
LONGEST_TOLD = 1_000
#: the maximum characters of all the options of a poll, or of all the tasks of a checklist
LONGEST_LIST = 3_600


def _with_name(kind: str, *names: object, between: str = " ") -> str:
    """Return the words for a kind of content, followed by those of the `names` that are not empty."""
    name = between.join(one[:LONGEST_NAME] for one in map(clean, names) if one)
    return f"{kind}: {name}" if name else kind


def _sticker(content: Json) -> str:
    """Return words for a sticker, with its emoji and the emoji's name: "a sticker: 😂 face with tears of joy"."""
    emoji = clean(content.get("emoji"))
    return _with_name("a sticker", emoji, emoji_name(emoji))


def _document(content: Json) -> str:
    return _with_name("a file", content.get("file_name"))


def _audio(content: Json) -> str:
    name = content.get("title") or content.get("file_name")
    return _with_name("an audio file", content.get("performer"), name, between=", ")


def _poll(content: Json) -> str:
    kind = "a quiz" if content.get("type") == "quiz" else "a poll"
    told = (f"{name}: {text}" for name in ("description", "explanation") if (text := clean(content.get(name))))
    closed = ", closed" if content.get("is_closed") is True else ""
    question = f"{kind}{closed}: {clean(content.get('question'))[:300]}{_item_list(content.get('options'))}"
    return "; ".join((question, *(one[:LONGEST_TOLD] for one in told)))


def _checklist(content: Json) -> str:
    return f"{_with_name('a checklist', content.get('title'))}{_item_list(content.get('tasks'))}"


def _item_list(content: object) -> str:
    """Return the texts of a poll's options or a checklist's tasks, each with its votes or "done"."""
    items = [item for item in content if isinstance(item, dict)] if isinstance(content, list) else []
    texts = (f"{clean(item.get('text'))}{_state(item)}" for item in items)
    line = "; ".join(text for text in texts if text)
    return f" ({line if len(line) <= LONGEST_LIST else f'{line[:LONGEST_LIST]}…'})" if line else ""


def _state(item: Json) -> str:
    """Return the state of an item: "done", its votes, or ""."""
    votes = item.get("voter_count")
    if is_id(votes) and votes > 0:
        return f" ({votes} vote{'s' if votes > 1 else ''})"
    return " (done)" if item.get("completion_date") else ""


def _giveaway(content: Json) -> str:
    count, prize = content.get("winner_count"), clean(content.get("prize_description"))[:LONGEST_TOLD]
    winners = f"{count} winner{'s' if count > 1 else ''}" if is_id(count) and count > 0 else ""
    told = ", ".join(filter(None, (winners, prize)))
    return f"a giveaway: {told}" if told else "a giveaway"


def _winners(content: Json) -> str:
    people, prize = content.get("winners"), clean(content.get("prize_description"))[:LONGEST_TOLD]
    names = [name_of(one) for one in people if isinstance(one, dict)] if isinstance(people, list) else []
    told = "; ".join(filter(None, (", ".join(filter(None, names))[:LONGEST_LIST], prize)))
    return f"the winners of a giveaway: {told}" if told else "the winners of a giveaway"


def _venue(content: Json) -> str:
    place = content.get("location")
    at = _coordinates(place) if isinstance(place, dict) else ""
    return _with_name("a place", content.get("title"), content.get("address"), at, between=", ")


def _location(content: Json) -> str:
    return _with_name("a live location" if content.get("live_period") else "a location", _coordinates(content))


def _coordinates(place: Json) -> str:
    """Return latitude and longitude in degrees, precise to about a metre; "" if they are missing."""
    numbers = [place.get(name) for name in ("latitude", "longitude")]
    degrees = [n for n in numbers if isinstance(n, int | float) and abs(n) <= 180]
    return ", ".join(f"{n:.5f}" for n in degrees) if len(degrees) == len(numbers) else ""


def _dice(content: Json) -> str:
    value = content.get("value")
    return f"a throw of {clean(content.get('emoji'))}: {value if is_id(value) else '?'}"


def _contact(content: Json) -> str:
    phone = clean(content.get("phone_number"))[:LONGEST_NAME]
    return (
        f"{_with_name('a contact', content.get('first_name'), content.get('last_name'))}{f', {phone}' if phone else ''}"
    )


def _story(content: Json) -> str:
    chat = content.get("chat")
    return _with_name("a story", name_of(chat) or "someone") if isinstance(chat, dict) else "a story"


def _invoice(content: Json) -> str:
    told = clean(content.get("description"))[:LONGEST_TOLD]
    return f"{_with_name('an invoice', content.get('title'))}{f', {told}' if told else ''}"


def _with_title(kind: str) -> Callable[[Json], str]:
    return lambda content: _with_name(kind, content.get("title"))


def _rich(content: Json) -> str:
    files = [media_of(alone) for alone in files_in(content)][:MOST_FILES]
    if files:
        return files[0] if len(files) == 1 else f"{len(files)} files within the text"
    return "" if rich_text(content).strip() else "a formatted message without words"


@dataclass(frozen=True, kw_only=True)
class ContentKind:
    """A kind of content: its words in a prompt, whether a person says something with it, and whether it is a file.

    If a person says something with it in a private chat, Telegram shows that the agent is typing, and the agent tells
    the person if the update cannot be read.
    """

    #: the name of the field in a Message (core.telegram.org/bots/api#message)
    field: str
    #: plain words for the content, or a function that makes words from the field's value; empty for text
    words: Callable[[Json], str] | str = ""
    #: whether a person says something with it; if not, it reports an event, as service messages do
    is_said: bool = True
    #: whether somebody outside of the chat worded it, for example a story by somebody else or a bot's game
    is_from_elsewhere: bool = False
    #: the MediaKind of its file (shared/values/media.py); "" if it is no file
    media: str = ""

    def words_for(self, content: object) -> str:
        """Return plain words for content of this kind. `content` is the value of the message's field."""
        if isinstance(self.words, str):
            return self.words
        return self.words(content if isinstance(content, dict) else {})


#: in the order of the search, since some messages have several of these fields: an animation is also a document, a
#: venue is also a location, and a live photo is also a photo, whose still picture is the file that is used
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
    ContentKind(field="game", words=_with_title("a game"), is_from_elsewhere=True),
    ContentKind(field="paid_media", words="paid media"),
    ContentKind(field="invoice", words=_invoice, is_said=False, is_from_elsewhere=True),
    ContentKind(field="giveaway", words=_giveaway, is_said=False),
    ContentKind(field="giveaway_winners", words=_winners, is_said=False),
    ContentKind(field="rich_message", words=_rich),
)
_SAID = frozenset(kind.field for kind in CONTENT if kind.is_said)


def is_said(message: Json) -> bool:
    """Return whether a person says something with this message; if not, it reports an event."""
    return not _SAID.isdisjoint(message)


def media_of(message: Json) -> str:
    """Return plain words for the media of a message; "" if it is only text."""
    pairs = ((kind, message.get(kind.field)) for kind in CONTENT)
    words = next(filter(None, (kind.words_for(content) for kind, content in pairs if content is not None)), "")
    return f"{words}, covered as a spoiler" if words and message.get("has_media_spoiler") is True else words


#: the fields of content that an outsider or another program worded, for example the data of a web app
_FROM_ELSEWHERE = frozenset({kind.field for kind in CONTENT if kind.is_from_elsewhere} | {"web_app_data"})
#: pictures and films, which contain no words of their sender; text in the picture is found when the file is described
_WORDLESS = frozenset({"animation", "photo", "sticker", "video", "video_note"})
_WORDS = frozenset({"text", "caption", "rich_message"})


def holds_outside(message: Json, bot_id: int) -> bool:
    """Return whether a bot made the message, or it contains words by somebody outside of the chat.

    A person's own content counts as the person's, including the names of files, places and contacts, even if a link to
    the agent had prefilled it. `bot_id` is the id of the agent's own bot.
    """
    return _is_worded_elsewhere(message) or _pins(message, bot_id) or _tells_of_bot(message, bot_id)


def _is_worded_elsewhere(message: Json) -> bool:
    """Return whether another program, or somebody outside of the chat, wrote the words in the content. A GIF by a bot
    has no words.
    """
    is_wordless = _WORDS.isdisjoint(message) and not _WORDLESS.isdisjoint(message)
    theirs = {"story"} if _is_own_story(message) else set[str]()
    return not (_FROM_ELSEWHERE - theirs).isdisjoint(message) or ("via_bot" in message and not is_wordless)


def _is_own_story(message: Json) -> bool:
    teller = object_in(object_in(message, "story"), "chat").get("id")
    return teller is not None and teller in {object_in(message, name).get("id") for name in ("from", "sender_chat")}


def _pins(message: Json, bot_id: int) -> bool:
    """Return whether the message pins a forward, a bot's message, or a message with words from outside of the chat.

    The agent's own messages do not count: a pin does not repeat their text, since it is not known here what the agent
    had read when it wrote them.
    """
    pinned = object_in(message, "pinned_message")
    author = object_in(pinned, "from")
    if author.get("id") == bot_id:
        return False
    return author.get("is_bot") is True or "forward_origin" in pinned or _is_worded_elsewhere(pinned)


def _tells_of_bot(message: Json, bot_id: int) -> bool:
    """Return whether the message names another bot that joined or left. That bot's maker chose the name."""
    come = message.get("new_chat_members")
    people = [*(come if isinstance(come, list) else ()), message.get("left_chat_member")]
    return any(isinstance(one, dict) and one.get("is_bot") is True and one.get("id") != bot_id for one in people)
