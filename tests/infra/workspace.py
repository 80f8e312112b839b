"""A copy of lull's Terraform with bundles beside it, in which Terraform runs against the stand-in."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.bundle import ROOT, function_names
from tests.infra.states import served_states

#: false secrets, for which a test searches everything that Terraform stores
SECRETS = {
    "TF_VAR_bot_tokens": '{"lull": "123456:not-a-token-of-any-bot"}',
    "TF_VAR_webhook_secret": "not-a-secret-that-telegram-was-ever-told",
    "TF_VAR_console_secret": "not-a-secret-of-any-console-anywhere",
    "TF_VAR_gemini_api_key": "not-a-key-of-gemini",
}
SECRET_WORDS = (
    "not-a-token-of-any-bot",
    "not-a-secret-that-telegram-was-ever-told",
    "not-a-secret-of-any-console-anywhere",
    "not-a-key-of-gemini",
)
PROJECT = "acme-lull"
#: the growth of memory, in percent, before Terraform collects garbage: in its short runs, collecting as often as usual
#: takes a tenth of the time, and never collecting costs as much for requesting memory
GARBAGE = "800"


@dataclass(frozen=True)
class Ran:
    """The output of a run of Terraform, with wrapped lines joined."""

    code: int
    text: str

    @property
    def sentence(self) -> str:
        """The output without line breaks and frames."""
        return " ".join(self.text.replace("│", " ").split())


class TerraformFailed(Exception):
    """A run failed that had to succeed; the text is Terraform's output."""


@dataclass(frozen=True)
class Resource:
    """A resource of a plan or of the state; `values` are its arguments and the provider's values."""

    address: str
    type: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """A plan: its file, its JSON, and its resulting resources."""

    file: Path
    told: Mapping[str, Any]
    resources: list[Resource]


@dataclass(frozen=True)
class Workspace:
    """A folder with a configuration, and the settings of Terraform's calls in it."""

    folder: Path
    reattach: str
    variables: Mapping[str, Any] = field(default_factory=dict)

    def run(self, *arguments: str, **variables: Any) -> Ran:
        """Run Terraform, with these variables besides the workspace's own."""
        given = {f"TF_VAR_{name}": _spelled(value) for name, value in {**self.variables, **variables}.items()}
        env = {
            **os.environ,
            **SECRETS,
            **given,
            "TF_REATTACH_PROVIDERS": self.reattach,
            "TF_CLI_CONFIG_FILE": os.devnull,
            "TF_IN_AUTOMATION": "1",
            "CHECKPOINT_DISABLE": "1",
            "GOGC": GARBAGE,
        }
        env = {name: value for name, value in env.items() if value}
        command = ["terraform", arguments[0], "-no-color", *arguments[1:]]
        done = subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, check=False)
        return Ran(done.returncode, done.stdout + done.stderr)

    def must(self, *arguments: str, **variables: Any) -> str:
        """Run Terraform and return its output. Raises TerraformFailed."""
        ran = self.run(*arguments, **variables)
        if ran.code:
            raise TerraformFailed(ran.text)
        return ran.text

    def apply(self, **variables: Any) -> str:
        """Apply the configuration."""
        return self.must("apply", "-auto-approve", "-input=false", **variables)

    def write_plan(self, file: str, /, *options: str, **variables: Any) -> None:
        """Write a plan into a file, from the stored state without a refresh. Raises TerraformFailed."""
        self.must("plan", "-input=false", "-refresh=false", "-lock=false", f"-out={file}", *options, **variables)

    def plan(self, file: str = "plan", /, *options: str, **variables: Any) -> Plan:
        """Make a plan with write_plan and read it. Raises TerraformFailed."""
        self.write_plan(file, *options, **variables)
        return self.read_plan(file)

    def read_plan(self, file: str) -> Plan:
        """Read a plan that write_plan wrote."""
        return plan_of(self.folder / file, self.must("show", "-json", file))

    def state(self) -> list[Resource]:
        """List the resources of the state."""
        return list(_resources(json.loads(self.must("show", "-json"))["values"]["root_module"]))

    def copied(self, folder: Path) -> "Workspace":
        """Copy configuration and state into another folder."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Workspace(folder, self.reattach, self.variables)

    def inside(self, folder: str) -> "Workspace":
        """Return one of its folders as a configuration with its own variables."""
        return Workspace(self.folder / folder, self.reattach, {} if folder else self.variables)

    @contextmanager
    def edited(self, file: str, old: str, new: str) -> Iterator[None]:
        """Replace a text in one of its files while the block runs."""
        path = self.folder / file
        text = path.read_text()
        assert old in text, f"{file} does not say {old!r}"
        path.write_text(text.replace(old, new, 1))
        try:
            yield
        finally:
            path.write_text(text)


def plan_of(file: Path, text: str) -> Plan:
    """Make a plan from its file and Terraform's JSON."""
    told = json.loads(text)
    return Plan(file, told, list(_resources(told["planned_values"]["root_module"])))


def _spelled(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _resources(module: Mapping[str, Any]) -> Iterator[Resource]:
    for found in module.get("resources", []):
        if found["mode"] == "managed":
            yield Resource(found["address"], found["type"], found["values"])
    for child in module.get("child_modules", []):
        yield from _resources(child)


def copy_of_infra(folder: Path) -> Path:
    """Copy the project's Terraform into a folder, without files of a deployment from this checkout."""
    ignored = shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars", "backend.tf", "__pycache__", "*.py")
    return Path(shutil.copytree(ROOT / "infra", folder, ignore=ignored))


@contextmanager
def run_standin() -> Iterator[str]:
    """Run a stand-in; yield the value for TF_REATTACH_PROVIDERS."""
    command = [sys.executable, "-m", "tests.infra.standin"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        reattach = process.stdout.readline().strip()
        assert reattach, "the stand-in did not start: what it said is above"
        yield reattach
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def write_bundles(folder: Path) -> None:
    """Write a file in place of each function's zip: Terraform only hashes it."""
    folder.mkdir(exist_ok=True)
    for function in function_names():
        (folder / f"{function}.zip").write_text(function)


def deploy(folder: Path, reattach: str, bundles: Path) -> Workspace:
    """Apply infra in a new folder. A server keeps the state meanwhile, which halves the time."""
    workspace = Workspace(copy_of_infra(folder), reattach, {"project": PROJECT, "bundles": str(bundles)})
    with served_states() as states:
        states.keep(folder, PROJECT)
        workspace.must("init", "-input=false")
        workspace.apply()
        (folder / "terraform.tfstate").write_bytes(states.kept[f"/{PROJECT}"])
    for of_http in ("backend.tf", ".terraform/terraform.tfstate"):
        (folder / of_http).unlink()
    return workspace
