"""A scratch copy of the tree: of a test's own, and the one in which everything grows."""

import pytest

from tests.growth import (
    test_command,
    test_function,
    test_job,
    test_media,
    test_record,
    test_setting,
    test_task,
    test_tool,
)
from tests.growth.scratch import ALWAYS, NO_WORSE, Changes, Scratch

#: what is dispatched: one more of it makes no figure of the structure worse but for its size
CAPABILITIES = (test_tool.GROWTH, test_task.GROWTH)
OTHERS = tuple(m.GROWTH for m in (test_command, test_function, test_job, test_media, test_record, test_setting))

#: all that has grown is shown at once, by whichever of them is first
LIMIT = pytest.mark.timeout(900)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give what runs everything its time."""
    for item in items:
        if "changes" in getattr(item, "fixturenames", ()):
            item.add_marker(LIMIT)


@pytest.fixture(scope="session")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """The copy in which everything grows."""
    return Scratch(tmp_path_factory.mktemp("grown") / "lull")


@pytest.fixture(scope="session")
def changes(grown: Scratch) -> Changes:
    """The files that each growth changed, by its probe's path; all of them work, side by side in one copy."""
    changed = {growth.path: growth.changes(grown) for growth in CAPABILITIES}
    grown.shows(*NO_WORSE)
    changed |= {growth.path: growth.changes(grown) for growth in OTHERS}
    grown.checks_imports()
    grown.shows(*changed, *ALWAYS, *(test for growth in (*CAPABILITIES, *OTHERS) for test in growth.tests))
    return changed
