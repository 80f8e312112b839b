"""Which lull the commands speak to: the deployment that the shell names, or the one that runs on this machine."""

from collections.abc import Mapping
from dataclasses import dataclass

from google.auth.environment_vars import GOOGLE_CLOUD_QUOTA_PROJECT as QUOTA_PROJECT

from local.options import options_from
from local.parts import PROJECT, QUEUE
from local.run_record import RunRecord, read_record

NOWHERE = (
    "lull does not run here; `make up` starts it. To speak to a deployment, set GOOGLE_CLOUD_PROJECT "
    "(docs/configuration.md)."
)


class NoPlace(Exception):
    """There is no lull to speak to; the text says what to do."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """One lull: how it is called, and the settings by which it is reached, besides those that are set already."""

    title: str
    settings: Mapping[str, str]


def place_of(env: Mapping[str, str]) -> Place:
    """The lull that an environment means. Raises NoPlace, or CannotStart for options that make no sense."""
    project = env.get("GOOGLE_CLOUD_PROJECT")
    record = read_record(options_from(env).data)
    if project:
        emulator = env.get("FIRESTORE_EMULATOR_HOST")
        where = f", in the emulator at {emulator}" if emulator else ""
        other = f" (not the one at {record.page}: for that, unset GOOGLE_CLOUD_PROJECT)" if record else ""
        # a person's own login has no project that pays for the questions (google.auth.environment_vars)
        pays = {} if emulator or env.get(QUOTA_PROJECT) else {QUOTA_PROJECT: project}
        return Place(title=f"lull in the project {project}{where}{other}", settings=pays)
    if record is None:
        raise NoPlace(NOWHERE)
    return Place(title=f"lull on this machine, at {record.page}", settings=_settings_of(record))


def _settings_of(record: RunRecord) -> dict[str, str]:
    urls = {name: part.url for name, part in record.parts.items()}
    storage = {"STORAGE_EMULATOR_HOST": urls["storage"]} if "storage" in urls else {}
    return storage | {
        "GOOGLE_CLOUD_PROJECT": PROJECT,
        "FIRESTORE_EMULATOR_HOST": urls["firestore"].removeprefix("http://"),
        "CLOUD_TASKS_ENDPOINT": urls["cloud_tasks"].removeprefix("http://"),
        "LULL_QUEUE": QUEUE,
        "LULL_TICK_URL": urls["tick"],
    }
