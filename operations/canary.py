"""`make canary`: an update of lull's own goes the way of a message, and what each step saw is printed.

It goes through the lull that runs on this machine. If GOOGLE_CLOUD_PROJECT is set in the shell, or none runs here, it
goes through what is deployed.
"""

import os
import sys
from collections.abc import Mapping
from typing import Any

import httpx

from operations.place import NoPlace
from operations.running import data_folder, part_url, running_in

DEPLOYED = ("-m", "operations.deployment", "canary")
#: the function's own limit, and some
LONGEST_S = 300.0


def lines_of(report: Mapping[str, Any]) -> list[str]:
    """What each step saw, a line each."""
    return [
        f"{'ok    ' if one['is_well'] else 'FAILED'} {_of(one['agent'])}{one['step']}: {one['said']} ({one['ms']} ms)"
        for one in report.get("steps", [])
    ]


def _of(agent: str) -> str:
    """Whose step it is; empty: the whole deployment's."""
    return f"{agent}: " if agent else ""


def sent_here(scheduler_url: str) -> Mapping[str, Any]:
    """The report of a canary through the local cloud. Raises NoPlace where there was no answer."""
    try:
        answer = httpx.post(f"{scheduler_url}/jobs/canary:run", json={}, timeout=LONGEST_S, trust_env=False)
        (attempt,) = answer.raise_for_status().json()["attempts"]
        report: Mapping[str, Any] = httpx.Response(200, text=attempt["said"]).json()
    except (httpx.HTTPError, ValueError) as cause:
        raise NoPlace(f"The canary could not be sent ({type(cause).__name__}): `make logs PART=maintain`.") from cause
    return report


def main(env: Mapping[str, str]) -> int:
    """0 when every step was as it must be."""
    folder = data_folder(env)
    if env.get("GOOGLE_CLOUD_PROJECT") or running_in(folder) is None:
        os.execv(sys.executable, [sys.executable, *DEPLOYED])
    try:
        report = sent_here(part_url(folder, "scheduler"))
    except NoPlace as problem:
        print(problem, file=sys.stderr)
        return 1
    print(*lines_of(report), sep="\n")
    return 0 if report.get("is_well") else 1


if __name__ == "__main__":
    sys.exit(main(os.environ))  # noqa: TID251  the shell's settings are this program's business
