"""Chooses where commands work: on the deployment that the shell's settings name, or else on the local cloud."""

from collections.abc import Mapping
from dataclasses import dataclass

from google.auth.environment_vars import GOOGLE_CLOUD_QUOTA_PROJECT as QUOTA_PROJECT

from operations.running import data_folder, running_in

NOWHERE = (
    "lull is not running on this machine; start it with `make up`. To use a deployment instead, set "
    "GOOGLE_CLOUD_PROJECT (docs/configuration.md)."
)


class NoPlace(Exception):
    """No running lull was found. The text says what to do."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """The deployment or local cloud on which a command works. `title` is its name for the operator. `settings` are
    needed to reach it and must be added to the environment.
    """

    title: str
    settings: Mapping[str, str]


def place_of(env: Mapping[str, str]) -> Place:
    """Return the deployment that the environment variables name, or else lull on this machine. Raises NoPlace."""
    project = env.get("GOOGLE_CLOUD_PROJECT")
    here = running_in(data_folder(env))
    if project:
        emulator = env.get("FIRESTORE_EMULATOR_HOST")
        where = f", in the emulator at {emulator}" if emulator else ""
        other = f" (not the one at {here.page}: for that, unset GOOGLE_CLOUD_PROJECT)" if here else ""
        # the login of a person has no project that pays for the requests (google.auth.environment_vars)
        pays = {} if emulator or env.get(QUOTA_PROJECT) else {QUOTA_PROJECT: project}
        return Place(title=f"lull in the project {project}{where}{other}", settings=pays)
    if here is None:
        raise NoPlace(NOWHERE)
    return Place(title=f"lull on this machine, at {here.page}", settings=here.settings)
