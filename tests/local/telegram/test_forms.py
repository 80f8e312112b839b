import json

import pytest

from tests.local.telegram.scene import Json, Scene
from tests.media_files import mp4, ogg, png, tgs

Files = list[tuple[str, tuple[str, bytes]]]


async def send(sandbox: Scene, files: Files, about: object = (), **fields: str) -> Json:
    form = {"from": str(sandbox.ann), "about": json.dumps(about)} | fields
    path = f"/world/chats/{sandbox.private}/messages"
    answer: Json = (await sandbox.http.post(path, data=form, files=files)).json()
    return answer


async def test_a_voice_note_is_as_long_as_its_sound(sandbox: Scene) -> None:
    await send(sandbox, [("voice", ("v.ogg", ogg(4)))], [{"duration": 99}])
    await send(sandbox, [("voice", ("v.webm", b"no length"))], [{"duration": 2.6}])
    first, second = [update["message"]["voice"] for update in await sandbox.updates()]
    assert (first["duration"], second["duration"]) == (4, 3)


async def test_photos_and_videos_of_an_album_keep_their_order_and_covers(sandbox: Scene) -> None:
    files: Files = [("video", ("a.mp4", mp4())), ("photo", ("b.png", png())), ("video", ("c.webm", b"?"))]
    sent = await send(sandbox, files, [{}, {"spoiler": True}, {"width": 30, "height": 20, "duration": 5}])
    assert [one["photo"] is None for one in sent["messages"]] == [True, False, True]
    assert sent["messages"][1]["photo"]["spoiler"] is True
    first, second, third = [update["message"] for update in await sandbox.updates()]
    assert {"width": 320, "height": 240, "duration": 3}.items() <= first["video"].items()
    assert ("has_media_spoiler" in first, second["has_media_spoiler"]) == (False, True)
    assert {"width": 30, "height": 20, "duration": 5}.items() <= third["video"].items()


async def test_a_caption_can_come_with_its_entities(sandbox: Scene) -> None:
    entities = json.dumps([{"type": "bold", "offset": 0, "length": 2}])
    await send(sandbox, [("document", ("a.txt", b"x"))], caption="my list", entities=entities)
    (update,) = await sandbox.updates()
    assert update["message"]["caption_entities"] == [{"type": "bold", "offset": 0, "length": 2}]


async def test_a_sticker_file_is_told_by_its_content(sandbox: Scene) -> None:
    await send(sandbox, [("sticker", ("x", tgs()))])
    await send(sandbox, [("sticker", ("x", b"\x1a\x45\xdf\xa3"))])
    shapes, film = [update["message"]["sticker"] for update in await sandbox.updates()]
    assert (shapes["is_animated"], shapes["is_video"], shapes["width"]) == (True, False, 512)
    assert (film["is_animated"], film["is_video"]) == (False, True)


async def test_the_same_file_is_the_same_for_everybody(sandbox: Scene) -> None:
    await send(sandbox, [("photo", ("a.png", png()))])
    (update,) = await sandbox.updates()
    sent = await sandbox.bot.send_photo(sandbox.ann, png())
    assert sent.photo[0].file_unique_id == update["message"]["photo"][0]["file_unique_id"]


@pytest.mark.parametrize(
    ("files", "about", "why"),
    [
        ([("photo", ("a.png", png())), ("document", ("b", b"x"))], "[]", "can't be mixed"),
        ([("painting", ("a.png", png()))], "[]", "cannot be sent as painting"),
        ([("voice", ("a.ogg", ogg()))], '[{"duration": -1}]', "greater than or equal to 0"),
        ([("voice", ("a.ogg", ogg()))], "{", "JSON lists"),
        ([("sticker", ("a.txt", b"hello"))], "[]", "not a PNG"),
    ],
)
async def test_what_cannot_be_sent_is_a_sentence(sandbox: Scene, files: Files, about: str, why: str) -> None:
    form = {"from": str(sandbox.ann), "about": about}
    answer = await sandbox.http.post(f"/world/chats/{sandbox.private}/messages", data=form, files=files)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
    assert await sandbox.updates() == []
