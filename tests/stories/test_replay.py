"""A story of a poison update: it was put aside, an operator replays it, and the person gets an answer."""

import asyncio
import json
import os
import sys
from datetime import UTC, datetime

from local.processes import ROOT
from shared.chat.store.layout import encode_incident, encode_update
from shared.telegram.inbound.envelope import read_envelope
from shared.values.incident import Incident, IncidentKind
from shared.values.update import InboxUpdate
from tests.stories.play import Chat, Json, Person, Sandbox


async def command(sandbox: Sandbox, *arguments: str) -> list[str]:
    """Run a command and return its output."""
    cloud = sandbox.cloud
    env = {
        "PATH": os.environ["PATH"],
        "GOOGLE_CLOUD_PROJECT": cloud.project,
        "FIRESTORE_EMULATOR_HOST": cloud.firestore_host,
        "CLOUD_TASKS_ENDPOINT": cloud.tasks_address,
        "LULL_QUEUE": cloud.queue,
        "LULL_TICK_URL": cloud.tick_url,
    }
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "operations", *arguments, cwd=ROOT, env=env, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await program.communicate()
    return out.decode().splitlines()


def poison(chat: Chat, ann: Person) -> Json:
    """Make an update that an older tick could not handle."""
    message = {
        "message_id": 900_001,
        "from": {"id": ann.id, "is_bot": False, "first_name": ann.name},
        "chat": {"id": chat.id, "type": "private", "first_name": ann.name},
        "date": int(datetime.now(UTC).timestamp()),
        "text": "a question about a tamarillo",
    }
    return {"update_id": 910_000_000 + ann.id % 1_000_000, "message": message}


async def put_aside(sandbox: Sandbox, chat: Chat, raw: Json) -> Incident:
    """Mark the update as read and keep it in an incident, as a tick does with an update that it cannot handle."""
    envelope = read_envelope(chat.agent, raw)
    assert envelope is not None
    now = datetime.now(UTC)
    document = encode_update(InboxUpdate(envelope=envelope, raw=raw, received_at=now)) | {"read": True}
    path = f"chats/{envelope.key.id}/inbox/{envelope.update_id:020d}"
    incident = Incident(
        id=f"dead-{envelope.key.id}-{envelope.update_id}",
        kind=IncidentKind.DEAD_LETTER,
        at=now,
        why="the update could not be handled (KeyError)",
        agent=chat.agent,
        chat=envelope.key.id,
        update_id=envelope.update_id,
        body=json.dumps(raw),
    )
    await sandbox.firestore.document(path).set(document)
    await sandbox.firestore.document(f"incidents/{incident.id}").set(encode_incident(incident))
    return incident


async def test_a_poison_update_is_listed_replayed_and_answered_once(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    incident = await put_aside(sandbox, chat, poison(chat, ann))
    await sandbox.model.will(
        {"tasks": {"tasks": [{"kind": "send", "text": "It is a fruit."}]}, "match": "a tamarillo", "times": 2}
    )

    (row,) = [line for line in await command(sandbox, "incidents") if line.startswith(incident.id)]
    assert "the update could not be handled (KeyError)" in row
    assert "tamarillo" not in row
    assert (await command(sandbox, "replay", incident.id))[1:] == [
        f"{incident.id}: it is in the inbox again, and a tick reads it."
    ]
    assert await chat.answers() == ["It is a fruit."]
    await chat.rests()
    assert [e["text"] for e in await chat.spoken()] == ["a question about a tamarillo", "It is a fruit."]

    (again,) = (await command(sandbox, "replay", incident.id))[1:]
    assert again.startswith(f"{incident.id}: it was replayed at ")
    assert again.endswith(" UTC already.")
    assert not [line for line in await command(sandbox, "replay") if line.startswith(incident.id)]
    await chat.rests()
    assert len(await chat.said()) == 1
