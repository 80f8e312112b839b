import pytest
from telegram.error import BadRequest

from local.telegram.files import MAX_PHOTO_BYTES
from local.telegram.stickers import SET_NAME
from tests.local.telegram.scene import Scene
from tests.local.telegram.test_images import JPEG, PNG
from tests.media_files import ogg


async def test_an_uploaded_photo_can_be_sent_again_by_its_id(sandbox: Scene) -> None:
    first = await sandbox.bot.send_photo(sandbox.ann, JPEG, caption="look at @marvin_test_bot")
    again = await sandbox.bot.send_photo(sandbox.ann, first.photo[-1].file_id)
    assert first.photo == again.photo
    assert (first.photo[-1].width, first.photo[-1].height) == (640, 480)
    assert first.caption_entities[0].type == "mention"


async def test_a_sticker_can_be_uploaded(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_sticker(sandbox.ann, PNG, emoji="🙂")
    assert sent.sticker is not None
    assert (sent.sticker.emoji, sent.sticker.set_name) == ("🙂", None)


async def test_other_files_are_sent_as_they_are(sandbox: Scene) -> None:
    document = await sandbox.bot.send_document(sandbox.ann, b"PK\x03\x04", filename="all.zip", caption="yours")
    voice = await sandbox.bot.send_voice(sandbox.ann, b"OggS", duration=3)
    assert document.document is not None
    assert (document.document.file_name, document.caption) == ("all.zip", "yours")
    assert voice.voice is not None
    file = await sandbox.bot.get_file(document.document.file_id)
    assert await file.download_as_bytearray() == b"PK\x03\x04"


@pytest.mark.parametrize(
    ("name", "type_"), [("a.ogg", "audio/ogg"), ("a.mp3", "audio/mpeg"), ("a.wav", "audio/ogg"), ("a", "audio/ogg")]
)
async def test_a_voice_note_is_of_one_of_three_types(sandbox: Scene, name: str, type_: str) -> None:
    sent = await sandbox.bot.send_voice(sandbox.ann, ogg(3), filename=name)
    assert sent.voice is not None
    assert sent.voice.mime_type == type_


async def test_what_cannot_be_a_photo_is_refused(sandbox: Scene) -> None:
    sticker = (await sandbox.bot.get_sticker_set(SET_NAME)).stickers[0]
    too_big = f"File of size {MAX_PHOTO_BYTES + 1} bytes is too big for a photo; the maximum size is 10485760 bytes"
    for photo, reason in (
        (b"hello", "Image_process_failed"),
        (b"", "File must be non-empty"),
        (PNG + bytes(MAX_PHOTO_BYTES + 1 - len(PNG)), too_big),
        ("https://x.example/a.png", "Failed to get http url content"),
        ("nonsense", "Wrong file identifier/http url specified"),
        (sticker.file_id, "Can't use file of type sticker as photo"),
    ):
        with pytest.raises(BadRequest) as refused:
            await sandbox.bot.send_photo(sandbox.ann, photo)
        assert refused.value.message == reason


async def test_a_caption_is_at_most_1024_long(sandbox: Scene) -> None:
    await sandbox.bot.send_photo(sandbox.ann, PNG, caption="😀" * 512)
    with pytest.raises(BadRequest, match="Message caption is too long"):
        await sandbox.bot.send_photo(sandbox.ann, PNG, caption="😀" * 513)
