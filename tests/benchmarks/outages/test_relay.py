"""A relay forwards everything until it is told to be slow, to cut, or to refuse."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from benchmarks.outages.relay import Relay, relays


class Echo:
    """A server that returns its input in capitals; `heard` is the whole input."""

    def __init__(self) -> None:
        self.heard = b""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(1024):
            self.heard += chunk
            writer.write(chunk.upper())
        writer.close()


@pytest_asyncio.fixture
async def echo() -> AsyncIterator[tuple[Echo, Relay]]:
    served = Echo()
    server = await asyncio.start_server(served.serve, "127.0.0.1", 0)
    async with relays(1) as (relay,):
        relay.lead_to(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        yield served, relay
    server.close()


async def connect(relay: Relay) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = relay.address.partition(":")
    return await asyncio.open_connection(host, int(port))


async def ask(relay: Relay, *chunks: bytes) -> bytes:
    """Send these texts one after the other, close the connection, and return the answers."""
    reader, writer = await connect(relay)
    for chunk in chunks:
        writer.write(chunk)
        await writer.drain()
    writer.write_eof()
    said = await reader.read()
    writer.close()
    return said


async def ends(reader: asyncio.StreamReader) -> bool:
    """Return whether the connection has ended, in any way."""
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


async def test_it_passes_both_ways_and_so_do_many_at_once(echo: tuple[Echo, Relay]) -> None:
    _, relay = echo
    assert await ask(relay, b"hello") == b"HELLO"
    long = b"x" * 300_000
    said = await asyncio.gather(*(ask(relay, b"%d " % n, long) for n in range(5)))
    assert said == [b"%d " % n + long.upper() for n in range(5)]


async def test_what_is_delayed_arrives_whole_and_in_order(echo: tuple[Echo, Relay]) -> None:
    _, relay = echo
    relay.delay(0.05)
    assert await ask(relay, b"one ", b"two ", b"three") == b"ONE TWO THREE"


async def test_what_is_delayed_when_it_is_cut_never_arrives(echo: tuple[Echo, Relay]) -> None:
    served, relay = echo
    relay.delay(3600)
    reader, writer = await connect(relay)
    writer.write(b"never")
    await writer.drain()
    async with relays(1) as (other,):  # the same server, while the first connection waits
        other.lead_to(relay.leads_to)
        assert await ask(other, b"at once") == b"AT ONCE"
    relay.cut()
    assert await ends(reader)
    writer.close()
    relay.delay(0)
    assert await ask(relay, b"again") == b"AGAIN"
    assert served.heard == b"at onceagain"


async def test_a_cut_breaks_what_is_open_and_takes_what_is_new(echo: tuple[Echo, Relay]) -> None:
    _, relay = echo
    reader, writer = await connect(relay)
    writer.write(b"a")
    assert await reader.read(1) == b"A"
    relay.cut()
    assert await ends(reader)
    writer.close()
    assert await ask(relay, b"b") == b"B"


async def test_it_refuses_and_takes_again(echo: tuple[Echo, Relay]) -> None:
    _, relay = echo
    reader, writer = await connect(relay)
    writer.write(b"a")
    assert await reader.read(1) == b"A"
    relay.refuse()
    assert await ends(reader)
    writer.close()
    with pytest.raises(ConnectionRefusedError):
        await connect(relay)
    await relay.listen()
    assert await ask(relay, b"b") == b"B"


async def test_where_it_leads_to_nothing_it_hangs_up() -> None:
    async with relays(1) as (relay,):
        reader, writer = await connect(relay)
        assert await ends(reader)
        writer.close()
