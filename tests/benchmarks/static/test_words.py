"""Names and docstrings are counted as a reader sees them."""

from pathlib import Path

import pytest

from benchmarks.static.words import lone_participles, names_used_twice, question_docstrings
from tests.benchmarks.static.trees import program


@pytest.mark.parametrize("name", ["settled", "_told", "unrecorded", "given"])
def test_a_lone_participle_is_counted(tmp_path: Path, name: str) -> None:
    read = program(tmp_path, a=f"class A:\n    def {name}(self): ...")
    assert lone_participles(read.modules.values()) == [f"shared/a.py:2 {name}"]


@pytest.mark.parametrize("name", ["settle", "read", "embed", "is_told", "told_update", "due"])
def test_a_verb_and_a_participle_with_a_noun_are_not(tmp_path: Path, name: str) -> None:
    assert lone_participles(program(tmp_path, a=f"def {name}(): ...").modules.values()) == []


def test_public_classes_of_one_name_are_found_in_whatever_modules(tmp_path: Path) -> None:
    read = program(
        tmp_path, a="class Answer: ...\nclass _Own: ...", b="class Answer: ...\nclass _Own: ...", c="class C: ..."
    )
    assert names_used_twice(read.modules.values()) == {"Answer": ["shared.a", "shared.b"]}


def test_a_docstring_may_begin_with_whether_where_it_is_about_yes_or_no(tmp_path: Path) -> None:
    source = '''
        """How it is done."""
        class Who:
            """Who asks."""
        def is_due() -> bool:
            """Whether it is due."""
        def due() -> str:
            """Whether it is due, in words."""
        def name() -> bool:
            """What it is called."""
        def load() -> str:
            """Load what is there."""
    '''
    found = question_docstrings(program(tmp_path, a=source).modules.values())
    assert [place.partition(" ")[2] for place in found] == ["How", "Who", "Whether", "What"]
