import pytest

from local.telegram.files import MAX_DOWNLOAD_BYTES
from tests.local.telegram.scene import Json, Scene
from tests.local.telegram.test_images import JPEG, PNG


async def upload(stage: Scene, files: list[tuple[str, tuple[str, bytes]]], **fields: str) -> Json:
    path = f"/world/chats/{stage.private}/messages"
    response = await stage.http.post(path, data={"from": str(stage.ann)} | fields, files=files)
    assert response.status_code == 200, response.text
    posted: Json = response.json()
    return posted


async def test_a_photo_has_a_caption_and_can_be_fetched(stage: Scene) -> None:
    view = await upload(stage, [("photo", ("a.png", PNG))], caption="@marvin_test_bot look")
    assert view["photo"]["width"] == 640
    fetched = await stage.http.get(f"/world/files/{view['photo']['file_id']}")
    assert (fetched.content, fetched.headers["content-type"]) == (PNG, "image/png")
    (update,) = await stage.updates()
    message = update["message"]
    assert message["caption_entities"] == [{"type": "mention", "offset": 0, "length": 16}]
    file = await stage.call("getFile", file_id=message["photo"][0]["file_id"])
    assert file["file_path"].endswith(".png")


async def test_an_album_is_as_many_updates_with_one_id(stage: Scene) -> None:
    posted = await upload(stage, [("photo", (f"{n}.jpg", JPEG + bytes([n]))) for n in range(3)], caption="our trip")
    assert len(posted["messages"]) == 3
    messages = [update["message"] for update in await stage.updates()]
    assert len({message["media_group_id"] for message in messages}) == 1
    assert [message.get("caption") for message in messages] == ["our trip", None, None]
    assert len({message["photo"][0]["file_unique_id"] for message in messages}) == 3
    another = await upload(stage, [("photo", ("x.jpg", JPEG)), ("photo", ("y.jpg", JPEG))])
    assert another["media_group_id"] != posted["media_group_id"]


async def test_other_files_can_be_attached(stage: Scene) -> None:
    view = await upload(stage, [("document", ("notes.txt", b"hello"))])
    assert (view["file"]["kind"], view["file"]["name"], view["file"]["size"]) == ("document", "notes.txt", 5)
    await upload(stage, [("voice", ("v.ogg", b"OggS"))])
    document, voice = (update["message"] for update in await stage.updates())
    assert document["document"]["file_name"] == "notes.txt"
    assert "voice" in voice


async def test_a_big_file_can_be_sent_but_not_fetched_by_the_bot(stage: Scene) -> None:
    await upload(stage, [("document", ("big.bin", bytes(MAX_DOWNLOAD_BYTES + 1)))])
    (update,) = await stage.updates()
    file_id = update["message"]["document"]["file_id"]
    assert await stage.error("getFile", file_id=file_id) == (400, "Bad Request: file is too big")


async def test_a_photo_must_be_a_picture(stage: Scene) -> None:
    path = f"/world/chats/{stage.private}/messages"
    response = await stage.http.post(path, data={"from": str(stage.ann)}, files={"photo": ("a.txt", b"hello")})
    assert (response.status_code, response.json()["error"]) == (400, "a.txt is no PNG, JPEG, GIF or WebP picture.")
    response = await stage.http.post(path, data={"from": "x"}, files={"photo": ("a.png", PNG)})
    assert "from" in response.json()["error"]


async def test_messages_are_read_in_pages(stage: Scene) -> None:
    for n in range(5):
        await stage.say(stage.private, stage.ann, str(n))
    path = f"/world/chats/{stage.private}/messages"
    newest = (await stage.act("GET", f"{path}?limit=2"))["messages"]
    assert [message["text"] for message in newest] == ["3", "4"]
    older = (await stage.act("GET", f"{path}?limit=2&before={newest[0]['message_id']}"))["messages"]
    assert [message["text"] for message in older] == ["1", "2"]
    assert "not a number" in await stage.refused("GET", f"{path}?before=x")


async def test_a_topic_can_be_read_alone(stage: Scene) -> None:
    group = await stage.group(topics=True)
    topic = await stage.act("POST", f"/world/chats/{group['key']}/topics", {"name": "Backend"})
    await stage.say(group["key"], stage.ann, "there", topic_id=topic["id"])
    await stage.say(group["key"], stage.ann, "here")
    path = f"/world/chats/{group['key']}/messages"
    there = (await stage.act("GET", f"{path}?topic={topic['id']}"))["messages"]
    assert [message["text"] or message["service"] for message in there] == ["Ann created the topic “Backend”", "there"]
    here = (await stage.act("GET", f"{path}?topic=1"))["messages"]
    assert here[-1]["text"] == "here"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/world/chats/g1/messages"),
        ("GET", "/world/files/nothing"),
        ("PATCH", "/world/chats/{}/messages/99"),
        ("POST", "/world/chats/{}/messages/99/reactions"),
    ],
)
async def test_what_is_not_there_is_a_sentence(stage: Scene, method: str, path: str) -> None:
    body = {"from": stage.ann, "text": "x"} if method == "PATCH" else {"from": stage.ann} if method == "POST" else None
    assert "There is no" in await stage.refused(method, path.format(stage.private), body)
