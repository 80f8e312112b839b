"""The report of each folder's time."""

import pytest

from tests.timing import MOST, RESTLESS, Meter, Took, dearest, folder_of, restless_before, table


@pytest.mark.parametrize(
    ("nodeid", "folder"),
    [
        ("tests/shared/turn/test_batch.py::test_x[a/b]", "tests/shared/turn"),
        ("tests/shared/chat/store/test_chats.py::test_x", "tests/shared/chat"),
        ("tests/shared/test_settings.py::test_x", "tests/shared"),
        ("tests/local/page/test_page.py::test_x", "tests/local"),
        ("tests/test_architecture.py::test_x", "tests"),
    ],
)
def test_a_test_counts_for_its_folder(nodeid: str, folder: str) -> None:
    assert folder_of(nodeid) == folder


def test_the_longest_comes_first_and_what_is_short_is_told_together() -> None:
    a, b, c, d = Took(0.4, 2, 0.1), Took(3.0, 1, 2.0), Took(90.0, 7, 30.0), Took(0.5, 3, 0.2)
    told = table({"tests/a": a, "tests/b": b, "tests/c": c, "tests/d": d})
    assert [line.split() for line in told] == [
        ["90.0", "s", "30.0", "s", "7", "tests", "tests/c"],
        ["3.0", "s", "2.0", "s", "1", "tests", "tests/b"],
        ["0.9", "s", "0.3", "s", "5", "tests", "others"],
        ["93.9", "s", "32.3", "s", "13", "tests", "all"],
    ]


def test_the_files_that_took_most_of_the_processor_are_told() -> None:
    files = {f"tests/test_{n}.py": Took(9.0 - n, 1, float(n)) for n in range(MOST + 1)}
    told = [line.split()[-1] for line in dearest(files)]
    assert told == [f"tests/test_{n}.py" for n in range(MOST, 0, -1)]


def test_processor_seconds_are_those_since_the_last_time() -> None:
    meter = Meter()
    begun = meter.since()
    assert begun > 0
    assert 0 <= meter.since() < begun


def test_what_an_earlier_test_left_running_is_told_once() -> None:
    left = [(RESTLESS, {"queue": "ticks"}), ("another", 1)]
    name, place = "tests/stories/test_a.py::test_x", ("tests/stories/test_a.py", 1, "test_x")
    set_up = pytest.TestReport(name, place, {}, "passed", None, "setup", user_properties=left)
    call = pytest.TestReport(name, place, {}, "passed", None, "call", user_properties=left)
    assert restless_before(set_up) == ["before tests/stories/test_a.py::test_x: {'queue': 'ticks'}"]
    assert restless_before(call) == []
