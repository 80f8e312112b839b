"""The roles of infra/aws: the trusted accounts and rights of each as AWS states them, read without a provider."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from infra.bundle import ROOT
from tests.infra.inventory.files import arguments

AWS = ROOT / "infra" / "aws"
#: a statement of a policy as AWS writes it, with a list wherever a list is possible
Statement: TypeAlias = dict[str, Any]
_IDENTITY = re.compile(r"(\w+) = var\.(\w+)_identity")


@dataclass(frozen=True)
class Role:
    """A role: the accounts that may take it, and its rights."""

    trust: Statement
    rights: tuple[Statement, ...]


def policy(*statements: Statement) -> str:
    """A policy as AWS takes it."""
    return json.dumps({"Version": "2012-10-17", "Statement": statements})


def statements(told: Mapping[str, Any]) -> tuple[Statement, ...]:
    """Read the statements of a policy from AWS into the form of those in the file."""
    return tuple(
        {word: _listed(value) if word != "Effect" else value for word, value in one.items() if word != "Sid"}
        for one in told["Statement"]
    )


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    return sorted([value] if isinstance(value, str) else value)


def roles(bucket: str, accounts: Mapping[str, str] | None = None) -> dict[str, Role]:
    """Map the purposes `archive` and `erase` to their roles for a bucket.

    `accounts` maps the same purposes to the numbers of the Google accounts that may take the roles.
    """
    said = {one.place: one.text for one in arguments("main.tf", (AWS / "main.tf").read_text())}
    known = {"aws_s3_bucket.archive.arn": f"arn:aws:s3:::{bucket}"}
    found = {}
    for place, text in said.items():
        if of := re.fullmatch(r"(resource aws_iam_role_policy\.\w+)/policy", place):
            name = _part(r"aws_iam_role\.(\w+)\.id", said[f"{of[1]}/role"])
            rights = _document(_part(r"data\.aws_iam_policy_document\.(\w+)\.json", text), said, known)
            (trust,) = _trust(said[f"resource aws_iam_role.{name}/assume_role_policy"], said, accounts or {})
            found[name] = Role(trust, rights)
    return found


def _trust(text: str, said: Mapping[str, str], accounts: Mapping[str, str]) -> tuple[Statement, ...]:
    name = _part(r"data\.aws_iam_policy_document\.(\w+)\[.*", text)
    identities = dict(_IDENTITY.findall(said[f"data aws_iam_policy_document.{name}/for_each"]))
    whose = identities[_part(r'.*\["(\w+)"\]\.json', text)]
    return _document(name, said, {"each.value": accounts.get(whose, "0")})


def _document(name: str, said: Mapping[str, str], known: Mapping[str, str]) -> tuple[Statement, ...]:
    found = defaultdict[str, dict[str, str]](dict)
    for place, text in said.items():
        if place.startswith(f"data aws_iam_policy_document.{name}/statement"):
            statement, _, inner = place.partition("/")[2].partition("/")
            found[statement][inner] = text
    return tuple(_statement(one, known) for one in found.values())


def _statement(said: Mapping[str, str], known: Mapping[str, str]) -> Statement:
    statement: Statement = {"Effect": "Allow", "Action": _values(said["actions"], known)}
    if "resources" in said:
        statement["Resource"] = _values(said["resources"], known)
    if "principals/type" in said:
        kind = json.loads(said["principals/type"])
        statement["Principal"] = {kind: _values(said["principals/identifiers"], known)}
    for place, text in said.items():
        if place.startswith("condition") and place.endswith("/test"):
            key = json.loads(said[place.replace("/test", "/variable")])
            values = _values(said[place.replace("/test", "/values")], known)
            statement.setdefault("Condition", {}).setdefault(json.loads(text), {})[key] = values
    return statement


def _values(text: str, known: Mapping[str, str]) -> list[str]:
    for reference, value in known.items():
        text = text.replace(f"${{{reference}}}", value).replace(reference, json.dumps(value))
    return sorted(json.loads(text))


def _part(pattern: str, text: str) -> str:
    found = re.fullmatch(pattern, text)
    assert found is not None, f"{text} is not of the form that is expected here"
    return found[1]
