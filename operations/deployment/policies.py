"""Checks for an organisation's policies that would make `terraform apply` fail half way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from operations.deployment.google import GoogleProject
from operations.deployment.options import CannotDeploy
from operations.deployment.terminal import Terminal


@dataclass(frozen=True)
class Constraint:
    """A kind of policy that an organisation may set, and what the policy would prevent (`stops`).

    If the policy restricts a list of values, the deployment is possible only if the list allows a value of `needs`.
    """

    name: str
    stops: str
    #: allowed values of which one is enough; if empty, the list must be unrestricted
    needs: tuple[str, ...] = ()


CONSTRAINTS = (
    Constraint("iam.allowedPolicyMemberDomains", "the webhook cannot be public, as Telegram needs it"),
    Constraint("iam.managed.allowedPolicyMembers", "the webhook cannot be public, as Telegram needs it"),
    Constraint("run.managed.requireInvokerIam", "the webhook cannot be public, as Telegram needs it"),
    Constraint("run.allowedIngress", "Telegram's requests cannot reach the webhook", ("all",)),
    Constraint("cloudfunctions.allowedIngressSettings", "Telegram's requests are blocked", ("ALLOW_ALL",)),
    Constraint("cloudfunctions.requireVPCConnector", "functions without a network connector are refused"),
    Constraint("iam.disableServiceAccountCreation", "service accounts for the functions cannot be created"),
)


def check_policies(project: GoogleProject, terminal: Terminal) -> None:
    """Check that no policy prevents the deployment. Raises CannotDeploy with all policies that do."""
    found = {constraint: project.policy(constraint.name) for constraint in CONSTRAINTS}
    if all(policy is None for policy in found.values()):
        terminal.say(
            "The organisation's policies cannot be checked without the permission orgpolicy.policy.get. If a policy "
            "forbids something, Terraform will fail with an error."
        )
    stopping = [one for one, policy in found.items() if policy is not None and is_stopped(one, policy)]
    if stopping:
        told = "; ".join(f"{one.name}: {one.stops}" for one in stopping)
        raise CannotDeploy(
            f"Policies of the organisation of {project.id} prevent the deployment ({told}). Have its administrator "
            f"make an exception for this project. To see a policy, run `gcloud resource-manager org-policies describe "
            f"{stopping[0].name} --project={project.id} --effective`."
        )


def is_stopped(constraint: Constraint, policy: Mapping[str, Any]) -> bool:
    """Return whether a policy in force prevents the deployment."""
    if "booleanPolicy" in policy:
        return bool(policy["booleanPolicy"].get("enforced"))
    rules = policy.get("listPolicy")
    if not rules or rules.get("allValues") == "ALLOW":
        return False
    if rules.get("allValues") == "DENY":
        return True
    allowed, denied = rules.get("allowedValues", []), rules.get("deniedValues", [])
    if any(value in denied for value in constraint.needs):
        return True
    return bool(allowed) and not any(value in allowed for value in constraint.needs)
