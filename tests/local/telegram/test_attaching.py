"""Files that people of the stories send, compared with the bot's updates."""

from dataclasses import dataclass

import httpx

from tests.local.telegram.scene import Scene
from tests.media_files import ogg, png
from tests.stories.attaching import Attaching


@dataclass
class Talk(Attaching):
    key: str
    telegram: httpx.AsyncClient


@dataclass(frozen=True)
class Somebody:
    id: int


async def test_people_send_files_of_every_kind(sandbox: Scene) -> None:
    talk, ann = Talk(sandbox.private, sandbox.http), Somebody(sandbox.ann)
    photo = await talk.sends_photo(ann, png(), "my cat", about=[{"spoiler": True}])
    await talk.sends_voice(ann, ogg(3), reply_to=photo)
    await talk.sends_document(ann, b"%PDF-1.4", "plan.pdf", "read it")
    first, second, third = [update["message"] for update in await sandbox.updates()]
    assert (first["caption"], first["has_media_spoiler"], first["message_id"]) == ("my cat", True, photo)
    assert (second["voice"]["duration"], second["voice"]["mime_type"]) == (3, "audio/ogg")
    assert second["reply_to_message"]["message_id"] == photo
    assert (third["document"]["file_name"], third["document"]["mime_type"]) == ("plan.pdf", "application/pdf")


async def test_an_album_a_sticker_and_a_place(sandbox: Scene) -> None:
    talk, ann = Talk(sandbox.private, sandbox.http), Somebody(sandbox.ann)
    ids = await talk.sends_album(ann, [("photo", png((n, 0, 0))) for n in range(3)], "three")
    made = await talk.adds_sticker(png(), "🐱", "Cats")
    await talk.sends_sticker(ann, made["file_id"])
    await talk.sends_content(ann, content={"location": {"latitude": 1.0, "longitude": 2.0}})
    *album, sticker, place = [update["message"] for update in await sandbox.updates()]
    assert [one["message_id"] for one in album] == ids
    assert len({one["media_group_id"] for one in album}) == 1
    assert (sticker["sticker"]["emoji"], sticker["sticker"]["set_name"]) == ("🐱", "Cats")
    assert place["location"] == {"latitude": 1.0, "longitude": 2.0}
    assert made["file_id"] in [one["file_id"] for one in await talk.stickers()]
