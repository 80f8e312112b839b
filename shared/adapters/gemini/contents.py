"""A request in Gemini's words, with the functions that it declares; and the calls of a reply, to be answered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from google.genai import types

from shared.models.prompt import Prompt, PromptTurn, ToolAnswer, ToolCall

#: why a reply ended that calls a function as nobody can: not readable, not declared, too many at once
BAD_CALLS: Final = {
    types.FinishReason.MALFORMED_FUNCTION_CALL,
    types.FinishReason.UNEXPECTED_TOOL_CALL,
    types.FinishReason.TOO_MANY_TOOL_CALLS,
}
#: they answer 400 to a schema beside functions; Gemini 3 takes both (ai.google.dev/gemini-api/docs/structured-output)
_BEFORE_3: Final = re.compile(r"(?:.*/)?gemini-[12][.-].*")


def takes_schema(model: str, prompt: Prompt) -> bool:
    """Whether the reply may be held to a schema; where it may not, what it says is read all the same."""
    return not (prompt.tools and _BEFORE_3.fullmatch(model))


def body_of(prompt: Prompt, schema: Mapping[str, object] | None) -> dict[str, Any]:
    """A request in the API's JSON (ai.google.dev/api/generate-content); with a schema, which the reply is held to."""
    generation: dict[str, Any] = {}
    if prompt.reply_tokens is not None:
        generation["maxOutputTokens"] = prompt.reply_tokens
    if schema is not None:
        generation |= {"responseMimeType": "application/json", "responseJsonSchema": dict(schema)}
    return {
        "systemInstruction": {"role": "user", "parts": [{"text": prompt.system}]},
        "contents": [content_of(turn) for turn in prompt.turns],
        "generationConfig": generation,
        **_tools(prompt),
    }


def _tools(prompt: Prompt) -> dict[str, Any]:
    """What a request says of tools. Those that may be called no more stay declared: the conversation speaks of them."""
    if not prompt.tools:
        return {}
    functions = [
        {"name": tool.name, "description": tool.description, "parametersJsonSchema": dict(tool.parameters)}
        for tool in prompt.tools
    ]
    tools = {"tools": [{"functionDeclarations": functions}]}
    return tools if prompt.may_call else {**tools, "toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}


def content_of(turn: PromptTurn) -> dict[str, Any]:
    """One turn in the API's JSON: its texts, the answers of tools, or a reply of the model's as it was."""
    if turn.verbatim:
        kept = types.Content.model_validate_json(turn.verbatim)
        return kept.model_dump(mode="json", by_alias=True, exclude_none=True)
    answers = [{"functionResponse": _response(answer)} for answer in turn.answers]
    return {"role": turn.role.value, "parts": [*answers, *_texts(turn.parts)]}


def _texts(texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """A part for each text; all but the last end with a line's end, since the model reads parts without a break."""
    *before, last = texts or ("",)
    yield from ({"text": f"{text}\n"} for text in before)
    if texts:
        yield {"text": last}


def calls_in(parts: Sequence[types.Part]) -> tuple[ToolCall, ...]:
    """The calls of a reply, in their order; one without a name has an empty one."""
    called = [part.function_call for part in parts if part.function_call is not None]
    return tuple(ToolCall(id=call.id or "", name=call.name or "", arguments=call.args or {}) for call in called)


def verbatim_of(parts: Sequence[types.Part]) -> str:
    """A reply to be passed back: every part as it came, with the signatures of the model's thoughts.

    Gemini 3 refuses a call that comes back without its own (ai.google.dev/gemini-api/docs/thought-signatures).
    """
    return types.Content(role="model", parts=list(parts)).model_dump_json(exclude_none=True)


def _response(answer: ToolAnswer) -> dict[str, Any]:
    what = "error" if answer.is_error else "output"
    names = {"id": answer.call.id} if answer.call.id else {}
    return {**names, "name": answer.call.name, "response": {what: answer.text}}
