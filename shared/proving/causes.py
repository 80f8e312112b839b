"""What was seen at each step of a canary's way, in one sentence; where it is wrong, with the likely cause."""

from shared.models.canary import Answer, Step, Trace

#: of a status that says the same wherever it comes from
EVERYWHERE = {
    None: "there is no answer ({said}): the function is not deployed at the address that is set, or does not start",
    403: "it is refused (403): the right roles/run.invoker is missing, or an organisation's policy forbids it; "
    "`make deploy` gives it",
    429: "there is no instance free (429): max_instances is too low, or instances do not start; see the function's log",
    500: "it fails (500): the function's log names Firestore, Cloud Tasks or a setting",
    503: "it does not start (503): a setting or a secret is missing, or an import fails; see the function's log",
    504: "it takes too long (504): Firestore or Cloud Tasks is slow; see the function's log",
}
#: of what means something of its own at a step
AT_STEP = {
    (
        Step.DOOR,
        200,
    ): "it takes updates without the secret (200): another program answers there, or LULL_WEBHOOK_SECRET is empty",
    (Step.WEBHOOK, 401): "it refuses its own secret (401): an instance still has an older value; `make deploy` tells "
    "every function and Telegram the same one",
    (
        Step.WEBHOOK,
        404,
    ): "it knows no such agent (404): LULL_AGENTS and the bundled personas differ; `make deploy`",
    (Step.WEBHOOK, 413): "it takes no body (413): something in between made it longer",
    (Step.SWEEP, 400): "it knows no sweep (400): an older version is deployed; `make deploy`",
}
#: what each function is to answer
WANTED = {Step.DOOR: 401, Step.WEBHOOK: 200, Step.SWEEP: 200}
WELL = {
    Step.DOOR: "refused with 401",
    Step.WEBHOOK: "took the canary",
    Step.SWEEP: "ran",
}


def of_answer(step: Step, answer: Answer) -> tuple[bool, str]:
    """Whether a function answered as it must, and the sentence."""
    if answer.status == WANTED[step]:
        return True, WELL[step]
    known = AT_STEP.get((step, answer.status or 0)) or EVERYWHERE.get(answer.status)
    other = f"it answers {answer.status}: another program answers at that address"
    return False, (known or other).format(said=answer.said)


def of_no_probe(answer: Answer) -> str:
    """Return why a function told nothing of what it was to probe."""
    known = EVERYWHERE.get(answer.status)
    if answer.status == 400:
        known = "it knows no probe (400): an older version is deployed; `make deploy`"
    other = f"it answers {answer.status}: another program answers at its address"
    return (known or other).format(said=answer.said)


def of_store(trace: Trace) -> tuple[bool, str]:
    """Whether the canary was kept."""
    if trace.received_at is not None:
        return True, "kept the canary"
    return False, "the webhook took it, and it is not there: the functions do not use the same project or database"


def of_tick(trace: Trace, before: Trace, waited_s: float) -> tuple[bool, str]:
    """Whether a tick read the canary; `before` is how the chat was when the canary was kept."""
    if trace.is_read:
        return True, "a tick read the canary"
    if trace.generation > before.generation:
        return False, (
            f"a tick took the chat and did not finish within {waited_s:.0f} s: it fails or hangs; look for "
            "`a tick failed` in its log"
        )
    return False, (
        f"no tick came within {waited_s:.0f} s: the queue is paused, its account may not call the tick, or "
        "the tick does not start; see the queue's tasks and the tick's log"
    )
