"""Errors that pass by themselves are recognized by Google's words."""

import pytest

from operations.deployment.repeating import PAUSES_S, passing

BOX = """\u2577
\u2502 Error: Error creating Queue: googleapi: Error 403: Cloud Tasks API has not been used
\u2502 in project 7 before or it is disabled.
\u2575
"""


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (BOX, "a service is still being enabled"),
        (
            "Error: googleapi: Error 400: Service account 7@gcf does not exist",
            "a new account is not known everywhere yet",
        ),
        (
            "Error: Error creating Field: googleapi: Error 409: underlying data changed",
            "simultaneous changes of the database's fields",
        ),
        ("Error: rpc error: ABORTED: too much contention", "simultaneous changes of the database"),
        ("Error: googleapi: Error 503: The service is currently unavailable", "Google did not answer"),
    ],
)
def test_what_passes_is_told_with_its_reason(said: str, why: str) -> None:
    (found,) = passing(said)
    assert found.startswith(why)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Warning: has not been used in project 7",
        "Error: googleapi: Error 403: Permission 'iam.roles.create' denied",
        "Error: googleapi: Error 409: Requested entity already exists",
        # one permanent error is enough
        f"{BOX}Error: Invalid value for variable",
    ],
)
def test_what_stays_is_not(said: str) -> None:
    assert passing(said) == ()


def test_it_is_waited_for_longer_than_google_says_it_takes() -> None:
    assert 600 <= sum(PAUSES_S) <= 1200
