import asyncio

import pytest

from tests.local.telegram.scene import OTHER_TOKEN, TOKEN, Scene
from tests.local.telegram.test_images import PNG


async def test_a_call_can_come_in_any_form(sandbox: Scene) -> None:
    path, params = f"/bot{TOKEN}/sendMessage", {"chat_id": str(sandbox.ann), "text": "x"}
    answers = [
        await sandbox.http.get(path, params=params),
        await sandbox.http.post(path, params=params),
        await sandbox.http.post(path, data=params),
        await sandbox.http.post(path, json=params),
        await sandbox.http.post(path, data=params, files={"ignored": b"x"}),
        await sandbox.http.post(f"/bot{TOKEN}/SENDmessage", params={"chat_id": str(sandbox.ann)}, json={"text": "x"}),
    ]
    assert [(answer.status_code, answer.json()["result"]["text"]) for answer in answers] == [(200, "x")] * 6


async def test_an_unknown_method_is_not_found(sandbox: Scene) -> None:
    response = await sandbox.http.post(f"/bot{TOKEN}/sendTelepathy")
    assert response.status_code == 404
    assert response.json() == {"ok": False, "error_code": 404, "description": "Not Found"}


async def test_a_method_that_is_not_here_says_so(sandbox: Scene) -> None:
    refused = await sandbox.error("sendPoll", chat_id=sandbox.ann, question="?", options=[])
    assert refused == (400, "Bad Request: the local server does not have sendPoll")


async def test_a_strange_token_is_unauthorized_and_no_token_not_found(sandbox: Scene) -> None:
    assert await sandbox.error("getMe", OTHER_TOKEN) == (401, "Unauthorized")
    assert await sandbox.error("getMe", "nonsense") == (404, "Not Found")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "can't parse request JSON object"),
        (b"[1]", "JSON object expected as request"),
        (b'{"chat_id": 1, "text": "\\ud83d"}', "strings must be encoded in UTF-8"),
        (b"\xff", "strings must be encoded in UTF-8"),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(sandbox: Scene, body: bytes, reason: str) -> None:
    headers = {"Content-Type": "application/json"}
    response = await sandbox.http.post(f"/bot{TOKEN}/sendMessage", content=body, headers=headers)
    assert response.status_code == 400
    assert response.json()["description"] == f"Bad Request: {reason}"


async def test_a_request_may_be_too_large(sandbox: Scene) -> None:
    reader, writer = await asyncio.open_connection(sandbox.http.base_url.host, sandbox.http.base_url.port)
    head = f"POST /bot{TOKEN}/sendPhoto HTTP/1.1\r\nHost: {sandbox.http.base_url.netloc.decode()}\r\n"
    writer.write(f"{head}Content-Length: {60 << 20}\r\n\r\n".encode())
    answer = await reader.readuntil(b"}")
    writer.close()
    await writer.wait_closed()
    assert b" 413 " in answer
    assert b"Request Entity Too Large" in answer


async def test_files_come_as_parts(sandbox: Scene) -> None:
    files = {"photo": ("a.png", PNG, "image/png")}
    response = await sandbox.http.post(f"/bot{TOKEN}/sendPhoto", data={"chat_id": str(sandbox.ann)}, files=files)
    assert response.json()["result"]["photo"][0]["width"] == 640
    attached = {"chat_id": str(sandbox.ann), "photo": "attach://mine"}
    response = await sandbox.http.post(f"/bot{TOKEN}/sendPhoto", data=attached, files={"mine": ("a.png", PNG)})
    assert response.json()["ok"] is True


async def test_a_download_is_what_was_uploaded(sandbox: Scene) -> None:
    sent = await sandbox.bot.send_photo(sandbox.ann, PNG)
    path = (await sandbox.call("getFile", file_id=sent.photo[0].file_id))["file_path"]
    response = await sandbox.http.get(f"/file/bot{TOKEN}/{path}")
    assert response.content == PNG
    assert (await sandbox.http.get(f"/file/bot{OTHER_TOKEN}/{path}")).status_code == 401
    assert (await sandbox.http.get(f"/file/bot{TOKEN}/{path.replace('photos', 'voice')}")).status_code == 404
