import pytest
from pydantic import TypeAdapter, ValidationError

from local.cloud_tasks.faults import TaskFault, TaskFaultKind, TaskFaults

NAME = "projects/p/locations/l/queues/q/tasks/soon-1"


def test_a_fault_strikes_as_often_as_it_was_told() -> None:
    faults = TaskFaults()
    faults.add(TaskFault(kind=TaskFaultKind.TWICE, times=2))
    assert [faults.take(TaskFaultKind.TWICE, NAME) is not None for _ in range(3)] == [True, True, False]


def test_it_strikes_its_own_kind_and_prefix_only() -> None:
    faults = TaskFaults()
    faults.add(TaskFault(kind=TaskFaultKind.LATE, seconds=3, name_prefix="soon-"))
    assert faults.take(TaskFaultKind.TWICE, NAME) is None
    assert faults.take(TaskFaultKind.LATE, NAME.replace("soon", "later")) is None
    struck = faults.take(TaskFaultKind.LATE, NAME)
    assert struck is not None
    assert struck.seconds == 3


def test_the_earliest_added_strikes_first_and_clearing_ends_all() -> None:
    faults = TaskFaults()
    faults.add(TaskFault(kind=TaskFaultKind.LATE, seconds=1))
    faults.add(TaskFault(kind=TaskFaultKind.LATE, seconds=2))
    struck = faults.take(TaskFaultKind.LATE, NAME)
    assert struck is not None
    assert struck.seconds == 1
    assert [fault.seconds for fault in faults.pending()] == [2]
    faults.clear()
    assert faults.take(TaskFaultKind.LATE, NAME) is None


@pytest.mark.parametrize(
    "body", ["{}", '{"kind": "never"}', '{"kind": "late", "times": 0}', '{"kind": "late", "second": 1}', "[]", "no"]
)
def test_what_is_no_fault_is_refused(body: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(TaskFault).validate_json(body)
