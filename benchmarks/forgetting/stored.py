"""Ways in which a person's data is stored outside of transcripts: documents that ticks, jobs and the webhook write."""

from datetime import timedelta
from typing import Any

from benchmarks.forgetting.way import (
    BOB,
    BOBS,
    EVE,
    MARK,
    OF_ROOM,
    OLGA,
    OLGAS,
    OWNED,
    ROOM,
    SECRET,
    STAYS,
    THEIRS,
    ZED,
    ZEDS,
    Document,
    Update,
    Way,
    agent,
    bob,
    message,
    own,
    owners,
    private,
    room,
    user,
    zed,
)  # fmt: skip
from shared.chat.store import paths
from shared.chat.store.plans import encode_plan
from shared.media.store.media import encode_media, encode_reference
from shared.memory.store import change_write
from shared.reminders.store import encode_reminder
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.values.channel import Button
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.keyboard import Keyboard
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import Author, ButtonPress, Event
from shared.values.place import place_of
from shared.values.reference import FileReference
from shared.values.reminder import Reminder
from shared.values.stored_media import StoredMedia
from shared.values.tool_use import ToolUse
from tests.shared.examples import NOW, send

NUMBER = str(ZED.id)
CONVERSATION = paths.conversation_path("{conversation}")
#: a message of the agent for which the agent had looked up words from another conversation
RECALLED = agent("I see.", elsewhere=(OF_ROOM,))
NO_CHAT = ChatKey(agent="lull", chat_id=0)
OF_BOB = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=BOB.id)
OF_ZED = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=ZED.id)
OF_OTHER_AGENT = MemoryOwner(scope=MemoryScope.PERSON, agent="other", person=ZED.id)
OF_GROUP = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=ROOM.chat_id)
OF_AGENT = MemoryOwner(scope=MemoryScope.AGENT, agent="lull")


def memories(owner: MemoryOwner, *told: tuple[Author, str], at: ChatKey = ROOM, **more: Any) -> Document:
    """Return an owner's memories. `told`: for each memory, the person who told it and its text."""
    found = [
        Memory(id=f"m{n}", text=text, scope=owner.scope, source=MemorySource(place=place_of(at), person=who.id),
               made_at=NOW, changed_at=NOW, **more)
        for n, (who, text) in enumerate(told)
    ]  # fmt: skip
    written = change_write(MemoryChange(owner=owner, kept=tuple(found)))
    return Document(written.path, written.document)


def reminder(who: Author, text: str = "", key: ChatKey = ROOM, name: str = "r", **more: Any) -> Document:
    """Return a person's reminder."""
    at = NOW + timedelta(days=3_000)
    made = Reminder(id=name, agent="lull", chat=key.id, person=who.id, text=text, next_at=at, set_at=NOW, **more)
    return Document(paths.event_path(name), encode_reminder(made))


def board(*choices: str, people: tuple[int, ...] = (), key: ChatKey = ROOM, **more: Any) -> Document:
    """Return a chat's document with two keyboards: one with these `choices` for `people`, and one for Bob, which must
    stay.
    """
    one = Keyboard(id="a" * 16, choices=choices, people=people, at=NOW, **more)
    other = Keyboard(id="b" * 16, choices=(STAYS,), people=(BOB.id,), at=NOW)
    return Document(paths.chat_path(key), {"keyboards": [k.model_dump() for k in (one, other)]})


def plan(*tasks: PlannedTask, key: ChatKey = ROOM, path: str = "", **more: Any) -> Document:
    """Return a chat's plan."""
    made = Plan(id="p", created_at=NOW, tasks=tasks, **more)
    return Document(path or paths.plan_path(key), encode_plan(made))


def task(text: str, name: str = "1", **more: Any) -> PlannedTask:
    """Return a message that is still to be sent."""
    return PlannedTask(task=send(name, text=text), **more)


def file(*senders: tuple[Author, bool], passed_on: tuple[int, ...] = (), words: str = "") -> tuple[Document, ...]:
    """Return a stored file. `senders`: each person who sent the file, and whether as its author; `words`: the file's
    description.
    """
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u1", words=words)
    sent = [
        FileReference(ref=ref, agent="lull", chat=ROOM.id, person=who.id, at=NOW, try_at=NOW, is_own=is_own,
                  passed_on_from=passed_on, message_ids=(1,))
        for who, is_own in senders
    ]  # fmt: skip
    shown = Description(outcome=DescriptionOutcome.DESCRIBED, shows=SECRET)
    kept = StoredMedia(unique_id="u1", kind=ref.kind, description=shown, updated_at=NOW)
    references = [Document(paths.reference_path(one.id), encode_reference(one)) for one in sent]
    return (*references, Document(paths.media_path("u1"), encode_media(kept)))


def press(data: str, text: str, key: ChatKey = OLGAS) -> Update:
    """Return the owner's press of a button below a text."""
    below = {"message_id": 5, "text": text, "chat": {"id": OLGA.id}}
    return Update(key, {"callback_query": {"id": "q", "from": user(OLGA), "data": data, "message": below}})


TOLD = (
    Way("a raw message of theirs", (room(zed("tea")), Update(ROOM, {"message": message(ZED, SECRET)}))),
    Way("a raw message that nobody has read", (
        room(zed("tea")), Update(ROOM, {"message": message(ZED, SECRET)}, False),
    )),
    Way("a raw edit of theirs", (room(zed("tea")), Update(ROOM, {"edited_message": message(ZED, SECRET)}))),
    Way("a raw reply to them", (
        room(zed("tea")), Update(ROOM, {"message": message(BOB, "so?", reply_to_message=message(ZED, SECRET))}, False),
    )),
    Way("a raw forward of theirs", (
        room(zed("tea")),
        Update(ROOM, {"message": message(BOB, SECRET, forward_origin={"type": "user", "sender_user": user(ZED)})}),
    )),
    Way("a raw reaction of theirs", (
        room(zed("tea")),
        Update(ROOM, {"message_reaction": {"message_id": 1, "user": user(ZED), "new_reaction": [{"emoji": "🦚"}]}}),
    ), gone=("Quillonby", NUMBER)),
    Way("a raw coming of theirs", (
        room(zed("tea")), Update(ROOM, {"chat_member": {"new_chat_member": {"user": user(ZED), "status": "member"}}}),
    ), gone=("Quillonby", NUMBER)),
    Way("a raw update of no chat", (
        room(zed("tea")), Document(paths.chat_path(NO_CHAT), Chat(key=NO_CHAT).model_dump()),
        Update(NO_CHAT, {"inline_query": {"id": "q", "from": user(ZED), "query": SECRET}}),
    )),
    Way("a raw message of somebody else", (room(zed()), Update(ROOM, {"message": message(BOB, "a samovar")})),
        stays=(STAYS, "a samovar")),
    Way("whom the owner was asked to let in", (
        OWNED, own(zed("hi")), owners(), press("requests:conv-1:i2345", f"{ZED.name} wants to write to me: {SECRET}"),
    ), gone=(MARK, "Quillonby")),
    Way("whom the owner looked at", (OWNED, own(zed("hi")), owners(), press(f"people:conv-1:o{NUMBER}", ZED.name)),
        gone=("Quillonby", NUMBER)),
    Way("whose number the owner pressed", (
        OWNED, own(zed("hi")),
        owners(ButtonPress(at=NOW, message_id=5, author=OLGA, query_id="q", data=f"people:conv-1:b{NUMBER}")),
    ), gone=(NUMBER,)),
    Way("what the owner was told was done", (
        OWNED, own(zed("hi")), owners(Event(at=NOW, kind="effect", note=f"you blocked Zedrick (user_id {NUMBER})")),
    ), gone=(NUMBER,)),
    Way("buttons of the owner about them", (
        OWNED, own(zed("hi")), owners(),
        plan(task("told", state=TaskState.DONE, buttons=(Button("Zedrick", f"people:conv-1:o{NUMBER}"),)), key=OLGAS),
    ), gone=("Zedrick", f"o{NUMBER}")),
    Way("what the owner pressed of others", (OWNED, own(zed()), owners(), press("model:conv-1:a", "Which samovar?")),
        stays=(STAYS, "Which samovar?")),
    Way("a wish to be let in", (
        own(zed("hi")), owners(),
        Document(paths.request_path("q1"), {"id": "q1", "agent": "lull", "chat": ZEDS.id, "person": ZED.id,
                                            "name": ZED.name, "words": SECRET, "at": NOW}),
    ), gone=(MARK,)),
    Way("whom the owner let in", (
        OWNED, own(zed("hi")), owners(), Document(paths.bot_path("lull"), {"people": {
            NUMBER: {"id": ZED.id, "name": "Zedrick", "since": NOW, "by": OLGA.id},
            str(BOB.id): {"id": BOB.id, "name": STAYS, "since": NOW, "by": OLGA.id}}}),
    ), gone=("Zedrick", NUMBER)),
    Way("whom the owner blocked", (
        OWNED, own(zed("hi")), owners(), Document(paths.bot_path("lull"), {"blocked": {
            NUMBER: {"id": ZED.id, "name": "Zedrick", "since": NOW, "by": OLGA.id, "why": SECRET},
            str(EVE.id): {"id": EVE.id, "name": STAYS, "since": NOW, "by": OLGA.id}}}),
    ), gone=("Zedrick", MARK), comes=(NUMBER,)),
    Way("the title that they gave a group that was let in", (
        room(zed("tea")), Document(paths.chat_path(ROOM), {"title": MARK}), own(zed(f"/title {MARK}")),
    ), gone=()),
    Way("in which groups they were seen", (room(zed("tea")),), gone=(NUMBER,)),
)  # fmt: skip

MADE = (
    Way("what is remembered of them", (own(zed("hi")), room(), memories(OF_ZED, (ZED, SECRET)))),
    Way("what another agent remembers of them", (own(zed("hi")), room(), memories(OF_OTHER_AGENT, (ZED, SECRET)))),
    Way("what is remembered of the group", (
        room(zed("tea")), memories(OF_GROUP, (ZED, f"needs {MARK}"), (BOB, THEIRS)),
    )),
    Way("what is remembered of the group in their words", (
        room(zed()), memories(OF_GROUP, (BOB, SECRET), (BOB, THEIRS)),
    )),
    Way("what is remembered of somebody else in their words", (
        room(zed()), memories(OF_BOB, (BOB, SECRET), (BOB, THEIRS)),
    )),
    Way("what is remembered of somebody else with their name", (
        room(zed("tea")), memories(OF_BOB, (BOB, "is married to Zedrick Quillonby"), (BOB, THEIRS)),
    ), gone=("Quillonby",)),
    Way("what somebody else told in private", (room(zed()), private(), memories(OF_BOB, (BOB, THEIRS), at=BOBS)),
        stays=(STAYS,)),
    Way("what was recalled and is remembered", (
        room(zed()), private(RECALLED), memories(OF_BOB, (BOB, f"needs {MARK}"), at=BOBS, elsewhere=(OF_ROOM,)),
    )),
    Way("what an agent was told for everybody", (
        OWNED, own(zed("hi")), room(), memories(OF_AGENT, (ZED, f"the word is {MARK}"), (OLGA, THEIRS)),
    )),
    Way("what an agent knows for everybody in their words", (
        OWNED, room(zed()), owners(), memories(OF_AGENT, (OLGA, f"the word is {MARK}"), at=OLGAS, elsewhere=(OF_ROOM,)),
    )),
    Way("pronouns and zone", (
        own(zed("hi")), room(), Document(paths.person_path(ZED.id), {"pronouns": "xe/xem", "zone": "Asia/Baku"}),
    ), gone=("xe/xem", "Asia/Baku")),
    Way("a reminder of theirs", (room(zed("tea")), reminder(ZED, SECRET))),
    Way("a reminder of somebody else in their words", (
        room(zed()), reminder(BOB, SECRET), reminder(BOB, THEIRS, name="s"),
    ), comes=("[erased]",)),
    Way("an instruction of somebody else with their name", (
        room(zed("tea")), reminder(BOB, instruction="Write a poem about Zedrick.", name="r"),
    ), gone=("Zedrick",), comes=("Write a poem about [erased].",)),
    Way("a reminder of what was recalled", (
        room(zed()), private(RECALLED), reminder(BOB, f"Buy {MARK}", BOBS, elsewhere=(OF_ROOM,)),
    )),
    Way("buttons for them", (room(zed("tea")), board(MARK, people=(ZED.id,)))),
    Way("buttons of their words", (room(zed()), board(SECRET, people=(BOB.id,)))),
    Way("buttons of what was recalled", (room(zed()), private(RECALLED), board(MARK, key=BOBS, elsewhere=(OF_ROOM,)))),
    Way("buttons with their name", (room(zed("tea")), board("Ask Zedrick", people=(BOB.id,))), gone=("Zedrick",)),
    Way("a plan in their words", (room(zed()), plan(task(SECRET), task(THEIRS, "2")))),
    Way("a plan with their name", (room(zed("tea")), plan(task("Zedrick has the lamp."), task(THEIRS, "2"))),
        gone=("Zedrick",)),
    Way("a plan of before", (room(zed()), plan(task(SECRET), path=paths.past_plan_path(ROOM, "p0")))),
    Way("what a plan looked up", (
        room(zed()), private(RECALLED), plan(task(THEIRS), key=BOBS, elsewhere=(OF_ROOM,),
                                     uses=(ToolUse(name="search_conversations", arguments="{}", answer=MARK),)),
    )),
    Way("the title of a conversation", (room(zed("tea")), Document(CONVERSATION, {"title": MARK}))),
    Way("a title in their words that was given by hand", (
        room(zed()), Document(CONVERSATION, {"title": SECRET, "manually_named": True}),
    )),
    Way("a title that somebody else gave", (
        room(zed()), Document(CONVERSATION, {"title": "Samovars", "manually_named": True}),
    ), stays=(STAYS, "Samovars")),
    Way("notes", (
        room(zed("tea")), Document(CONVERSATION, {"abbreviation": MARK, "topics": [MARK], "opening": MARK}),
    )),
    Way("an observation", (
        room(zed("tea")),
        Document(paths.observation_path("{conversation}", "o"), {"text": SECRET, "about": ["Zedrick"]}),
    )),
    Way("the summary of the older part", (
        room(zed("tea")),
        Document(paths.compression_path("{conversation}"), {"text": SECRET, "made_at": NOW, "up_to_seq": 1}),
    )),
    *(
        Way(f"the summary of some days ({span})", (
            room(zed("tea")), Document(paths.summary_path(ROOM.id, span), {"text": SECRET, "made_at": NOW}),
        ))
        for span in ("7day", "30day")
    ),
    Way("a file of theirs", (room(zed("tea")), *file((ZED, True)))),
    Way("a file of theirs that somebody passed on", (
        room(zed("tea")), *file((ZED, True), (BOB, False), passed_on=(ZED.id,)),
    )),
    Way("a file that somebody else has sent, too", (room(zed("tea")), *file((ZED, True), (BOB, True))), gone=(NUMBER,),
        stays=(STAYS, MARK)),
    Way("what an answer cost", (
        own(zed("hi")), room(), Document(paths.usage_path("u"), {"id": "u", "agent": "lull", "chat": ZEDS.id,
                                                               "person": ZED.id, "day": STAYS}),
    ), gone=(NUMBER,)),
    Way("an export that is not sent yet", (
        own(zed("hi")), room(), Document(paths.export_path("t"), {"person": ZED.id, "state": "over", "name": MARK}),
    )),
    Way("an update that nobody could read", (
        own(zed("hi")), room(),
        Document(paths.incident_path("i"), {"chat": ZEDS.id, "person": ZED.id, "body": SECRET, "at": NOW}),
    )),
    Way("what a service said", (own(zed("hi")), room(), Document(paths.lookup_path("a"), {"text": SECRET, "at": NOW}))),
    Way("what the agent named in a group of before", (
        room(zed("tea"), agent("Zedrick has it."), bob("so"), leaves=True), room(),
    ), gone=("Zedrick",)),
)  # fmt: skip

STORED = (*TOLD, *MADE)
