"""Reading terraform.tfvars with Terraform: values, unknown names, and syntax errors."""

from pathlib import Path

from infra.bundle import ROOT
from operations.deployment.written import VariableType, variables_in, written_in
from tests.operations.deployment.conftest import Site

VARIABLES = """
variable "project" {
  type = string
}

variable "agents" {
  description = "which"
  type        = set(string)
  default     = []
}

variable "webhook_secret" {
  type      = string
  sensitive = true
}
"""


def test_every_variable_of_the_configuration_has_a_type() -> None:
    kinds = variables_in(ROOT / "infra")
    assert kinds["agents"] == VariableType("set", "string")
    assert kinds["settings"] == VariableType("map", "string")
    assert kinds["backups"] == VariableType("object", "", {"daily_days": "number", "weekly_days": "number"})
    assert "any" not in {kind.name for kind in kinds.values()}


def test_files_and_the_shell_are_read_and_no_secret_is_told(tmp_path: Path) -> None:
    (tmp_path / "variables.tf").write_text(VARIABLES)
    (tmp_path / "terraform.tfvars").write_text('project = "one"\nagentss = ["x"]\nwebhook_secret = "hush"\n')
    (tmp_path / "more.auto.tfvars").write_text('project = "two"\n')
    env = {"PATH": Site.path(), "TF_CLI_CONFIG_FILE": "/dev/null", "TF_VAR_agents": '["lull"]'}
    found = written_in(tmp_path, env)
    assert (found.values, found.unknown, found.unreadable) == ({"project": "two", "agents": ["lull"]}, ("agentss",), ())
    (tmp_path / "terraform.tfvars").write_text("project = [\n")
    (told,) = written_in(tmp_path, env).unreadable
    assert told.startswith("terraform.tfvars cannot be read in line ")
