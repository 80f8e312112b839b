"""The figures of the structure are told of any tree."""

from pathlib import Path

from benchmarks import structure


def write(root: Path, **sources: str) -> Path:
    for name, source in sources.items():
        file = root / "shared" / f"{name.replace('__', '/').replace('package', '__init__')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
    return root


def test_imports_are_between_modules_and_between_packages(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        a__one="from shared.a import two\nimport shared.b.three",
        a__two="",
        b__three="from shared.top import X",
        top="",
    )
    graph = structure.imports(root)
    assert graph["shared.a.one"] == {"shared.a.two", "shared.b.three"}
    assert structure.by_package(graph) == {"a": {"b"}, "b": {"top"}, "top": frozenset()}


def test_a_package_that_hands_on_its_modules_is_no_cycle(tmp_path: Path) -> None:
    root = write(tmp_path, ports__package="from shared.ports.one import X", ports__one="X = 1")
    assert structure.cycles(structure.imports(root)) == []


def test_cycles_are_found_whole(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        a__one="import shared.b.two",
        b__two="import shared.c.three",
        c__three="import shared.a.one",
        d="import shared.a.one",
    )
    assert structure.cycles(structure.imports(root)) == [["shared.a.one", "shared.b.two", "shared.c.three"]]
    assert structure.cycles(structure.by_package(structure.imports(root))) == [["a", "b", "c"]]


def test_a_cycle_of_packages_alone_is_one(tmp_path: Path) -> None:
    root = write(tmp_path, a__one="import shared.b.two", b__two="", b__three="import shared.a.four", a__four="")
    assert structure.cycles(structure.imports(root)) == []
    assert structure.cycles(structure.by_package(structure.imports(root))) == [["a", "b"]]
