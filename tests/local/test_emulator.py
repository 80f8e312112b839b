from pathlib import Path

import httpx
import pytest
from google.cloud.firestore import AsyncClient

from local.emulator import Emulator, mib
from tests.local.watching import wait_until


@pytest.mark.parametrize(("heap", "found"), [("768m", 768), ("1g", 1024), ("2G", 2048), ("512k", 0.5)])
def test_a_size_as_java_spells_it(heap: str, found: float) -> None:
    assert mib(heap) == found


async def test_it_says_what_its_last_garbage_collection_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    emulator = Emulator.start(None, "96m")
    place = f"{emulator.host}:{emulator.port}"
    try:
        wait_until(lambda: answers(place), 60)
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", place)
        client = AsyncClient(project="lull-local")
        before = emulator.used_mib()
        for number in range(400):
            await client.document("chats/1").set({"number": number, "text": "lull " * 20_000})
        client.close()  # type: ignore[no-untyped-call]
        assert before < 20 < emulator.used_mib() < 96
    finally:
        emulator.stop()
    assert emulator.process.poll() is not None
    wait_until(lambda: not Path(emulator.folder.name).exists())


def answers(place: str) -> bool:
    try:
        return httpx.get(f"http://{place}/").is_success
    except httpx.TransportError:
        return False
