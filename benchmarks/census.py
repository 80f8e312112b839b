"""The census after a run: compares the transcripts with the messages that people see, to find lost and doubled
messages.
"""

import os
from collections import Counter
from collections.abc import AsyncIterator, Hashable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.outages.names import names_in
from local.cloud import LocalCloud
from shared.chat.store import paths
from shared.chat.store.queries import PAGES
from shared.chat.store.transcripts import readable
from shared.values.message import AnyEntry, Message

#: The official client reads the emulator's address only from this environment variable. Later runs in the same process
#: have another address
EMULATOR = "FIRESTORE_EMULATOR_HOST"


@dataclass(frozen=True)
class Compared:
    """The number of missing items, and the number of surplus items."""

    lost: int = 0
    doubled: int = 0

    def __add__(self, other: "Compared") -> "Compared":
        """Return the sum of both."""
        return Compared(self.lost + other.lost, self.doubled + other.doubled)


def compare(expected: Iterable[Hashable], kept: Iterable[Hashable]) -> Compared:
    """Return how many of the `expected` items are not in `kept`, and how many items in `kept` are repetitions."""
    counts = Counter(kept)
    wanted = set(expected)
    return Compared(len(wanted - counts.keys()), sum(count - 1 for count in counts.values()))


@dataclass(frozen=True)
class Line:
    """A message as people see it in Telegram."""

    text: str
    is_agent: bool


def unanswered_names(lines: Iterable[Line], wanted: Iterable[str]) -> list[str]:
    """Return those of the `wanted` names that remain unanswered: after the line in which a person wrote the name, no
    line of the agent repeats the name, and no line of the agent is an apology.
    """
    waiting: list[str] = []
    asked = set(wanted)
    for line in lines:
        named = names_in(line.text)
        if not line.is_agent:
            waiting += [name for name in named if name in asked]
        elif is_excuse(line):
            waiting = []
        else:
            waiting = [name for name in waiting if name not in named]
    return waiting


def is_excuse(line: Line) -> bool:
    """Return whether the line is an apology that lull itself wrote for the agent. The model's answers always contain a
    name, apologies never do.

    An apology answers everything that was written before it. The same apology may occur more than once.
    """
    return line.is_agent and not names_in(line.text)


def said_twice(lines: Iterable[Line]) -> int:
    """Return how many of the agent's answers repeat an earlier answer."""
    said = Counter(line.text for line in lines if line.is_agent and not is_excuse(line))
    return sum(count - 1 for count in said.values())


def planned_twice(entries: Iterable[AnyEntry]) -> int:
    """Return how many of the agent's messages repeat a message of the same plan. The plans of these measures contain no
    text twice.
    """
    said = Counter((e.plan, e.text) for e in entries if isinstance(e, Message) and e.author.is_agent)
    return sum(count - 1 for count in said.values())


def people_said(entries: Iterable[AnyEntry]) -> list[str]:
    """Return the texts that people wrote in a transcript."""
    return [e.text for e in entries if isinstance(e, Message) and not e.author.is_agent]


def agent_said(entries: Iterable[AnyEntry]) -> list[str]:
    """Return the texts that the agent wrote in a transcript."""
    return [e.text for e in entries if isinstance(e, Message) and e.author.is_agent]


def updates_in(entries: Iterable[AnyEntry]) -> list[int]:
    """Return the ids of the updates from which the entries were made."""
    return [update for entry in entries for update in entry.updates]


@asynccontextmanager
async def firestore_of(cloud: LocalCloud) -> AsyncIterator[AsyncClient]:
    """Yield a client of Firestore that bypasses relays and meters."""
    before = os.environ.get(EMULATOR)
    os.environ[EMULATOR] = cloud.firestore_host
    client = AsyncClient(project=cloud.project)
    try:
        yield client
    finally:
        client.close()  # type: ignore[no-untyped-call]
        del os.environ[EMULATOR]
        if before is not None:
            os.environ[EMULATOR] = before


async def transcripts(firestore: AsyncClient) -> Mapping[int, Sequence[AnyEntry]]:
    """Return the entries of every chat's transcript in order, by Telegram's id of the chat."""
    chats = [chat async for chat in firestore.collection(paths.CHATS).stream()]
    conversations = [(int(chat.get("key.chat_id")), chat.get("conversation")) for chat in chats]
    found: dict[int, list[AnyEntry]] = {chat_id: [] for chat_id, _ in conversations}
    for chat_id, conversation in conversations:
        if conversation:
            pages = PAGES.on(firestore.document(paths.conversation_path(conversation)))
            async for page in pages.stream():
                found[chat_id] += readable([page])
    return found


async def incidents(firestore: AsyncClient) -> Counter[str]:
    """Return the number of incidents by kind."""
    return Counter(
        [
            str((incident.to_dict() or {}).get("kind"))
            async for incident in firestore.collection(paths.INCIDENTS).stream()
        ]
    )
