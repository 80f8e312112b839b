import pytest

from local.telegram.files import MAX_DOWNLOAD_BYTES
from tests.local.telegram.scene import Json, Scene
from tests.local.telegram.test_images import JPEG, PNG


async def upload(sandbox: Scene, files: list[tuple[str, tuple[str, bytes]]], **fields: str) -> Json:
    path = f"/world/chats/{sandbox.private}/messages"
    response = await sandbox.http.post(path, data={"from": str(sandbox.ann)} | fields, files=files)
    assert response.status_code == 200, response.text
    posted: Json = response.json()
    return posted


async def test_a_photo_has_a_caption_and_can_be_fetched(sandbox: Scene) -> None:
    view = await upload(sandbox, [("photo", ("a.png", PNG))], caption="@marvin_test_bot look")
    assert view["photo"]["width"] == 640
    fetched = await sandbox.http.get(f"/world/files/{view['photo']['file_id']}")
    assert (fetched.content, fetched.headers["content-type"]) == (PNG, "image/png")
    (update,) = await sandbox.updates()
    message = update["message"]
    assert message["caption_entities"] == [{"type": "mention", "offset": 0, "length": 16}]
    file = await sandbox.call("getFile", file_id=message["photo"][0]["file_id"])
    assert file["file_path"].endswith(".png")


async def test_an_album_is_as_many_updates_with_one_id(sandbox: Scene) -> None:
    posted = await upload(sandbox, [("photo", (f"{n}.jpg", JPEG + bytes([n]))) for n in range(3)], caption="our trip")
    assert len(posted["messages"]) == 3
    messages = [update["message"] for update in await sandbox.updates()]
    assert len({message["media_group_id"] for message in messages}) == 1
    assert [message.get("caption") for message in messages] == ["our trip", None, None]
    assert len({message["photo"][0]["file_unique_id"] for message in messages}) == 3
    another = await upload(sandbox, [("photo", ("x.jpg", JPEG)), ("photo", ("y.jpg", JPEG))])
    assert another["media_group_id"] != posted["media_group_id"]


async def test_other_files_can_be_attached(sandbox: Scene) -> None:
    view = await upload(sandbox, [("document", ("notes.txt", b"hello"))])
    assert (view["file"]["kind"], view["file"]["name"], view["file"]["size"]) == ("document", "notes.txt", 5)
    await upload(sandbox, [("voice", ("v.ogg", b"OggS"))])
    document, voice = (update["message"] for update in await sandbox.updates())
    assert document["document"]["file_name"] == "notes.txt"
    assert "voice" in voice


async def test_a_big_file_can_be_sent_but_not_fetched_by_the_bot(sandbox: Scene) -> None:
    await upload(sandbox, [("document", ("big.bin", bytes(MAX_DOWNLOAD_BYTES + 1)))])
    (update,) = await sandbox.updates()
    file_id = update["message"]["document"]["file_id"]
    assert await sandbox.error("getFile", file_id=file_id) == (400, "Bad Request: file is too big")


async def test_a_photo_must_be_a_picture(sandbox: Scene) -> None:
    path = f"/world/chats/{sandbox.private}/messages"
    response = await sandbox.http.post(path, data={"from": str(sandbox.ann)}, files={"photo": ("a.txt", b"hello")})
    assert (response.status_code, response.json()["error"]) == (400, "a.txt is not a PNG, JPEG, GIF or WebP picture.")
    response = await sandbox.http.post(path, data={"from": "x"}, files={"photo": ("a.png", PNG)})
    assert "from" in response.json()["error"]


async def test_messages_are_read_in_pages(sandbox: Scene) -> None:
    for n in range(5):
        await sandbox.say(sandbox.private, sandbox.ann, str(n))
    path = f"/world/chats/{sandbox.private}/messages"
    newest = (await sandbox.act("GET", f"{path}?limit=2"))["messages"]
    assert [message["text"] for message in newest] == ["3", "4"]
    older = (await sandbox.act("GET", f"{path}?limit=2&before={newest[0]['message_id']}"))["messages"]
    assert [message["text"] for message in older] == ["1", "2"]
    assert "not a number" in await sandbox.refused("GET", f"{path}?before=x")


async def test_a_topic_can_be_read_alone(sandbox: Scene) -> None:
    group = await sandbox.group(topics=True)
    topic = await sandbox.act("POST", f"/world/chats/{group['key']}/topics", {"name": "Backend"})
    await sandbox.say(group["key"], sandbox.ann, "there", topic_id=topic["id"])
    await sandbox.say(group["key"], sandbox.ann, "here")
    path = f"/world/chats/{group['key']}/messages"
    there = (await sandbox.act("GET", f"{path}?topic={topic['id']}"))["messages"]
    assert [message["text"] or message["service"] for message in there] == ["Ann created the topic “Backend”", "there"]
    here = (await sandbox.act("GET", f"{path}?topic=1"))["messages"]
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
async def test_what_is_not_there_is_a_sentence(sandbox: Scene, method: str, path: str) -> None:
    body = (
        {"from": sandbox.ann, "text": "x"} if method == "PATCH" else {"from": sandbox.ann} if method == "POST" else None
    )
    assert "There is no" in await sandbox.refused(method, path.format(sandbox.private), body)
