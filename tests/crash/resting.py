"""The stories in which a conversation rests while lull is killed: it is noted, and its chat is summarised.

Both go the whole way: the sweep has what rests looked for, that has each conversation noted, and that has its chat
summarised, each by a task in the background.
"""

import json
from datetime import UTC, datetime, timedelta

from tests.crash.noting import NOTING, comes_to_rest, had_summaries
from tests.crash.queues import Queues
from tests.crash.stories import Noted, Story, Tell, reply, send, whole, writes
from tests.stories.play import Chat, Json, Person, until

STRUCK = frozenset({NOTING})
#: with the fifth turn comes the first title
TURNS = ("first", "second", "third", "fourth", "fifth")
#: words of a message: so that a conversation has more than one segment
WORDS = 60
#: longer ago than any summary may be old
LONG_AGO = timedelta(days=20)
TITLE, TOPICS = "Five lines of talk", ("line", "talk")


def notes(token: str) -> Story:
    """Five turns, the last of which has a title given; then the conversation rests, and is noted."""
    written = [f"{nth} line of {token}, {'and more ' * (WORDS // 2)}" for nth in TURNS]
    said = [f"I have read the {nth} line of {token}." for nth in TURNS]
    observed = {1: f"Ann began with {token}.", 3: f"Ann went on with {token}.", 9: f"Ann ended with {token}."}
    noted = Noted(f"Five lines of {token}.", TITLE, TOPICS, tuple(observed.values()), calls=2)
    seen = [
        {"text": text, "about": [], "happened": "", "entries": [seq], "supersedes": ""}
        for seq, text in observed.items()
    ]
    answers = [reply(f"{nth} line of {token}", send(text)) for nth, text in zip(TURNS, said, strict=True)]
    replies = (
        _asked(token, "Write the title now.", title=TITLE, topics=list(TOPICS)),
        _asked(token, "Write the notes now.", abbreviation=noted.abbreviation, observations=seen),
        *answers[::-1],  # what was written last tells what the prompt holds
    )
    return Story(_rests(*written), replies, tuple(map(whole, said)), job="sweep", struck=STRUCK, noted=noted)


def summary(token: str) -> Story:
    """One turn in a chat whose two summaries are old: it is noted, and both summaries are made anew."""
    answer = f"I am here, {token}."
    noted = Noted(f"Somebody asked for {token}.", summary=f"Ann asked for {token}.", calls=3)
    replies = (
        _asked(token, "Write the notes now.", abbreviation=noted.abbreviation, observations=[]),
        _asked(token, "Write the record of these days now.", summary=noted.summary),
        reply(token, send(answer)),
    )

    async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
        await had_summaries(chat, "It was long ago.", datetime.now(UTC) - LONG_AGO)
        return await _rests(f"is anybody there, {token}?")(chat, person, queues)

    return Story(tell, replies, (whole(answer),), job="sweep", struck=STRUCK, noted=noted)


def _rests(*texts: str) -> Tell:
    """Somebody writes and is answered, each time; then the conversation rests."""

    async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
        written: list[int] = []
        for text in texts:
            written += await writes(text)(chat, person, queues)
            await chat.answers()
        await chat.rests()
        await until(queues.are_empty, "what was asked for in the background is done")
        await comes_to_rest(chat)
        return written

    return tell


def _asked(token: str, how: str, **given: object) -> Json:
    """What the model answers when it is asked for something about a play."""
    return {"match": f"(?s){token}.*{how}", "times": None, "text": json.dumps(given)}
