"""`make canary`, through a local cloud of its own."""

from collections.abc import Iterator

import pytest

from local.cloud import LocalCloud
from operations.canary import lines_of, send_canary_here
from operations.place import NoPlace
from tests.conftest import HURRIED
from tests.forking import forked
from tests.shared.reader.web.hostile import HostileServer


@pytest.fixture(scope="module")
def cloud(web: HostileServer) -> Iterator[LocalCloud]:
    """A local cloud of its own, since a sweep would wake chats of other tests."""
    with LocalCloud(forked(env=HURRIED | {"LULL_READER_PRIVATE_HOSTS": web.host})).running() as running:
        yield running


def test_what_each_step_saw_is_a_line(cloud: LocalCloud) -> None:
    lines = lines_of(send_canary_here(cloud.scheduler_url))
    assert all(line.startswith("ok ") for line in lines), lines
    assert [line.split(": ")[1] for line in lines if " lull: " in line] == [
        "webhook without its secret",
        "webhook",
        "Firestore",
        "queue and tick",
        "sweep",
        "webhook at Telegram",
        "Telegram",
    ]
    assert [line.split(": ")[0].removeprefix("ok").strip() for line in lines][-7:] == [
        "reading",
        "describing",
        "erasing",
        "bucket of media",
        "bucket of takeouts",
        "bucket of erasures",
        "archive",
    ]


def test_a_step_that_failed_stands_out() -> None:
    seen = {"agent": "lull", "step": "sweep", "is_well": False, "said": "it fails (500)", "ms": 3}
    assert lines_of({"steps": [seen]}) == ["FAILED lull: sweep: it fails (500) (3 ms)"]
    assert lines_of({"steps": [{**seen, "agent": ""}]}) == ["FAILED sweep: it fails (500) (3 ms)"]


def test_no_answer_is_told() -> None:
    with pytest.raises(NoPlace, match=r"could not be sent \(ConnectError\)"):
        send_canary_here("http://127.0.0.1:1")
