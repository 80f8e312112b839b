"""Sizes and time limits of resources fit the code."""

import re
from typing import Any

from infra.bundle import ROOT
from shared.telegram.outbound.client import CONNECTIONS
from tests.infra.policy import TASK_DEADLINE
from tests.infra.workspace import Plan, Resource


def service_of(resources: list[Resource], name: str) -> Any:
    functions = (r.values for r in resources if r.type == "google_cloudfunctions2_function")
    return next(f["service_config"][0] for f in functions if f["name"] == name)


def queue_of(resources: list[Resource], name: str) -> Any:
    return next(r.values for r in resources if r.address == f'module.queue["{name}"].google_cloud_tasks_queue.this')


def test_the_deadline_of_a_task_is_the_one_that_the_code_sets() -> None:
    source = (ROOT / "shared" / "cloud" / "cloud_tasks.py").read_text()
    assert re.findall(r"Duration\(seconds=(\d+)\)", source) == [str(TASK_DEADLINE)]


def test_a_tick_has_connections_for_all_chats_that_it_serves_at_once(made: list[Resource]) -> None:
    assert 2 * service_of(made, "lull-tick")["max_instance_request_concurrency"] <= CONNECTIONS


def test_the_webhook_answers_before_telegram_gives_up(made: list[Resource]) -> None:
    assert service_of(made, "lull-webhook")["timeout_seconds"] < 60


def test_no_more_ticks_run_at_once_than_the_instances_take(made: list[Resource], everything: Plan) -> None:
    assert _at_once(made, "ticks") == _capacity(made, "lull-tick")
    more = everything.resources
    assert _at_once(more, "ticks") == _capacity(more, "lull-tick") == 3 * _capacity(made, "lull-tick")
    assert service_of(more, "lull-tick")["min_instance_count"] == 1


def test_no_more_files_are_described_at_once_than_the_instances_take(made: list[Resource]) -> None:
    assert _at_once(made, "media") == _capacity(made, "lull-describe-media")


def _at_once(resources: list[Resource], queue: str) -> int:
    return int(queue_of(resources, queue)["rate_limits"][0]["max_concurrent_dispatches"])


def _capacity(resources: list[Resource], name: str) -> int:
    service = service_of(resources, name)
    return int(service["max_instance_request_concurrency"] * service["max_instance_count"])
