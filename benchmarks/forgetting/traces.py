"""Ways in which a person leaves traces: data that reveals the person without their words, or that is stored in an
unexpected place.
"""

import json
from dataclasses import replace

from benchmarks.forgetting.stored import (
    CONVERSATION,
    NO_CHAT,
    NUMBER,
    OF_BOB,
    RECALLED,
    board,
    file,
    memories,
    plan,
    reminder,
    task,
)  # fmt: skip
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
    Talk,
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
from shared.base.wording.words import words_in
from shared.chat.store import paths
from shared.reminders.wake_buttons import owner_wake_buttons
from shared.tasks.plan import TaskState
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import Author, ButtonPress, QuotedMessage
from shared.values.tool_use import ToolUse
from tests.shared.examples import NOW, said

#: an answer based on Zed's words in another chat. The messages themselves do not show this: only the entry of the
#: question names the people whose words were shown to the model
ASKED = private(bob("how?", shown_of=(ZED.id, ROOM.chat_id)), agent("I see."))
#: the owner's button for ending the silence in Zed's chat; the button's data contains the chat's id in another form
WAKING = owner_wake_buttons(words_in("en"), ZEDS)[0]
#: a button press in Bob's chat below a message that quotes Zed. Telegram repeats that message in the update
PRESSED = {"id": "q", "from": user(BOB), "data": "x", "message": {"message_id": 2, "text": "First marmalade."}}
#: another person with the same full name as Zed; and an author of that name who hides their account
NAMESAKE = evolve(EVE, name=ZED.name)
HIDDEN = Author(id=0, name=ZED.name)
TOPIC = replace(ROOM, topic_id=5)
DIRECT = ChatKey(agent="lull", chat_id=ROOM.chat_id, topic_id=-7)


def incident(body: str, key: ChatKey = ROOM) -> Document:
    """Return a chat's incident."""
    return Document(paths.incident_path("i"), {"chat": key.id, "agent": "lull", "body": body, "at": NOW})


TRACES = (
    Way("a reminder of which no answer tells", (
        room(zed()), ASKED, reminder(BOB, f"Buy {MARK}", BOBS, elsewhere=(OF_ROOM,)),
    )),
    Way("buttons of which no answer tells", (room(zed()), ASKED, board(MARK, key=BOBS, elsewhere=(OF_ROOM,)))),
    Way("a memory of which no answer tells", (
        room(zed()), ASKED, memories(OF_BOB, (BOB, f"needs {MARK}"), (BOB, THEIRS), at=BOBS, elsewhere=(OF_ROOM,)),
    ), stays=()),
    Way("a plan that was shown their words and used none", (
        room(zed()), ASKED,
        plan(task(THEIRS), key=BOBS, elsewhere=(OF_ROOM,),
             uses=(ToolUse(name="search_conversations", arguments="{}", answer=MARK),)),
    )),
    Way("a plan of before that was shown their words and used none", (
        room(zed()), ASKED,
        plan(path=paths.past_plan_path(BOBS, "p0"), key=BOBS, elsewhere=(OF_ROOM,),
             uses=(ToolUse(name="search_conversations", arguments="{}", answer=MARK),)),
    )),
    Way("whose words a question was shown", (room(zed()), ASKED), gone=(NUMBER,), stays=(STAYS, "how?", "I see.")),
    Way("what a plan noted", (room(zed()), plan(task(THEIRS), notes=(SECRET,)))),
    Way("what a button would do", (
        room(zed()), board("yes", people=(BOB.id,), effects=({"kind": "remember", "text": SECRET},)),
    )),
    Way("what a button would do, with their name", (
        room(zed("tea")), board("yes", people=(BOB.id,), effects=({"kind": "remember", "text": "Zedrick is tall"},)),
    ), gone=("Zedrick",)),
    Way("an address that they brought, with a reminder of somebody else", (
        room(zed("https://heron.example/marmalade-biscuit")),
        reminder(BOB, "Buy tea", known_links=("https://heron.example/marmalade-biscuit",)),
    ), stays=(STAYS, "Buy tea")),
    Way("a plan of the group that could not be read", (
        room(zed()), incident(json.dumps({"tasks": [{"text": SECRET}]})),
    )),
    Way("a plan with their name that could not be read", (
        room(zed("tea")), incident(json.dumps({"tasks": [{"text": "Ask Zedrick"}]})),
    ), gone=("Zedrick",)),
    Way("an update of somebody else that quotes them and could not be read", (
        room(zed()), incident(json.dumps({"update_id": 7, "message": message(BOB, "so?", quote={"text": SECRET})})),
    )),
    Way("an update of somebody else in their chat that could not be read", (
        room(zed()), incident(json.dumps({"update_id": 7, "message": message(BOB, "a samovar")})),
    ), stays=(STAYS, "a samovar")),
    Way("a plan that repeats what was recalled and could not be read", (
        room(zed()), private(RECALLED), incident(json.dumps({"tasks": [{"text": SECRET}]}), BOBS),
    )),
    Way("a raw vote of theirs", (
        room(zed("tea")), Document(paths.chat_path(NO_CHAT), Chat(key=NO_CHAT).model_dump()),
        Update(NO_CHAT, {"poll_answer": {"poll_id": "1", "user": user(ZED), "option_ids": [0]}}),
    ), gone=("Quillonby", NUMBER)),
    Way("a raw join request of theirs", (
        room(zed("tea")), Update(ROOM, {"chat_join_request": {"from": user(ZED), "bio": SECRET, "date": 1}}),
    ), gone=(MARK, "Quillonby", NUMBER)),
    Way("a raw press below what was recalled", (
        room(zed()), private(agent("First marmalade.", elsewhere=(OF_ROOM,))),
        Update(BOBS, {"callback_query": PRESSED}),
    )),
    Way("a raw press below what an agent said of them by name", (
        room(zed("tea")),
        Update(ROOM, {"callback_query": {"id": "q", "from": user(BOB), "data": "x", "message": {
            "message_id": 2, "text": "Ask Mr Quillonby.", "from": {"id": 7, "is_bot": True, "first_name": "lull"}}}}),
    ), gone=("Quillonby",)),
    Way("an offer to the owner to answer them again", (
        OWNED, own(zed("hi")), owners(),
        board("Again", people=(OLGA.id,), key=OLGAS, effects=({"kind": "unblock", "person": ZED.id},)),
    ), gone=(NUMBER,)),
    Way("a raw reply to what was recalled, unread", (
        room(zed()), private(agent("First marmalade.", elsewhere=(OF_ROOM,))),
        Update(BOBS, {"message": message(BOB, "a samovar", reply_to_message={
            "message_id": 2, "date": 1, "text": "First marmalade.", "from": user(BOB)})}, False),
    ), stays=(STAYS, "a samovar")),
    Way("a raw quote from another chat", (
        room(zed()), private(bob("so?", reply=QuotedMessage(message_id=0, author=ZED, excerpt=SECRET))),
        Update(BOBS, {"message": message(BOB, "a samovar", quote={"text": SECRET}, external_reply={
            "origin": {"type": "user", "sender_user": user(ZED)}})}),
    )),
    Way("a raw contact of theirs", (
        room(zed("tea")), Update(ROOM, {"message": {**message(ZED, ""), "contact": {"first_name": MARK}}}),
    )),
    Way("a raw pin of what they wrote", (
        room(zed()), Update(ROOM, {"message": message(BOB, "", pinned_message=message(ZED, SECRET))}),
    )),
    Way("a message in a topic", (room(zed("tea")), Talk(TOPIC, (zed(), bob())))),
    Way("what a topic is called by them", (
        room(zed("tea")), Talk(TOPIC, (zed(MARK), bob())), Document(paths.chat_path(TOPIC), {"topic": MARK}),
    )),
    Way("direct messages to a channel", (room(zed("tea")), Talk(DIRECT, (zed(), agent(SECRET))))),
    Way("the summaries that prompts show", (
        room(zed("tea")), Document(paths.shown_summaries_path(ROOM.id), {"texts": [SECRET]}),
    )),
    Way("the summary of somebody else's days with what was recalled", (
        room(zed()), private(RECALLED), Document(paths.summary_path(BOBS.id, "7day"), {"text": MARK, "made_at": NOW}),
    )),
    Way("the summary of somebody else's older part with what was recalled", (
        room(zed()), private(RECALLED),
        Document(paths.compression_path("{conversation}"), {"text": MARK, "made_at": NOW, "up_to_seq": 1}, BOBS),
    )),
    Way("notes of somebody else's conversation with what was recalled", (
        room(zed()), private(RECALLED), Document(CONVERSATION, {"abbreviation": MARK, "topics": [MARK]}, BOBS),
    )),
    Way("an observation on somebody else's conversation with what was recalled", (
        room(zed()), private(RECALLED),
        Document(paths.observation_path("{conversation}", "o"), {"text": MARK, "about": ["Bob"]}, BOBS),
    )),
    Way("that they asked the agent to be silent, as the owner was told", (
        OWNED, own(zed("hi")), owners(),
        plan(task("Zedrick asked me to stop answering.", state=TaskState.DONE, buttons=(
            Button("Wake", button_data(WAKING.command, "conv-1", WAKING.argument)),)), key=OLGAS),
    ), gone=("Zedrick", WAKING.argument)),
    Way("that the owner ended their silence", (
        OWNED, own(zed("hi")), owners(ButtonPress(
            at=NOW, message_id=5, author=OLGA, query_id="q",
            data=button_data(WAKING.command, "conv-1", WAKING.argument))),
    ), gone=(WAKING.argument,)),
    Way("a forward of somebody hidden of the same whole name", (
        room(zed("tea"), said("hello", author=NAMESAKE)), private(bob("a samovar", forwarded_from=HIDDEN)),
    ), gone=("tea",), stays=(STAYS, "a samovar")),
    Way("a forward of theirs beside somebody of the same whole name", (
        room(zed(), said("hello", author=NAMESAKE)), private(bob(SECRET, forwarded_from=HIDDEN)),
    )),
    Way("what the file of theirs is called where it was sent", (room(zed("tea")), *file((ZED, True), words=MARK))),
)  # fmt: skip
