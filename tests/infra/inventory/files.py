"""The parts of the configuration that no plan shows, as text: order, lifecycles, write-only values, the other cloud."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import hcl2
from lark import Token, Tree

from tests.infra.standin.schema import catalogue

#: words for people, which decide nothing
WORDS = {"description", "error_message", "display_name", "title", "help"}
#: their places: whole blocks, dependencies, and values that are write-only, known late, or the same as others
UNSEEN = re.compile(
    r"^(provider|import|moved|data)\b|/lifecycle/|/(depends_on|after|indexes_after|secret_data_wo|secret_values)$"
    r"|^variable (bundles|alert_emails)/default$|^output database/value$"
    r"|/(projects|notification_channels|input)$|/documentation/content$|^module (budget/project|secret/value)$"
    r"|^module (archive|erasures|media|takeouts)/location$|^module maintain/(is_public|environment|secrets|limits)$"
    r"|^module maintain/project_roles$|^output (archive|erase)_identity/value$"
    r"|^resource google_cloud_run_v2_service_iam_member\.invoker/name$"
    r"|^resource google_secret_manager_secret_version\.this/secret$"
)


@dataclass(frozen=True)
class Argument:
    """An argument of a file: its place, such as `resource x.this/lifecycle/ignore_changes`, and its text."""

    file: str
    place: str
    text: str

    @property
    def is_unseen(self) -> bool:
        """Whether no plan shows this argument; words for people do not count."""
        if self.place.rpartition("/")[2] in WORDS:
            return False
        if self.file.startswith("aws/") or (self.file.startswith("modules/") and "/validation" in self.place):
            return True
        return bool(UNSEEN.search(self.place)) or _is_kept_without(self.place)


def _is_kept_without(place: str) -> bool:
    """Whether a plan stays the same without the argument: the provider keeps the value, or has it as its default."""
    resource, *path = place.split("/")
    block = catalogue().resources.get(resource.removeprefix("resource ").partition(".")[0])
    *above, name = [part.partition("[")[0] for part in path if part != "content"]
    for part in above:
        nested = block.blocks.get(part.removeprefix("dynamic ")) if block else None
        block = nested.block if nested else None
    attribute = block.attributes.get(name) if block else None
    return attribute is not None and (attribute.is_computed or attribute.default is not None)


def unseen_texts(file: str, text: str) -> dict[str, dict[str, str]]:
    """Return the texts of a file that no plan shows, by block and by their place in it."""
    found: dict[str, dict[str, str]] = {}
    for argument in arguments(file, text):
        if argument.is_unseen:
            block, _, place = argument.place.partition("/")
            found.setdefault(block, {})[place] = argument.text
    return found


def unseen_texts_of(folder: Path) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the texts that no plan shows for each file below a folder."""
    said = {name: unseen_texts(name, text) for name, text in texts_of(folder).items()}
    return {name: blocks for name, blocks in said.items() if blocks}


def texts_of(folder: Path) -> dict[str, str]:
    """Return the text of every file of Terraform, by its path."""
    files = sorted(file for file in folder.rglob("*.tf") if not {"tests", ".terraform"} & {*file.parts})
    return {str(file.relative_to(folder)): file.read_text() for file in files}


def arguments(file: str, text: str) -> list[Argument]:
    """Return every argument of one file, from above to below."""
    return list(_inside(parse(text).children[0], "", file, text))


@lru_cache(maxsize=64)
def parse(text: str) -> Tree[Token]:
    """Return the syntax tree of a file of Terraform."""
    return hcl2.parses_to_tree(text)


def _inside(body: Any, above: str, file: str, text: str) -> Iterator[Argument]:
    seen: Counter[str] = Counter()
    for child in (c for c in body.children if isinstance(c, Tree)):
        if child.data == "attribute":
            said = re.sub(r"(?m)(^|\s)#.*$", "", _text(child.children[-1], text))
            yield Argument(file, above + _text(child.children[0], text), " ".join(said.split()))
        elif child.data == "block":
            head = [c for c in child.children if isinstance(c, Tree) and c.data in ("identifier", "string")]
            kind, *labels = (_text(part, text).strip('"') for part in head)
            name = f"{kind} {'.'.join(labels)}".strip()
            seen[name] += 1
            place = f"{above}{name}" if seen[name] == 1 else f"{above}{name}[{seen[name]}]"
            body_of = next(c for c in child.children if isinstance(c, Tree) and c.data == "body")
            yield from _inside(body_of, f"{place}/", file, text)


def _text(node: Any, text: str) -> str:
    return text[node.meta.start_pos : node.meta.end_pos]
