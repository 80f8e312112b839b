from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
from telegram import Bot
from telegram.error import BadRequest

from benchmarks.relay import naming
from benchmarks.relay.http_relay import http_relay
from benchmarks.relay.ledger import Blow, Ledger, Moment, Request, Step
from benchmarks.relay.line import Line
from local.telegram.serving import LocalTelegram, serve
from tests.crash.caller import caller

TOKEN = "7000000001:relayed"
SENDING = Step("tick", "Telegram sendMessage")
SEND = """
import urllib.request
urllib.request.urlopen(sys.argv[1], b'chat_id=' + sys.argv[2].encode() + b'&text=hi').read()
"""


@dataclass
class Relayed:
    """A local Telegram behind a relay, with one private chat."""

    telegram: LocalTelegram
    url: str
    ledger: Ledger
    chat_id: int
    key: str

    async def texts(self) -> list[str]:
        async with httpx.AsyncClient(base_url=self.telegram.url) as http:
            found = (await http.get(f"/world/chats/{self.key}/messages")).json()["messages"]
        return [message["text"] for message in found]


@pytest.fixture
async def relayed() -> AsyncIterator[Relayed]:
    ledger = Ledger()
    async with (
        serve() as telegram,
        httpx.AsyncClient(base_url=telegram.url) as http,
        http_relay(telegram.url, Line(ledger, "tick", naming.telegram)) as port,
    ):
        bot = {"token": TOKEN, "first_name": "Relayed", "username": "relayed_bot"}
        bot_id = (await http.post("/world/bots", json=bot)).json()["id"]
        person = (await http.post("/world/people", json={"first_name": "Ann"})).json()["id"]
        chat = {"type": "private", "person_id": person, "bot_id": bot_id}
        made = (await http.post("/world/chats", json=chat)).json()
        yield Relayed(telegram, f"http://127.0.0.1:{port}", ledger, made["id"], made["key"])


async def test_calls_pass_and_are_counted(relayed: Relayed) -> None:
    async with Bot(TOKEN, base_url=f"{relayed.url}/bot", base_file_url=f"{relayed.url}/file/bot") as bot:
        sent = await bot.send_message(relayed.chat_id, "héllo ✓")
        assert (await bot.get_me()).username == "relayed_bot"
        with pytest.raises(BadRequest, match="Chat not found"):
            await bot.send_message(4, "hi")
    assert sent.text == "héllo ✓"
    assert await relayed.texts() == ["héllo ✓"]
    asked = [("getMe", 1), ("sendMessage", 1), ("getMe", 2), ("sendMessage", 2)]
    assert [request.number for request in relayed.ledger.requests] == [1, 2, 3, 4]
    assert [request.step for request in relayed.ledger.requests] == [Step("tick", f"Telegram {w}", n) for w, n in asked]


@pytest.mark.parametrize("path", [f"/bot{TOKEN}/getMe?a=b%20c&a=d", "/bot1:x/getMe", "/nowhere", "/world"])
async def test_answers_are_what_the_server_says(relayed: Relayed, path: str) -> None:
    async with httpx.AsyncClient() as http:
        direct = await http.get(relayed.telegram.url + path, headers={"x-own": "1"})
        passed = await http.get(relayed.url + path, headers={"x-own": "1"})
    own = {"date", "server"}
    assert (passed.status_code, passed.content) == (direct.status_code, direct.content)
    assert {h for h in passed.headers.multi_items() if h[0] not in own} == {
        h for h in direct.headers.multi_items() if h[0] not in own
    }


async def test_an_answer_that_is_cut_off_is_cut_off_here_too(relayed: Relayed) -> None:
    async with httpx.AsyncClient() as http:
        await http.post(f"{relayed.telegram.url}/world/faults", json={"method": "sendMessage", "kind": "cut_after"})
        with pytest.raises(httpx.TransportError):
            await http.post(
                f"{relayed.url}/bot{TOKEN}/sendMessage", json={"chat_id": relayed.chat_id, "text": "arrived"}
            )
    assert await relayed.texts() == ["arrived"]


@pytest.mark.parametrize(("moment", "texts"), [(Moment.BEFORE, []), (Moment.AFTER, ["hi"])])
async def test_a_kill_before_or_after_the_server_acted(relayed: Relayed, moment: Moment, texts: list[str]) -> None:
    url = f"{relayed.url}/bot{TOKEN}/sendMessage"
    async with caller(SEND, url, str(relayed.chat_id)) as one:
        relayed.ledger.start_over(Blow(SENDING, moment, one.strike))
        assert await one.goes() == (-9, "")
    assert await relayed.ledger.struck() == Request(1, SENDING)
    assert await relayed.texts() == texts


async def test_without_a_blow_the_same_call_is_answered(relayed: Relayed) -> None:
    async with caller(SEND, f"{relayed.url}/bot{TOKEN}/sendMessage", str(relayed.chat_id)) as one:
        assert await one.goes() == (0, "answered\n")
    assert await relayed.texts() == ["hi"]
