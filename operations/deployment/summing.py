"""Summarizes a Terraform plan in a few lines: how many resources of each kind change, and the names of those that are
destroyed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

#: the most kinds of resources with a line each; all other kinds share one line
MOST_KINDS: Final = 9
#: most names of destroyed resources
MOST_NAMED: Final = 20
#: names for each list of actions
_DONE: Final[Mapping[tuple[str, ...], str]] = {
    ("create",): "made",
    ("update",): "changed",
    ("delete",): "destroyed",
    ("delete", "create"): "replaced",
    ("create", "delete"): "replaced",
}
#: names for kinds of resources, by a part of their type; the first match counts
KINDS: Final[Sequence[tuple[str, str]]] = (
    ("_iam_", "rights"),
    ("service_account", "service accounts"),
    ("cloudfunctions2", "functions"),
    ("firestore", "database, its indexes, fields and backups"),
    ("bucket_object", "uploads"),
    ("storage_bucket", "buckets"),
    ("secret_manager", "secrets"),
    ("cloud_tasks", "queues"),
    ("cloud_scheduler", "scheduled jobs"),
    ("monitoring", "alerts and dashboards"),
    ("logging", "metrics of logs"),
    ("project_service", "enabled Google services"),
)
_OTHER: Final = "others"


def sum_plan(plan: Mapping[str, Any]) -> list[str]:
    """Return the lines of the summary. `plan` is a plan in the JSON form of `terraform show -json`."""
    counted: dict[str, Counter[str]] = {}
    gone = list[str]()
    for change in plan.get("resource_changes", []):
        done = _DONE.get(tuple(change["change"]["actions"]))
        if done is None or change.get("mode") == "data":
            continue
        counted.setdefault(_kind_of(change["type"]), Counter())[done] += 1
        if done in {"destroyed", "replaced"}:
            gone.append(f"{change['address']} is {done}")
    return [*_lines(counted), *_destroyed_lines(gone)]


def _kind_of(type_: str) -> str:
    return next((kind for part, kind in KINDS if part in type_), _OTHER)


def _lines(counted: Mapping[str, Counter[str]]) -> Iterator[str]:
    ordered = sorted(counted.items(), key=lambda one: (one[0] == _OTHER, -one[1].total(), one[0]))
    shown, rest = ordered[:MOST_KINDS], ordered[MOST_KINDS:]
    if rest:
        together = sum((done for _, done in rest), Counter[str]())
        shown = [*shown, (", ".join(kind for kind, _ in rest), together)]
    for kind, done in shown:
        told = ", ".join(f"{done[one]} {one}" for one in ("made", "changed", "replaced", "destroyed") if done[one])
        yield f"  {kind}: {told}"


def _destroyed_lines(gone: Sequence[str]) -> Iterator[str]:
    yield from (f"  ! {one}" for one in sorted(gone)[:MOST_NAMED])
    if len(gone) > MOST_NAMED:
        yield f"  ! and {len(gone) - MOST_NAMED} more"
