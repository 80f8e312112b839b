"""Calls are found by imports, declared types and callbacks, in the order in which they are made."""

from pathlib import Path

from benchmarks.static.calls import CallGraph
from benchmarks.static.program import Function, Program
from tests.benchmarks.static.trees import program


def called(read: Program, module: str, name: str) -> list[str]:
    function: Function = read.modules[module].functions[name]
    return [one.place.partition(":")[2] for one in CallGraph(read).called_by(function)]


def test_a_function_is_found_by_its_import_under_whatever_name(tmp_path: Path) -> None:
    read = program(
        tmp_path,
        a="from shared.b import work as other\nfrom shared import c\ndef start(): other(); c.rest()",
        b="def work(): ...",
        c="def rest(): ...",
    )
    assert called(read, "shared.a", "start") == ["work", "rest"]


def test_what_a_package_hands_on_is_found_where_it_is(tmp_path: Path) -> None:
    read = program(
        tmp_path,
        ports__package="from shared.ports.one import Port",
        ports__one="class Port:\n    def ask(self): ...",
        a="from shared.ports import Port\ndef start(port: Port): port.ask()",
    )
    assert called(read, "shared.a", "start") == ["Port.ask"]


def test_a_method_is_found_by_the_types_that_are_declared(tmp_path: Path) -> None:
    source = """
        class Engine:
            def run(self): ...
        class Other:
            def run(self): ...
        class Car:
            engine: Engine
            @property
            def motor(self) -> Engine: ...
        def build() -> Engine: ...
        def by_field(car: Car): car.engine.run()
        def by_property(car: Car): car.motor.run()
        def by_result(): build().run()
        def by_name():
            made = build()
            made.run()
        def of_many(cars: list[Car]):
            for car in cars:
                car.engine.run()
    """
    read = program(tmp_path, a=source)
    assert called(read, "shared.a", "by_field") == ["Engine.run"]
    assert sorted(called(read, "shared.a", "by_property")) == ["Car.motor", "Engine.run"]
    assert sorted(called(read, "shared.a", "by_result")) == ["Engine.run", "build"]
    assert sorted(called(read, "shared.a", "by_name")) == ["Engine.run", "build"]
    assert called(read, "shared.a", "of_many") == ["Engine.run"]


def test_a_receiver_that_nobody_declares_may_be_any_that_has_the_method(tmp_path: Path) -> None:
    source = """
        class One:
            def steer(self): ...
        class Two:
            def steer(self): ...
            def append(self): ...
        def start(thing): thing.steer()
        def everyday(thing): thing.append()
    """
    read = program(tmp_path, a=source)
    assert called(read, "shared.a", "start") == ["One.steer", "Two.steer"]
    assert called(read, "shared.a", "everyday") == []


def test_who_serves_a_protocol_may_be_called_through_it(tmp_path: Path) -> None:
    source = """
        from typing import Protocol
        class Port(Protocol):
            def ask(self): ...
        class Served:
            def ask(self): ...
        def start(port: Port): port.ask()
    """
    assert called(program(tmp_path, a=source), "shared.a", "start") == ["Port.ask", "Served.ask"]


def test_closures_callbacks_and_tables_belong_to_the_function_they_stand_in(tmp_path: Path) -> None:
    source = """
        from functools import partial
        STEPS = {"one": lambda: step()}
        def step(): ...
        def review(): ...
        def inner(): ...
        def start(run):
            def ask():
                inner()
            run(ask, partial(review), STEPS)
    """
    assert sorted(called(program(tmp_path, a=source), "shared.a", "start")) == ["inner", "review", "step"]


def test_calls_come_in_the_order_in_which_they_are_made(tmp_path: Path) -> None:
    source = """
        def one(): ...
        def two(): ...
        def three(): ...
        def four(): ...
        def start(): return three(one(), key=two()) or [four() for _ in one()]
    """
    assert called(program(tmp_path, a=source), "shared.a", "start") == ["one", "two", "three", "four"]
