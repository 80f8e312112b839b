"""The deployment as the owner may read it: its functions with their logs, and the settings that the console has."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

#: the functions of a deployment; the file `infra/functions.yaml` is not part of this one, and a test compares both
FUNCTIONS: Final = ("webhook", "tick", "describe_media", "summarize", "erase", "maintain", "console", "reader")
#: the name of this function in FUNCTIONS
_OWN: Final = "console"


@dataclass(frozen=True, kw_only=True)
class ShownSetting:
    """A setting with its value as text; an empty value stands for none. Secrets are never among the shown settings."""

    name: str
    value: str
    purpose: str
    is_default: bool


@dataclass(frozen=True, kw_only=True)
class DeploymentFacts:
    """Facts that a function knows of its deployment. On one machine, region, service and revision are empty.

    `service` and `revision` are the names that Cloud Run gave to this function and to its present version.
    """

    region: str = ""
    service: str = ""
    revision: str = ""
    settings: tuple[ShownSetting, ...] = ()

    def logs_of(self, function: str, project: str) -> str:
        """Return the address of a function's logs; "" if it is not known."""
        ending = f"-{_OWN}"
        if not self.region or not self.service.endswith(ending):
            return ""
        service = f"{self.service.removesuffix(_OWN)}{function.replace('_', '-')}"
        place = f"{quote(self.region, safe='')}/{quote(service, safe='')}"
        return f"https://console.cloud.google.com/run/detail/{place}/logs?project={quote(project, safe='')}"
