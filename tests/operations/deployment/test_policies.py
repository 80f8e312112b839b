"""Policies of an organisation that would stop an apply."""

from typing import Any

import pytest

from operations.deployment.google import GoogleProject
from operations.deployment.options import CannotDeploy
from operations.deployment.policies import CONSTRAINTS, Constraint, check_policies, is_stopped
from operations.deployment.terminal import Terminal
from tests.operations.deployment.google_apis import GoogleApis

INGRESS = next(one for one in CONSTRAINTS if one.name == "run.allowedIngress")
DOMAINS = CONSTRAINTS[0]


@pytest.mark.parametrize(
    ("constraint", "policy", "stops"),
    [
        (DOMAINS, {}, False),
        (DOMAINS, {"listPolicy": {"allValues": "ALLOW"}}, False),
        (DOMAINS, {"listPolicy": {"allowedValues": ["C0abc"]}}, True),
        (DOMAINS, {"booleanPolicy": {}}, False),
        (DOMAINS, {"booleanPolicy": {"enforced": True}}, True),
        (INGRESS, {"listPolicy": {"allowedValues": ["all"]}}, False),
        (INGRESS, {"listPolicy": {"allowedValues": ["internal"]}}, True),
        (INGRESS, {"listPolicy": {"deniedValues": ["all"]}}, True),
        (INGRESS, {"listPolicy": {"deniedValues": ["internal"]}}, False),
        (INGRESS, {"listPolicy": {"allValues": "DENY"}}, True),
    ],
)
def test_what_is_in_force_stops_or_does_not(constraint: Constraint, policy: dict[str, Any], stops: bool) -> None:
    assert is_stopped(constraint, policy) is stops


def test_all_that_stop_are_told_before_anything_is_made(project: GoogleProject, apis: GoogleApis) -> None:
    check_policies(project, Terminal(steps=1))
    apis.policies = {
        "constraints/iam.allowedPolicyMemberDomains": {"listPolicy": {"allowedValues": ["C0abc"]}},
        "constraints/iam.disableServiceAccountCreation": {"booleanPolicy": {"enforced": True}},
    }
    with pytest.raises(CannotDeploy) as caught:
        check_policies(project, Terminal(steps=1))
    said = str(caught.value)
    assert "iam.allowedPolicyMemberDomains: the webhook cannot be public" in said
    assert "iam.disableServiceAccountCreation: service accounts for the functions cannot be created" in said


def test_policies_that_may_not_be_asked_for_stop_nobody(
    project: GoogleProject, apis: GoogleApis, capsys: pytest.CaptureFixture[str]
) -> None:
    apis.policies = None
    check_policies(project, Terminal(steps=1))
    assert "policies cannot be checked" in capsys.readouterr().out
