"""Shows the prompt of a past turn, and replays it with another persona or model. Nothing is sent or remembered."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from shared.base.logs import log
from shared.cloud.deployed_functions import DeployedFunctions
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.console.turn_history import history_of
from shared.console.views.why import conversation_of, number_in
from shared.upkeep.store.recorded_pages import FirestoreRecordedPages
from shared.values.rehearsal import LONGEST_PERSONA, Rehearsal, RehearsalOrder, RehearsalStep

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


async def read_prompt(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the prompt of a past turn, rebuilt from the transcript, and the highest possible cost of a replay.

    Query: `format` (`meta`, `full` or `compact`); the default is the format that was used then.
    """
    wanted = {"format": request.query["format"]} if request.query.get("format") else {}
    answer = await _rehearse(services, request, RehearsalStep.PROMPT, wanted)
    await services.record_look(request, "prompt", f"{request.path['conversation']}/{number_in(request)}")
    return answer


async def estimate(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the prompt with another persona or model, and the highest possible cost of planning with it."""
    return await _rehearse(services, request, RehearsalStep.PROMPT, _changes_in(request))


async def replay(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Have the model plan a past turn again. The owner pays for it."""
    moment = f"{request.path.get('conversation', '')}/{number_in(request)}"
    async with services.record_change(request, "replay", moment):
        return await _rehearse(services, request, RehearsalStep.PLAN, _changes_in(request))


def _changes_in(request: ConsoleRequest) -> Mapping[str, Any]:
    persona, model = str(request.body.get("persona") or ""), str(request.body.get("model") or "")
    if len(persona) > LONGEST_PERSONA:
        raise BadRequest("persona_too_long", count=LONGEST_PERSONA)
    return {"persona": persona, "model": model}


async def _rehearse(
    services: ConsoleServices, request: ConsoleRequest, step: RehearsalStep, wanted: Mapping[str, Any]
) -> Mapping[str, Any]:
    store, seq = FirestoreRecordedPages(services.client), number_in(request)
    conversation = await conversation_of(store, request)
    asked = await _messages_to_answer(store, conversation.id, seq)
    try:
        order = RehearsalOrder(
            step=step,
            agent=conversation.agent,
            conversation=conversation.id,
            asked=tuple(asked),
            owner=request.owner,
            **wanted,
        )
    except ValidationError:
        raise OutdatedPage("Unknown format; expected one of: meta, full, compact.") from None
    return (await ask_for_rehearsal(services.functions, order)).model_dump(mode="json")


async def _messages_to_answer(store: FirestoreRecordedPages, conversation: str, seq: int) -> Sequence[int]:
    """Return the entry numbers of the messages that the turn had to answer."""
    history = history_of(seq, await store.pages_around(conversation, seq))
    if history is None:
        raise NotFound
    if not history.asked:
        raise BadRequest("nobody_asked")
    return [one.seq for one in history.asked]


_TURN = "/api/conversations/{conversation}/turns/{seq}"
ROUTES = (
    ConsoleRoute("GET", f"{_TURN}/prompt", read_prompt),
    ConsoleRoute("POST", f"{_TURN}/replay/cost", estimate),
    ConsoleRoute("POST", f"{_TURN}/replay", replay),
)
