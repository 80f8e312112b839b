"""Stories of the console's orders, through the real inbox, queue and ticks."""

from datetime import UTC, datetime
from typing import Any

from local.cloud import LocalCloud
from local.parts import QUEUES
from shared.cloud.cloud_tasks import CloudTasks
from shared.console.orders import give_order
from shared.console.services import ConsoleServices
from shared.values.console_order import ConsoleOrder
from shared.values.wake import QueueAddress, Routes
from tests.stories.play import Chat, Sandbox, until
from tests.stories.test_access import Owned, cloud, owned
from tests.stories.words import will_say

__all__ = ["cloud", "owned"]


def services_of(sandbox: Sandbox) -> ConsoleServices:
    """Make the services with which the console gives orders to this cloud."""
    running: LocalCloud = sandbox.cloud
    routes = Routes(
        queues={queue: QueueAddress(name=name) for queue, name in QUEUES.items()},
        functions={"tick": running.tick_url},
    )
    return ConsoleServices(
        client=sandbox.firestore,
        project=running.project,
        clock=lambda: datetime.now(UTC),
        jobs=CloudTasks(routes, running.tasks_address),
    )


async def order(chat: Chat, sandbox: Sandbox, owner: int, command: str, argument: str = "", **fields: Any) -> None:
    """Give an order of the owner to a chat."""
    named = {"id": f"{command} of {chat.key}", **fields}
    given = ConsoleOrder(owner=owner, command=command, argument=argument, **named)
    await give_order(services_of(sandbox), chat.chat_key, given)


async def test_the_owner_renames_and_leaves_a_talk_of_somebody_else(owned: Owned) -> None:
    sandbox, eve = owned.sandbox, await owned.sandbox.person("Eve")
    chat = await sandbox.private(eve)
    await chat.writes(eve, "hello?")
    await chat.answers()
    await will_say(sandbox, chat, "Hello, Eve.")
    await owned.presses("Approve")
    await until(lambda: _says(chat, "Hello, Eve."), "the answer")
    await chat.rests()
    before = await chat.document()
    await order(chat, sandbox, owned.olga.id, "title", "Eve's talk", conversation=before["conversation"])
    await until(lambda: _is_titled(chat, "Eve's talk"), "the title")
    for _ in range(2):
        await order(chat, sandbox, owned.olga.id, "new", conversation=before["conversation"])
    await until(lambda: _is_elsewhere(chat, before["conversation"]), "another conversation")
    await chat.rests()
    said = [m["text"] for m in await chat.said()]
    assert said[-1] == "Hello, Eve.", "an order is carried out silently"
    kept = (await sandbox.firestore.document(f"conversations/{before['conversation']}").get()).to_dict() or {}
    assert (kept["title"], kept["manually_named"]) == ("Eve's talk", True)


async def test_a_running_answer_is_stopped(owned: Owned) -> None:
    sandbox, chat = owned.sandbox, owned.chat
    slow = {"text": '{"tasks": [{"kind": "send", "text": "Late."}]}', "delay_s": 20, "match": f"chat_id={chat.id} "}
    await sandbox.model.will(slow)
    await chat.rests()
    await chat.writes(owned.olga, "think hard")
    await until(lambda: _is_held(chat), "a tick thinks about it")
    await order(chat, sandbox, owned.olga.id, "stop")
    await chat.rests()
    reasons = [e["decision"]["reason"] for e in await chat.spoken() if e.get("decision")]
    assert reasons[-1] == "stopped before it was answered"
    assert "Late." not in [m["text"] for m in await chat.said()]


async def test_who_does_not_own_the_agent_gives_no_orders(owned: Owned) -> None:
    sandbox, eve, chat = owned.sandbox, await owned.sandbox.person("Eve"), owned.chat
    await chat.rests()
    before = await chat.document()
    await order(chat, sandbox, eve.id, "title", "Mine now")
    await chat.rests()
    assert (await chat.document())["conversation_title"] == before["conversation_title"]


async def _says(chat: Chat, text: str) -> bool:
    return text in [m["text"] for m in await chat.said()]


async def _is_titled(chat: Chat, title: str) -> bool:
    return bool((await chat.document())["conversation_title"] == title)


async def _is_elsewhere(chat: Chat, conversation: str) -> bool:
    return bool((await chat.document())["conversation"] != conversation)


async def _is_held(chat: Chat) -> bool:
    return (await chat.document()).get("lease") is not None
