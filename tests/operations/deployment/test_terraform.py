"""Terraform as deploying uses it: for real, against its stand-in."""

from pathlib import Path

import pytest

from operations.deployment.options import CannotDeploy
from operations.deployment.terraform import Terraform
from tests.infra.workspace import Workspace
from tests.operations.deployment.conftest import Site

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
    with pytest.raises(CannotDeploy, match="Terraform cannot plan"):
        small.change(lambda: None)
    with pytest.raises(CannotDeploy, match=r"tfvars cannot be used\. Terraform says: .*Error: "):
        small.variables()


def test_without_terraform_it_is_said_where_it_is(tmp_path: Path) -> None:
    with pytest.raises(CannotDeploy, match=r"not installed: https://developer\.hashicorp\.com/terraform/install"):
        Terraform(tmp_path, {"PATH": str(tmp_path)}).check()


def test_an_old_terraform_is_told(tmp_path: Path) -> None:
    old = tmp_path / "terraform"
    old.write_text('#!/bin/sh\necho \'{"terraform_version": "1.9.8"}\'\n')  # what that version answers
    old.chmod(0o755)
    with pytest.raises(CannotDeploy, match=r"Terraform 1\.9\.8 is too old, 1\.11 or newer"):
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
