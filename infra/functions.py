"""The functions that `infra/functions.yaml` declares. Terraform reads the file too."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from shared.wiring import settings
from shared.wiring.settings import Settings, console, model_functions

DECLARED = Path(__file__).with_name("functions.yaml")
#: callers other than queues and functions: anybody, and Cloud Scheduler
EVERYBODY, SCHEDULE = "everybody", "schedule"


class FunctionLimits(BaseModel):
    """The size of a function's instances, their number, and the time limit of a request."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: str
    timeout_s: int
    concurrency: int
    max_instances: int


class DeployedFunction(BaseModel):
    """A function: its purpose, callers, settings, rights and size."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    description: str
    #: the class of shared/wiring/settings that reads its environment
    settings: str
    #: `everybody`, `schedule`, a queue of queues.tf, or another function; the most frequent caller first
    called_by: tuple[str, ...]
    #: settings whose values Terraform computes (local.known_settings), in addition to those of every function
    given: tuple[str, ...] = ()
    #: settings with a default in the code that `settings` of terraform.tfvars may change, in addition to those of every
    #: function
    optional: tuple[str, ...] = ()
    #: the names of settings that are secrets, each with the secret from which it is read (secrets.tf)
    secrets: Mapping[str, str] = {}
    #: its role in the database (modules/datastore/access.tf); empty for none
    database: str = ""
    #: its role in the bucket of media (buckets.tf); empty for none
    media: str = ""
    #: its role in the bucket of exports (buckets.tf); empty for none
    takeouts: str = ""
    #: queues to which it adds tasks, each with the function that the queue calls
    enqueues: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    limits: FunctionLimits
    #: its dependency group in pyproject.toml; empty if that has the function's name
    packages: str = ""
    #: files and folders of the repository that it shows to people, in addition to its imports
    pages: tuple[str, ...] = ()
    #: modules of shared/wiring that it uses, in addition to the one with its name
    wiring: tuple[str, ...] = ()

    @property
    def settings_kind(self) -> type[Settings]:
        """The class of its settings."""
        module = next(one for one in (settings, console, model_functions) if hasattr(one, self.settings))
        kind: type[Settings] = getattr(module, self.settings)
        return kind


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    functions: dict[str, DeployedFunction]


@cache
def declared_functions() -> Mapping[str, DeployedFunction]:
    """Return every function by name, in the order of the file."""
    return _File.model_validate(yaml.safe_load(DECLARED.read_text())).functions
