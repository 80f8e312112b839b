"""The first step of every command: checks the tools, the login and the configuration."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass

from infra import bundle
from operations.deployment.google import check_login
from operations.deployment.mistakes import check_mistakes
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.secret_values import SecretsFile, StoredSecrets, known_tokens
from operations.deployment.starting import check_agents, check_families, check_settings, settings_without_model
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Terraform, Variables

#: folder that is part of the bundles
AGENTS = bundle.ROOT / "agents"
NOT_DEPLOYED = "Nothing is deployed yet: run `make deploy`."


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """The configuration to deploy: its variables without the secrets, and Terraform in the configuration's folder."""

    variables: Variables
    terraform: Terraform


def load_configuration(options: Options, terminal: Terminal) -> Configuration:
    """Check the configuration, show this as a step, and return the configuration. Raises CannotDeploy."""
    with terminal.step("checking the tools, the login and the configuration"):
        terraform = Terraform(options.infra, options.env)
        terraform.check()
        check_uv(options.env)
        check_written(options)
        if options.command == "deploy":  # destroying must work even with an invalid configuration
            known_tokens((), options.env, StoredSecrets())  # checks that secrets in the shell are well formed
            for line in check_mistakes(options.infra, options.env):
                terminal.say(line)
        check_login(options.env)  # the state may be in a bucket, which needs a login
        terraform.init()
        variables = terraform.variables()
        if options.command == "deploy":  # destroying must work even if agents are invalid or missing
            check_agents(variables.agents, AGENTS)
            check_settings(variables)
            check_families(variables)
            if off := settings_without_model(variables):
                terminal.say(f"No Gemini model is used, so no Gemini API key is needed, and {', '.join(off)} are `no`.")
        return Configuration(variables=variables, terraform=terraform)


def secrets_file_of(options: Options, found: Configuration, terminal: Terminal) -> SecretsFile:
    """Return the file with the project's secrets, and print its name."""
    safe = SecretsFile(options.secrets / f"{found.variables.project}.json")
    terminal.say(f"Secrets are read from TF_VAR_… in the shell and from {safe.file}.")
    return safe


def write_bundles(options: Options) -> None:
    """Write each function's zip to where Terraform expects it."""
    for name in bundle.function_names():
        bundle.write_zip(name, options.bundles / f"{name}.zip")


def check_uv(env: Mapping[str, str]) -> None:
    """Check that uv, which writes the bundles' requirements, is installed. Raises CannotDeploy."""
    if shutil.which(bundle.uv(), path=env.get("PATH", os.defpath)) is None:
        raise CannotDeploy("uv is missing: run `make ready` to install it.")


def check_written(options: Options) -> None:
    """Check that a project is configured. Raises CannotDeploy."""
    if not any(options.infra.glob("*.tfvars")) and "TF_VAR_project" not in options.env:
        folder = os.path.relpath(options.infra)
        raise CannotDeploy(
            f"{folder}/terraform.tfvars, which configures the deployment, does not exist. Run "
            f"`cp {folder}/terraform.tfvars.example {folder}/terraform.tfvars`, and write your project's id into it."
        )
