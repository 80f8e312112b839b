"""Deploying, step by step; each step may be repeated, so a deployment that stopped goes on by being started again."""

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from infra import bundle
from operations.deployment.bots import check_bots, check_key, register_bots
from operations.deployment.google import GoogleProject, logged_in
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.secret_values import Safe, SecretValues, secrets_of
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Terraform, Variables

DATABASE = "module.datastore.google_firestore_database.this"


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """A configuration that can be applied: its variables, its secrets, and Terraform with both."""

    variables: Variables
    secrets: SecretValues
    terraform: Terraform


def deploy(options: Options) -> None:
    """Make of a project, a token and a key a running agent. Raises CannotDeploy."""
    terminal = Terminal(steps=6)
    found = prepared(options, terminal)
    with terminal.step(f"looking at the project {found.variables.project}"):
        project = GoogleProject(found.variables.project, logged_in(options.env), options.google_apis)
        project.check_apis()
        project.check_project()
        project.check_billing()
        terraform = adopting(found.terraform, project, found.variables, terminal)
    with terminal.step("bundling the functions"):
        write_bundles(options)
    with terminal.step("applying (the first time some 10 minutes: functions are built, indexes made)"):
        changed = terraform.change(agreement(options, terminal, "Apply this?"))
        terminal.say("Applied." if changed else "Nothing has changed; nothing was applied.")
    with terminal.step("registering the bots"):
        tell(options, replace(found, terraform=terraform), terminal)


def register_again(options: Options) -> None:
    """Register the bots of what is deployed. Raises CannotDeploy."""
    terminal = Terminal(steps=3)
    found = prepared(options, terminal)
    with terminal.step("registering the bots"):
        tell(options, found, terminal)


def prepared(options: Options, terminal: Terminal) -> Deployment:
    """The tools, the configuration and the secrets: two steps. Raises CannotDeploy."""
    with terminal.step("looking at the tools and the configuration"):
        terraform = Terraform(options.infra, options.env)
        terraform.check()
        check_uv(options.env)
        check_written(options)
        terraform.init()
        variables = terraform.variables()
    with terminal.step("looking at the secrets"):
        safe = Safe(options.secrets / f"{variables.project}.json")
        terminal.say(f"Secrets are looked for in TF_VAR_… of the shell and in {safe.file}.")
        kept = safe.read()
        secrets, to_keep = secrets_of(variables, options.env, kept, terminal)
        asyncio.run(check_bots(options, secrets))
        check_key(options, secrets)
        if to_keep != kept:
            safe.write(to_keep)
            terminal.say(f"Kept in {safe.file}, which nobody else can read.")
    env = dict(options.env) | secrets.for_terraform()
    return Deployment(variables=variables, secrets=secrets, terraform=Terraform(options.infra, env))


def write_bundles(options: Options) -> None:
    """Write each function's zip to where Terraform looks for it."""
    for name in bundle.functions():
        bundle.write_zip(name, options.bundles / f"{name}.zip")


def check_uv(env: Mapping[str, str]) -> None:
    """That uv is there, which writes the bundles' requirements. Raises CannotDeploy."""
    if shutil.which(bundle.uv(), path=env.get("PATH", os.defpath)) is None:
        raise CannotDeploy("uv is missing: `make ready` fetches it.")


def check_written(options: Options) -> None:
    """That somebody said which project it is to be. Raises CannotDeploy."""
    if not any(options.infra.glob("*.tfvars")) and "TF_VAR_project" not in options.env:
        folder = os.path.relpath(options.infra)
        raise CannotDeploy(
            f"There is no {folder}/terraform.tfvars, which says what is to be made and where: "
            f"`cp {folder}/terraform.tfvars.example {folder}/terraform.tfvars`, and write your project's id into it."
        )


def adopting(terraform: Terraform, project: GoogleProject, found: Variables, terminal: Terminal) -> Terraform:
    """Terraform that takes over the database of an earlier deployment, if one was left. Raises CannotDeploy."""
    if DATABASE in terraform.resources():
        return terraform
    location = project.database_location()
    if location is None:
        return terraform
    if location != found.database_location:
        raise CannotDeploy(
            f"The project {project.id} has a Firestore database in {location} already, and a database cannot move: "
            f'set database_location = "{location}" in terraform.tfvars, or take another project.'
        )
    terminal.say(f"The Firestore database that is in {project.id} already is taken over, with what it holds.")
    return replace(terraform, env=dict(terraform.env) | {"TF_VAR_adopt_database": "true"})


def agreement(options: Options, terminal: Terminal, question: str) -> Callable[[], None]:
    """Asks whether a plan is to be carried out, unless that was said before; raises CannotDeploy if it is not."""

    def agree() -> None:
        if not options.is_agreed and terminal.ask(f"{question} (yes or no)") != "yes":
            raise CannotDeploy("Nothing was changed.")

    return agree


def tell(options: Options, found: Deployment, terminal: Terminal) -> None:
    """Register the bots at the addresses that there are, and say where everything is. Raises CannotDeploy."""
    outputs = found.terraform.outputs()
    if "webhook_urls" not in outputs:
        raise CannotDeploy("Nothing is deployed yet: `make deploy`.")
    urls = outputs["webhook_urls"]
    project = GoogleProject(found.variables.project, logged_in(options.env), options.google_apis)
    owned = [agent for agent in urls if project.has_owner(agent)]
    asyncio.run(register_bots(options, found.secrets, urls, owned, terminal))
    terminal.say(f"What happens can be watched at {outputs['dashboard']}")
