"""A request in Gemini's words, with the functions that it declares and the answers to their calls."""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from shared.models.attachment import Attachment
from shared.models.prompt import Prompt, PromptTurn, ToolAnswer

#: why a reply ended that calls a function as nobody can: not readable, not declared, too many at once
BAD_CALLS: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"})
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
    if prompt.attached and all(attachment.is_simple for attachment in prompt.attached):
        # for the whole request: a part's own resolution is in the API's v1alpha alone
        # (ai.google.dev/gemini-api/docs/generate-content/media-resolution, read on 2026-11-24)
        generation["mediaResolution"] = "MEDIA_RESOLUTION_LOW"
    if schema is not None:
        generation |= {"responseMimeType": "application/json", "responseJsonSchema": dict(schema)}
    return {
        "systemInstruction": {"role": "user", "parts": [{"text": prompt.system}]},
        "contents": [content_of(turn) for turn in prompt.turns],
        "generationConfig": generation,
        **_tools(prompt),
    }


def _tools(prompt: Prompt) -> dict[str, Any]:
    """What a request says of tools. Those that may be called no more stay declared: the conversation speaks of them.

    Search is a tool of Google's own (ai.google.dev/gemini-api/docs/google-search).
    """
    if prompt.searches:
        return {"tools": [{"google_search": {}}]}
    if not prompt.tools:
        return {}
    functions = [
        {"name": tool.name, "description": tool.description, "parametersJsonSchema": dict(tool.parameters)}
        for tool in prompt.tools
    ]
    tools = {"tools": [{"functionDeclarations": functions}]}
    return tools if prompt.may_call else {**tools, "toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}


def content_of(turn: PromptTurn) -> dict[str, Any]:
    """One turn in the API's JSON: its files and texts, the answers of tools, or a reply of the model's as it was."""
    if turn.verbatim:
        return dict(json.loads(turn.verbatim))
    answers = [{"functionResponse": _response(answer)} for answer in turn.answers]
    return {"role": turn.role.value, "parts": [*answers, *_shown(turn)]}


def _shown(turn: PromptTurn) -> Iterator[dict[str, Any]]:
    """The texts, and the files in their places between them."""
    places = turn.attached_at or (0,) * len(turn.attached)
    texts = list(_texts(turn.parts))
    for place in range(len(texts) + 1):
        yield from (_inline(file) for file, at in zip(turn.attached, places, strict=True) if at == place)
        yield from texts[place : place + 1]


def _inline(attachment: Attachment) -> dict[str, Any]:
    """A file inside the request, which may have 20 MB with all its files (ai.google.dev/gemini-api/docs/files)."""
    data = base64.b64encode(attachment.content).decode("ascii")
    return {"inlineData": {"mimeType": attachment.mime_type, "data": data}}


def _texts(texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """A part for each text; all but the last end with a line's end, since the model reads parts without a break."""
    *before, last = texts or ("",)
    yield from ({"text": f"{text}\n"} for text in before)
    if texts:
        yield {"text": last}


def _response(answer: ToolAnswer) -> dict[str, Any]:
    what = "error" if answer.is_error else "output"
    names = {"id": answer.call.id} if answer.call.id else {}
    return {**names, "name": answer.call.name, "response": {what: answer.text}}
