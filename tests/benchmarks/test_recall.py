"""The recall measure on a small sample in the worker's local cloud."""

import pytest

from benchmarks.recall import Options, embedding, figures, measure
from benchmarks.recalled.conversations import read
from local.cloud import LocalCloud
from local.gemini import hashed
from shared.chat.store.chats import FirestoreChats
from tests.benchmarks.recalled.sample import SAMPLE


async def test_all_that_is_asked_for_is_measured(chats: FirestoreChats, cloud: LocalCloud) -> None:
    async with embedding(cloud.model_url, hashed.NAME) as embedder:
        found = await figures(chats, embedder, read(SAMPLE), Options(noted=True, segments=40))
    assert found["questions"] == 5
    assert found["session_r5"] == found["segment_r5"] == found["any_session_r5"] == 100
    assert found["segments"] == 3
    names = {"segment_r1", "segment_r10", "session_r1", "session_r10", "p50_ms", "reads_per_query", "tokens_per_query"}
    assert names | {"p50_ms_at_40", "reads_per_query_at_40", "most_reads_at_40"} <= set(found)
    assert found["tokens_per_query"] <= 3000


async def test_without_data_it_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATA", raising=False)
    with pytest.raises(SystemExit, match="LoCoMo"):
        await measure()
