"""The owner of one agent asks every route of the console for what belongs to an agent of somebody else."""

import re
from typing import Any

from shared.chat.store import paths
from shared.console.route import console_routes
from shared.values.chat_key import ChatKey
from shared.values.memory import MemoryOwner, MemoryScope
from shared.values.message import Author, Message
from tests.shared.console.harness import OTHER, OWN_PAGE, OWNER, ConsoleHarness
from tests.shared.console.talks import Talks
from tests.shared.examples import NOW

#: a word in everything that belongs to the other agent
MARK = "zebra"
PERSON = 4_004_004
KEY = ChatKey(agent="moss", chat_id=PERSON)
CONVERSATION = "conv-01JZEBRA00000000000000000"
#: what the paths and the bodies of requests name
NAMED: dict[str, Any] = {
    "agent": "moss",
    "chat": KEY.id,
    "conversation": CONVERSATION,
    "person": str(PERSON),
    "seq": "1",
    "number": "1",
    "reminder": "e-of-moss",
    "incident": "i-of-moss",
    "request": "r-of-moss",
    "mark": "m-of-moss",
    "invitation": "v-of-moss",
    "memory": "n-of-moss",
    "owner": f"person.moss.{PERSON}",
    "group": "-4004",
    "offer": "o",
    "span": "7day",
    "kind": "people",
    "action": "cancel",
    "file": "f-of-moss",
    "job": "sweep",
}
#: routes about the whole deployment, which belong to no agent
OF_ALL = {"/api/live", "/api/rebuild/start", "/api/rebuild/resume", "/api/rebuild/stop", "/api/trouble/jobs/{job}/run"}
#: routes that answer, though nothing of the other agent is in the answer or changed
HARMLESS = {"/api/keeping", "/api/costs/limits"}


async def plant(console: ConsoleHarness) -> None:
    """Store a conversation, memories, a reminder, an incident and a request of the other agent."""
    ann = Author(id=PERSON, name=f"Ann {MARK}", username=f"ann_{MARK}")
    said = Message(seq=1, turn=1, at=NOW, message_id=1, author=ann, text=f"the secret is {MARK}")
    talks = Talks(services=console.services, queue=console.queue)
    await talks.keep(CONVERSATION, [said], KEY, title=MARK)
    owner = MemoryOwner(scope=MemoryScope.PERSON, agent="moss", person=PERSON)
    memory = {
        "id": "n-of-moss", "text": MARK, "scope": "person", "made_at": NOW, "changed_at": NOW,
        "source": {"place": f"moss.{PERSON}", "person": PERSON},
    }  # fmt: skip
    of_chat = {"agent": "moss", "chat": KEY.id, "chat_id": PERSON, "person": PERSON, "at": NOW}
    documents: dict[str, dict[str, Any]] = {
        paths.memories_path(owner): {"memories": {"n-of-moss": memory}},
        paths.event_path("e-of-moss"): {**of_chat, "text": MARK, "next_at": NOW, "due_at": NOW, "is_open": True},
        paths.incident_path("i-of-moss"): {**of_chat, "kind": "dead_letter", "body": MARK, "why": MARK},
        paths.request_path("r-of-moss"): {**of_chat, "words": MARK, "name": MARK, "state": "waiting"},
        paths.usage_path("u-of-moss"): {**of_chat, "conversation": MARK, "day": "2026-11-30", "month": "2026-11"},
        paths.summary_path(KEY.id, "shown"): {"shown": {"7day": {"text": MARK}}},
        paths.plan_path(KEY): {"text": MARK},
    }
    for path, document in documents.items():
        await console.client.document(path).set(document)


async def stored(console: ConsoleHarness) -> dict[str, Any]:
    """Return all documents of the other agent."""
    found: dict[str, Any] = {}
    for collection in ("chats", "conversations", "events", "incidents", "requests", "plans", "summaries", "bots"):
        async for one in console.client.collection(collection).stream():
            if "moss" in one.id or MARK.upper() in one.id:
                found[one.reference.path] = one.to_dict()
    async for one in console.client.collection(paths.inbox_path(KEY)).stream():
        found[one.reference.path] = one.to_dict()
    return found


def filled(path: str) -> str:
    """Return a route's path with what belongs to the other agent."""
    return re.sub(r"\{(\w+)\}", lambda name: str(NAMED[name[1]]), path)


async def enter(console: ConsoleHarness) -> None:
    await console.claim("lull", OWNER)
    await console.claim("moss", OTHER)
    await plant(console)
    assert (await console.enter()).status_code == 200


async def test_its_own_owner_can_read_it(console: ConsoleHarness) -> None:
    await enter(console)
    await console.post("/api/sign-out")
    await console.enter(OTHER, "moss")
    shown = [await console.http.get(filled(one.path)) for one in console_routes() if one.path not in OF_ALL]
    assert sum(MARK in one.text for one in shown) >= 5


async def test_nothing_of_another_agent_can_be_read(console: ConsoleHarness) -> None:
    await enter(console)
    named = {name: value for name, value in NAMED.items() if name in ("agent", "chat", "conversation", "person")}
    for route in console_routes():
        if route.method != "GET" or route.path in OF_ALL:
            continue
        for query in ({}, named, {**named, "q": MARK, "query": MARK, "words": MARK}):
            shown = await console.http.get(filled(route.path), params=query)
            # what was asked for may be repeated, so only other words of the other agent count
            assert "the secret is" not in shown.text, (route.path, query)
            assert query or MARK not in shown.text.lower(), (route.path, shown.text[:300])
            assert shown.status_code < 500, (route.path, query, shown.text)


async def test_nothing_of_another_agent_can_be_changed(console: ConsoleHarness) -> None:
    await enter(console)
    before, tasks = await stored(console), await console.queue.tasks()
    assert len(before) > 5
    words = {
        "title": "x",
        "text": "x",
        "model": "x",
        "until": "1h",
        "verdict": "wrong",
        "ids": ["n-of-moss"],
        "on": True,
    }
    answers = {}
    for route in console_routes():
        if route.method == "GET" or route.path in OF_ALL:
            continue
        for body in ({}, NAMED | words, NAMED | words | {"kind": "approve", "action": "approve"}):
            done = await console.http.post(filled(route.path), json=body, headers=OWN_PAGE)
            assert done.status_code < 500, (route.path, done.text)
            answers[route.path] = done.status_code
    assert {path for path, status in answers.items() if status == 200} - HARMLESS == set()
    assert await stored(console) == before
    assert len(await console.queue.tasks()) == len(tasks)
