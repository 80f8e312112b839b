"""What was found of mutations in earlier runs, for as long as infra stays as it is."""

import json
from hashlib import sha256
from pathlib import Path

from tests.infra.pinning.mutations import Mutation


class Kept:
    """A file of mutations that were found, one a line, with what found them."""

    def __init__(self, file: Path, infra: Path) -> None:
        """Read what is there of infra as it is now."""
        self._file = file
        self._of = _digest(infra)
        lines = file.read_text().splitlines() if file.exists() else []
        stored = [json.loads(line) for line in lines]
        self._found = {(one["name"].partition(": ")[0], one["text"]) for one in stored if one["of"] == self._of}

    def __contains__(self, mutation: Mutation) -> bool:
        """Whether it was found."""
        return (mutation.file, _hash(mutation.text)) in self._found

    def add(self, mutation: Mutation, found: str) -> None:
        """Keep at once that it was found."""
        told = {"of": self._of, "text": _hash(mutation.text), "name": mutation.name, "found": found}
        self._file.parent.mkdir(exist_ok=True)
        with self._file.open("a") as lines:
            lines.write(json.dumps(told) + "\n")
        self._found.add((mutation.file, told["text"]))


def _digest(infra: Path) -> str:
    """Of everything that a plan is made of."""
    files = sorted(
        file for file in infra.rglob("*") if file.suffix in (".tf", ".yaml") and ".terraform" not in file.parts
    )
    return _hash("".join(f"{file.relative_to(infra)}\n{file.read_text()}" for file in files))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
