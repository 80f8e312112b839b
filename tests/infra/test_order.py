"""The order of resources, where the first deployment of a project depends on it."""

import re
from collections.abc import Mapping

import pytest

from tests.infra.workspace import Workspace

#: each resource's dependencies, direct or through others, with the names of modules in front
Order = Mapping[str, set[str]]
SERVICES = "google_project_service.api"
DATABASE = "module.datastore.google_firestore_database.this"
INDEXES = "module.datastore.google_firestore_index.this"
FUNCTION = "module.function.google_cloudfunctions2_function.this"


@pytest.fixture(scope="module")
def order(applied: Workspace) -> Order:
    """Read the order of resources from Terraform's own graph."""
    drawn = applied.must("graph")
    direct: dict[str, set[str]] = {name: set() for name in re.findall(r'"([^"]+)" \[label=', drawn)}
    for later, sooner in re.findall(r'"([^"]+)" -> "([^"]+)"', drawn):
        direct[later].add(sooner)
    return {name: _reached(direct, name) for name in direct}


def _reached(direct: Order, start: str) -> set[str]:
    found: set[str] = set()
    ahead = set(direct[start])
    while ahead:
        name = ahead.pop()
        found.add(name)
        ahead |= direct[name] - found
    return found


def test_everything_of_googles_waits_until_its_service_is_switched_on(order: Order) -> None:
    of_google = {name for name in order if re.search(r"(^|\.)google_\w+\.\w+$", name) and ".data." not in name}
    assert {FUNCTION, "google_project_iam_custom_role.archive"} <= of_google
    assert [name for name in sorted(of_google - {SERVICES}) if SERVICES not in order[name]] == []


def test_the_builds_rights_are_given_minutes_before_a_build(order: Order) -> None:
    rights = {name for name in order if name.startswith("module.build.") and "_iam_member." in name}
    assert len(rights) == 4
    assert rights <= order[INDEXES]  # indexes take minutes
    assert INDEXES in order[FUNCTION]


def test_the_database_can_be_changed_without_anything_else(order: Order) -> None:
    # as before a destroy, when the rest may be deleted already
    assert [name for name in order[DATABASE] if name != SERVICES and not name.startswith("terraform_data.")] == [
        "module.datastore.terraform_data.location"
    ]


def test_accounts_do_not_wait_for_what_takes_minutes(order: Order) -> None:
    # a new account may not be known yet to the service that runs a function as it
    accounts = [name for name in order if ".google_service_account." in name]
    assert len(accounts) == 7
    assert [name for name in accounts if any("firestore" in other for other in order[name])] == []


@pytest.mark.parametrize("module", ["module.function", "module.maintain", "module.console"])
def test_a_function_waits_for_its_secrets_and_its_indexes(order: Order, module: str) -> None:
    # a revision needs its secrets to start, and its indexes to query
    needed = {f"{module}.google_secret_manager_secret_iam_member.reader", INDEXES}
    assert needed <= order[f"{module}.google_cloudfunctions2_function.this"]
