"""Runs Terraform in the folder of lull's configuration, with its output on the terminal."""

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

#: oldest version with write-only arguments (infra/versions.tf)
OLDEST = (1, 11)
#: exit code of `plan -detailed-exitcode` if there are changes
CHANGES = 2
#: the value of the shell's PLAN, or the answer, that shows the whole plan
WHOLE = "whole"
SECRETS_FILE = "variables-secrets.tf"
FINISHING = (
    "Stopping: Terraform finishes its current operations, saves its state and releases its lock. This may take "
    "minutes. A second Ctrl-C ends it at once, but then its current operations are missing in the state."
)
#: advice after a failed command
HINTS = {
    "apply": " In a new project the first apply may fail while Google enables its services: wait two minutes, then "
    "run the same command again."
}
ASKED = (
    "jsonencode({project = var.project, agents = var.agents, settings = var.settings, vertex_ai = var.vertex_ai, "
    "model_providers = var.model_providers, uses_gemini = local.uses_gemini, "
    "console_login_bot = var.console_login_bot, "
    "billing_account = var.billing_account, database_location = local.database_location, "
    'archive_bucket = var.archive ? local.archive_bucket : "", archive_location = local.archive_location, '
    "erasure_bucket = local.erasure_bucket})"
)


class WholePlanRequested(Exception):
    """The operator wants to see the whole plan before agreeing."""


class Variables(BaseModel):
    """The values of Terraform's variables that a deployment command needs."""

    model_config = ConfigDict(frozen=True)

    project: str
    agents: tuple[str, ...]
    settings: Mapping[str, str] = {}
    vertex_ai: bool
    #: addresses of model providers other than Gemini, by name; empty for a provider whose address is known
    model_providers: Mapping[str, str] = {}
    #: whether a model is Gemini's (infra/models.tf)
    uses_gemini: bool = True
    database_location: str
    #: empty if there is no archive
    archive_bucket: str = ""
    #: location of this bucket and of the bucket of erasures
    archive_location: str = ""
    erasure_bucket: str = ""
    #: None if there is no budget
    billing_account: str | None = None
    #: id of the bot by which owners sign in to the console outside of Telegram; empty if there is none
    console_login_bot: str = ""

    @property
    def needs_gemini_key(self) -> bool:
        """Return whether the functions get the key of Gemini's API."""
        return self.uses_gemini and not self.vertex_ai


@dataclass(frozen=True)
class Terraform:
    """Runs Terraform in the folder of a configuration. `env` is Terraform's environment, with secrets as TF_VAR_…"""

    folder: Path
    env: Mapping[str, str] = field(repr=False)
    #: seconds before each retry of an apply that failed with a transient error
    pauses_s: tuple[float, ...] = PAUSES_S

    def with_variables(self, variables: Mapping[str, str]) -> "Terraform":
        """Return a copy with `variables` added to Terraform's environment."""
        return replace(self, env={**self.env, **variables})

    def check(self) -> None:
        """Check that Terraform is installed and new enough. Raises CannotDeploy."""
        if shutil.which("terraform", path=self.env.get("PATH", os.defpath)) is None:
            raise CannotDeploy(
                "Terraform is not installed. Install it from https://developer.hashicorp.com/terraform/install"
            )
        if not self.folder.is_dir():
            raise CannotDeploy(
                f"LULL_INFRA is {self.folder}, which is not a folder: unset it, or set it to lull's infra/."
            )
        try:
            version = str(json.loads(self._output_of("version", "-json"))["terraform_version"])
        except (ValueError, KeyError):  # older than 0.13, without JSON
            version = "in your PATH"
        numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
        if numbers < OLDEST:
            wanted = ".".join(map(str, OLDEST))
            raise CannotDeploy(
                f"Terraform {version} is too old. Install {wanted} or newer from "
                "https://developer.hashicorp.com/terraform/install"
            )

    def init(self) -> None:
        """Fetch the provider and find the state. Raises CannotDeploy."""
        self._must("init", "-input=false")

    def variables(self) -> Variables:
        """Return the values of the variables. Raises CannotDeploy with Terraform's complaints."""
        ran = self._run("console", "-no-color", captured=True, said=ASKED)
        complaints = " ".join((ran.stderr + ran.stdout).replace("│", " ").split())
        # values are printed even if a secret is missing
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
        """Return the addresses of all resources in the state; an empty set if the state cannot be read."""
        ran = self._run("state", "list", captured=True)
        return frozenset(ran.stdout.split()) if ran.returncode == 0 else frozenset()

    def attributes(self, address: str) -> Mapping[str, Any]:
        """Return a resource's attributes from the state; {} if the state has no such resource."""
        state = json.loads(self._output_of("show", "-json"))
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
        """Return the values of the configuration's outputs, by name. Raises CannotDeploy if Terraform fails."""
        return {name: found["value"] for name, found in json.loads(self._output_of("output", "-json")).items()}

    def plan(self, *arguments: str) -> bool:
        """Show a plan in a few lines; return whether there are changes. Raises CannotDeploy."""
        with tempfile.TemporaryDirectory(prefix="lull-plan-") as folder:
            return self._plan_into(f"{folder}/plan", *arguments)

    def _plan_into(self, plan: str, *arguments: str) -> bool:
        """Write a plan to the file `plan`. If the plan has changes, show it and return True; otherwise return False.
        Raises CannotDeploy.
        """
        ran = self._run("plan", "-input=false", "-detailed-exitcode", f"-out={plan}", *arguments, captured=True)
        if ran.returncode not in (0, CHANGES):
            print(ran.stdout, ran.stderr, sep="\n", file=sys.stderr, flush=True)
            raise CannotDeploy("`terraform plan` failed; its output is above.")
        if ran.returncode == CHANGES:
            self._show(plan)
        return ran.returncode == CHANGES

    def _show(self, plan: str) -> None:
        if self.env.get("PLAN") == WHOLE:
            self._show_whole(plan)
            return
        lines = sum_plan(json.loads(self._output_of("show", "-json", plan)))
        print("Terraform would do this (PLAN=whole shows the whole plan):", *lines, sep="\n", flush=True)

    def _show_whole(self, plan: str) -> None:
        self._must("show", "-no-color", plan)

    def change(self, agree: Callable[[], None], *arguments: str) -> bool:
        """Show a plan, ask for confirmation, and apply exactly that plan. Return False if there were no changes.

        `agree` may raise WholePlanRequested: the whole plan is then shown, and `agree` is called again.

        After a transient error, the plan is made and applied again after a pause, without another question. Raises
        CannotDeploy, also if the operator does not confirm.
        """
        # a plan contains no secret, but its file is private anyway
        with tempfile.TemporaryDirectory(prefix="lull-plan-") as folder:
            plan = f"{folder}/plan"
            if not self._plan_into(plan, *arguments):
                return False
            self._confirm(agree, plan)
            for n, pause_s in enumerate(self.pauses_s, start=1):
                if not (why := self._refused_for_now(plan)):
                    return True
                print(
                    f"Google refuses this for now ({'; '.join(why)}), which is usual at first in a new project. "
                    f"Trying again in {pause_s:g} s ({n} of {len(self.pauses_s)}). Press Ctrl-C to stop.",
                    flush=True,
                )
                time.sleep(pause_s)
                if not self._plan_into(plan, *arguments):
                    return True
            self._must("apply", "-input=false", plan)
        return True

    def _confirm(self, agree: Callable[[], None], plan: str) -> None:
        while True:
            try:
                return agree()
            except WholePlanRequested:
                self._show_whole(plan)

    def _refused_for_now(self, plan: str) -> tuple[str, ...]:
        """Apply a plan. Return () if this succeeded, or the reasons if it failed only with transient errors. Raises
        CannotDeploy for other errors.
        """
        ran = self._run("apply", "-input=false", plan, heard=True)
        if not ran.returncode:
            return ()
        print(ran.stderr, file=sys.stderr, flush=True)
        if not (why := passing(ran.stderr)):
            raise CannotDeploy(f"`terraform apply` failed; its output is above.{HINTS['apply']}")
        return why

    def _must(self, *arguments: str) -> None:
        if self._run(*arguments).returncode:
            hint = HINTS.get(arguments[0], "")
            raise CannotDeploy(f"`terraform {arguments[0]}` failed; its output is above.{hint}")

    def _output_of(self, *arguments: str) -> str:
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
            told, complained = _wait_for(running, said)
        return subprocess.CompletedProcess(running.args, running.returncode, told, complained)


def _complaints(text: str) -> Iterator[str]:
    """Yield each of Terraform's errors as a sentence or two. Errors about missing secrets are left out."""
    plain = re.sub(r"[│╷╵├─]", " ", text)
    # lines about complex values are removed, since they show only the type
    plain = re.sub(r"^\s*(var|local)\.\S+ is (object|map|set|list|tuple|null)\b.*\n", "", plain, flags=re.MULTILINE)
    plain = re.sub(r"^(\s*var\.\S+ is .*)$", r"\1;", plain, flags=re.MULTILINE)
    for block in re.split(r"^\s*(?=Error: |Warning: )", plain, flags=re.MULTILINE):
        if not block.startswith("Error: ") or f"on {SECRETS_FILE} line" in block:
            continue
        summary, *parts = (" ".join(part.split()) for part in re.split(r"\n\s*\n", block.strip()))
        told = [part for part in parts if part and not part.startswith(("on ", "This was checked by"))]
        yield " ".join(told if told and summary.startswith("Error: Invalid value for") else (f"{summary}:", *told))


def _wait_for(running: subprocess.Popen[str], said: str) -> tuple[str, str]:
    """Wait for Terraform and return its output, even after Ctrl-C.

    The terminal sends Ctrl-C to Terraform too. If this process killed Terraform, the resources that Terraform created
    would not be recorded, and the state would stay locked.
    """
    try:
        return running.communicate(said)
    except KeyboardInterrupt:
        print(FINISHING, file=sys.stderr, flush=True)
        while running.poll() is None:
            with suppress(KeyboardInterrupt):
                running.communicate()
        raise
