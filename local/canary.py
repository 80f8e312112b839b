"""Sends the canary of `make dev` once everything runs, and reports its result. The canary is a test update that takes
the same path as a person's message.

Later canaries are sent by the scheduler's timetable or by hand. The local scheduler knows the result of each of them.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from shared.values.canary import CanaryStep

STORAGE = ("the storage emulator does not answer", "storage")
#: the likely cause for each step on one machine, and the part whose log tells more
LIKELY = {
    CanaryStep.DOOR: ("the webhook does not start or hangs, or another program answers at its address", "webhook"),
    CanaryStep.WEBHOOK: ("the webhook hangs, or Firestore or Cloud Tasks does not answer it", "webhook"),
    CanaryStep.STORE: ("Firestore's emulator has lost data", "firestore"),
    CanaryStep.TICK: ("the tick does not start, fails or hangs", "tick"),
    CanaryStep.SWEEP: ("summarize does not start, fails or hangs", "summarize"),
    CanaryStep.ADDRESS: ("Telegram does not answer, or another program took the bot's updates", "telegram"),
    CanaryStep.MODEL: ("the model is missing, or its server does not answer", "model"),
    CanaryStep.JUDGING: ("the judging model is missing", "model"),
    CanaryStep.NOTING: ("the note-taking model is missing, or its server does not answer", "model"),
    CanaryStep.VECTORS: ("the embedding model is missing", "model"),
    CanaryStep.SPEAKING: ("the speech model is missing", "model"),
    CanaryStep.DRAWING: ("the drawing model is missing", "model"),
    CanaryStep.TELEGRAM: ("Telegram does not answer, or refuses the bot's token", "telegram"),
    CanaryStep.READING: ("the reader does not start, fails or hangs", "reader"),
    CanaryStep.DESCRIBING: ("describe_media, the reader or the describing model does not answer", "describe_media"),
    CanaryStep.ERASING: ("erase does not start, fails or hangs", "erase"),
    CanaryStep.MEDIA: STORAGE,
    CanaryStep.EXPORTS: STORAGE,
    CanaryStep.DELETIONS: STORAGE,
    CanaryStep.ARCHIVE: STORAGE,
}
#: steps without which messages might not be answered
ESSENTIAL = {
    CanaryStep.DOOR,
    CanaryStep.WEBHOOK,
    CanaryStep.STORE,
    CanaryStep.TICK,
    CanaryStep.SWEEP,
    CanaryStep.MODEL,
    CanaryStep.TELEGRAM,
    CanaryStep.ADDRESS,
}
#: beginnings of observations that are followed by a likely cause in Google Cloud (shared/upkeep/jobs/canary.py)
OF_A_FUNCTION = ("it ", "access is refused ", "there is no ", "the webhook ", "no tick ", "a tick ")
#: limit for one canary, which waits up to a minute for the tick function and then runs the job `sweep`
LONGEST_S = 300.0
#: Seconds between two checks of the newest canary; and the first and the longest pause after a failed canary. The pause
#: doubles with each failure, because each canary calls models that may cost something.
LOOK_EVERY_S, AGAIN_S, LONGEST_PAUSE_S = 10.0, 15.0, 600.0
PASSED = "The canary passed again."


def problem_in(attempt: Mapping[str, Any] | None) -> str:
    """Return a sentence that says what failed in a canary, what this means for people, and the likely cause. Return ""
    if the canary passed or if none was sent.

    `attempt` is the scheduler's record of the canary. Its `status` is the HTTP status of the response, and its `said`
    is the body, or an error if there was no response.
    """
    if attempt is None:
        return ""
    try:
        steps = json.loads(attempt["said"])["steps"]
        lost = [(CanaryStep(seen["step"]), seen["agent"], seen["said"]) for seen in steps if not seen["is_well"]]
    except (ValueError, KeyError, TypeError):
        return _no_canary(attempt)
    lost = [seen for seen in lost if not _is_coming(seen[0], seen[2])]
    if not lost:
        return ""
    lost.sort(key=lambda seen: list(CanaryStep).index(seen[0]))
    step, _, said = lost[0]
    agents = {agent for other, agent, _ in lost if other is step} - {""}
    is_everybodys = not agents or agents == {seen["agent"] for seen in steps} - {""}
    whose = "" if is_everybodys else f" of {', '.join(sorted(agents))}"
    cause, part = LIKELY[step]
    means = (
        ", so messages might not be answered"
        if step in ESSENTIAL
        else "; messages are answered, but something else does not work"
    )
    return (
        f"The canary{whose} failed{means}. "
        f"{step.value[:1].upper()}{step.value[1:]}: {_what(said)}. "
        f"Likely cause: {cause}; {_help(part)}{_others(step, lost)}"
    )


def _is_coming(step: CanaryStep, said: str) -> bool:
    """Return whether the step failed only because the embedding model is still being downloaded; `said` is the canary's
    text about the failure. Such a failure is not reported, since the page shows the download's progress.
    """
    return step is CanaryStep.VECTORS and "503" in said


def _what(said: str) -> str:
    """Return what the canary observed, from the text `said`. A likely cause that follows in `said` is cut off, since it
    applies only to Google Cloud.
    """
    return said.partition(": ")[0] if said.startswith(OF_A_FUNCTION) else said.rstrip(".")


def _others(first: CanaryStep, lost: Sequence[tuple[CanaryStep, str, str]]) -> str:
    others = dict.fromkeys(step.value for step, _, _ in lost if step is not first)
    return f" Also failing: {', '.join(others)}." if others else ""


def _no_canary(attempt: Mapping[str, Any]) -> str:
    what = f"it fails ({attempt['status']})" if attempt["status"] else attempt["said"]
    return (
        f"No canary can be sent, so it is not known whether messages are answered. Maintain: {what}. "
        f"Likely cause: it does not start, or Firestore's emulator does not answer: {_help('maintain')}"
    )


def _help(part: str) -> str:
    return f"see `make logs PART={part}`, restart with `make restart PART={part}`."


def newest_in(jobs: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the newest canary attempt from the scheduler's list of jobs, or None if there is none."""
    found: Mapping[str, Any] | None = next((j["latest"] for j in jobs["jobs"] if j["name"] == "canary"), None)
    return found


class CanaryWatch:
    """Sends canaries until one succeeds, then watches the scheduled ones. After a failure it sends canaries again."""

    def __init__(self, scheduler_url: str, again_s: float = AGAIN_S) -> None:
        """Prepare the watch without sending anything. `again_s`: the first pause in seconds between a failed canary and
        the next one.
        """
        self._url, self._again_s = scheduler_url, again_s
        self._problem, self._is_told = "", False
        self._is_over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Start watching in the background, since a canary may take a minute. A second call has no effect."""
        if self._watcher.ident is None:
            self._watcher.start()

    def close(self) -> None:
        """Tell the background thread to stop; it sends no further canary."""
        self._is_over.set()

    def look(self) -> str:
        """Return a sentence if canaries have begun to fail, or if they pass again. Each such change is returned once;
        otherwise the result is an empty string.
        """
        problem = self._problem
        if bool(problem) == self._is_told:
            return ""
        self._is_told = bool(problem)
        return problem or PASSED

    def _watch(self) -> None:
        with httpx.Client(base_url=self._url, timeout=LONGEST_S, trust_env=False) as client:
            is_due, pause_s, again_s = True, 0.0, self._again_s
            while not self._is_over.wait(pause_s):
                problem = self._send(client) if is_due else self._newest(client)
                if problem is not None:
                    self._problem, is_due = problem, bool(problem)
                pause_s = again_s if is_due else LOOK_EVERY_S
                again_s = min(again_s * 2, LONGEST_PAUSE_S) if is_due else self._again_s

    def _send(self, client: httpx.Client) -> str | None:
        """Send a canary. Return "" if the canary passed, a sentence about the problem if it failed, or None if the
        scheduler does not answer.
        """
        try:
            answer = client.post("/jobs/canary:run", json={}).raise_for_status().json()
        except (httpx.HTTPError, ValueError):
            return None
        return problem_in(answer["attempts"][-1])

    def _newest(self, client: httpx.Client) -> str | None:
        """Return "" if the newest canary passed, a sentence about the problem if it failed, or None if the scheduler
        does not answer.
        """
        try:
            return problem_in(newest_in(client.get("/jobs").raise_for_status().json()))
        except (httpx.HTTPError, ValueError):
            return None
