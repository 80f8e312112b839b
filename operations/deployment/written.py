"""Reads the values that terraform.tfvars and the shell give, before the real configuration checks them.

Terraform parses the values: it runs in a temporary folder, with a configuration whose variables have the same names but
accept any value.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from operations.deployment.options import CannotDeploy

#: files that Terraform reads automatically
READ: Final = ("terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json")
#: shell variables that are meant for the real configuration; Terraform does not get them here
NOT_GIVEN: Final = re.compile(r"TF_(CLI_ARGS.*|DATA_DIR|WORKSPACE|REATTACH_PROVIDERS)")
_VARIABLE: Final = re.compile(r'^variable "(\w+)" \{\n(.*?)^\}', re.MULTILINE | re.DOTALL)
_TYPE: Final = re.compile(r"^  type\s*=\s*(\w+)(?:\((\w+))?(.*?)(?=^  \w|\Z)", re.MULTILINE | re.DOTALL)
_FIELD: Final = re.compile(r"(\w+)\s*=\s*(?:optional\()?(\w+)")
_UNKNOWN: Final = re.compile(r'variable named "([^"]+)"')
_MORE_UNKNOWN: Final = re.compile(r"(\d+) other variable\(s\) defined without being declared")
#: types whose values the shell gives without quotes
PLAIN: Final = frozenset({"string", "number", "bool"})
SHELL: Final = "TF_VAR_"
_SECRET: Final = re.compile(
    r"bot_token.*|webhook_secret|gemini_api.*|model_provider_key.*|console_(?:login_)?secret|secret_.*"
)
#: Terraform's name for a value from the shell
_OF_SHELL: Final = re.compile(r"<value for var\.(\w+)>")
_ENCODING: Final = "Invalid character encoding"
#: advice for an error, by the beginning of its summary
_HINTS: Final = {
    _ENCODING: "save it as UTF-8",
    "Variables not allowed": "write strings in quotes (true, false and numbers without)",
    "Function calls not allowed": "write the value itself, not a function",
    "Attribute redefined": "remove one of the two",
    "Unexpected comma": "remove the comma at the end of the line",
    'Unexpected "': "write NAME = { … } with an equals sign",
}


@dataclass(frozen=True)
class VariableType:
    """The type of a Terraform variable. For `map(string)`, `name` is `map` and `of` is `string`.

    `fields`: for an object or a map of objects, the first word of each field's type, by the field's name.
    """

    name: str
    of: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenValues:
    """The values that terraform.tfvars and the shell give to Terraform's variables, and the problems found while
    reading them.

    `unknown`: names in a file that are not variables. Terraform lists only some of them; `more_unknown` is the number
    of the others. `unreadable`: sentences about errors that prevented reading. `of_shell`: variables whose value comes
    from the shell. `strange`: names after TF_VAR_ that are not variables. `secrets`: secrets that are written in a
    file.
    """

    values: Mapping[str, Any]
    unknown: tuple[str, ...] = ()
    more_unknown: int = 0
    unreadable: tuple[str, ...] = ()
    of_shell: frozenset[str] = frozenset()
    strange: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()

    def place(self, name: str) -> str:
        """Return the phrase that says where a variable's value was given."""
        return "the shell (TF_VAR_…)" if name in self.of_shell else "terraform.tfvars"


def variables_in(folder: Path) -> dict[str, VariableType]:
    """Return the types of all variables of a configuration."""
    found = dict[str, VariableType]()
    for file in sorted(folder.glob("*.tf")):
        for name, body in _VARIABLE.findall(file.read_text()):
            kind = _TYPE.search(body)
            found[name] = (
                VariableType(kind[1], kind[2] or "", dict(_FIELD.findall(kind[3]))) if kind else VariableType("any")
            )
    return found


def written_in(folder: Path, env: Mapping[str, str]) -> WrittenValues:
    """Return the values given for a configuration's variables. Raises CannotDeploy if Terraform does not run at all."""
    kinds = variables_in(folder)
    with tempfile.TemporaryDirectory(prefix="lull-written-") as place:
        Path(place, "main.tf.json").write_text(json.dumps(_reading(kinds)))
        texts = _copy_files([file for pattern in READ for file in folder.glob(pattern)], place)
        shell = {name.removeprefix(SHELL) for name in env if name.startswith(SHELL)}
        hidden = {f"{SHELL}{name}" for name in shell if _SECRET.fullmatch(name)}
        given = {name: one for name, one in env.items() if not NOT_GIVEN.fullmatch(name) and name not in hidden}
        told = subprocess.run(
            ["terraform", "apply", "-json", "-auto-approve", "-input=false"],
            cwd=place,
            env={"CHECKPOINT_DISABLE": "1", "PATH": os.defpath, **given},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        found = _interpret(list(_lines(told.stdout)), kinds)
    in_files = {name for name in shell if re.search(rf'^\s*"?{re.escape(name)}"?\s*[=:]', texts, re.MULTILINE)}
    return replace(found, of_shell=frozenset(shell - in_files), strange=tuple(sorted(shell - kinds.keys())))


def _copy_files(files: Collection[Path], place: str) -> str:
    """Copy the files that Terraform would read into the folder `place`, and return their content. Raises
    CannotDeploy.
    """
    texts = list[str]()
    for file in files:
        try:
            shutil.copy(file, place)
            texts.append(file.read_text(errors="replace"))
        except OSError as cause:
            raise CannotDeploy(
                f"{file} cannot be read ({cause.strerror}): it must be a file that you can read."
            ) from cause
    return "\n".join(texts)


def _reading(kinds: Mapping[str, VariableType]) -> dict[str, Any]:
    """Return a Terraform configuration in which each variable accepts any value and has an output with this value. The
    output of a secret is only true or false: whether the secret is set.
    """
    variables = {name: {"default": None, **({} if k.name in PLAIN else {"type": "any"})} for name, k in kinds.items()}
    outputs = {n: {"value": f"${{var.{n}{' != null' if _SECRET.fullmatch(n) else ''}}}"} for n in kinds}
    return {"variable": variables, "output": outputs}


def _lines(told: str) -> Iterator[dict[str, Any]]:
    for line in told.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found


def _interpret(lines: list[dict[str, Any]], kinds: Mapping[str, VariableType]) -> WrittenValues:
    values, unknown, errors, more = dict[str, Any](), list[str](), list[Mapping[str, Any]](), 0
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
            errors.append(found)
    if not lines:
        raise CannotDeploy(
            "Terraform was started to read terraform.tfvars, but printed nothing: check that `terraform version` works."
        )
    secrets = tuple(name for name in values if _SECRET.fullmatch(name) and values[name] is True)
    known = {name: value for name, value in values.items() if not _SECRET.fullmatch(name)}
    return WrittenValues(known, tuple(dict.fromkeys(unknown)), more, tuple(_unreadable(errors, kinds)), secrets=secrets)


def _unreadable(errors: Sequence[Mapping[str, Any]], kinds: Mapping[str, VariableType]) -> Iterator[str]:
    """Yield a sentence for each line that cannot be read. Later errors of the same line are left out."""
    begun = {_line_of(found): found for found in reversed(errors)}
    coded = {file for (file, _), found in begun.items() if found["summary"].startswith(_ENCODING)}
    for found in dict.fromkeys(map(_line_of, errors)):
        if found[0] not in coded or begun[found]["summary"].startswith(_ENCODING):
            yield _where(begun[found], kinds)


def _line_of(found: Mapping[str, Any]) -> tuple[str, int]:
    """Return the file and the line of an error, or a placeholder if the error is in no file."""
    at = found.get("range")
    return (at["filename"], at["start"]["line"]) if at else (found.get("detail", ""), 0)


def _where(found: Mapping[str, Any], kinds: Mapping[str, VariableType]) -> str:
    """Return an error of Terraform as one sentence: its place, the cause, and how to write the value."""
    at, summary = found.get("range"), found["summary"]
    why = " ".join(f"{summary}: {found.get('detail', '')}".split()).rstrip(" .:")
    if at and (name := _OF_SHELL.fullmatch(at["filename"])):
        kind = kinds.get(name[1], VariableType("any")).name
        example = '["one", "two"]' if kind in {"set", "list", "tuple"} else '{ NAME = "value" }'
        return f"{SHELL}{name[1]} in the shell cannot be read ({why}): write it like {SHELL}{name[1]}='{example}'."
    place = f"{at['filename']} cannot be read in line {at['start']['line']}" if at else "A variable cannot be read"
    hint = next((hint for begin, hint in _HINTS.items() if summary.startswith(begin)), "")
    return f"{place} ({why}): {hint or 'write NAME = VALUE, strings in quotes'}, as in terraform.tfvars.example."
