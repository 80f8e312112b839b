"""Lines, parameters and fields are counted."""

from pathlib import Path

from benchmarks.static.sizes import fields_of_classes, lines_of_functions, p90, parameters_of_functions
from tests.benchmarks.static.trees import program


def test_functions_are_measured_with_what_stands_in_them(tmp_path: Path) -> None:
    source = """
        class A:
            def work(self, one, *, two):
                def inside():
                    ...
                return inside
    """
    modules = program(tmp_path, a=source).modules.values()
    assert lines_of_functions(modules) == {"shared/a.py:3 work": 4, "shared/a.py:4 inside": 2}
    assert parameters_of_functions(modules) == [2, 0]


def test_the_fields_of_a_class_are_its_own_and_those_that_it_is_made_from(tmp_path: Path) -> None:
    source = """
        class Base:
            one: int
            shared: ClassVar[int] = 1
        class Made(Base):
            two: int = 2
            def __init__(self):
                self.three = self._four = 3
            def change(self):
                self.five = 5
    """
    assert fields_of_classes(program(tmp_path, a=source)) == {"shared/a.py:Base": 1, "shared/a.py:Made": 4}


def test_settings_are_not_counted_since_an_environment_has_no_parts(tmp_path: Path) -> None:
    source = """
        class Environment(pydantic_settings.BaseSettings):
            one: int
        class Settings(Environment):
            two: int
        class Parts(BaseModel):
            three: int
    """
    assert fields_of_classes(program(tmp_path, a=source)) == {"shared/a.py:Parts": 1}


def test_nine_in_ten_are_not_above_the_p90() -> None:
    assert p90(range(1, 11)) == 9
    assert p90([7]) == 7
