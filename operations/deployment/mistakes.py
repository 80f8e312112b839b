"""Mistakes in terraform.tfvars, each told in one sentence before anything is made: what is wrong, what was expected."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from infra.functions import declared
from operations.deployment.options import CannotDeploy
from operations.deployment.regions import MULTI_REGIONS, OTHERS, REGIONS
from operations.deployment.written import Kind, Written, variables_in, written_in

FILE: Final = "terraform.tfvars"
_PROJECT: Final = re.compile(r"[a-z][a-z0-9-]{4,28}[a-z0-9]")
_ADDRESS: Final = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\".]+(\.[^@\s,;<>\".]+)+")
_AGENT: Final = re.compile(r"[a-z0-9_-]+")
#: of a label's name or value (cloud.google.com/resource-manager/docs/labels-overview#requirements)
_LABEL: Final = re.compile(r"[a-z0-9_-]{1,63}")
#: domains that are nobody's (RFC 2606)
_NOBODYS: Final = re.compile(r"(.*[@.])?(example(\.(com|net|org))?|invalid|your\.domain)")
#: settings that every function takes (local.settings_of_all of infra/functions.tf)
OF_ALL: Final = ("LULL_LATER_S", "LULL_LOG_FORMAT", "LULL_QUIET_GROUP_S", "LULL_QUIET_PRIVATE_S")
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")


def check_mistakes(folder: Path, env: Mapping[str, str]) -> None:
    """Raise CannotDeploy with a sentence for each mistake in what was written down."""
    kinds, written = variables_in(folder), written_in(folder, env)
    if found := list(mistakes_in(written, kinds)):
        raise CannotDeploy("\n".join(found))


def mistakes_in(written: Written, kinds: Mapping[str, Kind]) -> Iterator[str]:
    """Tell each mistake in a sentence; where a file cannot be read, nothing else is known."""
    if written.unreadable:
        yield from written.unreadable
        return
    yield from _unknown(written, kinds)
    wrong = set[str]()
    for name, value in written.values.items():
        if name in kinds and not _fits(value, kinds[name]):
            wrong.add(name)
            yield f"`{name}` in {FILE} is {_shown(value)}; write {_expected(kinds[name])}."
        elif name in kinds:
            yield from _wrong_fields(name, value, kinds[name])
    for name, tell in CHECKS.items():
        if name not in wrong and (said := tell(written.values.get(name))):
            yield said


def _unknown(written: Written, kinds: Mapping[str, Kind]) -> Iterator[str]:
    for name in written.unknown:
        yield f"{FILE} has `{name}`, which is no variable{_meant(name, kinds)}: infra/variables*.tf has all of them."
    if more := written.more_unknown:
        yield f"{FILE} has {more} more names that are no variables: infra/variables*.tf has all of them."


def _wrong_fields(name: str, value: Any, kind: Kind) -> Iterator[str]:
    """Tell what is wrong in an object, or in each of a map of them; Terraform drops a field that it does not know."""
    if not kind.fields or value is None:
        return
    for place, one in {f"{name}.{key}": one for key, one in value.items()}.items() if kind.of else [(name, value)]:
        if not isinstance(one, dict):
            yield f"`{place}` in {FILE} is {_shown(one)}; write {_expected(Kind('object'))}."
            continue
        for key, given in one.items():
            if wrong := _wrong_field(f"{place}.{key}", given, kind.fields.get(key)):
                yield wrong
            elif key not in kind.fields:
                meant, known = _meant(key, kind.fields), ", ".join(kind.fields)
                yield f"`{place}` in {FILE} has `{key}`, which it does not take{meant}: it has {known}."


def _wrong_field(place: str, given: Any, kind: str | None) -> str:
    if kind is None or given is None:
        return ""
    if not _fits(given, Kind(kind)):
        return f"`{place}` in {FILE} is {_shown(given)}; write {_expected(Kind(kind))}."
    if kind == "number" and float(given) < 0:
        return f"`{place}` in {FILE} is {_shown(given)}; write a number that is not below 0."
    return ""


def _meant(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f" (do you mean `{close[0]}`?)" if close else ""


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _expected(kind: Kind) -> str:
    if kind.name in {"set", "list", "tuple"}:
        return 'a list of texts, such as ["one", "two"]'
    if kind.name == "map" and kind.of == "string":
        return 'texts by name, such as { NAME = "value" }'
    known = {"string": "a text in quotes", "number": "a number", "bool": "true or false"}
    return known.get(kind.name, "an object, such as { name = value }")


def _is_text(value: object) -> bool:
    return isinstance(value, str | int | float)


def _fits(value: object, kind: Kind) -> bool:
    """Whether Terraform can take a value for a type: it makes texts of numbers, and numbers of texts."""
    if kind.name == "string":
        return _is_text(value)
    if kind.name == "number":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number or (isinstance(value, str) and _NUMBER.fullmatch(value) is not None)
    if kind.name == "bool":
        return isinstance(value, bool) or value in ("true", "false")
    if kind.name in {"set", "list"}:
        return isinstance(value, list) and all(map(_is_text, value))
    if kind.name == "map" and kind.of == "string":
        return isinstance(value, dict) and all(map(_is_text, value.values()))
    return isinstance(value, dict) or kind.name == "any"


def _project(value: Any) -> str:
    if value is None:
        return f'{FILE} names no project: write project = "ID", with an id that `gcloud projects list` shows.'
    if _PROJECT.fullmatch(str(value)):
        return ""
    return (
        f"`project` is {_shown(value)}, which is no project's id (6 to 30 small letters, digits and hyphens, not its "
        "name or number): `gcloud projects list` shows the ids."
    )


def _region(value: Any) -> str:
    if value is None or value in REGIONS:
        return ""
    if value in OTHERS:
        what = "which has not all that lull needs (Cloud Tasks, Cloud Scheduler, functions)"
    else:
        what = f"which is no region{_meant(str(value), REGIONS)}"
    return f"`region` is {_shown(value)}, {what}: take one of {', '.join(REGIONS)}."


def _location(value: Any) -> str:
    known = (*REGIONS, *OTHERS, *MULTI_REGIONS)
    if value is None or value in known:
        return ""
    return (
        f"`database_location` is {_shown(value)}, where no database can be{_meant(str(value), known)}: take a region, "
        f"or one of {', '.join(MULTI_REGIONS)}; it can never be changed."
    )


def _emails(value: Any) -> str:
    if value is None:
        return (
            f'{FILE} does not say who is told when something is wrong: write alert_emails = ["you@your.domain"] with '
            "your address, or alert_emails = [] if nobody is to be told."
        )
    for address in value:
        if _ADDRESS.fullmatch(str(address)) is None:
            return f"`alert_emails` has {_shown(address)}, which is no e-mail address: write one like anna@mail.com."
        if _NOBODYS.fullmatch(str(address).lower()):
            return f"`alert_emails` has {_shown(address)}, an example that is nobody's: write an address that you read."
    return ""


def _agents(value: Any) -> str:
    if value is None:
        return ""
    for name in filter(None, map(str, value)):
        if _AGENT.fullmatch(name) is None:
            meant = f" (do you mean `{name.strip().lower()}`?)" if _AGENT.fullmatch(name.strip().lower()) else ""
            return (
                f"`agents` has {_shown(name)}, which is no folder of agents/{meant}: write its name as it stands there."
            )
    if value and all(value):
        return ""
    return f'`agents` is {_shown(value)}: write at least one folder of agents/, such as agents = ["lull"].'


def _labels(value: Any) -> str:
    for name, label in (value or {}).items():
        if not (_LABEL.fullmatch(name) and name[0].isalpha() and (not label or _LABEL.fullmatch(str(label)))):
            told = f"{_shown(name)} = {_shown(label)}"
            return f"`labels` has {told}, which is no label: write small letters, digits, hyphens and underscores."
    return ""


def _settings(value: Any) -> str:
    known = {*OF_ALL, *(name for function in declared().values() for name in function.optional)}
    unknown = [name for name in value or {} if name not in known]
    told = ", ".join(f"{name}{_meant(name, known)}" for name in unknown)
    return (
        f"`settings` has {told}, which no function takes: settings may hold what docs/configuration.md lists."
        if told
        else ""
    )


#: of each of these variables what is wrong with its value, or nothing; None: it was not given
CHECKS: Final[Mapping[str, Callable[[Any], str]]] = {
    "project": _project,
    "region": _region,
    "database_location": _location,
    "alert_emails": _emails,
    "agents": _agents,
    "labels": _labels,
    "settings": _settings,
}
