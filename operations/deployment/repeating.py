"""Recognizes transient errors of Terraform: those that a new project causes in its first minutes, and those whose text
asks for a retry.
"""

import re

#: Seconds between attempts of an apply. Their sum exceeds the ten minutes that Google may need.
PAUSES_S = (30.0, 60.0, 60.0, 120.0, 120.0, 120.0, 120.0)
#: Reasons why an error is transient, and Google's texts for it. Assumed; none of them was observed.
PASSING = {
    "a service is still being enabled": r"has not been used in project|service_disabled|api .{0,80}is disabled",
    "a new account is not known everywhere yet": r"service agent|service account .{0,120}does not exist",
    "the build's new permissions are not known everywhere yet": r"gcf-v2-sources|artifactregistry.{0,80}denied",
    "simultaneous changes of the database's fields conflict": r"underlying data changed|contention|\baborted\b",
    "a new metric is not known everywhere yet": r"cannot find metric that matches",
    "too many requests were sent in a minute": r"error 429|resource_exhausted",
    "Google did not answer": r"error 50[023]|\bunavailable\b|connection reset by peer",
}


def passing(complaints: str) -> tuple[str, ...]:
    """Return the reasons why Terraform's errors are transient, each reason once. Empty if any error is not transient,
    or if there is no error.
    """
    text = " ".join(re.sub(r"[│╷╵]|\x1b\[[0-9;]*m", " ", complaints).split())
    found = [_why(error) for error in text.split("Error: ")[1:]]
    return tuple(dict.fromkeys(found)) if all(found) else ()


def _why(error: str) -> str:
    return next((why for why, sign in PASSING.items() if re.search(sign, error.lower())), "")
