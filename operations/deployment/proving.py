"""Tests a deployment: sends a canary (a test update that takes the whole path of a message) and prints the result of
each step.
"""

import time
from collections.abc import Callable
from typing import Any

from operations.canary import lines_of
from operations.deployment.google import GoogleProject, logged_in
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.preparing import NOT_DEPLOYED, Configuration, load_configuration
from operations.deployment.terminal import Terminal

#: A run may take a cold start of each function, a minute of waiting and a sweep.
LONGEST_S, LOOK_EVERY_S = 320.0, 2.0


def send_canary(options: Options) -> None:
    """Send a canary through the deployment. Raises CannotDeploy if a step failed or no result arrived."""
    terminal = Terminal(steps=2)
    found = load_configuration(options, terminal)
    with terminal.step("sending a canary"):
        prove(options, found, terminal)


def prove(options: Options, found: Configuration, terminal: Terminal) -> None:
    """Send a canary and print the result of each step. Raises CannotDeploy if a step failed."""
    outputs = found.terraform.outputs()
    if "webhook_urls" not in outputs:
        raise CannotDeploy(NOT_DEPLOYED)
    job = outputs.get("canary_job")
    if not job:
        terminal.say("Everything is paused, so no canary can be sent.")
        return
    project = GoogleProject(found.variables.project, logged_in(options.env), options.google_apis)
    before = project.canary_report()
    if before is None:  # otherwise the old report would be taken for the new one
        raise CannotDeploy(
            "The last canary's result cannot be read, so no new canary was sent. Run `make canary` to try again."
        )
    if not project.run_job(job):
        raise CannotDeploy(f"Cloud Scheduler did not start {job}. Run `make canary` to try again.")
    report = wait_for_report(project.canary_report, before.get("at"))
    for line in lines_of(report):
        terminal.say(line)
    if not report.get("is_well"):
        raise CannotDeploy("The canary failed; the result of each step is above. `make canary` sends another one.")


def wait_for_report(
    look: Callable[[], dict[str, Any] | None],
    before: object,
    longest_s: float = LONGEST_S,
    look_every_s: float = LOOK_EVERY_S,
) -> dict[str, Any]:
    """Return the first canary report that differs from `before`. Raises CannotDeploy if none arrives."""
    until = time.monotonic() + longest_s
    while (report := look()) is None or report.get("at") == before:
        if time.monotonic() > until:
            raise CannotDeploy(
                f"The canary's result did not arrive within {longest_s:.0f} s. Either the function `maintain` does not "
                "start, or the scheduler's account lacks the permission to call it: see the function's log. "
                "`make canary` sends another one."
            )
        time.sleep(look_every_s)
    return report
