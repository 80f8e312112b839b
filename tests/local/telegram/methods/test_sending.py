import pytest
from telegram import Message
from telegram.constants import ChatAction
from telegram.error import BadRequest

from local.telegram.methods.sending import METHODS
from tests.local.telegram.scene import Scene
from tests.media_files import mp4, ogg, png


async def test_a_message_is_answered_shown_and_not_told_to_itself(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_message(sandbox.ann, "hello")
    assert isinstance(sent, Message)
    assert sent.from_user is not None
    assert (sent.chat.id, sent.from_user.id, sent.text) == (sandbox.ann, sandbox.marvin, "hello")
    view = (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages"))["messages"][-1]
    assert (view["message_id"], view["from"], view["text"]) == (sent.message_id, sandbox.marvin, "hello")
    assert await sandbox.updates() == []


async def test_an_action_is_shown_for_five_seconds(sandbox: Scene) -> None:
    assert await sandbox.bot.send_chat_action(sandbox.ann, ChatAction.TYPING)
    (event,) = [event for event in await sandbox.events() if event["type"] == "typing"]
    assert (event["chat"], event["from"], event["action"]) == (sandbox.private, sandbox.marvin, "typing")
    assert event["until"] - sandbox.telegram.world.now() <= 5
    with pytest.raises(BadRequest, match="Wrong parameter action in request"):
        await sandbox.bot.send_chat_action(sandbox.ann, "dancing")


@pytest.mark.parametrize("action", [action.value for action in ChatAction])
async def test_every_action_of_the_library_is_known(sandbox: Scene, action: str) -> None:
    assert await sandbox.bot.send_chat_action(sandbox.ann, action)


async def test_an_action_may_name_the_general_topic(sandbox: Scene) -> None:
    group = await sandbox.group(topics=True)
    assert await sandbox.bot.send_chat_action(group["id"], "typing", message_thread_id=1)
    assert (await sandbox.events())[-1]["topic_id"] is None
    with pytest.raises(BadRequest, match="Message thread not found"):
        await sandbox.bot.send_chat_action(group["id"], "typing", message_thread_id=99)


async def test_a_draft_is_a_preview_and_no_message(sandbox: Scene) -> None:
    assert await sandbox.bot.send_message_draft(sandbox.ann, 7, "half a sen")
    event = (await sandbox.events())[-1]
    assert (event["type"], event["draft_id"], event["text"]) == ("draft", 7, "half a sen")
    assert event["until"] - sandbox.telegram.world.now() <= 30
    assert await sandbox.call("sendMessageDraft", chat_id=sandbox.ann, draft_id=7)
    assert (await sandbox.events())[-1]["text"] == ""
    assert (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages"))["messages"] == []


async def test_a_draft_is_for_private_chats_and_has_a_number(sandbox: Scene) -> None:
    group = await sandbox.group()
    with pytest.raises(BadRequest, match="Textdraft_peer_invalid"):
        await sandbox.bot.send_message_draft(group["id"], 7, "x")
    assert (await sandbox.error("sendMessageDraft", chat_id=sandbox.ann, draft_id=0, text="x"))[0] == 400
    refused = await sandbox.error("sendMessageDraft", chat_id=sandbox.ann, draft_id=7, text="x" * 4097)
    assert refused == (400, "Bad Request: message is too long")


def test_every_kind_of_file_has_its_method() -> None:
    files = {"sendphoto", "sendsticker", "senddocument", "sendvoice", "sendaudio", "sendvideo", "sendanimation"}
    assert files <= {name.lower() for name in METHODS}


async def test_who_wants_no_voice_messages_gets_none_in_private(sandbox: Scene) -> None:
    group = await sandbox.group()
    await sandbox.act("PATCH", f"/world/people/{sandbox.ann}", {"refuses_voice": True})
    assert (await sandbox.call("getChat", chat_id=sandbox.ann))["has_restricted_voice_and_video_messages"] is True
    for send, content in ((sandbox.bot.send_voice, ogg()), (sandbox.bot.send_video_note, mp4())):
        with pytest.raises(BadRequest, match="Voice_messages_forbidden"):
            await send(sandbox.ann, content)
    assert (await sandbox.bot.send_photo(sandbox.ann, png())).photo
    assert (await sandbox.bot.send_voice(group["id"], ogg())).voice
    await sandbox.act("PATCH", f"/world/people/{sandbox.ann}", {"refuses_voice": False})
    assert (await sandbox.bot.send_voice(sandbox.ann, ogg())).voice
    assert "has_restricted_voice_and_video_messages" not in await sandbox.call("getChat", chat_id=sandbox.ann)
