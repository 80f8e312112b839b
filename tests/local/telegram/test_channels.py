"""A linked channel's posts in its discussion group, and the comments below them."""

from tests.local.telegram.scene import Scene
from tests.local.telegram.test_passing_on import garden


async def test_a_post_comes_into_the_group_by_itself(sandbox: Scene) -> None:
    key = await garden(sandbox)
    shown = await sandbox.act("POST", f"/world/chats/{key}/posts", {"channel": "News", "text": "See https://a.bc"})
    assert (shown["text"], shown["forwarded_from"]) == ("See https://a.bc", "News")
    (update,) = await sandbox.updates()
    post = update["message"]
    assert post["is_automatic_forward"] is True
    assert post["from"]["id"] == 777000
    assert (post["sender_chat"]["type"], post["sender_chat"]["title"]) == ("channel", "News")
    assert post["sender_chat"]["id"] != post["chat"]["id"]
    assert post["forward_origin"]["type"] == "channel"
    assert "message_thread_id" not in post


async def test_comments_carry_the_posts_thread_and_no_topic(sandbox: Scene) -> None:
    key = await garden(sandbox)
    post = await sandbox.act("POST", f"/world/chats/{key}/posts", {"channel": "News", "text": "one"})
    first = await sandbox.say(key, sandbox.ann, "nice", reply_to=post["message_id"])
    await sandbox.say(key, sandbox.bob, "indeed", reply_to=first["message_id"])
    plain = await sandbox.say(key, sandbox.ann, "elsewhere")
    await sandbox.say(key, sandbox.bob, "so", reply_to=plain["message_id"])
    _, direct, nested, *others = [update["message"] for update in await sandbox.updates()]
    assert [one["message_thread_id"] for one in (direct, nested)] == [post["message_id"]] * 2
    assert "is_topic_message" not in nested
    assert direct["reply_to_message"]["is_automatic_forward"] is True
    assert not any("message_thread_id" in one for one in others)


async def test_what_a_bot_replies_to_a_comment_is_a_comment(sandbox: Scene) -> None:
    key = await garden(sandbox)
    post = await sandbox.act("POST", f"/world/chats/{key}/posts", {"channel": "News", "text": "one"})
    comment = await sandbox.say(key, sandbox.ann, "nice", reply_to=post["message_id"])
    (_, update) = await sandbox.updates()
    chat_id = update["message"]["chat"]["id"]
    to = {"message_id": comment["message_id"]}
    sent = await sandbox.call("sendMessage", chat_id=chat_id, text="thanks", reply_parameters=to)
    assert sent["message_thread_id"] == post["message_id"]


async def test_a_basic_group_has_no_channel(sandbox: Scene) -> None:
    key = await garden(sandbox, type="group")
    said = await sandbox.refused("POST", f"/world/chats/{key}/posts", {"channel": "News", "text": "one"})
    assert "supergroup" in said
