"""Requests that the webhook refuses: counted, not logged one by one; and many of them are told."""

from tests.infra.test_alerts import alerts
from tests.infra.workspace import Resource


def test_they_are_not_logged_one_by_one_and_nothing_else_is_left_out(made: list[Resource]) -> None:
    (excluded,) = (r.values for r in made if r.type == "google_logging_project_exclusion")
    # all of these: another function's requests, other statuses and lull's own lines stay
    assert excluded["filter"].split(" AND ") == [
        'resource.type="cloud_run_revision"',
        'resource.labels.service_name="lull-webhook"',
        'log_id("run.googleapis.com/requests")',
        "httpRequest.status=401",
    ]
    assert not excluded["disabled"]


def test_a_canary_that_does_not_pass_is_told_by_its_silence(made: list[Resource]) -> None:
    canary = alerts(made)["no canary has passed"]
    # where no line was ever counted there is no series: the alert is what is left without one
    assert canary["query"].startswith("vector(1) unless on() (")
    assert canary["query"].count("[13h]") == 2
    assert "offset 13h" in canary["query"]
    assert canary["duration"] == "1800s"


def test_a_canary_is_no_traffic(made: list[Resource]) -> None:
    (updates,) = (r.values for r in made if r.type == "google_logging_metric" and r.values["name"] == "lull/updates")
    assert updates["filter"].endswith(' AND jsonPayload.kind!="canary"')
