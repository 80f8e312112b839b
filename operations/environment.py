"""The environment of the processes that lull starts on this machine."""

import os
from collections.abc import Mapping

from infra.bundle import ROOT

#: Shell settings that would change a process unexpectedly. Keys reach only the processes that need them.
DROPPED = ("PORT", "HOST", "DEBUG", "LULL_PROVIDER_KEYS", "PYTHONDONTWRITEBYTECODE")
DROPPED_BEGINNINGS = ("FUNCTION_", "TELEGRAM_", "LULL_REMOVE_")
#: the end of names of keys, such as GROQ_API_KEY
DROPPED_END = "_API_KEY"
#: variables that tell where programs and files are, and how they are read
HARMLESS = ("HOME", "PATH", "TMPDIR", "TEMP", "TMP", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "NO_PROXY", "no_proxy")
HARMLESS_BEGINNINGS = ("PYTHON", "LC_", "XDG_", "SSL_CERT_", "LD_", "DYLD_", "VIRTUAL_ENV", "GRPC_", "JAVA_HOME")
#: local addresses are reached without a proxy
NOT_PROXIED = ("127.0.0.1", "localhost")


def surroundings(more: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of this process's environment with `more` added. The shell's settings that would change the started
    process unexpectedly are left out; PYTHONPATH and NO_PROXY are set.
    """
    kept = {name: value for name, value in os.environ.items() if not _is_dropped(name)}  # noqa: TID251  copies it whole
    proxied = kept.get("NO_PROXY") or kept.get("no_proxy")
    not_proxied = ",".join(filter(None, (proxied, *NOT_PROXIED)))
    own = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "NO_PROXY": not_proxied, "no_proxy": not_proxied}
    return kept | own | dict(more)


def bare_surroundings(more: Mapping[str, str]) -> dict[str, str]:
    """Return the part of this process's environment that any program needs and that contains no secret, with `more`
    added.
    """
    return {name: value for name, value in surroundings({}).items() if _is_harmless(name)} | dict(more)


def _is_harmless(name: str) -> bool:
    return name in HARMLESS or name.startswith(HARMLESS_BEGINNINGS)


def _is_dropped(name: str) -> bool:
    return name in DROPPED or name.startswith(DROPPED_BEGINNINGS) or name.endswith(DROPPED_END)
