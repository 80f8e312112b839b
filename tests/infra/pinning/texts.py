"""What no plan shows of the configuration: order, lifecycles, variables and what they refuse, and the other cloud."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import hcl2
from lark import Token, Tree

from tests.infra.standin.schema import catalogue

#: words for people, besides which nothing is decided by them
WORDS = {"description", "error_message", "display_name", "title", "help"}
#: whole blocks that no plan shows
UNSEEN_BLOCKS = re.compile(r"^(variable|output|terraform|provider|import|data)\b")
#: arguments that no plan shows, wherever they stand: what waits for what, values that are written only or known late
UNSEEN = re.compile(
    r"/lifecycle/|^module budget/project$"
    r"|/(depends_on|after|indexes_after|value|secret_data_wo|multi_regions|secret_values)$"
    r"|/(projects|notification_channels|input)$|/documentation/content$"
    r"|^locals/(secrets|archive_location|archive_environments)$|^module (archive|erasures|media|takeouts)/location$"
    r"|^resource google_secret_manager_secret_version\.this/secret$|^module schedule/jobs$"
    r"|^resource google_cloud_run_v2_service_iam_member\.invoker/name$"
    r"|^module maintain/(is_public|environment|secrets|limits|project_roles)$"
)


@dataclass(frozen=True)
class Argument:
    """An argument of a file: where it stands, such as `resource x.this/lifecycle/ignore_changes`, and its text."""

    file: str
    place: str
    text: str
    #: in the file: the whole argument, and its value alone
    span: tuple[int, int]
    value_span: tuple[int, int]

    @property
    def is_unseen(self) -> bool:
        """Whether no plan shows what it says; words for people aside."""
        if self.place.rpartition("/")[2] in WORDS:
            return False
        is_unseen = bool(UNSEEN_BLOCKS.match(self.place) or UNSEEN.search(self.place))
        return is_unseen or self.file.startswith("aws/") or _is_kept_without(self.place)


def _is_kept_without(place: str) -> bool:
    """Whether a plan shows nothing of an argument that is left out: the provider keeps it, or has it as its default."""
    resource, *path = place.split("/")
    block = catalogue().resources.get(resource.removeprefix("resource ").partition(".")[0])
    *above, name = [part.partition("[")[0] for part in path if part != "content"]
    for part in above:
        nested = block.blocks.get(part.removeprefix("dynamic ")) if block else None
        block = nested.block if nested else None
    attribute = block.attributes.get(name) if block else None
    return attribute is not None and (attribute.is_computed or attribute.default is not None)


def arguments_of(folder: Path) -> dict[str, list[Argument]]:
    """Every argument of every file, by the file's path."""
    files = sorted(file for file in folder.rglob("*.tf") if not {"tests", ".terraform"} & {*file.parts})
    return {name: arguments(name, file.read_text()) for file in files for name in [str(file.relative_to(folder))]}


def arguments(file: str, text: str) -> list[Argument]:
    """Every argument of one file, from above to below."""
    return list(_inside(parsed(text).children[0], "", file, text))


@cache
def parsed(text: str) -> Tree[Token]:
    """The syntax tree of a file of Terraform."""
    return hcl2.parses_to_tree(text)


def _inside(body: Any, above: str, file: str, text: str) -> Iterator[Argument]:
    seen: Counter[str] = Counter()
    for child in (c for c in body.children if isinstance(c, Tree)):
        if child.data == "attribute":
            yield _argument(child, above, file, text)
        elif child.data == "block":
            head = [c for c in child.children if isinstance(c, Tree) and c.data in ("identifier", "string")]
            kind, *labels = (_text(part, text).strip('"') for part in head)
            name = f"{kind} {'.'.join(labels)}".strip()
            seen[name] += 1
            place = f"{above}{name}" if seen[name] == 1 else f"{above}{name}[{seen[name]}]"
            yield from _inside(next(c for c in child.children if _is(c, "body")), f"{place}/", file, text)


def _is(node: Any, kind: str) -> bool:
    return isinstance(node, Tree) and node.data == kind


def _argument(node: Any, above: str, file: str, text: str) -> Argument:
    name, value = node.children[0], node.children[-1]
    said = re.sub(r"(?m)(^|\s)#.*$", "", _text(value, text))
    return Argument(
        file,
        above + _text(name, text),
        " ".join(said.split()),
        (node.meta.start_pos, node.meta.end_pos),
        (value.meta.start_pos, value.meta.end_pos),
    )


def _text(node: Any, text: str) -> str:
    return text[node.meta.start_pos : node.meta.end_pos]
