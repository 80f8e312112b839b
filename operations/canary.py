"""`make canary`: send a canary, a test update that takes the whole path of a message, and print the result of each
step.

By default, the local cloud is tested. If GOOGLE_CLOUD_PROJECT is set, or no local cloud runs on this machine, the
deployment is tested.
"""

import os
import sys
from collections.abc import Mapping
from typing import Any

import httpx

from operations.place import NoPlace
from operations.running import data_folder, part_url, running_in

DEPLOYED = ("-m", "operations.deployment", "canary")
#: time limit in seconds: that of the function, with a margin
LONGEST_S = 300.0


def lines_of(report: Mapping[str, Any]) -> list[str]:
    """Return one line for each step of a report."""
    return [
        f"{'ok    ' if one['is_well'] else 'FAILED'} {_of(one['agent'])}{one['step']}: {one['said']} ({one['ms']} ms)"
        for one in report.get("steps", [])
    ]


def _of(agent: str) -> str:
    return f"{agent}: " if agent else ""


def send_canary_here(scheduler_url: str) -> Mapping[str, Any]:
    """Send a canary through the local cloud; return the report. Raises NoPlace if there was no response."""
    try:
        answer = httpx.post(f"{scheduler_url}/jobs/canary:run", json={}, timeout=LONGEST_S, trust_env=False)
        (attempt,) = answer.raise_for_status().json()["attempts"]
        report: Mapping[str, Any] = httpx.Response(200, text=attempt["said"]).json()
    except (httpx.HTTPError, ValueError) as cause:
        raise NoPlace(
            f"The canary could not be sent ({type(cause).__name__}): see `make logs PART=maintain`."
        ) from cause
    return report


def main(env: Mapping[str, str]) -> int:
    """Send a canary and print the result of each step; return 0 if every step succeeded, else 1."""
    folder = data_folder(env)
    if env.get("GOOGLE_CLOUD_PROJECT") or running_in(folder) is None:
        os.execv(sys.executable, [sys.executable, *DEPLOYED])
    try:
        report = send_canary_here(part_url(folder, "scheduler"))
    except NoPlace as problem:
        print(problem, file=sys.stderr)
        return 1
    print(*lines_of(report), sep="\n")
    return 0 if report.get("is_well") else 1


if __name__ == "__main__":
    sys.exit(main(os.environ))  # noqa: TID251  this program reads the shell's settings
