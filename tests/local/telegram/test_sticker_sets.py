from tests.local.telegram.scene import Json, Scene
from tests.media_files import png, tgs


async def add(stage: Scene, content: bytes, **fields: str) -> Json:
    answer = await stage.http.post("/world/stickers", data=fields, files={"sticker": ("s", content)})
    made: Json = answer.json()
    return made


async def test_a_set_grows_by_what_people_bring(stage: Scene) -> None:
    first = await add(stage, png(), emoji="🐱", set_name="Cats", set_title="My cats")
    await add(stage, tgs(), emoji="😹", set_name="cats")
    found = await stage.call("getStickerSet", name="CATS")
    assert (found["name"], found["title"], found["sticker_type"]) == ("Cats", "My cats", "regular")
    assert [(one["emoji"], one["is_animated"], one["set_name"]) for one in found["stickers"]] == [
        ("🐱", False, "Cats"),
        ("😹", True, "Cats"),
    ]
    await stage.say(stage.private, stage.ann, "", sticker=first["file_id"])
    (update,) = await stage.updates()
    assert update["message"]["sticker"]["set_name"] == "Cats"
    again = await stage.bot.send_sticker(stage.ann, png())
    assert again.sticker is not None
    assert again.sticker.set_name == "Cats"


async def test_a_custom_emoji_is_found_by_its_id(stage: Scene) -> None:
    made = await add(stage, png(), emoji="🐱", set_name="Cats", type="custom_emoji")
    found = await stage.call("getCustomEmojiStickers", custom_emoji_ids=[made["custom_emoji_id"], "1"])
    assert [(one["type"], one["emoji"], one["custom_emoji_id"]) for one in found] == [
        ("custom_emoji", "🐱", made["custom_emoji_id"])
    ]
    entity = {"type": "custom_emoji", "offset": 0, "length": 2, "custom_emoji_id": made["custom_emoji_id"]}
    await stage.say(stage.private, stage.ann, "🐱 hi", entities=[entity])
    (update,) = await stage.updates()
    assert update["message"]["entities"] == [entity]
    sent = await stage.call("sendMessage", chat_id=stage.ann, text="🐱 yes", entities=[entity])
    assert sent["entities"] == [entity]
    world = await stage.act("GET", "/world")
    assert "Cats" not in [one["set_name"] for one in world["stickers"]]
    assert [one["custom_emoji_id"] for one in world["custom_emoji"]] == [made["custom_emoji_id"]]
    many = await stage.error("getCustomEmojiStickers", custom_emoji_ids=["1"] * 201)
    assert many == (400, "Bad Request: too many custom emoji identifiers specified")


async def test_what_is_no_sticker_is_refused(stage: Scene) -> None:
    assert "no PNG" in (await add(stage, b"hello", emoji="🐱", set_name="Cats"))["error"]
    assert "set_name" in (await add(stage, png(), emoji="🐱", set_name="my cats"))["error"]
    await add(stage, png(), emoji="🐱", set_name="Cats")
    assert "of type regular" in (await add(stage, png(), emoji="🐱", set_name="Cats", type="custom_emoji"))["error"]
    answer = await stage.http.post("/world/stickers", data={"emoji": "🐱", "set_name": "Cats"}, files={"x": ("x", b"")})
    assert "in the field `sticker`" in answer.json()["error"]
