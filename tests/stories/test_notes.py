"""Stories of conversations that rest: they get their notes, without anybody waiting for it."""

import json
from datetime import UTC, datetime, timedelta

import httpx

from tests.stories.play import Chat, Json, Person, Sandbox, until


async def talks(chat: Chat, person: Person, sandbox: Sandbox, *texts: str) -> None:
    """Write some messages, each with an answer."""
    for text in texts:
        await sandbox.model.will({"tasks": {"tasks": [{"kind": "send", "text": f"So: {text}."}]}, "match": text})
        await chat.writes(person, text)
        await chat.answers()
    await chat.rests()


async def conversation_of(chat: Chat) -> Json:
    """Read the document of the chat's conversation."""
    conversation = (await chat.document())["conversation"]
    return (await chat.firestore.document(f"conversations/{conversation}").get()).to_dict() or {}


async def comes_to_rest(chat: Chat) -> None:
    """Let the time pass after which its conversation counts as quiet."""
    conversation = (await chat.document())["conversation"]
    past = {"due_at": datetime.now(UTC) - timedelta(seconds=1)}
    await chat.firestore.document(f"conversations/{conversation}").set(past, merge=True)


async def looks(sandbox: Sandbox) -> None:
    """Look for quiet conversations, as a sweep does."""
    async with httpx.AsyncClient(timeout=60) as client:
        (await client.post(sandbox.cloud.summarize_url, json={"job": "notes"})).raise_for_status()


async def is_noted(chat: Chat) -> Json:
    """Wait until no notes are due, and return the document."""

    async def noted() -> Json:
        found = await conversation_of(chat)
        return found if found.get("due_at") is None else {}

    found: Json = await until(noted, "the conversation is noted")
    return found


def notes(**fields: object) -> Json:
    """Make the model's answer to a request for notes."""
    return {"text": json.dumps({"abbreviation": "They talked.", "observations": []} | fields)}


async def test_a_conversation_that_rests_has_its_abbreviation(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await talks(chat, ann, sandbox, "a medlar tree in the garden")
    due = (await conversation_of(chat))["due_at"]
    assert timedelta(minutes=9) < due - datetime.now(UTC) < timedelta(minutes=11)
    await looks(sandbox)
    assert "abbreviation" not in await conversation_of(chat)
    await comes_to_rest(chat)
    seen = {"text": "Ann has a medlar tree.", "about": [ann.name], "happened": "", "entries": [1], "supersedes": ""}
    await sandbox.model.will(
        notes(abbreviation="Ann has a medlar tree in her garden.", observations=[seen]) | {"match": "medlar tree"}
    )
    await looks(sandbox)
    found = await is_noted(chat)
    assert found["abbreviation"] == "Ann has a medlar tree in her garden."
    conversation = (await chat.document())["conversation"]
    below = sandbox.firestore.collection(f"conversations/{conversation}/observations")
    (one,) = [document.to_dict() or {} async for document in below.stream()]
    assert (one["text"], one["about"], one["place"]) == ("Ann has a medlar tree.", [ann.id], f"lull.{chat.id}")


async def test_a_conversation_that_is_left_rests_at_once(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await talks(chat, ann, sandbox, "a service tree")
    left = (await chat.document())["conversation"]
    await chat.writes(ann, "/new")
    await chat.answers()
    await chat.rests()
    await sandbox.model.will(notes(abbreviation="A service tree.") | {"match": "a service tree"})
    await looks(sandbox)

    async def noted() -> Json:
        found = (await sandbox.firestore.document(f"conversations/{left}").get()).to_dict() or {}
        return found if found.get("abbreviation") else {}

    assert (await until(noted, "what was left is noted"))["abbreviation"] == "A service tree."


async def test_a_conversation_renamed_by_hand_stays_so(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await talks(chat, ann, sandbox, *(f"a rowan number {n}" for n in range(5)))
    await chat.writes(ann, "/title My own title")
    await chat.answers()
    await chat.rests()
    await comes_to_rest(chat)
    await sandbox.model.will(notes(title="Five rowan trees", topics=["rowan"]) | {"match": "a rowan number 0"})
    await looks(sandbox)
    found = await is_noted(chat)
    assert (found["title"], found["manually_named"], found["abbreviation"]) == ("My own title", True, "They talked.")


async def test_a_fact_that_changed_is_known_as_both_and_the_old_one_says_since_when(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    said = {"about": [ann.name], "entries": [1], "supersedes": ""}
    await talks(chat, ann, sandbox, "I live in Kyiv with a quince")
    await comes_to_rest(chat)
    old = said | {"text": "Ann lives in Kyiv.", "happened": ""}
    await sandbox.model.will(notes(observations=[old]) | {"match": "I live in Kyiv with a quince"})
    await looks(sandbox)
    await is_noted(chat)
    await talks(chat, ann, sandbox, "I moved to Lviv with the quince")
    await comes_to_rest(chat)
    new = said | {"text": "Ann lives in Lviv.", "happened": "2026-11", "entries": [3], "supersedes": "o1"}
    await sandbox.model.will(notes(observations=[new]) | {"match": "I moved to Lviv with the quince"})
    await looks(sandbox)
    await is_noted(chat)
    conversation = (await chat.document())["conversation"]
    below = sandbox.firestore.collection(f"conversations/{conversation}/observations").order_by("said_at")
    found = [one.to_dict() or {} async for one in below.stream()]
    first, second = sorted(found, key=lambda one: bool(one["supersedes"]))  # both may be said in one second
    assert (first["text"], first["superseded_on"]) == ("Ann lives in Kyiv.", "2026-11-01")
    assert (second["text"], second["supersedes"]) == ("Ann lives in Lviv.", first["id"])


async def test_while_the_model_of_vectors_is_gone_notes_are_made_all_the_same(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await talks(chat, ann, sandbox, "a sorb tree")
    await comes_to_rest(chat)
    await sandbox.model.will(notes(abbreviation="A sorb tree.") | {"match": "a sorb tree"})
    (await sandbox.model.http.post("/script", json={"vectors": {"status": 503, "times": None}})).raise_for_status()
    await looks(sandbox)

    async def put_off() -> Json:
        found = await conversation_of(chat)
        return found if found.get("abbreviation") and found["due_at"] > datetime.now(UTC) else {}

    found = await until(put_off, "the vectors are to be tried again")
    assert (found["abbreviation"], found["needs_abbreviation"], found["embedding_model"]) == ("A sorb tree.", False, "")
    await sandbox.model.clear()
    await comes_to_rest(chat)
    await looks(sandbox)
    found = await is_noted(chat)
    assert (found["embedding_model"], found["abbreviation"]) == ("hashed-words", "A sorb tree.")
    assert found["embedding"]
