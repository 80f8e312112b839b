"""Every collection and bucket has a deletion rule."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from infra.bundle import ROOT
from shared.chat.store import paths
from shared.privacy.deletion.rules import DELETION_RULES, DeletionMethod, DeletionRule
from shared.values.memory import MemoryOwner, MemoryScope
from tests.shared.examples import KEY

#: annotation of a parameter of a path's function → examples of its value
SAMPLES: dict[str, tuple[Any, ...]] = {
    "ChatKey": (KEY,),
    "str": ("a",),
    "int": (1,),
    "MemoryOwner": tuple(MemoryOwner(scope=scope, agent="lull", person=1, chat_id=2) for scope in MemoryScope),
}
#: the buckets of a row of the README's table
BUCKETS = re.compile(r"^\| buckets? (`\w+`(?:, `\w+`)*) \|", re.MULTILINE)
#: functions of paths.py that read a path instead of making one
READERS = {"chat_id_in"}


def deletion_rule_of(path: str) -> DeletionRule | None:
    """Return the rule for a document or a collection, given by its path; None if there is no rule."""
    collection = "/".join(path.split("/")[::2])
    return next((one for one in DELETION_RULES if one.collection == collection), None)


def places() -> Iterator[tuple[str, str]]:
    """Yield the name of each function that makes a path, and the path."""
    for name, value in vars(paths).items():
        if isinstance(value, str) and name.isupper() and "/" in value:
            yield name, value
        if inspect.isfunction(value) and value.__module__ == paths.__name__ and name not in READERS:
            yield from ((name, path) for path in _made(value))


def _made(function: Callable[..., str]) -> Iterator[str]:
    parameters = inspect.signature(function).parameters.values()
    unknown = [p.annotation for p in parameters if p.annotation not in SAMPLES]
    assert not unknown, f"say in SAMPLES of this test what {unknown} of paths.{function.__name__} may be"
    first, *rest = ([SAMPLES[p.annotation]] for p in parameters)
    for one in first[0]:
        yield function(one, *(samples[0][0] for samples in rest))


@pytest.mark.parametrize(("name", "path"), sorted(places()))
def test_every_path_has_a_rule(name: str, path: str) -> None:
    collection = "/".join(path.split("/")[::2])
    assert deletion_rule_of(path) is not None, (
        f"paths.{name} keeps documents in `{collection}`, and nothing says what becomes of them when a person asks to "
        "be forgotten. Add a rule to DELETION_RULES of privacy/deletion/rules.py: what it holds of a person, and how "
        "that is erased (DeletionMethod). Where each document has the person's id in a field, DELETED with field=… is "
        "all that is needed; where sums are to stay, STRIPPED with kept=…; where nothing in it is of a person, "
        "NOTHING and why"
    )


def test_every_rule_is_of_a_path() -> None:
    known = {"/".join(path.split("/")[::2]) for _, path in places()}
    assert {one.collection for one in DELETION_RULES} - known == set(), (
        "no path makes documents in these collections any more"
    )
    assert len({one.collection for one in DELETION_RULES}) == len(DELETION_RULES)


@pytest.mark.parametrize("rule", DELETION_RULES, ids=lambda one: one.collection)
def test_a_rule_has_all_that_its_method_needs(rule: Any) -> None:
    assert rule.holds, "what it holds, or why nothing is erased"
    assert bool(rule.field) == (rule.method in {DeletionMethod.DELETED, DeletionMethod.STRIPPED})
    assert bool(rule.kept) == (rule.method is DeletionMethod.STRIPPED)
    assert bool(rule.step) == (rule.method is DeletionMethod.BY_STEP)


def test_every_bucket_of_a_deployment_has_a_rule() -> None:
    made = re.findall(r'^module "(\w+)" \{\n  source = "./modules/bucket"', _buckets(), re.MULTILINE)
    rows = BUCKETS.findall((ROOT / "shared" / "privacy" / "README.md").read_text())
    assert sorted(re.findall(r"\w+", " ".join(rows))) == sorted(made), (
        "infra/*.tf and shared/privacy/README.md name other buckets: say for each what it holds of a person and how "
        "that is erased"
    )


def _buckets() -> str:
    return "\n".join(file.read_text() for file in sorted((ROOT / "infra").glob("*.tf")))


def test_an_unknown_collection_has_none() -> None:
    assert deletion_rule_of("chats/1/inbox/2") is deletion_rule_of("chats/1/inbox")
    assert deletion_rule_of("chats/1/elsewhere/2") is None
