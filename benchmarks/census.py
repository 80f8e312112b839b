"""The census after a run: what stands in the transcripts, what people see, and so what was lost or doubled."""

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

#: the official client knows an emulator from the environment alone; what is run later in this process has another
EMULATOR = "FIRESTORE_EMULATOR_HOST"


@dataclass(frozen=True)
class Compared:
    """How many things that were to be kept are missing, and how many are there once more than they should be."""

    lost: int = 0
    doubled: int = 0

    def __add__(self, other: "Compared") -> "Compared":
        """Both together."""
        return Compared(self.lost + other.lost, self.doubled + other.doubled)


def compared(expected: Iterable[Hashable], kept: Iterable[Hashable]) -> Compared:
    """What was lost or doubled on the way from what was expected, each thing once, to what was kept."""
    counts = Counter(kept)
    wanted = set(expected)
    return Compared(len(wanted - counts.keys()), sum(count - 1 for count in counts.values()))


@dataclass(frozen=True)
class Line:
    """A message as people see it in Telegram."""

    text: str
    is_agent: bool


def unanswered(lines: Iterable[Line], wanted: Iterable[str]) -> list[str]:
    """The names, of those wanted, that people wrote and no later line of the agent's repeats, or excuses."""
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
    """Whether the agent says a sentence of lull's own instead of an answer, which always names something.

    It speaks for all that was written before it, and may be repeated.
    """
    return line.is_agent and not names_in(line.text)


def said_twice(lines: Iterable[Line]) -> int:
    """How many answers of the agent's say the same as one before."""
    said = Counter(line.text for line in lines if line.is_agent and not is_excuse(line))
    return sum(count - 1 for count in said.values())


def planned_twice(entries: Iterable[AnyEntry]) -> int:
    """How many of the agent's messages say what the same plan had said already; no plan of a census repeats itself."""
    said = Counter((e.plan, e.text) for e in entries if isinstance(e, Message) and e.author.is_agent)
    return sum(count - 1 for count in said.values())


def people_said(entries: Iterable[AnyEntry]) -> list[str]:
    """What people wrote, from a transcript."""
    return [e.text for e in entries if isinstance(e, Message) and not e.author.is_agent]


def agent_said(entries: Iterable[AnyEntry]) -> list[str]:
    """What the agent wrote, from a transcript."""
    return [e.text for e in entries if isinstance(e, Message) and e.author.is_agent]


def updates_in(entries: Iterable[AnyEntry]) -> list[int]:
    """The updates that the entries came from."""
    return [update for entry in entries for update in entry.updates]


@asynccontextmanager
async def firestore_of(cloud: LocalCloud) -> AsyncIterator[AsyncClient]:
    """A client that asks Firestore directly, whatever stands between it and the functions."""
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
    """Every transcript by Telegram's id of the chat, its entries in their order."""
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
    """How many incidents of each kind there are."""
    return Counter(
        [
            str((incident.to_dict() or {}).get("kind"))
            async for incident in firestore.collection(paths.INCIDENTS).stream()
        ]
    )
