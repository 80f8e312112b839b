"""Each metric from logs counts texts that its function really logs, word for word."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from infra.bundle import ROOT, function_names
from infra.imports import imported_files
from shared.base.model_call import ModelCall
from shared.values.incident import IncidentKind
from tests.infra.workspace import Resource

MESSAGE = re.compile(r'jsonPayload\.message=(~?)"((?:[^"\\]|\\.)*)"')
#: names of functions that log
LOGGING = {"log", "about", "LogLine"}
FIELD = re.compile(r"jsonPayload\.(\w+)")


@cache
def calls(function: str) -> list[ast.Call]:
    """List all calls that log in the code of one function's bundle."""
    main = ROOT / "functions" / function / "main.py"
    return [call for file in (main, *imported_files(main, ROOT)) for call in calls_in(file)]


@cache
def calls_in(file: Path) -> list[ast.Call]:
    """List the calls that log in one file, which may be in several bundles."""
    nodes = ast.walk(ast.parse(file.read_text()))
    return [node for node in nodes if isinstance(node, ast.Call) and name_of(node) in LOGGING]


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


@cache
def texts(function: str) -> tuple[set[str], set[str]]:
    """Collect the log texts of a function: complete ones, and the constant beginnings of others."""
    whole: set[str] = set()
    beginnings: set[str] = set()
    for call in calls(function):
        for text in _texts_of(call):
            for node in _alternatives(text):
                if isinstance(node, ast.Constant):
                    whole.add(str(node.value))
                elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                    beginnings.add(str(node.values[0].value))
    return whole, beginnings


def _texts_of(call: ast.Call) -> list[ast.expr]:
    """List the texts of a call, logged at once or, for a record's line, with the commit."""
    match name_of(call):
        case "log":
            return call.args[:1]
        case "LogLine":
            return [k.value for k in call.keywords if k.arg == "text"]
        case _:
            return []


def _alternatives(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from (*_alternatives(node.body), *_alternatives(node.orelse))
    else:
        yield node


def fields(function: str) -> set[str]:
    """Name the fields of a function's log lines."""
    names: set[str] = set()
    for call in calls(function):
        match name_of(call):
            case "log" | "about":
                names |= {k.arg for k in call.keywords if k.arg}
            case "LogLine":
                given = [node for k in call.keywords if k.arg == "fields" for node in ast.walk(k.value)]
                keys = [key for node in given if isinstance(node, ast.Dict) for key in node.keys]
                names |= {str(key.value) for key in keys if isinstance(key, ast.Constant)}
            case _:
                pass
    return names | set(ModelCall.model_fields)


def metrics(resources: list[Resource]) -> list[Resource]:
    return [r for r in resources if r.type == "google_logging_metric"]


def clauses(metric: Resource) -> Iterator[tuple[list[str], str]]:
    """Yield the clauses of a metric: the functions whose lines it counts, and its conditions."""
    for clause in metric.values["filter"].removeprefix("(").split(") OR ("):
        yield [name for name in function_names() if f'"lull-{name.replace("_", "-")}"' in clause], clause


def functions_of(metric: Resource) -> set[str]:
    return {name for names, _ in clauses(metric) for name in names}


def test_every_text_that_is_counted_is_logged(made: list[Resource]) -> None:
    never = []
    for metric in metrics(made):
        for names, clause in clauses(metric):
            for function in names:
                whole, beginnings = texts(function)
                for is_pattern, text in MESSAGE.findall(clause):
                    known = beginnings if is_pattern else whole
                    if text.removeprefix("^") not in known:
                        never.append(f"{metric.values['name']}: {text}")
    assert never == []


def test_what_models_cost_is_counted_of_every_function_that_can_ask_one(made: list[Resource]) -> None:
    """By its bundle: once a function has the adapter of models, the alert and the dashboard must count it."""
    api = ROOT / "shared" / "llm" / "gemini" / "api.py"
    asking = {name for name in function_names() if api in imported_files(ROOT / "functions" / name / "main.py", ROOT)}
    counted = {m.values["name"]: functions_of(m) for m in metrics(made) if m.values["name"].startswith("lull/model_")}
    assert asking
    assert counted == dict.fromkeys(counted, asking)
    assert "lull/model_usd" in counted


def test_every_kind_of_incident_is_counted_by_a_metric_of_its_own(made: list[Resource]) -> None:
    counted = {
        kind: metric.values["name"]
        for metric in metrics(made)
        for kind in re.findall(r'jsonPayload\.kind="(\w+)"', metric.values["filter"])
    }
    assert counted == {
        IncidentKind.DEAD_LETTER: "lull/dead_letters",
        IncidentKind.DROPPED_PLAN: "lull/dropped_plans",
        IncidentKind.REFUSED_WAKE: "lull/refused_wakes",
        IncidentKind.UNKNOWN_DELIVERY: "lull/unknown_deliveries",
    }


@pytest.mark.parametrize("function", ["webhook", "tick", "describe_media"])
def test_every_field_that_is_counted_by_is_logged(made: list[Resource], function: str) -> None:
    asked = {
        field
        for metric in metrics(made)
        if function in functions_of(metric) and len(functions_of(metric)) < len(function_names())
        for text in (metric.values["filter"], metric.values["value_extractor"] or "", *_extractors(metric))
        for field in FIELD.findall(text)
    }
    assert asked - {"message"} - fields(function) == set()


def _extractors(metric: Resource) -> list[str]:
    return list((metric.values["label_extractors"] or {}).values())


def test_alerts_and_dashboard_name_only_metrics_that_there_are(made: list[Resource]) -> None:
    counted = {f"user_{m.values['name'].replace('/', '_').replace('-', '_')}" for m in metrics(made)}
    alerts = [r.values["conditions"][0] for r in made if r.type == "google_monitoring_alert_policy"]
    queries = [found["query"] for alert in alerts for found in alert["condition_prometheus_query_language"]]
    (line,) = [found["filter"] for alert in alerts for found in alert["condition_matched_log"]]
    assert line in {m.values["filter"] for m in metrics(made)}
    queries += [r.values["dashboard_json"] for r in made if r.type == "google_monitoring_dashboard"]
    named = {
        name for query in queries for name in re.findall(r"logging_googleapis_com:(\w+?)(?:_sum|_bucket)?\{", query)
    }
    assert len(alerts) == 7
    assert named == counted
