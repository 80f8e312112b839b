"""Function calls between Gemini's form and OpenAI's: declarations, calls, and their answers."""

import json
from dataclasses import dataclass

from local.gemini.calls import Json
from local.gemini.request import Content, GenerateRequest, Part
from local.gemini.schema import from_gemini


def tools_of(request: GenerateRequest) -> list[Json]:
    """Return the functions that a request declares, as tools; empty if the request forbids calls."""
    if request.tool_config.function_calling_config.mode == "NONE":
        return []
    return [_tool(function) for tool in request.tools for function in tool.function_declarations]


def _tool(function: Json) -> Json:
    given = {name.replace("_", "").lower(): value for name, value in function.items()}
    schema = given.get("parametersjsonschema") or from_gemini(given.get("parameters") or {"type": "OBJECT"})
    described = {"name": given["name"], "description": given.get("description", ""), "parameters": schema}
    return {"type": "function", "function": described}


def turns_of(content: Content, place: int) -> list[Json]:
    """Return the calls and the results in a turn as messages. `place` is the turn's index, from which the ids of
    calls are made.
    """
    calls = [part for part in content.parts if part.function_call]
    answers = [part for part in content.parts if part.function_response]
    messages: list[Json] = []
    if calls:
        made = [_call(part, f"call-{place}-{number}") for number, part in enumerate(calls)]
        messages.append({"role": "assistant", "content": None, "tool_calls": made})
    # Gemini's results are in the turn after their calls, in the same order
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
    """Collects the calls that a model generates, from the chunks of its response."""

    def __init__(self) -> None:
        """Start without calls."""
        self._calls: list[_Written] = []
        self._open: dict[int, _Written] = {}

    def take(self, delta: Json) -> None:
        """Add one piece. A complete call at the index of another call is a further call: Ollama may give all calls
        index 0 (ollama issue 15497).
        """
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
        """Return the calls in Gemini's form. Arguments that are not an object become an empty object."""
        return [{"functionCall": {"name": call.name, "args": _object(call.arguments)}} for call in self._calls]


@dataclass
class _Written:
    """A call that may be incomplete."""

    id: str
    name: str = ""
    arguments: str = ""


def _object(written: str) -> Json:
    try:
        args = json.loads(written or "{}")
    except ValueError:
        return {}
    return args if isinstance(args, dict) else {}
