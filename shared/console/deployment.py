"""The deployment as the owner may see it: its functions with links to their logs, and the console's settings."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

#: the functions of a deployment; `infra/functions.yaml` is not deployed with this one; a test compares both
FUNCTIONS: Final = ("webhook", "tick", "describe_media", "summarize", "erase", "maintain", "console", "reader")
#: the name of this function in FUNCTIONS
_OWN: Final = "console"


@dataclass(frozen=True, kw_only=True)
class ShownSetting:
    """A setting with its value as text; "" if it is not set. No secret is ever a ShownSetting."""

    name: str
    value: str
    purpose: str
    is_default: bool
    #: whether the deployment itself sets it, so that nobody may choose another value
    is_given: bool


@dataclass(frozen=True, kw_only=True)
class DeploymentFacts:
    """Facts about a function's own deployment. On a local machine, region, service and revision are empty.

    `service` and `revision` are Cloud Run's names for this function and its current version.
    """

    region: str = ""
    service: str = ""
    revision: str = ""
    settings: tuple[ShownSetting, ...] = ()
    #: (name of a setting, value) → what is wrong with the value; "" if a function would start with it
    problem_of: Callable[[str, str], str] = lambda _, __: ""

    def logs_of(self, function: str, project: str) -> str:
        """Return the address of a function's logs; "" if it is not known."""
        ending = f"-{_OWN}"
        if not self.region or not self.service.endswith(ending):
            return ""
        service = f"{self.service.removesuffix(_OWN)}{function.replace('_', '-')}"
        place = f"{quote(self.region, safe='')}/{quote(service, safe='')}"
        return f"https://console.cloud.google.com/run/detail/{place}/logs?project={quote(project, safe='')}"
