"""Stories of an owner who looks why something was answered, replays the moment, and searches, over real functions."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from shared.console.route import ConsoleRequest
from shared.console.services import ConsoleServices
from shared.console.views.rehearsal import estimate, read_prompt, replay
from shared.console.views.search import search
from shared.console.views.why import read_turn
from tests.stories.play import Chat, Json, Sandbox
from tests.stories.test_orders import services_of
from tests.stories.words import will_say

OWNER = 700


def services(sandbox: Sandbox) -> ConsoleServices:
    functions = {"tick": sandbox.cloud.tick_url, "summarize": sandbox.cloud.summarize_url}
    return replace(services_of(sandbox), functions=functions)


async def request(chat: Chat, text: str, **more: Any) -> ConsoleRequest:
    """Make the owner's request about the message with this text."""
    seq = next(str(entry["seq"]) for entry in await chat.transcript() if entry.get("text") == text)
    path = {"conversation": (await chat.document())["conversation"], "seq": seq}
    return ConsoleRequest(owner=OWNER, agents=("lull",), path=path, **more)


async def usage(sandbox: Sandbox) -> AsyncIterator[Json]:
    """Yield what was booked to the owner."""
    async for one in sandbox.firestore.collection("usage").stream():
        document = one.to_dict() or {}
        if document.get("person") == OWNER:
            yield document


async def test_a_strange_answer_is_explained_and_replayed(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_say(sandbox, chat, "Kumquats are stars.")
    await chat.writes(ann, "what are kumquats?")
    assert await chat.answers() == ["Kumquats are stars."]
    await chat.rests()
    console, asked = services(sandbox), await request(chat, "Kumquats are stars.")
    why = await read_turn(console, asked)
    assert [event["kind"] for event in why["events"]][:3] == ["update", "wake", "claim"]
    prompt = (await read_prompt(console, asked))["prompt"]
    assert "what are kumquats?" in str(prompt["turns"])
    assert "Kumquats are stars." not in str(prompt["turns"])
    wanted = await request(chat, "Kumquats are stars.", body={"persona": "You are a botanist."})
    assert (await estimate(console, wanted))["plan"] is None
    await will_say(sandbox, chat, "Kumquats are fruits.")
    found = await replay(console, wanted)
    assert [task["summary"] for task in found["plan"]["tasks"]] == ["Kumquats are fruits."]
    assert [m["text"] for m in await chat.said()] == ["Kumquats are stars."], "nothing is sent"
    assert [entry["text"] for entry in await chat.transcript()] == ["what are kumquats?", "Kumquats are stars."]
    booked = [one async for one in usage(sandbox)]
    assert [list(one["by"]) for one in booked if one["chat"] == chat.chat_key.id] == [["rehearse"]]


async def test_what_was_said_is_found_by_words_and_leads_to_its_turn(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await will_say(sandbox, chat, "Noted.")
    await chat.writes(ann, "the xylophone is in the cellar")
    await chat.answers()
    await chat.rests()
    query = {"q": "where is the xylophone?", "person": str(ann.id)}
    found = await search(services(sandbox), ConsoleRequest(owner=OWNER, agents=("lull",), body=query))
    best = found["items"][0]
    assert best["snippet"][slice(*best["hits"][0])] in {"the", "xylophone", "is"}
    assert found["reads"] <= 200
    turn = await read_turn(services(sandbox), await request(chat, "the xylophone is in the cellar"))
    assert turn["subject"]["seq"] == best["seq"]
