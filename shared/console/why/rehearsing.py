"""Requests rehearsals (a past turn is planned again) from the function `tick`, which has the models and budgets."""

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from shared.base.logs import log
from shared.cloud.deployed_functions import DeployedFunctions
from shared.console.route import BadRequest
from shared.values.rehearsal import Rehearsal, RehearsalOrder, RehearsalStep

#: the function that rehearses, and the seconds to wait for a prompt (with a cold start) and for a plan
REHEARSER: Final = "tick"
PROMPT_S: Final = 30.0
PLAN_S: Final = 170.0
#: codes of refusals, by the problem that the function names
PROBLEMS: Final = {
    "unknown_moment": "moment_unknown",
    "unknown_model": "model_not_offered",
}
NO_ANSWER: Final = "rehearser_does_not_answer"


async def ask_for_rehearsal(functions: Mapping[str, str], order: RehearsalOrder) -> Rehearsal:
    """Return the result of a rehearsal. Raises BadRequest if the function refuses it or does not answer."""
    longest = PLAN_S if order.step is RehearsalStep.PLAN else PROMPT_S
    answer = await DeployedFunctions("", "", functions).ask(REHEARSER, order.model_dump_json().encode(), longest)
    try:
        found = Rehearsal.model_validate_json(answer.said) if answer.status == 200 else None
    except ValidationError:
        found = None
    if found is None:
        log("a rehearsal failed", status=answer.status or 0)
        raise BadRequest(NO_ANSWER)
    if found.problem:
        raise BadRequest(PROBLEMS.get(found.problem, NO_ANSWER))
    return found
