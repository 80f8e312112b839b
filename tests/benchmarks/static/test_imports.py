"""Imports between modules and between packages are read, including imports for type checkers."""

from pathlib import Path

from benchmarks.static.imports import by_package, cycles, imports, with_one_importer
from tests.benchmarks.static.trees import program


def test_imports_are_between_modules_and_between_packages(tmp_path: Path) -> None:
    read = program(
        tmp_path,
        a__one="from shared.a import two\nimport shared.b.three",
        a__two="",
        b__three="from shared.top import X",
        top="",
    )
    graph = imports(read)
    assert graph["shared.a.one"] == {"shared.a.two", "shared.b.three"}
    assert by_package(graph) == {"a": {"b"}, "b": {"top"}, "top": frozenset()}


def test_a_package_that_hands_on_its_modules_is_no_cycle(tmp_path: Path) -> None:
    read = program(tmp_path, ports__package="from shared.ports.one import X", ports__one="X = 1")
    assert cycles(imports(read)) == []


def test_cycles_are_found_whole(tmp_path: Path) -> None:
    read = program(
        tmp_path,
        a__one="import shared.b.two",
        b__two="import shared.c.three",
        c__three="import shared.a.one",
        d="import shared.a.one",
    )
    assert cycles(imports(read)) == [["shared.a.one", "shared.b.two", "shared.c.three"]]
    assert cycles(by_package(imports(read))) == [["a", "b", "c"]]


def test_a_cycle_of_packages_alone_is_one(tmp_path: Path) -> None:
    read = program(tmp_path, a__one="import shared.b.two", b__two="", b__three="import shared.a.four", a__four="")
    assert cycles(imports(read)) == []
    assert cycles(by_package(imports(read))) == [["a", "b"]]


def test_a_cycle_through_types_is_one(tmp_path: Path) -> None:
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shared.a.one import X"
    read = program(tmp_path, a__one="from shared.b.two import Y", b__two=types)
    assert cycles(by_package(imports(read))) == [["a", "b"]]


def test_what_one_other_module_needs_is_counted_wherever_that_is(tmp_path: Path) -> None:
    read = program(
        tmp_path, a="import shared.b\nimport shared.c\nimport shared.d", b="import shared.c", c="", d="", e=""
    )
    assert with_one_importer(imports(read), {"shared.d"}) == ["shared.b"]
