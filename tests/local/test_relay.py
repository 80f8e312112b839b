import asyncio
import sys

import httpx

from local.ports import HOST
from local.relay import HTTP_2, REST_OF_HTTP_2, FirestoreRelay, hidden_place


class Upstream:
    """A server that records its input, answers each head, and leaves the connection open."""

    def __init__(self) -> None:
        self.heads: list[bytes] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                if b"close" in self.heads[-1].lower():
                    break
        except asyncio.IncompleteReadError as end:
            self.heads.append(end.partial)
        writer.close()


async def test_programs_pass_one_request_a_connection_and_pages_do_not() -> None:
    upstream, (host, port) = Upstream(), hidden_place()
    async with (
        await asyncio.start_server(upstream.answer, host, port),
        await FirestoreRelay(host, port).serve(0) as relay,
    ):
        url = f"http://{HOST}:{relay.sockets[0].getsockname()[1]}/"
        async with httpx.AsyncClient(trust_env=False) as client:
            assert [(await client.get(url)).text for _ in range(2)] == ["ok", "ok"]
            refused = await client.get(url, headers={"Origin": "https://evil.example"})
            rebound = await client.post(url, headers={"Host": "evil.example"})
    assert (refused.status_code, rebound.status_code, len(upstream.heads)) == (403, 403, 2)
    assert all(b"connection: close" in head.lower() and b"keep-alive" not in head for head in upstream.heads)
    assert "answers only programs and its own web page" in refused.json()["error"]


async def test_http_2_goes_on_as_it_comes_until_either_side_ends() -> None:
    upstream, (host, port) = Upstream(), hidden_place()
    async with (
        await asyncio.start_server(upstream.answer, host, port),
        await FirestoreRelay(host, port).serve(0) as relay,
    ):
        reader, writer = await asyncio.open_connection(HOST, relay.sockets[0].getsockname()[1])
        writer.write(HTTP_2 + b"SM\r\n\r\n" + b"close\r\n\r\n")
        assert (await reader.read()).count(b"200 OK") == 3
        writer.close()
    assert upstream.heads == [HTTP_2, b"SM\r\n\r\n", b"close\r\n\r\n"]


async def test_the_beginning_of_http_2_goes_on_whole_however_it_comes() -> None:
    first: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first.set_result(await reader.read(1_000))
        writer.close()

    host, port = hidden_place()
    async with await asyncio.start_server(read, host, port), await FirestoreRelay(host, port).serve(0) as relay:
        reader, writer = await asyncio.open_connection(HOST, relay.sockets[0].getsockname()[1])
        for part in (HTTP_2[:5], HTTP_2[5:], REST_OF_HTTP_2[:2]):
            writer.write(part)
            await writer.drain()
            await asyncio.wait([first], timeout=0.05)  # nothing ends yet
        assert not first.done()
        writer.write(REST_OF_HTTP_2[2:])
        assert await first == HTTP_2 + REST_OF_HTTP_2
        assert await reader.read() == b""
        writer.close()


async def test_what_is_no_request_is_let_go() -> None:
    async with await FirestoreRelay(*hidden_place()).serve(0) as relay:
        reader, writer = await asyncio.open_connection(HOST, relay.sockets[0].getsockname()[1])
        writer.write(b"hello")
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()


def test_the_place_is_another_each_time() -> None:
    places = {hidden_place() for _ in range(5)}
    assert len(places) == 5
    assert all((host == HOST) is (sys.platform != "linux") for host, _ in places)


async def test_while_it_is_held_connections_end_and_whoever_calls_waits_for_another_place() -> None:
    old, new, (host, port), (next_host, next_port) = Upstream(), Upstream(), hidden_place(), hidden_place()
    relay = FirestoreRelay(host, port)
    async with (
        await asyncio.start_server(old.answer, host, port),
        await asyncio.start_server(new.answer, next_host, next_port),
        await relay.serve(0) as server,
        httpx.AsyncClient(trust_env=False) as client,
    ):
        place = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection(HOST, place)
        writer.write(HTTP_2 + REST_OF_HTTP_2)
        for _ in range(2):
            await reader.readuntil(b"\r\n\r\nok")
        async with relay.hold():
            assert await reader.read() == b""
            asked = asyncio.create_task(client.get(f"http://{HOST}:{place}/"))
            await asyncio.wait([asked], timeout=0.1)
            assert not asked.done()
            assert not new.heads
            relay.lead_to(next_host, next_port)
        assert (await asked).text == "ok"
        writer.close()
    assert (len(old.heads), len(new.heads)) == (3, 1)  # the third head is the notice of its end
