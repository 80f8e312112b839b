"""Scratch copies of the tree: one for each test, and one that all tests add to."""

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

#: things that are dispatched: one more of them makes the tree longer, and no other figure of the structure worse
CAPABILITIES = (test_tool.GROWTH, test_task.GROWTH)
OTHERS = tuple(m.GROWTH for m in (test_command, test_function, test_job, test_media, test_record, test_setting))

#: the first of these tests runs the checks of everything that was added
LIMIT = pytest.mark.timeout(900)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give more time to the tests that may run all checks."""
    for item in items:
        if "changes" in getattr(item, "fixturenames", ()):
            item.add_marker(LIMIT)


@pytest.fixture(scope="session")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """Copy the tree for all additions."""
    return Scratch(tmp_path_factory.mktemp("grown") / "lull")


@pytest.fixture(scope="session")
def changes(grown: Scratch) -> Changes:
    """Add everything to one copy and check that it works; give the changed files by the path of each probe."""
    changed = {growth.path: growth.changes(grown) for growth in CAPABILITIES}
    grown.shows(*NO_WORSE)
    changed |= {growth.path: growth.changes(grown) for growth in OTHERS}
    grown.checks_imports()
    grown.shows(*changed, *ALWAYS, *(test for growth in (*CAPABILITIES, *OTHERS) for test in growth.tests))
    return changed
