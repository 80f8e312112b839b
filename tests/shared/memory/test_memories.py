"""Tests of how changes of memories are written and read."""

from google.cloud.firestore_v1 import DELETE_FIELD

from shared.chat.store.writes import CommitContext, WriteMode
from shared.memory.store import MemoryChangeRecord, change_write, decode_memories
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.memory import MemoryChange
from tests.shared.examples import ANN, KEY, NOW, SECOND
from tests.shared.memory.facts import PRIVATE, fact

OWNER = PRIVATE.person(ANN.id)
TEA = fact(id="mtea")


def test_writes_each_memory_into_its_own_field() -> None:
    change = MemoryChange(owner=OWNER, kept=(TEA,), gone=("mnuts",), used=(("mtea", NOW),))
    (write,) = MemoryChangeRecord(change).writes(CommitContext(chat=Chat(key=KEY), at=NOW))
    assert write == change_write(change)
    assert (write.path, write.mode) == (f"people/{ANN.id}/memories/lull", WriteMode.MERGE)
    assert write.document["memories"]["mnuts"] is write.document["used"]["mnuts"] is DELETE_FIELD
    assert write.document["used"]["mtea"] == NOW
    assert "used_at" not in write.document["memories"]["mtea"]


def test_marking_use_does_not_restore_a_forgotten_memory() -> None:
    assert decode_memories({"used": {"mtea": NOW}}) == ()
    assert change_write(MemoryChange(owner=OWNER, used=(("mtea", NOW),))).document == {"used": {"mtea": NOW}}


def test_reads_oldest_first_and_skips_unknown_shapes() -> None:
    later = fact("Ann moved.", id="mlater", made_at=NOW + SECOND)
    memories = {one.id: one.model_dump(exclude={"used_at"}) for one in (later, TEA)}
    document = {"memories": {**memories, "modd": {"text": 7}}, "used": {"mtea": NOW}}
    assert decode_memories(document) == (evolve(TEA, used_at=NOW), later)
    assert decode_memories(None) == decode_memories({"memories": 7, "used": 7}) == ()


def test_logs_counts_without_texts() -> None:
    line = MemoryChangeRecord(MemoryChange(owner=OWNER, kept=(TEA,))).log_line()
    assert line.fields == {"scope": "person", "kept": "1", "gone": "0"}
