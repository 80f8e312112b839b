"""The queries of alerts and dashboard to Cloud Monitoring, except those of metrics from logs."""

import json
import re
from typing import Any

from operations.costs import EVALUATIONS_A_DAY, ON_METRICS, POLICIES
from tests.infra.workspace import Plan, Resource

#: the queried metrics of Google; True for distributions, which PromQL sees as buckets. Source:
#: docs.cloud.google.com/monitoring/api/metrics_gcp. Latencies and delays are in milliseconds
METRICS = {
    "run.googleapis.com/request_count": False,
    "run.googleapis.com/request_latencies": True,
    "cloudtasks.googleapis.com/queue/task_attempt_delays": True,
}


def in_promql(metric: str, *, is_distribution: bool) -> str:
    """Name a metric in PromQL: the first slash becomes a colon, every other character that is no letter an
    underscore.
    """
    service, _, path = metric.partition("/")
    spelled = f"{re.sub(r'[^a-z_]', '_', service)}:{re.sub(r'[^a-z_]', '_', path)}"
    return f"{spelled}_bucket" if is_distribution else spelled


def alerts(resources: list[Resource]) -> dict[str, Any]:
    """Map names to the alerts that query metrics."""
    policies = (r.values for r in resources if r.type == "google_monitoring_alert_policy")
    conditions = ((p["display_name"], p["conditions"][0]["condition_prometheus_query_language"]) for p in policies)
    return {name.partition(": ")[2]: found[0] for name, found in conditions if found}


def queries(resources: list[Resource]) -> list[str]:
    """List all queries."""
    (dashboard,) = (r.values for r in resources if r.type == "google_monitoring_dashboard")
    tiles = json.loads(dashboard["dashboard_json"])["gridLayout"]["widgets"]
    shown = [line["timeSeriesQuery"]["prometheusQuery"] for tile in tiles for line in tile["xyChart"]["dataSets"]]
    return [*(alert["query"] for alert in alerts(resources).values()), *shown]


def test_only_metrics_are_asked_for_that_google_has(made: list[Resource]) -> None:
    named = {name for query in queries(made) for name in re.findall(r"\w+_googleapis_com:\w+", query)}
    of_google = {name for name in named if not name.startswith("logging_googleapis_com:user_")}
    assert of_google == {in_promql(metric, is_distribution=kind) for metric, kind in METRICS.items()}


def test_the_page_counts_the_conditions_that_google_charges_for(made: list[Resource]) -> None:
    policies = [r.values for r in made if r.type == "google_monitoring_alert_policy"]
    assert [len(policy["conditions"]) for policy in policies] == [1] * POLICIES
    asking = alerts(made).values()
    assert len(asking) == ON_METRICS
    assert {24 * 3600 / int(alert["evaluation_interval"].removesuffix("s")) for alert in asking} == {EVALUATIONS_A_DAY}
    # each query returns one series, as it keeps no label
    assert {by for alert in asking for by in re.findall(r" by \((\w+)\)", alert["query"])} == {"le"}


def test_reminders_that_wait_in_the_queue_are_no_alert(made: list[Resource]) -> None:
    # the depth of a queue includes tasks that are due in a month
    assert [query for query in queries(made) if "queue_depth" in query] == []


def test_ticks_that_begin_late_are_one(made: list[Resource], over_vertex: Plan) -> None:
    (queue,) = (r.values["name"] for r in made if r.address == 'module.queue["ticks"].google_cloud_tasks_queue.this')
    late = alerts(made)["ticks begin late"]
    assert "histogram_quantile(0.95, " in late["query"]
    assert f'queue_id="{queue}"' in late["query"]
    assert late["query"].endswith(" > 60000")
    # one late task leaves the window before it can raise an alert
    (window,) = re.findall(r"\[(\d+)m\]", late["query"])
    assert int(late["duration"].removesuffix("s")) > 60 * int(window)

    assert alerts(over_vertex.resources)["ticks begin late"]["query"].endswith(" > 5000")
