import sqlite3
from dataclasses import dataclass
from pathlib import Path

from local.telegram.store import DocumentKind, WorldStore


@dataclass(frozen=True)
class Note:
    words: tuple[str, ...]
    about: dict[str, int]


def test_documents_come_back_as_they_were_and_in_their_order(tmp_path: Path) -> None:
    store = WorldStore(tmp_path)
    shelf = DocumentKind(store, "note", Note)
    for key in ("z", "a", "m"):
        shelf.put(key, Note((key,), {"n": 1}))
    shelf.put("z", Note(("zz",), {}))
    shelf.remove("m")
    store.close()
    again = WorldStore(tmp_path)
    kept = DocumentKind(again, "note", Note)
    assert kept.values() == [Note(("zz",), {}), Note(("a",), {"n": 1})]
    assert len(kept) == 2
    assert len(DocumentKind(again, "other", Note)) == 0
    again.close()


def test_nothing_is_written_before_the_flush_and_all_of_it_after(tmp_path: Path) -> None:
    store = WorldStore(tmp_path)
    shelf = DocumentKind(store, "note", Note)
    shelf.put("a", Note(("a",), {}))
    reader = sqlite3.connect(tmp_path / "telegram.sqlite3")
    assert reader.execute("SELECT count(*) FROM documents").fetchone() == (0,)
    store.flush()
    assert reader.execute("SELECT count(*) FROM documents").fetchone() == (1,)
    reader.close()
    store.close()


def test_without_a_folder_nothing_is_kept() -> None:
    store = WorldStore(None)
    shelf = DocumentKind(store, "note", Note)
    shelf.put("a", Note(("a",), {}))
    store.flush()
    assert not store.is_lasting
    assert shelf.get("a") == Note(("a",), {})
    assert list(store.load("note")) == []
    store.close()
