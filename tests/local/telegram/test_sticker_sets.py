from tests.local.telegram.scene import Json, Scene
from tests.media_files import png, tgs


async def add(sandbox: Scene, content: bytes, **fields: str) -> Json:
    answer = await sandbox.http.post("/world/stickers", data=fields, files={"sticker": ("s", content)})
    made: Json = answer.json()
    return made


async def test_a_set_grows_by_what_people_bring(sandbox: Scene) -> None:
    first = await add(sandbox, png(), emoji="🐱", set_name="Cats", set_title="My cats")
    await add(sandbox, tgs(), emoji="😹", set_name="cats")
    found = await sandbox.call("getStickerSet", name="CATS")
    assert (found["name"], found["title"], found["sticker_type"]) == ("Cats", "My cats", "regular")
    assert [(one["emoji"], one["is_animated"], one["set_name"]) for one in found["stickers"]] == [
        ("🐱", False, "Cats"),
        ("😹", True, "Cats"),
    ]
    await sandbox.say(sandbox.private, sandbox.ann, "", sticker=first["file_id"])
    (update,) = await sandbox.updates()
    assert update["message"]["sticker"]["set_name"] == "Cats"
    again = await sandbox.bot.send_sticker(sandbox.ann, png())
    assert again.sticker is not None
    assert again.sticker.set_name == "Cats"


async def test_a_custom_emoji_is_found_by_its_id(sandbox: Scene) -> None:
    made = await add(sandbox, png(), emoji="🐱", set_name="Cats", type="custom_emoji")
    found = await sandbox.call("getCustomEmojiStickers", custom_emoji_ids=[made["custom_emoji_id"], "1"])
    assert [(one["type"], one["emoji"], one["custom_emoji_id"]) for one in found] == [
        ("custom_emoji", "🐱", made["custom_emoji_id"])
    ]
    entity = {"type": "custom_emoji", "offset": 0, "length": 2, "custom_emoji_id": made["custom_emoji_id"]}
    await sandbox.say(sandbox.private, sandbox.ann, "🐱 hi", entities=[entity])
    (update,) = await sandbox.updates()
    assert update["message"]["entities"] == [entity]
    sent = await sandbox.call("sendMessage", chat_id=sandbox.ann, text="🐱 yes", entities=[entity])
    assert sent["entities"] == [entity]
    world = await sandbox.act("GET", "/world")
    assert "Cats" not in [one["set_name"] for one in world["stickers"]]
    assert [one["custom_emoji_id"] for one in world["custom_emoji"]] == [made["custom_emoji_id"]]
    many = await sandbox.error("getCustomEmojiStickers", custom_emoji_ids=["1"] * 201)
    assert many == (400, "Bad Request: too many custom emoji identifiers specified")


async def test_what_is_no_sticker_is_refused(sandbox: Scene) -> None:
    assert "not a PNG" in (await add(sandbox, b"hello", emoji="🐱", set_name="Cats"))["error"]
    assert "set_name" in (await add(sandbox, png(), emoji="🐱", set_name="my cats"))["error"]
    await add(sandbox, png(), emoji="🐱", set_name="Cats")
    assert "of type regular" in (await add(sandbox, png(), emoji="🐱", set_name="Cats", type="custom_emoji"))["error"]
    answer = await sandbox.http.post(
        "/world/stickers", data={"emoji": "🐱", "set_name": "Cats"}, files={"x": ("x", b"")}
    )
    assert "in the field `sticker`" in answer.json()["error"]
