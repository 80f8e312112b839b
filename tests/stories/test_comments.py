"""Stories of a channel's discussion group: comments below a post are answered there, and posts are not answered."""

from typing import Any

from tests.stories.play import Chat, Sandbox


async def _post(chat: Chat, text: str) -> int:
    made = await chat.telegram.post(f"/world/chats/{chat.key}/posts", json={"channel": "News", "text": text})
    return int(made.raise_for_status().json()["message_id"])


async def test_a_comment_is_answered_below_the_post(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    chat = await sandbox.group([ann, ben])
    username = (await sandbox.bot("lull"))["username"]
    post = await _post(chat, f"Ask @{username} anything! lull, are you there?")
    await chat.rests()
    assert await chat.said() == [], "the post itself starts nothing"
    first = await chat.writes(ann, "lovely", reply_to=post)
    await sandbox.model.will_say("At noon.", "Or at one.")
    comment = await chat.writes(ben, f"@{username} when?", reply_to=first)
    assert await chat.answers(2) == ["At noon.", "Or at one."]
    said: list[Any] = await chat.said()
    assert [one["reply_to"] for one in said] == [comment, post], "both are comments below the post"
    decided = {e["text"]: e["decision"]["reason"] for e in await chat.spoken() if e["decision"]}
    assert decided[f"Ask @{username} anything! lull, are you there?"] == "a channel's post"


async def test_what_is_said_beside_the_comments_is_answered_there(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.group([ann])
    username = (await sandbox.bot("lull"))["username"]
    await _post(chat, "News")
    await sandbox.model.will_say("Yes.")
    asked = await chat.writes(ann, f"@{username} there?")
    assert await chat.answers() == ["Yes."]
    await sandbox.model.will_say("Still.")
    await chat.writes(ann, f"@{username} still?", reply_to=asked)
    assert await chat.answers() == ["Still."]
    assert [one["reply_to"] for one in await chat.said()] == [None, None]
