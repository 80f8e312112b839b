"""Backups of a database. Firestore keeps them until they expire, even if the database is deleted."""

from operations.deployment.google import GoogleProject
from operations.deployment.options import CannotDeploy
from operations.deployment.terminal import Terminal


def delete_backups(project: GoogleProject, database: str | None, terminal: Terminal) -> None:
    """Delete the backups of a deleted database. `database` is the uid that it had; None means that there was no
    database, so no backups are deleted.

    If some backups cannot be deleted, raises CannotDeploy with the commands that delete them.
    """
    found = project.backups()
    if found is None:
        raise CannotDeploy(
            "The database was deleted, but its backups were not, because Google could not list them. They will "
            f"expire. To delete them now, run `gcloud firestore backups list --project={project.id}`, and for each "
            f"backup {_command(project, None)}."
        )
    own = [name for name, of in found.items() if of == database]
    left = [name for name in own if not project.delete_backup(name)]
    if left:
        raise CannotDeploy(
            f"The database was deleted, but {len(left)} of its {len(own)} backups could not be deleted, perhaps "
            "because they are not complete yet. They will expire. To delete them, run this in an hour: "
            f"{'; '.join(_command(project, name) for name in left)}."
        )
    terminal.say(f"Deleted backups: {len(own)}.")
    if others := len(found) - len(own):
        terminal.say(
            f"Backups of other databases of {project.id}, which are not deleted: {others} "
            f"(`gcloud firestore backups list --project={project.id}`)."
        )


def _command(project: GoogleProject, name: str | None) -> str:
    """Return the gcloud command that deletes a backup. `name` is projects/…/locations/…/backups/…; if it is None, the
    command has placeholders.
    """
    location, backup = (name.split("/")[3], name.split("/")[5]) if name else ("LOCATION", "ID")
    return f"`gcloud firestore backups delete --backup={backup} --location={location} --project={project.id}`"
