"""Each way in which one argument can be wrong: removed, halved, doubled, flipped, swapped with its neighbour."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.infra.pinning.of_hcl import changes_of_hcl
from tests.infra.pinning.of_yaml import changes_of_yaml
from tests.infra.pinning.texts import parsed


@dataclass(frozen=True)
class Mutation:
    """One wrong edit: where, of which kind, and the file as it is then."""

    file: str
    place: str
    kind: str
    text: str

    @property
    def name(self) -> str:
        """It in one line, which stays the same while the file around it changes."""
        return f"{self.file}: {self.place} {self.kind}"


def mutations_of(folder: Path) -> list[Mutation]:
    """Every mutation of every file of Terraform, and of what Terraform reads."""
    files = sorted(file for file in folder.rglob("*.tf") if not {"tests", ".terraform"} & {*file.parts})
    return [m for file in (*files, *sorted(folder.glob("*.yaml"))) for m in _of(file, str(file.relative_to(folder)))]


def _of(file: Path, name: str) -> Iterator[Mutation]:
    text = file.read_text()
    found = (
        changes_of_yaml(yaml.compose(text), "", text)
        if file.suffix == ".yaml"
        else changes_of_hcl(parsed(text), "", text)
    )
    seen: set[str] = set()
    names: Counter[str] = Counter()
    for place, (kind, edits) in found:
        mutated = text
        for (start, end), new in sorted(edits, reverse=True):
            mutated = mutated[:start] + new + mutated[end:]
        if mutated not in seen | {text}:
            seen.add(mutated)
            names[f"{place} {kind}"] += 1
            again = names[f"{place} {kind}"]
            yield Mutation(name, place, kind if again == 1 else f"{kind} ({again})", mutated)
