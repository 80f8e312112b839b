"""A copy of lull's Terraform with bundles beside it, and Terraform run in it against the stand-in."""

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

#: what stands in for secrets; a test looks for them in everything that Terraform keeps
SECRETS = {
    "TF_VAR_bot_tokens": '{"lull": "123456:not-a-token-of-any-bot"}',
    "TF_VAR_webhook_secret": "not-a-secret-that-telegram-was-ever-told",
    "TF_VAR_gemini_api_key": "not-a-key-of-gemini",
}
SECRET_WORDS = ("not-a-token-of-any-bot", "not-a-secret-that-telegram-was-ever-told", "not-a-key-of-gemini")
PROJECT = "acme-lull"
#: how much more memory Terraform takes before it looks for garbage, in percent: its runs are short, and collecting as
#: often as usual costs them a tenth of their time; never to do it costs as much, in memory that is asked for
GARBAGE = "800"


@dataclass(frozen=True)
class Ran:
    """What a run of Terraform said; its words are on one line each, however wide the screen was."""

    code: int
    text: str

    @property
    def sentence(self) -> str:
        """All of it without line breaks and frames."""
        return " ".join(self.text.replace("│", " ").split())


class TerraformFailed(Exception):
    """A run that was to succeed did not; the text is what Terraform said."""


@dataclass(frozen=True)
class Resource:
    """A resource of a plan or of the state; `values` are its arguments and what the provider made."""

    address: str
    type: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """A plan: as it lies in its file, as JSON, and what it leaves behind."""

    file: Path
    told: Mapping[str, Any]
    resources: list[Resource]


@dataclass(frozen=True)
class Workspace:
    """A folder with a configuration, and how Terraform is called in it."""

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
        """What Terraform said. Raises TerraformFailed."""
        ran = self.run(*arguments, **variables)
        if ran.code:
            raise TerraformFailed(ran.text)
        return ran.text

    def apply(self, **variables: Any) -> str:
        """Make it so."""
        return self.must("apply", "-auto-approve", "-input=false", **variables)

    def write_plan(self, file: str, /, *options: str, **variables: Any) -> None:
        """Write a plan into a file, from the state as it was left. Raises TerraformFailed."""
        self.must("plan", "-input=false", "-refresh=false", "-lock=false", f"-out={file}", *options, **variables)

    def plan(self, file: str = "plan", /, *options: str, **variables: Any) -> Plan:
        """A plan, as write_plan makes it. Raises TerraformFailed."""
        self.write_plan(file, *options, **variables)
        return self.read_plan(file)

    def read_plan(self, file: str) -> Plan:
        """A plan that was written."""
        return plan_of(self.folder / file, self.must("show", "-json", file))

    def state(self) -> list[Resource]:
        """What was made."""
        return list(_resources(json.loads(self.must("show", "-json"))["values"]["root_module"]))

    def copied(self, folder: Path) -> "Workspace":
        """Another folder with the same configuration and state."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Workspace(folder, self.reattach, self.variables)

    def inside(self, folder: str) -> "Workspace":
        """Return one of its folders, as a configuration of its own; the variables are its own too."""
        return Workspace(self.folder / folder, self.reattach, {} if folder else self.variables)

    @contextmanager
    def edited(self, file: str, old: str, new: str) -> Iterator[None]:
        """With another text in one of its files."""
        path = self.folder / file
        text = path.read_text()
        assert old in text, f"{file} does not say {old!r}"
        path.write_text(text.replace(old, new, 1))
        try:
            yield
        finally:
            path.write_text(text)


def plan_of(file: Path, text: str) -> Plan:
    """A plan of its file, and of what Terraform shows of it as JSON."""
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
    """The project's Terraform in a folder of its own, without what a deployment from here may have left."""
    ignored = shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars", "backend.tf", "__pycache__", "*.py")
    return Path(shutil.copytree(ROOT / "infra", folder, ignore=ignored))


@contextmanager
def run_standin() -> Iterator[str]:
    """Run a stand-in; yield what TF_REATTACH_PROVIDERS must be."""
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
    """Write a file for each function's zip into a folder: Terraform looks at its hash alone."""
    folder.mkdir(exist_ok=True)
    for function in function_names():
        (folder / f"{function}.zip").write_text(function)


def deploy(folder: Path, reattach: str, bundles: Path) -> Workspace:
    """Apply infra in a new folder. Its state is kept over HTTP meanwhile, which takes half the time."""
    workspace = Workspace(copy_of_infra(folder), reattach, {"project": PROJECT, "bundles": str(bundles)})
    with served_states() as states:
        states.keep(folder, PROJECT)
        workspace.must("init", "-input=false")
        workspace.apply()
        (folder / "terraform.tfstate").write_bytes(states.kept[f"/{PROJECT}"])
    for of_http in ("backend.tf", ".terraform/terraform.tfstate"):
        (folder / of_http).unlink()
    return workspace
