"""Terraform, run in the folder of lull's configuration; what it says goes to the terminal as it says it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from operations.deployment.options import CannotDeploy
from operations.deployment.repeating import PAUSES_S, passing
from operations.deployment.summing import sum_plan

#: write-only arguments came with it (infra/versions.tf)
OLDEST = (1, 11)
#: exit code of `plan -detailed-exitcode` when there is something to do
CHANGES = 2
#: what shows all of a plan, as PLAN of the shell or as an answer
WHOLE = "whole"
SECRETS_FILE = "variables-secrets.tf"
FINISHING = (
    "Stopping: Terraform finishes what it is doing, writes down what it made and lets its lock go, which may take "
    "minutes. A second Ctrl-C ends it at once, and what it was making is not written down."
)
#: what may help after a command failed
HINTS = {
    "apply": " A new project's first apply may fail while Google switches its services on: then wait two minutes and "
    "run the same command again."
}
ASKED = (
    "jsonencode({project = var.project, agents = var.agents, settings = var.settings, vertex_ai = var.vertex_ai, "
    "billing_account = var.billing_account, database_location = local.database_location, "
    'archive_bucket = var.archive ? local.archive_bucket : "", archive_location = local.archive_location, '
    "erasure_bucket = local.erasure_bucket})"
)


class WholeAsked(Exception):
    """Somebody wants to see all of a plan before they agree to it."""


class Variables(BaseModel):
    """What the configuration's variables say that deploying needs to know."""

    model_config = ConfigDict(frozen=True)

    project: str
    agents: tuple[str, ...]
    settings: Mapping[str, str] = {}
    vertex_ai: bool
    database_location: str
    #: empty if there is to be none
    archive_bucket: str = ""
    #: of this bucket and of that with who was forgotten
    archive_location: str = ""
    erasure_bucket: str = ""
    #: none if there is to be no budget
    billing_account: str | None = None


@dataclass(frozen=True)
class Terraform:
    """A configuration's folder; `env` is what Terraform sees of the shell, and secrets as TF_VAR_…"""

    folder: Path
    env: Mapping[str, str] = field(repr=False)
    #: seconds before each further try of an apply that Google refuses for now
    pauses_s: tuple[float, ...] = PAUSES_S

    def given(self, variables: Mapping[str, str]) -> "Terraform":
        """The same, with more in its environment."""
        return replace(self, env={**self.env, **variables})

    def check(self) -> None:
        """That it is installed and new enough. Raises CannotDeploy."""
        if shutil.which("terraform", path=self.env.get("PATH", os.defpath)) is None:
            raise CannotDeploy("Terraform is not installed: https://developer.hashicorp.com/terraform/install")
        if not self.folder.is_dir():
            raise CannotDeploy(
                f"There is no folder {self.folder}, which LULL_INFRA names: unset it, or name lull's infra/."
            )
        try:
            version = str(json.loads(self._told("version", "-json"))["terraform_version"])
        except (ValueError, KeyError):  # before 0.13 it knew no JSON
            version = "of the shell"
        numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
        if numbers < OLDEST:
            wanted = ".".join(map(str, OLDEST))
            raise CannotDeploy(
                f"Terraform {version} is too old, {wanted} or newer is needed: "
                "https://developer.hashicorp.com/terraform/install"
            )

    def init(self) -> None:
        """Fetch the provider and find the state. Raises CannotDeploy."""
        self._must("init", "-input=false")

    def variables(self) -> Variables:
        """What terraform.tfvars and the shell say. Raises CannotDeploy with what Terraform has against it."""
        ran = self._run("console", "-no-color", captured=True, said=ASKED)
        complaints = " ".join((ran.stderr + ran.stdout).replace("│", " ").split())
        # it tells values all the same where a secret is not given yet
        is_wrong = set(re.findall(r"on (\S+) line", complaints)) - {SECRETS_FILE}
        last = (ran.stdout.strip().splitlines() or [""])[-1]
        try:
            found = Variables.model_validate_json(json.loads(last))
        except (ValueError, ValidationError):
            is_wrong = {"all"}
        if is_wrong:
            said = " ".join(_complaints(ran.stderr + ran.stdout)) or complaints
            raise CannotDeploy(f"{self.folder}/terraform.tfvars cannot be used. Terraform says: {said}")
        return found

    def resources(self) -> frozenset[str]:
        """The addresses of what was made. Raises CannotDeploy."""
        ran = self._run("state", "list", captured=True)
        return frozenset(ran.stdout.split()) if ran.returncode == 0 else frozenset()

    def attributes(self, address: str) -> Mapping[str, Any]:
        """What the state says of one resource of a module; empty if there is none."""
        state = json.loads(self._told("show", "-json"))
        modules = [state.get("values", {}).get("root_module", {})]
        while modules:
            module = modules.pop()
            modules += module.get("child_modules", [])
            for resource in module.get("resources", []):
                if resource["address"] == address:
                    values: Mapping[str, Any] = resource["values"]
                    return values
        return {}

    def outputs(self) -> dict[str, Any]:
        """What the configuration tells of what was made."""
        return {name: found["value"] for name, found in json.loads(self._told("output", "-json")).items()}

    def plan(self, *arguments: str) -> bool:
        """Show what would be done, in a few lines by kind; whether there is anything. Raises CannotDeploy."""
        with tempfile.TemporaryDirectory(prefix="lull-plan-") as folder:
            return self._planned(f"{folder}/plan", *arguments)

    def _planned(self, plan: str, *arguments: str) -> bool:
        """The same, with the plan in a file."""
        ran = self._run("plan", "-input=false", "-detailed-exitcode", f"-out={plan}", *arguments, captured=True)
        if ran.returncode not in (0, CHANGES):
            print(ran.stdout, ran.stderr, sep="\n", file=sys.stderr, flush=True)
            raise CannotDeploy("Terraform cannot plan; what it said is above.")
        if ran.returncode == CHANGES:
            self._show(plan)
        return ran.returncode == CHANGES

    def _show(self, plan: str) -> None:
        if self.env.get("PLAN") == WHOLE:
            self._show_whole(plan)
            return
        lines = sum_plan(json.loads(self._told("show", "-json", plan)))
        print("Terraform would do this (PLAN=whole shows all of it):", *lines, sep="\n", flush=True)

    def _show_whole(self, plan: str) -> None:
        self._must("show", "-no-color", plan)

    def change(self, agree: Callable[[], None], *arguments: str) -> bool:
        """Show a plan, have it agreed to, and carry out exactly that; false if there was nothing to do.

        `agree` may raise WholeAsked: then all of the plan is shown, and it is asked again.

        What Google refuses for now is planned and applied again after a while, which is said; nobody is asked again,
        since it is the rest of the same. Raises CannotDeploy, also when it is not agreed to.
        """
        # a plan holds what the configuration says, but no secret; it is nobody else's business all the same
        with tempfile.TemporaryDirectory(prefix="lull-plan-") as folder:
            plan = f"{folder}/plan"
            if not self._planned(plan, *arguments):
                return False
            self._agreed(agree, plan)
            for n, pause_s in enumerate(self.pauses_s, start=1):
                if not (why := self._refused_for_now(plan)):
                    return True
                print(
                    f"Google refuses this for now ({'; '.join(why)}), as it does for some minutes in a new project. It "
                    f"is done again in {pause_s:g} s ({n} of {len(self.pauses_s)} repetitions). Ctrl-C stops it.",
                    flush=True,
                )
                time.sleep(pause_s)
                if not self._planned(plan, *arguments):
                    return True
            self._must("apply", "-input=false", plan)
        return True

    def _agreed(self, agree: Callable[[], None], plan: str) -> None:
        while True:
            try:
                return agree()
            except WholeAsked:
                self._show_whole(plan)

    def _refused_for_now(self, plan: str) -> tuple[str, ...]:
        """Carry a plan out: why that is refused for now, nothing if it is done. Raises CannotDeploy for all else."""
        ran = self._run("apply", "-input=false", plan, heard=True)
        if not ran.returncode:
            return ()
        print(ran.stderr, file=sys.stderr, flush=True)
        if not (why := passing(ran.stderr)):
            raise CannotDeploy(f"`terraform apply` failed; what it said is above.{HINTS['apply']}")
        return why

    def _must(self, *arguments: str) -> None:
        if self._run(*arguments).returncode:
            hint = HINTS.get(arguments[0], "")
            raise CannotDeploy(f"`terraform {arguments[0]}` failed; what it said is above.{hint}")

    def _told(self, *arguments: str) -> str:
        ran = self._run(*arguments, captured=True)
        if ran.returncode:
            raise CannotDeploy(f"`terraform {arguments[0]}` failed: {' '.join(ran.stderr.split())}")
        return ran.stdout

    def _run(
        self, *arguments: str, captured: bool = False, heard: bool = False, said: str = ""
    ) -> subprocess.CompletedProcess[str]:
        env = {"TF_IN_AUTOMATION": "1", "CHECKPOINT_DISABLE": "1", **self.env}
        pipe = subprocess.PIPE if captured else None
        with subprocess.Popen(
            ["terraform", *arguments],
            cwd=self.folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=pipe,
            stderr=subprocess.PIPE if heard else pipe,
            text=True,
        ) as running:
            told, complained = _to_its_end(running, said)
        return subprocess.CompletedProcess(running.args, running.returncode, told, complained)


def _complaints(text: str) -> Iterator[str]:
    """The errors in what Terraform wrote, each in a sentence or two; not that a secret is not given yet."""
    plain = re.sub(r"[│╷╵├─]", " ", text)
    # what Terraform tells of values: of one that is not simple only its type
    plain = re.sub(r"^\s*(var|local)\.\S+ is (object|map|set|list|tuple|null)\b.*\n", "", plain, flags=re.MULTILINE)
    plain = re.sub(r"^(\s*var\.\S+ is .*)$", r"\1;", plain, flags=re.MULTILINE)
    for block in re.split(r"^\s*(?=Error: |Warning: )", plain, flags=re.MULTILINE):
        if not block.startswith("Error: ") or f"on {SECRETS_FILE} line" in block:
            continue
        summary, *parts = (" ".join(part.split()) for part in re.split(r"\n\s*\n", block.strip()))
        told = [part for part in parts if part and not part.startswith(("on ", "This was checked by"))]
        yield " ".join(told if told and summary.startswith("Error: Invalid value for") else (f"{summary}:", *told))


def _to_its_end(running: subprocess.Popen[str], said: str) -> tuple[str, str]:
    """What it wrote. Ctrl-C reaches Terraform from the terminal, as it does this process, which goes on waiting:
    killed, Terraform would forget what it made and leave its state locked.
    """
    try:
        return running.communicate(said)
    except KeyboardInterrupt:
        print(FINISHING, file=sys.stderr, flush=True)
        while running.poll() is None:
            with suppress(KeyboardInterrupt):
                running.communicate()
        raise
