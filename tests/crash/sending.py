"""Stories in which files are described while lull is killed: a photo, a voice note, and a file whose task is lost."""

import itertools

from tests.crash.queues import Queues
from tests.crash.stories import Story, Tell, reply, send, whole
from tests.shared.reader.decode import files
from tests.stories.play import Chat, Person, until

ANSWERING = frozenset({"tick", "describe_media"})
_sizes = itertools.count(60)


def photo(token: str) -> Story:
    """A photo with a question: the answer uses the picture itself, and the description follows."""
    said = f"A red thing and a blue one, {token}."
    content = files.photo(next(_sizes), 40)
    return Story(
        _sends("photo", content, f"what is this, {token}?"),
        (reply(token, send(said)),),
        (whole(said),),
        struck=ANSWERING,
    )


def voice(token: str) -> Story:
    """A voice note that waits for its transcript: it is answered once, with or without the transcript."""
    said = f"I have heard you, {token}."
    content = files.sound(seconds=next(_sizes) / 100)
    return Story(_sends("voice", content, token), (reply(token, send(said)),), (whole(said),), struck=ANSWERING)


def left_over(token: str) -> Story:
    """The queue loses the task of a photo: the sweep finds the file."""
    said = f"Two colours, {token}."
    content = files.photo(next(_sizes), 40)

    async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
        async with queues.media.paused():
            written = await _sends("photo", content, f"what is this, {token}?")(chat, person, queues)
            await chat.answers()
            await until(queues.media.due, "it is to be described")
            await queues.media.purge()
        return written

    return Story(tell, (reply(token, send(said)),), (whole(said),), struck=frozenset({"describe_media", "summarize"}))


def _sends(kind: str, content: bytes, caption: str) -> Tell:
    async def tell(chat: Chat, person: Person, _: Queues) -> list[int]:
        return [await chat.sends(person, kind, content, caption)]

    return tell
