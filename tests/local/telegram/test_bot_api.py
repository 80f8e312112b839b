import asyncio

import pytest

from tests.local.telegram.scene import OTHER_TOKEN, TOKEN, Scene
from tests.local.telegram.test_images import PNG


async def test_a_call_can_come_in_any_form(stage: Scene) -> None:
    path, params = f"/bot{TOKEN}/sendMessage", {"chat_id": str(stage.ann), "text": "x"}
    answers = [
        await stage.http.get(path, params=params),
        await stage.http.post(path, params=params),
        await stage.http.post(path, data=params),
        await stage.http.post(path, json=params),
        await stage.http.post(path, data=params, files={"ignored": b"x"}),
        await stage.http.post(f"/bot{TOKEN}/SENDmessage", params={"chat_id": str(stage.ann)}, json={"text": "x"}),
    ]
    assert [(answer.status_code, answer.json()["result"]["text"]) for answer in answers] == [(200, "x")] * 6


async def test_an_unknown_method_is_not_found(stage: Scene) -> None:
    response = await stage.http.post(f"/bot{TOKEN}/sendTelepathy")
    assert response.status_code == 404
    assert response.json() == {"ok": False, "error_code": 404, "description": "Not Found"}


async def test_a_method_that_is_not_here_says_so(stage: Scene) -> None:
    refused = await stage.error("sendPoll", chat_id=stage.ann, question="?", options=[])
    assert refused == (400, "Bad Request: the local server does not have sendPoll")


async def test_a_strange_token_is_unauthorized_and_no_token_not_found(stage: Scene) -> None:
    assert await stage.error("getMe", OTHER_TOKEN) == (401, "Unauthorized")
    assert await stage.error("getMe", "nonsense") == (404, "Not Found")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "can't parse request JSON object"),
        (b"[1]", "JSON object expected as request"),
        (b'{"chat_id": 1, "text": "\\ud83d"}', "strings must be encoded in UTF-8"),
        (b"\xff", "strings must be encoded in UTF-8"),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(stage: Scene, body: bytes, reason: str) -> None:
    headers = {"Content-Type": "application/json"}
    response = await stage.http.post(f"/bot{TOKEN}/sendMessage", content=body, headers=headers)
    assert response.status_code == 400
    assert response.json()["description"] == f"Bad Request: {reason}"


async def test_a_request_may_be_too_large(stage: Scene) -> None:
    reader, writer = await asyncio.open_connection(stage.http.base_url.host, stage.http.base_url.port)
    head = f"POST /bot{TOKEN}/sendPhoto HTTP/1.1\r\nHost: {stage.http.base_url.netloc.decode()}\r\n"
    writer.write(f"{head}Content-Length: {60 << 20}\r\n\r\n".encode())
    answer = await reader.readuntil(b"}")
    writer.close()
    await writer.wait_closed()
    assert b" 413 " in answer
    assert b"Request Entity Too Large" in answer


async def test_files_come_as_parts(stage: Scene) -> None:
    files = {"photo": ("a.png", PNG, "image/png")}
    response = await stage.http.post(f"/bot{TOKEN}/sendPhoto", data={"chat_id": str(stage.ann)}, files=files)
    assert response.json()["result"]["photo"][0]["width"] == 640
    attached = {"chat_id": str(stage.ann), "photo": "attach://mine"}
    response = await stage.http.post(f"/bot{TOKEN}/sendPhoto", data=attached, files={"mine": ("a.png", PNG)})
    assert response.json()["ok"] is True


async def test_a_download_is_what_was_uploaded(stage: Scene) -> None:
    sent = await stage.bot.send_photo(stage.ann, PNG)
    path = (await stage.call("getFile", file_id=sent.photo[0].file_id))["file_path"]
    response = await stage.http.get(f"/file/bot{TOKEN}/{path}")
    assert response.content == PNG
    assert (await stage.http.get(f"/file/bot{OTHER_TOKEN}/{path}")).status_code == 401
    assert (await stage.http.get(f"/file/bot{TOKEN}/{path.replace('photos', 'voice')}")).status_code == 404
