"""Things that people send in an ordinary talk: one of each kind of content in the Bot API. All are their own and
contain no words of others.
"""

import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from tests import media_files
from tests.shared.reader.decode import files
from tests.stories.play import Chat, Person

Json = dict[str, Any]
#: sends one thing with random details in a chat
Sender = Callable[[Chat, Person, random.Random], Awaitable[object]]

#: the answer of the model that describes files, by words in its request that identify the kind of file: what the file
#: shows, what is written in it, and what is said in it
SEEN: Final[Mapping[str, tuple[str, str, str]]] = {
    "the text of the document begins": ("A shopping list.", "flour, apples, tea", ""),
    "This is a document": ("A drawing of a garden.", "", ""),
    "This is a photo": ("A garden with tomatoes behind a wooden fence, in evening light.", "", ""),
    "This is a sticker": ("A cat that waves both paws.", "", ""),
    "This is a small picture": ("A dancing star.", "", ""),
    "This is an animation": ("A child jumps into a puddle.", "", ""),
    "This is an audio file": ("A calm piece for the piano.", "", ""),
    "This is a video message": ("Somebody at a kitchen table waves.", "", "Hi, I am cooking."),
    "This is a video,": ("Waves on a beach.", "", ""),
    "This is a video.": ("Waves on a beach.", "", ""),
}
#: the transcript of a voice note, unless the voice note is the talk's request
HEARD: Final = "This is a voice message"
GREETING: Final = "Good evening, how are you?"


def _png(dice: random.Random) -> bytes:
    return media_files.png([dice.randrange(256) for _ in range(3)], 40 + dice.randrange(60), 40)


async def _sticker(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends_sticker(who, dice.choice(await chat.stickers())["file_id"])


async def _own_sticker(chat: Chat, who: Person, dice: random.Random) -> None:
    made = await chat.adds_sticker(_png(dice), "🐱", f"Cats{dice.randrange(10**9)}_by_them")
    await chat.sends_sticker(who, made["file_id"])


async def _custom_emoji(chat: Chat, who: Person, dice: random.Random) -> None:
    name = f"Stars{dice.randrange(10**9)}_by_them"
    made = await chat.adds_sticker(_png(dice), "⭐", name, type="custom_emoji")
    entity = {"type": "custom_emoji", "offset": 0, "length": 1, "custom_emoji_id": made["custom_emoji_id"]}
    await chat.writes(who, "⭐ what a day", entities=[entity])


async def _photo(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends_photo(who, _png(dice), dice.choice(("", "my garden", "look!")))


async def _album(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends_album(who, [("photo", _png(dice)) for _ in range(2)], "our trip")


async def _gif(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends(who, "animation", files.film(1.0 + dice.random()))


async def _video(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends(who, "video", files.film(1.0 + dice.random(), sound="aac"))


async def _video_note(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends(who, "video_note", files.film(1.0 + dice.random(), sound="aac"))


async def _voice(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends_voice(who, files.sound(seconds=1.0 + dice.random()))


async def _music(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends(who, "audio", files.sound("mp3", "libmp3lame", 1.0 + dice.random()))


async def _text_file(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends_document(who, f"flour\napples\ntea {dice.random()}\n".encode(), "shopping.txt")


async def _pdf(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends_document(who, files.pdf(text=f"Flour, apples and tea {dice.random()}"), "shopping.pdf")


async def _picture_as_file(chat: Chat, who: Person, dice: random.Random) -> None:
    await chat.sends_document(who, _png(dice), "garden.png")


def _content(make: Callable[[random.Random], Json]) -> Sender:
    async def send(chat: Chat, who: Person, dice: random.Random) -> None:
        await chat.sends_content(who, content=make(dice))

    return send


def _send_text(*texts: str) -> Sender:
    async def send(chat: Chat, who: Person, dice: random.Random) -> None:
        await chat.writes(who, dice.choice(texts))

    return send


async def _send_edit(chat: Chat, who: Person, dice: random.Random) -> None:
    del dice
    sent = await chat.writes(who, "It is raning")
    await chat.writes(who, "It is raining", edit_of=sent)


async def _send_reply(chat: Chat, who: Person, dice: random.Random) -> None:
    said = [m for m in await chat.messages() if not m.get("service")]
    await chat.writes(who, "exactly!", reply_to=dice.choice(said)["message_id"] if said else None)


async def _own_forward(chat: Chat, who: Person, dice: random.Random) -> None:
    """Have somebody forward one of their own messages."""
    sent = await chat.writes(who, dice.choice(("See you at six", "The key is under the mat")))
    await chat.writes(who, "", forward_of={"chat": chat.key, "message_id": sent})


async def _reaction(chat: Chat, who: Person, dice: random.Random) -> None:
    said = [m for m in await chat.messages() if not m.get("service")]
    if said:
        place = f"/world/chats/{chat.key}/messages/{dice.choice(said)['message_id']}/reactions"
        (await chat.telegram.post(place, json={"from": who.id, "emoji": "👍"})).raise_for_status()


def _contact(dice: random.Random) -> Json:
    return {"contact": {"phone_number": f"+38044{dice.randrange(10**7)}", "first_name": "Dr. Olha", "last_name": "K."}}


def _place(dice: random.Random) -> Json:
    at = {"latitude": 50 + dice.random(), "longitude": 30 + dice.random()}
    return {"venue": {"location": at, "title": "Café Blue", "address": "Main Street 5"}}


def _location(dice: random.Random) -> Json:
    return {"location": {"latitude": 50 + dice.random(), "longitude": 30 + dice.random()}}


def _throw(dice: random.Random) -> Json:
    return {"dice": {"emoji": "🎲", "value": 1 + dice.randrange(6)}}


def _poll(dice: random.Random) -> Json:
    options = [{"persistent_id": name, "text": name, "voter_count": 0} for name in ("Tea", "Coffee")]
    told = {"total_voter_count": 0, "is_closed": False, "is_anonymous": True, "allows_multiple_answers": False}
    more = {"allows_revoting": True, "members_only": False, "type": "regular"}
    return {
        "poll": {"id": str(dice.randrange(10**9)), "question": "What to drink?", "options": options, **told, **more}
    }


def _checklist(dice: random.Random) -> Json:
    del dice
    return {"checklist": {"title": "Packing", "tasks": [{"id": 1, "text": "socks"}, {"id": 2, "text": "passport"}]}}


LINKS: Final = (
    "I like this shop: https://shop.example/tea",
    "https://example.org/recipes/soup?id=7",
    "my page is example.com, have a look one day",
    "t.me/durov is who made it",
)
#: things that contain text: after them, a task needs no button press only if a person requests it in their own words
WITH_TEXT: Final = frozenset({"text file", "PDF"})
#: the functions that send the things, by the things' names
THINGS: Final[Mapping[str, Sender]] = {
    "sticker": _sticker,
    "own sticker": _own_sticker,
    "custom emoji": _custom_emoji,
    "photo": _photo,
    "album": _album,
    "GIF": _gif,
    "video": _video,
    "video message": _video_note,
    "voice note": _voice,
    "music": _music,
    "text file": _text_file,
    "PDF": _pdf,
    "picture as a file": _picture_as_file,
    "contact": _content(_contact),
    "place": _content(_place),
    "location": _content(_location),
    "throw": _content(_throw),
    "poll": _content(_poll),
    "checklist": _content(_checklist),
    "link": _send_text(*LINKS),
    "emoji": _send_text("😂😂😂", "❤️", "👍🏽 great"),
    "words": _send_text("what a day", "I am back from work", "so tired"),
    "edit": _send_edit,
    "reply": _send_reply,
    "own words passed on": _own_forward,
    "reaction": _reaction,
}
