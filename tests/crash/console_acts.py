"""What the owner can change in the console: one request for each button, and a database in which each makes sense."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from shared.access.store.invitations import FirestoreInvitations
from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.transcripts import encode_page
from shared.console.marks import FirestoreMarks
from shared.console.memories import name_of_owner, seal_undo
from shared.recall.store.rebuilding import FirestoreRebuilding, RebuildCursor
from shared.recall.store.summaries import ChatSummary, FirestoreSummaries, SummarySpan
from shared.values.access_request import request_id
from shared.values.chat import Chat, CurrentConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.incident import IncidentKind
from shared.values.invitation import Invitation
from shared.values.mark import Mark, Verdict
from shared.webchat.ids import FIRST_MESSAGE, update_number
from tests.crash.console_life import SECRET
from tests.shared.console import test_approvals as approvals
from tests.shared.console import test_marks as marks
from tests.shared.console import test_media as media
from tests.shared.console import test_memories as memories
from tests.shared.console import test_people as people
from tests.shared.console import test_person_data as data
from tests.shared.console import test_reminders_view as reminders
from tests.shared.console import test_trouble as trouble
from tests.shared.console.harness import OTHER, OWNER, ConsoleHarness
from tests.shared.examples import GROUP_KEY, NOW, message_update
from tests.shared.memory.facts import source

#: as the page makes the ids of clicks
CLICK: Final = str(UUID(int=7, version=4))
CONV, LEFT = f"conv-{1:026d}", f"conv-{2:026d}"
OWN = ChatKey(agent="lull", chat_id=OWNER)
BEGUN = update_number(NOW) // 1000
TALK: Final = f"/api/talk/lull/{BEGUN}"
#: other times than that of the requests
EARLIER = NOW - timedelta(hours=3)
REMINDER = f"{1:012d}"
MARK = Mark(
    agent="lull", chat=OWN.id, conversation=CONV, seq=4, turn=2, message_id=4, person=OWNER, answered=False,
    verdict=Verdict.RIGHT, at=EARLIER, by=OWNER,
)  # fmt: skip
Build = Callable[[ConsoleHarness], Awaitable[object]]


async def _nothing(_: ConsoleHarness) -> None:
    """Build nothing more."""


@dataclass(frozen=True)
class Act:
    """A request that changes something. `before` stores what only this one needs."""

    name: str
    path: str
    body: dict[str, Any] = field(default_factory=dict)
    before: Build = _nothing
    is_signed_in: bool = True
    method: str = "POST"

    @property
    def posted(self) -> dict[str, Any]:
        """The body as the page posts it."""
        return {"id": CLICK, **self.body}


async def build_world(console: ConsoleHarness, act: Act) -> None:
    """Store the owner's agents, chats, people, and all else that buttons are about."""
    await console.claim("lull")
    await console.claim("moss")
    await data.known(console)
    for key, conversation in ((OWN, CONV), (GROUP_KEY, LEFT)):
        await marks.talk(console, key, conversation)
        document = console.client.document(paths.conversation_path(conversation))
        notes = {"abbreviation": "They talked.", "noted_seq": 5, "entries": 5, "updated_at": EARLIER}
        await document.update(notes | {"place": f"lull.{key.chat_id}", "changed_at": EARLIER})
        chat = Chat(key=key, conversation=conversation, title="Garden")
        await console.client.document(paths.chat_path(key)).set(chat.model_dump())
    await act.before(console)


async def _incidents(console: ConsoleHarness) -> None:
    await trouble.lost(console)
    await trouble.incident(console, "i-drop", IncidentKind.DROPPED_PLAN)
    letter = json.dumps(message_update(7, "what nobody could read"))
    await trouble.incident(console, "i-letter", IncidentKind.DEAD_LETTER, body=letter, update_id=7)
    await trouble.incident(console, "i-unread", IncidentKind.DEAD_LETTER, body=letter)


async def _memories(console: ConsoleHarness) -> None:
    quoted = evolve(memories.TEA, id="mq", text="Ann lives in Rome.", outside="a forward")
    said = source(memories.GROUP, person=OTHER, title="Friends", conversation=LEFT, seq=4)
    nuts = evolve(memories.TEA, id="mnuts", text="Ann is allergic to nuts.", source=said)
    known = evolve(memories.TEA, id="mchess", text="Ann plays chess.", is_for_groups=True)
    await memories.remember(console, memories.ANNS, memories.TEA, quoted, nuts, known)


async def _memory_offer(console: ConsoleHarness) -> None:
    key = ChatKey(agent="lull", chat_id=OTHER)
    board = memories.offer({"kind": "remember", "id": "1", "text": "Ann is vegan."})
    talk = CurrentConversation(keyboards=(board,))
    chat = Chat(key=key, kind=ChatKind.PRIVATE, conversation="conv-9", talk=talk)
    await console.client.document(paths.chat_path(key)).set(chat.model_dump())


async def _files(console: ConsoleHarness) -> None:
    await media.sent(console, "AgADcat")
    await console.client.document(paths.media_path("AgADcat")).update({"updated_at": EARLIER})


async def _summary(console: ConsoleHarness) -> None:
    store = FirestoreSummaries(console.client)
    await store.keep(GROUP_KEY.id, SummarySpan.WEEK, ChatSummary(text="They moved.", made_at=EARLIER))


async def _rebuild(console: ConsoleHarness) -> None:
    cursor = RebuildCursor(started_at=EARLIER, beyond="", done=1, total=2, agents=("lull", "moss"), moved_at=EARLIER)
    await FirestoreRebuilding(console.client).keep_cursor(cursor)


async def _offer(console: ConsoleHarness) -> None:
    await approvals.offered(console, OWNER, OWN)


async def _reminder(console: ConsoleHarness) -> None:
    await reminders.kept(console, 1)


async def _mark(console: ConsoleHarness) -> None:
    await FirestoreMarks(console.client).keep(MARK)


async def _invitation(console: ConsoleHarness) -> None:
    invitation = Invitation(id="abcdef0123456789", by=OWNER, made_at=EARLIER, until=NOW + timedelta(days=1), most=2)
    lists = FirestoreAccessLists(console.client, lambda: NOW)
    await FirestoreInvitations(console.client, lists).keep("lull", invitation, NOW)


async def _screen(console: ConsoleHarness) -> None:
    """Begin a web conversation, with a message that a tick has read."""
    key = ChatKey(agent="lull", chat_id=OWNER, topic_id=BEGUN)
    await console.client.document(paths.page_path(LEFT, 9)).set(encode_page([marks.line(9, "hi")]))
    await console.client.document(paths.chat_path(key)).set(Chat(key=key, conversation=LEFT).model_dump())


def _memory(name: str, memory: str, **more: Any) -> Act:
    body = {"owner": name_of_owner(memories.ANNS), "memory": memory, **more}
    return Act(f"memory {name}", f"/api/memories/{name}", body, _memories)


def _conversation(name: str, **body: Any) -> Act:
    return Act(name, f"/api/conversations/{CONV}/{name}", body)


def _person(name: str, path: str, before: Build = _nothing, **body: Any) -> Act:
    return Act(name, f"/api/people/lull/{path}", body, before)


def _trouble(name: str, path: str, **body: Any) -> Act:
    return Act(name, f"/api/trouble/{path}", body, _incidents)


_UNDO: Final = {
    "owner": name_of_owner(memories.ANNS),
    "memory": evolve(memories.TEA, text="Ann likes coffee.").model_dump(mode="json"),
    "moved_to": "",
}
_NUMBER: Final = update_number(NOW + timedelta(milliseconds=5))
ACTS: Final = (
    Act("talk", f"{TALK}/messages", {"id": _NUMBER, "text": "hello"}),
    Act("talk edit", f"{TALK}/edits", {"id": _NUMBER, "message": FIRST_MESSAGE + 2, "text": "hallo"}, _screen),
    Act("talk press", f"{TALK}/presses", {"id": _NUMBER, "message": FIRST_MESSAGE + 3, "data": "x:1"}, _screen),
    Act("talk react", f"{TALK}/reactions", {"id": _NUMBER, "message": FIRST_MESSAGE + 3, "emoji": "👍"}, _screen),
    Act("talk go on", f"{TALK}/go-on", {"conversation": CONV}),
    _conversation("rename", title="Tea"),
    _conversation("model", model="gemini-other"),
    _conversation("stop"),
    _conversation("new"),
    _conversation("resume"),
    _conversation("mute", length="1h"),
    _conversation("unmute"),
    _conversation("look", turn=2),
    _conversation("abbreviate"),
    _conversation("delete"),
    Act("mark", f"/api/conversations/{CONV}/marks", {"seq": 4, "verdict": "should_have_answered"}),
    Act("unmark", f"/api/marks/{MARK.id}/remove", {}, _mark),
    _memory("edit", "mtea", text="Ann likes green tea."),
    _memory("delete", "mtea"),
    _memory("adopt", "mq"),
    _memory("share", "mchess", is_shared=False),
    _memory("move", "mnuts", to=name_of_owner(memories.THE_GROUP)),
    Act("memory undo", "/api/memories/undo", seal_undo(SECRET, _UNDO), _memories),
    Act(
        "memory offer",
        "/api/memories/offers",
        {"chat": ChatKey(agent="lull", chat_id=OTHER).id, "keyboard": "k" * 16, "place": 0},
        _memory_offer,
    ),
    Act("media edit", "/api/media/edit", {"file": "AgADcat", "agent": "lull", "text": "Our cat."}, _files),
    Act("media again", "/api/media/again", {"file": "AgADcat", "agent": "lull"}, _files),
    Act("summary", "/api/summaries/again", {"chat": GROUP_KEY.id, "span": "7day"}, _summary),
    Act("rebuild", "/api/rebuild/start", {"with_model": True}),
    Act("rebuild resume", "/api/rebuild/resume", {}, _rebuild),
    Act("rebuild stop", "/api/rebuild/stop", {}, _rebuild),
    Act("keep exchanges", "/api/keeping", {"agent": "lull", "days": 7}),
    Act("limits", "/api/costs/limits", {"part": "agent", "agent": "lull", "limits": {"day_usd": 1}}),
    Act("limits of all", "/api/costs/limits", {"part": "deployment", "limits": {"month_usd": 5}}),
    Act("soft share", "/api/costs/limits", {"soft_share": 0.5}),
    Act("rules", "/api/external/lull/rules", {"private": "ask", "groups": "", "fellows": True}),
    _person("let in", f"person/{people.BEN}", action="let_in"),
    _person("let a group in", f"group/{people.GROUP}", action="let_in"),
    _person("decide", f"request/{request_id(ChatKey(agent='lull', chat_id=people.EVE))}", people.keep_request,
            action="block"),
    _person("silence", "silence", on=True),
    _person("mute a chat", f"chat/{GROUP_KEY.id}", on=True),
    _person("invite", "invite", people=3, days=2),
    _person("revoke", "invitation/abcdef0123456789/revoke", _invitation),
    Act("cancel a reminder", f"/api/reminders/{REMINDER}/cancel", {}, _reminder),
    Act("remind now", f"/api/reminders/{REMINDER}/now", {}, _reminder),
    Act("put off", f"/api/reminders/{REMINDER}/later-u", {}, _reminder),
    Act("accept", f"/api/offers/{OWN.id}/{approvals.OFFER}/accept", {"place": 0}, _offer),
    Act("decline", f"/api/offers/{OWN.id}/{approvals.OFFER}/decline", {}, _offer),
    _trouble("replay", "incidents/i-letter/replay"),
    _trouble("receive again", "incidents/i-unread/replay"),
    _trouble("resend", f"incidents/{trouble.LOST}/resend", knowing=True),
    _trouble("drop", "incidents/i-drop/drop"),
    _trouble("run a job", "jobs/sweep/run"),
    Act("export a person", f"/api/person-data/{data.PERSON}/export"),
    Act("forget a person", f"/api/person-data/{data.PERSON}/forget", {"confirm": str(data.PERSON)}),
)  # fmt: skip
