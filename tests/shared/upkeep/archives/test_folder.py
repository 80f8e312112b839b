"""An archive in a folder."""

from pathlib import Path

import pytest

from shared.base.errors import ArchiveUnavailable
from shared.upkeep.archives.folder import FolderArchive


async def test_a_file_is_given_as_it_was_stored_last(tmp_path: Path) -> None:
    archive = FolderArchive(tmp_path / "new")
    await archive.put("conversations/2026/b.jsonl", b"1\n")
    await archive.put("conversations/2026/b.jsonl", b"2\n")
    await archive.put("conversations/2025/a.jsonl", b"3\n")
    assert await archive.names() == ["conversations/2025/a.jsonl", "conversations/2026/b.jsonl"]
    assert await archive.get("conversations/2026/b.jsonl") == b"2\n"
    assert archive.url == str(tmp_path / "new")


async def test_what_is_not_there_or_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(ArchiveUnavailable, match="there is no folder"):
        await FolderArchive(tmp_path / "none").names()
    with pytest.raises(ArchiveUnavailable, match=r"x\.jsonl cannot be read: No such file"):
        await FolderArchive(tmp_path).get("x.jsonl")
    (tmp_path / "file").write_text("")
    with pytest.raises(ArchiveUnavailable, match="cannot be written"):
        await FolderArchive(tmp_path / "file").put("x.jsonl", b"")


async def test_a_file_that_is_being_written_is_none_yet(tmp_path: Path) -> None:
    (tmp_path / ".x.jsonl.1").write_text("ha")
    assert await FolderArchive(tmp_path).names() == []
