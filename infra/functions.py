"""The functions as `infra/functions.yaml` declares them, which Terraform reads too."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from shared.wiring import settings
from shared.wiring.settings import Settings, model_functions

DECLARED = Path(__file__).with_name("functions.yaml")
#: callers that are no queue and no function: whoever knows the address, and Cloud Scheduler
EVERYBODY, SCHEDULE = "everybody", "schedule"


class FunctionLimits(BaseModel):
    """How large a function's instances are, how many there may be, and how long one request may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: str
    timeout_s: int
    concurrency: int
    max_instances: int


class DeployedFunction(BaseModel):
    """What a function does, who may call it, what it reads, what it may touch, and how large it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    description: str
    #: the class of shared/wiring/settings that reads its environment
    settings: str
    #: `everybody`, `schedule`, a queue of queues.tf, or another function; the first calls it most
    called_by: tuple[str, ...]
    #: settings whose values Terraform knows (local.known_settings), besides those of every function
    given: tuple[str, ...] = ()
    #: settings with a default in the code that `settings` of terraform.tfvars may change, besides those of all
    optional: tuple[str, ...] = ()
    #: setting → the secret that it is read from (secrets.tf)
    secrets: Mapping[str, str] = {}
    #: its role in the database (modules/datastore/access.tf); empty: none
    database: str = ""
    #: its role in the bucket of media (buckets.tf); empty: none
    media: str = ""
    #: its role in the bucket of takeouts (buckets.tf); empty: none
    takeouts: str = ""
    #: the queues that its jobs go to, and the functions that they call
    enqueues: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    limits: FunctionLimits
    #: the dependency group of pyproject.toml that it is deployed with; empty: that of its own name
    packages: str = ""
    #: files of the repository that it shows, besides what it imports
    pages: tuple[str, ...] = ()
    #: modules of shared/wiring that it is made of besides that of its own name
    wiring: tuple[str, ...] = ()

    @property
    def settings_kind(self) -> type[Settings]:
        """The class of its settings."""
        module = settings if hasattr(settings, self.settings) else model_functions
        kind: type[Settings] = getattr(module, self.settings)
        return kind


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    functions: dict[str, DeployedFunction]


@cache
def declared_functions() -> Mapping[str, DeployedFunction]:
    """Every function by its name, in the order of the file."""
    return _File.model_validate(yaml.safe_load(DECLARED.read_text())).functions
