"""Function calls between Gemini's form and OpenAI's: declarations, calls, and their answers."""

import json
from dataclasses import dataclass

from local.gemini.calls import Json
from local.gemini.request import Content, GenerateRequest, Part
from local.gemini.schema import from_gemini


def tools_of(request: GenerateRequest) -> list[Json]:
    """The functions that a request declares, as tools; none where it forbids to call them."""
    if request.tool_config.function_calling_config.mode == "NONE":
        return []
    return [_tool(function) for tool in request.tools for function in tool.function_declarations]


def _tool(function: Json) -> Json:
    given = {name.replace("_", "").lower(): value for name, value in function.items()}
    schema = given.get("parametersjsonschema") or from_gemini(given.get("parameters") or {"type": "OBJECT"})
    described = {"name": given["name"], "description": given.get("description", ""), "parameters": schema}
    return {"type": "function", "function": described}


def turns_of(content: Content, place: int) -> list[Json]:
    """The calls and the answers in a turn, as messages; `place` of the turn makes their ids."""
    calls = [part for part in content.parts if part.function_call]
    answers = [part for part in content.parts if part.function_response]
    messages: list[Json] = []
    if calls:
        made = [_call(part, f"call-{place}-{number}") for number, part in enumerate(calls)]
        messages.append({"role": "assistant", "content": None, "tool_calls": made})
    # Gemini has the answers in the turn after their calls, in the same order
    messages += [_answer(part, f"call-{place - 1}-{number}") for number, part in enumerate(answers)]
    return messages


def _call(part: Part, call_id: str) -> Json:
    call = part.function_call or {}
    written = json.dumps(call.get("args") or {}, ensure_ascii=False)
    return {"id": call_id, "type": "function", "function": {"name": call.get("name", ""), "arguments": written}}


def _answer(part: Part, call_id: str) -> Json:
    said = json.dumps((part.function_response or {}).get("response"), ensure_ascii=False)
    return {"role": "tool", "tool_call_id": call_id, "content": said}


class CallsWritten:
    """The calls that a model writes, piece by piece over the chunks of its answer."""

    def __init__(self) -> None:
        """None yet."""
        self._calls: list[_Written] = []
        self._open: dict[int, _Written] = {}

    def take(self, delta: Json) -> None:
        """One piece. A call that is at another's place is one more: Ollama may have all at 0 (ollama issue 15497)."""
        for piece in delta.get("tool_calls") or []:
            place, call_id = int(piece.get("index", len(self._calls))), str(piece.get("id") or "")
            call = self._open.get(place)
            if call is None or (call_id and call_id != call.id):
                call = self._open[place] = _Written(call_id)
                self._calls.append(call)
            function = piece.get("function") or {}
            call.name += function.get("name") or ""
            call.arguments += function.get("arguments") or ""

    def parts(self) -> list[Json]:
        """The calls as Gemini has them; arguments that are no object are none."""
        return [{"functionCall": {"name": call.name, "args": _object(call.arguments)}} for call in self._calls]


@dataclass
class _Written:
    """A call as far as it is written."""

    id: str
    name: str = ""
    arguments: str = ""


def _object(written: str) -> Json:
    try:
        args = json.loads(written or "{}")
    except ValueError:
        return {}
    return args if isinstance(args, dict) else {}
