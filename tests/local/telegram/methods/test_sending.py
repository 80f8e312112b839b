import pytest
from telegram import Message
from telegram.constants import ChatAction
from telegram.error import BadRequest

from local.telegram.methods.sending import METHODS
from tests.local.telegram.scene import Scene
from tests.media_files import mp4, ogg, png


async def test_a_message_is_answered_shown_and_not_told_to_itself(stage: Scene) -> None:
    sent = await stage.bot.send_message(stage.ann, "hello")
    assert isinstance(sent, Message)
    assert sent.from_user is not None
    assert (sent.chat.id, sent.from_user.id, sent.text) == (stage.ann, stage.marvin, "hello")
    view = (await stage.act("GET", f"/world/chats/{stage.private}/messages"))["messages"][-1]
    assert (view["message_id"], view["from"], view["text"]) == (sent.message_id, stage.marvin, "hello")
    assert await stage.updates() == []


async def test_an_action_is_shown_for_five_seconds(stage: Scene) -> None:
    assert await stage.bot.send_chat_action(stage.ann, ChatAction.TYPING)
    (event,) = [event for event in await stage.events() if event["type"] == "typing"]
    assert (event["chat"], event["from"], event["action"]) == (stage.private, stage.marvin, "typing")
    assert event["until"] - stage.telegram.world.now() <= 5
    with pytest.raises(BadRequest, match="Wrong parameter action in request"):
        await stage.bot.send_chat_action(stage.ann, "dancing")


@pytest.mark.parametrize("action", [action.value for action in ChatAction])
async def test_every_action_of_the_library_is_known(stage: Scene, action: str) -> None:
    assert await stage.bot.send_chat_action(stage.ann, action)


async def test_an_action_may_name_the_general_topic(stage: Scene) -> None:
    group = await stage.group(topics=True)
    assert await stage.bot.send_chat_action(group["id"], "typing", message_thread_id=1)
    assert (await stage.events())[-1]["topic_id"] is None
    with pytest.raises(BadRequest, match="Message thread not found"):
        await stage.bot.send_chat_action(group["id"], "typing", message_thread_id=99)


async def test_a_draft_is_a_preview_and_no_message(stage: Scene) -> None:
    assert await stage.bot.send_message_draft(stage.ann, 7, "half a sen")
    event = (await stage.events())[-1]
    assert (event["type"], event["draft_id"], event["text"]) == ("draft", 7, "half a sen")
    assert event["until"] - stage.telegram.world.now() <= 30
    assert await stage.call("sendMessageDraft", chat_id=stage.ann, draft_id=7)
    assert (await stage.events())[-1]["text"] == ""
    assert (await stage.act("GET", f"/world/chats/{stage.private}/messages"))["messages"] == []


async def test_a_draft_is_for_private_chats_and_has_a_number(stage: Scene) -> None:
    group = await stage.group()
    with pytest.raises(BadRequest, match="Textdraft_peer_invalid"):
        await stage.bot.send_message_draft(group["id"], 7, "x")
    assert (await stage.error("sendMessageDraft", chat_id=stage.ann, draft_id=0, text="x"))[0] == 400
    refused = await stage.error("sendMessageDraft", chat_id=stage.ann, draft_id=7, text="x" * 4097)
    assert refused == (400, "Bad Request: message is too long")


def test_every_kind_of_file_has_its_method() -> None:
    files = {"sendphoto", "sendsticker", "senddocument", "sendvoice", "sendaudio", "sendvideo", "sendanimation"}
    assert files <= {name.lower() for name in METHODS}


async def test_who_wants_no_voice_messages_gets_none_in_private(stage: Scene) -> None:
    group = await stage.group()
    await stage.act("PATCH", f"/world/people/{stage.ann}", {"refuses_voice": True})
    assert (await stage.call("getChat", chat_id=stage.ann))["has_restricted_voice_and_video_messages"] is True
    for send, content in ((stage.bot.send_voice, ogg()), (stage.bot.send_video_note, mp4())):
        with pytest.raises(BadRequest, match="Voice_messages_forbidden"):
            await send(stage.ann, content)
    assert (await stage.bot.send_photo(stage.ann, png())).photo
    assert (await stage.bot.send_voice(group["id"], ogg())).voice
    await stage.act("PATCH", f"/world/people/{stage.ann}", {"refuses_voice": False})
    assert (await stage.bot.send_voice(stage.ann, ogg())).voice
    assert "has_restricted_voice_and_video_messages" not in await stage.call("getChat", chat_id=stage.ann)
