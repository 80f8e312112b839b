"""Real Terraform as deploying uses it, with its stand-in."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from infra.bundle import ROOT
from operations.deployment.options import CannotDeploy
from operations.deployment.terraform import Terraform, WholePlanRequested
from tests.infra.workspace import Workspace
from tests.local.watching import interruptible
from tests.operations.deployment.conftest import Site

#: like Terraform, it needs a moment to end cleanly; the end of its input shows that the caller waits
SLOW = """#!/bin/sh
trap 'sleep 1; echo saved >state; echo {}; exit' INT
cat; touch begun
while :; do sleep 0.1; done
"""
#: the commands to stop: one shows Terraform's output, and one reads it
STOPPED = """
import sys
from pathlib import Path
from operations.deployment.terraform import Terraform
terraform = Terraform(Path(sys.argv[1]), {"PATH": sys.argv[2]})
try:
    terraform.init() if sys.argv[3] == "init" else terraform.outputs()
except KeyboardInterrupt:
    print("stopped")
"""
OUTPUT = 'output "fact" {\n  value = var.fact\n}\nvariable "fact" {}\n'


@pytest.fixture
def small(tmp_path: Path, terraform: None) -> Terraform:
    """A configuration without any provider."""
    (tmp_path / "main.tf").write_text(OUTPUT + 'resource "terraform_data" "thing" {\n  input = var.fact\n}\n')
    found = Terraform(tmp_path, {"PATH": Site.path(), "TF_VAR_fact": "one", "TF_CLI_CONFIG_FILE": "/dev/null"})
    found.init()
    return found


def no_answer() -> None:
    raise CannotDeploy("Nothing was changed.")


def test_what_is_agreed_to_is_carried_out_and_then_there_is_nothing_to_do(small: Terraform) -> None:
    asked = list[str]()
    assert small.resources() == frozenset()
    assert small.change(lambda: asked.append("?"))
    assert small.resources() == {"terraform_data.thing"}
    assert small.outputs() == {"fact": "one"}
    assert small.attributes("terraform_data.thing")["input"] == "one"
    assert small.attributes("terraform_data.other") == {}
    assert not small.change(lambda: asked.append("?"))
    assert asked == ["?"]


def test_what_is_not_agreed_to_is_not_done(small: Terraform) -> None:
    with pytest.raises(CannotDeploy, match="Nothing was changed"):
        small.change(no_answer)
    assert small.resources() == frozenset()


def test_a_configuration_that_cannot_be_used_is_told(small: Terraform) -> None:
    (small.folder / "main.tf").write_text("resource {")
    with pytest.raises(CannotDeploy, match="`terraform plan` failed"):
        small.change(lambda: None)
    with pytest.raises(CannotDeploy, match=r"tfvars cannot be used\. Terraform says: .*Error: "):
        small.variables()


def test_only_an_apply_is_said_to_need_a_new_project_some_time(small: Terraform) -> None:
    (small.folder / "main.tf").write_text('terraform {\n  required_version = "< 1.0"\n}\n')
    with pytest.raises(CannotDeploy, match=r"`terraform init` failed; its output is above\.$"):
        small.init()
    (small.folder / "main.tf").write_text(
        OUTPUT + 'resource "terraform_data" "thing" {\n  provisioner "local-exec" {\n    command = "false"\n  }\n}\n'
    )
    with pytest.raises(CannotDeploy, match=r"`terraform apply` failed; .* wait two minutes, then run the same command"):
        small.change(lambda: None)


@pytest.mark.parametrize("command", ["init", "output"])
def test_terraform_has_the_time_to_save_its_state_when_it_is_stopped(tmp_path: Path, command: str) -> None:
    slow = tmp_path / "terraform"
    slow.write_text(SLOW)
    slow.chmod(0o755)
    with subprocess.Popen(
        interruptible(sys.executable, "-c", STOPPED, str(tmp_path), f"{tmp_path}:{Site.path()}", command),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as stopped:
        while not (tmp_path / "begun").exists():
            assert stopped.poll() is None
            time.sleep(0.02)
        os.killpg(stopped.pid, signal.SIGINT)  # as a terminal does
        said, warned = stopped.communicate(timeout=60)
    assert (tmp_path / "state").read_text() == "saved\n"
    assert said.endswith("stopped\n")
    assert warned.startswith("Stopping: Terraform finishes its current operations")
    assert "Traceback" not in warned


def test_without_terraform_it_is_said_where_it_is(tmp_path: Path) -> None:
    with pytest.raises(
        CannotDeploy, match=r"not installed\. Install it from https://developer\.hashicorp\.com/terraform/install"
    ):
        Terraform(tmp_path, {"PATH": str(tmp_path)}).check()


def test_an_old_terraform_is_told(tmp_path: Path) -> None:
    old = tmp_path / "terraform"
    old.write_text('#!/bin/sh\necho \'{"terraform_version": "1.9.8"}\'\n')  # the output of that version
    old.chmod(0o755)
    with pytest.raises(CannotDeploy, match=r"Terraform 1\.9\.8 is too old\. Install 1\.11 or newer"):
        Terraform(tmp_path, {"PATH": str(tmp_path)}).check()


def test_the_variables_are_known_before_any_secret(fresh: Workspace) -> None:
    (fresh.folder / "terraform.tfvars").write_text('project = "acme-lull"\nregion = "us-central1"\n')
    env = {"PATH": Site.path(), "TF_REATTACH_PROVIDERS": fresh.reattach, "TF_CLI_CONFIG_FILE": "/dev/null"}
    terraform = Terraform(fresh.folder, env)
    terraform.check()
    found = terraform.variables()
    assert (found.project, found.agents, found.vertex_ai) == ("acme-lull", ("lull",), False)
    assert found.database_location == "us-central1"
    (fresh.folder / "terraform.tfvars").write_text('project = "My Project"\n')
    with pytest.raises(CannotDeploy, match="project is the project's id"):
        terraform.variables()


REFUSING = """
resource "terraform_data" "new" {
  provisioner "local-exec" {
    command = "echo x >> tries; test $(wc -l < tries) -gt ${var.refusals} || (echo '${var.said}' >&2; exit 1)"
  }
}
variable "refusals" {}
variable "said" {}
"""
DISABLED = "Cloud Tasks API has not been used in project 7 before or it is disabled"


def refusing(small: Terraform, refusals: int, said: str) -> Terraform:
    """Make a Terraform that fails so many times with these words."""
    (small.folder / "refusing.tf").write_text(REFUSING)
    given = small.with_variables({"TF_VAR_refusals": str(refusals), "TF_VAR_said": said})
    return replace(given, pauses_s=(0.0, 0.0, 0.0))


def test_what_a_new_project_refuses_is_done_again_and_said(
    small: Terraform, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = list[str]()
    assert refusing(small, 2, DISABLED).change(lambda: asked.append("?"))
    assert (small.folder / "tries").read_text() == "x\n" * 3
    assert asked == ["?"]
    said = capsys.readouterr().out
    assert said.count("Google refuses this for now (a service is still being enabled)") == 2
    assert "(2 of 3)" in said


def test_what_stays_wrong_is_not_done_again(small: Terraform) -> None:
    with pytest.raises(CannotDeploy, match="`terraform apply` failed"):
        refusing(small, 2, "Error 400: the name is taken").change(lambda: None)
    assert (small.folder / "tries").read_text() == "x\n"


def test_it_is_not_done_again_without_end(small: Terraform) -> None:
    with pytest.raises(CannotDeploy, match="`terraform apply` failed"):
        refusing(small, 99, DISABLED).change(lambda: None)
    assert (small.folder / "tries").read_text() == "x\n" * 4


def test_a_plan_is_a_few_lines_and_all_of_it_where_somebody_asks(
    small: Terraform, capfd: pytest.CaptureFixture[str]
) -> None:
    shown = list[str]()

    def agree() -> None:
        shown.append(capfd.readouterr().out)
        raise WholePlanRequested if len(shown) == 1 else CannotDeploy("Nothing was changed.")

    with pytest.raises(CannotDeploy, match="Nothing was changed"):
        small.change(agree)
    assert "others: 1 made" in shown[0]
    assert 'resource "terraform_data" "thing"' not in shown[0]
    assert 'resource "terraform_data" "thing"' in shown[1]
    with pytest.raises(CannotDeploy, match="Nothing was changed"):
        small.with_variables({"PLAN": "whole"}).change(no_answer)
    assert 'resource "terraform_data" "thing"' in capfd.readouterr().out
