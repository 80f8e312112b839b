import pytest
from telegram import InputMediaDocument, InputMediaPhoto, InputMediaVideo, MessageEntity

from tests.local.telegram.scene import Json, Scene
from tests.media_files import mp4, png


async def test_an_album_of_a_bot_is_shown_as_one(sandbox: Scene) -> None:
    photo = (await sandbox.bot.send_photo(sandbox.ann, png())).photo[0].file_id
    album: list[InputMediaPhoto | InputMediaVideo] = [
        InputMediaPhoto(
            photo, caption="two", caption_entities=[MessageEntity(MessageEntity.BOLD, 0, 3)], has_spoiler=True
        ),
        InputMediaVideo(mp4()),
    ]
    sent = await sandbox.bot.send_media_group(sandbox.ann, album)
    assert sent[0].media_group_id == sent[1].media_group_id is not None
    assert (sent[0].caption, sent[0].caption_entities[0].type, sent[0].has_media_spoiler) == ("two", "bold", True)
    assert sent[1].video is not None
    assert sent[1].video.width == 320
    shown = (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages?limit=2"))["messages"]
    assert [one["media_group_id"] for one in shown] == [sent[0].media_group_id] * 2


async def test_documents_are_an_album_of_their_own(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_media_group(sandbox.ann, [InputMediaDocument(b"a"), InputMediaDocument(b"b")])
    assert [one.document is not None for one in sent] == [True, True]


PHOTO = {"type": "photo", "media": "nonsense"}


@pytest.mark.parametrize(
    ("media", "why"),
    [
        ([], "there are no messages to send"),
        ([PHOTO] * 11, "too many messages to send as an album"),
        ([PHOTO, {"type": "document", "media": "x"}], "document can't be mixed with other media types"),
        ([PHOTO, PHOTO], "wrong file identifier/HTTP URL specified"),
        (
            [{"type": "animation", "media": "x"}],
            "can't parse InputMedia: type \"animation\" can't be used in sendMediaGroup",
        ),
    ],
)
async def test_what_is_no_album_is_refused_in_telegrams_words(sandbox: Scene, media: list[Json], why: str) -> None:
    assert await sandbox.error("sendMediaGroup", chat_id=sandbox.ann, media=media) == (400, f"Bad Request: {why}")
    assert (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages"))["messages"] == []
