"""Removes a deployment of lull. Data is retained, unless the operator confirms twice that it is to be deleted."""

from collections.abc import Callable

from operations.deployment.backups import delete_backups
from operations.deployment.deploying import ARCHIVE, DATABASE, ERASURES, confirmation, leaving_bots
from operations.deployment.google import GoogleProject, logged_in
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.preparing import load_configuration, secrets_file_of, write_bundles
from operations.deployment.secret_values import placeholders
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Terraform

KEEPING = ("-destroy", "-var=delete_data=false")
DELETING = ("-destroy", "-var=delete_data=true")
LOST = (
    "This deletes lull's functions, queues, schedules, secrets, alerts and dashboard, and the bots' webhooks: the "
    "agents no longer answer. Waiting jobs are lost, and messages without an answer stay unanswered. Stored copies of "
    "photos, films and sounds are deleted; Telegram still has the originals."
)
KEPT = (
    "These are kept: the Firestore database with all conversations, in which documents still expire; its backups "
    "until they expire (no new ones are made); the list of forgotten people, whose data must be erased again if a "
    "backup is restored; and {archive}. The next `make deploy` uses them again. To delete them too, run "
    "`make destroy DATA=yes`."
)
DELETED = (
    "IT ALSO DELETES ALL CONVERSATIONS: the Firestore database with all conversations, memories and media "
    "descriptions, its backups, the list of forgotten people, and the archive's bucket, if there is one. This cannot "
    "be undone, except from a copy elsewhere."
)
REST = (
    "Google still has the functions' logs for 30 days (they show who wrote when, but not what), and copies of their "
    "code in buckets named gcf-v2-sources-…. To delete both, delete the project: `gcloud projects delete {project}`."
)


def destroy(options: Options) -> None:
    """Remove everything that was deployed; remove the data only if confirmed twice. Raises CannotDeploy.

    No secret needs to be valid, since bots and keys may have been deleted before.
    """
    terminal = Terminal(steps=5 if options.with_data else 2)
    found = load_configuration(options, terminal)
    kept = secrets_file_of(options, found, terminal).read()
    terraform = found.terraform.with_variables(placeholders(found.variables))
    if not terraform.resources():
        raise CannotDeploy("Nothing is deployed from this checkout, so there is nothing to remove.")
    if not options.bundles.exists():
        write_bundles(options)  # Terraform reads the bundles' hashes even for destroying
    terminal.say(LOST)
    terminal.say(DELETED if options.with_data else KEPT.format(archive=archive_of(terraform)))
    project = GoogleProject(found.variables.project, logged_in(options.env), options.google_apis)
    agree = confirmation(
        options, terminal, "Destroy this?", leaving_bots(terraform, options.env, kept), not options.with_data
    )
    if options.with_data:
        destroy_with_data(terraform, project, agree, terminal)
    else:
        check_protected(terraform)
        with terminal.step("deleting everything except the data"):
            terraform.change(agree, *KEEPING)
    terminal.say(f"Everything{'' if options.with_data else ' except the data'} was deleted.")
    terminal.say(REST.format(project=project.id))


def destroy_with_data(
    terraform: Terraform, project: GoogleProject, agree: Callable[[], None], terminal: Terminal
) -> None:
    """Remove everything including the data, after the operator has seen the plan, typed the project's name and agreed.

    The database's delete protection is removed only after that. Raises CannotDeploy.
    """
    with terminal.step("planning what to delete"):
        terraform.plan(*DELETING)
        database = project.database_uid()  # after the deletion its backups are found by this uid
        if terminal.ask(f"Type the project's name, {project.id}, to delete all conversations:") != project.id:
            raise CannotDeploy("Nothing was changed.")
        agree()
    with terminal.step("removing the protection of the data"):
        # none of these resources has a secret; without targets everything would be applied
        if targets := [f"-target={kept}" for kept in (DATABASE, ARCHIVE, ERASURES) if kept in terraform.resources()]:
            terraform.change(lambda: None, "-var=delete_data=true", *targets)
    with terminal.step("deleting everything"):
        terraform.change(lambda: None, *DELETING)
    with terminal.step("deleting the backups"):
        delete_backups(project, database, terminal)


def archive_of(terraform: Terraform) -> str:
    """Return the phrase for the archive in a message: "the archive in the bucket …" if Terraform created a bucket,
    otherwise "any archive in another cloud".
    """
    bucket = terraform.attributes(ARCHIVE).get("name")
    return f"the archive in the bucket {bucket}" if bucket else "any archive in another cloud"


def check_protected(terraform: Terraform) -> None:
    """Check in Terraform's state that the deployed database has delete protection. The variables may have changed since
    the deployment, so they are not consulted. Raises CannotDeploy.
    """
    if terraform.attributes(DATABASE).get("deletion_policy") == "DELETE":
        raise CannotDeploy(
            "The delete protection of the database is off, so this command would delete the data. Either an earlier "
            "`make destroy DATA=yes` did not finish, or delete_data = true was applied. To keep the data, remove "
            "delete_data from terraform.tfvars and run `make deploy`. To delete it, run `make destroy DATA=yes`."
        )
