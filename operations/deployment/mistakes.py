"""Finds mistakes in terraform.tfvars before anything is deployed. Each message says what is wrong, and what to
write.
"""

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from infra.functions import declared_functions
from operations.deployment.addresses import is_address, is_nobodys
from operations.deployment.options import CannotDeploy
from operations.deployment.regions import MULTI_REGIONS, OTHERS, REGIONS
from operations.deployment.written import READ, VariableType, WrittenValues, variables_in, written_in
from shared.values.model_name import ADDRESSES, GEMINI

FILE: Final = "terraform.tfvars"
_PROJECT: Final = re.compile(r"[a-z][a-z0-9-]{4,28}[a-z0-9]")
#: names and addresses of providers, as infra/variables.tf accepts them
_PROVIDER: Final = re.compile(r"[a-z][a-z0-9_-]*")
_ADDRESS: Final = re.compile(r"https://[^\s/?#@\"']+(/[^\s?#\"']*)?")
_AGENT: Final = re.compile(r"[a-z0-9_-]+")
#: names and values of labels (cloud.google.com/resource-manager/docs/labels-overview#requirements)
_LABEL: Final = re.compile(r"[a-z0-9_-]{1,63}")
#: fields that must be whole numbers, by variable and field
_WHOLE: Final = re.compile(r"(monthly_budget|backups|instances)\..*")
_WHERE: Final = "GOOGLE_CLOUD_LOCATION"
#: settings of every function (local.settings_of_all of infra/functions.tf)
OF_ALL: Final = ("LULL_LATER_S", "LULL_LOG_FORMAT", "LULL_QUIET_GROUP_S", "LULL_QUIET_PRIVATE_S")
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
#: A value without blanks or quotes around it. JSON may end with a line break, as a heredoc does.
_PLAIN: Final = re.compile(r"(?!([\"']).*\1\Z)\S(.*\S)?|\{.*\}\s*", re.DOTALL)


def check_mistakes(folder: Path, env: Mapping[str, str]) -> list[str]:
    """Check the configuration. Raises CannotDeploy with a sentence for each mistake.

    Returns a warning for each setting that is not a mistake but has no effect.
    """
    kinds, written = variables_in(folder), written_in(folder, env)
    found = [*mistakes_in(written, kinds), *_other_bundles(written, folder)]
    if found and not written.unreadable and (misplaced := _misplaced_file(folder)):
        found.append(misplaced)
    if found:
        raise CannotDeploy("\n".join(found))
    here = sorted(name for name in _settings_known() if name.startswith("LULL_") and env.get(name))
    return [
        *(f"TF_VAR_{name} in the shell is not a variable of lull and is ignored." for name in written.strange),
        *(
            f"{name} in the shell only applies to this machine. The deployment uses `settings` in {FILE}."
            for name in here
        ),
    ]


def _misplaced_file(folder: Path) -> str:
    """Return a sentence about a tfvars file that Terraform ignores because of its name or folder; an empty text if
    there is none.
    """
    read = {file for pattern in READ for file in folder.glob(pattern)}
    others = {*folder.glob("*.tfvars"), *folder.glob(f"{FILE}.*"), *folder.parent.glob("*.tfvars")} - read
    names = sorted(os.path.relpath(one, folder.parent) for one in others if one.suffix != ".example")
    return (
        f"{names[0]} is ignored. Terraform reads only {folder.name}/{FILE} and {folder.name}/*.auto.tfvars."
        if names
        else ""
    )


def _other_bundles(written: WrittenValues, folder: Path) -> Iterator[str]:
    given = written.values.get("bundles")
    if isinstance(given, str) and (folder / given).resolve() != (folder.parent / "build").resolve():
        yield (
            f"`bundles` in {written.place('bundles')} is {_quote(given)}, but `make deploy` writes the functions' zips "
            "to build/: remove it."
        )


def mistakes_in(written: WrittenValues, kinds: Mapping[str, VariableType]) -> Iterator[str]:
    """Yield a sentence for each mistake. If a file cannot be read, yield only the sentences about that."""
    if written.unreadable:
        yield from written.unreadable
        return
    yield from _unknown_names(written, kinds)
    wrong = set[str]()
    for name, value in written.values.items():
        if name in kinds and not _fits(value, kinds[name]):
            wrong.add(name)
            yield f"`{name}` in {written.place(name)} is {_quote(value)}; write {_expected_value(kinds[name])}."
        elif name in kinds:
            yield from _wrong_fields(name, value, kinds[name], written.place(name))
    for name, tell in CHECKS.items():
        if name not in wrong and (said := tell(written.values.get(name))):
            yield said
    if "settings" not in wrong:
        yield from _vertex_location(written.values.get("settings") or {}, written.values.get("vertex_ai"))


def _unknown_names(written: WrittenValues, kinds: Mapping[str, VariableType]) -> Iterator[str]:
    for name in written.unknown:
        if name in _settings_known():
            yield f"{FILE} has `{name}`, which is a setting: write settings = {{ {name} = … }}."
        else:
            meant = _suggestion(name, kinds)
            yield f"{FILE} has `{name}`, which is not a variable{meant}: infra/variables*.tf lists all variables."
    if more := written.more_unknown:
        yield f"{FILE} has {more} more names that are not variables: infra/variables*.tf lists all variables."
    for name in written.secrets:
        yield f"{FILE} has `{name}`, which must not be in a file: remove it; `make deploy` asks for it or generates it."
    for name in written.strange:
        if meant := _suggestion(name, kinds):
            yield f"The shell has TF_VAR_{name}, which is not a variable{meant}: rename it, or `unset TF_VAR_{name}`."


def _wrong_fields(name: str, value: Any, kind: VariableType, where: str) -> Iterator[str]:
    """Yield a sentence for each mistake in an object, or in each object of a map. This check is needed because
    Terraform silently drops unknown fields.
    """
    if not kind.fields or value is None:
        return
    for place, one in {f"{name}.{key}": one for key, one in value.items()}.items() if kind.of else [(name, value)]:
        if not isinstance(one, dict):
            yield f"`{place}` in {where} is {_quote(one)}; write {_expected_value(VariableType('object'))}."
            continue
        for key, given in one.items():
            if wrong := _wrong_field(f"{place}.{key}", given, kind.fields.get(key)):
                yield f"`{place}.{key}` in {where} is {_quote(given)}; write {wrong}."
            elif key not in kind.fields:
                meant, known = _suggestion(key, kind.fields), ", ".join(kind.fields)
                yield f"`{place}` in {where} has `{key}`, which is not a known field{meant}. Known fields: {known}."
        least, most = one.get("min"), one.get("max")
        if name == "instances" and isinstance(least, int) and isinstance(most, int) and least > most:
            yield f"`{place}` in {where} has min {least} above max {most}: max must be at least min."


def _wrong_field(place: str, given: Any, kind: str | None) -> str:
    """Return what is expected in a field, or an empty text if `given` is a valid value for the field."""
    if kind is None or given is None:
        return ""
    if not _fits(given, VariableType(kind)):
        return _expected_value(VariableType(kind))
    if kind != "number":
        return ""
    if float(given) < 0:
        return "a number of at least 0"
    if place.endswith(".max") and float(given) < 1:
        return "a number of at least 1"
    return "a whole number" if _WHOLE.fullmatch(place) and not float(given).is_integer() else ""


def _suggestion(name: str, known: Collection[str]) -> str:
    plain = {one.lower(): one for one in known}
    close = get_close_matches(re.sub(r"[\s-]+", "-" if "-" in "".join(known) else "_", name.strip().lower()), plain, 1)
    return f" (do you mean `{plain[close[0]]}`?)" if close else ""


def _quote(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _expected_value(kind: VariableType) -> str:
    if kind.name in {"set", "list", "tuple"}:
        return 'a list of strings, such as ["one", "two"]'
    if kind.name == "map" and kind.of == "string":
        return 'a map of strings, such as { NAME = "value" }'
    known = {"string": "a string in quotes", "number": "a number", "bool": "true or false"}
    return known.get(kind.name, "an object, such as { name = value }")


def _is_text(value: object) -> bool:
    return isinstance(value, str | int | float)


def _fits(value: object, kind: VariableType) -> bool:
    """Return whether Terraform accepts a value for a variable of this type. Terraform converts numbers to strings and
    strings to numbers.
    """
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
        return f'{FILE} does not set `project`: write project = "ID", with an id that `gcloud projects list` shows.'
    if _PROJECT.fullmatch(str(value)):
        return ""
    return (
        f"`project` is {_quote(value)}, which is not a project id (6 to 30 lowercase letters, digits and hyphens; not "
        "the project's name or number): `gcloud projects list` shows the ids."
    )


def _region(value: Any) -> str:
    if value is None or value in REGIONS:
        return ""
    if value in OTHERS:
        what = "which lacks services that lull needs (Cloud Tasks, Cloud Scheduler, functions)"
    else:
        # regions as AWS writes them (eu-west-1) are turned into Google's form
        known = re.sub(r"^eu-", "europe-", re.sub(r"-(\d)$", r"\1", str(value)))
        what = f"which is not a region{_suggestion(known, REGIONS)}"
    return f"`region` is {_quote(value)}, {what}: use one of {', '.join(REGIONS)}."


def _location(value: Any) -> str:
    known = (*REGIONS, *OTHERS, *MULTI_REGIONS)
    if value is None or value in known:
        return ""
    return (
        f"`database_location` is {_quote(value)}, which is not a location of Firestore"
        f"{_suggestion(str(value), known)}: use a region, or one of {', '.join(MULTI_REGIONS)}. It can never be "
        "changed later."
    )


def _emails(value: Any) -> str:
    if value is None:
        return (
            f'{FILE} does not say who is notified of problems: write alert_emails = ["you@your.domain"] with '
            "your address, or alert_emails = [] to notify nobody."
        )
    for address in value:
        if not is_address(str(address)):
            return (
                f"`alert_emails` has {_quote(address)}, which is not an e-mail address: write one like anna@mail.com."
            )
        if is_nobodys(str(address)):
            return f"`alert_emails` has {_quote(address)}, which is an example or placeholder: write your own address."
    return ""


def _agents(value: Any) -> str:
    if value is None:
        return ""
    for name in filter(None, map(str, value)):
        if _AGENT.fullmatch(name) is None:
            meant = f" (do you mean `{name.strip().lower()}`?)" if _AGENT.fullmatch(name.strip().lower()) else ""
            return (
                f"`agents` has {_quote(name)}, which is not a folder of agents/{meant}: write the folder's exact name."
            )
    if value and all(value):
        return ""
    return f'`agents` is {_quote(value)}: write the name of at least one folder of agents/, such as agents = ["lull"].'


def _labels(value: Any) -> str:
    for name, label in (value or {}).items():
        if not (_LABEL.fullmatch(name) and name[0].isalpha() and (not label or _LABEL.fullmatch(str(label)))):
            told = f"{_quote(name)} = {_quote(label)}"
            return f"`labels` has {told}, which is not a valid label: use lowercase letters, digits, - and _."
    return ""


def _model_providers(value: Any) -> str:
    for name, address in (value or {}).items():
        if name == GEMINI:
            return "`model_providers` has gemini: remove it. Models without a provider in their name are Gemini's."
        if _PROVIDER.fullmatch(name) is None:
            meant = _suggestion(name, ADDRESSES)
            return (
                f"`model_providers` has {_quote(name)}, which is not a valid name of a provider{meant}: use lowercase "
                "letters, digits, _ and -, beginning with a letter."
            )
        if not address and name not in ADDRESSES:
            meant = _suggestion(name, ADDRESSES)
            return (
                f"`model_providers` has {name} without an address{meant}: write the address of its API, such as "
                f"https://llm.example.org/v1. Only these need no address: {', '.join(ADDRESSES)}."
            )
        if address and _ADDRESS.fullmatch(str(address)) is None:
            return (
                f"`model_providers` has {name} with an address that is not https, or has a user, a query or a "
                "fragment. Messages are sent to this address, so it must look like https://llm.example.org/v1."
            )
    return ""


def _settings_known() -> set[str]:
    """Return the names that are allowed in the variable `settings`."""
    return {*OF_ALL, *(name for function in declared_functions().values() for name in function.optional)}


def _vertex_location(settings: Mapping[str, Any], vertex_ai: Any) -> Iterator[str]:
    where = settings.get(_WHERE)
    known = (*REGIONS, *OTHERS, "global", "eu", "us")
    if where is not None and where not in known:
        told = f"`settings` has {_WHERE} = {_quote(where)}, where Vertex AI is not available"
        yield f"{told}: use a region such as europe-west1, or global, eu or us."
    elif where is not None and str(vertex_ai).lower() != "true":
        yield (
            f"`settings` has {_WHERE}, which only applies to Vertex AI: write vertex_ai = true, or remove it. With "
            "an API key, Google decides where Gemini runs."
        )


def _settings(value: Any) -> str:
    known = _settings_known()
    for name, function in ((name, function) for function in declared_functions().values() for name in value or {}):
        if name == "LULL_PROVIDERS":
            return f"`settings` has {name}: set model_providers = {{ NAME = ADDRESS }} instead."
        if name in function.secrets or name in {"GEMINI_API_KEY", "LULL_PROVIDER_KEYS"}:
            return f"`settings` has {name}, a secret, which must not be in a file: `make deploy` asks for it."
        if name in function.given and name not in known:
            return f"`settings` has {name}, which is made from other variables of {FILE}: remove it."
    unknown = [name for name in value or {} if name not in known]
    if told := ", ".join(f"{name}{_suggestion(name, known)}" for name in unknown):
        return f"`settings` has {told}, which no function reads. docs/configuration.md lists all settings."
    odd = [f"{name} = {_quote(text)}" for name, text in (value or {}).items() if not _PLAIN.fullmatch(str(text))]
    told = ", ".join(odd)
    return f"`settings` has {told}: write the value without spaces or quotes around it, or remove it." if odd else ""


#: for each variable, a function that returns a sentence on what is wrong with the value, or an empty text; the value is
#: None if none was given
CHECKS: Final[Mapping[str, Callable[[Any], str]]] = {
    "project": _project,
    "region": _region,
    "database_location": _location,
    "alert_emails": _emails,
    "agents": _agents,
    "labels": _labels,
    "model_providers": _model_providers,
    "settings": _settings,
}
