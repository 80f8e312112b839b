"""Requests for chat completions (platform.openai.com/docs/api-reference/chat/create)."""

import base64
import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from shared.base.text import well_formed
from shared.llm.openai.features import REASONING_KEYS, Feature
from shared.llm.openai.json_values import Json, as_object
from shared.values.prompt import Attachment, Prompt, PromptTurn, ToolAnswer, TurnRole

#: the providers that want the newer name of the token limit first; others may ignore it
_NEW_LIMIT: Final = frozenset({"openai"})
_LIMITS: Final = ("max_tokens", "max_completion_tokens")
#: names of sound formats that differ from the MIME type
_SOUNDS: Final = {"mpeg": "mp3", "x-wav": "wav", "wave": "wav", "vnd.wave": "wav", "mp4": "m4a", "x-m4a": "m4a"}
_ROLES: Final = {TurnRole.USER: "user", TurnRole.MODEL: "assistant"}


def chat_body(
    model: str, provider: str, prompt: Prompt, schema: Mapping[str, object] | None, without: Collection[Feature]
) -> Json:
    """Return a request that does not use the features `without`. Files that cannot be sent are only mentioned in it."""
    shown = prompt.keep_files(lambda file: can_show(file, without))
    body: Json = {"model": model, "messages": _messages(shown, without), **_tools(prompt, without)}
    if prompt.reply_tokens is not None:
        body[_LIMITS[(provider in _NEW_LIMIT) != (Feature.MAIN_LIMIT in without)]] = prompt.reply_tokens
    if schema is not None and Feature.SCHEMA not in without:
        # not strict: OpenAI's strict form knows neither optional fields nor most limits
        wanted = {"name": "reply", "schema": dict(schema), "strict": False}
        body["response_format"] = {"type": "json_schema", "json_schema": wanted}
    elif schema is not None and Feature.JSON not in without:
        body["response_format"] = {"type": "json_object"}
    return body


def as_stream(body: Json, without: Collection[Feature], *, reports_progress: bool) -> Json:
    """Return the request `body`, changed to ask for a streamed answer."""
    more: Json = {} if Feature.STREAM_USAGE in without else {"stream_options": {"include_usage": True}}
    if reports_progress and Feature.PROGRESS not in without:
        more["return_progress"] = True
    return {**body, "stream": True, **more}


def can_show(file: Attachment, without: Collection[Feature]) -> bool:
    """Return whether a file can be sent without using the features `without`. The protocol does not support videos."""
    kind, _, name = file.mime_type.partition("/")
    needed = {"image": Feature.PICTURES, "audio": Feature.SOUND}.get(kind)
    if needed is None and file.mime_type == "application/pdf":
        needed = Feature.DOCUMENTS
    is_text = kind == "text" or name in {"json", "xml"}
    return is_text if needed is None else needed not in without


def _messages(prompt: Prompt, without: Collection[Feature]) -> list[Json]:
    messages = [message for turn in prompt.turns for message in _turn_messages(turn, without)]
    system = well_formed(prompt.system)
    if not system:
        return messages
    if Feature.SYSTEM not in without or not messages:
        return [{"role": "system", "content": system}, *messages]
    return _with_head(system, messages)


def _with_head(system: str, messages: list[Json]) -> list[Json]:
    """Put the instruction at the head of the first message, for models that have no role for instructions."""
    first, *rest = messages
    if isinstance(first["content"], list):
        return [{**first, "content": [{"type": "text", "text": f"{system}\n\n"}, *first["content"]]}, *rest]
    return [{**first, "content": f"{system}\n\n{first['content']}"}, *rest]


def _turn_messages(turn: PromptTurn, without: Collection[Feature]) -> Iterator[Json]:
    """Yield a turn's messages: the tools' answers, then texts and files. A reply of the model is yielded unchanged."""
    if turn.verbatim:
        message = as_object(json.loads(turn.verbatim))
        dropped = REASONING_KEYS if Feature.REASONING in without else frozenset()
        yield {name: value for name, value in message.items() if name not in dropped}
        return
    yield from map(_tool_message, turn.answers)
    if turn.attached:
        yield {"role": _ROLES[turn.role], "content": list(_parts(turn))}
    elif turn.parts or not turn.answers:
        yield {"role": _ROLES[turn.role], "content": well_formed("\n".join(turn.parts))}


def _tool_message(answer: ToolAnswer) -> Json:
    text = f"Error: {answer.text}" if answer.is_error else answer.text
    return {"role": "tool", "tool_call_id": answer.call.id, "content": well_formed(text)}


def _parts(turn: PromptTurn) -> Iterator[Json]:
    """Yield the texts, with the files at their places between them."""
    places = turn.attached_at or (0,) * len(turn.attached)
    for place in range(len(turn.parts) + 1):
        yield from (_file_part(file) for file, at in zip(turn.attached, places, strict=True) if at == place)
        for text in turn.parts[place : place + 1]:
            yield {"type": "text", "text": well_formed(text)}


def _file_part(file: Attachment) -> Json:
    """Return a file as a part of a message. A text file becomes text."""
    kind, _, name = file.mime_type.partition("/")
    if kind == "image":
        detail = {"detail": "low"} if file.is_simple else {}
        return {"type": "image_url", "image_url": {"url": _data_url(file), **detail}}
    if kind == "audio":
        sound = name.partition(";")[0].lower()
        data = base64.b64encode(file.content).decode("ascii")
        return {"type": "input_audio", "input_audio": {"data": data, "format": _SOUNDS.get(sound, sound)}}
    if file.mime_type == "application/pdf":
        return {"type": "file", "file": {"filename": "file.pdf", "file_data": _data_url(file)}}
    return {"type": "text", "text": file.content.decode("utf-8", "replace")}


def _data_url(file: Attachment) -> str:
    return f"data:{file.mime_type};base64,{base64.b64encode(file.content).decode('ascii')}"


def _tools(prompt: Prompt, without: Collection[Feature]) -> dict[str, Any]:
    """Return the tools. Those that may no longer be called stay declared, since earlier turns mention them."""
    if not prompt.tools or Feature.TOOLS in without:
        return {}
    functions = [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
        for tool in prompt.tools
    ]
    tools = {"tools": [{"type": "function", "function": function} for function in functions]}
    return tools if prompt.may_call else {**tools, "tool_choice": "none"}
