"""Marks: the owner's verdicts on whether the agent was right to answer a message, or not to answer it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.responses import Response

from shared.base.text import Entity, EntityType
from shared.chat.store.conversations import FirestoreConversations
from shared.console.marks import FirestoreMarks
from shared.console.replaying import agent_fronts
from shared.console.request import own_chat
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.values.chat_key import ChatKey
from shared.values.decision import DecisionTier
from shared.values.mark import Mark, Verdict
from shared.values.message import AnyEntry, Author, Message

#: marks on one page, and marks in one file of cases; each case reads up to twenty pages of a transcript
PAGE: Final = 50
MOST_CASES: Final = 200
#: pages of a transcript that are searched for the message that an answer belongs to
_PAGES_OF_ANSWER: Final = 10
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
    """Return the test case for a marked message; None if it is the agent's, or is not the last line in `entries`."""
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


async def list_conversation_marks(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the marks of a conversation."""
    await _chat_of(services, request)
    marks = await FirestoreMarks(services.client).of_conversation(request.path["conversation"])
    return {"items": [_json(one) for one in marks if one.agent in request.agents], "next": ""}


async def mark_message(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Mark a person's message. For an answer of the agent, the message that it answers is marked."""
    key = await _chat_of(services, request)
    conversation, seq = request.path["conversation"], request.body.get("seq")
    try:
        verdict = Verdict(str(request.body.get("verdict")))
    except ValueError:
        raise OutdatedPage(f"The verdict must be one of {', '.join(Verdict)}.") from None
    if not isinstance(seq, int) or isinstance(seq, bool) or seq < 1:
        raise OutdatedPage("seq must be the number of a message.")
    marks = FirestoreMarks(services.client)
    message = decided_message(await marks.entries_up_to(conversation, seq, _PAGES_OF_ANSWER), seq)
    if message is None or message.decision is None:
        raise BadRequest("nothing_decided")
    mark = Mark(
        agent=key.agent,
        chat=key.id,
        conversation=conversation,
        seq=message.seq,
        turn=message.turn,
        message_id=message.message_id,
        person=message.author.id,
        answered=message.decision.respond,
        verdict=verdict,
        at=services.clock(),
        by=request.owner,
    )
    async with services.record_change(request, "mark", mark.id):
        await marks.keep(mark)
    return _json(mark)


async def remove_mark(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Delete the owner's verdict on a message."""
    marks = FirestoreMarks(services.client)
    mark = await marks.find(request.path["mark"])
    async with services.record_change(request, "unmark", request.path["mark"]) as click:
        if mark is None and click.is_repeated:
            return {"is_done": True}
        if mark is None or mark.agent not in request.agents:
            raise NotFound
        await marks.remove(mark.id)
    return {"is_done": True}


async def list_marks(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of marks, the newest first, with the number of marks on the page for each verdict."""
    marks = FirestoreMarks(services.client)
    cursor = request.query.get("cursor", "")
    before = await marks.find(cursor) if cursor else None
    if cursor and before is None:
        raise OutdatedPage("The list has changed. Open it again.")
    found = await marks.page(request.agents, before, PAGE + 1)
    return {"items": [_json(one) for one in found[:PAGE]], "next": found[PAGE - 1].id if len(found) > PAGE else ""}


async def export_cases(services: ConsoleServices, request: ConsoleRequest) -> Response:
    """Return the newest marks as a file of cases for `make bench NAME=decisions DATA=file`."""
    marks = FirestoreMarks(services.client)
    found = await marks.page(request.agents, None, MOST_CASES)
    fronts = agent_fronts(services.agent_folders)
    cases = list[dict[str, Any]]()
    async with services.record_change(request, "export_cases"):
        for mark in reversed(found):
            front = fronts.get(mark.agent)
            name, username = (front.name, front.username) if front is not None else (mark.agent, "")
            if (case := await case_of(marks, mark, name, username)) is not None:
                cases.append(case)
    headers = {"Content-Disposition": 'attachment; filename="lull-decisions.jsonl"', "X-Lull-Cases": str(len(cases))}
    return Response(case_lines(cases), media_type="application/jsonl", headers=headers)


def decided_message(entries: Sequence[AnyEntry], seq: int) -> Message | None:
    """Return the person's message that a verdict is about: the message with number `seq`, if a person wrote it.

    If the agent wrote it, return the last message that was answered in the same turn. None if there is none.
    """
    said = [one for one in entries if isinstance(one, Message)]
    named = next((one for one in reversed(said) if one.seq == seq), None)
    if named is None or not named.author.is_agent:
        return named
    asked = (one for one in reversed(said) if one.turn == named.turn and one.decision is not None)
    return next((one for one in asked if one.decision is not None and one.decision.respond), None)


async def _chat_of(services: ConsoleServices, request: ConsoleRequest) -> ChatKey:
    """Return the chat of the conversation that the path names. Raises NotFound."""
    found = await FirestoreConversations(services.client).find(request.path["conversation"])
    return own_chat(found.chat if found is not None else "", request.agents)


def _json(mark: Mark) -> Mapping[str, Any]:
    return {**mark.model_dump(mode="json", exclude={"by"}), "id": mark.id, "should_answer": mark.should_answer}


ROUTES = (
    ConsoleRoute("GET", "/api/conversations/{conversation}/marks", list_conversation_marks),
    ConsoleRoute("POST", "/api/conversations/{conversation}/marks", mark_message),
    ConsoleRoute("GET", "/api/marks", list_marks),
    ConsoleRoute("GET", "/api/marks/cases", export_cases),
    ConsoleRoute("POST", "/api/marks/{mark}/remove", remove_mark),
)
