"""Stories of photos that an agent sends."""

from tests.stories.play import Chat, Person, Sandbox


async def shows(chat: Chat, person: Person, picture: bytes) -> int:
    """Send a photo as a person; return the message's id."""
    fields = {"from": str(person.id), "caption": "look at this"}
    files = {"photo": ("a.png", picture, "image/png")}
    answer = await chat.telegram.post(f"/world/chats/{chat.key}/messages", data=fields, files=files)
    return int(answer.raise_for_status().json()["message_id"])


async def test_a_photo_that_was_sent_here_is_sent_again_and_no_other_chats(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, other = await sandbox.private(ann, "tutor"), await sandbox.private(bob, "tutor")
    world = (await sandbox.telegram.get("/world")).json()
    picture = (await sandbox.telegram.get(f"/world/files/{world['stickers'][0]['file_id']}")).content
    await sandbox.model.will_say("Nice.")
    theirs = await shows(other, bob, picture)
    await other.answers()
    await other.rests()
    await sandbox.model.will_say("Nice, too.")
    mine = await shows(chat, ann, picture)
    await chat.answers()
    await chat.rests()
    photo = {"kind": "send-media", "message_id": mine, "text": "Here it is."}
    await sandbox.model.will_plan({**photo, "message_id": max(theirs, mine) + 1000})
    await sandbox.model.will_plan(photo)
    await chat.writes(ann, "show me that again")
    await chat.answers()
    await chat.rests()
    assert [(m["caption"], bool(m["photo"])) for m in await chat.said()][1:] == [("Here it is.", True)]
    assert "names a message that is not shown to you" in (await chat.plan()).calls[0].problem
