"""The parts of a canary's run besides its way: each function probes what it needs for people, with real calls."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from pydantic import ValidationError

from shared.models.canary import Answer, Probed, ProbeOrder, ProbeReport, Seen, Step
from shared.ports.canary import Doors
from shared.proving.causes import of_no_probe

#: which functions probe, in this order: what is stored has to be there before it is read, and is read before it goes;
#: and the step that fails where one of them tells nothing
STAGES: Final[Sequence[dict[str, Step]]] = (
    {"describe_media": Step.DESCRIBING, "summarize": Step.SWEEP},
    {"tick": Step.TICK},
    {"erase": Step.ERASING},
)


async def probe_parts(doors: Doors, run: str, *, is_thorough: bool = False) -> Sequence[Seen]:
    """Have every function probe what it needs, and return what came of each step, in order.

    `is_thorough`: what is dear is really asked for, too.
    """
    began, seen = time.monotonic(), list[tuple[Probed, int]]()
    for stage in STAGES:
        order = ProbeOrder(job="probe", run=run, has_takeout=_is_well(Step.TAKEOUTS, seen), is_thorough=is_thorough)
        answers = await asyncio.gather(*(doors.probe(function, order) for function in stage))
        ms = int((time.monotonic() - began) * 1000)
        for step, answer in zip(stage.values(), answers, strict=True):
            seen += [(one, ms) for one in _probed(step, answer)]
    return list(_together(seen))


def _is_well(step: Step, seen: Sequence[tuple[Probed, int]]) -> bool:
    found = [one.is_well for one, _ in seen if one.step is step]
    return bool(found) and all(found)


def _probed(step: Step, answer: Answer) -> Sequence[Probed]:
    """What a function answered; where it tells nothing of its probes, that."""
    if answer.status == 200:
        try:
            return ProbeReport.model_validate_json(answer.said).probed
        except ValidationError:
            answer = Answer(status=400)
    return [Probed(step=step, is_well=False, said=of_no_probe(answer))]


def _together(seen: Sequence[tuple[Probed, int]]) -> Iterator[Seen]:
    """One for each step and agent: what failed at it, or all that was well."""
    order = list(Step)
    ordered = sorted(seen, key=lambda one: (order.index(one[0].step), one[0].agent))
    for (step, agent), group in groupby(ordered, key=lambda one: (one[0].step, one[0].agent)):
        found = list(group)
        wrong = [one.said for one, _ in found if not one.is_well]
        said = "; ".join(wrong or [one.said for one, _ in found])
        yield Seen(agent=agent, step=step, is_well=not wrong, said=said, ms=max(ms for _, ms in found))
