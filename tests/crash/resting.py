"""Stories in which a conversation rests while lull is killed: notes are made, and the chat is summarised.

Both take the whole path: the sweep starts the search for resting conversations, the search starts the notes, and the
notes start the summary of the chat, each by a background task.
"""

import json
from datetime import UTC, datetime, timedelta

from tests.crash.noting import NOTING, comes_to_rest, had_summaries
from tests.crash.queues import Queues
from tests.crash.stories import Noted, Story, Tell, reply, send, whole, writes
from tests.stories.play import Chat, Json, Person, until

STRUCK = frozenset({NOTING})
#: the turn of the first title
TURNS = ("first", "second", "third", "fourth", "fifth")
#: words of a message, so many that a conversation has several segments
WORDS = 60
#: more than the largest allowed age of a summary
LONG_AGO = timedelta(days=20)
TITLE, TOPICS = "Five lines of talk", ("line", "talk")


def notes(token: str) -> Story:
    """Five turns, of which the last one triggers a title; then the conversation rests, and notes are made."""
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
        *answers[::-1],  # the last message identifies the prompt
    )
    return Story(_rests(*written), replies, tuple(map(whole, said)), job="sweep", struck=STRUCK, noted=noted)


def summary(token: str) -> Story:
    """One turn in a chat with two old summaries: notes are made, and both summaries are renewed."""
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
    """Have a person write and get answers; then the conversation rests."""

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
    """Return the model's scripted answer to a request about a play."""
    return {"match": f"(?s){token}.*{how}", "times": None, "text": json.dumps(given)}
