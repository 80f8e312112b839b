"""Test cases for `make bench NAME=decisions`, made from the owner's verdicts (marks).

A case has the last messages of a chat, and says whether to answer the last one. The benchmark's data name people by
nicks without spaces, as IRC does, and know no replies. So a reply begins with the nick of the person replied to.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shared.base.text import Entity, EntityType
from shared.console.marks import FirestoreMarks
from shared.values.chat_key import ChatKey
from shared.values.decision import DecisionTier
from shared.values.mark import Mark
from shared.values.message import AnyEntry, Author, Message

#: lines before the marked one
CONTEXT_LINES: Final = 15
#: pages that are read for a case; a page has at least one entry, and usually a message with its answer
PAGES: Final = 20
_NOT_IN_NICKS: Final = re.compile(r"[\s,;:<>()\"?!@\[\]]+")
_UTF16: Final = "utf-16-le"


async def case_of(marks: FirestoreMarks, mark: Mark, name: str, username: str) -> dict[str, Any] | None:
    """Return the test case for a marked message; None if the message is gone, or is not a text in a group.

    `name` and `username` are the agent's.
    """
    if ChatKey.from_id(mark.chat).chat_id >= 0:
        return None  # in a private chat every message is for the agent
    entries = await marks.entries_up_to(mark.conversation, mark.seq, PAGES)
    return case_in(entries, mark, name, username)


def case_in(entries: Sequence[AnyEntry], mark: Mark, name: str, username: str) -> dict[str, Any] | None:
    """Return the test case for a marked message. None if the last line in `entries` is another one, or the agent's."""
    said = [one for one in entries if isinstance(one, Message) and _is_line(one)]
    if not said or said[-1].seq != mark.seq or said[-1].author.is_agent:
        return None
    nicks = Nicks.of(said, name, username)
    *before, marked = said[-1 - CONTEXT_LINES :]
    return {
        "file": mark.conversation,
        "bot": nicks.agent,
        "sender": nicks.of_author(marked.author),
        "text": nicks.line(marked),
        "label_reply": mark.should_answer,
        "context": [[nicks.of_author(one.author), nicks.line(one)] for one in before],
        "verdict": mark.verdict.value,
        "answered": mark.answered,
    }


def case_lines(cases: Iterable[dict[str, Any]]) -> str:
    """Return cases as JSON Lines, as the benchmark reads them."""
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in cases)


def _is_line(message: Message) -> bool:
    """Return whether a message counts as a line of the chat: it has a text, and models may see it."""
    is_refused = message.decision is not None and message.decision.tier is DecisionTier.ACCESS
    return bool(message.text.strip()) and not (message.is_service or message.is_command or is_refused)


@dataclass(frozen=True)
class Nicks:
    """The nicks of a chat's participants. `agent` is the nick of the agent."""

    agent: str
    people: dict[int, str] = field(default_factory=dict)
    usernames: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Sequence[Message], name: str, username: str) -> "Nicks":
        """Return the nicks of these messages' authors: the first word of a name, or the whole name if that is taken.

        `name` and `username` are the agent's.
        """
        nicks = cls(_nick(name), usernames={username.casefold(): _nick(name)} if username else {})
        taken = {nicks.agent.casefold()}
        for author in {one.author.known_id: one.author for one in said}.values():
            free = (one for one in _candidates(author) if one.casefold() not in taken)
            nick = nicks.agent if author.is_agent else next(free)
            taken.add(nick.casefold())
            nicks.people[author.known_id] = nick
            if author.username:
                nicks.usernames[author.username.casefold()] = nick
        return nicks

    def of_author(self, author: Author) -> str:
        return self.people.get(author.known_id, self.agent if author.is_agent else _nick(author.name))

    def line(self, message: Message) -> str:
        """Return a message as one line. Mentioned people, and the person replied to, appear as nicks."""
        text = " ".join(self._with_nicks(message.text, message.entities).split())
        replied = message.replied_to
        nick = self.of_author(replied) if replied is not None and replied.known_id != message.author.known_id else ""
        is_named = not nick or text.casefold().startswith(nick.casefold())
        return text if is_named else f"{nick}: {text}"

    def _with_nicks(self, text: str, entities: Iterable[Entity]) -> str:
        raw = text.encode(_UTF16)
        for entity in sorted(entities, key=lambda one: -one.offset):
            start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
            named = raw[start:end].decode(_UTF16, errors="replace").removeprefix("@").casefold()
            nick = self.usernames.get(named) if entity.type is EntityType.MENTION else None
            if entity.type is EntityType.TEXT_MENTION and entity.user_id is not None:
                nick = self.people.get(entity.user_id)
            if nick:
                raw = raw[:start] + nick.encode(_UTF16) + raw[end:]
        return raw.decode(_UTF16, errors="replace")


def _candidates(author: Author) -> Iterator[str]:
    first, whole = _nick(author.name.split(" ")[0]), _nick(author.name)
    yield first
    yield whole
    number = 2
    while True:
        yield f"{whole}_{number}"
        number += 1


def _nick(name: str) -> str:
    return _NOT_IN_NICKS.sub("_", name.strip()).strip("_") or "somebody"
