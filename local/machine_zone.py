"""The time zone of this machine."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from shared.values.agent import parse_zone

#: a link to a file of the time zone database, on systems that have this link
LOCALTIME: Final = Path("/etc/localtime")
_DATABASE: Final = "zoneinfo/"


def machine_zone(env: Mapping[str, str], localtime: Path = LOCALTIME) -> str:
    """Return the name of the time zone that `TZ` or the link `localtime` names; "" if neither names one.

    UTC is treated as unknown, since few people live by it.
    """
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
