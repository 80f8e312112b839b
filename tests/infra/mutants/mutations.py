"""The possible errors in one argument: it is removed, halved, doubled, flipped, or swapped with its neighbour."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

import yaml

from tests.infra.inventory.files import parse
from tests.infra.mutants.of_hcl import Placed, changes_of_bindings, changes_of_hcl
from tests.infra.mutants.of_yaml import changes_of_yaml


@dataclass(frozen=True)
class Mutation:
    """One wrong edit: its place, its kind, and the edited file."""

    file: str
    place: str
    kind: str
    text: str

    @property
    def name(self) -> str:
        """Name the mutation in one line that does not depend on the rest of the file."""
        return f"{self.file}: {self.place} {self.kind}"


def mutations_of(folder: Path) -> list[Mutation]:
    """List all mutations of Terraform's files, and of the files that they read."""
    files = sorted(file for file in folder.rglob("*.tf") if not {"tests", ".terraform"} & {*file.parts})
    return [m for file in (*files, *sorted(folder.glob("*.yaml"))) for m in _of(file, str(file.relative_to(folder)))]


def in_fair_order(mutations: Iterable[Mutation]) -> list[Mutation]:
    """Order mutations by a hash of their names: each part is a fair sample, and stays similar when infra changes."""
    return sorted(mutations, key=lambda mutation: sha256(mutation.name.encode()).digest())


def mutated_hcl(name: str, text: str) -> list[Mutation]:
    """List all mutations of one file of Terraform."""
    found = chain(changes_of_hcl(parse(text), "", text), changes_of_bindings(parse(text), text))
    return list(_mutated(name, text, found))


def _of(file: Path, name: str) -> Iterable[Mutation]:
    text = file.read_text()
    if file.suffix == ".yaml":
        return _mutated(name, text, changes_of_yaml(yaml.compose(text), "", text))
    return mutated_hcl(name, text)


def _mutated(name: str, text: str, found: Iterable[Placed]) -> Iterator[Mutation]:
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
