"""The time zone of this machine, which is that of whoever tries lull on it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from shared.values.agent import parse_zone

#: a link into the database of zones, where a system has one
LOCALTIME: Final = Path("/etc/localtime")
_DATABASE: Final = "zoneinfo/"


def machine_zone(env: Mapping[str, str], localtime: Path = LOCALTIME) -> str:
    """The name of the zone, by TZ or by the link; empty if it is not known, or UTC, which nobody's is."""
    linked = localtime.resolve().as_posix().rpartition(_DATABASE)
    for name in (env.get("TZ", "").removeprefix(":"), linked[2] if linked[1] else ""):
        if "/" in name and not name.startswith("Etc/") and _is_zone(name):
            return name
    return ""


def _is_zone(name: str) -> bool:
    try:
        parse_zone(name)
    except ValueError:
        return False
    return True
