"""Taking lull away again: what was said is kept, unless somebody says twice that it is to go."""

import asyncio

from operations.deployment.bots import remove_webhooks
from operations.deployment.deploying import DATABASE, agreement, prepared, write_bundles
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Terraform

ARCHIVE = "module.archive[0].google_storage_bucket.this"
LOST = (
    "This takes away lull's functions, queues, schedules, secrets, alerts and dashboard, and the bots' webhooks: "
    "nobody is answered any more. What waits in the queues is lost; what was written and not answered stays unanswered."
)
KEPT = (
    "Kept are the Firestore database with all that was said, the backups made of it until they expire (no new ones "
    "are made), and the archive's bucket, if there is one. `make deploy` takes the database over again. To delete them "
    "too: `make destroy DATA=yes`."
)
DELETED = (
    "AND IT DELETES EVERYTHING THAT WAS SAID: the Firestore database with all conversations, memories and media "
    "descriptions, and the archive, if there is one. Nobody can bring that back, but from a copy elsewhere."
)


def destroy(options: Options) -> None:
    """Take everything away that was deployed, but the data unless told so twice. Raises CannotDeploy."""
    terminal = Terminal(steps=4 if options.with_data else 3)
    found = prepared(options, terminal)
    terraform = found.terraform
    if not terraform.resources():
        raise CannotDeploy("Nothing is deployed from here: there is nothing to take away.")
    if not options.bundles.exists():
        write_bundles(options)  # Terraform reads their hashes, even to take them away
    terminal.say(LOST)
    terminal.say(DELETED if options.with_data else KEPT)
    if options.with_data:
        if terminal.ask(f"Type the project's name, {found.variables.project}, to delete what was said:") != (
            found.variables.project
        ):
            raise CannotDeploy("Nothing was changed.")
        with terminal.step("taking the protection off the data"):
            targets = [f"-target={kept}" for kept in (DATABASE, ARCHIVE) if kept in terraform.resources()]
            terraform.change(lambda: None, "-var=delete_data=true", *targets)
    else:
        check_protected(terraform)
    with terminal.step("taking everything away"):
        agree = agreement(options, terminal, "Destroy this?")

        def agree_and_silence() -> None:
            agree()
            # before the functions go: what Telegram has meanwhile waits there for a day
            asyncio.run(remove_webhooks(options, found.secrets))

        terraform.change(agree_and_silence, "-destroy", f"-var=delete_data={str(options.with_data).lower()}")
    terminal.say(f"Everything is gone{'' if options.with_data else ' but the data'}.")


def check_protected(terraform: Terraform) -> None:
    """That destroying leaves the database: as it was applied, not as the variables say now. Raises CannotDeploy."""
    if terraform.attributes(DATABASE).get("deletion_policy") == "DELETE":
        raise CannotDeploy(
            "The database is without its protection (delete_data = true was applied), so that it would be deleted: "
            "take delete_data out of terraform.tfvars and run `make deploy` first, or say `make destroy DATA=yes`."
        )
