"""Registers the bots at Telegram: the last step of a deployment, and a command of its own."""

import asyncio

from operations.deployment.bots import check_bots, register_bots
from operations.deployment.google import GoogleProject, logged_in
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.preparing import AGENTS, NOT_DEPLOYED, Configuration, load_configuration, secrets_file_of
from operations.deployment.secret_values import SecretValues, known_secrets
from operations.deployment.starting import other_usernames
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Terraform

VERSION = 'module.secret["{name}"].google_secret_manager_secret_version.this'
#: secrets used for registering: variable, name in Terraform, and description
TOLD = (("bot_tokens", "bot-tokens", "bot tokens"), ("webhook_secret", "webhook-secret", "webhook's secret"))


def register_again(options: Options) -> None:
    """Register the bots of the deployment with the deployed secrets. Raises CannotDeploy."""
    terminal = Terminal(steps=3)
    found = load_configuration(options, terminal)
    with terminal.step("checking the secrets"):
        secrets = deployed_secrets(options, found, terminal)
        asyncio.run(check_bots(options, secrets))
    with terminal.step("registering the bots"):
        tell(options, found, secrets, terminal)


def deployed_secrets(options: Options, found: Configuration, terminal: Terminal) -> SecretValues:
    """Return the secrets of the deployed functions. No secret is asked for or generated. Raises CannotDeploy if a
    secret is not known here.
    """
    if "webhook_urls" not in found.terraform.outputs():
        raise CannotDeploy(NOT_DEPLOYED)
    safe = secrets_file_of(options, found, terminal)
    secrets = known_secrets(found.variables, options.env, safe.read())
    for variable, name, what in TOLD:
        if str(secrets.numbers().get(variable)) != _number_of(found.terraform, name):
            raise CannotDeploy(
                f"Neither TF_VAR_{variable} nor {safe.file} has the {what} that lull was deployed with. With any "
                "other value, lull would refuse Telegram's updates. Copy the right value from the machine that "
                "deployed lull. Or run `make deploy`, which deploys this checkout, asks for missing secrets, and "
                "registers the bots."
            )
    return secrets


def _number_of(terraform: Terraform, name: str) -> str:
    """Return the deployed version number of a secret. The number is made from the secret's value
    (SecretValues.numbers).
    """
    return str(terraform.attributes(VERSION.format(name=name)).get("secret_data_wo_version", ""))


def tell(options: Options, found: Configuration, secrets: SecretValues, terminal: Terminal) -> None:
    """Register the bots at the deployed addresses, and print all links. Raises CannotDeploy."""
    outputs = found.terraform.outputs()
    if "webhook_urls" not in outputs:
        raise CannotDeploy(NOT_DEPLOYED)
    urls = outputs["webhook_urls"]
    project = GoogleProject(found.variables.project, logged_in(options.env), options.google_apis)
    owned = [agent for agent in urls if project.has_owner(agent)]
    usernames = asyncio.run(register_bots(options, secrets, urls, owned, terminal))
    for line in other_usernames(usernames, AGENTS):
        terminal.say(line)
    terminal.say(f"Dashboard: {outputs['dashboard']}")
    terminal.say(f"Console: {outputs['console']} (for owners; in Telegram, /console opens it)")
