"""A bucket whose server does not answer."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.base.errors import BlobsUnavailable
from shared.cloud.bucket import Bucket


async def test_what_hangs_keeps_nobody_from_resolving_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, over = asyncio.Event(), asyncio.Event()

    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await over.wait()
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    bucket = Bucket("p", "b", "the bucket", BlobsUnavailable, missing="there is none")
    waits = asyncio.create_task(bucket.do("give it", bucket.blob("a").download_as_bytes))
    await asked.wait()
    await loop.getaddrinfo("localhost", 80)
    assert not waits.done()
    over.set()
    with pytest.raises(BlobsUnavailable, match=r"^the bucket did not give it: there is none$"):
        await waits
    server.close()
    bucket.client.close()
