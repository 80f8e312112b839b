"""Every place where lull keeps something says how a person is forgotten there."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from infra.bundle import ROOT
from shared.chat.store import paths
from shared.privacy.erasure.covers import BUCKETS, COVERS, Way, cover_of
from shared.values.memory import MemoryOwner, MemoryScope
from tests.shared.examples import KEY

#: what each parameter of a path may be, by its annotation
SAMPLES: dict[str, tuple[Any, ...]] = {
    "ChatKey": (KEY,),
    "str": ("a",),
    "int": (1,),
    "MemoryOwner": tuple(MemoryOwner(scope=scope, agent="lull", person=1, chat_id=2) for scope in MemoryScope),
}
#: functions of paths.py that read a path instead of making one
READERS = {"chat_id_in"}


def places() -> Iterator[tuple[str, str]]:
    """What makes each path, and the path."""
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
def test_every_path_has_a_cover(name: str, path: str) -> None:
    collection = "/".join(path.split("/")[::2])
    assert cover_of(path) is not None, (
        f"paths.{name} keeps documents in `{collection}`, and nothing says what becomes of them when a person asks to "
        f"be forgotten. Add a line to COVERS of privacy/erasure/covers.py: what `{collection}` holds of a person, and "
        f"how that is erased (Way). Where each document has the person's id in a field, Way.DELETED with field=… is "
        f"all that is needed; where sums are to stay, Way.STRIPPED with kept=…; where nothing in it is of a person, "
        f"Way.NOTHING and why"
    )


def test_every_cover_is_of_a_path() -> None:
    known = {"/".join(path.split("/")[::2]) for _, path in places()}
    assert {one.collection for one in COVERS} - known == set(), "no path makes documents in these collections any more"
    assert len({one.collection for one in COVERS}) == len(COVERS)


@pytest.mark.parametrize("cover", COVERS, ids=lambda one: one.collection)
def test_a_cover_says_all_that_its_way_needs(cover: Any) -> None:
    assert cover.holds, "what it holds, or why nothing is erased"
    assert bool(cover.field) == (cover.way in {Way.DELETED, Way.STRIPPED})
    assert bool(cover.kept) == (cover.way is Way.STRIPPED)
    assert bool(cover.step) == (cover.way is Way.BY_STEP)


def test_every_bucket_of_a_deployment_has_a_cover() -> None:
    made = re.findall(r'^module "(\w+)" \{\n  source = "./modules/bucket"', _buckets(), re.MULTILINE)
    assert {one.bucket for one in BUCKETS} == set(made), (
        "infra/*.tf and BUCKETS of privacy/erasure/covers.py name other buckets: say for each what it holds of a "
        "person and how that is erased"
    )


def _buckets() -> str:
    return "\n".join(file.read_text() for file in sorted((ROOT / "infra").glob("*.tf")))


def test_an_unknown_collection_has_none() -> None:
    assert cover_of("chats/1/inbox/2") is cover_of("chats/1/inbox")
    assert cover_of("chats/1/elsewhere/2") is None
