"""A plan in a few lines: numbers by kind, and names of what is destroyed."""

from typing import Any

from operations.deployment.summing import KINDS, MOST_KINDS, MOST_NAMED, sum_plan


def change(kind: str, *actions: str, name: str = "this") -> dict[str, Any]:
    return {"address": f"{kind}.{name}", "type": kind, "change": {"actions": list(actions)}}


def test_each_kind_is_a_line_and_what_stays_is_none() -> None:
    changes = [
        change("google_cloudfunctions2_function", "update"),
        change("google_cloudfunctions2_function", "create"),
        change("google_storage_bucket_object", "delete", "create"),
        change("google_storage_bucket_iam_member", "create"),
        change("google_storage_bucket", "no-op"),
        change("google_project", "read") | {"mode": "data"},
    ]
    assert sum_plan({"resource_changes": changes}) == [
        "  functions: 1 made, 1 changed",
        "  rights: 1 made",
        "  uploads: 1 replaced",
        "  ! google_storage_bucket_object.this is replaced",
    ]
    assert sum_plan({}) == []


def test_a_large_plan_has_ten_lines_of_kinds_and_names_what_goes() -> None:
    made = [change(part, "create") for part in (*(part for part, _ in KINDS), "terraform_data")]
    lines = sum_plan({"resource_changes": made})
    assert len(lines) == MOST_KINDS + 1
    assert lines[-1].endswith("others: 4 made")
    gone = [change("google_firestore_database", "delete", name=f"n{n:02}") for n in range(MOST_NAMED + 2)]
    lines = sum_plan({"resource_changes": gone})
    assert lines[0] == f"  database, its indexes, fields and backups: {MOST_NAMED + 2} destroyed"
    assert lines[1] == "  ! google_firestore_database.n00 is destroyed"
    assert lines[-1] == "  ! and 2 more"
