"""The caller is identified by the one token that Cloud Run has checked."""

import base64
import json

import pytest

from local.cloud_tasks.oidc import bearer
from shared.values.caller import is_called_by

CLOCK = "lull-clock-maintain@p.iam.gserviceaccount.com"
QUEUE = "lull-ticks@p.iam.gserviceaccount.com"
OF_CLOCK, OF_QUEUE = (bearer(email, "https://f", 0) for email in (CLOCK, QUEUE))


def token_of(claims: object) -> str:
    part = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    return f"Bearer e30.{part}.SIGNATURE_REMOVED_BY_GOOGLE"


@pytest.mark.parametrize("name", ["Authorization", "authorization", "X-Serverless-Authorization"])
def test_the_account_of_the_token_calls(name: str) -> None:
    assert is_called_by(CLOCK, [("Content-Type", "application/json"), (name, OF_CLOCK)])
    assert not is_called_by(CLOCK, [(name, OF_QUEUE)])


@pytest.mark.parametrize(
    "headers",
    [
        [],
        # Cloud Run checks only the second token, and passes on the first unchanged: every permitted caller could forge
        # the first
        [("Authorization", OF_CLOCK), ("X-Serverless-Authorization", OF_QUEUE)],
        [("X-Serverless-Authorization", OF_CLOCK), ("Authorization", OF_QUEUE)],
        [("Authorization", OF_CLOCK), ("Authorization", OF_CLOCK)],
        [("Authorization", "")],
        [("Authorization", CLOCK)],
        [("Authorization", f"Basic {OF_CLOCK.partition(' ')[2]}")],
        [("Authorization", "Bearer a.b")],
        [("Authorization", "Bearer a.%.c")],
        [("Authorization", token_of([CLOCK]))],
        [("Authorization", token_of({"email": CLOCK}))],
        [("Authorization", token_of({"email": CLOCK, "email_verified": "true"}))],
        [("Authorization", token_of({"email": [CLOCK], "email_verified": True}))],
        [("X-CloudScheduler", "true"), ("X-CloudScheduler-JobName", "lull-register")],
    ],
)
def test_nothing_else_does(headers: list[tuple[str, str]]) -> None:
    assert not is_called_by(CLOCK, headers)


def test_nobody_is_no_account() -> None:
    # an empty setting must not let in a token without a name
    assert not is_called_by("", [("Authorization", token_of({"email": "", "email_verified": True}))])
