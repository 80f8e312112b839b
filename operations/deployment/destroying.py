"""Taking lull away again: what was said is kept, unless somebody says twice that it is to go."""

import asyncio

from operations.deployment.backups import delete_backups
from operations.deployment.bots import remove_webhooks
from operations.deployment.deploying import ARCHIVE, DATABASE, agreement
from operations.deployment.google import GoogleProject, logged_in
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.preparing import configured, safe_of, write_bundles
from operations.deployment.secret_values import known_secrets, placeholders
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Terraform

LOST = (
    "This takes away lull's functions, queues, schedules, secrets, alerts and dashboard, and the bots' webhooks: "
    "nobody is answered any more. What waits in the queues is lost; what was written and not answered stays unanswered."
)
KEPT = (
    "Kept are the Firestore database with all that was said, the backups made of it until they expire (no new ones "
    "are made), and {archive}. `make deploy` takes over again what is kept. To delete it too: `make destroy DATA=yes`."
)
DELETED = (
    "AND IT DELETES EVERYTHING THAT WAS SAID: the Firestore database with all conversations, memories and media "
    "descriptions, its backups, and the archive's bucket, if there is one. Nobody can bring that back, but from a copy "
    "elsewhere."
)
REST = (
    "Google still has the functions' logs, which know who wrote when but not what, for 30 days, and copies of their "
    "code in buckets that are called gcf-v2-sources-…. Both go with the project: `gcloud projects delete {project}`."
)


def destroy(options: Options) -> None:
    """Take everything away that was deployed, but the data unless told so twice. Raises CannotDeploy.

    It needs no secret that still works: who takes lull away may have deleted the bots and the key before.
    """
    terminal = Terminal(steps=4 if options.with_data else 2)
    found = configured(options, terminal)
    tokens = known_secrets(found.variables, options.env, safe_of(options, found, terminal).read()).bot_tokens
    terraform = found.terraform.given(placeholders(found.variables))
    if not terraform.resources():
        raise CannotDeploy("Nothing is deployed from here: there is nothing to take away.")
    if not options.bundles.exists():
        write_bundles(options)  # Terraform reads their hashes, even to take them away
    terminal.say(LOST)
    terminal.say(DELETED if options.with_data else KEPT.format(archive=archive_of(terraform)))
    project = GoogleProject(found.variables.project, logged_in(options.env), options.google_apis)
    if options.with_data:
        take_protection_off(terraform, project.id, terminal)
        database = project.database_uid()  # its backups are known by it, also when it is gone
    else:
        check_protected(terraform)
    with terminal.step("taking everything away"):
        agree = agreement(options, terminal, "Destroy this?")

        def agree_and_silence() -> None:
            agree()
            # before the functions go: what Telegram has meanwhile waits there for a day
            asyncio.run(remove_webhooks(options, found.variables.agents, tokens, terminal))

        terraform.change(agree_and_silence, "-destroy", f"-var=delete_data={str(options.with_data).lower()}")
    if options.with_data:
        with terminal.step("deleting the backups"):
            delete_backups(project, database, terminal)
    terminal.say(f"Everything is gone{'' if options.with_data else ' but the data'}.")
    terminal.say(REST.format(project=project.id))


def take_protection_off(terraform: Terraform, project: str, terminal: Terminal) -> None:
    """Have the data go with the rest, once somebody typed the project's name. Raises CannotDeploy."""
    if terminal.ask(f"Type the project's name, {project}, to delete what was said:") != project:
        raise CannotDeploy("Nothing was changed.")
    with terminal.step("taking the protection off the data"):
        # what has a secret is never among them, and without any everything would be applied
        if targets := [f"-target={kept}" for kept in (DATABASE, ARCHIVE) if kept in terraform.resources()]:
            terraform.change(lambda: None, "-var=delete_data=true", *targets)


def archive_of(terraform: Terraform) -> str:
    """What there is of an archive, as a sentence goes on."""
    bucket = terraform.attributes(ARCHIVE).get("name")
    return f"the archive in the bucket {bucket}" if bucket else "what was archived in another cloud, if anything was"


def check_protected(terraform: Terraform) -> None:
    """That destroying leaves the database: as it was applied, not as the variables say now. Raises CannotDeploy."""
    if terraform.attributes(DATABASE).get("deletion_policy") == "DELETE":
        raise CannotDeploy(
            "The database is without its protection (delete_data = true was applied), so that it would be deleted: "
            "take delete_data out of terraform.tfvars and run `make deploy` first, or say `make destroy DATA=yes`."
        )
