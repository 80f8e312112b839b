import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from local.telegram.serving import serve
from local.telegram.settings import TelegramSettings
from tests.local.telegram.scene import TOKEN, eventually, scene

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-m", "local.telegram", "--port", "0")


@asynccontextmanager
async def process(*arguments: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, httpx.AsyncClient]]:
    """Run the server as a process; kill it at the end if it still runs."""
    pipe = asyncio.subprocess.PIPE
    running = await asyncio.create_subprocess_exec(*COMMAND, *arguments, cwd=ROOT, stdout=pipe, stderr=pipe)
    assert running.stdout is not None
    url = (await running.stdout.readline()).decode().partition(" ")[2].strip()
    try:
        async with httpx.AsyncClient(base_url=url, timeout=30, trust_env=False, verify=False) as http:
            yield running, http
    finally:
        if running.returncode is None:
            running.kill()
        await running.communicate()


async def post(http: httpx.AsyncClient, path: str, body: object) -> dict[str, object]:
    response = await http.post(path, json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, object] = response.json()
    return answer


async def test_nothing_that_was_answered_is_lost_by_a_kill(tmp_path: Path) -> None:
    async with process("--data", str(tmp_path)) as (running, http):
        bot = await post(http, "/world/bots", {"token": TOKEN, "first_name": "M", "username": "m_bot"})
        ann = await post(http, "/world/people", {"first_name": "Ann"})
        chat = await post(http, "/world/chats", {"type": "private", "person_id": ann["id"], "bot_id": bot["id"]})
        for n in range(20):
            await post(http, f"/world/chats/{chat['key']}/messages", {"from": ann["id"], "text": str(n)})
        sent = await post(http, f"/bot{TOKEN}/sendMessage", {"chat_id": ann["id"], "text": "answer"})
        before = (await http.get("/world")).json()
        running.send_signal(signal.SIGKILL)
        await running.wait()
    async with process("--data", str(tmp_path)) as (_, http):
        assert (await http.get("/world")).json() == before
        messages = (await http.get(f"/world/chats/{chat['key']}/messages")).json()["messages"]
        assert [message["text"] for message in messages] == [*map(str, range(20)), "answer"]
        updates = (await post(http, f"/bot{TOKEN}/getUpdates", {}))["result"]
        assert isinstance(updates, list)
        assert [update["message"]["text"] for update in updates] == [*map(str, range(20))]
        again = await post(http, f"/bot{TOKEN}/sendMessage", {"chat_id": ann["id"], "text": "more"})
        assert message_id(again) == message_id(sent) + 1


def message_id(answer: dict[str, object]) -> int:
    result = answer["result"]
    assert isinstance(result, dict)
    return int(result["message_id"])


async def test_a_signal_ends_it_though_somebody_listens() -> None:
    async with process() as (running, http):
        began = asyncio.Event()
        stream = asyncio.create_task(read_events(http, began))
        await began.wait()
        running.send_signal(signal.SIGTERM)
        assert await running.wait() in (0, -signal.SIGTERM)
        assert await stream == "ended"


async def read_events(http: httpx.AsyncClient, began: asyncio.Event) -> str:
    """Follow the events until the server ends."""
    try:
        async with http.stream("GET", "/world/events?after=0") as stream:
            began.set()
            async for _ in stream.aiter_lines():
                continue
    except httpx.RemoteProtocolError:
        return "cut"
    return "ended"


async def test_a_taken_port_is_said_in_a_sentence() -> None:
    async with serve() as telegram:
        port = telegram.url.rpartition(":")[2]
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "local.telegram", "--port", port)
        second = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=pipe, stderr=pipe)
        _, said = await second.communicate()
    assert second.returncode == 1
    assert said.decode().startswith(f"Telegram cannot listen on 127.0.0.1:{port}")


async def test_two_servers_are_two_worlds() -> None:
    async with serve() as one, serve() as other, httpx.AsyncClient(trust_env=False, verify=False) as http:
        assert one.url != other.url
        await post(http, f"{one.url}/world/bots", {"token": TOKEN, "first_name": "M", "username": "m_bot"})
        assert (await http.get(f"{other.url}/world")).json()["bots"] == []


async def test_a_stop_ends_polls_and_streams() -> None:
    async with httpx.AsyncClient(trust_env=False, verify=False) as http:
        async with serve() as telegram:
            http.base_url = httpx.URL(telegram.url)
            bot = await post(http, "/world/bots", {"token": TOKEN, "first_name": "M", "username": "m_bot"})
            began = asyncio.Event()
            stream = asyncio.create_task(read_events(http, began))
            poll = asyncio.create_task(http.post(f"/bot{TOKEN}/getUpdates", json={"timeout": 50}, timeout=60))
            await began.wait()
            await eventually(lambda: telegram.world.updates.is_awaited(int(str(bot["id"]))))
        assert await stream == "ended"
        assert (await poll).json() == {"ok": True, "result": []}


async def test_state_is_kept_between_runs(tmp_path: Path) -> None:
    settings = TelegramSettings(data_dir=tmp_path)
    async with scene(settings) as sandbox:
        content = sandbox.telegram.world.files.content(sandbox.telegram.world.stickers.regular()[0].unique_id)
        assert content is not None
        photo = await sandbox.bot.send_photo(sandbox.ann, content)
        await sandbox.bot.set_my_commands([("start", "begin")])
    async with (
        serve(settings) as telegram,
        httpx.AsyncClient(base_url=telegram.url, trust_env=False, verify=False) as http,
    ):
        found = (await post(http, f"/bot{TOKEN}/getFile", {"file_id": photo.photo[0].file_id}))["result"]
        assert isinstance(found, dict)
        assert (await http.get(f"/file/bot{TOKEN}/{found['file_path']}")).content == content
        assert (await post(http, f"/bot{TOKEN}/getMyCommands", {}))["result"] == [
            {"command": "start", "description": "begin"}
        ]
