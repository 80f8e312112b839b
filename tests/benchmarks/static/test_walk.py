"""A walk visits the steps of a function in the order of the calls, each once, and returns to the caller."""

from pathlib import Path

from benchmarks.static.calls import CallGraph
from benchmarks.static.program import Program
from benchmarks.static.walk import Walk, walk
from tests.benchmarks.static.trees import program


def walked(read: Program) -> Walk:
    entry = read.modules["shared.a"].functions["start"]
    return walk(CallGraph(read), entry, lambda module: module.name == "shared.left_out")


def test_each_step_is_walked_once_and_left_for_its_caller(tmp_path: Path) -> None:
    read = program(
        tmp_path,
        a="from shared.b import one, two\nasync def start(): await one(); await two(); await one()",
        b="from shared.c import two\nasync def one(): await two()",
        c="async def two(): ...",
    )
    found = walked(read)
    assert found.stays == ("shared.a", "shared.b", "shared.c", "shared.b", "shared.a")
    assert (len(found.modules), found.returns) == (3, 2)


def test_a_callable_that_is_passed_is_a_step_where_it_is_named(tmp_path: Path) -> None:
    read = program(
        tmp_path,
        a="from shared.b import held\nfrom shared.c import ask\nasync def start(): await held(ask)",
        b="async def held(call): await call()",
        c="async def ask(): ...",
    )
    assert walked(read).stays == ("shared.a", "shared.c", "shared.a", "shared.b", "shared.a")


def test_what_returns_a_value_and_what_is_left_out_is_no_step(tmp_path: Path) -> None:
    read = program(
        tmp_path,
        a="from shared.b import value\nfrom shared.left_out import made\nasync def start(): value(); await made()",
        b="def value(): ...",
        left_out="async def made(): ...",
    )
    assert walked(read).stays == ("shared.a",)


def test_what_speaks_to_the_network_is_not_gone_into(tmp_path: Path) -> None:
    port = """
        from typing import Protocol
        class Store(Protocol):
            async def keep(self): ...
    """
    rim = """
        import httpx
        from shared.d import below
        class Kept:
            async def keep(self): await below()
    """
    inside = """
        class Paid:
            async def keep(self): ...
    """
    through = "from shared.port import Store\nasync def start(store: Store): await store.keep()"
    straight = "from shared.rim import Kept\nasync def start(store: Kept): await store.keep()"
    parts = {"port": port, "rim": rim, "inside": inside, "d": "async def below(): ..."}
    behind = walked(program(tmp_path / "through", a=through, **parts))
    # an implementation without the network is a step
    assert behind.modules == {"shared.a", "shared.port", "shared.inside"}
    assert walked(program(tmp_path / "straight", a=straight, **parts)).modules == {"shared.a", "shared.rim"}
