"""What somebody wrote into terraform.tfvars and the shell, as it stands there: before Terraform looks at what it means.

Terraform itself reads it, in a folder with the same variables and nothing else, where any value is as good as another.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from operations.deployment.options import CannotDeploy

#: files that Terraform reads by itself
READ: Final = ("terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json")
#: of the shell's, what is meant for the configuration itself
NOT_GIVEN: Final = re.compile(r"TF_(CLI_ARGS.*|DATA_DIR|WORKSPACE|REATTACH_PROVIDERS)")
_VARIABLE: Final = re.compile(r'^variable "(\w+)" \{\n(.*?)^\}', re.MULTILINE | re.DOTALL)
_TYPE: Final = re.compile(r"^  type\s*=\s*(\w+)(?:\((\w+))?(.*?)(?=^  \w|\Z)", re.MULTILINE | re.DOTALL)
_FIELD: Final = re.compile(r"(\w+)\s*=\s*(?:optional\()?(\w+)")
_UNKNOWN: Final = re.compile(r'variable named "([^"]+)"')
_MORE_UNKNOWN: Final = re.compile(r"(\d+) other variable\(s\) defined without being declared")
#: types whose values the shell gives as they are, without quotes
PLAIN: Final = frozenset({"string", "number", "bool"})


@dataclass(frozen=True)
class Kind:
    """A variable's type: its first word, and that of its elements; such as `map` of `string`.

    `fields` are the names that an object has, or each object of a map, with the first word of each one's type.
    """

    name: str
    of: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Written:
    """The values that were given, by variable; names that no variable has, and what keeps all from being read.

    Terraform names a few of the unknown; `more_unknown` is how many others there are.
    """

    values: Mapping[str, Any]
    unknown: tuple[str, ...] = ()
    more_unknown: int = 0
    unreadable: tuple[str, ...] = ()


def variables_in(folder: Path) -> dict[str, Kind]:
    """Return every variable of a configuration with its type."""
    found = dict[str, Kind]()
    for file in sorted(folder.glob("*.tf")):
        for name, body in _VARIABLE.findall(file.read_text()):
            kind = _TYPE.search(body)
            found[name] = Kind(kind[1], kind[2] or "", dict(_FIELD.findall(kind[3]))) if kind else Kind("any")
    return found


def written_in(folder: Path, env: Mapping[str, str]) -> Written:
    """Return what was given for a configuration's variables. Raises CannotDeploy if Terraform does not run at all."""
    kinds = variables_in(folder)
    with tempfile.TemporaryDirectory(prefix="lull-written-") as place:
        Path(place, "main.tf.json").write_text(json.dumps(_reading(kinds)))
        for pattern in READ:
            for file in folder.glob(pattern):
                shutil.copy(file, place)
        given = {name: value for name, value in env.items() if not NOT_GIVEN.fullmatch(name)}
        told = subprocess.run(
            ["terraform", "apply", "-json", "-auto-approve", "-input=false"],
            cwd=place,
            env={"CHECKPOINT_DISABLE": "1", "PATH": os.defpath, **given},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return _told(list(_lines(told.stdout)))


def _reading(kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """A configuration that takes any value for each variable, and tells all of them."""
    variables = {name: {"default": None, **({} if k.name in PLAIN else {"type": "any"})} for name, k in kinds.items()}
    secret = {name for name in kinds if name.startswith(("bot_token", "webhook_secret", "gemini_api", "secret_"))}
    outputs = {name: {"value": f"${{var.{name}}}"} for name in kinds if name not in secret}
    return {"variable": variables, "output": outputs}


def _lines(told: str) -> Iterator[dict[str, Any]]:
    for line in told.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found


def _told(lines: list[dict[str, Any]]) -> Written:
    values, unknown, unreadable, more = dict[str, Any](), list[str](), list[str](), 0
    for line in lines:
        if outputs := line.get("outputs"):
            values |= {name: one["value"] for name, one in outputs.items() if one.get("value") is not None}
        if (found := line.get("diagnostic")) is None:
            continue
        if name := _UNKNOWN.search(found.get("detail", "")):
            unknown.append(name[1])
        elif others := _MORE_UNKNOWN.search(found.get("detail", "")):
            more = int(others[1])
        elif found["severity"] == "error":
            unreadable.append(_where(found))
    if not lines:
        raise CannotDeploy(
            "Terraform does not say what terraform.tfvars holds: `terraform version` says whether it runs."
        )
    return Written(values, tuple(dict.fromkeys(unknown)), more, tuple(dict.fromkeys(unreadable)))


def _where(found: Mapping[str, Any]) -> str:
    """An error of Terraform's in one line, with its place if it has one."""
    at = found.get("range")
    place = f"{at['filename']} cannot be read in line {at['start']['line']}" if at else "A variable cannot be read"
    why = " ".join(f"{found['summary']}: {found.get('detail', '')}".split()).rstrip(" .:")
    return f"{place} ({why}): write NAME = VALUE, texts in quotes, as in terraform.tfvars.example."
