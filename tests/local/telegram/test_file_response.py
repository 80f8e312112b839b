import pytest

from tests.local.telegram.scene import Scene


@pytest.mark.parametrize(
    ("asked", "status", "told", "content"),
    [
        ("bytes=2-4", 206, "bytes 2-4/10", b"234"),
        ("bytes=7-", 206, "bytes 7-9/10", b"789"),
        ("bytes=-2", 206, "bytes 8-9/10", b"89"),
        ("bytes=8-99", 206, "bytes 8-9/10", b"89"),
        ("bytes=10-", 416, "bytes */10", b""),
        ("bytes=-", 200, None, b"0123456789"),
        ("lines=1-2", 200, None, b"0123456789"),
    ],
)
async def test_a_part_of_a_file_is_served(
    sandbox: Scene, asked: str, status: int, told: str | None, content: bytes
) -> None:
    path = f"/world/chats/{sandbox.private}/messages"
    file = {"audio": ("a.mp3", b"0123456789", "audio/mpeg")}
    sent = (await sandbox.http.post(path, data={"from": str(sandbox.ann)}, files=file)).json()
    answer = await sandbox.http.get(f"/world/files/{sent['file']['file_id']}", headers={"Range": asked})
    assert (answer.status_code, answer.headers.get("content-range"), answer.content) == (status, told, content)
    assert answer.headers["accept-ranges"] == "bytes"
